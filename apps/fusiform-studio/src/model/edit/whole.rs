//! What is done to the whole character.

use super::{Done, Seen};
use crate::model::{Document, Fault};
use fusiform::{Clip, Musculature};
use fusiform_fit::{FAT, Preset, Rigged, Roles, Template, rig_pairs, sort_meshes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// As `fusiform rig` does: a human's muscles where its joints are known as a human's, opposed pairs where they are not.
pub fn rig(seen: Seen, preset: Preset, muscles: &mut Musculature) -> Result<Done, Fault> {
    let character = &seen.project.character;
    let (wear, roles) = (sort_meshes(character), Roles::find(&character.skeleton).roles);
    let fat = FAT * character.height();
    let rigged = match roles.is_humanoid() {
        true => fusiform_fit::rig(character, &wear, &roles, &Template::humanoid(), preset, fat, |_| {}),
        false => rig_pairs(character, &wear, preset, fat, |_| {}),
    };
    let Rigged { musculature, warnings, .. } =
        rigged.map_err(|error| Fault::told(&seen.project.name, &error.to_string()))?;
    *muscles = musculature;
    Ok(Done { chosen: Some(BTreeSet::new()), warnings })
}

pub fn add_motion(seen: Seen, clip: &Clip, document: &mut Document) {
    let mut clip = clip.clone();
    while seen.project.character.clips.iter().any(|other| other.name == clip.name) {
        clip.name.push('\'');
    }
    Arc::make_mut(&mut document.motions).push(clip);
}
