//! Retargeting: the motion of one body on another, by joint roles.
//!
//! ```text
//! source rest, target rest --Anatomy::measure--> body frames, bones, soles
//!                          --drivers-----------> which source joints turn which target joint, and from which direction
//! source clip --play--> turns and places of every frame --Drivers--> target turns --ground--> hips --> clip
//! ```
//!
//! With C the rotation from the source's body frame (left, up, front) to the target's, W the turn of a source joint in
//! its model space, W0 the same at rest, and T0 the target joint's turn at rest, the target joint turns to
//!
//! ```text
//! T = C W W0^-1 C^-1 Q T0
//! ```
//!
//! where Q puts the target's bone, as it lies at rest, where the source's bone lies at rest. So a limb of the target
//! points wherever the source's does, whatever pose either was built in, and turns about itself as much as it. For arms
//! Q also lays the axes of the elbows on each other.
//! Joint frames drop out: only rest poses and what changes from them count.

mod anatomy;
mod drivers;
mod elbows;
mod error;
mod ground;
mod play;
#[cfg(test)]
mod tests;

pub use error::RetargetError;

use crate::{Role, Roles, Side};
use anatomy::Anatomy;
use drivers::Driver;
use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Clip, Skeleton};
use glam::{Quat, Vec3};
use play::Played;

/// Frames a second that are enough for a body; a faster capture is thinned.
const ENOUGH_FPS: f32 = 60.0;

/// How many joints at rest a warning names.
const NAMED: usize = 8;

/// A skeleton, and which of its joints is which part of the body.
#[derive(Clone, Debug)]
pub struct Rig<'a> {
    /// The joints; the rest pose stands upright.
    pub skeleton: &'a Skeleton,
    /// Which joint is which.
    pub roles: Roles,
}

impl<'a> Rig<'a> {
    /// The skeleton with the roles its names tell.
    #[must_use]
    pub fn by_names(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, roles: Roles::find(skeleton).roles }
    }
}

/// A motion for the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// It starts where the target stands, at time 0; joints that have no part in it have no channel.
    pub clip: Clip,
    /// When in the source's clip it starts, seconds.
    pub start: f32,
    /// Metres of the target for one unit of the source: the ratio of their legs.
    pub scale: f32,
    /// From directions of the source to the target's: both face the same way then.
    pub turn: Quat,
    /// What is missing on either side.
    pub warnings: Vec<String>,
}

/// Put the source's clip on the target, `fps` frames a second (the source's own rate, at most 60, without a wish).
///
/// Units, joint frames, rest poses, proportions, facing and the axis that is up may all differ; both rest poses must
/// stand upright. The lowest foot is as high above the target's ground as it was above the source's, to scale. Joints
/// without a role in the motion, fingers among them, stay at rest.
///
/// # Errors
/// When either skeleton lacks hips or a leg, the clip has no key, or a number is not finite.
pub fn retarget(source: &Rig, clip: &Clip, target: &Rig, fps: Option<f32>) -> Result<Retargeted, RetargetError> {
    let mut from = Anatomy::measure("source", source)?;
    let mut to = Anatomy::measure("target", target)?;
    let scale = to.leg / from.leg;
    let thickness = to.sole_thickness(target);
    to.find_soles(target, thickness);
    from.find_soles(source, thickness / scale);
    let times = play::sample_times(source, clip, fps)?;
    let played = Played::new(source.skeleton, clip, &times.seconds)?;
    let drivers = drivers::drivers(source, &from, &played, target, &to);
    let turned = drivers::turn(&drivers, &played, &from, target.skeleton, &to);
    let hips = ground::place_hips(&played, &from, target.skeleton, &to, &turned, scale, times.fps);
    if !hips.iter().all(|at| at.is_finite()) {
        return Err(RetargetError::Flat { which: "target", what: "scale above the hips" });
    }

    let mut warnings = missing(source, target);
    warnings.extend(at_rest(target.skeleton, &drivers));
    warnings.extend(times.warning);
    let clip = written(&clip.name, times.fps, target.skeleton, &to, &drivers, &turned, hips);
    let turn = to.body * from.body.inverse();
    Ok(Retargeted { clip, start: times.seconds[0], scale, turn, warnings })
}

/// The keys of every driven joint.
fn written(
    name: &str,
    fps: f32,
    skeleton: &Skeleton,
    to: &Anatomy,
    drivers: &[Driver],
    turned: &[Quat],
    hips: Vec<Vec3>,
) -> Clip {
    let times: Vec<f32> = (0..hips.len()).map(|frame| frame as f32 / fps).collect();
    let joints = skeleton.joints.len();
    let track = Track { times: times.clone(), values: hips, interpolation: Interpolation::Linear };
    let mut channels = vec![Channel { joint: to.hips, keys: Keys::Translation(track) }];
    for driver in drivers {
        let mut before = skeleton.joints[driver.joint].rest.rotation;
        let nearer = |frame: &[Quat]| {
            let turn = frame[driver.joint];
            before = if before.dot(turn) < 0.0 { -turn } else { turn };
            before
        };
        let values = turned.chunks_exact(joints).map(nearer).collect();
        let track = Track { times: times.clone(), values, interpolation: Interpolation::Linear };
        channels.push(Channel { joint: driver.joint, keys: Keys::Rotation(track) });
    }
    Clip { name: name.to_owned(), channels }
}

/// Limb roles that only one of the two has. The trunk is shared out among whatever joints it has.
fn missing(source: &Rig, target: &Rig) -> Vec<String> {
    let lacks = |rig: &Rig, other: &Rig| {
        let mut lacking = Vec::new();
        for role in Role::ALL.into_iter().filter(|role| role.is_sided() && !matches!(role, Role::Fingers | Role::Thumb))
        {
            for side in Side::BOTH {
                if rig.roles.get(role, side).is_none() && other.roles.get(role, side).is_some() {
                    lacking.push(format!("{role}{}", side.suffix()));
                }
            }
        }
        lacking.join(", ")
    };
    let (source_lacks, target_lacks) = (lacks(source, target), lacks(target, source));
    let mut lines = Vec::new();
    if !source_lacks.is_empty() {
        lines.push(format!("the source has no joint for {source_lacks}: the target's stay at rest"));
    }
    if !target_lacks.is_empty() {
        lines.push(format!("the target has no joint for {target_lacks}: the joints before them move without"));
    }
    lines
}

/// One line about the joints that no driver turns.
fn at_rest(skeleton: &Skeleton, drivers: &[Driver]) -> Option<String> {
    let still = |joint: &usize| drivers.iter().all(|driver| driver.joint != *joint);
    let names: Vec<&str> =
        (0..skeleton.joints.len()).filter(still).map(|joint| skeleton.joints[joint].name.as_str()).collect();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    let shown = names[..names.len().min(NAMED)].join(", ");
    (!names.is_empty()).then(|| format!("{} joints stay at rest: {shown}{more}", names.len()))
}
