//! What tenses muscles: by hand, all of them, and as the body moves.

use super::{group, names};
use crate::model::{Action, DRIVER_CHOICES, DRIVER_FIELDS, Edit, Field, Gesture, Part, Play, Studio};
use crate::panels::icons::{Icon, icon};
use crate::panels::rows::{Hand, combo, row, title};
use egui::collapsing_header::CollapsingState;
use egui::{Rect, Sense, Stroke, Ui, vec2};
use fusiform::musculature::{Activation, Driver, Signal};

const TENSION: Field<Activation> = Field::new(
    ("", "Tension"),
    (0.0, 1.0, 0.0, ""),
    (|of, _| Some(of.tension), |of, _, value| of.tension = value),
    "Added to the tension of every muscle, in every frame: the skin of a body that is never quite relaxed.",
);

const FLEX: Field<()> = Field::new(
    ("", "Flex it"),
    (0.0, 1.0, 0.0, ""),
    (|(), _| None, |(), _, _| {}),
    "Tense by hand what is chosen, or all muscles: to look at the skin. It is kept in no file; Out > Bake asks about it.",
);

/// Tense by hand what is chosen.
pub fn flex(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let levels = studio.live.levels();
    let level = |m: usize| levels.get(m).copied().unwrap_or(0.0);
    let chosen: Vec<f32> = match studio.chosen.is_empty() {
        true => (0..studio.muscles().len().max(1)).map(level).collect(),
        false => studio.chosen.iter().map(|&m| level(m)).collect(),
    };
    if let Some((level, _)) = hand.number(ui, &FLEX, FLEX.label, &chosen) {
        actions.push(Play::Tense(level).into());
    }
}

/// Draw; what is done goes into `actions`.
pub fn show(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let activation = &studio.document().musculature.activation;
    group(ui, "By hand", true, |ui| flex(hand, ui, studio, actions));
    group(ui, "Everywhere", true, |ui| {
        if let Some((value, gesture)) = hand.number(ui, &TENSION, TENSION.label, &[activation.tension]) {
            actions.push(Action::Edit(Edit::Part(Part::Tension(value.clamp(0.0, 1.0))), gesture));
        }
    });
    group(ui, "As the body moves", true, |ui| drivers(hand, ui, studio, actions));
    group(ui, "By curves", true, |ui| {
        for clip in &activation.curves {
            let keys: usize = clip.tracks.iter().map(|track| track.times.len()).sum();
            ui.label(format!("{}: {} muscles, {keys} keys", clip.clip, clip.tracks.len()));
        }
        ui.weak("Curves, above, opens the editor for the clip that is played.");
    });
}

fn drivers(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let drivers = &studio.document().musculature.activation.drivers;
    for (i, driver) in drivers.iter().enumerate() {
        ui.push_id(("driver", i), |ui| {
            let id = ui.make_persistent_id("open");
            let state = CollapsingState::load_with_default_open(ui.ctx(), id, drivers.len() < 3);
            let header = state.show_header(ui, |ui| {
                if head(ui, i, driver) {
                    actions.push(Edit::Part(Part::RemoveDriver(i)).into());
                }
            });
            header.body_unindented(|ui| {
                if let Some((driver, gesture)) = show_driver(hand, ui, studio, driver) {
                    actions.push(Action::Edit(Edit::Part(Part::Driver(i, driver)), gesture));
                }
            });
        });
        ui.separator();
    }
    let tip = "Tenses the chosen muscles, or all, as they shorten; then choose what it listens to.";
    if ui.button("Add driver").on_hover_text(tip).clicked() {
        let muscles = studio.chosen.iter().map(|&m| studio.muscles()[m].name.clone()).collect();
        let fresh = Driver { muscles, signal: Signal::Shortening, remap: vec![[0.0, 0.0], [0.3, 1.0]] };
        actions.push(Edit::Part(Part::AddDriver(fresh)).into());
    }
}

