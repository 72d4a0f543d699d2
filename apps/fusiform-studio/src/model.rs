//! Model: all that a session knows and does, without a window.

mod action;
mod any_path;
mod baking;
mod brush;
mod carving;
mod change;
mod dials;
mod document;
mod edit;
mod fault;
mod field;
mod fit;
mod fitting;
mod folder;
mod grip;
mod history;
mod job;
pub mod keys;
mod live;
mod metres;
mod motion;
mod opposite;
mod output;
mod painting;
mod plane;
mod project;
mod recent;
mod recovery;
mod renumber;
mod resumed;
mod saving;
mod sides;
mod skin;
mod stamp;
mod studio;
pub mod system;
mod watch;

pub use action::{Action, Look, Play, Show, Tool};
pub use baking::{BakeInto, BakeOrder, BakeReport, BakedRow, check_place};
pub use brush::{Brush, Carve, Falloff, Locks, Mode, Target};
pub use carving::{Carving, belly, carving_hindrance, normal_at};
pub use change::Change;
pub use dials::{
    BONE_FIELDS, CHOICES, DIALS, DRIVER_CHOICES, DRIVER_FIELDS, Dial, GROUPS, LAYER_CHOICES, LAYER_FIELDS,
    PHYSIQUE_FIELDS,
};
pub use document::Document;
pub use edit::{ANGLES, MOST_POINTS, angles, bone_axis, turn_from};
pub use edit::{Carved, Of, Stroke};
pub use edit::{
    Done, Edit, Part, Placing, Seen, Spot, is_between_shapes, keeps_to_its_side, kernels, leaders, shape_seen,
};
pub use fault::Fault;
pub use field::{Choice, Field, Twin};
pub use fit::{Anatomy, Fit, Fitted, Fitter, Recipe, Report, every_role, preset_of, written_role};
pub use fitting::{Fitting, Wanted};
pub use folder::{Entry, Folder, Kind, home};
pub use grip::{Curve, Grip, arrow, belly_line, frame_now, middle};
pub use history::{Gesture, History};
pub use job::{Job, Pace, Stopped};
pub use live::{AsBaked, Live, Playing};
pub use metres::{bone_from_metres, bone_in_metres, metres};
pub use motion::Captured;
pub use output::write_whole;
pub use painting::{Painting, flood, hindrance, other_side, prune};
pub use plane::Plane;
pub use project::{Original, Project};
pub use recent::Recent;
pub use recovery::{Keeper, Recovered, Recovery};
pub use saving::{Saved, Saving};
pub use sides::{Twins, other_names, twin, twin_by_name, without_side};
pub use skin::{Dab, Skin, facing};
pub use stamp::{OnDisk, Stamp};
pub use studio::Studio;
pub use watch::Watch;
