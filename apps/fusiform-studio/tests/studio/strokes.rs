//! Strokes as the mouse makes them: where they begin, what they do with keys held, and what keeps them from it.

use crate::painting::{joint_weight, n, painting, press, press_and_move};
use crate::window::{Window, click, drag, on_arm, seen, studio, studio_mut, view};
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable;
use fusiform_files::gltf::Gltf;
use fusiform_studio::model::{
    Action, Brush, Carve, Edit, Falloff, Look, Mode, Placing, Project, Studio, Target, Tool, hindrance,
};
use glam::Vec3;

fn button(at: Pos2, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers }
}

fn at(window: &Window, y: f32) -> Pos2 {
    seen(window, Vec3::new(0.0, y, 0.0))
}

fn weights(window: &Window, joint: u16) -> Vec<f32> {
    let studio = studio(window);
    (0..n(studio)).map(|v| joint_weight(studio, v, joint)).collect()
}

#[test]
fn a_frame_that_has_a_whole_stroke_in_it_paints_from_the_press_to_the_release() {
    let folder = tempfile::tempdir().unwrap();
    let brush = |brush: &mut Brush| brush.radius = 0.04;
    let mut slow = painting(folder.path(), Target::Joint(2), brush);
    let [before, from, to, after] = [0.05, 0.3, 0.4, 0.55].map(|y| at(&slow, y));
    let moved = Event::PointerMoved;
    let up = button(to, false, Modifiers::NONE);
    let events = [moved(before), moved(from), button(from, true, Modifiers::NONE), moved(to), up, moved(after)];
    slow.input_mut().events.extend(events);
    slow.run_steps(2);
    let mut fast = painting(folder.path(), Target::Joint(2), brush);
    press_and_move(&mut fast, from, to);
    fast.drop_at(to);
    fast.run_steps(2);
    assert!(weights(&fast, 2).iter().any(|w| *w > 0.1));
    let apart = weights(&slow, 2).iter().zip(weights(&fast, 2)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart < 1e-6, "{apart}");
    assert_eq!(studio(&slow).history.undo_label(), Some("Paint"));
}

#[test]
fn a_stroke_that_began_in_a_slow_frame_begins_where_the_button_went_down() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.radius = 0.04);
    let [before, from, to] = [0.05, 0.4, 0.45].map(|y| at(&window, y));
    window.hover_at(before);
    window.run_steps(2);
    let moved = Event::PointerMoved;
    window.input_mut().events.extend([moved(before), moved(from), button(from, true, Modifiers::NONE), moved(to)]);
    window.run_steps(1);
    window.drop_at(to);
    window.run_steps(2);
    let (painted, places) = (weights(&window, 2), studio(&window).live.muscled().1.positions());
    assert!(painted.iter().any(|w| *w > 0.1));
    assert!(painted.iter().zip(places).all(|(w, p)| *w == 0.0 || p.y > 0.33), "nothing on the way to the press");
}

#[test]
fn a_stroke_that_leaves_the_view_paints_nothing_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.radius = 0.03);
    let camera = &mut window.state_mut().session_mut().unwrap().viewport.camera;
    (camera.distance, camera.target) = (0.4 * camera.distance, Vec3::Y * 0.2);
    window.run_steps(2);
    let [from, to] = [0.25, 0.55].map(|y| at(&window, y));
    let rect = view(&window);
    assert!(rect.contains(from) && !rect.contains(to));
    let edge = (0..60).map(|k| 0.01 * k as f32).find(|y| *y > 0.25 && !rect.contains(at(&window, *y))).unwrap();
    drag(&mut window, from, to);
    let (painted, places) = (weights(&window, 2), studio(&window).live.muscled().1.positions());
    assert!(painted.iter().any(|w| *w > 0.1));
    let beyond = painted.iter().zip(places).filter(|(_, p)| p.y > edge + 0.06);
    assert!(beyond.clone().count() > 8 && beyond.into_iter().all(|(w, _)| *w == 0.0), "{painted:?}");
}

