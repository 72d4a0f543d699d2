//! Markers on an artist's skin, whose points follow the growth of rings.
//!
//! ```text
//! y = Σᵢ Bᵢ (g_b(sᵢ) − 1) + Cᵢ (g_c(sᵢ) − 1)            i over the rings of this muscle that the marker's point follows
//! g_b = k/k_rest,   g_c = g_b √(1 − ε²) / √(1 − ε_rest²)
//! ```
//!
//! y is what the marker has moved by, beyond the skin that bones alone carry; B and C are metres per unit of growth.

use super::IdentifyError;
use super::descend::Data;
use super::normal::Local;
use super::robust::Loss;
use super::rules::Course;
use super::shape::{ECCENTRICITY, GROWTH, N_SHAPE, Nine, Shape, flatness, part_of, radius_by};
use glam::DVec3;

/// m: what is further is no marker.
const FURTHEST: f64 = 1e3;

/// A muscle under the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinMuscle<'a> {
    /// m.
    pub rest_length: f64,
    /// The artist's.
    pub rest: Shape,
    /// n_frame, m.
    pub length: &'a [f64],
    /// n_frame, 0 … 1.
    pub tension: &'a [f64],
    /// n_frame, m: what the belly has of the length, for its volume; empty for all of it.
    pub belly_length: &'a [f64],
    /// n_ring: share of the belly, 0 at the origin, 1 at the insertion.
    pub ring_share: &'a [f64],
    /// n: markers of the problem that follow this muscle, each once.
    pub markers: &'a [usize],
    /// n + 1: where each marker's rings begin in `ring`.
    pub start: &'a [usize],
    /// n_follow: rings.
    pub ring: &'a [usize],
    /// n_frame x n_follow, m: B, what a marker moves by when a ring doubles along b.
    pub along_b: &'a [DVec3],
    /// n_frame x n_follow, m: C, likewise along c.
    pub along_c: &'a [DVec3],
}

/// Muscles that share a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinProblem<'a> {
    /// Frames.
    pub n_frame: usize,
    /// Markers.
    pub n_marker: usize,
    /// n_frame x n_marker, m: where markers are, less where the skin without muscles would have them. NaN: not seen.
    pub moved: &'a [DVec3],
    /// In any order; the same order gives the same bits.
    pub muscles: &'a [SkinMuscle<'a>],
}

impl SkinMuscle<'_> {
    pub(super) fn course(&self) -> Course<'_> {
        Course {
            rest_length: self.rest_length,
            length: self.length,
            tension: self.tension,
            belly_length: self.belly_length,
        }
    }

    /// All but frames.
    pub(super) fn check(&self, muscle: usize, n_frame: usize, n_marker: usize) -> Result<(), IdentifyError> {
        let n_follow = self.ring.len();
        for (what, found, wanted) in [
            ("the start of rings", self.start.len(), self.markers.len() + 1),
            ("B", self.along_b.len(), n_frame * n_follow),
            ("C", self.along_c.len(), n_frame * n_follow),
        ] {
            if found != wanted {
                return Err(IdentifyError::Length { muscle, what, found, wanted });
            }
        }
        let mut once = self.markers.to_vec();
        once.sort_unstable();
        once.dedup();
        let rising = self.start.windows(2).all(|w| w[0] <= w[1]);
        for (what, wanted, holds) in [
            ("the shape at rest", "must be finite", self.rest.is_finite()),
            ("the share of a ring", "must be in 0 … 1", self.ring_share.iter().all(|s| (0.0..=1.0).contains(s))),
            ("a marker", "must be one of the problem's", self.markers.iter().all(|&m| m < n_marker)),
            ("a marker", "must be named once", once.len() == self.markers.len()),
            ("a ring", "must be one of the muscle's", self.ring.iter().all(|&r| r < self.ring_share.len())),
            ("the start of rings", "must rise", rising && self.start.last() == Some(&n_follow)),
        ] {
            if !holds {
                return Err(IdentifyError::Number { muscle, what, wanted });
            }
        }
        Ok(())
    }

    /// n_frame x n, m: what each of its markers moves by under a law, given as the growth of a ring in a frame.
    pub(super) fn displacements(&self, n_frame: usize, growth: impl Fn(usize, f64) -> [f64; 2]) -> Vec<DVec3> {
        let n_follow = self.ring.len();
        let mut moved = Vec::with_capacity(n_frame * self.markers.len());
        let mut grown = vec![[0.0; 2]; self.ring_share.len()];
        for t in 0..n_frame {
            let (b, c) = (&self.along_b[t * n_follow..], &self.along_c[t * n_follow..]);
            grown.iter_mut().zip(self.ring_share).for_each(|(grown, &share)| *grown = growth(t, share));
            for j in 0..self.markers.len() {
                let mut sum = DVec3::ZERO;
                for i in self.start[j]..self.start[j + 1] {
                    let [along_b, along_c] = grown[self.ring[i]];
                    sum += b[i] * (along_b - 1.0) + c[i] * (along_c - 1.0);
                }
                moved.push(if sum.length_squared() < FURTHEST * FURTHEST { sum } else { DVec3::NAN });
            }
        }
        moved
    }
}

