//! Normals of morph targets: with the weights already found, the displacements that bring the baked normals nearest to
//! the solved ones.
//!
//! ```text
//! minimise  Σ_f | n_fv − Σ_k W_fk N_kv |²      N = (WᵀW)⁻¹ Wᵀ n
//! n_fv = A⁻¹ m_fv / |A⁻¹ m_fv| − m_v           m_fv the solved normal, m_v at bind, A the blended joints
//! ```
//!
//! Players turn normals with the same blend as positions, so it is taken off again here, and renormalise afterwards.

use crate::error::BakeError;
use crate::factor::{Factors, multiply_add};
use crate::parts::PartSkin;
use crate::share::share;
use crate::small::onto;
use crate::take::{Moment, Take};
use crate::unskin::unskin_frame;
use crate::watch::Stopped;
use faer::{MatMut, MatRef};
use fusiform::{Body, BodyState, Detail};
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

/// Frames that are added up together, and vertices a thread takes at a time: what stays in its cache.
const FRAMES: usize = 16;
const VERTICES: usize = 256;

/// Frames looked at for each target: a frame is much like its neighbours, and so many say what a target does.
const PER_TARGET: usize = 8;

/// One part on the way.
struct Sums {
    n_target: usize,
    bind: Vec<Vec3>, // n_vertex  normals at bind
    onto: Vec<f32>,  // n_seen x n_target  W (WᵀW)⁻¹
    rows: Vec<Vec3>, // FRAMES x n_vertex  n of the frames in work
    sums: Vec<f32>,  // 3 n_vertex x n_target
}

