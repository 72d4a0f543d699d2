//! Rows: one number or one choice a line, all with the same columns: label, slider, value, reset.

use super::icons::{Icon, icon};
use crate::model::{Choice, Field, Gesture};
use egui::{
    Align, ComboBox, DragValue, Id, Label, Layout, Response, Slider, SliderClamping, Ui, UiBuilder, Widget, vec2,
};
use fusiform::Skeleton;

const LABEL: f32 = 110.0;
const VALUE: f32 = 82.0;
const RESET: f32 = 18.0;
const GAP: f32 = 4.0;
/// A slider never gets smaller.
const SLIDER: f32 = 40.0;
/// A unit with more letters stands in the tip alone.
const LONGEST_UNIT: usize = 4;

/// What is in hand: the drag that goes on, so that each is one step back.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    gesture: Option<Gesture>,
    /// How tall the body is whose lengths are turned, m.
    pub height: f32,
}

/// A number that was turned, and the drag it is part of: none where it was typed or reset.
pub type Turned<T> = Option<(T, Option<Gesture>)>;

impl Hand {
    /// The drag that what was done is part of; none for a step of its own.
    pub fn of(&mut self, response: &Response) -> Option<Gesture> {
        if response.drag_started() {
            self.gesture = Some(Gesture::begin());
        }
        self.gesture.filter(|_| response.dragged() || response.drag_stopped())
    }

    /// A number; of `values` that differ the first is shown, and that they do.
    pub fn number<T>(&mut self, ui: &mut Ui, field: &Field<T>, name: &str, values: &[f32]) -> Turned<f32> {
        let &first = values.first()?;
        let differ = values.iter().any(|value| *value != first);
        let field = &field.on_body(self.height);
        let (mut slid, mut typed) = (first, first);
        let mut turned = None;
        row(ui, name, |ui| {
            let label = title(ui, name, &about(field, values), differ);
            ui.spacing_mut().slider_width = (ui.available_width() - VALUE - RESET - 2.0 * GAP).max(SLIDER);
            let response = slider(field, &mut slid).ui(ui).labelled_by(label).on_hover_text(about(field, values));
            let gesture = self.of(&response);
            if response.changed() {
                turned = Some((slid, gesture));
            }
            let response = ui.add_sized([VALUE, ui.spacing().interact_size.y], value_box(field, &mut typed));
            let response = response.labelled_by(label);
            let gesture = self.of(&response);
            // who looks at a number and goes on has not changed it, even where not all of its digits are shown; who
            // enters one where several differ means it for all of them
            let is_new = gesture.is_some() || shown(field, typed) != shown(field, first);
            let entered = differ && response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if (response.changed() && is_new) || entered {
                turned = Some((typed, gesture));
            }
            if reset(ui, name, differ || first != field.default, &worded(field, field.default)) {
                turned = Some((field.default, None));
            }
        });
        turned
    }

    /// A choice; of `options` that differ none is shown.
    pub fn choice<T>(&mut self, ui: &mut Ui, choice: &Choice<T>, options: &[usize]) -> Option<usize> {
        let &first = options.first()?;
        let differ = options.iter().any(|option| *option != first);
        let mut taken = None;
        row(ui, choice.label, |ui| {
            let tip = format!("{}\nBy default {}", choice.tip, choice.options[choice.default].0.to_lowercase());
            let label = title(ui, choice.label, &tip, differ);
            let width = ui.available_width() - RESET - GAP;
            if choice.is_switch() {
                let mut on = first == 1;
                let response = ui.add_sized([width, ui.spacing().interact_size.y], left_aligned(&mut on));
                if response.labelled_by(label).on_hover_text(tip).changed() {
                    taken = Some(usize::from(on));
                }
            } else {
                let text = if differ { "several" } else { choice.options[first].0 };
                taken = combo(ui, label, (choice.label, width), text, |i| choice.options.get(i).copied(), first, &tip);
            }
            if reset(ui, choice.label, differ || first != choice.default, choice.options[choice.default].0) {
                taken = Some(choice.default);
            }
        });
        taken.filter(|&option| differ || option != first)
    }

