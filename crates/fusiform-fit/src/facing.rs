//! Which way a body faces: its own up, front and left, from its joints and their roles.
//!
//! Up leads from the feet over the hips to the head, left from one hip and shoulder to the other, and the feet tell the
//! front. No axis of the model is assumed, so a body may lie on its back, stand along Z, or face away.

use crate::{Role, Roles, Side};
use fusiform::Skeleton;
use glam::{Mat3, Quat, Vec3};

/// A body that stands within this cosine (30 degrees) of an axis is meant to stand along it; its trunk may lean.
const UPRIGHT: f32 = 0.866;

/// The same for its left (15 degrees): one hip a little before the other does not turn the body.
const SQUARE: f32 = 0.966;

/// Feet that point ahead by less than this share of their length do not tell the front.
const AHEAD: f32 = 0.3;

/// Places nearer than this share of the body's height are one place.
const APART: f32 = 0.005;

/// A body's own axes in model space, and how sure they are.
///
/// ```
/// use fusiform::{Skeleton, Transform};
/// use fusiform_fit::{Facing, Roles};
/// use glam::Vec3;
///
/// // A body that stands along Z and faces -Y, as Blender has it.
/// let at = |x: f32, z: f32| Transform::at(Vec3::new(x, 0.0, z));
/// let skeleton = Skeleton::from_rest(&[
///     ("hips", None, at(0.0, 1.0)),
///     ("head", Some(0), at(0.0, 0.6)),
///     ("thigh.l", Some(0), at(0.1, 0.0)),
///     ("thigh.r", Some(0), at(-0.1, 0.0)),
/// ]);
/// let facing = Facing::find(&skeleton, &Roles::find(&skeleton).roles).expect("hips, head and thighs tell it");
/// assert_eq!((facing.up, facing.front), (Vec3::Z, -Vec3::Y));
/// assert!((facing.canonical_from_model() * -Vec3::Y).abs_diff_eq(Vec3::Z, 1e-6));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Facing {
    /// From the feet to the head; unit length, like the others, and at right angles to them.
    pub up: Vec3,
    /// Where the face looks.
    pub front: Vec3,
    /// The body's own left: `up` x `front`.
    pub left: Vec3,
    /// Whether the feet contradict the names: what the names call left is the body's right.
    pub mirrored: bool,
    /// 1.0 where hips, shoulders and feet agree; 0.8 where feet say nothing or only one pair tells left; 0.6 where both;
    /// 0.4 where the feet contradict the names.
    pub confidence: f32,
    /// What a person should look at.
    pub warnings: Vec<String>,
}

impl Facing {
    /// The body's axes in its bind pose; none where roles are too few, or joints lie in one place.
    #[must_use]
    pub fn find(skeleton: &Skeleton, roles: &Roles) -> Option<Self> {
        let body = View { skeleton, roles };
        let up = body.up()?;
        let across: Vec<Vec3> = body.across(up);
        let named_left = across.iter().copied().sum::<Vec3>().try_normalize()?;
        let ahead = body.ahead(up, named_left.cross(up));
        let mirrored = ahead.is_some_and(|ahead| ahead < 0.0);
        let mut warnings = Vec::new();
        if mirrored {
            warnings.push("its feet point backward if left is where the names say: the feet are believed".into());
        }
        let confidence = match (mirrored, ahead.is_some(), across.len() > 1) {
            (true, ..) => 0.4,
            (_, true, true) => 1.0,
            (_, false, false) => 0.6,
            _ => 0.8,
        };
        let (up, left) = squared(up, if mirrored { -named_left } else { named_left })?;
        Some(Self { up, front: left.cross(up), left, mirrored, confidence, warnings })
    }

    /// The turn that makes the body stand along +Y, face +Z, and have its left at +X.
    #[must_use]
    pub fn canonical_from_model(&self) -> Quat {
        Quat::from_mat3(&Mat3::from_cols(self.left, self.up, self.front)).inverse()
    }
}

/// Up and left at right angles, along the model's axes where that is meant.
fn squared(up: Vec3, left: Vec3) -> Option<(Vec3, Vec3)> {
    let up = snapped(up, UPRIGHT);
    let left = snapped(left.reject_from_normalized(up).try_normalize()?, SQUARE);
    Some((up, left.reject_from_normalized(up).try_normalize()?))
}

/// The axis that the direction nearly is, or the direction.
fn snapped(direction: Vec3, cosine: f32) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    axes.into_iter().find(|axis| axis.dot(direction) > cosine).unwrap_or(direction)
}

/// A skeleton by role.
struct View<'a> {
    skeleton: &'a Skeleton,
    roles: &'a Roles,
}

