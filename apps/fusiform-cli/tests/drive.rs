//! `fusiform drive` as people run it: motions explained, keys written and played, bad input refused in one sentence.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;

use common::{SMALL, answer, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

fn done(folder: &Path, arguments: &[&str]) -> Value {
    let (code, answer) = answer(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {answer}");
    answer
}

/// Exit code, and message and cure as one text.
fn refused(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let (code, answer) = answer(folder, arguments);
    let error = &answer["error"];
    assert!(error["cure"].as_str().is_some_and(|cure| cure.len() > 10), "{arguments:?}: {error}");
    assert!(error["file"].is_string() || code == Some(2), "{arguments:?}: {error}");
    (code.unwrap(), format!("{}; {}", error["message"], error["cure"]))
}

#[test]
fn a_squat_is_explained_written_drawn_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let report =
        done(folder, &["drive", SMALL, "-o", "squat.glb", "--clip", "squat", "--plots", "plots", "--mass", "80"]);
    let peak = |muscle: &str| report["peak_activation"][muscle].as_f64().unwrap();
    assert!(peak("vastus_lateralis.l") > 0.3 && peak("gluteus_maximus_upper.r") > 0.2, "{report}");
    assert!(peak("biceps_brachii_long.l") < 0.2, "{report}");
    assert!((report["mass_kg"].as_f64().unwrap() - 80.0).abs() < 1e-6);
    assert!(report["residual_nm"].as_f64().unwrap() < 0.1 * report["peak_torque_nm"].as_f64().unwrap(), "{report}");
    assert!(report["warnings"].to_string().contains("how the feet move"), "{}", report["warnings"]);
    for (name, endings) in [
        ("angles", &["png", "svg", "sto", "csv"][..]),
        ("torques", &["png", "svg", "sto", "csv"]),
        ("tensions", &["png", "svg", "sto", "csv"]),
        ("activations", &["png", "svg", "sto", "csv"]),
        ("reserves", &["sto", "csv"]),
        ("ground", &["sto", "csv"]),
    ] {
        for ending in endings {
            let size = std::fs::metadata(folder.join(format!("plots/{name}.{ending}"))).unwrap().len();
            assert!(size > 500, "{name}.{ending} has {size} bytes");
        }
    }
    let told = done(folder, &["inspect", "squat.glb"])["activation"].clone();
    assert_eq!(told["curves"][0]["clip"], "squat");
    let tracks = told["curves"][0]["tracks"].as_array().unwrap();
    assert!(tracks.iter().any(|track| track["muscle"] == "vastus_lateralis.l"));
    // keys add to what tensed muscles before: twice is the same as once
    let again = done(folder, &["drive", "squat.glb", "-o", "again.glb", "--clip", "squat", "--mass", "80"]);
    assert_eq!(again["peak_activation"], report["peak_activation"]);
    let told_again = done(folder, &["inspect", "again.glb"])["activation"].clone();
    assert_eq!(told_again["curves"], told["curves"]);
    let look =
        ["picture", "squat.glb", "--clip", "squat", "--time", "1.3", "--show", "tension", "-o", "p.png", "--size"];
    assert!(run(folder, &[&look[..], &["120x160"]].concat()).status.success());
}

#[test]
fn what_hands_carry_is_carried_by_muscles() {
    let folder = tempfile::tempdir().unwrap();
    let curl = |name: &str, more: &[&str]| {
        let arguments = [&["drive", SMALL, "-o", name, "--clip", "curl"], more].concat();
        done(folder.path(), &arguments)["peak_activation"]["brachialis.l"].as_f64().unwrap()
    };
    let (empty, loaded) = (curl("empty.glb", &[]), curl("loaded.glb", &["--carry", "hand=8"]));
    assert!(loaded > 3.0 * empty, "{loaded} with weights, {empty} without");
}

/// Noise of an electrode over each of these muscles, from one second to another.
fn emg(folder: &Path, channels: &[&str], [from, to]: [f64; 2]) {
    let mut text = format!("time,{}\n", channels.join(","));
    let mut seed = 1_u32;
    for i in 0..((to - from) * 1000.0) as usize {
        let _ = write!(text, "{:.3}", from + i as f64 * 1e-3);
        for _ in channels {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let _ = write!(text, ",{:.5}", f64::from(seed >> 8) / f64::from(1 << 24) - 0.5);
        }
        text.push('\n');
    }
    std::fs::write(folder.join("emg.csv"), text).unwrap();
}

#[test]
fn measured_antagonists_pull_against_each_other() {
    let folder = tempfile::tempdir().unwrap();
    emg(folder.path(), &["Biceps brachii long left", "chan 7", "goniometer"], [0.0, 4.0]);
    let measured = ["--emg", "emg.csv", "--emg-map", "chan 7=triceps_brachii_long.l"];
    let arguments = [&["drive", SMALL, "-o", "held.glb", "--clip", "curl"], &measured[..]].concat();
    let report = done(folder.path(), &arguments);
    for muscle in ["biceps_brachii_long.l", "triceps_brachii_long.l"] {
        assert!(report["peak_activation"][muscle].as_f64().unwrap() > 0.5, "{report}");
    }
    assert!(report["peak_activation"]["triceps_brachii_long.r"].as_f64().unwrap() < 0.2, "{report}");
    assert!(report["warnings"].to_string().contains("goniometer"), "{}", report["warnings"]);
    // against twice what the envelope reaches, a muscle works half as hard; the paper's order of filters is a choice
    let more = ["--emg-max", "chan 7=1", "--emg-rectify-first"];
    let report = done(folder.path(), &[&arguments[..], &more].concat());
    assert!(report["peak_activation"]["triceps_brachii_long.l"].as_f64().unwrap() < 0.4, "{report}");
}

#[test]
fn channels_that_say_no_side_are_on_the_one_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    emg(folder.path(), &["Biceps.EMG4"], [0.0, 4.0]);
    let arguments = ["drive", SMALL, "-o", "held.glb", "--clip", "curl", "--emg", "emg.csv"];
    let (code, text) = refused(folder.path(), &arguments);
    assert!(code == 1 && text.contains("which side") && text.contains("--emg-side"), "{text}");
    let report = done(folder.path(), &[&arguments[..], &["--emg-side", "right"]].concat());
    let peak = |muscle: &str| report["peak_activation"][muscle].as_f64().unwrap();
    assert!(peak("biceps_brachii_long.r") > 0.5 && peak("biceps_brachii_long.l") < 0.3, "{report}");
}

