//! A character's own biomechanics: what its parts weigh, what its joints must do in a motion, which of its muscles do it.
//!
//! The muscles are those that deform its skin: one set carries the forces and the flesh. [`drive`] reads like a table of
//! contents. [`laboratory`] puts a measured person's motion on a skeleton that others can follow, [`MeasuredPushes`] what force
//! plates measured under it, and [`register`] the muscles of a laboratory's model in a character. [`identify`] finds how the
//! shapes of muscles answer, from markers on the skin.

mod arms;
mod curves;
mod drive;
mod ground;
pub mod identify;
mod laboratory;
mod markers;
mod masses;
mod parts;
mod plates;
mod register;
mod rigid;
mod torque;

pub use arms::Arms;
pub use curves::curves;
pub use drive::{DriveError, Driven, Given, Pushes, SPECIFIC_TENSION, drive, strengths};
pub use laboratory::{Laboratory, LaboratoryError, in_radians, laboratory};
pub use markers::{MarkersError, Residual, Tracked, markers_to_coordinates};
pub use masses::{Segment, segments};
pub use plates::{MeasuredPushes, PlatesError};
pub use register::{RegisterError, Registered, register};
pub use rigid::{Rigid, RigidMotion, posed};
pub use torque::{Load, Push, loads};
