//! Keys, menus and tips: what a key does, alone and held, and where it is written.

use crate::arm;
use crate::window::{Window, click, on, on_arm, studio, studio_mut};
use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::character::Keys;
use fusiform_fit::Preset;
use fusiform_studio::model::{AsBaked, Look, Play, Show};
use fusiform_studio::panels::keys::KEYS;
use glam::Quat;
use std::collections::BTreeSet;

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
}

/// Hold a key until it has repeated so often.
fn hold(window: &mut Window, key: Key, repeats: usize) {
    for _ in 0..=repeats {
        window.key_down(key);
        window.run_steps(1);
    }
    window.key_up(key);
    window.run_steps(1);
}

/// Whether the tip of a button says that.
fn tells(window: &mut Window, button: &str, text: &str) -> bool {
    let at = window.get_by_role_and_label(Role::Button, button).rect().center();
    window.hover_at(at);
    window.run_steps(10);
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn h_hides_the_chosen_alt_h_shows_all_and_shift_h_shows_only_the_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let hidden = |window: &Window| studio(window).hidden.iter().copied().collect::<Vec<_>>();
    studio_mut(&mut window).apply(Look::Select(Some(1), false));
    press(&mut window, Modifiers::NONE, Key::H);
    assert_eq!(hidden(&window), [1]);
    press(&mut window, Modifiers::ALT, Key::H);
    assert!(hidden(&window).is_empty());
    press(&mut window, Modifiers::SHIFT, Key::H);
    assert_eq!(hidden(&window), [0]);
    click(&mut window, "Edit");
    click(&mut window, "Hide the chosen");
    assert_eq!(hidden(&window), [0, 1]);
    click(&mut window, "Edit");
    assert!(window.get_by_label("Hide the chosen").accesskit_node().is_disabled(), "it is hidden already");
    click(&mut window, "Show all muscles");
    assert!(hidden(&window).is_empty());
}

#[test]
fn a_key_that_is_held_steps_again_and_again_but_turns_on_or_off_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let extras = |window: &Window| window.state().session().unwrap().viewport.extras;
    let before = extras(&window);
    window.key_down_modifiers(Modifiers::SHIFT, Key::B);
    window.run_steps(1);
    (0..3).for_each(|_| {
        window.key_down_modifiers(Modifiers::SHIFT, Key::B);
        window.run_steps(1);
    });
    window.key_up_modifiers(Modifiers::SHIFT, Key::B);
    window.run_steps(1);
    assert!(extras(&window).bones != before.bones);
    hold(&mut window, Key::Space, 3);
    assert!(studio(&window).live.playing.runs, "it plays");
    studio_mut(&mut window).apply(Play::Run(false));
    studio_mut(&mut window).apply(Play::Seek(0.0));
    hold(&mut window, Key::Period, 3);
    let time = studio(&window).live.playing.time;
    assert!((time - 4.0 / 30.0).abs() < 1e-5, "{time} s");
}

#[test]
fn the_split_comes_back_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let split = |window: &Window| window.state().session().unwrap().viewport.split;
    press(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(split(&window), Some(0.5));
    window.state_mut().session_mut().unwrap().viewport.split = Some(0.3);
    press(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(split(&window), None);
    click(&mut window, "Split");
    assert_eq!(split(&window), Some(0.3));
    click(&mut window, "View");
    window.get_by_role_and_label(Role::CheckBox, "Split").click();
    window.run_steps(2);
    assert_eq!(split(&window), None);
}

#[test]
fn the_list_has_one_row_a_command_and_names_what_is_heard_in_one_place_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    press(&mut window, Modifiers::NONE, Key::F1);
    let count = |text: &str| window.query_all_by_role_and_label(Role::Label, text).count();
    let commands: BTreeSet<&str> = KEYS.iter().map(|of| of.words).collect();
    for words in commands {
        assert_eq!(count(words), 1, "{words}");
    }
    let keys = ["Ctrl+Shift+Z or Ctrl+Y", "Shift+[", "Alt+H", "X, Y, Z held", "Esc", "Delete", "Ctrl++", "Ctrl+0"];
    for key in keys {
        assert!(count(key) > 0, "{key} is not listed");
    }
    assert_eq!(count("Shift+{"), 0, "another sign of a key that is listed");
}

#[test]
fn tips_say_what_is_seen_and_what_rigging_puts_in_place_of_what() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    for (_, name, tip) in Show::ALL {
        assert!(tells(&mut window, name, tip), "{name}: {tip}");
    }
    assert!(tells(&mut window, "X-ray", "(3)"));
    click(&mut window, "Rig");
    for (preset, words) in [(Preset::Lee, "bulge and jiggle"), (Preset::Saam, "slides over bones")] {
        assert!(tells(&mut window, preset.name(), words), "{}", preset.name());
        assert!(tells(&mut window, preset.name(), "takes the place of the muscles there are"), "{}", preset.name());
    }
}

#[test]
fn play_takes_the_first_clip_where_none_is_chosen_and_says_why_where_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Play");
    let playing = &studio(&window).live.playing;
    assert!(playing.clip == Some(0) && playing.runs, "{playing:?}");
    press(&mut window, Modifiers::NONE, Key::Space);
    assert!(!studio(&window).live.playing.runs);
    let (mut character, musculature) = arm::arm();
    character.clips.clear();
    let mut window = on(folder.path(), &arm::written(&(character, musculature)));
    press(&mut window, Modifiers::NONE, Key::Space);
    assert!(!studio(&window).live.playing.runs);
    assert!(window.get_by_label("Play").accesskit_node().is_disabled());
    assert!(tells(&mut window, "Play", "There is no clip"));
}

#[test]
fn frames_are_stepped_and_counted_at_their_rate() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    assert!(window.query_by_label_contains("frame 1 of").is_none(), "no clip is chosen");
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Play::Clip(Some(0)));
    studio_now.apply(Play::Seek(0.5));
    window.run_steps(2);
    let says = |window: &Window, text: &str| assert!(window.query_by_label(text).is_some(), "{text}");
    says(&window, "frame 16 of 31 at 30 fps");
    click(&mut window, "One frame on");
    says(&window, "frame 17 of 31 at 30 fps");
    click(&mut window, "One frame back");
    click(&mut window, "One frame back");
    says(&window, "frame 15 of 31 at 30 fps");
    click(&mut window, "To the start of the clip");
    says(&window, "frame 1 of 31 at 30 fps");
    studio_mut(&mut window).apply(Play::Seek(1.0));
    window.run_steps(2);
    says(&window, "frame 31 of 31 at 30 fps");
}

#[test]
fn frames_are_those_at_which_the_keys_of_the_clip_lie() {
    let folder = tempfile::tempdir().unwrap();
    let (mut character, musculature) = arm::arm();
    let Keys::Rotation(turn) = &mut character.clips[0].channels[0].keys else { panic!("a clip that turns") };
    turn.times = (0..=24).map(|k| k as f32 / 24.0).collect();
    turn.values = turn.times.iter().map(|time| Quat::from_rotation_z(*time)).collect();
    let mut window = on(folder.path(), &arm::written(&(character, musculature)));
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    click(&mut window, "One frame on");
    assert!(window.query_by_label("frame 2 of 25 at 24 fps").is_some());
    assert!((studio(&window).live.playing.time - 1.0 / 24.0).abs() < 1e-6);
    studio_mut(&mut window).apply(Play::Baked(Some(AsBaked::default())));
    assert_eq!(studio(&window).live.playing.rate(), 30.0, "a bake has its own");
}
