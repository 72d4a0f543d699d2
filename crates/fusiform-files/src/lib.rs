//! Files in and out. Reading checks everything: whatever a file claims, it gets an answer or one clear sentence, never a
//! panic, and never more memory than a small multiple of its size.
//!
//! ```text
//! bytes --Gltf::read--> Gltf (the file's own JSON and bytes) --Scene::read--> Character, Musculature, where each came from
//! bytes --bvh::read--> Bvh (joints and frames as the file has them) --skeleton_and_clip--> Skeleton, Clip
//! bytes --sto::read, csv::read--> Table (angles, forces over time) --sto::write, csv::write--> text
//! bytes --trc::read, c3d::read--> Capture (markers, analog channels, force plates)
//! bytes --osim::read--> Osim (a Model of bones and muscles that runs, and what was left out)
//! bytes --osim::setup::read_ik, read_loads--> what a trial follows and what pushes it, by names of markers and columns
//! positions of every vertex and frame --pc2::write, mdd::write, usda::write--> bytes
//! ```

pub mod bvh;
pub mod c3d;
pub mod csv;
mod error;
pub mod gltf;
pub mod mdd;
pub mod osim;
pub mod pc2;
mod point_cache;
mod recording;
pub mod sto;
mod text;
pub mod trc;
pub mod usda;

pub use error::FileError;
pub use recording::Recording;
