//! What goes out: a bake with its report; and playing as baked.

use crate::arm;
use crate::files::{close, window};
use crate::window::{PATIENCE, Window, click, drawn, look, on_arm, open, studio, studio_mut};
use egui_kittest::kittest::Queryable;
use fusiform::{Body, Detail};
use fusiform_bake::Take;
use fusiform_files::gltf::{Gltf, Playback, Scene};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{
    AsBaked, BakeInto, BakeOrder, BakeReport, Document, Edit, Fitted, Job, Look, Play, Project, Studio,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn session(glb: &[u8]) -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", glb).expect("a sound file");
    Studio::new(project, muscles, None).expect("sound muscles")
}

fn order(path: PathBuf) -> BakeOrder {
    BakeOrder {
        path,
        clips: vec![0],
        fps: 30,
        tolerance: 0.5,
        max_targets: 64,
        into: BakeInto::Morphs,
        helpers: 8,
        looped: None,
        activation: Vec::new(),
    }
}

fn run(order: &BakeOrder, studio: &Studio) -> BakeReport {
    let (order, project, document) = (order.clone(), studio.project.clone(), studio.document().clone());
    let mut job = Job::begin("Bake", move |pace| order.run(&project, &document, pace));
    loop {
        if let Some(done) = job.poll() {
            return done.expect("a sound arm").expect("nobody stops it");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Frames until the window says that.
pub fn wait(window: &mut Window, words: &str) {
    let begin = Instant::now();
    while window.query_by_label_contains(words).is_none() {
        assert!(begin.elapsed() < PATIENCE, "it never says {words:?}");
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn write_to(window: &mut Window, path: &Path) {
    let field = window.get_by_role_and_label(egui::Role::TextInput, "Write to");
    field.focus();
    window.run_steps(1);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.run_steps(1);
    window.get_by_role_and_label(egui::Role::TextInput, "Write to").type_text(&path.display().to_string());
    window.run_steps(2);
}

pub fn open_out(window: &mut Window, entry: &str) {
    click(window, "Out");
    click(window, entry);
}

pub fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// How many targets a baked file has, and the largest of their weights in its first clip.
fn played(path: &Path) -> (usize, f32) {
    let bytes = std::fs::read(path).expect("it was written");
    let file = Gltf::read(&bytes, |_| Err("a bake holds everything".into())).expect("a sound file");
    let Scene { character, musculature, origin, .. } = Scene::read(&file).expect("a sound file");
    assert!(origin.baked && musculature.is_none(), "muscles are baked into it");
    let playback = Playback::read(&file, &origin).expect("a sound file");
    let middle = 0.5 * character.clips[0].duration();
    let most = playback.parts[0].weights(Some(0), middle).into_iter().fold(0.0, f32::max);
    (playback.parts[0].n_target(), most)
}

#[test]
fn the_arm_is_baked_from_the_window_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    wait(&mut window, "arm_baked.glb written");
    let (targets, weight) = played(&folder.path().join("arm_baked.glb"));
    assert!(targets > 0 && weight > 0.0, "{targets} targets, weight {weight}");
    for head in ["frames", "max mm", "rms mm", "between mm"] {
        window.get_by_label(head);
    }
    window.get_by_label_contains("a cache of every vertex and frame takes");
    assert_eq!(files(folder.path()), ["arm.glb", "arm_baked.glb"], "and nothing else");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let rights = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(rights("arm_baked.glb"), rights("arm.glb"), "whoever may read other files may read this one");
    }
    // what was just written is written again without a question
    click(&mut window, "Bake");
    assert!(window.query_by_label("Replace it").is_none());
}

#[test]
fn a_muscle_that_is_flexed_to_look_at_it_is_not_baked_unless_people_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let written = || std::fs::read(folder.path().join("arm_baked.glb")).unwrap();
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    wait(&mut window, "arm_baked.glb written");
    let relaxed = written();
    assert!(window.query_by_label_contains("Flexed by hand").is_none());
    studio_mut(&mut window).apply(Look::Select(Some(1), false));
    studio_mut(&mut window).apply(Play::Tense(0.8));
    window.run_steps(2);
    let name = studio(&window).muscles()[1].name.clone();
    window.get_by_label(&format!("Flexed by hand: {name}"));
    let mut bake = || {
        std::fs::remove_file(folder.path().join("arm_baked.glb")).unwrap();
        click(&mut window, "Bake");
        while !folder.path().join("arm_baked.glb").exists() {
            window.run_steps(1);
            std::thread::sleep(Duration::from_millis(5));
        }
        wait(&mut window, "arm_baked.glb written");
        let bytes = written();
        click(&mut window, "Bake them flexed");
        bytes
    };
    assert!(bake() == relaxed && bake() != relaxed);
}

#[test]
fn every_format_is_within_the_tolerance_or_says_how_to_get_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = session(&arm::glb());
    // unsaved work is baked too
    studio.apply(Play::Clip(Some(0)));
    for name in ["a.glb", "a.gltf", "a.pc2", "a.mdd", "a.usda"] {
        let report = run(&order(folder.path().join(name)), &studio);
        let row = &report.clips[0];
        assert!(1e3 * row.error.max <= 0.5 && row.frames >= 31 && row.looped, "{name}: {row:?}");
        assert_eq!(report.bytes, folder.path().join(name).metadata().unwrap().len());
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    }
    let joints =
        BakeOrder { into: BakeInto::Joints, helpers: 1, tolerance: 0.01, ..order(folder.path().join("j.glb")) };
    let report = run(&joints, &studio);
    assert!(report.warnings.iter().any(|warning| warning.contains("more than 1 helper joints")), "{report:?}");
    assert!(report.clips[0].targets == 1 && report.word == "helper joints");
}

#[test]
fn a_bake_tells_what_is_wrong_with_the_file_and_not_what_edits_had_to_guess() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = session(&arm::glb());
    studio.project.warnings.push("it has a hole".into());
    let Document { musculature, fitting, .. } = studio.document().clone();
    let fitted = Fitted { label: "Fit", musculature, fitting, chosen: None, warnings: vec!["no elbow".into()] };
    studio.apply(Edit::Fitted(fitted.into()));
    assert_eq!(studio.guessed, ["no elbow"], "it is told when it happens");
    assert_eq!(run(&order(folder.path().join("a.glb")), &studio).warnings, ["it has a hole"]);
}

