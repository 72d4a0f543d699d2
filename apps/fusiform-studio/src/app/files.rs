//! Files: what is opened, saved and closed, and what is asked before anything is lost.

use super::{App, Session};
use crate::model::{Fault, Kind, OnDisk, Project, Recovered, Recovery, Studio, system};
use crate::panels::{Chooser, Question, Wish};
use egui::{Context, ViewportCommand};
use fusiform::Musculature;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often it is seen whether someone else has been at the file.
const LOOK: Duration = Duration::from_millis(500);

/// What waits for an answer.
#[derive(Default)]
pub(super) struct Pending {
    asked: Option<Asked>,
    chooser: Option<Chooser>,
    purpose: Purpose,
    on_disk: OnDisk,
    looked: Option<system::Instant>,
    leaves: bool,
}

/// A question.
enum Asked {
    /// There are unsaved changes; what is wanted would lose them.
    Unsaved(Next),
    /// Saving would replace what someone else wrote; what comes after it.
    Changed(Option<Next>),
    /// Reading the file again would lose unsaved changes.
    Reload,
    /// What a crash left behind would be lost.
    Discard(Recovered),
}

/// What the chooser is for.
#[derive(Default)]
enum Purpose {
    #[default]
    Open,
    Motion,
    /// Save there, then go on.
    Save(Option<Next>),
}

/// What ends a session.
pub(super) enum Next {
    /// Another, which is ready, with what a crash left behind of it.
    Begin(Box<Studio>, Option<Recovered>),
    /// None.
    Close,
    /// The window closes.
    Quit,
}

impl App {
    /// Do what is wished for, or ask.
    pub(super) fn wish(&mut self, wish: Wish, context: &Context) {
        match wish {
            Wish::Athlete => self.begin(Project::athlete(None), None, context),
            Wish::Open => self.choose(Chooser::open(Kind::CHARACTER), Purpose::Open),
            Wish::OpenFile(path) => self.begin(Project::open(&path), None, context),
            Wish::Strike(path) => self.recent.remove(&path),
            Wish::AddMotion => self.choose(Chooser::open(Kind::MOTION), Purpose::Motion),
            Wish::Save => self.save(None, context),
            Wish::SaveAs => self.ask_where(None, context),
            Wish::Reload if self.is_unsaved() => self.pending.asked = Some(Asked::Reload),
            Wish::Reload => self.reload(),
            Wish::KeepMine => self.keep_mine(),
            Wish::Close => self.leave_for(Next::Close, context),
            Wish::Quit => self.leave_for(Next::Quit, context),
            Wish::BringBack(recovered) => self.bring_back(recovered, context),
            Wish::Discard(recovered) => self.pending.asked = Some(Asked::Discard(recovered)),
            Wish::Later => self.left_behind.clear(),
        }
    }

    /// Whether a question or a chooser is open.
    pub(super) fn is_asking(&self) -> bool {
        self.pending.asked.is_some() || self.pending.chooser.is_some()
    }

