//! Pose: joints turned by hand, by so much or to three angles that can be read and typed.

use super::Seen;
use super::place::mirrored_turns;
use crate::model::Live;
use crate::model::sides::twin_joint;
use fusiform::Skeleton;
use glam::{Affine3A, Quat, Vec3};

/// A joint that is nearer than this, radians, to how it is wanted is there.
const EXACT: f32 = 1e-4;

/// Three angles of a joint, degrees: what they are called, and about which axis each turns.
pub const ANGLES: [(&str, &str); 3] = [
    ("Twist", "about the bone's own length"),
    ("Bend", "about the first of the joint's axes across the bone, as at bind"),
    ("Side", "about the second of the joint's axes across the bone, as at bind"),
];

/// How a joint is turned against its parent since bind, as its own axes see it; none of one that is flat.
pub fn turn_now(skeleton: &Skeleton, live: &Live, joint: usize) -> Option<Quat> {
    let (of, now) = (skeleton.joints.get(joint)?, live.model_from_joint());
    let local = |parent: Option<Affine3A>, joint: Affine3A| turn_of(&(parent.unwrap_or_default().inverse() * joint));
    let bind = local(of.parent.map(|parent| skeleton.joints[parent].bind), of.bind);
    let turn = (bind.inverse() * local(of.parent.map(|parent| now[parent]), now[joint])).normalize();
    turn.is_finite().then_some(turn)
}

fn turn_of(matrix: &Affine3A) -> Quat {
    matrix.to_scale_rotation_translation().1
}

/// Let a joint be turned by hand so that it is turned so since bind.
pub fn put(skeleton: &Skeleton, live: &Live, (joint, wanted): (usize, Quat), turned: &mut Vec<(usize, Quat)>) {
    let now = turn_now(skeleton, live, joint);
    let Some(now) = now.filter(|now| wanted.is_finite() && now.angle_between(wanted) > EXACT) else { return };
    add(live, (joint, now.inverse() * wanted), turned);
}

/// Turn a joint on by so much, as its own axes see it.
fn add(live: &Live, (joint, by): (usize, Quat), turned: &mut Vec<(usize, Quat)>) {
    let by_hand = live.turned().iter().find(|(of, _)| *of == joint).map_or(Quat::IDENTITY, |(_, turn)| *turn);
    let turn = (by_hand * by).normalize();
    if turn.is_finite() {
        match turned.iter_mut().find(|(of, _)| *of == joint) {
            Some((_, of)) => *of = turn,
            None => turned.push((joint, turn)),
        }
    }
}

/// Joints turned by hand, once one of them is turned on: in model space, about its own place. The one on the other side turns
/// as a mirror shows it.
pub fn turned_by(seen: Seen, joint: usize, by: Quat) -> Vec<(usize, Quat)> {
    let mut turned = seen.live.turned().to_vec();
    let Some(at) = seen.live.model_from_joint().get(joint) else { return turned };
    // q R = P L (R^-1 q R), so what stands behind the joint's own rotation L is q as its axes see it
    let model_from_joint = turn_of(at);
    let by = (model_from_joint.inverse() * by * model_from_joint).normalize();
    // a number that is none, or a joint that is flat, turns nothing
    if by.is_finite() {
        add(seen.live, (joint, by), &mut turned);
        let other = mirrored(seen, joint, by);
        other.into_iter().for_each(|other| add(seen.live, other, &mut turned));
    }
    turned
}

/// Joints turned by hand, once one of them is turned so since bind; the one on the other side as a mirror shows it.
pub fn turned_to(seen: Seen, joint: usize, wanted: Quat) -> Vec<(usize, Quat)> {
    let (skeleton, mut turned) = (&seen.project.character.skeleton, seen.live.turned().to_vec());
    let wanted = wanted.normalize();
    if wanted.is_finite() {
        put(skeleton, seen.live, (joint, wanted), &mut turned);
        let other = mirrored(seen, joint, wanted);
        other.into_iter().for_each(|other| put(skeleton, seen.live, other, &mut turned));
    }
    turned
}

/// What the joint on the other side gets while that follows; none for a joint in the middle.
fn mirrored(seen: Seen, joint: usize, turn: Quat) -> Option<(usize, Quat)> {
    let skeleton = &seen.project.character.skeleton;
    let own = [(skeleton.joints.get(joint).filter(|_| seen.mirrored)?.name.clone(), turn)];
    let (other, turn) = mirrored_turns(seen.project, &own.into()).ok()?.pop_first()?;
    let other = skeleton.find(&other).filter(|other| *other != joint)?;
    // what somebody holds in the right hand is not the left one
    let is_mutual = twin_joint(skeleton, &seen.project.plane, other) == Some(joint);
    is_mutual.then_some((other, turn))
}

/// Joints turned by hand without one of them, and without the one on the other side while that follows; without any where
/// none is named.
pub fn turned_back(seen: Seen, which: Option<usize>) -> Vec<(usize, Quat)> {
    let Some(joint) = which else { return Vec::new() };
    let other = mirrored(seen, joint, Quat::IDENTITY).map(|(other, _)| other);
    let stay = seen.live.turned().iter().filter(|(of, _)| *of != joint && Some(*of) != other);
    stay.copied().collect()
}

/// Along the bone of a joint, as its own axes see it at bind: toward the middle of what it carries, or on the way its own bone
/// came from.
#[must_use]
pub fn bone_axis(skeleton: &Skeleton, joint: usize) -> Vec3 {
    let joints = &skeleton.joints;
    let at = |joint: usize| Vec3::from(joints[joint].bind.translation);
    let carried = joints.iter().filter(|of| of.parent == Some(joint));
    let ahead: Vec3 = carried.map(|of| Vec3::from(of.bind.translation) - at(joint)).sum();
    let behind = joints[joint].parent.map_or(Vec3::ZERO, |parent| at(joint) - at(parent));
    let along = ahead.try_normalize().or(behind.try_normalize()).unwrap_or(Vec3::Y);
    turn_of(&joints[joint].bind).inverse() * along
}

/// The bone's length, and two ways across it: the joint's own axes as far as they lie across.
fn axes(skeleton: &Skeleton, joint: usize) -> [Vec3; 3] {
    let along = bone_axis(skeleton, joint);
    let longest = along.abs().max_position();
    let bend = Vec3::AXES[(longest + 1) % 3].reject_from_normalized(along).normalize();
    [along, bend, along.cross(bend)]
}

/// How a joint is turned since bind: twisted about its bone, then bent two ways, degrees. Any turn has such angles, and goes
/// through them without a jump until the bone points the other way.
#[must_use]
pub fn angles(skeleton: &Skeleton, live: &Live, joint: usize) -> Option<[f32; 3]> {
    let (turn, [along, bend, side]) = (turn_now(skeleton, live, joint)?, axes(skeleton, joint));
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let twist = 2.0 * turn.xyz().dot(along).atan2(turn.w);
    let swing = (turn * Quat::from_axis_angle(along, -twist)).to_scaled_axis();
    Some([twist, swing.dot(bend), swing.dot(side)].map(f32::to_degrees))
}

/// The turn that has those angles.
#[must_use]
pub fn turn_from(skeleton: &Skeleton, joint: usize, angles: [f32; 3]) -> Quat {
    let ([along, bend, side], [twist, bent, aside]) = (axes(skeleton, joint), angles.map(f32::to_radians));
    Quat::from_scaled_axis(bent * bend + aside * side) * Quat::from_axis_angle(along, twist)
}
