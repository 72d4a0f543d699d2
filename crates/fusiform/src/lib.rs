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
//!
//! ```
//! use fusiform::musculature::{Attachment, Layer};
//! use fusiform::{Body, BodyState, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, StepInput, Transform};
//! use glam::{Affine3A, Quat, Vec3};
//!
//! // an arm of two bones, and a patch of skin over the upper one
//! let skeleton = Skeleton::from_rest(&[
//!     ("upper_arm", None, Transform::IDENTITY),
//!     ("lower_arm", Some(0), Transform::at(Vec3::X * 0.3)),
//! ]);
//! let mut skin = Mesh { name: "skin".into(), triangles: vec![[0, 1, 2]], ..Mesh::default() };
//! let mut weights = SparseWeights::default();
//! for x in [0.1, 0.15, 0.2] {
//!     skin.positions.push(Vec3::new(x, 0.05, (x - 0.15).abs()));
//!     skin.weights.push_vertex([(0, 1.0)]);
//!     weights.push_vertex([(0, 0.8)]); // the first muscle, strongly
//! }
//! let character = Character { name: "arm".into(), skeleton, meshes: vec![skin], clips: Vec::new() };
//!
//! // a biceps from the shoulder to just beyond the elbow
//! let end = |joint: &str, point| Attachment { joint: joint.into(), point };
//! let biceps = Muscle {
//!     name: "biceps".into(),
//!     origin: end("upper_arm", Vec3::new(0.0, 0.02, 0.0)),
//!     insertion: end("lower_arm", Vec3::new(0.04, 0.02, 0.0)),
//!     up: Some(Vec3::Y), // out of the arm
//!     ..Muscle::default()
//! };
//! let (muscles, layers) = (vec![biceps], vec![Layer::blend()]);
//! let musculature = Musculature { muscles, layers, weights: vec![weights], ..Musculature::default() };
//!
//! let body = Body::bind(&character, &musculature)?; // checked once, shared by all instances
//! let mut state = BodyState::new(&body); // one per character on screen
//! let rest = state.positions()[1];
//!
//! let bend = Quat::from_rotation_z(1.6);
//! let pose = [Affine3A::IDENTITY, Affine3A::from_rotation_translation(bend, Vec3::X * 0.3)];
//! body.step(&mut state, &StepInput::new(&pose, 1.0 / 60.0)); // allocates nothing
//! assert!(state.positions()[1].y > rest.y, "the biceps swells as the elbow bends");
//! # Ok::<(), fusiform::BindError>(())
//! ```

pub mod body;
pub mod character;
pub mod musculature;

pub use body::{BindError, Body, BodyState, Detail, StepInput};
pub use character::{Character, Clip, Joint, Mesh, Pose, Skeleton, SparseWeights, Transform};
pub use musculature::{Muscle, Musculature, Physique};
