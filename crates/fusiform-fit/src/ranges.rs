//! How far joints turn: a body's poses over the range of each of its joints.
//!
//! ```text
//! ranges by role, degrees from the anatomical position ─> axis in this body, and the bind pose's own angle ─> poses
//! ```
//!
//! Ranges count from the anatomical position, rigs are bound in any: an elbow bound at 46 degrees goes from -46 to 104 of
//! its bind pose. A joint that plays no role goes where the clips take it.

use crate::bones::Axis;
use crate::template::Bone;
use crate::{Facing, Role, Roles, Side};
use fusiform::{Clip, Pose, Skeleton, Transform};
use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::fmt;

/// No joint turns farther than half a turn from the anatomical position.
pub const MOST_DEGREES: f32 = 180.0;

/// Below this bend in the bind pose, degrees, an elbow or a knee does not tell its own axis.
const TELLS_ITS_AXIS: f32 = 15.0;

/// A bend that goes this much (cosine) where the joint should bend is believed.
const BENDS_RIGHT: f32 = 0.5;

/// Below this sine to an axis a bone does not tell its angle about it.
const LIES_ALONG: f32 = 0.4;

/// Of an arm raised overhead the collar bone takes 30 degrees, from 30 degrees on; what the shoulder blade adds has no joint
/// of its own in a rig. Inman, Saunders, Abbott: *Observations on the Function of the Shoulder Joint*, 1944.
const GIRDLE: f32 = 30.0;
const GIRDLE_FROM: f32 = 30.0;

/// A way for a joint to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    /// Bending; negative is extension. Of the foot: up, dorsiflexion.
    Flexion,
    /// Away from the middle plane; of the hand to the thumb's side, of trunk and neck to the left.
    Abduction,
    /// About the bone, inward; of trunk and neck to the left, of the forearm pronation.
    Rotation,
}

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flexion => "flexion",
            Self::Abduction => "abduction",
            Self::Rotation => "rotation",
        })
    }
}

/// How far a joint turns one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRange {
    /// The joint; `spine` stands for the trunk and `neck` for neck and head, whose joints share the range.
    pub role: Role,
    /// Which way.
    pub motion: Motion,
    /// Least and most, from the anatomical position.
    pub degrees: [f32; 2],
}

/// One pose of a sweep: every joint but the swept ones is in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct RangePose {
    /// What moves: a role with its side and motion, or the name of a joint that plays no role.
    pub what: String,
    /// From the anatomical position; of a joint without a role the seconds into its clip.
    pub degrees: f32,
    /// The pose.
    pub pose: Pose,
}

/// Poses over the range of every joint, `steps` of each, ends included.
#[must_use]
pub fn range_poses(
    skeleton: &Skeleton,
    roles: &Roles,
    ranges: &[JointRange],
    clips: &[Clip],
    steps: u16,
) -> Vec<RangePose> {
    let Some(body) = Upright::new(skeleton, roles) else { return Vec::new() };
    let mut poses = Vec::new();
    for range in ranges {
        let sides = if range.role.is_sided() { &Side::BOTH[..] } else { &Side::BOTH[..1] };
        for &side in sides {
            let Some(turn) = body.turn(range.role, range.motion, side) else { continue };
            let suffix = if range.role.is_sided() { side.suffix() } else { "" };
            let what = format!("{}{suffix} {}", range.role, range.motion);
            for degrees in evenly(range.degrees, steps) {
                let shares = body.shares(range, side, degrees);
                poses.push(RangePose { what: what.clone(), degrees, pose: body.pose(&shares, &turn) });
            }
        }
    }
    poses.extend(body.seen(clips, steps));
    poses
}

/// The motions of a body's joints, in the joints' own spaces.
pub(crate) struct Hinges<'a> {
    skeleton: &'a Skeleton,
    roles: Roles,
    body: Option<Upright<'a>>,
}