/// Press with ctrl, move, let go.
fn ctrl_drag(window: &mut Window, from: Pos2, to: Pos2) {
    let ctrl = Modifiers::COMMAND | Modifiers::CTRL;
    window.hover_at(from);
    window.run_steps(1);
    window.event(Event::ModifiersChanged(ctrl));
    window.event(button(from, true, ctrl));
    window.run_steps(1);
    for step in 1..=8 {
        window.hover_at(from + (to - from) * (step as f32 / 8.0));
        window.run_steps(1);
    }
    window.event(button(to, false, ctrl));
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run_steps(2);
}

#[test]
fn ctrl_turns_a_stroke_into_its_opposite_and_the_camera_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.falloff = Falloff::Constant);
    let [from, to] = [0.35, 0.5].map(|y| at(&window, y));
    let camera = window.state().session().unwrap().viewport.camera;
    drag(&mut window, from, to);
    let added = weights(&window, 2);
    assert!(added.contains(&0.5));
    ctrl_drag(&mut window, from, to);
    assert!(weights(&window, 2).iter().all(|w| *w < 1e-3), "what was added is erased: {:?}", weights(&window, 2));
    assert_eq!(studio(&window).joint, Some(2), "a drag chooses nothing");
    assert_eq!(window.state().session().unwrap().viewport.camera, camera);
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Look::Tool(Tool::Sculpt));
    let brush = Brush { radius: 0.06, carve: Carve::Pull, ..studio(&window).brush };
    studio_mut(&mut window).apply(Look::Brush(brush));
    window.run_steps(2);
    let [from, to] = [0.15, 0.25].map(|y| seen(&window, Vec3::new(0.025, y, 0.0)));
    ctrl_drag(&mut window, from, to);
    let sculpt = studio(&window).muscles()[0].sculpt.clone().expect("it is sculpted").factors;
    assert!(sculpt.iter().all(|factor| *factor <= 1.0), "pressed in, not pulled out: {sculpt:?}");
    assert_eq!(window.state().session().unwrap().viewport.camera, camera);
}

#[test]
fn keys_make_the_brush_stronger_and_weaker() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |_| {});
    let (strength, radius) = (studio(&window).brush.strength, studio(&window).brush.radius);
    for (key, times) in [(Key::CloseBracket, 1.0), (Key::CloseCurlyBracket, 2.0)] {
        window.key_press_modifiers(Modifiers::SHIFT, key);
        window.run_steps(2);
        assert!((studio(&window).brush.strength - strength - 0.05 * times).abs() < 1e-6, "{key:?}");
    }
    (0..30).for_each(|_| window.key_press_modifiers(Modifiers::SHIFT, Key::OpenCurlyBracket));
    window.run_steps(40);
    assert_eq!((studio(&window).brush.strength, studio(&window).brush.radius), (0.0, radius));
}

#[test]
fn a_flood_does_once_everywhere_what_the_brush_does_and_pruning_gives_small_weights_to_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.strength = 0.004);
    let first = studio(&window).document().clone();
    click(&mut window, "Flood");
    assert!(weights(&window, 2).iter().all(|w| (*w - 0.004).abs() < 1e-6), "{:?}", weights(&window, 2));
    click(&mut window, "Prune");
    assert!(weights(&window, 2).iter().all(|w| *w == 0.0));
    for v in 0..n(studio(&window)) {
        let [now, before] =
            [studio(&window).document(), &first].map(|of| of.joints[0].of(v).map(|(_, w)| w).sum::<f32>());
        assert!((now - before).abs() < 1e-6, "vertex {v}");
    }
    assert_eq!(studio(&window).history.steps().0, 2, "each is one step");
    studio_mut(&mut window).apply(Action::Undo);
    studio_mut(&mut window).apply(Action::Undo);
    assert_eq!(studio(&window).document(), &first);
}

