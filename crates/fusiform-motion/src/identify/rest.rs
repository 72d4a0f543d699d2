//! The shape at rest of a belly that an artist made: the sigmoids nearest to its rings.

use super::descend::{Fit, sizes};
use super::paper::{Sample, Samples};
use super::robust::Robust;
use super::rules::{Course, Rules};
use super::shape::Shape;
use super::{Settings, legal, part_of};
use std::f64::consts::FRAC_PI_2;

/// A shape, and how near it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestShape {
    /// The nine numbers.
    pub shape: Shape,
    /// The rings are wider along c: the shape's b is their c, and its c their b.
    pub swapped: bool,
    /// m: mean distance from the rings, along both axes.
    pub error: f64,
}

/// The shape nearest to rings at shares of a belly with semi-axes along b and c (m). Numbers that are none are left out.
///
/// Eccentricity is one for all rings, and b is the longer axis by its nature, hence `swapped`.
#[must_use]
pub fn rest_shape(rings: &[(f64, [f64; 2])]) -> RestShape {
    let sum = |axis: usize| rings.iter().map(|(_, axes)| axes[axis]).filter(|r| r.is_finite()).sum::<f64>();
    let swapped = sum(1) > sum(0);
    let mut samples = Vec::with_capacity(2 * rings.len());
    for (share, axes) in rings.iter().filter(|(share, _)| (0.0..=1.0).contains(share)) {
        let (part, x) = part_of(*share);
        let [long, short] = if swapped { [axes[1], axes[0]] } else { *axes };
        for (phi, radius) in [(0.0, long), (FRAC_PI_2, short)] {
            samples.push(Sample { frame: 0, part, x, phi, radius });
            // the ring at the centre belongs to both parts
            if x >= 1.0 {
                samples.push(Sample { frame: 0, part: 1 - part, x, phi, radius });
            }
        }
    }
    // one frame at rest; nothing but rings is asked of it
    let settings = Settings {
        volume_weight: 0.0,
        tendon_weight: 0.0,
        prior: 1e-4,
        swell: 0.0,
        robust: Robust::Squares,
        iterations: 100,
        ..Settings::default()
    };
    let course = Course { rest_length: 1.0, length: &[1.0], tension: &[0.0], belly_length: &[] };
    let mut data = Samples::new(&samples, &[Some([0.0, 0.0])], 0.0);
    let ends = rings.iter().filter(|(share, _)| *share <= 0.0 || *share >= 1.0).map(|(_, axes)| axes[0]);
    let tendon = ends.filter(|r| r.is_finite()).fold(0.01, f64::min).max(1e-3);
    let mut start = data.guess(tendon);
    legal::rest(&mut start);
    let rules = Rules::new(&course, &start, false, &settings);
    let mut fit = Fit::start(&rules);
    fit.improve(&mut data, &rules, &settings);
    let found = sizes(&mut data, &rules, &fit.numbers);
    let error = found.iter().sum::<f64>() / found.len().max(1) as f64;
    let shape = Shape::from_nine(&std::array::from_fn(|n| fit.numbers[18 + n]));
    RestShape { shape, swapped, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn rings(radius: impl Fn(f64) -> f64, flat: f64) -> Vec<(f64, [f64; 2])> {
        (0..13).map(|i| f64::from(i) / 12.0).map(|s| (s, [radius(s), flat * radius(s)])).collect()
    }

    #[test]
    fn a_shape_made_of_sigmoids_is_found_again() {
        let k = [[3.0, 7.0, 0.03, 0.009], [2.0, 6.0, 0.029, 0.01]];
        let truth = Shape { k, eccentricity: 0.6 };
        let rings: Vec<_> = (0..25).map(|i| f64::from(i) / 24.0).map(|s| (s, truth.semi_axes(s))).collect();
        let found = rest_shape(&rings);
        println!("{found:?}");
        assert!(found.error < 2e-4 && !found.swapped);
    }

    #[test]
    fn spindles_of_other_kinds_are_met_within_a_millimetre() {
        let sine = rings(|s| 0.03 * (PI * s).sin(), 0.7);
        let ellipsoid = rings(|s| 0.03 * (1.0 - (2.0 * s - 1.0).powi(2)).sqrt(), 1.0);
        let lopsided = rings(|s| 0.005 + 0.03 * (PI * s.powf(0.6)).sin(), 1.4);
        for (name, rings, most) in
            [("sine", sine, 1e-3), ("ellipsoid", ellipsoid, 1e-3), ("lopsided", lopsided, 1.5e-3)]
        {
            let found = rest_shape(&rings);
            println!("{name}: {found:?}");
            assert!(found.error < most && found.swapped == (name == "lopsided"));
            assert!((0..=20).all(|i| found.shape.semi_axes(f64::from(i) / 20.0)[0] >= 1e-4));
        }
    }

    #[test]
    fn rings_that_are_none_still_give_a_shape() {
        for rings in [vec![], vec![(f64::NAN, [f64::NAN; 2])], vec![(0.5, [0.0; 2])], vec![(0.5, [1e9, -1e9])]] {
            let found = rest_shape(&rings);
            assert!(found.shape.is_finite() && found.error.is_finite(), "{found:?}");
        }
    }
}
