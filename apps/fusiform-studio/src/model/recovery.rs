//! Recovery: unsaved work, kept outside the file until it is saved.
//!
//! While there is any, the whole rigged character lies in a folder of its own, written whole or not at all, at most
//! [`EVERY`] seconds behind. A session that ends well takes it away; what is found at the next start is work that a crash
//! left behind.

use super::{Fault, system, write_whole};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Unsaved work is never older than this on disk.
pub const EVERY: Duration = Duration::from_millis(1000);

/// Where one session keeps its unsaved work.
#[derive(Clone, Debug)]
pub struct Recovery {
    folder: PathBuf,
    stem: String,
}

/// What a crash left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The character as it was last.
    pub glb: PathBuf,
    /// The file it came from, if it came from one.
    pub path: Option<PathBuf>,
    /// What people called it.
    pub name: String,
    note: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Note {
    name: String,
    path: Option<PathBuf>,
    process: u32,
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
        Self { folder, stem: format!("session-{}", system::this_process()) }
    }

    fn glb(&self) -> PathBuf {
        self.folder.join(format!("{}.glb", self.stem))
    }

    fn note(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.stem))
    }

    /// Keep the character as it is now.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn keep(&self, name: &str, path: Option<&Path>, glb: &[u8]) -> Result<(), Fault> {
        system::make_folder(&self.folder).map_err(|error| Fault::unwritable(&self.folder, &error))?;
        write_whole(&self.glb(), glb)?;
        let note = Note { name: name.into(), path: path.map(Path::to_owned), process: system::this_process() };
        let text = serde_json::to_vec_pretty(&note).map_err(|error| Fault::told(name, &error.to_string()))?;
        // last: without it the rest is not found
        write_whole(&self.note(), &text)
    }

    /// Nothing is unsaved any more.
    pub fn forget(&self) {
        system::remove(&self.note());
        system::remove(&self.glb());
    }

    /// What sessions that are gone left behind, newest first.
    #[must_use]
    pub fn left_behind(&self) -> Vec<Recovered> {
        let files = system::list(&self.folder);
        let notes = files.iter().filter(|path| path.extension().is_some_and(|e| e == "json"));
        let mut found: Vec<_> = notes.filter_map(|path| self.read(path)).collect();
        found.sort_by_key(|(when, of)| (std::cmp::Reverse(*when), of.glb.clone()));
        found.into_iter().map(|(_, of)| of).collect()
    }

    fn read(&self, note: &Path) -> Option<(std::time::SystemTime, Recovered)> {
        let Note { name, path, process } = serde_json::from_slice(&system::read(note).ok()?).ok()?;
        let glb = note.with_extension("glb");
        let when = system::modified(&glb)?;
        let is_gone = process == system::this_process() || !system::is_running(process);
        is_gone.then(|| (when, Recovered { glb, path, name, note: note.to_owned() }))
    }
}

impl Recovered {
    /// It has been taken over, or is not wanted.
    pub fn discard(&self) {
        system::remove(&self.note);
        system::remove(&self.glb);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let recovery = Recovery::in_folder(folder.path().join("deep/inside"));
        assert!(recovery.left_behind().is_empty());
        recovery.keep("hero", Some(Path::new("hero.glb")), b"glTF").unwrap();
        let found = recovery.left_behind();
        assert_eq!((found.len(), &*found[0].name, found[0].path.as_deref()), (1, "hero", Some(Path::new("hero.glb"))));
        assert_eq!(std::fs::read(&found[0].glb).unwrap(), b"glTF");
        recovery.forget();
        assert!(recovery.left_behind().is_empty());
    }

    #[test]
    fn rubbish_in_the_folder_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("session-1.json"), "{").unwrap();
        std::fs::write(folder.path().join("session-2.json"), r#"{"name":"a","path":null,"process":0}"#).unwrap();
        assert!(Recovery::in_folder(folder.path().into()).left_behind().is_empty());
    }
}
