//! Files in the window: opened, saved, closed, changed by others, and brought back; nothing is lost unasked.

use crate::arm;
use crate::window::{Window, click, drop_on, look, settled, studio, studio_mut};
use egui::{Key, Modifiers, ViewportCommand, ViewportEvent, ViewportId, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::{
    Action, Brush, DIALS, Edit, Look, Mode, Play, Project, Recovery, Show, Studio, Target, Tool,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// With a state of its own in that folder; with pictures where somebody looks.
pub fn window(begin: Begin, folder: &Path) -> Window {
    let recovery = Recovery::in_folder(folder.join("state"));
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0)).allow_missing_glyphs();
    let builder = if std::env::var_os("FUSIFORM_LOOK").is_some() { builder.wgpu() } else { builder };
    let mut window = builder.build_eframe(move |made| App::new(made.wgpu_render_state.clone(), &begin, Some(recovery)));
    settled(&mut window);
    window
}

/// The arm in a file of that folder.
pub fn arm_in(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, arm::glb()).unwrap();
    path
}

pub fn edit(window: &mut Window, size: f32) {
    let studio = studio_mut(window);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, size));
    assert!(studio.history.is_unsaved());
    window.run_steps(2);
}

pub fn size(window: &Window) -> Option<f32> {
    DIALS[0].of(&studio(window).muscles()[0])
}

pub fn size_in(path: &Path) -> Option<f32> {
    DIALS[0].of(&Project::open(path).unwrap().1.muscles[0])
}

pub fn menu(window: &mut Window, entry: &str) {
    click(window, "File");
    click(window, entry);
    window.run_steps(2);
}

pub fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
    settled(window);
}

pub fn says(window: &Window, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

/// Type a name into the chooser, in place of what is there.
fn choose(window: &mut Window, path: &Path) {
    window.run_steps(3); // it is not seen in its first frames
    let field = window.get_by_label("Name or path");
    field.focus();
    window.run_steps(1);
    press(window, Modifiers::COMMAND, Key::A);
    window.get_by_label("Name or path").type_text(&path.display().to_string());
    window.run_steps(2);
    press(window, Modifiers::NONE, Key::Enter);
}

/// The window's corner is clicked: whether it goes.
pub fn close(window: &mut Window) -> bool {
    let viewport = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    viewport.events.push(ViewportEvent::Close);
    window.step();
    let commands = &window.output().viewport_output[&ViewportId::ROOT].commands;
    // what it waited for may be done in the same frame: it stays, and closes itself
    !commands.contains(&ViewportCommand::CancelClose) || commands.contains(&ViewportCommand::Close)
}

/// Whether the window closes itself within a few frames, or once it has saved.
fn goes(window: &mut Window, answer: &str) -> bool {
    window.get_by_label(answer).click();
    for frame in 0.. {
        window.step();
        if window.output().viewport_output[&ViewportId::ROOT].commands.contains(&ViewportCommand::Close) {
            return true;
        }
        if frame >= 4 && window.state().under_way().is_none() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

#[test]
fn opening_another_file_asks_about_unsaved_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (arm_in(folder.path(), "first.glb"), arm_in(folder.path(), "second.glb"));
    let mut window = window(Begin::File(first.clone()), folder.path());
    edit(&mut window, 0.033);
    drop_on(&mut window, &second);
    look(&mut window, "files-unsaved");
    click(&mut window, "Cancel");
    assert_eq!((&*studio(&window).project.name, size(&window)), ("first", Some(0.033)));
    drop_on(&mut window, &second);
    click(&mut window, "Save");
    assert_eq!((&*studio(&window).project.name, size_in(&first)), ("second", Some(0.033)));
    edit(&mut window, 0.044);
    menu(&mut window, "New from the athlete");
    click(&mut window, "Don't save");
    assert_eq!(studio(&window).project.name, "athlete");
    assert_ne!(size_in(&second), Some(0.044));
}

#[test]
fn closing_the_window_asks_and_a_failed_save_closes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let mut window = window(Begin::File(path.clone()), folder.path());
    assert!(close(&mut window), "nothing is unsaved");
    edit(&mut window, 0.033);
    assert!(!close(&mut window));
    window.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!says(&window, "Save the changes?"));
    // a folder where the file was: it cannot be written
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("full")).unwrap();
    assert!(!close(&mut window));
    window.run_steps(2);
    assert!(!goes(&mut window, "Save"));
    window.run_steps(2);
    assert!(!goes(&mut window, "Replace it"), "what is there is not what was there");
    assert!(window.state().fault().is_some() && studio(&window).history.is_unsaved());
    std::fs::remove_dir_all(&path).unwrap();
    assert!(!close(&mut window));
    window.run_steps(2);
    assert!(goes(&mut window, "Save"));
    assert_eq!(size_in(&path), Some(0.033));
    assert!(close(&mut window));
}

