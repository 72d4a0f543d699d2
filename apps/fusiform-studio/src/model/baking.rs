//! Baking: what a window asks for, done on a copy of the document while editing goes on, and what came of it.

use super::output::folder_of;
use super::system::{self, Instant};
use super::{Document, Fault, Kind, Pace, Project, write_whole};
use fusiform::{Character, Musculature};
use fusiform_bake::{
    BakeError, BakeSettings, BakedClip, Cache, ClipError, FrameSettings, JointSettings, Rigged, Stopped, Surroundings,
    bake_joints, bake_morphs, check_size, read_cache_back, shortfall, solve_frames, write_cache,
};
use fusiform_files::FileError;
use fusiform_files::gltf::{Gltf, Origin, Scene};
use glam::Vec3;
use std::path::{Path, PathBuf};

/// Share of the progress that copying the document is.
const COPIED: f32 = 0.02;

/// What muscles are baked into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BakeInto {
    /// Morph targets with animated weights.
    #[default]
    Morphs,
    /// Helper joints, for engines with few morph slots.
    Joints,
}

/// What is to be baked, how, and where to.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOrder {
    /// Its ending says what is written.
    pub path: PathBuf,
    /// Clips, as the character counts them.
    pub clips: Vec<usize>,
    /// Frames a second, 1 to 240.
    pub fps: u16,
    /// Largest error of any vertex in any frame, mm.
    pub tolerance: f32,
    /// No more morph targets than this for a mesh, 1 to 1024.
    pub max_targets: u16,
    /// What muscles are baked into, in a .glb or .gltf.
    pub into: BakeInto,
    /// How many helper joints, 1 to 512.
    pub helpers: u16,
    /// Whether clips loop; where this says nothing, those that end as they began.
    pub looped: Option<bool>,
    /// A level for every muscle, or empty.
    pub activation: Vec<f32>,
}

impl Default for BakeOrder {
    /// As `fusiform bake` does it, of no clip yet, and nowhere.
    fn default() -> Self {
        Self {
            path: Default::default(),
            clips: Vec::new(),
            fps: 30,
            tolerance: 0.5,
            max_targets: 64,
            into: BakeInto::Morphs,
            helpers: 32,
            looped: None,
            activation: Vec::new(),
        }
    }
}

/// A clip that was baked.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedRow {
    /// Its name.
    pub name: String,
    /// Frames that were baked.
    pub frames: usize,
    /// Targets or helper joints that it uses; none in a cache.
    pub targets: usize,
    /// Whether it was taken as a loop.
    pub looped: bool,
    /// What the file, read back, shows against what the solver does, m.
    pub error: ClipError,
}

/// What came of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeReport {
    /// What was written.
    pub path: PathBuf,
    /// Every clip.
    pub clips: Vec<BakedRow>,
    /// Targets or helper joints in all; none in a cache.
    pub targets: usize,
    /// What those are called.
    pub word: &'static str,
    /// What was asked for, mm; nothing for a cache, which holds every vertex.
    pub tolerance: Option<f32>,
    /// Bytes written.
    pub bytes: u64,
    /// Bytes that a position for every vertex and frame takes.
    pub raw_bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// How long the clips last together, s.
    pub played: f64,
    /// What people should know, with what to do about it.
    pub warnings: Vec<String>,
}

/// The document as its file would have it, read again: what is baked is what would be saved.
struct Copied {
    gltf: Gltf,
    origin: Origin,
    character: Character,
    musculature: Musculature,
    warnings: Vec<String>, // of pictures that could not be brought along
}

/// What was made, before it is written.
struct Made {
    bytes: Vec<u8>,
    clips: Vec<BakedClip>,
    targets: usize,
    raw_bytes: u64,
    warnings: Vec<String>,
}

impl BakeOrder {
    /// What can be seen to be wrong before any work is done.
    ///
    /// # Errors
    /// When there is nothing to bake, or no way to write it.
    pub fn check(&self, character: &Character) -> Result<(), Fault> {
        let fault = |message: &str, cure: &str| Fault {
            file: self.path.display().to_string(),
            message: message.into(),
            cure: cure.into(),
        };
        check_place(&self.path, Kind::BAKED)?;
        if self.clips.is_empty() || self.clips.iter().any(|&clip| clip >= character.clips.len()) {
            return Err(fault("no clip is chosen", "choose what to bake, or add a motion with the File menu"));
        }
        if Cache::of(&self.path).is_some() && self.clips.len() > 1 {
            return Err(fault("a cache holds one clip", "choose one, or write a .glb"));
        }
        if !(0.001..=1000.0).contains(&self.tolerance) {
            return Err(fault("the tolerance is no such number", "use 0.001 to 1000 mm"));
        }
        Ok(())
    }

