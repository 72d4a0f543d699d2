//! The studio: place, shape, paint, play, export.
//!
//! ```text
//! model    what a session knows and does: file, document, undo, recovery, the live body      no window
//! view     the character on the screen: camera, geometry, GPU                               no panels
//! panels   what people see and touch; they make [`model::Action`]s                          no state of the session
//! app      puts them together, frame by frame
//! web      the same on a page of a browser
//! ```

pub mod app;
pub mod model;
pub mod panels;
pub mod view;
#[cfg(target_arch = "wasm32")]
pub mod web;
