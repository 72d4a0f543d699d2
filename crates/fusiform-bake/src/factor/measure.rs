//! What factors are worth: the error of every frame, measured on the numbers that will be written.

use super::Draft;
use super::residual::Residual;
use rayon::prelude::*;

/// Frames a thread takes at a time, and columns of them that stay in its cache.
pub const FRAMES: usize = 16;
pub const COLUMNS: usize = 1536;

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
    pub fn max_of(&self, frames: std::ops::Range<usize>) -> f32 {
        self.max[frames].iter().copied().fold(0.0, f32::max).sqrt()
    }

    /// Root of the mean squared error of those frames.
    pub fn rms_of(&self, frames: std::ops::Range<usize>, n_vertex: usize) -> f32 {
        let n = frames.len() * n_vertex;
        if n == 0 { 0.0 } else { (self.sum[frames].iter().sum::<f64>() / n as f64).sqrt() as f32 }
    }
}

/// The error of every frame.
pub fn measure(residual: &Residual, draft: &Draft) -> Errors {
    let Draft { n_target, weights, targets } = draft;
    let (mut max, mut sum) = (vec![0.0f32; residual.n_frame], vec![0.0f64; residual.n_frame]);
    max.par_chunks_mut(FRAMES).zip(sum.par_chunks_mut(FRAMES)).enumerate().for_each_init(Vec::new, |error, work| {
        let (block, (max, sum)) = work;
        let frames = block * FRAMES..block * FRAMES + max.len();
        for start in (0..residual.n_column).step_by(COLUMNS) {
            let columns = start..(start + COLUMNS).min(residual.n_column);
            let targets = &targets[columns.start * n_target..columns.end * n_target];
            residual.error_of(frames.clone(), columns.clone(), weights, targets, *n_target, error);
            for (row, error) in error.chunks_exact(columns.len()).enumerate() {
                let (row_max, row_sum) = squared(error);
                max[row] = max[row].max(row_max);
                sum[row] += row_sum;
            }
        }
    });
    Errors { max, sum }
}

/// Largest squared length and sum of squares of the row's vectors.
fn squared(row: &[f32]) -> (f32, f64) {
    let (mut max, mut sum) = (0.0f32, 0.0f32);
    for e in row.chunks_exact(3) {
        let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        max = max.max(square);
        sum += square;
    }
    (max, f64::from(sum))
}
