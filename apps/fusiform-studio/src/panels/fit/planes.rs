//! The partition plane of the chosen region, as a number.

use crate::model::{Action, Edit, Gesture, Look, Studio, Tool};
use crate::panels::chosen_bone;
use egui::{Slider, Ui};

/// A plane that is being turned: by which gesture, and how far.
pub type Drag = (Gesture, f32);

/// Draw; what is done goes into `actions`.
pub fn show(ui: &mut Ui, drag: &mut Option<Drag>, studio: &Studio, actions: &mut Vec<Action>) {
    let Some((flesh, bone)) = chosen_bone(studio) else {
        ui.strong("Partition plane");
        ui.weak(match studio.fit.flesh() {
            None => "The body is being cut into regions.",
            Some(_) => "Choose a muscle of an opposed pair to turn the plane between the two.",
        });
        return;
    };
    let bone = &flesh.bones()[bone];
    ui.strong(format!("Partition plane of {}", bone.name));
    let turned = studio.document().fitting.turned.get(&bone.name).copied();
    let now = turned.unwrap_or(bone.found);
    let mut degrees = drag.map_or(now, |(_, degrees)| degrees);
    let tip = format!(
        "How far the plane between flexor and extensor is turned about the bone: both are fitted anew to their side of the \
         skin. -180 to 180°, found {:.0}°. At 0 the flexor lies above a bone that lies, before one that stands.",
        bone.found
    );
    ui.horizontal(|ui| {
        let shown = |degrees: f64, _| format!("{degrees:.1}");
        let slider = Slider::new(&mut degrees, -180.0..=180.0).custom_formatter(shown).suffix("°").text("Angle");
        let response = ui.add(slider).on_hover_text(tip);
        let drags = response.dragged() && !response.drag_stopped();
        let gesture = drag.map_or_else(Gesture::begin, |(gesture, _)| gesture);
        *drag = drags.then_some((gesture, degrees));
        let (was_dragged, quick) = (response.drag_stopped(), studio.fit.is_quick());
        // where finding the skin they move takes long, that is done when the slider is let go
        let edit = if drags && !quick {
            Edit::DragPlane(bone.name.clone(), degrees)
        } else {
            Edit::TurnPlane(bone.name.clone(), Some(degrees))
        };
        if degrees != now || was_dragged && !quick && turned.is_some() {
            actions.push(Action::Edit(edit, Some(gesture)));
        }
    });
    ui.horizontal(|ui| {
        let back = ui.add_enabled(turned.is_some(), egui::Button::new("As found"));
        if back.on_hover_text("Let it follow how the next joint bends").clicked() {
            actions.push(Edit::TurnPlane(bone.name.clone(), None).into());
        }
        if ui.selectable_label(studio.tool == Tool::Cut, "Turn it in the view").clicked() {
            actions.push(Look::Tool(Tool::Cut).into());
        }
    });
}
