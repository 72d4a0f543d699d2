//! Where everything goes: strokes and texts in pixels, the same for SVG and PNG.

use super::axis::Axis;
use super::{Panel, Plot};
use crate::compose::INK;
use crate::font;

/// Something to draw.
pub(super) enum Mark {
    /// A line through points.
    Stroke { points: Vec<[f32; 2]>, width: f32, color: [u8; 3] },
    /// A line of text whose upper edge is at `y`; `x` is its left end, middle or right end.
    Text { text: String, x: f32, y: f32, size: f32, anchor: Anchor, strong: bool },
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Colours that stay apart for the colour-blind and on white paper: Okabe and Ito's, the yellow left out.
///
/// Okabe, Ito: *Color Universal Design*, 2008.
const COLORS: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [72, 72, 72]];
/// Lines that come round to the same colour are broken: pixels drawn and left out, times the width of the line.
const DASHES: [Option<[f32; 2]>; 3] = [None, Some([5.0, 3.0]), Some([1.5, 2.5])];

const GRID: [u8; 3] = [226, 228, 232];
const ZERO: [u8; 3] = [150, 154, 162];
const FRAME: [u8; 3] = [120, 124, 132];

/// The longest name a legend shows, characters.
const LONGEST: usize = 26;

/// Sizes that all panels share.
struct Sheet {
    text: f32,
    left: f32,
    right: f32,
    /// Of the plotted lines.
    line: f32,
}

/// The whole plot.
pub(super) fn marks(plot: &Plot, width: f32, height: f32) -> Vec<Mark> {
    let text = (width / 70.0).clamp(11.0, 26.0);
    let title = if plot.title.is_empty() { 0.5 * text } else { 2.2 * text };
    // Under the last panel: numbers, and what they are.
    let bottom = 2.9 * text;
    let panel_height = (height - title - bottom) / plot.panels.len().max(1) as f32;
    let head = 1.7 * text;
    let box_height = (panel_height - head - 0.5 * text).max(1.0);
    let axes: Vec<Axis> = plot.panels.iter().map(|panel| value_axis(panel, box_height, text)).collect();
    let numbers = axes.iter().flat_map(|axis| &axis.ticks).map(|(_, label)| font::width(label, text));
    let left = numbers.fold(2.0 * text, f32::max) + 1.4 * text;
    let legends = plot.panels.iter().map(|panel| legend_width(panel, box_height, text)).fold(0.0, f32::max);
    let right = (width - legends - text).max(left + 1.0);
    let sheet = Sheet { text, left, right, line: (text / 8.0).max(1.4) };
    let all_times = plot.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points).map(|p| p[0]);
    let times = Axis::of_times(all_times, ((right - left) / (5.0 * text)).clamp(2.0, 12.0) as usize);
    let mut marks = Vec::new();
    if !plot.title.is_empty() {
        marks.push(words(&plot.title, left, 0.5 * text, 1.25 * text, Anchor::Left, true));
    }
    for (i, (panel, axis)) in plot.panels.iter().zip(&axes).enumerate() {
        let top = title + i as f32 * panel_height + head;
        let place = Place { sheet: &sheet, top, bottom: top + box_height, times: &times, values: axis };
        place.draw(panel, i + 1 == plot.panels.len(), &mut marks);
    }
    marks
}

fn value_axis(panel: &Panel, height: f32, text: f32) -> Axis {
    let values = panel.lines.iter().flat_map(|line| &line.points).map(|p| p[1]);
    Axis::of_values(values, (height / (1.8 * text)).clamp(1.0, 8.0) as usize)
}

/// How many names stand under each other, and how far apart: closer where that saves a column.
fn legend_rows(n: usize, height: f32, text: f32) -> (usize, f32) {
    let rows = |spacing: f32| ((height / (spacing * text)) as usize).max(1);
    let spacing = if n <= rows(1.35) { 1.35 } else { 1.1 };
    (rows(spacing), spacing)
}

fn legend_width(panel: &Panel, height: f32, text: f32) -> f32 {
    let columns =
        panel.lines.chunks(legend_rows(panel.lines.len(), height, text).0).map(|column| column_width(column, text));
    columns.sum()
}

fn column_width(lines: &[super::Line], text: f32) -> f32 {
    let names = lines.iter().filter(|line| !line.name.is_empty());
    names.map(|line| font::width(&short(&line.name), text) + 3.8 * text).fold(0.0, f32::max)
}

fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

fn words(text: &str, x: f32, y: f32, size: f32, anchor: Anchor, strong: bool) -> Mark {
    Mark::Text { text: text.to_owned(), x, y, size, anchor, strong }
}

/// One panel's box.
struct Place<'a> {
    sheet: &'a Sheet,
    top: f32,
    bottom: f32,
    times: &'a Axis,
    values: &'a Axis,
}

