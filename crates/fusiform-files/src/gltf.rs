//! glTF 2.0, in and out.
//!
//! A file is kept as it came: its JSON whole and in order, its bytes untouched. What has a meaning here is read from it;
//! what is written is the same JSON with our keys edited and our bytes appended, so that nothing unknown is lost.

mod accessor;
mod animation;
mod beside;
mod bones;
mod container;
mod edit;
mod helpers;
mod morph;
mod musculature;
mod nodes;
mod playback;
mod primitive;
mod scene;
mod schema;
mod shape;
mod skin;
mod still;
mod track;
mod units;
mod weights;
mod write;

pub use beside::{place_beside, read_beside};
pub use container::Gltf;
pub use helpers::{HelperJoints, HelperTrack};
pub use morph::PartMorphs;
pub use playback::{PartPlayback, Playback, skin};
pub use scene::{Origin, Part, Primitive, Scene};
pub use track::WeightTrack;
pub use units::Units;
