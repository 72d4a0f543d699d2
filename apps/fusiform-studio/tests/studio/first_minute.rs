//! The first minute: hints, keys, and a window that can be read.

use crate::window::{Window, click, drawn, look, on_arm, studio, studio_mut, wait_for_fit};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::Begin;
use fusiform_studio::model::{Edit, Look, Play, Show, Tool};
use fusiform_studio::panels::keys::KEYS;

fn says(window: &Window, label: &str) -> bool {
    window.query_by_label(label).is_some()
}

#[test]
fn hints_lead_from_no_muscles_to_the_first_that_moves_and_then_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_of = studio_mut(&mut window);
    studio_of.apply(Look::Select(Some(0), false));
    studio_of.apply(Edit::Delete);
    window.run_steps(2);
    click(&mut window, "Give it muscles");
    wait_for_fit(&mut window);
    assert!(!studio(&window).muscles().is_empty() && studio(&window).fault.is_none(), "{:?}", studio(&window).fault);
    click(&mut window, "Play a clip");
    window.run_steps(30);
    assert!(studio(&window).live.playing.runs && studio(&window).show == Show::Both);
    assert!(!says(&window, "No hints"), "a muscle has moved");
}

#[test]
fn hints_can_be_sent_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    assert!(says(&window, "Play a clip"));
    click(&mut window, "No hints");
    assert!(!says(&window, "Play a clip"));
}

#[test]
fn keys_do_what_the_list_says_and_the_list_is_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let press = |window: &mut Window, modifiers, key| {
        window.key_press_modifiers(modifiers, key);
        window.run_steps(2);
    };
    press(&mut window, Modifiers::NONE, Key::E);
    assert_eq!(studio(&window).tool, Tool::Pose);
    press(&mut window, Modifiers::NONE, Key::Num3);
    assert_eq!(studio(&window).show, Show::Both);
    press(&mut window, Modifiers::COMMAND, Key::A);
    assert_eq!(studio(&window).chosen.len(), 2);
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert!(studio(&window).muscles().is_empty());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(studio(&window).muscles().len(), 2);
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!(studio(&window).muscles().is_empty());
    let before = window.state().session().unwrap().viewport.camera;
    press(&mut window, Modifiers::SHIFT, Key::F);
    let after = window.state().session().unwrap().viewport.camera;
    assert!(before.yaw != 0.0 && after.yaw == 0.0 && after.pitch == 0.0);
    press(&mut window, Modifiers::NONE, Key::F1);
    for of in KEYS {
        assert!(window.query_all_by_label(of.words).next().is_some(), "{} is not listed", of.words);
    }
}

#[test]
fn keys_typed_into_the_search_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    window.get_by_role_and_label(egui::Role::TextInput, "Search").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::NONE, Key::E);
    window.run_steps(2);
    assert_eq!(studio(&window).tool, Tool::Select);
}

#[test]
fn the_window_is_drawn_dark_and_light_and_twice_as_large() {
    let Some(mut window) = drawn(Begin::Athlete(Some(3_700)), "the whole window") else { return };
    let hash = |window: &mut Window| window.render().expect("a picture").into_raw();
    look(&mut window, "start");
    let dark = hash(&mut window);
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Seek(0.8));
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(3);
    look(&mut window, "chosen");
    window.ctx.set_theme(egui::Theme::Light);
    window.run_steps(2);
    look(&mut window, "light");
    let light = hash(&mut window);
    window.ctx.set_zoom_factor(2.0);
    window.run_steps(3);
    look(&mut window, "twice");
    assert!(dark != light && light != hash(&mut window));
}
