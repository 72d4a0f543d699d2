//! Weights of every vertex, all joints' motions given.
//!
//! With `d_fi = (where influence i carries v in frame f) - x_fv` and weights that sum to 1, the error is
//! `sum_i w_i d_fi`, so each vertex has a small problem of its own (Le and Deng 2012, section 4.1):
//!
//! ```text
//! minimise  w^T G w,   G_ik = sum_f d_fi . d_fk,   w >= 0,   sum w = 1
//! ```
//!
//! Solved by active sets over its own joints and the nearest helpers; then the largest few are kept and solved again.

use super::{Helpers, Sequence};
use crate::small::solve_positive;
use crate::watch::{Heard, Stopped};
use fusiform::SparseWeights;
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

/// Helpers that a vertex considers: the nearest ones, besides those it has.
const NEAREST: usize = 8;

/// Vertices a thread takes at a time.
const CHUNK: usize = 64;

/// Chunks after which it is asked whether to go on.
const CHUNKS: usize = 32;

/// Metres. Vertices that plain skinning has this right keep their weights.
const RIGHT: f32 = 2e-5;

/// Weight of an influence that is not worth keeping.
const SMALL: f64 = 1e-3;

/// New weights of all vertices, fitted to `frames`.
pub fn fit(
    sequence: &Sequence,
    helpers: &Helpers,
    plain: &SparseWeights,
    frames: &[usize],
    max_influences: usize,
    heard: Heard,
) -> Result<SparseWeights, Stopped> {
    let poses: Vec<Vec<Affine3A>> = frames.par_iter().map(|&frame| helpers.all_joints(sequence, frame)).collect();
    let skins: Vec<&[Vec3]> = frames.iter().map(|&frame| sequence.skin(frame)).collect();
    let one = |vertex: usize| fit_vertex(sequence, helpers, plain, (&poses, &skins), max_influences, vertex);
    let n_vertex = sequence.bind.len();
    let chunk = |chunk: usize| -> Vec<_> { (chunk * CHUNK..n_vertex.min((chunk + 1) * CHUNK)).map(one).collect() };
    let (n_chunk, mut weights) = (n_vertex.div_ceil(CHUNK), SparseWeights::default());
    for first in (0..n_chunk).step_by(CHUNKS) {
        heard()?;
        let some: Vec<Vec<_>> = (first..n_chunk.min(first + CHUNKS)).into_par_iter().map(chunk).collect();
        some.into_iter().flatten().for_each(|influences: Vec<(u16, f32)>| weights.push_vertex(influences));
    }
    Ok(weights)
}

fn fit_vertex(
    sequence: &Sequence,
    helpers: &Helpers,
    plain: &SparseWeights,
    (poses, skins): (&[Vec<Affine3A>], &[&[Vec3]]),
    max_influences: usize,
    vertex: usize,
) -> Vec<(u16, f32)> {
    let v = sequence.bind[vertex];
    let plain_error = |(pose, skin): (&Vec<Affine3A>, &&[Vec3])| {
        let there: Vec3 = plain.of(vertex).map(|(joint, w)| pose[usize::from(joint)].transform_point3(v) * w).sum();
        there.distance(skin[vertex])
    };
    if poses.iter().zip(skins).map(plain_error).fold(0.0, f32::max) <= RIGHT {
        return plain.of(vertex).collect();
    }
    let candidates = candidates(sequence, helpers, plain, vertex);
    let n = candidates.len();
    let mut g = vec![0.0; n * n];
    let mut d = vec![Vec3::ZERO; n];
    for (pose, skin) in poses.iter().zip(skins) {
        for (d, &joint) in d.iter_mut().zip(&candidates) {
            *d = pose[usize::from(joint)].transform_point3(v) - skin[vertex];
        }
        for i in 0..n {
            for k in 0..=i {
                g[i * n + k] += f64::from(d[i].dot(d[k]));
            }
        }
    }
    for i in 0..n {
        for k in 0..i {
            g[k * n + i] = g[i * n + k];
        }
    }
    let found = few(&g, n, max_influences.max(1));
    let mut now = vec![0.0; n];
    for (joint, weight) in helpers.weights.of(vertex) {
        candidates.iter().position(|&c| c == joint).into_iter().for_each(|i| now[i] = f64::from(weight));
    }
    // leaving influences out can cost more than the better weights bring: never go back
    if energy(&g, &now) <= energy(&g, &found) {
        return helpers.weights.of(vertex).collect();
    }
    candidates.into_iter().zip(found).filter(|&(_, w)| w > 0.0).map(|(joint, w)| (joint, w as f32)).collect()
}

/// The best weights on the simplex with at most `most` influences: the smallest one goes until they are so few.
fn few(g: &[f64], n: usize, most: usize) -> Vec<f64> {
    let mut kept: Vec<usize> = (0..n).collect();
    loop {
        let m = kept.len();
        let part: Vec<f64> = (0..m * m).map(|i| g[kept[i / m] * n + kept[i % m]]).collect();
        let found = on_simplex(&part, m);
        let mut used: Vec<usize> = (0..m).filter(|&i| found[i] > SMALL).collect();
        if used.len() == m && m <= most {
            let mut weights = vec![0.0; n];
            kept.iter().zip(found).for_each(|(&i, w)| weights[i] = w);
            return weights;
        }
        if used.len() > most {
            used.sort_by(|&a, &b| found[b].total_cmp(&found[a]));
            used.pop();
        }
        kept = used.into_iter().map(|i| kept[i]).collect();
    }
}

