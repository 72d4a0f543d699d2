//! The bake into helper joints, for engines with few morph slots: frames decomposed, joints written into a copy of the
//! file, and what came out read back and held against the solver.

use crate::check;
use crate::error::BakeError;
use crate::joints::{Decomposition, JointSettings, Sequence, decompose};
use crate::morphs::{BakeSettings, Baked, BakedClip, Rigged};
use crate::parts::PartSkin;
use crate::take::{Take, keep};
use crate::watch::{Stopped, rising};
use fusiform::{Body, Character, Detail, SparseWeights};
use fusiform_files::gltf::{HelperJoints, HelperTrack};
use glam::{Affine3A, Vec3};

/// Bake these clips as helper joints with their own keys.
///
/// # Errors
/// When the body cannot be bound, frames are not finite, the file cannot be written, or it is stopped by what `told`, which
/// hears how far it has come, gives back.
pub fn bake_joints(
    rigged: Rigged,
    clips: &[usize],
    settings: &BakeSettings,
    joints: &JointSettings,
    told: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Baked, BakeError> {
    let mut told = rising(told);
    let Rigged { gltf, origin, character, musculature } = rigged;
    let body = Body::bind(character, musculature)?;
    let BakeSettings { fps, looped, activation, surroundings, .. } = settings;
    let take = |&clip: &usize| Take::of(&body, character, clip, activation, *fps, *looped).among(surroundings);
    let mut takes: Vec<Take> = clips.iter().map(take).collect();
    let kept = keep(&mut takes, &mut told)?;
    let mut progress = |done: f32| told(kept + (1.0 - kept) * done);
    let skins = PartSkin::all(character, origin, joints.max_influences);
    let played = Played::new(character, &skins, &mut takes, |done| progress(0.1 * done))?;
    let found = decompose(&played.sequence(), joints, |done| progress(0.1 + 0.7 * done))?;
    let (mut file, mut origin) = (gltf.clone(), origin.clone());
    file.remove_musculature();
    file.separate_meshes(&mut origin);
    let helpers = written(&found, character, clips, &takes);
    file.add_helper_joints(&origin, &character.skeleton, &helpers, joints.max_influences)?;
    file.mark_baked(settings.tolerance, origin.units);
    let bytes = file.to_glb()?;
    let raw_bytes = (played.solved.len() * size_of::<Vec3>()) as u64;
    drop(played);
    let mut takes: Vec<(usize, Take)> = clips.iter().copied().zip(takes).collect();
    let errors = check::read_back(&bytes, &rigged, &mut takes, |done| progress(0.8 + 0.2 * done))?;
    let clips = takes.iter().zip(errors).map(|((clip, take), error)| BakedClip {
        clip: *clip,
        frames: take.times().len(),
        looped: take.is_looped(),
        targets: found.parents.len(),
        error,
    });
    let clips = clips.collect();
    Ok(Baked { gltf: file, bytes, clips, targets: vec![found.parents.len()], raw_bytes, warnings: Vec::new() })
}

/// All frames of all takes, stacked.
struct Played {
    bind: Vec<Vec3>,
    weights: SparseWeights,
    n_joint: usize,
    since_bind: Vec<Affine3A>,
    solved: Vec<Vec3>,
}

impl Played {
    fn new(
        character: &Character,
        skins: &[PartSkin],
        takes: &mut [Take],
        mut progress: impl FnMut(f32) -> Result<(), Stopped>,
    ) -> Result<Self, Stopped> {
        let (mut since_bind, mut solved) = (Vec::new(), Vec::new());
        let (n_frame, mut done) = (takes.iter().map(|take| take.times().len()).sum::<usize>(), 0);
        for take in takes {
            for moment in take.moments().iter().filter(|moment| moment.is_key) {
                take.show(moment, Detail::POSITIONS);
                since_bind.extend_from_slice(take.since_bind());
                solved.extend_from_slice(take.state().positions());
                done += 1;
                progress(done as f32 / n_frame as f32)?;
            }
        }
        let mut weights = SparseWeights::default();
        for skin in skins {
            (0..skin.weights.len()).for_each(|v| weights.push_vertex(skin.weights.of(v)));
        }
        let bind = skins.iter().flat_map(|skin| skin.bind.iter().copied()).collect();
        Ok(Self { bind, weights, n_joint: character.skeleton.joints.len(), since_bind, solved })
    }

    fn sequence(&self) -> Sequence<'_> {
        let Self { bind, weights, n_joint, since_bind, solved } = self;
        Sequence { bind, weights, n_joint: *n_joint, since_bind, solved }
    }
}

/// The helpers as a file has them.
fn written(found: &Decomposition, character: &Character, clips: &[usize], takes: &[Take]) -> HelperJoints {
    let bind = |h: usize| &character.skeleton.joints[usize::from(found.parents[h])].bind;
    let n_helper = found.parents.len();
    let mut weights = Vec::new();
    let mut first = 0;
    for mesh in &character.meshes {
        let mut of_mesh = SparseWeights::default();
        (first..first + mesh.positions.len()).for_each(|v| of_mesh.push_vertex(found.weights.of(v)));
        first += mesh.positions.len();
        weights.push(of_mesh);
    }
    let mut frame = 0;
    let tracks = clips.iter().zip(takes).map(|(&clip, take)| {
        let frames = frame..frame + take.times().len();
        frame = frames.end;
        let keys = frames.flat_map(|frame| (0..n_helper).map(move |h| found.local(frame, h, bind(h))));
        let (turns, places) = keys.unzip();
        HelperTrack { clip, times: take.times().to_vec(), turns, places }
    });
    let tracks = tracks.collect();
    let rest = (0..n_helper).map(|h| found.rest(h, bind(h))).collect();
    HelperJoints { parents: found.parents.clone(), rest, weights, tracks }
}
