//! One muscle in bone coordinates: the inverse of placing it.

use super::values::{radius, shared_values};
use crate::line::{corner_shares, thickness};
use crate::place::Fitter;
use crate::template::{Bone, MuscleTemplate, Over, Spot};
use crate::tune::FIELDS;
use crate::twins::Line;
use crate::{Role, Roles, Side};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;

/// A place this share of the height outside of a bone's reach is measured on it all the same.
const NEAR: f32 = 0.005;

/// What a metre from the axis counts when bones are compared, beside a metre out of their reach.
const NEARER: f32 = 0.1;

/// A belly that is grown by its sculpt is one that follows the skin.
const GROWN: f32 = 1.001;

/// Decimals that templates keep: a ten-thousandth of a bone, a hundredth of a degree.
const PER_SHARE: f32 = 1e4;
const PER_DEGREE: f32 = 1e2;

/// A place in bone coordinates, before it is known to be inside the skin.
#[derive(Clone, Copy)]
struct Located {
    bone: Bone,
    t: f32,
    angle: f32,
    depth: f32,
    /// The joint that moves that place of the bone.
    joint: usize,
    /// Metres from the axis.
    distance: f32,
    /// Metres past the bone's ends and out of its skin.
    outside: f32,
}

/// One body in which one muscle is measured; what cannot be said of it is collected.
pub(super) struct Measurer<'a> {
    skeleton: &'a Skeleton,
    roles: &'a Roles,
    fitter: Fitter<'a>,
    near: f32,
    pub(super) warnings: Vec<String>,
}

impl<'a> Measurer<'a> {
    /// For the left one of a pair, or a single one, which is described as if it were.
    pub(super) fn new(
        skeleton: &'a Skeleton,
        roles: &'a Roles,
        skin: &'a dyn Fn(Vec3, Vec3) -> Option<f32>,
        height: f32,
    ) -> Self {
        let fitter = Fitter::new(skeleton, roles, Side::Left, skin);
        Self { skeleton, roles, fitter, near: NEAR * height, warnings: Vec::new() }
    }

    /// All that a template says of the muscle, but for its name and whether it has a twin.
    pub(super) fn muscle(
        &mut self,
        muscle: &Muscle,
        line: &Line,
        like: Option<&MuscleTemplate>,
    ) -> Result<MuscleTemplate, String> {
        let [from, middle, to] = line.points;
        let length = from.distance(to);
        if length < 1e-6 {
            return Err("its ends lie on one point".into());
        }
        let origin = self.spot(from, 0.0, line.joints[0], like.map(|like| &like.origin))?;
        let insertion = self.spot(to, 0.0, line.joints[1], like.map(|like| &like.insertion))?;
        let via = self.via(muscle, line, like)?;
        let values = shared_values(muscle);
        let radius = radius(muscle).ok_or("templates cannot say its profile")?;
        // a polyline's middle lies between its corners, which alone are placed
        let over = match middle_corner(&via) {
            Some(over) => over,
            None => self.over(middle, radius * values.aspect, line.joints, like.and_then(|like| like.over.as_ref()))?,
        };
        let grown = muscle.sculpt.as_ref().map(|sculpt| sculpt.factors.iter().any(|factor| *factor > GROWN));
        let group = like.map_or_else(|| over.bone.to_string(), |like| like.group.clone());
        let mut measured = MuscleTemplate { group, via, ..blank(origin, over, insertion, radius / length) };
        measured.superficial = grown.filter(|grown| *grown != measured.is_superficial());
        for field in &FIELDS {
            if let Some(value) = field.shared(&values) {
                field.put(&mut measured, rounded(value, PER_SHARE).clamp(field.low, field.high));
            }
        }
        Ok(measured)
    }

    /// What a polyline runs over.
    fn via(&mut self, muscle: &Muscle, line: &Line, like: Option<&MuscleTemplate>) -> Result<Vec<Spot>, String> {
        let shares = via_shares(line);
        let spot = |(k, &(joint, point)): (usize, &(usize, Vec3))| {
            let like = like.and_then(|like| like.via.get(k));
            self.spot(point, thickness(&muscle.profile, shares[k]), joint, like)
        };
        line.via.iter().enumerate().map(spot).collect()
    }

