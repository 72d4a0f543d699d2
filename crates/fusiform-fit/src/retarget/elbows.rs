//! Which way elbows bend. Built straight, an arm does not say how its elbow is turned about it, and T-poses disagree by tens
//! of degrees; the axis the elbow really bends about does.

use super::Rig;
use super::anatomy::Anatomy;
use super::play::Played;
use crate::{Role, Side};
use glam::Vec3;

/// Sine of the bend above which it tells its axis (6 degrees).
const BENT: f32 = 0.1;

/// The elbow's axis in the source, in model space at rest: from its rest pose if that is bent, else from the motion.
pub(super) fn source_hinge(rig: &Rig, body: &Anatomy, side: Side, played: &Played) -> Option<Vec3> {
    at_rest(rig, body, side).or_else(|| in_motion(rig, body, side, played))
}

/// The elbow's axis in the target: from its rest pose, or as if the forearm swung to the front.
pub(super) fn target_hinge(rig: &Rig, body: &Anatomy, side: Side) -> Option<Vec3> {
    let front = body.body * Vec3::Z;
    let straight = || Some(body.direction(rig, Role::UpperArm, side)?.cross(front)).filter(|axis| axis.length() > BENT);
    at_rest(rig, body, side).or_else(straight)?.try_normalize()
}

fn at_rest(rig: &Rig, body: &Anatomy, side: Side) -> Option<Vec3> {
    let upper = body.direction(rig, Role::UpperArm, side)?;
    let axis = upper.cross(body.direction(rig, Role::LowerArm, side)?);
    (axis.length() > BENT).then(|| axis.normalize())
}

/// The mean axis of all bent frames, carried back to rest by the upper arm; the more bent the more it counts.
fn in_motion(rig: &Rig, body: &Anatomy, side: Side, played: &Played) -> Option<Vec3> {
    let [upper, lower, hand] = [Role::UpperArm, Role::LowerArm, Role::Hand].map(|role| rig.roles.get(role, side));
    let (upper, lower, hand) = (upper?, lower?, hand?);
    let mut sum = Vec3::ZERO;
    for frame in 0..played.frames() {
        let [shoulder, elbow, wrist] = [upper, lower, hand].map(|joint| played.place(frame, joint));
        let axis = (elbow - shoulder).normalize_or_zero().cross((wrist - elbow).normalize_or_zero());
        if axis.length() > BENT {
            sum += body.turn[upper] * played.turns(frame)[upper].inverse() * axis;
        }
    }
    let along = body.direction(rig, Role::UpperArm, side)?;
    sum.reject_from_normalized(along).try_normalize()
}