    /// All numbers and choices that a thing has: the thing as it was turned.
    pub fn all<T: Clone>(
        &mut self,
        ui: &mut Ui,
        (fields, choices): (&[Field<T>], &[Choice<T>]),
        thing: &T,
        skeleton: &Skeleton,
    ) -> Turned<T> {
        let mut turned = None;
        for choice in choices {
            let Some(option) = choice.of(thing) else { continue };
            if let Some(option) = self.choice(ui, choice, &[option]) {
                let mut thing = thing.clone();
                choice.take(&mut thing, option, skeleton);
                turned = Some((thing, None));
            }
        }
        // numbers that come several times stand together: those of the first, those of the second
        let most = fields.iter().map(|field| field.count(thing)).max().unwrap_or(0);
        for (at, field) in (0..most).flat_map(|at| fields.iter().map(move |field| (at, field))) {
            let Some(value) = field.nth(thing, at) else { continue };
            if let Some((value, gesture)) = self.number(ui, field, &field.name(at), &[value]) {
                let mut thing = thing.clone();
                field.on_body(self.height).turn_nth(&mut thing, at, value);
                turned = Some((thing, gesture));
            }
        }
        turned
    }
}

/// Whether two numbers are shown with the same digits: who looks at one and goes on has not changed it.
pub fn look_alike(a: f32, b: f32, decimals: usize) -> bool {
    format!("{a:.decimals$}") == format!("{b:.decimals$}")
}

/// A name as it stands at the beginning of a label.
pub fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Contents with an identity of their own: what appears or goes elsewhere while they are dragged does not end the drag.
pub fn steady<R>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.scope_id().with(name);
    ui.scope_builder(UiBuilder::new().scope_id(id), contents).inner
}

/// A line, steady.
pub fn row<R>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let line = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        contents(ui)
    };
    steady(ui, name, |ui| ui.horizontal(line).inner)
}

/// The label of a line, marked where what it names differs between what is chosen.
pub fn title(ui: &mut Ui, name: &str, tip: &str, differ: bool) -> Id {
    let size = vec2(LABEL, ui.spacing().interact_size.y);
    let inner = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(LABEL);
        ui.add(Label::new(name).truncate().selectable(false)).on_hover_text(tip)
    });
    if differ {
        let at = inner.response.rect.right_center() - vec2(5.0, 0.0);
        ui.painter().circle_filled(at, 3.0, ui.visuals().warn_fg_color);
    }
    inner.inner.id
}

/// A list to choose one of: which was taken.
pub fn combo<'a>(
    ui: &mut Ui,
    label: Id,
    (salt, width): (&str, f32),
    text: &str,
    option: impl Fn(usize) -> Option<(&'a str, &'a str)>,
    now: usize,
    tip: &str,
) -> Option<usize> {
    let mut taken = None;
    let inner = ComboBox::from_id_salt(salt).width(width).truncate().selected_text(text.to_owned()).show_ui(ui, |ui| {
        for (i, (name, what)) in (0..).map_while(|i| option(i).map(|of| (i, of))) {
            let response = ui.selectable_label(i == now, name);
            let response = if what.is_empty() { response } else { response.on_hover_text(what) };
            if response.clicked() {
                taken = Some(i);
            }
        }
    });
    inner.response.labelled_by(label).on_hover_text(tip);
    taken
}

fn left_aligned(on: &mut bool) -> impl Widget {
    move |ui: &mut Ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let response = ui.checkbox(on, "");
            ui.allocate_space(vec2(ui.available_width(), 0.0));
            response
        })
        .inner
    }
}

/// Whether it goes back to its default.
fn reset(ui: &mut Ui, name: &str, differs: bool, default: &str) -> bool {
    icon(ui, Icon::Reset, differs, &format!("Reset {name}")).on_hover_text(format!("Back to {default}")).clicked()
}