    /// A place of the line; the belly's outer face is `thickness` farther out.
    fn spot(&mut self, point: Vec3, thickness: f32, joint: usize, like: Option<&Spot>) -> Result<Spot, String> {
        let (joint, role) = self.carrier(joint)?;
        let mut bones: Vec<Bone> = like.map(|like| like.bone).into_iter().collect();
        bones.push(bone_of(role));
        bones.push(self.parent(joint).map_or(Bone::Torso, bone_of));
        let found = self.nearest(&bones, point, thickness)?;
        let named =
            like.and_then(|like| like.carried_by).filter(|&role| self.roles.get(role, Side::Left) == Some(joint));
        let carried_by = named.or((found.joint != joint).then_some(role));
        let Located { bone, t, angle, .. } = found;
        let depth = self.depth(&found);
        Ok(Spot { bone, t, angle, depth, carried_by })
    }

    /// Where the belly is thickest: `middle` is on its line, its outer face `thickness` farther out.
    fn over(&mut self, middle: Vec3, thickness: f32, joints: [usize; 2], like: Option<&Over>) -> Result<Over, String> {
        let mut bones: Vec<Bone> = like.map(|like| like.bone).into_iter().collect();
        if bones.is_empty() {
            bones = self.between(joints);
            let (near, mut found) = (self.near, Vec::new());
            for &bone in &bones {
                found.extend(self.locate(bone, middle, thickness));
            }
            // Bones that hold the place come first, the nearest before the others.
            found.sort_by(|a: &Located, b| cost(a, near).total_cmp(&cost(b, near)));
            bones = found.iter().map(|found| found.bone).collect();
        }
        let found = self.nearest(&bones, middle, thickness)?;
        let Located { bone, t, angle, .. } = found;
        let depth = self.depth(&found);
        Ok(Over { bone, t, angle, depth })
    }

    /// On the first bone whose reach holds the place, or on the one it is least outside of.
    fn nearest(&mut self, bones: &[Bone], point: Vec3, thickness: f32) -> Result<Located, String> {
        let (mut best, mut missing): (Option<Located>, _) = (None, None);
        for &bone in bones {
            match self.locate(bone, point, thickness) {
                Ok(found) if found.outside <= self.near => return Ok(found),
                Ok(found) if best.is_none_or(|best| found.outside < best.outside) => best = Some(found),
                Ok(_) => {}
                Err(role) => missing = Some(role),
            }
        }
        best.ok_or_else(|| missing.map_or("no bone is near".into(), |role| format!("no joint plays the role {role}")))
    }

    /// Bone coordinates of a point on that bone; its outer face is `thickness` farther out.
    fn locate(&mut self, bone: Bone, point: Vec3, thickness: f32) -> Result<Located, Role> {
        // Each number is rounded before the next is measured, which so makes up for it: skin may lie far behind a fold.
        let axis = self.fitter.axis(bone)?;
        let (t, length) = (rounded(axis.t_of(point), PER_SHARE), axis.length());
        // The trunk's rays begin in its middle, which depends on t alone.
        let from = self.fitter.reach(bone, t, 0.0)?.ray.from;
        let angle = rounded(self.fitter.axis(bone)?.angle_of(point - from), PER_DEGREE);
        let reach = self.fitter.reach(bone, t, angle)?;
        let distance = point.distance(from);
        let past = (-t).max(t - 1.0).max(0.0) * length;
        let outside = past.mul_add(0.5, (distance + thickness - reach.distance).max(0.0));
        let depth = (distance + thickness) / reach.distance;
        Ok(Located { bone, t, angle, depth, joint: reach.ray.joint, distance, outside })
    }

    fn depth(&mut self, found: &Located) -> f32 {
        if found.depth > 1.01 {
            let percent = 100.0 * (found.depth - 1.0);
            self.warnings.push(format!("lies {percent:.0} % outside of the {}'s skin: drawn in", found.bone));
        }
        rounded(found.depth.clamp(0.0, 1.0), PER_SHARE)
    }

