//! A skeleton seen as a body: what its rest pose tells, without regard to joint frames and units.

use super::{RetargetError, Rig};
use crate::{Role, Roles, Side};
use fusiform::{Pose, Skeleton};
use glam::{Affine3A, Mat3, Quat, Vec3};

/// A body that stands within this cosine (30 degrees) of an axis is meant to stand along it; its trunk may lean.
const UPRIGHT: f32 = 0.866;

/// The same for its left (15 degrees): one hip a little before the other does not turn the body.
const SQUARE: f32 = 0.966;

/// A child nearer than this share of a leg lies on its joint and tells no direction.
const NO_LENGTH: f32 = 0.01;

/// How far the heel lies behind the ankle, and the tip of the toes before the ball, over the length from ankle to ball.
const HEEL: f32 = 0.35;
const TIP: f32 = 0.5;

/// No sole is thicker than this share of the leg; a ball higher up than that does not stand at the origin.
const THICKEST_SOLE: f32 = 0.06;

/// What retargeting needs to know of a rest pose.
pub(super) struct Anatomy {
    /// n_joint, turns in model space at rest.
    pub(super) turn: Vec<Quat>,
    /// n_joint, places in model space at rest.
    pub(super) place: Vec<Vec3>,
    /// Takes (left, up, front) to model space.
    pub(super) body: Quat,
    pub(super) hips: usize,
    /// Left and right hip joint.
    pub(super) thighs: [usize; 2],
    /// Length of thigh and shin together, mean of both sides, in the skeleton's units.
    pub(super) leg: f32,
    /// From the hips to the joint that carries the arms.
    pub(super) trunk: Chain,
    /// From the joint that carries the arms to the head.
    pub(super) neck: Chain,
    /// Heels, balls and tips of the feet, each with the joint it is fixed to and its place in that joint's space.
    pub(super) soles: Vec<(usize, Vec3)>,
}

/// Joints in a row and where each sits in it: 0 for the first, 1 for the last, the middle of its bone for one between.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) joints: Vec<usize>,
    pub(super) knots: Vec<f32>,
}

impl Anatomy {
    /// Measure the rest pose; `which` names the skeleton in messages.
    pub(super) fn measure(which: &'static str, rig: &Rig) -> Result<Self, RetargetError> {
        check(which, rig)?;
        let find = |role: Role, side: Side| {
            let suffix = if role.is_sided() { side.suffix() } else { "" };
            rig.roles.get(role, side).ok_or(RetargetError::NoRole { which, role, side: suffix })
        };
        let hips = find(Role::Hips, Side::Left)?;
        let both = |role| Ok([find(role, Side::Left)?, find(role, Side::Right)?]);
        let (thighs, shins, feet) = (both(Role::UpperLeg)?, both(Role::LowerLeg)?, both(Role::Foot)?);

        let model = Pose::rest(rig.skeleton).model_matrices(rig.skeleton);
        let place: Vec<Vec3> = model.iter().map(|matrix| matrix.translation.into()).collect();
        let turn = turns(rig.skeleton, &Pose::rest(rig.skeleton));
        if !model.iter().all(Affine3A::is_finite) || !turn.iter().all(|turn| turn.is_finite()) {
            return Err(RetargetError::Flat { which, what: "finite places" });
        }
        let bone = |from: [usize; 2], to: [usize; 2]| {
            0.5 * (place[from[0]].distance(place[to[0]]) + place[from[1]].distance(place[to[1]]))
        };
        let leg = bone(thighs, shins) + bone(shins, feet);
        if !leg.is_normal() {
            return Err(RetargetError::Flat { which, what: "length of the legs" });
        }
        let top = top_of_trunk(rig.skeleton, &rig.roles, hips);
        let head = rig.roles.get(Role::Head, Side::Left).or(rig.roles.get(Role::Neck, Side::Left)).unwrap_or(top);
        let middle = |pair: [usize; 2]| 0.5 * (place[pair[0]] + place[pair[1]]);
        let body = body_frame(place[head] - middle(feet), place[thighs[0]] - place[thighs[1]])
            .ok_or(RetargetError::Flat { which, what: "left and up" })?;

        let trunk = path(rig.skeleton, hips, top);
        let neck = path(rig.skeleton, top, head);
        let neck_base = neck.get(1).map_or(place[top], |&joint| place[joint]);
        Ok(Self {
            turn,
            trunk: Chain::new(trunk, neck_base, &place),
            neck: Chain::new(neck, place[head], &place),
            place,
            body,
            hips,
            thighs,
            leg,
            soles: Vec::new(),
        })
    }

