//! Muscles for any rigged character: a pose pulls muscles, muscles change shape, the skin follows.
//!
//! Three things and one bridge between them:
//!
//! | | what it is | type |
//! |---|---|---|
//! | what is edited | names, defaults, serde, readable | [`Character`], [`Musculature`] |
//! | what runs | flat arrays, immutable, checked once, shared | [`Body`] |
//! | what changes | every buffer of one instance, sized once | [`BodyState`] |
//!
//! [`Body::bind`] is the only way from the first row to the second; [`Body::step`] is the frame.

pub mod body;
pub mod character;
pub mod musculature;

pub use body::{BindError, Body, BodyState, Detail, StepInput};
pub use character::{Character, Clip, Joint, Mesh, Pose, Skeleton, SparseWeights, Transform};
pub use musculature::{Muscle, Musculature, Physique};
