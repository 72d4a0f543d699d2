//! Muscles: what goes with one that is deleted.

use super::{Done, Seen};
use fusiform::musculature::Layer;
use fusiform::{Musculature, SparseWeights};
use std::collections::BTreeSet;

pub fn delete(seen: Seen, muscles: &mut Musculature) -> Done {
    let gone: BTreeSet<usize> = seen.edited(&muscles.muscles).into_iter().map(|(m, _)| m).collect();
    if gone.is_empty() {
        return Done::default();
    }
    *muscles = without(muscles, &gone);
    Done { chosen: Some(BTreeSet::new()), ..Done::default() }
}

/// The document without some of its muscles: nothing refers to them any more.
fn without(document: &Musculature, gone: &BTreeSet<usize>) -> Musculature {
    let mut document = document.clone();
    let mut next = 0;
    let place: Vec<Option<u16>> = (0..document.muscles.len())
        .map(|m| {
            let stays = !gone.contains(&m);
            next += u16::from(stays);
            stays.then(|| next - 1)
        })
        .collect();
    let names: BTreeSet<String> = gone.iter().map(|&m| document.muscles[m].name.clone()).collect();
    document.muscles.retain(|muscle| !names.contains(&muscle.name));
    for weights in &mut document.weights {
        let mut kept = SparseWeights::default();
        for v in 0..weights.len() {
            kept.push_vertex(weights.of(v).filter_map(|(m, w)| Some((place[usize::from(m)]?, w))).collect::<Vec<_>>());
        }
        *weights = kept;
    }
    document.activation.retain_muscles(|name| !names.contains(name));
    keep_in_layers(&mut document.layers, |name| !names.contains(name));
    document
}

/// Let layers forget muscles that do not stay. A list without a name in it stands for all muscles: a layer whose muscles are
/// all gone goes with them.
pub fn keep_in_layers(layers: &mut Vec<Layer>, stays: impl Fn(&str) -> bool) {
    let keeps = |names: &mut Vec<String>| {
        let was_all = names.is_empty();
        names.retain(|name| stays(name));
        was_all || !names.is_empty()
    };
    layers.retain_mut(|layer| layer.muscles_mut().is_none_or(&keeps));
}
