//! Joining: muscles that come to others take their share of the skin, and leave those the rest.
//!
//! ```text
//! a_i = weight of a muscle that comes, alone on the skin          S = sum of those that are there
//! W_i = T a_i² / (Σ a² + S²)        T = MAX_TOTAL (1 − (1 − S′) Π (1 − a_i′))        ′ over MAX_TOTAL
//! ```
//!
//! Others keep what they have; only where the sum would be more than a vertex may have do they give way, all alike, and where
//! there would be more than [`MAX_MUSCLES`] the lightest. Ours.

use super::{LEAST, MAX_MUSCLES, MAX_TOTAL, influence};
use crate::dress::Wear;
use fusiform::body::BindError;
use fusiform::{Character, Muscle, Musculature, SparseWeights};

/// Weigh those muscles, by their place in the list, on the skin that lies over them, instead of what they weigh now.
///
/// # Errors
/// As [`influence`].
pub fn join_weights(
    character: &Character,
    wear: &[Wear],
    musculature: &mut Musculature,
    joining: &[usize],
) -> Result<(), BindError> {
    let muscles: Vec<Muscle> = joining.iter().filter_map(|&m| musculature.muscles.get(m).cloned()).collect();
    let made = influence(character, wear, &muscles)?;
    let named = |(i, weight): (u16, f32)| (joining[usize::from(i)] as u16, weight);
    put_weights(character, musculature, joining, |mesh, v, kept| {
        shared(made[mesh].of(v).map(named).collect(), kept.iter().map(|(_, weight)| weight).sum())
    });
    Ok(())
}

/// Give those muscles the weights that `wanted` says for a vertex of a mesh, given what the others have there. The others give
/// way where there would be too many of them, or too much.
pub fn put_weights(
    character: &Character,
    musculature: &mut Musculature,
    joining: &[usize],
    wanted: impl Fn(usize, usize, &[(u16, f32)]) -> Vec<(u16, f32)>,
) {
    let old = std::mem::take(&mut musculature.weights);
    for (i, mesh) in character.meshes.iter().enumerate() {
        let mut made = SparseWeights::default();
        for v in 0..mesh.positions.len() {
            let before = old.get(i).filter(|of| v < of.len()).map(|of| of.of(v));
            let kept: Vec<(u16, f32)> =
                before.into_iter().flatten().filter(|(m, _)| !joining.contains(&usize::from(*m))).collect();
            let fresh = wanted(i, v, &kept);
            made.push_vertex(settled(kept, fresh));
        }
        musculature.weights.push(made);
    }
}

/// What muscles that come have of a vertex on which others weigh `sum`.
fn shared(mut fresh: Vec<(u16, f32)>, sum: f32) -> Vec<(u16, f32)> {
    let left = |weight: f32| 1.0 - (weight / MAX_TOTAL).min(1.0);
    let total = MAX_TOTAL * (1.0 - left(sum) * fresh.iter().map(|(_, weight)| left(*weight)).product::<f32>());
    let squares = sum * sum + fresh.iter().map(|(_, weight)| weight * weight).sum::<f32>();
    fresh.iter_mut().for_each(|(_, weight)| *weight *= *weight * total / squares.max(f32::MIN_POSITIVE));
    fresh
}

/// Both together, within what a vertex may have.
fn settled(mut kept: Vec<(u16, f32)>, mut fresh: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    fresh.retain(|(_, weight)| *weight > LEAST);
    if fresh.is_empty() {
        return kept; // to the bit
    }
    fresh.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fresh.truncate(MAX_MUSCLES);
    let most = kept.iter().map(|(_, weight)| weight).sum::<f32>().clamp(MAX_TOTAL, 1.0);
    if kept.len() + fresh.len() > MAX_MUSCLES {
        kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        kept.truncate(MAX_MUSCLES - fresh.len());
    }
    let come: f32 = fresh.iter().map(|(_, weight)| weight).sum();
    fresh.iter_mut().for_each(|(_, weight)| *weight /= come.max(1.0));
    let (come, there) = (come.min(1.0), kept.iter().map(|(_, weight)| weight).sum::<f32>());
    if there + come > most {
        kept.iter_mut().for_each(|(_, weight)| *weight *= (most - come).max(0.0) / there.max(f32::MIN_POSITIVE));
        kept.retain(|(_, weight)| *weight > LEAST);
    }
    kept.extend(fresh);
    kept
}
