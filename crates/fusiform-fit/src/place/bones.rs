//! Placing: a template's bones in one body, right under its skin and fat.

use super::{Fitter, LeftOut, Reach};
use crate::template::{BonePlace, BoneTemplate, Template};
use crate::{Role, Roles, Side};
use fusiform::Skeleton;
use fusiform::musculature::{Bone, BoneShape};
use glam::{Mat3, Mat3A, Quat, Vec3};

/// A bone is moved in or out so often until its outermost place is as deep as the fat.
const STEPS: usize = 6;

/// Least share of its size that a bone keeps where the flesh is thin.
const THINNEST: f32 = 0.3;

/// Thinnest a bone ever is, as a share of the way from the axis to the skin: it needs an inside.
const LEAST: f32 = 0.005;

/// The skin as bones see it, metres, model space, bind pose.
#[derive(Clone, Copy)]
pub struct Under<'a> {
    /// Way from a point to the skin in a direction, as in [`place`](super::place).
    pub hit: &'a dyn Fn(Vec3, Vec3) -> Option<f32>,
    /// How deep under the skin a point is; negative outside.
    pub depth: &'a dyn Fn(Vec3) -> f32,
    /// Thickness of skin and fat over bones.
    pub fat: f32,
}

/// Put every bone of the template whose joints the skeleton has right under the skin of this body.
///
/// Roles belong to this skeleton: [`place`](super::place) says so when they do not.
#[must_use]
pub fn place_bones(template: &Template, skeleton: &Skeleton, roles: &Roles, under: Under) -> (Vec<Bone>, Vec<LeftOut>) {
    let (mut bones, mut left_out) = (Vec::new(), Vec::new());
    for description in &template.bones {
        let sides = if description.mirrored { &Side::BOTH[..] } else { &Side::BOTH[..1] };
        for &side in sides {
            let suffix = if description.mirrored { side.suffix() } else { "" };
            let name = format!("{}{suffix}", description.name);
            let mut fitter = Fitter::new(skeleton, roles, side, under.hit);
            match Laid::new(&mut fitter, description) {
                Err(missing) => left_out.push(LeftOut { muscle: name, missing }),
                Ok(mut laid) => {
                    laid.seat(under);
                    bones.extend(laid.bone(name, skeleton));
                }
            }
        }
    }
    (bones, left_out)
}

/// A bone in one body, metres, model space.
struct Laid {
    ends: [Vec3; 2],
    radii: [f32; 2],
    width: f32,
    /// Out of the body, unit length.
    out: Vec3,
    joint: usize,
}

impl Laid {
    fn new(fitter: &mut Fitter, description: &BoneTemplate) -> Result<Self, Role> {
        let mut reach = |place: BonePlace| fitter.reach(place.bone, place.t, place.angle);
        let from = reach(description.from)?;
        let to = description.to.map_or(Ok(from), reach)?;
        let sizes = [description.size, description.end_size.unwrap_or(description.size)];
        let radius = |reach: &Reach, size: f32| (size * reach.distance).max(LEAST * reach.distance);
        let radii = [radius(&from, sizes[0]), radius(&to, sizes[1])];
        let end =
            |reach: &Reach, radius: f32| reach.ray.from + reach.ray.direction * (reach.distance - radius).max(0.0);
        let ends = [end(&from, radii[0]), end(&to, radii[1])];
        let out = (from.ray.direction + to.ray.direction).normalize_or(from.ray.direction);
        let carried = description.carried_by.and_then(|role| fitter.roles.get(role, fitter.side));
        Ok(Self { ends, radii, width: description.width, out, joint: carried.unwrap_or(from.ray.joint) })
    }

    /// Move it along its own way out until its outermost place is as deep as the fat; where flesh is thin, thin it too.
    fn seat(&mut self, under: Under) {
        let most = self.radii[0] + self.radii[1];
        for _ in 0..STEPS {
            let step = self.out * self.lack(under).clamp(-most, most);
            self.ends = self.ends.map(|end| end - step);
        }
        let least = self.radii[0] * THINNEST;
        while self.lack(under) > 0.1 * under.fat && self.radii[0] > least {
            self.radii = self.radii.map(|radius| radius * 0.9);
        }
    }

    /// How much nearer the skin it is than the fat is thick; negative where it is deeper.
    fn lack(&self, under: Under) -> f32 {
        let lacks = self.probes().into_iter().map(|(point, radius)| radius + under.fat - (under.depth)(point));
        lacks.fold(f32::MIN, f32::max)
    }

    /// Balls that fill it: their middles and radii.
    fn probes(&self) -> Vec<(Vec3, f32)> {
        let [from, to] = self.ends;
        let across = self.axes().y_axis;
        let mut probes = Vec::new();
        for i in 0..=4 {
            let t = i as f32 / 4.0;
            let (middle, radius) = (from.lerp(to, t), self.radii[0] + (self.radii[1] - self.radii[0]) * t);
            if self.width == 1.0 {
                probes.push((middle, radius));
                continue;
            }
            // the line runs to where its ends would be round: not all the way to the edge of the ellipsoid
            let along = (t - 0.5) * 1.6;
            for side in [-0.6_f32, 0.0, 0.6] {
                let thick = (1.0 - along * along - side * side).max(0.0).sqrt();
                probes.push((middle + across * (side * self.width * radius), radius * thick));
            }
        }
        probes
    }

    /// Along it, across it, out of the body.
    fn axes(&self) -> Mat3 {
        let along = (self.ends[1] - self.ends[0]).normalize_or(self.out.any_orthonormal_vector());
        let out = self.out.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
        Mat3::from_cols(along, out.cross(along), out)
    }

    fn bone(&self, name: String, skeleton: &Skeleton) -> Option<Bone> {
        let joint = &skeleton.joints[self.joint];
        let joint_from_model = joint.bind.inverse();
        // joints may have a scale of their own
        let scale = joint.bind.matrix3.determinant().abs().cbrt().max(f32::MIN_POSITIVE).recip();
        let [from, to] = self.ends.map(|end| joint_from_model.transform_point3(end));
        let shape = if self.width == 1.0 {
            BoneShape::Capsule { from, to, radii: self.radii.map(|radius| radius * scale) }
        } else {
            let [a, b] = self.ends;
            let radius = self.radii[0].max(self.radii[1]);
            let half_axes = Vec3::new(0.5 * a.distance(b) + radius, self.width * radius, radius) * scale;
            let turn = (joint_from_model.matrix3 * Mat3A::from(self.axes())) * scale.recip();
            BoneShape::Ellipsoid { center: from.midpoint(to), turn: Quat::from_mat3a(&turn).normalize(), half_axes }
        };
        let finite = from.is_finite() && to.is_finite() && scale.is_finite();
        finite.then(|| Bone { name, joint: joint.name.clone(), shape })
    }
}

#[cfg(test)]
mod tests;
