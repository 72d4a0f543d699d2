//! The whole athlete, from a vertex count.

use crate::envelope::Envelope;
use crate::{clips, grow, order, polygonise, pose, remesh, skeleton, weights};
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
    let field = |p: Vec3| envelope.distance(p);
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
    Ok(Athlete { character, musculature: Musculature::plain() })
}
