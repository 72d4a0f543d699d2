//! Muscles: turned, moved, made, deleted.

use super::{Done, Seen};
use fusiform::{Muscle, Musculature, SparseWeights};
use glam::Vec3;
use std::collections::BTreeSet;

/// Which end of a muscle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where it begins.
    Origin,
    /// Where it ends.
    Insertion,
}

/// The muscle of that name on the other side.
#[must_use]
pub fn twin(muscles: &[Muscle], m: usize) -> Option<usize> {
    let (stem, side) = muscles[m].name.rsplit_once('.')?;
    let other = match side {
        "l" => "r",
        "r" => "l",
        _ => return None,
    };
    muscles.iter().position(|muscle| muscle.name.rsplit_once('.') == Some((stem, other)))
}

pub fn move_end(seen: Seen, end: End, by: Vec3, muscles: &mut Musculature) {
    let skeleton = &seen.project.character.skeleton;
    for (m, is_twin) in seen.edited(&muscles.muscles) {
        let by = if is_twin { Vec3::new(-by.x, by.y, by.z) } else { by };
        let muscle = &mut muscles.muscles[m];
        let place = if end == End::Origin { &mut muscle.origin } else { &mut muscle.insertion };
        let Some(joint) = skeleton.find(&place.joint) else { continue };
        place.point += skeleton.joints[joint].bind.inverse().transform_vector3(by);
    }
}

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
    // a list without a name in it stands for all muscles: what was for those that are gone goes with them
    let lists = |list: &mut Vec<String>| {
        let was_all = list.is_empty();
        list.retain(|name| !names.contains(name));
        was_all || !list.is_empty()
    };
    document.activation.drivers.retain_mut(|driver| lists(&mut driver.muscles));
    document.layers.retain_mut(|layer| layer.muscles_mut().is_none_or(lists));
    for curves in &mut document.activation.curves {
        curves.tracks.retain(|track| !names.contains(&track.muscle));
    }
    document
}
