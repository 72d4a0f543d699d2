//! Turned: how a joint has turned against its parent since bind, and how far about an axis.

use super::frame;
use crate::character::Skeleton;
use glam::{Mat3, Quat, Vec3};

/// A joint whose turn is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turned {
    joint: usize,
    parent: Option<usize>,
    bind: Mat3, // its rotation in model space
}

impl Turned {
    /// The joint of that name.
    pub fn new(skeleton: &Skeleton, name: &str) -> Self {
        let joint = skeleton.find(name).unwrap_or(0);
        let of = &skeleton.joints[joint];
        Self { joint, parent: of.parent, bind: frame::turn_of(&of.bind).into() }
    }

    /// How it is turned against its parent since bind, in its own space; `turn` is that of every joint, in model space.
    pub fn since_bind(&self, turn: &[Mat3]) -> Mat3 {
        let now = turn[self.joint] * self.bind;
        let carried = self.parent.map_or(self.bind, |parent| turn[parent] * self.bind);
        carried.transpose() * now
    }
}

/// How far a turn goes about that unit axis, radians, −π ..= π: the twist in it, whatever the swing.
pub(super) fn about(axis: Vec3, turn: Quat) -> f32 {
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    2.0 * libm::atan2f(sign * turn.xyz().dot(axis), sign * turn.w)
}

/// The whole angle of a turn, radians, 0 ..= π.
pub(super) fn whole(turn: Quat) -> f32 {
    2.0 * libm::atan2f(turn.xyz().length(), turn.w.abs())
}
