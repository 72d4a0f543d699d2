//! Select: a click chooses a muscle.

use crate::model::{Action, Look, Studio};
use crate::panels::Over;
use egui::Ui;

/// Draw, and do; never takes the mouse, so that drags turn the camera.
pub fn show(ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
    if let Some(at) = over.clicked(ui) {
        let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        actions.push(Look::Select(over.muscle(studio, at).map(|(m, _)| m), beside).into());
    }
    false
}
