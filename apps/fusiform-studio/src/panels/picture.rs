//! A picture of the view: how large, before what, and where to.

use super::Viewport;
use super::place::{CORNER, Place, bytes};
use crate::model::{Fault, Job, Kind, Pace, Studio, write_whole};
use crate::view::{ClearPicture, Easel, Extras, Sight};
use eframe::egui_wgpu::RenderState;
use egui::{Context, DragValue, ProgressBar, Ui};
use fusiform_picture::PictureError;

pub(super) const NO_ADAPTER: &str = "There is no graphics adapter: nothing can be drawn.";

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Times the view's.
    View(f32),
    /// Pixels across and down.
    Pixels([u32; 2]),
}

impl Size {
    /// Pixels, where the view has so many.
    #[must_use]
    pub fn of(self, view: [u32; 2]) -> [u32; 2] {
        match self {
            Self::View(times) => view.map(|n| ((n as f32 * times).round() as u32).max(1)),
            Self::Pixels(size) => size,
        }
    }

    /// Choose another.
    pub fn choose(&mut self, ui: &mut Ui, view: [u32; 2], times: &[(f32, &str)]) {
        ui.horizontal(|ui| {
            ui.label("Size");
            for &(times, words) in times {
                ui.radio_value(self, Self::View(times), words).on_hover_text("Times the size of the view");
            }
            let (is_own, own) = (matches!(self, Self::Pixels(_)), self.of(view));
            if ui.radio(is_own, "other").on_hover_text("So many pixels").clicked() {
                *self = Self::Pixels(own);
            }
        });
        ui.horizontal(|ui| {
            let mut size = self.of(view);
            let before = size;
            for (side, name) in size.iter_mut().zip(["Width", "Height"]) {
                let label = ui.label(name);
                ui.add(DragValue::new(side).range(1..=16_384).suffix(" px")).labelled_by(label.id);
            }
            if size != before {
                *self = Self::Pixels(size);
            }
        });
    }
}

/// The window that writes a picture.
pub struct PictureOf {
    /// Whether it is shown.
    pub open: bool,
    place: Place,
    size: Size,
    see_through: bool,
    job: Option<Job<Option<u64>>>, // nothing where it was stopped
    told: Option<Result<String, Fault>>,
}

impl Default for PictureOf {
    fn default() -> Self {
        let (place, size) = (Place::new(Kind::PICTURE), Size::View(1.0));
        Self { open: false, place, size, see_through: false, job: None, told: None }
    }
}

impl PictureOf {
    /// Whether one is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Draw it where it is open.
    pub fn show(&mut self, context: &Context, state: Option<&RenderState>, studio: &mut Studio, viewport: &Viewport) {
        if let Some(done) = self.job.as_mut().and_then(Job::poll) {
            (self.job, self.open) = (None, true); // what became of it is told
            if done.is_ok() {
                self.place.written(studio);
            }
            self.told = done.map(|n| n.map(|n| format!("{} written", bytes(n)))).transpose();
        }
        let mut open = self.open;
        egui::Window::new("Picture of the view").open(&mut open).default_pos(CORNER).default_width(440.0).show(
            context,
            |ui| {
                let (Some(state), Some(sight)) = (state, viewport.sight()) else {
                    ui.label(NO_ADAPTER);
                    return;
                };
                self.place.suggest(studio, ".png");
                ui.add_enabled_ui(self.job.is_none(), |ui| {
                    self.place.field(ui, studio, "A .png");
                    self.size.choose(ui, sight.size, &[(1.0, "1 x"), (2.0, "2 x"), (4.0, "4 x")]);
                    let tip = "Nothing behind the character, no ground either: to be laid over something else";
                    ui.checkbox(&mut self.see_through, "See-through background").on_hover_text(tip);
                });
                let extras = Extras { grid: sight.extras.grid && !self.see_through, ..sight.extras };
                self.begin(ui, state, studio, Sight { size: self.size.of(sight.size), extras, ..sight });
                show_told(ui, self.told.as_ref());
            },
        );
        self.open = open;
    }

    fn begin(&mut self, ui: &mut Ui, state: &RenderState, studio: &mut Studio, sight: Sight) {
        if self.job.is_some() {
            ui.add(ProgressBar::new(0.0).desired_width(280.0).animate(true).text("writing"));
            return;
        }
        let wants = ui.button("Write picture").clicked();
        if self.place.ask(ui, studio) || wants {
            self.told = None;
            match self.place.is_free(studio) {
                Ok(true) => match self.drawn(state, studio, &sight) {
                    Ok(job) => self.job = Some(job),
                    Err(fault) => self.told = Some(Err(fault)),
                },
                Ok(false) => {}
                Err(fault) => self.told = Some(Err(fault)),
            }
        }
    }

    /// Drawn at once, as the view is now; fetched, made small and written beside the window.
    fn drawn(&self, state: &RenderState, studio: &mut Studio, sight: &Sight) -> Result<Job<Option<u64>>, Fault> {
        let (mut easel, path) = (Easel::new(&state.device, &state.queue), self.place.path());
        let write = move |png: Result<Vec<u8>, PictureError>, pace: &Pace| {
            let png = png.map_err(|error| Fault::told(&path.display().to_string(), &error.to_string()))?;
            if pace.reach(1.0).is_err() {
                return Ok(None);
            }
            write_whole(&path, &png)?;
            Ok(Some(png.len() as u64))
        };
        if self.see_through {
            let drawn = easel.draw_clear(studio, sight)?;
            return Ok(Job::draw("Picture", async move |pace| {
                let ClearPicture { picture, opacity } = drawn.develop().await?;
                write(picture.png_with_opacity(&opacity), &pace)
            }));
        }
        let drawn = easel.draw(studio, sight)?;
        Ok(Job::draw("Picture", async move |pace| write(drawn.develop().await?.png(), &pace)))
    }
}

/// What came of it.
pub fn show_told(ui: &mut Ui, told: Option<&Result<String, Fault>>) {
    match told {
        None => {}
        Some(Ok(words)) => _ = ui.label(words),
        Some(Err(fault)) => _ = ui.colored_label(ui.visuals().error_fg_color, fault.to_string()),
    }
}
