//! The studio from outside: one program, since each links a whole window.

mod actions;
mod arm;
mod chooser;
mod first_minute;
mod killed;
mod painting;
mod curving;
mod inspecting;
mod killed;
mod listing;
mod looks;
mod panels;
mod pictures;
mod placing;
mod posing;
mod sculpting;
mod sitting;
mod watch;
mod window;
