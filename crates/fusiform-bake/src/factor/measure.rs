//! What factors are worth: the error of every frame, measured on the numbers that will be written.

use super::Draft;
use super::residual::Residual;
use rayon::prelude::*;
use std::ops::Range;

/// Columns of all frames that a thread takes at a time: 64 vertices.
pub const STRIP: usize = 192;

/// Squared errors of every frame, metres squared.
pub struct Errors {
    max: Vec<f32>,
    sum: Vec<f64>,
}

impl Errors {
    /// Largest error of all frames.
    pub fn max_error(&self) -> f32 {
        self.max_of(0..self.max.len())
    }

    /// Largest error of those frames.
    pub fn max_of(&self, frames: Range<usize>) -> f32 {
        self.max[frames].iter().copied().fold(0.0, f32::max).sqrt()
    }

    /// Root of the mean squared error of those frames.
    pub fn rms_of(&self, frames: Range<usize>, n_vertex: usize) -> f32 {
        let n = frames.len() * n_vertex;
        if n == 0 { 0.0 } else { (self.sum[frames].iter().sum::<f64>() / n as f64).sqrt() as f32 }
    }
}

/// The error of every frame.
pub fn measure(residual: &Residual, draft: &Draft) -> Errors {
    let strips = residual.n_column.div_ceil(STRIP);
    let strips: Vec<Vec<(f32, f32)>> = (0..strips)
        .into_par_iter()
        .map_init(Vec::new, |error, strip| {
            let width = strip_error(residual, draft, strip, error);
            error.chunks_exact(width).map(squared).collect()
        })
        .collect();
    let mut errors = Errors { max: vec![0.0; residual.n_frame], sum: vec![0.0; residual.n_frame] };
    for (frame, &(max, sum)) in strips.iter().flat_map(|strip| strip.iter().enumerate()) {
        errors.max[frame] = errors.max[frame].max(max);
        errors.sum[frame] += f64::from(sum);
    }
    errors
}

/// Whether no error is above `limit`; quick to say no.
pub fn within(residual: &Residual, draft: &Draft, limit: f32) -> bool {
    let strips = residual.n_column.div_ceil(STRIP);
    let outcome = (0..strips).into_par_iter().try_for_each_init(Vec::new, |error, strip| {
        let width = strip_error(residual, draft, strip, error);
        let max = error.chunks_exact(width).map(|row| squared(row).0).fold(0.0, f32::max);
        if max.sqrt() <= limit { Ok(()) } else { Err(()) }
    });
    outcome.is_ok()
}

/// Errors of all frames on that strip of columns; returns how many columns it has.
pub fn strip_error(residual: &Residual, draft: &Draft, strip: usize, error: &mut Vec<f32>) -> usize {
    let Draft { n_target, weights, targets } = draft;
    let columns = strip * STRIP..residual.n_column.min((strip + 1) * STRIP);
    let targets = &targets[columns.start * n_target..columns.end * n_target];
    residual.error_of(0..residual.n_frame, columns.clone(), weights, targets, *n_target, error);
    columns.len()
}

/// Largest squared length and sum of squares of the row's vectors.
fn squared(row: &[f32]) -> (f32, f32) {
    let (mut max, mut sum) = (0.0f32, 0.0f32);
    for e in row.chunks_exact(3) {
        let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        max = max.max(square);
        sum += square;
    }
    (max, sum)
}
