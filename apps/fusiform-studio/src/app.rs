//! App: the window, frame by frame.

use crate::model::{Action, Fault, Project, Recovered, Recovery, Show, Studio};
use crate::panels::{Inspector, Mouse, Muscles, Viewport, show_timeline};
use eframe::egui_wgpu::RenderState;
use egui::{Key, KeyboardShortcut, Modifiers, Ui};
use fusiform::Musculature;
use fusiform_fit::Preset;
use std::path::{Path, PathBuf};
use std::time::Instant;

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

/// An open file and the panels around it.
pub struct Session {
    /// What is worked on.
    pub studio: Studio,
    /// Where it is looked from.
    pub viewport: Viewport,
    muscles: Muscles,
    inspector: Inspector,
    save_as: Option<String>,
    solved: f32, // ms
    drawn: f32,  // ms
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
    }

    fn on_exit(&mut self) {
        if let Some(session) = &self.session {
            session.studio.close();
        }
    }
}

impl Session {
    fn new(studio: Studio) -> Self {
        let viewport = Viewport::new(&studio);
        let (muscles, inspector) = (Muscles::default(), Inspector::default());
        Self { studio, viewport, muscles, inspector, save_as: None, solved: 0.0, drawn: 0.0 }
    }

    fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>) {
        let begin = Instant::now();
        let dt = ui.input(|input| input.stable_dt);
        self.studio.live.advance(&self.studio.project.character, dt);
        self.solved = 1e3 * begin.elapsed().as_secs_f32();
        let mut actions = Vec::new();
        self.keys(ui, &mut actions);
        egui::Panel::top("toolbar").show(ui, |ui| self.toolbar(ui, &mut actions));
        egui::Panel::bottom("timeline").show(ui, |ui| show_timeline(ui, &self.studio, &mut actions));
        egui::Panel::left("muscles").default_size(230.0).show(ui, |ui| {
            self.muscles.show(ui, &self.studio, &mut actions);
        });
        egui::Panel::right("inspector").default_size(320.0).show(ui, |ui| {
            self.inspector.show(ui, &self.studio, &mut actions);
        });
        egui::CentralPanel::no_frame().show(ui, |ui| {
            self.viewport.show(ui, state, &mut self.studio, &mut actions);
        });
        actions.into_iter().for_each(|action| self.studio.apply(action));
        self.studio.look_after();
        self.drawn = 1e3 * begin.elapsed().as_secs_f32();
        // flesh may still be settling
        ui.ctx().request_repaint();
    }

    fn keys(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        let pressed =
            |modifiers, key| ui.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)));
        let command = Modifiers::COMMAND;
        if pressed(command | Modifiers::SHIFT, Key::Z) || pressed(command, Key::Y) {
            actions.push(Action::Redo);
        }
        if pressed(command, Key::Z) {
            actions.push(Action::Undo);
        }
        if pressed(command, Key::S) {
            self.save();
        }
        let playing = self.studio.live.playing.runs;
        let plain: [(Key, Action); 5] = [
            (Key::Space, Action::Run(!playing)),
            (Key::Comma, Action::Frames(-1)),
            (Key::Period, Action::Frames(1)),
            (Key::R, Action::Settle),
            (Key::Delete, Action::Delete),
        ];
        actions.extend(plain.into_iter().filter(|(key, _)| pressed(Modifiers::NONE, *key)).map(|(_, action)| action));
        if pressed(Modifiers::NONE, Key::F) {
            self.viewport.frame(&self.studio);
        }
    }

    fn toolbar(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal_wrapped(|ui| {
            let mark = if self.studio.history.is_unsaved() { " *" } else { "" };
            ui.strong(format!("{}{mark}", self.studio.project.name));
            if ui.button("Save").on_hover_text("Ctrl+S").clicked() {
                self.save();
            }
            if ui.button("Save as").clicked() {
                let name = format!("{}_rigged.glb", self.studio.project.name);
                self.save_as = Some(self.save_as.take().unwrap_or(name));
            }
            ui.menu_button("Rig", |ui| {
                ui.label("Muscles after");
                for preset in Preset::ALL {
                    if ui.button(preset.name()).clicked() {
                        actions.push(Action::Rig(preset));
                        ui.close();
                    }
                }
            });
            let history = &self.studio.history;
            let step = |label: Option<&str>, word: &str| label.map_or(word.into(), |label| format!("{word}: {label}"));
            for (label, word, action) in
                [(history.undo_label(), "Undo", Action::Undo), (history.redo_label(), "Redo", Action::Redo)]
            {
                let button = egui::Button::new(word);
                if ui.add_enabled(label.is_some(), button).on_hover_text(step(label, word)).clicked() {
                    actions.push(action);
                }
            }
            ui.separator();
            for (show, name) in Show::ALL {
                if ui.selectable_label(self.studio.show == show, name).clicked() {
                    actions.push(Action::Show(show));
                }
            }
            ui.separator();
            let extras = &mut self.viewport.extras;
            ui.toggle_value(&mut extras.grid, "Grid");
            ui.toggle_value(&mut extras.bones, "Bones");
            ui.toggle_value(&mut extras.wireframe, "Wireframe");
            let mut split = self.viewport.split.is_some();
            if ui.toggle_value(&mut split, "Split").on_hover_text("Muscles beside plain skinning").changed() {
                self.viewport.split = split.then_some(0.5);
            }
            if ui.button("Frame").on_hover_text("Look at what is chosen, or at everything (F)").clicked() {
                self.viewport.frame(&self.studio);
            }
            let blender = self.viewport.mouse == Mouse::Blender;
            if ui.selectable_label(blender, "Blender mouse").clicked() {
                self.viewport.mouse = if blender { Mouse::Maya } else { Mouse::Blender };
            }
            ui.separator();
            ui.weak(format!("solver {:.1} ms, frame {:.1} ms", self.solved, self.drawn));
        });
        self.ask_where(ui);
        if self.studio.changed_on_disk() {
            ui.colored_label(ui.visuals().warn_fg_color, "The file was changed by someone else since it was opened.");
        }
    }

    /// A name to save under.
    fn ask_where(&mut self, ui: &mut Ui) {
        let Some(mut name) = self.save_as.take() else { return };
        let mut keep = true;
        ui.horizontal(|ui| {
            let label = ui.label("Save as");
            ui.text_edit_singleline(&mut name).labelled_by(label.id);
            if ui.button("Write").clicked() {
                self.write(Path::new(&name));
                keep = false;
            }
            keep &= !ui.button("Cancel").clicked();
        });
        self.save_as = keep.then_some(name);
    }

    fn save(&mut self) {
        match self.studio.project.path.clone() {
            Some(path) => self.write(&path),
            None => self.save_as = Some(format!("{}_rigged.glb", self.studio.project.name)),
        }
    }

    fn write(&mut self, path: &Path) {
        if let Err(fault) = self.studio.save(path) {
            self.studio.fault = Some(fault);
        }
    }
}
