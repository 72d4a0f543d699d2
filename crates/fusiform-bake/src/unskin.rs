//! A solved frame back to bind space: what joints alone leave over.
//!
//! A player skins linearly, `x = A (v + r) + t` with `A v + t = sum_i w_i S_i v` and `S_i = M_i B_i^-1`, so the morph
//! that brings a vertex to its solved place is `r = A^-1 (x - (A v + t))`. The blend is summed as the identity plus
//! `sum_i w_i (S_i - 1)`: in the bind pose it is the identity to the bit, whatever the weights sum to.

use crate::error::{BakeError, check_length};
use fusiform::SparseWeights;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use rayon::prelude::*;

/// Vertices a thread takes at a time.
const CHUNK: usize = 1024;

/// Smallest singular value of a blend that is inverted as it is.
const SOUND: f32 = 0.1;

/// The `max_influences` largest weights of every vertex, scaled to sum to 1: what a player reads. Among equals the one
/// listed first stays. A vertex without weight follows joint 0.
#[must_use]
pub fn exported_weights(weights: &SparseWeights, max_influences: usize) -> SparseWeights {
    let mut exported = SparseWeights::default();
    let mut largest: Vec<(u16, f32)> = Vec::new();
    for vertex in 0..weights.len() {
        largest.clear();
        largest.extend(weights.of(vertex).filter(|&(_, weight)| weight > 0.0));
        largest.sort_by(|a, b| b.1.total_cmp(&a.1));
        largest.truncate(max_influences.max(1));
        let sum: f32 = largest.iter().map(|&(_, weight)| weight).sum();
        if sum > 0.0 && sum.is_finite() {
            exported.push_vertex(largest.iter().map(|&(joint, weight)| (joint, weight / sum)));
        } else {
            exported.push_vertex([(0, 1.0)]);
        }
    }
    exported
}

/// Take the `solved` skin of one frame back to bind space and subtract the bind skin. `since_bind` is every joint's
/// matrix now times its bind matrix's inverse, `weights` are those of the exported file. Returns for how many vertices
/// the blend was so nearly flat that a damped inverse was used: there an error remains.
///
/// # Errors
/// When lengths differ, a weight points at no joint, or a position or matrix is not finite. The frame in the error is
/// always 0: the caller knows which it is.
pub fn unskin(
    bind: &[Vec3],
    weights: &SparseWeights,
    since_bind: &[Affine3A],
    solved: &[Vec3],
    residual: &mut [Vec3],
) -> Result<usize, BakeError> {
    check_skin(bind, weights, since_bind.len())?;
    check_length("the solved skin", solved.len(), bind.len())?;
    check_length("the residual", residual.len(), bind.len())?;
    check_joints(since_bind)?;
    let damped = residual.par_chunks_mut(CHUNK).enumerate().map(|(chunk, residual)| {
        let first = chunk * CHUNK;
        unskin_some(bind, weights, since_bind, solved, first, residual)
    });
    let damped = damped.sum();
    check_residual(residual)?;
    Ok(damped)
}

/// [`unskin`] on the calling thread alone, where the weights are known to be those of this skin.
pub fn unskin_frame(
    bind: &[Vec3],
    weights: &SparseWeights,
    since_bind: &[Affine3A],
    solved: &[Vec3],
    residual: &mut [Vec3],
) -> Result<usize, BakeError> {
    check_joints(since_bind)?;
    let damped = unskin_some(bind, weights, since_bind, solved, 0, residual);
    check_residual(residual)?;
    Ok(damped)
}

fn check_joints(since_bind: &[Affine3A]) -> Result<(), BakeError> {
    match since_bind.iter().position(|matrix| !matrix.is_finite()) {
        Some(joint) => Err(BakeError::JointNotFinite { frame: 0, joint }),
        None => Ok(()),
    }
}

fn check_residual(residual: &[Vec3]) -> Result<(), BakeError> {
    match residual.iter().position(|r| !r.is_finite()) {
        Some(vertex) => Err(BakeError::NotFinite { what: "the solved position", frame: 0, vertex }),
        None => Ok(()),
    }
}

/// The residuals of the vertices from `first` on; returns how many blends were damped.
fn unskin_some(
    bind: &[Vec3],
    weights: &SparseWeights,
    since_bind: &[Affine3A],
    solved: &[Vec3],
    first: usize,
    residual: &mut [Vec3],
) -> usize {
    let mut damped = 0;
    for (vertex, r) in (first..).zip(residual) {
        let blend = since_identity(weights, vertex, since_bind);
        let moved = solved[vertex] - skinned(&blend, bind[vertex]);
        let (back, is_damped) = taken_back(blend.matrix3 + Mat3A::IDENTITY, moved.into());
        damped += usize::from(is_damped);
        *r = Vec3::from(back);
    }
    damped
}

