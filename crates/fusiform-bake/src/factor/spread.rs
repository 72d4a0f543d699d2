//! From the vertices that move to all of them.
//!
//! A vertex that is nowhere farther than the tolerance from where joints put it needs no target, so it has no say in how
//! many there are. Once weights are found it takes the targets of least squared error, `T = (W^T W)^-1 W^T R`, or none
//! where those would err by more than is allowed.

use super::Draft;
use super::measure::STRIP;
use super::residual::{Residual, multiply_add};
use crate::small::onto;
use faer::{MatMut, MatRef};
use rayon::prelude::*;

/// The draft of the vertices in `moving`, for all vertices of the residual.
pub fn spread(residual: &Residual, draft: Draft, moving: &[usize], allowed: f32) -> Draft {
    let (n, n_frame) = (draft.n_target, residual.n_frame);
    if n == 0 || 3 * moving.len() == residual.n_column {
        return draft;
    }
    let onto = onto(draft.weights.chunks_exact(n), n);
    let onto = MatRef::from_row_major_slice(&onto, n_frame, n);
    let mut targets = vec![0.0; residual.n_column * n];
    targets.par_chunks_mut(STRIP * n).enumerate().for_each_init(Vec::new, |error, (strip, targets)| {
        let columns = strip * STRIP..strip * STRIP + targets.len() / n;
        residual.copy(0..n_frame, columns.clone(), error);
        let rows = MatRef::from_row_major_slice(error, n_frame, columns.len());
        multiply_add(MatMut::from_row_major_slice_mut(targets, columns.len(), n), rows.transpose(), onto, 1.0);
        residual.error_of(0..n_frame, columns.clone(), &draft.weights, targets, n, error);
        let is_out = |e: &[f32]| e[0] * e[0] + e[1] * e[1] + e[2] * e[2] > allowed * allowed;
        for row in error.chunks_exact(columns.len()) {
            let out = row.chunks_exact(3).zip(targets.chunks_exact_mut(3 * n)).filter(|(e, _)| is_out(e));
            out.for_each(|(_, targets)| targets.fill(0.0));
        }
    });
    for (&v, rows) in moving.iter().zip(draft.targets.chunks_exact(3 * n)) {
        targets[3 * v * n..3 * (v + 1) * n].copy_from_slice(rows);
    }
    Draft { targets, ..draft }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_small_vertex_follows_the_weights_unless_that_takes_it_farther_off() {
        let levels = [1.0_f32, 1.0, 1.0, 10.0];
        // one that moves, one that goes along by a little, one that goes the other way but in the frame that weighs most
        let other_way = [-1.0, -1.0, -1.0, 1.0];
        let frame = |f: usize| [Vec3::X * levels[f], 0.05 * Vec3::Y * levels[f], 0.9 * Vec3::Z * other_way[f]];
        let rows: Vec<Vec3> = (0..4).flat_map(frame).collect();
        let residual = Residual::new(&rows, 3, 0.0).unwrap();
        let draft = Draft { n_target: 1, weights: levels.to_vec(), targets: vec![0.99, 0.0, 0.0] };
        let Draft { n_target, weights, targets } = spread(&residual, draft, &[0], 0.95);
        assert_eq!((n_target, &weights[..]), (1, &levels[..]));
        assert_eq!(targets[..3], [0.99, 0.0, 0.0], "what moves keeps what was found for it");
        assert!((targets[4] - 0.05).abs() < 1e-5 && targets[3] == 0.0, "{targets:?}");
        assert_eq!(targets[6..], [0.0; 3], "0.9 away is allowed, 0.96 is not");
    }
}
