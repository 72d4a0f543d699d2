//! Small buttons with a sign on them, drawn: fonts do not have them all.

use egui::{Color32, Pos2, Response, Sense, Shape, Stroke, Ui, pos2, vec2};
use std::f32::consts::TAU;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Back to what it was.
    Reset,
    /// Up the list.
    Up,
    /// Down the list, or open.
    Down,
    /// Closed.
    Right,
    /// Away with it.
    Cross,
}

/// Side of the button, points.
const SIZE: f32 = 18.0;

/// A button of that sign, which says `words` to who does not see it and to who waits over it.
pub fn icon(ui: &mut Ui, icon: Icon, enabled: bool, words: &str) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(SIZE, ui.spacing().interact_size.y.min(SIZE)), sense);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled && ui.is_enabled(), words));
    let visuals = ui.style().interact(&response);
    if enabled && response.hovered() {
        ui.painter().rect_filled(rect, 3.0, visuals.weak_bg_fill);
    }
    let color = if enabled { visuals.fg_stroke.color } else { ui.visuals().weak_text_color().gamma_multiply(0.35) };
    draw(ui, icon, rect.center(), color);
    response.on_hover_text(words)
}

fn draw(ui: &Ui, icon: Icon, at: Pos2, color: Color32) {
    let (painter, stroke) = (ui.painter(), Stroke::new(1.4, color));
    let triangle = |points: [(f32, f32); 3]| {
        let points = points.map(|(x, y)| at + vec2(x, y)).to_vec();
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    match icon {
        Icon::Up => triangle([(-4.0, 2.5), (0.0, -3.0), (4.0, 2.5)]),
        Icon::Down => triangle([(-4.0, -2.5), (4.0, -2.5), (0.0, 3.0)]),
        Icon::Right => triangle([(-2.5, -4.0), (3.0, 0.0), (-2.5, 4.0)]),
        Icon::Cross => {
            painter.line_segment([at + vec2(-3.5, -3.5), at + vec2(3.5, 3.5)], stroke);
            painter.line_segment([at + vec2(-3.5, 3.5), at + vec2(3.5, -3.5)], stroke);
        }
        Icon::Reset => {
            let on = |share: f32| pos2(at.x + 4.5 * (TAU * share).cos(), at.y + 4.5 * (TAU * share).sin());
            painter.line((0..=18).map(|i| on(-0.2 + 0.78 * i as f32 / 18.0)).collect(), stroke);
            triangle([(-1.5, -4.6), (3.8, -6.6), (3.0, -1.2)]);
        }
    }
}
