//! Bellies: muscles as they are seen.

use super::geometry::{CHOSEN, edges, opaque};
use super::scene::{Look, Stamp, Stamped, Surface};
use crate::model::{Show, Studio};
use fusiform::body::belly_triangles;
use fusiform_picture::color::{self, tension};
use glam::Vec3;
use std::collections::BTreeSet;

/// How much of a belly's length looks like tendon, at either end.
const TENDON: f32 = 0.12;

/// What is kept of all muscles that are shown.
#[derive(Debug, Default)]
pub(super) struct Bellies {
    shown: Vec<Belly>,
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: Vec<u32>,
    joined: Option<Stamp>,
    edges: Option<(Vec<u32>, Stamp)>,
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
    /// With edges, where they are wanted.
    pub fn surface(&mut self, studio: &Studio, edged: bool) -> Surface<'_> {
        let joined = self.join(studio);
        if edged && self.edges.is_none() {
            self.edges = Some((edges(bytemuck::cast_slice(&self.indices)), Stamp::new()));
        }
        let painted = self.paint(studio);
        self.pose(studio);
        Surface {
            look: Look::Solid,
            places: &self.places,
            normals: &self.normals,
            stays: None,
            colors: Stamped { of: &self.colors, stamp: painted },
            indices: Stamped { of: &self.indices, stamp: joined },
            edges: self.edges.as_ref().filter(|_| edged).map(|(of, stamp)| Stamped { of, stamp: *stamp }),
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
        self.normals.resize(first as usize, Vec3::ZERO);
        (self.edges, self.painted) = (None, None);
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
        let rooms = self.shown.iter().map(|belly| {
            let (room, after) = std::mem::take(&mut rest).split_at_mut(belly.n_point());
            rest = after;
            (belly.muscle, room)
        });
        state.bellies_points(body, rooms);
        let (mut places, mut normals) = (&self.places[..], &mut self.normals[..]);
        for belly in &self.shown {
            let (of, others) = places.split_at(belly.n_point());
            let (room, after) = normals.split_at_mut(belly.n_point());
            facing(of, belly.sectors.into(), room);
            (places, normals) = (others, after);
        }
    }
}

/// Normals of one belly, ring by ring: across what leads around it and what leads along it. Its ends, which may be points,
/// have nothing around them and take their neighbours'.
fn facing(places: &[Vec3], sectors: usize, normals: &mut [Vec3]) {
    let last = (places.len() / sectors).saturating_sub(1);
    for (i, normals) in normals.chunks_exact_mut(sectors).enumerate() {
        let ring = |i: usize| &places[i * sectors..][..sectors];
        let (before, after) = (ring(i.saturating_sub(1)), ring((i + 1).min(last)));
        let around = ring(i.max(1).min(last.saturating_sub(1)));
        let (mut left, mut here) = (around[sectors - 1], around[0]);
        for j in 0..sectors {
            let right = around[if j + 1 < sectors { j + 1 } else { 0 }];
            normals[j] = (right - left).cross(after[j] - before[j]).normalize_or_zero();
            (left, here) = (here, right);
        }
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
    let shown = (0..body.n_muscle()).filter(|m| !studio.hidden.contains(m));
    let mut bellies: Vec<(usize, Vec<Vec3>)> = shown.map(|m| (m, vec![Vec3::ZERO; body.belly_size(m)])).collect();
    state.bellies_points(body, bellies.iter_mut().map(|(m, places)| (*m, &mut places[..])));
    bellies.into_iter().map(|(m, places)| {
        let muscle = &studio.muscles()[m];
        (m, places, belly_triangles(usize::from(muscle.rings), usize::from(muscle.sectors)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::TAU;

    #[test]
    fn a_belly_faces_outward_at_its_pointed_ends_too() {
        let (rings, sectors) = (9, 8);
        let angle = |j: usize| TAU * j as f32 / sectors as f32;
        let out = |j: usize| Vec3::new(0.0, angle(j).cos(), angle(j).sin());
        let radius = |i: usize| (0.5 * TAU * i as f32 / (rings - 1) as f32).sin();
        let points = (0..rings).flat_map(|i| (0..sectors).map(move |j| (i, j)));
        let places: Vec<Vec3> = points.clone().map(|(i, j)| Vec3::X * i as f32 + out(j) * radius(i)).collect();
        let mut normals = vec![Vec3::ZERO; places.len()];
        facing(&places, sectors, &mut normals);
        for ((i, j), normal) in points.zip(&normals) {
            assert!((normal.length() - 1.0).abs() < 1e-4 && normal.dot(out(j)) > 0.5, "{i} {j} {normal}");
        }
        let triangles = belly_triangles(rings, sectors);
        let area = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| places[corner as usize]);
            (b - a).cross(c - a)
        };
        let with_sides = triangles.iter().filter(|triangle| area(triangle).length() > 1e-3);
        assert!(with_sides.clone().count() > 100);
        assert!(with_sides.clone().all(|t| area(t).dot(normals[t[0] as usize]) > 0.0));
    }
}
