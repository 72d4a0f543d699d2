//! Session: an open file and the panels around it.

use super::incoming;
use crate::model::{Action, Edit, Look, Play, Show, Studio, system};
use crate::panels::keys::{self, Command};
use crate::panels::{
    BrushPanel, Curves, FitPanel, Hints, Inspector, Muscles, Out, Viewport, brush, show_timeline, toolbar,
};
use eframe::egui_wgpu::RenderState;
use egui::Ui;
use std::f32::consts::FRAC_PI_2;
use std::path::Path;

/// An open file and the panels around it.
pub struct Session {
    /// What is worked on.
    pub studio: Studio,
    /// Where it is looked from.
    pub viewport: Viewport,
    muscles: Muscles,
    inspector: Inspector,
    brush: BrushPanel,
    curves: Curves,
    hints: Hints,
    out: Out,
    fit: FitPanel,
    help: bool,
    save_as: Option<String>,
    solved: f32, // ms
    drawn: f32,  // ms
}

impl Session {
    pub(super) fn new(studio: Studio) -> Self {
        let viewport = Viewport::new(&studio);
        Self {
            studio,
            viewport,
            muscles: Muscles::default(),
            inspector: Inspector::default(),
            brush: BrushPanel::default(),
            curves: Curves::default(),
            hints: Hints::default(),
            out: Out::default(),
            fit: FitPanel::default(),
            help: false,
            save_as: None,
            solved: 0.0,
            drawn: 0.0,
        }
    }

    /// What solving and all of the last frame took, ms.
    #[must_use]
    pub fn times(&self) -> [f32; 2] {
        [self.solved, self.drawn]
    }

