//! Stroke: what brushes share. The way of the mouse in even steps, whatever the frame rate; the size; the circle.

use crate::model::{Action, Studio};
use crate::panels::marks::strokes;
use crate::panels::{Over, brush};
use egui::{Area, Color32, Event, Frame, Key, Label, Modifiers, Order, PointerButton, Pos2, RichText, Shape, Ui, vec2};
use glam::Vec3;

/// The circle of a brush that has something to work on.
pub const CIRCLE: Color32 = Color32::from_rgb(255, 240, 200);
/// Radii of the brush between two places where it is put down.
const STEP: f32 = 0.25;
/// Doubling of the radius in so many points of a drag.
const DOUBLES: f32 = 120.0;

/// The way of the mouse from where the button went down.
#[derive(Clone, Copy, Debug)]
struct Way {
    last: Pos2,
    gone: f32, // points since the brush was last put down
    step: f32, // points
}

impl Way {
    /// For a brush that is seen so large, in points.
    fn new(at: Pos2, radius: f32) -> Self {
        Self { last: at, gone: 0.0, step: (STEP * radius).max(1.0) }
    }

    /// Where the brush is put down on the way to the next place of the mouse: in even steps along all of it, so that it does
    /// not matter in how many pieces the mouse tells it.
    fn go(&mut self, to: Pos2) -> Vec<Pos2> {
        let (from, length) = (self.last, self.last.distance(to));
        let mut places = Vec::new();
        let mut along = self.step - self.gone;
        while along <= length {
            places.push(from + (to - from) * (along / length));
            along += self.step;
        }
        self.gone = length - (along - self.step);
        self.last = to;
        places
    }
}

/// Where the button went down on the view, and what was held then.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    /// Where in the window.
    pub at: Pos2,
    /// Whether the stroke smooths.
    pub smooths: bool,
    /// Whether it does the opposite of what the brush does.
    pub inverts: bool,
}

/// What a stroke does while the button is down, and its way.
#[derive(Clone, Debug)]
pub struct Going<T> {
    stroke: Option<(T, Way)>,
    /// With ctrl a click chooses: a stroke begins once the mouse has moved.
    waits: Option<Press>,
}

impl<T> Default for Going<T> {
    fn default() -> Self {
        Self { stroke: None, waits: None }
    }
}

impl<T> Going<T> {
    /// Whether the button is down.
    pub fn is_on(&self) -> bool {
        self.stroke.is_some() || self.waits.is_some()
    }

    /// Do all that the mouse did since the last frame, in order. Where the button goes down `begin` says what begins
    /// there, and where in the model that is, m; `dab` puts the brush down along the way, and `take` comes at the end of a
    /// stroke and of every frame. Whether the mouse is taken.
    pub fn follow(
        &mut self,
        ui: &Ui,
        over: Over,
        studio: &Studio,
        begin: impl Fn(Press) -> Option<(T, Vec3)>,
        (mut dab, mut take): (impl FnMut(&mut T, Pos2), impl FnMut(&mut T)),
    ) -> bool {
        let mut taken = self.is_on();
        let start = |press: Press| {
            let (stroke, place) = begin(press)?;
            Some((stroke, Way::new(press.at, seen_radius(over, place, studio.brush.radius))))
        };
        for told in told(ui, over) {
            match told {
                Told::Down(press) if press.inverts => self.waits = Some(press),
                Told::Down(press) => self.stroke = start(press),
                Told::Along(to) => {
                    let moved = |press: &mut Press| press.at.distance(to) > click_size(ui);
                    if let Some(press) = self.waits.take_if(moved) {
                        self.stroke = start(press);
                    }
                    if let Some((stroke, way)) = &mut self.stroke {
                        let seen = way.go(to).into_iter().filter(|at| over.rect.contains(*at));
                        seen.for_each(|at| dab(stroke, at));
                    }
                }
                Told::Up => {
                    self.stroke.take().into_iter().for_each(|(mut stroke, _)| take(&mut stroke));
                    self.waits = None;
                }
            }
            taken |= self.is_on();
        }
        self.stroke.iter_mut().for_each(|(stroke, _)| take(stroke));
        if !goes_on(ui) {
            *self = Self::default(); // the mouse is gone, and nobody told
        }
        taken
    }
}

/// How far the mouse may move within a click, points.
fn click_size(ui: &Ui) -> f32 {
    ui.ctx().options(|options| options.input_options.max_click_dist)
}

