//! Twins: the joint and the muscle on the other side of x = 0 at bind.

use super::create::take_part;
use super::names::{other_side, split};
use crate::model::edit::twin;
use crate::model::grip::{ends_at_bind, turn_of, up_at_bind};
use crate::model::{Done, Fault, Seen};
use fusiform::musculature::{Attachment, Contraction, Driver, Path, Sculpt, Signal};
use fusiform::{Character, Muscle, Musculature, Skeleton};
use fusiform_fit::{Nearest, Surface, put_weights};
use glam::{Quat, Vec3};

/// Mirror images lie within this share of the height of each other.
const NEAR: f32 = 0.02;
/// Within this share of the height of the middle plane a muscle has no side.
const MIDDLE: f32 = 0.006;

/// A point on the other side.
pub fn mirrored_point(point: Vec3) -> Vec3 {
    point.with_x(-point.x)
}

/// A direction on the other side.
pub fn mirrored_way(way: Vec3) -> Vec3 {
    way.with_x(-way.x)
}

/// The axis of a turn on the other side: what turns left about it turns right.
fn mirrored_axis(axis: Vec3) -> Vec3 {
    -mirrored_way(axis)
}

/// `.l` at positive x, `.r` at negative, nothing in the middle.
pub fn side_at(x: f32, height: f32) -> &'static str {
    match x {
        _ if x > MIDDLE * height => ".l",
        _ if x < -MIDDLE * height => ".r",
        _ => "",
    }
}

/// The joint on the other side, by name, or else by where it is; the same one for a joint in the middle.
pub fn twin_joint(skeleton: &Skeleton, joint: usize) -> Option<usize> {
    let named = swapped(&skeleton.joints[joint].name).and_then(|name| skeleton.find(&name));
    named.or_else(|| {
        let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
        let (low, high) = (0..skeleton.joints.len())
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), joint| (low.min(at(joint)), high.max(at(joint))));
        let wanted = mirrored_point(at(joint));
        let others = (0..skeleton.joints.len()).filter(|&other| other != joint);
        let nearest =
            others.fold(
                joint,
                |best, other| {
                    if at(other).distance(wanted) < at(best).distance(wanted) { other } else { best }
                },
            );
        (at(nearest).distance(wanted) <= NEAR * (high - low).max_element()).then_some(nearest)
    })
}

