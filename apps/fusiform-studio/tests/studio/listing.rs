//! The list of muscles: twins on one line, ranges, search.

use crate::arm;
use crate::inspecting::{click_at, tall};
use crate::numbering::with_four_more;
use crate::window::{Window, click, studio, studio_mut};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use fusiform::Muscle;
use fusiform_studio::model::{Look, Project, Studio};

fn chosen(window: &Window) -> Vec<usize> {
    studio(window).chosen.iter().copied().collect()
}

fn click_with(window: &mut Window, label: &str, modifiers: Modifiers) {
    window.get_by_label(label).click_modifiers(modifiers);
    window.run_steps(2);
}

#[test]
fn twins_are_chosen_together_or_one_by_one() {
    let mut window = tall();
    click(&mut window, "biceps");
    assert_eq!(chosen(&window), [0, 1]);
    click(&mut window, "biceps.r");
    assert_eq!(chosen(&window), [1]);
    click_with(&mut window, "biceps.l", Modifiers::COMMAND);
    assert_eq!(chosen(&window), [0, 1]);
    click_with(&mut window, "biceps.r", Modifiers::COMMAND);
    assert_eq!(chosen(&window), [0]);
    click(&mut window, "Show biceps");
    assert_eq!(studio(&window).hidden.len(), 2);
    click(&mut window, "Sides of biceps");
    click(&mut window, "Show biceps.l");
    assert_eq!(studio(&window).hidden.iter().copied().collect::<Vec<_>>(), [1]);
    click(&mut window, "biceps.r");
    assert_eq!(chosen(&window), [1]);
}

#[test]
fn shift_chooses_all_between_two_clicks_and_a_double_click_looks_at_one() {
    let mut window = tall();
    *studio_mut(&mut window) = with_four_more();
    window.run_steps(2);
    click(&mut window, "muscle_1");
    click_with(&mut window, "muscle_3", Modifiers::SHIFT);
    assert_eq!(chosen(&window), [2, 3, 4]);
    click_with(&mut window, "biceps", Modifiers::SHIFT);
    assert_eq!(chosen(&window), [0, 1, 2], "from where it began");
    let camera = |window: &Window| window.state().session().unwrap().viewport.camera;
    let before = camera(&window);
    window.run_steps(60); // or the next click would count as the second
    let at = window.get_by_label("biceps").rect().center();
    click_at(&mut window, at, egui::PointerButton::Primary);
    assert_eq!(camera(&window), before);
    click_at(&mut window, at, egui::PointerButton::Primary);
    assert_ne!(camera(&window), before);
    assert_eq!(chosen(&window), [0, 1]);
}

#[test]
fn muscles_of_opposed_pairs_share_a_line_with_their_twins() {
    let mut window = tall();
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    muscles.muscles[0].name = "RightArm.flexor".into();
    muscles.muscles[1].name = "LeftArm.flexor".into();
    *studio_mut(&mut window) = Studio::new(project, muscles, None).unwrap();
    window.run_steps(2);
    click(&mut window, "Arm.flexor");
    assert_eq!(chosen(&window), [0, 1]);
    click(&mut window, "LeftArm.flexor");
    assert_eq!(chosen(&window), [1]);
}

fn press_key(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
}

#[test]
fn every_muscle_that_is_shown_is_chosen_and_nothing_that_is_hidden() {
    let mut window = tall();
    *studio_mut(&mut window) = with_four_more();
    studio_mut(&mut window).apply(Look::Choose([2, 3].into()));
    studio_mut(&mut window).apply(Look::Solo);
    window.run_steps(2);
    press_key(&mut window, Modifiers::COMMAND, Key::A);
    assert_eq!(chosen(&window), [2, 3]);
    press_key(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(studio(&window).muscles().len(), 4, "what was hidden is left");
}

#[test]
fn arrows_go_up_and_down_the_list_but_not_while_somebody_types() {
    let mut window = tall();
    *studio_mut(&mut window) = with_four_more();
    window.run_steps(2);
    press_key(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(chosen(&window), [0, 1], "the first line");
    press_key(&mut window, Modifiers::NONE, Key::ArrowDown);
    press_key(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(chosen(&window), [3]);
    press_key(&mut window, Modifiers::NONE, Key::ArrowUp);
    assert_eq!(chosen(&window), [2]);
    window.get_by_role_and_label(egui::Role::TextInput, "Search").focus();
    window.run_steps(2);
    press_key(&mut window, Modifiers::NONE, Key::ArrowUp);
    assert_eq!(chosen(&window), [2]);
}

#[test]
fn what_is_picked_elsewhere_is_scrolled_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = crate::window::on_arm(folder.path());
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    let one = muscles.muscles[0].clone();
    muscles.muscles.extend((1..=60).map(|k| Muscle { name: format!("muscle_{k}"), ..one.clone() }));
    *studio_mut(&mut window) = Studio::new(project, muscles, None).unwrap();
    window.run_steps(2);
    assert!(window.query_by_role_and_label(egui::Role::Button, "muscle_58").is_none(), "far below");
    studio_mut(&mut window).apply(Look::Select(Some(59), false));
    window.run_steps(60);
    assert!(window.query_by_role_and_label(egui::Role::Button, "muscle_58").is_some());
}

#[test]
fn a_menu_on_the_right_button_does_to_a_line_what_can_be_done_and_f2_names_it() {
    let mut window = tall();
    *studio_mut(&mut window) = with_four_more();
    window.run_steps(2);
    let open = |window: &mut Window, line: &str| {
        let at = window.get_by_label(line).rect().center();
        click_at(window, at, egui::PointerButton::Secondary);
        window.run_steps(2);
    };
    open(&mut window, "muscle_2");
    assert_eq!(chosen(&window), [3]);
    click(&mut window, "Hide");
    assert!(studio(&window).hidden.iter().eq([&3]));
    open(&mut window, "muscle_4");
    click(&mut window, "Rename");
    window.run_steps(2);
    let name_it = |window: &mut Window, name: &str| {
        press_key(window, Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(name.into()));
        window.run_steps(2);
    };
    name_it(&mut window, "flexor");
    press_key(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(studio(&window).muscles()[5].name, "flexor");
    press_key(&mut window, Modifiers::NONE, Key::F2);
    name_it(&mut window, "other");
    press_key(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(studio(&window).muscles()[5].name, "flexor", "Escape leaves it");
    assert_eq!(studio(&window).history.steps(), (1, 0));
}

#[test]
fn a_range_from_the_letter_of_a_pair_stays_on_its_side() {
    let mut window = tall();
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    for name in ["a", "b"] {
        let pair = ["l", "r"].map(|side| format!("{name}.{side}"));
        let both = pair.into_iter().zip(muscles.muscles.clone()).map(|(name, muscle)| Muscle { name, ..muscle });
        let both: Vec<Muscle> = both.collect();
        muscles.muscles.extend(both);
    }
    *studio_mut(&mut window) = Studio::new(project, muscles, None).unwrap();
    window.run_steps(2);
    click(&mut window, "biceps.r");
    click_with(&mut window, "b.r", Modifiers::SHIFT);
    assert_eq!(chosen(&window), [1, 3, 5]);
    click_with(&mut window, "b", Modifiers::SHIFT);
    assert_eq!(chosen(&window), [0, 1, 2, 3, 4, 5]);
}
