//! View: the character on the screen.

mod bellies;
mod bones;
mod camera;
mod geometry;
mod gpu;
mod grid;
mod pick;
mod scene;

pub use camera::Camera;
pub use fusiform_picture::Picture;
pub use geometry::{Extras, Geometry};
pub use gpu::{Gpu, Sent};
pub use pick::{SkinHit, circle_on, muscle_at, skin_at};
pub use scene::Scene;
