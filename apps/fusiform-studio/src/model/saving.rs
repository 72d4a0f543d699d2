//! Saving: a document on its way into a file. That takes long for large ones, so it can be done beside the window.

use super::output::lies_in;
use super::{Document, Fault, Original, Stamp, write_whole};
use std::path::PathBuf;

/// A document as it was when it was to be saved, and the file it goes into.
#[derive(Clone, Debug)]
pub struct Saving {
    pub(super) original: Original,
    pub(super) document: Document,
    pub(super) beside: Option<PathBuf>, // the folder of images that it names
    pub(super) path: PathBuf,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Where it lies.
    pub path: PathBuf,
    pub(super) stamp: Stamp,
    pub(super) original: Original, // with images in it that it had to bring along
    pub(super) beside: Option<PathBuf>,
    pub(super) warnings: Vec<String>,
}

impl Saving {
    /// Write it: as text, or all in one, with images that would not be found from there.
    ///
    /// # Errors
    /// When it cannot be written, or is too large for its format; the old file is untouched.
    pub fn write(self) -> Result<Saved, Fault> {
        let Self { mut original, document, beside, path } = self;
        let warnings = original.bring_images(beside.as_deref(), &path);
        // what was not found there is looked for again
        let beside = beside.filter(|beside| lies_in(beside, &path) || !warnings.is_empty());
        let gltf = original.with(&document);
        let is_text = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
        let bytes = if is_text { gltf.to_gltf() } else { original.packed(&gltf)? };
        write_whole(&path, &bytes)?;
        let stamp = Stamp::written(&path, &bytes);
        Ok(Saved { path, stamp, original, beside, warnings })
    }
}
