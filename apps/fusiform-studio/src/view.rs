//! View: the character on the screen.

mod bellies;
mod bones;
mod camera;
mod film;
mod geometry;
mod gpu;
mod grid;
mod pick;
mod scene;
mod screen;
mod still;
mod under_skin;

pub use bones::{each_bone, ends_of};
pub use camera::Camera;
pub use film::{Copied, film};
pub use fusiform_picture::Picture;
pub use geometry::{Extras, Geometry};
pub use gpu::{Gpu, Reading, Refused, Sent};
pub use grid::round_step;
pub use pick::{SkinHit, circle_on, muscle_at, skin_at};
pub use scene::Scene;
pub use screen::Screen;
pub use still::{ClearExposure, ClearPicture, Easel, Exposure, Sight};
