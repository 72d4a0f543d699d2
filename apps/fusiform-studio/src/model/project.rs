//! Project: the file a session works on, apart from what is edited in it.

use super::any_path::AnyPath;
use super::output::{folder_of, lies_in};
use super::stamp::Buffers;
use super::{Document, Fault, Fitting, Plane, Recovered, Saved, Saving, Skin, Stamp, system};
use fusiform::{Character, Musculature, SparseWeights};
use fusiform_files::gltf::{Gltf, Origin, Scene};
use glam::Vec3;
use std::cell::RefCell;
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
    /// Where its left and right meet.
    pub plane: Plane,
    /// From where to where it reaches at bind, m: asked for in every frame.
    pub bounds: (Vec3, Vec3),
    pub(super) stamp: Option<Stamp>,    // what its file was when it was read or written
    pub(super) beside: Option<PathBuf>, // the folder of images that it names
    gltf: Arc<Gltf>,
    origin: Arc<Origin>,
    joints: Arc<Vec<SparseWeights>>, // in the file
    most_joints: usize,              // likewise
    n_clip: usize,                   // likewise
    bare: Option<Arc<Musculature>>,  // what a file without muscles opens with
    skin: OnceLock<Arc<Skin>>,
}

/// The file as it came, for documents to be written into, also beside the window. A copy costs little.
#[derive(Clone, Debug)]
pub struct Original {
    name: String,
    gltf: Arc<Gltf>,
    origin: Arc<Origin>,
    joints: Arc<Vec<SparseWeights>>,
    bare: Option<Arc<Musculature>>,
}

impl Project {
    /// From a .glb or .gltf file, with the muscles it has.
    ///
    /// # Errors
    /// When it cannot be read, or is no character.
    pub fn open(path: &Path) -> Result<(Self, Musculature), Fault> {
        let (bytes, stamp) = Stamp::read(path).map_err(|error| Fault::unreadable(path, &error))?;
        if bytes.is_empty() {
            let cure = "it was not written to its end: export or copy it again".into();
            return Err(Fault { file: path.display().to_string(), message: "the file is empty".into(), cure });
        }
        let (mut project, musculature, buffers) = Self::read(path, &bytes)?;
        (project.path, project.stamp) = (Some(path.to_owned()), Some(stamp.with(buffers)));
        project.beside = Some(folder_of(path).to_owned()).filter(|_| system::HAS_FOLDERS);
        Ok((project, musculature))
    }

    /// From the bytes of a file that lies there, or would; with buffers that were read beside it.
    fn read(path: &Path, bytes: &[u8]) -> Result<(Self, Musculature, Buffers), Fault> {
        let (folder, buffers) = (folder_of(path), RefCell::new(Buffers::new()));
        let gltf = Gltf::read(bytes, |uri| {
            let bytes = system::beside(folder)(uri)?;
            if let Ok(path) = system::place_beside(folder, uri) {
                let stamp = Stamp::written(&path, &bytes);
                buffers.borrow_mut().push((AnyPath(path), stamp));
            }
            Ok(bytes)
        });
        let mut gltf = gltf.map_err(|error| Fault::file(&path.display().to_string(), &error))?;
        // what was dropped with it in a browser is there until something else is dropped
        let lost = if system::HAS_FOLDERS { Vec::new() } else { gltf.embed_images(system::beside(folder)) };
        let (mut project, musculature) = Self::of(stem(path), gltf)?;
        project.warnings.extend(lost);
        Ok((project, musculature, buffers.into_inner()))
    }

