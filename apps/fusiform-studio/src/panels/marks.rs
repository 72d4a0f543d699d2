//! Marks: what is drawn over the picture, legible over anything and inside the view.

use super::Over;
use crate::model::{Show, Studio, Tool, belly_line};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Ui, Vec2, vec2};

const DARK: Color32 = Color32::from_rgb(20, 20, 24);
/// Of a box about its words, and between a box and the view's edge, points.
pub const PAD: Vec2 = vec2(6.0, 3.0);
pub const MARGIN: f32 = 6.0;
/// Between a mark and the box that says what it is, points.
const GAP: f32 = 8.0;
/// How much of the view's height the words beside the split's line take.
const SPLIT: f32 = 28.0;

/// How a line is drawn: a dark stroke under its own.
pub fn strokes(width: f32, color: Color32) -> [Stroke; 2] {
    [Stroke::new(width + 2.0, Color32::from_black_alpha(150)), Stroke::new(width, color)]
}

/// A line through places in the window.
pub fn line(painter: &Painter, through: &[Pos2], width: f32, color: Color32) {
    for stroke in strokes(width, color) {
        painter.line(through.to_vec(), stroke);
    }
}

/// The lines of the chosen muscles, where nothing else that is shown tells them from others.
pub fn chosen(ui: &Ui, over: Over, studio: &Studio) {
    let has_color = matches!(studio.show, Show::Muscles | Show::Both);
    if has_color && studio.tool != Tool::Place {
        return;
    }
    let painter = ui.painter().with_clip_rect(over.rect);
    for &m in &studio.chosen {
        let seen: Option<Vec<Pos2>> = belly_line(&studio.live, m).into_iter().map(|at| over.at(at)).collect();
        if let Some(seen) = seen {
            line(&painter, &seen, 2.0, Color32::WHITE);
        }
    }
}

/// A handle, larger while the mouse is on it.
pub fn dot(ui: &Ui, over: Over, at: Pos2, color: Color32, hot: bool) {
    let painter = ui.painter().with_clip_rect(over.rect);
    let radius = if hot { 7.0 } else { 5.0 };
    painter.circle_filled(at, radius + 1.5, DARK);
    painter.circle(at, radius, color, Stroke::new(if hot { 2.0 } else { 1.0 }, Color32::WHITE));
}

/// Words beside a place.
pub fn label(ui: &Ui, over: Over, at: Pos2, words: &str, color: Color32) {
    if !words.is_empty() {
        let beside = |size| Align2::LEFT_BOTTOM.anchor_size(at + vec2(13.0, -10.0), size);
        boxed(ui, over.rect, words, color, beside);
    }
}

/// Words beyond the end of a line.
pub fn at_end(ui: &Ui, over: Over, [from, to]: [Pos2; 2], words: &str, color: Color32) {
    let way = (to - from).normalized();
    boxed(ui, over.rect, words, color, |size| {
        let half = 0.5 * size + PAD;
        let off = half.x * way.x.abs() + half.y * way.y.abs() + GAP;
        Rect::from_center_size(to + off * way, size)
    });
}

/// What to do next, at the top of the view; below what is said of the split there.
pub fn hint(ui: &Ui, over: Over, words: &str) {
    let down = if over.line.is_some() { MARGIN + SPLIT } else { MARGIN };
    let top = over.rect.center_top() + vec2(0.0, down + PAD.y);
    boxed(ui, over.rect, words, Color32::WHITE, |size| Align2::CENTER_TOP.anchor_size(top, size));
}

/// The line between muscles and plain skinning, and what is on either side of it, as far as there is room to say it.
pub fn split(ui: &Ui, rect: Rect, x: f32) {
    let painter = ui.painter().with_clip_rect(rect);
    line(&painter, &[rect.left_top(), rect.left_bottom()].map(|end| Pos2::new(x, end.y)), 2.0, Color32::WHITE);
    let (left, right) = rect.split_left_right_at_x(x);
    let y = rect.top() + MARGIN + PAD.y;
    let beside = GAP + PAD.x;
    for (room, align, at, words) in
        [(left, Align2::RIGHT_TOP, x - beside, "muscles"), (right, Align2::LEFT_TOP, x + beside, "plain skinning")]
    {
        let width = painter.layout_no_wrap(words.to_owned(), FontId::proportional(13.0), Color32::WHITE).size().x;
        if width + beside + PAD.x + MARGIN <= room.width() {
            boxed(ui, room, words, Color32::WHITE, |size| align.anchor_size(Pos2::new(at, y), size));
        }
    }
}

/// A box for something of that size, moved into the view where it would stick out.
pub fn frame(painter: &Painter, room: Rect, rect: Rect) -> Rect {
    let (rect, room) = (rect.expand2(PAD), room.shrink(MARGIN));
    // where there is too little room, what is read first is seen
    let back = (room.max - rect.max).min(Vec2::ZERO);
    let rect = rect.translate(back);
    let rect = rect.translate((room.min - rect.min).max(Vec2::ZERO));
    painter.rect_filled(rect, 4.0, DARK.gamma_multiply(0.8));
    rect.shrink2(PAD)
}

/// Words, where `place` wants what is so large.
fn boxed(ui: &Ui, room: Rect, words: &str, color: Color32, place: impl FnOnce(Vec2) -> Rect) {
    let painter = ui.painter().with_clip_rect(room);
    let width = (room.width() - 2.0 * (MARGIN + PAD.x)).max(1.0);
    let text = painter.layout(words.to_owned(), FontId::proportional(13.0), color, width);
    let rect = frame(&painter, room, place(text.size()));
    painter.galley(rect.min, text, color);
}
