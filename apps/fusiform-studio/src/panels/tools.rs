//! Tools: what the left button does in the view. Each takes what is pressed on, draws its handles over the picture, and
//! makes actions; what it does not take turns the camera.

mod create;
mod cut;
mod marks;
mod paint;
mod place;
mod pose;
mod sculpt;
mod select;
mod stroke;

use super::Over;
use crate::model::{Action, Studio, Tool};
use create::Create;
use cut::Cut;
pub use cut::chosen_bone;
use egui::Ui;
use paint::Paint;
use place::Place;
use pose::Pose;
use sculpt::Sculpt;

/// One of each.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pose: Pose,
    create: Create,
    place: Place,
    paint: Paint,
    sculpt: Sculpt,
    cut: Cut,
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
            Tool::Paint => self.paint.show(ui, over, studio, actions),
            Tool::Sculpt => self.sculpt.show(ui, over, studio, actions),
            Tool::Cut => self.cut.show(ui, over, studio, actions),
        }
    }
}
