//! Project: the file a session works on, apart from what is edited in it.

use super::Fault;
use fusiform::{Character, Musculature};
use fusiform_files::bvh;
use fusiform_files::gltf::{Gltf, Origin, Scene, read_beside};
use fusiform_fit::retarget::{Rig, retarget};
use std::path::{Path, PathBuf};

/// Vertices of the athlete a session starts with.
const ATHLETE_VERTICES: usize = 12_000;

/// A character, where it came from, and how it goes back there.
#[derive(Clone, Debug)]
pub struct Project {
    /// What people call it.
    pub name: String,
    /// Where it was opened from or last saved to; none for what has never been in a file.
    pub path: Option<PathBuf>,
    /// Skeleton, skin, clips.
    pub character: Character,
    /// What was mended or left alone while reading.
    pub warnings: Vec<String>,
    gltf: Gltf,
    origin: Origin,
}

impl Project {
    /// From a .glb or .gltf file, with the muscles it has.
    ///
    /// # Errors
    /// When it cannot be read, or is no character.
    pub fn open(path: &Path) -> Result<(Self, Musculature), Fault> {
        let bytes = std::fs::read(path).map_err(|error| Fault::unreadable(path, &error))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = read_beside(path.parent().unwrap_or(Path::new(".")));
        let gltf = Gltf::read(&bytes, beside).map_err(|error| Fault::file(&path.display().to_string(), &error))?;
        let (mut project, musculature) = Self::of(name, gltf)?;
        project.path = Some(path.to_owned());
        Ok((project, musculature))
    }

    /// From the bytes of a .glb that was dropped on the window.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<(Self, Musculature), Fault> {
        let alone = |file: &str| Err(format!("{file} is beside it, and only one file was dropped"));
        let gltf = Gltf::read(bytes, alone).map_err(|error| Fault::file(name, &error))?;
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::of(stem, gltf)
    }

    /// The built-in character.
    ///
    /// # Errors
    /// When it cannot be grown with that many vertices.
    pub fn athlete(vertices: Option<usize>) -> Result<(Self, Musculature), Fault> {
        let made = fusiform_athlete::athlete_with(vertices.unwrap_or(ATHLETE_VERTICES), |_| {});
        let athlete = made.map_err(|error| Fault::told("athlete", &error.to_string()))?;
        let mut gltf = Gltf::from_character(&athlete.character);
        let scene = Scene::read(&gltf).map_err(|error| Fault::file("athlete", &error))?;
        gltf.set_musculature(&scene.origin, &athlete.musculature);
        Self::of("athlete".into(), gltf)
    }

    fn of(name: String, gltf: Gltf) -> Result<(Self, Musculature), Fault> {
        let Scene { mut character, musculature, origin, warnings } =
            Scene::read(&gltf).map_err(|error| Fault::file(&name, &error))?;
        if origin.baked {
            return Err(Fault {
                file: name,
                message: "its muscles are baked into it, and cannot be edited any more".into(),
                cure: "open the rigged file it was baked from".into(),
            });
        }
        character.name.clone_from(&name);
        let project = Self { name, path: None, character, warnings, gltf, origin };
        Ok((project, musculature.unwrap_or_default()))
    }

    /// Put a captured motion on the character, as one more clip; returns its index.
    ///
    /// # Errors
    /// When the file is no motion, or too few of its joints are known; then nothing changes.
    pub fn add_motion(&mut self, path: &Path) -> Result<usize, Fault> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Fault::unreadable(path, &error))?;
        let fault = |message: String, cure: String| Fault { file: file.clone(), message, cure };
        let bvh = bvh::read(&bytes).map_err(|error| fault(error.to_string(), error.cure()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (skeleton, clip) = bvh.skeleton_and_clip(&stem, bvh.guess_unit());
        let (source, target) = (Rig::by_names(&skeleton), Rig::by_names(&self.character.skeleton));
        let made = retarget(&source, &clip, &target, None).map_err(|error| fault(error.to_string(), error.cure()))?;
        let mut clip = made.clip;
        while self.character.clips.iter().any(|other| other.name == clip.name) {
            clip.name.push('\'');
        }
        self.gltf.append_clip(&clip, &self.origin.node_of_joint, self.origin.units);
        self.character.clips.push(clip);
        self.warnings.extend(bvh.warnings.into_iter().chain(made.warnings));
        Ok(self.character.clips.len() - 1)
    }

    /// The file with those muscles in it.
    ///
    /// # Errors
    /// When it is too large for its format.
    pub fn to_glb(&self, musculature: &Musculature) -> Result<Vec<u8>, Fault> {
        let mut gltf = self.gltf.clone();
        gltf.remove_musculature();
        gltf.set_musculature(&self.origin, musculature);
        gltf.to_glb().map_err(|error| Fault::file(&self.name, &error))
    }
}
