//! Files are opened and saved beside the window, which goes on meanwhile and loses nothing.

use crate::arm;
use crate::files::{arm_in, close, crash, edit, menu, press, says, size, size_in, window};
use crate::window::{
    PATIENCE, Window, begin_drop, click, drop_all_on, drop_on, look, settled, studio, studio_mut, template_in,
    wait_for_fit,
};
use egui::{Key, Modifiers, ViewportCommand, ViewportId};
use egui_kittest::kittest::Queryable;
use fusiform_files::gltf::Gltf;
use fusiform_studio::app::Begin;
use fusiform_studio::model::{Action, Anatomy, Fault, Project, Studio};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Ask for a save, and do not wait for it.
fn begin_saving(window: &mut Window) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.run_steps(1);
}

/// The athlete in a file of that folder: it takes a while to save.
fn athlete_in(folder: &Path) -> PathBuf {
    let path = folder.join("hero.glb");
    let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
    Studio::new(project, muscles, None).unwrap().save(&path).unwrap();
    path
}

#[test]
fn the_window_goes_on_while_a_character_is_opened_and_then_asks_about_what_was_done_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    click(&mut window, "File");
    window.get_by_label("New from the athlete").click();
    window.run_steps(2);
    assert_eq!(window.state().under_way(), Some("Opening the athlete"));
    look(&mut window, "under-way");
    assert!(says(&window, "Opening the athlete") && studio(&window).project.name == "arm");
    edit(&mut window, 0.033);
    settled(&mut window);
    window.run_steps(2);
    click(&mut window, "Cancel");
    assert_eq!((&*studio(&window).project.name, size(&window)), ("arm", Some(0.033)));
    click(&mut window, "File");
    window.get_by_label("New from the athlete").click();
    window.run_steps(2);
    click(&mut window, "Never mind");
    assert!(window.state().under_way().is_none() && studio(&window).project.name == "arm");
}

#[test]
fn what_is_edited_while_a_file_is_written_is_not_in_it_and_stays_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = athlete_in(folder.path());
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    begin_saving(&mut window);
    edit(&mut window, 0.044);
    settled(&mut window);
    assert!(window.state().fault().is_none() && studio(&window).history.is_unsaved());
    assert_eq!((size_in(&path), size(&window)), (Some(0.033), Some(0.044)));
    assert!(!says(&window, "changed by someone else"));
    studio_mut(&mut window).apply(Action::Undo);
    assert!(!studio(&window).history.is_unsaved(), "as it was written");
    // saved twice in a row, the file has what was last
    edit(&mut window, 0.055);
    begin_saving(&mut window);
    edit(&mut window, 0.066);
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!((size_in(&path), studio(&window).history.is_unsaved()), (Some(0.066), false));
}

#[test]
fn a_window_that_is_closed_while_it_saves_goes_once_it_has_and_asks_about_what_came_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = athlete_in(folder.path());
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    begin_saving(&mut window);
    edit(&mut window, 0.044);
    assert!(!close(&mut window));
    settled(&mut window);
    window.run_steps(2);
    click(&mut window, "Cancel");
    begin_saving(&mut window);
    let (mut goes, begin) = (close(&mut window), Instant::now());
    while !goes {
        window.step();
        goes = window.output().viewport_output[&ViewportId::ROOT].commands.contains(&ViewportCommand::Close);
        assert!(begin.elapsed() < PATIENCE, "it stays");
    }
    assert_eq!(size_in(&path), Some(0.044));
}

#[test]
fn what_is_dropped_with_a_character_goes_to_that_one_and_not_to_the_one_that_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let (hero, template) = (athlete_in(folder.path()), template_in(folder.path()));
    let walk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bvh/cmu_07_01_walk.bvh");
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    edit(&mut window, 0.033);
    let mut files = vec![&*template, &*hero];
    if walk.exists() {
        files.insert(0, &walk);
    } else {
        skipped!("a motion dropped with a character: {} is not there", walk.display());
    }
    drop_all_on(&mut window, &files);
    assert!(says(&window, "Save the changes?"));
    assert_eq!((studio(&window).project.character.clips.len(), studio(&window).fit.shown), (1, false));
    click(&mut window, "Don't save");
    wait_for_fit(&mut window);
    let studio = studio(&window);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let names: Vec<_> = studio.muscles().iter().map(|muscle| &*muscle.name).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.contains("brachii")), "{names:?}");
    let clips = &studio.project.character.clips;
    assert!(!walk.exists() || clips.last().is_some_and(|clip| clip.name.contains("walk")), "{}", clips.len());
}

/// A motion of that file so many times over, in another file.
fn long_motion(of: &Path, times: usize, folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(of).unwrap();
    let frames: usize = text.lines().find_map(|line| line.strip_prefix("Frames:")?.trim().parse().ok()).unwrap();
    let (head, rest) = text.split_once("Frames:").unwrap();
    let mut lines = rest.lines().skip(1);
    let (rate, frames_of_it) = (lines.next().unwrap(), lines.collect::<Vec<_>>().join("\n"));
    let body = vec![&*frames_of_it; times].join("\n");
    let path = folder.join("long.bvh");
    std::fs::write(&path, format!("{head}Frames: {}\n{rate}\n{body}\n", frames * times)).unwrap();
    path
}

