//! Tools: what the left button does in the view. Each takes what is pressed on, draws its handles over the picture, and
//! makes actions; what it does not take turns the camera.

mod create;
mod marks;
mod place;
mod pose;
mod select;

use super::Over;
use crate::model::{Action, Studio, Tool};
use create::Create;
use egui::Ui;
use place::Place;
use pose::Pose;

/// One of each.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pose: Pose,
    create: Create,
    place: Place,
}

impl Tools {
    /// Draw what is in hand over the view, and do what it does; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        if studio.tool != Tool::Create {
            self.create = Create::default(); // what was begun is forgotten
        }
        match studio.tool {
            Tool::Select => select::show(ui, over, studio, actions),
            Tool::Pose => self.pose.show(ui, over, studio, actions),
            Tool::Create => self.create.show(ui, over, studio, actions),
            Tool::Place => self.place.show(ui, over, studio, actions),
        }
    }
}
