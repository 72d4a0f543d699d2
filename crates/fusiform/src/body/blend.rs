//! Blend: the skin follows the nearest belly vertices (Lee eq. 14-15).
//!
//! ```text
//! v = (1 − Σω) v_in + Σ ωₖ M′ₖ B′ₖ⁻¹ v₀            ωₖ = W wₖ,  wₖ ~ 1/distance over the N nearest,  Σ wₖ = 1
//! ```
//!
//! All belly vertices of a ring share its rotation R and centre p, and move by the ring's swell times their offset o.
//! So the sum over the vertices of one ring folds, once and for all, into one term:
//!
//! ```text
//! Σ ωₖ M′ₖ B′ₖ⁻¹ v₀ = R (Ω g + swell O) + Ω p      Ω = Σ ωₖ,  O = Σ ωₖ oₖ,  g = v₀ in the ring's frame at bind
//! ```
//!
//! Four nearest vertices usually lie on two rings: two small products a vertex instead of four full ones.

use super::belly::Ring;
use super::lanes::{LANES, Lane, Lane3, for_each_instruction_set};
use super::muscles::{RestBelly, RestSection};
use crate::SparseWeights;
use glam::{Vec2, Vec3};
use std::ops::Range;

/// What one vertex takes from one ring: constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Row of the ring output.
    pub ring: u32,
    /// Ω: the ring's share in the vertex.
    pub share: f32,
    /// Ω g: the vertex in the ring's frame at bind, times its share; m.
    pub at: Vec3,
    /// O: what the ring's swell is multiplied with, along b and c; m.
    pub offset: Vec2,
}

/// The belly vertices of a body at rest, and which ring each is on.
pub(crate) struct Bellies<'a> {
    pub bellies: &'a [RestBelly],
    pub ring_start: &'a [u32], // n_muscle + 1
}

/// Distances shorter than this share of the height count as this: coincident vertices weigh much, not infinitely.
const DISTANCE_FLOOR: f32 = 1e-6;

impl Bellies<'_> {
    /// What every vertex of a mesh takes from the rings, `nearest` belly vertices each.
    pub fn pulls(
        &self,
        positions: &[Vec3],
        weights: &SparseWeights,
        skin_weight: f32,
        nearest: usize,
        height: f32,
    ) -> Vec<Vec<Pull>> {
        let mut candidates: Vec<(f32, usize, usize)> = Vec::new();
        let vertex = |(v, &at): (usize, &Vec3)| {
            let of_muscle = |m: usize| weights.of(v).find(|&(i, _)| usize::from(i) == m).map_or(0.0, |w| w.1);
            candidates.clear();
            for (m, _) in weights.of(v).filter(|&(_, weight)| weight * skin_weight > 0.0) {
                let points = self.bellies[usize::from(m)].points.iter().enumerate();
                candidates.extend(points.map(|(i, p)| (p.distance_squared(at), usize::from(m), i)));
            }
            let n = nearest.min(candidates.len());
            if n == 0 {
                return Vec::new();
            }
            candidates.select_nth_unstable_by(n - 1, |a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            let chosen = &mut candidates[..n];
            chosen.sort_by_key(|&(_, m, i)| (m, i));
            let closeness = |&(d2, ..): &(f32, usize, usize)| 1.0 / d2.sqrt().max(DISTANCE_FLOOR * height);
            let total: f32 = chosen.iter().map(closeness).sum();
            let share = |c: &(f32, usize, usize)| closeness(c) / total * of_muscle(c.1) * skin_weight;
            let sum: f32 = chosen.iter().map(share).sum();
            let limit = if sum > 1.0 { 1.0 / sum } else { 1.0 };
            let shares = chosen.iter().map(|c| (c.1, c.2, share(c) * limit));
            self.fold(at, shares)
        };
        positions.iter().enumerate().map(vertex).collect()
    }

    /// Belly vertices of the same ring, folded into one pull.
    fn fold(&self, at: Vec3, shares: impl Iterator<Item = (usize, usize, f32)>) -> Vec<Pull> {
        let mut pulls: Vec<Pull> = Vec::new();
        for (m, point, share) in shares {
            let belly = &self.bellies[m];
            let ring = point / (belly.points.len() / belly.rings.len());
            let section = &belly.rings[ring];
            let row = self.ring_start[m] + ring as u32;
            let offset = in_section(section, belly.points[point]);
            let pull = match pulls.iter_mut().position(|p| p.ring == row) {
                Some(i) => &mut pulls[i],
                None => {
                    pulls.push(Pull { ring: row, share: 0.0, at: Vec3::ZERO, offset: Vec2::ZERO });
                    let last = pulls.len() - 1;
                    &mut pulls[last]
                }
            };
            pull.share += share;
            pull.at += in_section(section, at) * share;
            pull.offset += Vec2::new(offset.y, offset.z) * share;
        }
        pulls
    }
}

