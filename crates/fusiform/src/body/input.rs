//! What a frame is told.

use super::tissue;
use glam::{Affine3A, Vec3};

/// What a frame needs to know. Make it with [`StepInput::new`] and set what differs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StepInput<'a> {
    /// `model_from_joint` of every joint.
    pub pose: &'a [Affine3A],
    /// Where the character stands in the world; its motion makes muscles lag too.
    pub world_from_model: Affine3A,
    /// 0 ..= 1 for every muscle, or empty: all relaxed.
    pub activation: &'a [f32],
    /// Seconds since the last frame, 0 ..= 1; 0 poses without passing time.
    pub dt: f32,
    /// What pulls at soft bellies and tissue, m/s², along the world's axes; metres of the character, whatever the world counts in.
    pub gravity: Vec3,
    /// The character was put somewhere else: springs start again at rest.
    pub teleport: bool,
    /// How much of the frame is wanted.
    pub detail: Detail,
    /// Blows that tissue takes at the start of the frame: the first sixteen count.
    pub impulses: &'a [Impulse],
    /// What tissue cannot pass: the first sixteen count.
    pub contacts: &'a [Contact],
}

/// A blow on the skin around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// Its middle, in the world.
    pub place: Vec3,
    /// Skin farther from it takes no part, in the world's units, > 0.
    pub radius: f32,
    /// What all that skin takes together, N s, along the world's axes.
    pub momentum: Vec3,
}

/// Ground, a wall, a seat: a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Away from what is solid, of any length above 0, along the world's axes.
    pub normal: Vec3,
    /// A point of the plane, in the world.
    pub place: Vec3,
}

impl Impulse {
    /// As the tissue of a character sees it that stands there, in a world that counts its metres so large; nothing where it
    /// is no blow.
    pub(super) fn push(&self, stands: Vec3, scale: f32) -> Option<tissue::Impulse> {
        let sound = self.place.is_finite() && self.momentum.is_finite() && self.radius.is_finite();
        let (place, radius) = ((self.place - stands) / scale, self.radius / scale);
        sound.then_some(tissue::Impulse { place, radius, momentum: self.momentum })
    }
}

impl Contact {
    /// Likewise.
    pub(super) fn plane(&self, stands: Vec3, scale: f32) -> Option<tissue::Plane> {
        let normal = self.normal.try_normalize().filter(|_| self.place.is_finite())?;
        Some(tissue::Plane { normal, offset: normal.dot(self.place - stands) / scale })
    }
}

/// How much of the frame is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detail {
    /// Solve the skin; without it only muscles move. Where there is tissue the skin is always solved.
    pub skin: bool,
    /// Recompute normals after the skin.
    pub normals: bool,
}

impl Default for Detail {
    fn default() -> Self {
        Self::ALL
    }
}

impl Detail {
    /// Skin and its normals.
    pub const ALL: Self = Self { skin: true, normals: true };
    /// Skin without normals.
    pub const POSITIONS: Self = Self { skin: true, normals: false };
    /// Muscles without skin.
    pub const MUSCLES: Self = Self { skin: false, normals: false };
}

impl<'a> StepInput<'a> {
    /// A frame of `dt` seconds in that pose, relaxed, standing at the world's origin.
    #[must_use]
    pub fn new(pose: &'a [Affine3A], dt: f32) -> Self {
        let (world_from_model, detail) = (Affine3A::IDENTITY, Detail::default());
        let gravity = Vec3::new(0.0, -9.81, 0.0);
        Self {
            pose,
            world_from_model,
            activation: &[],
            dt,
            gravity,
            teleport: false,
            detail,
            impulses: &[],
            contacts: &[],
        }
    }
}
