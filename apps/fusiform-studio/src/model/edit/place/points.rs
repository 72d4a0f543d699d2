//! Points of muscles: moved, hung on other joints, added, taken away.

use crate::model::grip::{self, curve_through, ends_at_bind, frame_at_bind, hinge_at_bind, turn_of, up_at_bind};
use crate::model::sides::twin_joint;
use crate::model::{Curve, Done, Fault, Grip, Project, Seen, twin};
use fusiform::musculature::{Attachment, Path};
use fusiform::{Muscle, Musculature, Skeleton};
use fusiform_fit::{Surface, Wear};
use glam::Vec3;

/// Points of a sheet no farther apart are one, m.
const SAME: f32 = 1e-4;
/// Via points a polyline may have.
const MOST_VIA: usize = 16;

/// The muscle, and its twin while the other side follows: each with whether it is the twin.
pub(super) fn both(seen: Seen, muscles: &[Muscle], m: usize) -> Vec<(usize, bool)> {
    let own = (m < muscles.len()).then_some(m);
    let other = own.filter(|_| seen.mirrored).and_then(|m| twin(seen.project, muscles, m));
    own.map(|m| (m, false)).into_iter().chain(other.map(|m| (m, true))).collect()
}

pub fn put(seen: Seen, m: usize, grip: Grip, value: Vec3, muscles: &mut Musculature) -> Done {
    let skeleton = &seen.project.character.skeleton;
    for (i, is_twin) in both(seen, &muscles.muscles, m) {
        let mirrored = || mirrored_value(seen.project, [&muscles.muscles[m], &muscles.muscles[i]], grip, value);
        if let Some(value) = if is_twin { mirrored() } else { Some(value) } {
            let muscle = &mut muscles.muscles[i];
            let beside = same_place(skeleton, muscle, grip);
            put_value(skeleton, muscle, grip, value);
            let moved = at_bind(skeleton, muscle, grip);
            beside.into_iter().for_each(|other| put_at_bind(skeleton, muscle, other, moved));
        }
    }
    Done::default()
}

