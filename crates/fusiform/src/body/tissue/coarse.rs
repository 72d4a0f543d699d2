//! Coarse: the half of the solver that sees far.
//!
//! Each cell of the body moves as one, held by the springs that leave it, a third of each since direction is left out:
//!
//! ```text
//! L c = Σ r over each cell      Lₐₐ = Σ dᵢ + Σ k/3      Lₐᵦ = −Σ k/3      d mass, goal and its damper, over step²
//! ```
//!
//! Direction left out, L is the same in every pose, and the same along x, y and z: it is factored once, at bind (Cholesky,
//! from each row's first entry on, rows ordered so that this is near the diagonal: Cuthill, McKee: *Reducing the bandwidth
//! of sparse symmetric matrices*, 1969). Nicolaides: *Deflation of conjugate gradients*, 1987, is the same idea.

use glam::Vec4;
use std::collections::BTreeMap;

/// L, factored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Coarse {
    /// n_cell: row of each cell.
    pub row_of: Box<[u32]>,
    first: Box<[u32]>,  // n_cell  the first entry of each row is in this column
    start: Box<[u32]>,  // n_cell + 1
    factor: Box<[f32]>, // row by row, from `first` up to the diagonal, which is inverted
}

impl Coarse {
    /// Of cells with `own` on the diagonal, and springs between them.
    pub fn new(mut own: Vec<f64>, springs: impl Iterator<Item = (u32, u32, f64)>) -> Self {
        let mut across: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); own.len()];
        for (a, b, k) in springs.filter(|&(a, b, _)| a != b) {
            for (this, other) in [(a, b), (b, a)] {
                own[this as usize] += k;
                *across[this as usize].entry(other).or_default() += k;
            }
        }
        let row_of = narrow(&across);
        let mut cell_of = vec![0; own.len()];
        for (cell, &row) in row_of.iter().enumerate() {
            cell_of[row as usize] = cell;
        }
        let (mut first, mut start) = (vec![0; own.len()], vec![0; own.len() + 1]);
        for row in 0..own.len() {
            let nearest = across[cell_of[row]].keys().map(|&c| row_of[c as usize]).min();
            first[row] = nearest.unwrap_or(row as u32).min(row as u32);
            start[row + 1] = start[row] + (row as u32 - first[row] + 1);
        }
        let mut factor = vec![0.0; start[own.len()] as usize];
        for row in 0..own.len() {
            let at = |column: u32| (start[row] + column - first[row]) as usize;
            factor[at(row as u32)] = own[cell_of[row]];
            for (&cell, &k) in across[cell_of[row]].iter().filter(|(c, _)| (row_of[**c as usize] as usize) < row) {
                factor[at(row_of[cell as usize])] = -k;
            }
        }
        factorise(&first, &start, &mut factor);
        let factor = factor.into_iter().map(|x| x as f32).collect();
        Self { row_of: row_of.into(), first: first.into(), start: start.into(), factor }
    }

    /// All three axes at once, in place.
    fn forward(&self, b: &mut [Vec4]) {
        for row in 0..b.len() {
            let (first, entries) = self.row(row);
            let (diagonal, left) = (entries[entries.len() - 1], &entries[..entries.len() - 1]);
            b[row] = (b[row] - product(left, &b[first..row])) * diagonal;
        }
    }

    fn backward(&self, b: &mut [Vec4]) {
        for row in (0..b.len()).rev() {
            let (first, entries) = self.row(row);
            let x = b[row] * entries[entries.len() - 1];
            b[row] = x;
            for (&l, b) in entries[..entries.len() - 1].iter().zip(&mut b[first..row]) {
                *b -= l * x;
            }
        }
    }

    /// Solve in place; b·x.
    pub fn solve_measured(&self, b: &mut [Vec4]) -> f64 {
        // b L⁻¹ b is the square of what the first half of the solution leaves
        self.forward(b);
        let square = b.iter().map(|b| f64::from(b.length_squared())).sum();
        self.backward(b);
        square
    }

    fn row(&self, row: usize) -> (usize, &[f32]) {
        (self.first[row] as usize, &self.factor[self.start[row] as usize..self.start[row + 1] as usize])
    }
}