/// An arm as text that names a picture beside it.
fn with_picture(folder: &Path) -> Studio {
    let mut gltf = Gltf::read(&arm::glb(), |_| Err("it holds everything".into())).unwrap();
    gltf.json["images"] = serde_json::json!([{ "uri": "skin.png" }]);
    std::fs::create_dir(folder).unwrap();
    std::fs::write(folder.join("arm.gltf"), gltf.to_gltf()).unwrap();
    std::fs::write(folder.join("skin.png"), b"\x89PNG, more or less").unwrap();
    let (project, muscles) = Project::open(&folder.join("arm.gltf")).unwrap();
    Studio::new(project, muscles, None).unwrap()
}

#[test]
fn pictures_come_along_into_a_bake_that_lies_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let studio = with_picture(&home);
    let image = |path: &Path| {
        let beside = fusiform_files::gltf::read_beside(path.parent().unwrap());
        Gltf::read(&std::fs::read(path).unwrap(), beside).unwrap().json["images"][0].clone()
    };
    for name in ["baked.glb", "baked.gltf"] {
        run(&order(home.join(name)), &studio);
        assert_eq!(image(&home.join(name))["uri"], "skin.png", "it is found from there");
        run(&order(folder.path().join(name)), &studio);
        let image = image(&folder.path().join(name));
        assert!(image["uri"].is_null() && image["bufferView"].is_u64(), "{name}: {image}");
    }
    std::fs::remove_file(home.join("skin.png")).unwrap();
    let report = run(&order(folder.path().join("lost.glb")), &studio);
    assert!(report.warnings.iter().any(|warning| warning.contains("skin.png")), "{:?}", report.warnings);
}

#[test]
fn what_is_baked_is_the_copy_that_was_taken_whatever_is_edited_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Edit::Delete);
    wait(&mut window, "arm_baked.glb written");
    assert!(studio(&window).muscles().is_empty());
    assert!(played(&folder.path().join("arm_baked.glb")).0 > 0, "it had muscles when it began");
}

#[test]
fn a_bake_that_is_cancelled_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, arm::fleshy_glb()).unwrap();
    let mut window = open(Begin::File(path));
    open_out(&mut window, "Bake…");
    window.get_by_label("Bake").click();
    window.run_steps(2);
    window.get_by_label("Cancel").click();
    window.run_steps(1);
    let begin = Instant::now();
    wait(&mut window, "Stopped. Nothing was written.");
    assert!(begin.elapsed() < Duration::from_secs(30), "it took {:?}", begin.elapsed());
    assert_eq!(files(folder.path()), ["arm.glb"]);
    window.get_by_label("Bake");
}

