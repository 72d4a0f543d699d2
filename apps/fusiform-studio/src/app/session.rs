//! Session: an open file and the panels around it.

use crate::model::{Action, Edit, Look, Play, Show, Studio, Tool};
use crate::panels::{Curves, Inspector, Mouse, Muscles, Viewport, show_timeline};
use eframe::egui_wgpu::RenderState;
use egui::{Key, KeyboardShortcut, Modifiers, Ui};
use fusiform_fit::Preset;
use std::path::Path;
use std::time::Instant;

/// An open file and the panels around it.
pub struct Session {
    /// What is worked on.
    pub studio: Studio,
    /// Where it is looked from.
    pub viewport: Viewport,
    muscles: Muscles,
    inspector: Inspector,
    curves: Curves,
    save_as: Option<String>,
    solved: f32, // ms
    drawn: f32,  // ms
}

impl Session {
    pub(super) fn new(studio: Studio) -> Self {
        let viewport = Viewport::new(&studio);
        let (muscles, inspector) = (Muscles::default(), Inspector::default());
        let curves = Curves::default();
        Self { studio, viewport, muscles, inspector, curves, save_as: None, solved: 0.0, drawn: 0.0 }
    }

    /// A frame: time passes, panels are drawn, what was done in them is applied.
    pub(super) fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>) {
        let begin = Instant::now();
        let dt = ui.input(|input| input.stable_dt);
        self.studio.live.advance(&self.studio.project.character, dt);
        self.solved = 1e3 * begin.elapsed().as_secs_f32();
        let mut actions = Vec::new();
        self.keys(ui, &mut actions);
        egui::Panel::top("toolbar").show(ui, |ui| self.toolbar(ui, &mut actions));
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
            self.inspector.show(ui, &self.studio, &mut actions);
        });
        egui::CentralPanel::no_frame().show(ui, |ui| {
            self.viewport.show(ui, state, &mut self.studio, &mut actions);
        });
        actions.into_iter().for_each(|action| self.studio.apply(action));
        if self.muscles.take_frames() {
            self.viewport.frame(&self.studio);
        }
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
        if pressed(Modifiers::NONE, Key::Delete) {
            actions.push(self.curves.delete(&self.studio).unwrap_or(Edit::Delete).into());
        }
        let plain: [(Key, Action); 4] = [
            (Key::Space, Play::Run(!playing).into()),
            (Key::Comma, Play::Frames(-1).into()),
            (Key::Period, Play::Frames(1).into()),
            (Key::R, Play::Settle.into()),
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
                        actions.push(Edit::Rig(preset).into());
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
            for (tool, name, tip) in Tool::ALL {
                if ui.selectable_label(self.studio.tool == tool, name).on_hover_text(tip).clicked() {
                    actions.push(Look::Tool(tool).into());
                }
            }
            ui.separator();
            for (show, name) in Show::ALL {
                if ui.selectable_label(self.studio.show == show, name).clicked() {
                    actions.push(Look::Show(show).into());
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
            let tip = "How tense the chosen muscles are in the course of the clip, above the timeline";
            ui.toggle_value(&mut self.curves.open, "Curves").on_hover_text(tip);
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
