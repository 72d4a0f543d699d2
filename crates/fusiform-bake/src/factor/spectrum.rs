//! The factors of least squared error, for every count at once.
//!
//! Of `R R^T` and `R^T R` the smaller is summed in f64 over blocks; its eigenvectors `U` give the factors `U` and
//! `U^T R`. Each block's product is taken in f32 where the tolerance is coarse, in f64 where it is so fine that the
//! rounding of f32 would hide what matters: then singular values down to 1e-7 of the largest are seen.

use super::Draft;
use super::count::smallest_within;
use super::residual::Residual;
use crate::error::BakeError;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_product};
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;

/// Sums that threads share out: fixed, so that the order of additions is.
const SUMS: usize = 8;

/// Columns that go into a product at a time.
const BLOCK: usize = 512;

/// Share of all squares that the tolerance must allow for products to be taken in f32. Their rounding moves the sum of
/// eigenvalues by about a hundredth of it.
const COARSE: f64 = 1e-4;

/// Columns a thread projects at a time.
const PROJECTED: usize = 1536;

/// Targets that are made at first; twice as many when they are not enough.
const FEW: usize = 16;

/// Eigenvalues below this share of the largest are noise of the sum.
const NOISE: f64 = 1e-14;

/// Eigenvalues, largest first, and their vectors.
pub struct Spectrum {
    values: Vec<f64>,
    vectors: Mat<f64>, // one column each, in the order of `values`
    of_columns: bool,
}

impl Spectrum {
    pub fn of(residual: &Residual, tolerance: f32) -> Result<Self, BakeError> {
        let of_columns = residual.n_frame > residual.n_column;
        let matrix = if of_columns { residual.matrix().transpose() } else { residual.matrix() };
        if matrix.nrows() == 0 {
            return Ok(Self { values: Vec::new(), vectors: Mat::new(), of_columns });
        }
        let is_coarse = allowed(tolerance, residual.n_frame * residual.n_column / 3) >= COARSE * residual.energy;
        let squares = if is_coarse { gram(matrix, add_coarse) } else { gram(matrix, add_fine) };
        let eigen = squares.self_adjoint_eigen(Side::Lower).map_err(|_| BakeError::NoSpectrum)?;
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
        let allowed = allowed(tolerance, n_vector);
        let mut tail = 0.0;
        let mut fewest = self.values.len();
        while fewest > 0 && tail + self.values[fewest - 1] <= allowed {
            fewest -= 1;
            tail += self.values[fewest];
        }
        fewest
    }

    /// The first targets, and how many of them keep within `limit`, from `low` on; `most` targets and None when so many
    /// do not.
    pub fn enough(&self, residual: &Residual, low: usize, most: usize, limit: f32) -> (Draft, Option<usize>) {
        let mut n = most.min(FEW.max(2 * low));
        loop {
            let draft = self.draft(residual, n);
            let count = smallest_within(residual, &draft, low, limit);
            if count.is_some() || n == most {
                return (draft, count);
            }
            n = most.min(2 * n);
        }
    }

    /// The first `n` targets and weights; no weight where a frame is still.
    fn draft(&self, residual: &Residual, n: usize) -> Draft {
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

/// Sum of squares when every vector is as long as the tolerance.
fn allowed(tolerance: f32, n_vector: usize) -> f64 {
    f64::from(tolerance) * f64::from(tolerance) * n_vector as f64
}

fn row_major(matrix: MatRef<'_, f32>) -> Vec<f32> {
    (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |k| matrix[(i, k)])).collect()
}

/// `A A^T`, lower half, summed in f64 from blocks that `add` knows how to multiply.
fn gram(a: MatRef<'_, f32>, add: impl Fn(&mut Mat<f64>, MatRef<'_, f32>) + Sync) -> Mat<f64> {
    let (n, n_column) = (a.nrows(), a.ncols());
    let per_sum = n_column.div_ceil(SUMS).next_multiple_of(BLOCK);
    let part = |start: usize| {
        let mut sum = Mat::<f64>::zeros(n, n);
        for first in (start..n_column.min(start + per_sum)).step_by(BLOCK) {
            add(&mut sum, a.get(.., first..n_column.min(first + BLOCK)));
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

/// `sum += B B^T`, multiplied in f32.
fn add_coarse(sum: &mut Mat<f64>, block: MatRef<'_, f32>) {
    let mut product = Mat::<f32>::zeros(block.nrows(), block.nrows());
    let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    let (to, transposed) = (product.as_mut(), block.transpose());
    triangular_product(to, lower, Accum::Replace, block, full, transposed, full, 1.0, Par::Seq);
    for (sum, product) in sum.as_mut().col_iter_mut().zip(product.col_iter()) {
        sum.iter_mut().zip(product.iter()).for_each(|(sum, product)| *sum += f64::from(*product));
    }
}

/// `sum += B B^T`, multiplied in f64.
fn add_fine(sum: &mut Mat<f64>, block: MatRef<'_, f32>) {
    let block = Mat::<f64>::from_fn(block.nrows(), block.ncols(), |i, j| f64::from(block[(i, j)]));
    let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    let (to, transposed) = (sum.as_mut(), block.transpose());
    triangular_product(to, lower, Accum::Add, &block, full, transposed, full, 1.0, Par::Seq);
}

/// `A^T U`, row after row.
pub fn project(a: MatRef<'_, f32>, u: MatRef<'_, f32>) -> Vec<f32> {
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
