//! The athlete's flesh without muscles: a smooth union of trunk, head and limbs about the bones.
//!
//! It is what depth 1 means when the muscle template is laid in, and the body that the bellies are pressed into.
//! Only the left half is written down: every point is asked about at |x|.

use crate::stack::{Stack, Station, blend, station};
use glam::Vec3;

/// The left half of the body, part by part.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    trunk: Stack,
    girdle: Stack,
    neck: Stack,
    head: Stack,
    arm: Stack,
    palm: Stack,
    thumb: Stack,
    leg: Stack,
    foot: Stack,
}

/// Middle of the body: y, half width, front and back radius, centre's z, squareness.
const fn slice(y: f32, width: f32, front: f32, back: f32, z: f32, square: f32) -> Station {
    station(y, [width, width, front, back], [0.0, z], square)
}

const TRUNK: [Station; 11] = [
    slice(0.880, 0.112, 0.078, 0.092, -0.004, 0.10),
    slice(0.925, 0.150, 0.094, 0.114, -0.004, 0.15),
    slice(0.980, 0.160, 0.100, 0.108, -0.004, 0.22),
    slice(1.040, 0.149, 0.101, 0.090, -0.001, 0.28),
    slice(1.095, 0.139, 0.101, 0.083, 0.001, 0.30),
    slice(1.160, 0.143, 0.107, 0.088, -0.003, 0.30),
    slice(1.235, 0.158, 0.118, 0.101, -0.010, 0.28),
    slice(1.310, 0.173, 0.127, 0.113, -0.017, 0.25),
    slice(1.370, 0.175, 0.122, 0.115, -0.024, 0.20),
    slice(1.420, 0.156, 0.099, 0.106, -0.031, 0.12),
    slice(1.455, 0.122, 0.074, 0.090, -0.036, 0.05),
];

/// The shoulder's slope from the spine to the shoulder joint; outer is up.
const GIRDLE: [Station; 4] = [
    station(0.000, [0.044, 0.070, 0.060, 0.074], [0.000, 0.000], 0.0),
    station(0.070, [0.040, 0.070, 0.062, 0.072], [0.002, 0.000], 0.0),
    station(0.130, [0.038, 0.060, 0.060, 0.064], [0.002, 0.000], 0.0),
    station(0.185, [0.042, 0.050, 0.056, 0.057], [0.000, 0.000], 0.0),
];

/// Along the neck's own axis, which leans forward.
const NECK: [Station; 4] = [
    station(0.0, [0.066, 0.066, 0.058, 0.062], [0.0; 2], 0.1),
    station(0.06, [0.060, 0.060, 0.056, 0.058], [0.0; 2], 0.1),
    station(0.12, [0.057, 0.057, 0.058, 0.058], [0.0; 2], 0.1),
    station(0.18, [0.056, 0.056, 0.058, 0.060], [0.0; 2], 0.1),
];

const HEAD: [Station; 6] = [
    slice(1.582, 0.030, 0.032, 0.050, 0.060, 0.15),
    slice(1.602, 0.045, 0.050, 0.070, 0.044, 0.20),
    slice(1.632, 0.057, 0.069, 0.090, 0.027, 0.20),
    slice(1.662, 0.066, 0.081, 0.098, 0.017, 0.15),
    slice(1.695, 0.073, 0.089, 0.103, 0.010, 0.10),
    slice(1.722, 0.075, 0.091, 0.104, 0.007, 0.08),
];