impl<'a> Hinges<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton, roles: &Roles) -> Self {
        let body = Upright::new(skeleton, roles);
        // those of a body that was taken for its mirror image are put right, as muscles are named
        let roles = body.as_ref().map_or(roles, |body| &body.roles).clone();
        Self { skeleton, roles, body }
    }

    /// Name of the role's joint.
    pub(crate) fn joint(&self, role: Role, side: Side) -> Option<&str> {
        Some(&self.skeleton.joints.get(self.roles.get(role, side)?)?.name)
    }

    /// Name of the role's joint, the unit axis about which it makes that motion, in its own space, and the degrees from the
    /// anatomical position that the bind pose has already.
    pub(crate) fn axis_in_joint(&self, role: Role, motion: Motion, side: Side) -> Option<(&str, Vec3, f32)> {
        let body = self.body.as_ref()?;
        let turn = body.turn(role, motion, side)?;
        let bound = if turn.before == Quat::IDENTITY { turn.bound } else { body.leaning(role, side, turn.axis) };
        let bind = self.skeleton.joints.get(self.roles.get(role, side)?)?.bind;
        let axis = bind.inverse().transform_vector3(body.upright_from_model.inverse() * turn.axis);
        Some((self.joint(role, side)?, axis.try_normalize()?, bound))
    }
}

/// One way for one joint to turn.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    /// Index of the joint.
    pub joint: usize,
    /// Unit, in the joint's own space; the right hand's way is the positive motion.
    pub axis: Vec3,
    /// Which way.
    pub motion: Motion,
}

/// The ways in which joints with roles turn, as the ranges name them; the joints of trunk and neck each.
#[must_use]
pub fn joint_motions(skeleton: &Skeleton, roles: &Roles, ranges: &[JointRange]) -> Vec<JointMotion> {
    let Some(body) = Upright::new(skeleton, roles) else { return Vec::new() };
    let mut motions: Vec<JointMotion> = Vec::new();
    for JointRange { role, motion, .. } in ranges {
        for &side in if role.is_sided() { &Side::BOTH[..] } else { &Side::BOTH[..1] } {
            let Some(turn) = body.turn(*role, *motion, side) else { continue };
            let in_model = body.upright_from_model.inverse() * turn.axis;
            for joint in body.chain(*role, side) {
                let axis = skeleton.joints[joint].bind.inverse().transform_vector3(in_model).try_normalize();
                let known = motions.iter().any(|other| (other.joint, other.motion) == (joint, *motion));
                motions.extend(axis.filter(|_| !known).map(|axis| JointMotion { joint, axis, motion: *motion }));
            }
        }
    }
    motions
}

/// `steps` values from the first to the last.
fn evenly([low, high]: [f32; 2], steps: u16) -> impl Iterator<Item = f32> {
    let last = f32::from(steps.max(2) - 1);
    (0..steps.max(2)).map(move |step| low + (high - low) * f32::from(step) / last)
}

/// How a joint turns in this body, its axes those of the upright body.
struct Turn {
    /// Unit length; the right hand's way is the positive motion.
    axis: Vec3,
    /// The angle that the bind pose has already.
    bound: f32,
    /// From the bind pose to where the motion begins.
    before: Quat,
}

/// A body whose axes are known.
struct Upright<'a> {
    skeleton: &'a Skeleton,
    /// The skeleton as it stands along +Y, facing +Z.
    upright: Skeleton,
    roles: Roles,
    upright_from_model: Quat,
    /// The bind pose.
    bind: Pose,
}