#[test]
fn the_window_goes_on_while_motions_are_read_and_they_come_as_they_were_dropped() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bvh");
    let [walk, jump] = ["cmu_07_01_walk.bvh", "cmu_16_01_jump.bvh"].map(|name| shared.join(name));
    if !walk.exists() || !jump.exists() {
        skipped!("motions read beside the window: {} is not there", shared.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let long = long_motion(&walk, 40, folder.path());
    let mut window = window(Begin::File(athlete_in(folder.path())), folder.path());
    let first = studio(&window).project.character.clips.len();
    begin_drop(&mut window, &[&long, &jump]);
    assert_eq!(window.state().under_way(), Some("Reading long.bvh"));
    settled(&mut window);
    let names = |window: &Window| {
        let clips = &studio(window).project.character.clips[first..];
        clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&window), ["long", "cmu_16_01_jump"], "{:?}", studio(&window).fault);
    assert_eq!(studio(&window).live.playing.clip, Some(first + 1));
    begin_drop(&mut window, &[&long]);
    click(&mut window, "Never mind");
    assert!(window.state().under_way().is_none() && names(&window).len() == 2, "{:?}", names(&window));
}

#[test]
fn the_open_file_dropped_on_its_own_window_is_read_after_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    drop_on(&mut window, &path);
    click(&mut window, "Save");
    assert_eq!((size_in(&path), size(&window)), (Some(0.033), Some(0.033)));
    assert!(studio(&window).history.steps() == (0, 0) && !studio(&window).history.is_unsaved(), "it was read again");
    std::thread::sleep(Duration::from_millis(600));
    window.run_steps(2);
    assert!(!says(&window, "changed by someone else"));
}

#[test]
fn a_character_is_found_among_the_files_it_is_dropped_with_and_others_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let text = Gltf::read(&arm::glb(), |_| Err("it holds everything".into())).unwrap().to_gltf();
    let (buffer, picture) = (place("arm.bin", b"numbers"), place("skin.png", b"\x89PNG"));
    let (first, second) = (place("arm.gltf", &text), place("other.gltf", &text));
    let mut window = window(Begin::Empty, folder.path());
    drop_all_on(&mut window, &[&buffer, &first, &picture, &second]);
    assert_eq!(studio(&window).project.path.as_deref(), Some(&*first));
    let told = window.state().fault().map(ToString::to_string).unwrap_or_default();
    assert!(told.starts_with("other.gltf: "), "{told}");
    drop_all_on(&mut window, &[&buffer, &second]);
    assert_eq!(studio(&window).project.path.as_deref(), Some(&*second));
    assert!(window.state().fault().is_none(), "{:?}", window.state().fault());
    drop_all_on(&mut window, &[&picture]);
    assert!(window.state().fault().is_some(), "a picture alone is no character");
}

#[test]
fn nothing_says_that_files_can_be_dropped_while_something_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    let hover = |window: &mut Window| {
        window.input_mut().hovered_files.push(egui::HoveredFile::default());
        window.step();
        window.step();
        says(window, "Drop it here")
    };
    assert!(hover(&mut window));
    window.input_mut().hovered_files.clear();
    edit(&mut window, 0.033);
    assert!(!close(&mut window));
    window.run_steps(2);
    assert!(says(&window, "Save the changes?") && !hover(&mut window));
}

#[test]
fn each_message_stands_in_a_row_of_its_own_until_that_is_dismissed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    let bad = folder.path().join("bad.glb");
    std::fs::write(&bad, "nothing of the kind").unwrap();
    drop_on(&mut window, &bad);
    studio_mut(&mut window).fault = Some(Fault::told("arm", "its muscles are tired"));
    window.run_steps(2);
    assert!(says(&window, "bad.glb") && says(&window, "its muscles are tired"));
    let first = window.get_all_by_label("Dismiss").next().unwrap();
    first.click();
    window.run_steps(2);
    assert!(!says(&window, "bad.glb") && says(&window, "its muscles are tired"));
    click(&mut window, "Dismiss");
    assert!(window.state().fault().is_none());
}

#[test]
fn work_that_is_brought_back_is_not_fitted_with_a_template_that_was_chosen_before() {
    let folder = tempfile::tempdir().unwrap();
    crash(folder.path(), 0.033);
    let mut window = window(Begin::Empty, folder.path());
    let template = template_in(folder.path());
    drop_all_on(&mut window, &[&template]);
    assert!(window.state().fault().is_none(), "{:?}", window.state().fault());
    click(&mut window, "Bring back");
    assert!(!studio(&window).is_fitting() && size(&window) == Some(0.033));
    assert_eq!(studio(&window).fit.recipe.anatomy, Anatomy::File(template), "it is offered");
}

#[test]
fn warnings_are_told_until_they_are_read_and_those_that_come_later_are_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    assert!(!says(&window, "Dismiss"), "a sound file is opened without a word");
    studio_mut(&mut window).project.warnings.extend((0..5).map(|k| format!("guess {k}")));
    window.run_steps(2);
    look(&mut window, "under-way-warnings");
    assert!(says(&window, "guess 2") && !says(&window, "guess 3") && says(&window, "and 2 more"));
    click(&mut window, "Dismiss");
    assert!(!says(&window, "guess"));
    studio_mut(&mut window).project.warnings.push("guess 5".into());
    window.run_steps(2);
    assert!(says(&window, "guess 5") && !says(&window, "guess 4"));
    assert_eq!(studio(&window).project.warnings.len(), 6, "they are kept");
    menu(&mut window, "Close file");
    assert!(!says(&window, "guess"));
}
