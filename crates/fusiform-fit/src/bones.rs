//! Bone coordinates: from (bone, t, angle) to a point on the bone's axis and a direction out of the body.

use crate::proportions;
use crate::template::Bone;
use crate::{Role, Roles, Side};
use fusiform::Skeleton;
use glam::Vec3;

/// The body's front and up: characters face +Z and stand along +Y.
const FRONT: Vec3 = Vec3::Z;
const UP: Vec3 = Vec3::Y;

/// A bone that points this much to the front has no front side; its angles count from up.
const POINTS_TO_FRONT: f32 = 0.8;

/// Length of the head over that of the trunk; rigs often end with the skull's joint.
const HEAD_OVER_TORSO: f32 = 0.38;

/// A bone as it lies in one body, seen from one side.
pub(crate) struct Axis {
    bone: Bone,
    /// Two for a limb, one per joint for the trunk.
    points: Vec<Vec3>,
    /// Joint and the t where it takes over, ascending; the first also holds below 0.
    carriers: Vec<(f32, usize)>,
    direction: Vec3,
    front: Vec3,
    own_side: Vec3,
    /// Metres that [`proportions`] are fractions of.
    reference: f32,
}

/// A ray from the bone's axis out of the body.
#[derive(Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) from: Vec3,
    pub(crate) direction: Vec3,
    /// Where the skin usually is, metres.
    pub(crate) usual: f32,
    /// The joint that moves this place.
    pub(crate) joint: usize,
}

impl Axis {
    /// The bone in this body, or the role whose joint it lacks.
    pub(crate) fn new(bone: Bone, side: Side, skeleton: &Skeleton, roles: &Roles) -> Result<Self, Role> {
        let body = BodyView { skeleton, roles, side };
        let (points, carriers) = match bone {
            Bone::Torso => body.torso()?,
            Bone::Of(role) => body.limb(role)?,
        };
        let direction = (points[points.len() - 1] - points[0]).normalize_or(UP);
        let reference = body.reference(bone, points[0].distance(points[points.len() - 1]));
        let toward = if direction.dot(FRONT).abs() > POINTS_TO_FRONT { UP } else { FRONT };
        let front = toward.reject_from_normalized(direction).normalize_or(direction.any_orthonormal_vector());
        let sided = matches!(bone, Bone::Of(role) if role.is_sided());
        let across = front.cross(direction) * side.sign();
        // A middle bone may run up or down; its own side is the muscle's all the same.
        let own_side = if !sided && across.x * side.sign() < 0.0 { -across } else { across };
        Ok(Self { bone, points, carriers, direction, front, own_side, reference })
    }

    /// The ray at these bone coordinates, angle in degrees.
    pub(crate) fn ray(&self, t: f32, angle_deg: f32) -> Ray {
        let angle = angle_deg.to_radians();
        let direction = self.front * angle.cos() + self.own_side * angle.sin();
        let usual = proportions::reach(self.bone, t, angle) * self.reference;
        let carrier = self.carriers.iter().rev().find(|(from, _)| *from <= t).unwrap_or(&self.carriers[0]);
        Ray { from: self.point(t), direction, usual, joint: carrier.1 }
    }

    /// The t whose rays pass through the place: rays leave at right angles to the line from the axis' first point to its
    /// last. The inverse of [`Axis::ray`], with [`Axis::angle_of`].
    pub(crate) fn t_of(&self, place: Vec3) -> f32 {
        let (length, first) = (self.length(), self.points[0]);
        let height = |point: Vec3| (point - first).dot(self.direction);
        let sought = height(place);
        if sought < 0.0 {
            return sought / length;
        }
        let mut gone = 0.0;
        for pair in self.points.windows(2) {
            let (step, low, high) = (pair[0].distance(pair[1]), height(pair[0]), height(pair[1]));
            if sought <= high && high > low {
                return (gone + step * (sought - low) / (high - low)) / length;
            }
            gone += step;
        }
        (gone + sought - height(self.points[self.points.len() - 1])) / length
    }

    /// Degrees about the bone of a direction out of the body.
    pub(crate) fn angle_of(&self, outward: Vec3) -> f32 {
        outward.dot(self.own_side).atan2(outward.dot(self.front)).to_degrees()
    }

    /// Metres from the first joint to the end.
    pub(crate) fn length(&self) -> f32 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>().max(f32::MIN_POSITIVE)
    }

    /// From the first joint to the end; unit length.
    pub(crate) fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The way of angle 90; unit length.
    pub(crate) fn own_side(&self) -> Vec3 {
        self.own_side
    }

    /// Point at the fraction `t` of the axis' length; straight on beyond its ends.
    fn point(&self, t: f32) -> Vec3 {
        let mut left = t * self.length();
        if left < 0.0 {
            return self.points[0] + self.direction * left;
        }
        for pair in self.points.windows(2) {
            let step = pair[0].distance(pair[1]);
            if left <= step && step > 0.0 {
                return pair[0].lerp(pair[1], left / step);
            }
            left -= step;
        }
        self.points[self.points.len() - 1] + self.direction * left
    }
}

/// Points of an axis, and its joints with the t where each takes over.
type Line = (Vec<Vec3>, Vec<(f32, usize)>);

/// One side of a body, by role.
struct BodyView<'a> {
    skeleton: &'a Skeleton,
    roles: &'a Roles,
    side: Side,
}

