//! Hints: what to do next, until the first muscle has moved.

use crate::model::{Action, Fit, Look, Play, Show, Studio};
use egui::Ui;

/// A muscle that is shorter or longer than at rest by this share has moved.
const MOVED: f32 = 0.03;

/// How far somebody has come; begins with the session.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    done: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Rig,
    Move,
}

impl Hints {
    /// Whether there is anything left to say.
    pub fn go_on(&mut self, studio: &Studio) -> bool {
        let (body, state) = studio.live.muscled();
        let mut lengths = state.lengths().iter().zip(body.rest_lengths());
        self.done |= lengths.any(|(now, rest)| (now / rest - 1.0).abs() > MOVED);
        !self.done
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let step = if studio.muscles().is_empty() { Step::Rig } else { Step::Move };
        ui.horizontal_wrapped(|ui| {
            ui.strong(match step {
                Step::Rig => "1 of 2",
                Step::Move => "2 of 2",
            });
            match step {
                Step::Rig => {
                    ui.label("This character has no muscles yet.");
                    let ready = !studio.is_fitting();
                    if ui.add_enabled(ready, egui::Button::new("Give it muscles")).clicked() {
                        actions.extend([Fit::Show(true).into(), Fit::Run.into()]); // how far it is, and Stop
                    }
                    ui.weak("The Rig menu has other kinds.");
                }
                Step::Move => {
                    ui.label("Move it, and watch the muscles answer:");
                    let has_clips = !studio.project.character.clips.is_empty();
                    if has_clips && ui.button("Play a clip").clicked() {
                        let show = if studio.show == Show::Skin { Show::Both } else { studio.show };
                        actions.extend([Look::Show(show).into(), Play::Clip(Some(0)).into(), Play::Run(true).into()]);
                    }
                    let or = if has_clips { "or " } else { "" };
                    ui.label(format!("{or}take the Pose tool (E) and drag a limb."));
                }
            }
            if ui.button("No hints").clicked() {
                self.done = true;
            }
        });
    }
}
