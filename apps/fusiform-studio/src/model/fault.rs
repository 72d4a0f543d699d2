//! Fault: what went wrong, in the words a window shows.

use fusiform::BindError;
use fusiform_files::FileError;
use std::fmt;
use std::path::Path;

/// Names the file, says what is wrong, and how it is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is about.
    pub file: String,
    /// What is wrong, and where.
    pub message: String,
    /// What to do; may be empty.
    pub cure: String,
}

impl Fault {
    /// In words, without a cure.
    #[must_use]
    pub fn told(file: &str, message: &str) -> Self {
        Self { file: file.into(), message: message.into(), cure: String::new() }
    }

    pub(crate) fn file(file: &str, error: &FileError) -> Self {
        Self { file: file.into(), message: error.to_string(), cure: error.cure.clone() }
    }

    /// Muscles that do not fit their character.
    pub(crate) fn unbound(file: &str, error: &BindError) -> Self {
        Self { file: file.into(), message: error.to_string(), cure: error.cure() }
    }

    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let cure = match error.kind() {
            _ if path.is_dir() => "this is a folder: choose a file in it",
            std::io::ErrorKind::PermissionDenied => "ask for the right to read it, or copy it to a place of your own",
            _ => "check the path",
        };
        Self { file: path.display().to_string(), message: error.to_string(), cure: cure.into() }
    }

    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        let cure = "choose another place, or make room there".into();
        Self { file: path.display().to_string(), message: error.to_string(), cure }
    }

    /// Where unsaved work is kept.
    pub(crate) fn unkept(path: &Path, error: &std::io::Error) -> Self {
        let cure = "save often; make room there, or set FUSIFORM_STATE_DIR to a folder that can be written to".into();
        Self { cure, ..Self::unwritable(path, error) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)?;
        if self.cure.is_empty() { Ok(()) } else { write!(f, "; {}", self.cure) }
    }
}
