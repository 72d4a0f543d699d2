//! App: the window, frame by frame.

mod files;
mod incoming;
mod session;
mod watch;
mod widgets;

use crate::model::{Fault, Project, Recent, Recovered, Recovery, Studio, Watch, system};
use crate::panels::keys;
use crate::panels::{Wish, bars, file_menu, start};
use eframe::egui_wgpu::RenderState;
use egui::Ui;
use files::Pending;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use session::Session;
pub use watch::Watcher;
#[cfg(target_arch = "wasm32")]
pub(crate) use widgets::{Widget, seen};

/// What to begin with.
#[derive(Clone, Debug, Default)]
pub enum Begin {
    /// Nothing: the window offers what there is.
    #[default]
    Empty,
    /// The built-in character, with so many vertices.
    Athlete(Option<usize>),
    /// A file.
    File(PathBuf),
}

/// What a window is at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// The open session.
    pub session: Option<Watch>,
    /// What the window says is wrong.
    pub fault: Option<String>,
    /// Names of what it offers to bring back.
    pub left_behind: Vec<String>,
    /// What solving and all of the last frame took, ms.
    pub times: [f32; 2],
}

/// The window.
pub struct App {
    session: Option<Session>,
    recovery: Option<Recovery>,
    left_behind: Vec<Recovered>,
    fault: Option<Fault>,
    state: Option<RenderState>,
    recent: Recent,
    pending: Pending,
}

impl App {
    /// Begin.
    #[must_use]
    pub fn new(state: Option<RenderState>, begin: &Begin, recovery: Option<Recovery>) -> Self {
        let left_behind = recovery.as_ref().map(Recovery::left_behind).unwrap_or_default();
        let folder = recovery.as_ref().filter(|_| system::HAS_FOLDERS).map(Recovery::folder);
        let recent = Recent::in_folder(folder);
        let pending = Pending::default();
        let mut app = Self { session: None, recovery, left_behind, fault: None, state, recent, pending };
        let opened = match begin {
            Begin::Empty => return app,
            Begin::Athlete(vertices) => Project::athlete(*vertices),
            Begin::File(path) => Project::open(path),
        };
        match opened.and_then(|(project, muscles)| Studio::new(project, muscles, app.recovery.clone())) {
            Ok(studio) => app.show_file(studio, None),
            Err(fault) => app.fault = Some(fault),
        }
        app
    }

    /// The open session.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The open session, to work on.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        self.session.as_mut()
    }

    /// What it draws with; none where there is no graphics adapter.
    #[must_use]
    pub fn render_state(&self) -> Option<&RenderState> {
        self.state.as_ref()
    }

    /// What is wrong, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().or(self.session.as_ref().and_then(|session| session.studio.fault.as_ref()))
    }

    /// What the window is at, for those who look from outside.
    #[must_use]
    pub fn watch(&self) -> Seen {
        self.watch_after(None)
    }

    /// Likewise, with what was seen last, so that a document that is still the same is not read again.
    fn watch_after(&self, last: Option<&Watch>) -> Seen {
        Seen {
            session: self.session.as_ref().map(|session| Watch::after(&session.studio, last)),
            fault: self.fault().map(ToString::to_string),
            left_behind: self.left_behind.iter().map(|recovered| recovered.name.clone()).collect(),
            times: self.session.as_ref().map(Session::times).unwrap_or_default(),
        }
    }

    fn take_dropped(&mut self, ui: &Ui) {
        let dropped = incoming::incoming(ui);
        if self.is_asking() {
            return; // one thing at a time
        }
        let is_motion = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
        let (motions, others): (Vec<_>, Vec<_>) = dropped.into_iter().partition(|path| is_motion(path));
        if let Some(path) = others.first() {
            self.begin(Project::open(path), None, ui.ctx());
        }
        for path in motions {
            match &mut self.session {
                Some(session) => session.studio.add_motion(&path),
                None => {
                    let (file, message) = (path.display().to_string(), "a motion needs a character to move".into());
                    self.fault = Some(Fault { file, message, cure: "open one first, then drop this again".into() });
                }
            }
        }
    }

    /// Nothing is open.
    fn start(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        wishes.extend(keys::pressed(ui).into_iter().filter_map(Wish::of).filter(Wish::needs_no_file));
        egui::Panel::top("menus").show(ui, |ui| {
            egui::MenuBar::new().ui(ui, |ui| file_menu::show(ui, &self.recent, false, wishes));
        });
        egui::CentralPanel::default().show(ui, |ui| start::show(ui, &self.recent, &self.left_behind, wishes));
    }

    /// What has happened to files.
    fn bars(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        let on_disk = self.look_at_disk();
        if let Some(session) = &self.session {
            bars::left_behind(ui, &self.left_behind, wishes);
            bars::on_disk(ui, &session.studio.project.file_name(), on_disk, wishes);
        }
    }

    fn tell(&mut self, ui: &mut Ui) {
        let fault =
            self.fault.clone().or_else(|| self.session.as_mut().and_then(|session| session.studio.fault.clone()));
        let Some(fault) = fault else { return };
        egui::Panel::top("fault").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.colored_label(ui.visuals().error_fg_color, fault.to_string());
                if ui.button("Dismiss").clicked() {
                    self.fault = None;
                    if let Some(session) = &mut self.session {
                        session.studio.fault = None;
                    }
                }
            });
        });
    }
}

impl App {
    /// A frame of the whole window.
    pub fn show(&mut self, ui: &mut Ui) {
        let mut wishes = Vec::new();
        self.take_dropped(ui);
        self.tell(ui);
        self.bars(ui, &mut wishes);
        match &mut self.session {
            Some(session) => session.show(ui, self.state.as_ref(), &self.recent, &mut wishes),
            None => self.start(ui, &mut wishes),
        }
        wishes.into_iter().for_each(|wish| self.wish(wish, ui.ctx()));
        self.ask(ui.ctx());
        self.hold_window(ui.ctx());
        // unsaved work is looked after and the file looked at, also when nothing moves
        ui.ctx().request_repaint_after(Duration::from_millis(500));
        watch::leave(ui.ctx(), self);
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self) // the page around it looks at it
    }

    fn on_exit(&mut self) {
        let nobody_asked = self.is_unsaved() && !self.leaves();
        if let Some(session) = &mut self.session {
            if nobody_asked { session.studio.leave() } else { session.studio.close() }
        }
    }
}