#[test]
fn emg_has_the_clock_of_the_markers_it_was_recorded_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| measured(&format!("opensim/gait2354/{name}"));
    let model = file("subject01_simbody.osim");
    // from 0.4 to 1.6 s
    let (Some(model), Some(motion)) = (model, file("computed/subject01_walk1_ik_opensim46.mot")) else { return };
    let walk = ["drive", SMALL, "-o", "walk.glb", "--model", &model, "--markers", &motion, "--muscles", "own"];
    let arguments = [&walk[..], &["--emg", "emg.csv"]].concat();
    emg(folder.path(), &["soleus.l"], [0.4, 1.7]);
    done(folder.path(), &arguments);
    emg(folder.path(), &["soleus.l"], [0.0, 1.3]);
    let (code, text) = refused(folder.path(), &arguments);
    assert!(code == 1 && text.contains("does not cover the motion"), "{text}");
}

/// A shared file of a laboratory; nothing, said aloud, where it is not there.
fn measured(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", path.display());
    }
    Some(path.canonicalize().ok()?.display().to_string())
}

#[test]
fn a_measured_walk_is_put_on_and_made_by_calves() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| measured(&format!("opensim/gait2354/{name}"));
    let (Some(model), Some(markers)) = (file("subject01_simbody.osim"), file("subject01_walk1.trc")) else { return };
    let Some(forces) = file("subject01_walk1_grf.mot") else { return };
    let walk = ["--model", &model, "--markers", &markers, "--forces", &forces, "--muscles", "own"];
    let report = done(folder.path(), &[&["drive", SMALL, "-o", "walk.glb"], &walk[..]].concat());
    let peak = |muscle: &str| report["peak_activation"][muscle].as_f64().unwrap();
    assert!(peak("soleus.r") > 0.5 && peak("gastrocnemius_medial.l") > 0.4, "{report}");
    assert!((report["mass_kg"].as_f64().unwrap() - 72.6).abs() < 1.0, "{report}");
    assert!(report["residual_nm"].as_f64().unwrap() < 15.0, "{report}");
    assert!(report["markers"]["R.ASIS"]["rms_mm"].as_f64().unwrap() < 40.0, "{}", report["markers"]);
    let told = done(folder.path(), &["inspect", &model]);
    assert_eq!((told["muscles"].as_array().unwrap().len(), told["markers"].as_array().unwrap().len()), (54, 39));
    assert_eq!(done(folder.path(), &["inspect", &markers])["frames"], 151);
    assert!(done(folder.path(), &["inspect", &forces])["columns"].to_string().contains("ground_force_vy"));
    let clips = done(folder.path(), &["inspect", "walk.glb"])["clips"].to_string();
    assert!(clips.contains("subject01_walk1"), "{clips}");
}

