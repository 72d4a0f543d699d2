//! Playing as baked, in the timeline.

use crate::model::{Action, AsBaked, Play, Studio};
use egui::{DragValue, Ui};

/// The switch, the rate, and how far its start is found; what is done goes into `actions`.
pub fn show(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let live = &studio.live;
    let mut baked = live.playing.baked.is_some();
    let tip = "Step the clip exactly as a bake steps it: its start, its rate, its loops. What is seen is what is baked, \
               before it is made small; a slow display plays it more slowly. What is flexed by hand counts only where \
               Out > Bake is told to bake it";
    if ui.checkbox(&mut baked, "As baked").on_hover_text(tip).changed() {
        actions.push(Play::Baked(baked.then(AsBaked::default)).into());
    }
    let Some(how) = live.playing.baked else { return };
    let mut fps = how.fps;
    let drag = DragValue::new(&mut fps).range(1..=240).suffix(" fps");
    let response = ui.add(drag).on_hover_text("Frames a second of the bake. 1 to 240; 30");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Baked frames a second"));
    if response.changed() {
        actions.push(Play::Baked(Some(AsBaked { fps, ..how })).into());
    }
    if let Some(share) = live.running_in() {
        ui.weak(format!("coming round, {:.0} %", 100.0 * share));
    }
}
