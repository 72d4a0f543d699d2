//! The whole athlete, from a vertex count.

use crate::envelope::Envelope;
use crate::polygonise::mirrored;
use crate::skin::Skin;
use crate::{bones, clips, grow, muscles, order, pose, skeleton, weights};
use fusiform::musculature::Layer;
use fusiform::{BindError, Character, Mesh, Musculature};
use fusiform_fit::{FitError, Wear, influence};
use glam::Vec3;
use std::ops::RangeInclusive;

/// How many vertices may be asked for. Fewer are too coarse for a hand.
pub const VERTICES: RangeInclusive<usize> = 3_700..=100_000;

/// Shares of the work that are done when the skin is grown, and when the joint weights are there.
const GROWN: f32 = 0.75;
const WEIGHTED: f32 = 0.85;

/// A character with its muscles.
#[derive(Clone, Debug, PartialEq)]
pub struct Athlete {
    /// Skeleton, one closed skin, five clips.
    pub character: Character,
    /// The humanoid template's muscles and bones, laid into this body, and the muscles' weights on its skin.
    pub musculature: Musculature,
}

/// Why there is no athlete.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AthleteError {
    /// Too coarse for a hand, or too fine to be worth it.
    #[error("the athlete has {} to {} vertices, not {asked}; ask for a number in that range", VERTICES.start(), VERTICES.end())]
    Vertices {
        /// What was asked for.
        asked: usize,
    },
    /// The template cannot be laid into this body: a fault of the crate, never of the caller.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A laid muscle is not sound: a fault of the crate, never of the caller.
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// The athlete with about so many vertices: within 5 % of the wish, the same bits for the same wish.
///
/// One mesh, `skin`: a closed 2-manifold of even triangles, mirrored about x = 0, finer at hands, feet and face.
///
/// ```
/// let athlete = fusiform_athlete::athlete(4_000)?;
/// assert!(athlete.character.clip("squat").is_some());
/// # Ok::<(), fusiform_athlete::AthleteError>(())
/// ```
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete(vertices: usize) -> Result<Athlete, AthleteError> {
    athlete_with(vertices, |_| {})
}

/// [`athlete`], telling how far it is, from 0 to 1.
///
/// # Errors
/// When the count is outside [`VERTICES`].
pub fn athlete_with(vertices: usize, mut progress: impl FnMut(f32)) -> Result<Athlete, AthleteError> {
    if !VERTICES.contains(&vertices) {
        return Err(AthleteError::Vertices { asked: vertices });
    }
    let skeleton = skeleton();
    let envelope = Envelope::new();
    let muscles = muscles::lay(&skeleton, &envelope)?.muscles;
    let skin = Skin::new(&envelope, &skeleton, &muscles)?;
    let field = |p: Vec3| skin.distance(p);

    let half = grow::grow(&field, vertices, |done| progress(GROWN * done));
    let (positions, triangles) = mirrored(&half);
    let twins = pose::twins(&skeleton);
    let weights = weights::joint_weights(&skeleton, &envelope, &twins, &positions);
    let (positions, triangles, weights) = order::by_region(positions, triangles, &weights);
    progress(WEIGHTED);

    let normals = normals(&positions, &triangles);
    let clips = clips::clips(&skeleton);
    let mesh = Mesh { name: "skin".into(), positions, normals, triangles, weights };
    let character = Character { name: "athlete".into(), skeleton, meshes: vec![mesh], clips };
    let weights = influence(&character, &[Wear::Body], &muscles)?;
    let bones = bones::lay(&character, &envelope);
    let layers = vec![Layer::blend()];
    let musculature = Musculature { muscles, bones, layers, weights, ..Musculature::plain() };
    progress(1.0);
    Ok(Athlete { character, musculature })
}

/// Normals of the triangles around each vertex, by area: those of the field itself turn sharply inside creases that are
/// finer than the mesh.
fn normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| positions[v as usize]);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|&v| normals[v as usize] += area);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
