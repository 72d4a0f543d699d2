//! Model: all that a session knows and does, without a window.

mod action;
mod change;
mod dials;
mod document;
mod edit;
mod fault;
mod folder;
mod grip;
mod history;
mod job;
mod live;
mod output;
mod project;
mod recovery;
mod studio;
pub mod system;
mod watch;

pub use action::{Action, Look, Play, Show, Tool};
pub use change::Change;
pub use dials::{DIALS, Dial};
pub use document::Document;
pub use edit::{Done, Edit, End, Placing, Seen, Spot, twin};
pub use fault::Fault;
pub use folder::{Entry, Folder, Kind, home};
pub use grip::{Curve, Grip, arrow, belly_line, frame_now, middle};
pub use history::{Gesture, History};
pub use job::{Job, Pace, Stopped};
pub use live::{Live, Playing};
pub use output::write_whole;
pub use project::Project;
pub use recovery::{Recovered, Recovery};
pub use studio::Studio;
pub use watch::Watch;
