//! A small stroke font: printable ASCII as round-ended lines, drawn smooth at any size.
//!
//! Glyphs are drawn on a grid of hexadecimal digits: each point is `xy`, the baseline is `y = 3`,
//! small letters reach `a`, capitals `d`, descenders `0`. A stroke is a polyline; one that starts
//! with `~` is the control polygon of a smooth curve between its ends, with `o` of a closed one
//! (quadratic B-splines, by Chaikin's corner cutting).

use crate::Picture;

/// Grid rows in a line of text, from under the descenders to over the capitals.
const ROWS: f32 = 17.0;
/// Grid columns between glyphs, and of a space.
const GAP: f32 = 3.2;
/// Half the width of the pen, in grid units.
const PEN: f32 = 0.62;

/// Characters 32 to 126, five in a row.
#[rustfmt::skip]
const GLYPHS: [&str; 95] = [
    "", "1d16 13", "0d0a 3d3a", "2c14 5c44 0a6a 0666", "~6b6d0d0868630305 3e32", //   ! " # $
    "7d03 o0d3d3a0a o46767343", "~731a1d5d5a07035377", "0d0a", "~3e0b0531", "~0e3b3501", // % & ' ( )
    "3c36 0b67 6b07", "3b35 0868", "1401", "0848", "03", // * + , - .
    "5e01", "o0d6d6303", "0b3d33", "~0b0d6d6803 0363", "~0b0d6d6828 ~2868630305", // / 0 1 2 3
    "535d0676", "5d0d08 ~081a6a630305", "~5d0d06 o09696303", "0d6d23", "o1d5d5818 o08686303", // 4 5 6 7 8
    "o0d6d6707 ~6a6313", "09 03", "19 1401", "5b0855", "0a5a 0656", // 9 : ; < =
    "0b5805", "~0b0d6d693836 33", "~73030d8d85656a o2a6a6626", "033d63 1656", "0d03 ~0d5d5808 ~08686303", // > ? @ A B
    "~6b6d0d036365", "0d03 ~0d3d6d633303", "5d0d0353 0848", "5d0d03 0848", "~6b6d0d036368 6838", // C D E F G
    "0d03 6d63 0868", "0d03", "~5d58530306", "0d03 6d06 2863", "0d0353", // H I J K L
    "030d478d83", "030d636d", "o0d7d7303", "0d03 ~0d6d6707", "o0d7d7303 4672", // M N O P Q
    "0d03 ~0d6d6707 3763", "~6b6d0d0868630305", "0d6d 3d33", "~0d080363686d", "0d336d", // R S T U V
    "0d234c638d", "0d63 6d03", "0d386d 3833", "0d6d0363", "2e0e0121", // W X Y Z [
    "0e51", "0e2e2101", "0a3d6a", "0262", "0d2b", // \ ] ^ _ `
    "o0a5a5303 5a53", "0d03 o0a5a5303", "~595a0a035354", "5d53 o0a5a5303", "0757 ~575a0a035354", // a b c d e
    "~4d1d1a13 0a3a", "o0a5a5303 ~5a55500001", "0d03 ~070a5a5753", "0a03 0d", "~2a242000 2d", // f g h i j
    "0d03 5a06 1753", "0d03", "0a03 ~070a4a4743 ~474a8a8783", "0a03 ~070a5a5753", "o0a6a6303", // k l m n o
    "0a00 o0a5a5303", "5a50 o0a5a5303", "0a03 ~070a4a", "~595a0a0756530304", "~1d161343 0a4a", // p q r s t
    "~0a06035356 5a53", "0a336a", "0a2349638a", "0a53 5a03", "0a33 6a20", // u v w x y
    "0a5a0353", "~3e1e1808 ~08181131", "0e01", "~0e2e2838 ~38282101", "~070939376769", // z { | } ~
];

/// A few signs that labels like to use.
fn glyph(character: char) -> &'static str {
    match character {
        ' '..='~' => GLYPHS[character as usize - 32],
        '°' => "o0d3d3a0a",
        '×' => "0a55 5a05",
        '–' | '—' => "0868",
        '→' => "0878 5b7855",
        '±' => "3c36 0969 0464",
        'µ' => "0a00 ~0a06035356 5a53",
        _ => GLYPHS['?' as usize - 32],
    }
}

pub(crate) type Point = [f32; 2];

