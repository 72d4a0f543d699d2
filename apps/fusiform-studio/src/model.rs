//! Model: all that a session knows and does, without a window.

mod change;
mod dials;
mod fault;
mod history;
mod live;
mod output;
mod project;
mod recovery;
mod studio;

pub use change::Change;
pub use dials::{DIALS, Dial};
pub use fault::Fault;
pub use history::{Gesture, History};
pub use live::{Live, Playing};
pub use output::write_whole;
pub use project::Project;
pub use recovery::{Recovered, Recovery};
pub use studio::{Action, End, Show, Studio, Turn};
