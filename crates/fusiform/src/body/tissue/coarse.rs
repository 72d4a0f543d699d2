//! Coarse: the half of the solver that sees far.
//!
//! Each cell of the body moves as one, held by the springs that leave it, a third of each since direction is left out:
//!
//! ```text
//! L c = Σ r over each cell      Lₐₐ = Σ dᵢ + Σ k/3      Lₐᵦ = −Σ k/3      d mass, goal and its damper, over step²
//! ```
//!
//! Direction left out, L is the same in every pose, and the same along x, y and z: it is factored once, at bind (Cholesky,
//! cells with the fewest neighbours first: Tinney, Walker: *Direct solutions of sparse network equations*, 1967).
//! Nicolaides: *Deflation of conjugate gradients*, 1987, is the same idea.

use glam::Vec4;
use std::collections::BTreeMap;

/// L, factored, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Coarse {
    /// n_cell: row of each cell.
    pub row_of: Box<[u32]>,
    start: Box<[u32]>,    // n_cell + 1
    row: Box<[u32]>,      // below the diagonal
    factor: Box<[f32]>,   // likewise
    diagonal: Box<[f32]>, // n_cell  inverted
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
        let (row_of, columns) = eliminate(&across);
        let place = |cell: usize| row_of[cell] as usize;
        // the lower half in full while it is factored
        let mut lower: Vec<Vec<f64>> = (0..own.len()).map(|row| vec![0.0; row + 1]).collect();
        for cell in 0..own.len() {
            lower[place(cell)][place(cell)] = own[cell];
            for (&other, &k) in across[cell].iter().filter(|(other, _)| place(**other as usize) < place(cell)) {
                lower[place(cell)][place(other as usize)] = -k;
            }
        }
        let mut made = Self { row_of: row_of.into(), ..Self::default() };
        let (mut start, mut rows, mut factor, mut diagonal) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for (column, below) in columns.iter().enumerate() {
            let inverse = 1.0 / lower[column][column].max(1e-30).sqrt();
            let values: Vec<f64> = below.iter().map(|&row| lower[row as usize][column] * inverse).collect();
            for (i, &row) in below.iter().enumerate() {
                for (&other, value) in below[..=i].iter().zip(&values) {
                    lower[row as usize][other as usize] -= values[i] * value;
                }
            }
            rows.extend_from_slice(below);
            factor.extend(values.iter().map(|&value| value as f32));
            diagonal.push(inverse as f32);
            start.push(rows.len() as u32);
        }
        (made.start, made.row, made.factor, made.diagonal) =
            (start.into(), rows.into(), factor.into(), diagonal.into());
        made
    }

    /// Solve for all three axes at once, in place; b·x.
    pub fn solve_measured(&self, b: &mut [Vec4]) -> f64 {
        // b L⁻¹ b is the square of what the first half of the solution leaves
        let mut square = 0.0;
        for column in 0..b.len() {
            let x = b[column] * self.diagonal[column];
            b[column] = x;
            square += f64::from(x.length_squared());
            let (rows, factor) = self.below(column);
            for (&row, &l) in rows.iter().zip(factor) {
                b[row as usize] -= l * x;
            }
        }
        for column in (0..b.len()).rev() {
            let (rows, factor) = self.below(column);
            // two sums, of which neither waits for the other
            let mut sums = [Vec4::ZERO; 2];
            for (k, (&row, &l)) in rows.iter().zip(factor).enumerate() {
                sums[k % 2] += l * b[row as usize];
            }
            b[column] = (b[column] - (sums[0] + sums[1])) * self.diagonal[column];
        }
        square
    }

    fn below(&self, column: usize) -> (&[u32], &[f32]) {
        let of = self.start[column] as usize..self.start[column + 1] as usize;
        (&self.row[of.clone()], &self.factor[of])
    }
}

/// Row of each cell, and the rows below the diagonal of each column: the cell with the fewest neighbours goes first, and leaves
/// them neighbours of each other.
fn eliminate(across: &[BTreeMap<u32, f64>]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let (n, words) = (across.len(), across.len().div_ceil(64));
    let mut near = vec![vec![0_u64; words]; n];
    for (cell, others) in across.iter().enumerate() {
        others.keys().for_each(|&other| near[cell][other as usize / 64] |= 1 << (other % 64));
    }
    let members = |set: &[u64]| -> Vec<u32> {
        let bits = set.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word as u32 + bit)
        });
        bits.collect()
    };
    let count = |set: &[u64]| set.iter().map(|bits| bits.count_ones()).sum::<u32>();
    let mut left: Vec<u32> = (0..n as u32).collect();
    let mut degree: Vec<u32> = near.iter().map(|set| count(set)).collect();
    let (mut row_of, mut columns) = (vec![0; n], Vec::with_capacity(n));
    for row in 0..n as u32 {
        let Some(at) = (0..left.len()).min_by_key(|&k| (degree[left[k] as usize], left[k])) else { break };
        let cell = left.swap_remove(at);
        row_of[cell as usize] = row;
        let clique = std::mem::take(&mut near[cell as usize]);
        let others = members(&clique);
        for &other in &others {
            let set = &mut near[other as usize];
            set.iter_mut().zip(&clique).for_each(|(bits, more)| *bits |= more);
            for gone in [cell, other] {
                set[gone as usize / 64] &= !(1 << (gone % 64));
            }
            degree[other as usize] = count(set);
        }
        columns.push(others);
    }
    for below in &mut columns {
        below.iter_mut().for_each(|cell| *cell = row_of[*cell as usize]);
        below.sort_unstable();
    }
    (row_of, columns)
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
