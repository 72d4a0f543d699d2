//! Paths: the curve a muscle follows, and where its rings sit on it.
//!
//! ```text
//! p(u) = (1−u)² P_org + 2u(1−u) P_mid + u² P_ins          p′(u)/2 = (1−u)(P_mid − P_org) + u (P_ins − P_mid)
//! ```
//!
//! Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, section 3.1.

use super::frame;
use super::lanes::{LANES, Lane};
use super::muscles::MuscleTable;
use crate::musculature::FrameRule;
use glam::{Mat3, Vec3};

/// P_const of every muscle, and how its chord has turned since bind.
///
/// P_const is the chord's midpoint plus an offset in the chord's frame. That frame is carried by the origin joint and
/// turned onto the chord, so a muscle that curves over a joint goes on doing so; the rings turn with it.
pub fn anchors(
    muscles: &MuscleTable,
    joint_turn: &[Mat3],
    origin: &[Vec3],
    insertion: &[Vec3],
    anchor: &mut [Vec3],
    turn: &mut [Mat3],
) {
    for m in 0..muscles.len() {
        let carry = &joint_turn[usize::from(muscles.origin_joint[m])];
        let chord = Chord { x: muscles.chord[m], b: muscles.chord_b[m], up: muscles.up[m], rule: muscles.rule[m] };
        let now = chord.carried(carry, insertion[m] - origin[m], muscles.shortest);
        anchor[m] = (origin[m] + insertion[m]) * 0.5 + now * muscles.offset[m];
        turn[m] = chord.turn_to(&now);
    }
}

/// A muscle's chord at bind.
pub struct Chord {
    pub x: Vec3, // unit, from origin to insertion
    pub b: Vec3, // unit, at right angles to it
    pub up: Vec3,
    pub rule: FrameRule,
}

impl Chord {
    /// The frame around `chord` as its origin's joint turns it since bind.
    #[inline(always)]
    pub fn carried(&self, joint_turn: &Mat3, chord: Vec3, shortest: f32) -> Mat3 {
        let carried = *joint_turn * self.x;
        let x = frame::unit_or(chord, shortest, carried);
        let y = frame::turn_onto(carried, x, *joint_turn * self.b);
        let y = match self.rule {
            FrameRule::Carried | FrameRule::Halves => y,
            FrameRule::Lee => frame::lee(x, *joint_turn * self.up, y),
        };
        Mat3::from_cols(x, y, x.cross(y))
    }

    /// The turn since bind of the chord that has that frame now.
    #[inline(always)]
    pub fn turn_to(&self, now: &Mat3) -> Mat3 {
        *now * Mat3::from_cols(self.x, self.b, self.x.cross(self.b)).transpose()
    }
}

/// Steps in which a curve's length is measured.
const STEPS: usize = 8;

/// A quadratic Bezier curve.
#[derive(Clone, Copy, Debug)]
pub struct Bezier {
    /// P_org.
    pub origin: Vec3,
    /// P_mid − P_org.
    pub first: Vec3,
    /// P_ins − P_mid.
    pub second: Vec3,
}

impl Bezier {
    /// The curve over three control points.
    #[inline(always)]
    pub fn new(origin: Vec3, middle: Vec3, insertion: Vec3) -> Self {
        Self { origin, first: middle - origin, second: insertion - middle }
    }

    /// Half the derivative at `u`.
    #[inline(always)]
    pub fn tangent(&self, u: f32) -> Vec3 {
        self.first * (1.0 - u) + self.second * u
    }

    /// The point at `u`.
    #[inline(always)]
    pub fn point(&self, u: f32) -> Vec3 {
        self.origin + (self.first * (2.0 - u) + self.second * u) * u
    }

    /// The middle control point.
    pub fn middle(&self) -> Vec3 {
        self.origin + self.first
    }

    /// The last control point.
    pub fn insertion(&self) -> Vec3 {
        self.origin + self.first + self.second
    }