/// n_target x n_vertex normal displacements of each part; none for parts without targets.
pub fn normal_targets(
    body: &Body,
    skins: &[PartSkin],
    takes: &mut [Take],
    factors: &[Factors],
    progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Vec<Vec<Vec3>>, BakeError> {
    let n_frame: usize = takes.iter().map(|take| take.times().len()).sum();
    let most = factors.iter().map(|factors| factors.n_target).max().unwrap_or(0);
    let stride = (n_frame / (PER_TARGET * most).max(1)).max(1);
    every(stride, body, skins, takes, factors, progress)
}

/// The same from every so many frames.
fn every(
    stride: usize,
    body: &Body,
    skins: &[PartSkin],
    takes: &mut [Take],
    factors: &[Factors],
    mut progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Vec<Vec<Vec3>>, BakeError> {
    let n_seen = takes.iter().map(|take| take.times().len()).sum::<usize>().div_ceil(stride).max(1);
    let at_bind = BodyState::new(body);
    let part = |(skin, factors)| Sums::new(skin, factors, &at_bind, stride);
    let mut parts: Vec<Sums> = skins.iter().zip(factors).map(part).collect();
    let (mut first, mut seen) = (0, 0);
    for take in takes {
        let keys: Vec<Moment> = take.moments().into_iter().filter(|moment| moment.is_key).collect();
        let few: Vec<&Moment> = keys.iter().zip(first..).filter(|(_, i)| i % stride == 0).map(|(key, _)| key).collect();
        first += keys.len();
        for few in few.chunks(FRAMES) {
            look(&mut parts, skins, take, few)?;
            parts.iter_mut().for_each(|part| part.add(seen..seen + few.len()));
            seen += few.len();
            progress(seen as f32 / n_seen as f32)?;
        }
    }
    Ok(parts.into_iter().map(Sums::targets).collect())
}

/// The normals at those moments, into the rows of each part.
fn look(parts: &mut [Sums], skins: &[PartSkin], take: &Take, moments: &[&Moment]) -> Result<(), BakeError> {
    parts.iter_mut().for_each(|part| part.rows.resize(FRAMES * part.bind.len(), Vec3::ZERO));
    let of_part = parts.iter_mut().map(|part| (&part.bind, part.rows.chunks_exact_mut(part.bind.len().max(1))));
    let mut rows: Vec<_> = of_part.collect();
    let mut outcomes = vec![Ok(()); moments.len()];
    let items = moments.iter().zip(&mut outcomes).map(|(moment, outcome)| {
        let of_moment: Vec<_> = rows.iter_mut().map(|(bind, rows)| (*bind, rows.next().unwrap_or_default())).collect();
        (*moment, outcome, of_moment)
    });
    share(take, items, |take, (moment, outcome, rows)| {
        take.show(moment, Detail::default());
        let turns: Vec<Affine3A> = take.since_bind().iter().map(|m| Affine3A::from_mat3(m.matrix3.into())).collect();
        // a part that nothing moves has no target, and so no row
        let mut moved = skins.iter().zip(rows).filter(|(_, (_, row))| !row.is_empty());
        *outcome = moved.try_for_each(|(skin, (bind, row))| {
            let normals = &take.state().normals()[skin.vertices.clone()];
            // at the origin the blend is its linear part alone: what comes back is A⁻¹ m
            unskin_frame(&vec![Vec3::ZERO; row.len()], &skin.weights, &turns, normals, row)?;
            row.iter_mut().zip(bind).for_each(|(row, bind)| *row = row.normalize_or(*bind) - *bind);
            Ok(())
        });
    });
    outcomes.into_iter().collect()
}

impl Sums {
    fn new(skin: &PartSkin, factors: &Factors, at_bind: &BodyState, stride: usize) -> Self {
        let n_target = factors.n_target;
        let bind = if n_target > 0 { at_bind.normals()[skin.vertices.clone()].to_vec() } else { Vec::new() };
        let seen = factors.weights.chunks_exact(n_target.max(1)).step_by(stride);
        let onto = onto(seen, n_target);
        Self { n_target, sums: vec![0.0; 3 * bind.len() * n_target], bind, onto, rows: Vec::new() }
    }

    /// What the rows add for those of the frames looked at.
    fn add(&mut self, frames: std::ops::Range<usize>) {
        let (n, n_target) = (self.bind.len(), self.n_target);
        if n * n_target == 0 {
            return;
        }
        let rows: &[f32] = bytemuck::cast_slice(&self.rows[..frames.len() * n]);
        let rows = MatRef::from_row_major_slice(rows, frames.len(), 3 * n);
        let onto = &self.onto[frames.start * n_target..frames.end * n_target];
        let onto = MatRef::from_row_major_slice(onto, frames.len(), n_target);
        self.sums.par_chunks_mut(3 * VERTICES * n_target).enumerate().for_each(|(chunk, sums)| {
            let (first, n_column) = (3 * VERTICES * chunk, sums.len() / n_target);
            let sums = MatMut::from_row_major_slice_mut(sums, n_column, n_target);
            multiply_add(sums, rows.get(.., first..first + n_column).transpose(), onto, 1.0);
        });
    }

    fn targets(self) -> Vec<Vec3> {
        let (n, k) = (self.bind.len(), self.n_target);
        let at = |target: usize, vertex: usize, axis: usize| self.sums[(3 * vertex + axis) * k + target];
        let vector = |i: usize| Vec3::from_array([0, 1, 2].map(|axis| at(i / n, i % n, axis)));
        (0..k * n).map(vector).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Residuals;
    use crate::unskin::since_identity;
    use crate::{FactorSettings, factor};
    use fusiform_athlete::{Athlete, athlete};
    use fusiform_files::gltf::{Gltf, Scene};
    use glam::{Mat3A, Vec3A};

    /// Largest and rms angle, degrees, of baked normals to solved ones over the frames of a clip at the default tolerance;
    /// from all frames, and from as many as a bake takes.
    fn angles(vertices: usize, clip: &str) -> [(f32, f32); 2] {
        let Athlete { character, musculature } = athlete(vertices).unwrap();
        let body = Body::bind(&character, &musculature).unwrap();
        let origin = Scene::read(&Gltf::from_character(&character)).unwrap().origin;
        let skins = PartSkin::all(&character, &origin, 4);
        let clip = character.clips.iter().position(|other| other.name == clip).unwrap();
        let mut takes = [Take::of(&body, &character, clip, &[], 30.0, None)];
        let settings = FactorSettings::default();
        let residuals = Residuals::new(&skins, &mut takes, settings.tolerance, |_| Ok(())).unwrap();
        let factors = [factor(&residuals.parts[0], skins[0].bind.len(), &settings, &[], |_| Ok(())).unwrap()];
        let all = every(1, &body, &skins, &mut takes, &factors, |_| Ok(())).unwrap();
        let few = normal_targets(&body, &skins, &mut takes, &factors, |_| Ok(())).unwrap();
        [all, few].map(|targets| apart(&body, &skins[0], &mut takes[0], &factors[0], &targets[0]))
    }

    fn apart(body: &Body, skin: &PartSkin, take: &mut Take, factors: &Factors, targets: &[Vec3]) -> (f32, f32) {
        let (at_bind, n) = (BodyState::new(body), skin.bind.len());
        let (mut largest, mut sum) = (0.0_f32, 0.0_f64);
        take.rewind();
        for row in factors.weights.chunks_exact(factors.n_target) {
            take.advance(Detail::default());
            for v in 0..n {
                let moved: Vec3 = row.iter().zip(targets.chunks_exact(n)).map(|(w, target)| *w * target[v]).sum();
                let blend = since_identity(&skin.weights, v, take.since_bind()).matrix3 + Mat3A::IDENTITY;
                let angle = Vec3::from(blend * Vec3A::from(at_bind.normals()[v] + moved))
                    .angle_between(take.state().normals()[v]);
                largest = largest.max(angle);
                sum += f64::from(angle * angle);
            }
        }
        let rms = (sum / (factors.weights.len() / factors.n_target * n) as f64).sqrt() as f32;
        (largest.to_degrees(), rms.to_degrees())
    }

    fn few_frames_do(vertices: usize, clip: &str) {
        let [all, few] = angles(vertices, clip);
        println!("{clip}: largest and rms {all:?} degrees from all frames, {few:?} from some");
        assert!(few.1 <= 1.1 * all.1 && few.0 <= 1.2 * all.0, "{clip}: {all:?} from all frames, {few:?} from some");
    }

    #[test]
    fn normals_from_some_frames_are_nearly_as_good_as_from_all() {
        few_frames_do(3_700, "curl");
    }

    #[test]
    #[ignore = "a minute: the same on the clips that move most"]
    fn normals_from_some_frames_are_nearly_as_good_in_every_clip() {
        ["curl", "jump_landing", "combo"].into_iter().for_each(|clip| few_frames_do(6_000, clip));
    }
}
