//! View: the character on the screen.

mod camera;
mod geometry;
mod gpu;
mod pick;

pub use camera::Camera;
pub use fusiform_picture::Picture;
pub use geometry::{Batch, Extras, Geometry, Vertex};
pub use gpu::Gpu;
pub use pick::{SkinHit, circle_on, muscle_at, skin_at};
