//! Pose: a limb is dragged, its joint turns; with shift about its own length.

use crate::model::{Action, Edit, Gesture, Look, Studio, bone_axis};
use crate::panels::{Over, marks};
use crate::view::each_bone;
use egui::{Color32, Pos2, Ui, Vec2};
use glam::{Quat, Vec3};

const HANDLE: Color32 = Color32::from_rgb(250, 200, 90);
/// How near the mouse takes a bone, points.
const NEAR: f32 = 8.0;
/// A point of the mouse across a bone twists it by so much, radians: half a degree.
const TWIST: f32 = 0.0087;
/// A bone that is seen shorter than this share of its length is seen from its end: it has no side to be dragged to.
const FROM_END: f32 = 0.2;

/// The limb in hand: its joint, where on it the mouse holds it, in the joint's space, whether it is twisted, and the drag that
/// this is.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    held: Option<(usize, Vec3, bool, Gesture)>,
}

impl Pose {
    /// Draw, and do; whether the mouse is taken.
    pub fn show(&mut self, ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
        let limb = |at: Pos2| limb_at(over, studio, at).map(|(joint, place)| (untwisted(studio, joint), place));
        let under = |at: Pos2| bone_at(over, studio, at).or_else(|| limb(at));
        if let Some((joint, place)) = over.taken(ui).and_then(under) {
            let model_from_joint = studio.live.model_from_joint()[joint];
            let (point, twists) = (model_from_joint.inverse().transform_point3(place), ui.input(|i| i.modifiers.shift));
            self.held = Some((joint, point, twists, Gesture::begin()));
            actions.push(Look::Joint(Some(joint)).into());
        }
        if !over.response.dragged() {
            self.held = None;
        }
        let hovered = over.mouse().filter(|_| self.held.is_none()).and_then(under);
        if let Some(joint) = self.held.map(|(joint, ..)| joint).or(hovered.map(|(joint, _)| joint)) {
            mark(ui, over, studio, joint);
        }
        let (Some((joint, point, twists, drag)), Some(at)) = (self.held, over.mouse()) else { return false };
        if twists {
            let by = twist(over, studio, joint, ui.input(|input| input.pointer.delta()));
            actions.extend(by.map(|by| Action::Edit(Edit::Turn(joint, by), Some(drag))));
            return true;
        }
        let model_from_joint = studio.live.model_from_joint()[joint];
        let (place, middle) = (model_from_joint.transform_point3(point), Vec3::from(model_from_joint.translation));
        let (from, to) = ((place - middle).normalize_or_zero(), (over.beside(place, at) - middle).normalize_or_zero());
        if from != Vec3::ZERO && to != Vec3::ZERO && from != to {
            actions.push(Action::Edit(Edit::Turn(joint, Quat::from_rotation_arc(from, to)), Some(drag)));
        }
        true
    }
}

/// The turn about a joint's own bone, for the side of it that is seen to go with the mouse.
fn twist(over: Over, studio: &Studio, joint: usize, moved: Vec2) -> Option<Quat> {
    let (_, turned, _) = studio.live.model_from_joint()[joint].to_scale_rotation_translation();
    let along = turned * bone_axis(&studio.project.character.skeleton, joint);
    let [right, up] = over.camera.axes();
    let seen = glam::Vec2::new(along.dot(right), along.dot(up));
    let seen = if seen.length() > FROM_END { seen.normalize() } else { glam::Vec2::Y };
    let angle = TWIST * (moved.x * seen.y + moved.y * seen.x);
    (angle != 0.0).then(|| Quat::from_axis_angle(along.normalize(), angle)).filter(|turn| turn.is_finite())
}

/// The joint that bends the limb, where that joint only spreads the twist of the next one along it. Necks of some rigs are
/// called so, too, and bend.
fn untwisted(studio: &Studio, joint: usize) -> usize {
    let joints = &studio.project.character.skeleton.joints;
    let twists = |&joint: &usize| spreads_twist(&joints[joint].name);
    let above = std::iter::successors(Some(joint), |&joint| joints[joint].parent.filter(|_| twists(&joint)));
    above.last().unwrap_or(joint)
}

fn spreads_twist(name: &str) -> bool {
    let is_roll = |(at, word): (usize, &str)| {
        let before = name[..at].chars().next_back();
        let begins = word.starts_with('R') || before.is_none_or(|c| !c.is_alphabetic());
        begins && !name[at + word.len()..].starts_with(char::is_lowercase)
    };
    let small = name.to_lowercase();
    let rolls = ["roll", "Roll"].iter().any(|word| name.match_indices(word).any(is_roll));
    (small.contains("twist") || rolls) && !small.contains("neck")
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

#[cfg(test)]
mod tests {
    use super::spreads_twist;

    #[test]
    fn joints_that_spread_a_twist_say_so() {
        for name in ["lowerarm_twist_01_l", "LeftForeArmRoll", "Bip01 L ForeTwist1", "upper_arm.roll.l", "roll_l"] {
            assert!(spreads_twist(name), "{name}");
        }
        for name in ["lowerarm_l", "CC_Base_NeckTwist01", "Troll_Arm", "scroll", "roller.l", "Rolland:Hips"] {
            assert!(!spreads_twist(name), "{name}");
        }
    }
}