/// A point of model space in a section's frame: along a, b, c from its centre.
fn in_section(section: &RestSection, p: Vec3) -> Vec3 {
    let from = p - section.center;
    Vec3::new(from.dot(section.a), from.dot(section.b), from.dot(section.c))
}

/// What eight vertices take from one ring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Pulls {
    at: Lane3,
    offset: [Lane; 2],
    share: Lane,
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BlendTable {
    pub keep: Box<[Lane]>,  // n_batch      1 − Σω
    pub start: Box<[u32]>,  // n_batch + 1  rows of `ring` and `pull`
    pub ring: Box<[u32]>,   // n_entry      rows of the ring output
    pub pull: Box<[Pulls]>, // n_entry
}

impl BlendTable {
    pub fn new(order: &[u32], pulls: &[Vec<Pull>]) -> Self {
        let (mut keep, mut start, mut ring, mut pull) = (Vec::new(), vec![0], Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut rings: Vec<u32> = batch.iter().flat_map(|&v| pulls[v as usize].iter().map(|p| p.ring)).collect();
            rings.sort_unstable();
            rings.dedup();
            let first = pull.len();
            pull.resize(first + rings.len(), Pulls::default());
            let mut kept = [1.0; LANES];
            for (lane, &v) in batch.iter().enumerate() {
                for p in &pulls[v as usize] {
                    let row = rings.binary_search(&p.ring).unwrap_or(0);
                    pull[first + row].set(lane, p);
                }
                let pulled: f32 = pulls[v as usize].iter().map(|p| p.share).sum();
                kept[lane] = (1.0 - pulled).max(0.0);
            }
            ring.extend(rings);
            keep.push(kept);
            start.push(ring.len() as u32);
        }
        Self { keep: keep.into(), start: start.into(), ring: ring.into(), pull: pull.into() }
    }
}

impl Pulls {
    fn set(&mut self, lane: usize, pull: &Pull) {
        self.at.set(lane, pull.at);
        (self.offset[0][lane], self.offset[1][lane]) = (pull.offset.x, pull.offset.y);
        self.share[lane] = pull.share;
    }
}

for_each_instruction_set! {
    /// Move those batches of skin with the rings.
    apply = apply_in_lanes(table: &BlendTable, batches: Range<usize>, rings: &[Ring], skin: &mut [Lane3])
}

#[inline(always)]
fn apply_in_lanes(table: &BlendTable, batches: Range<usize>, rings: &[Ring], skin: &mut [Lane3]) {
    for (batch, skin) in batches.zip(skin) {
        let entries = table.start[batch] as usize..table.start[batch + 1] as usize;
        if entries.is_empty() {
            continue;
        }
        let keep = &table.keep[batch];
        let mut sum = *skin;
        for l in 0..LANES {
            sum.x[l] *= keep[l];
            sum.y[l] *= keep[l];
            sum.z[l] *= keep[l];
        }
        for (&ring, pull) in table.ring[entries.clone()].iter().zip(&table.pull[entries]) {
            let Ring { a, b, c, center, swell } = &rings[ring as usize];
            for l in 0..LANES {
                let (along, share) = (pull.at.x[l], pull.share[l]);
                let up = pull.at.y[l] + swell[0] * pull.offset[0][l];
                let across = pull.at.z[l] + swell[1] * pull.offset[1][l];
                sum.x[l] += a[0] * along + b[0] * up + c[0] * across + center[0] * share;
                sum.y[l] += a[1] * along + b[1] * up + c[1] * across + center[1] * share;
                sum.z[l] += a[2] * along + b[2] * up + c[2] * across + center[2] * share;
            }
        }
        *skin = sum;
    }
}
