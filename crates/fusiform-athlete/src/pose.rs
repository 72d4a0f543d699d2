//! A pose as an animator thinks of it: where the feet stand, where the arms point. Solved into joint rotations.
//!
//! Angles are radians, places metres, directions in model space. Whatever has a side is written down for the left;
//! the right limb reads it in a mirror.

use crate::skeleton::{bone_frame, mirror, segments, twin};
use fusiform::{Pose, Skeleton};
use glam::{Mat3, Quat, Vec3};

/// One arm, by the directions of its bones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    /// Direction of the upper arm; any length.
    pub upper: Vec3,
    /// Direction of the forearm; never parallel to the upper arm, because both say where the elbow's hinge is.
    pub fore: Vec3,
    /// Where the palm looks.
    pub palm: Vec3,
    /// 0 open hand .. 1 fist.
    pub fist: f32,
    /// Collar bone raised, and drawn forward.
    pub shrug: [f32; 2],
}

/// One leg, by its foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// The ball of the foot from its place at rest.
    pub step: Vec3,
    /// Toes turned outward.
    pub yaw: f32,
    /// Heel lifted, the ball staying where it is.
    pub heel: f32,
    /// Toes bent up; equal to `heel` when they stay flat on the floor.
    pub toes: f32,
    /// Where the knee points.
    pub knee: Vec3,
}

/// The whole body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// The pelvis from its place at rest.
    pub hips: Vec3,
    /// Everything, feet included, off the floor.
    pub lift: f32,
    /// Pelvis bent forward, turned left, tilted left.
    pub pelvis: Vec3,
    /// Trunk above it, shared by three joints; the same order.
    pub trunk: Vec3,
    /// Neck and head together; the same order.
    pub head: Vec3,
    /// Left, right.
    pub arms: [Arm; 2],
    /// Left, right.
    pub legs: [Leg; 2],
}

/// Sum of things, each times a number; what a spline needs of its keys.
pub(crate) trait Combine: Copy {
    fn combine(terms: &[(f32, Self)]) -> Self;
}

impl Combine for f32 {
    fn combine(terms: &[(f32, Self)]) -> Self {
        terms.iter().map(|(w, x)| w * x).sum()
    }
}

impl Combine for Vec3 {
    fn combine(terms: &[(f32, Self)]) -> Self {
        terms.iter().map(|&(w, x)| x * w).sum()
    }
}

impl<T: Combine, const N: usize> Combine for [T; N] {
    fn combine(terms: &[(f32, Self)]) -> Self {
        std::array::from_fn(|i| part(terms, |x| x[i]))
    }
}

fn part<S: Copy, T: Combine>(terms: &[(f32, S)], get: impl Fn(S) -> T) -> T {
    let parts: Vec<_> = terms.iter().map(|&(w, x)| (w, get(x))).collect();
    T::combine(&parts)
}

impl Combine for Arm {
    fn combine(t: &[(f32, Self)]) -> Self {
        // directions first to unit length, or a long one would pull the mean to itself
        let direction = |get: fn(Self) -> Vec3| part(t, |a| get(a).normalize());
        Self {
            upper: direction(|a| a.upper),
            fore: direction(|a| a.fore),
            palm: direction(|a| a.palm),
            fist: part(t, |a| a.fist),
            shrug: part(t, |a| a.shrug),
        }
    }
}

impl Combine for Leg {
    fn combine(t: &[(f32, Self)]) -> Self {
        Self {
            step: part(t, |l| l.step),
            yaw: part(t, |l| l.yaw),
            heel: part(t, |l| l.heel),
            toes: part(t, |l| l.toes),
            knee: part(t, |l| l.knee),
        }
    }
}

impl Combine for Stance {
    fn combine(t: &[(f32, Self)]) -> Self {
        Self {
            hips: part(t, |s| s.hips),
            lift: part(t, |s| s.lift),
            pelvis: part(t, |s| s.pelvis),
            trunk: part(t, |s| s.trunk),
            head: part(t, |s| s.head),
            arms: part(t, |s| s.arms),
            legs: part(t, |s| s.legs),
        }
    }
}

/// Turns stances into poses of the athlete's skeleton.
pub(crate) struct Solver {
    skeleton: Skeleton,
    segments: Vec<(Vec3, Vec3)>,
    rest: Vec<Mat3>,
}

/// `model_from_joint` rotations and places, filled in parents first.
struct Solved {
    turn: Vec<Mat3>,
    place: Vec<Vec3>,
}