#[test]
fn a_place_that_is_emptied_stays_empty_until_another_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    let typed = |window: &Window| window.get_by_role_and_label(egui::Role::TextInput, "Write to").value();
    assert!(typed(&window).is_some_and(|text| text.ends_with("arm_baked.glb")));
    write_to(&mut window, Path::new(""));
    window.key_press(egui::Key::Backspace);
    window.run_steps(3);
    assert_eq!(typed(&window).unwrap_or_default(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_written_to() {
    use std::os::unix::ffi::OsStrExt as _;
    let other = tempfile::tempdir().unwrap();
    let folder = other.path().join(std::ffi::OsStr::from_bytes(b"h\xe9ros"));
    std::fs::create_dir(&folder).unwrap();
    let mut window = window(arm_file(&folder), other.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    wait(&mut window, "arm_baked.glb written");
    assert_eq!(files(&folder), ["arm.glb", "arm_baked.glb"]);
}

#[test]
fn a_place_that_cannot_be_written_to_is_told_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    write_to(&mut window, &folder.path().join("no/such/place.glb"));
    click(&mut window, "Bake");
    window.get_by_label_contains("there is no folder");
    write_to(&mut window, &folder.path().join("arm.fbx"));
    click(&mut window, "Bake");
    window.get_by_label_contains("use .glb, .gltf, .pc2, .mdd, .usda");
    write_to(&mut window, &folder.path().join("arm_baked.glb"));
    click(&mut window, "bend"); // no longer chosen
    click(&mut window, "Bake");
    window.get_by_label_contains("no clip is chosen");
    assert_eq!(files(folder.path()), ["arm.glb"]);
}

#[test]
fn the_rigged_file_that_is_open_is_never_replaced_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let (path, before) = (folder.path().join("arm.glb"), arm::glb());
    open_out(&mut window, "Bake…");
    write_to(&mut window, &path);
    click(&mut window, "Bake");
    window.get_by_label_contains("the rigged file that is open");
    click(&mut window, "Keep it");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    click(&mut window, "Bake");
    click(&mut window, "Replace it");
    wait(&mut window, "arm.glb written");
    assert!(played(&path).0 > 0);
    // a bake of one's own is replaced unasked, but not once the character itself lies there
    let other = folder.path().join("other.glb");
    write_to(&mut window, &other);
    click(&mut window, "Bake");
    wait(&mut window, "other.glb written");
    studio_mut(&mut window).save(&other).unwrap();
    let before = std::fs::read(&other).unwrap();
    click(&mut window, "Bake");
    window.get_by_label_contains("the rigged file that is open");
    assert_eq!(std::fs::read(&other).unwrap(), before);
}

/// Play as baked until that frame is shown.
fn show_frame(studio: &mut Studio, time: f32, frame: usize) {
    studio.apply(Play::Seek(time));
    let begin = Instant::now();
    while studio.live.baked_frame().is_none_or(|(shown, _)| shown != frame) {
        studio.live.advance(&studio.project.character, 1.0 / 60.0);
        std::thread::sleep(Duration::from_millis(1));
        assert!(begin.elapsed() < PATIENCE, "frame {frame} is never shown");
    }
}

#[test]
fn as_baked_is_what_a_bake_takes_to_the_bit() {
    let cases = [
        (arm::glb(), None, 30, true),
        (arm::glb(), Some(false), 24, true),
        (arm::glb(), None, 30, false),
        (arm::fleshy_glb(), None, 30, true),
    ];
    for (glb, looped, fps, by_hand) in cases {
        let mut studio = session(&glb);
        studio.apply(Play::Tense(0.3));
        studio.apply(Play::Clip(Some(0)));
        studio.apply(Play::Baked(Some(AsBaked { fps, looped, by_hand })));
        let character = studio.project.character.clone();
        let body = Body::bind(&character, &studio.document().musculature).unwrap();
        let levels = if by_hand { vec![0.3; 2] } else { Vec::new() };
        let mut take = Take::of(&body, &character, 0, &levels, f32::from(fps), looped);
        let times = take.times().to_vec();
        let mut frames = Vec::new();
        for (frame, &time) in times.iter().enumerate() {
            take.advance(Detail::default());
            show_frame(&mut studio, time, frame);
            let state = studio.live.muscled().1;
            assert!(state.positions() == take.state().positions(), "frame {frame}");
            assert!(state.normals() == take.state().normals(), "frame {frame}");
            frames.push(state.positions().to_vec());
        }
        assert!(frames[0] != frames[frames.len() / 2], "the case must move");
        assert_eq!(body.has_tissue(), take.start().pace != 1.0, "flesh is paced to whole ticks");
        // back, and on from there
        for frame in [20, 3, 4, 17, 0, frames.len() - 1] {
            show_frame(&mut studio, times[frame], frame);
            assert!(studio.live.muscled().1.positions() == frames[frame], "back at frame {frame}");
        }
        if body.has_tissue() {
            continue; // its loop takes long to come round, and edits are no other there
        }
        // an edit is seen as it would be baked, too
        studio.apply(Look::Select(Some(0), false));
        studio.apply(Edit::Dial(0, 0.033));
        let body = Body::bind(&character, &studio.document().musculature).unwrap();
        let mut take = Take::of(&body, &character, 0, &levels, f32::from(fps), looped);
        (0..=5).for_each(|_| take.advance(Detail::default()));
        show_frame(&mut studio, times[5], 5);
        assert!(studio.live.muscled().1.positions() == take.state().positions(), "after an edit");
    }
}

#[test]
fn playing_as_baked_leaves_no_frame_out_and_a_hand_ends_it() {
    let mut studio = session(&arm::glb());
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Baked(Some(AsBaked::default())));
    show_frame(&mut studio, 0.0, 0);
    studio.apply(Play::Run(true));
    let mut seen = vec![0];
    for _ in 0..100 {
        studio.live.advance(&studio.project.character, 1.0 / 60.0);
        let (frame, of) = studio.live.baked_frame().expect("as baked");
        assert_eq!(of, 31);
        if seen.last() != Some(&frame) {
            seen.push(frame);
        }
    }
    let follows = |pair: &[usize]| pair[1] == pair[0] + 1 || (pair[0] >= 29 && pair[1] <= 1);
    assert!(seen.len() > 40 && seen.windows(2).all(follows), "{seen:?}");
    studio.apply(Edit::Turn(1, glam::Quat::from_rotation_x(0.3)));
    studio.live.advance(&studio.project.character, 1.0 / 60.0);
    assert!(studio.live.playing.baked.is_none() && studio.live.baked_frame().is_none());
}

