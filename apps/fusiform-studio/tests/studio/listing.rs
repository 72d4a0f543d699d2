//! The list of muscles: twins on one line, ranges, search.

use crate::arm;
use crate::inspecting::{click_at, tall};
use crate::window::{Window, click, studio, studio_mut};
use egui::Modifiers;
use egui_kittest::kittest::Queryable;
use fusiform::Muscle;
use fusiform_studio::model::{Project, Studio};

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
    let mut muscles = studio(&window).document().musculature.clone();
    let more = (1..=4).map(|k| Muscle { name: format!("muscle_{k}"), ..muscles.muscles[0].clone() });
    let more: Vec<Muscle> = more.collect();
    muscles.muscles.extend(more);
    let (project, _) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    *studio_mut(&mut window) = Studio::new(project, muscles, None).unwrap();
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
