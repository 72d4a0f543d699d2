//! Bones in bone coordinates: the inverse of placing them.

use super::stem;
use crate::place::Fitter;
use crate::template::{Bone as Axis, BonePlace, BoneTemplate, Template};
use crate::{Role, Roles, Side};
use fusiform::Skeleton;
use fusiform::musculature::{Bone, BoneShape};
use glam::Vec3;

/// Decimals that templates keep.
const PER_SHARE: f32 = 1e4;
const PER_DEGREE: f32 = 1e2;

/// What a template says of these bones; `like` knows by name which bones they are measured on.
pub(crate) fn measured(
    skeleton: &Skeleton,
    bones: &[Bone],
    roles: &Roles,
    skin: &dyn Fn(Vec3, Vec3) -> Option<f32>,
    like: &Template,
    warnings: &mut Vec<String>,
) -> Vec<BoneTemplate> {
    let mut written: Vec<BoneTemplate> = Vec::new();
    for bone in bones {
        let twin = |suffix: [&str; 2]| {
            let name = bone.name.strip_suffix(suffix[0]).map(|stem| format!("{stem}{}", suffix[1]));
            name.is_some_and(|name| bones.iter().any(|other| other.name == name))
        };
        if twin([Side::Right.suffix(), Side::Left.suffix()]) {
            continue;
        }
        let mirrored = twin([Side::Left.suffix(), Side::Right.suffix()]);
        let name = stem(&bone.name, mirrored);
        let known = like.bones.iter().find(|other| other.name == name);
        let mut fitter = Fitter::new(skeleton, roles, Side::Left, skin);
        match measure(skeleton, bone, roles, known, &mut fitter) {
            Ok(measured) => written.push(BoneTemplate { name, mirrored, ..measured }),
            Err(why) => warnings.push(format!("bone {}: {why}: left out", bone.name)),
        }
    }
    written
}

fn measure(
    skeleton: &Skeleton,
    bone: &Bone,
    roles: &Roles,
    known: Option<&BoneTemplate>,
    fitter: &mut Fitter,
) -> Result<BoneTemplate, String> {
    let joint = skeleton.find(&bone.joint).ok_or("its joint is not there")?;
    let bind = skeleton.joints[joint].bind;
    let scale = bind.matrix3.determinant().abs().cbrt();
    let (ends, radii, width) = match bone.shape {
        BoneShape::Capsule { from, to, radii } => ([from, to], radii, 1.0),
        BoneShape::Ellipsoid { center, turn, half_axes } => {
            let half = turn * Vec3::X * (half_axes.x - half_axes.z).max(0.0);
            ([center - half, center + half], [half_axes.z; 2], (half_axes.y / half_axes.z).max(1.0))
        }
        _ => return Err("templates cannot say a mesh".into()),
    };
    let ends = ends.map(|end| bind.transform_point3(end));
    let role = role_of(skeleton, roles, joint)?;
    let mut place = |point: Vec3, radius: f32, known: Option<BonePlace>| {
        // what hangs on a shoulder may lie on the ribs
        let on = known.map_or(vec![axis_of(role), Axis::Torso], |known| vec![known.bone]);
        let (mut best, mut missing): (Option<Located>, _) = (None, role);
        for axis in on {
            match locate(fitter, axis, point, radius * scale) {
                Ok(found) if best.as_ref().is_none_or(|best| found.off < best.off) => best = Some(found),
                Ok(_) => {}
                Err(role) => missing = role,
            }
        }
        best.ok_or_else(|| format!("no joint plays the role {missing}"))
    };
    let Located { place: from, size, joint: carrier, .. } = place(ends[0], radii[0], known.map(|known| known.from))?;
    let knob = ends[0].distance(ends[1]) < 1e-6;
    let Located { place: to, size: end_size, .. } = place(ends[1], radii[1], known.and_then(|known| known.to))?;
    let carried_by = (carrier != joint).then_some(role);
    let (name, mirrored) = (String::new(), true);
    let end_size = (!knob && end_size != size).then_some(end_size);
    let width = rounded(width, PER_SHARE).min(20.0);
    Ok(BoneTemplate { name, mirrored, from, to: (!knob).then_some(to), size, end_size, width, carried_by })
}

/// Where a ball lies.
struct Located {
    place: BonePlace,
    /// Its radius as a share of the way to the skin.
    size: f32,
    /// The joint that moves that place.
    joint: usize,
    /// How far from right under the skin that a ray from this bone meets, metres.
    off: f32,
}

fn locate(fitter: &mut Fitter, on: Axis, point: Vec3, radius: f32) -> Result<Located, Role> {
    let t = rounded(fitter.axis(on)?.t_of(point), PER_SHARE).clamp(-1.0, 2.0);
    let from = fitter.reach(on, t, 0.0)?.ray.from;
    let angle = rounded(fitter.axis(on)?.angle_of(point - from), PER_DEGREE);
    let reach = fitter.reach(on, t, angle)?;
    let size = rounded(radius / reach.distance, PER_SHARE).clamp(0.01, 1.0);
    let off = (point.distance(from) + radius - reach.distance).abs();
    Ok(Located { place: BonePlace { bone: on, t, angle }, size, joint: reach.ray.joint, off })
}

/// The role of the joint, or of the first one above it that has one.
fn role_of(skeleton: &Skeleton, roles: &Roles, joint: usize) -> Result<Role, String> {
    let above = std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent);
    let role = |joint| roles.iter().find(|&(_, _, other)| other == joint);
    match above.into_iter().find_map(role) {
        Some((_, Some(Side::Right), _)) => Err("it has no twin on the left, where templates are written".into()),
        Some((role, ..)) => Ok(role),
        None => Err("its joint plays no role, nor does any above it".into()),
    }
}

/// The bone a joint's places are measured on: the trunk is one, however rigs divide it.
fn axis_of(role: Role) -> Axis {
    match role {
        Role::Hips | Role::Spine | Role::Chest | Role::UpperChest => Axis::Torso,
        role => Axis::Of(role),
    }
}

fn rounded(value: f32, per_unit: f32) -> f32 {
    (value * per_unit).round() / per_unit
}
