//! Marks: what tools draw over the picture.

use crate::panels::Over;
use egui::{Align2, Color32, FontId, Pos2, Stroke, Ui, vec2};

const DARK: Color32 = Color32::from_rgb(20, 20, 24);

/// A handle, larger while the mouse is on it.
pub fn dot(ui: &Ui, over: Over, at: Pos2, color: Color32, hot: bool) {
    let painter = ui.painter().with_clip_rect(over.rect);
    let radius = if hot { 7.0 } else { 5.0 };
    painter.circle_filled(at, radius + 1.5, DARK);
    painter.circle(at, radius, color, Stroke::new(if hot { 2.0 } else { 1.0 }, Color32::WHITE));
}

/// Words beside a place, legible over anything.
pub fn label(ui: &Ui, over: Over, at: Pos2, words: &str, color: Color32) {
    if !words.is_empty() {
        boxed(ui, over, at + vec2(13.0, -10.0), Align2::LEFT_BOTTOM, words, color);
    }
}

/// What to do next, at the top of the view.
pub fn hint(ui: &Ui, over: Over, words: &str) {
    boxed(ui, over, over.rect.center_top() + vec2(0.0, 12.0), Align2::CENTER_TOP, words, Color32::WHITE);
}

fn boxed(ui: &Ui, over: Over, at: Pos2, align: Align2, words: &str, color: Color32) {
    let painter = ui.painter().with_clip_rect(over.rect);
    let text = painter.layout_no_wrap(words.to_owned(), FontId::proportional(13.0), color);
    let rect = align.anchor_size(at, text.size());
    painter.rect_filled(rect.expand2(vec2(6.0, 3.0)), 4.0, DARK.gamma_multiply(0.8));
    painter.galley(rect.min, text, color);
}
