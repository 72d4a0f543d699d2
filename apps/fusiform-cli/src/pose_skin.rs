//! A skin that was sculpted in a pose of a clip.

use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use fusiform::{Mesh, Pose};
use fusiform_files::gltf::{Gltf, read_beside};
use fusiform_fit::{PosedSkin, Surface};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// `FILE@CLIP:TIME`: the skin in the file stands as the character does in its clip at that second.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseSkin {
    file: PathBuf,
    clip: String,
    time: f32,
}

impl FromStr for PoseSkin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').and_then(|(rest, time)| Some((rest.rsplit_once('@')?, time)));
        let Some(((file, clip), time)) = parts.filter(|((file, clip), _)| !file.is_empty() && !clip.is_empty()) else {
            return Err("write FILE@CLIP:TIME, as in curled.glb@curl:1.5".into());
        };
        let time = time.parse().ok().filter(|time: &f32| time.is_finite() && *time >= 0.0);
        let time = time.ok_or("the time after the last colon is no number of seconds")?;
        Ok(Self { file: file.into(), clip: clip.into(), time })
    }
}

impl PoseSkin {
    /// The pose of the character, and the skin of the file.
    pub fn read(&self, subject: &Subject) -> Result<PosedSkin, Failure> {
        let (clip, time) = self.moment(subject)?;
        let meshes = self.meshes(subject)?;
        let surface = Surface::new(&meshes).ok_or_else(|| {
            Failure::input(self.name(), "it has no triangle").cure("export the sculpted skin with its faces")
        })?;
        let mut pose = Pose::rest(&subject.character.skeleton);
        subject.character.clips[clip].sample(time, &mut pose);
        Ok(PosedSkin { pose: pose.model_matrices(&subject.character.skeleton), surface })
    }

    /// The clip of the character, and the second in it.
    pub fn moment(&self, subject: &Subject) -> Result<(usize, f32), Failure> {
        let clips = &subject.character.clips;
        let Some(found) = clips.iter().position(|clip| clip.name == self.clip) else {
            let all: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            return Err(names::unknown(&subject.file, "clip", &self.clip, &all));
        };
        let clip = &clips[found];
        if self.time > clip.duration() {
            let message = format!("clip {:?} ends at {:.3} s, before {} s", clip.name, clip.duration(), self.time);
            return Err(Failure::input(&subject.file, message).cure("name an earlier time in --pose-skin"));
        }
        Ok((found, self.time))
    }

    /// The skin of the file, metres.
    pub fn meshes(&self, subject: &Subject) -> Result<Vec<Mesh>, Failure> {
        let bytes = std::fs::read(&self.file)
            .map_err(|error| Failure::io(&self.file, "the sculpted skin cannot be read", &error))?;
        let gltf = Gltf::read(&bytes, read_beside(self.file.parent().unwrap_or(Path::new("."))));
        let metres = subject.origin.units.metres();
        gltf.and_then(|gltf| gltf.still_meshes(metres)).map_err(|error| Failure::file(&self.name(), &error))
    }

    /// The file as it was named.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// The clip as it was named.
    pub fn clip(&self) -> &str {
        &self.clip
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_colons_and_ats_in_its_name() {
        let skin = PoseSkin { file: "c:/a@b/x.glb".into(), clip: "curl".into(), time: 1.5 };
        assert_eq!("c:/a@b/x.glb@curl:1.5".parse(), Ok(skin));
        for nothing in ["x.glb", "x.glb@curl", "x.glb:1", "@curl:1", "x.glb@:1", "x.glb@curl:soon", "x.glb@curl:-1"] {
            assert!(nothing.parse::<PoseSkin>().is_err(), "{nothing}");
        }
    }
}
