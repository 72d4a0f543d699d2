//! Conforming: bellies follow the sculpted skin from inside, at the thickness of the fat.
//!
//! ```text
//! p  a belly vertex,  p′ its foot: its ring's centre, or the nearest point between the bellies of a sheet,  r = |p − p′|,  q the place on the ray p′ → p where the fat begins
//! a  = (1 − e^((d−1) v)) toward            d along the belly, 0 at its middle and 1 at its ends
//! r′ = min(r + a (|q − p′| − r), |q − p′|)
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.3, with the printed
//! exponent's sign mended. The paper stops at the skin; here q is where the nearest skin is as far as the fat is thick, so
//! that a ray that meets the skin at a slant keeps its distance too. `facing` is the paper's partition plane for opposed
//! pairs, 1 − |way · n| toward it: as printed it would jump at rays along the plane. For muscles without such a plane it is 1
//! out of the body, 0 to the side and inward, where other muscles lie.

use crate::{Side, Surface, Template};
use fusiform::body::{BindError, RestBelly, RestSection, rest_bellies};
use fusiform::musculature::Sculpt;
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use rayon::prelude::*;

/// v: how far toward the ends a belly follows the skin.
const ATTENUATION: f32 = 8.0;
/// Cosine of a ray to the way out of the body: below the first the belly keeps its shape, above the second it follows.
const FACING: [f32; 2] = [-0.3, 0.1];
/// A belly grows to at most this many times its own radius out of the body, and to the side; a thin sheet counts as that
/// share of its half-width thick. To the side lie its neighbours.
const MOST_OUT: f32 = 4.0;
const MOST_ASIDE: f32 = 1.25;
/// A sheet of several bellies is as thick as it is to be; where it bends, much more would fold.
const MOST_OUT_SHEET: f32 = 1.7;
const SHEET: f32 = 0.35;
/// Cosines of a ray to the way out between which the one gives way to the other.
const ASIDE: [f32; 2] = [-0.1, 0.4];
/// In a pair it grows less, since the ellipsoid of half a limb lies close to its skin already, and what is farther is another
/// limb's.
const MOST_IN_PAIR: f32 = 1.6;
/// Steps of a ray toward the fat, and how near is near enough, as a share of the fat.
const STEPS: usize = 24;
const NEAR: f32 = 0.02;
/// How much of its neighbours' mean a factor takes on, and how often.
const SMOOTH: f32 = 0.5;
const PASSES: usize = 1;
/// Of a sheet, whose points lie close and move against each other where it bends.
const PASSES_SHEET: usize = 8;

/// Which way a belly grows toward the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Toward {
    /// Nowhere: other muscles lie over it, and it only gives way where the skin is too near.
    Deep,
    /// Out of the body, as its up-vector points.
    Outward,
    /// Away from the plane between two opposed muscles, its unit normal pointing to this one; less toward the other.
    Plane(Vec3),
}

impl Toward {
    /// How much the belly grows that way, 0 ..= 1.
    fn share(self, way: Vec3, ring: &RestSection) -> f32 {
        match self {
            Self::Deep => 0.0,
            Self::Outward => crate::smoothstep(FACING[0], FACING[1], way.dot(ring.b)),
            Self::Plane(normal) => (1.0 + way.dot(normal)).clamp(0.0, 1.0),
        }
    }

    /// How far it may reach that way, metres.
    fn limit(self, way: Vec3, ring: &RestSection, radius: f32, most_out: f32) -> f32 {
        if let Self::Plane(_) = self {
            return MOST_IN_PAIR * radius;
        }
        let out = crate::smoothstep(ASIDE[0], ASIDE[1], way.dot(ring.b));
        let thick = radius.max(SHEET * ring.half_axes.max_element());
        MOST_ASIDE * radius + out * (most_out * thick - MOST_ASIDE * radius)
    }
}