#[test]
fn the_switch_in_the_timeline_plays_as_baked() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    click(&mut window, "As baked");
    wait(&mut window, "of 31");
    assert_eq!(studio(&window).live.playing.baked, Some(AsBaked::default()));
    click(&mut window, "As baked");
    assert_eq!(studio(&window).live.playing.baked, None);
}

pub fn arm_file(folder: &Path) -> Begin {
    let path = folder.join("arm.glb");
    std::fs::write(&path, arm::glb()).expect("a temporary folder");
    Begin::File(path)
}

#[test]
fn the_bake_window_looks_as_it_should() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut window) = drawn(arm_file(folder.path()), "the bake window") else { return };
    open_out(&mut window, "Bake…");
    look(&mut window, "bake_window");
    click(&mut window, "Bake");
    wait(&mut window, "written");
    look(&mut window, "bake_report");
    click(&mut window, "As baked");
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    wait(&mut window, "of 31");
    look(&mut window, "as_baked");
}

/// A window on the athlete, whose bake into that folder takes a while.
fn baking_athlete(folder: &Path, what: &str) -> Window {
    let begin = Begin::Athlete(Some(3_700));
    let mut window = drawn(begin.clone(), what).unwrap_or_else(|| open(begin));
    open_out(&mut window, "Bake…");
    write_to(&mut window, &folder.join("athlete.glb"));
    click(&mut window, "Bake");
    window
}

#[test]
fn a_large_bake_is_watched_and_stops_soon() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = baking_athlete(folder.path(), "a look at a large bake");
    window.run_steps(5);
    look(&mut window, "bake_progress");
    let begin = Instant::now();
    click(&mut window, "Cancel");
    wait(&mut window, "Stopped. Nothing was written.");
    println!("stopped after {:?}", begin.elapsed());
    assert!(begin.elapsed() < Duration::from_secs(30), "it took {:?}", begin.elapsed());
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_bake_that_goes_on_is_asked_about_before_its_character_goes_and_tells_its_end_in_a_closed_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = baking_athlete(folder.path(), "a look at the question");
    assert!(!close(&mut window), "the window stays");
    window.run_steps(2);
    look(&mut window, "bake_asked");
    assert!(window.query_by_label("Stop writing?").is_some());
    window.key_press(egui::Key::Escape);
    window.run_steps(2);
    click(&mut window, "Close window");
    click(&mut window, "File");
    click(&mut window, "Close file");
    assert!(window.state().session().is_some(), "it asks");
    click(&mut window, "Stop it");
    assert!(window.state().session().is_none() && files(folder.path()).is_empty());
    let mut window = on_arm(folder.path());
    open_out(&mut window, "Bake…");
    click(&mut window, "Bake");
    click(&mut window, "Close window");
    wait(&mut window, "arm_baked.glb written");
}
