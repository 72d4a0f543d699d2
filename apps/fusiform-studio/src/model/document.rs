//! Document: all that is edited, and saved but for the pose. What was opened and never changes is the [`Project`](super::Project)'s.

use super::Fitting;
use fusiform::{Character, Clip, Muscle, Musculature, SparseWeights};
use glam::Quat;
use std::sync::Arc;

/// Muscles, and what of the character itself is edited. Joint weights and motions are shared until they change; the muscles
/// and their weights are copied with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Muscles, layers, muscle weights, physique, activation.
    pub musculature: Musculature,
    /// Joint weights of each mesh.
    pub joints: Arc<Vec<SparseWeights>>,
    /// Motions put on the character, after the clips of its file.
    pub motions: Arc<Vec<Clip>>,
    /// How the muscles were fitted to the skin.
    pub fitting: Fitting,
    /// Joints that are turned by hand, on top of any clip, and how far on top of their own rotation. In no file.
    pub turned: Vec<(usize, Quat)>,
}

impl Document {
    /// As a file has it.
    #[must_use]
    pub fn new(character: &Character, musculature: Musculature) -> Self {
        let joints = character.meshes.iter().map(|mesh| mesh.weights.clone()).collect();
        Self { musculature, joints: Arc::new(joints), ..Self::default() }
    }

    /// Its muscles.
    #[must_use]
    pub fn muscles(&self) -> &[Muscle] {
        &self.musculature.muscles
    }
}