#[test]
fn closing_the_window_over_the_chooser_leaves_the_question_alone_with_the_keys() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (arm_in(folder.path(), "arm.glb"), arm_in(folder.path(), "bone.glb"));
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    press(&mut window, Modifiers::COMMAND, Key::O);
    window.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert!(!close(&mut window));
    window.run_steps(2);
    assert!(says(&window, "Save the changes?") && !says(&window, "Open a character"));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!window.state().is_asking() && studio(&window).project.path.as_deref() != Some(&*other));
    assert!(size_in(&path) != Some(0.033));
}

#[test]
fn return_gives_the_usual_answer_whatever_had_the_keyboard_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    window.get_by_role_and_label(egui::Role::TextInput, "Search").focus();
    window.run_steps(2);
    assert!(!close(&mut window));
    window.key_press(Key::Enter);
    window.run_steps(2);
    settled(&mut window);
    assert_eq!(size_in(&path), Some(0.033));
}

#[test]
fn the_window_is_called_as_its_file_with_a_mark_while_that_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::Empty, folder.path());
    let arm = arm_in(folder.path(), "arm.glb");
    let title = |window: &mut Window| {
        window.step();
        let commands = &window.output().viewport_output[&ViewportId::ROOT].commands;
        let titles = commands.iter().filter_map(|command| match command {
            ViewportCommand::Title(title) => Some(title.clone()),
            _ => None,
        });
        titles.collect::<Vec<_>>()
    };
    drop_on(&mut window, &arm);
    assert!(title(&mut window).is_empty(), "it is told once");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Edit::Dial(0, 0.033));
    assert_eq!(title(&mut window), ["arm.glb * - fusiform studio"]);
    studio_mut(&mut window).apply(Action::Undo);
    assert_eq!(title(&mut window), ["arm.glb - fusiform studio"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_was_opened_by_a_relative_name_is_known_by_its_whole_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let here = std::env::current_dir().unwrap();
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let relative = up.join(path.strip_prefix("/").unwrap());
    assert!(relative.is_relative() && relative.exists());
    let mut window = window(Begin::File(relative), folder.path());
    edit(&mut window, 0.033);
    studio_mut(&mut window).leave();
    drop(window);
    let found = Recovery::in_folder(folder.path().join("state")).left_behind();
    let known = found[0].path.clone().unwrap();
    assert!(known.is_absolute(), "{}", known.display());
    assert_eq!(known.canonicalize().unwrap(), path.canonicalize().unwrap());
}

#[test]
fn a_window_closed_without_saving_leaves_nothing_to_bring_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    edit(&mut window, 0.033);
    assert!(!close(&mut window));
    window.run_steps(2);
    assert!(goes(&mut window, "Don't save"));
    eframe::App::on_exit(window.state_mut());
    drop(window);
    assert!(Recovery::in_folder(folder.path().join("state")).left_behind().is_empty());
}

#[test]
fn what_was_never_in_a_file_is_saved_through_the_chooser_and_then_what_was_wanted_happens() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::Athlete(Some(3_700)), folder.path());
    edit(&mut window, 0.033);
    menu(&mut window, "Close file");
    click(&mut window, "Save");
    window.run_steps(3);
    look(&mut window, "files-save-as");
    choose(&mut window, &folder.path().join("mine"));
    assert!(window.state().session().is_none(), "{:?}", window.state().fault());
    assert_eq!(size_in(&folder.path().join("mine.glb")), Some(0.033));
    look(&mut window, "files-start");
    assert!(window.query_by_label("mine.glb").is_some(), "it is among the recent files");
    // and a chooser that is left closes nothing
    click(&mut window, "mine.glb");
    edit(&mut window, 0.044);
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(studio(&window).history.is_unsaved());
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(size_in(&folder.path().join("mine.glb")), Some(0.044));
}

#[test]
fn a_gltf_is_saved_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    edit(&mut window, 0.033);
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    choose(&mut window, &folder.path().join("arm.gltf"));
    assert!(std::fs::read(folder.path().join("arm.gltf")).unwrap().starts_with(b"{"));
    assert_eq!(size_in(&folder.path().join("arm.gltf")), Some(0.033));
    assert_eq!(studio(&window).project.path, Some(folder.path().join("arm.gltf")));
}