    /// Up, in model space.
    pub(super) fn up(&self) -> Vec3 {
        self.body * Vec3::Y
    }

    /// Where the bone of that role points at rest, in model space; unit length.
    pub(super) fn direction(&self, rig: &Rig, role: Role, side: Side) -> Option<Vec3> {
        let joint = rig.roles.get(role, side)?;
        let next = match role {
            Role::UpperArm => Role::LowerArm,
            Role::LowerArm => Role::Hand,
            Role::Hand => Role::Fingers,
            Role::UpperLeg => Role::LowerLeg,
            Role::LowerLeg => Role::Foot,
            Role::Foot => return self.sole_direction(rig, side),
            _ => return None,
        };
        let next = rig.roles.get(next, side)?;
        // Some rigs set the fingers' first joint into the wrist: then its first child away from there will do.
        let away = |&other: &usize| self.place[other].distance(self.place[joint]) > NO_LENGTH * self.leg;
        let tip = (next..rig.skeleton.joints.len()).filter(|&other| descends(rig.skeleton, other, next)).find(away)?;
        (self.place[tip] - self.place[joint]).try_normalize()
    }

    /// From the ankle forward along the sole.
    fn sole_direction(&self, rig: &Rig, side: Side) -> Option<Vec3> {
        let (ankle, ball) = (rig.roles.get(Role::Foot, side)?, rig.roles.get(Role::Toes, side)?);
        let up = self.sole_up(rig, side);
        (self.place[ball] - self.place[ankle]).reject_from_normalized(up).try_normalize()
    }

    /// Out of the sole: along the shin seen from the front, straight up seen from the side. A leg that is spread at rest
    /// takes its foot with it; a knee that is bent at rest does not. The bone from ankle to ball itself slopes, and in
    /// every body differently.
    fn sole_up(&self, rig: &Rig, side: Side) -> Vec3 {
        let front = self.body * Vec3::Z;
        let ends = (rig.roles.get(Role::LowerLeg, side), rig.roles.get(Role::Foot, side));
        let (Some(knee), Some(ankle)) = ends else { return self.up() };
        let shin = (self.place[knee] - self.place[ankle]).reject_from_normalized(front).normalize_or(self.up());
        if shin.dot(self.up()) > 0.5 { shin } else { self.up() }
    }

    /// How thick the sole is: how high the balls lie above the origin, where a character stands.
    pub(super) fn sole_thickness(&self, rig: &Rig) -> f32 {
        let balls = Side::BOTH.into_iter().filter_map(|side| rig.roles.get(Role::Toes, side));
        let lowest = balls.map(|ball| self.place[ball].dot(self.up())).fold(f32::INFINITY, f32::min);
        if lowest.is_finite() { lowest.clamp(0.0, THICKEST_SOLE * self.leg) } else { 0.0 }
    }

    /// Set [`Anatomy::soles`] to heels, balls and tips of the toes, as they lie on the ground when the foot is flat.
    pub(super) fn find_soles(&mut self, rig: &Rig, thickness: f32) {
        let model = Pose::rest(rig.skeleton).model_matrices(rig.skeleton);
        let fixed = |joint: usize, point: Vec3| (joint, model[joint].inverse().transform_point3(point));
        for side in Side::BOTH {
            let Some(foot) = rig.roles.get(Role::Foot, side) else { continue };
            let Some(toes) = rig.roles.get(Role::Toes, side) else {
                self.soles.push(fixed(foot, self.place[foot]));
                continue;
            };
            let up = self.sole_up(rig, side);
            let along = (self.place[toes] - self.place[foot]).reject_from_normalized(up);
            let ball = self.place[toes] - up * thickness;
            let (heel, tip) = (ball - along * (1.0 + HEEL), ball + along * TIP);
            self.soles.extend([fixed(foot, heel), fixed(foot, ball), fixed(toes, tip)]);
        }
    }
}

