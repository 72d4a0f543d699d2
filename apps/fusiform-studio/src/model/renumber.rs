//! Renumber: muscles are known by their place in the list, and that changes as others come and go.

use fusiform::Muscle;
use std::collections::BTreeSet;

/// Where each muscle of a document is in the next: by its name, or in its place where nothing but its name is new there; none
/// for one that is gone.
pub fn places_after(before: &[Muscle], after: &[Muscle]) -> Vec<Option<usize>> {
    let is_new = |name: &str| before.iter().all(|muscle| muscle.name != name);
    let is_renamed = |muscle: &Muscle, other: &Muscle| {
        is_new(&other.name) && Muscle { name: other.name.clone(), ..muscle.clone() } == *other
    };
    let place = |(m, muscle): (usize, &Muscle)| {
        if after.get(m).is_some_and(|other| other.name == muscle.name) {
            return Some(m);
        }
        let named = after.iter().position(|other| other.name == muscle.name);
        named.or_else(|| after.get(m).is_some_and(|other| is_renamed(muscle, other)).then_some(m))
    };
    before.iter().enumerate().map(place).collect()
}

/// The same muscles where they are now.
pub fn carried(muscles: &BTreeSet<usize>, places: &[Option<usize>]) -> BTreeSet<usize> {
    muscles.iter().filter_map(|&m| *places.get(m)?).collect()
}

/// How far each of `n` muscles is tensed, from how far those before were; new ones are not.
pub fn carried_levels(levels: &[f32], places: &[Option<usize>], n: usize) -> Vec<f32> {
    let mut carried = vec![0.0; n];
    for (level, place) in levels.iter().zip(places) {
        place.iter().for_each(|&place| carried[place] = *level);
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<Muscle> {
        names.iter().map(|name| Muscle { name: (*name).into(), ..Muscle::default() }).collect()
    }

    #[test]
    fn muscles_are_followed_by_name_and_those_renamed_by_place() {
        let before = named(&["a", "b", "c"]);
        assert_eq!(places_after(&before, &named(&["a", "c"])), [Some(0), None, Some(1)]);
        assert_eq!(places_after(&before, &named(&["new", "a", "b", "c"])), [Some(1), Some(2), Some(3)]);
        assert_eq!(places_after(&before, &named(&["a", "other", "c"])), [Some(0), Some(1), Some(2)]);
        assert_eq!(places_after(&before, &named(&["c", "b", "a"])), [Some(2), Some(1), Some(0)]);
        assert_eq!(places_after(&before, &named(&["a", "b.l", "c", "b.r"])), [Some(0), Some(1), Some(2)]);
        let mut others = named(&["x", "y", "z"]);
        others[1].rings += 1;
        assert_eq!(places_after(&before, &others), [Some(0), None, Some(2)], "another in its place is not it");
        let places = places_after(&before, &named(&["b", "c"]));
        assert_eq!(carried(&[0, 2].into(), &places), [1].into());
        assert_eq!(carried_levels(&[0.1, 0.2, 0.3], &places, 2), [0.2, 0.3]);
        assert_eq!(carried_levels(&[], &places, 2), [0.0, 0.0]);
    }
}
