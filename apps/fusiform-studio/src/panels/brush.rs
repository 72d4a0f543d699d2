//! The brush: how painting and sculpting are set, what is painted, and what is left alone.

use super::keys::{self, Command};
use super::rows::digits;
use crate::model::{
    Action, Brush, Carve, Falloff, Look, Mode, Studio, Target, Tool, carving_hindrance, flood, other_side, prune,
    shape_seen,
};
use egui::{Slider, Ui};
use fusiform::musculature::Contraction;

/// Times as large in one press of a key.
pub const STEP: f32 = 1.15;
/// Stronger by so much, likewise.
pub const STRONGER: f32 = 0.05;
/// What is pruned, unless somebody says otherwise: weights that no eye sees.
const PRUNED: f32 = 0.01;
/// Of a radius in centimetres, at most.
const DECIMALS: f64 = 4.0;
/// Height of the list of what can be painted, points.
const LIST: f32 = 170.0;
/// Muscles whose shapes are told at most.
const MOST: usize = 4;

/// The brush, so many times as large.
#[must_use]
pub fn sized(studio: &Studio, by: f32) -> Action {
    Look::Brush(Brush { radius: by * studio.brush.radius, ..studio.brush }).into()
}

/// The brush, stronger by so much; weaker where that is negative.
#[must_use]
pub fn as_strong(studio: &Studio, by: f32) -> Action {
    Look::Brush(Brush { strength: studio.brush.strength + by, ..studio.brush }).into()
}

/// What is typed into the search, and which list is open.
#[derive(Clone, Debug, PartialEq)]
pub struct BrushPanel {
    search: String,
    shows_muscles: bool,
    pruned: f32,          // weights below this go to the others
    last: Option<Target>, // that was painted in the last frame
}

impl Default for BrushPanel {
    fn default() -> Self {
        Self { search: String::new(), shows_muscles: false, pruned: PRUNED, last: None }
    }
}

impl BrushPanel {
    /// Draw while a brush is in hand; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        match studio.tool {
            Tool::Paint => {
                ui.heading("Paint");
                self.target(ui, studio);
                let mut brush = studio.brush;
                choose(ui, &mut brush.mode, &Mode::ALL);
                let has_value = brush.mode == Mode::Replace;
                settings(ui, studio, &mut brush, has_value);
                send(studio, brush, actions);
                ui.horizontal(|ui| self.at_once(ui, studio, actions));
                self.list(ui, studio, actions);
                ui.separator();
            }
            Tool::Sculpt => {
                ui.heading("Sculpt");
                if studio.chosen.is_empty() {
                    ui.weak("Click a muscle to choose it, then draw on its belly.");
                }
                studio.chosen.iter().take(MOST).for_each(|&m| shape(ui, studio, m));
                let mut brush = studio.brush;
                choose(ui, &mut brush.carve, &Carve::ALL);
                settings(ui, studio, &mut brush, false);
                send(studio, brush, actions);
                ui.separator();
            }
            _ => {}
        }
    }

    /// What is painted, here and on the other side.
    fn target(&mut self, ui: &mut Ui, studio: &Studio) {
        let target = studio.painted();
        if self.last != target {
            // the list that has what was chosen in the view
            self.shows_muscles = target.map_or(self.shows_muscles, |target| matches!(target, Target::Muscle(_)));
            self.last = target;
        }
        let Some(target) = target else {
            ui.weak("Choose a joint or one muscle below, or ctrl-click a limb.");
            return;
        };
        let kind = if matches!(target, Target::Joint(_)) { "joint" } else { "muscle" };
        ui.label(format!("Weights of the {kind} {}", name(studio, target)));
        let other = other_side(&studio.project, studio.document(), target);
        ui.weak(match other.filter(|_| studio.mirrored) {
            Some(other) if other == target => "mirrored onto itself".into(),
            Some(other) => format!("mirrored onto {}", name(studio, other)),
            None if studio.mirrored => "it has no other side".into(),
            None => "this side only".into(),
        });
    }

    /// What is done to all of the skin in one step.
    fn at_once(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let is_any = studio.painted().is_some();
        let tip = "What the brush does, once over all skin that is shown and may hang on it, with the whole strength";
        if ui.add_enabled(is_any, egui::Button::new("Flood")).on_hover_text(tip).clicked() {
            actions.extend(flood(studio));
        }
        let tip = "Of the skin that is shown: joint weights below that, or muscle weights where a muscle is painted, go to \
                   the others of their vertex";
        if ui.add_enabled(is_any, egui::Button::new("Prune")).on_hover_text(tip).clicked() {
            actions.extend(prune(studio, self.pruned));
        }
        let label = ui.label("below");
        let number = egui::DragValue::new(&mut self.pruned).range(0.0..=0.5).speed(0.001).fixed_decimals(3);
        ui.add(number).labelled_by(label.id).on_hover_text("0 to 0.5, default 0.01");
    }

    /// Joints or muscles, to be painted or locked.
    fn list(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.selectable_value(&mut self.shows_muscles, false, "Joints");
            ui.selectable_value(&mut self.shows_muscles, true, "Muscle weights");
            let label = ui.label("Find");
            ui.add(egui::TextEdit::singleline(&mut self.search).desired_width(90.0)).labelled_by(label.id);
        });
        let n =
            if self.shows_muscles { studio.muscles().len() } else { studio.project.character.skeleton.joints.len() };
        let target = |i: usize| if self.shows_muscles { Target::Muscle(i) } else { Target::Joint(i) };
        let wanted = self.search.to_lowercase();
        let found: Vec<Target> =
            (0..n).map(target).filter(|&of| name(studio, of).to_lowercase().contains(&wanted)).collect();
        if found.is_empty() {
            ui.weak("nothing is called so");
        }
        let height = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
        let scroll = egui::ScrollArea::vertical().id_salt("painted").max_height(LIST).auto_shrink([false, true]);
        scroll.show_rows(ui, height, found.len(), |ui, rows| {
            let painted = studio.painted();
            for &of in &found[rows] {
                ui.horizontal(|ui| row(ui, studio, (of, painted == Some(of)), actions));
            }
        });
    }
}

