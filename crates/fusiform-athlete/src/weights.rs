//! Which joints move which skin: gates across the body at every joint.
//!
//! A gate says how much of a place lies beyond its joint, from 0 to 1, smoothly across the joint. Gates multiply down
//! the tree, so a place beyond the elbow is also beyond the shoulder; what is beyond a joint but beyond none of its
//! children is that joint's weight. The weights sum to 1 by construction and nothing leaks from arm to trunk or from
//! leg to leg, because the gates of arms and legs ask the envelope which part a place belongs to.

use crate::envelope::Envelope;
use crate::skeleton::{mirror, segments};
use fusiform::{Skeleton, SparseWeights};
use glam::Vec3;
use rayon::prelude::*;

/// Influences kept for a vertex.
pub(crate) const MAX_INFLUENCES: usize = 4;
/// Weights below this are dropped.
const MIN_WEIGHT: f32 = 0.004;

/// 0 below `from`, 1 above `to`, smooth between.
fn ramp(x: f32, from: f32, to: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Beyond one or the other, without a crease where they are equal.
fn either(a: f32, b: f32) -> f32 {
    1.0 - (1.0 - a) * (1.0 - b)
}

/// Measures places of the left half against the left limbs and the middle.
struct Gates<'a> {
    envelope: &'a Envelope,
    segments: Vec<(Vec3, Vec3)>,
    names: Vec<&'a str>,
    /// Index of the left one.
    upper_arm: usize,
}

impl Gates<'_> {
    fn direction(&self, j: usize) -> Vec3 {
        (self.segments[j].1 - self.segments[j].0).normalize()
    }

    /// How much of a place of the left half lies beyond a joint of the middle or the left.
    fn gate(&self, j: usize, p: Vec3) -> f32 {
        let from_joint = p - self.segments[j].0;
        let along = self.direction(j);
        // across a hinge the border halves the angle between the two bones
        let across = |width: f32| {
            let border = (self.direction(j - 1) + along).normalize();
            ramp(from_joint.dot(border), -width, width)
        };
        match self.names[j] {
            "hips" => 1.0,
            // a hanging arm is below these joints and still beyond them
            "spine" => either(ramp(from_joint.y, -0.055, 0.055), self.arm(p)),
            "chest" | "upper_chest" => either(ramp(from_joint.y, -0.065, 0.065), self.arm(p)),
            "neck" => ramp(from_joint.dot(along), -0.035, 0.045) * (1.0 - ramp(p.x, 0.075, 0.12)),
            "head" => ramp(from_joint.dot(Vec3::new(0.0, 0.88, 0.47)), -0.030, 0.030),
            "shoulder.l" => either(ramp(p.x, 0.025, 0.135) * ramp(p.y, 1.335, 1.44), self.arm(p)),
            "upper_arm.l" => self.arm(p),
            // the tip of the elbow is bone: the skin over it goes with the forearm at once
            "lower_arm.l" => across(0.056 - 0.020 * ramp(-p.z, 0.030, 0.070)),
            "hand.l" => across(0.055),
            "fingers.l" => ramp(from_joint.dot(along), -0.016, 0.014) * (1.0 - self.thumb(p)),
            "fingertips.l" => ramp(from_joint.dot(along), -0.014, 0.014),
            "thumb.l" => ramp(from_joint.dot(along), -0.010, 0.022) * self.thumb(p),
            "upper_leg.l" => {
                let border = Vec3::new(0.42, -0.907, 0.0);
                // the seat stretches over a longer way than the groin folds
                let width = 0.075 + 0.35 * (-p.z).clamp(0.0, 0.12);
                // between the legs the skin hangs from the hips; below them it is the thigh's, or a flap would be left
                let middle = 0.030 + 0.080 * ramp(p.y, 0.79, 0.87);
                let hung = (1.0 - ramp(p.x, 0.0, middle)) * ramp(p.y, 0.76, 0.84);
                ramp(from_joint.dot(border), -width, width) * (1.0 - hung)
            }
            "lower_leg.l" => across(0.060),
            "foot.l" => ramp(from_joint.dot(Vec3::new(0.0, -0.97, 0.24)), -0.035, 0.030),
            "toes.l" => ramp(from_joint.z, -0.022, 0.022),
            _ => 0.0,
        }
    }

    /// Beyond the shoulder, and of the arm rather than of the chest's side.
    fn arm(&self, p: Vec3) -> f32 {
        let along = (p - self.segments[self.upper_arm].0).dot(self.direction(self.upper_arm));
        let [trunk, _, arm, leg] = self.envelope.parts(p);
        let trunk = trunk.min(leg);
        ramp(along, -0.100, 0.085) * ramp(trunk - arm, -0.048, 0.046)
    }

    /// How much a place is of the thumb rather than of palm and fingers.
    fn thumb(&self, p: Vec3) -> f32 {
        let [palm, thumb] = self.envelope.hand(p);
        ramp(palm - thumb, -0.006, 0.010)
    }
}

/// Joint weights of every vertex; `twin` is each joint's mirror image.
pub(crate) fn joint_weights(
    skeleton: &Skeleton,
    envelope: &Envelope,
    twin: &[usize],
    positions: &[Vec3],
) -> SparseWeights {
    let names = skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    let upper_arm = skeleton.find("upper_arm.l").unwrap_or_default();
    let gates = Gates { envelope, segments: segments(), names, upper_arm };
    let rows: Vec<Vec<(u16, f32)>> = positions
        .par_iter()
        .with_min_len(256)
        .map(|&p| {
            let right = p.x < 0.0;
            let mut row = influences(skeleton, &gates, if right { mirror(p) } else { p });
            if right {
                row.iter_mut().for_each(|entry| entry.0 = twin[entry.0 as usize] as u16);
            }
            row
        })
        .collect();
    let mut weights = SparseWeights::default();
    rows.into_iter().for_each(|row| weights.push_vertex(row));
    weights
}

/// The largest few weights of a place of the left half, summing to 1.
fn influences(skeleton: &Skeleton, gates: &Gates, p: Vec3) -> Vec<(u16, f32)> {
    let n = skeleton.joints.len();
    let mut beyond = vec![0.0; n];
    let mut own = vec![0.0; n];
    for (j, joint) in skeleton.joints.iter().enumerate() {
        let parent = joint.parent.map_or(1.0, |parent| beyond[parent]);
        if parent <= 0.0 {
            continue;
        }
        // siblings share what their parent has left, so that no weight goes below zero
        let left = joint.parent.map_or(1.0, |parent| own[parent]);
        beyond[j] = (parent * gates.gate(j, p)).min(left);
        own[j] = beyond[j];
        if let Some(parent) = joint.parent {
            own[parent] -= beyond[j];
        }
    }
    let mut row: Vec<(u16, f32)> = (0..n as u16).map(|j| (j, own[j as usize])).filter(|e| e.1 > MIN_WEIGHT).collect();
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    row.truncate(MAX_INFLUENCES);
    let sum: f32 = row.iter().map(|entry| entry.1).sum();
    row.iter_mut().for_each(|entry| entry.1 /= sum);
    row
}
