//! Identification: the 27 numbers by which each muscle's shape answers its length and tension, from markers on skin that moves.
//!
//! Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue Dynamics*, 2016,
//! section 3.2. Per muscle, over all frames at once, Z = ½ (Z_r + a_v Z_v + a_t Z_t) of eq. 4 is brought to its least; Z_r is over
//! markers, the others are in `rules`. There are two ways to see a muscle in a marker:
//!
//! - [`paper()`], eq. 5-6: the marker lies on the muscle, under fat of one thickness. All 27 numbers are found.
//! - [`skin()`], ours: the skin is an artist's mesh, of which each point follows the growth of some rings of some muscles. What a
//!   marker moved by, beyond the skin that bones alone carry, is shared among them. The shape at rest is the artist's, and the
//!   18 numbers that change it are found.
//!
//! ```text
//! lengths, tensions ─┐
//! markers ─ nearest ─┼─> paper ─┐                          ┌─> Law: shape at a length and a tension
//! markers ─ skin ────┴─> skin ──┴─ descend (rules, legal) ─┴─> distances with and without, volume spread, warnings
//! ```
//!
//! A marker that is not a number was not seen. Same numbers in, same bits out, on any number of threads.

mod descend;
mod legal;
mod nearest;
mod normal;
mod paper;
mod robust;
mod rules;
mod shape;
mod skin;
mod sweep;
#[cfg(test)]
mod tests;
mod volume;

pub use nearest::{Nearby, Ring, nearest};
pub use normal::N_LAW;
pub use paper::{PaperMuscle, Sample, measure_paper, paper};
pub use robust::Robust;
pub use shape::{GROWTH, LEAST_RADIUS, LENGTHS, Law, MOST_ECCENTRICITY, Shape, part_of, radius};
pub use skin::{SkinMuscle, SkinProblem};
pub use sweep::{SkinIdentified, measure_skin, skin};

use normal::Numbers;
use rules::Rules;

/// What a fit should be like. The defaults are the paper's, where the paper has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// a_v, of the volume's spread.
    pub volume_weight: f64,
    /// Volumes are compared with their mean, and a whole one counts as a centimetre; otherwise as printed, in cubic metres.
    pub relative_volume: bool,
    /// a_t, of radii at the ends and at the centre.
    pub tendon_weight: f64,
    /// m, w of eq. 9. [`skin()`] keeps the ends of the shape at rest instead.
    pub tendon_radius: f64,
    /// m, r_f of eq. 6: how far below the markers a muscle ends. Only for [`paper()`].
    pub fat: f64,
    /// How markers that lie are dealt with.
    pub robust: Robust,
    /// m: by so much markers err anyway; no marker is taken for a liar over less than a few times this.
    pub noise: f64,
    /// How many sightings of a marker the prior is worth.
    pub prior: f64,
    /// By how much the middle of a muscle swells at full tension, as far as markers do not say.
    pub swell: f64,
    /// [`skin()`] finds the shape at rest, too.
    pub free_rest: bool,
    /// Most steps of a muscle in one sweep.
    pub iterations: usize,
    /// Most sweeps over all muscles.
    pub sweeps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            volume_weight: 1.0,
            relative_volume: true,
            tendon_weight: 100.0,
            tendon_radius: 0.01,
            fat: 0.0,
            robust: Robust::Tukey,
            noise: 5e-4,
            prior: 1.0,
            swell: 0.1,
            free_rest: false,
            iterations: 30,
            sweeps: 6,
        }
    }
}

impl Settings {
    /// Eq. 4-9 to the letter: residuals by their squares, volumes in cubic metres.
    ///
    /// Ours, because the paper is silent: shapes are kept legal, and a hundredth of a sighting speaks for what is usual. Without
    /// it, numbers that no marker tells apart run away from each other, and the descent ends early.
    #[must_use]
    pub fn as_printed() -> Self {
        Self { relative_volume: false, robust: Robust::Squares, prior: 0.01, ..Self::default() }
    }
}

/// Data that cannot be worked with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentifyError {
    /// An array of another length.
    #[error("muscle {muscle}: {what} has {found} entries where {wanted} are needed")]
    Length {
        /// Which muscle.
        muscle: usize,
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// A number that makes no sense.
    #[error("muscle {muscle}: {what} {wanted}")]
    Number {
        /// Which muscle.
        muscle: usize,
        /// "the length at rest".
        what: &'static str,
        /// "must be above 0".
        wanted: &'static str,
    },
    /// Settings that make no sense.
    #[error("{0} must be a finite number, 0 or more")]
    Settings(&'static str),
}

/// What a user should know about a muscle's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// No marker was seen near: the numbers are the prior's.
    NoMarkerNear,
    /// Markers were seen in fewer frames than a law has numbers.
    TooFewFrames {
        /// So many.
        frames: usize,
    },
    /// Tension never changes by more than 0.02, from none where the shape at rest is given: what it does is the prior's.
    TensionNeverChanges,
    /// Length never changes by more than 1 %, from rest where the shape at rest is given: what it does is the prior's.
    LengthNeverChanges,
    /// Sightings that were not believed.
    OutliersRejected {
        /// So many.
        sightings: usize,
    },
    /// The last sweep ended at its limit of steps; the numbers are legal, and might be a little better.
    Unsettled,
}

