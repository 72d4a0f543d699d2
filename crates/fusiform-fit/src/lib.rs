//! Outside-in: which joint is which part of the body, which muscles a body has, where they lie in this body,
//! and which skin they move.
//!
//! ```text
//! Skeleton --Roles::find--> Found { roles, .. } --place(Template)--> Vec<Muscle> --influence--> weights on the skin
//! ```
//!
//! Beside that, [`retarget`]: the motion of one body on another, by the same roles.

mod bones;
mod facing;
mod place;
mod proportions;
pub mod retarget;
mod roles;
mod template;
#[cfg(test)]
mod test_body;
mod validate;
mod weights;

pub use facing::Facing;
pub use place::{FitError, LeftOut, Placed, place};
pub use roles::{Evidence, Found, GivenError, GivenRoles, How, Role, Roles, Side};
pub use template::{Bone, Defaults, MuscleTemplate, Over, Spot, Template, TemplateError};
pub use weights::{MAX_MUSCLES, MAX_TOTAL, influence};
