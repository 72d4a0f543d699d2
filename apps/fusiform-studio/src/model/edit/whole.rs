//! What is done to the whole character.

use super::Seen;
use crate::model::Document;
use fusiform::Clip;
use std::sync::Arc;

pub fn add_motion(seen: Seen, clip: &Clip, document: &mut Document) {
    let mut clip = clip.clone();
    while seen.project.character.clips.iter().any(|other| other.name == clip.name) {
        clip.name.push('\'');
    }
    Arc::make_mut(&mut document.motions).push(clip);
}
