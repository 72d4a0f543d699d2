//! The curve editor: how tense the chosen muscles are told to be in the course of the clip.

mod plot;
mod span;

use crate::model::keys::{add_key, interpolate, key, keys_of, move_key, no_keys, remove_key, simplified};
use crate::model::{Action, Edit, Gesture, Part, Studio};
use crate::panels::icons::{Icon, icon};
use crate::panels::rows::{Hand, look_alike};
use egui::{Align, Button, Color32, DragValue, Layout, Order, Rgba, Ui, vec2};
use fusiform::character::{Interpolation, Track};
use fusiform::musculature::MuscleTrack;
use fusiform_picture::color::distinct;
use span::Span;

/// Curves that are drawn at once at most: more cannot be told apart.
const MOST: usize = 12;
/// Width of the names beside the plot.
const NAMES: f32 = 280.0;
/// Of times and values.
const DECIMALS: usize = 3;

/// What is picked, and what is in hand.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// Whether it is shown.
    pub open: bool,
    /// The muscle that gets new keys.
    active: Option<String>,
    /// A key: whose, and which.
    picked: Option<(String, usize)>,
    /// Whether the last press was here.
    pressed: bool,
    grabbed: Option<Gesture>,
    scrubs: bool,
    hand: Hand,
    /// What is seen of a clip, by its name; none is all of it.
    nearer: Option<(String, Span)>,
}

/// The clip that is played, and the curves that are seen.
struct Shown<'a> {
    clip: &'a str,
    end: f32, // s
    time: f32,
    curves: Vec<Curve>,
    /// How many more there are than are drawn.
    more: usize,
}

/// One muscle's.
struct Curve {
    keys: MuscleTrack,
    track: Track<f32>,
    color: Color32,
}

impl Shown<'_> {
    fn of<'a>(studio: &'a Studio) -> Option<Shown<'a>> {
        let playing = &studio.live.playing;
        let clip = &*studio.project.character.clips.get(playing.clip?)?.name;
        let all = &studio.document().musculature.activation.curves;
        let names: Vec<&str> = match studio.chosen.is_empty() {
            true => {
                all.iter().filter(|of| of.clip == clip).flat_map(|of| of.tracks.iter().map(|t| &*t.muscle)).collect()
            }
            false => studio.chosen.iter().map(|&m| &*studio.muscles()[m].name).collect(),
        };
        let curve = |(i, name): (usize, &&str)| {
            let keys = keys_of(all, clip, name).cloned().unwrap_or_else(|| no_keys(name));
            let [r, g, b] = distinct(i);
            Curve { track: keys.track(), keys, color: Rgba::from_rgb(r, g, b).into() }
        };
        let curves = names.iter().enumerate().take(MOST).map(curve).collect();
        let end = studio.live.duration(&studio.project.character);
        Some(Shown { clip, end, time: playing.time, curves, more: names.len().saturating_sub(MOST) })
    }

    fn find(&self, muscle: &str) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.keys.muscle == muscle)
    }

    /// All that can be seen: a file may have keys after the clip's end.
    fn all(&self) -> Span {
        let last = self.curves.iter().filter_map(|curve| curve.keys.times.last());
        Span::whole(last.fold(self.end, |end, &time| end.max(time)))
    }

    fn put(&self, keys: MuscleTrack) -> Edit {
        Edit::Part(Part::Keys(self.clip.to_owned(), vec![keys]))
    }
}

impl Curves {
    /// Whether keys are what is worked on, not muscles: the last press was here.
    pub fn is_at_hand(&self) -> bool {
        self.open && self.pressed
    }

