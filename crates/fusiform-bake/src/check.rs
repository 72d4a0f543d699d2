//! The bake against the solver: the bytes that were written are read again and played as any player would, and every
//! vertex is held against the live skin, on the keys and midway between them.

use crate::error::BakeError;
use crate::factor::multiply_add;
use crate::morphs::Rigged;
use crate::share::share;
use crate::take::{Moment, Take};
use crate::watch::Stopped;
use faer::{MatMut, MatRef};
use fusiform::{Character, Detail, Pose, SparseWeights};
use fusiform_files::gltf::{Gltf, PartPlayback, Playback, Scene, skin};
use glam::{Affine3A, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Moments that are compared together, and vertices a thread takes at a time: what stays in its cache.
const MOMENTS: usize = 16;
const VERTICES: usize = 512;

/// How far a file is from the solver in one clip, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipError {
    /// Largest on the keys.
    pub max: f32,
    /// Root of the mean square on the keys.
    pub rms: f32,
    /// Largest midway between keys.
    pub between: f32,
}

/// Read a .glb again and play its clips beside the takes they were baked from. Targets that the file had before are not
/// played: the solver does not know what they are for.
pub fn read_back(
    bytes: &[u8],
    before: &Rigged,
    takes: &mut [(usize, Take)],
    mut progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Vec<ClipError>, BakeError> {
    let file = Gltf::read(bytes, |_| Err("a bake holds everything".into()))?;
    let Scene { character, origin, .. } = Scene::read(&file)?;
    let bind = character.meshes.iter().flat_map(|mesh| &mesh.positions).copied().collect();
    let own = Playback::read(before.gltf, before.origin)?.parts.iter().map(PartPlayback::n_target).collect();
    let player =
        Player { playback: Playback::read(&file, &origin)?, own, weights: weights(&character), bind, character };
    let total = takes.len().max(1) as f32;
    let mut errors = Vec::new();
    for (i, (clip, take)) in takes.iter_mut().enumerate() {
        errors.push(player.compare(*clip, take, |done| progress((i as f32 + done) / total))?);
    }
    Ok(errors)
}

/// Weights of all meshes, one after the other.
fn weights(character: &Character) -> SparseWeights {
    let mut all = SparseWeights::default();
    for mesh in &character.meshes {
        (0..mesh.weights.len()).for_each(|v| all.push_vertex(mesh.weights.of(v)));
    }
    all
}

struct Player {
    playback: Playback,
    own: Vec<usize>, // targets of each part that were there before
    weights: SparseWeights,
    bind: Vec<Vec3>,
    character: Character,
}

/// Largest and summed squares, on keys and between.
#[derive(Clone, Copy, Default)]
struct Squares {
    max: f32,
    sum: f64,
    between: f32,
}

impl Player {
    fn compare(
        &self,
        clip: usize,
        take: &mut Take,
        mut progress: impl FnMut(f32) -> Result<(), Stopped>,
    ) -> Result<ClipError, Stopped> {
        let all = take.moments();
        let n_vertex = self.weights.len();
        let mut solved = vec![Vec3::ZERO; MOMENTS.min(all.len()) * n_vertex];
        let (mut squares, mut done) = (Squares::default(), 0);
        for moments in all.chunks(MOMENTS) {
            share(take, moments.iter().zip(solved.chunks_exact_mut(n_vertex.max(1))), |take, (moment, row)| {
                take.show(moment, Detail::POSITIONS);
                row.copy_from_slice(take.state().positions());
            });
            squares = self.squares(clip, moments, &solved).into_iter().fold(squares, Squares::and);
            done += moments.len();
            progress(done as f32 / all.len() as f32)?;
        }
        let count = (take.times().len() * n_vertex).max(1) as f64;
        let rms = (squares.sum / count).sqrt() as f32;
        Ok(ClipError { max: squares.max.sqrt(), rms, between: squares.between.sqrt() })
    }

    /// M B⁻¹ of every joint, as the file moves it.
    fn since_bind(&self, clip: usize, time: f32) -> Vec<Affine3A> {
        let skeleton = &self.character.skeleton;
        let mut pose = Pose::rest(skeleton);
        self.character.clips[clip].sample(time, &mut pose);
        let mut since_bind = pose.model_matrices(skeleton);
        since_bind.iter_mut().zip(&skeleton.joints).for_each(|(now, joint)| *now *= joint.bind.inverse());
        since_bind
    }

    /// Of each moment; `solved` are their skins, one after the other.
    fn squares(&self, clip: usize, moments: &[Moment], solved: &[Vec3]) -> Vec<Squares> {
        let joints: Vec<Vec<Affine3A>> = moments.iter().map(|moment| self.since_bind(clip, moment.time)).collect();
        let mut all = vec![Squares::default(); moments.len()];
        for (part, &own) in self.playback.parts.iter().zip(&self.own) {
            let baked = |moment: &Moment| {
                let mut levels = part.weights(Some(clip), moment.time);
                levels[..own].fill(0.0);
                levels
            };
            let levels: Vec<f32> = moments.iter().flat_map(baked).collect();
            let chunks: Vec<usize> = part.vertices.clone().step_by(VERTICES).collect();
            let chunk = |&first: &usize| {
                let vertices = first..(first + VERTICES).min(part.vertices.end);
                let mut shown = self.morphed(part, vertices.clone(), &levels, moments.len());
                let rows = shown.chunks_exact_mut(vertices.len()).zip(solved.chunks_exact(self.weights.len()));
                let mut squares = Vec::with_capacity(moments.len());
                for ((row, solved), (moment, joints)) in rows.zip(moments.iter().zip(&joints)) {
                    skin(&self.weights, vertices.clone(), joints, row);
                    squares.push(Squares::of(row, &solved[vertices.clone()], moment.is_key));
                }
                squares
            };
            let squares: Vec<Vec<Squares>> = chunks.par_iter().map(chunk).collect();
            for of_chunk in squares {
                all.iter_mut().zip(of_chunk).for_each(|(all, squares)| *all = all.and(squares));
            }
        }
        all
    }

    /// Those vertices at bind, moved by the targets as each row of `levels` says; moment after moment.
    fn morphed(&self, part: &PartPlayback, vertices: Range<usize>, levels: &[f32], n_moment: usize) -> Vec<Vec3> {
        let (n, n_target) = (part.vertices.len(), part.n_target());
        let mut shown = self.bind[vertices.clone()].repeat(n_moment);
        if n_target > 0 {
            let columns = 3 * (vertices.start - part.vertices.start)..3 * (vertices.end - part.vertices.start);
            let targets = MatRef::from_row_major_slice(bytemuck::cast_slice(&part.targets), n_target, 3 * n);
            let levels = MatRef::from_row_major_slice(levels, n_moment, n_target);
            let shown = MatMut::from_row_major_slice_mut(bytemuck::cast_slice_mut(&mut shown), n_moment, columns.len());
            multiply_add(shown, levels, targets.get(.., columns), 1.0);
        }
        shown
    }
}

impl Squares {
    /// Between what is shown and what was solved.
    fn of(shown: &[Vec3], solved: &[Vec3], is_key: bool) -> Self {
        let (mut max, mut sum) = (0.0_f32, 0.0);
        for (shown, solved) in shown.iter().zip(solved) {
            let square = shown.distance_squared(*solved);
            (max, sum) = (max.max(square), sum + f64::from(square));
        }
        if is_key { Self { max, sum, between: 0.0 } } else { Self { max: 0.0, sum: 0.0, between: max } }
    }

    fn and(self, other: Self) -> Self {
        Self { max: self.max.max(other.max), sum: self.sum + other.sum, between: self.between.max(other.between) }
    }
}