impl<'a> Upright<'a> {
    fn new(skeleton: &'a Skeleton, roles: &Roles) -> Option<Self> {
        let facing = Facing::find(skeleton, roles)?;
        let upright_from_model = facing.canonical_from_model();
        let mut upright = skeleton.clone();
        for joint in &mut upright.joints {
            joint.bind = Affine3A::from_quat(upright_from_model) * joint.bind;
        }
        let roles = if facing.mirrored { roles.mirrored() } else { roles.clone() };
        let local = |joint: usize| transform(above(skeleton, joint).inverse() * skeleton.joints[joint].bind);
        let bind = Pose { local: (0..skeleton.joints.len()).map(local).collect() };
        Some(Self { skeleton, upright, roles, upright_from_model, bind })
    }

    /// The joints that share the range of a role: for trunk and neck all between the first and the last that play a role.
    fn chain(&self, role: Role, side: Side) -> Vec<usize> {
        let roles: &[Role] = match role {
            Role::Spine => &[Role::Spine, Role::Chest, Role::UpperChest],
            Role::Neck => &[Role::Neck, Role::Head],
            _ => &[role],
        };
        let found: Vec<usize> = roles.iter().filter_map(|&role| self.roles.get(role, side)).collect();
        let (Some(&first), Some(&last)) = (found.first(), found.last()) else { return Vec::new() };
        let up = || std::iter::successors(Some(last), |&joint| self.skeleton.joints[joint].parent);
        // Roles that were given by hand may not hang together: then only they turn, not all above them.
        if !up().any(|joint| joint == first) {
            return found;
        }
        let mut chain: Vec<usize> = up().take_while(|&joint| joint != first).collect();
        chain.push(first);
        chain.reverse();
        chain
    }

    /// Which joints turn by how many degrees to make a motion of so many.
    fn shares(&self, range: &JointRange, side: Side, degrees: f32) -> Vec<(usize, f32)> {
        let joints = self.chain(range.role, side);
        let lifts = range.role == Role::UpperArm && range.motion != Motion::Rotation && degrees > GIRDLE_FROM;
        let girdle = self.roles.get(Role::Shoulder, side).filter(|_| lifts);
        let lifted = GIRDLE * (degrees - GIRDLE_FROM) / (MOST_DEGREES - GIRDLE_FROM);
        let left = if girdle.is_some() { degrees - lifted } else { degrees };
        let each = left / joints.len() as f32;
        girdle.map(|joint| (joint, lifted)).into_iter().chain(joints.into_iter().map(|joint| (joint, each))).collect()
    }

    fn axis(&self, role: Role, side: Side) -> Option<Axis> {
        Axis::new(Bone::Of(role), side, &self.upright, &self.roles).ok()
    }

    /// How the role's joint makes that motion; none where it does not, or has no such joint.
    fn turn(&self, role: Role, motion: Motion, side: Side) -> Option<Turn> {
        if self.chain(role, side).is_empty() {
            return None;
        }
        let sign = side.sign();
        let plain = |axis: Vec3| Some(Turn { axis, bound: 0.0, before: Quat::IDENTITY });
        let way = |role| self.axis(role, side).map(|axis| axis.direction());
        match (role, motion) {
            // Up goes to the front, to the left, and the front to the left.
            (Role::Spine | Role::Chest | Role::UpperChest | Role::Neck | Role::Head, _) => plain(match motion {
                Motion::Flexion => Vec3::X,
                Motion::Abduction => -Vec3::Z,
                Motion::Rotation => Vec3::Y,
            }),
            (Role::UpperArm | Role::LowerArm | Role::UpperLeg, Motion::Rotation) => plain(way(role)? * sign),
            // Down goes to the front, and to its own side.
            (Role::UpperArm | Role::UpperLeg, _) => {
                let axis = if motion == Motion::Flexion { -Vec3::X } else { Vec3::Z * sign };
                Some(Turn { axis, bound: 0.0, before: Quat::from_rotation_arc(way(role)?, -Vec3::Y) })
            }
            (Role::LowerArm, Motion::Flexion) => bending(way(Role::UpperArm)?, way(role)?, Vec3::Z),
            (Role::LowerLeg, Motion::Flexion) => bending(way(Role::UpperLeg)?, way(role)?, -Vec3::Z),
            (Role::Hand, Motion::Flexion | Motion::Abduction) => {
                let (forearm, hand) = (way(Role::LowerArm)?, way(role)?);
                let palm = -self.axis(Role::LowerArm, side)?.own_side();
                let toward = if motion == Motion::Flexion { palm } else { forearm.cross(palm) * -sign };
                let axis = forearm.cross(toward).try_normalize()?;
                Some(Turn { axis, bound: angle_about(axis, forearm, hand), before: Quat::IDENTITY })
            }
            // Soles are taken to be flat in the bind pose, so the shin tells the angle.
            (Role::Foot, Motion::Flexion) => {
                let shin = way(Role::LowerLeg)?;
                let bound = (-shin.z).atan2(-shin.y).to_degrees();
                Some(Turn { axis: -Vec3::X, bound, before: Quat::IDENTITY })
            }
            _ => None,
        }
    }

