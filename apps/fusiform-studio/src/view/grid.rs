//! Grid: lines on the ground that fade out into the distance, as far apart as suits the body.

use super::scene::{Corners, Look, Stamp, Stamped, Surface};
use glam::Vec3;

const COLOR: [f32; 3] = [0.35, 0.35, 0.38];
/// Of lines in the middle, and of every other one.
const OPACITY: [f32; 2] = [0.65, 0.35];
/// Lines from its middle to where it has faded out.
const LINES: i32 = 10;
/// Spaces between lines that a body is long, at most: those about a person are 50 cm wide.
const SPACES: f32 = 4.5;
/// A body that ends nearer to 0 than this share of its length stands there: soles may sink in, and heels lift.
const STANDS: f32 = 0.1;
/// Bodies are taken to be no smaller and no larger, m.
const LENGTHS: [f32; 2] = [1e-3, 1e4];

/// How the lines lie, m: how far apart, and how high.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Laid {
    step: f32,
    ground: f32,
}

impl Laid {
    /// Under a body that at bind reaches from there to there.
    fn under((low, high): (Vec3, Vec3)) -> Self {
        let length = Some((high - low).max_element()).filter(|length| *length > 0.0).unwrap_or(1.0);
        let length = length.clamp(LENGTHS[0], LENGTHS[1]);
        let stands_at_0 = low.y.abs() < STANDS * length || !low.y.is_finite();
        Self { step: round_step(length / SPACES), ground: if stands_at_0 { 0.0 } else { low.y } }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is no less.
#[must_use]
pub fn round_step(least: f32) -> f32 {
    let ten = 10_f32.powf(least.log10().floor());
    // what rounding takes from 0.5 leaves it 0.5
    [1.0, 2.0, 5.0].map(|of| of * ten).into_iter().find(|step| *step >= 0.999 * least).unwrap_or(10.0 * ten)
}

/// The grid under the body that was last shown.
#[derive(Debug, Default)]
pub(super) struct Grid {
    laid: Option<(Laid, Stamp)>,
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Grid {
    /// Under a body that at bind reaches from there to there, m.
    pub fn surface(&mut self, bounds: (Vec3, Vec3)) -> Surface<'_> {
        let stamp = self.lay(Laid::under(bounds));
        Surface {
            look: Look::Lines,
            corners: Corners::Placed { places: &self.places, normals: &self.normals, stays: Some(stamp) },
            colors: Stamped { of: &self.colors, stamp },
            indices: Stamped { of: &self.indices, stamp },
            edges: None,
        }
    }

    /// Lines, as they are or anew.
    fn lay(&mut self, wanted: Laid) -> Stamp {
        if let Some((laid, stamp)) = self.laid
            && laid == wanted
        {
            return stamp;
        }
        let Laid { step, ground } = wanted;
        self.places.clear();
        self.colors.clear();
        self.indices.clear();
        for line in -LINES..=LINES {
            for turned in [false, true] {
                for k in -LINES..=LINES {
                    let (across, along) = (step * line as f32, step * k as f32);
                    let near = (1.0 - (line * line + k * k) as f32 / (LINES * LINES) as f32).max(0.0);
                    let [r, g, b] = COLOR;
                    self.colors.push([r, g, b, near * near * OPACITY[(line % 2).unsigned_abs() as usize]]);
                    if k < LINES {
                        self.indices.extend([self.places.len() as u32, self.places.len() as u32 + 1]);
                    }
                    let [x, z] = if turned { [along, across] } else { [across, along] };
                    self.places.push(Vec3::new(x, ground, z));
                }
            }
        }
        self.normals = vec![Vec3::ZERO; self.places.len()];
        self.laid.insert((wanted, Stamp::new())).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// Of something of that height, from there up.
    fn body(low: f32, height: f32) -> (Vec3, Vec3) {
        (Vec3::ZERO.with_y(low), Vec3::ZERO.with_y(low + height))
    }

    #[test]
    fn a_small_creature_and_a_giant_stand_on_lines_of_their_own_size() {
        let mut grid = Grid::default();
        for (height, step) in [(1.8, 0.5), (0.3, 0.1), (20.0, 5.0), (0.02, 0.005), (0.0, 0.5), (f32::INFINITY, 5e3)] {
            grid.surface(body(0.0, height));
            let far = grid.places.iter().map(|place| place.x).fold(0.0, f32::max);
            assert!((far / (LINES as f32 * step) - 1.0).abs() < 1e-3, "{height} m: lines go as far as {far} m");
        }
    }

    #[test]
    fn the_ground_is_under_a_body_that_stands_elsewhere_and_at_0_under_one_whose_soles_sink_in() {
        for (low, ground) in [(0.0, 0.0), (-0.03, 0.0), (0.05, 0.0), (-0.9, -0.9), (2.5, 2.5)] {
            let mut grid = Grid::default();
            grid.surface(body(low, 1.8));
            assert_eq!(grid.places[0].y, ground, "{low}");
        }
    }

    #[test]
    fn lines_that_lie_as_they_did_are_not_sent_again() {
        let mut grid = Grid::default();
        let [person, taller, giant] = [1.7, 1.8, 17.0].map(|height| body(0.0, height));
        let first = grid.surface(person).corners.stamp();
        assert_eq!(grid.surface(taller).corners.stamp(), first);
        assert_ne!(grid.surface(giant).corners.stamp(), first);
    }

    #[test]
    fn steps_are_those_that_people_count_in() {
        for (least, step) in
            [(0.4, 0.5), (0.5, 0.5), (0.51, 1.0), (1.1, 2.0), (4.44, 5.0), (70.0, 100.0), (0.004, 0.005)]
        {
            assert!((round_step(least) / step - 1.0).abs() < 1e-5, "{least}: {}", round_step(least));
        }
    }
}
