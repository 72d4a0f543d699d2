//! The chooser by itself: walked with mouse and keys.

use crate::window::look;
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use fusiform_studio::model::Kind;
use fusiform_studio::panels::Chooser;
use std::path::{Path, PathBuf};

/// What is asked, and what was chosen.
type Asked = (Option<Chooser>, Option<PathBuf>);

fn asked(chooser: Chooser) -> Harness<'static, Asked> {
    // as fast as people see frames: two clicks within half a second are a double click
    let builder = Harness::builder().with_size(egui::vec2(900.0, 600.0)).with_step_dt(1.0 / 60.0);
    // names in folders are whatever they are
    let builder = builder.allow_missing_glyphs();
    let builder = if std::env::var_os("FUSIFORM_LOOK").is_some() { builder.wgpu() } else { builder };
    let mut window = builder.build_ui_state(
        |ui, (chooser, chosen): &mut Asked| {
            if let Some(path) = Chooser::chosen(chooser, ui.ctx()) {
                *chosen = Some(path);
            }
        },
        (Some(chooser), None),
    );
    window.run_steps(4);
    window
}

fn press(window: &mut Harness<'static, Asked>, key: Key) {
    window.key_press(key);
    window.run_steps(3);
}

fn click(window: &mut Harness<'static, Asked>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn typed(window: &mut Harness<'static, Asked>, text: &str) {
    window.get_by_label("Name or path").type_text(text);
    window.run_steps(3);
}

fn folder_with(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        match name.strip_suffix('/') {
            Some(name) => std::fs::create_dir_all(folder.path().join(name)).unwrap(),
            None => std::fs::write(folder.path().join(name), name).unwrap(),
        }
    }
    folder
}

#[test]
fn arrows_and_return_walk_into_a_folder_and_choose_a_file_of_the_kind() {
    let folder = folder_with(&["deep/", "deep/hero.glb", "deep/notes.txt", "a.bvh"]);
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    assert!(window.query_by_label("a.bvh").is_none(), "a motion is no character");
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    assert!(window.query_by_label("notes.txt").is_none() && window.query_by_label("hero.glb").is_some());
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(folder.path().join("deep/hero.glb")));
    assert!(window.state().0.is_none());
}

#[test]
fn typing_finds_a_file_and_a_path_may_be_typed_as_well() {
    let folder = folder_with(&["deep/", "deep/hero.glb", "arm.glb", "leg.glb"]);
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    look(&mut window, "chooser-open");
    typed(&mut window, "LE");
    assert!(window.query_by_label("arm.glb").is_none());
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(folder.path().join("leg.glb")));
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    typed(&mut window, "deep/../deep/hero.glb");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(folder.path().join("deep/hero.glb")));
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    typed(&mut window, "nobody.glb");
    press(&mut window, Key::Enter);
    assert!(window.state().1.is_none() && window.query_by_label_contains("it is not there").is_some());
}

#[test]
fn the_second_click_on_a_file_that_was_searched_for_opens_the_same_one() {
    let folder = folder_with(&["arm.glb", "hand.glb", "leg.glb", "toe.glb"]);
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    typed(&mut window, "e");
    assert!(window.query_by_label("arm.glb").is_none());
    let at = window.get_by_label("toe.glb").rect().center();
    for _ in 0..2 {
        window.hover_at(at);
        window.drag_at(at);
        window.run_steps(1);
        window.drop_at(at);
        window.run_steps(1);
    }
    assert_eq!(window.state().1, Some(folder.path().join("toe.glb")));
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    typed(&mut window, "e");
    press(&mut window, Key::ArrowDown);
    assert!(window.query_by_label("arm.glb").is_none(), "arrows walk through what was found");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(folder.path().join("toe.glb")));
}

#[test]
fn saving_adds_the_ending_and_asks_before_it_replaces() {
    let folder = folder_with(&["arm.glb"]);
    let mut window = asked(Chooser::save(Kind::CHARACTER, folder.path().join("leg")));
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(folder.path().join("leg.glb")));
    let mut window = asked(Chooser::save(Kind::CHARACTER, folder.path().join("arm.glb")));
    press(&mut window, Key::Enter);
    assert!(window.state().1.is_none());
    press(&mut window, Key::Enter);
    look(&mut window, "chooser-replace");
    assert!(window.state().1.is_none(), "return alone replaces nothing");
    press(&mut window, Key::Escape);
    assert!(window.state().0.is_some(), "out of the question only");
    click(&mut window, "Save here");
    click(&mut window, "Keep it");
    assert!(window.state().1.is_none());
    click(&mut window, "Save here");
    click(&mut window, "Replace it");
    assert_eq!(window.state().1, Some(folder.path().join("arm.glb")));
}

#[test]
fn escape_chooses_nothing() {
    let folder = folder_with(&["arm.glb"]);
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    press(&mut window, Key::Escape);
    assert!(window.state().0.is_none() && window.state().1.is_none());
}

#[test]
fn a_new_folder_is_made_and_one_that_cannot_be_read_is_told() {
    let folder = folder_with(&["arm.glb"]);
    let mut window = asked(Chooser::save(Kind::TEMPLATE, folder.path().join("hero.toml")));
    look(&mut window, "chooser-save");
    click(&mut window, "New folder");
    look(&mut window, "chooser-new-folder");
    click(&mut window, "Make");
    assert!(folder.path().join("new folder").is_dir());
    click(&mut window, "Save here");
    assert_eq!(window.state().1, Some(folder.path().join("new folder/hero.toml")));
    let mut window = asked(Chooser::save(Kind::TEMPLATE, Path::new("/no/such/place/hero.toml")));
    assert!(window.state().0.is_some(), "it begins elsewhere");
    window.state_mut().0 = Some(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    window.run_steps(3);
    std::fs::remove_dir(folder.path().join("new folder")).unwrap();
    window.get_by_label("new folder/").click();
    window.run_steps(1);
    click(&mut window, "Choose");
    assert!(window.query_by_label_contains("it is not there").is_some());
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_can_be_chosen() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"h\xe9ro.glb"));
    std::fs::write(&path, "x").unwrap();
    let mut window = asked(Chooser::open(Kind::CHARACTER).in_folder(folder.path()));
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    assert_eq!(window.state().1, Some(path));
}