    /// Take the picked key away, if there is one; the next one is picked then.
    pub fn delete(&self, studio: &Studio) -> Option<Edit> {
        let ((muscle, i), shown) = (self.picked.as_ref()?, Shown::of(studio)?);
        let mut keys = shown.find(muscle)?.keys.clone();
        remove_key(&mut keys, *i);
        Some(shown.put(keys))
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        self.hear_press(ui);
        let Some(shown) = Shown::of(studio) else {
            ui.weak("Choose a clip to key how tense muscles are in its course.");
            return;
        };
        self.settle(&shown);
        ui.horizontal_top(|ui| {
            ui.allocate_ui_with_layout(vec2(NAMES, ui.available_height()), Layout::top_down(Align::Min), |ui| {
                ui.set_width(NAMES);
                self.key_row(ui, &shown, actions);
                self.track_row(ui, &shown, actions);
                self.names(ui, &shown);
            });
            self.plot(ui, &shown, actions);
        });
    }

    /// Where something else is pressed, what is picked is let go of. What pops up over all panels may be of this one.
    fn hear_press(&mut self, ui: &Ui) {
        let pressed = ui.input(|input| input.pointer.press_origin().filter(|_| input.pointer.any_pressed()));
        let Some(at) = pressed else { return };
        let layer = ui.ctx().layer_id_at(at).unwrap_or(ui.layer_id());
        if layer.order != Order::Foreground {
            self.pressed = layer == ui.layer_id() && ui.max_rect().contains(at);
            self.picked.take_if(|_| !self.pressed);
        }
    }

    /// What is active is shown; what is picked is there.
    fn settle(&mut self, shown: &Shown) {
        if self.active.as_ref().is_none_or(|name| shown.find(name).is_none()) {
            self.active = shown.curves.first().map(|curve| curve.keys.muscle.clone());
        }
        let there = |(muscle, i): &(String, usize)| shown.find(muscle).is_some_and(|c| *i < c.keys.times.len());
        self.picked = self.picked.take().filter(there);
    }

    /// What is seen of time: the whole clip, until somebody looks nearer; of another clip all again.
    fn span(&mut self, shown: &Shown) -> Span {
        self.nearer.take_if(|(clip, _)| clip != shown.clip);
        self.nearer.as_ref().map_or(Span::whole(shown.end), |(_, span)| span.within(shown.all()))
    }

