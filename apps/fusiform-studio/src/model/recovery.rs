//! Recovery: unsaved work, kept outside the file until it is saved.
//!
//! While there is any, the whole rigged character lies in a folder of its own, written whole or not at all by a thread
//! beside the window, about half a second behind. A session holds the lock on a file beside it for as long as it lives, and
//! one that ends well takes everything away: what nobody holds is work that a crash left behind.
//!
//! ```text
//! session-N.lock   held while the session lives
//! session-N.glb    the character as it is
//! session-N.json   what it is called and where it came from; written last: without it the rest is not found
//! ```

mod keeper;
mod place;

use super::any_path::AnyPath;
use super::{Project, Stamp};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use keeper::Keeper;

/// Pieces that a session which was killed left lying are taken away when they are this old: younger ones may be at work.
const OLD: Duration = Duration::from_secs(3600);

/// Where sessions keep their unsaved work.
#[derive(Clone, Debug)]
pub struct Recovery {
    folder: PathBuf,
}

/// What a crash left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The character as it was last.
    pub glb: PathBuf,
    /// When that was.
    pub when: SystemTime,
    /// The file it came from, if it came from one.
    pub path: Option<PathBuf>,
    /// What people called it.
    pub name: String,
    pub(super) beside: Option<PathBuf>,
    pub(super) stamp: Option<Stamp>,
}

/// What is known of a character apart from itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    name: String,
    path: Option<AnyPath>,
    beside: Option<AnyPath>,
    stamp: Option<Stamp>,
}

impl Note {
    fn of(project: &Project) -> Self {
        let path = |of: &Option<PathBuf>| of.clone().map(AnyPath);
        let stamp = project.stamp.clone();
        Self { name: project.name.clone(), path: path(&project.path), beside: path(&project.beside), stamp }
    }
}

impl Recovery {
    /// In the folder where this system keeps such things; none where it has no such place.
    #[must_use]
    pub fn of_this_user() -> Option<Self> {
        let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let base = folder("FUSIFORM_STATE_DIR")
            .or_else(|| folder("XDG_STATE_HOME").map(|base| base.join("fusiform")))
            .or_else(|| folder("LOCALAPPDATA").map(|base| base.join("fusiform")))
            .or_else(|| folder("HOME").map(|home| home.join(".local/state/fusiform")))?;
        Some(Self::in_folder(base))
    }

    /// In a given folder.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What sessions that are gone left behind, newest first.
    #[must_use]
    pub fn left_behind(&self) -> Vec<Recovered> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        let of_session =
            |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"session-"));
        let (sessions, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|path| of_session(path));
        let mut found = Vec::new();
        for path in sessions.iter().filter(|path| !is_held(&path.with_extension("lock"))) {
            match read(path) {
                Some(recovered) => found.push(recovered),
                None => tidy(path, path.with_extension("json").exists()),
            }
        }
        others.iter().filter(|path| is_unfinished(path)).for_each(|path| tidy(path, false));
        found.sort_by_key(|of| (std::cmp::Reverse(of.when), of.glb.clone()));
        found
    }
}

impl Recovered {
    /// It has been taken over, or is not wanted.
    pub fn discard(&self) {
        // the note first: without it the rest is not found
        for ending in ["json", "glb", "lock"] {
            let _ = std::fs::remove_file(self.glb.with_extension(ending));
        }
    }
}

/// What a note tells; nothing for any other file.
fn read(note: &Path) -> Option<Recovered> {
    if note.extension()? != "json" {
        return None;
    }
    let Note { name, path, beside, stamp } = serde_json::from_slice(&std::fs::read(note).ok()?).ok()?;
    let glb = note.with_extension("glb");
    let when = glb.metadata().ok()?.modified().ok()?;
    let plain = |of: Option<AnyPath>| of.map(|AnyPath(path)| path);
    Some(Recovered { glb, when, path: plain(path), name, beside: plain(beside), stamp })
}

/// Whether a session that lives holds it; where locks cannot be asked for, none does.
fn is_held(lock: &Path) -> bool {
    let Ok(file) = File::open(lock) else { return false };
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// What was being written when its session was killed.
fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".fusiform-"))
}

/// Take away what nobody finds any more, once it is old.
fn tidy(path: &Path, is_found: bool) {
    let age = path.metadata().and_then(|about| about.modified()).ok().and_then(|when| when.elapsed().ok());
    if !is_found && age.is_some_and(|age| age > OLD) {
        let _ = std::fs::remove_file(path);
    }
}
