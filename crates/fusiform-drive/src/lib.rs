//! A character's own biomechanics: what its parts weigh, what its joints must do in a motion, which of its muscles do it.
//!
//! The muscles are those that deform its skin: one set carries the forces and the flesh. [`drive`] reads like a table of
//! contents; model files of laboratories are in `fusiform-motion`.

mod arms;
mod curves;
mod drive;
mod ground;
mod masses;
mod rigid;
mod torque;

pub use arms::Arms;
pub use curves::curves;
pub use drive::{DriveError, Driven, Given, SPECIFIC_TENSION, drive};
pub use masses::{Segment, segments};
pub use rigid::{Rigid, RigidMotion, posed};
pub use torque::{Load, Push, loads};
