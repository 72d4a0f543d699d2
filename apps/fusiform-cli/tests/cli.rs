//! The real program in a folder of its own: what it says, writes and answers.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod common;

use common::{SMALL, command};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    /// The only thing on stdout.
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    fn error(&self) -> Value {
        self.json()["error"].clone()
    }
}

fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    command(folder, arguments).output().unwrap().into()
}

fn run(arguments: &[&str]) -> Run {
    run_in(tempfile::tempdir().unwrap().path(), arguments)
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Width and height of a PNG, from its header.
fn png_size(path: &Path) -> [u32; 2] {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"), "not a PNG");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn help_texts_say_what_the_program_does() {
    for (name, arguments) in [
        ("help", &["--help"][..]),
        ("help_bake", &["bake", "--help"]),
        ("help_bench", &["bench", "--help"]),
        ("help_demo", &["demo", "--help"]),
        ("help_drive", &["drive", "--help"]),
        ("help_identify", &["identify", "--help"]),
        ("help_inspect", &["inspect", "--help"]),
        ("help_picture", &["picture", "--help"]),
        ("help_studio", &["studio", "--help"]),
        ("help_template", &["template", "--help"]),
    ] {
        let run = run(arguments);
        assert_eq!(run.code, Some(0));
        insta::assert_snapshot!(name, run.stdout);
    }
}

#[test]
fn a_wrong_call_exits_with_2_and_leaves_stdout_alone() {
    for arguments in [
        &["no-such-command"][..],
        &["picture", "athlete"],
        &["picture", "athlete", "-o", "a.jpg"],
        &["picture", "athlete", "-o", "a.png", "--size", "0x4"],
        &["picture", "athlete", "-o", "a.png", "--view", "inside"],
        &["picture", "athlete", "-o", "a.png", "--activation", "2"],
        &["picture", "athlete", "-o", "a.png", "--time", "1"],
        &["picture", "athlete", "-o", "a.gif"],
        &["picture", "athlete", "-o", "a.gif", "--clip", "curl", "--sheet"],
        &["inspect", "athlete", "--threads", "0"],
        &["inspect", "athlete:many"],
        &["inspect", ""],
        &["picture", "athlete", "-o", "a.gif", "--clip", "curl", "--fps", "51"],
        &["demo", "--vertices", "12"],
        &["demo", "--vertices", "-1"],
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_is_not_built_is_refused_with_a_list_of_what_is() {
    let picture = |flag: &str, value: &str| run(&["picture", "athlete", "-o", "a.png", flag, value]);
    for (run, listed) in [
        (picture("--show", "veins"), "skin, muscles, both, weights, tension, sliding, regions, ellipsoids"),
        (run(&["rig", "athlete", "-o", "a.glb", "--preset", "hercules"]), "lee, ramos, saam, pratscher, murai"),
        (picture("--physique", "giant"), "athlete, brute, gaunt, jelly"),
    ] {
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(listed), "{}", run.stderr);
    }
}

#[test]
fn a_wrong_call_with_json_is_told_in_json() {
    let run = run(&["picture", "athlete", "--json", "-o", "a.png", "--show", "veins"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), ""));
    let message = run.error()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("veins") && message.contains("skin, muscles, both, weights, tension"), "{message}");
}

#[test]
fn a_missing_argument_is_named_in_json_too() {
    let error = run(&["picture", "--json"]).error();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("--output <FILE>") && message.contains("<IN>"), "{message}");
}

#[test]
fn a_folder_is_not_taken_for_a_character() {
    let run = run(&["inspect", "."]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("this is a folder"), "{}", run.stderr);
}

