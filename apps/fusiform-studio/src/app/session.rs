//! Session: an open file and the panels around it.

use super::drag::Drag;
use crate::model::{Action, Edit, Look, Play, Recent, Show, Studio, system};
use crate::panels::keys::{self, Command};
use crate::panels::{
    BrushPanel, Curves, FitPanel, Hints, Inspector, Muscles, Out, Viewport, Wish, brush, file_menu, play, show_meshes,
    show_timeline, steady, toolbar,
};
use eframe::egui_wgpu::RenderState;
use egui::{Align, Label, Layout, RichText, Ui};
use std::f32::consts::{FRAC_PI_2, PI};
use std::time::Duration;

/// From one frame to the next where nothing moves, but work goes on beside the window.
const IDLE: Duration = Duration::from_millis(100);
/// Share of a new frame's time in what is shown: numbers that jump cannot be read.
const SMOOTH: f32 = 0.1;

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
    drag: Drag,
    help: bool,
    line: f32,   // where the split was last, 0 to 1
    solved: f32, // ms
    drawn: f32,  // ms
    frame: f32,  // ms, from one to the next while something moves
    moves: bool,
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
            drag: Drag::default(),
            help: false,
            line: 0.5,
            solved: 0.0,
            drawn: 0.0,
            frame: 0.0,
            moves: false,
        }
    }

    /// Whether something is being written that is no rigged file.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.out.is_busy() || self.studio.fit.writes()
    }

    /// Be shown as the session before was; the same file read again is worked on as it was, too.
    pub(super) fn take_over(&mut self, before: Self, is_same: bool) {
        if is_same {
            self.viewport.camera = before.viewport.camera;
            self.studio.resume(&before.studio);
        }
        self.line = before.line;
        self.viewport.take_over(before.viewport);
    }

    /// What solving and all of the last frame took, ms.
    #[must_use]
    pub fn times(&self) -> [f32; 2] {
        [self.solved, self.drawn]
    }

    /// A frame: time passes, panels are drawn, what was done in them is applied. What is wished for of files goes into
    /// `wishes`.
    pub(super) fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>, recent: &Recent, wishes: &mut Vec<Wish>) {
        let begin = system::Instant::now();
        let dt = ui.input(|input| input.stable_dt);
        self.frame = if self.moves { self.frame + SMOOTH * (1e3 * dt - self.frame) } else { 1e3 * dt };
        self.studio.live.advance(&self.studio.project.character, dt);
        self.solved = 1e3 * begin.elapsed().as_secs_f32();
        let mut actions = Vec::new();
        let mut commands = keys::pressed(ui);
        wishes.extend(commands.iter().copied().filter_map(Wish::of));
        egui::Panel::top("toolbar").show(ui, |ui| self.toolbar(ui, &mut actions, &mut commands, (recent, wishes)));
        if self.hints.go_on(&self.studio) {
            egui::Panel::top("hints").show(ui, |ui| self.hints.show(ui, &self.studio, &mut actions));
        }
        egui::Panel::bottom("timeline").show(ui, |ui| {
            show_timeline(ui, &self.studio, &mut actions, &mut commands);
        });
        if self.curves.open {
            egui::Panel::bottom("curves").resizable(true).default_size(190.0).show(ui, |ui| {
                steady(ui, "curves", |ui| self.curves.show(ui, &self.studio, &mut actions));
            });
        }
        // a number that is typed counts when something else is clicked: it is for what was chosen until then
        let mut chosen = Vec::new();
        // in small windows, or where everything is large, lists leave the view some room
        let width = ui.available_width();
        let list = egui::Panel::left("muscles").default_size(250.0).max_size((0.26 * width).max(150.0));
        list.show(ui, |ui| {
            show_meshes(ui, &self.studio, &mut chosen);
            self.muscles.show(ui, &self.studio, &mut chosen);
        });
        let inspector = egui::Panel::right("inspector").default_size(320.0).max_size((0.44 * width).max(300.0));
        inspector.show(ui, |ui| {
            self.brush.show(ui, &self.studio, &mut chosen);
            steady(ui, "inspector", |ui| self.inspector.show(ui, &self.studio, &mut actions));
        });
        actions.append(&mut chosen);
        self.viewport.extras.marked_bone = self.inspector.bone();
        egui::CentralPanel::no_frame().show(ui, |ui| {
            steady(ui, "view", |ui| self.viewport.show(ui, state, &mut self.studio, &mut actions));
        });
        self.out.show(ui, state, (&mut self.studio, &self.viewport), &mut actions);
        self.fit.show(ui, &self.studio, &mut actions);
        keys::list(ui, &mut self.help);
        commands.into_iter().for_each(|command| self.command(command, &mut actions));
        if self.drag.take_back(ui, &self.studio.history, &mut actions) {
            self.viewport.let_go();
        }
        actions.into_iter().for_each(|action| self.studio.apply(action));
        if self.muscles.take_frames() {
            self.viewport.frame(&self.studio);
        }
        self.drawn = 1e3 * begin.elapsed().as_secs_f32();
        // what rests is drawn when somebody does something, and for the sake of work beside the window
        self.moves = self.studio.live.is_moving();
        if self.moves || self.out.is_busy() {
            ui.ctx().request_repaint();
        } else if self.studio.is_at_work() {
            ui.ctx().request_repaint_after(IDLE);
        }
    }

    fn command(&mut self, command: Command, actions: &mut Vec<Action>) {
        if matches!(command, Command::Undo | Command::Redo | Command::Delete) {
            self.viewport.let_go();
        }
        let action = match command {
            Command::Undo => Action::Undo,
            Command::Redo => Action::Redo,
            Command::Delete if self.curves.is_at_hand() => match self.curves.delete(&self.studio) {
                Some(edit) => edit.into(),
                None => return,
            },
            Command::Delete => Edit::Delete.into(),
            Command::SelectNone => {
                return actions.extend([Look::Select(None, false).into(), Look::Joint(None).into()]);
            }
            Command::Play => return actions.extend(play(&self.studio)),
            Command::Back => Play::Frames(-1).into(),
            Command::On => Play::Frames(1).into(),
            Command::Start => Play::Seek(0.0).into(),
            Command::Settle => Play::Settle.into(),
            Command::ResetJoint => match self.studio.joint {
                Some(joint) => Edit::Unturn(Some(joint)).into(),
                None => return,
            },
            Command::Show(i) => Look::Show(Show::ALL[i].0).into(),
            Command::Tool(tool) => Look::Tool(tool).into(),
            Command::Smaller => brush::sized(&self.studio, 1.0 / brush::STEP),
            Command::Larger => brush::sized(&self.studio, brush::STEP),
            Command::Weaker => brush::as_strong(&self.studio, -brush::STRONGER),
            Command::Stronger => brush::as_strong(&self.studio, brush::STRONGER),
            Command::Hide => {
                return actions.extend(self.studio.chosen.iter().map(|&m| Look::Hide(m, true).into()));
            }
            Command::Solo => Look::Solo.into(),
            Command::Unhide => Look::Unhide.into(),
            Command::SelectAll => {
                let shown = (0..self.studio.muscles().len()).filter(|m| !self.studio.hidden.contains(m));
                Look::Choose(shown.collect()).into()
            }
            Command::Open | Command::Save | Command::SaveAs | Command::Quit => return, // wishes
            Command::Frame => return self.viewport.frame(&self.studio),
            Command::Front => return self.viewport.camera.look_from(0.0, 0.0),
            Command::Side => return self.viewport.camera.look_from(FRAC_PI_2, 0.0),
            Command::Top => return self.viewport.camera.look_from(0.0, FRAC_PI_2),
            Command::Behind => return self.viewport.camera.look_from(PI, 0.0),
            Command::OtherSide => return self.viewport.camera.look_from(-FRAC_PI_2, 0.0),
            Command::Below => return self.viewport.camera.look_from(0.0, -FRAC_PI_2),
            Command::Split => {
                match self.viewport.split.take() {
                    Some(line) => self.line = line,
                    None => self.viewport.split = Some(self.line),
                }
                return;
            }
            Command::Bones => return self.viewport.extras.bones ^= true,
            Command::Wireframe => return self.viewport.extras.wireframe ^= true,
            Command::Help => return self.help ^= true,
        };
        actions.push(action);
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        actions: &mut Vec<Action>,
        commands: &mut Vec<Command>,
        (recent, wishes): (&Recent, &mut Vec<Wish>),
    ) {
        egui::MenuBar::new().ui(ui, |ui| {
            file_menu::show(ui, recent, true, wishes);
            self.out.menu(ui);
            toolbar::menus(ui, (&self.studio, &mut self.viewport), actions, commands);
            ui.separator();
            self.steps(ui, commands);
            ui.separator();
            self.name_and_times(ui);
        });
        ui.horizontal_wrapped(|ui| {
            toolbar::tools(ui, (&self.studio, &self.viewport), actions, commands);
            let tip = "How tense the chosen muscles are in the course of the clip, above the timeline";
            ui.toggle_value(&mut self.curves.open, "Curves").on_hover_text(tip);
        });
    }

    /// The file, and the times where there is room beside it.
    fn name_and_times(&self, ui: &mut Ui) {
        let mark = if self.studio.history.is_unsaved() { " *" } else { "" };
        let (name, times) = (format!("{}{mark}", self.studio.project.name), self.told_times());
        let font = egui::TextStyle::Body.resolve(ui.style());
        let width = |words: &str| {
            let text = ui.painter().layout_no_wrap(words.to_owned(), font.clone(), egui::Color32::PLACEHOLDER);
            text.size().x + ui.spacing().item_spacing.x
        };
        let both = width(&name) + width(&times) <= ui.available_width();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if both {
                ui.weak(times).on_hover_text("Solving; all panels; from one frame to the next while something moves");
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(name).strong()).truncate());
            });
        });
    }

    fn told_times(&self) -> String {
        let times = format!("solver {:.1} ms, panels {:.1} ms", self.solved, self.drawn - self.solved);
        let slow = self.studio.live.slowness().map(|share| format!(", {share:.2} of real time")).unwrap_or_default();
        if self.moves { format!("{times}, frame {:.0} ms{slow}", self.frame) } else { times }
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
}