/// A name with left for right, as people write it; nothing where it says neither.
fn swapped(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    for (left, right) in WORDS {
        if name.contains(left) {
            return Some(name.replace(left, right));
        }
        if name.contains(right) {
            return Some(name.replace(right, left));
        }
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let mut made = String::new();
    for part in name.split_inclusive(|c| !is_letter(c)) {
        let (word, end) = part.split_at(part.trim_end_matches(|c| !is_letter(c)).len());
        made.push_str(match word {
            "l" => "r",
            "r" => "l",
            "L" => "R",
            "R" => "L",
            _ => word,
        });
        made.push_str(end);
    }
    (made != name).then_some(made)
}

/// The muscle's mirror image under that name.
///
/// # Errors
/// The name of a joint that has no twin.
pub fn mirrored(skeleton: &Skeleton, muscle: &Muscle, name: String) -> Result<Muscle, String> {
    let twin_of = |joint: &str| {
        let other = skeleton.find(joint).and_then(|own| Some((own, twin_joint(skeleton, own)?)));
        other.ok_or_else(|| joint.to_owned())
    };
    let over = |at: &Attachment| {
        let (own, other) = twin_of(&at.joint)?;
        let place = mirrored_point(skeleton.joints[own].bind.transform_point3(at.point));
        let other = &skeleton.joints[other];
        Ok(Attachment { joint: other.name.clone(), point: other.bind.inverse().transform_point3(place) })
    };
    let all = |points: &[Attachment]| points.iter().map(over).collect::<Result<Vec<_>, String>>();
    let path = match &muscle.path {
        Path::Polyline { via, tendons } => Path::Polyline { via: all(via)?, tendons: *tendons },
        Path::Sheet { origin, middle, insertion, bellies, tendons } => Path::Sheet {
            origin: all(origin)?,
            middle: all(middle)?,
            insertion: all(insertion)?,
            bellies: *bellies,
            tendons: *tendons,
        },
        Path::Bezier { offset, spacing, held } => {
            Path::Bezier { offset: offset.with_z(-offset.z), spacing: *spacing, held: *held }
        }
        other => other.clone(),
    };
    let (_, origin) = twin_of(&muscle.origin.joint)?;
    let up = up_at_bind(skeleton, muscle).map(mirrored_way);
    let mut contraction = muscle.contraction.clone();
    if let Contraction::PoseShapes { shapes, .. } = &mut contraction {
        for shape in shapes {
            let turned = std::mem::take(&mut shape.turns).into_iter().map(|(joint, turn)| {
                let (own, other) = twin_of(&joint)?;
                Ok((skeleton.joints[other].name.clone(), mirrored_turn(skeleton, [own, other], turn)))
            });
            shape.turns = turned.collect::<Result<_, String>>()?;
            shape.sculpt = mirrored_sculpt(&shape.sculpt, muscle.sectors.into());
        }
    }
    let carrier = muscle.carrier.as_ref().map(|joint| twin_of(joint)).transpose()?;
    Ok(Muscle {
        name,
        origin: over(&muscle.origin)?,
        insertion: over(&muscle.insertion)?,
        path,
        up: up.map(|up| turn_of(&skeleton.joints[origin].bind).transpose() * up),
        sculpt: muscle.sculpt.as_ref().map(|sculpt| mirrored_sculpt(sculpt, muscle.sectors.into())),
        contraction,
        carrier: carrier.map(|(_, joint)| skeleton.joints[joint].name.clone()),
        ..muscle.clone()
    })
}

/// A grid that goes round the other way.
fn mirrored_sculpt(sculpt: &Sculpt, sectors: usize) -> Sculpt {
    let rings = sculpt.factors.chunks(sectors.max(1));
    let round = |ring: &[f32]| (0..ring.len()).map(|k| ring[(ring.len() - k) % ring.len()]).collect::<Vec<_>>();
    Sculpt { factors: rings.flat_map(round).collect() }
}

/// A turn of the first joint, in its own space, as the second would turn on the other side.
fn mirrored_turn(skeleton: &Skeleton, joints: [usize; 2], turn: Quat) -> Quat {
    let [own, other] = joints.map(|joint| Quat::from_mat3(&turn_of(&skeleton.joints[joint].bind)));
    let in_model = own * turn * own.inverse();
    let axis = mirrored_axis(in_model.xyz());
    let mirrored = Quat::from_xyzw(axis.x, axis.y, axis.z, in_model.w);
    (other.inverse() * mirrored * other).normalize()
}

pub fn mirror_over(seen: Seen, muscles: &mut Musculature) -> Result<Done, Fault> {
    let character = &seen.project.character;
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for &m in seen.chosen {
        // where both sides are chosen, the first is the model
        if m < muscles.muscles.len() && pairs.iter().all(|(_, made)| *made != m) {
            pairs.push((m, image(seen, m, muscles)?));
        }
    }
    mirror_weights(character, muscles, &pairs);
    Ok(Done::default())
}

/// Make the twin of a muscle, or make it its mirror image; which one it is.
fn image(seen: Seen, m: usize, muscles: &mut Musculature) -> Result<usize, Fault> {
    let (skeleton, height) = (&seen.project.character.skeleton, seen.project.character.height());
    let refuse = |message: String| Fault::told(&seen.project.name, &message);
    let name = muscles.muscles[m].name.clone();
    let (stem, mut side) = split(&name);
    if side.is_empty() {
        let ends = ends_at_bind(skeleton, &muscles.muscles[m]).unwrap_or_default();
        side = side_at(ends[0].midpoint(ends[1]).x, height);
        if side.is_empty() {
            return Err(refuse(format!("{name} lies in the middle of the body: it has no other side")));
        }
        super::names::rename(Seen { mirrored: false, ..seen }, m, &format!("{stem}{side}"), muscles)?;
    }
    let named = format!("{stem}{}", other_side(side));
    let made = mirrored(skeleton, &muscles.muscles[m], named.clone());
    let made = made.map_err(|joint| refuse(format!("joint {joint:?} has no twin on the other side")))?;
    match twin(&muscles.muscles, m) {
        Some(other) => {
            muscles.muscles[other] = made;
            Ok(other)
        }
        None => {
            muscles.muscles.push(made);
            drive_too(skeleton, muscles, &format!("{stem}{side}"), &named);
            take_part(muscles, &named);
            Ok(muscles.muscles.len() - 1)
        }
    }
}

/// What tenses the one tenses the other, by the joint on its side.
fn drive_too(skeleton: &Skeleton, muscles: &mut Musculature, one: &str, other: &str) {
    let mut made = Vec::new();
    for driver in muscles.activation.drivers.iter_mut().filter(|driver| driver.muscles.iter().any(|name| name == one)) {
        match mirrored_signal(skeleton, &driver.signal) {
            Some(signal) if signal == driver.signal => driver.muscles.push(other.to_owned()),
            Some(signal) => {
                made.push(Driver { muscles: vec![other.to_owned()], signal, remap: driver.remap.clone() });
            }
            None => {}
        }
    }
    muscles.activation.drivers.extend(made);
}

fn mirrored_signal(skeleton: &Skeleton, signal: &Signal) -> Option<Signal> {
    let Signal::JointAngle { joint, axis } = signal else { return Some(signal.clone()) };
    let own = skeleton.find(joint)?;
    let other = twin_joint(skeleton, own)?;
    let [from, to] = [own, other].map(|joint| turn_of(&skeleton.joints[joint].bind));
    let axis = axis.map(|axis| to.transpose() * mirrored_axis(from * axis));
    Some(Signal::JointAngle { joint: skeleton.joints[other].name.clone(), axis })
}

/// Give the second of every pair the weights of the first, on the other side of the skin.
fn mirror_weights(character: &Character, muscles: &mut Musculature, pairs: &[(usize, usize)]) {
    let Some(surface) = Surface::new(&character.meshes).filter(|_| !pairs.is_empty()) else { return };
    let near = NEAR * character.height();
    let opposite = |place: &Vec3| {
        let wanted = mirrored_point(*place);
        Some(surface.nearest(wanted)).filter(|found| found.point.distance(wanted) <= near)
    };
    let old = muscles.weights.clone();
    let weight = |found: &Nearest, m: usize| {
        let of = |v: u32| {
            let table = old.get(found.mesh).filter(|table| (v as usize) < table.len());
            table.map_or(0.0, |table| table.of(v as usize).filter(|(i, _)| usize::from(*i) == m).map(|(_, w)| w).sum())
        };
        found.corners.iter().zip(found.shares).map(|(&corner, share)| share * of(corner)).sum::<f32>()
    };
    let made: Vec<usize> = pairs.iter().map(|(_, made)| *made).collect();
    put_weights(character, muscles, &made, |mesh, v| {
        let Some(found) = opposite(&character.meshes[mesh].positions[v]) else { return Vec::new() };
        pairs.iter().map(|&(from, to)| (to as u16, weight(&found, from))).collect()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_joints_change_sides_as_people_write_them() {
        for (left, right) in [
            ("upper_arm.l", "upper_arm.r"),
            ("LeftForeArm", "RightForeArm"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("thigh_L", "thigh_R"),
            ("Bip01 L Calf", "Bip01 R Calf"),
            ("l_toe_2", "r_toe_2"),
        ] {
            assert_eq!(swapped(left).as_deref(), Some(right));
            assert_eq!(swapped(right).as_deref(), Some(left));
        }
        assert_eq!(swapped("spine_01"), None);
        assert_eq!(swapped("pelvis"), None, "letters inside words are no side");
    }

    #[test]
    fn a_grid_goes_round_the_other_way() {
        let sculpt = Sculpt { factors: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] };
        let mirrored = mirrored_sculpt(&sculpt, 4);
        assert_eq!(mirrored.factors, [1.0, 4.0, 3.0, 2.0, 5.0, 8.0, 7.0, 6.0]);
        assert_eq!(mirrored_sculpt(&mirrored, 4), sculpt);
    }
}
