//! Sigmoid: the sections of a belly whose every number answers length and tension.
//!
//! ```text
//! k(x) = k₃ / (1 + exp(k₁ − k₂ x)) + k₄           x = 2s from the origin, 2(1 − s) from the insertion
//! k    = k at rest + α (l − l₀) + β τ              l the belly's length, l₀ at rest, τ activation
//! grown along the long axis g = k(x)/k_rest(x),    along the short one g √(1 − ε²)/√(1 − ε_rest²)
//! ```
//!
//! Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue Dynamics*,
//! 2016, eq. 1-3, written as what changes against rest. The limits on growth are ours: straight lines know none.

use crate::musculature::{Contraction, Profile, Sigmoids};
use glam::Vec2;

/// A belly longer than this many times its rest counts as so long.
const LONGEST: f32 = 3.0;
/// A section is never less than this many times what it is at rest, and never more.
pub const GROWTH: [f32; 2] = [0.2, 3.0];
/// Half-axes of the section at share `s`: toward the up-vector and across.
pub fn half_axes(shape: &Sigmoids, flat: bool, s: f32) -> Vec2 {
    let long = shape.radius(s);
    let axes = Vec2::new(long, long * shape.flatness());
    if flat { Vec2::new(axes.y, axes.x) } else { axes }
}

/// What of a muscle's document makes its sections answer so; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    rest: [f32; 9],
    by_length: [f32; 9],
    by_tension: [f32; 9],
    flat: bool,
}

impl Identified {
    /// Of a muscle that has it; a physique's `bulge` multiplies every change.
    pub fn new(contraction: &Contraction, profile: &Profile, bulge: f32) -> Option<Self> {
        let (Contraction::Identified { by_length, by_tension, .. }, Profile::Sigmoid { shape, flat }) =
            (contraction, profile)
        else {
            return None;
        };
        Some(Self {
            rest: shape.numbers(),
            by_length: by_length.numbers().map(|k| k * bulge),
            by_tension: by_tension.numbers().map(|k| k * bulge),
            flat: *flat,
        })
    }

    /// The belly that is `rest` long at rest and `length` now.
    pub fn now(&self, rest: f32, length: f32, activation: f32) -> Sections {
        let longer = length.min(LONGEST * rest) - rest;
        let number = |i: usize| self.rest[i] + (self.by_length[i] * longer + self.by_tension[i] * activation);
        let shape = Sigmoids::from_numbers(std::array::from_fn(number));
        let thinned = shape.flatness() / Sigmoids::from_numbers(self.rest).flatness();
        Sections { shape, thinned, flat: self.flat }
    }

    /// What the section half-way along grows by.
    pub fn middle(&self, rest: f32, length: f32, activation: f32) -> Vec2 {
        self.now(rest, length, activation).growth(0.5, Sigmoids::from_numbers(self.rest).radius(0.5))
    }
}

/// The sections of one belly as they are now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sections {
    shape: Sigmoids,
    thinned: f32, // what the short axis grows by, for each unit that the long one does
    flat: bool,
}

impl Sections {
    /// Factors on the half-axes of the section at share `s`, toward the up-vector and across; `rest` is its radius at rest,
    /// metres.
    #[inline]
    pub fn growth(&self, s: f32, rest: f32) -> Vec2 {
        let [least, most] = GROWTH;
        // so written, a section that has not changed has not grown, to the bit
        let long = 1.0 + (self.shape.radius(s) - rest) / rest;
        let short = (long * self.thinned).clamp(least, most);
        let long = long.clamp(least, most);
        if self.flat { Vec2::new(short, long) } else { Vec2::new(long, short) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const REST: f32 = 0.3;

    fn presumed(isometric: f32, flat: bool) -> (Sigmoids, Identified) {
        let shape = Sigmoids::spindle(0.03, 0.6);
        let contraction = Contraction::presumed(&shape, REST, isometric);
        let of = Identified::new(&contraction, &Profile::Sigmoid { shape, flat }, 1.0);
        (shape, of.expect("a sigmoid that was identified"))
    }

    #[test]
    fn at_rest_no_section_grows() {
        for flat in [false, true] {
            let (shape, of) = presumed(0.3, flat);
            for i in 0..=10 {
                let s = 0.1 * i as f32;
                assert_eq!(of.now(REST, REST, 0.0).growth(s, shape.radius(s)), Vec2::ONE);
            }
        }
    }

    #[test]
    fn a_fresh_spindle_is_as_thick_as_asked_and_thin_at_its_ends() {
        let shape = Sigmoids::spindle(0.03, 0.6);
        assert!((shape.radius(0.5) - 0.03).abs() < 1e-6);
        assert!((shape.radius(0.0) - 0.0009).abs() < 1e-6 && (shape.radius(1.0) - 0.0009).abs() < 1e-6);
        let axes = half_axes(&shape, false, 0.5);
        assert!((axes.y / axes.x - 0.6).abs() < 1e-3);
        assert_eq!(half_axes(&shape, true, 0.5), Vec2::new(axes.y, axes.x));
    }

    #[test]
    fn before_anything_is_known_a_belly_nearly_keeps_its_volume_and_swells_with_tension() {
        let (shape, of) = presumed(0.25, false);
        let grown = of.now(REST, 0.9 * REST, 0.0).growth(0.3, shape.radius(0.3));
        assert!((0.9 * grown.x * grown.y - 1.0).abs() < 0.01, "{grown}");
        let tense = of.middle(REST, REST, 1.0);
        assert!((tense - Vec2::splat(1.25)).length() < 1e-5, "{tense}");
    }

    #[test]
    fn a_rounder_section_grows_along_its_short_axis() {
        let (shape, _) = presumed(0.0, false);
        let rounder = Sigmoids { eccentricity: -0.5, ..Sigmoids::default() };
        let contraction =
            Contraction::Identified { by_length: Sigmoids::default(), by_tension: rounder, strength: 0.0 };
        let of = Identified::new(&contraction, &Profile::Sigmoid { shape, flat: false }, 1.0).unwrap();
        let grown = of.middle(REST, REST, 1.0);
        let (before, after) = ((1.0_f32 - 0.64).sqrt(), (1.0_f32 - 0.09).sqrt());
        assert!((grown.x - 1.0).abs() < 1e-6 && (grown.y - after / before).abs() < 1e-3, "{grown}");
    }

    proptest! {
        #[test]
        fn any_numbers_give_a_section_within_limits(
            rates in prop::array::uniform9(-1e3_f32..1e3), length in 0.0_f32..10.0, activation in 0.0_f32..1.0,
            s in 0.0_f32..1.0,
        ) {
            let shape = Sigmoids::spindle(0.03, 0.6);
            let rates = Sigmoids::from_numbers(rates);
            let contraction = Contraction::Identified { by_length: rates, by_tension: rates, strength: 0.0 };
            let of = Identified::new(&contraction, &Profile::Sigmoid { shape, flat: true }, 1.0).unwrap();
            let grown = of.now(REST, length, activation).growth(s, shape.radius(s));
            prop_assert!(grown.is_finite() && grown.min_element() >= GROWTH[0] && grown.max_element() <= GROWTH[1]);
        }
    }
}