/// Move a point to the body's nearest skin at bind.
pub fn to_skin(seen: Seen, m: usize, grip: Grip, muscles: &mut Musculature) -> Result<Done, Fault> {
    let character = &seen.project.character;
    let bare = || Fault::told(&seen.project.name, "there is no skin to go to");
    let wear = seen.fit.recipe.wear(character);
    let body = character.meshes.iter().zip(&wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::new(body.map(|(mesh, _)| mesh)).ok_or_else(bare)?;
    let place = muscles.muscles.get(m).and_then(|muscle| at_bind(&character.skeleton, muscle, grip));
    let joint = muscles.muscles.get(m).and_then(|muscle| character.skeleton.find(&grip.attachment(muscle)?.joint));
    let (Some(place), Some(joint)) = (place, joint) else { return Ok(Done::default()) };
    let from_model = character.skeleton.joints[joint].bind.inverse();
    Ok(put(seen, m, grip, from_model.transform_point3(surface.nearest(place).point), muscles))
}

/// Give a part of a muscle that value; a muscle without such a part is left alone.
pub fn put_value(skeleton: &Skeleton, muscle: &mut Muscle, grip: Grip, value: Vec3) {
    match (grip, &mut muscle.path) {
        (Grip::Bend, Path::Bezier { offset, .. }) => *offset = value,
        (Grip::Up, _) => keeping_curve(skeleton, muscle, |muscle| muscle.up = Some(value)),
        _ => {
            if let Some(at) = grip.attachment_mut(muscle) {
                at.point = value;
            }
        }
    }
}

/// Make a change that may turn the up-vector: the section turns with it, the curve, whose bend is counted from it, stays.
pub fn keeping_curve(skeleton: &Skeleton, muscle: &mut Muscle, change: impl FnOnce(&mut Muscle)) {
    let (up, before) = (muscle.up, frame_at_bind(skeleton, muscle));
    change(muscle);
    let after = frame_at_bind(skeleton, muscle).filter(|_| muscle.up != up);
    if let (Path::Bezier { offset, .. }, Some(before), Some(after)) = (&mut muscle.path, before, after) {
        *offset = after.transpose() * (before * *offset);
    }
}

/// Where a point is at bind, m, model space.
fn at_bind(skeleton: &Skeleton, muscle: &Muscle, grip: Grip) -> Option<Vec3> {
    grip::at_bind(skeleton, grip.attachment(muscle)?)
}

fn put_at_bind(skeleton: &Skeleton, muscle: &mut Muscle, grip: Grip, place: Option<Vec3>) {
    if let (Some(at), Some(place)) = (grip.attachment_mut(muscle), place)
        && let Some(joint) = skeleton.find(&at.joint)
    {
        at.point = skeleton.joints[joint].bind.inverse().transform_point3(place);
    }
}

/// The points of a sheet that lie where this one does: the end of its middle line goes with its curve, and the curve with it.
fn same_place(skeleton: &Skeleton, muscle: &Muscle, grip: Grip) -> Vec<Grip> {
    let end = |grip: Grip| match grip {
        Grip::Origin | Grip::Sheet(Curve::Origin, _) => Some(Curve::Origin),
        Grip::Insertion | Grip::Sheet(Curve::Insertion, _) => Some(Curve::Insertion),
        _ => None,
    };
    let (Path::Sheet { .. }, Some(own)) = (&muscle.path, end(grip)) else { return Vec::new() };
    let Some(place) = at_bind(skeleton, muscle, grip) else { return Vec::new() };
    let is_there = |other: &Grip| {
        let away = at_bind(skeleton, muscle, *other).map_or(f32::MAX, |other| other.distance(place));
        *other != grip && end(*other) == Some(own) && away <= SAME
    };
    Grip::all(muscle).into_iter().filter(is_there).collect()
}

/// A value of the first muscle as its mirror image in the second has it.
pub fn mirrored_value(project: &Project, [from, to]: [&Muscle; 2], grip: Grip, value: Vec3) -> Option<Vec3> {
    let (skeleton, plane) = (&project.character.skeleton, &project.plane);
    let bind = |name: &str| skeleton.find(name).map(|joint| skeleton.joints[joint].bind);
    match grip {
        Grip::Bend => {
            let frames = [frame_at_bind(skeleton, from)?, frame_at_bind(skeleton, to)?];
            Some(frames[1].transpose() * plane.way(frames[0] * value))
        }
        Grip::Up => {
            let turns = [bind(&from.origin.joint)?, bind(&to.origin.joint)?].map(|bind| turn_of(&bind));
            Some(turns[1].transpose() * plane.way(turns[0] * value))
        }
        _ => {
            let binds = [bind(&grip.attachment(from)?.joint)?, bind(&grip.attachment(to)?.joint)?];
            Some(binds[1].inverse().transform_point3(plane.image(binds[0].transform_point3(value))))
        }
    }
}

pub fn hang(seen: Seen, m: usize, grip: Grip, joint: &str, muscles: &mut Musculature) -> Result<Done, Fault> {
    let skeleton = &seen.project.character.skeleton;
    let new = known(seen, joint)?;
    for (i, is_twin) in both(seen, &muscles.muscles, m) {
        let Some(new) = (if is_twin { twin_joint(skeleton, &seen.project.plane, new) } else { Some(new) }) else {
            continue;
        };
        let muscle = &mut muscles.muscles[i];
        let up = up_at_bind(skeleton, muscle);
        let Some(at) = grip.attachment_mut(muscle) else { continue };
        let Some(old) = skeleton.find(&at.joint).filter(|&old| old != new) else { continue };
        let (old, new) = (&skeleton.joints[old].bind, &skeleton.joints[new]);
        at.point = new.bind.inverse().transform_point3(old.transform_point3(at.point));
        at.joint.clone_from(&new.name);
        if grip == Grip::Origin {
            // it is kept in the origin joint's space
            muscle.up = up.map(|up| turn_of(&new.bind).transpose() * up);
        }
    }
    Ok(Done::default())
}

pub fn carry(seen: Seen, m: usize, joint: Option<&str>, muscles: &mut Musculature) -> Result<Done, Fault> {
    let skeleton = &seen.project.character.skeleton;
    let joint = joint.map(|joint| known(seen, joint)).transpose()?;
    for (i, is_twin) in both(seen, &muscles.muscles, m) {
        let own = |joint| if is_twin { twin_joint(skeleton, &seen.project.plane, joint) } else { Some(joint) };
        let carrier = joint.map(own);
        // a joint without a twin carries one side alone: the other keeps its own
        if carrier != Some(None) {
            muscles.muscles[i].carrier = carrier.flatten().map(|joint| skeleton.joints[joint].name.clone());
        }
    }
    Ok(Done::default())
}

fn known(seen: Seen, joint: &str) -> Result<usize, Fault> {
    let found = seen.project.character.skeleton.find(joint);
    found.ok_or_else(|| Fault::told(&seen.project.name, &format!("there is no joint {joint:?}")))
}

pub fn add_via(seen: Seen, m: usize, after: usize, muscles: &mut Musculature) -> Done {
    let skeleton = &seen.project.character.skeleton;
    for (i, _) in both(seen, &muscles.muscles, m) {
        let muscle = &mut muscles.muscles[i];
        let Some(ends) = ends_at_bind(skeleton, muscle) else { continue };
        match &muscle.path {
            Path::Bezier { .. } => {
                let via = hinge_at_bind(skeleton, muscle).map(|middle| on_bone(skeleton, muscle, middle));
                muscle.path = Path::Polyline { via: via.into_iter().collect(), tendons: [0.0; 2] };
            }
            Path::Polyline { via, .. } if via.len() < MOST_VIA => {
                let after = after.min(via.len());
                let place = |at: &Attachment| grip::at_bind(skeleton, at);
                let before = after.checked_sub(1).and_then(|k| place(&via[k])).unwrap_or(ends[0]);
                let next = via.get(after).and_then(place).unwrap_or(ends[1]);
                let point = on_bone(skeleton, muscle, before.midpoint(next));
                if let Path::Polyline { via, .. } = &mut muscle.path {
                    via.insert(after, point);
                }
            }
            _ => {}
        }
    }
    Done::default()
}

pub fn remove_via(seen: Seen, m: usize, k: usize, muscles: &mut Musculature) -> Done {
    let skeleton = &seen.project.character.skeleton;
    for (i, _) in both(seen, &muscles.muscles, m) {
        let muscle = &mut muscles.muscles[i];
        let curve = hinge_at_bind(skeleton, muscle).and_then(|middle| curve_through(skeleton, muscle, middle));
        let Path::Polyline { via, tendons } = &mut muscle.path else { continue };
        if k >= via.len() {
            continue;
        }
        via.remove(k);
        if let (true, Some(curve)) = (*tendons == [0.0; 2], curve) {
            muscle.path = curve;
        }
    }
    Done::default()
}

/// A place at bind, carried by that of the muscle's bones that it is nearest to.
pub(super) fn on_bone(skeleton: &Skeleton, muscle: &Muscle, place: Vec3) -> Attachment {
    let own = [Some(&muscle.origin.joint), Some(&muscle.insertion.joint), muscle.carrier.as_ref()];
    let joints = own.into_iter().flatten().filter_map(|name| skeleton.find(name));
    let at = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let away = |joint: usize| {
        let children = (0..skeleton.joints.len()).filter(|&child| skeleton.joints[child].parent == Some(joint));
        let to_bone = |child: usize| {
            let bone = at(child) - at(joint);
            let t = (place - at(joint)).dot(bone) / bone.length_squared().max(1e-20);
            place.distance(at(joint) + bone * t.clamp(0.0, 1.0))
        };
        children.map(to_bone).fold(place.distance(at(joint)), f32::min)
    };
    let nearest = joints.min_by(|&a, &b| away(a).total_cmp(&away(b))).unwrap_or(0);
    let joint = &skeleton.joints[nearest];
    Attachment { joint: joint.name.clone(), point: joint.bind.inverse().transform_point3(place) }
}
