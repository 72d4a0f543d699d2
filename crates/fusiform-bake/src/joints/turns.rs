//! The rigid motion of every helper in every frame, weights given.
//!
//! One helper after the other: with `q_v = A_p^-1 (x_v - (all other influences) - w_v t_p)` what is left for helper h,
//! seen from its parent `S_p = (A_p, t_p)`, the rigid `L v = R (v - c) + d` that minimises `sum_v |w_v L v - q_v|^2` has
//!
//! ```text
//! c = sum w^2 v / sum w^2      d = sum w q / sum w^2      R = argmax tr(R^T sum w q (v - c)^T)
//! ```
//!
//! (Le and Deng 2012, section 4.2). R is the unit quaternion of the largest eigenvalue of a 4 x 4 matrix, never a
//! reflection (Horn 1987, *Closed-form solution of absolute orientation using unit quaternions*).

use super::{Helpers, Sequence, SweepError};
use crate::watch::{Heard, Stopped};
use glam::{Affine3A, DMat3, DQuat, DVec3, Quat, Vec3};
use rayon::prelude::*;

/// How strongly a turn is held to none, as a share of the vertices' own spread: decides where vertices in a line leave
/// a turn open.
const HELD: f64 = 1e-3;

/// Frames after which it is asked whether to go on.
const FRAMES: usize = 32;

/// Vertices of one helper and their weights.
type Members = Vec<(u32, f32)>;

/// Fit every helper in every frame; returns the errors there are then.
pub fn fit(sequence: &Sequence, helpers: &mut Helpers, heard: Heard) -> Result<SweepError, Stopped> {
    let n_helper = helpers.parents.len();
    let mut members: Vec<Members> = vec![Vec::new(); n_helper];
    for vertex in 0..sequence.bind.len() {
        for (joint, weight) in helpers.weights.of(vertex).filter(|&(joint, _)| usize::from(joint) >= sequence.n_joint) {
            members[usize::from(joint) - sequence.n_joint].push((vertex as u32, weight));
        }
    }
    for (centre, members) in helpers.centres.iter_mut().zip(&members) {
        *centre = middle(sequence.bind, members).unwrap_or(*centre);
    }
    let (n_frame, mut fitted) = (sequence.n_frame(), Vec::<(Vec<Affine3A>, f32, f64)>::new());
    for first in (0..n_frame).step_by(FRAMES) {
        heard()?;
        let frames = (first..n_frame.min(first + FRAMES)).into_par_iter();
        fitted.par_extend(frames.map(|frame| fit_frame(sequence, helpers, &members, frame)));
    }
    let (mut max, mut sum) = (0.0f32, 0.0);
    helpers.own.clear();
    for (own, frame_max, frame_sum) in fitted {
        helpers.own.extend(own);
        max = max.max(frame_max);
        sum += frame_sum;
    }
    let rms = (sum / sequence.solved.len().max(1) as f64).sqrt() as f32;
    Ok(SweepError { max: max.sqrt(), rms })
}

fn middle(bind: &[Vec3], members: &[(u32, f32)]) -> Option<Vec3> {
    let sum: f32 = members.iter().map(|(_, w)| w * w).sum();
    (sum > 0.0).then(|| members.iter().map(|&(v, w)| bind[v as usize] * (w * w)).sum::<Vec3>() / sum)
}

/// Every helper's motion in that frame, the largest squared error and the sum of squares.
fn fit_frame(sequence: &Sequence, helpers: &Helpers, members: &[Members], frame: usize) -> (Vec<Affine3A>, f32, f64) {
    let (joints, solved) = (sequence.joints(frame), sequence.skin(frame));
    let all = helpers.all_joints(sequence, frame);
    let skinned = |(vertex, v): (usize, &Vec3)| {
        helpers.weights.of(vertex).map(|(joint, w)| all[usize::from(joint)].transform_point3(*v) * w).sum::<Vec3>()
    };
    let mut error: Vec<Vec3> = sequence.bind.iter().enumerate().map(skinned).zip(solved).map(|(p, x)| *x - p).collect();
    let mut own = helpers.own_of(frame).to_vec();
    let is_rest = sequence.is_rest(frame);
    for (h, members) in members.iter().enumerate() {
        let parent = &joints[usize::from(helpers.parents[h])];
        let before = *parent * own[h];
        own[h] = if is_rest { Affine3A::IDENTITY } else { rigid(sequence.bind, members, &error, parent, &before) };
        let after = *parent * own[h];
        for &(v, w) in members {
            let bind = sequence.bind[v as usize];
            error[v as usize] += (before.transform_point3(bind) - after.transform_point3(bind)) * w;
        }
    }
    let max = error.iter().map(|e| e.length_squared()).fold(0.0, f32::max);
    (own, max, error.iter().map(|e| f64::from(e.length_squared())).sum())
}

