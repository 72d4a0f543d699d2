//! The plot: time to the right, tension up; keys are added, dragged and deleted in it.

use super::{Curve, Curves, Shown, Span};
use crate::model::keys::{add_key, key, move_key, remove_key};
use crate::model::{Action, Gesture, Play};
use crate::view::round_step;
use egui::{
    Align2, Button, FontId, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke, TextWrapMode, Ui, pos2, vec2,
};

/// How near the mouse takes a key, in points.
const NEAR: f32 = 8.0;
/// Room for the numbers of the axes.
const LEFT: f32 = 30.0;
const BELOW: f32 = 16.0;
/// Beside the plot's edge a key is still seen whole, points.
const BESIDE: f32 = 7.0;
/// Points between the numbers below.
const APART: f32 = 80.0;
/// Points that the wheel goes to see e times as much.
const WHEEL: f32 = 160.0;

/// Where times and values are in the window.
#[derive(Clone, Copy)]
struct Axes {
    rect: Rect,
    span: Span,
    end: f32, // of the clip, s
}

impl Axes {
    fn at(self, time: f32, value: f32) -> Pos2 {
        self.rect.lerp_inside(vec2((time - self.span.from) / self.span.length(), 1.0 - value))
    }

    fn read(self, at: Pos2) -> (f32, f32) {
        let share = (at - self.rect.min) / self.rect.size();
        ((self.span.from + self.long(share.x)).clamp(0.0, self.end), (1.0 - share.y).clamp(0.0, 1.0))
    }

    /// How long a share of the width is, s.
    fn long(self, share: f32) -> f32 {
        share * self.span.length()
    }

    /// Where keys are seen.
    fn seen(self) -> Rect {
        self.rect.expand(BESIDE)
    }
}

