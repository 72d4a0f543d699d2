//! Recovery: unsaved work, kept outside the file until it is saved.
//!
//! While there is any, the rigged character lies in a folder of its own, written whole or not at all by a thread beside the
//! window, a fraction of a second behind. A session holds the lock on a file beside it for as long as it lives, and one that
//! ends well takes everything away: what nobody holds is work that a crash left behind.
//!
//! ```text
//! session-N.lock   held while the session lives; N begins with the number of its process
//! session-N.base   the bytes of the file it came from, written once and there until the session ends
//! session-N.work   the character as it is, without those: see `pieces`
//! session-N.json   what it is called and where it came from; written last: without it the rest is not found
//! ```

mod keeper;
mod pieces;
mod place;

use super::any_path::AnyPath;
use super::output::OLD;
use super::{Fault, Project, Stamp, system};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use keeper::Keeper;

/// Where sessions keep their unsaved work.
#[derive(Clone, Debug)]
pub struct Recovery {
    folder: PathBuf,
}

/// What a crash left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The character as it was last, without the bytes of its file.
    pub work: PathBuf,
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
        let (name, stamp) = (project.name.clone(), project.stamp.clone());
        Self { name, path: path(&project.path), beside: path(&project.beside), stamp }
    }

    /// Whether it still tells what there is to know.
    fn is_of(&self, project: &Project) -> bool {
        let is = |written: &Option<AnyPath>, path: &Option<PathBuf>| written.as_ref().map(|of| &of.0) == path.as_ref();
        self.name == project.name
            && self.stamp == project.stamp
            && is(&self.path, &project.path)
            && is(&self.beside, &project.beside)
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
        let (mut found, is) = (Vec::new(), |path: &Path, begin: &[u8]| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(begin))
        });
        let has_note = |path: &Path| system::modified(&path.with_extension("json")).is_some();
        for path in system::list(&self.folder) {
            let is_note = is(&path, b"session-") && path.extension().is_some_and(|ending| ending == "json");
            match is_note.then(|| read(&path)).flatten() {
                Some(recovered) if !is_held(&path) => found.push(recovered),
                Some(_) => {}
                None if is_note || is(&path, b".fusiform-") => tidy(&path),
                None if is(&path, b"session-") && !has_note(&path) => tidy(&path),
                None => {}
            }
        }
        found.sort_by_key(|of| (std::cmp::Reverse(of.when), of.work.clone()));
        found
    }
}

impl Recovered {
    /// It has been taken over, or is not wanted.
    pub fn discard(&self) {
        // the note first: without it the rest is not found
        for ending in ["json", "work", "base", "lock"] {
            system::remove(&self.work.with_extension(ending));
        }
    }

    /// The character as it was last, as a .glb.
    ///
    /// # Errors
    /// When it cannot be read, or is not what was written.
    pub fn read(&self) -> Result<Vec<u8>, Fault> {
        let read = |ending| {
            let path = self.work.with_extension(ending);
            system::read(&path).map_err(|error| Fault::unreadable(&path, &error))
        };
        pieces::joined(&read("work")?, &read("base")?).ok_or_else(|| Fault {
            file: self.work.display().to_string(),
            message: format!("what was kept of {} is damaged", self.name),
            cure: match self.path {
                Some(_) => "discard it: its own file is as it was last saved".into(),
                None => "discard it: it was in no file yet".into(),
            },
        })
    }
}

/// What a note tells, if what it tells of is there.
fn read(note: &Path) -> Option<Recovered> {
    let Note { name, path, beside, stamp } = serde_json::from_slice(&system::read(note).ok()?).ok()?;
    system::modified(&note.with_extension("base"))?;
    let work = note.with_extension("work");
    let when = system::modified(&work)?;
    let plain = |of: Option<AnyPath>| of.map(|AnyPath(path)| path);
    Some(Recovered { work, when, path: plain(path), name, beside: plain(beside), stamp })
}

/// Whether the session of that file lives.
fn is_held(path: &Path) -> bool {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let process = name.split('-').nth(1).and_then(|number| number.parse().ok());
    system::is_held(&path.with_extension("lock"), process.unwrap_or_default())
}

/// What was being written when its session was killed is taken away once it is old.
fn tidy(path: &Path) {
    let age = system::modified(path).and_then(|when| system::now().duration_since(when).ok());
    if age.is_some_and(|age| age > OLD) && !is_held(path) {
        system::remove(path);
    }
}