/// The helper's best motion under its parent; `before` is its matrix since bind that `error` was measured with.
fn rigid(bind: &[Vec3], members: &[(u32, f32)], error: &[Vec3], parent: &Affine3A, before: &Affine3A) -> Affine3A {
    let from_parent = parent.inverse();
    if !from_parent.is_finite() {
        return Affine3A::IDENTITY;
    }
    let pairs = members.iter().map(|&(v, w)| {
        let (v, e) = (bind[v as usize], error[v as usize]);
        // q / w, as a point: a whole-weight place the helper should carry v to
        let wished = before.transform_point3(v) + e / w;
        (f64::from(w) * f64::from(w), v.as_dvec3(), from_parent.transform_point3(wished).as_dvec3())
    });
    procrustes(pairs)
}

/// The rigid motion that carries each weighted point nearest to where it is wished; the identity without points.
pub fn procrustes(pairs: impl Iterator<Item = (f64, DVec3, DVec3)> + Clone) -> Affine3A {
    let (mut sum, mut from, mut to) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (w, v, q) in pairs.clone() {
        sum += w;
        from += w * v;
        to += w * q;
    }
    if sum <= 0.0 {
        return Affine3A::IDENTITY;
    }
    (from, to) = (from / sum, to / sum);
    let (mut product, mut spread) = (DMat3::ZERO, 0.0);
    for (w, v, q) in pairs {
        let arm = v - from;
        let pull = w * (q - to);
        product += DMat3::from_cols(pull * arm.x, pull * arm.y, pull * arm.z);
        spread += w * arm.length_squared();
    }
    let turn = nearest_turn(&(product + DMat3::from_diagonal(DVec3::splat(HELD * spread / 3.0 + f64::MIN_POSITIVE))));
    let shift = to - turn * from;
    Affine3A::from_rotation_translation(
        Quat::from_xyzw(turn.x as f32, turn.y as f32, turn.z as f32, turn.w as f32).normalize(),
        shift.as_vec3(),
    )
}

/// The turn R of largest `tr(R^T m)`.
fn nearest_turn(m: &DMat3) -> DQuat {
    let s = m.transpose().to_cols_array_2d().map(DVec3::from); // columns of m^T are rows of m: s[b][a] = m_ba
    let at = |a: usize, b: usize| s[b][a]; // S_ab = sum v_a q_b
    let (xx, yy, zz) = (at(0, 0), at(1, 1), at(2, 2));
    let (x, y, z) = (at(1, 2) - at(2, 1), at(2, 0) - at(0, 2), at(0, 1) - at(1, 0));
    let (xy, yz, zx) = (at(0, 1) + at(1, 0), at(1, 2) + at(2, 1), at(2, 0) + at(0, 2));
    let horn =
        [[xx + yy + zz, x, y, z], [x, xx - yy - zz, xy, zx], [y, xy, yy - xx - zz, yz], [z, zx, yz, zz - xx - yy]];
    let [w, x, y, z] = largest_eigenvector(horn);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// By Jacobi's rotations, which are exact enough after a handful of rounds.
fn largest_eigenvector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    let mut vectors = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let size: f64 = a.iter().flatten().map(|x| x * x).sum();
    for _ in 0..16 {
        let off: f64 = (0..4).flat_map(|i| (0..i).map(move |k| (i, k))).map(|(i, k)| a[i][k] * a[i][k]).sum();
        if off <= 1e-30 * size {
            break;
        }
        for p in 0..3 {
            for q in p + 1..4 {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..4 {
                    (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]);
                }
                for k in 0..4 {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                    (vectors[k][p], vectors[k][q]) =
                        (c * vectors[k][p] - s * vectors[k][q], s * vectors[k][p] + c * vectors[k][q]);
                }
            }
        }
    }
    let largest = (1..4).fold(0, |best, i| if a[i][i] > a[best][best] { i } else { best });
    [0, 1, 2, 3].map(|k| vectors[k][largest])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn points_moved_rigidly_give_their_motion_back(
            turn in prop::array::uniform4(-1.0f64..1.0), shift in prop::array::uniform3(-1.0f64..1.0),
        ) {
            let turn = DQuat::from_array(turn);
            prop_assume!(turn.length() > 0.1);
            // away from half a turn, where holding it to none and the data pull against each other
            let turn = turn.normalize().slerp(DQuat::IDENTITY, 0.3);
            let shift = DVec3::from(shift);
            let points: Vec<DVec3> = (0..20).map(|i| {
                let i = f64::from(i);
                DVec3::new((i * 0.7) % 1.0, (i * 0.31) % 1.0, (i * 0.13) % 1.0)
            }).collect();
            let found = procrustes(points.iter().map(|&p| (0.5, p, turn * p + shift)));
            for &p in &points {
                let there = found.transform_point3(p.as_vec3());
                prop_assert!(there.distance((turn * p + shift).as_vec3()) < 5e-3, "{there}");
            }
        }
    }

    #[test]
    fn mirrored_points_give_a_turn_and_no_reflection() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
        let found = procrustes(points.iter().map(|&p| (1.0, p, DVec3::new(-p.x, p.y, p.z))));
        assert!((found.matrix3.determinant() - 1.0).abs() < 1e-5);
    }
}