impl Curves {
    pub(super) fn plot(&mut self, ui: &mut Ui, shown: &Shown, actions: &mut Vec<Action>) {
        let size = ui.available_size().max(vec2(80.0, 60.0));
        let (outer, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Activation curves"));
        let rect = Rect::from_min_max(outer.min + vec2(LEFT, 8.0), outer.max - vec2(10.0, BELOW));
        let before = Axes { rect, span: self.span(shown), end: shown.end };
        self.look(ui, &response, before, shown);
        let axes = Axes { span: self.span(shown), ..before };
        let under = response.hover_pos().and_then(|at| self.nearest(axes, shown, at));
        self.mouse(ui, &response, axes, shown, actions);
        grid(ui, axes, outer);
        let painter = ui.painter_at(axes.seen());
        for curve in &shown.curves {
            self.curve(ui, (&painter, axes), curve, under.as_ref());
        }
        let x = axes.at(shown.time.min(axes.end), 0.0).x;
        painter.vline(x, rect.y_range(), Stroke::new(1.5, ui.visuals().warn_fg_color));
        if let Some(at) = response.hover_pos().filter(|at| rect.contains(*at)) {
            let (time, value) = axes.read(at);
            let decimals = if axes.span.length() < 1.0 { 3 } else { 2 };
            let text = format!("{time:.decimals$} s  {value:.2}");
            let align = if at.x > rect.center().x { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
            let beside = if at.x > rect.center().x { vec2(-10.0, -4.0) } else { vec2(12.0, -4.0) };
            ui.painter().text(at + beside, align, text, FontId::proportional(11.0), ui.visuals().text_color());
        }
        let tip = "Double click: a key for the active muscle. Drag a key to move it, right click deletes it. Drag beside keys \
                   to move time. The wheel looks nearer, a middle drag goes along.";
        if response.hovered() && under.is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        }
        response.on_hover_text_at_pointer(tip);
        self.reset(ui, rect);
    }

    /// The wheel looks nearer about the mouse; a middle drag, shift with the wheel and two fingers go along.
    fn look(&mut self, ui: &Ui, response: &Response, axes: Axes, shown: &Shown) {
        let (mut span, width) = (axes.span, axes.rect.width().max(1.0));
        if response.dragged_by(PointerButton::Middle) {
            span = span.moved(-axes.long(response.drag_delta().x / width));
        }
        if let Some(at) = response.hover_pos() {
            let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            let times = (-scrolled.y / WHEEL).exp() / pinched;
            if times != 1.0 {
                span = span.scaled(times, axes.span.from + axes.long((at.x - axes.rect.left()) / width));
            }
            span = span.moved(-axes.long(scrolled.x / width));
        }
        if span != axes.span {
            let nearer = Some(span.within(shown.all())).filter(|span| *span != Span::whole(shown.end));
            self.nearer = nearer.map(|span| (shown.clip.to_owned(), span));
        }
    }

    /// A button in the corner, while not exactly the clip is seen.
    fn reset(&mut self, ui: &mut Ui, rect: Rect) {
        let size = vec2(84.0, 18.0);
        let corner = Align2::RIGHT_TOP.anchor_size(rect.right_top() + vec2(-2.0, 2.0), size);
        if self.nearer.is_some()
            && ui.put(corner, Button::new("Whole clip").small().wrap_mode(TextWrapMode::Extend)).clicked()
        {
            self.nearer = None;
        }
    }

    /// The key under the mouse: those of the active muscle first.
    fn nearest(&self, axes: Axes, shown: &Shown, at: Pos2) -> Option<(String, usize)> {
        let mut best: Option<(f32, String, usize)> = None;
        for curve in &shown.curves {
            let ahead = if self.active.as_ref() == Some(&curve.keys.muscle) { 0.5 } else { 1.0 };
            for (i, (time, value)) in (0..).map_while(|i| key(&curve.keys, i).map(|of| (i, of))) {
                let place = axes.at(time, value);
                let distance = place.distance(at);
                let taken = distance <= NEAR && axes.seen().contains(place);
                if taken && best.as_ref().is_none_or(|(least, ..)| ahead * distance < *least) {
                    best = Some((ahead * distance, curve.keys.muscle.clone(), i));
                }
            }
        }
        best.map(|(_, muscle, i)| (muscle, i))
    }

    fn mouse(&mut self, ui: &Ui, response: &Response, axes: Axes, shown: &Shown, actions: &mut Vec<Action>) {
        let at = response.interact_pointer_pos();
        if response.drag_started_by(PointerButton::Primary) {
            let taken = ui.input(|input| input.pointer.press_origin());
            self.take(taken.and_then(|at| self.nearest(axes, shown, at)));
            self.grabbed = self.picked.is_some().then(Gesture::begin);
            self.scrubs = self.picked.is_none();
        }
        if let (Some(at), true) = (at, response.dragged_by(PointerButton::Primary)) {
            self.drag(axes.read(at), shown, actions);
        }
        if response.drag_stopped() {
            (self.grabbed, self.scrubs) = (None, false);
        }
        let Some(at) = at else { return };
        let under = self.nearest(axes, shown, at);
        // who adds several quickly clicks three times in a row, as it is counted
        let twice = response.double_clicked() || response.triple_clicked();
        if twice && under.is_none() {
            self.add(axes.read(at), shown, actions);
        } else if response.clicked() {
            if under.is_none() {
                actions.extend([Play::Run(false).into(), Play::Seek(axes.read(at).0).into()]);
            }
            self.take(under);
        } else if response.secondary_clicked()
            && let Some((muscle, i)) = under
            && let Some(curve) = shown.find(&muscle)
        {
            let mut keys = curve.keys.clone();
            remove_key(&mut keys, i);
            self.picked = None;
            actions.push(shown.put(keys).into());
        }
    }

    /// Pick a key, and make its muscle the active one.
    fn take(&mut self, key: Option<(String, usize)>) {
        self.active = key.as_ref().map(|(muscle, _)| muscle.clone()).or(self.active.take());
        self.picked = key;
    }

    fn drag(&self, (time, value): (f32, f32), shown: &Shown, actions: &mut Vec<Action>) {
        if self.scrubs {
            actions.extend([Play::Run(false).into(), Play::Seek(time).into()]);
        }
        if let (Some(gesture), Some((muscle, i))) = (self.grabbed, &self.picked)
            && let Some(curve) = shown.find(muscle)
        {
            let mut keys = curve.keys.clone();
            move_key(&mut keys, *i, time, value, shown.end);
            if keys != curve.keys {
                actions.push(Action::Edit(shown.put(keys), Some(gesture)));
            }
        }
    }

    fn add(&mut self, (time, value): (f32, f32), shown: &Shown, actions: &mut Vec<Action>) {
        let Some(curve) = self.active.as_ref().and_then(|name| shown.find(name)) else { return };
        let mut keys = curve.keys.clone();
        let i = add_key(&mut keys, time, value);
        self.picked = Some((keys.muscle.clone(), i));
        actions.push(shown.put(keys).into());
    }

    fn curve(&self, ui: &Ui, (painter, axes): (&Painter, Axes), curve: &Curve, under: Option<&(String, usize)>) {
        let active = self.active.as_ref() == Some(&curve.keys.muscle);
        let color = if active { curve.color } else { curve.color.gamma_multiply(0.6) };
        if curve.keys.times.is_empty() {
            // not keyed: relaxed, as far as curves go
            let line = [axes.at(axes.span.from, 0.0), axes.at(axes.span.to, 0.0)];
            painter.extend(egui::Shape::dashed_line(&line, Stroke::new(1.0, color), 4.0, 4.0));
            return;
        }
        let steps = (axes.rect.width() / 2.0).max(2.0) as usize;
        let point = |i: usize| {
            let time = axes.span.from + axes.long(i as f32 / steps as f32);
            axes.at(time, curve.track.at(time).unwrap_or(0.0).clamp(0.0, 1.0))
        };
        painter.line((0..=steps).map(point).collect(), Stroke::new(if active { 2.0 } else { 1.2 }, color));
        for (i, (time, value)) in (0..).map_while(|i| key(&curve.keys, i).map(|of| (i, of))) {
            let is = |of: Option<&(String, usize)>| of.is_some_and(|(m, k)| *m == curve.keys.muscle && *k == i);
            let (picked, hovered) = (is(self.picked.as_ref()), is(under));
            let radius = if picked || hovered { 5.5 } else { 4.0 };
            let edge = if picked { ui.visuals().strong_text_color() } else { ui.visuals().window_fill };
            painter.circle(axes.at(time, value), radius, color, Stroke::new(1.5, edge));
        }
    }
}

fn grid(ui: &Ui, axes: Axes, outer: Rect) {
    let painter = ui.painter();
    let (weak, text) = (ui.visuals().widgets.noninteractive.bg_stroke, ui.visuals().weak_text_color());
    painter.rect_filled(outer, 2.0, ui.visuals().extreme_bg_color);
    if axes.span.to > axes.end {
        // a file may have keys there, which are never played
        let after = Rect::from_x_y_ranges(axes.at(axes.end, 0.0).x..=axes.rect.right(), axes.rect.y_range());
        painter.rect_filled(after.intersect(axes.rect), 0.0, weak.color.gamma_multiply(0.4));
    }
    let font = FontId::proportional(10.0);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = axes.at(axes.span.from, value).y;
        painter.hline(axes.rect.x_range(), y, weak);
        if value != 0.25 && value != 0.75 {
            painter.text(pos2(axes.rect.left() - 5.0, y), Align2::RIGHT_CENTER, format!("{value}"), font.clone(), text);
        }
    }
    let step = round_step(axes.long(APART / axes.rect.width().max(1.0)));
    // a hair more than what is seen, against rounding
    let (first, last) = ((axes.span.from / step - 1e-3).ceil(), (axes.span.to / step + 1e-3).floor());
    for i in first as i32..=last as i32 {
        let time = i as f32 * step;
        let x = axes.at(time, 0.0).x;
        painter.vline(x, axes.rect.y_range(), weak);
        let time = (1e4 * time).round() / 1e4;
        painter.text(pos2(x, axes.rect.bottom() + 3.0), Align2::CENTER_TOP, format!("{time} s"), font.clone(), text);
    }
}
