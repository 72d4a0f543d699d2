//! Outside-in: which joint is which part of the body, which muscles a body has, where they lie in this body,
//! and which skin they move.
//!
//! ```text
//! Skeleton --Roles::find--> Found { roles, .. } --place(Template)--> Vec<Muscle> --influence--> weights on the skin
//! ```
//!
//! Beside that, [`retarget`]: the motion of one body on another, by the same roles.

mod bend;
mod bones;
mod conform;
mod dress;
mod ellipsoid;
mod extract;
mod facing;
mod inside;
mod mirror;
mod pairs;
mod place;
mod pose_shapes;
mod preset;
mod proportions;
mod ranges;
mod regions;
pub mod retarget;
mod rig;
mod roles;
mod seat;
mod segments;
mod sheets;
mod surface;
mod template;
#[cfg(test)]
mod test_body;
mod tune;
mod twins;
mod validate;
mod weights;
mod write;

pub use conform::{Toward, conform};
pub use dress::{Wear, sort_around, sort_meshes};
pub use extract::{Extracted, extract, shared_values};
pub use facing::Facing;
pub use inside::Inside;
pub use pairs::rig_pairs;
pub use place::{FitError, LeftOut, Placed, place};
pub use pose_shapes::{PosedSkin, add_pose_shapes};
pub use preset::Preset;
pub use ranges::{JointRange, MOST_DEGREES, Motion, RangePose, range_poses};
pub use regions::regions;
pub use rig::{FAT, RigError, Rigged, Stage, rig};
pub use roles::{Evidence, Found, GivenError, GivenRoles, How, Role, Roles, Side};
pub use segments::Segment;
pub use sheets::gather_sheets;
pub use surface::{Nearest, Surface};
pub use template::{Bone, Defaults, End, MuscleTemplate, Over, SheetTemplate, Spot, Template, TemplateError};
pub use tune::{FIELDS, Field, SHEET_FIELDS, SheetField};
pub use weights::{MAX_MUSCLES, MAX_TOTAL, influence};

/// 0 below `low`, 1 above `high`, smooth between.
fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