#[test]
fn forces_that_end_before_the_motion_are_told_from_the_feet_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| measured(&format!("opensim/gait2354/{name}"));
    let (Some(model), Some(markers)) = (file("subject01_simbody.osim"), file("subject01_walk1.trc")) else { return };
    let forces = std::fs::read_to_string(file("subject01_walk1_grf.mot").unwrap()).unwrap();
    let early = |line: &&str| line.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0.0) < 1.0;
    let short: Vec<&str> = forces.lines().filter(early).collect();
    std::fs::write(folder.path().join("short.mot"), short.join("\n")).unwrap();
    let walk = ["--model", &model, "--markers", &markers, "--forces", "short.mot", "--muscles", "own"];
    let report = done(folder.path(), &[&["drive", SMALL, "-o", "walk.glb"], &walk[..]].concat());
    assert!(report["warnings"].to_string().contains("from 0.00 to 1.00 s of the 2.50 s"), "{}", report["warnings"]);
    assert!(report["unexplained_n"].as_f64().unwrap() < 200.0, "{report}");
}

#[test]
fn a_models_muscles_are_added_to_the_character() {
    let folder = tempfile::tempdir().unwrap();
    let Some(arm) = measured("opensim/arm26/arm26.osim") else { return };
    let drive = |whose: &str| {
        let model = ["--clip", "curl", "--model", &arm, "--muscles", whose];
        done(folder.path(), &[&["drive", SMALL, "-o", whose], &model[..]].concat())
    };
    let (both, alone) = (drive("both"), drive("model"));
    assert_eq!(both["muscles"].as_u64().unwrap() - alone["muscles"].as_u64().unwrap(), 118);
    assert_eq!(alone["muscles"], 6);
    assert!(alone["peak_activation"]["osim_BRA.r"].as_f64().unwrap() > 0.0, "{alone}");
}