    /// How far a bone that hangs straight down in the anatomical position has turned about that axis in the bind pose; nothing
    /// where it lies along the axis.
    fn leaning(&self, role: Role, side: Side, axis: Vec3) -> f32 {
        let way = self.axis(role, side).map_or(-Vec3::Y, |axis| axis.direction());
        if way.cross(axis).length() > LIES_ALONG { angle_about(axis, -Vec3::Y, way) } else { 0.0 }
    }

    /// The bind pose with these joints turned; the last one starts from the anatomical position.
    fn pose(&self, shares: &[(usize, f32)], turn: &Turn) -> Pose {
        let mut pose = self.bind.clone();
        for (i, &(joint, degrees)) in shares.iter().enumerate() {
            let (bound, before) = if i + 1 == shares.len() { (turn.bound, turn.before) } else { (0.0, Quat::IDENTITY) };
            let upright = Quat::from_axis_angle(turn.axis, (degrees - bound).to_radians()) * before;
            let model = self.upright_from_model.inverse() * upright * self.upright_from_model;
            let bind = self.skeleton.joints[joint].bind;
            // About the joint's own place, the parent still in its bind pose.
            let turned =
                Affine3A { matrix3: glam::Mat3A::from_quat(model) * bind.matrix3, translation: bind.translation };
            pose.local[joint] = transform(above(self.skeleton, joint).inverse() * turned);
        }
        pose
    }

    /// Joints without a role, where the clips take them.
    fn seen(&self, clips: &[Clip], steps: u16) -> Vec<RangePose> {
        let plays = |joint: usize| self.roles.iter().any(|(_, _, other)| other == joint);
        let mut poses = Vec::new();
        let mut sampled = Pose::rest(self.skeleton);
        for clip in clips {
            for seconds in evenly([0.0, clip.duration()], steps) {
                sampled.reset(self.skeleton);
                clip.sample(seconds, &mut sampled);
                for (j, joint) in self.skeleton.joints.iter().enumerate().filter(|(j, _)| !plays(*j)) {
                    if sampled.local[j] != joint.rest {
                        let mut pose = self.bind.clone();
                        pose.local[j] = sampled.local[j];
                        poses.push(RangePose { what: joint.name.clone(), degrees: seconds, pose });
                    }
                }
            }
        }
        poses
    }
}

/// The bind matrix of the joint's parent.
fn above(skeleton: &Skeleton, joint: usize) -> Affine3A {
    skeleton.joints[joint].parent.map_or(Affine3A::IDENTITY, |parent| skeleton.joints[parent].bind)
}

/// A hinge between two bones that bends the second toward a side of the body. Where it is bent already it tells its axis.
fn bending(first: Vec3, second: Vec3, toward: Vec3) -> Option<Turn> {
    let ideal = first.cross(toward).try_normalize()?;
    let own = first.cross(second).normalize_or(ideal);
    let bent = first.angle_between(second).to_degrees() > TELLS_ITS_AXIS && own.dot(ideal) > BENDS_RIGHT;
    let axis = if bent { own } else { ideal };
    Some(Turn { axis, bound: angle_about(axis, first, second), before: Quat::IDENTITY })
}

