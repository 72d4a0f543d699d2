//! The bake: clips played, their residuals factored, targets and weights written into a copy of the file, and what
//! came out read back and held against the solver.

use crate::check::{self, ClipError};
use crate::error::BakeError;
use crate::factor::{FactorSettings, Factors, factor};
use crate::normals::normal_targets;
use crate::one_way::one_way;
use crate::parts::{PartSkin, Residuals};
use crate::surroundings::Surroundings;
use crate::take::{Take, keep};
use crate::unskin::exported_weights;
use crate::watch::{Stopped, rising};
use fusiform::{Body, Character, Musculature, SparseWeights};
use fusiform_files::gltf::{Gltf, Origin, PartMorphs, WeightTrack};
use glam::Vec3;
use std::ops::Range;

/// Joints that every player reads for a vertex; what more there are goes into the targets.
pub const INFLUENCES: usize = 4;

/// How to bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeSettings {
    /// Frames a second.
    pub fps: f32,
    /// Largest error of any vertex in any frame, metres.
    pub tolerance: f32,
    /// No more targets than this for a mesh.
    pub max_targets: usize,
    /// Whether clips loop; where this says nothing, those that end as they began.
    pub looped: Option<bool>,
    /// A level for every muscle, or empty.
    pub activation: Vec<f32>,
    /// What strikes the flesh, and what stands in its way.
    pub surroundings: Surroundings,
}

/// A character with muscles and the file it is in.
#[derive(Clone, Copy, Debug)]
pub struct Rigged<'a> {
    /// The file.
    pub gltf: &'a Gltf,
    /// Where in it the character came from.
    pub origin: &'a Origin,
    /// The character.
    pub character: &'a Character,
    /// Its muscles.
    pub musculature: &'a Musculature,
}

/// What a bake gave.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The file: no muscles, only targets and weights.
    pub gltf: Gltf,
    /// The same as bytes of a .glb.
    pub bytes: Vec<u8>,
    /// What was baked of each clip, and what it is worth in that file.
    pub clips: Vec<BakedClip>,
    /// Targets of each part.
    pub targets: Vec<usize>,
    /// Bytes that a position for every vertex and frame would take.
    pub raw_bytes: u64,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// One clip of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedClip {
    /// Its index in the character.
    pub clip: usize,
    /// Frames baked.
    pub frames: usize,
    /// Whether it was taken as a loop.
    pub looped: bool,
    /// Targets that it uses, in the part that uses most.
    pub targets: usize,
    /// What the file shows against what the solver does.
    pub error: ClipError,
}

