//! The skin: flesh, drawn in a little where muscles lie, and the bellies over it, under a thin layer of fat.
//!
//! ```text
//! skin(p) = blend( flesh(p) + hollow(p),  bellies(p) - FAT )
//! ```
//! Grooves between bellies are as deep as the flesh is drawn in; the blends decide how soft their edges are.

use crate::envelope::Envelope;
use crate::stack::blend;
use fusiform::body::{BindError, RestSection, rest_bellies};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use rayon::prelude::*;

/// Skin and fat over a belly, metres.
const FAT: f32 = 0.0035;
/// How far the flesh is drawn in where muscles lie, metres.
const HOLLOW: f32 = 0.0055;
/// Distance from the bellies at which the flesh is no longer drawn in, metres.
const HOLLOW_REACH: f32 = 0.022;
/// Width of the seam between neighbouring bellies, metres.
const BELLY_SEAM: f32 = 0.016;
/// Width of the seam between bellies and flesh, metres.
const FLESH_SEAM: f32 = 0.020;
/// Bellies further away than this do not matter, metres.
const REACH: f32 = 0.035;
/// Sections of a belly while the skin is grown: enough that none of them shows.
const SECTIONS: u16 = 33;
/// Of every so many sections one is looked at first.
const STRIDE: usize = 4;
/// A tendon is never thinner than this, metres.
const MIN_HALF_AXIS: f32 = 5e-4;

/// The athlete's skin as an implicit surface.
pub(crate) struct Skin<'a> {
    envelope: &'a Envelope,
    bellies: Vec<Belly>,
    nearby: Nearby,
}

/// One belly of the left half.
struct Belly {
    sections: Vec<RestSection>,
}

/// Which bellies matter where: a coarse grid of lists.
struct Nearby {
    low: Vec3,
    n: [usize; 3],
    lists: Vec<Vec<u16>>,
}

/// Cells of [`Nearby`], metres.
const CELL: f32 = 0.04;

impl Nearby {
    fn new(bellies: &[Belly]) -> Self {
        let sections = || bellies.iter().flat_map(|belly| &belly.sections);
        let low = sections().fold(Vec3::MAX, |low, s| low.min(s.center)) - Vec3::splat(2.0 * REACH);
        let high = sections().fold(Vec3::MIN, |high, s| high.max(s.center)) + Vec3::splat(2.0 * REACH);
        let n = ((high - low) / CELL).ceil().to_array().map(|cells| cells.max(1.0) as usize);
        let list = |cell: usize| {
            let corner = Vec3::new((cell % n[0]) as f32, (cell / n[0] % n[1]) as f32, (cell / n[0] / n[1]) as f32);
            let centre = low + (corner + 0.5) * CELL;
            let near = |belly: &Belly| belly.clearance(centre) < REACH + CELL * 0.87;
            (0..bellies.len() as u16).filter(|&b| near(&bellies[b as usize])).collect()
        };
        Self { low, n, lists: (0..n[0] * n[1] * n[2]).into_par_iter().map(list).collect() }
    }

    fn at(&self, p: Vec3) -> &[u16] {
        let cell = ((p - self.low) / CELL).floor().to_array();
        if (0..3).any(|axis| cell[axis] < 0.0 || cell[axis] >= self.n[axis] as f32) {
            return &[];
        }
        let [i, j, k] = cell.map(|c| c as usize);
        &self.lists[(k * self.n[1] + j) * self.n[0] + i]
    }
}

impl<'a> Skin<'a> {
    /// Over these muscles; those of the right are taken to mirror the left.
    pub fn new(envelope: &'a Envelope, skeleton: &Skeleton, muscles: &[Muscle]) -> Result<Self, BindError> {
        let left: Vec<Muscle> = muscles
            .iter()
            .filter(|muscle| !muscle.name.ends_with(".r"))
            .map(|muscle| Muscle { rings: SECTIONS, ..muscle.clone() })
            .collect();
        let bellies: Vec<Belly> =
            rest_bellies(skeleton, &left)?.into_iter().map(|belly| Belly { sections: belly.rings }).collect();
        let nearby = Nearby::new(&bellies);
        Ok(Self { envelope, bellies, nearby })
    }

    /// About the signed distance to the skin, metres, negative inside.
    pub fn distance(&self, p: Vec3) -> f32 {
        let p = Vec3::new(p.x.abs(), p.y, p.z);
        let flesh = self.envelope.distance(p);
        if flesh.abs() > REACH + HOLLOW {
            return flesh;
        }
        let mut bellies = REACH;
        for &belly in self.nearby.at(p) {
            bellies = blend(bellies, self.bellies[belly as usize].distance(p), BELLY_SEAM);
        }
        let near = 1.0 - (bellies / HOLLOW_REACH).clamp(0.0, 1.0);
        let hollow = HOLLOW * near * near * (3.0 - 2.0 * near);
        blend(flesh + hollow, bellies - FAT, FLESH_SEAM)
    }
}

impl Belly {
    /// At most this near, metres: distance to the balls about its sections.
    fn clearance(&self, p: Vec3) -> f32 {
        let ball = |s: &RestSection| s.center.distance(p) - s.half_axes.max_element();
        let spacing = self.sections[0].center.distance(self.sections[1].center);
        self.sections.iter().map(ball).fold(f32::INFINITY, f32::min) - spacing
    }

    /// About the signed distance to the belly: that to the ellipse where its line is nearest.
    fn distance(&self, p: Vec3) -> f32 {
        // the nearest of a few sections first, then the nearest piece of the line about it
        let square = |i: &usize| self.sections[*i].center.distance_squared(p);
        let coarse = (0..self.sections.len()).step_by(STRIDE).min_by(|a, b| square(a).total_cmp(&square(b)));
        let middle = coarse.unwrap_or(0);
        let (first, last) = (middle.saturating_sub(STRIDE), (middle + STRIDE).min(self.sections.len() - 1));
        let mut nearest = (f32::INFINITY, 0, 0.0);
        for i in first..last {
            let pair = &self.sections[i..i + 2];
            let chord = pair[1].center - pair[0].center;
            let t = ((p - pair[0].center).dot(chord) / chord.length_squared().max(1e-12)).clamp(0.0, 1.0);
            let distance = (pair[0].center + chord * t).distance_squared(p);
            if distance < nearest.0 {
                nearest = (distance, i, t);
            }
        }
        let (_, i, t) = nearest;
        let (s, e) = (&self.sections[i], &self.sections[i + 1]);
        let from_line = p - s.center.lerp(e.center, t);
        let axes = s.half_axes.lerp(e.half_axes, t).max(glam::Vec2::splat(MIN_HALF_AXIS));
        let (b, c) = (s.b.lerp(e.b, t), s.c.lerp(e.c, t));
        let along = from_line.dot(s.a);
        let (x, y) = (from_line.dot(b) / axes.x, from_line.dot(c) / axes.y);
        let norm = (x * x + y * y).sqrt().max(1e-6);
        let slope = ((x / axes.x).powi(2) + (y / axes.y).powi(2)).sqrt() / norm;
        let across = (norm - 1.0) / slope.max(0.5 / axes.max_element());
        // past its ends the belly is a point
        if t <= 0.0 || t >= 1.0 { across.max(0.0).hypot(along) + across.min(0.0) } else { across }
    }
}
