//! Order: where each particle is kept.
//!
//! Particles of one cell of the body follow one another, along a curve that fills space, so that what springs join is near
//! in memory; of every [`BLOCK`] of them those with many springs come first, so that the eight of a row have about as many. A
//! cell, of skin or of bellies, is also what the coarse half of the solver moves as one ([`coarse`](super::coarse)).

use super::Network;
use crate::body::lanes::LANES;
use glam::{IVec3, Vec3};
use std::sync::Arc;

/// Edge of a cell over the reach of links below the nearest point: about 4 cm. Of larger ones and of smaller ones the solver
/// takes more rounds to the same answer.
const CELL: f32 = 2.0;
/// Cells grow until there are no more of them: each sub-step solves for all.
const MOST_CELLS: usize = 2500;
/// Fewer particles are no cell of their own.
const FEWEST: usize = 8;
/// Particles that are sorted by how many springs they have: 4 kB of what a round reads of the others.
const BLOCK: usize = 256;

/// Where points are kept: particles first, in rows of [`LANES`], then bones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Order {
    /// n_point: slot of each point; shared with what remembers their motion.
    pub slot_of: Arc<[u32]>,
    /// Slots of particles: whole rows, the last of them filled up with nothing.
    pub n_padded: usize,
    /// n_padded: the cell of each slot; `n_cell` of those that only fill the last row.
    pub cell: Box<[u32]>,
    /// How many cells there are.
    pub n_cell: usize,
}

impl Order {
    /// Of a network's points; `offset` is how deep links reach below the nearest, m.
    pub fn new(network: &Network, offset: f32) -> Self {
        let n = network.n_free();
        let springs = degrees(network);
        let mut edge = CELL * offset.max(1e-4);
        let (order, cell, n_cell) = loop {
            let (order, cell) = sorted(&network.at_bind[..n], network.n_skin, &springs, edge);
            let n_cell = cell.iter().max().map_or(0, |&c| c as usize + 1);
            if n_cell <= MOST_CELLS {
                break (order, cell, n_cell);
            }
            edge *= 1.25;
        };
        let n_padded = n.next_multiple_of(LANES);
        let mut slot_of: Vec<u32> = vec![0; n];
        for (slot, &i) in order.iter().enumerate() {
            slot_of[i as usize] = slot as u32;
        }
        slot_of.extend((0..network.bones.len()).map(|b| (n_padded + b) as u32));
        let mut cell = cell;
        cell.resize(n_padded, n_cell as u32);
        Self { slot_of: slot_of.into(), n_padded, cell: cell.into(), n_cell }
    }
}

/// Springs to other particles.
fn degrees(network: &Network) -> Vec<u32> {
    let mut degrees = vec![0; network.n_free()];
    for spring in &network.springs {
        if spring.ends.iter().all(|&e| (e as usize) < degrees.len()) {
            for e in spring.ends {
                degrees[e as usize] += 1;
            }
        }
    }
    degrees
}

/// Particles in order, and the cell of each.
fn sorted(points: &[Vec3], n_skin: usize, springs: &[u32], edge: f32) -> (Vec<u32>, Vec<u32>) {
    let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let cell = |i: u32| ((points[i as usize] - low) / edge).clamp(Vec3::ZERO, Vec3::splat(1023.0)).as_ivec3();
    let is_skin = |i: u32| u32::from((i as usize) < n_skin);
    let code: Vec<u32> = (0..points.len() as u32).map(|i| 2 * along_the_curve(cell(i)) + is_skin(i)).collect();
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_key(|&i| (code[i as usize], i));
    let (mut cell_of, mut now, mut count) = (vec![0; order.len()], 0, 0);
    for (k, &i) in order.iter().enumerate() {
        if k > 0 && code[i as usize] != code[order[k - 1] as usize] && count >= FEWEST {
            (now, count) = (now + 1, 0);
        }
        cell_of[i as usize] = now;
        count += 1;
    }
    order.chunks_mut(BLOCK).for_each(|block| block.sort_by_key(|&i| (u32::MAX - springs[i as usize], i)));
    let cells = order.iter().map(|&i| cell_of[i as usize]).collect();
    (order, cells)
}

/// Place of a cell along Morton's curve.
fn along_the_curve(cell: IVec3) -> u32 {
    let apart = |x: i32| (0..10).fold(0, |bits, b| bits | ((x as u32 >> b) & 1) << (3 * b));
    apart(cell.x) | apart(cell.y) << 1 | apart(cell.z) << 2
}
