//! Moment arms: how muscles' own paths lengthen as joints turn, by turning them a little.
//!
//! ```text
//! r = −∂l/∂θ ≈ ( l(θ − δ) − l(θ + δ) ) / 2δ        l by the frame itself: whatever path a muscle has, held or not
//! |r| ≥ 0.8 |r_bind|, on the side of the bind pose;  all arms of a muscle about a joint times max(1, 0.65 d / |r_bind|)
//! ```
//!
//! Paths that shape flesh cut through a joint that bends far, and pass it closer than tendons do, which lie on bone, on a
//! kneecap or a heel, not far under the skin: the joint is a pulley that keeps them off its axis. d is how far the skin is from
//! the joint on the muscle's side.

use crate::ground::below;
use fusiform::musculature::{Activation, Attachment, Dynamics, Path};
use fusiform::{BindError, Body, BodyState, Character, Detail, Muscle, Musculature, StepInput};
use fusiform_fit::{JointMotion, Surface};
use glam::{Affine3A, Quat, Vec3};

/// Radians: small against how fast arms change, large against what f32 makes of lengths.
const TURN: f32 = 0.01;

/// Share of its arm in the bind pose below which a muscle's arm never falls.
const PULLEY: f64 = 0.8;
/// m: arms that are shorter in the bind pose do not tell on which side of the joint a muscle passes.
const TELLS_ITS_SIDE: f64 = 0.0015;
/// How far from a joint a tendon passes, as a share of where the skin is.
const UNDER_SKIN: f64 = 0.65;
/// A path that passes closer than this share of that is not taken for a tendon's.
const STRAYS: f64 = 0.02;

/// Muscles as their paths alone, and which of them cross which joint.
pub struct Arms {
    body: Body,
    curved: Vec<bool>,         // n_muscle  whether its length is that of its belly's curve
    crossing: Vec<Vec<usize>>, // n_motion  muscles that cross the joint
    below: Vec<Vec<bool>>,     // n_motion  joints that turn with it
    at_bind: Vec<f64>,         // n_muscle x n_motion  m
    farther: Vec<f64>,         // n_muscle x n_motion  how many times farther off a tendon passes
    n_muscle: usize,
}

impl Arms {
    /// Of a character's muscles about those motions, under its skin.
    pub fn new(
        character: &Character,
        musculature: &Musculature,
        motions: &[JointMotion],
        skin: Option<&Surface>,
    ) -> Result<Self, BindError> {
        let mut paths = Musculature { layers: Vec::new(), activation: Activation::default(), ..musculature.clone() };
        paths.muscles.iter_mut().for_each(|muscle| muscle.dynamics = Dynamics::None);
        let body = Body::bind(character, &paths)?;
        let below: Vec<Vec<bool>> = motions.iter().map(|motion| below(&character.skeleton, motion.joint)).collect();
        let joints: Vec<Vec<usize>> = musculature
            .muscles
            .iter()
            .map(|muscle| attachments(muscle).filter_map(|a| character.skeleton.find(&a.joint)).collect())
            .collect();
        let crosses = |turns: &[bool], m: usize| {
            joints[m].iter().any(|&joint| turns[joint]) && joints[m].iter().any(|&joint| !turns[joint])
        };
        let crossing = below.iter().map(|turns| (0..joints.len()).filter(|&m| crosses(turns, m)).collect()).collect();
        let curved = musculature.muscles.iter().map(|muscle| matches!(muscle.path, Path::Bezier { .. })).collect();
        let n_muscle = joints.len();
        let mut arms = Self { body, curved, crossing, below, at_bind: Vec::new(), farther: Vec::new(), n_muscle };
        let mut at_bind = vec![0.0; n_muscle * motions.len()];
        arms.measure(&mut arms.state(), &character.skeleton.bind_matrices(), motions, &mut at_bind);
        arms.farther = farther(character, musculature, motions, skin, &at_bind);
        arms.at_bind = at_bind;
        Ok(arms)
    }

    /// What a frame needs to be measured in.
    #[must_use]
    pub fn state(&self) -> BodyState {
        BodyState::new(&self.body)
    }

