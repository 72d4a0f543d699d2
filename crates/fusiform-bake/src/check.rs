//! The bake against the solver: the bytes that were written are read again and played as any player would, and every
//! vertex is held against the live skin, on the keys and midway between them.

use crate::error::BakeError;
use crate::take::Take;
use fusiform::{Character, Detail, Pose, SparseWeights};
use fusiform_files::gltf::{Gltf, PartPlayback, Playback, Scene, skin};
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

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

/// A moment as the solver shows it, and the joints as the file moves them.
struct Moment {
    solved: Vec<Vec3>,
    since_bind: Vec<Affine3A>,
    time: f32,
    is_key: bool,
}

/// Read a .glb again and play its clips beside the takes they were baked from.
pub fn read_back(
    bytes: &[u8],
    takes: &mut [(usize, Take)],
    mut progress: impl FnMut(f32),
) -> Result<Vec<ClipError>, BakeError> {
    let file = Gltf::read(bytes, |_| Err("a bake holds everything".into()))?;
    let Scene { character, origin, .. } = Scene::read(&file)?;
    let bind = character.meshes.iter().flat_map(|mesh| &mesh.positions).copied().collect();
    let player = Player { playback: Playback::read(&file, &origin)?, weights: weights(&character), bind, character };
    let total = takes.len().max(1) as f32;
    let mut errors = Vec::new();
    for (i, (clip, take)) in takes.iter_mut().enumerate() {
        errors.push(player.compare(*clip, take, |done| progress((i as f32 + done) / total)));
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
    fn compare(&self, clip: usize, take: &mut Take, mut progress: impl FnMut(f32)) -> ClipError {
        take.rewind();
        let n_frame = take.times().len();
        let (mut moments, mut squares) = (Vec::with_capacity(MOMENTS), Squares::default());
        for frame in 0..n_frame {
            take.advance(Detail::POSITIONS);
            moments.push(self.moment(clip, take, take.times()[frame], true));
            take.midway(Detail::POSITIONS, |take, time| moments.push(self.moment(clip, take, time, false)));
            if moments.len() + 2 > MOMENTS || frame + 1 == n_frame {
                squares = self.squares(clip, &moments).into_iter().fold(squares, Squares::and);
                moments.clear();
                progress((frame + 1) as f32 / n_frame as f32);
            }
        }
        let count = (n_frame * self.weights.len()).max(1) as f64;
        let rms = (squares.sum / count).sqrt() as f32;
        ClipError { max: squares.max.sqrt(), rms, between: squares.between.sqrt() }
    }

    fn moment(&self, clip: usize, take: &Take, time: f32, is_key: bool) -> Moment {
        let skeleton = &self.character.skeleton;
        let mut pose = Pose::rest(skeleton);
        self.character.clips[clip].sample(time, &mut pose);
        let mut since_bind = pose.model_matrices(skeleton);
        since_bind.iter_mut().zip(&skeleton.joints).for_each(|(now, joint)| *now *= joint.bind.inverse());
        Moment { solved: take.state().positions().to_vec(), since_bind, time, is_key }
    }

    /// Of each moment.
    fn squares(&self, clip: usize, moments: &[Moment]) -> Vec<Squares> {
        let mut all = vec![Squares::default(); moments.len()];
        for part in &self.playback.parts {
            let levels: Vec<Vec<f32>> = moments.iter().map(|moment| part.weights(Some(clip), moment.time)).collect();
            let chunks: Vec<usize> = part.vertices.clone().step_by(VERTICES).collect();
            let squares: Vec<Vec<Squares>> =
                chunks.par_iter().map(|&first| self.chunk(part, first, moments, &levels)).collect();
            for of_chunk in squares {
                all.iter_mut().zip(of_chunk).for_each(|(all, squares)| *all = all.and(squares));
            }
        }
        all
    }

    fn chunk(&self, part: &PartPlayback, first: usize, moments: &[Moment], levels: &[Vec<f32>]) -> Vec<Squares> {
        let vertices = first..(first + VERTICES).min(part.vertices.end);
        let (n, at) = (part.vertices.len(), first - part.vertices.start);
        let mut points = Vec::with_capacity(VERTICES);
        let moment = |(moment, levels): (&Moment, &Vec<f32>)| {
            points.clear();
            points.extend_from_slice(&self.bind[vertices.clone()]);
            for (target, &level) in part.targets.chunks_exact(n).zip(levels) {
                points.iter_mut().zip(&target[at..]).for_each(|(point, delta)| *point += *delta * level);
            }
            skin(&self.weights, vertices.clone(), &moment.since_bind, &mut points);
            let (mut max, mut sum) = (0.0_f32, 0.0);
            for (point, solved) in points.iter().zip(&moment.solved[vertices.clone()]) {
                let square = point.distance_squared(*solved);
                (max, sum) = (max.max(square), sum + f64::from(square));
            }
            match moment.is_key {
                true => Squares { max, sum, between: 0.0 },
                false => Squares { max: 0.0, sum: 0.0, between: max },
            }
        };
        moments.iter().zip(levels).map(moment).collect()
    }
}

impl Squares {
    fn and(self, other: Self) -> Self {
        Self { max: self.max.max(other.max), sum: self.sum + other.sum, between: self.between.max(other.between) }
    }
}
