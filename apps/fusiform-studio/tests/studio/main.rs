//! The studio from outside: one program, since each links a whole window.

mod actions;
mod arm;
mod chooser;
mod exporting;
mod first_minute;
mod killed;
mod panels;
mod pictures;
mod placing;
mod posing;
mod sitting;
mod watch;
mod window;
