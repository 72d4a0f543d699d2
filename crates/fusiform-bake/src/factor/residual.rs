//! The residuals as one matrix, walked in fixed blocks.

use crate::error::BakeError;
use faer::{MatMut, MatRef};
use glam::Vec3;
use std::ops::Range;

/// n_frame x n_column values, frames in rows, three columns a vertex.
pub struct Residual<'a> {
    pub values: &'a [f32],
    pub n_frame: usize,
    pub n_column: usize,
    /// n_frame: whether the frame is at rest, where weights are 0.
    pub still: Vec<bool>,
}

impl<'a> Residual<'a> {
    /// Frames with every residual at most `still` metres long are at rest.
    pub fn new(residual: &'a [Vec3], n_vertex: usize, still: f32) -> Result<Self, BakeError> {
        let n_frame = residual.len().checked_div(n_vertex).unwrap_or(0);
        if n_frame * n_vertex != residual.len() {
            let (found, expected) = (residual.len(), (n_frame + 1) * n_vertex);
            return Err(BakeError::Length { what: "the residual", found, expected });
        }
        if let Some(i) = residual.iter().position(|r| !r.is_finite()) {
            return Err(BakeError::NotFinite { what: "the residual", frame: i / n_vertex, vertex: i % n_vertex });
        }
        let at_rest = |frame: &[Vec3]| frame.iter().all(|r| r.length() <= still);
        let still = residual.chunks_exact(n_vertex.max(1)).map(at_rest).collect();
        Ok(Self { values: bytemuck::cast_slice(residual), n_frame, n_column: 3 * n_vertex, still })
    }

    pub fn matrix(&self) -> MatRef<'_, f32> {
        MatRef::from_row_major_slice(self.values, self.n_frame, self.n_column)
    }

    /// `error = R - W T` on that block, row after row; `targets` are those of the block's columns alone.
    pub fn error_of(
        &self,
        frames: Range<usize>,
        columns: Range<usize>,
        weights: &[f32],
        targets: &[f32],
        n_target: usize,
        error: &mut Vec<f32>,
    ) {
        error.clear();
        for frame in frames.clone() {
            let start = frame * self.n_column;
            error.extend_from_slice(&self.values[start + columns.start..start + columns.end]);
        }
        if n_target == 0 {
            return;
        }
        let (n_row, n_column) = (frames.len(), columns.len());
        let weights =
            MatRef::from_row_major_slice(&weights[frames.start * n_target..frames.end * n_target], n_row, n_target);
        let targets = MatRef::from_row_major_slice(targets, n_column, n_target);
        let error = MatMut::from_row_major_slice_mut(error, n_row, n_column);
        multiply_add(error, weights, targets.transpose(), -1.0);
    }
}

/// `dst += scale * a * b` on this thread alone.
pub fn multiply_add(dst: MatMut<'_, f32>, a: MatRef<'_, f32>, b: MatRef<'_, f32>, scale: f32) {
    faer::linalg::matmul::matmul(dst, faer::Accum::Add, a, b, scale, faer::Par::Seq);
}
