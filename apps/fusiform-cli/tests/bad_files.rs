//! Bad files and interruptions, end to end: one sentence, exit 1, and never half a file.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;
#[path = "../../../crates/fusiform-files/tests/maker/mod.rs"]
mod maker;

use common::command;
use maker::Maker;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// Both commands refuse the file at a place, with a cure, and leave nothing behind.
fn refused(what: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.glb"), bytes).unwrap();
    for arguments in [&["inspect", "in.glb", "--json"][..], &["bake", "in.glb", "-o", "out.glb", "--json"]] {
        let output = command(folder.path(), arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{what}: {arguments:?}: {output:?}");
        let error = serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone();
        for key in ["file", "message", "cure"] {
            assert!(error[key].as_str().is_some_and(|text| !text.is_empty()), "{what}: {error}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{what}");
    }
}

#[test]
fn bad_files_are_refused_and_nothing_is_written() {
    let whole = Maker::arm_with_muscle().glb();
    (0..16).for_each(|part| refused("cut off", &whole[..whole.len() * part / 16]));
    let mut file = Maker::arm();
    file.json["nodes"][2]["children"] = json!([1]);
    refused("two parents", &file.glb());
    let mut file = Maker::arm();
    file.json["accessors"][maker::POSITION]["count"] = json!(u64::MAX);
    refused("a lying count", &file.glb());
    let mut file = Maker::arm();
    file.json["meshes"] = json!([["arm", [], []]]);
    refused("a list for an object", &file.glb());
    let mut file = Maker::arm();
    file.json["nodes"][3].as_object_mut().unwrap().remove("skin");
    refused("no skin", &file.glb());
    refused("deep nesting", &maker::glb(&[b"[".repeat(1 << 20), b"]".repeat(1 << 20)].concat(), &[]));
}

/// Kill a bake over an existing file at some moment; what is there then is the old file or a whole new one.
#[cfg(unix)]
#[test]
fn a_bake_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let bake = ["bake", "athlete:3700", "-o", "out.glb", "--clip", "curl", "--quiet"];
    let start = std::time::Instant::now();
    assert!(command(folder.path(), &bake).status().unwrap().success());
    let whole_run = start.elapsed();
    let new = std::fs::read(&out).unwrap();
    let rounds: u32 = std::env::var("FUSIFORM_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    for round in 0..rounds {
        std::fs::write(&out, b"old").unwrap();
        let signal = ["-INT", "-TERM", "-KILL"][round as usize % 3];
        let mut child = command(folder.path(), &bake).spawn().unwrap();
        // most of them near the end, where the file is written
        let share = 1.0 - 0.6 * (f64::from(round) / f64::from(rounds)).powi(3);
        std::thread::sleep(whole_run.mul_f64(share));
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        let left = std::fs::read(&out).unwrap();
        assert!(left == b"old" || left == new, "{signal}: {} bytes", left.len());
        let beside = std::fs::read_dir(folder.path()).unwrap().count();
        assert!(beside == 1 || signal == "-KILL", "{signal} left a file behind");
        for entry in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
            if entry != out {
                std::fs::remove_file(entry).unwrap();
            }
        }
    }
}

/// The arm with a tetrahedron `Ulna` of so many faces below its last joint.
fn arm_with_bone(n_face: usize) -> Maker {
    let mut file = Maker::arm();
    let corner = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let positions: Vec<f32> = faces[..n_face].iter().flatten().flat_map(|&c: &usize| corner[c]).collect();
    let position = file.accessor(&maker::f32s(&positions), maker::F32, "VEC3");
    let mesh = file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
    let node = file.push("nodes", json!({ "name": "Ulna", "mesh": mesh, "scale": [0.02, 0.02, 0.02] }));
    file.json["nodes"][2]["children"] = json!([node]);
    file
}

#[test]
fn bones_that_are_open_unknown_or_on_no_joint_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |file: &Maker, arguments: &[&str], words: &str| {
        std::fs::write(folder.path().join("in.glb"), file.glb()).unwrap();
        let output = command(folder.path(), arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {output:?}");
        let error = serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone();
        assert!(error.to_string().contains(words), "{error} says nothing of {words}");
        assert!(error["cure"].as_str().is_some_and(|cure| !cure.is_empty()), "{error}");
        assert!(!folder.path().join("out.glb").exists());
    };
    let rig = ["rig", "in.glb", "-o", "out.glb", "--template", "pairs", "--json", "--bone"];
    refused(&arm_with_bone(4), &[&rig[..], &["Radius"]].concat(), "no node of that name");
    let inspect = ["inspect", "in.glb", "--json"];
    let with = |n_face: usize, joint: &str, layers: Value| {
        let mut file = arm_with_bone(n_face);
        let bone = json!({ "name": "ulna", "joint": joint, "shape": { "kind": "mesh", "node": "Ulna" } });
        file.json["extensionsUsed"] = json!(["FUSIFORM_musculature"]);
        file.json["extensions"] = json!({ "FUSIFORM_musculature": {
            "version": 1, "metresPerUnit": 1.0, "muscles": [], "bones": [bone], "layers": layers } });
        file
    };
    refused(&with(3, "lower", json!([])), &inspect, "not closed");
    refused(&with(4, "lowr", json!([])), &inspect, "lowr");
    refused(&with(4, "lower", json!([{ "kind": "slide", "bones": ["ulnar"] }])), &inspect, "ulnar");
    let whole = with(4, "lower", json!([{ "kind": "slide" }]));
    std::fs::write(folder.path().join("in.glb"), whole.glb()).unwrap();
    let output = command(folder.path(), &inspect).output().unwrap();
    let bones = serde_json::from_slice::<Value>(&output.stdout).unwrap()["bones"].clone();
    assert_eq!(bones[0]["shape"], json!({ "kind": "mesh", "node": "Ulna" }));
}
