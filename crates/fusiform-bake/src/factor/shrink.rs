//! One target fewer: the nearest factors of a polished draft that do without one.
//!
//! With `T^T T = Q D Q^T` and `V` the eigenvectors of `S W^T W S^T`, `S = D^1/2 Q^T`, the first columns of `W S^T V` and
//! `T Q D^-1/2 V` are the product `W T^T` of next lower rank and least squared error. What was polished stays nearly so:
//! a far better start than the same count of least squares to the data.

use super::Draft;
use faer::{Mat, MatRef, Side};
use rayon::prelude::*;

/// Eigenvalues below this share of the largest are noise.
const NOISE: f64 = 1e-12;

/// Rows a thread takes at a time.
const ROWS: usize = 1024;

/// What takes the weights and targets of a draft to those with one target fewer.
pub struct Shrink {
    n: usize,
    weights: Vec<f32>, // n - 1 x n
    targets: Vec<f32>, // n - 1 x n
}

impl Shrink {
    /// For that draft; None when it has no target to spare, or no spectrum.
    pub fn of(draft: &Draft) -> Option<Self> {
        let n = draft.n_target;
        if n < 2 {
            return None;
        }
        let of_targets = square(&draft.targets, n).self_adjoint_eigen(Side::Lower).ok()?;
        let (q, d) = (of_targets.U(), of_targets.S().column_vector());
        let root = |i: usize| d[i].max(NOISE * d[n - 1]).sqrt();
        let s = Mat::from_fn(n, n, |i, j| q[(j, i)] * root(i));
        let inverse = Mat::from_fn(n, n, |i, j| q[(i, j)] / root(j));
        let product = &s * square(&draft.weights, n) * s.transpose();
        let of_product = product.self_adjoint_eigen(Side::Lower).ok()?;
        let v = of_product.U().reverse_cols();
        let v = v.get(.., ..n - 1);
        let (weights, targets) = (s.transpose() * v, &inverse * v);
        let rows = |m: &Mat<f64>| (0..n * (n - 1)).map(|i| m[(i % n, i / n)] as f32).collect();
        Some(Self { n, weights: rows(&weights), targets: rows(&targets) })
    }

    /// A draft that goes the same way as the one it was made for, with one target fewer.
    pub fn apply(&self, draft: &Draft) -> Draft {
        let taken = |rows: &[f32], by: &[f32]| {
            let mut fewer = vec![0.0; rows.len() / self.n * (self.n - 1)];
            let chunks = fewer.par_chunks_mut(ROWS * (self.n - 1)).zip(rows.par_chunks(ROWS * self.n));
            chunks.for_each(|(fewer, rows)| {
                for (fewer, row) in fewer.chunks_exact_mut(self.n - 1).zip(rows.chunks_exact(self.n)) {
                    for (fewer, by) in fewer.iter_mut().zip(by.chunks_exact(self.n)) {
                        *fewer = by.iter().zip(row).map(|(by, row)| by * row).sum();
                    }
                }
            });
            fewer
        };
        let (weights, targets) = (taken(&draft.weights, &self.weights), taken(&draft.targets, &self.targets));
        Draft { n_target: self.n - 1, weights, targets }
    }
}

/// `A^T A` of row-major rows.
fn square(rows: &[f32], n: usize) -> Mat<f64> {
    let rows = MatRef::from_row_major_slice(rows, rows.len() / n, n);
    let rows = Mat::from_fn(rows.nrows(), n, |i, k| f64::from(rows[(i, k)]));
    rows.transpose() * &rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rank two, told with three targets of which the third is the sum of the others.
    #[test]
    fn a_target_that_says_nothing_new_is_dropped_without_loss() {
        let pair = |i: usize| [(0.9 * i as f32).sin(), (1.7 * i as f32).cos()];
        let weights = (0..7).flat_map(|i| [pair(i)[0], pair(i)[1], 0.5]).collect();
        let targets = (0..9).flat_map(|i| [pair(2 * i)[0], pair(2 * i)[1], pair(2 * i)[0] + pair(2 * i)[1]]).collect();
        let draft = Draft { n_target: 3, weights, targets };
        let fewer = Shrink::of(&draft).unwrap().apply(&draft);
        assert_eq!(fewer.n_target, 2);
        let product = |draft: &Draft, i: usize, j: usize| {
            let n = draft.n_target;
            (0..n).map(|k| draft.weights[i * n + k] * draft.targets[j * n + k]).sum::<f32>()
        };
        for (i, j) in (0..63).map(|at| (at / 9, at % 9)) {
            let (before, after) = (product(&draft, i, j), product(&fewer, i, j));
            assert!((before - after).abs() < 1e-4, "{before} {after}");
        }
    }
}
