//! Select: a click chooses a muscle, or nothing.

use crate::model::{Action, Look, Studio};
use crate::panels::Over;
use egui::Ui;

/// Draw, and do; never takes the mouse, so that drags turn the camera.
pub fn show(ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
    if let Some(at) = over.clicked(ui) {
        let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        let muscle = over.muscle(studio, at).map(|(m, _)| m);
        actions.push(Look::Select(muscle, beside).into());
        if muscle.is_none() && !beside {
            actions.push(Look::Joint(None).into());
        }
    }
    false
}