/// Distance of markers from the surface that should explain them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance {
    /// Mean, mm.
    pub mean_mm: f64,
    /// Standard deviation, mm.
    pub sd_mm: f64,
    /// Sightings, all that were seen, believed or not.
    pub sightings: usize,
}

impl Distance {
    /// Of so many, m.
    #[must_use]
    pub fn of(sizes: &[f64]) -> Self {
        let n = sizes.len().max(1) as f64;
        let mean = sizes.iter().sum::<f64>() / n;
        let variance = sizes.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n;
        Self { mean_mm: 1e3 * mean, sd_mm: 1e3 * variance.sqrt(), sightings: sizes.len() }
    }

    /// Of all sightings that those are of.
    #[must_use]
    pub fn together(all: &[Self]) -> Self {
        let sightings: usize = all.iter().map(|of| of.sightings).sum();
        let mean = |value: &dyn Fn(&Self) -> f64| {
            all.iter().map(|of| of.sightings as f64 * value(of)).sum::<f64>() / sightings.max(1) as f64
        };
        let mean_mm = mean(&|of| of.mean_mm);
        let variance = mean(&|of| of.sd_mm.powi(2) + (of.mean_mm - mean_mm).powi(2));
        Self { mean_mm, sd_mm: variance.sqrt(), sightings }
    }
}

/// A muscle found.
#[derive(Clone, Debug, PartialEq)]
pub struct Identified {
    /// Its 27 numbers.
    pub law: Law,
    /// Markers from their surface.
    pub with: Distance,
    /// The same if the muscle kept its shape at rest.
    pub without: Distance,
    /// Standard deviation of the volume over the frames, as a share of its mean.
    pub volume_spread: f64,
    /// m: shortest and longest that was seen; beyond, the law is a guess that stays legal.
    pub lengths: [f64; 2],
    /// Least and most tension that was seen.
    pub tensions: [f64; 2],
    /// Steps taken.
    pub iterations: usize,
    /// What to know about it.
    pub warnings: Vec<Warning>,
}

fn law_of(numbers: &Numbers, rest_length: f64) -> Law {
    let shape = |slot: usize| Shape::from_nine(&std::array::from_fn(|n| numbers[9 * slot + n]));
    Law { rest_length, rest: shape(2), by_length: shape(0), by_tension: shape(1) }
}

fn check_settings(settings: &Settings) -> Result<(), IdentifyError> {
    let named = [
        ("the weight of volume", settings.volume_weight),
        ("the weight of tendons", settings.tendon_weight),
        ("the tendon's radius", settings.tendon_radius),
        ("fat", settings.fat),
        ("noise", settings.noise),
        ("the weight of the prior", settings.prior),
        ("the swelling of the prior", settings.swell),
    ];
    match named.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
        Some((what, _)) => Err(IdentifyError::Settings(what)),
        None => Ok(()),
    }
}

fn check_course(muscle: usize, course: &rules::Course<'_>, wanted: usize) -> Result<(), IdentifyError> {
    let arrays = [("length", course.length.len()), ("tension", course.tension.len())];
    let belly = (!course.belly_length.is_empty()).then_some(("the belly's length", course.belly_length.len()));
    for (what, found) in arrays.into_iter().chain(belly) {
        if found != wanted {
            return Err(IdentifyError::Length { muscle, what, found, wanted });
        }
    }
    if !(course.rest_length > 0.0 && course.rest_length.is_finite()) {
        return Err(IdentifyError::Number { muscle, what: "the length at rest", wanted: "must be above 0" });
    }
    Ok(())
}

/// Least and most of what is finite, or `otherwise`.
fn range(values: impl Iterator<Item = f64>, otherwise: f64) -> [f64; 2] {
    let [low, high] = values
        .filter(|v| v.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    if low <= high { [low, high] } else { [otherwise; 2] }
}

/// How a fit went, before it is told.
struct Told {
    with: Distance,
    without: Distance,
    frames: usize,
    rejected: usize,
    iterations: usize,
    settled: bool,
}

fn identified(numbers: &Numbers, rest_length: f64, rules: &Rules, told: Told) -> Identified {
    let lengths = range(rules.seen().map(|(_, [longer, _])| rest_length + longer), rest_length);
    let tensions = range(rules.seen().map(|(_, [_, tension])| tension), 0.0);
    // a shape at rest that is given tells what is due to length and tension, even where these stay the same
    let change = |[low, high]: [f64; 2], rest: f64| match rules.rest_is_given() {
        true => (high - rest).abs().max((low - rest).abs()),
        false => high - low,
    };
    let mut warnings = Vec::new();
    let mut warn = |holds: bool, warning: Warning| {
        if holds {
            warnings.push(warning);
        }
    };
    warn(told.with.sightings == 0, Warning::NoMarkerNear);
    warn((1..N_LAW).contains(&told.frames), Warning::TooFewFrames { frames: told.frames });
    warn(change(tensions, 0.0) <= 0.02, Warning::TensionNeverChanges);
    warn(change(lengths, rest_length) <= 0.01 * rest_length, Warning::LengthNeverChanges);
    warn(told.rejected > 0, Warning::OutliersRejected { sightings: told.rejected });
    warn(!told.settled, Warning::Unsettled);
    Identified {
        law: law_of(numbers, rest_length),
        with: told.with,
        without: told.without,
        volume_spread: rules.volume_spread(numbers),
        lengths,
        tensions,
        iterations: told.iterations,
        warnings,
    }
}