    /// The joint, or the first one above it, that plays a role on this side.
    fn carrier(&mut self, joint: usize) -> Result<(usize, Role), String> {
        let name = |joint: usize| &self.skeleton.joints[joint].name;
        let mut at = Some(joint);
        while let Some(now) = at {
            match self.roles.iter().find(|&(_, _, other)| other == now) {
                Some((_, Some(Side::Right), _)) => {
                    return Err("it has no twin on the left, where templates are written".into());
                }
                Some((role, ..)) => {
                    if now != joint {
                        self.warnings.push(format!("{} plays no role: {} carries it", name(joint), name(now)));
                    }
                    return Ok((now, role));
                }
                None => at = self.skeleton.joints[now].parent,
            }
        }
        Err(format!("{} plays no role, nor does any joint above it", name(joint)))
    }

    /// The role above.
    fn parent(&self, joint: usize) -> Option<Role> {
        let mut at = self.skeleton.joints[joint].parent;
        while let Some(now) = at {
            if let Some((role, ..)) = self.roles.iter().find(|&(_, _, other)| other == now) {
                return Some(role);
            }
            at = self.skeleton.joints[now].parent;
        }
        None
    }

    /// Bones on the way from one joint to the other through the tree.
    fn between(&self, [from, to]: [usize; 2]) -> Vec<Bone> {
        let above = |joint| std::iter::successors(Some(joint), |&joint: &usize| self.skeleton.joints[joint].parent);
        let common = above(from).find(|joint| above(to).any(|other| other == *joint));
        let way = |joint| above(joint).take_while(move |joint| Some(*joint) != common);
        let joints = way(from).chain(way(to)).chain(common);
        let role = |joint| self.roles.iter().find(|&(_, side, other)| other == joint && side != Some(Side::Right));
        let mut bones: Vec<Bone> = joints.filter_map(role).map(|(role, ..)| bone_of(role)).collect();
        bones.sort();
        bones.dedup();
        bones
    }
}

/// At which share of its length a polyline runs over each of its corners.
fn via_shares(line: &Line) -> Vec<f32> {
    let [from, _, to] = line.points;
    let points: Vec<Vec3> = std::iter::once(from).chain(line.via.iter().map(|via| via.1)).chain([to]).collect();
    corner_shares(&points)[1..=line.via.len()].to_vec()
}

/// The corner in the midst of a polyline's corners: about there it is thickest, and it is the same one in any body.
fn middle_corner(via: &[Spot]) -> Option<Over> {
    let middle = via.get(via.len() / 2);
    middle.map(|&Spot { bone, t, angle, depth, .. }| Over { bone, t, angle, depth })
}

/// What speaks against measuring on that bone, metres.
fn cost(found: &Located, near: f32) -> f32 {
    (found.outside - near).max(0.0) + NEARER * found.distance
}

/// The bone a joint's places are measured on: the trunk is one, however rigs divide it.
fn bone_of(role: Role) -> Bone {
    match role {
        Role::Hips | Role::Spine | Role::Chest | Role::UpperChest => Bone::Torso,
        role => Bone::Of(role),
    }
}

/// A muscle that says only where it lies.
fn blank(origin: Spot, over: Over, insertion: Spot, size: f32) -> MuscleTemplate {
    MuscleTemplate {
        name: String::new(),
        group: String::new(),
        mirrored: true,
        origin,
        insertion,
        over: Some(over),
        via: Vec::new(),
        bow: None,
        superficial: None,
        size: rounded(size, 10.0 * PER_SHARE).clamp(0.001, 1.0),
        aspect: None,
        taper: None,
        bulge: None,
        stretch_ratio: None,
        isometric: None,
        tension_ratio: None,
        frequency: None,
        damping: None,
        reach: None,
        held: None,
        rings: None,
        sectors: None,
    }
}

fn rounded(value: f32, per_unit: f32) -> f32 {
    (value * per_unit).round() / per_unit
}
