//! glTF 2.0, in and out.
//!
//! A file is kept as it came: its JSON whole and in order, its bytes untouched. What has a meaning here is read from it;
//! what is written is the same JSON with our keys edited and our bytes appended, so that nothing unknown is lost.

mod accessor;
mod animation;
mod container;
mod edit;
mod musculature;
mod nodes;
mod primitive;
mod scene;
mod schema;
mod skin;
mod units;

pub use container::{Gltf, read_beside};
pub use scene::{Part, Primitive, Scene};
pub use units::Units;
