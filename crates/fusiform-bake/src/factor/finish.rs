//! Targets as they are written: weights of size 1, tiny entries zero so that sparse accessors pay, errors measured last.

use super::measure::measure;
use super::residual::Residual;
use super::{ClipFactors, Draft, Factors};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;

/// Target entries shorter than this share of the tolerance become zero; halved until the tolerance is kept.
const TINY: f32 = 0.02;

/// How often the share is halved before nothing is zeroed.
const HALVINGS: i32 = 4;

/// Vertices, and targets, a thread takes at a time.
const VERTICES: usize = 1024;
const TARGETS: usize = 16;

pub fn finish(residual: &Residual, mut draft: Draft, tolerance: f32, clips: &[Range<usize>]) -> Factors {
    scale(&mut draft);
    let mut tries = (0..=HALVINGS).map(|halving| if halving < HALVINGS { TINY * 0.5f32.powi(halving) } else { 0.0 });
    let (zeroed, errors) = loop {
        let share = tries.next().unwrap_or(0.0);
        let zeroed = without_tiny(&draft, share * tolerance);
        let errors = measure(residual, &zeroed);
        if share == 0.0 || errors.max_error() <= tolerance {
            break (zeroed, errors);
        }
    };
    let Draft { n_target, weights, targets } = zeroed;
    let n_vertex = residual.n_column / 3;
    let targets = target_by_target(&targets, n_target, n_vertex);
    let reach: Vec<f32> = targets.chunks_exact(n_vertex.max(1)).map(longest).collect();
    let clips = clips.iter().map(|frames| {
        let rows = &weights[frames.start * n_target..frames.end * n_target];
        let is_used = |k: &usize| rows.chunks_exact(n_target).any(|row| row[*k].abs() * reach[*k] > 0.01 * tolerance);
        ClipFactors {
            targets: (0..n_target).filter(is_used).count(),
            max_error: errors.max_of(frames.clone()),
            rms_error: errors.rms_of(frames.clone(), n_vertex),
        }
    });
    Factors {
        n_target,
        max_error: errors.max_error(),
        rms_error: errors.rms_of(0..residual.n_frame, n_vertex),
        clips: clips.collect(),
        targets,
        weights,
        spectrum: Vec::new(),
        least_squares: n_target,
        at_least: n_target,
    }
}

fn longest(target: &[Vec3]) -> f32 {
    target.iter().map(|r| r.length_squared()).fold(0.0, f32::max).sqrt()
}

/// The weight farthest from 0 becomes 1, its target takes the size.
fn scale(draft: &mut Draft) {
    let n = draft.n_target.max(1);
    let mut size = vec![0.0f32; n];
    for row in draft.weights.chunks_exact(n) {
        size.iter_mut().zip(row).for_each(|(size, &w)| *size = if w.abs() > size.abs() { w } else { *size });
    }
    size.iter_mut().filter(|size| **size == 0.0).for_each(|size| *size = 1.0);
    for row in draft.weights.chunks_exact_mut(n) {
        row.iter_mut().zip(&size).for_each(|(w, size)| *w /= size);
    }
    draft.targets.par_chunks_mut(VERTICES * n).for_each(|rows| {
        for row in rows.chunks_exact_mut(n) {
            row.iter_mut().zip(&size).for_each(|(t, size)| *t *= size);
        }
    });
}

fn without_tiny(draft: &Draft, tiny: f32) -> Draft {
    let n = draft.n_target;
    let mut zeroed = draft.clone();
    zeroed.targets.par_chunks_mut(3 * VERTICES * n.max(1)).for_each(|rows| {
        for vertex in rows.chunks_exact_mut(3 * n) {
            let (x, rest) = vertex.split_at_mut(n);
            let (y, z) = rest.split_at_mut(n);
            for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
                let kept = if *x * *x + *y * *y + *z * *z < tiny * tiny { 0.0 } else { 1.0 };
                (*x, *y, *z) = (*x * kept, *y * kept, *z * kept);
            }
        }
    });
    zeroed
}

/// From 3 n_vertex x n_target to n_target x n_vertex, some targets at a time so that reads and writes stay near.
fn target_by_target(rows: &[f32], n_target: usize, n_vertex: usize) -> Vec<Vec3> {
    let mut targets = vec![Vec3::ZERO; n_target * n_vertex];
    targets.par_chunks_mut((TARGETS * n_vertex).max(1)).enumerate().for_each(|(group, targets)| {
        let first = group * TARGETS;
        for vertex in 0..n_vertex {
            let [x, y, z] = [0, 1, 2].map(|axis| &rows[(3 * vertex + axis) * n_target + first..]);
            for (k, target) in targets.chunks_exact_mut(n_vertex).enumerate() {
                target[vertex] = Vec3::new(x[k], y[k], z[k]);
            }
        }
    });
    targets
}
