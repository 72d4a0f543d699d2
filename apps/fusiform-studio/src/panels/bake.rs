//! The bake: what is baked, how and where to; how far it has come; and what it is worth.

use super::place::{CORNER, Place, bytes, progress};
use crate::model::{Action, AsBaked, BakeInto, BakeOrder, BakeReport, Fault, Job, Kind, Play, Studio};
use egui::{Context, DragValue, Grid, RichText, ScrollArea, Ui};
use fusiform::Clip;
use std::collections::BTreeSet;
use std::path::Path;

/// Muscles flexed by hand that are named.
const NAMED: usize = 6;

/// The window that bakes.
pub struct Bake {
    /// Whether it is shown.
    pub open: bool,
    place: Place,
    left_out: BTreeSet<String>, // clips, by name: their numbers change as motions come and go
    called: Vec<String>,        // clips, when they were last seen
    order: BakeOrder,
    by_hand: bool,
    job: Option<Job<Option<BakeReport>>>,
    stopping: bool,
    outcome: Outcome,
}

/// What came of the last bake.
enum Outcome {
    Nothing,
    Stopped,
    Done(BakeReport),
    Failed(Fault),
}

impl Default for Bake {
    fn default() -> Self {
        Self {
            open: false,
            place: Place::new(Kind::BAKED),
            left_out: BTreeSet::new(),
            called: Vec::new(),
            order: BakeOrder::default(),
            by_hand: false,
            job: None,
            stopping: false,
            outcome: Outcome::Nothing,
        }
    }
}

impl Bake {
    /// Whether one is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Draw it where it is open; a bake goes on where it is not.
    pub fn show(&mut self, context: &Context, studio: &Studio, actions: &mut Vec<Action>) {
        self.poll(studio);
        let mut open = self.open;
        egui::Window::new("Bake to a file").open(&mut open).default_pos(CORNER).default_width(460.0).show(
            context,
            |ui| {
                self.place.suggest(studio, "_baked.glb");
                ui.add_enabled_ui(self.job.is_none(), |ui| self.settings(ui, studio, actions));
                ui.separator();
                self.begin(ui, studio);
                ScrollArea::vertical().max_height(220.0).show(ui, |ui| self.outcome.show(ui));
            },
        );
        self.open = open;
    }

    fn poll(&mut self, studio: &Studio) {
        let Some(done) = self.job.as_mut().and_then(Job::poll) else { return };
        (self.job, self.stopping, self.open) = (None, false, true); // what became of it is told
        self.outcome = match done {
            Ok(Some(report)) => {
                self.place.written(studio);
                Outcome::Done(report)
            }
            Ok(None) => Outcome::Stopped,
            Err(fault) => Outcome::Failed(fault),
        };
    }

