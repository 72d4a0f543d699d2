//! Motion: what was captured of one body, as another would move.

use super::{Fault, system};
use fusiform::{Clip, Skeleton};
use fusiform_files::bvh;
use fusiform_fit::Roles;
use fusiform_fit::retarget::{RetargetError, Rig, retarget};
use std::path::Path;

/// A motion that can be put on the character, and what had to be guessed.
pub type Captured = (Clip, Vec<String>);

/// A captured motion in a file as a skeleton with these roles would move, and what had to be guessed.
///
/// # Errors
/// When the file is no motion, or too few joints on either side are known.
pub fn read_motion(path: &Path, skeleton: &Skeleton, roles: Roles) -> Result<Captured, Fault> {
    let file = path.display().to_string();
    let bytes = system::read(path).map_err(|error| Fault::unreadable(path, &error))?;
    let fault = |message: String, cure: String| Fault { file: file.clone(), message, cure };
    let bvh = bvh::read(&bytes).map_err(|error| fault(error.to_string(), error.cure()))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (captured, clip) = bvh.skeleton_and_clip(&stem, bvh.guess_unit());
    let made = retarget(&Rig::by_names(&captured), &clip, &Rig { skeleton, roles }, None);
    let made = made.map_err(|error| fault(error.to_string(), cure(&error)))?;
    Ok((made.clip, bvh.warnings.into_iter().chain(made.warnings).collect()))
}

fn cure(error: &RetargetError) -> String {
    match error {
        RetargetError::NoRole { which: "target", .. } => {
            "say which joint that is by Rig > Fit…, Roles of joints, then add the motion again".into()
        }
        RetargetError::NoRole { role, side, .. } => format!("call the joint {role}{side} in that file, and try again"),
        _ => error.cure(),
    }
}
