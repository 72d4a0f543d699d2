//! Model: all that a session knows and does, without a window.

mod action;
mod brush;
mod carving;
mod change;
mod dials;
mod document;
mod edit;
mod fault;
mod history;
mod job;
mod live;
mod output;
mod painting;
mod project;
mod recovery;
mod skin;
mod studio;

pub use action::{Action, Look, Play, Show, Tool};
pub use brush::{Brush, Carve, Falloff, Locks, Mode, Target};
pub use carving::{Carving, belly, normal_at};
pub use change::Change;
pub use dials::{DIALS, Dial};
pub use document::Document;
pub use edit::{Carved, Of, Stroke};
pub use edit::{Done, Edit, End, Seen, kernels, twin};
pub use fault::Fault;
pub use history::{Gesture, History};
pub use job::{Job, Pace, Stopped};
pub use live::{Live, Playing};
pub use output::write_whole;
pub use painting::{Painting, other_side};
pub use project::Project;
pub use recovery::{Recovered, Recovery};
pub use skin::{Dab, Skin, facing};
pub use studio::Studio;
