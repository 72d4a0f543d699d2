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
use super::system::{Hold, Room, add_squares, damped};
use crate::small::solve_positive;
use crate::watch::{Heard, Stopped};
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
pub fn polish(
    residual: &Residual,
    draft: &mut Draft,
    allowed: f32,
    sweeps: usize,
    heard: Heard,
) -> Result<bool, Stopped> {
    let (n, aim) = (draft.n_target, INSIDE * allowed);
    if n == 0 {
        return Ok(within(residual, draft, allowed));
    }
    let mut damping = DAMPING.0;
    let mut history: Vec<f64> = Vec::new(); // least excess so far, after every sweep
    let mut last_excess = f64::INFINITY;
    let (mut last, mut gained) = (draft.clone(), 0.0f32);
    for sweep in 1..=sweeps {
        heard()?;
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
            return Ok(within(residual, draft, allowed));
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
    Ok(within(residual, draft, allowed))
}

/// `A^T A` of row-major rows, in f64, in fixed parts; its lower half.
fn products(rows: &[f32], n: usize) -> Vec<f64> {
    let part = |rows: &[f32]| {
        let mut sum = vec![0.0; n * n];
        add_squares(&mut sum, &rows.iter().map(|&row| f64::from(row)).collect::<Vec<_>>(), n);
        sum
    };
    let parts: Vec<Vec<f64>> = rows.par_chunks(1024 * n).map(part).collect();
    let mut sum = vec![0.0; n * n];
    for part in &parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// The share of the vector at `e` that sticks out of `aim`, if any does.
fn outside(e: &[f32], aim: f32) -> Option<f32> {
    let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    (square > aim * aim).then(|| 1.0 - aim / square.sqrt())
}

/// What a thread works in that moves targets.
#[derive(Default)]
struct Scratch {
    error: Vec<f32>,
    out: Vec<(usize, usize)>, // vertex of the strip, frame
    frames: Vec<usize>,
    push: Vec<f64>,
    step: Vec<f64>,
    room: Room,
}

/// One step for the targets of every vertex; returns the sum of squared excess and the largest excess before it.
fn move_targets(residual: &Residual, draft: &mut Draft, aim: f32, around: &[f64], mu: f64) -> (f64, f64) {
    let Draft { n_target: n, weights, targets } = draft;
    let n = *n;
    let hold = Hold::new(weights, around, n, mu);
    let strip = |scratch: &mut Scratch, (strip, targets): (usize, &mut [f32])| {
        let columns = strip * STRIP..strip * STRIP + targets.len() / n;
        residual.error_of(0..residual.n_frame, columns.clone(), weights, targets, n, &mut scratch.error);
        let Scratch { error, out, frames, push, step, room } = scratch;
        out.clear();
        for (frame, row) in error.chunks_exact(columns.len()).enumerate() {
            let is_out = |(vertex, e): (usize, &[f32])| outside(e, aim).map(|_| (vertex, frame));
            out.extend(row.chunks_exact(3).enumerate().filter_map(is_out));
        }
        out.sort_unstable();
        let (mut excess, mut farthest) = (0.0, 0.0f64);
        for of_vertex in out.chunk_by(|a, b| a.0 == b.0) {
            let vertex = of_vertex[0].0;
            frames.clear();
            frames.extend(of_vertex.iter().map(|&(_, frame)| frame));
            push.clear();
            push.resize(3 * frames.len(), 0.0);
            for (i, frame) in frames.iter().enumerate() {
                let e = &error[frame * columns.len() + 3 * vertex..][..3];
                let share = outside(e, aim).unwrap_or(0.0);
                let d = [0, 1, 2].map(|axis| f64::from(e[axis] * share));
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                excess += square;
                farthest = farthest.max(square);
                (0..3).for_each(|axis| push[axis * frames.len() + i] = d[axis]);
            }
            if hold.step(frames, push, room, step) {
                let targets = &mut targets[3 * vertex * n..3 * (vertex + 1) * n];
                targets.iter_mut().zip(&*step).for_each(|(t, &step)| *t += step as f32);
            }
        }
        (excess, farthest.sqrt())
    };
    let strips: Vec<(f64, f64)> = targets
        .par_chunks_mut(STRIP * n)
        .enumerate()
        .map_init(Scratch::default, |scratch, work| strip(scratch, work))
        .collect();
    strips.iter().fold((0.0, 0.0), |(sum, most), &(excess, farthest)| (sum + excess, farthest.max(most)))
}

/// One step for the weights of every frame that moves.
fn move_weights(residual: &Residual, draft: &mut Draft, aim: f32, around: &[f64], mu: f64) {
    let Draft { n_target: n, weights, targets } = draft;
    let (n, targets) = (*n, &*targets);
    let before = weights.clone();
    let hold = damped(around, n, mu);
    let work = |(error, rows): &mut (Vec<f32>, Vec<f64>), (block, weights): (usize, &mut [f32])| {
        let frames = block * FRAMES..block * FRAMES + weights.len() / n;
        let mut systems: Vec<Option<(Vec<f64>, Vec<f64>)>> = vec![None; frames.len()];
        for start in (0..residual.n_column).step_by(COLUMNS) {
            let columns = start..(start + COLUMNS).min(residual.n_column);
            let block = &targets[columns.start * n..columns.end * n];
            residual.error_of(frames.clone(), columns.clone(), &before, block, n, error);
            for (row, error) in error.chunks_exact(columns.len()).enumerate() {
                if !residual.still[frames.start + row] {
                    add_to_system(&mut systems[row], error, block, n, aim, &hold, rows);
                }
            }
        }
        for (weights, system) in weights.chunks_exact_mut(n).zip(systems) {
            let Some((mut h, mut step)) = system else { continue };
            if solve_positive(&mut h, n, &mut step) {
                weights.iter_mut().zip(&step).for_each(|(w, &step)| *w += step as f32);
            }
        }
    };
    weights.par_chunks_mut(FRAMES * n).enumerate().for_each_init(Default::default, work);
}

/// What sticks out on some columns of a frame, into its system; `targets` are those of the columns.
fn add_to_system(
    system: &mut Option<(Vec<f64>, Vec<f64>)>,
    error: &[f32],
    targets: &[f32],
    n: usize,
    aim: f32,
    hold: &[f64],
    rows: &mut Vec<f64>,
) {
    rows.clear();
    for (e, targets) in error.chunks_exact(3).zip(targets.chunks_exact(3 * n)) {
        let Some(share) = outside(e, aim) else { continue };
        let (_, step) = system.get_or_insert_with(|| (hold.to_vec(), vec![0.0; n]));
        let start = rows.len();
        rows.extend(targets.iter().map(|&t| f64::from(t)));
        for (target, &e) in rows[start..].chunks_exact(n).zip(e) {
            let d = f64::from(e * share);
            step.iter_mut().zip(target).for_each(|(step, t)| *step += d * t);
        }
    }
    if let Some((h, _)) = system.as_mut().filter(|_| !rows.is_empty()) {
        add_squares(h, rows, n);
    }
}