/// What it is, and whether it shall go.
fn head(ui: &mut Ui, i: usize, driver: &Driver) -> bool {
    let signal = match &driver.signal {
        Signal::JointAngle { joint, .. } => joint,
        _ => "shortening",
    };
    let muscles = match &*driver.muscles {
        [] => "all muscles".into(),
        [one] => one.clone(),
        more => format!("{} muscles", more.len()),
    };
    // the button first, so that a long name gives way to it
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let gone = icon(ui, Icon::Cross, true, &format!("Remove driver {}", i + 1)).clicked();
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let text = egui::RichText::new(format!("{} {signal}: {muscles}", i + 1)).strong();
            ui.add(egui::Label::new(text).truncate());
        });
        gone
    })
    .inner
}

fn show_driver(hand: &mut Hand, ui: &mut Ui, studio: &Studio, driver: &Driver) -> Option<(Driver, Option<Gesture>)> {
    let (skeleton, muscles) = (&studio.project.character.skeleton, studio.muscles());
    plot(ui, driver);
    let mut changed = hand.all(ui, (DRIVER_FIELDS, DRIVER_CHOICES), driver, skeleton);
    let mut edited = driver.clone();
    if let Signal::JointAngle { joint, .. } = &mut edited.signal {
        let taken = row(ui, "Joint", |ui| {
            let tip = "The joint that tenses the muscles, and so the skin, as it turns.";
            let label = title(ui, "Joint", tip, false);
            let now = skeleton.find(joint).unwrap_or(usize::MAX);
            let option = |i: usize| skeleton.joints.get(i).map(|joint| (&*joint.name, ""));
            combo(ui, label, ("Joint", ui.available_width()), joint, option, now, tip)
        });
        if let Some(taken) = taken {
            joint.clone_from(&skeleton.joints[taken].name);
            changed = Some((edited.clone(), None));
        }
    }
    let known: Vec<&str> = muscles.iter().map(|muscle| &*muscle.name).collect();
    let chosen: Vec<&str> = studio.chosen.iter().map(|&m| &*muscles[m].name).collect();
    let tip = "Which muscles it tenses: all, or only some.";
    if let Some(list) = names::show(ui, ("Muscles", tip), &driver.muscles, (&known, Some(&chosen[..]))) {
        edited.muscles = list;
        changed = Some((edited.clone(), None));
    }
    if points(ui, &mut edited.remap) {
        changed = Some((edited, None));
    }
    changed
}

/// Points of the curve come and go; whether they did.
fn points(ui: &mut Ui, remap: &mut Vec<[f32; 2]>) -> bool {
    ui.horizontal(|ui| {
        let add = ui.add_enabled(remap.len() < 64, egui::Button::new("Add point"));
        let remove = ui.add_enabled(remap.len() > 2, egui::Button::new("Remove point"));
        if add.on_hover_text("One more point after the last").clicked() {
            let (last, before) = (remap[remap.len() - 1], remap[remap.len() - 2]);
            remap.push([last[0] + (last[0] - before[0]), last[1]]);
            return true;
        }
        remove.on_hover_text("Without the last point").clicked() && remap.pop().is_some()
    })
    .inner
}

/// The driver's curve, to look at: signal to the right, tension up.
fn plot(ui: &mut Ui, driver: &Driver) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::hover());
    let (Some(first), Some(last)) = (driver.remap.first(), driver.remap.last()) else { return };
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let inner = rect.shrink2(vec2(10.0, 6.0));
    let span = (last[0] - first[0]).max(1e-6);
    let at = |point: &[f32; 2]| place(inner, (point[0] - first[0]) / span, point[1]);
    let mut line = vec![egui::pos2(rect.left(), at(first).y)];
    line.extend(driver.remap.iter().map(at));
    line.push(egui::pos2(rect.right(), at(last).y));
    let color = ui.visuals().selection.bg_fill;
    painter.line(line, Stroke::new(1.5, color));
    driver.remap.iter().for_each(|point| _ = painter.circle_filled(at(point), 3.0, color));
}

fn place(rect: Rect, x: f32, y: f32) -> egui::Pos2 {
    rect.lerp_inside(vec2(x, 1.0 - y))
}