impl Chain {
    /// `end` is where the last joint but one, or the last, hands over to what follows the chain.
    fn new(joints: Vec<usize>, end: Vec3, place: &[Vec3]) -> Self {
        // The first bone belongs to the joint before the chain, so lengths count from the second joint.
        let points: Vec<Vec3> = joints.iter().skip(1).map(|&joint| place[joint]).chain([end]).collect();
        let bones: Vec<f32> = points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let length: f32 = bones.iter().sum();
        let mut knots = vec![0.0];
        let mut reached = 0.0;
        for bone in bones {
            knots.push(if length > 0.0 { (reached + 0.5 * bone) / length } else { 1.0 });
            reached += bone;
        }
        if let (Some(last), true) = (knots.last_mut(), joints.len() > 1) {
            *last = 1.0;
        }
        Self { joints, knots }
    }

    /// The two joints about `knot`, and the share of the second.
    pub(super) fn around(&self, knot: f32) -> (usize, usize, f32) {
        let after = self.knots.partition_point(|&k| k < knot).min(self.joints.len() - 1);
        let before = after.saturating_sub(1);
        let step = self.knots[after] - self.knots[before];
        let share = if step > 0.0 { (knot - self.knots[before]) / step } else { 1.0 };
        (self.joints[before], self.joints[after], share)
    }
}

fn check(which: &'static str, rig: &Rig) -> Result<(), RetargetError> {
    let joints = rig.skeleton.joints.len();
    if let Some((role, _, joint)) = rig.roles.iter().find(|&(_, _, joint)| joint >= joints) {
        return Err(RetargetError::NoSuchJoint { which, role, joint, joints });
    }
    let unordered = |(index, joint): &(usize, &fusiform::Joint)| joint.parent.is_some_and(|parent| parent >= *index);
    match rig.skeleton.joints.iter().enumerate().find(unordered) {
        Some((_, joint)) => Err(RetargetError::ParentOrder { which, joint: joint.name.clone() }),
        None => Ok(()),
    }
}

/// Turns of all joints in model space; scales say nothing.
pub(super) fn turns(skeleton: &Skeleton, pose: &Pose) -> Vec<Quat> {
    let mut turns: Vec<Quat> = Vec::with_capacity(pose.local.len());
    for (joint, local) in skeleton.joints.iter().zip(&pose.local) {
        turns.push(joint.parent.map_or(local.rotation, |parent| turns[parent] * local.rotation).normalize());
    }
    turns
}

/// The frame of a body from roughly up and roughly left.
fn body_frame(up: Vec3, left: Vec3) -> Option<Quat> {
    let up = snapped(up.try_normalize()?, UPRIGHT);
    let left = snapped(left.reject_from_normalized(up).try_normalize()?, SQUARE);
    let left = left.reject_from_normalized(up).try_normalize()?;
    Some(Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up))))
}

/// The axis that the direction nearly is, or the direction.
fn snapped(direction: Vec3, cosine: f32) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    axes.into_iter().find(|axis| axis.dot(direction) > cosine).unwrap_or(direction)
}

/// The joint both arms hang on, or the highest of the trunk that has a name.
fn top_of_trunk(skeleton: &Skeleton, roles: &Roles, hips: usize) -> usize {
    let arms = [Side::Left, Side::Right].map(|side| roles.get(Role::UpperArm, side));
    let shared = match arms {
        [Some(left), Some(right)] => ancestors(skeleton, left).find(|&joint| descends(skeleton, right, joint)),
        _ => None,
    };
    let named = || {
        let trunk = [Role::UpperChest, Role::Chest, Role::Spine];
        trunk.into_iter().find_map(|role| roles.get(role, Side::Left))
    };
    // Arms that meet only below the hips tell nothing of the trunk.
    shared.filter(|&top| !descends(skeleton, hips, top) || top == hips).or_else(named).unwrap_or(hips)
}

/// `from`, then the joints that lead to `to` and do not also lead to `from`.
fn path(skeleton: &Skeleton, from: usize, to: usize) -> Vec<usize> {
    let mut path: Vec<usize> = ancestors(skeleton, to).filter(|&joint| !descends(skeleton, from, joint)).collect();
    path.push(from);
    path.reverse();
    path
}

/// The joint itself, its parent, and so on.
fn ancestors(skeleton: &Skeleton, joint: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent)
}

/// Whether `joint` is `ancestor` or hangs on it.
pub(super) fn descends(skeleton: &Skeleton, joint: usize, ancestor: usize) -> bool {
    ancestors(skeleton, joint).any(|above| above == ancestor)
}
