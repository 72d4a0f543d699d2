//! Twins: a muscle's mirror image on the other side of the body's middle plane at bind.

use super::create::take_part;
use super::names::{name_in_layers, other_side};
use crate::model::grip::{at_bind, ends_at_bind, turn_of, up_at_bind};
use crate::model::opposite::Opposite;
use crate::model::sides::{MIDDLE, twin_joint};
use crate::model::{Done, Fault, Plane, Project, Seen, other_names, twin, without_side};
use fusiform::musculature::{Attachment, Contraction, Driver, Path, Sculpt, Signal};
use fusiform::{Muscle, Musculature, Skeleton};
use fusiform_fit::{Nearest, put_weights};
use glam::{Quat, Vec3};
use std::collections::BTreeMap;

/// The axis of a turn on the other side: what turns left about it turns right.
fn mirrored_axis(plane: &Plane, axis: Vec3) -> Vec3 {
    -plane.way(axis)
}

/// `.l` on the left of the middle plane, m, `.r` on its right, nothing in the middle.
pub fn side_at(left: f32, height: f32) -> &'static str {
    match left {
        _ if left > MIDDLE * height => ".l",
        _ if left < -MIDDLE * height => ".r",
        _ => "",
    }
}

/// The muscle's mirror image under that name.
///
/// # Errors
/// The name of a joint that has no twin.
pub fn mirrored(project: &Project, muscle: &Muscle, name: String) -> Result<Muscle, String> {
    let (skeleton, plane) = (&project.character.skeleton, &project.plane);
    let twin_of = |joint: &str| both_joints(project, joint);
    let over = |at: &Attachment| {
        let (_, other) = twin_of(&at.joint)?;
        let place = plane.image(at_bind(skeleton, at).unwrap_or_default());
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
    let up = up_at_bind(skeleton, muscle).map(|up| plane.way(up));
    let mut contraction = muscle.contraction.clone();
    if let Contraction::PoseShapes { shapes, .. } = &mut contraction {
        for shape in shapes {
            shape.turns = mirrored_turns(project, &shape.turns)?;
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

/// The joint of that name and its twin, or the name of one that has none.
fn both_joints(project: &Project, joint: &str) -> Result<(usize, usize), String> {
    let skeleton = &project.character.skeleton;
    let both = skeleton.find(joint).and_then(|own| Some((own, twin_joint(skeleton, &project.plane, own)?)));
    both.ok_or_else(|| joint.to_owned())
}

/// How joints are turned on the other side, when those of that name are turned so.
///
/// # Errors
/// The name of a joint that has no twin.
pub fn mirrored_turns(project: &Project, turns: &BTreeMap<String, Quat>) -> Result<BTreeMap<String, Quat>, String> {
    let skeleton = &project.character.skeleton;
    let mirrored = |(joint, turn): (&String, &Quat)| {
        let (own, other) = both_joints(project, joint)?;
        Ok((skeleton.joints[other].name.clone(), mirrored_turn((skeleton, &project.plane), [own, other], *turn)))
    };
    turns.iter().map(mirrored).collect()
}

/// A grid that goes round the other way.
fn mirrored_sculpt(sculpt: &Sculpt, sectors: usize) -> Sculpt {
    let rings = sculpt.factors.chunks(sectors.max(1));
    let round = |ring: &[f32]| (0..ring.len()).map(|k| ring[(ring.len() - k) % ring.len()]).collect::<Vec<_>>();
    Sculpt { factors: rings.flat_map(round).collect() }
}

/// A turn of the first joint, in its own space, as the second would turn on the other side.
fn mirrored_turn((skeleton, plane): (&Skeleton, &Plane), joints: [usize; 2], turn: Quat) -> Quat {
    let [own, other] = joints.map(|joint| Quat::from_mat3(&turn_of(&skeleton.joints[joint].bind)));
    let in_model = own * turn * own.inverse();
    let axis = mirrored_axis(plane, in_model.xyz());
    let mirrored = Quat::from_xyzw(axis.x, axis.y, axis.z, in_model.w);
    (other.inverse() * mirrored * other).normalize()
}

/// Which of a pair is the model of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// What is chosen; of a pair the first.
    Chosen,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// Make the other side of what is chosen its mirror image. What has no other side is told, and left as it is.
pub fn mirror_over(seen: Seen, model: Model, muscles: &mut Musculature) -> Result<Done, Fault> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut warnings = Vec::new();
    let n = muscles.muscles.len();
    for &m in seen.chosen.iter().filter(|&&m| m < n) {
        let m = lead(seen.project, &muscles.muscles, m, model);
        if pairs.iter().any(|(from, made)| *from == m || *made == m) {
            continue;
        }
        match image(seen, m, muscles) {
            Ok(made) => pairs.push((m, made)),
            Err(fault) => warnings.push(fault),
        }
    }
    if let (true, Some(fault)) = (pairs.is_empty(), warnings.first()) {
        return Err(fault.clone());
    }
    mirror_weights(seen, muscles, &pairs);
    let warnings = warnings.into_iter().map(|fault| fault.message).collect();
    Ok(Done { warnings, ..Done::default() })
}

/// The one of a muscle and its twin that is the model; a muscle without a twin is its own.
fn lead(project: &Project, muscles: &[Muscle], m: usize, model: Model) -> usize {
    let by_place = || Some(project.plane.left(middle_at_bind(project, &muscles[m])) > 0.0);
    let is_left = without_side(&muscles[m].name).map(|(_, is_left)| is_left).or_else(by_place);
    let is_other = match model {
        Model::Chosen => false,
        Model::Left => is_left == Some(false),
        Model::Right => is_left == Some(true),
    };
    twin(project, muscles, m).filter(|_| is_other).unwrap_or(m)
}

/// Make the twin of a muscle, or make it its mirror image; which one it is.
fn image(seen: Seen, m: usize, muscles: &mut Musculature) -> Result<usize, Fault> {
    let project = seen.project;
    let refuse = |message: String| Fault::told(&project.name, &message);
    let name = muscles.muscles[m].name.clone();
    let known = twin(project, &muscles.muscles, m);
    let [own, other] = match known {
        Some(known) => [name, muscles.muscles[known].name.clone()],
        None => names_of_pair(project, &muscles.muscles[m]).map_err(refuse)?,
    };
    let made = mirrored(project, &muscles.muscles[m], other.clone());
    let made = made.map_err(|joint| {
        refuse(format!("{}: joint {joint:?} has no twin on the other side", muscles.muscles[m].name))
    })?;
    if let Some(known) = known {
        muscles.muscles[known] = made;
        return Ok(known);
    }
    if muscles.muscles.iter().any(|muscle| muscle.name == other) {
        return Err(refuse(format!("{own}: another muscle is called {other:?}; names are given once")));
    }
    super::names::rename(Seen { mirrored: false, ..seen }, m, &own, muscles)?;
    muscles.muscles.push(made);
    drive_too(project, muscles, &own, &other);
    name_in_layers(muscles, &own, &other);
    take_part(muscles, &other);
    Ok(muscles.muscles.len() - 1)
}

/// Half-way between its ends at bind, m.
fn middle_at_bind(project: &Project, muscle: &Muscle) -> Vec3 {
    let ends = ends_at_bind(&project.character.skeleton, muscle).unwrap_or_default();
    ends[0].midpoint(ends[1])
}

/// What a muscle without a twin shall be called, and its twin; why it can have none.
fn names_of_pair(project: &Project, muscle: &Muscle) -> Result<[String; 2], String> {
    let name = &muscle.name;
    if let Some(other) = other_names(name).into_iter().next() {
        return Ok([name.clone(), other]);
    }
    match side_at(project.plane.left(middle_at_bind(project, muscle)), project.character.height()) {
        "" => Err(format!("{name} lies in the middle of the body: it has no other side")),
        side => Ok([format!("{name}{side}"), format!("{name}{}", other_side(side))]),
    }
}

/// What tenses the one tenses the other, by the joint on its side.
fn drive_too(project: &Project, muscles: &mut Musculature, one: &str, other: &str) {
    let mut made = Vec::new();
    for driver in muscles.activation.drivers.iter_mut().filter(|driver| driver.muscles.iter().any(|name| name == one)) {
        match mirrored_signal(project, &driver.signal) {
            Some(signal) if signal == driver.signal => driver.muscles.push(other.to_owned()),
            Some(signal) => {
                made.push(Driver { muscles: vec![other.to_owned()], signal, remap: driver.remap.clone() });
            }
            None => {}
        }
    }
    muscles.activation.drivers.extend(made);
}

/// What says on the other side what this one says here; none where its joint has no twin.
pub fn mirrored_signal(project: &Project, signal: &Signal) -> Option<Signal> {
    let Signal::JointAngle { joint, axis } = signal else { return Some(signal.clone()) };
    let (skeleton, plane) = (&project.character.skeleton, &project.plane);
    let own = skeleton.find(joint)?;
    let other = twin_joint(skeleton, plane, own)?;
    let [from, to] = [own, other].map(|joint| turn_of(&skeleton.joints[joint].bind));
    let axis = axis.map(|axis| to.transpose() * mirrored_axis(plane, from * axis));
    Some(Signal::JointAngle { joint: skeleton.joints[other].name.clone(), axis })
}

/// Give the second of every pair the weights of the first, on the other side of the skin.
fn mirror_weights(seen: Seen, muscles: &mut Musculature, pairs: &[(usize, usize)]) {
    if pairs.is_empty() {
        return;
    }
    let character = &seen.project.character;
    let wear = seen.fit.recipe.wear(character);
    let opposite = Opposite::new(character, &seen.project.plane, &wear);
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
        let Some(found) = opposite.of(mesh, character.meshes[mesh].positions[v]) else { return Vec::new() };
        pairs.iter().map(|&(from, to)| (to as u16, weight(&found, from))).collect()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_goes_round_the_other_way() {
        let sculpt = Sculpt { factors: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] };
        let mirrored = mirrored_sculpt(&sculpt, 4);
        assert_eq!(mirrored.factors, [1.0, 4.0, 3.0, 2.0, 5.0, 8.0, 7.0, 6.0]);
        assert_eq!(mirrored_sculpt(&mirrored, 4), sculpt);
    }
}