    /// Bake a copy of the document and write it, whole or not at all; nothing when it was stopped.
    ///
    /// # Errors
    /// When it cannot be baked, or written.
    pub fn run(&self, project: &Project, document: &Document, pace: &Pace) -> Result<Option<BakeReport>, Fault> {
        self.check(&project.character)?;
        let start = Instant::now();
        let copied = Copied::new(project, document, &self.path)?;
        let told = |done: f32| pace.reach(COPIED + (1.0 - COPIED) * done).map_err(|_| Stopped);
        let made = told(0.0).map_err(BakeError::Stopped).and_then(|()| match Cache::of(&self.path) {
            Some(kind) => self.cache(kind, &copied, told),
            None => self.gltf(&copied, told),
        });
        let made = match made {
            Err(BakeError::Stopped(_)) => return Ok(None),
            made => made.map_err(|error| told_of(&project.name, &error))?,
        };
        if !self.write(&made, pace)? {
            return Ok(None);
        }
        Ok(Some(self.report(project, &copied, made, start.elapsed().as_secs_f64())))
    }

    /// Whether it is still wanted, now that it is made.
    fn write(&self, made: &Made, pace: &Pace) -> Result<bool, Fault> {
        if pace.reach(1.0).is_err() {
            return Ok(false);
        }
        write_whole(&self.path, &made.bytes)?;
        Ok(true)
    }

    fn gltf(&self, copied: &Copied, told: impl FnMut(f32) -> Result<(), Stopped>) -> Result<Made, BakeError> {
        let settings = BakeSettings {
            fps: f32::from(self.fps),
            tolerance: 1e-3 * self.tolerance,
            max_targets: usize::from(self.max_targets),
            looped: self.looped,
            activation: self.activation.clone(),
            surroundings: Surroundings::default(),
        };
        let Copied { gltf, origin, character, musculature, .. } = copied;
        check_size(character, musculature, &self.clips, settings.fps)?;
        let rigged = Rigged { gltf, origin, character, musculature };
        let baked = match self.into {
            BakeInto::Morphs => bake_morphs(rigged, &self.clips, &settings, told)?,
            BakeInto::Joints => {
                let joints = JointSettings { helpers: usize::from(self.helpers), ..JointSettings::default() };
                bake_joints(rigged, &self.clips, &settings, &joints, told)?
            }
        };
        let is_text = self.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
        Ok(Made {
            targets: baked.targets.iter().sum(),
            bytes: if is_text { baked.gltf.to_gltf() } else { baked.bytes },
            clips: baked.clips,
            raw_bytes: baked.raw_bytes,
            warnings: baked.warnings,
        })
    }

    fn cache(
        &self,
        kind: Cache,
        copied: &Copied,
        told: impl FnMut(f32) -> Result<(), Stopped>,
    ) -> Result<Made, BakeError> {
        let settings = FrameSettings {
            fps: f32::from(self.fps),
            looped: self.looped,
            activation: self.activation.clone(),
            surroundings: Surroundings::default(),
        };
        let Copied { origin, character, musculature, .. } = copied;
        check_size(character, musculature, &self.clips, settings.fps)?;
        let frames = solve_frames(character, musculature, self.clips[0], &settings, told)?;
        let metres = origin.units.metres();
        let bytes = write_cache(kind, character, metres, settings.fps, &frames).map_err(|error| FileError {
            place: "cache".into(),
            message: error.to_string(),
            cure: "bake fewer frames a second, or a .glb".into(),
        })?;
        let error = read_cache_back(kind, metres, &frames, &bytes)?;
        let late = kind.late_end(&frames.times).map(|late| {
            format!(
                "the clip ends between frames; in a .pc2 its end comes {:.1} ms late: use other frames a second",
                1e3 * late
            )
        });
        let clip =
            BakedClip { clip: self.clips[0], frames: frames.times.len(), looped: frames.looped, targets: 0, error };
        Ok(Made {
            bytes,
            clips: vec![clip],
            targets: 0,
            raw_bytes: (frames.positions.len() * size_of::<Vec3>()) as u64,
            warnings: late.into_iter().collect(),
        })
    }

