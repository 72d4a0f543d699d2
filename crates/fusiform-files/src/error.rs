//! What can be wrong with a file.

use thiserror::Error;

/// Why a file cannot be used: where in it, what is wrong, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {message}")]
pub struct FileError {
    /// The element, as its author would find it.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
    /// How to mend it.
    pub cure: String,
}

/// What helps against most things that a broken exporter or a cut download does.
const EXPORT_AGAIN: &str = "export the file again, or run it through a glTF validator to see all that is wrong with it";

impl FileError {
    /// An element that cannot be meant as it stands.
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into(), cure: EXPORT_AGAIN.into() }
    }

    /// The same with another cure.
    pub(crate) fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = cure.into();
        self
    }
}
