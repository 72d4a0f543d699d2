//! Mirror: what is done to a bone or a driver, done to its twin on the other side.

use super::Seen;
use super::place::mirrored_signal;
use crate::model::keys::keys_of;
use crate::model::{Project, other_names, twin};
use fusiform::musculature::{Bone, BoneShape, Driver, MuscleTrack, Signal};
use fusiform::{Muscle, Musculature};
use glam::{Mat3, Quat, Vec3};
use std::collections::BTreeSet;

/// Change a bone; what is new of it goes to its twin too while the other side follows.
pub fn put_bone(seen: Seen, i: usize, after: &Bone, bones: &mut [Bone]) {
    let Some(before) = bones.get(i).cloned() else { return };
    let names = other_names(&before.name);
    let twin = names.iter().find_map(|name| bones.iter().position(|bone| bone.name == *name));
    bones[i].clone_from(after);
    if let Some(twin) = twin.filter(|_| seen.mirrored) {
        mirror_bone(seen.project, [&before, after], &mut bones[twin]);
    }
}

/// What is new of a bone, as a mirror shows it; bones of unlike shapes, and those of meshes, stay.
fn mirror_bone(project: &Project, [before, after]: [&Bone; 2], twin: &mut Bone) {
    let skeleton = &project.character.skeleton;
    let bind = |bone: &Bone| skeleton.find(&bone.joint).map(|joint| skeleton.joints[joint].bind);
    let (Some(own), Some(other)) = (bind(after), bind(twin)) else { return };
    let over = |point: Vec3| other.inverse().transform_point3(project.plane.image(own.transform_point3(point)));
    match (&before.shape, &after.shape, &mut twin.shape) {
        (
            BoneShape::Capsule { from: from_was, to: to_was, radii: radii_were },
            BoneShape::Capsule { from, to, radii },
            BoneShape::Capsule { from: their_from, to: their_to, radii: their_radii },
        ) => {
            take_new([*from_was, *from], their_from, over);
            take_new([*to_was, *to], their_to, over);
            (0..2).for_each(|end| take_new([radii_were[end], radii[end]], &mut their_radii[end], |radius| radius));
        }
        (
            BoneShape::Ellipsoid { center: center_was, turn: turn_was, half_axes: axes_were },
            BoneShape::Ellipsoid { center, turn, half_axes },
            BoneShape::Ellipsoid { center: their_center, turn: their_turn, half_axes: their_axes },
        ) => {
            take_new([*center_was, *center], their_center, over);
            let now = *their_turn;
            take_new([*turn_was, *turn], their_turn, |turn| {
                let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| over(turn * axis) - over(Vec3::ZERO));
                standing(axes, now)
            });
            (0..3).for_each(|axis| take_new([axes_were[axis], half_axes[axis]], &mut their_axes[axis], |half| half));
        }
        _ => {}
    }
}

/// How an ellipsoid stands whose axes point these ways: either end of each is as good, so the nearest to how it does now.
fn standing(axes: [Vec3; 3], now: Quat) -> Quat {
    let [x, y, z] = axes.map(Vec3::normalize_or_zero);
    let turn = |[a, b]: [f32; 2]| {
        let (x, y) = (a * x, b * y);
        let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
        Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize()
    };
    let turns = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(turn).into_iter();
    turns.filter(|turn| turn.is_finite()).max_by(|a, b| a.dot(now).abs().total_cmp(&b.dot(now).abs())).unwrap_or(now)
}

fn take_new<T: PartialEq>([before, after]: [T; 2], twin: &mut T, over: impl Fn(T) -> T) {
    if before != after {
        *twin = over(after);
    }
}

/// One more driver; one for the other side's muscles too while that follows.
pub fn add_driver(seen: Seen, driver: &Driver, muscles: &[Muscle], drivers: &mut Vec<Driver>) {
    let other = mirrored(seen, driver, muscles).filter(|other| seen.mirrored && listens(other) != listens(driver));
    drivers.extend([driver.clone()].into_iter().chain(other));
}

