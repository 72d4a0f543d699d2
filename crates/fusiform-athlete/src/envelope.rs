//! The athlete's flesh without muscles: a smooth union of trunk, head and limbs about the bones.
//!
//! It is what depth 1 means when the muscle template is laid in, and the body that the bellies are pressed into.
//! Only the left half is written down: every point is asked about at |x|.

use crate::figure::{
    ARM, ARM_KNOBS, CRANIUM, FOOT, GIRDLE, GLUTE, HEAD_KNOBS, JAW, Knob, LEG, LEG_KNOBS, NECK, PALM, THUMB, TRUNK,
};
use crate::stack::{Stack, blend};
use glam::Vec3;

/// The left half of the body, part by part.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    trunk: Stack,
    girdle: Stack,
    neck: Stack,
    cranium: Stack,
    jaw: Stack,
    glute: Stack,
    arm: Stack,
    palm: Stack,
    thumb: Stack,
    leg: Stack,
    foot: Stack,
}

/// Widths of the seams between the parts, metres.
const HEAD_SEAM: f32 = 0.030;
const LEG_SEAM: f32 = 0.050;
const ARM_SEAM: f32 = 0.070;

/// Width over which the sole's edge is rounded, metres.
const SOLE_EDGE: f32 = 0.012;

impl Envelope {
    /// The athlete's.
    pub fn new() -> Self {
        let shoulder = Vec3::new(0.198, 1.447, -0.030);
        let wrist = Vec3::new(0.589, 1.053, 0.025);
        let fingers = Vec3::new(0.715, 0.913, 0.072);
        let palm_side = crate::skeleton::LEFT_PALM;
        let hand_front = palm_side.cross(fingers - wrist);
        let heel = Vec3::new(0.121, 0.0, -0.085);
        Self {
            trunk: Stack::new(Vec3::ZERO, Vec3::Y, Vec3::Z, [0.060, 0.02], &TRUNK),
            girdle: Stack::new(Vec3::new(0.0, 1.478, -0.040), shoulder, Vec3::Z, [0.05, 0.045], &GIRDLE).flipped(),
            neck: Stack::new(Vec3::new(0.0, 1.465, -0.045), Vec3::new(0.0, 1.645, 0.002), Vec3::Z, [0.03, 0.03], &NECK),
            cranium: Stack::new(Vec3::ZERO, Vec3::Y, Vec3::Z, [0.092, 0.092], &CRANIUM),
            jaw: Stack::new(Vec3::new(0.0, 1.700, 0.022), Vec3::new(0.0, 1.592, 0.068), Vec3::Z, [0.05, 0.062], &JAW),
            glute: Stack::new(
                Vec3::new(0.076, 0.935, -0.050),
                Vec3::new(0.080, 0.845, -0.046),
                Vec3::Z,
                [0.085, 0.085],
                &GLUTE,
            )
            .flipped(),
            arm: Stack::new(shoulder, wrist, Vec3::Z, [0.05, 0.02], &ARM).flipped(),
            palm: Stack::new(wrist, fingers, hand_front, [0.02, 0.028], &PALM).flipped(),
            thumb: Stack::new(
                Vec3::new(0.609, 1.026, 0.050),
                Vec3::new(0.629, 0.980, 0.112),
                hand_front,
                [0.014, 0.012],
                &THUMB,
            )
            .flipped(),
            leg: Stack::new(Vec3::new(0.094, 0.94, 0.0), Vec3::new(0.13, 0.082, -0.018), Vec3::Z, [0.06, 0.03], &LEG)
                .flipped(),
            foot: Stack::new(heel, heel + Vec3::new(0.145, 0.0, 1.0), Vec3::Y, [0.022, 0.012], &FOOT).flipped(),
        }
    }

    /// About the signed distance to the flesh, metres, negative inside.
    pub fn distance(&self, p: Vec3) -> f32 {
        let p = Vec3::new(p.x.abs(), p.y, p.z);
        let [trunk, head, arm, leg] = self.parts(p);
        let body = blend(blend(trunk, head, HEAD_SEAM), leg, LEG_SEAM);
        blend(body, arm, ARM_SEAM)
    }

    /// The four parts' own distances at a point of the left half: trunk, head, arm, leg.
    pub fn parts(&self, p: Vec3) -> [f32; 4] {
        let torso = blend(self.trunk.distance(p), self.girdle.distance(p), 0.050);
        let trunk = blend(torso, self.neck.distance(p), 0.060);
        let head = knobs(blend(self.cranium.distance(p), self.jaw.distance(p), 0.050), &HEAD_KNOBS, p);
        let [palm, thumb] = self.hand(p);
        let hand = blend(palm, thumb, 0.020);
        let arm = knobs(blend(self.arm.distance(p), hand, 0.012), &ARM_KNOBS, p);
        // the seat hangs on the pelvis and on the thigh: either is covered by it
        let glute = self.glute.distance(p);
        let leg = blend(self.leg.distance(p), self.foot.distance(p), 0.050);
        let leg = knobs(blend(leg, glute, 0.040), &LEG_KNOBS, p);
        // stands flat on the floor
        let leg = -blend(-leg, p.y, SOLE_EDGE);
        [blend(trunk, glute, 0.050), head, arm, leg]
    }

    /// Palm with fingers, and thumb, at a point of the left half.
    pub fn hand(&self, p: Vec3) -> [f32; 2] {
        [self.palm.distance(p), self.thumb.distance(p)]
    }
}

/// A part with its knobs set in.
fn knobs(part: f32, knobs: &[Knob], p: Vec3) -> f32 {
    knobs.iter().fold(part, |part, knob| {
        let radii = Vec3::from_array(knob.radii);
        let scaled = (p - Vec3::from_array(knob.centre)) / radii;
        let norm = scaled.length().max(1e-6);
        blend(part, norm * (norm - 1.0) / (scaled / radii).length().max(1e-6), knob.seam)
    })
}
