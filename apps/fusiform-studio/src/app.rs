//! App: the window, frame by frame.

mod incoming;
mod session;
mod watch;
mod widgets;

use crate::model::{Fault, Project, Recovered, Recovery, Studio, Watch};
use eframe::egui_wgpu::RenderState;
use egui::Ui;
use fusiform::Musculature;
use serde::Serialize;
use std::path::PathBuf;

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
    asks_to_leave: bool,
    leaves: bool,
}

impl App {
    /// Begin.
    #[must_use]
    pub fn new(state: Option<RenderState>, begin: &Begin, recovery: Option<Recovery>) -> Self {
        let left_behind = recovery.as_ref().map(Recovery::left_behind).unwrap_or_default();
        let mut app =
            Self { session: None, recovery, left_behind, fault: None, state, asks_to_leave: false, leaves: false };
        match begin {
            Begin::Empty => {}
            Begin::Athlete(vertices) => app.open(Project::athlete(*vertices)),
            Begin::File(path) => app.open(Project::open(path)),
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

    fn open(&mut self, opened: Result<(Project, Musculature), Fault>) {
        let begun = opened.and_then(|(project, muscles)| Studio::new(project, muscles, self.recovery.clone()));
        match begun {
            Ok(studio) => {
                self.session = Some(Session::new(studio));
                self.fault = None;
            }
            // bad files change nothing
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn take_dropped(&mut self, ui: &Ui) {
        for path in incoming::incoming(ui) {
            let is_motion = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
            match &mut self.session {
                Some(session) if is_motion => session.studio.add_motion(&path),
                _ => self.open(Project::open(&path)),
            }
        }
    }

    fn start(&mut self, ui: &mut Ui) {
        ui.vertical_centered(|ui| {
            ui.add_space(0.2 * ui.available_height());
            ui.heading("fusiform studio");
            ui.label("Muscles for any rigged character.");
            ui.add_space(16.0);
            if ui.button("Open the athlete").clicked() {
                self.open(Project::athlete(None));
            }
            ui.label("or drop a .glb on this window");
            incoming::choose(ui);
            ui.add_space(16.0);
            for recovered in self.left_behind.clone() {
                if ui.button(format!("Bring back unsaved work on {}", recovered.name)).clicked() {
                    self.bring_back(&recovered);
                }
            }
        });
    }

    /// What a crash left behind, as unsaved work on the file it came from.
    fn bring_back(&mut self, recovered: &Recovered) {
        let opened = Project::open(&recovered.glb).map(|(mut project, muscles)| {
            (project.path, project.name) = (recovered.path.clone(), recovered.name.clone());
            (project, muscles)
        });
        self.open(opened);
        if let Some(session) = self.session.as_mut().filter(|_| self.fault.is_none()) {
            session.studio.history.mark_unsaved();
            session.studio.keep();
            recovered.discard();
            self.left_behind.retain(|other| other != recovered);
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

    fn ask_to_leave(&mut self, ui: &mut Ui) {
        let is_unsaved = self.session.as_ref().is_some_and(|session| session.studio.history.is_unsaved());
        if ui.input(|input| input.viewport().close_requested()) && is_unsaved && !self.leaves {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.asks_to_leave = true;
        }
        if !self.asks_to_leave {
            return;
        }
        egui::Window::new("Unsaved changes").collapsible(false).show(ui.ctx(), |ui| {
            ui.label("There are changes that are in no file yet.");
            ui.horizontal(|ui| {
                if ui.button("Stay").clicked() {
                    self.asks_to_leave = false;
                }
                if ui.button("Leave without saving").clicked() {
                    (self.leaves, self.asks_to_leave) = (true, false);
                    ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
                }
            });
        });
    }
}

impl App {
    /// A frame of the whole window.
    pub fn show(&mut self, ui: &mut Ui) {
        self.take_dropped(ui);
        self.tell(ui);
        match &mut self.session {
            Some(session) => session.show(ui, self.state.as_ref()),
            None => {
                egui::CentralPanel::default().show(ui, |ui| self.start(ui));
            }
        }
        self.ask_to_leave(ui);
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
        if let Some(session) = &self.session {
            session.studio.close();
        }
    }
}