#[test]
fn what_a_laboratory_left_out_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (Some(model), Some(other)) =
        (measured("opensim/gait2354/subject01_simbody.osim"), measured("c3d/opensim_walking2.c3d"))
    else {
        return;
    };
    let plates = measured("opensim/gait2354/subject01_walk1_grf.mot").unwrap();
    let walk = std::fs::read_to_string(measured("opensim/gait2354/subject01_walk1.trc").unwrap()).unwrap();
    std::fs::write(folder.join("metres.trc"), walk.replacen("\tmm\t", "\tm\t", 1)).unwrap();
    let first: Vec<&str> = walk.lines().take(7).collect();
    std::fs::write(folder.join("still.trc"), first.join("\n")).unwrap();
    std::fs::write(folder.join("no.osim"), "<OpenSimDocument Version=\"40000\"/>").unwrap();
    std::fs::write(folder.join("empty.mot"), "empty\nendheader\ntime\ta\n0\t1\n1\t2\n").unwrap();
    let drive = |more: &[&str]| refused(folder, &[&["drive", SMALL, "-o", "o.glb"], more].concat());
    let markers = measured("opensim/gait2354/subject01_walk1.trc").unwrap();
    for (arguments, code, says) in [
        (&["--model", &model, "--markers", &other][..], 1, "of the model's 39 markers are in the capture"),
        (&["--model", &model, "--markers", "metres.trc"], 1, "times as far apart"),
        (&["--model", &model, "--markers", "still.trc"], 1, "single moment"),
        (&["--model", &model, "--markers", &model], 1, "markers are read from .trc and .c3d"),
        (&["--model", &model, "--markers", &plates], 1, "none of them is a coordinate"),
        (&["--model", &model, "--markers", "nowhere.trc"], 1, "cannot be read"),
        (&["--model", &markers, "--clip", "curl"], 1, "not XML"),
        (&["--model", "no.osim", "--clip", "curl"], 1, "odel"),
        (&["--model", &model, "--markers", &markers, "--forces", "empty.mot"], 1, "ground_force_vx"),
        (&["--model", &model, "--markers", "empty.mot"], 1, "coordinate"),
        (&["--markers", &markers], 2, "--model"),
    ] {
        let (found, text) = drive(arguments);
        assert_eq!(found, code, "{arguments:?}: {text}");
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    emg(folder, &["biceps_brachii_long.l"], [0.0, 1.0]);
    std::fs::write(folder.join("empty.csv"), "").unwrap();
    std::fs::write(folder.join("renamed.csv"), "time,EMG_1\n0,1\n0.001,2\n").unwrap();
    std::fs::write(folder.join("jumps.csv"), "time,soleus.l\n0,1\n0.001,2\n0.002,1\n5,1\n").unwrap();
    std::fs::write(folder.join("slow.csv"), "time,soleus.l\n0,1\n1,2\n2,1\n3,1\n4,1\n").unwrap();
    let opensim = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../interop/opensim/old.osim"));
    let unknown = opensim.unwrap().replacen("<wrap_object>elbow_cylinder", "<wrap_object>nowhere", 1);
    std::fs::write(folder.join("wrap.osim"), unknown).unwrap();
    std::fs::write(folder.join("empty.trc"), "").unwrap();
    let drive = |more: &[&str]| refused(folder, &[&["drive", SMALL, "-o", "o.glb"], more].concat());
    for (arguments, code, says) in [
        (&["--clip", "sqat"][..], 1, "squat"),
        (&[], 2, "--clip"),
        (&["--clip", "curl", "--emg", "emg.csv"], 1, "does not cover the motion"),
        (&["--clip", "curl", "--emg", "empty.csv"], 1, "empty"),
        (&["--clip", "curl", "--emg", "renamed.csv"], 1, "speaks for a muscle"),
        (&["--clip", "curl", "--emg", "jumps.csv"], 1, "after 0.002 s comes 5.000 s"),
        (&["--clip", "curl", "--emg", "slow.csv"], 1, "samples a second"),
        (&["--clip", "curl", "--emg", "emg.csv", "--emg-max", "biceps_brachii_long.l"], 2, "CHANNEL=VALUE"),
        (&["--clip", "curl", "--emg-side", "left"], 2, "--emg"),
        (&["--clip", "curl", "--model", "wrap.osim"], 1, "no body has such a wrap object"),
        (&["--clip", "curl", "--model", "empty.trc"], 1, "not XML"),
        (&["--clip", "curl", "--fps", "10"], 1, "10 frames a second"),
        (&["--clip", "curl", "--emg", "emg.csv", "--emg-map", "x=soleus.l"], 1, "no EMG channel"),
        (&["--clip", "curl", "--emg", "emg.csv", "--emg-map", "soleus"], 2, "CHANNEL=MUSCLE"),
        (&["--clip", "curl", "--emg", "nothing.csv"], 1, "cannot be read"),
        (&["--clip", "curl", "--carry", "wing=3"], 1, "no such joint"),
        (&["--clip", "curl", "--carry", "hand"], 2, "hand=10"),
        (&["--clip", "curl", "--mass", "-3"], 2, "mass"),
        (&["--motion", "nothing.bvh"], 1, "cannot be read"),
    ] {
        let (found, text) = drive(arguments);
        assert_eq!(found, code, "{arguments:?}: {text}");
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    assert!(!folder.join("o.glb").exists());
    done(folder, &["bake", SMALL, "-o", "baked.glb", "--clip", "curl", "--fps", "10"]);
    let (code, text) = refused(folder, &["drive", "baked.glb", "-o", "o.glb", "--clip", "curl"]);
    assert!(code == 1 && text.contains("already baked"), "{text}");
}
