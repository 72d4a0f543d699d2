//! The studio from outside: one program, since each links a whole window.

mod actions;
mod arm;
mod curving;
mod inspecting;
mod killed;
mod listing;
mod looks;
mod panels;
mod pictures;
mod posing;
mod window;
