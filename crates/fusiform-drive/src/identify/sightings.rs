//! Sightings: labels that a recording swapped are swapped back, and what cannot be where it was seen is not believed.
//!
//! A sighting is strange when it is much farther from the marker's site than that marker usually is. Two strange ones that
//! are each where the other should be have traded places. What is left and far off is dropped; the fit deals with the rest.

use super::sites::{Placed, middle};
use super::still::{Moment, Still};
use super::{Seen, follow};
use glam::DVec3;
use std::collections::BTreeMap;

/// A sighting is strange beyond so many times the usual distance, and so many metres more.
const STRANGE: (f64, f64) = (2.5, 0.005);
/// Two have traded places when that brings them at least so much nearer.
const BETTER: f64 = 0.5;
/// m beyond what is strange: so far off is no sighting of that marker.
const WILD: f64 = 0.05;

/// What was mended.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mended {
    /// Pairs of markers, and the frames in which they had traded places.
    pub swaps: Vec<([usize; 2], Vec<usize>)>,
    /// Markers, and how many of their sightings were dropped.
    pub wild: Vec<(usize, usize)>,
}

/// Mend what was seen, by where the sites of markers are on the still skin.
pub(super) fn mend(still: &Still, moments: &[Moment], placed: &Placed, radius: f64, seen: &mut Seen) -> Mended {
    let places = still.each(&still.body, moments, |_, state| follow::places(&placed.sites, state, radius));
    mended(&places, seen)
}

fn mended(places: &[Vec<DVec3>], seen: &mut Seen) -> Mended {
    let n = seen.names.len();
    let usual = |j: usize| {
        let away = |t: usize| Some(seen.frame(t)[j].distance(places[t][j])).filter(|away| away.is_finite());
        middle((0..places.len()).filter_map(away).collect()).unwrap_or(f64::INFINITY)
    };
    let limits: Vec<f64> = (0..n).map(|j| STRANGE.0 * usual(j) + STRANGE.1).collect();
    let (mut swaps, mut wild) = (BTreeMap::<[usize; 2], Vec<usize>>::new(), BTreeMap::<usize, usize>::new());
    for (t, place) in places.iter().enumerate() {
        let row = &mut seen.positions[t * n..(t + 1) * n];
        let strange: Vec<usize> = (0..n).filter(|&j| row[j].distance(place[j]) > limits[j]).collect();
        for (i, &a) in strange.iter().enumerate() {
            let own = |b: usize| row[a].distance(place[a]) + row[b].distance(place[b]);
            let traded = |b: usize| row[a].distance(place[b]) + row[b].distance(place[a]);
            let partner = strange[i + 1..].iter().copied().filter(|&b| {
                row[a].distance(place[b]) < limits[b]
                    && row[b].distance(place[a]) < limits[a]
                    && traded(b) < BETTER * own(b)
            });
            if let Some(b) = partner.min_by(|&b, &c| traded(b).total_cmp(&traded(c))) {
                row.swap(a, b);
                swaps.entry([a, b]).or_default().push(t);
            }
        }
        for j in 0..n {
            if row[j].distance(place[j]) > limits[j] + WILD {
                row[j] = DVec3::NAN;
                *wild.entry(j).or_default() += 1;
            }
        }
    }
    Mended { swaps: swaps.into_iter().collect(), wild: wild.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four markers 10 cm apart that move together and are seen to the millimetre.
    fn walk() -> (Vec<Vec<DVec3>>, Seen) {
        let place = |t: usize, j: usize| DVec3::new(0.1 * j as f64, 1.0, 0.02 * t as f64);
        let places: Vec<Vec<DVec3>> = (0..20).map(|t| (0..4).map(|j| place(t, j)).collect()).collect();
        let positions = places.iter().flatten().map(|p| *p + DVec3::Y * 1e-3).collect();
        let names = ["a", "b", "c", "d"].map(String::from).into();
        (places, Seen { moments: vec![(0, 0.0); 20], names, positions })
    }

    #[test]
    fn labels_that_trade_places_for_a_while_get_them_back() {
        let (places, clean) = walk();
        let mut seen = clean.clone();
        (5..9).for_each(|t| seen.positions.swap(4 * t + 1, 4 * t + 3));
        let found = mended(&places, &mut seen);
        assert_eq!(found.swaps, [([1, 3], vec![5, 6, 7, 8])]);
        assert_eq!((seen, found.wild), (clean, Vec::new()));
    }

    #[test]
    fn a_wild_sighting_is_dropped_and_an_unseen_one_stays_unseen() {
        let (places, mut seen) = walk();
        seen.positions[4 * 3 + 2] += DVec3::X * 0.7;
        seen.positions[4 * 6] = DVec3::NAN;
        let found = mended(&places, &mut seen);
        assert!(found.swaps.is_empty() && found.wild == [(2, 1)], "{found:?}");
        assert_eq!(seen.positions.iter().filter(|p| p.is_nan()).count(), 2);
    }
}
