//! From motion to tension: a model of bones and muscles, the angles that explain markers, the torques that explain the
//! angles, the muscle forces that explain the torques.
//!
//! ```text
//! markers ─> ik ─> angles ─> filter ─> rnea ─> torques ─> tension ─> activations
//!                    └─> kinematics ─> path ─> lengths, moment arms ─┘
//! ```
//!
//! Everything is f64, in metres, kilograms, seconds and radians. [`model::Model`] is what is read and written;
//! [`system::System`] is what runs, checked once.

pub mod function;
pub mod model;
pub mod path;
pub mod system;
pub mod wrap;
