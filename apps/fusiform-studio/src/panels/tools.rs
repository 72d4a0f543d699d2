//! Tools: what the left button does in the view. Each takes what is pressed on, draws its handles over the picture, and
//! makes actions; what it does not take turns the camera.

mod pose;
mod select;

use super::Over;
use crate::model::{Action, Studio, Tool};
use egui::Ui;
use pose::Pose;

/// One of each.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pose: Pose,
}

impl Tools {
    /// Draw what is in hand over the view, and do what it does; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        match studio.tool {
            Tool::Select => select::show(ui, over, studio, actions),
            Tool::Pose => self.pose.show(ui, over, studio, actions),
        }
    }
}
