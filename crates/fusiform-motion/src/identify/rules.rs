//! What is asked of a muscle besides its markers: volume, tendons, legal shapes, and what to be where nothing was seen.
//!
//! ```text
//! Z = Z_r + a_v Z_v + a_t Z_t + prior + fences                  (Murai et al. 2016, eq. 4, without its factor ½)
//! Z_v = Σ (0.01 m)² ((V − V̄)/V̄)²    or as printed, Σ (V − V̄)²   (eq. 7)
//! Z_t = Σ (w₁ − k₁(0))² + (w₂ − k₂(0))² + (k₁(1) − k₂(1) − e)²   (eq. 9; k_m of part m)
//! ```
//!
//! In metres the printed Z_v is nothing against Z_r, a litre's variance being 10⁻⁶; relative, ten percent weigh as much as one
//! marker that is a millimetre off. w = 1 cm and e = 0 in the paper; a shape made by an artist keeps the ends and the step at the
//! centre that it has at rest.
//!
//! The prior is worth about one marker seen once. It pulls α toward a belly that keeps its volume, β toward a slight
//! swelling, so that a motion too short, or one in which a muscle never works, leaves a muscle that still makes sense.

use super::Settings;
use super::normal::{Local, N_LAW, Normal, Numbers};
use super::shape::{ECCENTRICITY, LEAST_RADIUS, LENGTHS, MOST_ECCENTRICITY, N_SHAPE, Nine, radius_by, rise, state};
use super::volume;

/// m: what a relative change of volume of 1 counts as.
const VOLUME_UNIT: f64 = 0.01;
/// A change of length that a prior is about, as a share of that at rest.
const USUAL_CHANGE: f64 = 0.2;
/// How much a shape at rest is held to the one it started from, against the prior of its slopes. A guess: only where markers
/// see nothing. An artist's, where it is free at all: strongly, because growth does not change when rest and all slopes are scaled
/// alike, so markers on skin cannot tell how thick a muscle is.
const REST_SHARE: [f64; 2] = [0.01, 100.0];
/// Of the square of a metre on the wrong side of a fence.
const FENCE: f64 = 100.0;

/// Everything about one muscle that is not a marker.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// 18 or 27.
    pub n_unknown: usize,
    /// n_frame: Δl (m) and τ, or nothing where either is not a number.
    pub frames: Vec<Option<[f64; 2]>>,
    /// m: [`USUAL_CHANGE`] of this muscle.
    pub usual: f64,
    belly: Vec<f64>, // n_frame, m
    volume_weight: f64,
    relative: bool,
    tendon_weight: f64,
    tendon: [f64; 3], // w₁, w₂, e
    prior: Numbers,
    prior_weight: Numbers,
    fences: [Fence; 2], // of each part
    round: [f64; 2],    // ε this near to its limits is held back
    metre: Nine,        // m per unit of each number
}

/// Where a part is held back.
#[derive(Clone, Copy, Debug, Default)]
struct Fence {
    rising: f64,    // k₂
    thin: [f64; 2], // m: k(0), k(1)
}

/// What is known of one muscle's frames.
pub(super) struct Course<'a> {
    pub rest_length: f64,
    pub length: &'a [f64],
    pub tension: &'a [f64],
    pub belly_length: &'a [f64],
}

impl Course<'_> {
    /// n_frame: Δl (m) and τ, or nothing where either is not a number.
    pub fn frames(&self) -> Vec<Option<[f64; 2]>> {
        let frame = |(&length, &tension): (&f64, &f64)| {
            (sound(length) && tension.is_finite()).then(|| state(self.rest_length, length, tension))
        };
        self.length.iter().zip(self.tension).map(frame).collect()
    }

    /// n_frame, m: what has the volume.
    fn bellies(&self) -> Vec<f64> {
        let belly = |(t, &length): (usize, &f64)| {
            let belly = self.belly_length.get(t).copied().filter(|&l| sound(l)).unwrap_or(length);
            belly.clamp(LENGTHS[0] * self.rest_length, LENGTHS[1] * self.rest_length)
        };
        self.length.iter().enumerate().map(belly).collect()
    }

    /// m: as tendons keep their length, all of a muscle's change is its belly's.
    fn belly_at_rest(&self, frames: &[Option<[f64; 2]>], bellies: &[f64]) -> f64 {
        let seen = || frames.iter().zip(bellies).filter_map(|(frame, belly)| frame.map(|[longer, _]| belly - longer));
        let mean = seen().sum::<f64>() / seen().count() as f64;
        if mean.is_finite() { mean.clamp(0.1 * self.rest_length, self.rest_length) } else { self.rest_length }
    }
}

fn sound(length: f64) -> bool {
    length > 0.0 && length.is_finite()
}

