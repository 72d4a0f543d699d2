//! What is done to the whole character.

use super::{Done, Seen, fit};
use crate::model::fit::rig_now;
use crate::model::{Document, Fault};
use fusiform::Clip;
use fusiform_fit::Preset;
use std::sync::Arc;

/// As `fusiform rig` does: a human's muscles where its joints are known as a human's, opposed pairs where they are not.
pub fn rig(seen: Seen, preset: Preset, document: &mut Document) -> Result<Done, Fault> {
    Ok(fit::take_over(&rig_now(seen.project, &seen.fit.found, preset, document)?, document))
}

pub fn add_motion(seen: Seen, clip: &Clip, document: &mut Document) {
    let mut clip = clip.clone();
    while seen.project.character.clips.iter().any(|other| other.name == clip.name) {
        clip.name.push('\'');
    }
    Arc::make_mut(&mut document.motions).push(clip);
}
