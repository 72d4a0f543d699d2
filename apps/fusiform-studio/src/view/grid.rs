//! Grid: lines on the ground that fade out into the distance.

use super::scene::{Look, Stamp, Stamped, Surface};
use glam::Vec3;

const COLOR: [f32; 3] = [0.35, 0.35, 0.38];
/// Of lines in the middle, and of every other one.
const OPACITY: [f32; 2] = [0.65, 0.35];
/// Metres from its middle to where it has faded out.
const SIZE: f32 = 5.0;
/// Metres between lines, and between the places at which they fade.
const STEP: f32 = 0.5;

/// The grid; it never changes.
#[derive(Debug)]
pub(super) struct Grid {
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    stamp: Stamp,
}

impl Default for Grid {
    fn default() -> Self {
        let half = (SIZE / STEP) as i32;
        let (mut places, mut colors, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for line in -half..=half {
            for turned in [false, true] {
                for k in -half..=half {
                    let (across, along) = (STEP * line as f32, STEP * k as f32);
                    let place = if turned { Vec3::new(along, 0.0, across) } else { Vec3::new(across, 0.0, along) };
                    let near = (1.0 - place.length_squared() / (SIZE * SIZE)).max(0.0);
                    let [r, g, b] = COLOR;
                    colors.push([r, g, b, near * near * OPACITY[(line % 2).unsigned_abs() as usize]]);
                    if k < half {
                        indices.extend([places.len() as u32, places.len() as u32 + 1]);
                    }
                    places.push(place);
                }
            }
        }
        Self { normals: vec![Vec3::ZERO; places.len()], places, colors, indices, stamp: Stamp::new() }
    }
}

impl Grid {
    pub fn surface(&self) -> Surface<'_> {
        Surface {
            look: Look::Lines,
            places: &self.places,
            normals: &self.normals,
            stays: Some(self.stamp),
            colors: Stamped { of: &self.colors, stamp: self.stamp },
            indices: Stamped { of: &self.indices, stamp: self.stamp },
            edges: None,
        }
    }
}