    /// m, n_muscle x n_motion: torque about each motion's axis per newton of each muscle.
    pub fn measure(&self, state: &mut BodyState, pose: &[Affine3A], motions: &[JointMotion], arms: &mut [f64]) {
        arms.fill(0.0);
        let mut turned = pose.to_vec();
        for (k, motion) in motions.iter().enumerate() {
            if self.crossing[k].is_empty() {
                continue;
            }
            let at = pose[motion.joint];
            let axis = at.transform_vector3(motion.axis).normalize_or(Vec3::X);
            for side in [1.0, -1.0] {
                let turn = Affine3A::from_quat(Quat::from_axis_angle(axis, side * TURN));
                let about = Affine3A::from_translation(at.translation.into())
                    * turn
                    * Affine3A::from_translation((-at.translation).into());
                for (j, moved) in turned.iter_mut().enumerate() {
                    *moved = if self.below[k][j] { about * pose[j] } else { pose[j] };
                }
                let mut input = StepInput::new(&turned, 0.0);
                input.detail = Detail::MUSCLES;
                self.body.step(state, &input);
                for &m in &self.crossing[k] {
                    arms[m * motions.len() + k] -= f64::from(side * self.length(state, m) / (2.0 * TURN));
                }
            }
        }
        for ((arm, &bind), farther) in arms.iter_mut().zip(&self.at_bind).zip(&self.farther) {
            if bind.abs() > TELLS_ITS_SIDE {
                *arm = bind.signum() * (*arm * bind.signum()).max(PULLEY * bind.abs());
            }
            *arm *= farther;
        }
    }

    /// m: of the line that the muscle pulls along.
    fn length(&self, state: &BodyState, m: usize) -> f32 {
        if !self.curved[m] {
            return state.lengths()[m];
        }
        let mut feet = vec![Vec3::ZERO; self.body.belly_size(m)];
        state.belly_feet(&self.body, m, &mut feet);
        feet.dedup();
        feet.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// How many muscles there are.
    #[must_use]
    pub fn n_muscle(&self) -> usize {
        self.n_muscle
    }
}

/// How many times farther from each joint than its path a muscle's tendon passes; n_muscle x n_motion.
fn farther(
    character: &Character,
    musculature: &Musculature,
    motions: &[JointMotion],
    skin: Option<&Surface>,
    at_bind: &[f64],
) -> Vec<f64> {
    let (n, skeleton) = (motions.len(), &character.skeleton);
    let place =
        |a: &Attachment| skeleton.find(&a.joint).map(|joint| skeleton.joints[joint].bind.transform_point3(a.point));
    let mut farther = vec![1.0; at_bind.len()];
    let Some(skin) = skin else { return farther };
    for (m, muscle) in musculature.muscles.iter().enumerate() {
        let (Some(origin), Some(insertion)) = (place(&muscle.origin), place(&muscle.insertion)) else { continue };
        let along = (origin - insertion).normalize_or_zero();
        for (k, motion) in motions.iter().enumerate() {
            let joint = &skeleton.joints[motion.joint].bind;
            // p × u = r, p across u: where the muscle passes
            let lever: Vec3 = (motions.iter().enumerate())
                .filter(|(_, other)| other.joint == motion.joint)
                .map(|(i, other)| joint.transform_vector3(other.axis).normalize_or_zero() * at_bind[m * n + i] as f32)
                .sum();
            let Some(aside) = along.cross(lever).try_normalize() else { continue };
            let tendon = skin.hit(joint.translation.into(), aside).map_or(0.0, |d| UNDER_SKIN * f64::from(d));
            let passes = f64::from(lever.length());
            if passes > TELLS_ITS_SIDE && passes > STRAYS * tendon {
                farther[m * n + k] = (tendon / passes).max(1.0);
            }
        }
    }
    farther
}

/// Every place where a muscle is fixed to a bone.
fn attachments(muscle: &Muscle) -> impl Iterator<Item = &Attachment> {
    let more: Vec<&Attachment> = match &muscle.path {
        Path::Polyline { via, .. } => via.iter().collect(),
        Path::Sheet { origin, middle, insertion, .. } => origin.iter().chain(middle).chain(insertion).collect(),
        _ => Vec::new(),
    };
    [&muscle.origin, &muscle.insertion].into_iter().chain(more)
}
