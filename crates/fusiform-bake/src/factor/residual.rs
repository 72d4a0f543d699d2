//! The residuals as one matrix, walked in fixed blocks.

use crate::error::BakeError;
use faer::{MatMut, MatRef};
use glam::Vec3;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Coordinates that are summed in f32 before they go into a sum in f64.
const SUMMED: usize = 192;

/// Columns looked through at a time for vertices that move.
const MOVING: usize = 1536;

/// n_frame x n_column values, frames in rows, three columns a vertex.
pub struct Residual<'a> {
    pub values: Cow<'a, [f32]>,
    pub n_frame: usize,
    pub n_column: usize,
    /// n_frame: whether the frame is at rest, where weights are 0.
    pub still: Vec<bool>,
    /// Sum of all squares, metres squared.
    pub energy: f64,
}

impl<'a> Residual<'a> {
    /// Frames with every residual at most `still` metres long are at rest.
    pub fn new(residual: &'a [Vec3], n_vertex: usize, still: f32) -> Result<Self, BakeError> {
        let n_frame = residual.len().checked_div(n_vertex).unwrap_or(0);
        if n_frame * n_vertex != residual.len() {
            let (found, expected) = (residual.len(), (n_frame + 1) * n_vertex);
            return Err(BakeError::Length { what: "the residual", found, expected });
        }
        let values: &[f32] = bytemuck::cast_slice(residual);
        let squares: Vec<(f32, f64)> = values.par_chunks_exact(3 * n_vertex.max(1)).map(squares).collect();
        let energy = squares.iter().map(|(_, sum)| sum).sum::<f64>();
        if !energy.is_finite()
            && let Some(i) = residual.iter().position(|r| !r.is_finite())
        {
            return Err(BakeError::NotFinite { what: "the residual", frame: i / n_vertex, vertex: i % n_vertex });
        }
        let still = squares.iter().map(|(longest, _)| longest.sqrt() <= still).collect();
        Ok(Self { values: Cow::Borrowed(values), n_frame, n_column: 3 * n_vertex, still, energy })
    }

    /// The vertices that are somewhere farther than that from where joints alone put them.
    pub fn moving(&self, limit: f32) -> Vec<usize> {
        let square = limit * limit;
        let strips: Vec<Vec<usize>> = (0..self.n_column)
            .into_par_iter()
            .step_by(MOVING)
            .map(|start| {
                let end = self.n_column.min(start + MOVING);
                let mut largest = [0.0f32; MOVING / 3];
                for frame in 0..self.n_frame {
                    let row = &self.values[frame * self.n_column..];
                    for (r, largest) in row[start..end].chunks_exact(3).zip(&mut largest) {
                        *largest = largest.max(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
                    }
                }
                (start / 3..end / 3).filter(|v| largest[v - start / 3] > square).collect()
            })
            .collect();
        strips.concat()
    }

    /// Only those vertices; as it is when that is all of them.
    pub fn of_vertices(&self, vertices: &[usize]) -> Residual<'_> {
        if 3 * vertices.len() == self.n_column {
            let (values, still) = (Cow::Borrowed(&*self.values), self.still.clone());
            return Residual { values, n_frame: self.n_frame, n_column: self.n_column, still, energy: self.energy };
        }
        let frames: Vec<usize> = (0..self.n_frame).collect();
        self.only(&frames, vertices)
    }

    /// Only those frames and vertices.
    pub fn only(&self, frames: &[usize], vertices: &[usize]) -> Residual<'static> {
        let n_column = 3 * vertices.len();
        let mut values = vec![0.0; frames.len() * n_column];
        let rows = values.par_chunks_exact_mut(n_column.max(1)).zip(frames);
        let squares = rows.map(|(row, &frame)| {
            let from = &self.values[frame * self.n_column..(frame + 1) * self.n_column];
            row.chunks_exact_mut(3).zip(vertices).for_each(|(r, v)| r.copy_from_slice(&from[3 * v..3 * v + 3]));
            squares(row).1
        });
        let squares: Vec<f64> = squares.collect();
        Residual {
            n_frame: frames.len(),
            n_column,
            still: frames.iter().map(|&frame| self.still[frame]).collect(),
            energy: squares.iter().sum(),
            values: Cow::Owned(values),
        }
    }

    pub fn matrix(&self) -> MatRef<'_, f32> {
        MatRef::from_row_major_slice(&self.values, self.n_frame, self.n_column)
    }

    /// That block, row after row.
    pub fn copy(&self, frames: Range<usize>, columns: Range<usize>, block: &mut Vec<f32>) {
        block.clear();
        for frame in frames {
            let start = frame * self.n_column;
            block.extend_from_slice(&self.values[start + columns.start..start + columns.end]);
        }
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
        self.copy(frames.clone(), columns.clone(), error);
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

/// Longest vector, squared, and the sum of squares of a frame.
fn squares(row: &[f32]) -> (f32, f64) {
    let (mut longest, mut sum) = (0.0f32, 0.0);
    for block in row.chunks(SUMMED) {
        let mut of_block = 0.0;
        for r in block.chunks_exact(3) {
            let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
            longest = longest.max(square);
            of_block += square;
        }
        sum += f64::from(of_block);
    }
    (longest, sum)
}

/// `dst += scale * a * b` on this thread alone.
pub fn multiply_add(dst: MatMut<'_, f32>, a: MatRef<'_, f32>, b: MatRef<'_, f32>, scale: f32) {
    faer::linalg::matmul::matmul(dst, faer::Accum::Add, a, b, scale, faer::Par::Seq);
}