    fn settings(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        self.place.field(
            ui,
            studio,
            "Its ending says what is written: .glb or .gltf with morph targets or helper joints; every vertex of one clip \
             as .pc2, .mdd or .usda",
        );
        let is_cache = fusiform_bake::Cache::of(&self.place.path()).is_some();
        self.clips(ui, studio);
        Grid::new("bake settings").num_columns(2).show(ui, |ui| {
            let order = &mut self.order;
            number(ui, "Frames a second", &mut order.fps, 1..=240, "Players draw straight lines between. 1 to 240; 30");
            if !is_cache {
                ui.label("Into");
                ui.horizontal(|ui| {
                    let morphs = "Morph targets with animated weights: as exact as asked for";
                    ui.radio_value(&mut order.into, BakeInto::Morphs, "morph targets").on_hover_text(morphs);
                    let joints = "For engines with few morph slots: less exact, and the error is told";
                    ui.radio_value(&mut order.into, BakeInto::Joints, "helper joints").on_hover_text(joints);
                });
                ui.end_row();
                let tip = "Largest error of any vertex in any frame. 0.001 to 1000 mm; 0.5";
                let label = ui.label("Tolerance").on_hover_text(tip);
                let tolerance = DragValue::new(&mut order.tolerance).range(0.001..=1000.0).speed(0.01).suffix(" mm");
                ui.add(tolerance).labelled_by(label.id).on_hover_text(tip);
                ui.end_row();
                match order.into {
                    BakeInto::Morphs => {
                        let tip = "No more than this for a mesh, even if the error is then larger. 1 to 1024; 64";
                        number(ui, "Most targets", &mut order.max_targets, 1..=1024, tip);
                    }
                    BakeInto::Joints => {
                        let tip = "The more, the nearer the skin is to the solver's. 1 to 512; 32";
                        number(ui, "Helper joints", &mut order.helpers, 1..=512, tip);
                    }
                }
            }
            loops(ui, &mut order.looped);
        });
        if let Some(names) = flexed(studio) {
            ui.label(format!("Flexed by hand: {names}"));
            let tip = "On: as tense as they are now, on top of curves and drivers. Off, the default: by curves and drivers \
                       alone, as their file has it and fusiform bake does";
            ui.checkbox(&mut self.by_hand, "Bake them flexed").on_hover_text(tip);
        }
        let how = AsBaked { fps: self.order.fps, looped: self.order.looped, by_hand: self.by_hand };
        let playing = &studio.live.playing;
        let button = egui::Button::new("Play as baked");
        let tip = "Step the view exactly as this bake does: what is seen is what is baked, before it is made small";
        let can = playing.clip.is_some() && playing.baked != Some(how);
        if ui.add_enabled(can, button).on_hover_text(tip).clicked() {
            actions.push(Play::Baked(Some(how)).into());
        }
    }

    /// Who is left out stays so under another name.
    fn follow(&mut self, clips: &[Clip]) {
        let called: Vec<String> = clips.iter().map(|clip| clip.name.clone()).collect();
        if called.len() == self.called.len() {
            for (was, is) in self.called.iter().zip(&called).filter(|(was, is)| was != is) {
                if self.left_out.remove(was) {
                    self.left_out.insert(is.clone());
                }
            }
        }
        self.called = called;
    }

    fn clips(&mut self, ui: &mut Ui, studio: &Studio) {
        let clips = &studio.project.character.clips;
        self.follow(clips);
        if clips.is_empty() {
            ui.label("There is no clip. Add a .bvh by File, Add motion, or drop it on the window.");
        }
        ScrollArea::vertical().max_height(110.0).id_salt("clips").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for clip in clips {
                    let mut chosen = !self.left_out.contains(&clip.name);
                    let tip = format!("{:.2} s", clip.duration());
                    if ui.checkbox(&mut chosen, &clip.name).on_hover_text(tip).changed() {
                        match chosen {
                            true => _ = self.left_out.remove(&clip.name),
                            false => _ = self.left_out.insert(clip.name.clone()),
                        }
                    }
                }
            });
        });
        if clips.len() > 1 {
            ui.horizontal(|ui| {
                if ui.small_button("All clips").clicked() {
                    self.left_out.clear();
                }
                if ui.small_button("No clip").clicked() {
                    self.left_out = clips.iter().map(|clip| clip.name.clone()).collect();
                }
            });
        }
    }

    fn begin(&mut self, ui: &mut Ui, studio: &Studio) {
        if let Some(job) = &self.job {
            if progress(ui, job, self.stopping) {
                job.stop();
                self.stopping = true;
            }
            return;
        }
        let wants = ui.button("Bake").on_hover_text("Editing goes on meanwhile: what is baked is a copy").clicked();
        if self.place.ask(ui, studio) || wants {
            let order = self.ordered(studio);
            let checked = order.check(&studio.project.character);
            match checked.and_then(|()| self.place.is_free(studio)) {
                Ok(true) => {
                    let (project, document) = (studio.project.clone(), studio.document().clone());
                    self.outcome = Outcome::Nothing;
                    self.job = Some(Job::begin("Bake", move |pace| order.run(&project, &document, pace)));
                }
                Ok(false) => self.outcome = Outcome::Nothing,
                Err(fault) => self.outcome = Outcome::Failed(fault),
            }
        }
    }

    fn ordered(&self, studio: &Studio) -> BakeOrder {
        let clips = studio.project.character.clips.iter().enumerate();
        let chosen = clips.filter(|(_, clip)| !self.left_out.contains(&clip.name)).map(|(i, _)| i).collect();
        let levels = studio.live.levels();
        let activation =
            if self.by_hand && levels.len() == studio.muscles().len() { levels.to_vec() } else { Vec::new() };
        BakeOrder { path: self.place.path(), clips: chosen, activation, ..self.order.clone() }
    }
}

