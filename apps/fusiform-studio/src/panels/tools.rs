//! Tools: what the left button does in the view. Each takes what is pressed on, draws its handles over the picture, and
//! makes actions; what it does not take turns the camera.

mod create;
mod cut;
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
pub use cut::{chosen_bone, why_no_plane};
use egui::Ui;
use paint::Paint;
use place::Place;
use pose::Pose;
use sculpt::Sculpt;

/// One of each.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// The one that was last in hand.
    last: Tool,
    /// Whether the mouse does nothing until its button is up.
    rests: bool,
    pose: Pose,
    create: Create,
    place: Place,
    paint: Paint,
    sculpt: Sculpt,
    cut: Cut,
}

impl Tools {
    /// Let go of what is dragged. A muscle that is half made may still be made.
    pub fn let_go(&mut self) {
        let create = std::mem::take(&mut self.create);
        *self = Self { last: self.last, rests: true, create, ..Self::default() };
    }

    /// Draw what is in hand over the view, and do what it does; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        if studio.tool != self.last {
            *self = Self { last: studio.tool, rests: true, ..Self::default() };
        }
        self.rests &= stroke::goes_on(ui);
        if self.rests {
            return true;
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
