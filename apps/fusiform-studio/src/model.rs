//! Model: all that a session knows and does, without a window.

mod action;
mod change;
mod dials;
mod document;
mod edit;
mod fault;
mod field;
mod history;
mod job;
pub mod keys;
mod live;
mod output;
mod project;
mod recovery;
mod studio;

pub use action::{Action, Look, Play, Show, Tool};
pub use change::Change;
pub use dials::{
    BONE_FIELDS, CHOICES, DIALS, DRIVER_CHOICES, DRIVER_FIELDS, Dial, GROUPS, LAYER_CHOICES, LAYER_FIELDS,
    PHYSIQUE_FIELDS,
};
pub use document::Document;
pub use edit::{Done, Edit, End, Part, Seen, twin};
pub use fault::Fault;
pub use field::{Choice, Field, Twin};
pub use history::{Gesture, History};
pub use job::{Job, Pace, Stopped};
pub use live::{Live, Playing};
pub use output::write_whole;
pub use project::Project;
pub use recovery::{Recovered, Recovery};
pub use studio::Studio;
