//! Fewer targets than least squares needs: push only what sticks out of the tolerance back into it.
//!
//! Minimised is `sum_fv max(0, |e_fv| - aim)^2 / 2` with `e = R - W T`: zero exactly where the largest error is `aim`.
//! In turn for the targets of every vertex, and for the weights of every frame, a Newton step damped as Levenberg and
//! Marquardt do:
//!
//! ```text
//! (sum_f in out(v)  W_f W_f^T  +  mu W^T W)  dT_v = sum_f in out(v)  W_f d_fv        d = e (1 - aim / |e|)
//! (sum_v in out(f)  T_v T_v^T  +  mu T T^T)  dW_f = sum_v in out(f)  T_v d_fv
//! ```
//!
//! `out` are the vertices and frames that stick out. With mu = 1 and without the first sum this is alternating
//! projection between the matrices of rank K and those within the tolerance; few entries stick out, so the first sum
//! with a small mu goes there in a tenth of the sweeps.

use super::Draft;
use super::measure::{STRIP, within};
use super::residual::Residual;
use crate::small::solve_positive;
use rayon::prelude::*;

/// Frames a thread takes at a time, and columns of them that stay in its cache.
const FRAMES: usize = 16;
const COLUMNS: usize = 1536;

/// Damping at the start and its bounds.
const DAMPING: (f64, f64, f64) = (0.1, 0.01, 1.0);

/// Sweeps from whose gain the gain of those to come is foretold: the count is given up when the excess would not come
/// down to what a few vertices [`ARRIVED`] this far outside make up.
const PATIENCE: usize = 6;

/// Share of what is allowed.
const ARRIVED: f64 = 0.2;

/// Most of the last sweep's step that is taken again before the next (Nesterov 1983, *A method of solving a convex
/// programming problem with convergence rate O(1/k^2)*); none after a sweep that made things worse.
const MOMENTUM: f32 = 0.85;

/// Steps aim this far inside what is allowed, so that they arrive: to the edge itself they only come near.
const INSIDE: f32 = 0.97;

/// Polish until the largest error is at most `allowed`; false when it still is not after `sweeps`.
pub fn polish(residual: &Residual, draft: &mut Draft, allowed: f32, sweeps: usize) -> bool {
    let (n, aim) = (draft.n_target, INSIDE * allowed);
    if n == 0 {
        return within(residual, draft, allowed);
    }
    let mut damping = DAMPING.0;
    let mut history: Vec<f64> = Vec::new(); // least excess so far, after every sweep
    let mut last_excess = f64::INFINITY;
    let (mut last, mut gained) = (draft.clone(), 0.0f32);
    for sweep in 1..=sweeps {
        let now = draft.clone();
        let momentum = (gained / (gained + 3.0)).min(MOMENTUM);
        for (to, last) in [(&mut draft.weights, &last.weights), (&mut draft.targets, &last.targets)] {
            to.iter_mut().zip(last).for_each(|(to, last)| *to += momentum * (*to - last));
        }
        last = now;
        let start = draft.targets.clone();
        let around_weights = products(&draft.weights, n);
        let (excess, farthest) = move_targets(residual, draft, aim, &around_weights, damping);
        if aim + farthest as f32 <= allowed {
            draft.targets = start;
            return within(residual, draft, allowed);
        }
        let better = excess < last_excess;
        last_excess = excess;
        gained = if better { gained + 1.0 } else { 0.0 };
        damping = (damping * if better { 0.7 } else { 3.0 }).clamp(DAMPING.1, DAMPING.2);
        history.push(history.last().map_or(excess, |&least: &f64| least.min(excess)));
        let still = (sweeps - sweep) as f64 / PATIENCE as f64;
        let least = history[sweep - 1];
        let gain = history.len().checked_sub(PATIENCE + 1).map_or(0.0, |before| least / history[before]);
        if least * libm::pow(gain, still) > (ARRIVED * f64::from(allowed)).powi(2) {
            break;
        }
        let around_targets = products(&draft.targets, n);
        move_weights(residual, draft, aim, &around_targets, damping);
    }
    within(residual, draft, allowed)
}

