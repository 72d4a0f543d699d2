//! Paths: the curve a muscle follows, and where its rings sit on it.
//!
//! ```text
//! p(u) = (1−u)² P_org + 2u(1−u) P_mid + u² P_ins          p′(u)/2 = (1−u)(P_mid − P_org) + u (P_ins − P_mid)
//! ```
//!
//! Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, section 3.1.

use super::frame;
use super::lanes::LANES;
use super::muscles::MuscleTable;
use crate::musculature::FrameRule;
use glam::{Mat3, Vec3};

/// P_const of every muscle: the chord's midpoint plus its offset in the chord's frame, metres, model space.
///
/// The chord's frame is carried and turned like a ring's, so a muscle that curves over a joint goes on doing so.
pub fn anchors(muscles: &MuscleTable, turn: &[Mat3], origin: &[Vec3], insertion: &[Vec3], anchor: &mut [Vec3]) {
    for m in 0..muscles.len() {
        let turn = &turn[usize::from(muscles.origin_joint[m])];
        let carried = *turn * muscles.chord[m];
        let x = frame::unit_or(insertion[m] - origin[m], 1e-6 * muscles.rest_length[m], carried);
        let y = frame::turn_onto(carried, x, *turn * muscles.chord_b[m]);
        let y = match muscles.rule[m] {
            FrameRule::Carried => y,
            FrameRule::Lee => frame::lee(x, *turn * muscles.up[m], y),
        };
        let offset = muscles.offset[m];
        anchor[m] = (origin[m] + insertion[m]) * 0.5 + x * offset.x + y * offset.y + x.cross(y) * offset.z;
    }
}

/// A quadratic Bezier curve.
#[derive(Clone, Copy, Debug)]
pub struct Bezier {
    origin: Vec3,
    first: Vec3,
    second: Vec3,
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

    /// Length up to the end of each of [`LANES`] equal steps of `u`, by the midpoint rule.
    ///
    /// Eight steps put rings within 1 % of the belly's length of where they belong; nobody sees more.
    #[inline(always)]
    pub fn lengths(&self) -> [f32; LANES] {
        let mut lengths = [0.0; LANES];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = self.tangent((i as f32 + 0.5) / LANES as f32).length();
        }
        for i in 1..LANES {
            lengths[i] += lengths[i - 1];
        }
        lengths
    }
}

/// The parameter at which the share `s` of the curve's length is reached; `s` itself on a curve without length.
#[inline(always)]
pub fn parameter_at(lengths: &[f32; LANES], s: f32) -> f32 {
    let wanted = s * lengths[LANES - 1];
    let step = lengths[..LANES - 1].iter().map(|&l| usize::from(l < wanted)).sum::<usize>();
    let before = if step == 0 { 0.0 } else { lengths[step - 1] };
    let here = lengths[step] - before;
    if here > 1e-20 { (step as f32 + (wanted - before) / here) / LANES as f32 } else { s }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_by_arc_length_are_evenly_spaced() {
        let curve = Bezier::new(Vec3::ZERO, Vec3::new(0.05, 0.2, 0.0), Vec3::new(0.3, 0.0, 0.0));
        let lengths = curve.lengths();
        let total = lengths[LANES - 1] / LANES as f32 * 2.0;
        let at = |s: f32| curve.point(parameter_at(&lengths, s));
        for i in 0..20 {
            let (s0, s1) = (i as f32 / 20.0, (i + 1) as f32 / 20.0);
            let step = (at(s1) - at(s0)).length();
            assert!((step * 20.0 / total - 1.0).abs() < 0.12, "step {i} is {step}, even would be {}", total / 20.0);
        }
    }

    #[test]
    fn a_straight_even_curve_has_its_parameter_as_length() {
        let curve = Bezier::new(Vec3::ZERO, Vec3::X * 0.5, Vec3::X);
        let lengths = curve.lengths();
        for s in [0.0, 0.1, 0.25, 0.9, 1.0] {
            assert!((parameter_at(&lengths, s) - s).abs() < 1e-6);
        }
    }

    #[test]
    fn a_curve_without_length_still_has_parameters() {
        let curve = Bezier::new(Vec3::ONE, Vec3::ONE, Vec3::ONE);
        assert_eq!(parameter_at(&curve.lengths(), 0.3), 0.3);
    }
}
