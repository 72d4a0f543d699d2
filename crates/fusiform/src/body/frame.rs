//! Frames: how a ring stands around its tangent without twisting (Lee eq. 1-3).
//!
//! ```text
//! bind     a = p′/|p′|    c = a × v / |a × v|    b = c × a         v the up-vector
//! carried  b = C·b₀ turned by the smallest rotation that takes C·a₀ to a         C the chord's turn since bind:
//!          the origin joint's, then the smallest rotation that takes the chord it carries to the chord as it is
//! ```
//!
//! Lee, Ashraf: *Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation*, 2007, section 3.2. The carried
//! frame is ours: it needs no history, equals the paper's at bind, and is singular only where the chord has turned by
//! 180 degrees against its joint, or a tangent against its chord. All rings share the chord's turn, so that a muscle
//! that swings far never twists along its length.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Below this |a × v| the paper's frame is about to flip; from twice of it on it is used alone.
const FLIP: f32 = 0.1;

/// `b` (at right angles to `from`) after the smallest rotation that takes `from` to `to`, all of unit length.
///
/// ```text
/// b′ = b − (b·to) / (1 + from·to) (from + to)
/// ```
///
/// The floor under the divisor keeps it finite at a half turn, where the axis is anybody's choice: `b` then stays.
#[inline(always)]
pub fn turn_onto(from: Vec3, to: Vec3, b: Vec3) -> Vec3 {
    let turned = b - (from + to) * (b.dot(to) / (1.0 + from.dot(to)).max(1e-4));
    orthonormal(turned, to)
}

/// `b` made unit length and at right angles to the unit vector `a`; finite for any finite input.
#[inline(always)]
fn orthonormal(b: Vec3, a: Vec3) -> Vec3 {
    let b = b - a * a.dot(b);
    b * (1.0 / b.length_squared().max(1e-20).sqrt())
}

/// `v` with length one, or `otherwise` where it is shorter than `floor`.
#[inline(always)]
pub fn unit_or(v: Vec3, floor: f32, otherwise: Vec3) -> Vec3 {
    let square = v.length_squared();
    let scale = 1.0 / square.max(1e-38).sqrt();
    if square > floor * floor { v * scale } else { otherwise }
}

/// The paper's b axis for tangent `a` and up-vector `v`, giving way to the carried one where it would flip.
#[inline(always)]
pub fn lee(a: Vec3, v: Vec3, carried: Vec3) -> Vec3 {
    let c = a.cross(v);
    let length = c.length();
    let b = c.cross(a) * (1.0 / length.max(FLIP));
    let t = ((length - FLIP) / FLIP).clamp(0.0, 1.0);
    let mixed = carried + (b - carried) * (t * t * (3.0 - 2.0 * t));
    // opposite axes may cancel half-way: the carried one then stands
    let mixed = if mixed.length_squared() > 1e-4 { mixed } else { carried };
    orthonormal(mixed, a)
}

/// How a joint has turned since bind, without its scale: Gram-Schmidt on the columns of M B⁻¹.
pub fn turn_of(model_from_bind: &Affine3A) -> Mat3A {
    let m = model_from_bind.matrix3;
    let x = m.x_axis.normalize_or(Vec3A::X);
    let y = (m.y_axis - x * x.dot(m.y_axis)).normalize_or(x.any_orthonormal_vector());
    Mat3A::from_cols(x, y, x.cross(y))
}

/// The bind frame's b axis by the paper's equations; `fallback` (a unit tangent and its b) where the tangent runs
/// along the up-vector.
pub fn at_bind(a: Vec3, v: Vec3, fallback: (Vec3, Vec3)) -> Vec3 {
    let c = a.cross(v);
    if c.length() < FLIP { turn_onto(fallback.0, a, fallback.1) } else { orthonormal(c.cross(a), a) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit() -> impl Strategy<Value = Vec3> {
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_filter_map("too short", |(x, y, z)| {
            let v = Vec3::new(x, y, z);
            (v.length() > 0.1).then(|| v.normalize())
        })
    }

    proptest! {
        #[test]
        fn turning_is_the_smallest_rotation(from in unit(), to in unit(), any in unit()) {
            let b = from.cross(any);
            prop_assume!(b.length() > 0.1 && from.dot(to) > -0.99);
            let b = b.normalize();
            let wanted = glam::Quat::from_rotation_arc(from, to) * b;
            prop_assert!((turn_onto(from, to, b) - wanted).length() < 1e-4);
        }

        #[test]
        fn every_frame_is_orthonormal(from in unit(), to in unit(), v in unit()) {
            let b = turn_onto(from, to, from.any_orthonormal_vector());
            for b in [b, turn_onto(from, -from, from.any_orthonormal_vector()), lee(to, v, b)] {
                prop_assert!(b.is_finite() && (b.length() - 1.0).abs() < 1e-4);
            }
            prop_assert!(lee(to, v, b).dot(to).abs() < 1e-4);
        }
    }
}
