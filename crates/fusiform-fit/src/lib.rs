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
mod drivers;
mod ellipsoid;
mod even;
mod extract;
mod facing;
mod inside;
mod line;
mod middle;
mod mirror;
mod pairs;
mod pattern;
mod place;
mod pose_shapes;
mod preset;
mod proportions;
mod ranges;
mod refine;
mod regions;
pub mod retarget;
mod rig;
mod roles;
mod seat;
mod segments;
mod shafts;
mod sheets;
mod span;
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
pub use drivers::{DriverTemplate, drivers};
pub use extract::{Extracted, extract, shared_values};
pub use facing::Facing;
pub use inside::Inside;
pub use pairs::{Flesh, PairBone, rig_pairs};
pub use pattern::fits;
pub use place::{FitError, LeftOut, Placed, Under, place, place_bones};
pub use pose_shapes::{PosedSkin, add_pose_shapes};
pub use preset::Preset;
pub use ranges::{JointMotion, JointRange, MOST_DEGREES, Motion, RangePose, joint_motions, range_poses};
pub use regions::regions;
pub use rig::{FAT, RigError, Rigged, Stage, Stopped, rig};
pub use roles::{Evidence, Found, GivenError, GivenRoles, How, Role, Roles, Side};
pub use segments::Segment;
pub use shafts::{Shaft, bone_capsules, shafts};
pub use sheets::gather_sheets;
pub use span::{HELD, Hold, span};
pub use surface::{Nearest, Surface};
pub use template::{
    Bone, BonePlace, BoneTemplate, Defaults, End, MuscleTemplate, Over, SheetTemplate, Spot, Template, TemplateError,
};
pub use tune::{FIELDS, Field, SHEET_FIELDS, SheetField};
pub use weights::{MAX_MUSCLES, MAX_TOTAL, influence, join_weights, keep_weights, put_weights};

/// 0 below `low`, 1 above `high`, smooth between.
fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