/// `A^T A` of row-major rows, in f64, in fixed parts.
fn products(rows: &[f32], n: usize) -> Vec<f64> {
    let part = |rows: &[f32]| {
        let mut sum = vec![0.0; n * n];
        for row in rows.chunks_exact(n) {
            add_outer(&mut sum, row, n);
        }
        sum
    };
    let parts: Vec<Vec<f64>> = rows.par_chunks(4096 * n).map(part).collect();
    let mut sum = vec![0.0; n * n];
    for part in &parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// Lower half of `sum += row row^T`.
fn add_outer(sum: &mut [f64], row: &[f32], n: usize) {
    for i in 0..n {
        let a = f64::from(row[i]);
        for (sum, &b) in sum[i * n..=i * n + i].iter_mut().zip(row) {
            *sum += a * f64::from(b);
        }
    }
}

/// How far the vector at `e` sticks out of `aim`, if it does: its length beyond, and the share of it that is.
fn outside(e: &[f32], aim: f32) -> Option<(f64, f32)> {
    let length = (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt();
    (length > aim).then(|| (f64::from(length - aim), 1.0 - aim / length))
}

/// The damped system's start: `mu` times what holds the rest in place, and a trace of it on the diagonal.
fn damped(around: &[f64], n: usize, mu: f64, h: &mut Vec<f64>) {
    h.clear();
    h.extend(around.iter().map(|a| a * mu));
    let trace: f64 = (0..n).map(|i| around[i * n + i]).sum();
    for i in 0..n {
        h[i * n + i] += 1e-9 * trace + f64::MIN_POSITIVE;
    }
}

/// One step for the targets of every vertex; returns the sum of squared excess and the largest excess before it.
fn move_targets(residual: &Residual, draft: &mut Draft, aim: f32, around: &[f64], mu: f64) -> (f64, f64) {
    let Draft { n_target: n, weights, targets } = draft;
    let (n, weights) = (*n, &*weights);
    let strip = |scratch: &mut (Vec<f32>, Vec<f64>, Vec<f64>), (strip, targets): (usize, &mut [f32])| {
        let (error, h, step) = scratch;
        let columns = strip * STRIP..strip * STRIP + targets.len() / n;
        residual.error_of(0..residual.n_frame, columns.clone(), weights, targets, n, error);
        let (mut excess, mut farthest) = (0.0, 0.0f64);
        for (vertex, targets) in targets.chunks_exact_mut(3 * n).enumerate() {
            let mut is_out = false;
            for (frame, row) in error.chunks_exact(columns.len()).enumerate() {
                let e = &row[3 * vertex..3 * vertex + 3];
                let Some((beyond, share)) = outside(e, aim) else { continue };
                if !is_out {
                    is_out = true;
                    damped(around, n, mu, h);
                    step.clear();
                    step.resize(3 * n, 0.0);
                }
                excess += beyond * beyond;
                farthest = farthest.max(beyond);
                let w = &weights[frame * n..(frame + 1) * n];
                add_outer(h, w, n);
                for (axis, step) in step.chunks_exact_mut(n).enumerate() {
                    let d = f64::from(e[axis] * share);
                    step.iter_mut().zip(w).for_each(|(step, &w)| *step += d * f64::from(w));
                }
            }
            if is_out && solve_positive(h, n, step) {
                targets.iter_mut().zip(&*step).for_each(|(t, &step)| *t += step as f32);
            }
        }
        (excess, farthest)
    };
    let strips: Vec<(f64, f64)> = targets
        .par_chunks_mut(STRIP * n)
        .enumerate()
        .map_init(Default::default, |scratch, work| strip(scratch, work))
        .collect();
    strips.iter().fold((0.0, 0.0), |(sum, most), &(excess, farthest)| (sum + excess, farthest.max(most)))
}

/// One step for the weights of every frame that moves.
fn move_weights(residual: &Residual, draft: &mut Draft, aim: f32, around: &[f64], mu: f64) {
    let Draft { n_target: n, weights, targets } = draft;
    let (n, targets) = (*n, &*targets);
    let before = weights.clone();
    weights.par_chunks_mut(FRAMES * n).enumerate().for_each_init(Vec::new, |error, (block, weights)| {
        let frames = block * FRAMES..block * FRAMES + weights.len() / n;
        let mut systems: Vec<Option<(Vec<f64>, Vec<f64>)>> = vec![None; frames.len()];
        for start in (0..residual.n_column).step_by(COLUMNS) {
            let columns = start..(start + COLUMNS).min(residual.n_column);
            let block = &targets[columns.start * n..columns.end * n];
            residual.error_of(frames.clone(), columns.clone(), &before, block, n, error);
            for (row, error) in error.chunks_exact(columns.len()).enumerate() {
                if residual.still[frames.start + row] {
                    continue;
                }
                for (e, target) in error.chunks_exact(3).zip(block.chunks_exact(3 * n)) {
                    let Some((_, share)) = outside(e, aim) else { continue };
                    let (h, step) = systems[row].get_or_insert_with(|| {
                        let mut h = Vec::new();
                        damped(around, n, mu, &mut h);
                        (h, vec![0.0; n])
                    });
                    for (target, &e) in target.chunks_exact(n).zip(e) {
                        add_outer(h, target, n);
                        let d = f64::from(e * share);
                        step.iter_mut().zip(target).for_each(|(step, &t)| *step += d * f64::from(t));
                    }
                }
            }
        }
        for (weights, system) in weights.chunks_exact_mut(n).zip(systems) {
            let Some((mut h, mut step)) = system else { continue };
            if solve_positive(&mut h, n, &mut step) {
                weights.iter_mut().zip(&step).for_each(|(w, &step)| *w += step as f32);
            }
        }
    });
}
