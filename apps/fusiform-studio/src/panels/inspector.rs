//! The inspector: every number of what is chosen.

use super::attachments::Attachments;
use crate::model::{Action, DIALS, Edit, Gesture, Play, Studio};
use egui::{Slider, SliderClamping, Ui};
use fusiform::Physique;

/// Knows the drag that goes on, so that each is one step back.
#[derive(Clone, Debug, Default)]
pub struct Inspector {
    gesture: Option<Gesture>,
    attachments: Attachments,
}

/// A slider, and the drag it is part of: none where a number was typed or a default taken.
fn slide(ui: &mut Ui, gesture: &mut Option<Gesture>, slider: Slider, tip: &str) -> Option<Option<Gesture>> {
    // a file may have numbers beyond the slider's ends: looking at them does not change them
    let response = ui.add(slider.clamping(SliderClamping::Edits)).on_hover_text(tip);
    if response.drag_started() {
        *gesture = Some(Gesture::begin());
    }
    response.changed().then(|| gesture.filter(|_| response.dragged() || response.drag_stopped()))
}

impl Inspector {
    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            match studio.chosen.len() {
                0 => {
                    ui.heading("Whole body");
                    self.physique(ui, studio, actions);
                    ui.weak("Choose a muscle, in the view or in the list, to shape it.");
                }
                1 => {
                    let m = studio.chosen.first().copied().unwrap_or_default();
                    let muscle = &studio.muscles()[m];
                    ui.heading(&*muscle.name);
                    ui.weak(format!("{} to {}", muscle.origin.joint, muscle.insertion.joint));
                    self.state(ui, studio, m);
                    self.attachments.show(ui, studio, actions);
                    self.dials(ui, studio, actions);
                }
                n => {
                    ui.heading(format!("{n} muscles"));
                    self.attachments.show(ui, studio, actions);
                    self.dials(ui, studio, actions);
                }
            }
            ui.separator();
            self.tense(ui, studio, actions);
        });
    }

    fn state(&self, ui: &mut Ui, studio: &Studio, m: usize) {
        let (body, state) = studio.live.muscled();
        let (rest, now) = (body.rest_lengths()[m], state.lengths()[m]);
        ui.weak(format!(
            "{:.1} cm, {:.0} % of rest; {:.0} % tense",
            100.0 * now,
            100.0 * now / rest,
            100.0 * state.activations()[m]
        ));
    }

    fn dials(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let muscles = studio.muscles();
        let mut group = "";
        for (i, dial) in DIALS.iter().enumerate() {
            let values: Vec<f32> = studio.chosen.iter().filter_map(|&m| dial.of(&muscles[m])).collect();
            let Some(&first) = values.first() else { continue };
            if dial.group != group {
                group = dial.group;
                ui.add_space(6.0);
                ui.strong(group);
            }
            let mut value = first;
            let differ = if values.iter().all(|v| *v == first) { "" } else { " *" };
            let label = format!("{}{differ}", dial.label.trim());
            ui.horizontal(|ui| {
                let unit = if dial.unit.is_empty() { String::new() } else { format!(" {}", dial.unit) };
                let slider = Slider::new(&mut value, dial.low..=dial.high).suffix(unit).text(label);
                let logarithmic = dial.high / dial.low.max(1e-6) > 50.0 && dial.low > 0.0;
                if let Some(gesture) = slide(ui, &mut self.gesture, slider.logarithmic(logarithmic), dial.tip) {
                    actions.push(Action::Edit(Edit::Dial(i, value), gesture));
                }
                let back = ui.add_enabled(first != dial.default, egui::Button::new("reset").small());
                let words = format!("Reset {}", dial.label.trim());
                back.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
                if back.on_hover_text(format!("Back to {}", dial.default)).clicked() {
                    actions.push(Edit::Dial(i, dial.default).into());
                }
            });
        }
    }

    fn physique(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let mut physique = studio.document().musculature.physique;
        let rows: [(&str, &mut f32, &str); 5] = [
            ("Size", &mut physique.size, "Larger bellies swell the skin further."),
            ("Bulge", &mut physique.bulge, "How far shortening swells the skin."),
            ("Stiffness", &mut physique.stiffness, "Stiffer flesh swings faster and less far."),
            ("Damping", &mut physique.damping, "How soon flesh comes to rest."),
            ("Skin weight", &mut physique.skin_weight, "How much muscles move the skin at all."),
        ];
        let mut turned = None;
        for (label, value, tip) in rows {
            if let Some(gesture) = slide(ui, &mut self.gesture, Slider::new(value, 0.1..=4.0).text(label), tip) {
                turned = Some(gesture);
            }
        }
        if let Some(gesture) = turned {
            actions.push(Action::Edit(Edit::Physique(physique), gesture));
        }
        if studio.document().musculature.physique != Physique::default() && ui.button("Reset physique").clicked() {
            actions.push(Edit::Physique(Physique::default()).into());
        }
    }

    fn tense(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let levels = studio.live.levels();
        let chosen = studio.chosen.first().copied().unwrap_or(0);
        let mut level = levels.get(chosen).copied().unwrap_or(0.0);
        let tip = "Tense by hand what is chosen, or all muscles: to look, not kept in the file.";
        let slider = Slider::new(&mut level, 0.0..=1.0).text("Flex it");
        if slide(ui, &mut self.gesture, slider, tip).is_some() {
            actions.push(Play::Tense(level).into());
        }
    }
}