    /// The piece between two parameters: again a quadratic curve (de Casteljau).
    pub fn cut(&self, from: f32, to: f32) -> Self {
        let span = to - from;
        Self { origin: self.point(from), first: self.tangent(from) * span, second: self.tangent(to) * span }
    }
}

/// How far along eight curves each of [`STEPS`] equal steps of `u` gets, by the midpoint rule.
///
/// Eight steps put rings within 1 % of the belly's length of where they belong; nobody sees more.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    before: [Lane; STEPS],   // m, up to the step's start
    per_step: [Lane; STEPS], // share of `u` for each metre of the step
    total: Lane,             // m
}

impl Lengths {
    /// Of the curve in each lane.
    #[inline(always)]
    pub fn new(curve: impl Fn(usize) -> Bezier) -> Self {
        let (mut before, mut per_step) = ([[0.0; LANES]; STEPS], [[0.0; LANES]; STEPS]);
        let mut total = [0.0; LANES];
        for step in 0..STEPS {
            let u = (step as f32 + 0.5) / STEPS as f32;
            before[step] = total;
            for l in 0..LANES {
                let length = curve(l).tangent(u).length();
                per_step[step][l] = 1.0 / (length.max(1e-20) * STEPS as f32);
                total[l] += length;
            }
        }
        Self { before, per_step, total }
    }

    /// Length of the curve in that lane, m.
    pub fn metres(&self, lane: usize) -> f32 {
        self.total[lane] * (2.0 / STEPS as f32)
    }

    /// The parameters at which the shares `s` of the curves' lengths are reached; `s` itself on a curve without length,
    /// or where rings are not spaced evenly.
    ///
    /// Each step adds the part of it that is already behind: no search, so eight curves go through at once.
    #[inline(always)]
    pub fn parameters(&self, s: &Lane, even: &Lane) -> Lane {
        let mut u = [0.0; LANES];
        for (before, per_step) in self.before.iter().zip(&self.per_step) {
            for l in 0..LANES {
                u[l] += ((s[l] * self.total[l] - before[l]) * per_step[l]).clamp(0.0, 1.0 / STEPS as f32);
            }
        }
        for l in 0..LANES {
            u[l] = if self.total[l] > 1e-18 && even[l] > 0.0 { u[l] } else { s[l] };
        }
        u
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(curve: Bezier, s: f32) -> f32 {
        Lengths::new(|_| curve).parameters(&[s; LANES], &[1.0; LANES])[0]
    }

    #[test]
    fn rings_by_arc_length_are_evenly_spaced() {
        let curve = Bezier::new(Vec3::ZERO, Vec3::new(0.05, 0.2, 0.0), Vec3::new(0.3, 0.0, 0.0));
        let at = |i: usize| curve.point(parameter(curve, i as f32 / 20.0));
        let steps: Vec<f32> = (0..20).map(|i| at(i).distance(at(i + 1))).collect();
        let mean = steps.iter().sum::<f32>() / 20.0;
        let uneven = steps.iter().fold(0.0_f32, |worst, step| worst.max((step / mean - 1.0).abs()));
        // by parameter the same curve is 40 % uneven; what is left is the error of eight steps
        assert!(uneven < 0.1, "steps differ from their mean by {uneven}");
    }

    #[test]
    fn a_straight_even_curve_has_its_parameter_as_length() {
        let curve = Bezier::new(Vec3::ZERO, Vec3::X * 0.5, Vec3::X);
        for s in [0.0, 0.1, 0.25, 0.9, 1.0] {
            assert!((parameter(curve, s) - s).abs() < 1e-6);
        }
    }

    #[test]
    fn a_curve_without_length_still_has_parameters() {
        assert_eq!(parameter(Bezier::new(Vec3::ONE, Vec3::ONE, Vec3::ONE), 0.3), 0.3);
    }
}
