//! What is done to the whole character.

use super::Seen;
use crate::model::{Document, Fault};
use fusiform::Clip;
use std::sync::Arc;

pub fn add_motion(seen: Seen, clip: &Clip, document: &mut Document) {
    let mut clip = clip.clone();
    while seen.project.character.clips.iter().any(|other| other.name == clip.name) {
        clip.name.push('\'');
    }
    Arc::make_mut(&mut document.motions).push(clip);
}

/// Without that motion, and what tensed muscles in its course.
pub fn remove_motion(at: usize, document: &mut Document) {
    if at < document.motions.len() {
        let Clip { name, .. } = Arc::make_mut(&mut document.motions).remove(at);
        document.musculature.activation.curves.retain(|curves| curves.clip != name);
    }
}

/// The motion, and what tenses muscles in its course, under another name.
pub fn rename_motion(seen: Seen, at: usize, name: &str, document: &mut Document) -> Result<(), Fault> {
    let name = name.trim();
    let Some(motion) = document.motions.get(at).filter(|motion| motion.name != name) else { return Ok(()) };
    let refuse = |message: String| Err(Fault::told(&seen.project.name, &message));
    if name.is_empty() {
        return refuse("a motion needs a name".into());
    }
    if seen.project.character.clips.iter().any(|clip| clip.name == name) {
        return refuse(format!("another clip is called {name:?}; names are given once"));
    }
    let curves = document.musculature.activation.curves.iter_mut();
    curves.filter(|curves| curves.clip == motion.name).for_each(|curves| curves.clip = name.into());
    Arc::make_mut(&mut document.motions)[at].name = name.into();
    Ok(())
}