/// The weights must be those of this skin and these joints.
pub fn check_skin(bind: &[Vec3], weights: &SparseWeights, n_joint: usize) -> Result<(), BakeError> {
    check_length("the vertex weights", weights.len(), bind.len())?;
    for vertex in 0..weights.len() {
        if let Some((joint, _)) = weights.of(vertex).find(|&(joint, _)| usize::from(joint) >= n_joint) {
            return Err(BakeError::NoSuchJoint { vertex, joint: usize::from(joint), n_joint });
        }
    }
    Ok(())
}

/// `sum_i w_i (S_i - 1)`.
pub fn since_identity(weights: &SparseWeights, vertex: usize, since_bind: &[Affine3A]) -> Affine3A {
    let mut blend = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    for (joint, weight) in weights.of(vertex) {
        let matrix = &since_bind[usize::from(joint)];
        blend.matrix3 += (matrix.matrix3 - Mat3A::IDENTITY) * weight;
        blend.translation += matrix.translation * weight;
    }
    blend
}

/// Where a player puts a point, given [`since_identity`].
pub fn skinned(since_identity: &Affine3A, point: Vec3) -> Vec3 {
    point + since_identity.transform_point3(point)
}

/// What a blend takes to `moved`, and whether its inverse had to be damped: `A^T (A A^T + l^2)^-1` with
/// `l = 0.1 (1 - s / 0.1)`, which meets the plain inverse where the smallest singular value `s` is 0.1 (Nakamura and
/// Hanafusa 1986, *Inverse kinematic solutions with singularity robustness for robot manipulator control*).
fn taken_back(blend: Mat3A, moved: Vec3A) -> (Vec3A, bool) {
    let Mat3A { x_axis: x, y_axis: y, z_axis: z } = blend;
    let square = x.length_squared() + y.length_squared() + z.length_squared();
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let volume = x.dot(yz);
    // s1 s2 <= (s1^2 + s2^2) / 2 <= square / 2, so volume / (square / 2) is a floor of s3: most blends stop here.
    let is_sound = volume.abs() >= SOUND * 0.5 * square && volume != 0.0;
    let smallest = if is_sound { SOUND } else { smallest_singular_value(blend) };
    if smallest >= SOUND {
        // Cramer's rule
        return (Vec3A::new(yz.dot(moved), zx.dot(moved), xy.dot(moved)) / volume, false);
    }
    let damping = SOUND - smallest;
    let floor = Mat3A::from_diagonal(Vec3::splat(damping * damping));
    (blend.transpose() * ((blend * blend.transpose() + floor).inverse() * moved), true)
}

