//! The timeline: clips, play, scrub, speed.

use super::keys::{self, Command};
use crate::model::{Action, Edit, Play, Studio};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, Id, Key, PopupCloseBehavior, Response, Slider, SliderClamping, TextEdit, Ui};

/// Room for what stands beside the slider of time, points.
const BESIDE: f32 = 320.0;

/// Go on or stop; where no clip is chosen, the first is played.
#[must_use]
pub fn play(studio: &Studio) -> Vec<Action> {
    let playing = &studio.live.playing;
    let is_first = playing.clip.is_none() && !studio.project.character.clips.is_empty();
    let first = is_first.then(|| Play::Clip(Some(0)).into());
    first.into_iter().chain([Play::Run(is_first || !playing.runs).into()]).collect()
}

/// Draw; what is done goes into `actions` and `commands`.
pub fn show(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        clip(ui, studio, actions);
        motion(ui, studio, actions);
        steps(ui, studio, commands);
        pace(ui, studio, actions);
        super::as_baked::show(ui, studio, actions);
        if ui.button("Settle").on_hover_text(keys::about(ui, Command::Settle)).clicked() {
            commands.push(Command::Settle);
        }
    });
    ui.horizontal(|ui| time(ui, studio, actions));
}

fn clip(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let (clips, playing) = (&studio.project.character.clips, &studio.live.playing);
    let name = playing.clip.map_or("Bind pose", |clip| &*clips[clip].name);
    let mut chosen = playing.clip;
    let combo = egui::ComboBox::from_label("Clip").selected_text(name).show_ui(ui, |ui| {
        ui.selectable_value(&mut chosen, None, "Bind pose");
        for (i, clip) in clips.iter().enumerate() {
            ui.selectable_value(&mut chosen, Some(i), &*clip.name);
        }
    });
    let tip = format!("What is played: one of {} clips, or the bind pose, which is the default", clips.len());
    combo.response.on_hover_text(tip);
    if chosen != playing.clip {
        actions.push(Play::Clip(chosen).into());
        actions.push(Play::Run(chosen.is_some()).into());
    }
}

/// What is done to the motion that is played: those of the file itself stay as they came.
fn motion(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let playing = studio.live.playing.clip.and_then(|clip| Some((clip, studio.project.motion(clip)?)));
    ui.add_enabled_ui(playing.is_some(), |ui| {
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let button = MenuButton::new("Motion").config(stays);
        let (response, _) = button.ui(ui, |ui| {
            let Some((clip, motion)) = playing else { return };
            let was = &studio.project.character.clips[clip].name;
            ui.horizontal(|ui| {
                let label = ui.label("Motion's name");
                if let Some(name) = typed(ui, was, label.id) {
                    actions.push(Edit::RenameMotion(motion, name).into());
                    ui.close();
                }
            });
            let tip = "Take it off the character, with the keys of muscles that are set over it";
            if ui.button("Remove motion").on_hover_text(tip).clicked() {
                actions.push(Edit::RemoveMotion(motion).into());
                ui.close();
            }
        });
        response.on_hover_text("Rename this motion, or remove it").on_disabled_hover_text(
            "Choose a motion that was added since the file was opened: the file's own clips stay",
        );
    });
}

/// A name that is being typed: what it is once that is done.
fn typed(ui: &mut Ui, was: &str, label: Id) -> Option<String> {
    let id = ui.scope_id().with(("name of a motion", was));
    let mut name = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| was.to_owned());
    let response = ui.add(TextEdit::singleline(&mut name).desired_width(140.0)).labelled_by(label);
    let is_done = response.lost_focus();
    ui.data_mut(|data| match is_done {
        true => data.remove::<String>(id),
        false => _ = data.insert_temp(id, name.clone()),
    });
    let is_meant = !ui.input(|input| input.key_pressed(Key::Escape));
    (is_done && is_meant && name.trim() != was).then_some(name)
}

/// Back, on, and play.
fn steps(ui: &mut Ui, studio: &Studio, commands: &mut Vec<Command>) {
    let playing = &studio.live.playing;
    let (has_any, is_chosen) = (!studio.project.character.clips.is_empty(), playing.clip.is_some());
    let play = if playing.runs { "Pause" } else { "Play" };
    let buttons = [
        ("|<", keys::words(Command::Start), Command::Start, is_chosen),
        ("<", keys::words(Command::Back), Command::Back, is_chosen),
        (play, play, Command::Play, has_any),
        (">", keys::words(Command::On), Command::On, is_chosen),
    ];
    for (face, words, command, is_there) in buttons {
        let button = ui.add_enabled(is_there, Button::new(face)).on_hover_text(keys::about(ui, command));
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_there, words));
        if why_not(button, has_any).clicked() {
            commands.push(command);
        }
    }
}

/// Why it cannot be used, where it cannot.
fn why_not(response: Response, has_clips: bool) -> Response {
    response.on_disabled_hover_text(match has_clips {
        true => "Choose a clip first, or play the first one",
        false => "There is no clip: File > Add motion brings one",
    })
}

/// Whether it comes round, and how fast.
fn pace(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let playing = &studio.live.playing;
    let has_any = !studio.project.character.clips.is_empty();
    ui.add_enabled_ui(playing.clip.is_some(), |ui| {
        let mut loops = playing.loops;
        let tip = "Begin again at the end of the clip; on by default";
        if why_not(ui.checkbox(&mut loops, "Loop").on_hover_text(tip), has_any).changed() {
            actions.push(Play::Loop(loops).into());
        }
        let mut speed = playing.speed;
        let slider = ui.add(Slider::new(&mut speed, 0.1..=2.0).text("Speed"));
        let tip = "Times as fast as the clip was made, 0.1 to 2, by default 1";
        if why_not(slider.on_hover_text(tip), has_any).changed() {
            actions.push(Play::Speed(speed).into());
        }
    });
}

/// The moment that is seen, to be dragged, and its frame.
fn time(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let duration = studio.live.duration(&studio.project.character);
    ui.spacing_mut().slider_width = (ui.available_width() - BESIDE).max(60.0);
    let mut time = studio.live.playing.time;
    // not by `fixed_decimals`, which rounds the number itself and calls that a change
    let shown = |time: f64, _| format!("{time:.2}");
    let slider = Slider::new(&mut time, 0.0..=duration.max(1e-3)).custom_formatter(shown).suffix(" s").text("Time");
    if ui.add_enabled(duration > 0.0, slider.clamping(SliderClamping::Edits)).changed() {
        actions.push(Play::Run(false).into());
        actions.push(Play::Seek(time).into());
    }
    if duration > 0.0 {
        let (frame, of) = studio.live.frame(&studio.project.character);
        let rate = studio.live.playing.rate();
        let tip = match studio.live.playing.baked {
            Some(_) => "Frames of the bake",
            None => "As the keys of the clip lie, where they do evenly; else 30 frames a second",
        };
        ui.weak(format!("frame {} of {of} at {rate} fps", frame + 1)).on_hover_text(tip);
    }
}