impl View<'_> {
    fn at(&self, role: Role, side: Side) -> Option<Vec3> {
        let joint = self.skeleton.joints.get(self.roles.get(role, side)?)?;
        Some(joint.bind.translation.into()).filter(|place: &Vec3| place.is_finite())
    }

    /// Midway between left and right.
    fn middle(&self, role: Role) -> Option<Vec3> {
        Some(self.at(role, Side::Left)?.midpoint(self.at(role, Side::Right)?))
    }

    /// From the lowest place that is known to the highest: feet, hips; arms, neck, head.
    fn up(&self) -> Option<Vec3> {
        let one = |role| self.at(role, Side::Left);
        let hips = self.middle(Role::UpperLeg).or_else(|| one(Role::Hips));
        let low = self.middle(Role::Foot).or_else(|| self.middle(Role::LowerLeg)).or(hips)?;
        let trunk = || [Role::UpperChest, Role::Chest, Role::Spine].into_iter().find_map(one);
        let high =
            one(Role::Head).or_else(|| one(Role::Neck)).or_else(|| self.middle(Role::UpperArm)).or_else(trunk)?;
        // Trunk and legs weigh the same, whichever is longer; a body may sit.
        let trunk = hips.map_or(Vec3::ZERO, |hips| (high - hips).normalize_or_zero());
        let legs = hips.map_or(Vec3::ZERO, |hips| (hips - low).normalize_or_zero());
        if trunk == Vec3::ZERO { (high - low).try_normalize() } else { (trunk + 0.5 * legs).try_normalize() }
    }

    /// From right to left, unit length, of each pair that lies apart.
    fn across(&self, up: Vec3) -> Vec<Vec3> {
        let apart = |role| {
            let (left, right) = (self.at(role, Side::Left)?, self.at(role, Side::Right)?);
            let across = (left - right).reject_from_normalized(up);
            // Both may begin in the midst of the body.
            (across.length() > APART * self.height(up)).then(|| across.normalize_or_zero())
        };
        let pairs = [[Role::UpperLeg, Role::LowerLeg], [Role::UpperArm, Role::Shoulder]];
        pairs.into_iter().filter_map(|roles| roles.into_iter().find_map(apart)).collect()
    }

    fn height(&self, up: Vec3) -> f32 {
        let heights = self.roles.iter().filter_map(|(role, side, _)| self.at(role, side.unwrap_or(Side::Left)));
        let (low, high) =
            heights.map(|at| at.dot(up)).fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)));
        (high - low).max(0.0)
    }

    /// How far the feet point to `front`, as a share of their length in the ground; none where they do not tell.
    fn ahead(&self, up: Vec3, front: Vec3) -> Option<f32> {
        let foot = |side| {
            let ankle = self.at(Role::Foot, side)?;
            let tip = self.at(Role::Toes, side).or_else(|| self.below(Role::Foot, side))?;
            let sole = (tip - ankle).reject_from_normalized(up);
            (sole.length() > APART * self.height(up)).then(|| sole.normalize_or_zero())
        };
        let both: Vec3 = Side::BOTH.into_iter().filter_map(foot).sum();
        let ahead = both.normalize_or_zero().dot(front);
        (ahead.abs() > AHEAD).then_some(ahead)
    }

    /// The first child of a role's joint.
    fn below(&self, role: Role, side: Side) -> Option<Vec3> {
        let joint = self.roles.get(role, side)?;
        let child = self.skeleton.joints.iter().find(|other| other.parent == Some(joint))?;
        Some(child.bind.translation.into()).filter(|place: &Vec3| place.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_body;
    use glam::Affine3A;
    use std::f32::consts::{FRAC_PI_2, PI};

    /// The body, turned as a whole.
    fn turned(turn: Quat) -> Skeleton {
        let mut skeleton = test_body::skeleton();
        for joint in &mut skeleton.joints {
            joint.bind = Affine3A::from_quat(turn) * joint.bind;
        }
        skeleton
    }

    fn facing(skeleton: &Skeleton) -> Facing {
        Facing::find(skeleton, &Roles::find(skeleton).roles).unwrap()
    }

    #[test]
    fn a_body_in_any_position_tells_its_axes() {
        let turns = [
            ("upright", Quat::IDENTITY),
            ("facing -Z", Quat::from_rotation_y(PI)),
            ("Z up, facing -Y", Quat::from_rotation_x(FRAC_PI_2)),
            ("on its back, head to +X", Quat::from_rotation_z(-FRAC_PI_2) * Quat::from_rotation_y(-FRAC_PI_2)),
            ("askew", Quat::from_euler(glam::EulerRot::XYZ, 0.7, 0.6, -0.8)),
        ];
        for (position, turn) in turns {
            let facing = facing(&turned(turn));
            // Askew no axis is near, and the trunk of this body leans a little.
            let close = if position == "askew" { 0.05 } else { 1e-3 };
            assert!(facing.up.abs_diff_eq(turn * Vec3::Y, close), "{position}: {facing:?}");
            assert!(facing.front.abs_diff_eq(turn * Vec3::Z, close), "{position}: {facing:?}");
            assert!(facing.left.abs_diff_eq(turn * Vec3::X, close), "{position}: {facing:?}");
            assert_eq!((facing.confidence, facing.warnings.len()), (1.0, 0), "{position}");
            let back = facing.canonical_from_model() * turn;
            assert!(back.angle_between(Quat::IDENTITY) < 2.0 * close, "{position}: {back}");
        }
    }

    #[test]
    fn arms_stretched_out_change_nothing() {
        let mut skeleton = test_body::skeleton();
        for joint in &mut skeleton.joints {
            let at = &mut joint.bind.translation;
            if at.x.abs() > 0.2 {
                (at.y, at.z) = (1.44, -0.02);
            }
        }
        assert_eq!(facing(&skeleton).front, Vec3::Z);
    }

    #[test]
    fn feet_are_believed_where_names_swap_left_and_right() {
        let mut skeleton = test_body::skeleton();
        for joint in &mut skeleton.joints {
            let other = |name: &str, from: &str, to: &str| name.strip_suffix(from).map(|stem| format!("{stem}{to}"));
            let swapped = other(&joint.name, ".l", ".r").or_else(|| other(&joint.name, ".r", ".l"));
            joint.name = swapped.unwrap_or_else(|| joint.name.clone());
        }
        let facing = facing(&skeleton);
        assert_eq!((facing.front, facing.left), (Vec3::Z, Vec3::X));
        assert_eq!((facing.confidence, facing.warnings.len()), (0.4, 1));
    }

    #[test]
    fn without_roles_there_is_no_facing() {
        assert_eq!(Facing::find(&test_body::skeleton(), &Roles::default()), None);
    }
}