    pub(super) fn is_unsaved(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.studio.history.is_unsaved())
    }

    /// Whether people said that the window may go.
    pub(super) fn leaves(&self) -> bool {
        self.pending.leaves
    }

    fn choose(&mut self, chooser: Chooser, purpose: Purpose) {
        if !system::HAS_FOLDERS {
            return system::choose(); // what is chosen there arrives as dropped files do
        }
        let here = self.session.as_ref().and_then(|session| session.studio.project.path.as_deref()?.parent());
        let here = here.filter(|_| !matches!(purpose, Purpose::Save(_))).map(Path::to_owned);
        let chooser = here.into_iter().fold(chooser, Chooser::in_folder);
        (self.pending.chooser, self.pending.purpose) = (Some(chooser), purpose);
    }

    /// A file or character that was read, or why not; bad ones change nothing.
    pub(super) fn begin(
        &mut self,
        opened: Result<(Project, Musculature), Fault>,
        recovered: Option<Recovered>,
        context: &Context,
    ) {
        let begun = opened.and_then(|(project, muscles)| Studio::new(project, muscles, self.recovery.clone()));
        match begun {
            Ok(studio) => self.leave_for(Next::Begin(Box::new(studio), recovered), context),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Leave the open file, once people have said what is to become of it.
    fn leave_for(&mut self, next: Next, context: &Context) {
        if self.is_unsaved() {
            self.pending.asked = Some(Asked::Unsaved(next));
        } else {
            self.go(next, context);
        }
    }

    /// Leave the open file: whatever of it is unsaved is not wanted.
    fn go(&mut self, next: Next, context: &Context) {
        if let Some(session) = &mut self.session {
            session.studio.close();
        }
        self.fault = None;
        match next {
            Next::Begin(studio, recovered) => self.show_file(*studio, recovered),
            Next::Close => self.session = None,
            Next::Quit => {
                self.pending.leaves = true;
                context.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }

    /// It is the open file from now on.
    pub(super) fn show_file(&mut self, mut studio: Studio, recovered: Option<Recovered>) {
        if let Some(path) = studio.project.path.as_ref().filter(|_| system::HAS_FOLDERS) {
            self.recent.add(path);
        }
        if let Some(recovered) = recovered {
            self.left_behind.retain(|other| *other != recovered);
            studio.take_over(recovered);
        }
        self.session = Some(Session::new(studio));
        (self.pending.on_disk, self.pending.looked) = (OnDisk::Same, None);
    }

    fn bring_back(&mut self, recovered: Recovered, context: &Context) {
        let opened = Project::bring_back(&recovered);
        if opened.is_err() && !recovered.glb.exists() {
            // another window was faster
            self.left_behind = self.recovery.as_ref().map(Recovery::left_behind).unwrap_or_default();
        }
        self.begin(opened, Some(recovered), context);
    }

    fn save(&mut self, next: Option<Next>, context: &Context) {
        let Some(session) = &mut self.session else { return };
        match session.studio.project.path.clone() {
            Some(_) if session.studio.changed_on_disk() => self.pending.asked = Some(Asked::Changed(next)),
            Some(path) => self.write(&path, next, context),
            None => self.ask_where(next, context),
        }
    }

    fn ask_where(&mut self, next: Option<Next>, context: &Context) {
        let Some(session) = &self.session else { return };
        let project = &session.studio.project;
        let suggested = project.path.clone().unwrap_or_else(|| format!("{}_rigged.glb", project.name).into());
        match system::HAS_FOLDERS {
            true => self.choose(Chooser::save(Kind::CHARACTER, suggested), Purpose::Save(next)),
            false => self.write(&suggested, next, context),
        }
    }

    /// Save there, then go on; where that fails nothing goes on.
    fn write(&mut self, path: &Path, next: Option<Next>, context: &Context) {
        let Some(session) = &mut self.session else { return };
        match session.studio.save(path) {
            Ok(()) => {
                self.fault = None;
                if system::HAS_FOLDERS {
                    self.recent.add(path);
                }
                self.pending.on_disk = OnDisk::Same;
                if let Some(next) = next {
                    self.go(next, context);
                }
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// The same file as it is now, looked at from the same place; one that cannot be read changes nothing.
    fn reload(&mut self) {
        let Some(session) = &mut self.session else { return };
        let Some(path) = session.studio.project.path.clone() else { return };
        let read = Project::open(&path);
        match read.and_then(|(project, muscles)| Studio::new(project, muscles, self.recovery.clone())) {
            Ok(studio) => {
                session.studio.close();
                let camera = session.viewport.camera;
                self.show_file(studio, None);
                self.session.iter_mut().for_each(|session| session.viewport.camera = camera);
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn keep_mine(&mut self) {
        if let Some(session) = &mut self.session {
            session.studio.keep_mine();
            self.pending.on_disk = OnDisk::Same;
        }
    }

    /// What has become of the file, seen now and then.
    pub(super) fn look_at_disk(&mut self) -> OnDisk {
        let Some(session) = &mut self.session else { return OnDisk::Same };
        if self.pending.looked.is_none_or(|looked| looked.elapsed() > LOOK) {
            self.pending.on_disk = session.studio.on_disk();
            self.pending.looked = Some(system::Instant::now());
        }
        self.pending.on_disk
    }

    /// Questions and the chooser, over everything else.
    pub(super) fn ask(&mut self, context: &Context) {
        if let Some(path) = Chooser::chosen(&mut self.pending.chooser, context) {
            self.take_chosen(path, context);
        }
        if self.pending.chooser.is_none() {
            self.pending.purpose = Purpose::Open; // whatever was to come after it does not
        }
        let Some(asked) = self.pending.asked.take() else { return };
        if let Some(asked) = self.ask_one(asked, context) {
            self.pending.asked.get_or_insert(asked);
        }
    }

    fn take_chosen(&mut self, path: PathBuf, context: &Context) {
        match std::mem::take(&mut self.pending.purpose) {
            Purpose::Open => self.begin(Project::open(&path), None, context),
            Purpose::Motion => self.session.iter_mut().for_each(|session| session.studio.add_motion(&path)),
            Purpose::Save(next) => self.write(&path, next, context),
        }
    }

    /// The question again, while it has no answer.
    fn ask_one(&mut self, asked: Asked, context: &Context) -> Option<Asked> {
        let name = self.session.as_ref().map(|session| session.studio.project.name.clone()).unwrap_or_default();
        let text = match &asked {
            Asked::Unsaved(_) => format!("{name} has changes that are in no file yet."),
            Asked::Changed(_) => format!("Someone else has written to {name} since it was opened or saved."),
            Asked::Reload => format!("What is not saved of {name} is lost when it is read again."),
            Asked::Discard(recovered) => format!("Unsaved work on {} cannot be brought back then.", recovered.name),
        };
        let (title, answers, usual): (_, &[&str], _) = match &asked {
            Asked::Unsaved(_) => ("Save the changes?", &["Save", "Don't save", "Cancel"], 0),
            Asked::Changed(_) => ("Replace the file?", &["Replace it", "Save as", "Cancel"], 2),
            Asked::Reload => ("Lose the changes?", &["Read it again", "Cancel"], 1),
            Asked::Discard(_) => ("Discard it?", &["Discard it", "Cancel"], 1),
        };
        let Some(answer) = (Question { title, text: &text, answers, usual }).show(context) else { return Some(asked) };
        match (asked, answer) {
            (Asked::Unsaved(next), 0) => self.save(Some(next), context),
            (Asked::Unsaved(next), 1) => self.go(next, context),
            (Asked::Changed(next), 0) => {
                let path = self.session.as_ref().and_then(|session| session.studio.project.path.clone());
                if let Some(path) = path {
                    self.write(&path, next, context);
                }
            }
            (Asked::Changed(next), 1) => self.ask_where(next, context),
            (Asked::Reload, 0) => self.reload(),
            (Asked::Discard(recovered), 0) => {
                recovered.discard();
                self.left_behind.retain(|other| *other != recovered);
            }
            _ => {}
        }
        None
    }

    /// The window is asked to close: it stays for as long as something would be lost.
    pub(super) fn hold_window(&mut self, context: &Context) {
        let asked = context.input(|input| input.viewport().close_requested());
        if asked && self.is_unsaved() && !self.leaves() {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            self.pending.asked = Some(Asked::Unsaved(Next::Quit));
        }
    }
}