/// Which of its shapes is sculpted, of a muscle that has several.
fn shape(ui: &mut Ui, studio: &Studio, m: usize) {
    let muscle = &studio.muscles()[m];
    if matches!(muscle.contraction, Contraction::PoseShapes { .. }) {
        let seen = shape_seen(&studio.project.character.skeleton, &studio.live, muscle);
        ui.label(match (seen, carving_hindrance(studio, m)) {
            (Some(shape), _) => format!("{}: shape {}, for this pose", muscle.name, shape + 1),
            (None, Some(why)) => why,
            (None, None) => format!("{}: the shape at bind", muscle.name),
        });
    }
}

/// What a joint or muscle is called.
fn name(studio: &Studio, target: Target) -> &str {
    match target {
        Target::Joint(joint) => studio.project.character.skeleton.joints.get(joint).map_or("", |joint| &*joint.name),
        Target::Muscle(muscle) => studio.muscles().get(muscle).map_or("", |muscle| &*muscle.name),
    }
}

fn row(ui: &mut Ui, studio: &Studio, (target, is_painted): (Target, bool), actions: &mut Vec<Action>) {
    let name = name(studio, target);
    let mut locked = match target {
        Target::Joint(joint) => studio.locks.joints.contains(&joint),
        Target::Muscle(_) => studio.locks.muscles.contains(name),
    };
    let lock = ui.checkbox(&mut locked, "").on_hover_text("Lock: no stroke changes its weights");
    let words = format!("Lock {name}");
    lock.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, locked, &words));
    if lock.changed() {
        actions.push(Look::Lock(target, locked).into());
    }
    let text = if locked { egui::RichText::new(name).weak() } else { egui::RichText::new(name) };
    let choice = ui.selectable_label(is_painted, text);
    let words = format!("Paint {name}");
    choice.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_painted, &words));
    if choice.clicked() {
        actions.push(match target {
            Target::Joint(joint) => Look::Joint(Some(joint)).into(),
            Target::Muscle(muscle) => Look::Select(Some(muscle), false).into(),
        });
    }
}

/// One of several.
fn choose<T: Copy + PartialEq>(ui: &mut Ui, chosen: &mut T, all: &[(T, &str, &str)]) {
    ui.horizontal_wrapped(|ui| {
        for &(one, name, tip) in all {
            ui.selectable_value(chosen, one, name).on_hover_text(tip);
        }
    });
}

fn settings(ui: &mut Ui, studio: &Studio, brush: &mut Brush, has_value: bool) {
    let height = studio.project.character.height().max(1e-3);
    let mut centimetres = 100.0 * brush.radius;
    let [low, high] = Brush::RADII.map(|share| 100.0 * share * height);
    let default = Brush::new(height);
    let shown = |x: f64, _| digits(x, DECIMALS);
    let slider = Slider::new(&mut centimetres, low..=high).logarithmic(true).custom_formatter(shown).suffix(" cm");
    let tip = format!(
        "How far over the skin a stroke reaches, {} to {} cm, default {} ({} and {}, or hold B and drag)",
        shown(low.into(), 0..=0),
        shown(high.into(), 0..=0),
        shown((100.0 * default.radius).into(), 0..=0),
        keys::written(ui, Command::Smaller),
        keys::written(ui, Command::Larger)
    );
    if ui.add(slider.text("Radius")).on_hover_text(tip).changed() {
        brush.radius = 0.01 * centimetres;
    }
    let [weaker, stronger] = [Command::Weaker, Command::Stronger].map(|command| keys::written(ui, command));
    let tip = format!("The most that one stroke does at any place: 0 to 1, default 0.25 ({weaker} and {stronger})");
    let share = |x: f64, _| format!("{x:.2}");
    ui.add(Slider::new(&mut brush.strength, 0.0..=1.0).custom_formatter(share).text("Strength")).on_hover_text(tip);
    if has_value {
        let tip = "What the weight becomes: 0, the skin does not follow, to 1, it follows wholly; default 1";
        ui.add(Slider::new(&mut brush.value, 0.0..=1.0).custom_formatter(share).text("Value")).on_hover_text(tip);
    }
    let name = Falloff::ALL.iter().find(|(of, _)| *of == brush.falloff).map_or("", |(_, name)| name);
    egui::ComboBox::from_label("Falloff").selected_text(name).show_ui(ui, |ui| {
        for (falloff, name) in Falloff::ALL {
            ui.selectable_value(&mut brush.falloff, falloff, name);
        }
    });
}

fn send(studio: &Studio, brush: Brush, actions: &mut Vec<Action>) {
    if brush != studio.brush {
        actions.push(Look::Brush(brush).into());
    }
}