/// Strokes of a glyph in grid units, and its width.
fn strokes(character: char) -> (Vec<Vec<Point>>, f32) {
    let strokes: Vec<Vec<Point>> = glyph(character).split(' ').map(stroke).collect();
    let width = strokes.iter().flatten().map(|p| p[0]).fold(0.0, f32::max);
    (strokes, if character == ' ' { GAP } else { width })
}

fn stroke(code: &str) -> Vec<Point> {
    let digits: Vec<f32> = code.chars().filter_map(|c| c.to_digit(16)).map(|d| d as f32).collect();
    let mut points: Vec<Point> = digits.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    let closed = code.starts_with('o');
    if closed || code.starts_with('~') {
        for _ in 0..3 {
            points = cut_corners(&points, closed);
        }
    }
    if closed {
        points.extend(points.first().copied());
    }
    points
}

fn cut_corners(points: &[Point], closed: bool) -> Vec<Point> {
    let n = points.len();
    let mix = |a: Point, b: Point, t: f32| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    let mut cut = Vec::with_capacity(2 * n + 2);
    let n_edge = if closed { n } else { n.saturating_sub(1) };
    for i in 0..n_edge {
        let (a, b) = (points[i], points[(i + 1) % n]);
        let (first, last) = (!closed && i == 0, !closed && i + 1 == n_edge);
        cut.push(if first { a } else { mix(a, b, 0.25) });
        cut.push(if last { b } else { mix(a, b, 0.75) });
    }
    cut
}

/// Width of a line of text of the given height, in pixels.
#[must_use]
pub(crate) fn width(text: &str, size: f32) -> f32 {
    let columns: f32 = text.chars().map(|c| strokes(c).1 + GAP).sum();
    (columns - GAP + 2.0 * PEN).max(0.0) * size / ROWS
}

impl Picture {
    /// Writes a line of text `size` pixels high with its upper left corner at `(x, y)`, in an
    /// 8-bit sRGB colour. What falls outside the picture is left out; characters beyond ASCII,
    /// except for `° × – → ± µ`, become question marks.
    pub fn write_text(&mut self, text: &str, x: f32, y: f32, size: f32, color: [u8; 3]) {
        if !(size > 0.0 && size <= 1e4 && x.is_finite() && y.is_finite()) {
            return;
        }
        let unit = size / ROWS;
        // lines thinner than a pixel would fade
        let pen = (PEN * unit).max(0.55);
        let mut left = x + PEN * unit;
        for character in text.chars() {
            let (strokes, columns) = strokes(character);
            let place = |p: &Point| [left + p[0] * unit, y + (15.5 - p[1]) * unit];
            let lines: Vec<Vec<Point>> = strokes.iter().map(|stroke| stroke.iter().map(place).collect()).collect();
            self.ink(&lines, pen, color);
            left += (columns + GAP) * unit;
        }
    }

    /// Covers the pixels near the lines.
    fn ink(&mut self, lines: &[Vec<Point>], pen: f32, color: [u8; 3]) {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for point in lines.iter().flatten() {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis] - pen - 1.0);
                high[axis] = high[axis].max(point[axis] + pen + 1.0);
            }
        }
        let end = |value: f32, side: u32| value.clamp(0.0, side as f32) as usize;
        for row in end(low[1], self.height)..end(high[1], self.height) {
            for column in end(low[0], self.width)..end(high[0], self.width) {
                let at = [column as f32 + 0.5, row as f32 + 0.5];
                let distance = lines.iter().map(|l| distance(at, l)).fold(f32::INFINITY, f32::min);
                let cover = (pen - distance + 0.5).clamp(0.0, 1.0);
                let i = (row * self.width as usize + column) * 3;
                for (pixel, ink) in self.pixels[i..i + 3].iter_mut().zip(color) {
                    let (a, b) = (f32::from(*pixel), f32::from(ink));
                    *pixel = (a + (b - a) * cover + 0.5) as u8;
                }
            }
        }
    }
}

/// Distance from a point to a polyline; a single point counts as a dot.
pub(crate) fn distance(at: Point, line: &[Point]) -> f32 {
    let to_edge = |a: Point, b: Point| {
        let (d, q) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
        let length2 = d[0] * d[0] + d[1] * d[1];
        let t = if length2 > 0.0 { ((q[0] * d[0] + q[1] * d[1]) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let (x, y) = (q[0] - d[0] * t, q[1] - d[1] * t);
        (x * x + y * y).sqrt()
    };
    match line {
        [] => f32::INFINITY,
        [dot] => to_edge(*dot, *dot) - 0.25,
        _ => line.windows(2).map(|edge| to_edge(edge[0], edge[1])).fold(f32::INFINITY, f32::min),
    }
}
