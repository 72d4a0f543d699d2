//! Project: the file a session works on, apart from what is edited in it.

use super::{Document, Fault, Fitting, Skin, system};
use fusiform::{Character, Clip, Musculature, SparseWeights};
use fusiform_files::bvh;
use fusiform_files::gltf::{Gltf, Origin, Scene};
use fusiform_fit::retarget::{Rig, retarget};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Vertices of the athlete a session starts with.
const ATHLETE_VERTICES: usize = 12_000;

/// A character, where it came from, and how it goes back there.
#[derive(Clone, Debug)]
pub struct Project {
    /// What people call it.
    pub name: String,
    /// Where it was opened from or last saved to; none for what has never been in a file.
    pub path: Option<PathBuf>,
    /// Skeleton, skin, clips: the file's, with what the document has of its own.
    pub character: Character,
    /// What was mended or left alone while reading.
    pub warnings: Vec<String>,
    /// How its muscles were fitted, in the file.
    pub fitting: Fitting,
    gltf: Arc<Gltf>,
    origin: Origin,
    joints: Vec<SparseWeights>, // in the file
    n_clip: usize,              // likewise
    bare: Option<Musculature>,  // what a file without muscles opens with
    skin: OnceLock<Arc<Skin>>,
}

impl Project {
    /// From a .glb or .gltf file, with the muscles it has.
    ///
    /// # Errors
    /// When it cannot be read, or is no character.
    pub fn open(path: &Path) -> Result<(Self, Musculature), Fault> {
        let bytes = system::read(path).map_err(|error| Fault::unreadable(path, &error))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = system::beside(path.parent().unwrap_or(Path::new(".")));
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
        let Scene { mut character, musculature, origin, mut warnings } =
            Scene::read(&gltf).map_err(|error| Fault::file(&name, &error))?;
        if origin.baked {
            return Err(Fault {
                file: name,
                message: "its muscles are baked into it, and cannot be edited any more".into(),
                cure: "open the rigged file it was baked from".into(),
            });
        }
        character.name.clone_from(&name);
        let joints = character.meshes.iter().map(|mesh| mesh.weights.clone()).collect();
        let n_clip = character.clips.len();
        let fitting = Fitting::read(&gltf, &mut warnings);
        let (gltf, skin) = (Arc::new(gltf), OnceLock::new());
        let is_bare = musculature.is_none();
        let mut musculature = musculature.unwrap_or_default();
        // a file says of every vertex what weighs on it, be it nothing; so does what was just opened
        if musculature.weights.is_empty() {
            musculature.weights = character.meshes.iter().map(|mesh| unweighted(mesh.positions.len())).collect();
        }
        let bare = is_bare.then(|| musculature.clone());
        let project = Self { name, path: None, character, warnings, fitting, gltf, origin, joints, n_clip, bare, skin };
        Ok((project, musculature))
    }

    /// A captured motion as this character would move, and what had to be guessed.
    ///
    /// # Errors
    /// When the file is no motion, or too few of its joints are known.
    pub fn read_motion(&self, path: &Path) -> Result<(Clip, Vec<String>), Fault> {
        let file = path.display().to_string();
        let bytes = system::read(path).map_err(|error| Fault::unreadable(path, &error))?;
        let fault = |message: String, cure: String| Fault { file: file.clone(), message, cure };
        let bvh = bvh::read(&bytes).map_err(|error| fault(error.to_string(), error.cure()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (skeleton, clip) = bvh.skeleton_and_clip(&stem, bvh.guess_unit());
        let (source, target) = (Rig::by_names(&skeleton), Rig::by_names(&self.character.skeleton));
        let made = retarget(&source, &clip, &target, None).map_err(|error| fault(error.to_string(), error.cure()))?;
        Ok((made.clip, bvh.warnings.into_iter().chain(made.warnings).collect()))
    }

    /// All meshes as one surface; found when it is first asked for.
    pub fn skin(&self) -> &Skin {
        self.skin.get_or_init(|| Arc::new(Skin::new(&self.character, self.joints_of_mesh())))
    }

    /// The joints that each mesh may hang on, ascending: those of its skin in the file. None for a mesh that the file shows
    /// twice with two skins: it has one set of weights for both.
    fn joints_of_mesh(&self) -> Vec<Vec<u16>> {
        let mut joints = vec![Vec::new(); self.character.meshes.len()];
        let mut shown: HashMap<(usize, usize), &[u16]> = HashMap::new();
        for part in &self.origin.parts {
            for primitive in &part.primitives {
                let first = *shown.entry((part.mesh, primitive.index)).or_insert(&part.joints);
                if let Some(of_mesh) = joints.get_mut(primitive.mesh).filter(|_| first == part.joints) {
                    of_mesh.clone_from(&part.joints);
                    of_mesh.sort_unstable();
                }
            }
        }
        joints
    }

    /// The most joints that hold a vertex in the file.
    #[must_use]
    pub fn most_joints(&self) -> usize {
        most(&self.joints)
    }

    /// Make the character what the next document says; whether its skin hangs on its joints in another way.
    pub fn wear(&mut self, before: &Document, after: &Document) -> bool {
        if !Arc::ptr_eq(&before.motions, &after.motions) {
            self.character.clips.truncate(self.n_clip);
            self.character.clips.extend(after.motions.iter().cloned());
        }
        let changed = !Arc::ptr_eq(&before.joints, &after.joints) && before.joints != after.joints;
        if changed {
            for (mesh, weights) in self.character.meshes.iter_mut().zip(after.joints.iter()) {
                mesh.weights.clone_from(weights);
            }
        }
        changed
    }

    /// The file with what the document says in it; what was not edited goes back as it came.
    ///
    /// # Errors
    /// When it is too large for its format.
    pub fn to_glb(&self, document: &Document) -> Result<Vec<u8>, Fault> {
        let mut gltf = Gltf::clone(&self.gltf);
        gltf.remove_musculature();
        if self.joints != *document.joints {
            gltf.set_joint_weights(&self.origin, &document.joints, most(&document.joints).div_ceil(4).max(1));
        }
        for clip in document.motions.iter() {
            gltf.append_clip(clip, &self.origin.node_of_joint, self.origin.units);
        }
        // planes that were turned before there are muscles are kept beside none
        if self.bare.as_ref() != Some(&document.musculature) || document.fitting != Fitting::default() {
            gltf.set_musculature(&self.origin, &document.musculature);
        }
        document.fitting.write(&mut gltf);
        gltf.to_glb().map_err(|error| Fault::file(&self.name, &error))
    }
}

/// Influences of the vertex that has most.
fn most(weights: &[SparseWeights]) -> usize {
    weights.iter().flat_map(|of| (0..of.len()).map(|v| of.of(v).count())).max().unwrap_or(0)
}

/// Nothing weighs on so many vertices.
pub(super) fn unweighted(n: usize) -> SparseWeights {
    SparseWeights { start: vec![0; n + 1], ..SparseWeights::default() }
}
