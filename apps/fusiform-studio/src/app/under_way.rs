//! Under way: files that are opened and saved beside the window, which goes on meanwhile.

use super::App;
use super::files::Next;
use crate::model::{Anatomy, Captured, Fault, Job, OnDisk, Project, Recovered, Recovery, Saved, Studio, system};
use crate::panels::bars;
use egui::Context;
use fusiform::Musculature;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// From one look at what is under way to the next.
const LOOK: Duration = Duration::from_millis(30);

/// What is done with a character once it is open.
#[derive(Default)]
pub(super) struct With {
    /// It is what a crash left behind.
    pub recovered: Option<Recovered>,
    /// It is fitted with these muscles.
    pub template: Option<Anatomy>,
    /// It is given these motions.
    pub motions: Vec<PathBuf>,
    /// Characters that came with it, and are not opened.
    pub left_alone: Vec<PathBuf>,
    /// It is the file that is open, read again.
    pub again: bool,
    /// The revision of what is open that nobody wants any more, and nobody is asked about.
    pub given_up: Option<u64>,
}

/// A character that is open, but not yet shown.
pub(super) struct Opened {
    pub studio: Studio,
    pub with: With,
}

/// A character that is being opened.
struct Opening {
    job: Job<Box<Studio>>,
    with: With,
}

/// A file that is being written, and what comes after it.
struct Writing {
    job: Job<Saved>,
    next: Option<Next>,
}

/// What is done beside the window.
#[derive(Default)]
pub(super) struct UnderWay {
    opening: Option<Opening>,
    writing: Option<Writing>,
    /// For the character that is open, in the order in which they came.
    motions: VecDeque<Job<Captured>>,
    /// It is written once more, there: somebody saved while it was being saved.
    again: Option<PathBuf>,
}

impl UnderWay {
    /// Whether a file is being written.
    pub(super) fn writes(&self) -> bool {
        self.writing.is_some()
    }

    /// Whether a character is being opened.
    pub(super) fn opens(&self) -> bool {
        self.opening.is_some()
    }

    /// Whether anything goes on that people may no longer want.
    fn stops(&self) -> bool {
        !self.writes() && (self.opens() || !self.motions.is_empty())
    }

    /// Read a motion for the character that is open.
    pub(super) fn read_motion(&mut self, path: &Path, read: impl FnOnce() -> Result<Captured, Fault> + Send + 'static) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        self.motions.push_back(Job::begin(&format!("Reading {name}"), move |_| read()));
    }

    /// Its character goes.
    pub(super) fn forget_motions(&mut self) {
        self.motions.clear();
    }

    /// This comes once the file is written; none where it waits for that, itself where nothing is being written.
    pub(super) fn after_writing(&mut self, next: Next) -> Option<Next> {
        let Some(writing) = &mut self.writing else { return Some(next) };
        writing.next = Some(next);
        None
    }

    /// What the character that is being opened gets; none where none is.
    pub(super) fn with(&mut self) -> Option<&mut With> {
        self.opening.as_mut().map(|opening| &mut opening.with)
    }
}

impl App {
    /// What is being opened or saved, in words.
    #[must_use]
    pub fn under_way(&self) -> Option<&str> {
        let UnderWay { opening, writing, motions, .. } = &self.under_way;
        let opens = opening.as_ref().map(|opening| &*opening.job.label);
        let reads = motions.front().map(|job| &*job.label);
        writing.as_ref().map(|writing| &*writing.job.label).or(opens).or(reads)
    }

    /// Open a file, in place of any that is being opened. It is known by its whole path from here on: what is kept of
    /// it may be brought back from another folder.
    pub(super) fn open_file(&mut self, path: PathBuf, with: With) {
        let path = std::path::absolute(&path).unwrap_or(path);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.begin(&name, move || Project::open(&path), with);
    }

    /// Read a character, in place of any that is being read; bad ones change nothing.
    pub(super) fn begin(
        &mut self,
        name: &str,
        read: impl FnOnce() -> Result<(Project, Musculature), Fault> + Send + 'static,
        with: With,
    ) {
        let recovery = self.recovery.clone();
        let job = Job::begin(&format!("Opening {name}"), move |_| {
            let (project, muscles) = read()?;
            Studio::new(project, muscles, recovery).map(Box::new)
        });
        self.under_way.opening = Some(Opening { job, with });
    }

