//! Where every joint is, relative to its parent.

use crate::{Skeleton, Transform};
use glam::Affine3A;

/// One local transform per joint. Sized once; sampling a clip into it allocates nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// n_joint, relative to the parent.
    pub local: Vec<Transform>,
}

impl Pose {
    /// The pose the skeleton has when nothing moves it.
    #[must_use]
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self { local: skeleton.joints.iter().map(|joint| joint.rest).collect() }
    }

    /// The rest pose again, without allocating.
    pub fn reset(&mut self, skeleton: &Skeleton) {
        for (local, joint) in self.local.iter_mut().zip(&skeleton.joints) {
            *local = joint.rest;
        }
    }

    /// `model_from_joint` of every joint: parents first, so one pass does.
    ///
    /// # Panics
    /// When `model_from_joint` is shorter than the skeleton.
    pub fn to_model(&self, skeleton: &Skeleton, model_from_joint: &mut [Affine3A]) {
        for (i, (joint, local)) in skeleton.joints.iter().zip(&self.local).enumerate() {
            let matrix = local.matrix();
            model_from_joint[i] = match joint.parent {
                Some(parent) => model_from_joint[parent] * matrix,
                None => matrix,
            };
        }
    }

    /// [`Pose::to_model`] into a new vector, for set-up code.
    #[must_use]
    pub fn model_matrices(&self, skeleton: &Skeleton) -> Vec<Affine3A> {
        let mut matrices = vec![Affine3A::IDENTITY; skeleton.joints.len()];
        self.to_model(skeleton, &mut matrices);
        matrices
    }
}
