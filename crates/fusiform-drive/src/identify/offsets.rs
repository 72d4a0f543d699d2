//! Offsets: how far a marker always is from its site, because a body is not quite the person's.
//!
//! ```text
//! y = F o + Σ_m G_m (a_m (l − l₀)/l₀ + b_m τ)           for each marker, over all frames, by least squares
//! ```
//!
//! y is what the marker has moved by beyond the still skin, F the axes of its site, o the offset in them, G_m what it moves by as
//! muscle m grows all over. A fit without o would have muscles swell by whatever the person is thicker. a and b are only there to be
//! told from o, and are drawn to what is usual; the fit itself finds them better. Ours: the paper identifies thickness at rest instead.

use super::Seen;
use super::follow::{Posed, Rows};
use super::sites::middle;
use fusiform_motion::dense::{factor, substitute};
use glam::DVec3;
use rayon::prelude::*;

/// m: of markers, about.
const NOISE: f64 = 1e-3;
/// m: offsets are about so large.
const USUAL_OFFSET: f64 = 0.02;
/// Growth for a whole change of length and for full tension: what is usual, and by how much it differs.
const BY_LENGTH: (f64, f64) = (-0.5, 0.5);
const BY_TENSION: (f64, f64) = (0.15, 0.15);
/// Rounds of weighing sightings; beyond so many times the usual residual they count less.
const ROUNDS: usize = 4;
const BELIEVED: f64 = 2.0;

/// n_marker, m, in the axes of each site.
pub(super) fn find(rows: &Rows, posed: &[Posed], seen: &Seen) -> Vec<DVec3> {
    let following = rows.following(seen.names.len());
    following.par_iter().enumerate().map(|(j, of)| offset(rows, posed, seen, j, of)).collect()
}

/// One equation of three components: what each unknown does, and what was seen.
struct Sighting {
    by: Vec<DVec3>,
    moved: DVec3,
}

fn offset(rows: &Rows, posed: &[Posed], seen: &Seen, j: usize, of: &[(usize, std::ops::Range<usize>)]) -> DVec3 {
    let sighting = |(t, posed): (usize, &Posed)| {
        let moved = seen.frame(t)[j] - posed.places[j];
        let axes = posed.axes[j];
        let mut by = vec![axes.x_axis, axes.y_axis, axes.z_axis];
        for (row, own) in of {
            let gain: DVec3 = posed.gains[own.clone()].iter().map(|[b, c]| *b + *c).sum();
            by.extend([gain * rows.of[*row].longer(posed.lengths[*row]), gain * posed.tensions[*row]]);
        }
        moved.is_finite().then_some(Sighting { by, moved })
    };
    let sightings: Vec<Sighting> = posed.iter().enumerate().filter_map(sighting).collect();
    let n = 3 + 2 * of.len();
    let mut weights = vec![1.0; sightings.len()];
    let mut found = vec![0.0; n];
    for _ in 0..ROUNDS {
        let Some(solved) = solve(n, &sightings, &weights) else { break };
        found = solved;
        let left = |s: &Sighting| (s.moved - s.by.iter().zip(&found).map(|(by, x)| *by * *x).sum::<DVec3>()).length();
        let sizes: Vec<f64> = sightings.iter().map(left).collect();
        let usual = middle(sizes.clone()).unwrap_or(NOISE).max(NOISE);
        weights = sizes.iter().map(|size| (BELIEVED * usual / size.max(1e-9)).min(1.0)).collect();
    }
    DVec3::new(found[0], found[1], found[2])
}

/// Least squares with what is usual; nothing where numbers are none.
fn solve(n: usize, sightings: &[Sighting], weights: &[f64]) -> Option<Vec<f64>> {
    let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n]);
    for i in 0..n {
        let (usual, spread) = match i {
            0..3 => (0.0, USUAL_OFFSET),
            _ if i % 2 == 1 => BY_LENGTH,
            _ => BY_TENSION,
        };
        let weight = (NOISE / spread).powi(2);
        a[i * n + i] = weight;
        b[i] = weight * usual;
    }
    for (sighting, weight) in sightings.iter().zip(weights) {
        for i in 0..n {
            let by = sighting.by[i] * *weight;
            (0..=i).for_each(|k| a[i * n + k] += by.dot(sighting.by[k]));
            b[i] += by.dot(sighting.moved);
        }
    }
    if !factor(n, &mut a) {
        return None;
    }
    substitute(n, &a, &mut b);
    b.iter().all(|x| x.is_finite()).then_some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_told_from_swelling_that_comes_and_goes() {
        let tension = |t: usize| 0.4 + 0.3 * (0.2 * t as f64).sin();
        let gain = DVec3::new(0.0, 0.03, 0.0);
        let sighting = |t: usize| Sighting {
            by: vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO, gain * tension(t)],
            moved: DVec3::new(0.002, 0.01, 0.0) + gain * 0.3 * tension(t),
        };
        let sightings: Vec<Sighting> = (0..100).map(sighting).collect();
        let found = solve(5, &sightings, &[1.0; 100]).unwrap();
        assert!((found[0] - 0.002).abs() < 1e-4 && (found[1] - 0.01).abs() < 1e-3, "{found:?}");
        assert!((found[4] - 0.3).abs() < 0.05, "{found:?}");
    }
}
