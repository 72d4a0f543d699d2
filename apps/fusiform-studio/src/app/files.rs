//! Files: what is opened, saved and closed, and what is asked before anything is lost.

use super::under_way::{Opened, With};
use super::{App, Session};
use crate::model::{Anatomy, Fault, Fit, Kind, OnDisk, Project, Recipe, Recovered, Studio, system};
use crate::panels::{Chooser, Question, Wish};
use egui::{Context, ViewportCommand};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often it is seen whether someone else has been at the file.
const LOOK: Duration = Duration::from_millis(500);

/// What the window is called where nothing is open.
const NAME: &str = "fusiform studio";

/// What waits for an answer.
#[derive(Default)]
pub(super) struct Pending {
    asked: Option<Asked>,
    chooser: Option<Chooser>,
    purpose: Purpose,
    on_disk: OnDisk,
    looked: Option<system::Instant>,
    leaves: bool,
    template: Option<Anatomy>,
    title: String, // of the window
}

impl Pending {
    /// What the next character is fitted with.
    pub(super) fn template(&self) -> Option<&Anatomy> {
        self.template.as_ref()
    }

    /// What has become of the file is known.
    pub(super) fn seen_on_disk(&mut self, state: OnDisk) {
        self.on_disk = state;
    }
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
    /// A bake, picture or GIF is still being written; what is wanted would stop it.
    Busy(Next),
}

/// What the chooser is for.
#[derive(Default)]
enum Purpose {
    #[default]
    Open,
    Motion,
    Template,
    /// Save there, then go on.
    Save(Option<Next>),
}

/// What ends a session.
pub(super) enum Next {
    /// Another, which is ready.
    Begin(Box<Opened>),
    /// None.
    Close,
    /// The window closes.
    Quit,
}

impl App {
    /// Do what is wished for, or ask.
    pub(super) fn wish(&mut self, wish: Wish, context: &Context) {
        match wish {
            Wish::Athlete => self.begin("the athlete", || Project::athlete(None), With::default()),
            Wish::Open => self.choose(Chooser::open(Kind::CHARACTER), Purpose::Open, context),
            Wish::OpenFile(path) => self.open_file(path, With::default()),
            Wish::Template => self.choose(Chooser::open(Kind::TEMPLATE), Purpose::Template, context),
            Wish::NoTemplate => self.pending.template = None,
            Wish::Strike(path) => self.recent.remove(&path),
            Wish::AddMotion => self.choose(Chooser::open(Kind::MOTION), Purpose::Motion, context),
            Wish::Save => self.save(None, context),
            Wish::SaveAs => self.ask_where(None, context),
            Wish::Reload if self.is_unsaved() => self.pending.asked = Some(Asked::Reload),
            Wish::Reload => self.reload(),
            Wish::KeepMine => self.keep_mine(),
            Wish::Close => self.leave_for(Next::Close, context),
            Wish::Quit => self.leave_for(Next::Quit, context),
            Wish::BringBack(recovered) => self.bring_back(recovered),
            Wish::Discard(recovered) => self.pending.asked = Some(Asked::Discard(recovered)),
            Wish::Later => self.left_behind.clear(),
        }
    }

