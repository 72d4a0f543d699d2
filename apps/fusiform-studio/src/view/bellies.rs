//! Bellies: muscles as they are seen.

use super::geometry::opaque;
use super::scene::{Look, Stamp, Stamped, Surface};
use crate::model::{Show, Studio};
use fusiform::body::belly_triangles;
use fusiform_picture::color::{self, tension};
use glam::Vec3;
use std::collections::BTreeSet;

/// How much of a belly's length looks like tendon, at either end.
const TENDON: f32 = 0.12;
const CHOSEN: [f32; 3] = [0.95, 0.55, 0.08];

/// What is kept of all muscles that are shown.
#[derive(Debug, Default)]
pub(super) struct Bellies {
    shown: Vec<Belly>,
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: Vec<u32>,
    joined: Option<Stamp>,
    colors: Vec<[f32; 4]>,
    painted: Option<(Painted, Stamp)>,
}

/// A muscle that is shown: which, its rings and sectors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Belly {
    muscle: usize,
    rings: u16,
    sectors: u16,
}

impl Belly {
    fn n_point(self) -> usize {
        usize::from(self.rings) * usize::from(self.sectors)
    }
}

/// What colours show.
#[derive(Clone, Debug, PartialEq)]
enum Painted {
    Chosen(BTreeSet<usize>),
    Tension(Vec<f32>),
}

impl Bellies {
    pub fn surface(&mut self, studio: &Studio) -> Surface<'_> {
        let joined = self.join(studio);
        let painted = self.paint(studio);
        self.pose(studio);
        Surface {
            look: Look::Solid,
            places: &self.places,
            normals: &self.normals,
            stays: None,
            colors: Stamped { of: &self.colors, stamp: painted },
            indices: Stamped { of: &self.indices, stamp: joined },
            edges: None,
        }
    }

    /// Triangles, as they are or anew.
    fn join(&mut self, studio: &Studio) -> Stamp {
        let of = |(muscle, of): (usize, &fusiform::Muscle)| Belly { muscle, rings: of.rings, sectors: of.sectors };
        let shown = studio.muscles().iter().enumerate().filter(|(m, _)| !studio.hidden.contains(m)).map(of);
        if let Some(joined) = self.joined
            && shown.clone().eq(self.shown.iter().copied())
        {
            return joined;
        }
        self.shown = shown.collect();
        self.indices.clear();
        let mut first = 0;
        for belly in &self.shown {
            let triangles = belly_triangles(belly.rings.into(), belly.sectors.into());
            self.indices.extend(triangles.iter().flatten().map(|corner| corner + first));
            first += belly.n_point() as u32;
        }
        self.places.resize(first as usize, Vec3::ZERO);
        self.painted = None;
        *self.joined.insert(Stamp::new())
    }

    /// Colours, as they are or anew.
    fn paint(&mut self, studio: &Studio) -> Stamp {
        let wanted = match studio.show {
            Show::Tension => Painted::Tension(studio.live.muscled().1.activations().to_vec()),
            _ => Painted::Chosen(studio.chosen.clone()),
        };
        if let Some((painted, stamp)) = &self.painted
            && *painted == wanted
        {
            return *stamp;
        }
        self.colors.clear();
        for belly in &self.shown {
            let n = belly.n_point();
            match &wanted {
                Painted::Tension(levels) => self.colors.extend((0..n).map(|_| opaque(tension(levels[belly.muscle])))),
                Painted::Chosen(chosen) if chosen.contains(&belly.muscle) => {
                    self.colors.extend((0..n).map(|_| opaque(CHOSEN)));
                }
                Painted::Chosen(_) => {
                    self.colors.extend((0..n).map(|point| opaque(belly_color(point as f32 / n as f32))));
                }
            }
        }
        self.painted.insert((wanted, Stamp::new())).1
    }

    /// Where they are now, and how they face the light.
    fn pose(&mut self, studio: &Studio) {
        let (body, state) = studio.live.muscled();
        let mut rest = &mut self.places[..];
        for belly in &self.shown {
            let (places, after) = rest.split_at_mut(belly.n_point());
            state.belly_points(body, belly.muscle, places);
            rest = after;
        }
        self.normals.clear();
        self.normals.resize(self.places.len(), Vec3::ZERO);
        for corners in self.indices.chunks_exact(3) {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(|corner| self.places[corner as usize]);
            let area = (b - a).cross(c - a);
            corners.iter().for_each(|&corner| self.normals[corner as usize] += area);
        }
        self.normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
    }
}

/// From tendon to flesh to tendon.
fn belly_color(along: f32) -> [f32; 3] {
    let t = (1.0 - along.min(1.0 - along) / TENDON).clamp(0.0, 1.0);
    Vec3::from(color::MUSCLE).lerp(Vec3::from(color::TENDON), 0.75 * t * t * (3.0 - 2.0 * t)).into()
}

/// Every muscle that is shown: points and triangles.
pub(super) fn bellies(studio: &Studio) -> impl Iterator<Item = (usize, Vec<Vec3>, Vec<[u32; 3]>)> {
    let (body, state) = studio.live.muscled();
    (0..body.n_muscle()).filter(|m| !studio.hidden.contains(m)).map(move |m| {
        let muscle = &studio.muscles()[m];
        let mut places = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(body, m, &mut places);
        let triangles = belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors));
        (m, places, triangles)
    })
}
