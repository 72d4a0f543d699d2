//! Joining: muscles that come to others take their share of the skin, as rigging would have given it to them, and leave those
//! the rest.
//!
//! Others keep what they have, painted or made. Only where the sum would be more than a vertex may have do they give way, all
//! alike, and where there would be more than [`MAX_MUSCLES`] the lightest. Ours.

use super::{LEAST, MAX_MUSCLES, MAX_TOTAL, influence};
use crate::dress::Wear;
use fusiform::body::BindError;
use fusiform::{Character, Musculature, SparseWeights};

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
    let made = influence(character, wear, &musculature.muscles)?;
    put_weights(character, musculature, joining, |mesh, v| {
        made[mesh].of(v).filter(|(m, _)| joining.contains(&usize::from(*m))).collect()
    });
    Ok(())
}

/// Give those muscles the weights that `wanted` says for a vertex of a mesh, and let the others give way where there would
/// be too many of them, or too much.
pub fn put_weights(
    character: &Character,
    musculature: &mut Musculature,
    joining: &[usize],
    wanted: impl Fn(usize, usize) -> Vec<(u16, f32)>,
) {
    let old = std::mem::take(&mut musculature.weights);
    for (i, mesh) in character.meshes.iter().enumerate() {
        let mut made = SparseWeights::default();
        for v in 0..mesh.positions.len() {
            let mut kept: Vec<(u16, f32)> =
                old.get(i).filter(|of| v < of.len()).map(|of| of.of(v).collect()).unwrap_or_default();
            let total = kept.iter().map(|(_, weight)| weight).sum::<f32>();
            kept.retain(|(m, _)| !joining.contains(&usize::from(*m)));
            made.push_vertex(settled(kept, wanted(i, v), total));
        }
        musculature.weights.push(made);
    }
}

/// Both together, within what a vertex may have, or had in all before: weighed once more, nothing changes.
fn settled(mut kept: Vec<(u16, f32)>, mut fresh: Vec<(u16, f32)>, total: f32) -> Vec<(u16, f32)> {
    fresh.retain(|(_, weight)| *weight > LEAST);
    if fresh.is_empty() {
        return kept; // to the bit
    }
    fresh.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fresh.truncate(MAX_MUSCLES);
    let most = total.clamp(MAX_TOTAL, 1.0);
    if kept.len() + fresh.len() > MAX_MUSCLES {
        kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        kept.truncate(MAX_MUSCLES - fresh.len());
    }
    let come: f32 = fresh.iter().map(|(_, weight)| weight).sum();
    fresh.iter_mut().for_each(|(_, weight)| *weight /= come.max(1.0));
    let (come, there) = (come.min(1.0), kept.iter().map(|(_, weight)| weight).sum::<f32>());
    if there + come > most + f32::EPSILON {
        kept.iter_mut().for_each(|(_, weight)| *weight *= (most - come).max(0.0) / there.max(f32::MIN_POSITIVE));
        kept.retain(|(_, weight)| *weight > LEAST);
    }
    kept.extend(fresh);
    kept
}
