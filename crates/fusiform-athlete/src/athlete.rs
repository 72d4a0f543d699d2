//! The whole athlete, from a vertex count.

use crate::envelope::Envelope;
use crate::skin::Skin;
use crate::{clips, grow, muscles, order, polygonise, pose, remesh, skeleton, weights};
use fusiform::{Character, Mesh, Musculature};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// How many vertices may be asked for.
pub const VERTICES: RangeInclusive<usize> = 3_700..=100_000;

/// A character with its muscles.
#[derive(Clone, Debug, PartialEq)]
pub struct Athlete {
    /// Skeleton, one closed skin, five clips.
    pub character: Character,
    /// The humanoid template's muscles, laid into this body.
    pub musculature: Musculature,
}

/// Why there is no athlete.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AthleteError {
    /// Too coarse for a hand, or too fine to be worth it.
    #[error("the athlete has {} to {} vertices, not {asked}", VERTICES.start(), VERTICES.end())]
    Vertices {
        /// What was asked for.
        asked: usize,
    },
    /// The template cannot be laid into this body: a fault of the crate, never of the caller.
    #[error(transparent)]
    Fit(#[from] fusiform_fit::FitError),
    /// A laid muscle is not sound: a fault of the crate, never of the caller.
    #[error(transparent)]
    Bind(#[from] fusiform::BindError),
}

/// The athlete with about so many vertices.
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete(vertices: usize) -> Result<Athlete, AthleteError> {
    athlete_with(vertices, |_| {})
}

/// [`athlete`], telling how far it is from 0 to 1.
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete_with(vertices: usize, mut progress: impl FnMut(f32)) -> Result<Athlete, AthleteError> {
    if !VERTICES.contains(&vertices) {
        return Err(AthleteError::Vertices { asked: vertices });
    }
    let skeleton = skeleton();
    let envelope = Envelope::new();
    let placed = muscles::lay(&skeleton, &envelope)?;
    let skin = Skin::new(&envelope, &skeleton, &placed.muscles)?;
    let field = |p: Vec3| skin.distance(p);
    let half = grow::grow(&field, vertices, |done| progress(0.9 * done));
    let (positions, triangles) = polygonise::mirrored(&half);
    let twins = pose::twins(&skeleton);
    let weights = weights::joint_weights(&skeleton, &envelope, &twins, &positions);
    let (positions, triangles, weights) = order::by_region(positions, triangles, &weights);
    let normals = positions.par_iter().map(|&p| remesh::gradient(&field, p).normalize_or_zero()).collect();
    let clips = clips::clips(&skeleton);
    let mesh = Mesh { name: "skin".into(), positions, normals, triangles, weights };
    let character = Character { name: "athlete".into(), skeleton, meshes: vec![mesh], clips };
    progress(1.0);
    Ok(Athlete { character, musculature: Musculature { muscles: placed.muscles, ..Musculature::plain() } })
}

#[cfg(test)]
mod scratch {
    #[test]
    fn poke() {
        let sk = crate::skeleton();
        let env = crate::envelope::Envelope::new();
        let placed = crate::muscles::lay(&sk, &env).unwrap();
        let skin = crate::skin::Skin::new(&env, &sk, &placed.muscles).unwrap();
        let b = fusiform::body::rest_bellies(&sk, &placed.muscles).unwrap();
        for (m, b) in placed.muscles.iter().zip(&b) {
            if m.name.ends_with(".r") { continue; }
            let (i, w) = b.points.iter().enumerate().map(|(i, &p)| (i, env.distance(p))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let s = b.points.iter().map(|&p| skin.distance(p)).fold(-1.0, f32::max);
            if w > -0.001 { println!("{:40} ring {:2}/{} outside flesh {:6.1} mm  skin {:6.1}  at {:.3}", m.name, i / m.sectors as usize, m.rings, w * 1e3, s * 1e3, b.points[i]); }
        }
    }
}