/// Metres are shown as centimetres: limbs are that large.
fn scale<T>(field: &Field<T>) -> (f64, &'static str) {
    if field.unit == "m" { (100.0, "cm") } else { (1.0, field.unit) }
}

/// Thousands and millions by a letter: a value never needs more room than its box has.
const LARGE: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];

/// A number as people read it: three of its digits, of which so many after the point at most.
pub fn digits(value: f64, most: f64) -> String {
    let large = LARGE.into_iter().find(|(size, _)| value.abs() >= *size && value.abs() >= 1e4);
    let (value, letter) = large.map_or((value, ""), |(size, letter)| (value / size, letter));
    let decimals = (2.0 - value.abs().max(1e-9).log10().floor()).clamp(0.0, most) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{}{letter}", if text == "-0" { "0" } else { text })
}

/// A number as people type it.
fn read(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let text = text.strip_suffix(unit.trim()).unwrap_or(text).trim();
    let large = LARGE.into_iter().find_map(|(size, letter)| Some((text.strip_suffix(letter)?, size)));
    let (text, size) = large.unwrap_or((text, 1.0));
    Some(text.trim().replace(',', ".").parse::<f64>().ok()? * size)
}

/// Fewer where the unit is long.
fn decimals<T>(field: &Field<T>) -> f64 {
    if field.unit.len() > 2 { 3.0 } else { 4.0 }
}

fn shown<T>(field: &Field<T>, value: f32) -> String {
    digits(f64::from(value) * scale(field).0, decimals(field))
}

fn worded<T>(field: &Field<T>, value: f32) -> String {
    let unit = scale(field).1;
    format!("{}{}{unit}", shown(field, value), if unit.is_empty() || unit == "°" { "" } else { " " })
}

/// What a number does to the skin, its unit, its range and its default, and what it is where it differs.
fn about<T>(field: &Field<T>, values: &[f32]) -> String {
    let (low, high) = (shown(field, field.low), worded(field, field.high));
    let mut words = format!("{}\n{low} to {high}, by default {}", field.tip, worded(field, field.default));
    if field.slider() != [field.low, field.high] {
        let [low, high] = field.slider();
        words += &format!("\nBy the slider, as suits this body, {} to {}", shown(field, low), worded(field, high));
    }
    let (least, most) = values.iter().fold((f32::MAX, f32::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    if least < most {
        words += &format!("\nOf what is chosen from {} to {}", shown(field, least), worded(field, most));
    }
    words
}

fn slider<'a, T>(field: &Field<T>, value: &'a mut f32) -> Slider<'a> {
    let [low, high] = field.slider();
    let wide = (low > 0.0 && high / low > 50.0) || (low >= 0.0 && high >= 1000.0);
    // a file may have numbers beyond the slider's ends: looking at them does not change them
    let slider = Slider::new(value, low..=high).show_value(false).clamping(SliderClamping::Edits);
    let slider = slider.logarithmic(wide && !field.whole).smallest_positive(f64::from(high) * 1e-5);
    if field.whole { slider.step_by(1.0) } else { slider }
}

fn value_box<'a, T>(field: &Field<T>, value: &'a mut f32) -> DragValue<'a> {
    let (times, unit) = scale(field);
    let [low, high] = field.slider();
    let span = f64::from(high - low);
    let speed = if span >= 1000.0 { (0.01 * f64::from(value.abs())).max(1e-5 * span) } else { span / 400.0 };
    let suffix =
        if unit.is_empty() || unit.chars().count() > LONGEST_UNIT { String::new() } else { format!(" {unit}") };
    let (bare, most) = (suffix.clone(), decimals(field));
    DragValue::new(value)
        .range(field.low..=field.high)
        .clamp_existing_to_range(false)
        .speed(if field.whole { 0.1 } else { speed })
        .update_while_editing(false)
        .suffix(suffix)
        .custom_formatter(move |value, _| digits(value * times, most))
        .custom_parser(move |text| read(text, &bare).map(|value| value / times))
}
