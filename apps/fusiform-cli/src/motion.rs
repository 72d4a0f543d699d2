//! `--motion`: a captured motion, put on a character.

use crate::failure::Failure;
use crate::source::Subject;
use fusiform::{Clip, Skeleton};
use fusiform_files::bvh::{self, Bvh};
use fusiform_fit::retarget::{Rig, retarget};
use std::path::Path;

/// A motion as its file has it.
pub struct Motion {
    /// Its joints, in metres.
    pub skeleton: Skeleton,
    /// How they move.
    pub clip: Clip,
    /// Metres in one unit of the file, as guessed.
    pub unit: f32,
    /// What was mended while reading.
    pub warnings: Vec<String>,
}

impl Motion {
    /// Read a .bvh file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| {
            Failure::io(path, "the motion cannot be read", &error).cure("check the path; motions are .bvh files")
        })?;
        let bvh: Bvh =
            bvh::read(&bytes).map_err(|error| Failure::input(&name, error.to_string()).cure(error.cure()))?;
        let unit = bvh.guess_unit();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (skeleton, clip) = bvh.skeleton_and_clip(&stem, unit);
        Ok(Self { skeleton, clip, unit, warnings: bvh.warnings })
    }

    /// Put it on a character as one more clip, in memory and in its file; returns the clip's index.
    pub fn put_on(&self, subject: &mut Subject, path: &Path) -> Result<usize, Failure> {
        let (source, target) = (Rig::by_names(&self.skeleton), Rig::by_names(&subject.character.skeleton));
        let made = retarget(&source, &self.clip, &target, None).map_err(|error| {
            Failure::input(path.display().to_string(), error.to_string())
                .at(format!("motion on {}", subject.file))
                .cure(error.cure())
        })?;
        let taken = |name: &str| subject.character.clips.iter().any(|clip| clip.name == name);
        let mut clip = made.clip;
        while taken(&clip.name) {
            clip.name.push('\'');
        }
        let index = subject.gltf.append_clip(&clip, &subject.origin.node_of_joint, subject.origin.units);
        subject.character.clips.push(clip);
        subject.warnings.extend(self.warnings.iter().chain(&made.warnings).cloned());
        Ok(index)
    }
}
