//! View: the character on the screen.

mod camera;
mod geometry;
mod gpu;

pub use camera::Camera;
pub use fusiform_picture::Picture;
pub use geometry::{Batch, Extras, Geometry, Vertex, muscle_at};
pub use gpu::Gpu;
