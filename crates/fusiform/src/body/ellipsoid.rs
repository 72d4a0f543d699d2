//! Ellipsoids: the one that each belly fills, now (E2) and at rest, carried by its bone (E).
//!
//! ```text
//! centre  (A + Z)/2 + 2/3 (p(1/2) − (A + Z)/2)         A, Z the belly's ends: the centroid of a bent belly
//! x       (Z − A)/2, never shorter than 5 % of rest
//! y, z    b and c of a ring that stands on it, times the section's half-axes, times what the contraction makes of them
//! ```
//!
//! An ellipsoid is the matrix that takes the unit sphere to it. Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy
//! Based Character Rigging*, 2005, section 3.2 and 4.2.

use super::attach::Rows;
use super::contract::{Growth, LENGTH_FLOOR};
use super::displace::MuscleRecord;
use super::frame;
use crate::musculature::FrameRule;
use glam::{Affine3A, Mat3, Mat3A, Vec2, Vec3, Vec3A};

/// Both ends of a belly and its middle, metres, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spine {
    pub start: Vec3,
    pub middle: Vec3,
    pub end: Vec3,
}

/// A belly's ellipsoid at bind; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestEllipsoid {
    pub carrier: usize,     // index of the joint that carries it
    pub model: Affine3A,    // model space at bind
    pub carrier_axes: Mat3, // rotation of that joint at bind
    x: Vec3,                // unit, from start to end
    b: Vec3,                // unit, at right angles to it
    half: f32,              // m: half the belly's chord
    section: Vec2,          // m: half-axes along b and c
    shortest: f32,          // m: anything shorter has no direction
    spine: Spine,           // m, model space at bind
}

impl RestEllipsoid {
    /// Of a belly whose chord's frame (unit chord, b) is that; half-axes below `thinnest` count as that.
    pub fn new(
        spine: &Spine,
        (chord, chord_b): (Vec3, Vec3),
        up: Vec3,
        section: Vec2,
        (shortest, thinnest): (f32, f32),
        (carrier, carrier_axes): (usize, Mat3),
    ) -> Self {
        let x = frame::unit_or(spine.end - spine.start, shortest, chord);
        let b = frame::at_bind(x, up, (chord, chord_b));
        let half = (0.5 * spine.start.distance(spine.end)).max(thinnest);
        let section = section.max(Vec2::splat(thinnest));
        let model = matrix(spine, x, b, half, section);
        Self { carrier, model, carrier_axes, x, b, half, section, shortest, spine: *spine }
    }

    /// E2: the ellipsoid of the belly as it runs now; its chord has turned by `turn` since bind.
    pub fn now(&self, spine: &Spine, turn: &Mat3, rule: FrameRule, up: Vec3, grown: Vec2) -> Affine3A {
        let (x, b) = self.axes(spine, turn, rule, up);
        let half = (0.5 * spine.start.distance(spine.end)).max(LENGTH_FLOOR * self.half);
        matrix(spine, x, b, half, self.section * grown)
    }

    /// What layers are told of the belly as it runs now.
    pub fn record(&self, spine: &Spine, turn: &Mat3, rule: FrameRule, up: Vec3, growth: Growth) -> MuscleRecord {
        record(spine, self.axes(spine, turn, rule, up), growth)
    }

    /// The same at bind.
    pub fn bind_record(&self) -> MuscleRecord {
        record(&self.spine, (self.x, self.b), Growth::NONE)
    }

    /// Unit along the belly and across it, toward the up-vector.
    fn axes(&self, spine: &Spine, turn: &Mat3, rule: FrameRule, up: Vec3) -> (Vec3, Vec3) {
        let carried = *turn * self.x;
        let x = frame::unit_or(spine.end - spine.start, self.shortest, carried);
        let mut b = frame::turn_onto(carried, x, *turn * self.b);
        if rule == FrameRule::Lee {
            b = frame::lee(x, up, b);
        }
        (x, b)
    }

    /// E: the ellipsoid at rest where its bone has it now, and the way back into its space. A bone that is squashed flat
    /// carries it by its turn alone.
    pub fn carried(&self, rows: &Rows, turn: &Mat3) -> (Affine3A, Affine3A) {
        let m = rows;
        let linear = Mat3A::from_cols_array(&[m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]]);
        let moved = Vec3A::new(m[3], m[7], m[11]);
        let volume = linear.x_axis.length() * linear.y_axis.length() * linear.z_axis.length();
        if linear.determinant().abs() > 1e-4 * volume {
            let rest = Affine3A { matrix3: linear, translation: moved } * self.model;
            let inverse = rest.inverse();
            if rest.is_finite() && inverse.is_finite() {
                return (rest, inverse);
            }
        }
        let rest = Affine3A { matrix3: Mat3A::from(*turn), translation: moved } * self.model;
        (rest, rest.inverse())
    }
}

fn record(spine: &Spine, (x, b): (Vec3, Vec3), growth: Growth) -> MuscleRecord {
    let off = spine.middle - (spine.start + spine.end) * 0.5;
    MuscleRecord { start: spine.start, chord: spine.end - spine.start, bend: off - x * x.dot(off), b, growth }
}

fn matrix(spine: &Spine, x: Vec3, b: Vec3, half: f32, section: Vec2) -> Affine3A {
    let between = (spine.start + spine.end) * 0.5;
    let center = between + (spine.middle - between) * (2.0 / 3.0);
    let axes = Mat3::from_cols(x * half, b * section.x, x.cross(b) * section.y);
    Affine3A::from_mat3_translation(axes, center)
}