    /// A frame: time passes, panels are drawn, what was done in them is applied.
    pub(super) fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>) {
        let begin = system::Instant::now();
        let dt = ui.input(|input| input.stable_dt);
        self.studio.live.advance(&self.studio.project.character, dt);
        self.solved = 1e3 * begin.elapsed().as_secs_f32();
        let mut actions = Vec::new();
        let mut commands = keys::pressed(ui);
        egui::Panel::top("toolbar").show(ui, |ui| self.toolbar(ui, &mut actions, &mut commands));
        if self.hints.go_on(&self.studio) {
            egui::Panel::top("hints").show(ui, |ui| self.hints.show(ui, &self.studio, &mut actions));
        }
        egui::Panel::bottom("timeline").show(ui, |ui| show_timeline(ui, &self.studio, &mut actions));
        if self.curves.open {
            egui::Panel::bottom("curves").resizable(true).default_size(190.0).show(ui, |ui| {
                self.curves.show(ui, &self.studio, &mut actions);
            });
        }
        egui::Panel::left("muscles").default_size(230.0).show(ui, |ui| {
            self.muscles.show(ui, &self.studio, &mut actions);
        });
        egui::Panel::right("inspector").default_size(320.0).show(ui, |ui| {
            self.brush.show(ui, &self.studio, &mut actions);
            self.inspector.show(ui, &self.studio, &mut actions);
        });
        egui::CentralPanel::no_frame().show(ui, |ui| {
            self.viewport.show(ui, state, &mut self.studio, &mut actions);
        });
        self.out.show(ui, state, (&mut self.studio, &self.viewport), &mut actions);
        self.fit.show(ui, &self.studio, &mut actions);
        keys::list(ui, &mut self.help);
        commands.into_iter().for_each(|command| self.command(command, &mut actions));
        actions.into_iter().for_each(|action| self.studio.apply(action));
        if self.muscles.take_frames() {
            self.viewport.frame(&self.studio);
        }
        self.studio.look_after();
        self.drawn = 1e3 * begin.elapsed().as_secs_f32();
        // flesh may still be settling
        ui.ctx().request_repaint();
    }

    fn command(&mut self, command: Command, actions: &mut Vec<Action>) {
        let playing = self.studio.live.playing.runs;
        let action = match command {
            Command::Undo => Action::Undo,
            Command::Redo => Action::Redo,
            Command::Delete => self.curves.delete(&self.studio).unwrap_or(Edit::Delete).into(),
            Command::SelectNone => Look::Select(None, false).into(),
            Command::Play => Play::Run(!playing).into(),
            Command::Back => Play::Frames(-1).into(),
            Command::On => Play::Frames(1).into(),
            Command::Start => Play::Seek(0.0).into(),
            Command::Settle => Play::Settle.into(),
            Command::Show(i) => Look::Show(Show::ALL[i].0).into(),
            Command::Tool(tool) => Look::Tool(tool).into(),
            Command::Smaller => brush::sized(&self.studio, 1.0 / brush::STEP),
            Command::Larger => brush::sized(&self.studio, brush::STEP),
            Command::Solo => Look::Solo.into(),
            Command::Unhide => Look::Unhide.into(),
            Command::SelectAll => {
                actions.push(Look::Select(None, false).into());
                return actions.extend((0..self.studio.muscles().len()).map(|m| Look::Select(Some(m), true).into()));
            }
            Command::Save => return self.save(),
            Command::SaveAs => return self.ask_for_name(),
            Command::Frame => return self.viewport.frame(&self.studio),
            Command::Front => return self.viewport.camera.look_from(0.0, 0.0),
            Command::Side => return self.viewport.camera.look_from(FRAC_PI_2, 0.0),
            Command::Top => return self.viewport.camera.look_from(0.0, FRAC_PI_2),
            Command::Split => {
                self.viewport.split = if self.viewport.split.is_some() { None } else { Some(0.5) };
                return;
            }
            Command::Bones => return self.viewport.extras.bones ^= true,
            Command::Wireframe => return self.viewport.extras.wireframe ^= true,
            Command::Help => return self.help ^= true,
        };
        actions.push(action);
    }

    fn toolbar(&mut self, ui: &mut Ui, actions: &mut Vec<Action>, commands: &mut Vec<Command>) {
        egui::MenuBar::new().ui(ui, |ui| {
            self.file(ui, commands);
            self.out.menu(ui);
            toolbar::menus(ui, (&self.studio, &mut self.viewport), actions, commands);
            ui.separator();
            self.steps(ui, commands);
            ui.separator();
            let mark = if self.studio.history.is_unsaved() { " *" } else { "" };
            ui.strong(format!("{}{mark}", self.studio.project.name));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.weak(format!("solver {:.1} ms, frame {:.1} ms", self.solved, self.drawn));
            });
        });
        ui.horizontal_wrapped(|ui| {
            toolbar::tools(ui, &self.studio, &mut self.viewport, actions);
            let tip = "How tense the chosen muscles are in the course of the clip, above the timeline";
            ui.toggle_value(&mut self.curves.open, "Curves").on_hover_text(tip);
        });
        self.ask_where(ui);
        if self.studio.changed_on_disk() {
            ui.colored_label(ui.visuals().warn_fg_color, "The file was changed by someone else since it was opened.");
        }
    }

    fn file(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.menu_button("File", |ui| {
            incoming::choose(ui);
            if keys::entry(ui, "Save", Command::Save, true) {
                commands.push(Command::Save);
            }
            if keys::entry(ui, "Save as", Command::SaveAs, true) {
                commands.push(Command::SaveAs);
            }
        });
    }

    /// One step back or on, within reach.
    fn steps(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let history = &self.studio.history;
        for (label, word, command) in
            [(history.undo_label(), "Undo", Command::Undo), (history.redo_label(), "Redo", Command::Redo)]
        {
            let tip = label.map_or(word.into(), |label| format!("{word}: {label} ({})", keys::written(ui, command)));
            if ui.add_enabled(label.is_some(), egui::Button::new(word)).on_hover_text(tip).clicked() {
                commands.push(command);
            }
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
            None => self.ask_for_name(),
        }
    }

    fn ask_for_name(&mut self) {
        let name = format!("{}_rigged.glb", self.studio.project.name);
        self.save_as = Some(self.save_as.take().unwrap_or(name));
    }

    fn write(&mut self, path: &Path) {
        if let Err(fault) = self.studio.save(path) {
            self.studio.fault = Some(fault);
        }
    }
}
