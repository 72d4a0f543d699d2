//! Stroke: what brushes share. The way of the mouse in even steps, whatever the frame rate; the size; the circle.

use crate::model::{Action, Studio};
use crate::panels::{Over, brush};
use egui::{Color32, Event, Key, PointerButton, Pos2, Shape, Stroke, Ui};
use glam::Vec3;

/// Radii of the brush between two places where it is put down.
const STEP: f32 = 0.25;
/// Doubling of the radius in so many points of a drag.
const DOUBLES: f32 = 120.0;

/// The way of the mouse from where the button went down.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    last: Pos2,
    gone: f32, // points since the brush was last put down
    step: f32, // points
}

impl Way {
    /// For a brush that is seen so large, in points.
    pub fn new(at: Pos2, radius: f32) -> Self {
        Self { last: at, gone: 0.0, step: (STEP * radius).max(1.0) }
    }

    /// Where the brush is put down on the way to the next place of the mouse: in even steps along all of it, so that it does
    /// not matter in how many pieces the mouse tells it.
    pub fn go(&mut self, to: Pos2) -> Vec<Pos2> {
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

/// Where the button goes down to begin a stroke in this frame: on the view, and not to turn the camera or to choose.
pub fn begins(ui: &Ui, over: Over) -> Option<Pos2> {
    let (modifiers, sizes) = ui.input(|input| (input.modifiers, input.key_down(Key::B)));
    let held = over.response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed());
    // a slow frame has the whole click in it
    let goes = held || over.response.clicked();
    (goes && !modifiers.alt && !modifiers.command && !sizes).then(|| over.mouse()).flatten()
}

/// Whether the button is still down.
pub fn goes_on(ui: &Ui) -> bool {
    ui.input(|input| input.pointer.button_down(PointerButton::Primary))
}

/// All places of the mouse since the last frame, up to where the button was let go.
pub fn moved(ui: &Ui) -> Vec<Pos2> {
    let is_end =
        |event: &Event| matches!(event, Event::PointerButton { button: PointerButton::Primary, pressed: false, .. });
    let place = |event: &Event| if let Event::PointerMoved(at) = event { Some(*at) } else { None };
    ui.input(|input| input.events.iter().take_while(|event| !is_end(event)).filter_map(place).collect())
}

/// How large the brush is seen at a place, points.
pub fn seen_radius(over: Over, place: Vec3, radius: f32) -> f32 {
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
    for stroke in [Stroke::new(3.5, Color32::from_black_alpha(150)), Stroke::new(1.5, color)] {
        painter.add(Shape::closed_line(seen.clone(), stroke));
    }
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