impl Solver {
    pub fn new(skeleton: &Skeleton) -> Self {
        let rest = skeleton.joints.iter().map(|joint| joint.bind.matrix3.into()).collect();
        Self { skeleton: skeleton.clone(), segments: segments(), rest }
    }

    /// Local transforms of every joint.
    pub fn solve(&self, stance: &Stance) -> Pose {
        let n = self.skeleton.joints.len();
        let mut solved = Solved { turn: vec![Mat3::IDENTITY; n], place: vec![Vec3::ZERO; n] };
        let mut pose = Pose::rest(&self.skeleton);
        for j in 0..n {
            self.carry(j, &mut solved);
            let name = self.skeleton.joints[j].name.as_str();
            if let Some(local) = middle_turn(name, stance) {
                solved.turn[j] *= Mat3::from_quat(local);
            } else if name.ends_with(".l") || name.ends_with(".r") {
                self.pose_limb_joint(j, stance, &mut solved);
            }
            if j == 0 {
                solved.place[0] = self.segments[0].0 + stance.hips + Vec3::Y * stance.lift;
                pose.local[0].translation = solved.place[0];
            }
            let parent = self.skeleton.joints[j].parent.map_or(Mat3::IDENTITY, |p| solved.turn[p]);
            pose.local[j].rotation = Quat::from_mat3(&(parent.transpose() * solved.turn[j])).normalize();
        }
        pose
    }

    /// Where the joint comes to lie when it keeps its rest rotation under its parent.
    fn carry(&self, j: usize, solved: &mut Solved) {
        let joint = &self.skeleton.joints[j];
        let (turn, place) = joint.parent.map_or((Mat3::IDENTITY, Vec3::ZERO), |p| (solved.turn[p], solved.place[p]));
        solved.turn[j] = turn * Mat3::from_quat(joint.rest.rotation);
        solved.place[j] = place + turn * joint.rest.translation;
    }

    fn pose_limb_joint(&self, j: usize, stance: &Stance, solved: &mut Solved) {
        let name = self.skeleton.joints[j].name.as_str();
        let right = name.ends_with(".r");
        let side = |v: Vec3| if right { mirror(v) } else { v };
        let (arm, leg) = (&stance.arms[usize::from(right)], &stance.legs[usize::from(right)]);
        let sign = if right { -1.0 } else { 1.0 };
        // turns of joints whose frame is mirrored: x as it is, y and z negated
        let local = |x: f32, z: f32| Mat3::from_rotation_z(sign * z) * Mat3::from_rotation_x(x);
        match &name[..name.len() - 2] {
            "shoulder" => solved.turn[j] *= local(arm.shrug[1], arm.shrug[0]),
            "upper_arm" | "lower_arm" => {
                let (upper, fore) = (side(arm.upper).normalize(), side(arm.fore).normalize());
                let along = if name.starts_with("upper") { upper } else { fore };
                solved.turn[j] = self.hinged(j, along, upper.cross(fore));
                if name.starts_with("lower") {
                    solved.turn[j] = self.share_twist(j, side(arm.palm), along, &solved.turn[j]);
                }
            }
            "hand" => solved.turn[j] = bone_frame(side(arm.fore), side(arm.palm)),
            "fingers" => solved.turn[j] *= local(KNUCKLE_CURL * arm.fist, 0.0),
            "fingertips" => solved.turn[j] *= local(FINGERTIP_CURL * arm.fist, 0.0),
            "thumb" => solved.turn[j] *= local(THUMB_CURL * arm.fist, 0.0),
            "upper_leg" | "lower_leg" => self.pose_leg(j, leg, stance.lift, solved),
            "foot" => solved.turn[j] = foot_turn(leg, right) * self.rest[j],
            _ => solved.turn[j] *= local(leg.toes, 0.0),
        }
    }

    /// The joint's frame with its bone along a direction and its hinge as the limb's plane says, turned from its
    /// rest frame by no more than that.
    fn hinged(&self, j: usize, along: Vec3, plane: Vec3) -> Mat3 {
        let (head, tail) = self.segments[j];
        let rest_along = (tail - head).normalize();
        let frame = |y: Vec3, x: Vec3| {
            let x = (x - y * y.dot(x)).normalize();
            Mat3::from_cols(x, y, x.cross(y))
        };
        let rest_plane = self.rest_plane(j);
        frame(along, plane) * frame(rest_along, rest_plane).transpose() * self.rest[j]
    }

