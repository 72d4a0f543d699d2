//! Painted weights: what an artist made of them is kept when the character is rigged again.

use super::MAX_MUSCLES;
use fusiform::{Musculature, SparseWeights};

/// Put the weights of the muscles that were there before in the place of those just made, by name. Muscles that are new keep
/// what was made for them, within what painted ones leave of a vertex. Returns how many muscles kept their weights; a mesh
/// whose vertices have changed in number keeps nothing.
pub fn keep_weights(before: &Musculature, now: &mut Musculature) -> usize {
    let place: Vec<Option<u16>> =
        before.muscles.iter().map(|muscle| now.find(&muscle.name).map(|m| m as u16)).collect();
    let mut is_kept = vec![false; now.muscles.len()];
    place.iter().flatten().for_each(|&m| is_kept[usize::from(m)] = true);
    for (made, painted) in now.weights.iter_mut().zip(&before.weights).filter(|(a, b)| a.len() == b.len()) {
        let mut weights = SparseWeights::default();
        for v in 0..made.len() {
            let kept = painted.of(v).filter_map(|(m, weight)| Some((place[usize::from(m)]?, weight)));
            let mut of: Vec<(u16, f32)> = kept.filter(|(_, weight)| *weight > 0.0).collect();
            let left = (1.0 - of.iter().map(|(_, weight)| weight).sum::<f32>()).max(0.0);
            let room = MAX_MUSCLES.saturating_sub(of.len());
            let fresh = made.of(v).filter(|(m, weight)| !is_kept[usize::from(*m)] && weight * left > 0.0);
            of.extend(fresh.take(room).map(|(m, weight)| (m, weight * left)));
            weights.push_vertex(of);
        }
        *made = weights;
    }
    is_kept.iter().filter(|kept| **kept).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Muscle;

    fn musculature(names: &[&str], rows: &[&[(u16, f32)]]) -> Musculature {
        let muscle = |name: &&str| Muscle { name: (*name).to_owned(), ..Muscle::default() };
        let mut weights = SparseWeights::default();
        rows.iter().for_each(|row| weights.push_vertex(row.iter().copied()));
        Musculature { muscles: names.iter().map(muscle).collect(), weights: vec![weights], ..Musculature::default() }
    }

    #[test]
    fn painted_weights_come_along_by_name_and_new_muscles_take_what_is_left() {
        let painted = musculature(&["biceps", "gone"], &[&[(0, 0.75), (1, 0.5)], &[], &[(0, 1.0)]]);
        let rows: [&[(u16, f32)]; 3] = [&[(1, 0.1), (0, 0.5)], &[(1, 0.3), (0, 0.5)], &[(0, 0.5)]];
        let mut now = musculature(&["new", "biceps"], &rows);
        assert_eq!(keep_weights(&painted, &mut now), 1);
        assert_eq!(now.weights[0].of(0).collect::<Vec<_>>(), [(1, 0.75), (0, 0.125)]);
        assert_eq!(now.weights[0].of(1).collect::<Vec<_>>(), [(0, 0.5)], "what was painted away stays away");
        assert_eq!(now.weights[0].of(2).collect::<Vec<_>>(), [(1, 1.0)]);
    }

    #[test]
    fn the_same_muscles_keep_exactly_what_was_painted() {
        let painted = musculature(&["a", "b"], &[&[(1, 0.3), (0, 0.2)], &[(0, 0.9)]]);
        let mut now = musculature(&["a", "b"], &[&[(0, 0.5)], &[(1, 0.5)]]);
        assert_eq!(keep_weights(&painted, &mut now), 2);
        assert_eq!(now.weights, painted.weights);
        let mut other = musculature(&["a", "b"], &[&[(0, 0.5)]]);
        keep_weights(&painted, &mut other);
        assert_eq!(other.weights[0].of(0).collect::<Vec<_>>(), [(0, 0.5)], "another mesh keeps nothing");
    }
}
