//! Stills, contact sheets and GIFs of triangle surfaces, and plots of lines over time, drawn on the CPU.
//!
//! Plain surfaces in, bytes out: the same input gives the same bytes on any number of threads.
//! Nothing here knows about characters or muscles.
//!
//! ```
//! use fusiform_picture::{Camera, Quality, Scene, Surface, View, render};
//! use glam::Vec3;
//!
//! let triangle = Surface::new("flag", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
//! let camera = Camera::framing(Vec3::ZERO, Vec3::ONE, View::Front);
//! let picture = render(&Scene::new(vec![triangle]), &camera, 32, 32, Quality::draft())?;
//! assert!(picture.png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), fusiform_picture::PictureError>(())
//! ```

mod bvh;
mod camera;
pub mod color;
mod compose;
mod error;
mod font;
mod gif;
mod light;
mod mesh;
mod picture;
pub mod plot;
mod render;
mod shade;
mod surface;

pub use camera::{Camera, Lens, View};
pub use compose::{INK, PAGE, beside, grid, legend, stack};
pub use error::{MAX_SIDE, PictureError};
pub use gif::{gif, gif_while};
pub use picture::Picture;
pub use render::{Quality, render};
pub use surface::{Cut, Scene, Surface, smooth_normals};