    /// Whether a question or a chooser is open.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.pending.asked.is_some() || self.pending.chooser.is_some()
    }

    pub(super) fn is_unsaved(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.studio.history.is_unsaved())
    }

    /// Whether people said that the window may go.
    pub(super) fn leaves(&self) -> bool {
        self.pending.leaves
    }

    fn choose(&mut self, chooser: Chooser, purpose: Purpose, context: &Context) {
        if !system::HAS_FOLDERS {
            return system::choose(); // what is chosen there arrives as dropped files do
        }
        Chooser::offer(context, self.recent.paths());
        let here = self.session.as_ref().and_then(|session| session.studio.project.path.as_deref()?.parent());
        let here = here.filter(|_| !matches!(purpose, Purpose::Save(_))).map(Path::to_owned);
        let chooser = here.into_iter().fold(chooser, Chooser::in_folder);
        (self.pending.chooser, self.pending.purpose) = (Some(chooser), purpose);
    }

    /// Leave the open file, once people have said what is to become of it.
    pub(super) fn leave_for(&mut self, next: Next, context: &Context) {
        if self.is_unsaved() && !self.under_way.writes() {
            self.pending.asked = Some(Asked::Unsaved(next));
        } else {
            self.go(next, context);
        }
    }

    /// Leave the open file, once it is written where that is under way: whatever else of it is unsaved is not wanted.
    pub(super) fn go(&mut self, next: Next, context: &Context) {
        let Some(mut next) = self.under_way.after_writing(next) else { return };
        if let Next::Begin(opened) = &mut next
            && self.reads_again(opened)
        {
            return;
        }
        if self.is_busy() {
            self.pending.asked = Some(Asked::Busy(next));
        } else {
            self.part(next, context);
        }
    }

    /// A file that has changed since it was read is read once more: what people wanted to be saved first may have gone
    /// there.
    fn reads_again(&mut self, opened: &mut Opened) -> bool {
        if opened.with.recovered.is_some() || !opened.studio.changed_on_disk() {
            return false; // what a crash left behind is to go there, whatever is there now
        }
        let Some(path) = opened.studio.project.path.take() else { return false };
        let given_up = self.revision();
        self.open_file(path, With { given_up, ..std::mem::take(&mut opened.with) });
        true
    }

    /// Of what is open.
    pub(super) fn revision(&self) -> Option<u64> {
        self.session.as_ref().map(|session| session.studio.history.revision())
    }

    /// Whether a bake, picture or GIF is being written.
    fn is_busy(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_busy)
    }

    fn part(&mut self, next: Next, context: &Context) {
        if let Some(session) = &mut self.session {
            session.studio.close();
        }
        self.under_way.forget_motions();
        self.fault = None;
        match next {
            Next::Begin(opened) => self.show_file(*opened),
            Next::Close => {
                if let (Some(session), Some(state)) = (self.session.take(), &self.state) {
                    session.viewport.free(state);
                }
            }
            Next::Quit => {
                self.pending.leaves = true;
                context.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }

    /// It is the open file from now on.
    pub(super) fn show_file(&mut self, Opened { mut studio, with }: Opened) {
        if let Some(path) = studio.project.path.as_ref().filter(|_| system::HAS_FOLDERS) {
            self.recent.add(path);
        }
        // what somebody worked on keeps its muscles: a template is offered for it, and no more
        let fits = with.recovered.is_none();
        if let Some(recovered) = with.recovered {
            self.left_behind.retain(|other| *other != recovered);
            studio.take_over(recovered);
        }
        if let Some(anatomy) = with.template.or(self.pending.template.take()) {
            offer(&mut studio, anatomy);
            if fits {
                studio.apply(Fit::Run);
            }
        }
        let before = self.session.take();
        let session = self.session.insert(Session::new(studio));
        session.viewport.mouse = self.settings.mouse();
        if let Some(before) = before {
            session.take_over(before, with.again);
        }
        (self.pending.on_disk, self.pending.looked, self.heard) = (OnDisk::Same, None, [0; 2]);
        with.motions.into_iter().for_each(|path| self.take_motion(path));
        self.fault = self.fault.take().or(left_alone(&with.left_alone)).or(self.unkept.take());
    }

    fn bring_back(&mut self, recovered: Recovered) {
        let (name, from) = (recovered.name.clone(), recovered.clone());
        self.begin(&name, move || Project::bring_back(&from), With { recovered: Some(recovered), ..With::default() });
    }

    fn save(&mut self, next: Option<Next>, context: &Context) {
        let Some(session) = &mut self.session else { return };
        match session.studio.project.path.clone() {
            Some(_) if !self.under_way.writes() && session.studio.changed_on_disk() => {
                self.pending.asked = Some(Asked::Changed(next));
            }
            Some(path) => self.write(&path, next),
            None => self.ask_where(next, context),
        }
    }

    fn ask_where(&mut self, next: Option<Next>, context: &Context) {
        let Some(session) = &self.session else { return };
        let project = &session.studio.project;
        let suggested = project.path.clone().unwrap_or_else(|| format!("{}_rigged.glb", project.name).into());
        match system::HAS_FOLDERS {
            true => self.choose(Chooser::save(Kind::CHARACTER, suggested), Purpose::Save(next), context),
            false => self.write(&suggested, next),
        }
    }

    /// The same file as it is now, looked at from the same place; one that cannot be read changes nothing.
    fn reload(&mut self) {
        let Some(session) = &self.session else { return };
        let Some(path) = session.studio.project.path.clone() else { return };
        let given_up = self.revision();
        self.open_file(path, With { again: true, given_up, ..With::default() });
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
        // what is being written has changed, and nobody else did it
        if !self.under_way.writes() && self.pending.looked.is_none_or(|looked| looked.elapsed() > LOOK) {
            self.pending.on_disk = session.studio.on_disk();
            self.pending.looked = Some(system::Instant::now());
        }
        self.pending.on_disk
    }

    /// Questions and the chooser, over everything else.
    pub(super) fn ask(&mut self, context: &Context) {
        if let Some(path) = Chooser::chosen(&mut self.pending.chooser, context) {
            self.take_chosen(path);
        }
        if self.pending.chooser.is_none() {
            self.pending.purpose = Purpose::Open; // whatever was to come after it does not
        }
        let Some(asked) = self.pending.asked.take() else { return };
        if let Some(asked) = self.ask_one(asked, context) {
            self.pending.asked.get_or_insert(asked);
        }
    }

    fn take_chosen(&mut self, path: PathBuf) {
        match std::mem::take(&mut self.pending.purpose) {
            Purpose::Open => self.open_file(path, With::default()),
            Purpose::Motion => self.take_motion(path),
            Purpose::Template => self.take_template(path),
            Purpose::Save(next) => self.write(&path, next),
        }
    }

    /// A template for the open character, where people still choose whose muscles they are to be, or else for the next one,
    /// which is fitted at once.
    fn take_template(&mut self, path: PathBuf) {
        let Some(anatomy) = self.checked(path) else { return };
        match (&mut self.session, self.under_way.with()) {
            (Some(session), _) => offer(&mut session.studio, anatomy),
            (None, Some(with)) => with.template = Some(anatomy),
            (None, None) => self.pending.template = Some(anatomy),
        }
    }

    /// A template that can be used; of another it is told why not.
    fn checked(&mut self, path: PathBuf) -> Option<Anatomy> {
        let anatomy = Anatomy::File(path);
        self.fault = anatomy.check().err();
        self.fault.is_none().then_some(anatomy)
    }

    /// Files that came together: a character gets what came with it, or else the open one does.
    pub(super) fn take_files(&mut self, paths: Vec<PathBuf>) {
        if !paths.is_empty() {
            self.forget_fault(); // what is said from now on is of these
        }
        let (templates, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| Kind::TEMPLATE.has(path));
        let (motions, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| Kind::MOTION.has(path));
        let (characters, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| Kind::CHARACTER.has(path));
        let template = templates.into_iter().next();
        // buffers and pictures are read with what names them; those that came alone are told to be no character
        let is_alone = template.is_none() && motions.is_empty();
        let mut characters = characters.into_iter();
        if let Some(path) = characters.next().or(others.into_iter().next().filter(|_| is_alone)) {
            let template = template.and_then(|path| self.checked(path));
            let left_alone = characters.collect();
            return self.open_file(path, With { template, motions, left_alone, ..With::default() });
        }
        if let Some(path) = template {
            self.take_template(path);
        }
        motions.into_iter().for_each(|path| self.take_motion(path));
    }

    fn take_motion(&mut self, path: PathBuf) {
        match (&self.session, self.under_way.with()) {
            (Some(session), _) => self.under_way.read_motion(&path, session.studio.motion_reader(&path)),
            (None, Some(with)) => with.motions.push(path),
            (None, None) => {
                let (file, message) = (path.display().to_string(), "a motion needs a character to move".into());
                self.fault = Some(Fault { file, message, cure: "open one first, then add this again".into() });
            }
        }
    }

    /// The question again, while it has no answer.
    fn ask_one(&mut self, asked: Asked, context: &Context) -> Option<Asked> {
        let name = self.session.as_ref().map(|session| session.studio.project.file_name()).unwrap_or_default();
        let text = match &asked {
            Asked::Unsaved(_) => format!("{name} has changes that are in no file yet."),
            Asked::Changed(_) => format!("Someone else has written to {name} since it was opened or saved."),
            Asked::Reload => format!("What is not saved of {name} is lost when it is read again."),
            Asked::Discard(recovered) => format!("Unsaved work on {} cannot be brought back then.", recovered.name),
            Asked::Busy(_) => format!("A file is still being written from {name}. Stopped, it is not written at all."),
        };
        let (title, answers, usual): (_, &[&str], _) = match &asked {
            Asked::Unsaved(_) => ("Save the changes?", &["Save", "Don't save", "Cancel"], 0),
            Asked::Changed(_) => ("Replace the file?", &["Replace it", "Save as", "Cancel"], 2),
            Asked::Reload => ("Lose the changes?", &["Read it again", "Cancel"], 1),
            Asked::Discard(_) => ("Discard it?", &["Discard it", "Cancel"], 1),
            Asked::Busy(_) => ("Stop writing?", &["Stop it", "Cancel"], 1),
        };
        let Some(answer) = (Question { title, text: &text, answers, usual }).show(context) else { return Some(asked) };
        match (asked, answer) {
            (Asked::Unsaved(next), 0) => self.save(Some(next), context),
            (Asked::Unsaved(next), 1) => self.go(next, context),
            (Asked::Changed(next), 0) => {
                let path = self.session.as_ref().and_then(|session| session.studio.project.path.clone());
                if let Some(path) = path {
                    self.write(&path, next);
                }
            }
            (Asked::Changed(next), 1) => self.ask_where(next, context),
            (Asked::Reload, 0) => self.reload(),
            (Asked::Busy(next), 0) => self.part(next, context),
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
        if asked && (self.is_unsaved() || self.under_way.writes() || self.is_busy()) && !self.leaves() {
            self.pending.chooser = None; // its keys would be heard under the question
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            self.leave_for(Next::Quit, context);
            // who closes a window that is minimised is asked all the same
            context.send_viewport_cmd(ViewportCommand::Minimized(false));
            context.send_viewport_cmd(ViewportCommand::Focus);
        }
    }

    /// The window is called as what is open in it.
    pub(super) fn name_window(&mut self, context: &Context) {
        let title = self.session.as_ref().map_or(NAME.into(), |session| {
            let mark = if session.studio.history.is_unsaved() { " *" } else { "" };
            format!("{}{mark} - {NAME}", session.studio.project.file_name())
        });
        if title != self.pending.title {
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.pending.title = title;
        }
    }
}

/// What is said of characters that came with the one that was opened.
fn left_alone(paths: &[PathBuf]) -> Option<Fault> {
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy()).collect();
    let (message, cure) = ("one character is open at a time".into(), "open the others by themselves".into());
    (!names.is_empty()).then(|| Fault { file: names.join(", "), message, cure })
}

/// Open the window of the fit with that template.
fn offer(studio: &mut Studio, anatomy: Anatomy) {
    let recipe = Recipe { anatomy, ..studio.fit.recipe.clone() };
    studio.apply(Fit::Recipe(recipe));
    studio.apply(Fit::Show(true));
}
