//! `fusiform identify` as people run it: muscles found from markers and from sculpted skins, bad input answered in one
//! sentence.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;

use common::{SMALL, answer, run};
use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, Contraction, Layer, MuscleTrack, Sigmoids};
use fusiform::{Body, BodyState, Character, Musculature, Pose, StepInput};
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use glam::Vec3;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

/// Frames of a recording, and of a second.
const FRAMES: usize = 36;
const RATE: f32 = 15.0;

/// A folder with `rigged.glb`, muscles after Murai that work during every clip, and recordings of a body whose muscles
/// swell twice as much as is presumed.
struct World {
    folder: tempfile::TempDir,
    character: Character,
    truth: Musculature,
    /// Vertices that carry markers.
    markers: Vec<usize>,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let rig = ["rig", SMALL, "-o", "rigged.glb", "--preset", "murai", "--quiet"];
    assert!(run(folder.path(), &rig).status.success());
    let path = folder.path().join("rigged.glb");
    let mut gltf = Gltf::read(&std::fs::read(&path).unwrap(), read_beside(folder.path())).unwrap();
    let Scene { character, musculature, origin, .. } = Scene::read(&gltf).unwrap();
    let mut musculature = musculature.unwrap();
    musculature.activation.drivers.clear();
    musculature.activation.curves = character.clips.iter().map(|clip| tension(&clip.name, &musculature)).collect();
    gltf.set_musculature(&origin, &musculature);
    std::fs::write(&path, gltf.to_glb().unwrap()).unwrap();
    let mut truth = musculature;
    truth.layers.retain(|layer| !matches!(layer, Layer::Tissue(_)));
    for muscle in &mut truth.muscles {
        if let Contraction::Identified { by_length, by_tension, .. } = &mut muscle.contraction {
            let times = |of: &Sigmoids, factor: f32| Sigmoids::from_numbers(of.numbers().map(|k| k * factor));
            (*by_length, *by_tension) = (times(by_length, 2.0), times(by_tension, 2.0));
        }
    }
    let follows = Body::bind(&character, &truth).unwrap().skin_follows(&character);
    let moved = |v: &usize| follows[*v].iter().map(|follow| follow.offset.length()).sum::<f32>() > 0.003;
    let markers = (0..character.vertex_count()).filter(moved).step_by(9).collect();
    World { folder, character, truth, markers }
});

/// Every muscle tenses and eases at its own pace.
fn tension(clip: &str, musculature: &Musculature) -> ClipActivation {
    let track = |(m, muscle): (usize, &fusiform::Muscle)| MuscleTrack {
        muscle: muscle.name.clone(),
        times: (0..60).map(|i| 0.1 * i as f32).collect(),
        values: (0..60).map(|i| 0.5 + 0.5 * (0.1 * i as f32 * (1.0 + (m % 7) as f32) + m as f32).sin()).collect(),
        interpolation: Interpolation::Linear,
    };
    ClipActivation { clip: clip.into(), tracks: musculature.muscles.iter().enumerate().map(track).collect() }
}

impl World {
    /// The skin of the truth in a moment of a clip.
    fn skin(&self, clip: &str, time: f32) -> Vec<Vec3> {
        let body = Body::bind(&self.character, &self.truth).unwrap();
        let mut pose = Pose::rest(&self.character.skeleton);
        self.character.clip(clip).unwrap().sample(time, &mut pose);
        let pose = pose.model_matrices(&self.character.skeleton);
        let mut played = body.play(Some(clip), &[]);
        let mut input = StepInput::new(&pose, 0.0);
        input.activation = played.at(time);
        let mut state = BodyState::new(&body);
        body.step(&mut state, &input);
        state.positions().to_vec()
    }

    /// Every frame's places of the markers, mm.
    fn places(&self, clip: &str, markers: &[usize], frames: usize) -> Vec<Vec<Vec3>> {
        (0..frames)
            .map(|t| {
                let skin = self.skin(clip, t as f32 / RATE);
                markers.iter().map(|&v| skin[v] * 1e3).collect()
            })
            .collect()
    }

    /// Write a recording in millimetres; NaN is not seen.
    fn write(&self, name: &str, markers: &[usize], places: &[Vec<Vec3>]) {
        let mut text = String::from("time");
        markers.iter().for_each(|v| _ = write!(text, ",m{v}.x,m{v}.y,m{v}.z"));
        for (t, row) in places.iter().enumerate() {
            _ = write!(text, "\n{}", t as f32 / RATE);
            for p in row {
                let cell = |x: f32| if x.is_nan() { String::new() } else { format!("{x:.4}") };
                _ = write!(text, ",{},{},{}", cell(p.x), cell(p.y), cell(p.z));
            }
        }
        std::fs::write(self.folder.path().join(name), text + "\n").unwrap();
    }

    fn record(&self, name: &str, clip: &str, frames: usize) {
        self.write(name, &self.markers, &self.places(clip, &self.markers, frames));
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

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
    let mut places = world.places("squat", &world.markers, FRAMES);
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
    world.write("leg.csv", &legs, &world.places("squat", &legs, 12));
    let told = done(&["identify", "rigged.glb", "-o", "leg.glb", "--clip", "squat", "--markers", "leg.csv"]);
    let warnings = told["warnings"].to_string();
    assert!(warnings.contains("9 frames for the 27 numbers of a muscle"), "{warnings}");
    assert!(warnings.contains("no marker is near these muscles") && warnings.contains(" more"), "{warnings}");
    let far = told["muscles"].as_array().unwrap().iter().find(|of| of["name"] == "biceps_brachii_long.r").unwrap();
    assert!(far["mean_mm"].is_null() && far["markers"] == 0, "{far}");
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