/// `w^T G w`.
fn energy(g: &[f64], w: &[f64]) -> f64 {
    let n = w.len();
    (0..n * n).map(|i| g[i] * w[i / n] * w[i % n]).sum()
}

/// The vertex's own joints, the helpers it has, and the nearest others.
fn candidates(sequence: &Sequence, helpers: &Helpers, plain: &SparseWeights, vertex: usize) -> Vec<u16> {
    let mut candidates: Vec<u16> = plain.of(vertex).map(|(joint, _)| joint).collect();
    candidates
        .extend(helpers.weights.of(vertex).map(|(joint, _)| joint).filter(|&j| usize::from(j) >= sequence.n_joint));
    let v = sequence.bind[vertex];
    let mut near: Vec<(f32, usize)> =
        helpers.centres.iter().map(|centre| centre.distance_squared(v)).zip(sequence.n_joint..).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, helper) in near.into_iter().take(NEAREST) {
        if !candidates.contains(&(helper as u16)) {
            candidates.push(helper as u16);
        }
    }
    candidates
}

/// `w >= 0`, summing to 1, of least `w^T G w`: active sets, from the best single influence on. Influences join while
/// that lowers the error; one that would turn negative leaves where it reaches 0 (Nocedal and Wright 2006, *Numerical
/// Optimization*, algorithm 16.3).
fn on_simplex(g: &[f64], n: usize) -> Vec<f64> {
    let mut weights = vec![0.0; n];
    let diagonal = |i: usize| g[i * n + i];
    let Some(best) = (0..n).reduce(|a, b| if diagonal(b) < diagonal(a) { b } else { a }) else { return weights };
    weights[best] = 1.0;
    let mut passive = vec![best];
    let ridge = 1e-9 * (0..n).map(diagonal).sum::<f64>() + f64::MIN_POSITIVE;
    for _ in 0..8 * n {
        let gradient = |i: usize| (0..n).map(|k| g[i * n + k] * weights[k]).sum::<f64>();
        let level = (0..n).map(|k| weights[k] * gradient(k)).sum::<f64>();
        let joins = (0..n).filter(|i| !passive.contains(i)).map(|i| (gradient(i), i));
        let Some((slope, join)) = joins.reduce(|a, b| if b.0 < a.0 { b } else { a }) else { break };
        if slope >= level - ridge {
            break;
        }
        passive.push(join);
        while !step(g, n, ridge, &mut passive, &mut weights) {}
    }
    weights
}

/// One step to the best weights of the passive set; false when one left it on the way.
fn step(g: &[f64], n: usize, ridge: f64, passive: &mut Vec<usize>, weights: &mut [f64]) -> bool {
    let m = passive.len();
    let mut h: Vec<f64> =
        passive.iter().flat_map(|&i| passive.iter().map(move |&k| (i, k))).map(|(i, k)| g[i * n + k]).collect();
    (0..m).for_each(|i| h[i * m + i] += ridge);
    let mut wished = vec![1.0; m];
    if !solve_positive(&mut h, m, &mut wished) {
        return true;
    }
    let sum: f64 = wished.iter().sum();
    wished.iter_mut().for_each(|w| *w /= sum);
    let leaves = |(slot, (&i, &w)): (usize, (&usize, &f64))| (w < 0.0).then(|| (weights[i] / (weights[i] - w), slot));
    let first = passive.iter().zip(&wished).enumerate().filter_map(leaves).reduce(|a, b| if b.0 < a.0 { b } else { a });
    let share = first.map_or(1.0, |(share, _)| share);
    for (&i, w) in passive.iter().zip(&wished) {
        weights[i] += share * (w - weights[i]);
    }
    if let Some((_, slot)) = first {
        weights[passive[slot]] = 0.0;
        passive.remove(slot);
    }
    first.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_other_weights_on_the_simplex_are_better(
            d in prop::collection::vec(-1.0f64..1.0, 30), other in prop::collection::vec(0.0f64..1.0, 5),
        ) {
            let g: Vec<f64> = (0..25).map(|i| (0..6).map(|f| d[i / 5 * 6 + f] * d[i % 5 * 6 + f]).sum()).collect();
            let weights = on_simplex(&g, 5);
            prop_assert!(few(&g, 5, 2).iter().filter(|&&w| w > 0.0).count() <= 2);
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(weights.iter().all(|&w| w >= 0.0));
            let sum: f64 = other.iter().sum::<f64>() + 1e-12;
            let other: Vec<f64> = other.iter().map(|w| w / sum).collect();
            prop_assert!(energy(&g, &weights) <= energy(&g, &other) + 1e-6);
        }
    }
}
