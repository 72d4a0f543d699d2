//! Files in and out. Reading checks everything: whatever a file claims, it gets an answer or one clear sentence, never a
//! panic, and never more memory than a small multiple of its size.
//!
//! ```text
//! bytes --Gltf::read--> Gltf (the file's own JSON and bytes) --Scene::read--> Character, Musculature, where each came from
//! ```

mod error;
pub mod gltf;

pub use error::FileError;