    /// Save there, then go on; where that fails nothing goes on. What is being saved already is saved first.
    pub(super) fn write(&mut self, path: &Path, next: Option<Next>) {
        let Some(session) = &mut self.session else { return };
        if let Some(writing) = &mut self.under_way.writing {
            writing.next = next.or(writing.next.take());
            self.under_way.again = Some(path.to_owned());
            return;
        }
        let saving = session.studio.begin_saving(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let job = Job::begin(&format!("Saving {name}"), move |_| saving.write());
        self.under_way.writing = Some(Writing { job, next });
    }

    /// Take over what was done beside the window.
    pub(super) fn tend(&mut self, context: &Context) {
        self.tend_writing(context);
        // one question at a time: what is open waits for the answer
        if !self.is_asking() {
            self.tend_opening(context);
        }
        self.tend_motions();
        let Some(words) = self.under_way() else { return };
        if bars::under_way(context, words, self.under_way.stops()) {
            // what is told of first
            if self.under_way.opening.take().is_none() {
                self.under_way.forget_motions();
            }
        }
        context.request_repaint_after(LOOK);
    }

    fn tend_opening(&mut self, context: &Context) {
        let Some(done) = self.under_way.opening.as_mut().and_then(|opening| opening.job.poll()) else { return };
        let Some(Opening { with, .. }) = self.under_way.opening.take() else { return };
        match done {
            Ok(studio) => {
                let is_answered = with.given_up.is_some() && with.given_up == self.revision();
                let next = Next::Begin(Box::new(Opened { studio: *studio, with }));
                if is_answered { self.go(next, context) } else { self.leave_for(next, context) }
            }
            Err(fault) => {
                if with.recovered.is_some_and(|recovered| system::modified(&recovered.work).is_none()) {
                    // another window was faster
                    self.left_behind = self.recovery.as_ref().map(Recovery::left_behind).unwrap_or_default();
                }
                self.fault = Some(fault);
            }
        }
    }

    /// Motions are put on in the order in which they came.
    fn tend_motions(&mut self) {
        let Some(session) = &mut self.session else { return };
        while let Some(read) = self.under_way.motions.front_mut().and_then(Job::poll) {
            self.under_way.motions.pop_front();
            session.studio.take_motion(read);
        }
    }

    fn tend_writing(&mut self, context: &Context) {
        let Some(done) = self.under_way.writing.as_mut().and_then(|writing| writing.job.poll()) else { return };
        let again = self.under_way.again.take();
        let (Some(Writing { next, .. }), Some(session)) = (self.under_way.writing.take(), &mut self.session) else {
            return;
        };
        match done {
            Ok(saved) => {
                if system::HAS_FOLDERS {
                    self.recent.add(&saved.path);
                }
                session.studio.end_saving(saved);
                self.fault = None;
                self.pending.seen_on_disk(OnDisk::Same);
                match (again, next) {
                    (Some(path), next) => self.write(&path, next),
                    (None, Some(next)) => self.leave_for(next, context),
                    (None, None) => {}
                }
            }
            Err(fault) => {
                self.fault = Some(fault);
                // what was asked for meanwhile may go well: it is perhaps another file
                if let Some(path) = again {
                    self.write(&path, next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Begin;
    use super::*;

    #[test]
    fn what_was_to_be_saved_after_a_save_that_fails_is_saved_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (context, path) = (Context::default(), folder.path().join("hero.glb"));
        let mut app = App::new(None, &Begin::Athlete(Some(3_700)), None);
        while app.under_way.opens() {
            app.tend_opening(&context);
            std::thread::sleep(LOOK);
        }
        let job = Job::begin("Saving", |_| Err(Fault::told("elsewhere.glb", "the disk is full")));
        app.under_way.writing = Some(Writing { job, next: None });
        app.write(&path, Some(Next::Close));
        while app.under_way.writes() {
            app.tend_writing(&context);
            std::thread::sleep(LOOK);
        }
        assert!(path.exists());
        assert!(app.session.is_none(), "what comes after it comes");
    }
}
