//! Place: the files of one session.

use super::{Note, pieces};
use crate::model::{Document, Fault, Original, system};
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
    base: Original, // whose bytes are kept
    has_base: bool,
    note: Option<Note>,          // as it is written
    _held: Option<system::Held>, // none where the system has no locks
}

/// What says that there is unsaved work; without the first the others are not found.
const UNSAVED: [&str; 2] = ["json", "work"];

impl Place {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), made: None, revision: 0, is_closed: false }
    }

    /// Write it, unless something newer is written or the session has ended.
    pub fn keep(
        &mut self,
        revision: u64,
        note: &Note,
        (original, document): (&Original, &Document),
    ) -> Result<(), Fault> {
        if self.is_closed || revision < self.revision {
            return Ok(());
        }
        let work = pieces::parted(&original.to_glb(document)?, original.bytes());
        let fits = |made: &&mut Made| made.base.is(original) && !made.is_gone();
        match self.made.as_mut().filter(fits) {
            Some(made) => made.write(&work, note)?,
            // pictures came into the file as it was saved, or somebody took the folder away
            None => {
                let made = Made::with(&self.folder, original, &work, note)?;
                self.made.replace(made).into_iter().for_each(Made::end);
            }
        }
        self.revision = revision;
        Ok(())
    }

    /// Up to there nothing is unsaved.
    pub fn forget(&mut self, revision: u64) {
        if revision >= self.revision {
            self.revision = revision;
            self.made.iter_mut().for_each(Made::forget);
        }
    }

    /// Nothing is kept from here on.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.made.take().into_iter().for_each(Made::end);
    }
}

impl Made {
    /// Under a name that nobody has, not even one who is gone: numbers of processes come back.
    fn new(folder: &Path, base: &Original) -> Result<Self, Fault> {
        system::make_folder(folder).map_err(|error| Fault::unkept(folder, &error))?;
        let now = system::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let stem = folder.join(format!("session-{}-{now:x}", system::this_process()));
        let lock = stem.with_extension("lock");
        let held = system::hold(&lock).map_err(|error| Fault::unkept(&lock, &error))?;
        Ok(Self { stem, base: base.clone(), has_base: false, note: None, _held: held })
    }

    /// Likewise, with that in it; what cannot be written whole leaves nothing.
    fn with(folder: &Path, base: &Original, work: &[u8], note: &Note) -> Result<Self, Fault> {
        let mut made = Self::new(folder, base)?;
        match made.write(work, note) {
            Ok(()) => Ok(made),
            Err(fault) => {
                made.end();
                Err(fault)
            }
        }
    }

    /// Whether somebody has taken away what is there, as a browser's store lets nobody do.
    fn is_gone(&self) -> bool {
        let is_missing = |ending| system::modified(&self.file(ending)).is_none();
        system::HAS_FOLDERS && (is_missing("lock") || (self.has_base && is_missing("base")))
    }

    fn write(&mut self, work: &[u8], note: &Note) -> Result<(), Fault> {
        // a store that answers late may not have taken it
        if system::refused().is_some() {
            (self.has_base, self.note) = (false, None);
        }
        if !self.has_base {
            self.put("base", self.base.bytes())?;
            self.has_base = true;
        }
        self.put("work", work)?;
        if self.note.as_ref() != Some(note) {
            let text = serde_json::to_vec_pretty(note).map_err(|error| Fault::told(&note.name, &error.to_string()))?;
            // last: without it the rest is not found
            self.put("json", &text)?;
            self.note = Some(note.clone());
        }
        Ok(())
    }

    /// There is nothing unsaved; what comes next hangs on the same base.
    fn forget(&mut self) {
        self.note = None;
        UNSAVED.iter().for_each(|ending| system::remove(&self.file(ending)));
    }

    fn end(mut self) {
        self.forget();
        let others = [self.file("base"), self.file("lock")];
        drop(self); // what is held cannot be removed everywhere
        others.iter().for_each(|path| system::remove(path));
    }

    fn put(&self, ending: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.file(ending);
        system::write(&path, bytes).map_err(|error| Fault::unkept(&path, &error))
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.stem.with_extension(ending)
    }
}
