//! The built-in athlete: a character grown by code, so that there is something to look at before any file is read.
//!
//! A skeleton, the flesh about it, the humanoid template's muscles laid in, a skin grown over both, joint weights and
//! five clips. The same vertex count gives the same bits.

mod athlete;
mod bones;
mod clips;
mod envelope;
mod figure;
mod grow;
mod muscles;
mod order;
mod polygonise;
mod pose;
mod remesh;
mod skeleton;
mod skin;
mod stack;
mod weights;

pub use athlete::{Athlete, AthleteError, VERTICES, athlete, athlete_with};
pub use skeleton::{JOINT_COUNT, skeleton};
