//! Marks as pixels, smooth at their edges.

use super::layout::{Anchor, Mark, TEXT};
use crate::{Picture, font};

pub(super) fn draw(marks: &[Mark], width: u32, height: u32) -> Picture {
    let mut picture = Picture::filled(width, height, [255; 3]);
    let mut cover = Cover { pixels: vec![0.0; width as usize * height as usize], touched: Vec::new() };
    for mark in marks {
        match mark {
            Mark::Stroke { points, width, color } => {
                cover.stroke(points, 0.5 * width, picture.width, picture.height);
                cover.paint(&mut picture, *color);
            }
            Mark::Text { text, x, y, size, anchor, strong } => {
                let share = match anchor {
                    Anchor::Left => 0.0,
                    Anchor::Middle => 0.5,
                    Anchor::Right => 1.0,
                };
                let left = x - share * font::width(text, *size);
                picture.write_text(text, left, *y, *size, TEXT);
                if *strong {
                    // written twice, a little aside: the pen is wider
                    picture.write_text(text, left + 0.04 * size, *y, *size, TEXT);
                }
            }
        }
    }
    picture
}

/// How much of every pixel one line covers, so that its own pieces do not darken each other where they meet.
struct Cover {
    pixels: Vec<f32>,
    touched: Vec<usize>,
}

impl Cover {
    fn stroke(&mut self, points: &[[f32; 2]], pen: f32, width: u32, height: u32) {
        let dot = [points.first().copied(), points.first().copied()];
        let lone = dot.into_iter().flatten().collect::<Vec<_>>();
        for edge in if points.len() == 1 { &lone } else { points }.windows(2) {
            let bound = |axis: usize, side: u32| {
                let (low, high) = (edge[0][axis].min(edge[1][axis]), edge[0][axis].max(edge[1][axis]));
                let end = |value: f32| value.clamp(0.0, side as f32) as usize;
                end(low - pen - 1.0)..end((high + pen + 2.0).ceil())
            };
            for row in bound(1, height) {
                for column in bound(0, width) {
                    let distance = font::distance([column as f32 + 0.5, row as f32 + 0.5], edge);
                    let cover = (pen - distance + 0.5).clamp(0.0, 1.0);
                    let i = row * width as usize + column;
                    if cover > self.pixels[i] {
                        self.pixels[i] = cover;
                        self.touched.push(i);
                    }
                }
            }
        }
    }

    fn paint(&mut self, picture: &mut Picture, color: [u8; 3]) {
        for i in self.touched.drain(..) {
            // a pixel may be listed twice; what is painted is gone
            let cover = std::mem::take(&mut self.pixels[i]);
            for (pixel, ink) in picture.pixels[3 * i..3 * i + 3].iter_mut().zip(color) {
                let (a, b) = (f32::from(*pixel), f32::from(ink));
                *pixel = (a + (b - a) * cover + 0.5) as u8;
            }
        }
    }
}
