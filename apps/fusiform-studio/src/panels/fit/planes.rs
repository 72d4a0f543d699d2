//! The partition plane of the chosen region, as a number.

use crate::model::{Action, Edit, Gesture, Look, Studio, Tool};
use crate::panels::{chosen_bone, steady, why_no_plane};
use egui::{Slider, Ui};

/// A plane that is being turned.
#[derive(Debug)]
pub struct Drag {
    /// The bone's name: another may be chosen meanwhile.
    bone: String,
    gesture: Gesture,
    degrees: f32,
}

/// Draw; what is done goes into `actions`.
pub fn show(ui: &mut Ui, drag: &mut Option<Drag>, studio: &Studio, actions: &mut Vec<Action>) {
    let Some((flesh, bone)) = chosen_bone(studio) else {
        *drag = None;
        ui.strong("Partition plane");
        ui.weak(why_no_plane(studio));
        return;
    };
    let bone = &flesh.bones()[bone];
    ui.strong(format!("Partition plane of {}", bone.name));
    let turned = studio.document().fitting.turned.get(&bone.name).copied();
    let now = turned.unwrap_or(bone.found);
    drag.take_if(|drag| drag.bone != bone.name);
    let mut degrees = drag.as_ref().map_or(now, |drag| drag.degrees);
    let tip = format!(
        "How far the plane between flexor and extensor is turned about the bone: both are fitted anew to their side of the \
         skin. -180 to 180°, found {:.0}°. At 0 the flexor lies above a bone that lies, before one that stands.",
        bone.found
    );
    // another bone's slider is another one: what is held of this one turns no other plane
    steady(ui, &bone.name, |ui| {
        let written = |degrees: f64| format!("{degrees:.1}");
        let slider = Slider::new(&mut degrees, -180.0..=180.0)
            .custom_formatter(move |degrees, _| written(degrees))
            .suffix("°")
            .text("Angle");
        let slider = slider.update_while_editing(false);
        let response = ui.add(slider).on_hover_text(tip);
        let drags = response.dragged() && !response.drag_stopped();
        let gesture = drag.as_ref().map_or_else(Gesture::begin, |drag| drag.gesture);
        *drag = drags.then(|| Drag { bone: bone.name.clone(), gesture, degrees });
        let (was_dragged, quick) = (response.drag_stopped(), studio.fit.is_quick());
        // where finding the skin they move takes long, that is done when the slider is let go
        let edit = if drags && !quick {
            Edit::DragPlane(bone.name.clone(), degrees)
        } else {
            Edit::TurnPlane(bone.name.clone(), Some(degrees))
        };
        // who looks at the number and goes on has not changed it, even where not all of its digits are shown
        let is_other = (drags || was_dragged || written(degrees.into()) != written(now.into())) && degrees != now;
        if is_other || was_dragged && !quick && turned.is_some() {
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