    /// What a crash left behind, as the file it came from.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn bring_back(recovered: &Recovered) -> Result<(Self, Musculature), Fault> {
        let (mut project, musculature, _) = Self::read(&recovered.work, &recovered.read()?)?;
        project.path.clone_from(&recovered.path);
        project.call(recovered.name.clone());
        (project.stamp, project.beside) = (recovered.stamp.clone(), recovered.beside.clone());
        Ok((project, musculature))
    }

    /// From the bytes of a .glb, which is in no file.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<(Self, Musculature), Fault> {
        let alone = |file: &str| Err(format!("{file} is beside it, and only one file was dropped"));
        let gltf = Gltf::read(bytes, alone).map_err(|error| Fault::file(name, &error))?;
        Self::of(stem(Path::new(name)), gltf)
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
        let joints: Arc<Vec<_>> = Arc::new(character.meshes.iter().map(|mesh| mesh.weights.clone()).collect());
        let most_joints = most(&joints);
        let fitting = Fitting::read(&gltf, &character, &mut warnings);
        let (gltf, origin, n_clip) = (Arc::new(gltf), Arc::new(origin), character.clips.len());
        let (path, stamp, beside, skin) = (None, None, None, OnceLock::new());
        let is_bare = musculature.is_none();
        let mut musculature = musculature.unwrap_or_default();
        // a file says of every vertex what weighs on it, be it nothing; so does what was just opened
        if musculature.weights.is_empty() {
            musculature.weights = character.meshes.iter().map(|mesh| unweighted(mesh.positions.len())).collect();
        }
        let bare = is_bare.then(|| Arc::new(musculature.clone()));
        let (plane, bounds) = (Plane::of(&character), character.bounds());
        let project = Self {
            name,
            path,
            character,
            warnings,
            fitting,
            plane,
            bounds,
            stamp,
            beside,
            gltf,
            origin,
            joints,
            most_joints,
            n_clip,
            bare,
            skin,
        };
        Ok((project, musculature))
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
        self.most_joints
    }

    /// Make the character what the next document says.
    pub fn wear(&mut self, before: &Document, after: &Document) {
        if !Arc::ptr_eq(&before.motions, &after.motions) {
            self.character.clips.truncate(self.n_clip);
            self.character.clips.extend(after.motions.iter().cloned());
        }
        if !Arc::ptr_eq(&before.joints, &after.joints) {
            for (mesh, weights) in self.character.meshes.iter_mut().zip(after.joints.iter()) {
                mesh.weights.clone_from(weights);
            }
        }
    }

    /// Which of the motions that were added since the file was opened a clip is; none for those of the file.
    #[must_use]
    pub fn motion(&self, clip: usize) -> Option<usize> {
        clip.checked_sub(self.n_clip)
    }

    /// Where a clip of one document is in the next.
    pub(super) fn carried_clip(&self, [before, after]: [&Document; 2], clip: Option<usize>) -> Option<usize> {
        let Some(motion) = self.motion(clip?) else { return clip };
        let (before, after) = (&before.motions, &after.motions);
        if before.len() == after.len() {
            return clip; // it has another name at most
        }
        let name = &before.get(motion)?.name;
        after.iter().position(|other| other.name == *name).map(|motion| self.n_clip + motion)
    }

    /// The name of its file, or what people call it where it has none.
    #[must_use]
    pub fn file_name(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned())
    }

    /// The file as it came.
    #[must_use]
    pub fn original(&self) -> Original {
        let (name, gltf, origin) = (self.name.clone(), self.gltf.clone(), self.origin.clone());
        Original { name, gltf, origin, joints: self.joints.clone(), bare: self.bare.clone() }
    }

    /// The file with what the document says in it; what was not edited goes back as it came.
    ///
    /// # Errors
    /// When it is too large for its format.
    pub fn to_glb(&self, document: &Document) -> Result<Vec<u8>, Fault> {
        self.original().to_glb(document)
    }

    /// The document on its way into a file.
    pub(super) fn saving(&self, document: &Document, path: &Path) -> Saving {
        let (original, document, beside) = (self.original(), document.clone(), self.beside.clone());
        Saving { original, document, beside, path: path.to_owned() }
    }

    /// It lies there now. What could not be brought along is told in the warnings.
    pub(super) fn moved_to(&mut self, saved: Saved) {
        let new: Vec<_> = saved.warnings.into_iter().filter(|warning| !self.warnings.contains(warning)).collect();
        self.warnings.extend(new);
        (self.gltf, self.beside) = (saved.original.gltf, saved.beside);
        self.stamp = Some(saved.stamp);
        self.call(stem(&saved.path));
        self.path = Some(saved.path);
    }

    fn call(&mut self, name: String) {
        self.character.name.clone_from(&name);
        self.name = name;
    }
}

impl Original {
    /// As [`Project::to_glb`].
    ///
    /// # Errors
    /// As [`Project::to_glb`].
    pub fn to_glb(&self, document: &Document) -> Result<Vec<u8>, Fault> {
        self.packed(&self.with(document))
    }

    /// Images that it names in the folder `beside` come into it where they would not be found from `path`; what could not be
    /// brought along.
    pub(super) fn bring_images(&mut self, beside: Option<&Path>, path: &Path) -> Vec<String> {
        let elsewhere = beside.filter(|beside| !lies_in(beside, path));
        let embed = |folder| Arc::make_mut(&mut self.gltf).embed_images(system::beside(folder));
        elsewhere.map(embed).unwrap_or_default()
    }

    /// Those of its buffer, as it came.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.gltf.bytes
    }

    /// Whether it came as the other did: one file.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.gltf, &other.gltf)
    }

    pub(super) fn packed(&self, gltf: &Gltf) -> Result<Vec<u8>, Fault> {
        gltf.to_glb().map_err(|error| Fault::file(&self.name, &error))
    }

    /// The file with what the document says in it.
    pub(super) fn with(&self, document: &Document) -> Gltf {
        let mut gltf = Gltf::clone(&self.gltf);
        gltf.remove_musculature();
        if self.joints != document.joints {
            gltf.set_joint_weights(&self.origin, &document.joints, most(&document.joints).div_ceil(4).max(1));
        }
        for clip in document.motions.iter() {
            gltf.append_clip(clip, &self.origin.node_of_joint, self.origin.units);
        }
        // planes that were turned before there are muscles are kept beside none
        if self.bare.as_deref() != Some(&document.musculature) || document.fitting != Fitting::default() {
            gltf.set_musculature(&self.origin, &document.musculature);
        }
        document.fitting.write(&mut gltf);
        gltf
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Influences of the vertex that has most.
fn most(weights: &[SparseWeights]) -> usize {
    weights.iter().flat_map(|of| (0..of.len()).map(|v| of.of(v).count())).max().unwrap_or(0)
}

/// Nothing weighs on so many vertices.
pub(super) fn unweighted(n: usize) -> SparseWeights {
    SparseWeights { start: vec![0; n + 1], ..SparseWeights::default() }
}
