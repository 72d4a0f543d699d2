//! Blend: the skin follows the nearest belly vertices (Lee eq. 14-15).
//!
//! ```text
//! v = (1 − Σω) v_in + Σ ωₖ M′ₖ B′ₖ⁻¹ v₀            ωₖ = W wₖ,  wₖ ~ 1/distance over the N nearest,  Σ wₖ = 1
//! ```
//!
//! All belly vertices of a ring share what its frame did since bind, T; each also moves by the ring's swell times its
//! own offset o from the centre. So the sum over the vertices of one ring folds, once and for all, into one term:
//!
//! ```text
//! Σ ωₖ M′ₖ B′ₖ⁻¹ v₀ = Ω T v₀ + swell O             Ω = Σ ωₖ,  O = Σ ωₖ oₖ
//! ```
//!
//! Four nearest vertices usually lie on two rings: two products a vertex instead of four.

use super::belly::RingPull;
use super::lanes::{LANES, Lane3, Shares, WHOLE, for_each_instruction_set, quantise};
use super::rest::{RestBelly, RestSection};
use super::sewn::Seam;
use glam::{Vec2, Vec3};
use std::ops::Range;

/// What one vertex takes from one ring: constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Row of the ring output.
    pub ring: u32,
    /// Ω: the ring's share in the vertex.
    pub share: f32,
    /// O: what the ring's swell is multiplied with, along b and c; m.
    pub offset: Vec2,
}

/// What a vertex of the skin takes from one cross-section of a muscle, for those who work backwards from the skin: as the
/// section grows by g along b and c, the vertex goes by `offset.x` g_b along [`BodyState::skin_axes`]' first and by `offset.y`
/// g_c along its second.
///
/// [`BodyState::skin_axes`]: super::BodyState::skin_axes
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinFollow {
    /// Which muscle.
    pub muscle: usize,
    /// Which of its cross-sections.
    pub ring: usize,
    /// Metres for each unit of growth.
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
    /// What a vertex takes from the rings of the muscles that weigh on it, `nearest` belly vertices in all; `candidates` is
    /// scratch.
    pub fn pulls<W: Iterator<Item = (u16, f32)>>(
        &self,
        at: Vec3,
        weights: impl Fn() -> W,
        (skin_weight, nearest, height): (f32, usize, f32),
        candidates: &mut Vec<(f32, usize, usize)>,
    ) -> Vec<Pull> {
        let of_muscle = |m: usize| weights().filter(|w| usize::from(w.0) == m).map(|w| w.1).sum::<f32>();
        candidates.clear();
        let pulling = || weights().filter(|w| w.1 * skin_weight > 0.0).map(|w| w.0);
        let once = pulling().enumerate().filter(|&(k, m)| !pulling().take(k).any(|before| before == m));
        for m in once.map(|(_, m)| usize::from(m)) {
            for (i, p) in self.bellies[m].points.iter().enumerate() {
                let candidate = (p.distance_squared(at), m, i);
                if candidates.len() < nearest || candidates.last().is_some_and(|last| candidate < *last) {
                    candidates.truncate(nearest - 1);
                    candidates.insert(candidates.partition_point(|other| *other < candidate), candidate);
                }
            }
        }
        if candidates.is_empty() {
            return Vec::new();
        }
        let chosen = &mut candidates[..];
        chosen.sort_by_key(|&(_, m, i)| (m, i));
        let closeness = |&(d2, ..): &(f32, usize, usize)| 1.0 / d2.sqrt().max(DISTANCE_FLOOR * height);
        let total: f32 = chosen.iter().map(closeness).sum();
        let share = |c: &(f32, usize, usize)| closeness(c) / total * of_muscle(c.1) * skin_weight;
        let sum: f32 = chosen.iter().map(share).sum();
        let limit = if sum > 1.0 { 1.0 / sum } else { 1.0 };
        let shares = chosen.iter().map(|c| (c.1, c.2, share(c) * limit));
        self.fold(shares)
    }

    /// Belly vertices of the same ring, folded into one pull.
    fn fold(&self, shares: impl Iterator<Item = (usize, usize, f32)>) -> Vec<Pull> {
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
                    pulls.push(Pull { ring: row, share: 0.0, offset: Vec2::ZERO });
                    let last = pulls.len() - 1;
                    &mut pulls[last]
                }
            };
            pull.share += share;
            pull.offset += offset * share;
        }
        pulls
    }
}