#[test]
fn a_file_is_opened_through_the_chooser_and_from_the_recent_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (arm_in(folder.path(), "first.glb"), arm_in(folder.path(), "second.glb"));
    let mut window = window(Begin::Empty, folder.path());
    press(&mut window, Modifiers::COMMAND, Key::O);
    choose(&mut window, &first);
    assert_eq!(studio(&window).project.path.as_deref(), Some(&*first));
    press(&mut window, Modifiers::COMMAND, Key::O);
    window.run_steps(3);
    look(&mut window, "files-open");
    assert!(says(&window, "Go to "), "folders of recent files are offered");
    press(&mut window, Modifiers::NONE, Key::Escape);
    drop_on(&mut window, &second);
    std::fs::remove_file(&second).unwrap();
    look_at_disk(&mut window); // the bar that tells of it is there before the menu opens
    let recent = |window: &mut Window, name: &str| {
        click(window, "File");
        window.get_by_label_contains("Open recent").hover();
        window.run_steps(8);
        look(window, "files-recent");
        click(window, name);
        window.run_steps(3);
    };
    recent(&mut window, "second.glb");
    assert_eq!(studio(&window).project.name, "second", "a file that is gone cannot be clicked");
    click(&mut window, "View of the character"); // away from the menu
    recent(&mut window, "first.glb");
    assert_eq!(studio(&window).project.name, "first");
}

/// Frames until the disk is looked at again.
pub fn look_at_disk(window: &mut Window) {
    std::thread::sleep(Duration::from_millis(600));
    window.run_steps(2);
}

#[test]
fn a_file_that_someone_else_changed_can_be_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let mut window = window(Begin::File(path.clone()), folder.path());
    std::fs::write(&path, arm::glb()).unwrap();
    look_at_disk(&mut window);
    assert!(!says(&window, "changed by someone else"), "the same bytes are no change");
    let (project, muscles) = Project::open(&path).unwrap();
    let mut other = Studio::new(project, muscles, None).unwrap();
    other.apply(Look::Select(Some(0), false));
    other.apply(Edit::Dial(0, 0.055));
    other.save(&path).unwrap();
    look_at_disk(&mut window);
    look(&mut window, "files-changed");
    edit(&mut window, 0.033);
    let session = studio_mut(&mut window);
    session.apply(Play::Clip(Some(0)));
    session.apply(Play::Seek(0.25));
    let brush = Brush { strength: 0.4, mode: Mode::Smooth, ..session.brush };
    let locks = [Target::Muscle(0), Target::Joint(1)].map(|target| Look::Lock(target, true));
    let looks = [Look::Mirrored(false), Look::Tool(Tool::Place), Look::Show(Show::Both), Look::Brush(brush)];
    let chosen = [Look::Hide(0, true), Look::HideMesh(0, true), Look::Choose([1].into())];
    looks.into_iter().chain(chosen).chain(locks).for_each(|look| session.apply(look));
    let worked = |of: &Studio| (of.mirrored, of.tool, of.brush, of.hidden.clone(), of.chosen.clone(), of.locks.clone());
    let was = worked(session);
    click(&mut window, "Reload");
    look(&mut window, "files-reload");
    click(&mut window, "Cancel");
    assert_eq!(size(&window), Some(0.033));
    click(&mut window, "Reload");
    click(&mut window, "Read it again");
    assert_eq!(size(&window), Some(0.055));
    assert!(!studio(&window).history.is_unsaved() && !says(&window, "changed by someone else"));
    assert_eq!((studio(&window).show, studio(&window).live.playing.time), (Show::Both, 0.25), "as it was looked at");
    assert_eq!(worked(studio(&window)), was, "and worked with");
    assert!(studio(&window).hidden_meshes.iter().eq([&0]), "and what was hidden");
}

#[test]
fn of_two_bad_files_the_last_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    for name in ["bad.glb", "bad.bvh", "other.glb"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "nothing of the kind").unwrap();
        drop_on(&mut window, &path);
        let told = window.state().fault().map(ToString::to_string).unwrap_or_default();
        assert!(told.contains(name), "{name}: {told}");
    }
}

#[test]
fn saving_over_what_someone_else_wrote_is_asked_once_and_not_after_keeping_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm_in(folder.path(), "arm.glb");
    let mut window = window(Begin::File(path.clone()), folder.path());
    edit(&mut window, 0.033);
    std::fs::write(&path, b"somebody else").unwrap();
    press(&mut window, Modifiers::COMMAND, Key::S);
    look(&mut window, "files-replace");
    click(&mut window, "Cancel");
    assert_eq!(std::fs::read(&path).unwrap(), b"somebody else");
    press(&mut window, Modifiers::COMMAND, Key::S);
    click(&mut window, "Replace it");
    assert_eq!(size_in(&path), Some(0.033));
    std::fs::write(&path, b"somebody else").unwrap();
    look_at_disk(&mut window);
    click(&mut window, "Keep mine");
    assert!(studio(&window).history.is_unsaved() && !says(&window, "changed by someone else"));
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(size_in(&path), Some(0.033), "nothing is asked");
    std::fs::remove_file(&path).unwrap();
    look_at_disk(&mut window);
    click(&mut window, "Save it again");
    assert_eq!(size_in(&path), Some(0.033));
}