#[test]
fn more_pixels_than_memory_holds_are_a_wrong_call() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &["picture", SMALL, "-o", "a.png", "--size", "16384x16384", "--json"]);
    assert_eq!((run.code, &run.error()["place"]), (Some(2), &Value::from("--size")));
    assert!(names_in(folder.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_takes_no_files_is_refused_with_a_cure_before_the_work() {
    // nothing can be created there, not even by root
    for arguments in [&["picture", SMALL, "-o", "/proc/a.png", "--clip", "none"][..], &["demo", "-o", "/proc/a"]] {
        let error = run(&[arguments, &["--json"]].concat()).error();
        assert!(error["cure"].as_str().unwrap().contains("another place with -o"), "{error}");
        assert!(!error["message"].as_str().unwrap().contains(".fusiform-"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_demo_that_is_interrupted_leaves_only_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["demo", "--vertices", "3700", "--size", "10", "-o", "made", "--quiet"];
    let mut child = command(folder.path(), &arguments).spawn().unwrap();
    let first = folder.path().join("made/rest.png");
    while !first.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
    for name in names_in(&folder.path().join("made")) {
        assert!(!name.starts_with('.'), "{name}");
    }
    assert!(std::fs::read(&first).unwrap().ends_with(b"IEND\xaeB`\x82"));
}

#[test]
fn two_runs_that_write_the_same_file_leave_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let still = ["picture", SMALL, "-o", "a.png", "--size", "32x48", "--quiet"];
    let mut both = [(); 2].map(|()| command(folder.path(), &still).spawn().unwrap());
    assert!(both.iter_mut().all(|run| run.wait().unwrap().success()));
    assert_eq!(names_in(folder.path()), ["a.png"]);
    assert_eq!(png_size(&folder.path().join("a.png")), [32, 48]);
}

#[test]
fn a_missing_file_is_named() {
    let run = run(&["inspect", "hero.glb"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("hero.glb") && run.stderr.contains("No such file"), "{}", run.stderr);
}

#[test]
fn a_file_that_ends_early_is_refused_with_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hero.glb"), b"glTF").unwrap();
    let run = run_in(folder.path(), &["inspect", "hero.glb", "--json"]);
    assert_eq!(run.code, Some(1));
    let error = run.error();
    assert_eq!(keys(&error), ["file", "place", "message", "cure"]);
    assert_eq!((&error["file"], &error["place"]), (&Value::from("hero.glb"), &Value::from("container")));
    assert!(error["message"].as_str().unwrap().contains("ends early"));
    assert!(error["cure"].as_str().unwrap().contains("again"));
}

#[test]
fn an_athlete_of_twelve_vertices_is_told_the_legal_range() {
    let run = run(&["inspect", "athlete:12"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("3700 to 100000"), "{}", run.stderr);
}

#[test]
fn inspect_prints_the_contracts_keys_and_nothing_else() {
    let run = run(&["inspect", SMALL, "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let report = run.json();
    for key in ["file", "units", "height_m", "up", "meshes", "joints", "clips", "muscles", "layers", "warnings"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert_eq!(report["file"], SMALL);
    let rows = |key: &str| report[key].as_array().unwrap().clone();
    assert_eq!(keys(&rows("meshes")[0]), ["name", "vertices", "triangles", "max_influences"]);
    assert_eq!(keys(&rows("joints")[0]), ["name", "parent", "role", "side", "confidence"]);
    assert_eq!(keys(&rows("clips")[0]), ["name", "seconds", "frames"]);
    let muscle = ["name", "preset", "origin", "insertion", "rest_length_m", "volume_cm3", "side"];
    assert_eq!(keys(&rows("muscles")[0]), muscle);
    assert!(rows("muscles").len() >= 64 && rows("joints").len() >= 21 && rows("clips").len() >= 5);
}

#[test]
fn the_athletes_joints_play_all_roles_and_every_muscle_has_a_volume() {
    let report = run(&["inspect", SMALL, "--json"]).json();
    let joints = report["joints"].as_array().unwrap();
    for joint in joints {
        // its shape bears out every name but the thumbs', of which it says nothing
        let confidence = match joint["role"].as_str() {
            Some("thumb") => 0.9,
            Some(_) => 1.0,
            None => 0.0,
        };
        assert_eq!(joint["confidence"], confidence, "{joint}");
    }
    // six along the spine, ten on each side
    assert_eq!(joints.iter().filter(|joint| joint["role"].is_string()).count(), 26);
    for muscle in report["muscles"].as_array().unwrap() {
        let positive = |key: &str| muscle[key].as_f64().unwrap() > 0.0;
        assert!(positive("rest_length_m") && positive("volume_cm3"), "{muscle}");
        let side = if muscle["name"].as_str().unwrap().ends_with(".l") { "left" } else { "right" };
        assert!(muscle["side"] == side || muscle["side"].is_null(), "{muscle}");
    }
}

#[test]
fn people_read_inspect_as_a_table_on_stdout() {
    let run = run(&["inspect", SMALL]);
    assert_eq!(run.code, Some(0));
    for word in ["joint", "parent", "role", "clip", "seconds", "muscle", "origin", "insertion", "jump_landing"] {
        assert!(run.stdout.contains(word), "{word}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut child =
        command(folder.path(), &["inspect", SMALL]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn an_unknown_clip_lists_the_clips_and_the_nearest() {
    let run = run(&["picture", SMALL, "-o", "a.png", "--clip", "squad", "--json"]);
    assert_eq!(run.code, Some(1));
    let cure = run.error()["cure"].as_str().unwrap().to_owned();
    assert!(cure.starts_with("did you mean \"squat\"?"), "{cure}");
    for name in ["curl", "flex", "squat", "jump_landing", "combo"] {
        assert!(cure.contains(name), "{cure}");
    }
}

#[test]
fn an_unknown_muscle_is_told_what_was_probably_meant() {
    for flag in [["--activation", "bicepts*=1"], ["--muscle", "bicepts"]] {
        let run = run(&["picture", SMALL, "-o", "a.png", flag[0], flag[1]]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("biceps"), "{}", run.stderr);
    }
}

#[test]
fn a_moment_after_the_end_is_told_how_long_the_clip_is() {
    let run = run(&["picture", SMALL, "-o", "a.png", "--clip", "curl", "--time", "99"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("choose --time from 0 to"), "{}", run.stderr);
}

#[test]
fn a_picture_is_of_the_size_asked_for_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |name: &str, threads: &str| {
        let still = ["picture", SMALL, "-o", name, "--clip", "combo", "--time", "0.9", "--size", "48x64"];
        let run =
            run_in(folder.path(), &[&still[..], &["--show", "tension", "--threads", threads, "--quiet"]].concat());
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
        std::fs::read(folder.path().join(name)).unwrap()
    };
    assert_eq!(draw("a.png", "1"), draw("b.png", "3"));
    assert_eq!(png_size(&folder.path().join("a.png")), [48, 64]);
    assert_eq!(names_in(folder.path()), ["a.png", "b.png"]);
}

#[test]
fn a_comparison_has_the_contracts_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let still = ["picture", SMALL, "-o", "a.png", "--clip", "curl", "--compare", "--size", "32x48", "--fps", "10"];
    let run = run_in(folder.path(), &[&still[..], &["--json", "--quiet"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let report = run.json();
    assert_eq!(report["files"], serde_json::json!(["a.png"]));
    assert!(report["max_difference_mm"].as_f64() >= report["mean_difference_mm"].as_f64());
    let girth = report["girth_cm"].as_object().unwrap();
    let arm = girth["biceps_brachii_long.l"].as_array().unwrap();
    assert!(arm.iter().all(|cm| (20.0..60.0).contains(&cm.as_f64().unwrap())), "{arm:?}");
    for pair in ["flipped_triangles", "volume_change"] {
        assert_eq!(report[pair].as_array().unwrap().len(), 2);
    }
    let [width, _] = png_size(&folder.path().join("a.png"));
    assert!(width > 3 * 32);
}

#[test]
fn a_sheet_and_an_animation_show_the_clip() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["--clip", "squat", "--size", "24x32", "--fps", "4", "--quiet"];
    for (name, flags) in [("sheet.png", &["--sheet"][..]), ("play.gif", &["--show", "both"])] {
        let run = run_in(folder.path(), &[&["picture", SMALL, "-o", name], &common[..], flags].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    assert!(png_size(&folder.path().join("sheet.png"))[0] >= 4 * 24);
    assert!(std::fs::read(folder.path().join("play.gif")).unwrap().starts_with(b"GIF89a"));
}

#[test]
fn a_picture_that_cannot_be_written_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let still = |output| ["picture", SMALL, "--size", "16x16", "-o", output];
    let run = run_in(folder.path(), &still("missing/a.png"));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("missing") && run.stderr.contains("create the folder"), "{}", run.stderr);
    std::fs::create_dir(folder.path().join("taken.png")).unwrap();
    assert_eq!(run_in(folder.path(), &still("taken.png")).code, Some(1));
    assert_eq!(names_in(folder.path()), ["taken.png"]);
}

#[test]
fn the_demo_writes_what_it_lists() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &["demo", "--vertices", "3700", "--size", "40", "-o", "made/here", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report = run.json();
    for key in ["files", "frame_us", "vertices", "muscles", "seconds"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert!(report["bake"]["targets"].as_u64().unwrap() > 1);
    assert!((0.0..=0.5).contains(&report["bake"]["max_error_mm"].as_f64().unwrap()), "{report}");
    let files: Vec<&str> = report["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    let written = names_in(&folder.path().join("made/here"));
    assert_eq!(files.len(), written.len());
    assert!(written.iter().any(|name| name == "flex.glb"), "{written:?}");
    for file in files {
        assert!(std::fs::metadata(folder.path().join(file)).unwrap().len() > 100, "{file}");
    }
    assert!(report["frame_us"].as_f64().unwrap() > 0.0 && report["muscles"].as_u64().unwrap() >= 64);
}

#[test]
fn a_cache_holds_every_vertex_of_one_clip_without_error() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["pc2", "mdd", "usda"] {
        let file = format!("curl.{kind}");
        let run = run_in(folder.path(), &["bake", SMALL, "-o", &file, "--clip", "curl", "--fps", "10", "--json"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let document = run.json();
        let clip = &document["clips"][0];
        assert_eq!(clip["name"], "curl");
        assert_eq!(clip["max_error_mm"], 0.0);
        assert!(clip["between_frames_mm"].as_f64().unwrap() > 0.0, "{clip}");
        assert_eq!(document["targets"], 0);
        assert_eq!(document["bytes"], folder.path().join(&file).metadata().unwrap().len());
    }
}

#[test]
fn a_cache_of_several_clips_or_with_targets_is_a_wrong_call() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &["bake", SMALL, "-o", "all.pc2", "--json"]);
    assert_eq!(run.code, Some(2));
    assert!(run.error()["message"].as_str().unwrap().contains("jump_landing"), "{}", run.stdout);
    for option in [["--tolerance", "1"], ["--max-targets", "8"]] {
        let call = [&["bake", SMALL, "-o", "curl.mdd", "--clip", "curl", "--json"], &option[..]].concat();
        let run = run_in(folder.path(), &call);
        assert_eq!(run.code, Some(2));
        assert!(run.error()["message"].as_str().unwrap().contains(option[0]), "{}", run.stdout);
    }
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn a_folder_without_models_is_named() {
    let run = run(&["bench", "--table", "motion", "--data", "nowhere", "--json"]);
    assert_eq!(run.code, Some(1));
    let error = run.error();
    assert!(error["file"].as_str().unwrap().ends_with("subject01_Setup_IK.xml"), "{error}");
    assert!(error["cure"].as_str().unwrap().contains("--data"), "{error}");
}

#[test]
fn without_models_motion_is_measured_on_the_generated_body() {
    let run = run(&["bench", "--table", "motion", "--frames", "3", "--json"]);
    let rows = run.json()["rows"].clone();
    let cases: Vec<&str> = rows.as_array().unwrap().iter().map(|row| row["case"].as_str().unwrap()).collect();
    assert_eq!(cases, ["inverse kinematics", "inverse dynamics", "moment arms", "tension", "together"]);
    let wanted = ["table", "case", "model", "markers", "coordinates", "muscles", "threads", "frame_us", "fps", "bar"];
    let (mut found, mut wanted) = (keys(&rows[0]), wanted.to_vec());
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}