/// Σ l x: four sums, of which none waits for another.
#[inline(always)]
fn product(l: &[f32], x: &[Vec4]) -> Vec4 {
    let mut sums = [Vec4::ZERO; 4];
    let (fours, xs) = (l.chunks_exact(4), x.chunks_exact(4));
    let rest = fours.remainder().iter().zip(xs.remainder());
    for (l, x) in fours.zip(xs) {
        for k in 0..4 {
            sums[k] += l[k] * x[k];
        }
    }
    rest.fold((sums[0] + sums[1]) + (sums[2] + sums[3]), |sum, (&l, &x)| sum + l * x)
}

/// Cholesky, row by row; diagonals are left inverted.
fn factorise(first: &[u32], start: &[u32], factor: &mut [f64]) {
    for row in 0..first.len() {
        for column in first[row]..=row as u32 {
            let c = column as usize;
            let from = first[row].max(first[c]);
            let (done, here) = (start[row] + from - first[row], start[c] + from - first[c]);
            let sum: f64 = (0..column - from).map(|k| factor[(done + k) as usize] * factor[(here + k) as usize]).sum();
            let at = (start[row] + column - first[row]) as usize;
            let rest = factor[at] - sum;
            let scale = if c == row { 0.0 } else { factor[(start[c + 1] - 1) as usize] };
            factor[at] = if c == row { 1.0 / rest.max(1e-30).sqrt() } else { rest * scale };
        }
    }
}

/// Row of each cell: neighbours after one another, from one end of the body to the other.
fn narrow(across: &[BTreeMap<u32, f64>]) -> Vec<u32> {
    let mut row_of = vec![u32::MAX; across.len()];
    let (mut next, mut queue) = (0, Vec::new());
    for seed in 0..across.len() as u32 {
        if row_of[seed as usize] != u32::MAX {
            continue;
        }
        let far = farthest(across, farthest(across, seed));
        row_of[far as usize] = next;
        next += 1;
        queue.clear();
        queue.push(far);
        let mut head = 0;
        while head < queue.len() {
            let mut waiting: Vec<u32> = across[queue[head] as usize].keys().copied().collect();
            waiting.retain(|&c| row_of[c as usize] == u32::MAX);
            waiting.sort_by_key(|&c| (across[c as usize].len(), c));
            for cell in waiting {
                row_of[cell as usize] = next;
                next += 1;
                queue.push(cell);
            }
            head += 1;
        }
    }
    row_of
}

/// A cell most steps away.
fn farthest(across: &[BTreeMap<u32, f64>], from: u32) -> u32 {
    let mut seen = vec![false; across.len()];
    let mut queue = vec![from];
    seen[from as usize] = true;
    let mut head = 0;
    while head < queue.len() {
        for &cell in across[queue[head] as usize].keys() {
            if !seen[cell as usize] {
                seen[cell as usize] = true;
                queue.push(cell);
            }
        }
        head += 1;
    }
    queue[queue.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factored_matrix_solves_what_it_was_made_from() {
        let springs = [(0, 3, 2.0), (3, 1, 1.0), (1, 4, 5.0), (4, 2, 0.5), (0, 4, 1.5), (5, 5, 9.0)];
        let own = vec![1.0, 2.0, 0.5, 1.0, 3.0, 4.0];
        let coarse = Coarse::new(own.clone(), springs.into_iter());
        let x = [1.0, -2.0, 3.0, 0.5, -1.0, 7.0];
        let mut b = vec![Vec4::ZERO; 6];
        for (cell, &row) in coarse.row_of.iter().enumerate() {
            let mut sum = own[cell] * x[cell];
            for &(p, q, k) in springs.iter().filter(|s| s.0 != s.1) {
                let (p, q) = (p as usize, q as usize);
                sum +=
                    if p == cell { k * (x[p] - x[q]) } else { 0.0 } + if q == cell { k * (x[q] - x[p]) } else { 0.0 };
            }
            b[row as usize] = Vec4::splat(sum as f32);
        }
        coarse.solve_measured(&mut b);
        for (cell, &row) in coarse.row_of.iter().enumerate() {
            assert!((f64::from(b[row as usize].y) - x[cell]).abs() < 1e-5, "cell {cell}: {}", b[row as usize].y);
        }
    }
}