impl Template {
    /// Which way a muscle of that name grows toward the skin; nothing for one this template does not know.
    #[must_use]
    pub fn toward(&self, muscle: &str) -> Option<Toward> {
        let stem = Side::BOTH.into_iter().find_map(|side| muscle.strip_suffix(side.suffix())).unwrap_or(muscle);
        let sheet = self.sheets.iter().find(|sheet| sheet.name == stem);
        let is_meant = |name: &String| name == stem || sheet.is_some_and(|sheet| sheet.of.contains(name));
        let meant: Vec<_> = self.muscles.iter().filter(|muscle| is_meant(&muscle.name)).collect();
        let outward = meant.iter().any(|muscle| muscle.is_superficial());
        (!meant.is_empty()).then_some(if outward { Toward::Outward } else { Toward::Deep })
    }
}

/// Give every muscle the shape of the skin over it; one of `facing` for each.
///
/// # Errors
/// When a muscle is not sound; the error names it and its cure.
pub fn conform(
    skeleton: &Skeleton,
    muscles: &mut [Muscle],
    toward: &[Toward],
    surface: &Surface,
    fat: f32,
) -> Result<(), BindError> {
    muscles.iter_mut().for_each(|muscle| muscle.sculpt = None);
    let bellies = rest_bellies(skeleton, muscles)?;
    let sculpts: Vec<Sculpt> = (bellies.par_iter().zip(toward))
        .map(|(belly, &toward)| Sculpt { factors: factors(belly, toward, surface, fat) })
        .collect();
    for (muscle, sculpt) in muscles.iter_mut().zip(sculpts) {
        muscle.sculpt = Some(sculpt);
    }
    Ok(())
}

/// r′ / r of every belly vertex, ring by ring.
pub(crate) fn factors(belly: &RestBelly, toward: Toward, surface: &Surface, fat: f32) -> Vec<f32> {
    let (rings, sectors) = (belly.rings.len(), belly.points.len() / belly.rings.len());
    let mut most = vec![1.0; belly.points.len()];
    let mut factor = vec![1.0; belly.points.len()];
    let (most_out, passes) = match belly.bellies[..] {
        [] => (MOST_OUT, PASSES),
        _ => (MOST_OUT_SHEET, PASSES_SHEET),
    };
    for i in 0..rings {
        let d = (2.0 * i as f32 / (rings - 1) as f32 - 1.0).abs();
        let along = 1.0 - ((d - 1.0) * ATTENUATION).exp();
        for j in i * sectors..(i + 1) * sectors {
            let (foot, section) = (belly.feet[j], belly.section(j));
            let radius = belly.points[j].distance(foot);
            if radius > 1e-6 {
                let way = (belly.points[j] - foot) / radius;
                most[j] = to_fat(surface, foot, way, fat, toward.limit(way, section, radius, most_out)) / radius;
                factor[j] = (1.0 + along * toward.share(way, section) * (most[j] - 1.0)).min(most[j]);
            }
        }
    }
    for _ in 0..passes {
        factor = smoothed(&factor, &most, sectors);
    }
    factor
}

/// Metres from a point inside to where the fat begins that way, at most `limit`.
///
/// The ball about a place that touches the skin holds none of it, so the ray may go on by its radius less the fat.
fn to_fat(surface: &Surface, from: Vec3, way: Vec3, fat: f32, limit: f32) -> f32 {
    if !surface.contains(from) {
        return 0.0;
    }
    let mut gone = 0.0;
    for _ in 0..STEPS {
        let free = surface.distance(from + way * gone) - fat;
        if free <= NEAR * fat {
            break;
        }
        gone += free;
        if gone >= limit {
            return limit;
        }
    }
    gone
}

/// Each factor drawn to the mean of its four neighbours on the belly, never past the fat.
fn smoothed(factor: &[f32], most: &[f32], sectors: usize) -> Vec<f32> {
    let rings = factor.len() / sectors;
    let at = |ring: usize, sector: usize| factor[ring * sectors + sector % sectors];
    let new = |j: usize| {
        let (ring, sector) = (j / sectors, j % sectors);
        if ring == 0 || ring + 1 == rings {
            return factor[j];
        }
        let around =
            at(ring, sector + 1) + at(ring, sector + sectors - 1) + at(ring - 1, sector) + at(ring + 1, sector);
        (factor[j] + SMOOTH * (0.25 * around - factor[j])).min(most[j])
    };
    (0..factor.len()).map(new).collect()
}