/// Change a driver; what is new of it goes to its twin too while the other side follows.
pub fn put_driver(seen: Seen, i: usize, after: &Driver, muscles: &[Muscle], drivers: &mut [Driver]) {
    let Some(before) = drivers.get(i).cloned() else { return };
    let other = twin_driver(seen, i, muscles, drivers).zip(mirrored(seen, after, muscles));
    drivers[i].clone_from(after);
    let Some((twin, wanted)) = other else { return };
    let twin = &mut drivers[twin];
    if after.muscles != before.muscles {
        twin.muscles = wanted.muscles;
    }
    if after.signal != before.signal {
        twin.signal = wanted.signal;
    }
    if after.remap != before.remap {
        twin.remap = wanted.remap;
    }
}

/// Take a driver away, and its twin while the other side follows.
pub fn remove_driver(seen: Seen, i: usize, muscles: &[Muscle], drivers: &mut Vec<Driver>) {
    if i < drivers.len() {
        let gone = [Some(i), twin_driver(seen, i, muscles, drivers)];
        let mut at = 0..;
        drivers.retain(|_| !gone.contains(&at.next()));
    }
}

/// Keys of the twins of muscles that get these, while the other side follows. A twin that is keyed otherwise keeps its own keys:
/// who walks tenses one side after the other.
pub fn keys(seen: Seen, clip: &str, tracks: &[MuscleTrack], document: &Musculature) -> Vec<MuscleTrack> {
    let (muscles, curves) = (&document.muscles, &document.activation.curves);
    let of_twin = |track: &MuscleTrack| {
        let own = muscles.iter().position(|muscle| muscle.name == track.muscle)?;
        let name = &muscles[twin(seen.project, muscles, own)?].name;
        let before = [&track.muscle, name].map(|name| keys_of(curves, clip, name));
        let keyed = before.map(|keys| keys.map(|keys| (&keys.times, &keys.values, keys.interpolation)));
        let follows = keyed[0] == keyed[1] && tracks.iter().all(|other| other.muscle != *name);
        follows.then(|| MuscleTrack { muscle: name.clone(), ..track.clone() })
    };
    tracks.iter().filter(|_| seen.mirrored).filter_map(of_twin).collect()
}

/// The driver as a mirror shows it; none where its joint has no twin.
fn mirrored(seen: Seen, driver: &Driver, muscles: &[Muscle]) -> Option<Driver> {
    let signal = mirrored_signal(seen.project, &driver.signal)?;
    let over = |name: &String| {
        let own = muscles.iter().position(|muscle| muscle.name == *name);
        own.and_then(|own| twin(seen.project, muscles, own))
            .map_or_else(|| name.clone(), |other| muscles[other].name.clone())
    };
    Some(Driver { muscles: driver.muscles.iter().map(over).collect(), signal, remap: driver.remap.clone() })
}

/// Which driver does on the other side what this one does here, while that side follows: of several the one in its place.
fn twin_driver(seen: Seen, i: usize, muscles: &[Muscle], drivers: &[Driver]) -> Option<usize> {
    let own = listens(&drivers[i]);
    let there = mirrored(seen, &drivers[i], muscles).filter(|there| seen.mirrored && listens(there) != own)?;
    let place = drivers[..i].iter().filter(|driver| listens(driver) == own).count();
    let all = (0..drivers.len()).filter(|&j| listens(&drivers[j]) == listens(&there));
    all.into_iter().nth(place)
}

/// What it listens to, and for whom.
fn listens(driver: &Driver) -> (Option<&str>, BTreeSet<&str>) {
    let joint = match &driver.signal {
        Signal::JointAngle { joint, .. } => Some(&**joint),
        _ => None,
    };
    (joint, driver.muscles.iter().map(|name| &**name).collect())
}
