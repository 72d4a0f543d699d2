//! How many of the targets of least squares keep the tolerance.
//!
//! One walk over strips of columns, with a count that only grows: a strip that is not within the tolerance takes one
//! target more after the other, `E_(k+1) = E_k - w_k t_k^T`, until it is. Strips are walked in waves of fixed size that
//! all start with the same count, so that the answer does not depend on threads.

use super::Draft;
use super::measure::STRIP;
use super::residual::{Residual, multiply_add};
use faer::{MatMut, MatRef};
use rayon::prelude::*;

/// Strips that start with the same count.
const WAVE: usize = 8;

/// The smallest count from `low` on with which no error is above `limit`; None when all targets are not enough.
pub fn smallest_within(residual: &Residual, all: &Draft, low: usize, limit: f32) -> Option<usize> {
    let strips = residual.n_column.div_ceil(STRIP);
    let mut count = low.min(all.n_target);
    for first in (0..strips).step_by(WAVE) {
        let wave: Vec<Option<usize>> = (first..strips.min(first + WAVE))
            .into_par_iter()
            .map_init(Default::default, |scratch, strip| needed(residual, all, strip, count, limit, scratch))
            .collect();
        count = wave.into_iter().try_fold(count, |count, needed| Some(count.max(needed?)))?;
    }
    Some(count)
}

/// The smallest count from `count` on with which that strip is within the limit.
fn needed(
    residual: &Residual,
    all: &Draft,
    strip: usize,
    count: usize,
    limit: f32,
    (error, target): &mut (Vec<f32>, Vec<f32>),
) -> Option<usize> {
    let columns = strip * STRIP..residual.n_column.min((strip + 1) * STRIP);
    let (n, n_frame, width) = (all.n_target, residual.n_frame, columns.len());
    residual.copy(0..n_frame, columns.clone(), error);
    let targets = &all.targets[columns.start * n..columns.end * n];
    if count > 0 {
        let weights = MatRef::from_row_major_slice(&all.weights, n_frame, n).get(.., ..count);
        let targets = MatRef::from_row_major_slice(targets, width, n).get(.., ..count);
        multiply_add(MatMut::from_row_major_slice_mut(error, n_frame, width), weights, targets.transpose(), -1.0);
    }
    let square = limit * limit;
    let is_within = |error: &[f32]| error.chunks_exact(3).all(|e| e[0] * e[0] + e[1] * e[1] + e[2] * e[2] <= square);
    for k in count..n {
        if is_within(error) {
            return Some(k);
        }
        target.clear();
        target.extend(targets.chunks_exact(n).map(|row| row[k]));
        for (row, weights) in error.chunks_exact_mut(width).zip(all.weights.chunks_exact(n)) {
            row.iter_mut().zip(&*target).for_each(|(e, t)| *e -= weights[k] * t);
        }
    }
    is_within(error).then_some(n)
}
