//! `fusiform rig` on a real body, where it is: what it writes, says and refuses.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;

use common::{SMALL, answer, shared};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The average man.
fn man() -> Option<PathBuf> {
    shared("human_male.glb")
}

#[test]
fn a_man_is_rigged_looked_at_and_baked_without_hand_work() {
    let Some(man) = man() else { return };
    let (folder, man) = (tempfile::tempdir().unwrap(), man.to_str().unwrap().to_owned());
    let folder = folder.path();
    // sheets are one muscle each where a preset has them
    for (preset, muscles) in [("lee", 118), ("ramos", 118), ("saam", 98), ("pratscher", 118)] {
        let (code, report) = answer(folder, &["rig", &man, "-o", "man.glb", "--preset", preset]);
        assert_eq!(code, Some(0), "{report}");
        for key in ["muscles", "seconds", "stages", "roles_found", "roles_missing", "inside_fraction", "max_outside_mm"]
        {
            assert!(!report[key].is_null(), "{key}");
        }
        assert_eq!((&report["muscles"], &report["inside_fraction"]), (&muscles.into(), &1.0.into()));
        let (_, inside) = answer(folder, &["inspect", "man.glb"]);
        assert!(inside["muscles"].as_array().unwrap().iter().all(|muscle| muscle["preset"] == preset));
        let compare = ["picture", "man.glb", "-o", "curl.png", "--clip", "elbow_curl", "--time", "1", "--compare"];
        let (_, seen) = answer(folder, &[&compare[..], &["--size", "120x160"]].concat());
        let girth = |side: usize| seen["girth_cm"]["biceps_brachii_long.l"][side].as_f64().unwrap();
        let flipped = |side: usize| seen["flipped_triangles"][side].as_u64().unwrap();
        let volume = |side: usize| seen["volume_change"][side].as_f64().unwrap().abs();
        println!(
            "{preset}: girth {:.2} -> {:.2} cm, flipped {} -> {}, volume {:.5} -> {:.5}",
            girth(0),
            girth(1),
            flipped(0),
            flipped(1),
            volume(0),
            volume(1)
        );
        assert!(girth(1) > girth(0) && flipped(1) <= flipped(0) && volume(1) < volume(0), "{preset}: {seen}");
    }
    let (code, baked) =
        answer(folder, &["bake", "man.glb", "-o", "baked.glb", "--clip", "elbow_curl", "--tolerance", "1"]);
    assert_eq!(code, Some(0), "{baked}");
    // muscles are never applied twice
    let (code, refused) = answer(folder, &["rig", "baked.glb", "-o", "again.glb"]);
    assert_eq!(code, Some(1));
    assert!(refused["error"]["message"].as_str().unwrap().contains("already baked"));
    let (_, again) = answer(folder, &["rig", "man.glb", "-o", "man.glb"]);
    assert!(again["warnings"][0].as_str().unwrap().contains("118 muscles it had are replaced"), "{again}");
}

#[test]
fn a_skin_sculpted_in_a_pose_gives_muscles_their_shape_there() {
    let Some(man) = man() else { return };
    let (folder, man) = (tempfile::tempdir().unwrap(), man.to_str().unwrap().to_owned());
    let rig =
        |skin: &str| answer(folder.path(), &["rig", &man, "-o", "m.glb", "--preset", "pratscher", "--pose-skin", skin]);
    // at its beginning the curl stretches the arms: the skin of the bind pose stands for a sculpt
    let (code, report) = rig(&format!("{man}@elbow_curl:0"));
    assert_eq!(code, Some(0), "{report}");
    assert!(report["stages"]["pose shapes"].as_f64().is_some());
    let (code, refused) = rig(&format!("{man}@elbow_kurl:0"));
    assert_eq!(code, Some(1), "{refused}");
    assert!(refused["error"]["cure"].as_str().unwrap().contains("elbow_curl"), "{refused}");
    let (code, refused) = rig(&format!("{man}@elbow_curl:9"));
    assert_eq!(code, Some(1), "{refused}");
}

