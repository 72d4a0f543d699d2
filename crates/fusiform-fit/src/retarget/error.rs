//! Why a motion cannot be put on a body.

use crate::Role;
use thiserror::Error;

/// Why a motion cannot be retargeted: which skeleton, what is wrong, and ([`RetargetError::cure`]) how to mend it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// A role without which there is no frame of the body, or no ground to stand on.
    #[error("the {which} skeleton has no joint for {role}{side}")]
    NoRole {
        /// `source` or `target`.
        which: &'static str,
        /// The role.
        role: Role,
        /// `.l`, `.r` or nothing.
        side: &'static str,
    },
    /// A role points past the end of the skeleton.
    #[error("the {which} gives {role} to joint {joint}, but its skeleton has only {joints} joints")]
    NoSuchJoint {
        /// `source` or `target`.
        which: &'static str,
        /// The role.
        role: Role,
        /// The joint it was given to.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// A joint's parent does not come before it.
    #[error("joint {joint:?} of the {which} has a parent that does not come before it")]
    ParentOrder {
        /// `source` or `target`.
        which: &'static str,
        /// Name of the joint.
        joint: String,
    },
    /// Legs without length, hips on one point, or a rest pose that is not finite.
    #[error("the rest pose of the {which} has no {what}")]
    Flat {
        /// `source` or `target`.
        which: &'static str,
        /// What cannot be measured.
        what: &'static str,
    },
    /// The clip has no key.
    #[error("clip {clip:?} has no key")]
    NoKeys {
        /// Name of the clip.
        clip: String,
    },
    /// A rate that is no rate, or one that gives more frames than anybody can hold.
    #[error("{fps} frames a second of a clip of {seconds} s cannot be sampled")]
    Rate {
        /// The wish, or the source's own.
        fps: f32,
        /// Length of the clip.
        seconds: f32,
    },
    /// The clip moves a joint to somewhere that is not finite.
    #[error("clip {clip:?} is not finite at {seconds} s")]
    NotFinite {
        /// Name of the clip.
        clip: String,
        /// When.
        seconds: f32,
    },
}

impl RetargetError {
    /// What to do about it, in one sentence.
    #[must_use]
    pub fn cure(&self) -> String {
        match self {
            Self::NoRole { role, side, .. } => {
                format!("name the joint {role}{side}, or say which joint plays that role")
            }
            Self::NoSuchJoint { .. } => "find the roles of this skeleton again".into(),
            Self::ParentOrder { .. } => "list every parent before its children".into(),
            Self::Flat { .. } => "export the skeleton in a standing rest pose, with the lengths of its bones".into(),
            Self::NoKeys { .. } => "choose a clip that moves something".into(),
            Self::Rate { .. } => "ask for 1 to 1000 frames a second, of a shorter clip".into(),
            Self::NotFinite { .. } => "fill the gap in the motion, or export it again".into(),
        }
    }
}
