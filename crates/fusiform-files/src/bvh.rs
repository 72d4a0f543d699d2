//! BVH, the text format of motion capture: a tree of joints, then one row of channel values for every frame.
//!
//! ```text
//! bytes --read--> Bvh --skeleton_and_clip(metres per unit)--> Skeleton, Clip
//! ```
//!
//! What writers disagree on is read in every spelling (case, tabs, CRLF, names with spaces, rows broken over lines).
//! The memory used is a small multiple of the file's size, whatever the file claims.

mod convert;
mod error;
mod hierarchy;
mod motion;
mod statements;
#[cfg(test)]
mod tests;

pub use error::BvhError;

use hierarchy::Hierarchy;
use motion::Motion;
use statements::Statements;

/// A motion as the file tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// Parents before children.
    pub joints: Vec<BvhJoint>,
    /// Seconds from one frame to the next.
    pub frame_time: f32,
    /// Channel values, frame by frame, [`Bvh::channel_count`] each: file units and degrees.
    pub values: Vec<f32>,
    /// What was mended while reading.
    pub warnings: Vec<String>,
}

/// One joint of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BvhJoint {
    /// As the file spells it.
    pub name: String,
    /// Index of the parent, always smaller than the joint's own. A file may hold several roots.
    pub parent: Option<usize>,
    /// From the parent, file units.
    pub offset: [f32; 3],
    /// In the file's order, which is also the order the rotations are composed in.
    pub channels: Vec<BvhChannel>,
    /// Where the last bone of a chain ends, from this joint.
    pub end_site: Option<[f32; 3]>,
}

/// What one number of a row moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BvhChannel {
    /// The joint's place along axis 0, 1 or 2, in its parent's space; it takes the place of the offset.
    Position(u8),
    /// Degrees about axis 0, 1 or 2.
    Rotation(u8),
}

impl Bvh {
    /// How many numbers a frame has.
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// How many frames there are.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.values.len() / self.channel_count().max(1)
    }
}

/// Read a BVH file.
///
/// The rows that are there count, not the number the file announces: where both differ a warning says so, and a last row
/// that is cut short is left out.
///
/// # Errors
/// When the text is not BVH, or a number is not one; the error names the line, and [`BvhError::cure`] what to do.
pub fn read(bytes: &[u8]) -> Result<Bvh, BvhError> {
    let mut statements = Statements::new(bytes);
    let Hierarchy { joints, channels } = hierarchy::read(&mut statements)?;
    let Motion { frame_time, values, warnings } = motion::read(&mut statements, channels)?;
    Ok(Bvh { joints, frame_time, values, warnings })
}
