//! Moment arms: how muscles' own paths lengthen as joints turn, by turning them a little.
//!
//! ```text
//! r = −∂l/∂θ ≈ ( l(θ − δ) − l(θ + δ) ) / 2δ        l by the frame itself: whatever path a muscle has, held or not
//! ```

use crate::ground::below;
use fusiform::musculature::{Activation, Attachment, Dynamics, Path};
use fusiform::{BindError, Body, BodyState, Character, Detail, Muscle, Musculature, StepInput};
use fusiform_fit::JointMotion;
use glam::{Affine3A, Quat, Vec3};

/// Radians: small against how fast arms change, large against what f32 makes of lengths.
const TURN: f32 = 0.01;

/// Muscles as their paths alone, and which of them cross which joint.
pub struct Arms {
    body: Body,
    curved: Vec<bool>,         // n_muscle  whether its length is that of its belly's curve
    crossing: Vec<Vec<usize>>, // n_motion  muscles that cross the joint
    below: Vec<Vec<bool>>,     // n_motion  joints that turn with it
    n_muscle: usize,
}

impl Arms {
    /// Of a character's muscles about those motions.
    pub fn new(character: &Character, musculature: &Musculature, motions: &[JointMotion]) -> Result<Self, BindError> {
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
        Ok(Self { body, curved, crossing, below, n_muscle: joints.len() })
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

/// Every place where a muscle is fixed to a bone.
fn attachments(muscle: &Muscle) -> impl Iterator<Item = &Attachment> {
    let more: Vec<&Attachment> = match &muscle.path {
        Path::Polyline { via, .. } => via.iter().collect(),
        Path::Sheet { origin, middle, insertion, .. } => origin.iter().chain(middle).chain(insertion).collect(),
        _ => Vec::new(),
    };
    [&muscle.origin, &muscle.insertion].into_iter().chain(more)
}
