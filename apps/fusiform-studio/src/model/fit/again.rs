//! What of the whole body outlives its being fitted again.

use crate::model::edit::keep_in_layers;
use crate::model::{Document, Fitting};
use fusiform::Musculature;
use fusiform::musculature::{Activation, Bone, BoneShape, Layer};
use fusiform_fit::Preset;

/// The muscles that were made, in a body that is built, tensed and skinned as people had it, as far as that can be told.
/// What had to go is told.
pub fn keeps_settings(
    before: &Document,
    (fitting, preset): (&Fitting, Preset),
    made: Musculature,
    warnings: &mut Vec<String>,
) -> Musculature {
    let was = &before.musculature;
    let same_preset = was.muscles.first().map(Preset::of) == Some(preset);
    Musculature {
        physique: was.physique,
        base: was.base,
        normals: was.normals,
        activation: activation(was, &made, before.fitting.roles == fitting.roles, warnings),
        layers: layers(was, preset, &made, warnings),
        bones: bones(&was.bones, made.bones, same_preset, before.fitting.is_like(fitting)),
        ..made
    }
}

/// What muscles that are still there were tensed by; those that are new are tensed as they were made, and all where joints
/// play other roles or no muscle was driven by anything.
fn activation(was: &Musculature, made: &Musculature, same_roles: bool, warnings: &mut Vec<String>) -> Activation {
    let mut fresh = made.activation.clone();
    let any_new = !same_roles || was.activation.drivers.is_empty();
    fresh.retain_muscles(|name| any_new || was.find(name).is_none());
    let mut kept = was.activation.clone();
    let gone = kept.retain_muscles(|name| made.find(name).is_some());
    if !gone.is_empty() {
        warnings.push(format!("what tensed {} went with those muscles", gone.join(", ")));
    }
    kept.drivers.retain(|old| {
        let is_made_anew = |name: &String| fresh.drivers.iter().any(|driver| driver.muscles.contains(name));
        !old.muscles.iter().any(is_made_anew)
    });
    let fresh = fresh.drivers.into_iter().filter(|driver| !kept.drivers.contains(driver));
    let fresh: Vec<_> = fresh.collect();
    kept.drivers.extend(fresh);
    kept
}

/// The layers there were, where they are for muscles of the same kind.
fn layers(was: &Musculature, preset: Preset, made: &Musculature, warnings: &mut Vec<String>) -> Vec<Layer> {
    let Some(before) = was.muscles.first().map(Preset::of).filter(|_| !was.layers.is_empty()) else {
        return made.layers.clone();
    };
    if before != preset {
        if was.layers != before.layers() {
            let [before, now] = [before, preset].map(Preset::name);
            warnings.push(format!("the layers were not those of {before} any more: those of {now} take their place"));
        }
        return made.layers.clone();
    }
    let mut layers = was.layers.clone();
    keep_in_layers(&mut layers, |name| made.find(name).is_some());
    layers
}

/// Bones somebody made a mesh for, those that layers which stay may use, and those that were found in the same way: as they
/// were.
fn bones(was: &[Bone], mut made: Vec<Bone>, same_preset: bool, same_way: bool) -> Vec<Bone> {
    for bone in was {
        let is_own = matches!(bone.shape, BoneShape::Mesh { .. });
        match made.iter_mut().find(|other| other.name == bone.name) {
            Some(other) if is_own || same_way => other.clone_from(bone),
            None if is_own || same_preset => made.push(bone.clone()),
            _ => {}
        }
    }
    made
}
