//! The core: the few frames and vertices that decide how many targets there must be.
//!
//! Most vertices never come near the tolerance, and a frame is much like its neighbours. So counts are tried on the
//! vertices where least squares errs most and on one frame of every few; what is found there is lifted to all frames
//! and vertices, and polished again where it does not hold.

use super::Draft;
use super::measure::{STRIP, strip_error};
use super::residual::Residual;
use super::spectrum::project;
use crate::small::solve_positive;
use faer::Mat;
use rayon::prelude::*;

/// No more vertices than this in a core, and about as many frames as this.
const VERTICES: usize = 1024;
const FRAMES: usize = 128;

/// Share of what is allowed above which a vertex comes into a core that grows.
const ABOUT: f32 = 0.97;

/// Some frames and vertices of the residual.
pub struct Core {
    frames: Vec<usize>,
    vertices: Vec<usize>,
    /// Their residual.
    pub residual: Residual<'static>,
}

impl Core {
    /// The vertices where `draft` errs most, and of every few frames the one where it does; everything where that
    /// would be nearly all of it.
    pub fn of(residual: &Residual, draft: &Draft) -> Self {
        let n_vertex = residual.n_column / 3;
        let stride = (residual.n_frame / FRAMES).max(1);
        if n_vertex <= 2 * VERTICES {
            let (frames, vertices) = ((0..residual.n_frame).collect::<Vec<_>>(), (0..n_vertex).collect::<Vec<_>>());
            return Self { residual: residual.only(&frames, &vertices), frames, vertices };
        }
        let (of_frame, of_vertex) = worst(residual, draft);
        let largest = |group: &[usize]| group.iter().copied().max_by(|&a, &b| of_frame[a].total_cmp(&of_frame[b]));
        let all: Vec<usize> = (0..residual.n_frame).collect();
        let frames: Vec<usize> = all.chunks(stride).filter_map(largest).collect();
        let mut vertices: Vec<usize> = (0..n_vertex).collect();
        vertices.sort_by(|&a, &b| of_vertex[b].total_cmp(&of_vertex[a]));
        vertices.truncate(VERTICES);
        vertices.sort_unstable();
        Self { residual: residual.only(&frames, &vertices), frames, vertices }
    }

    /// This core and what `draft` leaves above `allowed` outside of it; None when nothing is above.
    pub fn grown(&self, residual: &Residual, draft: &Draft, allowed: f32) -> Option<Self> {
        let (of_frame, of_vertex) = worst(residual, draft);
        let with = |core: &[usize], of: &[f32], share: f32| {
            let out = (0..of.len()).filter(|&i| of[i].sqrt() > share * allowed);
            let mut all: Vec<usize> = core.iter().copied().chain(out).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        if of_frame.iter().all(|square| square.sqrt() <= allowed) {
            return None;
        }
        // what is about to stick out comes along
        let (frames, vertices) = (with(&self.frames, &of_frame, 1.0), with(&self.vertices, &of_vertex, ABOUT));
        Some(Self { residual: residual.only(&frames, &vertices), frames, vertices })
    }

    /// The draft's rows for these frames and vertices.
    pub fn of_draft(&self, draft: &Draft) -> Draft {
        let n = draft.n_target;
        let weights = self.frames.iter().flat_map(|&f| &draft.weights[f * n..(f + 1) * n]).copied().collect();
        let targets = self.vertices.iter().flat_map(|&v| &draft.targets[3 * v * n..3 * (v + 1) * n]).copied().collect();
        Draft { n_target: n, weights, targets }
    }

    /// To all frames and vertices what polishing made of `before` in the core: frames between those of the core change
    /// as their neighbours did, other vertices take the targets of least squared error.
    pub fn lift(&self, residual: &Residual, before: &Draft, polished: &Draft) -> Draft {
        let n = before.n_target;
        let mut weights = before.weights.clone();
        for (frame, weights) in weights.chunks_exact_mut(n).enumerate().filter(|(f, _)| !residual.still[*f]) {
            let after = self.frames.partition_point(|&core| core <= frame);
            let (a, b) = (after.saturating_sub(1), after.min(self.frames.len() - 1));
            let span = self.frames[b].abs_diff(self.frames[a]);
            let share = if span == 0 { 0.0 } else { frame.saturating_sub(self.frames[a]) as f32 / span as f32 };
            let change =
                |core: usize, k: usize| polished.weights[core * n + k] - before.weights[self.frames[core] * n + k];
            (0..n).for_each(|k| weights[k] += (1.0 - share) * change(a, k) + share * change(b, k));
        }
        let mut targets = fitted(residual, &weights, n).unwrap_or_else(|| before.targets.clone());
        for (&v, rows) in self.vertices.iter().zip(polished.targets.chunks_exact(3 * n)) {
            targets[3 * v * n..3 * (v + 1) * n].copy_from_slice(rows);
        }
        Draft { n_target: n, weights, targets }
    }
}

/// Largest squared error of every frame, and of every vertex.
fn worst(residual: &Residual, draft: &Draft) -> (Vec<f32>, Vec<f32>) {
    let strips: Vec<(Vec<f32>, Vec<f32>)> = (0..residual.n_column.div_ceil(STRIP))
        .into_par_iter()
        .map_init(Vec::new, |error, strip| {
            let width = strip_error(residual, draft, strip, error);
            let (mut of_frame, mut of_vertex) = (vec![0.0f32; residual.n_frame], vec![0.0f32; width / 3]);
            for (row, frame) in error.chunks_exact(width).zip(&mut of_frame) {
                for (e, vertex) in row.chunks_exact(3).zip(&mut of_vertex) {
                    let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
                    *vertex = vertex.max(square);
                    *frame = frame.max(square);
                }
            }
            (of_frame, of_vertex)
        })
        .collect();
    let mut of_frame = vec![0.0f32; residual.n_frame];
    for (strip, _) in &strips {
        of_frame.iter_mut().zip(strip).for_each(|(all, &strip)| *all = all.max(strip));
    }
    (of_frame, strips.into_iter().flat_map(|(_, of_vertex)| of_vertex).collect())
}

/// Targets of least squared error for these weights: `T = (W^T W)^-1 W^T R`. None when two weights say the same.
fn fitted(residual: &Residual, weights: &[f32], n: usize) -> Option<Vec<f32>> {
    let mut products = vec![0.0f64; n * n];
    for row in weights.chunks_exact(n) {
        for i in 0..n {
            (0..=i).for_each(|j| products[i * n + j] += f64::from(row[i]) * f64::from(row[j]));
        }
    }
    let mut rows: Vec<f64> = weights.iter().map(|&w| f64::from(w)).collect();
    solve_positive(&mut products, n, &mut rows).then(|| {
        let onto = Mat::from_fn(residual.n_frame, n, |frame, k| rows[frame * n + k] as f32);
        project(residual.matrix(), onto.as_ref())
    })
}
