//! Screen: the skin by where in the picture it is seen. A quick stroke looks for it a hundred times in a frame, and a look at
//! all triangles takes too long for that where there are many.

use super::Camera;
use super::pick::{SkinHit, nearest, skin_at};
use crate::model::Studio;
use fusiform::BodyState;
use glam::{Vec2, Vec3};
use std::cell::{Cell, OnceCell};

/// Looks that all triangles together take less for than their cells.
const FEW: u32 = 2;
/// Cells along either side of the picture for each triangle that would lie along it.
const FINE: f32 = 0.5;
/// And at least and at most.
const CELLS: [f32; 2] = [8.0, 256.0];
/// What rounding may move a triangle by, shares of the picture.
const ROUNDING: f32 = 1e-4;

/// The skin in one picture.
pub struct Screen<'a> {
    studio: &'a Studio,
    state: &'a BodyState,
    camera: &'a Camera,
    aspect: f32,
    looks: Cell<u32>,
    cells: OnceCell<Cells>,
}

impl<'a> Screen<'a> {
    /// As it is in that state, in a picture so much wider than high.
    #[must_use]
    pub fn new(studio: &'a Studio, state: &'a BodyState, camera: &'a Camera, aspect: f32) -> Self {
        Self { studio, state, camera, aspect, looks: Cell::new(0), cells: OnceCell::new() }
    }

    /// What [`skin_at`] finds at a place in the picture, from (0, 0) top left to (1, 1) bottom right.
    #[must_use]
    pub fn skin(&self, at: Vec2) -> Option<SkinHit> {
        let ray = self.camera.ray(at, self.aspect);
        let looks = self.looks.replace(self.looks.get().saturating_add(1));
        if looks < FEW || at.min_element() < 0.0 || at.max_element() > 1.0 {
            return skin_at(self.studio, self.state, ray);
        }
        let places = self.state.positions();
        let cells = self.cells.get_or_init(|| {
            let matrix = self.camera.matrix(self.aspect);
            let seen = |place: &Vec3| {
                let clip = matrix * place.extend(1.0);
                (clip.w > 0.0).then(|| Vec2::new(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w))
            };
            Cells::new(&places.iter().map(seen).collect::<Vec<_>>(), self.studio.shown_triangles())
        });
        nearest(cells.at(at), places, ray)
    }
}

/// Triangles by the cells of the picture that they lie over.
struct Cells {
    n: usize, // along either side
    start: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Partly behind the eye: nobody knows where these are seen.
    near: Vec<[u32; 3]>,
}

impl Cells {
    /// Of places as they are seen; none behind the eye.
    fn new<'a>(seen: &[Option<Vec2>], triangles: impl Iterator<Item = &'a [u32; 3]>) -> Self {
        let (mut near, mut spans) = (Vec::new(), Vec::new());
        for triangle in triangles {
            match triangle.map(|v| seen[v as usize]) {
                [Some(a), Some(b), Some(c)] => {
                    let (low, high) = (a.min(b).min(c) - ROUNDING, a.max(b).max(c) + ROUNDING);
                    if high.min_element() >= 0.0 && low.max_element() <= 1.0 {
                        spans.push((*triangle, low, high));
                    }
                }
                [None, None, None] => {}
                _ => near.push(*triangle),
            }
        }
        let n = (FINE * (spans.len() as f32).sqrt()).clamp(CELLS[0], CELLS[1]) as usize;
        let cells = |low: Vec2, high: Vec2| {
            let ([left, top], [right, bottom]) = (cell(n, low), cell(n, high));
            (top..=bottom).flat_map(move |y| (left..=right).map(move |x| y * n + x))
        };
        let mut start = vec![0_u32; n * n + 1];
        spans.iter().flat_map(|&(_, low, high)| cells(low, high)).for_each(|cell| start[cell + 1] += 1);
        for cell in 0..n * n {
            start[cell + 1] += start[cell];
        }
        let mut put = vec![[0; 3]; start[n * n] as usize];
        let mut next = start.clone();
        for (triangle, low, high) in spans {
            for cell in cells(low, high) {
                put[next[cell] as usize] = triangle;
                next[cell] += 1;
            }
        }
        Self { n, start, triangles: put, near }
    }

    /// All that may lie over a place, in their order.
    fn at(&self, at: Vec2) -> impl Iterator<Item = &[u32; 3]> {
        let [x, y] = cell(self.n, at);
        let [from, to] = [0, 1].map(|k| self.start[y * self.n + x + k] as usize);
        self.triangles[from..to].iter().chain(&self.near)
    }
}

/// Across and down, of a place in the picture.
fn cell(n: usize, at: Vec2) -> [usize; 2] {
    at.to_array().map(|x| (x * n as f32).clamp(0.0, n as f32 - 1.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Project;

    #[test]
    fn many_looks_find_what_each_alone_would_from_far_and_from_within() {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        let studio = Studio::new(project, muscles, None).unwrap();
        let state = studio.live.muscled().1;
        let (low, high) = studio.project.bounds;
        for (steps, aspect) in [(0.0, 1.5), (4.0, 0.7), (20.0, 1.5), (60.0, 1.0)] {
            let mut camera = Camera::framing(low, high);
            camera.zoom_about(steps, state.positions()[100]);
            let screen = Screen::new(&studio, state, &camera, aspect);
            let places = (0..900).map(|k| Vec2::new((k % 30) as f32 / 29.0, (k / 30) as f32 / 29.0));
            let found = places.filter(|&at| {
                let hit = screen.skin(at);
                assert_eq!(hit, skin_at(&studio, state, camera.ray(at, aspect)), "{steps}: {at}");
                hit.is_some()
            });
            assert!(found.count() > 30, "{steps}");
            let cells = screen.cells.get().unwrap();
            let asked = cells.at(Vec2::splat(0.5)).count();
            assert!(asked < studio.shown_triangles().count() / 20, "{steps}: still {asked} triangles");
        }
    }
}
