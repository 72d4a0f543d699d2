//! Helper joints instead of morph targets, for engines with few morph slots.
//!
//! Smooth skinning decomposition with rigid bones (Le and Deng 2012, *Smooth Skinning Decomposition with Rigid Bones*)
//! on top of a skeleton that stays as it is. With `S_j` the existing joints' matrices since bind and `p(h)` the parent
//! of helper h, wanted are rigid `L_h` for every frame, and weights `w >= 0`, few a vertex, summing to 1, with
//!
//! ```text
//! minimise  sum_fv | x_fv - sum_j w_vj S_fj v - sum_h w_vh S_fp(h) L_fh v |^2
//! ```
//!
//! Found in turn: [`seed`] places helpers where the error is largest, then [`weights`] and [`turns`] alternate. In the
//! bind pose every helper is at rest, so the bind skin is exact for any weights.

mod seed;
mod turns;
mod weights;

use crate::error::{BakeError, check_length};
use crate::unskin::{check_skin, exported_weights};
use crate::watch::Stopped;
use fusiform::SparseWeights;
use glam::{Affine3A, Quat, Vec3};
use rayon::prelude::*;
use seed::Seeds;

/// Frames that the weights are fitted to; the turns are those of all frames.
const FIT_FRAMES: usize = 96;

/// Helpers come in so many rounds, each where those before leave the largest errors.
const ROUNDS: usize = 4;
const SWEEPS_A_ROUND: usize = 3;

/// Metres. A frame this near the bind pose has its helpers at rest.
const AT_REST: f32 = 1e-6;

/// Solved frames, stacked, and the skeleton that moves them.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// n_vertex: the bind skin.
    pub bind: &'a [Vec3],
    /// n_vertex: weights to the existing joints.
    pub weights: &'a SparseWeights,
    /// How many joints there are.
    pub n_joint: usize,
    /// n_frame x n_joint: every joint's matrix then, times its bind matrix's inverse.
    pub since_bind: &'a [Affine3A],
    /// n_frame x n_vertex: the skin to be reached.
    pub solved: &'a [Vec3],
}

impl<'a> Sequence<'a> {
    fn n_frame(&self) -> usize {
        self.since_bind.len().checked_div(self.n_joint).unwrap_or(0)
    }

    fn joints(&self, frame: usize) -> &'a [Affine3A] {
        &self.since_bind[frame * self.n_joint..(frame + 1) * self.n_joint]
    }

    fn skin(&self, frame: usize) -> &'a [Vec3] {
        &self.solved[frame * self.bind.len()..(frame + 1) * self.bind.len()]
    }

    fn is_rest(&self, frame: usize) -> bool {
        self.joints(frame).iter().all(|joint| joint.abs_diff_eq(Affine3A::IDENTITY, AT_REST))
            && self.skin(frame).iter().zip(self.bind).all(|(x, v)| x.abs_diff_eq(*v, AT_REST))
    }

    fn check(&self) -> Result<(), BakeError> {
        let n_frame = self.n_frame();
        check_length("the joints' matrices", self.since_bind.len(), n_frame * self.n_joint)?;
        check_length("the solved skin", self.solved.len(), n_frame * self.bind.len())?;
        check_skin(self.bind, self.weights, self.n_joint)?;
        if let Some(i) = self.since_bind.iter().position(|matrix| !matrix.is_finite()) {
            return Err(BakeError::JointNotFinite { frame: i / self.n_joint, joint: i % self.n_joint });
        }
        let n_vertex = self.bind.len();
        match self.solved.iter().position(|x| !x.is_finite()) {
            Some(i) => {
                Err(BakeError::NotFinite { what: "the solved position", frame: i / n_vertex, vertex: i % n_vertex })
            }
            None => Ok(()),
        }
    }
}

/// How many helpers, and how long to look for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSettings {
    /// Helper joints to add.
    pub helpers: usize,
    /// Influences a vertex may have in all: 4 or 8.
    pub max_influences: usize,
    /// Times that weights and turns are found anew; the last helpers come in the tenth.
    pub sweeps: usize,
}

impl Default for JointSettings {
    /// 32 helpers, 4 influences, 20 sweeps.
    fn default() -> Self {
        Self { helpers: 32, max_influences: 4, sweeps: 20 }
    }
}

/// Errors over all vertices and frames in the world, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepError {
    /// Largest.
    pub max: f32,
    /// Root of the mean square.
    pub rms: f32,
}

/// Helper joints, how they move and whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// n_helper: the existing joint it is a child of. There may be fewer helpers than asked for.
    pub parents: Vec<u16>,
    /// n_helper: where it lies, in the model's space at bind.
    pub pivots: Vec<Vec3>,
    /// n_frame x n_helper: its turn about the pivot, in bind space, under the parent's motion.
    pub turns: Vec<Quat>,
    /// n_frame x n_helper: how far it carries the pivot, metres, in bind space, under the parent's motion.
    pub shifts: Vec<Vec3>,
    /// n_vertex: weights to the existing joints, and from number n_joint on to the helpers.
    pub weights: SparseWeights,
    /// Plain skinning with the weights given, cut to the influences allowed; then after every sweep.
    pub errors: Vec<SweepError>,
}

impl Decomposition {
    /// Matrix since bind of that helper in that frame, given its parent's.
    #[must_use]
    pub fn since_bind(&self, frame: usize, helper: usize, parent: &Affine3A) -> Affine3A {
        let (i, pivot) = (frame * self.parents.len() + helper, self.pivots[helper]);
        let own = Affine3A::from_rotation_translation(self.turns[i], self.shifts[i] + pivot - self.turns[i] * pivot);
        *parent * own
    }

