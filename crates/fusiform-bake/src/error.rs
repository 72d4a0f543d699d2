//! What can be wrong with frames that are to be baked.

use crate::watch::Stopped;
use thiserror::Error;

/// Why frames cannot be baked: the element, what is wrong with it and how to mend it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// Two arrays that walk together differ in length.
    #[error("{what} has {found} entries where {expected} are needed; give one for each vertex, joint or frame")]
    Length {
        /// The array.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it must be.
        expected: usize,
    },
    /// A number that is not finite.
    #[error("frame {frame}, vertex {vertex}: {what} is not finite; solve the frame again from a finite pose")]
    NotFinite {
        /// Position or residual.
        what: &'static str,
        /// Index of the frame.
        frame: usize,
        /// Index of the vertex.
        vertex: usize,
    },
    /// A joint matrix that is not finite.
    #[error("frame {frame}, joint {joint}: its matrix is not finite; mend the clip's keys there")]
    JointNotFinite {
        /// Index of the frame.
        frame: usize,
        /// Index of the joint.
        joint: usize,
    },
    /// A vertex weight points at no joint.
    #[error("vertex {vertex} is weighted to joint {joint}, but there are only {n_joint}; give all joints' matrices")]
    NoSuchJoint {
        /// Index of the vertex.
        vertex: usize,
        /// What it is weighted to.
        joint: usize,
        /// How many joints there are.
        n_joint: usize,
    },
    /// A setting that is no use.
    #[error("{what} is {value}; it must be {must}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What it must be.
        must: &'static str,
    },
    /// A clip's frames lie outside the frames given.
    #[error("clip {clip} has frames {start}..{end}, but there are only {n_frame}; stack all clips' frames")]
    ClipRange {
        /// Index of the clip.
        clip: usize,
        /// Its first frame.
        start: usize,
        /// One past its last.
        end: usize,
        /// How many frames there are.
        n_frame: usize,
    },
    /// The character or its muscles are not sound.
    #[error(transparent)]
    Bind(#[from] fusiform::BindError),
    /// The file cannot be written or read back.
    #[error(transparent)]
    File(#[from] fusiform_files::FileError),
    /// Whoever asked for it wants it no more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// So much motion does not fit into memory.
    #[error(
        "{seconds:.0} s of motion at {fps} frames a second take {gigabytes:.0} GB; bake fewer clips at a time, or fewer frames a second"
    )]
    TooLong {
        /// Of all clips together.
        seconds: f64,
        /// Frames a second.
        fps: f32,
        /// What they take.
        gigabytes: f64,
    },
    /// A file that does not give back what was put into it: a fault of the crate.
    #[error("{found} of {expected} positions came back from the cache; this is a fault of fusiform, please report it")]
    CameBack {
        /// How many did.
        found: usize,
        /// How many there were.
        expected: usize,
    },
    /// The eigenvalues of the frames' products did not converge: a fault of the crate.
    #[error("the frames' principal shapes were not found; this is a fault of fusiform-bake, please report it")]
    NoSpectrum,
}

/// The array must have that many entries.
pub fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), BakeError> {
    if found == expected { Ok(()) } else { Err(BakeError::Length { what, found, expected }) }
}
