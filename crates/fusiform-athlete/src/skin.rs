//! The skin: flesh, drawn in a little where muscles lie, and the bellies over it, under a thin layer of fat.
//!
//! ```text
//! skin(p) = blend( flesh(p) + hollow(p),  bellies(p) - FAT )
//! ```
//! Grooves between bellies are as deep as the flesh is drawn in; the blends decide how soft their edges are.

use crate::envelope::Envelope;
use crate::figure::HOLLOWS;
use crate::stack::blend;
use fusiform::body::{BindError, RestBelly, RestSection, rest_bellies};
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use rayon::prelude::*;

/// Skin and fat over a belly, metres.
const FAT: f32 = 0.0035;
/// How far the flesh is drawn in where muscles lie, metres.
const HOLLOW: f32 = 0.0080;
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
/// A belly thinner than this (half-axis, metres) turns into tendon, which lies deeper by so many metres: a cord
/// would otherwise stand out of ankle and wrist.
pub(crate) const TENDON: f32 = 0.008;
const TENDON_DEPTH: f32 = 0.010;
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
    /// Of which of [`SHEETS`] it is a strip.
    sheet: Option<usize>,
}

/// Broad muscles that the template cuts into strips and that a body shows as one sheet, and the width of the seams
/// between the strips, metres.
const SHEETS: [(&str, f32); 9] = [
    ("pectoralis_major", 0.070),
    ("latissimus_dorsi", 0.060),
    ("trapezius", 0.050),
    ("serratus", 0.050),
    ("external_oblique", 0.040),
    ("erector_spinae", 0.030),
    ("gluteus", 0.050),
    ("extensor", 0.030),
    ("flexor", 0.030),
];

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
        let belly = |(belly, muscle): (RestBelly, &Muscle)| Belly {
            sections: belly.rings,
            sheet: SHEETS.iter().position(|(name, _)| muscle.name.starts_with(name)),
        };
        let bellies: Vec<Belly> = rest_bellies(skeleton, &left)?.into_iter().zip(&left).map(belly).collect();
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
        let mut sheet = (None, REACH);
        for &index in self.nearby.at(p) {
            let belly = &self.bellies[index as usize];
            let distance = belly.distance(p);
            // the strips of a sheet follow each other in the template
            sheet = match belly.sheet {
                Some(same) if belly.sheet == sheet.0 => (sheet.0, blend(sheet.1, distance, SHEETS[same].1)),
                _ => {
                    bellies = blend(bellies, sheet.1, BELLY_SEAM);
                    (belly.sheet, distance)
                }
            };
        }
        bellies = blend(bellies, sheet.1, BELLY_SEAM);
        let near = 1.0 - (bellies / HOLLOW_REACH).clamp(0.0, 1.0);
        let hollow = hollow(p) * near * near * (3.0 - 2.0 * near);
        blend(flesh + hollow, bellies - FAT, FLESH_SEAM)
    }
}

/// How far the flesh under muscles is drawn in at a place, metres.
fn hollow(p: Vec3) -> f32 {
    HOLLOWS.iter().fold(HOLLOW, |sum, &(centre, reach, depth)| {
        let t = (1.0 - Vec3::from_array(centre).distance_squared(p) / (reach * reach)).max(0.0);
        sum + depth * t * t * (3.0 - 2.0 * t)
    })
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
        let distance = if t <= 0.0 || t >= 1.0 {
            let outside = across.max(0.0);
            (outside * outside + along * along).sqrt() + across.min(0.0)
        } else {
            across
        };
        distance + TENDON_DEPTH * (1.0 - (axes.max_element() / TENDON).min(1.0))
    }
}