impl BodyView<'_> {
    fn joint(&self, role: Role) -> Option<usize> {
        self.roles.get(role, self.side)
    }

    fn at(&self, joint: usize) -> Vec3 {
        self.skeleton.joints[joint].bind.translation.into()
    }

    fn place(&self, role: Role) -> Option<Vec3> {
        self.joint(role).map(|joint| self.at(joint))
    }

    /// From midway between the hip joints over every vertebra there is to the neck.
    fn torso(&self) -> Result<Line, Role> {
        let hips = self.joint(Role::Hips).ok_or(Role::Hips)?;
        let top = self.place(Role::Neck).or_else(|| self.place(Role::Head)).ok_or(Role::Neck)?;
        let legs = Side::BOTH.map(|side| self.roles.get(Role::UpperLeg, side));
        let start = match legs {
            [Some(left), Some(right)] => self.at(left).midpoint(self.at(right)),
            _ => self.at(hips),
        };
        let mut points = vec![start];
        let mut joints = vec![hips];
        for role in [Role::Spine, Role::Chest, Role::UpperChest] {
            // A vertebra below the hip joints would fold the axis.
            let Some(joint) = self.joint(role).filter(|&joint| self.at(joint).y > points[points.len() - 1].y) else {
                continue;
            };
            points.push(self.at(joint));
            joints.push(joint);
        }
        points.push(top);
        let steps: Vec<f32> = points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let length: f32 = steps.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let starts = steps.iter().scan(0.0, |sum, step| Some(std::mem::replace(sum, *sum + step) / length));
        Ok((points, starts.zip(joints).collect()))
    }

    /// From the role's joint to the next, or as far as such a bone usually reaches.
    fn limb(&self, role: Role) -> Result<Line, Role> {
        if role == Role::Shoulder && self.joint(role).is_none() {
            return self.collar();
        }
        let joint = self.joint(role).ok_or(role)?;
        let from = self.at(joint);
        let to = next(role).and_then(|next| self.place(next)).filter(|to| to.distance(from) > 1e-6);
        let to = to.unwrap_or_else(|| from + self.continued(role, joint));
        Ok((vec![from, to], vec![(0.0, joint)]))
    }

    /// Without a shoulder joint: from the trunk below the neck to the arm, carried by the trunk.
    fn collar(&self) -> Result<Line, Role> {
        let (points, carriers) = self.torso()?;
        let arm = self.place(Role::UpperArm).ok_or(Role::UpperArm)?;
        let from = points[points.len() - 1].with_y(arm.y).lerp(arm, 0.15);
        Ok((vec![from, arm], vec![(0.0, carriers[carriers.len() - 1].1)]))
    }

    /// An end bone: to its child joint, or on in the direction of the bone before it.
    fn continued(&self, role: Role, joint: usize) -> Vec3 {
        let from = self.at(joint);
        if role == Role::Head {
            // Eyes, jaws and hair hang on the head: its children say nothing about its length.
            let below = self.place(Role::Neck).map_or(UP, |neck| (from - neck).normalize_or(UP));
            return (below + UP).normalize_or(UP) * (HEAD_OVER_TORSO * self.torso_length());
        }
        let child = self.skeleton.joints.iter().position(|other| other.parent == Some(joint));
        if let Some(to) = child.map(|child| self.at(child)).filter(|to| to.distance(from) > 1e-6) {
            return to - from;
        }
        let parent = self.skeleton.joints[joint].parent.map_or(Vec3::ZERO, |parent| self.at(parent));
        (from - parent) * 0.35
    }

    fn torso_length(&self) -> f32 {
        self.torso().map_or(0.0, |(points, _)| points.windows(2).map(|pair| pair[0].distance(pair[1])).sum())
    }

    /// Metres that the usual distance to the skin is a fraction of.
    fn reference(&self, bone: Bone, length: f32) -> f32 {
        let distance = |from, to| Some(self.place(from)?.distance(self.place(to)?));
        let found = match bone {
            Bone::Torso => None,
            Bone::Of(Role::Hand | Role::Fingers | Role::Thumb) => distance(Role::LowerArm, Role::Hand),
            Bone::Of(Role::Foot | Role::Toes) => distance(Role::LowerLeg, Role::Foot),
            Bone::Of(role) if !role.is_sided() || role == Role::Shoulder => Some(self.torso_length()),
            Bone::Of(_) => None,
        };
        found.filter(|found| *found > 0.0).unwrap_or(length)
    }
}

/// The role whose joint ends the bone.
fn next(role: Role) -> Option<Role> {
    match role {
        Role::Hips => Some(Role::Spine),
        Role::Spine => Some(Role::Chest),
        Role::Chest => Some(Role::UpperChest),
        Role::UpperChest => Some(Role::Neck),
        Role::Neck => Some(Role::Head),
        Role::Shoulder => Some(Role::UpperArm),
        Role::UpperArm => Some(Role::LowerArm),
        Role::LowerArm => Some(Role::Hand),
        Role::Hand => Some(Role::Fingers),
        Role::UpperLeg => Some(Role::LowerLeg),
        Role::LowerLeg => Some(Role::Foot),
        Role::Foot => Some(Role::Toes),
        Role::Head | Role::Fingers | Role::Thumb | Role::Toes => None,
    }
}
