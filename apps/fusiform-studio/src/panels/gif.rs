//! A GIF of the view: the playing clip once through, solved as a bake solves it.

use super::Viewport;
use super::picture::{NO_ADAPTER, Size, show_told};
use super::place::{CORNER, Place, bytes, progress};
use crate::model::{Fault, Job, Kind, Studio, write_whole};
use crate::view::{Copied, Easel, Sight, film};
use eframe::egui_wgpu::RenderState;
use egui::{Context, DragValue, Ui};

/// The window that writes a GIF.
pub struct Gif {
    /// Whether it is shown.
    pub open: bool,
    place: Place,
    size: Size,
    fps: u16,
    job: Option<Job<Option<u64>>>,
    stopping: bool,
    told: Option<Result<String, Fault>>,
}

impl Default for Gif {
    fn default() -> Self {
        let (place, size) = (Place::new(Kind::ANIMATION), Size::View(0.5));
        Self { open: false, place, size, fps: 25, job: None, stopping: false, told: None }
    }
}

impl Gif {
    /// Whether one is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Draw it where it is open; work goes on where it is not.
    pub fn show(&mut self, context: &Context, state: Option<&RenderState>, studio: &Studio, viewport: &Viewport) {
        if let Some(done) = self.job.as_mut().and_then(Job::poll) {
            (self.job, self.stopping, self.open) = (None, false, true); // what became of it is told
            if matches!(done, Ok(Some(_))) {
                self.place.written(studio);
            }
            let words =
                |n: Option<u64>| n.map_or("Stopped. Nothing was written.".into(), |n| format!("{} written", bytes(n)));
            self.told = Some(done.map(words));
        }
        let mut open = self.open;
        egui::Window::new("GIF of the view").open(&mut open).default_pos(CORNER).default_width(440.0).show(
            context,
            |ui| {
                let (Some(state), Some(sight)) = (state, viewport.sight()) else {
                    ui.label(NO_ADAPTER);
                    return;
                };
                self.place.suggest(studio, ".gif");
                ui.add_enabled_ui(self.job.is_none(), |ui| {
                    self.place.field(ui, studio, "A .gif");
                    self.size.choose(ui, sight.size, &[(0.5, "half"), (1.0, "1 x")]);
                    ui.horizontal(|ui| {
                        let tip = "Frames that are solved and shown. 1 to 50, which is all that browsers show; 25";
                        let label = ui.label("Frames a second").on_hover_text(tip);
                        ui.add(DragValue::new(&mut self.fps).range(1..=50)).labelled_by(label.id).on_hover_text(tip);
                    });
                });
                self.begin(ui, state, studio, Sight { size: self.size.of(sight.size), ..sight });
                show_told(ui, self.told.as_ref());
            },
        );
        self.open = open;
    }

    fn begin(&mut self, ui: &mut Ui, state: &RenderState, studio: &Studio, sight: Sight) {
        if let Some(job) = &self.job {
            if progress(ui, job, self.stopping) {
                job.stop();
                self.stopping = true;
            }
            return;
        }
        let Some(clip) = studio.live.playing.clip else {
            ui.label("Choose a clip in the timeline: it is shown once through.");
            return;
        };
        let name = &studio.project.character.clips[clip].name;
        let tip = "The clip once through, as the view shows it now, solved as a bake solves it";
        let wants = ui.button("Write GIF").on_hover_text(tip).clicked();
        ui.weak(format!("{name}, {:.2} s", studio.live.duration(&studio.project.character)));
        if self.place.ask(ui, studio) || wants {
            self.told = None;
            match self.place.is_free(studio) {
                Ok(true) => self.job = Some(self.filmed(state, studio, clip, sight)),
                Ok(false) => {}
                Err(fault) => self.told = Some(Err(fault)),
            }
        }
    }

    fn filmed(&self, state: &RenderState, studio: &Studio, clip: usize, sight: Sight) -> Job<Option<u64>> {
        let (copied, easel) = (Copied::of(studio), Easel::new(&state.device, &state.queue));
        let (path, fps) = (self.place.path(), self.fps);
        Job::draw("GIF", async move |pace| {
            let Some(gif) = film(copied, easel, &sight, (clip, fps), &pace).await? else { return Ok(None) };
            if pace.reach(1.0).is_err() {
                return Ok(None);
            }
            write_whole(&path, &gif)?;
            Ok(Some(gif.len() as u64))
        })
    }
}