/// What a crash leaves of an edit of the arm.
pub fn crash(folder: &Path, size: f32) {
    let (project, muscles) = Project::open(&arm_in(folder, "lost.glb")).unwrap();
    let mut studio = Studio::new(project, muscles, Some(Recovery::in_folder(folder.join("state")))).unwrap();
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, size));
    studio.leave();
}

#[test]
fn work_that_a_crash_left_is_offered_at_the_start_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    crash(folder.path(), 0.033);
    let mut window = window(Begin::Empty, folder.path());
    look(&mut window, "files-left-behind");
    click(&mut window, "Bring back");
    assert_eq!(size(&window), Some(0.033));
    assert!(studio(&window).history.is_unsaved() && !says(&window, "Bring back"));
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(size_in(&folder.path().join("lost.glb")), Some(0.033), "it knows where it came from");
}

#[test]
fn work_that_a_crash_left_is_offered_above_a_file_that_is_open() {
    let folder = tempfile::tempdir().unwrap();
    crash(folder.path(), 0.033);
    crash(folder.path(), 0.044);
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    assert!(says(&window, "Unsaved work on lost from just now"));
    look(&mut window, "files-bar");
    click(&mut window, "Discard");
    look(&mut window, "files-discard");
    click(&mut window, "Cancel");
    click(&mut window, "Discard");
    click(&mut window, "Discard it");
    edit(&mut window, 0.055);
    click(&mut window, "Bring back");
    click(&mut window, "Don't save");
    assert_eq!(size(&window), Some(0.033), "the newer was discarded");
    assert!(!says(&window, "Bring back"));
    // what is brought back and never saved is still there after the next crash
    std::thread::sleep(Duration::from_millis(700));
    window.run_steps(2);
    std::thread::sleep(Duration::from_millis(300));
    drop(window);
    assert_eq!(Recovery::in_folder(folder.path().join("state")).left_behind().len(), 1);
}

#[test]
fn bad_files_are_told_with_a_cure_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let glb = arm::glb();
    let baked = baked();
    let bad: [(&str, &[u8]); 8] = [
        ("empty.glb", b""),
        ("text.glb", b"dear diary"),
        ("half.glb", &glb[..glb.len() / 2]),
        ("magic.glb", b"glTF"),
        ("baked.glb", &baked),
        ("empty.bvh", b""),
        ("broken.bvh", b"HIERARCHY\nROOT"),
        ("picture.png", b"\x89PNG"),
    ];
    let mut window = window(Begin::File(arm_in(folder.path(), "arm.glb")), folder.path());
    edit(&mut window, 0.033);
    let mut paths: Vec<PathBuf> = bad.iter().map(|(name, _)| folder.path().join(name)).collect();
    paths.iter().zip(&bad).for_each(|(path, (_, bytes))| std::fs::write(path, bytes).unwrap());
    paths.extend([folder.path().join("a folder.glb"), folder.path().join("nowhere.glb")]);
    std::fs::create_dir(folder.path().join("a folder.glb")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"h\xe9ro.glb"));
        std::fs::write(&odd, b"x").unwrap();
        paths.push(odd);
    }
    let before = (studio(&window).document().clone(), studio(&window).history.revision());
    for path in paths {
        drop_on(&mut window, &path);
        let fault = window.state().fault().cloned().unwrap_or_else(|| panic!("{} is told nothing of", path.display()));
        assert!(!fault.cure.is_empty(), "{fault}");
        println!("{fault}");
        if path.ends_with("half.glb") {
            look(&mut window, "files-bad");
        }
        click(&mut window, "Dismiss");
        assert!(!says(&window, "Save the changes?"));
        let now = studio(&window);
        assert!((now.document(), now.history.revision()) == (&before.0, before.1), "{}", path.display());
        assert_eq!(now.chosen.iter().copied().collect::<Vec<_>>(), [0]);
        assert_eq!((&*now.project.name, now.history.undo_label()), ("arm", Some(DIALS[0].label.trim())));
    }
}

/// A file whose muscles are baked into it.
fn baked() -> Vec<u8> {
    use fusiform_files::gltf::{Gltf, Scene};
    let mut gltf = Gltf::read(&arm::glb(), |_| Err("alone".into())).unwrap();
    let units = Scene::read(&gltf).unwrap().origin.units;
    gltf.remove_musculature();
    gltf.mark_baked(0.001, units);
    gltf.to_glb().unwrap()
}