    fn report(&self, project: &Project, copied: &Copied, made: Made, seconds: f64) -> BakeReport {
        let is_cache = Cache::of(&self.path).is_some();
        let clips = &copied.character.clips;
        let mut warnings = project.warnings.clone();
        if copied.musculature.muscles.is_empty() {
            warnings.push("there are no muscles: what was baked is plain skinning; rig it first".into());
        }
        warnings.extend(copied.warnings.iter().cloned());
        warnings.extend(made.warnings);
        if !is_cache {
            warnings.extend(self.short(&made.clips));
        }
        let row = |clip: BakedClip| BakedRow {
            name: clips[clip.clip].name.clone(),
            frames: clip.frames,
            targets: clip.targets,
            looped: clip.looped,
            error: clip.error,
        };
        BakeReport {
            path: self.path.clone(),
            bytes: made.bytes.len() as u64,
            clips: made.clips.into_iter().map(row).collect(),
            targets: made.targets,
            word: match self.into {
                _ if is_cache => "",
                BakeInto::Morphs => "targets",
                BakeInto::Joints => "helper joints",
            },
            tolerance: (!is_cache).then_some(self.tolerance),
            raw_bytes: made.raw_bytes,
            seconds,
            played: self.clips.iter().map(|&clip| f64::from(clips[clip].duration())).sum(),
            warnings,
        }
    }

    /// Where it falls short of what was asked for, and what helps.
    fn short(&self, clips: &[BakedClip]) -> Vec<String> {
        let short = shortfall(clips, 1e-3 * self.tolerance);
        let cure = match self.into {
            BakeInto::Morphs => format!("allow more than {} targets, or a larger tolerance", self.max_targets),
            BakeInto::Joints => format!("allow more than {} helper joints, or bake into morph targets", self.helpers),
        };
        let error = short
            .error
            .map(|error| format!("the error is {:.2} mm, more than {} mm: {cure}", 1e3 * error, self.tolerance));
        let between = short.between.map(|between| {
            format!(
                "between frames the error is up to {:.2} mm, where players draw straight lines: use more frames a second",
                1e3 * between
            )
        });
        error.into_iter().chain(between).collect()
    }
}

impl Copied {
    fn new(project: &Project, document: &Document, path: &Path) -> Result<Self, Fault> {
        let fault = |error| Fault::file(&project.name, &error);
        let mut original = project.original();
        let warnings = match Cache::of(path) {
            Some(_) => Vec::new(), // it has no pictures
            None => original.bring_images(project.beside.as_deref(), path),
        };
        let glb = original.to_glb(document)?;
        let gltf = Gltf::read(&glb, |_| Err("it holds everything".into())).map_err(fault)?;
        let Scene { mut character, musculature, origin, .. } = Scene::read(&gltf).map_err(fault)?;
        character.name.clone_from(&project.name);
        Ok(Self { gltf, origin, character, musculature: musculature.unwrap_or_default(), warnings })
    }
}

/// Whether a file of that kind can be written there: asked before the work, not after it.
///
/// # Errors
/// When it cannot.
pub fn check_place(path: &Path, kind: Kind) -> Result<(), Fault> {
    let file = path.display().to_string();
    let fault = |message: &str, cure: String| Err(Fault { file: file.clone(), message: message.into(), cure });
    if !kind.has(path) {
        return fault("its ending says nothing", format!("use {}", kind.told()));
    }
    let folder = folder_of(path);
    if system::HAS_FOLDERS && !folder.is_dir() {
        let cure = "create it first, or choose another place".into();
        return fault(&format!("there is no folder {}", folder.display()), cure);
    }
    if path.is_dir() {
        return fault("there is a folder of that name", "choose another name".into());
    }
    Ok(())
}

fn told_of(name: &str, error: &BakeError) -> Fault {
    let text = error.to_string();
    let (message, cure) = match error {
        BakeError::Bind(error) => (text.as_str(), error.cure()),
        BakeError::File(error) => (text.as_str(), error.cure.clone()),
        _ => text.split_once("; ").map_or((text.as_str(), String::new()), |(what, cure)| (what, cure.into())),
    };
    Fault { file: name.into(), message: message.into(), cure }
}

#[cfg(test)]
mod tests {
    use super::super::Job;
    use super::*;

    #[test]
    fn a_bake_that_is_stopped_when_all_of_it_is_made_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.glb");
        let order = BakeOrder { path: path.clone(), clips: vec![0], ..BakeOrder::default() };
        let made = || Made { bytes: vec![1], clips: Vec::new(), targets: 0, raw_bytes: 0, warnings: Vec::new() };
        assert_eq!((order.write(&made(), &Pace::default()), path.exists()), (Ok(true), true));
        std::fs::remove_file(&path).unwrap();
        let (sender, stopped) = std::sync::mpsc::channel::<()>();
        let mut job = Job::begin("Bake", move |pace| {
            let _ = stopped.recv();
            order.write(&made(), pace)
        });
        job.stop();
        drop(sender);
        let written = loop {
            if let Some(done) = job.poll() {
                break done;
            }
            std::thread::yield_now();
        };
        assert_eq!((written, path.exists()), (Ok(false), false));
    }
}