    fn names(&mut self, ui: &mut Ui, shown: &Shown) {
        if shown.curves.is_empty() {
            ui.weak("Choose muscles to key them.");
        }
        egui::ScrollArea::vertical().id_salt("names of curves").show(ui, |ui| {
            for curve in &shown.curves {
                let name = &curve.keys.muscle;
                let value = curve.track.at(shown.time).map_or("no keys".into(), |value| format!("{value:.2}"));
                ui.horizontal(|ui| {
                    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), egui::Sense::hover());
                    ui.painter().rect_filled(rect, 2.0, curve.color);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ui.weak(value);
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            let active = self.active.as_ref() == Some(name);
                            let button = Button::selectable(active, &**name).truncate();
                            let response = ui.add(button).on_hover_text("A double click in the plot keys this muscle");
                            let words = format!("Curve of {name}");
                            response
                                .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, active, &words));
                            if response.clicked() {
                                self.active = Some(name.clone());
                            }
                        });
                    });
                });
            }
            if shown.more > 0 {
                ui.weak(format!("and {} more, which are not shown: choose fewer muscles", shown.more));
            }
        });
    }

    /// The picked key in numbers, and what runs between keys.
    fn key_row(&mut self, ui: &mut Ui, shown: &Shown, actions: &mut Vec<Action>) {
        let picked = self.picked.clone();
        let active = picked.as_ref().map(|(muscle, _)| muscle).or(self.active.as_ref());
        let Some(curve) = active.and_then(|name| shown.find(name)) else { return };
        ui.horizontal(|ui| {
            let i = picked.as_ref().map(|(_, i)| *i);
            let at = i.and_then(|i| key(&curve.keys, i));
            let (mut time, mut value) = at.unwrap_or((shown.time, curve.track.at(shown.time).unwrap_or(0.0)));
            let mut number = |ui: &mut Ui, value: &mut f32, end: f32, (words, unit): (&str, &str)| {
                let before = *value;
                let drag = DragValue::new(value).range(0.0..=end).clamp_existing_to_range(false).speed(0.005);
                let drag = drag.max_decimals(DECIMALS).update_while_editing(false).suffix(unit);
                let response = ui.add_enabled(at.is_some(), drag);
                let label = format!("{words} of the picked key");
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, at.is_some(), &label));
                let gesture = self.hand.of(&response);
                let is_new = gesture.is_some() || !look_alike(*value, before, DECIMALS);
                (response.on_hover_text(label).changed() && is_new).then_some(gesture)
            };
            let timed = number(ui, &mut time, shown.end, ("Time", " s"));
            let valued = number(ui, &mut value, 1.0, ("Value", ""));
            if let (Some(i), Some(gesture)) = (i, timed.or(valued)) {
                let mut keys = curve.keys.clone();
                move_key(&mut keys, i, time, value, shown.end);
                actions.push(Action::Edit(shown.put(keys), gesture));
            }
            between(ui, shown, curve, actions);
            self.key_now(ui, shown, curve, actions);
            let remove = icon(ui, Icon::Cross, at.is_some(), "Delete key");
            if remove.on_hover_text("The Delete key does it too, and goes on to the next one").clicked()
                && let Some(i) = i
            {
                let mut keys = curve.keys.clone();
                remove_key(&mut keys, i);
                actions.push(shown.put(keys).into());
            }
        });
    }

    /// What is done to all keys of a muscle.
    fn track_row(&mut self, ui: &mut Ui, shown: &Shown, actions: &mut Vec<Action>) {
        let Some(curve) = self.active.as_ref().and_then(|name| shown.find(name)) else { return };
        ui.horizontal(|ui| {
            let n = curve.keys.times.len();
            let tip = "Without the keys that its curve passes anyway, within 0.01";
            if ui.add_enabled(n > 2, Button::new("Simplify")).on_hover_text(tip).clicked() {
                let keys = simplified(&curve.keys);
                self.picked = None;
                actions.extend((keys != curve.keys).then(|| shown.put(keys).into()));
            }
            let tip = "Without any key of this muscle in this clip: it is as tense as drivers and hands make it";
            if ui.add_enabled(n > 0, Button::new("Clear")).on_hover_text(tip).clicked() {
                self.picked = None;
                actions.push(shown.put(no_keys(&curve.keys.muscle)).into());
            }
        });
    }

    /// A button for one more key where time stands.
    fn key_now(&mut self, ui: &mut Ui, shown: &Shown, curve: &Curve, actions: &mut Vec<Action>) {
        let tip = "A key for this muscle where time stands, on its curve";
        if ui.button("Key").on_hover_text(tip).clicked() {
            let mut keys = curve.keys.clone();
            let i = add_key(&mut keys, shown.time, curve.track.at(shown.time).unwrap_or(0.0));
            self.picked = Some((keys.muscle.clone(), i));
            actions.push(shown.put(keys).into());
        }
    }
}

/// What runs between keys, where there are some.
fn between(ui: &mut Ui, shown: &Shown, curve: &Curve, actions: &mut Vec<Action>) {
    let has_keys = !curve.keys.times.is_empty();
    let kinds = [
        (Interpolation::Linear, "Linear", "Straight lines between keys"),
        (Interpolation::Step, "Step", "A key holds until the next"),
        (Interpolation::Cubic, "Cubic", "Smooth through the keys"),
    ];
    let now = kinds.iter().position(|(kind, ..)| *kind == curve.keys.interpolation).unwrap_or(0);
    let combo = egui::ComboBox::from_id_salt("between keys").width(64.0).selected_text(kinds[now].1);
    let list = |ui: &mut Ui| {
        for (kind, name, tip) in kinds {
            if ui.selectable_label(kind == kinds[now].0, name).on_hover_text(tip).clicked() && kind != kinds[now].0 {
                let mut keys = curve.keys.clone();
                interpolate(&mut keys, kind);
                actions.push(shown.put(keys).into());
            }
        }
    };
    let response = ui.add_enabled_ui(has_keys, |ui| combo.show_ui(ui, list).response).inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, has_keys, "Between keys"));
}