fn keeps(studio: &Studio, mode: Mode, v: usize) -> String {
    hindrance(studio, mode, v).unwrap_or_default()
}

#[test]
fn what_keeps_a_stroke_from_doing_anything_is_said_at_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(1), |_| {});
    let place = at(&window, 0.3);
    let (top, elbow) = (n(studio(&window)) - 1, 4 * crate::painting::AROUND);
    assert_eq!(keeps(studio(&window), Mode::Add, elbow), "");
    assert_eq!(keeps(studio(&window), Mode::Add, top), "", "it weighs all there is to weigh");
    studio_mut(&mut window).apply(Look::Lock(Target::Joint(0), true));
    studio_mut(&mut window).apply(Look::Lock(Target::Joint(2), true));
    assert!(keeps(studio(&window), Mode::Subtract, elbow).contains("locked"));
    assert!(keeps(studio(&window), Mode::Subtract, top).contains("no unlocked joint can take"));
    studio_mut(&mut window).apply(Look::Lock(Target::Joint(1), true));
    window.hover_at(place);
    window.run_steps(3);
    window.get_by_label_contains("lower is locked");
}

#[test]
fn a_mesh_that_cannot_hang_on_a_joint_says_so() {
    let mut gltf = Gltf::read(&crate::arm::glb(), |_| Err(String::new())).unwrap();
    // shown once more with a skin of fewer joints: its weights are for both
    let mut skin = gltf.json["skins"][0].clone();
    skin["joints"].as_array_mut().unwrap().pop();
    gltf.json["skins"].as_array_mut().unwrap().push(skin);
    let nodes = gltf.json["nodes"].as_array_mut().unwrap();
    let mut shown = nodes.iter().find(|node| node["skin"] == 0).unwrap().clone();
    shown["skin"] = 1.into();
    nodes.push(shown);
    let last = nodes.len() - 1;
    gltf.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(last.into());
    let (project, musculature) = Project::from_bytes("twice.glb", &gltf.to_glb().unwrap()).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    studio.apply(Look::Joint(studio.project.character.skeleton.find("hand")));
    assert!(keeps(&studio, Mode::Add, 0).contains("does not hang on hand"), "{}", keeps(&studio, Mode::Add, 0));
}

#[test]
fn a_stroke_ends_when_muscles_are_deleted_under_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Muscle(0), |brush| brush.radius = 0.03);
    studio_mut(&mut window).apply(Look::Mirrored(false));
    let [from, on, to] = [0.15, 0.2, 0.4].map(|y| at(&window, y));
    press_and_move(&mut window, from, on);
    press(&mut window, Key::Delete);
    let rest = studio(&window).document().clone();
    assert_eq!(rest.muscles().len(), 1);
    window.hover_at(to);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &rest, "the other muscle is not painted instead");
}

#[test]
fn a_stroke_over_a_muscle_that_has_become_another_paints_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Muscle(0), |brush| brush.radius = 0.03);
    let [from, on, to] = [0.15, 0.2, 0.4].map(|y| at(&window, y));
    press_and_move(&mut window, from, on);
    studio_mut(&mut window).apply(Edit::Delete); // as what is fitted beside the window may
    let rest = studio(&window).document().clone();
    window.hover_at(to);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &rest);
}

#[test]
fn a_muscle_that_is_called_something_else_stays_locked() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio = studio_mut(&mut window);
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Lock(Target::Muscle(0), true));
    studio.apply(Edit::Place(Placing::Rename(0, "long.l".into())));
    assert_eq!(studio.locks.muscles, ["long.l".to_owned()].into());
    studio.apply(Action::Undo);
    assert_eq!(studio.locks.muscles, ["biceps.l".to_owned()].into());
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Delete);
    studio.apply(Action::Undo);
    assert_eq!(studio.locks.muscles, ["biceps.l".to_owned()].into(), "and when it went and came back");
}
