//! Files of other kinds, end to end: caches looked at, and what a .gltf names brought along.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;
#[path = "../../../crates/fusiform-files/tests/maker/mod.rs"]
mod maker;

use common::{answer, run};
use maker::Maker;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn a_cache_says_how_many_points_and_frames_it_has_and_how_far_they_reach() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("arm.glb"), Maker::arm_with_muscle().glb()).unwrap();
    let mut extents = Vec::new();
    for kind in ["pc2", "mdd", "usda"] {
        let file = format!("arm.{kind}");
        let (code, _) = answer(folder, &["bake", "arm.glb", "-o", &file, "--fps", "10"]);
        assert_eq!(code, Some(0));
        let (code, report) = answer(folder, &["inspect", &file]);
        assert_eq!(code, Some(0), "{report}");
        let (frames, rate) = (json!(11), if kind == "pc2" { Value::Null } else { json!(10.0) });
        assert_eq!((&report["vertices"], &report["frames"], &report["fps"]), (&json!(8), &frames, &rate), "{kind}");
        assert_eq!(report["seconds"], if kind == "pc2" { Value::Null } else { json!(1.0) });
        assert_eq!(report["units"], if kind == "usda" { json!("1 m") } else { Value::Null });
        extents.push((report["low"].clone(), report["high"].clone()));
        let table = String::from_utf8(run(folder, &["inspect", &file]).stdout).unwrap();
        assert!(table.contains("8 vertices, 11 frames") && table.contains("all frames lie in x"), "{table}");
    }
    assert!(extents.iter().all(|extent| *extent == extents[0]), "{extents:?}");
    assert!(extents[0].1[1].as_f64().unwrap() > extents[0].0[1].as_f64().unwrap() + 0.5, "{extents:?}");
}

#[test]
fn a_cache_that_is_cut_off_bent_or_missing_is_refused_with_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("arm.glb"), Maker::arm().glb()).unwrap();
    for kind in ["pc2", "mdd", "usda"] {
        let file = format!("arm.{kind}");
        assert!(run(folder, &["bake", "arm.glb", "-o", &file, "--quiet"]).status.success());
        let whole = std::fs::read(folder.join(&file)).unwrap();
        let bad: [&[u8]; 4] = [&whole[..whole.len() - 3], &whole[..20], b"", b"\xff\xfe\xfd\xfc\xfb"];
        for bytes in bad {
            std::fs::write(folder.join(&file), bytes).unwrap();
            let (code, report) = answer(folder, &["inspect", &file]);
            assert_eq!(code, Some(1), "{kind}: {report}");
            for key in ["file", "place", "message", "cure"] {
                assert!(report["error"][key].as_str().is_some_and(|text| !text.is_empty()), "{kind}: {report}");
            }
        }
        std::fs::remove_file(folder.join(&file)).unwrap();
        let (code, report) = answer(folder, &["inspect", &file]);
        assert!(code == Some(1) && report["error"]["cure"].as_str().unwrap().contains("path"), "{report}");
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot a whole one, but nobody looks further";

/// `project/models/hero.gltf`, its buffer and its textures up and down the folders.
fn project(root: &Path) {
    for folder in ["project/models", "project/textures", "project/buffers", "elsewhere"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    let mut hero = Maker::arm_with_muscle();
    hero.json["buffers"] = json!([{ "uri": "../buffers/hero.bin", "byteLength": hero.bytes.len() }]);
    hero.json["images"] = json!([{ "uri": "../textures/skin%201.png" }, { "uri": "../textures/gone.png" }]);
    std::fs::write(root.join("project/models/hero.gltf"), hero.json.to_string()).unwrap();
    std::fs::write(root.join("project/buffers/hero.bin"), &hero.bytes).unwrap();
    std::fs::write(root.join("project/textures/skin 1.png"), PNG).unwrap();
}

#[test]
fn images_up_the_folders_come_along_into_another_folder_inside_the_file() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    project(root);
    let (code, report) = answer(root, &["bake", "project/models/hero.gltf", "-o", "elsewhere/hero.gltf"]);
    assert_eq!(code, Some(0), "{report}");
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("gone.png") && !warnings.contains("skin"), "{warnings}");
    // nothing is written but the one file
    let all: Vec<_> =
        std::fs::read_dir(root.join("elsewhere")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(all, ["hero.gltf"]);
    std::fs::remove_dir_all(root.join("project")).unwrap();
    let moved = std::fs::read(root.join("elsewhere/hero.gltf")).unwrap();
    let moved = fusiform_files::gltf::Gltf::read(&moved, |_| Err("nothing is beside it".into())).unwrap();
    let image = &moved.json["images"][0];
    assert_eq!((&image["mimeType"], image.get("uri")), (&json!("image/png"), None));
    let view = &moved.json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(&moved.bytes[start..start + PNG.len()], PNG);
}

#[test]
fn images_come_along_with_muscles_too() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    std::fs::create_dir_all(root.join("models")).unwrap();
    std::fs::create_dir_all(root.join("elsewhere")).unwrap();
    assert_eq!(answer(root, &["rig", "athlete:3700", "-o", "models/a.gltf"]).0, Some(0));
    let mut json: Value = serde_json::from_slice(&std::fs::read(root.join("models/a.gltf")).unwrap()).unwrap();
    json["images"] = json!([{ "uri": "skin.png" }]);
    std::fs::write(root.join("models/a.gltf"), json.to_string()).unwrap();
    std::fs::write(root.join("models/skin.png"), PNG).unwrap();
    assert_eq!(answer(root, &["rig", "models/a.gltf", "-o", "elsewhere/a.gltf"]).0, Some(0));
    let moved: Value = serde_json::from_slice(&std::fs::read(root.join("elsewhere/a.gltf")).unwrap()).unwrap();
    let image = &moved["images"][0];
    assert_eq!((&image["mimeType"], image.get("uri")), (&json!("image/png"), None));
}

