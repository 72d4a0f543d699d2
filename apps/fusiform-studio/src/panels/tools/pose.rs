//! Pose: a limb is dragged, its joint turns.

use crate::model::{Action, Edit, Gesture, Look, Studio};
use crate::panels::{Over, marks};
use crate::view::each_bone;
use egui::{Color32, Pos2, Ui};
use glam::{Quat, Vec3};

const HANDLE: Color32 = Color32::from_rgb(250, 200, 90);
/// How near the mouse takes a bone, points.
const NEAR: f32 = 8.0;

/// The limb in hand: its joint, where on it the mouse holds it, in the joint's space, and the drag that this is.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    held: Option<(usize, Vec3, Gesture)>,
}

impl Pose {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let under = |at: Pos2| bone_at(over, studio, at).or_else(|| limb_at(over, studio, at));
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

/// The joint of the bone that is seen nearest to the mouse, while bones are shown, and the place on it: some joints carry no
/// skin.
fn bone_at(over: Over, studio: &Studio, at: Pos2) -> Option<(usize, Vec3)> {
    let mut nearest: Option<((f32, f32), usize, Vec3)> = None;
    let ray = over.ray(at);
    let mut ask = |joint: usize, from: Vec3, to: Vec3| {
        let place = beside_ray([from, to], ray);
        let (Some(seen), Some(head)) = (over.at(place), over.at(from)) else { return };
        let away = seen.distance(at);
        // held close to its joint a bone could hardly be turned: there the one that ends there is meant
        let cost = away + (NEAR - seen.distance(head)).max(0.0);
        // of two that are seen in one place, the one in front
        let cost = (cost.round(), place.distance(ray.0));
        if away <= NEAR && nearest.is_none_or(|(least, ..)| cost < least) {
            nearest = Some((cost, joint, place));
        }
    };
    if over.bones {
        each_bone(studio, &mut ask);
    }
    nearest.map(|(_, joint, place)| (joint, place))
}

/// The point of a line that a ray passes nearest to: eye and direction.
fn beside_ray([from, to]: [Vec3; 2], (eye, direction): (Vec3, Vec3)) -> Vec3 {
    let [off, along] = [from - eye, to - from].map(|v| v.reject_from_normalized(direction));
    let share = -off.dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    from.lerp(to, share.clamp(0.0, 1.0))
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
