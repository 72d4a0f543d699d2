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