impl Rules {
    /// For a shape to start from, legal; `given` where it is an artist's, whose ends are kept.
    pub fn new(course: &Course<'_>, start: &Nine, given: bool, settings: &Settings) -> Self {
        let (frames, belly) = (course.frames(), course.bellies());
        let usual = USUAL_CHANGE * course.rest_length;
        let at = |part: usize, x: f64| radius_by(&start[4 * part..4 * part + 4], x).0;
        let widest = at(0, 1.0).max(at(1, 1.0)).max(1e-3);
        let metre = std::array::from_fn(|n| match (n, n % 4) {
            (ECCENTRICITY, _) => 0.5 * widest,
            (_, 0 | 1) => 0.25 * start[n / 4 * 4 + 2].abs().max(4e-3),
            _ => 1.0,
        });
        let fence = |part: usize| Fence {
            rising: (0.5 * start[4 * part + 1]).min(0.2),
            thin: [0.0, 1.0].map(|x| LEAST_RADIUS + (0.5 * (at(part, x) - LEAST_RADIUS)).min(1e-3)),
        };
        let e = start[ECCENTRICITY];
        let prior = prior(start, course.belly_at_rest(&frames, &belly), settings.swell);
        let prior_weight = std::array::from_fn(|i| {
            let unit = metre[i % N_SHAPE];
            let share = REST_SHARE[usize::from(given)];
            settings.prior * (unit * [usual, 1.0, 1.0][i / N_SHAPE]).powi(2) * [1.0, 1.0, share][i / N_SHAPE]
        });
        let w = settings.tendon_radius;
        Self {
            n_unknown: if given && !settings.free_rest { 2 * N_SHAPE } else { N_LAW },
            frames,
            usual,
            belly,
            volume_weight: settings.volume_weight,
            relative: settings.relative_volume,
            tendon_weight: settings.tendon_weight,
            tendon: if given { [at(0, 0.0), at(1, 0.0), at(0, 1.0) - at(1, 1.0)] } else { [w, w, 0.0] },
            prior,
            prior_weight,
            fences: [fence(0), fence(1)],
            round: [(0.5 * e).min(0.02), MOST_ECCENTRICITY - (0.5 * (MOST_ECCENTRICITY - e)).min(0.02)],
            metre,
        }
    }

    /// Where to start: the prior, but a section that is round at rest starts a little flat, because at ε = 0 nothing depends
    /// on ε and no derivative would ever lead away.
    pub fn start(&self) -> Numbers {
        let mut start = self.prior;
        if start[2 * N_SHAPE + ECCENTRICITY] < 0.1 {
            start[N_SHAPE + ECCENTRICITY] = 0.1;
        }
        start
    }

    /// Whether only its changes are asked for.
    pub fn rest_is_given(&self) -> bool {
        self.n_unknown < N_LAW
    }

    /// The shape of a frame.
    pub fn shape(numbers: &Numbers, frame: [f64; 2]) -> Nine {
        let [longer, tension] = frame;
        std::array::from_fn(|n| numbers[18 + n] + numbers[n] * longer + numbers[9 + n] * tension)
    }

