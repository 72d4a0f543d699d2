//! The nouns: what a rigged character is before it has muscles.
//!
//! Right-handed, +Y up, metres. A character is read or generated once and then only looked at; what runs
//! every frame is [`Body`](crate::Body).

mod clip;
mod mesh;
mod pose;
mod skeleton;
mod weights;

pub use clip::{Channel, Clip, Interpolation, Keys, Track};
pub use mesh::Mesh;
pub use pose::Pose;
pub use skeleton::{Joint, Skeleton, Transform};
pub use weights::SparseWeights;

use glam::Vec3;

/// A skeleton, the skinned meshes that hang on it, and the clips that move it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Character {
    /// What people call it; used in messages and file names only.
    pub name: String,
    /// The joints, parents before children.
    pub skeleton: Skeleton,
    /// The skinned meshes, in model space as they lie in the bind pose.
    pub meshes: Vec<Mesh>,
    /// The motions it came with.
    pub clips: Vec<Clip>,
}

impl Character {
    /// How many vertices all meshes have together.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.positions.len()).sum()
    }

    /// The clip of that name.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name == name)
    }

    /// Smallest and largest corner of all meshes in the bind pose; both zero without a vertex.
    #[must_use]
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let mut points = self.meshes.iter().flat_map(|mesh| mesh.positions.iter().copied());
        let Some(first) = points.next() else { return (Vec3::ZERO, Vec3::ZERO) };
        points.fold((first, first), |(low, high), p| (low.min(p), high.max(p)))
    }

    /// Largest extent of the meshes in the bind pose: the length all relative tolerances refer to.
    #[must_use]
    pub fn height(&self) -> f32 {
        let (low, high) = self.bounds();
        (high - low).max_element()
    }
}
