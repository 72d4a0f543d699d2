//! From motion to tension: a model of bones and muscles, the angles that explain markers, the torques that explain the
//! angles, the muscle forces that explain the torques.
//!
//! ```text
//! markers ─> ik ─> angles ─> trajectory ─> dynamics ─> torques ─> tension ─> activations
//!                    │       filter, spline   rnea, contact               │
//!                    └─> kinematics ─> path ─> lengths, moment arms ──────┘
//! markers, lengths, activations ─> identify ─> how each muscle's shape answers length and tension
//! ```
//!
//! Everything is f64, in metres, kilograms, seconds and radians. [`model::Model`] is what is read and written;
//! [`system::System`] is what runs, checked once.

pub mod capture;
pub mod contact;
pub mod dense;
pub mod dynamics;
pub mod emg;
pub mod filter;
pub mod function;
pub mod identify;
pub mod ik;
pub mod model;
pub mod path;
pub mod rnea;
pub mod spatial;
pub mod spline;
pub mod strength;
pub mod system;
pub mod table;
pub mod tension;
pub mod trajectory;
pub mod wrap;
