//! `fusiform identify` as people run it: muscles found from markers and from sculpted skins, bad input answered in one
//! sentence.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;
#[path = "../../../crates/fusiform-files/tests/lab/mod.rs"]
mod lab;
mod recorded;

use common::{SMALL, answer, run};
use fusiform::musculature::Profile;
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use glam::Vec3;
use recorded::{FRAMES, WORLD};
use serde_json::Value;
use std::path::Path;

fn done(arguments: &[&str]) -> Value {
    let (code, answer) = answer(WORLD.path(), arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {answer}");
    answer
}

/// Exit code, and message and cure as one text.
fn refused(arguments: &[&str]) -> (i32, String) {
    let (code, answer) = answer(WORLD.path(), arguments);
    (code.unwrap(), format!("{}; {}", answer["error"]["message"], answer["error"]["cure"]))
}

fn mean(of: &Value, which: &str) -> f64 {
    of[which]["mean_mm"].as_f64().unwrap()
}

/// The warning that has those words.
fn warning(told: &Value, words: &str) -> Option<String> {
    let all = told["warnings"].as_array()?.iter().filter_map(Value::as_str);
    all.map(str::to_owned).find(|warning| warning.contains(words))
}

/// The shape at rest of every muscle in a file.
fn rest_shapes(path: &Path) -> Vec<Profile> {
    let gltf = Gltf::read(&std::fs::read(path).unwrap(), read_beside(WORLD.path())).unwrap();
    let musculature = Scene::read(&gltf).unwrap().musculature.unwrap();
    musculature.muscles.into_iter().map(|muscle| muscle.profile).collect()
}

#[test]
fn markers_tell_how_muscles_swell_and_a_report_shows_it() {
    let world = &*WORLD;
    world.record("squat.csv", "squat", FRAMES);
    world.record("curl.csv", "curl", FRAMES);
    let held_out = ["--held-out", "curl", "--held-out-markers", "curl.csv"];
    let call = ["identify", "rigged.glb", "-o", "found.glb", "--clip", "squat", "--markers", "squat.csv"];
    let told = done(&[&call[..], &held_out, &["--report", "report"]].concat());
    for part in ["training", "held_out"] {
        let (with, without) = (mean(&told[part], "with"), mean(&told[part], "without"));
        assert!(with < 0.5 * without, "{part}: {with} mm with deformation, {without} mm without");
    }
    assert!(told["warnings"].to_string().contains("in millimetres"), "{}", told["warnings"]);
    let biceps = told["muscles"].as_array().unwrap().iter().find(|of| of["name"] == "biceps_brachii_long.l").unwrap();
    for key in ["mean_mm", "sd_mm", "without_mm", "held_out_mm"] {
        assert!(biceps[key].is_number(), "{key} of {biceps}");
    }
    for (file, least) in [
        ("report.md", 2_000),
        ("errors.csv", 10_000),
        ("error.svg", 2_000),
        ("error.png", 2_000),
        ("with.png", 50_000),
        ("without.png", 50_000),
    ] {
        let size = std::fs::metadata(world.path().join("report").join(file)).unwrap().len();
        assert!(size > least, "{file} has {size} bytes");
    }
    // what was written is what was measured, and any number of threads finds it
    let again = ["identify", "found.glb", "-o", "again.glb", "--clip", "squat", "--markers", "squat.csv"];
    done(&[&again[..], &held_out, &["--threads", "1"]].concat());
    let bytes = |name: &str| std::fs::read(world.path().join(name)).unwrap();
    assert_eq!(bytes("found.glb"), bytes("again.glb"));
    assert_ne!(bytes("found.glb"), bytes("rigged.glb"));
}

#[test]
fn markers_that_vanish_are_fine_and_swapped_labels_are_swapped_back() {
    let world = &*WORLD;
    let mut places = world.places("squat", &world.markers, FRAMES, 0.0);
    let [a, b] = [3, world.markers.len() / 2];
    (10..16).for_each(|t| places[t].swap(a, b));
    places.iter_mut().skip(20).for_each(|row| row[7] = Vec3::NAN);
    places.iter_mut().for_each(|row| row[8] = Vec3::NAN);
    places[20][9] += Vec3::splat(900.0);
    world.write("messy.csv", &world.markers, &places);
    let call = ["identify", "rigged.glb", "-o", "messy.glb", "--clip", "squat", "--markers", "messy.csv"];
    let told = done(&call);
    let warnings = told["warnings"].to_string();
    let [first, second, never, wild] = [a, b, 8, 9].map(|j| world.markers[j]);
    assert!(warnings.contains(&format!("markers m{first} and m{second} trade places")), "{warnings}");
    assert!(warnings.contains("in 6 frames between 0.67 s and 1.00 s"), "{warnings}");
    assert!(warnings.contains(&format!("left out: m{never}")), "{warnings}");
    assert!(
        warnings.contains(&format!("1 sightings that cannot be of their markers were dropped: m{wild}")),
        "{warnings}"
    );
    // of the 27 frames that are fitted
    let vanishes = world.markers[7];
    assert!(warnings.contains(&format!("not seen part of the time: m{vanishes} (26 %)")), "{warnings}");
    let (with, without) = (mean(&told["training"], "with"), mean(&told["training"], "without"));
    assert!(with < 0.6 * without, "{with} mm with deformation, {without} mm without");
    let free = done(&[&call[..], &["--offsets"]].concat());
    let (with, without) = (mean(&free["training"], "with"), mean(&free["training"], "without"));
    assert!(with < without, "{with} mm with deformation, {without} mm without");
    assert!(told["held_out"]["motion"].as_str().unwrap().contains("last quarter"), "{}", told["held_out"]);
}

#[test]
fn few_frames_and_muscles_that_no_marker_sees_are_told() {
    let world = &*WORLD;
    let skin: Vec<Vec3> = world.character.meshes.iter().flat_map(|mesh| mesh.positions.clone()).collect();
    let legs: Vec<usize> = world.markers.iter().copied().filter(|&v| skin[v].y < 0.8 && skin[v].x > 0.0).collect();
    world.write("leg.csv", &legs, &world.places("squat", &legs, 12, 0.0));
    let told = done(&["identify", "rigged.glb", "-o", "leg.glb", "--clip", "squat", "--markers", "leg.csv"]);
    let warnings = told["warnings"].to_string();
    let few = warning(&told, "9 frames for the 27 numbers of a muscle").unwrap();
    assert!(few.contains(".l") && !few.contains(".r"), "{few}");
    assert!(warnings.contains("no marker is near these muscles") && warnings.contains(" more"), "{warnings}");
    let far = told["muscles"].as_array().unwrap().iter().find(|of| of["name"] == "biceps_brachii_long.r").unwrap();
    assert!(far["mean_mm"].is_null() && far["markers"] == 0, "{far}");
}

#[test]
fn muscles_whose_markers_vanish_for_most_of_the_time_are_named() {
    let world = &*WORLD;
    let skin: Vec<Vec3> = world.character.meshes.iter().flat_map(|mesh| mesh.positions.clone()).collect();
    let mut places = world.places("squat", &world.markers, FRAMES, 0.0);
    for row in places.iter_mut().skip(12) {
        let left_leg = |v: usize| skin[v].y < 0.8 && skin[v].x > 0.0;
        row.iter_mut().zip(&world.markers).filter(|(_, v)| left_leg(**v)).for_each(|(place, _)| *place = Vec3::NAN);
    }
    world.write("short.csv", &world.markers, &places);
    let told = done(&["identify", "rigged.glb", "-o", "short.glb", "--clip", "squat", "--markers", "short.csv"]);
    let few = warning(&told, "less than 27 frames over these muscles").unwrap();
    assert!(few.contains(".l") && !few.contains(".r"), "{few}");
    assert!(warning(&told, "frames for the 27 numbers").is_none(), "{}", told["warnings"]);
    let (with, without) = (mean(&told["training"], "with"), mean(&told["training"], "without"));
    assert!(with < 0.6 * without, "{with} mm with deformation, {without} mm without");
}

#[test]
fn labels_that_are_swapped_in_what_is_held_out_are_told_too() {
    let world = &*WORLD;
    world.record("whole.csv", "squat", FRAMES);
    let mut places = world.places("curl", &world.markers, 12, 0.0);
    let [a, b] = [3, world.markers.len() / 2];
    (4..7).for_each(|t| places[t].swap(a, b));
    world.write("swapped.csv", &world.markers, &places);
    let call = ["identify", "rigged.glb", "-o", "held.glb", "--clip", "squat", "--markers", "whole.csv"];
    let told = done(&[&call[..], &["--held-out", "curl", "--held-out-markers", "swapped.csv"]].concat());
    let swap = warning(&told, "trade places").unwrap();
    let [a, b] = [a, b].map(|j| world.markers[j]);
    assert!(swap.starts_with("in what was held out") && swap.contains(&format!("m{a} and m{b}")), "{swap}");
    std::fs::write(world.path().join("nobody.csv"), "time,a.x,a.y,a.z\n0,,,\n0.1,,,\n").unwrap();
    let (code, why) = refused(&[&call[..], &["--held-out", "curl", "--held-out-markers", "nobody.csv"]].concat());
    assert!(code == 1 && why.contains("none of its markers is seen"), "{why}");
}

#[test]
fn trc_and_c3d_say_what_csv_says() {
    let world = &*WORLD;
    let mut places = world.places("squat", &world.markers, FRAMES, 0.0);
    places.iter_mut().skip(20).for_each(|row| row[7] = Vec3::NAN);
    let [csv, trc, c3d] = ["same.csv", "same.trc", "same.c3d"].map(|name| {
        world.write(name, &world.markers, &places);
        done(&["identify", "rigged.glb", "-o", "same.glb", "--clip", "squat", "--markers", name])
    });
    assert!(csv["markers"].as_u64().unwrap() > 200, "{}", csv["markers"]);
    for other in [&trc, &c3d] {
        assert_eq!((&other["markers"], &other["training"]["frames"]), (&csv["markers"], &csv["training"]["frames"]));
        assert_eq!(other["training"]["sightings"], csv["training"]["sightings"]);
        let gap = |of: &Value| warning(of, "part of the time").unwrap();
        assert_eq!(gap(other), gap(&csv));
        for part in ["training", "held_out"] {
            for which in ["with", "without"] {
                let (found, wanted) = (mean(&other[part], which), mean(&csv[part], which));
                assert!((found - wanted).abs() < 2e-3, "{part} {which}: {found} mm, {wanted} mm in a .csv");
            }
        }
        for (found, wanted) in other["muscles"].as_array().unwrap().iter().zip(csv["muscles"].as_array().unwrap()) {
            assert_eq!((&found["name"], &found["markers"]), (&wanted["name"], &wanted["markers"]));
        }
    }
}

#[test]
fn thick_markers_say_what_thin_ones_say_once_their_radius_is_known() {
    const RADIUS: f32 = 8.0;
    let world = &*WORLD;
    world.record("thin.csv", "squat", FRAMES);
    world.write("thick.csv", &world.markers, &world.places("squat", &world.markers, FRAMES, RADIUS));
    world.write("sunk.csv", &world.markers, &world.places("squat", &world.markers, FRAMES, -RADIUS));
    let call = |markers: &str, more: &[&str]| {
        let call = ["identify", "rigged.glb", "-o", "thick.glb", "--clip", "squat", "--markers", markers];
        mean(&done(&[&call[..], more].concat())["training"], "with")
    };
    let thin = call("thin.csv", &[]);
    let [known, unknown] = [call("thick.csv", &["--marker-radius", "8"]), call("thick.csv", &[])];
    // 8 mm below the skin is 16 mm from where the middle of such a marker should be
    let sunk = call("sunk.csv", &["--marker-radius", "8"]);
    assert!(sunk > 10.0, "{sunk} mm where markers are as far below the skin as they should be above it");
    println!("{thin:.2} mm where there is none, {known:.2} mm with the radius known, {unknown:.2} mm without");
    // at a vertex of a skin as coarse as this, a triangle looks 15 degrees past the normal: 2 mm at a height of 8
    assert!((known - thin).abs() < 1.0, "{known} mm with the radius known, {thin} mm where there is none");
    assert!(unknown > 2.0 * known, "{unknown} mm with the radius unknown, {known} mm with it known");
}

#[test]
fn what_the_paper_prints_finds_thickness_at_rest_and_says_so() {
    let world = &*WORLD;
    world.record("printed.csv", "squat", FRAMES);
    let call = ["identify", "rigged.glb", "-o", "printed.glb", "--clip", "squat", "--markers", "printed.csv"];
    let told = done(&[&call[..], &["--as-printed", "--report", "printed"]].concat());
    assert_eq!(told["kernel"], "as printed");
    for part in ["training", "held_out"] {
        let surface = &told["surface"][part];
        let (with, without) = (mean(surface, "with"), mean(surface, "without"));
        println!(
            "{part}: marker to muscle {with:.2} mm with deformation, {without:.2} mm without; to skin {}",
            told[part]
        );
        assert!(with > 0.0 && with.is_finite() && without.is_finite());
    }
    assert!(mean(&told["surface"]["training"], "with") < mean(&told["surface"]["training"], "without"));
    let report = std::fs::read_to_string(world.path().join("printed/report.md")).unwrap();
    assert!(report.contains("as printed") && report.contains("from marker to muscle (eq. 6)"), "{report}");
    let shapes = |name: &str| rest_shapes(&world.path().join(name));
    assert_ne!(shapes("printed.glb"), shapes("rigged.glb"));
    let plain = done(&call);
    assert!(plain["kernel"] == "skin" && plain["surface"].is_null(), "{}", plain["kernel"]);
    assert_eq!(shapes("printed.glb"), shapes("rigged.glb"));
    let (code, why) = refused(&[&call[..], &["--fat", "5"]].concat());
    assert!(code == 2 && why.contains("--as-printed"), "{why}");
}

#[test]
fn sculpted_skins_tell_muscles_too() {
    let world = &*WORLD;
    for (i, (clip, time)) in [("squat", 1.2), ("curl", 1.5), ("flex", 1.0)].into_iter().enumerate() {
        let mut character = world.character.clone();
        character.meshes[0].positions = world.skin(clip, time);
        let bytes = Gltf::from_character(&character).to_glb().unwrap();
        std::fs::write(world.path().join(format!("sculpt{i}.glb")), bytes).unwrap();
    }
    let skins = ["--pose-skin", "sculpt0.glb@squat:1.2", "--pose-skin", "sculpt1.glb@curl:1.5", "--pose-skin"];
    let call = [&["identify", "rigged.glb", "-o", "sculpted.glb"], &skins[..], &["sculpt2.glb@flex:1"]].concat();
    let told = done(&[&call[..], &["--held-out", "flex"]].concat());
    let (with, without) = (mean(&told["training"], "with"), mean(&told["training"], "without"));
    assert!(with < 0.5 * without, "{with} mm with deformation, {without} mm without");
    assert!(mean(&told["held_out"], "with") < mean(&told["held_out"], "without"), "{}", told["held_out"]);
    assert!(told["warnings"].to_string().contains("2 frames for the 27 numbers"), "{}", told["warnings"]);
    let (code, why) = refused(&[&call[..], &["--held-out", "combo"]].concat());
    assert!(code == 1 && why.contains("squat, curl, flex"), "{why}");
}

#[test]
fn input_that_cannot_be_used_is_refused_in_one_sentence() {
    let world = &*WORLD;
    world.record("jump.csv", "jump_landing", 12);
    std::fs::write(world.path().join("numbers.csv"), "time,a,b\n0,1,2\n").unwrap();
    let identify = |input: &str, more: &[&str]| refused(&[&["identify", input, "-o", "no.glb"], more].concat());
    let (code, why) = identify("rigged.glb", &["--clip", "combo", "--markers", "jump.csv", "--time-offset", "2"]);
    assert!(code == 1 && why.contains("cm from it on average") && why.contains("--time-offset"), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squad", "--markers", "jump.csv"]);
    assert!(code == 1 && why.contains("did you mean \\\"squat\\\""), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squat", "--markers", "jump.csv", "--time-offset", "99"]);
    assert!(code == 1 && why.contains("no marker is seen while the clip lasts"), "{why}");
    let (code, why) = identify(SMALL, &["--clip", "squat", "--markers", "jump.csv"]);
    assert!(code == 1 && why.contains("rig --preset murai"), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squat", "--markers", "numbers.csv"]);
    assert!(code == 1 && why.contains("NAME.x"), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squat", "--markers", "none.csv"]);
    assert!(code == 1 && why.contains("cannot be read"), "{why}");
    let (code, why) = identify("rigged.glb", &[]);
    assert!(code == 2 && why.contains("--markers"), "{why}");
    let (code, why) = identify("rigged.glb", &["--markers", "jump.csv"]);
    assert!(code == 2 && why.contains("--clip with one of"), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squat", "--markers", "jump.csv", "--held-out", "curl"]);
    assert!(code == 2 && why.contains("--held-out-markers"), "{why}");
    let (code, why) = identify("rigged.glb", &["--clip", "squat", "--markers", "jump.csv", "--marker-radius", "-1"]);
    assert!(code == 2 && why.contains("0 to 100 mm"), "{why}");
    let bake = ["bake", SMALL, "-o", "baked.glb", "--clip", "curl", "--fps", "10", "--tolerance", "5"];
    assert!(run(world.path(), &bake).status.success());
    let (code, why) = identify("baked.glb", &["--clip", "curl", "--markers", "jump.csv"]);
    assert!(code == 1 && why.contains("already baked"), "{why}");
    assert!(!world.path().join("no.glb").exists());
}