/// Degrees by which the right hand turns `from` to `to` about the axis.
fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let [from, to] = [from, to].map(|way| way.reject_from_normalized(axis));
    from.cross(to).dot(axis).atan2(from.dot(to)).to_degrees()
}

fn transform(matrix: Affine3A) -> Transform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    Transform { translation, rotation, scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Template, test_body};

    /// The place of `joint` in every pose of that sweep, with its degrees.
    fn swept(what: &str, joint: &str) -> Vec<(f32, Vec3)> {
        let skeleton = test_body::skeleton();
        let roles = Roles::find(&skeleton).roles;
        let poses = range_poses(&skeleton, &roles, &Template::humanoid().ranges, &[], 5);
        let j = skeleton.find(joint).unwrap();
        let place = |it: &RangePose| (it.degrees, it.pose.model_matrices(&skeleton)[j].translation.into());
        poses.iter().filter(|it| it.what == what).map(place).collect()
    }

    #[test]
    fn a_thigh_goes_from_behind_the_body_to_its_front() {
        let knees = swept("upper_leg.l flexion", "lower_leg.l");
        let hip = Vec3::new(0.095, 0.92, 0.0);
        for (degrees, knee) in knees {
            let thigh = (knee - hip).normalize();
            let expected = Quat::from_axis_angle(-Vec3::X, degrees.to_radians()) * -Vec3::Y;
            assert!(thigh.abs_diff_eq(expected, 1e-3), "{degrees}: {thigh}");
        }
    }

    #[test]
    fn an_arm_raised_sideways_ends_above_the_head_on_both_sides() {
        for (side, x) in [("l", 1.0), ("r", -1.0)] {
            let what = format!("upper_arm.{side} abduction");
            let (shoulders, elbows) =
                (swept(&what, &format!("upper_arm.{side}")), swept(&what, &format!("lower_arm.{side}")));
            let arm = |i: usize| (elbows[i].1 - shoulders[i].1).normalize();
            assert!(arm(0).abs_diff_eq(-Vec3::Y, 1e-3), "{}", arm(0));
            assert!(arm(2).abs_diff_eq(Vec3::X * x, 1e-3), "{}", arm(2));
            assert!(arm(4).abs_diff_eq(Vec3::Y, 1e-3), "{}", arm(4));
            // The collar bone lifts the shoulder with it.
            assert!(shoulders[4].1.y > shoulders[0].1.y + 0.03, "{shoulders:?}");
        }
    }

    #[test]
    fn an_elbow_starts_straight_and_a_knee_bends_backward() {
        let wrists = swept("lower_arm.l flexion", "hand.l");
        let (shoulder, elbow) = (Vec3::new(0.18, 1.44, -0.02), Vec3::new(0.385, 1.235, -0.025));
        for (degrees, wrist) in wrists {
            let bend = (elbow - shoulder).angle_between(wrist - elbow).to_degrees();
            // The forearm keeps what it has out of the plane of bending.
            assert!((bend - degrees).abs() < 4.0, "{degrees}: {bend}");
            assert!(degrees < 20.0 || wrist.z > elbow.z + 0.05, "{degrees}: {wrist}");
        }
        let feet = swept("lower_leg.l flexion", "foot.l");
        assert!(feet[4].1.z < -0.2, "{feet:?}");
    }

    #[test]
    fn the_joints_of_the_trunk_share_its_range() {
        let necks = swept("spine flexion", "neck");
        let bent = necks[4].1;
        assert!(bent.z > 0.2 && bent.y < 1.45, "{bent}");
        let toes = swept("foot.l flexion", "toes.l");
        assert!(toes[0].1.y < toes[4].1.y, "{toes:?}");
    }
}
