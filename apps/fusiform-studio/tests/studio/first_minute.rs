//! The first minute: hints, keys, and a window that can be read.

use crate::arm;
use crate::window::{
    Window, click, drawn, drop_on, look, on_arm, open, press, studio, studio_mut, template_in, wait_for_fit,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use fusiform_studio::app::Begin;
use fusiform_studio::model::{Anatomy, DIALS, Edit, Look, Play, Project, Show, Studio, Tool};
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
fn a_character_without_clips_is_told_of_the_one_way_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    assert!(says(&window, "or take the Pose tool (E) and drag a limb."));
    let (mut project, muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    project.character.clips.clear();
    *studio_mut(&mut window) = Studio::new(project, muscles, None).unwrap();
    window.run_steps(2);
    assert!(says(&window, "take the Pose tool (E) and drag a limb."));
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
fn the_list_of_keys_is_there_before_anything_is_open() {
    let mut window = open(Begin::Empty);
    let is_listed = |window: &Window| window.query_all_by_label("Play or pause").next().is_some();
    window.key_press(Key::F1);
    window.run_steps(3);
    assert!(is_listed(&window));
    window.key_press(Key::F1);
    window.run_steps(3);
    assert!(!is_listed(&window));
    click(&mut window, "Help");
    click(&mut window, "Keyboard shortcuts");
    window.run_steps(2);
    assert!(is_listed(&window));
}

#[test]
fn the_start_can_be_scrolled_where_the_window_is_small() {
    let mut window = open(Begin::Empty);
    window.set_size(egui::vec2(400.0, 140.0));
    window.run_steps(4);
    window.get_by_label("Begin with a template").scroll_to_me();
    window.run_steps(20);
    let at = window.get_by_label("Begin with a template").rect();
    assert!(at.bottom() <= 140.0, "{at}");
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

#[test]
fn a_template_at_the_start_gives_its_muscles_to_the_character_that_is_opened_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(Begin::Empty);
    click(&mut window, "Begin with a template");
    click(&mut window, "Cancel");
    drop_on(&mut window, &template_in(folder.path()));
    click(&mut window, "No template");
    drop_on(&mut window, &template_in(folder.path()));
    assert!(window.query_by_label_contains("muscles of arms.toml").is_some());
    click(&mut window, "Open the athlete");
    wait_for_fit(&mut window);
    let studio = studio(&window);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let names: Vec<_> = studio.muscles().iter().map(|muscle| &*muscle.name).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.contains("brachii")), "{names:?}");
    assert_eq!(studio.history.undo_label(), Some("Fit"));
}

#[test]
fn a_template_dropped_on_a_character_is_offered_by_the_fit_and_a_bad_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let (before, path) = (studio(&window).document().clone(), folder.path().join("bad.toml"));
    std::fs::write(&path, "muscles = 1").unwrap();
    drop_on(&mut window, &path);
    assert!(window.state().fault().is_some_and(|fault| fault.to_string().contains("bad.toml")));
    assert!(!studio(&window).fit.shown && studio(&window).fit.recipe.anatomy == Anatomy::Found);
    let path = template_in(folder.path());
    drop_on(&mut window, &path);
    window.run_steps(2);
    assert!(window.state().fault().is_none(), "{:?}", window.state().fault());
    assert!(studio(&window).fit.shown);
    assert_eq!(studio(&window).fit.recipe.anatomy, Anatomy::File(path), "and the window leaves it so");
    assert!(*studio(&window).document() == before);
}

#[test]
fn a_character_at_rest_lets_the_machine_rest() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let moves = |window: &mut Window| studio_mut(window).live.is_moving();
    studio_mut(&mut window).apply(Play::Settle);
    window.run_steps(30);
    assert!(!moves(&mut window));
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Run(true));
    window.run_steps(3);
    assert!(moves(&mut window), "time goes on");
    studio_mut(&mut window).apply(Play::Run(false));
    window.run_steps(600);
    assert!(!moves(&mut window), "what swung has settled");
}

#[test]
fn the_bar_that_scrolls_rows_leaves_their_buttons_free() {
    let mut window = open(Begin::Athlete(Some(3_700)));
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(4);
    for name in ["Bulge", "Stiffness"] {
        let dial = DIALS.iter().position(|dial| dial.label == name).unwrap();
        studio_mut(&mut window).apply(Edit::Dial(dial, 1.25 * DIALS[dial].default));
        window.run_steps(2);
        let label = format!("Reset {name}");
        window.get_by_label(&label).scroll_to_me();
        window.run_steps(20);
        let at = window.get_by_label(&label).rect().center();
        let before = studio(&window).history.steps();
        press(&mut window, at);
        assert_eq!(studio(&window).history.steps().0, before.0 + 1, "{label}");
    }
}
