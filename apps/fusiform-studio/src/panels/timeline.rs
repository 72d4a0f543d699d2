//! The timeline: clips, play, scrub, speed.

use crate::model::{Action, Play, Studio};
use egui::{Slider, SliderClamping, Ui};

/// Draw; what is done goes into `actions`.
pub fn show(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let (clips, playing) = (&studio.project.character.clips, &studio.live.playing);
    ui.horizontal_wrapped(|ui| {
        let name = playing.clip.map_or("Bind pose", |clip| &*clips[clip].name);
        let mut chosen = playing.clip;
        egui::ComboBox::from_label("Clip").selected_text(name).show_ui(ui, |ui| {
            ui.selectable_value(&mut chosen, None, "Bind pose");
            for (i, clip) in clips.iter().enumerate() {
                ui.selectable_value(&mut chosen, Some(i), &*clip.name);
            }
        });
        if chosen != playing.clip {
            actions.push(Play::Clip(chosen).into());
            actions.push(Play::Run(chosen.is_some()).into());
        }
        ui.add_enabled_ui(playing.clip.is_some(), |ui| {
            if ui.button("|<").on_hover_text("One frame back (,)").clicked() {
                actions.push(Play::Frames(-1).into());
            }
            if ui.button(if playing.runs { "Pause" } else { "Play" }).on_hover_text("Space").clicked() {
                actions.push(Play::Run(!playing.runs).into());
            }
            if ui.button(">|").on_hover_text("One frame on (.)").clicked() {
                actions.push(Play::Frames(1).into());
            }
            let mut loops = playing.loops;
            if ui.checkbox(&mut loops, "Loop").changed() {
                actions.push(Play::Loop(loops).into());
            }
            let mut speed = playing.speed;
            if ui.add(Slider::new(&mut speed, 0.1..=2.0).text("Speed")).changed() {
                actions.push(Play::Speed(speed).into());
            }
        });
        super::as_baked::show(ui, studio, actions);
        if ui.button("Settle").on_hover_text("Forget all motion, and joints turned by hand (R)").clicked() {
            actions.push(Play::Settle.into());
        }
    });
    let duration = studio.live.duration(&studio.project.character);
    ui.add_enabled_ui(duration > 0.0, |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 140.0).max(60.0);
        let mut time = playing.time;
        // not by `fixed_decimals`, which rounds the number itself and calls that a change
        let shown = |time: f64, _| format!("{time:.2}");
        let slider = Slider::new(&mut time, 0.0..=duration.max(1e-3)).custom_formatter(shown).suffix(" s").text("Time");
        if ui.add(slider.clamping(SliderClamping::Edits)).changed() {
            actions.push(Play::Run(false).into());
            actions.push(Play::Seek(time).into());
        }
    });
}