impl Place<'_> {
    fn x(&self, time: f64) -> f32 {
        self.sheet.left + self.times.share(time) * (self.sheet.right - self.sheet.left)
    }

    fn y(&self, value: f64) -> f32 {
        self.bottom - self.values.share(value) * (self.bottom - self.top)
    }

    fn draw(&self, panel: &Panel, last: bool, marks: &mut Vec<Mark>) {
        let Sheet { text, left, right, line } = *self.sheet;
        let unit = if panel.unit.is_empty() { String::new() } else { format!(" ({})", panel.unit) };
        marks.push(words(&format!("{}{unit}", panel.title), left, self.top - 1.4 * text, text, Anchor::Left, true));
        self.grid(last, marks);
        for (i, own) in panel.lines.iter().enumerate() {
            for points in self.pieces(&own.points) {
                stroke(points, i, line, marks);
            }
        }
        let corners = [[left, self.top], [left, self.bottom], [right, self.bottom]];
        marks.push(Mark::Stroke { points: corners.to_vec(), width: 1.0, color: FRAME });
        self.legend(panel, marks);
    }

    fn grid(&self, last: bool, marks: &mut Vec<Mark>) {
        let Sheet { text, left, right, .. } = *self.sheet;
        let straight = |from, to, color| Mark::Stroke { points: vec![from, to], width: 1.0, color };
        for (tick, label) in &self.times.ticks {
            let x = self.x(*tick);
            marks.push(straight([x, self.top], [x, self.bottom], GRID));
            if last {
                marks.push(straight([x, self.bottom], [x, self.bottom + 0.35 * text], FRAME));
                marks.push(words(label, x, self.bottom + 0.5 * text, text, Anchor::Middle, false));
            }
        }
        for (tick, label) in &self.values.ticks {
            let y = self.y(*tick);
            marks.push(straight([left, y], [right, y], if *tick == 0.0 { ZERO } else { GRID }));
            marks.push(straight([left - 0.35 * text, y], [left, y], FRAME));
            marks.push(words(label, left - 0.6 * text, y - 0.5 * text, text, Anchor::Right, false));
        }
        if last {
            let middle = 0.5 * (left + right);
            marks.push(words("time (s)", middle, self.bottom + 1.6 * text, text, Anchor::Middle, false));
        }
    }

    /// The line in pixels, broken where something is missing, and no finer than pixels are.
    fn pieces(&self, points: &[[f64; 2]]) -> Vec<Vec<[f32; 2]>> {
        let seen = points.split(|p| !(p[0].is_finite() && p[1].abs() < 1e150));
        let placed = seen.map(|piece| piece.iter().map(|p| [self.x(p[0]), self.y(p[1])]).collect::<Vec<_>>());
        placed.filter(|piece| !piece.is_empty()).map(|piece| thin(&piece)).collect()
    }

    fn legend(&self, panel: &Panel, marks: &mut Vec<Mark>) {
        let text = self.sheet.text;
        let (rows, spacing) = legend_rows(panel.lines.len(), self.bottom - self.top, text);
        let mut left = self.sheet.right + text;
        for (column, lines) in panel.lines.chunks(rows).enumerate() {
            for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.name.is_empty()) {
                let y = self.top + (row as f32 * spacing + 0.05) * text;
                let swatch = vec![[left, y + 0.5 * text], [left + 2.2 * text, y + 0.5 * text]];
                stroke(swatch, column * rows + row, self.sheet.line, marks);
                marks.push(words(&short(&line.name), left + 2.7 * text, y, text, Anchor::Left, false));
            }
            left += column_width(lines, text);
        }
    }
}

/// A line in the colour and with the dashes of its number.
fn stroke(points: Vec<[f32; 2]>, number: usize, width: f32, marks: &mut Vec<Mark>) {
    let color = COLORS[number % COLORS.len()];
    let pieces = match DASHES[number / COLORS.len() % DASHES.len()] {
        None => vec![points],
        Some(pattern) => dashed(&points, pattern.map(|length| length * width)),
    };
    marks.extend(pieces.into_iter().map(|points| Mark::Stroke { points, width, color }));
}

/// Of points that share a pixel column: the first, lowest, highest and last; so a noisy signal keeps its band.
fn thin(points: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        if column.len() <= 4 {
            kept.extend(column);
            continue;
        }
        let by_height = |a: &(usize, &[f32; 2]), b: &(usize, &[f32; 2])| a.1[1].total_cmp(&b.1[1]);
        let low = column.iter().enumerate().min_by(by_height).map_or(0, |(i, _)| i);
        let high = column.iter().enumerate().max_by(by_height).map_or(0, |(i, _)| i);
        kept.extend([0, low.min(high), low.max(high), column.len() - 1].map(|i| column[i]));
    }
    kept
}

/// The line cut into pieces of the first length, the second length apart.
fn dashed(points: &[[f32; 2]], pattern: [f32; 2]) -> Vec<Vec<[f32; 2]>> {
    let (mut pieces, mut piece) = (Vec::new(), points.first().copied().into_iter().collect::<Vec<_>>());
    let (mut drawing, mut left) = (true, pattern[0]);
    for edge in points.windows(2) {
        let [from, to] = [edge[0], edge[1]];
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let t = done / length;
            let at = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
            if drawing {
                piece.push(at);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![at];
            }
            drawing = !drawing;
            left = pattern[usize::from(!drawing)];
        }
        left -= length - done;
        if drawing {
            piece.push(to);
        }
    }
    pieces.extend(Some(piece).filter(|piece| !piece.is_empty()));
    pieces
}

/// Colour of all texts.
pub(super) const TEXT: [u8; 3] = INK;