/// Root of the smallest eigenvalue of `A A^T`, by the trigonometric formula (Smith 1961, *Eigenvalues of a symmetric
/// 3 x 3 matrix*), in f64: the answer is a difference of large numbers.
fn smallest_singular_value(a: Mat3A) -> f32 {
    let s = (a * a.transpose()).as_dmat3();
    let mean = (s.x_axis.x + s.y_axis.y + s.z_axis.z) / 3.0;
    let b = s - glam::DMat3::from_diagonal(glam::DVec3::splat(mean));
    let spread = (b.x_axis.length_squared() + b.y_axis.length_squared() + b.z_axis.length_squared()) / 6.0;
    let radius = spread.sqrt();
    if radius <= f64::EPSILON * mean {
        return mean.max(0.0).sqrt() as f32;
    }
    let cosine = (b.determinant() / (2.0 * radius * spread)).clamp(-1.0, 1.0);
    let third_turn = 2.0 * std::f64::consts::FRAC_PI_3;
    let smallest = mean + 2.0 * radius * libm::cos(libm::acos(cosine) / 3.0 + third_turn);
    smallest.max(0.0).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;

    /// Where a player puts the skin: the bind skin and its `residual` through the blended joints.
    fn reskin(bind: &[Vec3], weights: &SparseWeights, since_bind: &[Affine3A], residual: &[Vec3], skin: &mut [Vec3]) {
        for (v, x) in skin.iter_mut().enumerate() {
            *x = skinned(&since_identity(weights, v, since_bind), bind[v] + residual[v]);
        }
    }

    fn strip(n: usize) -> (Vec<Vec3>, SparseWeights) {
        let mut weights = SparseWeights::default();
        let bind = (0..n).map(|i| Vec3::new(i as f32 / n as f32, 0.3, (i % 7) as f32 * 0.1)).collect();
        for i in 0..n {
            let share = i as f32 / n as f32;
            weights.push_vertex([(0, 1.0 - share), (1, share)]);
        }
        (bind, weights)
    }

    #[test]
    fn in_the_bind_pose_the_residual_is_zero_to_the_bit_whatever_the_weights_sum_to() {
        let (bind, mut weights) = strip(2000);
        weights.weight.iter_mut().for_each(|w| *w *= 0.999);
        let mut residual = vec![Vec3::NAN; bind.len()];
        let damped = unskin(&bind, &weights, &[Affine3A::IDENTITY; 2], &bind, &mut residual);
        assert_eq!(damped, Ok(0));
        assert!(residual.iter().all(|&r| r == Vec3::ZERO));
    }

    #[test]
    fn a_blend_folded_flat_is_damped_and_counted() {
        let bind = [Vec3::new(0.1, 0.2, 0.3)];
        let mut weights = SparseWeights::default();
        weights.push_vertex([(0, 0.5), (1, 0.5)]);
        let half_turn = Affine3A::from_rotation_x(std::f32::consts::PI);
        let mut residual = [Vec3::ZERO];
        let solved = [Vec3::new(0.1, 0.05, 0.0)];
        assert_eq!(unskin(&bind, &weights, &[Affine3A::IDENTITY, half_turn], &solved, &mut residual), Ok(1));
        assert!(residual[0].length() < 10.0, "bounded: {residual:?}");
    }

    #[test]
    fn what_is_not_finite_or_points_nowhere_is_refused() {
        let (bind, weights) = strip(3);
        let mut residual = vec![Vec3::ZERO; 3];
        let mut solved = bind.clone();
        solved[1].y = f32::NAN;
        let still = [Affine3A::IDENTITY; 2];
        let error = unskin(&bind, &weights, &still, &solved, &mut residual);
        assert!(matches!(error, Err(BakeError::NotFinite { vertex: 1, .. })), "{error:?}");
        let error = unskin(&bind, &weights, &still[..1], &bind, &mut residual);
        assert!(matches!(error, Err(BakeError::NoSuchJoint { joint: 1, .. })), "{error:?}");
    }

    #[test]
    fn exported_weights_are_few_largest_and_sum_to_one() {
        let mut weights = SparseWeights::default();
        weights.push_vertex([(0, 0.1), (1, 0.3), (2, 0.05), (3, 0.3), (4, 0.25)]);
        weights.push_vertex([]);
        let exported = exported_weights(&weights, 3);
        assert_eq!(exported.index, [1, 3, 4, 0]);
        assert!((exported.weight[..3].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(exported.weight[3], 1.0);
    }

    proptest! {
        #[test]
        fn a_skin_taken_back_and_posed_again_is_where_it_was(
            turn in prop::array::uniform4(-1.0f32..1.0), shift in prop::array::uniform3(-1.0f32..1.0),
            push in prop::array::uniform3(-0.1f32..0.1),
        ) {
            let (bind, weights) = strip(50);
            let turn = Quat::from_array(turn).normalize() .slerp(Quat::IDENTITY, 0.5);
            prop_assume!(turn.is_finite());
            let pose = [Affine3A::IDENTITY, Affine3A::from_rotation_translation(turn, Vec3::from(shift))];
            let mut solved = vec![Vec3::ZERO; 50];
            reskin(&bind, &weights, &pose, &[Vec3::from(push); 50], &mut solved);
            let (mut residual, mut again) = (vec![Vec3::ZERO; 50], vec![Vec3::ZERO; 50]);
            let damped = unskin(&bind, &weights, &pose, &solved, &mut residual);
            prop_assert!(damped.is_ok());
            reskin(&bind, &weights, &pose, &residual, &mut again);
            if damped == Ok(0) {
                for (a, b) in solved.iter().zip(&again) {
                    prop_assert!(a.distance(*b) < 1e-5, "{a} {b}");
                }
            }
        }

        #[test]
        fn the_smallest_singular_value_is_that_of_the_factors(
            stretch in prop::array::uniform3(0.0f32..1.0), a in 0.0f32..3.0, b in 0.0f32..3.0,
        ) {
            let turns = (Mat3A::from_rotation_x(a), Mat3A::from_rotation_z(b));
            let matrix = turns.0 * Mat3A::from_diagonal(Vec3::from(stretch)) * turns.1;
            let smallest = stretch.into_iter().fold(f32::MAX, f32::min);
            prop_assert!((smallest_singular_value(matrix) - smallest).abs() < 1e-3);
        }
    }
}