/// A belly point from its section's centre, along b and c.
fn in_section(section: &RestSection, p: Vec3) -> Vec2 {
    let from = p - section.center;
    Vec2::new(from.dot(section.b), from.dot(section.c))
}

/// What eight vertices take from one ring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct Pulls {
    share: Shares,
    offset: [[i16; LANES]; 2], // in the layers' steps
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BlendTable {
    pub start: Box<[u32]>,  // n_batch + 1  rows of `ring` and `pull`
    pub ring: Box<[u32]>,   // n_entry      rows of the ring output
    pub pull: Box<[Pulls]>, // n_entry
}

/// The step in which offsets are stored, m: the largest of all layers just fits.
pub fn offset_step(largest: f32) -> f32 {
    (largest / f32::from(i16::MAX)).max(f32::MIN_POSITIVE)
}

impl BlendTable {
    /// `pulls` gives what a vertex takes from rings.
    pub fn new<'a>(order: &[u32], pulls: impl Fn(u32) -> &'a [Pull], offset_step: f32) -> Self {
        let (mut start, mut ring, mut pull) = (vec![0], Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut rings: Vec<u32> = batch.iter().flat_map(|&v| pulls(v).iter().map(|p| p.ring)).collect();
            rings.sort_unstable();
            rings.dedup();
            let first = pull.len();
            pull.resize(first + rings.len(), Pulls::default());
            for (lane, &v) in batch.iter().enumerate() {
                let of = pulls(v);
                let shares = quantise(&of.iter().map(|p| p.share).collect::<Vec<_>>());
                for (p, share) in of.iter().zip(shares) {
                    let row = first + rings.binary_search(&p.ring).unwrap_or(0);
                    let steps = p.offset / offset_step;
                    pull[row].share[lane] = share;
                    pull[row].offset[0][lane] = steps.x.round() as i16;
                    pull[row].offset[1][lane] = steps.y.round() as i16;
                }
            }
            ring.extend(rings);
            start.push(ring.len() as u32);
        }
        Self { start: start.into(), ring: ring.into(), pull: pull.into() }
    }

    /// This one, but for the windows that were made anew.
    pub fn patched(&self, made: &Self, seam: &Seam) -> Self {
        Self {
            start: seam.starts(&self.start, &made.start),
            ring: seam.rows((&self.start, &self.ring), (&made.start, &made.ring)),
            pull: seam.rows((&self.start, &self.pull), (&made.start, &made.pull)),
        }
    }
}

for_each_instruction_set! {
    /// Move those batches of skin, which were at `bind`, with the rings.
    apply = apply_in_lanes(
        table: &BlendTable, batches: Range<usize>, bind: &[Lane3], rings: &[RingPull], skin: &mut [Lane3],
    )
}

#[inline(always)]
fn apply_in_lanes(table: &BlendTable, batches: Range<usize>, bind: &[Lane3], rings: &[RingPull], skin: &mut [Lane3]) {
    let unit = 1.0 / f32::from(WHOLE);
    for ((batch, v), skin) in batches.zip(bind).zip(skin) {
        let entries = table.start[batch] as usize..table.start[batch + 1] as usize;
        if entries.is_empty() {
            continue;
        }
        let Lane3 { x, y, z } = *v;
        let (mut sum, mut taken) = (Lane3::default(), [0.0; LANES]);
        for (&ring, pull) in table.ring[entries.clone()].iter().zip(&table.pull[entries]) {
            let RingPull { since_bind: m, swell_b: sb, swell_c: sc } = &rings[ring as usize];
            for l in 0..LANES {
                let (x, y, z, share) = (x[l], y[l], z[l], f32::from(pull.share[l]));
                let (ob, oc) = (f32::from(pull.offset[0][l]), f32::from(pull.offset[1][l]));
                taken[l] += share;
                sum.x[l] += share * ((m[0] * x + m[1] * y) + (m[2] * z + m[3])) + (sb[0] * ob + sc[0] * oc);
                sum.y[l] += share * ((m[4] * x + m[5] * y) + (m[6] * z + m[7])) + (sb[1] * ob + sc[1] * oc);
                sum.z[l] += share * ((m[8] * x + m[9] * y) + (m[10] * z + m[11])) + (sb[2] * ob + sc[2] * oc);
            }
        }
        for l in 0..LANES {
            let keep = 1.0 - taken[l] * unit;
            skin.x[l] = skin.x[l] * keep + sum.x[l] * unit;
            skin.y[l] = skin.y[l] * keep + sum.y[l] * unit;
            skin.z[l] = skin.z[l] * keep + sum.z[l] * unit;
        }
    }
}
