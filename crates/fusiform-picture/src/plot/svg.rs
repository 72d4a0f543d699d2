//! Marks as an SVG: lines stay lines, and text stays text.

use super::layout::{Anchor, Mark, TEXT};
use std::fmt::Write as _;

/// Size of a common font whose capitals are as high as those of ours; and where its baseline is under our upper edge.
const FONT_SIZE: f32 = 0.82;
const BASELINE: f32 = 0.735;

pub(super) fn write(marks: &[Mark], width: u32, height: u32) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" fill=\"{}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        hex(TEXT)
    );
    for mark in marks {
        match mark {
            Mark::Stroke { points, width, color } => stroke(points, *width, *color, &mut svg),
            Mark::Text { text, x, y, size, anchor, strong } => {
                let (x, y) = (round(*x), round(y + BASELINE * size));
                let anchor = match anchor {
                    Anchor::Left => "start",
                    Anchor::Middle => "middle",
                    Anchor::Right => "end",
                };
                let weight = if *strong { " font-weight=\"bold\"" } else { "" };
                let size = round(FONT_SIZE * size);
                let text = escaped(text);
                let _ = writeln!(
                    svg,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{weight}>{text}</text>"
                );
            }
        }
    }
    svg + "</svg>\n"
}

fn stroke(points: &[[f32; 2]], width: f32, color: [u8; 3], svg: &mut String) {
    let places: Vec<String> = points.iter().map(|p| format!("{},{}", round(p[0]), round(p[1]))).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
        places.join(" "),
        hex(color),
        round(width)
    );
}

/// To a hundredth of a pixel.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// What XML would take for its own; characters it does not allow are left out.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
