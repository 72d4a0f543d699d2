//! The small systems of [`polish`](super::polish): a damped Newton step for what one vertex, or one frame, goes by.
//!
//! ```text
//! (A + U^T U) x = U^T d        A = mu W^T W, the same for all;  U a row for each vector that sticks out
//! x = A^-1 U^T (1 + U A^-1 U^T)^-1 d
//! ```
//!
//! The second line is the first with as many unknowns as there are rows (Woodbury 1950, *Inverting modified matrices*):
//! mostly a vertex sticks out in a few frames only, and there are far more targets than that.

use crate::small::solve_positive;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_product};
use faer::{Accum, MatMut, MatRef, Par};

/// What holds a draft in place: `A`, and every row of `W` through its inverse.
pub struct Hold<'a> {
    n: usize,
    rows: &'a [f32],           // n_row x n  W
    a: Vec<f64>,               // n x n, lower half
    through: Option<Vec<f64>>, // n_row x n  W A^-1
}

/// Room for the systems of one thread.
#[derive(Default)]
pub struct Room {
    h: Vec<f64>,
    rows: Vec<f64>,
    levels: Vec<f64>,
}

/// `mu` times what holds the rest in place, and a trace of it on the diagonal.
pub fn damped(around: &[f64], n: usize, mu: f64) -> Vec<f64> {
    let mut a: Vec<f64> = around.iter().map(|a| a * mu).collect();
    let trace: f64 = (0..n).map(|i| around[i * n + i]).sum();
    for i in 0..n {
        a[i * n + i] += 1e-9 * trace + f64::MIN_POSITIVE;
    }
    a
}

/// Lower half of `h += U^T U` for rows of `n`.
pub fn add_squares(h: &mut [f64], rows: &[f64], n: usize) {
    let rows = MatRef::from_row_major_slice(rows, rows.len() / n, n);
    let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    let to = MatMut::from_row_major_slice_mut(h, n, n);
    triangular_product(to, lower, Accum::Add, rows.transpose(), full, rows, full, 1.0, Par::Seq);
}

impl<'a> Hold<'a> {
    /// `around` is `W^T W`, its lower half.
    pub fn new(rows: &'a [f32], around: &[f64], n: usize, mu: f64) -> Self {
        let a = damped(around, n, mu);
        let mut through: Vec<f64> = rows.iter().map(|&w| f64::from(w)).collect();
        let is_solved = solve_positive(&mut a.clone(), n, &mut through);
        Self { n, rows, a, through: is_solved.then_some(through) }
    }

    /// The step that three axes take towards `push`, which has as many levels an axis as rows are `out`, at least one;
    /// false when there is none.
    pub fn step(&self, out: &[usize], push: &[f64], room: &mut Room, step: &mut Vec<f64>) -> bool {
        step.clear();
        step.resize(3 * self.n, 0.0);
        match &self.through {
            Some(through) if out.len() < self.n => self.by_rows(through, out, push, room, step),
            _ => self.by_unknowns(out, push, room, step),
        }
    }

    fn by_rows(&self, through: &[f64], out: &[usize], push: &[f64], room: &mut Room, step: &mut [f64]) -> bool {
        let (n, m) = (self.n, out.len());
        let Room { h, levels, .. } = room;
        h.clear();
        h.resize(m * m, 0.0);
        for (i, &row) in out.iter().enumerate() {
            let row = &self.rows[row * n..(row + 1) * n];
            for (j, &other) in out[..=i].iter().enumerate() {
                let through = &through[other * n..(other + 1) * n];
                h[i * m + j] = row.iter().zip(through).map(|(&w, t)| f64::from(w) * t).sum();
            }
            h[i * m + i] += 1.0;
        }
        levels.clear();
        levels.extend_from_slice(push);
        if !solve_positive(h, m, levels) {
            return false;
        }
        for (step, levels) in step.chunks_exact_mut(n).zip(levels.chunks_exact(m)) {
            for (&row, level) in out.iter().zip(levels) {
                let through = &through[row * n..(row + 1) * n];
                step.iter_mut().zip(through).for_each(|(step, t)| *step += level * t);
            }
        }
        true
    }

    fn by_unknowns(&self, out: &[usize], push: &[f64], room: &mut Room, step: &mut [f64]) -> bool {
        let (n, m) = (self.n, out.len());
        let Room { h, rows, .. } = room;
        rows.clear();
        rows.extend(out.iter().flat_map(|&row| &self.rows[row * n..(row + 1) * n]).map(|&w| f64::from(w)));
        h.clone_from(&self.a);
        add_squares(h, rows, n);
        for (step, push) in step.chunks_exact_mut(n).zip(push.chunks_exact(m)) {
            for (row, level) in rows.chunks_exact(n).zip(push) {
                step.iter_mut().zip(row).for_each(|(step, w)| *step += level * w);
            }
        }
        solve_positive(h, n, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_or_many_unknowns_the_step_is_the_same() {
        let n = 5;
        // squares within: plain sines would be of rank two, and the systems as good as singular
        let rows: Vec<f32> = (0..20 * n).map(|i| (0.7 * (i * i) as f32).sin()).collect();
        let mut around = vec![0.0; n * n];
        add_squares(&mut around, &rows.iter().map(|&w| f64::from(w)).collect::<Vec<_>>(), n);
        let hold = Hold::new(&rows, &around, n, 0.1);
        let (out, push) = ([2, 7, 11], (0..9).map(|i| 0.3 * f64::from(i) - 1.0).collect::<Vec<_>>());
        let (mut room, mut few, mut many) = (Room::default(), Vec::new(), vec![0.0; 3 * n]);
        assert!(hold.step(&out, &push, &mut room, &mut few));
        assert!(hold.by_unknowns(&out, &push, &mut room, &mut many));
        assert!(few.iter().any(|step| step.abs() > 1e-3), "the case must move: {few:?}");
        assert!(few.iter().zip(&many).all(|(a, b)| (a - b).abs() < 1e-12), "{few:?} {many:?}");
    }
}
