//! Pose: a limb is dragged, its joint turns.

use crate::model::{Action, Edit, Gesture, Look, Studio};
use crate::panels::{Over, marks};
use egui::{Color32, Pos2, Ui};
use glam::{Quat, Vec3};

const HANDLE: Color32 = Color32::from_rgb(250, 200, 90);

/// The limb in hand: its joint, where on it the mouse holds it, in the joint's space, and the drag that this is.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    held: Option<(usize, Vec3, Gesture)>,
}

impl Pose {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let under = |at: Pos2| limb_at(over, studio, at);
        if let Some((joint, place)) = over.taken(ui).and_then(under) {
            let model_from_joint = studio.live.model_from_joint()[joint];
            self.held = Some((joint, model_from_joint.inverse().transform_point3(place), Gesture::begin()));
            actions.push(Look::Joint(Some(joint)).into());
        }
        if !over.response.dragged() {
            self.held = None;
        }
        let hovered = over.mouse().filter(|_| self.held.is_none()).and_then(under);
        if let Some(joint) = self.held.map(|(joint, ..)| joint).or(hovered.map(|(joint, _)| joint)) {
            mark(ui, over, studio, joint);
        }
        let (Some((joint, point, drag)), Some(at)) = (self.held, over.mouse()) else { return false };
        let model_from_joint = studio.live.model_from_joint()[joint];
        let (place, middle) = (model_from_joint.transform_point3(point), Vec3::from(model_from_joint.translation));
        let (from, to) = ((place - middle).normalize_or_zero(), (over.beside(place, at) - middle).normalize_or_zero());
        if from != Vec3::ZERO && to != Vec3::ZERO && from != to {
            actions.push(Action::Edit(Edit::Turn(joint, Quat::from_rotation_arc(from, to)), Some(drag)));
        }
        true
    }
}

/// The joint that carries the skin under the mouse most, and the place there.
pub(super) fn limb_at(over: Over, studio: &Studio, at: Pos2) -> Option<(usize, Vec3)> {
    let hit = over.skin(studio, at)?;
    let (mesh, vertex) = studio.project.skin().in_mesh(hit.vertex());
    let weights = studio.document().joints.get(mesh)?;
    weights.of(vertex).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(joint, _)| (usize::from(joint), hit.place))
}

/// A ring about the joint that would turn, its name, and lines to what it carries.
fn mark(ui: &Ui, over: Over, studio: &Studio, joint: usize) {
    let (joints, places) = (&studio.project.character.skeleton.joints, studio.live.model_from_joint());
    let at = |joint: usize| over.at(places[joint].translation.into());
    let Some(middle) = at(joint) else { return };
    let painter = ui.painter().with_clip_rect(over.rect);
    let carried = (0..joints.len()).filter(|&child| joints[child].parent == Some(joint));
    for to in carried.filter_map(at) {
        marks::line(&painter, &[middle, to], 2.0, HANDLE);
    }
    painter.circle_filled(middle, 7.0, HANDLE.gamma_multiply(0.3));
    for stroke in marks::strokes(2.0, HANDLE) {
        painter.circle_stroke(middle, 7.0, stroke);
    }
    marks::label(ui, over, middle, &joints[joint].name, HANDLE);
}
