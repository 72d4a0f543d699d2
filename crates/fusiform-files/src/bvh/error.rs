//! What can be wrong with a BVH file.

use thiserror::Error;

/// Why a BVH file cannot be read: the line, what is wrong there, and ([`BvhError::cure`]) how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BvhError {
    /// The text stops in the middle.
    #[error("line {line}: the file ends where {wanted} should follow")]
    Truncated {
        /// The last line, counted from 1.
        line: usize,
        /// What is missing.
        wanted: &'static str,
    },
    /// Something else stands where one thing must.
    #[error("line {line}: found {found:?} where {wanted} should be")]
    Unexpected {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        wanted: &'static str,
    },
    /// A word where a number must be.
    #[error("line {line}: {found:?} is not a number")]
    NotANumber {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// NaN, infinite, or too large to be held.
    #[error("line {line}: {found:?} is not a finite number")]
    NotFinite {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A channel that is neither a position nor a rotation.
    #[error("line {line}: joint {joint:?} has a channel {found:?}")]
    UnknownChannel {
        /// Counted from 1.
        line: usize,
        /// Name of the joint.
        joint: String,
        /// What stands there.
        found: String,
    },
    /// The number of channels and their names do not agree.
    #[error("line {line}: joint {joint:?} announces {announced} channels and names {named}")]
    ChannelCount {
        /// Counted from 1.
        line: usize,
        /// Name of the joint.
        joint: String,
        /// The number before the names.
        announced: usize,
        /// How many names follow.
        named: usize,
    },
    /// A joint without an offset.
    #[error("line {line}: {joint:?} ends without an OFFSET")]
    NoOffset {
        /// Where its block closes, counted from 1.
        line: usize,
        /// Name of the joint.
        joint: String,
    },
    /// Time does not pass from frame to frame.
    #[error("line {line}: the frame time is {found:?}")]
    FrameTime {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Frames are announced and not a whole one is there.
    #[error("line {line}: {announced} frames are announced, but no frame of {channels} numbers follows")]
    NoFrame {
        /// Where the rows should begin, counted from 1.
        line: usize,
        /// The number the file announces.
        announced: usize,
        /// Numbers in one frame.
        channels: usize,
    },
}

impl BvhError {
    /// What to do about it, in one sentence.
    #[must_use]
    pub fn cure(&self) -> String {
        match self {
            Self::Truncated { .. } => "copy or download the file again: its end is missing".into(),
            Self::Unexpected { line: 1, .. } => "give a BVH file: its first word is HIERARCHY".into(),
            Self::Unexpected { wanted, .. } => format!("write {wanted} there, or export the motion again"),
            Self::NotANumber { found, .. } if found.contains(',') => "write decimals with a point, not a comma".into(),
            Self::NotANumber { .. } => "put a number there, or export the motion again".into(),
            Self::NotFinite { .. } => "fill the gap in the capture before export".into(),
            Self::UnknownChannel { .. } => {
                "use Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation only".into()
            }
            Self::ChannelCount { named, .. } => format!("write CHANNELS {named} before the names"),
            Self::NoOffset { .. } => "give the joint a line OFFSET x y z".into(),
            Self::FrameTime { .. } => "write the seconds between frames, as in Frame Time: 0.008333".into(),
            Self::NoFrame { .. } => "copy or download the file again: its rows are missing".into(),
        }
    }
}