/// Bake these clips as morph targets with animated weights.
///
/// # Errors
/// When the body cannot be bound, frames are not finite, the file cannot be written, or it is stopped by what `told`, which
/// hears how far it has come, gives back.
pub fn bake_morphs(
    rigged: Rigged,
    clips: &[usize],
    settings: &BakeSettings,
    told: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Baked, BakeError> {
    let mut told = rising(told);
    let Rigged { origin, character, musculature, .. } = rigged;
    let body = Body::bind(character, musculature)?;
    let skins = PartSkin::all(character, origin, INFLUENCES);
    let BakeSettings { fps, looped, activation, surroundings, .. } = settings;
    let take = |&clip: &usize| Take::of(&body, character, clip, activation, *fps, *looped).among(surroundings);
    let mut takes: Vec<Take> = clips.iter().map(take).collect();
    let kept = keep(&mut takes, &mut told)?;
    let mut progress = |done: f32| told(kept + (1.0 - kept) * done);
    let residuals = Residuals::new(&skins, &mut takes, settings.tolerance, |done| progress(0.2 * done))?;
    let mut factors = factored(&residuals, &skins, settings, |done| progress(0.2 + 0.4 * done))?;
    let (frames, damped) = (residuals.takes, residuals.damped);
    drop(residuals.parts);
    let mut normals = normal_targets(&body, &skins, &mut takes, &factors, |done| progress(0.6 + 0.1 * done))?;
    if settings.max_targets > 1 {
        factors.iter_mut().zip(&mut normals).for_each(|(factors, normals)| one_way(factors, normals));
    }
    progress(0.7)?;

    let mut takes: Vec<(usize, Take)> = clips.iter().copied().zip(takes).collect();
    let file = written(&rigged, &morphs(&factors, normals, &takes, &frames), settings.tolerance)?;
    let bytes = file.to_glb()?;
    progress(0.75)?;
    let errors = check::read_back(&bytes, &rigged, &mut takes, |done| progress(0.75 + 0.25 * done))?;
    let n_moved = frames.last().map_or(0, |last| last.end) * character.vertex_count();
    let clips = takes.iter().zip(errors).enumerate().map(|(i, ((clip, take), error))| BakedClip {
        clip: *clip,
        frames: take.times().len(),
        looped: take.is_looped(),
        targets: factors.iter().map(|factors| factors.clips[i].targets).max().unwrap_or(0),
        error,
    });
    Ok(Baked {
        clips: clips.collect(),
        targets: factors.iter().map(|factors| factors.n_target).collect(),
        raw_bytes: (n_moved * size_of::<Vec3>()) as u64,
        gltf: file,
        bytes,
        warnings: folded(damped, n_moved),
    })
}

/// Targets and tracks of the parts that have any; a track for each take, in order.
fn morphs(
    factors: &[Factors],
    normals: Vec<Vec<Vec3>>,
    takes: &[(usize, Take)],
    frames: &[Range<usize>],
) -> Vec<PartMorphs> {
    let part = |(part, (factors, normals)): (usize, (&Factors, Vec<Vec3>))| {
        let track = |((clip, take), frames): (&(usize, Take), &Range<usize>)| {
            let rows = frames.start * factors.n_target..frames.end * factors.n_target;
            (*clip, WeightTrack::linear(take.times().to_vec(), factors.weights[rows].to_vec()))
        };
        let tracks = takes.iter().zip(frames).map(track).collect();
        PartMorphs { part, n_target: factors.n_target, positions: factors.targets.clone(), normals, tracks }
    };
    let parts = factors.iter().zip(normals).enumerate().filter(|(_, (factors, _))| factors.n_target > 0);
    parts.map(part).collect()
}

/// A copy of the file with these targets instead of muscles.
fn written(rigged: &Rigged, morphs: &[PartMorphs], tolerance: f32) -> Result<Gltf, BakeError> {
    let (mut file, mut origin) = (rigged.gltf.clone(), rigged.origin.clone());
    file.remove_musculature();
    file.separate_meshes(&mut origin);
    let meshes = &rigged.character.meshes;
    if meshes.iter().any(|mesh| (0..mesh.weights.len()).any(|v| mesh.weights.of(v).count() > INFLUENCES)) {
        let few: Vec<SparseWeights> = meshes.iter().map(|mesh| exported_weights(&mesh.weights, INFLUENCES)).collect();
        file.set_joint_weights(&origin, &few, 1);
    }
    for part in morphs {
        file.add_morphs(&origin, part)?;
    }
    file.mark_baked(tolerance, origin.units);
    Ok(file)
}

fn factored(
    residuals: &Residuals,
    skins: &[PartSkin],
    settings: &BakeSettings,
    mut progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Vec<Factors>, BakeError> {
    let &BakeSettings { tolerance, max_targets, .. } = settings;
    // one is kept for the target that makes weights one-sided
    let max_targets = if max_targets > 1 { max_targets - 1 } else { max_targets };
    let wanted = FactorSettings { tolerance, max_targets, ..FactorSettings::default() };
    let mut factors = Vec::new();
    for (skin, rows) in skins.iter().zip(&residuals.parts) {
        let before = factors.len() as f32;
        let share = |done: f32| (before + done) / skins.len() as f32;
        factors.push(factor(rows, skin.bind.len(), &wanted, &residuals.takes, |done| progress(share(done)))?);
    }
    Ok(factors)
}

fn folded(damped: usize, of: usize) -> Vec<String> {
    match damped {
        0 => Vec::new(),
        n => {
            vec![format!("joints fold the skin flat at {n} of {of} vertices and frames; what remains is in the error")]
        }
    }
}
