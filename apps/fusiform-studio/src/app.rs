//! App: the window, frame by frame.

mod session;
mod watch;

use crate::model::{Fault, Project, Recovered, Recovery, Studio};
use eframe::egui_wgpu::RenderState;
use egui::Ui;
use fusiform::Musculature;
use std::path::PathBuf;

pub use session::Session;
pub use watch::Watch;

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

    /// What is wrong, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().or(self.session.as_ref().and_then(|session| session.studio.fault.as_ref()))
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
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            let is_motion = file.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
            match &mut self.session {
                Some(session) if is_motion => session.studio.add_motion(file.path()),
                _ => self.open(Project::open(file.path())),
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

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
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

    fn on_exit(&mut self) {
        if let Some(session) = &self.session {
            session.studio.close();
        }
    }
}
