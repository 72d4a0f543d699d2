//! Conforming: bellies follow the sculpted skin from inside, at the thickness of the fat.
//!
//! ```text
//! p  a belly vertex,  p′ its ring's centre,  r = |p − p′|,  q the place on the ray p′ → p where the fat begins
//! a  = (1 − e^((d−1) v)) facing            d along the belly, 0 at its middle and 1 at its ends
//! r′ = min(r + a (|q − p′| − r), |q − p′|)
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.3, with the printed
//! exponent's sign mended. The paper stops at the skin; here q is where the nearest skin is as far as the fat is thick, so
//! that a ray that meets the skin at a slant keeps its distance too. `facing` is the paper's partition plane for muscles
//! that have none: 1 out of the body, 0 to the side and inward, where other muscles lie.

use crate::Surface;
use fusiform::body::{BindError, RestBelly, RestSection, rest_bellies};
use fusiform::musculature::Sculpt;
use fusiform::{Muscle, Skeleton};
use glam::Vec3;
use rayon::prelude::*;

/// v: how far toward the ends a belly follows the skin.
const ATTENUATION: f32 = 5.0;
/// Cosine of a ray to the way out of the body: below the first the belly keeps its shape, above the second it follows.
const FACING: [f32; 2] = [0.05, 0.45];
/// A belly grows to at most this many times its own radius.
const MOST: f32 = 3.0;
/// Steps of a ray toward the fat, and how near is near enough, as a share of the fat.
const STEPS: usize = 24;
const NEAR: f32 = 0.02;
/// How much of its neighbours' mean a factor takes on, and how often.
const SMOOTH: f32 = 0.5;
const PASSES: usize = 2;

/// Give every muscle the shape of the skin over it. `superficial` says which lie right under the fat; the others only give
/// way where the skin is too near.
///
/// # Errors
/// When a muscle is not sound; the error names it and its cure.
pub fn conform(
    skeleton: &Skeleton,
    muscles: &mut [Muscle],
    superficial: &[bool],
    surface: &Surface,
    fat: f32,
) -> Result<(), BindError> {
    muscles.iter_mut().for_each(|muscle| muscle.sculpt = None);
    let bellies = rest_bellies(skeleton, muscles)?;
    let sculpts: Vec<Sculpt> = (bellies.par_iter().zip(superficial))
        .map(|(belly, &superficial)| Sculpt { factors: factors(belly, superficial, surface, fat) })
        .collect();
    for (muscle, sculpt) in muscles.iter_mut().zip(sculpts) {
        muscle.sculpt = Some(sculpt);
    }
    Ok(())
}

/// r′ / r of every belly vertex, ring by ring.
fn factors(belly: &RestBelly, superficial: bool, surface: &Surface, fat: f32) -> Vec<f32> {
    let (rings, sectors) = (belly.rings.len(), belly.points.len() / belly.rings.len());
    let mut most = vec![1.0; belly.points.len()];
    let mut factor = vec![1.0; belly.points.len()];
    for (i, ring) in belly.rings.iter().enumerate() {
        let d = (2.0 * i as f32 / (rings - 1) as f32 - 1.0).abs();
        let along = if superficial { 1.0 - ((d - 1.0) * ATTENUATION).exp() } else { 0.0 };
        for j in i * sectors..(i + 1) * sectors {
            let radius = belly.points[j].distance(ring.center);
            if radius > 1e-6 {
                let way = (belly.points[j] - ring.center) / radius;
                most[j] = to_fat(surface, ring.center, way, fat, MOST * radius) / radius;
                factor[j] = grown(ring, way, along, most[j]);
            }
        }
    }
    for _ in 0..PASSES {
        factor = smoothed(&factor, &most, sectors);
    }
    factor
}

/// r′ / r before smoothing, where `most` is |q − p′| / r.
fn grown(ring: &RestSection, way: Vec3, along: f32, most: f32) -> f32 {
    let facing = crate::smoothstep(FACING[0], FACING[1], way.dot(ring.b));
    (1.0 + along * facing * (most - 1.0)).min(most)
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
        let around = at(ring, sector + 1) + at(ring, sector + sectors - 1) + at(ring - 1, sector) + at(ring + 1, sector);
        (factor[j] + SMOOTH * (0.25 * around - factor[j])).min(most[j])
    };
    (0..factor.len()).map(new).collect()
}