    /// Normal of the plane in which the limb of an upper or lower bone is bent at rest.
    fn rest_plane(&self, j: usize) -> Vec3 {
        let name = self.skeleton.joints[j].name.as_str();
        if name.starts_with("upper_arm") || name.starts_with("lower_arm") {
            let upper = if name.starts_with("upper") { j } else { j - 1 };
            let along = |i: usize| self.segments[i].1 - self.segments[i].0;
            return along(upper).cross(along(upper + 1));
        }
        let upper = if name.starts_with("upper") { j } else { j - 1 };
        (self.segments[upper + 1].1 - self.segments[upper].0).cross(Vec3::Z)
    }

    /// The forearm takes a share of the hand's twist, as radius and ulna do; the skin at the elbow shows every degree of it.
    fn share_twist(&self, j: usize, palm: Vec3, along: Vec3, turn: &Mat3) -> Mat3 {
        let hand = j + 1;
        let untwisted = *turn * self.rest[j].transpose() * self.rest[hand];
        let (from, to) = (untwisted.z_axis, bone_frame(along, palm).z_axis);
        let angle = libm::atan2f(along.dot(from.cross(to)), from.dot(to));
        Mat3::from_quat(Quat::from_axis_angle(along, FOREARM_TWIST * angle)) * *turn
    }

    /// Two-bone inverse kinematics from the hip to the ankle.
    fn pose_leg(&self, j: usize, leg: &Leg, lift: f32, solved: &mut Solved) {
        let name = self.skeleton.joints[j].name.as_str();
        let right = name.ends_with(".r");
        let side = |v: Vec3| if right { mirror(v) } else { v };
        let upper = if name.starts_with("upper") { j } else { j - 1 };
        let length = |i: usize| self.segments[i].0.distance(self.segments[i].1);
        let ball = self.segments[upper + 3].0;
        let ankle =
            ball + side(leg.step) + Vec3::Y * lift + foot_turn(leg, right) * (self.segments[upper + 2].0 - ball);
        let hip = solved.place[upper];
        let (a, b) = (length(upper), length(upper + 1));
        let reach = (ankle - hip).clamp_length((a - b).abs() + 1e-3, (a + b) * MAX_REACH);
        let distance = reach.length();
        let cosine = ((a * a + distance * distance - b * b) / (2.0 * a * distance)).clamp(-1.0, 1.0);
        let along = reach / distance;
        let pole = side(leg.knee);
        let bend = (pole - along * along.dot(pole)).normalize();
        let knee = hip + a * (along * cosine + bend * (1.0 - cosine * cosine).sqrt());
        let direction = if j == upper { knee - hip } else { hip + reach - knee };
        solved.turn[j] = self.hinged(j, direction.normalize(), along.cross(bend));
    }
}

/// Share of the twist of the hand that the forearm takes.
const FOREARM_TWIST: f32 = 0.33;
/// How far a fist bends the fingers at the knuckles and beyond, and the thumb.
const KNUCKLE_CURL: f32 = 1.30;
const FINGERTIP_CURL: f32 = 1.70;
const THUMB_CURL: f32 = 0.60;

/// A leg is never quite straight: the knee's direction would be lost.
const MAX_REACH: f32 = 0.9995;

/// How the foot is turned from rest: heel up, then toes outward.
fn foot_turn(leg: &Leg, right: bool) -> Mat3 {
    let yaw = if right { -leg.yaw } else { leg.yaw };
    Mat3::from_rotation_y(yaw) * Mat3::from_rotation_x(leg.heel)
}

/// Turn of a joint of the trunk, in its own frame; none for the limbs.
fn middle_turn(name: &str, stance: &Stance) -> Option<Quat> {
    let bend = |angles: Vec3, share: f32| {
        let a = angles * share;
        Quat::from_rotation_y(a.y) * Quat::from_rotation_z(a.z) * Quat::from_rotation_x(a.x)
    };
    match name {
        "hips" => Some(bend(stance.pelvis, 1.0)),
        "spine" | "chest" | "upper_chest" => Some(bend(stance.trunk, 1.0 / 3.0)),
        "neck" | "head" => Some(bend(stance.head, 0.5)),
        _ => None,
    }
}

/// The twin's index of every joint.
pub(crate) fn twins(skeleton: &Skeleton) -> Vec<usize> {
    let find = |i: usize| skeleton.find(&twin(&skeleton.joints[i].name)).unwrap_or(i);
    (0..skeleton.joints.len()).map(find).collect()
}
