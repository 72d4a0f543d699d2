//! Real files from outside, where they are: what is read and written again says the same.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform::{Body, BodyState, Musculature, Pose, StepInput};
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// All .glb and .gltf files of the shared data; none, said aloud, where it is not there.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf");
    let mut files = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|kind| kind == "glb" || kind == "gltf") => files.push(path),
                _ => {}
            }
        }
    }
    if files.is_empty() {
        _ = writeln!(std::io::stderr(), "SKIPPED: there are no files in {}", folder.display());
    }
    files.sort();
    files
}

/// A file, but for the one that is compressed, which is refused.
fn read(path: &Path) -> Option<Gltf> {
    let bytes = std::fs::read(path).unwrap();
    let compressed = path.ends_with("VALID_White_M_1_Casual.glb");
    match Gltf::read(&bytes, read_beside(path.parent().unwrap())) {
        Ok(file) => Some(file),
        Err(error) => {
            assert!(compressed, "{}: {error}", path.display());
            assert!(error.message.contains("EXT_meshopt_compression"), "{error}");
            assert!(error.cure.contains("decompress"), "{}", error.cure);
            None
        }
    }
}

#[test]
fn every_file_is_written_as_it_came() {
    for path in files() {
        let Some(file) = read(&path) else { continue };
        let again = Gltf::read(&file.to_glb().unwrap(), |_| Err("nothing is beside it".into())).unwrap();
        // with one buffer in the file nothing moves at all; with several their views do
        let mut json = again.json.clone();
        json["buffers"] = file.json["buffers"].clone();
        assert!(json == file.json, "{}", path.display());
        assert!(again.bytes.starts_with(&file.bytes), "{}", path.display());
        let text = Gltf::read(&file.to_gltf(), |_| Err("nothing is beside it".into())).unwrap();
        assert!(text.bytes == file.bytes, "{}", path.display());
    }
}

#[test]
fn every_character_is_read_and_bound() {
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(file) = read(&path) else { continue };
        let scene = Scene::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let character = &scene.character;
        let (low, high) = character.bounds();
        println!(
            "{name}: {} meshes, {} vertices, {} joints, {} clips, {:.3} m high in {}, {:?}",
            character.meshes.len(),
            character.vertex_count(),
            character.skeleton.joints.len(),
            character.clips.len(),
            high.y - low.y,
            scene.origin.units,
            scene.warnings,
        );
        let body = Body::bind(character, &Musculature::plain()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut state = BodyState::new(&body);
        let mut pose = Pose::rest(&character.skeleton);
        for clip in character.clips.iter().take(3) {
            clip.sample(0.5 * clip.duration(), &mut pose);
            body.step(&mut state, &StepInput::new(&pose.model_matrices(&character.skeleton), 0.0));
            assert!(state.positions().iter().all(|p| p.is_finite() && p.length() < 20.0), "{name}");
        }
    }
}
