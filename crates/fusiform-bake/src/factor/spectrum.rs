//! The factors of least squared error, for every count at once.
//!
//! Of `R R^T` and `R^T R` the smaller is summed in f64 over blocks, so that singular values down to 1e-7 of the largest
//! are seen; its eigenvectors `U` give the factors `U` and `U^T R`.

use super::Draft;
use super::residual::Residual;
use crate::error::BakeError;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_product};
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;

/// Sums that threads share out: fixed, so that the order of additions is.
const SUMS: usize = 8;

/// Columns that go into a product at a time.
const BLOCK: usize = 256;

/// Columns a thread projects at a time.
const PROJECTED: usize = 1536;

/// Eigenvalues below this share of the largest are noise of the sum.
const NOISE: f64 = 1e-14;

/// Eigenvalues, largest first, and their vectors.
pub struct Spectrum {
    values: Vec<f64>,
    vectors: Mat<f64>, // one column each, in the order of `values`
    of_columns: bool,
}

impl Spectrum {
    pub fn of(residual: &Residual) -> Result<Self, BakeError> {
        let of_columns = residual.n_frame > residual.n_column;
        let matrix = if of_columns { residual.matrix().transpose() } else { residual.matrix() };
        if matrix.nrows() == 0 {
            return Ok(Self { values: Vec::new(), vectors: Mat::new(), of_columns });
        }
        let eigen = gram(matrix).self_adjoint_eigen(Side::Lower).map_err(|_| BakeError::NoSpectrum)?;
        let ascending = eigen.S().column_vector();
        let n = ascending.nrows();
        let values = (0..n).map(|i| ascending[n - 1 - i].max(0.0)).collect();
        Ok(Self { values, vectors: eigen.U().reverse_cols().to_owned(), of_columns })
    }

    /// How many eigenvalues are more than noise.
    pub fn rank(&self) -> usize {
        let floor = self.values.first().map_or(0.0, |largest| largest * NOISE);
        self.values.iter().take_while(|&&value| value > floor).count()
    }

    pub fn singular_values(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.sqrt()).collect()
    }

    /// The smallest count whose least squared error leaves the largest error a chance to be within the tolerance: a
    /// largest square is no smaller than the mean of squares.
    pub fn fewest(&self, tolerance: f32, n_vector: usize) -> usize {
        let allowed = f64::from(tolerance) * f64::from(tolerance) * n_vector as f64;
        let mut tail = 0.0;
        let mut fewest = self.values.len();
        while fewest > 0 && tail + self.values[fewest - 1] <= allowed {
            fewest -= 1;
            tail += self.values[fewest];
        }
        fewest
    }

    /// The first `n` targets and weights; no weight where a frame is still.
    pub fn draft(&self, residual: &Residual, n: usize) -> Draft {
        let leading = Mat::from_fn(self.vectors.nrows(), n, |i, k| self.vectors[(i, k)] as f32);
        let rows = row_major(leading.as_ref());
        let matrix = residual.matrix();
        let (mut weights, targets) = if self.of_columns {
            (project(matrix.transpose(), leading.as_ref()), rows)
        } else {
            let targets = project(matrix, leading.as_ref());
            (rows, targets)
        };
        for (frame, _) in residual.still.iter().enumerate().filter(|&(_, &still)| still) {
            weights[frame * n..(frame + 1) * n].fill(0.0);
        }
        Draft { n_target: n, weights, targets }
    }
}

fn row_major(matrix: MatRef<'_, f32>) -> Vec<f32> {
    (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |k| matrix[(i, k)])).collect()
}

/// `A A^T`, lower half, in f64.
fn gram(a: MatRef<'_, f32>) -> Mat<f64> {
    let (n, n_column) = (a.nrows(), a.ncols());
    let per_sum = n_column.div_ceil(SUMS).next_multiple_of(BLOCK);
    let part = |start: usize| {
        let mut sum = Mat::<f64>::zeros(n, n);
        let mut block = vec![0.0; n * BLOCK];
        for first in (start..n_column.min(start + per_sum)).step_by(BLOCK) {
            let width = BLOCK.min(n_column - first);
            let from = a.get(.., first..first + width);
            for (to, from) in block.chunks_exact_mut(width).zip(from.row_iter()) {
                to.iter_mut().zip(from.iter()).for_each(|(to, from)| *to = f64::from(*from));
            }
            let block = MatRef::from_row_major_slice(&block[..n * width], n, width);
            let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
            triangular_product(sum.as_mut(), lower, Accum::Add, block, full, block.transpose(), full, 1.0, Par::Seq);
        }
        sum
    };
    let starts: Vec<usize> = (0..n_column).step_by(per_sum).collect();
    let parts: Vec<Mat<f64>> = starts.into_par_iter().map(part).collect();
    let mut sum = Mat::zeros(n, n);
    for part in &parts {
        sum += part;
    }
    sum
}

/// `A^T U`, row after row.
fn project(a: MatRef<'_, f32>, u: MatRef<'_, f32>) -> Vec<f32> {
    let n = u.ncols();
    let mut rows = vec![0.0; a.ncols() * n];
    if n > 0 {
        rows.par_chunks_mut(PROJECTED * n).enumerate().for_each(|(block, rows)| {
            let (start, n_row) = (block * PROJECTED, rows.len() / n);
            let part = MatMut::from_row_major_slice_mut(rows, n_row, n);
            super::residual::multiply_add(part, a.get(.., start..start + n_row).transpose(), u, 1.0);
        });
    }
    rows
}