#[test]
fn images_stay_beside_a_file_that_is_written_into_the_same_folder() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    project(root);
    let (code, report) = answer(&root.join("project/models"), &["bake", "hero.gltf", "-o", "baked.gltf"]);
    assert_eq!((code, report["warnings"].to_string().contains("image")), (Some(0), false), "{report}");
    let baked: Value = serde_json::from_slice(&std::fs::read(root.join("project/models/baked.gltf")).unwrap()).unwrap();
    assert_eq!(baked["images"][0]["uri"], "../textures/skin%201.png");
}

#[cfg(unix)]
#[test]
fn a_buffer_from_elsewhere_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    project(root);
    let hero = root.join("project/models/hero.gltf");
    let text = std::fs::read_to_string(&hero).unwrap();
    std::fs::rename(root.join("project/buffers/hero.bin"), root.join("elsewhere/hero.bin")).unwrap();
    std::os::unix::fs::symlink(root.join("elsewhere/hero.bin"), root.join("project/buffers/hero.bin")).unwrap();
    let absolute = root.join("elsewhere/hero.bin").display().to_string();
    let climbing = "../".repeat(40) + absolute.trim_start_matches('/');
    for uri in ["../buffers/hero.bin", &absolute, &climbing, &format!("file://{absolute}")] {
        std::fs::write(&hero, text.replace("../buffers/hero.bin", uri)).unwrap();
        let (code, report) = answer(root, &["inspect", "project/models/hero.gltf"]);
        assert_eq!((code, &report["error"]["place"]), (Some(1), &json!("buffer 0")), "{uri}: {report}");
    }
    // the same file by a name that is its own
    std::fs::write(&hero, text.replace("../buffers/hero.bin", "../../elsewhere/hero.bin")).unwrap();
    assert_eq!(answer(root, &["inspect", "project/models/hero.gltf"]).0, Some(0));
}