/// What a ring has grown by, and by what.
#[derive(Clone, Copy, Debug, Default)]
struct Grown {
    part: usize,
    less: [f64; 2], // g − 1
    free: [f64; 2], // 1, or 0 where growth is at its limit
    ratio: f64,     // g_c / g_b
    raw: f64,       // g_b without limits
    by: [f64; 4],   // of raw, by k₁ … k₄ of the frame
    back: [f64; 4], // of raw, by those at rest
}

impl Grown {
    fn new(share: f64, shape: &Nine, rest: &[f64]) -> Self {
        let (part, x) = part_of(share);
        let (now, by_now) = radius_by(&shape[4 * part..4 * part + 4], x);
        let (then, by_then) = radius_by(&rest[4 * part..4 * part + 4], x);
        let (raw, ratio) = (now / then, flatness(shape[ECCENTRICITY]) / flatness(rest[ECCENTRICITY]));
        let both = [raw, raw * ratio];
        Self {
            part,
            less: both.map(|g| g.clamp(GROWTH[0], GROWTH[1]) - 1.0),
            free: both.map(|g| if (GROWTH[0]..=GROWTH[1]).contains(&g) { 1.0 } else { 0.0 }),
            ratio,
            raw,
            by: by_now.map(|by| by / then),
            back: by_then.map(|by| -raw * by / then),
        }
    }
}

/// A muscle's markers as it must explain them: what others leave.
#[derive(Clone, Debug)]
pub(super) struct Followers<'a> {
    muscle: &'a SkinMuscle<'a>,
    wanted: &'a [DVec3], // n_frame x n; NaN where not seen
    grown: Vec<Grown>,   // n_ring
}

impl<'a> Followers<'a> {
    pub fn new(muscle: &'a SkinMuscle<'a>, wanted: &'a [DVec3]) -> Self {
        Self { muscle, wanted, grown: vec![Grown::default(); muscle.ring_share.len()] }
    }

    fn grow(&mut self, shape: &Nine, rest: &[f64]) {
        for (grown, &share) in self.grown.iter_mut().zip(self.muscle.ring_share) {
            *grown = Grown::new(share, shape, rest);
        }
    }

    /// Predicted less seen, of a marker in a frame.
    fn residual(&self, frame: usize, j: usize) -> Option<DVec3> {
        let muscle = self.muscle;
        let wanted = self.wanted[frame * muscle.markers.len() + j];
        let at = frame * muscle.ring.len();
        let mut sum = -wanted;
        for i in muscle.start[j]..muscle.start[j + 1] {
            let [b, c] = self.grown[muscle.ring[i]].less;
            sum += muscle.along_b[at + i] * b + muscle.along_c[at + i] * c;
        }
        (sum.length_squared() < FURTHEST * FURTHEST).then_some(sum)
    }
}

impl<const N: usize> Data<N> for Followers<'_> {
    const COMPONENTS: usize = 3;

    fn sizes(&mut self, frame: usize, shape: &Nine, rest: &[f64], mut each: impl FnMut(f64)) {
        self.grow(shape, rest);
        for j in 0..self.muscle.markers.len() {
            if let Some(residual) = self.residual(frame, j) {
                each(residual.length());
            }
        }
    }

    fn linearise(&mut self, frame: usize, shape: &Nine, rest: &[f64], loss: &Loss, local: &mut Local<N>) {
        self.grow(shape, rest);
        let muscle = self.muscle;
        let at = frame * muscle.ring.len();
        let [now, then] = [shape[ECCENTRICITY], rest[ECCENTRICITY]].map(|e| e / (1.0 - e * e));
        for j in 0..muscle.markers.len() {
            let Some(residual) = self.residual(frame, j) else { continue };
            let weight = loss.weight(residual.length());
            if weight == 0.0 {
                continue;
            }
            let mut by = [[0.0; N]; 3];
            for i in muscle.start[j]..muscle.start[j + 1] {
                let grown = &self.grown[muscle.ring[i]];
                let c = muscle.along_c[at + i] * (grown.free[1] * grown.ratio);
                let swell = (muscle.along_b[at + i] * grown.free[0] + c).to_array();
                let flat = (c * grown.raw).to_array();
                for lane in 0..3 {
                    let row = &mut by[lane];
                    for n in 0..4 {
                        row[4 * grown.part + n] += swell[lane] * grown.by[n];
                    }
                    row[ECCENTRICITY] -= flat[lane] * now;
                    if N > N_SHAPE {
                        for n in 0..4 {
                            row[N_SHAPE + 4 * grown.part + n] += swell[lane] * grown.back[n];
                        }
                        row[N_SHAPE + ECCENTRICITY] += flat[lane] * then;
                    }
                }
            }
            for (row, residual) in by.iter().zip(residual.to_array()) {
                local.add(row, residual, weight);
            }
        }
    }
}
