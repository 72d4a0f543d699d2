//! The studio from outside: one program, since each links a whole window.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod actions;
mod arm;
mod attaching;
mod chooser;
mod curving;
mod exporting;
mod files;
mod first_minute;
mod fitting;
mod inspecting;
mod killed;
mod listing;
mod looks;
mod painting;
mod panels;
mod pictures;
mod placing;
mod posing;
mod recovery;
mod sculpting;
mod sitting;
mod watch;
mod window;