#[test]
fn roles_and_bodies_that_are_not_there_are_named() {
    let Some(man) = man() else { return };
    let (folder, man) = (tempfile::tempdir().unwrap(), man.to_str().unwrap().to_owned());
    let folder = folder.path();
    std::fs::write(folder.join("roles.toml"), "upper_arm.l = \"mixamorig:LeftArn\"\n").unwrap();
    let (code, refused) = answer(folder, &["rig", &man, "-o", "m.glb", "--roles", "roles.toml"]);
    assert_eq!(code, Some(1));
    let message = refused["error"].to_string();
    assert!(message.contains("line 1") && message.contains("mixamorig:LeftArm"), "{message}");
    let (code, refused) = answer(folder, &["rig", &man, "-o", "m.glb", "--body", "Boddy"]);
    assert_eq!(code, Some(1));
    assert!(refused["error"].to_string().contains("Body"), "{refused}");
    assert!(!folder.join("m.glb").exists());
}

/// The athlete without muscles, every joint and mesh called what `rename` makes of its name.
fn renamed(folder: &Path, rename: impl Fn(&str) -> String) -> Value {
    assert_eq!(answer(folder, &["rig", SMALL, "-o", "whole.gltf"]).0, Some(0));
    let mut json: Value = serde_json::from_slice(&std::fs::read(folder.join("whole.gltf")).unwrap()).unwrap();
    json.as_object_mut().unwrap().retain(|key, _| !key.starts_with("extensions"));
    for kind in ["nodes", "meshes"] {
        for named in json[kind].as_array_mut().unwrap() {
            named["name"] = rename(named["name"].as_str().unwrap_or_default()).into();
        }
    }
    for primitive in
        json["meshes"].as_array_mut().unwrap().iter_mut().flat_map(|mesh| mesh["primitives"].as_array_mut().unwrap())
    {
        primitive["attributes"].as_object_mut().unwrap().retain(|key, _| !key.starts_with("_MUSCLE"));
    }
    json
}

#[test]
fn joints_and_meshes_that_share_a_name_are_told_apart() {
    let bare = |name: &str| name.trim_end_matches(".l").trim_end_matches(".r").to_owned();
    let one = |_: &str| "bone".to_owned();
    // names that say what a joint is but not on which side are believed, and make no human; names that say nothing leave it
    // to the shape
    let cases = [
        ("left and right alike", &bare as &dyn Fn(&str) -> String, ["lower_arm.flexor", "lower_arm#2.flexor"]),
        ("all alike", &one, ["biceps_brachii_long.l", "biceps_brachii_long.r"]),
    ];
    for (what, rename, twins) in cases {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::fs::write(folder.join("alike.gltf"), renamed(folder, rename).to_string()).unwrap();
        let (code, report) = answer(folder, &["rig", "alike.gltf", "-o", "rigged.gltf"]);
        assert_eq!(code, Some(0), "{what}: {report}");
        let is_pairs = report["warnings"].to_string().contains("opposed pair");
        assert_eq!(is_pairs, what != "all alike", "{what}: {report}");
        let (code, seen) = answer(folder, &["inspect", "rigged.gltf"]);
        let n_muscle = seen["muscles"].as_array().map(|muscles| muscles.len() as u64);
        assert_eq!((code, n_muscle), (Some(0), report["muscles"].as_u64()), "{what}");
        let text: Value = serde_json::from_slice(&std::fs::read(folder.join("rigged.gltf")).unwrap()).unwrap();
        let muscles = text["extensions"]["FUSIFORM_musculature"]["muscles"].as_array().unwrap().clone();
        let joint = |name: &str| {
            let muscle = muscles.iter().find(|muscle| muscle["name"] == name);
            muscle.unwrap_or_else(|| panic!("{what}: there is no {name}"))["insertion"]["joint"].clone()
        };
        assert_ne!(joint(twins[0]), joint(twins[1]), "{what}");
    }
}
