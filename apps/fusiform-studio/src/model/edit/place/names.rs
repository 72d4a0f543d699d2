//! Names: changed where they stand and wherever they are referred to; copies under others.

use crate::model::{Done, Fault, Seen, other_names, twin, without_side};
use fusiform::Musculature;
use fusiform::musculature::Layer;
use std::collections::BTreeSet;

/// A name without its side, and the side: `.l`, `.r` or nothing.
pub fn split(name: &str) -> (&str, &str) {
    match name.len().checked_sub(2).and_then(|at| name.split_at_checked(at)) {
        Some((stem, side @ (".l" | ".r"))) if !stem.is_empty() => (stem, side),
        _ => (name, ""),
    }
}

/// The other one of `.l` and `.r`.
pub fn other_side(side: &str) -> &'static str {
    if side == ".l" { ".r" } else { ".l" }
}

/// The first of `stem_1`, `stem_2` and so on, from `first` on, that no muscle has on any side.
pub fn free_stem(muscles: &Musculature, stem: &str, first: usize) -> String {
    let taken: BTreeSet<&str> = muscles.muscles.iter().map(|muscle| split(&muscle.name).0).collect();
    let mut k = first;
    while taken.contains(&*format!("{stem}_{k}")) {
        k += 1;
    }
    format!("{stem}_{k}")
}

pub fn rename(seen: Seen, m: usize, name: &str, muscles: &mut Musculature) -> Result<Done, Fault> {
    let Some(muscle) = muscles.muscles.get(m) else { return Ok(Done::default()) };
    let name = name.trim();
    let refuse = |message: &str| Err(Fault::told(&seen.project.name, message));
    if name.is_empty() {
        return refuse("a muscle needs a name");
    }
    let mut renamed = vec![(m, name.to_owned())];
    // who changes sides, or says no more which it is, has no twin in the other
    let keeps_side = without_side(&muscle.name).map(|(_, left)| left) == without_side(name).map(|(_, left)| left);
    let other = twin(seen.project, &muscles.muscles, m).filter(|_| seen.mirrored && keeps_side);
    renamed.extend(other.zip(other_names(name).into_iter().next()));
    let stays = |i: &usize| renamed.iter().all(|(other, _)| other != i);
    for (_, name) in &renamed {
        if (0..muscles.muscles.len()).filter(stays).any(|i| muscles.muscles[i].name == *name) {
            return refuse(&format!("another muscle is called {name:?}; names are given once"));
        }
    }
    for (i, name) in renamed {
        let before = std::mem::replace(&mut muscles.muscles[i].name, name.clone());
        each_list(muscles, |list| {
            list.iter_mut().filter(|other| **other == before).for_each(|other| other.clone_from(&name));
        });
        let tracks = muscles.activation.curves.iter_mut().flat_map(|clip| &mut clip.tracks);
        tracks.filter(|track| track.muscle == before).for_each(|track| track.muscle.clone_from(&name));
    }
    Ok(Done::default())
}

/// Every list of muscles' names there is.
fn each_list(muscles: &mut Musculature, mut of: impl FnMut(&mut Vec<String>)) {
    muscles.layers.iter_mut().filter_map(Layer::muscles_mut).for_each(&mut of);
    muscles.activation.drivers.iter_mut().for_each(|driver| of(&mut driver.muscles));
}

/// Every layer that names the one names the other too.
pub fn name_in_layers(muscles: &mut Musculature, one: &str, other: &str) {
    let lists = muscles.layers.iter_mut().filter_map(Layer::muscles_mut);
    lists.filter(|list| list.iter().any(|name| name == one)).for_each(|list| list.push(other.to_owned()));
}

/// Whatever names the one names the other too.
pub fn name_too(muscles: &mut Musculature, one: &str, other: &str) {
    each_list(muscles, |list| {
        if list.iter().any(|name| name == one) && list.iter().all(|name| name != other) {
            list.push(other.to_owned());
        }
    });
    for clip in &mut muscles.activation.curves {
        if let Some(track) = clip.tracks.iter().find(|track| track.muscle == one)
            && clip.tracks.iter().all(|track| track.muscle != other)
        {
            let copy = fusiform::musculature::MuscleTrack { muscle: other.to_owned(), ..track.clone() };
            clip.tracks.push(copy);
        }
    }
}

/// Copies weigh on no skin: that of two half muscles is not that of a whole one. Blending follows the nearest belly points, of
/// which a copy would double some, shells come one after the other, and displaced skin keeps its fat.
pub fn duplicate(seen: Seen, muscles: &mut Musculature) -> Done {
    let edited = seen.edited(&muscles.muscles);
    let named = |m: usize| {
        let (stem, side) = split(&muscles.muscles[m].name);
        format!("{}{side}", free_stem(muscles, stem, 2))
    };
    let names: Vec<String> = edited.iter().map(|(m, _)| named(*m)).collect();
    let mut chosen = BTreeSet::new();
    for ((m, _), name) in edited.into_iter().zip(names) {
        let copy = muscles.muscles.len();
        muscles.muscles.push(fusiform::Muscle { name: name.clone(), ..muscles.muscles[m].clone() });
        let one = muscles.muscles[m].name.clone();
        name_too(muscles, &one, &name);
        if seen.chosen.contains(&m) {
            chosen.insert(copy);
        }
    }
    Done { chosen: (!chosen.is_empty()).then_some(chosen), ..Done::default() }
}
