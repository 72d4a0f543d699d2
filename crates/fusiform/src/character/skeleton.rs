//! Joints in a tree, parents before children.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Translation, rotation, scale: a joint relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Where the joint sits in its parent's space, metres.
    pub translation: Vec3,
    /// How it is turned; unit length.
    pub rotation: Quat,
    /// How it is scaled, before rotation.
    pub scale: Vec3,
}

impl Transform {
    /// No change at all.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Only a translation.
    #[must_use]
    pub fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The matrix that takes this joint's space to its parent's.
    #[must_use]
    pub fn matrix(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// One joint: its place in the tree, in the rest pose and in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique in the skeleton; muscles and files refer to the joint by it.
    pub name: String,
    /// Index of the parent, always smaller than the joint's own.
    pub parent: Option<usize>,
    /// Relative to the parent when no clip moves it.
    pub rest: Transform,
    /// `model_from_joint` in the pose the skin was modelled in (B in Lee eq. 13).
    pub bind: Affine3A,
}

/// All joints, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// The joints; a parent's index is smaller than its children's.
    pub joints: Vec<Joint>,
}

impl Skeleton {
    /// Index of the joint of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// A skeleton whose bind pose is its rest pose, from names, parents and local transforms.
    #[must_use]
    pub fn from_rest(joints: &[(&str, Option<usize>, Transform)]) -> Self {
        let mut skeleton = Self::default();
        for &(name, parent, rest) in joints {
            let local = rest.matrix();
            let bind = parent.and_then(|p| skeleton.joints.get(p)).map_or(local, |p: &Joint| p.bind * local);
            skeleton.joints.push(Joint { name: name.into(), parent, rest, bind });
        }
        skeleton
    }

    /// `model_from_joint` of every joint in the bind pose.
    #[must_use]
    pub fn bind_matrices(&self) -> Vec<Affine3A> {
        self.joints.iter().map(|joint| joint.bind).collect()
    }
}
