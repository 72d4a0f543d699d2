//! Bellies: muscles as they are seen.

mod lofted;
mod placed;

use super::geometry::{CHOSEN, edges, opaque};
use super::scene::{Corners, Look, Stamp, Stamped, Surface};
use crate::model::{Show, Studio};
use fusiform::body::belly_triangles;
use fusiform_picture::color::{self, tension};
use glam::Vec3;
use lofted::Lofted;
use placed::Placed;
use std::collections::BTreeSet;

/// How much of a belly's length looks like tendon, at either end.
const TENDON: f32 = 0.12;

/// What is kept of all muscles that are shown.
#[derive(Debug, Default)]
pub(super) struct Bellies {
    lofted: (Crowd, Lofted),
    placed: (Crowd, Placed),
}

/// Several muscles that are drawn as one.
#[derive(Debug, Default)]
struct Crowd {
    shown: Vec<Belly>,
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
    /// Those that are made of their cross-sections, and the others; with edges, where they are wanted.
    pub fn surfaces(&mut self, studio: &Studio, edged: bool) -> [Surface<'_>; 2] {
        let (body, state) = studio.live.muscled();
        let of = |(muscle, of): (usize, &fusiform::Muscle)| Belly { muscle, rings: of.rings, sectors: of.sectors };
        let seen = studio.muscles().iter().enumerate().filter(|(m, _)| !studio.hidden.contains(m)).map(of);
        let (crowd, lofted) = &mut self.lofted;
        let joined = crowd.join(seen.clone().filter(|belly| body.has_sections_only(belly.muscle)));
        let corners = lofted.pose((body, state), (studio.live.bound(), joined), &crowd.shown);
        let lofted = crowd.surface(studio, corners, edged);
        let (crowd, placed) = &mut self.placed;
        crowd.join(seen.filter(|belly| !body.has_sections_only(belly.muscle)));
        let corners = placed.pose((body, state), &crowd.shown);
        [lofted, crowd.surface(studio, corners, edged)]
    }
}

impl Crowd {
    fn surface<'a>(&'a mut self, studio: &Studio, corners: Corners<'a>, edged: bool) -> Surface<'a> {
        let joined = *self.joined.get_or_insert_with(Stamp::new);
        if edged && self.edges.is_none() {
            self.edges = Some((edges(bytemuck::cast_slice(&self.indices)), Stamp::new()));
        }
        let painted = self.paint(studio);
        Surface {
            look: Look::Solid,
            corners,
            colors: Stamped { of: &self.colors, stamp: painted },
            indices: Stamped { of: &self.indices, stamp: joined },
            edges: self.edges.as_ref().filter(|_| edged).map(|(of, stamp)| Stamped { of, stamp: *stamp }),
        }
    }

    /// Triangles, as they are or anew.
    fn join(&mut self, seen: impl Iterator<Item = Belly> + Clone) -> Stamp {
        if let Some(joined) = self.joined
            && seen.clone().eq(self.shown.iter().copied())
        {
            return joined;
        }
        self.shown = seen.collect();
        self.indices.clear();
        let mut first = 0;
        for belly in &self.shown {
            let triangles = belly_triangles(belly.rings.into(), belly.sectors.into());
            self.indices.extend(triangles.iter().flatten().map(|corner| corner + first));
            first += belly.n_point() as u32;
        }
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