/// What the mouse did.
enum Told {
    Down(Press),
    Along(Pos2),
    Up,
}

/// All that the mouse did since the last frame, as far as it means strokes: a slow frame may have several whole ones in
/// it. A press is one on the view, and not one that turns the camera or sizes the brush.
fn told(ui: &Ui, over: Over) -> Vec<Told> {
    let (events, sizes) = ui.input(|input| (input.events.clone(), input.key_down(Key::B)));
    let is_last = |k: usize| events[k + 1..].iter().all(|event| button(event).is_none());
    let is_ours = |k: usize, at: Pos2, modifiers: Modifiers| {
        let on_view = match is_last(k) {
            true => over.response.is_pointer_button_down_on(),
            // what came and went within a frame is nobody's any more
            false => over.rect.contains(at) && ui.ctx().layer_id_at(at).is_none_or(|layer| layer == ui.layer_id()),
        };
        on_view && !modifiers.alt && !sizes
    };
    let of = |(k, event): (usize, &Event)| match (event, button(event)) {
        (Event::PointerMoved(at), _) => Some(Told::Along(*at)),
        (_, Some((at, true, modifiers))) if is_ours(k, at, modifiers) => {
            let (smooths, inverts) = (modifiers.shift, modifiers.command);
            Some(Told::Down(Press { at, smooths, inverts }))
        }
        (_, Some((_, false, _))) => Some(Told::Up),
        _ => None,
    };
    events.iter().enumerate().filter_map(of).collect()
}

/// What an event says of the left button: where, whether it is down now, and what was held.
fn button(event: &Event) -> Option<(Pos2, bool, Modifiers)> {
    match *event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers } => {
            Some((pos, pressed, modifiers))
        }
        _ => None,
    }
}

/// Whether the button is still down.
pub fn goes_on(ui: &Ui) -> bool {
    ui.input(|input| input.pointer.button_down(PointerButton::Primary))
}

/// How large the brush is seen at a place, points.
fn seen_radius(over: Over, place: Vec3, radius: f32) -> f32 {
    let beside = place + radius * over.camera.axes()[0];
    over.at(place).zip(over.at(beside)).map_or(1.0, |(a, b)| a.distance(b))
}

/// While B is held the mouse sizes the brush; whether it does.
pub fn sizes(ui: &Ui, over: Over, studio: &Studio, actions: &mut Vec<Action>) -> bool {
    let held = ui.input(|input| input.key_down(Key::B)) && !ui.ctx().egui_wants_keyboard_input();
    if !held || over.mouse().is_none() {
        return false;
    }
    let by = ui.input(|input| input.pointer.delta().x);
    if by != 0.0 {
        actions.push(brush::sized(studio, (by / DOUBLES).exp2()));
    }
    true
}

/// Draw a circle that lies in the model over the view.
pub fn draw_circle(ui: &Ui, over: Over, points: &[Vec3], color: Color32) {
    let seen: Vec<Pos2> = points.iter().filter_map(|&point| over.at(point)).collect();
    let painter = ui.painter().with_clip_rect(over.rect);
    for stroke in strokes(1.5, color) {
        painter.add(Shape::closed_line(seen.clone(), stroke));
    }
}

/// Words beside the mouse, the first line of them before all.
pub fn say(ui: &Ui, over: Over, at: Pos2, lines: Vec<String>) {
    let area = Area::new(ui.scope_id().with("beside the brush")).interactable(false).constrain_to(over.rect);
    area.order(Order::Tooltip).fixed_pos(at + vec2(22.0, 14.0)).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            for (i, line) in lines.into_iter().enumerate() {
                let text = if i == 0 { RichText::new(line).strong() } else { RichText::new(line).weak() };
                ui.add(Label::new(text).selectable(false).extend());
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn a_way_told_in_many_pieces_has_the_same_places() {
        let mut whole = Way::new(pos2(0.0, 0.0), 40.0);
        let mut pieces = whole;
        let at_once = whole.go(pos2(95.0, 0.0));
        let told: Vec<Pos2> = (1..=37).flat_map(|k| pieces.go(pos2(95.0 * k as f32 / 37.0, 0.0))).collect();
        assert_eq!(at_once.len(), 9);
        assert_eq!(told.len(), at_once.len());
        assert!(told.iter().zip(&at_once).all(|(a, b)| a.distance(*b) < 1e-3), "{told:?}");
    }
}