    /// Frames with their Δl and τ.
    pub fn seen(&self) -> impl Iterator<Item = (usize, [f64; 2])> + '_ {
        self.frames.iter().enumerate().filter_map(|(t, frame)| frame.map(|frame| (t, frame)))
    }

    /// All but Z_r.
    pub fn cost(&self, numbers: &Numbers) -> f64 {
        let mut cost = 0.0;
        for (_, frame) in self.seen() {
            let shape = Self::shape(numbers, frame);
            self.each(&shape, |_, residual, weight| cost += weight * residual * residual);
        }
        let (volumes, mean) = self.volumes(numbers);
        let unit = self.volume_unit(mean);
        cost += self.volume_weight * volumes.iter().map(|v| (unit * (v - mean)).powi(2)).sum::<f64>();
        let pull = (0..self.n_unknown).map(|i| self.prior_weight[i] * (numbers[i] - self.prior[i]).powi(2));
        cost + pull.sum::<f64>()
    }

    /// Normal equations of all but Z_r.
    pub fn linearise(&self, numbers: &Numbers, normal: &mut Normal) {
        let n_seen = self.seen().count();
        let (mut volumes, mut slopes) = (Vec::with_capacity(n_seen), Vec::with_capacity(n_seen));
        for (t, frame) in self.seen() {
            let shape = Self::shape(numbers, frame);
            let mut local = Local::<N_SHAPE>::NONE;
            self.each(&shape, |by, residual, weight| local.add(by, residual, weight));
            normal.spread(frame, &local);
            let (volume, by) = volume::by(&shape, self.belly[t]);
            let basis = [frame[0], frame[1], 1.0];
            let slope: Numbers = std::array::from_fn(|i| basis[i / N_SHAPE] * by[i % N_SHAPE]);
            volumes.push(volume);
            slopes.push(slope);
        }
        let share = 1.0 / n_seen.max(1) as f64;
        let mean = share * volumes.iter().sum::<f64>();
        let mean_slope: Numbers = std::array::from_fn(|i| share * slopes.iter().map(|s| s[i]).sum::<f64>());
        let unit = self.volume_unit(mean);
        for (volume, slope) in volumes.iter().zip(&slopes) {
            // d (V/V̄) = (dV − V/V̄ dV̄)/V̄
            let carried = if self.relative && mean > 0.0 { volume / mean } else { 1.0 };
            let by = std::array::from_fn(|i| unit * (slope[i] - carried * mean_slope[i]));
            normal.add(&by, unit * (volume - mean), self.volume_weight);
        }
        for i in 0..self.n_unknown {
            normal.add_one(i, numbers[i] - self.prior[i], self.prior_weight[i]);
        }
    }

    /// Standard deviation of the volume over the frames, as a share of its mean.
    pub fn volume_spread(&self, numbers: &Numbers) -> f64 {
        let (volumes, mean) = self.volumes(numbers);
        let variance = volumes.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / volumes.len().max(1) as f64;
        if mean > 0.0 { variance.sqrt() / mean } else { 0.0 }
    }

    fn volumes(&self, numbers: &Numbers) -> (Vec<f64>, f64) {
        let volume = |(t, frame)| volume::of(&Self::shape(numbers, frame), self.belly[t]);
        let volumes: Vec<f64> = self.seen().map(volume).collect();
        let mean = volumes.iter().sum::<f64>() / volumes.len().max(1) as f64;
        (volumes, mean)
    }

    fn volume_unit(&self, mean: f64) -> f64 {
        match self.relative {
            true if mean > 0.0 => VOLUME_UNIT / mean,
            true => 0.0,
            false => 1.0,
        }
    }

    /// Tendons and fences of one frame: derivatives, residual, weight.
    #[inline]
    fn each(&self, shape: &Nine, mut add: impl FnMut(&Nine, f64, f64)) {
        let mut centre = ([0.0; N_SHAPE], -self.tendon[2]);
        for part in 0..2 {
            let (k, fence) = (&shape[4 * part..4 * part + 4], &self.fences[part]);
            let place = |by: [f64; 4], sign: f64, row: &mut Nine| {
                (0..4).for_each(|n| row[4 * part + n] = sign * by[n]);
            };
            for (end, x) in [0.0, 1.0].into_iter().enumerate() {
                let (radius, by) = radius_by(k, x);
                let mut row = [0.0; N_SHAPE];
                place(by, 1.0, &mut row);
                if end == 0 {
                    add(&row, radius - self.tendon[part], self.tendon_weight);
                } else {
                    let sign = [1.0, -1.0][part];
                    place(by, sign, &mut centre.0);
                    centre.1 += sign * radius;
                }
                if radius < fence.thin[end] {
                    add(&row, radius - fence.thin[end], FENCE);
                }
            }
            if k[1] < fence.rising {
                add(&unit(4 * part + 1), k[1] - fence.rising, FENCE * self.metre[4 * part + 1].powi(2));
            }
        }
        add(&centre.0, centre.1, self.tendon_weight);
        let e = shape[ECCENTRICITY];
        let over = e - e.clamp(self.round[0], self.round[1]);
        if over != 0.0 {
            add(&unit(ECCENTRICITY), over, FENCE * self.metre[ECCENTRICITY].powi(2));
        }
    }
}

fn unit(n: usize) -> Nine {
    let mut row = [0.0; N_SHAPE];
    row[n] = 1.0;
    row
}

/// Slopes of a muscle that nobody has seen: it keeps its volume as its belly's length changes, and swells by a share with
/// tension, in the middle; its ends stay.
fn prior(rest: &Nine, belly: f64, swell: f64) -> Numbers {
    let mut numbers = [0.0; N_LAW];
    numbers[2 * N_SHAPE..].copy_from_slice(rest);
    let rate = volume::keeping(rest, belly);
    for part in 0..2 {
        let k = &rest[4 * part..4 * part + 4];
        let at_end = rise(&[k[0], k[1], k[2], k[3]], 0.0);
        for (slot, rate) in [(0, rate), (N_SHAPE, swell)] {
            numbers[slot + 4 * part + 2] = rate * k[2];
            numbers[slot + 4 * part + 3] = -rate * k[2] * at_end;
        }
    }
    numbers
}
