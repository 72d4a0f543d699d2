//! Weights of some muscles found anew, while those of all others stay as somebody may have painted them.

use super::{LEAST, MAX_MUSCLES, MAX_TOTAL, influence_near};
use crate::preset::ease;
use crate::{Roles, Wear};
use fusiform::body::BindError;
use fusiform::{Character, Musculature, SparseWeights};
use std::collections::BTreeSet;

/// Weigh those muscles anew, within what the others leave of each vertex. `roles` are given where muscles between trunk and limb
/// let go of most of their skin.
///
/// # Errors
/// When the skeleton or a muscle is not sound; the error names it and its cure.
pub(crate) fn weigh_again(
    character: &Character,
    wear: &[Wear],
    musculature: &mut Musculature,
    which: &BTreeSet<usize>,
    roles: Option<&Roles>,
) -> Result<(), BindError> {
    let weights = influence_near(character, wear, &musculature.muscles, Some(which))?;
    let mut fresh = Musculature { muscles: musculature.muscles.clone(), weights, ..Musculature::default() };
    if let Some(roles) = roles {
        ease(&mut fresh, &character.skeleton, roles);
    }
    let before = std::mem::take(&mut musculature.weights);
    let is_fresh = |muscle: u16| which.contains(&usize::from(muscle));
    for (mesh, made) in fresh.weights.iter().enumerate() {
        let before = before.get(mesh).filter(|before| before.len() == made.len());
        let mut weights = SparseWeights::default();
        for v in 0..made.len() {
            let was: Vec<(u16, f32)> = before.map_or(Vec::new(), |before| before.of(v).collect());
            let new: Vec<(u16, f32)> = made.of(v).filter(|(muscle, _)| is_fresh(*muscle)).collect();
            let untouched = new.is_empty() && !was.iter().any(|(muscle, _)| is_fresh(*muscle));
            weights.push_vertex(if untouched { was } else { shared(&was, new, is_fresh) });
        }
        musculature.weights.push(weights);
    }
    Ok(())
}

/// The others as they were, and the new ones within what is left; the largest first.
fn shared(was: &[(u16, f32)], mut new: Vec<(u16, f32)>, is_fresh: impl Fn(u16) -> bool) -> Vec<(u16, f32)> {
    let mut all: Vec<(u16, f32)> = was.iter().copied().filter(|(muscle, _)| !is_fresh(*muscle)).collect();
    new.truncate(MAX_MUSCLES.saturating_sub(all.len()));
    let left = (MAX_TOTAL - all.iter().map(|(_, weight)| weight).sum::<f32>()).max(0.0);
    let wanted: f32 = new.iter().map(|(_, weight)| weight).sum();
    // what is over by rounding alone is not over
    let share = if wanted > left + f32::EPSILON { left / wanted } else { 1.0 };
    all.extend(new.into_iter().map(|(muscle, weight)| (muscle, weight * share)).filter(|(_, weight)| *weight > LEAST));
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_keep_what_they_have_and_the_new_ones_share_the_rest() {
        let is_fresh = |muscle: u16| muscle == 1 || muscle == 2;
        let now = shared(&[(0, 0.7), (1, 0.2)], vec![(1, 0.3), (2, 0.1)], is_fresh);
        assert_eq!(now[0], (0, 0.7));
        assert!((now[1].1 - 0.15).abs() < 1e-6 && (now[2].1 - 0.05).abs() < 1e-6, "{now:?}");
        assert_eq!(shared(&[(0, 0.3)], vec![(1, 0.6)], is_fresh), [(1, 0.6), (0, 0.3)], "what fits is taken as it is");
        assert_eq!(shared(&[(0, 1.0)], vec![(1, 0.6)], is_fresh), [(0, 1.0)], "there is nothing left");
    }
}