/// From the shoulder joint toward the wrist; outer is up and away from the body, front is the thumb's side.
const ARM: [Station; 13] = [
    station(-0.020, [0.052, 0.054, 0.060, 0.060], [0.0, 0.002], 0.0),
    station(0.020, [0.060, 0.056, 0.065, 0.065], [0.0, 0.002], 0.05),
    station(0.070, [0.062, 0.053, 0.064, 0.063], [0.0, 0.002], 0.05),
    station(0.120, [0.054, 0.050, 0.060, 0.058], [0.0, 0.003], 0.05),
    station(0.180, [0.047, 0.047, 0.056, 0.056], [0.0, 0.000], 0.05),
    station(0.240, [0.042, 0.043, 0.048, 0.049], [0.0, -0.006], 0.08),
    station(0.290, [0.043, 0.043, 0.041, 0.040], [0.0, -0.010], 0.15),
    station(0.335, [0.049, 0.046, 0.047, 0.040], [0.0, -0.008], 0.10),
    station(0.375, [0.047, 0.045, 0.047, 0.040], [0.0, -0.006], 0.05),
    station(0.435, [0.038, 0.037, 0.040, 0.036], [0.0, -0.004], 0.05),
    station(0.500, [0.028, 0.028, 0.033, 0.031], [0.0, -0.002], 0.10),
    station(0.550, [0.0225, 0.0215, 0.029, 0.028], [0.0, 0.000], 0.20),
    station(0.580, [0.021, 0.020, 0.029, 0.028], [0.0, 0.000], 0.25),
];

/// From the wrist to the finger tips; outer is the back of the hand, front the thumb's side.
const PALM: [Station; 7] = [
    station(0.000, [0.020, 0.019, 0.029, 0.028], [0.000, 0.000], 0.25),
    station(0.035, [0.018, 0.020, 0.036, 0.036], [0.000, 0.000], 0.35),
    station(0.075, [0.016, 0.018, 0.041, 0.041], [0.000, 0.000], 0.40),
    station(0.100, [0.014, 0.016, 0.040, 0.040], [-0.002, -0.001], 0.40),
    station(0.130, [0.012, 0.013, 0.036, 0.038], [-0.007, -0.002], 0.40),
    station(0.155, [0.010, 0.011, 0.030, 0.032], [-0.014, -0.002], 0.35),
    station(0.170, [0.009, 0.009, 0.023, 0.026], [-0.019, -0.002], 0.30),
];

const THUMB: [Station; 4] = [
    station(-0.005, [0.015, 0.017, 0.014, 0.016], [0.0; 2], 0.0),
    station(0.020, [0.0125, 0.013, 0.012, 0.012], [0.0; 2], 0.1),
    station(0.042, [0.0115, 0.012, 0.0115, 0.011], [0.0; 2], 0.15),
    station(0.058, [0.0095, 0.010, 0.0095, 0.009], [0.0; 2], 0.15),
];

/// From the hip joint to the ankle.
const LEG: [Station; 14] = [
    station(-0.040, [0.078, 0.068, 0.078, 0.088], [0.0, 0.000], 0.0),
    station(0.020, [0.088, 0.080, 0.088, 0.096], [0.0, 0.002], 0.05),
    station(0.090, [0.089, 0.085, 0.091, 0.091], [0.0, 0.006], 0.05),
    station(0.180, [0.083, 0.079, 0.088, 0.082], [0.0, 0.008], 0.05),
    station(0.270, [0.072, 0.070, 0.078, 0.071], [0.0, 0.006], 0.08),
    station(0.350, [0.060, 0.060, 0.065, 0.061], [0.0, 0.002], 0.12),
    station(0.425, [0.053, 0.053, 0.056, 0.053], [0.0, 0.000], 0.20),
    station(0.470, [0.052, 0.052, 0.050, 0.057], [0.0, 0.000], 0.15),
    station(0.530, [0.058, 0.055, 0.046, 0.070], [0.0, -0.002], 0.05),
    station(0.590, [0.057, 0.054, 0.045, 0.070], [0.0, -0.004], 0.05),
    station(0.670, [0.046, 0.045, 0.041, 0.058], [0.0, -0.004], 0.05),
    station(0.750, [0.036, 0.035, 0.038, 0.045], [0.0, -0.002], 0.10),
    station(0.815, [0.031, 0.032, 0.038, 0.040], [0.0, 0.000], 0.15),
    station(0.860, [0.034, 0.034, 0.040, 0.042], [0.0, 0.000], 0.10),
];

