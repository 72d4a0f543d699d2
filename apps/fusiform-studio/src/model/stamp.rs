//! Stamp: what a file was when it was last read or written, to tell whether someone else has changed it.

use super::any_path::AnyPath;
use super::system;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Buffers that a .gltf names and that were read with it, and what they were.
pub type Buffers = Vec<(AnyPath, Stamp)>;

/// What a file was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    hash: u64,
    #[serde(default)]
    beside: Buffers,
    #[serde(skip)]
    changed: Option<SystemTime>, // when someone else last wrote to it, as was seen
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
        let stamp = Self { modified, ..Self::written(path, &bytes) };
        Ok((bytes, stamp))
    }

    /// It again, as it is now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn again(&self, path: &Path) -> io::Result<Self> {
        // what cannot be read is remembered as it was
        let now = |(path, stamp): &(AnyPath, Self)| (path.clone(), stamp.again(&path.0).unwrap_or(stamp.clone()));
        Ok(Self { beside: self.beside.iter().map(now).collect(), ..Self::read(path)?.1 })
    }

    /// With what was read beside it.
    #[must_use]
    pub fn with(self, beside: Buffers) -> Self {
        Self { beside, ..self }
    }

    /// What was just written there.
    #[must_use]
    pub fn written(path: &Path, bytes: &[u8]) -> Self {
        let (modified, length) = (system::modified(path), bytes.len() as u64);
        Self { modified, length, hash: hash(bytes), beside: Buffers::new(), changed: None }
    }

    /// What has become of it, and of what was read with it.
    pub fn look(&mut self, path: &Path) -> OnDisk {
        let beside = |(path, stamp): &mut (AnyPath, Self)| stamp.look_alone(&path.0) == OnDisk::Changed;
        match self.look_alone(path) {
            OnDisk::Same if self.beside.iter_mut().any(beside) => OnDisk::Changed,
            own => own,
        }
    }

    /// A file that was only touched is as it was, and is remembered with its new time. One that has changed is read once: it
    /// is looked at often, and may be large.
    fn look_alone(&mut self, path: &Path) -> OnDisk {
        let about = match path.metadata() {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return OnDisk::Gone,
            Err(_) => return OnDisk::Same,
        };
        let now = about.modified().ok();
        if about.len() != self.length || (now.is_some() && now == self.changed) {
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
            Ok(_) => {
                self.changed = now;
                OnDisk::Changed
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_file_that_has_changed_is_read_once_for_each_time_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.glb");
        let write = |text: &str, after: u64| {
            std::fs::write(&path, text).unwrap();
            let when = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + after);
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(when).unwrap();
        };
        write("mine", 0);
        let (_, mut stamp) = Stamp::read(&path).unwrap();
        write("ours", 1);
        assert_eq!(stamp.look(&path), OnDisk::Changed);
        // what nobody can tell by its time and length shows that it was not read
        write("mine", 1);
        assert_eq!(stamp.look(&path), OnDisk::Changed);
        write("mine", 2);
        assert_eq!(stamp.look(&path), OnDisk::Same);
    }
}
