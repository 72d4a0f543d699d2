//! Targets as they are written: weights of size 1, tiny entries zero so that sparse accessors pay, errors measured last.

use super::measure::measure;
use super::residual::Residual;
use super::{ClipFactors, Draft, Factors};
use glam::Vec3;
use std::ops::Range;

/// Target entries shorter than this share of the tolerance become zero; halved until the tolerance is kept.
const TINY: f32 = 0.02;

/// How often the share is halved before nothing is zeroed.
const HALVINGS: i32 = 4;

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
    let targets: Vec<Vec3> = (0..n_target * n_vertex)
        .map(|i| Vec3::from_array([0, 1, 2].map(|axis| targets[(3 * (i % n_vertex) + axis) * n_target + i / n_vertex])))
        .collect();
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
    let n = draft.n_target;
    for k in 0..n {
        let farthest = draft.weights.iter().skip(k).step_by(n).copied();
        let size = farthest.fold(0.0f32, |far, w| if w.abs() > far.abs() { w } else { far });
        if size == 0.0 {
            continue;
        }
        draft.weights.iter_mut().skip(k).step_by(n).for_each(|w| *w /= size);
        draft.targets.iter_mut().skip(k).step_by(n).for_each(|t| *t *= size);
    }
}

fn without_tiny(draft: &Draft, tiny: f32) -> Draft {
    let n = draft.n_target;
    let mut zeroed = draft.clone();
    for vertex in zeroed.targets.chunks_exact_mut(3 * n.max(1)) {
        for k in 0..n {
            let entry = Vec3::new(vertex[k], vertex[n + k], vertex[2 * n + k]);
            if entry.length() < tiny {
                [k, n + k, 2 * n + k].into_iter().for_each(|i| vertex[i] = 0.0);
            }
        }
    }
    zeroed
}
