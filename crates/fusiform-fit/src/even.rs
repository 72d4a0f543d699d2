//! Evening: a belly swells once, from one end to its thickest place and down to the other.
//!
//! Conforming follows every ridge of a skin. On a body of armour plates and stacked shells that leaves a row of lumps, which
//! no muscle under tension has: beyond a waist it swells again only slowly. Radii are only ever lowered, so that bellies stay
//! inside the skin.
//!
//! ```text
//! r′ᵢ = min over j between i and k of rⱼ + c |i − j| r_most        k the place that leaves most of the belly
//! ```
//!
//! Ours.

use fusiform::body::{BindError, rest_bellies};
use fusiform::musculature::{Path, Profile};
use fusiform::{Muscle, Skeleton};

/// c: how much a belly may swell again from one ring to the next, as a share of its thickest place. Sculpts of people swell by
/// less, where muscles lie over each other.
const AGAIN: f32 = 0.04;

/// Lower what stands up between waists.
///
/// # Errors
/// When a muscle is not sound; the error names it and its cure.
pub(crate) fn even(skeleton: &Skeleton, muscles: &mut [Muscle]) -> Result<(), BindError> {
    for (belly, muscle) in rest_bellies(skeleton, muscles)?.iter().zip(muscles).filter(|(_, muscle)| is_spindle(muscle))
    {
        let Some(sculpt) = &mut muscle.sculpt else { continue };
        let sectors = belly.points.len() / belly.rings.len();
        for sector in 0..sectors {
            let at = |ring: usize| ring * sectors + sector;
            let radius = |ring: usize| belly.points[at(ring)].distance(belly.rings[ring].center);
            let radii: Vec<f32> = (0..belly.rings.len()).map(radius).collect();
            for (ring, lowered) in once(&radii).into_iter().enumerate() {
                if lowered < radii[ring] {
                    sculpt.factors[at(ring)] *= lowered / radii[ring];
                }
            }
        }
    }
    Ok(())
}

/// Whether it is one belly along a bone. Sheets have several, and what runs over places on its way goes round the ribs and
/// rises and falls with them.
fn is_spindle(muscle: &Muscle) -> bool {
    match &muscle.path {
        Path::Bezier { .. } => true,
        Path::Polyline { via, .. } => via.is_empty() || !matches!(muscle.profile, Profile::Sine { .. }),
        _ => false,
    }
}

/// The radii along one side of a belly, lowered until it swells but once.
fn once(radii: &[f32]) -> Vec<f32> {
    let again = AGAIN * radii.iter().copied().fold(0.0, f32::max);
    let about = |peak: usize| -> Vec<f32> {
        let limit = |i: usize| {
            let between = i.min(peak)..=i.max(peak);
            between.map(|j| radii[j] + again * i.abs_diff(j) as f32).fold(f32::INFINITY, f32::min)
        };
        (0..radii.len()).map(limit).collect()
    };
    let whole = |radii: &Vec<f32>| radii.iter().sum::<f32>();
    let best = (0..radii.len()).map(about).max_by(|a, b| whole(a).total_cmp(&whole(b)));
    best.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_belly_that_swells_once_stays_as_it_is() {
        let radii = [0.0, 0.5, 0.9, 1.0, 0.97, 0.98, 0.6, 0.0];
        assert_eq!(once(&radii), radii);
    }

    #[test]
    fn a_second_swelling_is_lowered_to_the_waist_before_it() {
        let lowered = once(&[0.0, 0.6, 1.0, 0.9, 0.3, 0.8, 0.2, 0.0]);
        assert_eq!(lowered[..5], [0.0, 0.6, 1.0, 0.9, 0.3]);
        assert!((lowered[5] - 0.34).abs() < 1e-6 && lowered[6..] == [0.2, 0.0], "{lowered:?}");
    }
}
