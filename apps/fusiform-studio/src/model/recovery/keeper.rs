//! Keeper: hands unsaved work to a thread, one write at a time.

use super::place::Place;
use super::{Note, Recovered, Recovery};
use crate::model::system::{self, Instant};
use crate::model::{Document, Fault, Job, Original, Project};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// From the beginning of one write to that of the next, at least.
const PAUSE: Duration = Duration::from_millis(300);
/// The same where one write after the other goes wrong: a full disk is not to be filled again and again.
const MOST: Duration = Duration::from_secs(30);

/// Keeps the unsaved work of one session.
#[derive(Debug)]
pub struct Keeper {
    place: Arc<Mutex<Place>>,
    job: Option<Job<Safe>>,
    began: Option<Instant>,
    pause: Duration,
    safe: Safe,
    taken_over: Vec<Recovered>,
    is_failing: bool,
    refused: Option<String>, // as it was told
}

/// Revision of the document, and whether it is in no file.
type State = (u64, bool);

/// What is where a crash does not reach it.
type Safe = (State, Option<Note>);

/// What a write needs.
struct Work {
    state: State,
    note: Note,
    original: Original,
    document: Document,
    taken_over: Vec<Recovered>,
}

impl Keeper {
    /// For a session that begins now.
    #[must_use]
    pub fn new(recovery: &Recovery) -> Self {
        let place = Arc::new(Mutex::new(Place::new(recovery.folder())));
        let safe = ((0, false), None);
        Self {
            place,
            job: None,
            began: None,
            pause: PAUSE,
            safe,
            taken_over: Vec::new(),
            is_failing: false,
            refused: None,
        }
    }

    /// What a crash left behind is this session's from now on: it goes once it is kept here.
    pub fn take_over(&mut self, recovered: Recovered) {
        self.taken_over.push(recovered);
    }

    /// Whether it is where a crash does not reach it.
    #[must_use]
    pub fn has(&self, project: &Project, state: State) -> bool {
        self.job.is_none() && self.is_safe(project, state)
    }

    /// What is told of unsaved work has to be true as well: it may be saved to another file than before.
    fn is_safe(&self, project: &Project, state: State) -> bool {
        let ((safe, note), (_, is_unsaved)) = (&self.safe, state);
        if !is_unsaved && !system::HAS_FOLDERS {
            return true; // nobody says whether a download came through: what was kept stays until there is newer
        }
        *safe == state && (!is_unsaved || note.as_ref().is_some_and(|note| note.is_of(project)))
    }

    /// Called every frame; never waits. What is wrong is told once, until it goes well again.
    pub fn look_after(&mut self, project: &Project, document: &Document, state: State) -> Option<Fault> {
        let fault = self.poll().or_else(|| self.refusal(project));
        let (_, is_unsaved) = state;
        let rested = !is_unsaved || self.began.is_none_or(|began| began.elapsed() >= self.pause);
        if !self.is_safe(project, state) && self.job.is_none() && rested {
            self.began = Some(Instant::now());
            let (work, place) = (self.work(project, document, state), self.place.clone());
            self.job = Some(Job::begin("Recovery", move |_| work.run(&mut lock(&place))));
        }
        fault
    }

    fn work(&self, project: &Project, document: &Document, state: State) -> Work {
        let (note, original, document) = (Note::of(project), project.original(), document.clone());
        Work { state, note, original, document, taken_over: self.taken_over.clone() }
    }

    fn poll(&mut self) -> Option<Fault> {
        let result = self.job.as_mut()?.poll()?;
        self.job = None;
        match result {
            Ok(safe) => {
                (self.safe, self.is_failing) = (safe, false);
                self.pause = if system::HAS_FOLDERS { PAUSE } else { self.rest_of_page() };
                self.taken_over.clear();
                None
            }
            // it is tried again, and told once
            Err(fault) => {
                self.pause = (2 * self.pause).min(MOST);
                (!std::mem::replace(&mut self.is_failing, true)).then_some(fault)
            }
        }
    }

    /// A page writes in the window's own time: it rests for as long as it took, and that from its end.
    fn rest_of_page(&self) -> Duration {
        let took = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        took + took.max(PAUSE)
    }

    /// A store that answers late may take nothing of what went well so far.
    fn refusal(&mut self, project: &Project) -> Option<Fault> {
        let refused = system::refused();
        if refused == self.refused {
            return None;
        }
        self.refused.clone_from(&refused);
        let cure = "save often".into();
        refused.map(|message| unkept(Fault { file: project.file_name(), message, cure }))
    }

    /// Write what is not written yet, and wait for that: the window is going, and nobody was asked.
    pub fn finish(&mut self, project: &Project, document: &Document, state: State) {
        // a write under way holds the lock: whoever looks next would find a session that lives
        #[cfg(not(target_arch = "wasm32"))]
        self.job.take().into_iter().for_each(Job::wait);
        if !self.has(project, state) {
            // there is nobody left to tell
            let _ = self.work(project, document, state).run(&mut lock(&self.place));
        }
    }

    /// The session ends well: nothing is kept of it.
    pub fn close(&mut self) {
        lock(&self.place).close();
        self.taken_over.drain(..).for_each(|recovered| recovered.discard());
    }
}

impl Work {
    fn run(self, place: &mut Place) -> Result<Safe, Fault> {
        let (revision, is_unsaved) = self.state;
        if is_unsaved {
            place.keep(revision, &self.note, (&self.original, &self.document)).map_err(unkept)?;
        } else {
            place.forget(revision);
        }
        self.taken_over.iter().for_each(Recovered::discard);
        Ok((self.state, Some(self.note)))
    }
}

/// What is wrong, and what that means.
fn unkept(fault: Fault) -> Fault {
    Fault { message: format!("unsaved work is not kept: {}", fault.message), ..fault }
}

fn lock(place: &Mutex<Place>) -> MutexGuard<'_, Place> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}
