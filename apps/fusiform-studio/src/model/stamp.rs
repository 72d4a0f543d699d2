//! Stamp: what a file was when it was last read or written, to tell whether someone else has changed it.

use super::system;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// What a file was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    hash: u64,
}

/// What has become of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDisk {
    /// It is as it was, or cannot be looked at.
    #[default]
    Same,
    /// Someone else has written to it.
    Changed,
    /// It is no longer there.
    Gone,
}

impl Stamp {
    /// All of a file, and what it was when that was read.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> io::Result<(Vec<u8>, Self)> {
        // before: what is written meanwhile is then noticed
        let modified = system::modified(path);
        let bytes = system::read(path)?;
        let stamp = Self { modified, length: bytes.len() as u64, hash: hash(&bytes) };
        Ok((bytes, stamp))
    }

    /// What was just written there.
    #[must_use]
    pub fn written(path: &Path, bytes: &[u8]) -> Self {
        Self { modified: system::modified(path), length: bytes.len() as u64, hash: hash(bytes) }
    }

    /// What has become of it. A file that was only touched is as it was, and is remembered with its new time.
    pub fn look(&mut self, path: &Path) -> OnDisk {
        let about = match path.metadata() {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return OnDisk::Gone,
            Err(_) => return OnDisk::Same,
        };
        let now = about.modified().ok();
        if about.len() != self.length {
            return OnDisk::Changed;
        }
        if now == self.modified {
            return OnDisk::Same;
        }
        match system::read(path) {
            Ok(bytes) if hash(&bytes) == self.hash => {
                self.modified = now;
                OnDisk::Same
            }
            Ok(_) => OnDisk::Changed,
            Err(_) => OnDisk::Same,
        }
    }
}

/// The same for the same bytes, on this version of this program: enough to tell whether they changed.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