/// Muscles that are flexed by hand, in words.
fn flexed(studio: &Studio) -> Option<String> {
    let levels = studio.muscles().iter().zip(studio.live.levels());
    let mut names: Vec<&str> = levels.filter(|(_, level)| **level > 0.0).map(|(muscle, _)| &*muscle.name).collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| names.join(", ") + &more)
}

impl Outcome {
    fn show(&self, ui: &mut Ui) {
        match self {
            Self::Nothing => {}
            Self::Stopped => _ = ui.label("Stopped. Nothing was written."),
            Self::Failed(fault) => _ = ui.colored_label(ui.visuals().error_fg_color, fault.to_string()),
            Self::Done(report) => show_report(ui, report),
        }
    }
}

fn number(ui: &mut Ui, name: &str, value: &mut u16, range: std::ops::RangeInclusive<u16>, tip: &str) {
    let label = ui.label(name).on_hover_text(tip);
    ui.add(DragValue::new(value).range(range)).labelled_by(label.id).on_hover_text(tip);
    ui.end_row();
}

fn loops(ui: &mut Ui, looped: &mut Option<bool>) {
    let words = [(None, "those that end as they began"), (Some(true), "all"), (Some(false), "none")];
    let chosen = words.iter().find(|(of, _)| of == looped).map_or("", |(_, words)| words);
    let label =
        ui.label("Loops").on_hover_text("A loop is played until the flesh comes round: its end meets its start");
    let shown = egui::ComboBox::from_id_salt("loops").width(200.0).selected_text(chosen).show_ui(ui, |ui| {
        for (of, words) in words {
            ui.selectable_value(looped, of, words);
        }
    });
    shown.response.labelled_by(label.id);
    ui.end_row();
}

fn show_report(ui: &mut Ui, report: &BakeReport) {
    let name = report.path.file_name().map_or(Path::new(""), Path::new).display();
    ui.strong(format!("{name} written"));
    Grid::new("bake report").striped(true).num_columns(7).show(ui, |ui| {
        let word = if report.word.is_empty() { "" } else { report.word };
        for head in ["clip", "frames", word, "max mm", "rms mm", "between mm", "loops"] {
            ui.weak(head);
        }
        ui.end_row();
        for clip in &report.clips {
            let millimetres = |metres: f32| format!("{:.3}", 1e3 * metres);
            ui.label(&clip.name);
            ui.label(clip.frames.to_string());
            ui.label(if word.is_empty() { String::new() } else { clip.targets.to_string() });
            let is_over = report.tolerance.is_some_and(|tolerance| 1e3 * clip.error.max > tolerance);
            let max = RichText::new(millimetres(clip.error.max));
            ui.label(if is_over { max.color(ui.visuals().warn_fg_color) } else { max });
            ui.label(millimetres(clip.error.rms));
            ui.label(millimetres(clip.error.between));
            ui.label(if clip.looped { "yes" } else { "no" });
            ui.end_row();
        }
    });
    let (size, raw) = (bytes(report.bytes), bytes(report.raw_bytes));
    ui.label(format!("{size}; a cache of every vertex and frame takes {raw}"));
    let faster = report.played / report.seconds.max(1e-9);
    let made =
        if report.word.is_empty() { String::new() } else { format!("{} {} in all, ", report.targets, report.word) };
    ui.label(format!("{made}{:.2} s, {faster:.1} times real time", report.seconds));
    for warning in &report.warnings {
        ui.colored_label(ui.visuals().warn_fg_color, format!("Warning: {warning}"));
    }
}
