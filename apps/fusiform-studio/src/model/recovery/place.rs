//! Place: the files of one session.

use super::Note;
use crate::model::{Fault, system};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The files of one session, made when there is something to keep.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    made: Option<Made>,
    revision: u64, // of what is written
    is_closed: bool,
}

#[derive(Debug)]
struct Made {
    stem: PathBuf,
    note: Option<Note>,         // as it is written
    held: Option<system::Held>, // none where the system has no locks
}

impl Place {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), made: None, revision: 0, is_closed: false }
    }

    /// Write it, unless something newer is written or the session has ended.
    pub fn keep(
        &mut self,
        revision: u64,
        note: &Note,
        glb: impl FnOnce() -> Result<Vec<u8>, Fault>,
    ) -> Result<(), Fault> {
        if self.is_closed || revision < self.revision {
            return Ok(());
        }
        let glb = glb()?;
        if self.made.as_ref().is_some_and(Made::is_gone) {
            self.remove(&["json", "glb"]);
            self.made = None;
        }
        let made = match &mut self.made {
            Some(made) => made,
            none => none.insert(Made::new(&self.folder)?),
        };
        made.write("glb", &glb)?;
        // a store that answers late may not have taken it
        if made.note.as_ref() != Some(note) || system::refused().is_some() {
            let text = serde_json::to_vec_pretty(note).map_err(|error| Fault::told(&note.name, &error.to_string()))?;
            // last: without it the rest is not found
            made.write("json", &text)?;
            made.note = Some(note.clone());
        }
        self.revision = revision;
        Ok(())
    }

    /// Up to there nothing is unsaved.
    pub fn forget(&mut self, revision: u64) {
        if revision >= self.revision {
            self.revision = revision;
            self.remove(&["json", "glb"]);
        }
    }

    /// Nothing is kept from here on.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.remove(&["json", "glb"]);
        if let Some(Made { stem, held, .. }) = self.made.take() {
            drop(held); // what is held cannot be removed everywhere
            system::remove(&stem.with_extension("lock"));
        }
    }

    fn remove(&mut self, endings: &[&str]) {
        let Some(made) = &mut self.made else { return };
        made.note = None;
        for ending in endings {
            system::remove(&made.file(ending));
        }
    }
}

impl Made {
    /// Under a name that nobody has, not even one who is gone: numbers of processes come back.
    fn new(folder: &Path) -> Result<Self, Fault> {
        system::make_folder(folder).map_err(|error| Fault::unkept(folder, &error))?;
        let now = system::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let stem = folder.join(format!("session-{}-{now:x}", system::this_process()));
        let lock = stem.with_extension("lock");
        let held = system::hold(&lock).map_err(|error| Fault::unkept(&lock, &error))?;
        Ok(Self { stem, note: None, held })
    }

    /// Whether somebody has taken the folder away: a browser's store has none.
    fn is_gone(&self) -> bool {
        system::HAS_FOLDERS && system::modified(&self.file("lock")).is_none()
    }

    fn write(&self, ending: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.file(ending);
        system::write(&path, bytes).map_err(|error| Fault::unkept(&path, &error))
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.stem.with_extension(ending)
    }
}