/// From the heel to the toes, lying: outer is away from the other foot, front is up, back is the sole.
const FOOT: [Station; 9] = [
    station(0.024, [0.029, 0.028, 0.046, 0.026], [0.000, 0.024], 0.20),
    station(0.050, [0.033, 0.032, 0.058, 0.026], [0.000, 0.024], 0.25),
    station(0.090, [0.035, 0.034, 0.074, 0.027], [0.000, 0.024], 0.20),
    station(0.125, [0.038, 0.035, 0.066, 0.027], [0.001, 0.024], 0.15),
    station(0.165, [0.043, 0.039, 0.043, 0.026], [0.002, 0.023], 0.15),
    station(0.200, [0.047, 0.043, 0.026, 0.025], [0.001, 0.022], 0.25),
    station(0.230, [0.044, 0.045, 0.017, 0.022], [-0.002, 0.019], 0.35),
    station(0.252, [0.035, 0.041, 0.014, 0.018], [-0.004, 0.016], 0.35),
    station(0.264, [0.025, 0.033, 0.012, 0.016], [-0.006, 0.014], 0.30),
];

/// Width over which the sole's edge is rounded, metres.
const SOLE_EDGE: f32 = 0.012;

impl Envelope {
    /// The athlete's.
    pub fn new() -> Self {
        let shoulder = Vec3::new(0.183, 1.447, -0.030);
        let wrist = Vec3::new(0.574, 1.053, 0.025);
        let fingers = Vec3::new(0.700, 0.913, 0.072);
        let palm_side = crate::skeleton::LEFT_PALM;
        let hand_front = palm_side.cross(fingers - wrist);
        let heel = Vec3::new(0.121, 0.0, -0.085);
        Self {
            trunk: Stack::new(Vec3::ZERO, Vec3::Y, Vec3::Z, [0.030, 0.02], &TRUNK),
            girdle: Stack::new(Vec3::new(0.0, 1.478, -0.040), shoulder, Vec3::Z, [0.05, 0.045], &GIRDLE).flipped(),
            neck: Stack::new(Vec3::new(0.0, 1.465, -0.045), Vec3::new(0.0, 1.645, 0.002), Vec3::Z, [0.03, 0.03], &NECK),
            head: Stack::new(Vec3::ZERO, Vec3::Y, Vec3::Z, [0.014, 0.078], &HEAD),
            arm: Stack::new(shoulder, wrist, Vec3::Z, [0.05, 0.02], &ARM).flipped(),
            palm: Stack::new(wrist, fingers, hand_front, [0.02, 0.012], &PALM).flipped(),
            thumb: Stack::new(Vec3::new(0.594, 1.026, 0.050), Vec3::new(0.622, 0.974, 0.104), hand_front, [0.014, 0.010], &THUMB)
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
        let body = blend(blend(trunk, head, 0.030), leg, 0.040);
        blend(body, arm, 0.050)
    }

    /// The four parts' own distances at a point of the left half: trunk, head, arm, leg.
    pub fn parts(&self, p: Vec3) -> [f32; 4] {
        let torso = blend(self.trunk.distance(p), self.girdle.distance(p), 0.050);
        let trunk = blend(torso, self.neck.distance(p), 0.060);
        let [palm, thumb] = self.hand(p);
        let hand = blend(palm, thumb, 0.018);
        let arm = blend(self.arm.distance(p), hand, 0.012);
        let foot = self.foot.distance(p);
        let leg = blend(self.leg.distance(p), foot, 0.050);
        // stands flat on the floor
        let leg = -blend(-leg, p.y, SOLE_EDGE);
        [trunk, self.head.distance(p), arm, leg]
    }

    /// Palm with fingers, and thumb, at a point of the left half.
    pub fn hand(&self, p: Vec3) -> [f32; 2] {
        [self.palm.distance(p), self.thumb.distance(p)]
    }
}