    /// Translation of the helper's node under its parent in the rest pose; it has no rotation there.
    #[must_use]
    pub fn rest(&self, helper: usize, parent_bind: &Affine3A) -> Vec3 {
        parent_bind.inverse().transform_point3(self.pivots[helper])
    }

    /// Rotation and translation of the helper's node under its parent in that frame, given the parent's bind matrix,
    /// which may turn, move and scale evenly.
    #[must_use]
    pub fn local(&self, frame: usize, helper: usize, parent_bind: &Affine3A) -> (Quat, Vec3) {
        let i = frame * self.parents.len() + helper;
        let (_, axes, _) = parent_bind.to_scale_rotation_translation();
        let turn = axes.inverse() * self.turns[i] * axes;
        (turn.normalize(), parent_bind.inverse().transform_point3(self.pivots[helper] + self.shifts[i]))
    }
}

/// Find helper joints for the `sequence`. `progress` hears how far the work is, from 0 to 1.
///
/// # Errors
/// When lengths differ, a weight points at no joint, a number is not finite, there are more joints than weights can name,
/// or `progress` says to stop.
pub fn decompose(
    sequence: &Sequence,
    settings: &JointSettings,
    mut progress: impl FnMut(f32) -> Result<(), Stopped>,
) -> Result<Decomposition, BakeError> {
    sequence.check()?;
    let most = usize::from(u16::MAX) + 1;
    if sequence.n_joint + settings.helpers > most {
        let value = settings.helpers as f32;
        return Err(BakeError::Setting {
            what: "the number of helpers",
            value,
            must: "65536 with the joints, or less",
        });
    }
    let plain = exported_weights(sequence.weights, settings.max_influences);
    let fit_frames: Vec<usize> =
        (0..sequence.n_frame()).step_by(sequence.n_frame().div_ceil(FIT_FRAMES).max(1)).collect();
    let mut helpers = Helpers { parents: Vec::new(), centres: Vec::new(), own: Vec::new(), weights: plain.clone() };
    let mut errors = vec![turns::fit(sequence, &mut helpers, &mut || progress(0.0))?];
    for sweep in 0..settings.sweeps {
        let mut heard = || progress(sweep as f32 / settings.sweeps as f32);
        let missing = settings.helpers - helpers.parents.len();
        if sweep % SWEEPS_A_ROUND == 0 && missing > 0 {
            let n_new = missing.min(settings.helpers.div_ceil(ROUNDS));
            let seeds = seed::seed(sequence, &helpers, &plain, &fit_frames, n_new, &mut heard)?;
            helpers.add(seeds, &fit_frames, sequence.n_frame());
        }
        if helpers.parents.is_empty() {
            break; // plain skinning leaves nothing to be done
        }
        helpers.weights = weights::fit(sequence, &helpers, &plain, &fit_frames, settings.max_influences, &mut heard)?;
        errors.push(turns::fit(sequence, &mut helpers, &mut heard)?);
    }
    progress(1.0)?;
    Ok(helpers.finish(errors))
}

/// Helpers on the way.
struct Helpers {
    parents: Vec<u16>,
    centres: Vec<Vec3>, // n_helper  where its vertices lie in the bind skin
    own: Vec<Affine3A>, // n_frame x n_helper  L, rigid
    weights: SparseWeights,
}

impl Helpers {
    /// The seeds' motions are known in the fitted frames; in the others they rest until they are fitted.
    fn add(&mut self, seeds: Seeds, fit_frames: &[usize], n_frame: usize) {
        let n_new = seeds.parents.len();
        let mut fresh = vec![Affine3A::IDENTITY; n_frame * n_new];
        for (i, &frame) in fit_frames.iter().enumerate() {
            fresh[frame * n_new..(frame + 1) * n_new].copy_from_slice(&seeds.own[i * n_new..(i + 1) * n_new]);
        }
        let all = (0..n_frame).flat_map(|frame| {
            self.own_of(frame).iter().chain(&fresh[frame * n_new..(frame + 1) * n_new]).copied().collect::<Vec<_>>()
        });
        self.own = all.collect();
        self.parents.extend(seeds.parents);
        self.centres.extend(seeds.centres);
    }

    fn own_of(&self, frame: usize) -> &[Affine3A] {
        &self.own[frame * self.parents.len()..(frame + 1) * self.parents.len()]
    }

    /// Matrices since bind of all joints, then of all helpers.
    fn all_joints(&self, sequence: &Sequence, frame: usize) -> Vec<Affine3A> {
        let joints = sequence.joints(frame);
        let helpers =
            self.parents.iter().zip(self.own_of(frame)).map(|(&parent, own)| joints[usize::from(parent)] * *own);
        joints.iter().copied().chain(helpers).collect()
    }

    fn finish(self, errors: Vec<SweepError>) -> Decomposition {
        let n_helper = self.parents.len().max(1);
        let (turns, shifts) = self
            .own
            .par_iter()
            .enumerate()
            .map(|(i, own)| {
                let pivot = self.centres[i % n_helper];
                (Quat::from_mat3a(&own.matrix3).normalize(), own.transform_point3(pivot) - pivot)
            })
            .unzip();
        Decomposition { parents: self.parents, pivots: self.centres, turns, shifts, weights: self.weights, errors }
    }
}
