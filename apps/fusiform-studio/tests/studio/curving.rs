//! The curve editor: keys are added, dragged and deleted by mouse, and taken back.

use crate::dialing::arm_studio;
use crate::inspecting::{Tall, click_at, tall};
use crate::placing::with;
use crate::window::{Window, click, drag, studio, studio_mut};
use egui::{PointerButton, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::Muscle;
use fusiform::character::Interpolation;
use fusiform::musculature::MuscleTrack;
use fusiform_studio::model::keys::{add_key, interpolate, key, move_key, no_keys, remove_key};
use fusiform_studio::model::{Action, Edit, Look, Part, Play};

fn opened() -> Tall {
    let mut window = tall();
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Look::Mirrored(false)); // one muscle's keys, not one's for either side
    click(&mut window, "Curves");
    window
}

fn at(window: &Window, x: f32, y: f32) -> Pos2 {
    window.get_by_label("Activation curves").rect().lerp_inside(vec2(x, y))
}

fn tracks(window: &Window) -> Vec<MuscleTrack> {
    let curves = &studio(window).document().musculature.activation.curves;
    curves.iter().flat_map(|clip| clip.tracks.clone()).collect()
}

fn double_click(window: &mut Window, at: Pos2) {
    click_at(window, at, PointerButton::Primary);
    click_at(window, at, PointerButton::Primary);
    window.run_steps(30); // or the next click would count as the third
}

#[test]
fn keys_are_added_dragged_and_deleted_by_mouse_and_each_is_one_step() {
    let mut window = opened();
    let first = studio(&window).document().clone();
    let (a, b) = (at(&window, 0.3, 0.3), at(&window, 0.7, 0.6));
    double_click(&mut window, a);
    double_click(&mut window, b);
    let keyed = tracks(&window);
    assert_eq!(keyed.len(), 1);
    assert_eq!((&*keyed[0].muscle, keyed[0].times.len()), ("biceps.l", 2));
    assert!(keyed[0].values[0] > keyed[0].values[1]);
    // seen in the next frame
    studio_mut(&mut window).apply(Play::Seek(keyed[0].times[0]));
    window.run_steps(1);
    let tense = studio(&window).live.muscled().1.activations()[0];
    assert!((tense - keyed[0].values[0]).abs() < 1e-3, "{tense} {}", keyed[0].values[0]);
    drag(&mut window, a, a + vec2(40.0, 25.0));
    let moved = tracks(&window);
    assert!(moved[0].times[0] > keyed[0].times[0] && moved[0].values[0] < keyed[0].values[0], "{moved:?}");
    click(&mut window, "Undo");
    assert_eq!(tracks(&window), keyed, "a drag is one step");
    click(&mut window, "Redo");
    assert_eq!(tracks(&window), moved);
    // beyond the neighbour it stops before it
    let beyond = at(&window, 0.05, -0.5);
    drag(&mut window, b, beyond);
    let pushed = tracks(&window);
    assert!(pushed[0].times[0] < pushed[0].times[1] && pushed[0].values[1] == 1.0, "{pushed:?}");
    click(&mut window, "Undo");
    window.run_steps(30);
    click_at(&mut window, b, PointerButton::Secondary);
    window.run_steps(2);
    assert_eq!(tracks(&window)[0].times.len(), 1);
    window.run_steps(30);
    click_at(&mut window, a + vec2(40.0, 25.0), PointerButton::Primary);
    window.key_press(egui::Key::Delete);
    window.run_steps(2);
    assert!(tracks(&window).is_empty() && studio(&window).muscles().len() == 2, "the key goes, the muscle stays");
    while studio(&window).history.undo_label().is_some() {
        click(&mut window, "Undo");
    }
    assert_eq!(studio(&window).document(), &first);
}

#[test]
fn a_drag_beside_keys_moves_time() {
    let mut window = opened();
    let (from, to) = (at(&window, 0.3, 0.3), at(&window, 0.6, 0.3));
    drag(&mut window, from, to);
    let time = studio(&window).live.playing.time;
    assert!(time > 0.5 && time < 0.7, "{time}");
    assert_eq!(studio(&window).history.undo_label(), None);
}

#[test]
fn keys_stay_in_order_whatever_is_done_to_them() {
    for kind in [Interpolation::Linear, Interpolation::Step, Interpolation::Cubic] {
        let mut track = no_keys("biceps.l");
        interpolate(&mut track, kind);
        for (time, value) in [(0.5, 0.2), (0.1, 0.9), (0.3, 2.0), (0.5, 0.4)] {
            let i = add_key(&mut track, time, value);
            assert_eq!(key(&track, i), Some((time, value.min(1.0))));
        }
        assert_eq!(track.times, [0.1, 0.3, 0.5], "the same moment is the same key");
        move_key(&mut track, 1, 9.0, -3.0, 1.0);
        assert!(track.times.is_sorted_by(|a, b| a < b), "{track:?}");
        assert_eq!(key(&track, 1).map(|(_, value)| value), Some(0.0));
        move_key(&mut track, 2, 9.0, 0.5, 1.0);
        assert_eq!(track.times[2], 1.0, "within the clip");
        remove_key(&mut track, 0);
        assert_eq!(track.times.len(), 2);
        let keys: Vec<_> = (0..2).map(|i| key(&track, i)).collect();
        for other in [Interpolation::Cubic, Interpolation::Step, kind] {
            interpolate(&mut track, other);
        }
        assert_eq!((0..2).map(|i| key(&track, i)).collect::<Vec<_>>(), keys);
    }
}

#[test]
fn a_button_keys_where_time_stands_and_looking_at_a_key_does_not_move_it() {
    let mut window = opened();
    assert!(window.get_by_label("Between keys").accesskit_node().is_disabled(), "nothing runs between no keys");
    for time in [0.4, 0.123_456] {
        studio_mut(&mut window).apply(Play::Seek(time));
        window.run_steps(2);
        click(&mut window, "Key");
    }
    let keyed = tracks(&window);
    assert_eq!(keyed[0].times, [0.123_456, 0.4]);
    assert!(!window.get_by_label("Between keys").accesskit_node().is_disabled());
    let step = studio(&window).history.steps();
    for label in ["Time of the picked key", "Value of the picked key"] {
        let at = window.get_by_label(label).rect().center();
        click_at(&mut window, at, PointerButton::Primary);
        window.run_steps(2);
        window.key_press(egui::Key::Tab);
        window.run_steps(3);
    }
    assert_eq!(tracks(&window), keyed);
    assert_eq!(studio(&window).history.steps(), step);
    let time = window.get_by_label("Time of the picked key");
    let at = time.rect().center();
    click_at(&mut window, at, PointerButton::Primary);
    window.get_by_label("Time of the picked key").type_text("0.2");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
    assert_eq!(tracks(&window)[0].times, [0.2, 0.4], "what is typed is taken");
}

#[test]
fn keys_of_one_side_are_keys_of_the_other_until_that_is_keyed_otherwise() {
    let mut studio = arm_studio();
    let track = |muscle: &str, values: [f32; 2]| {
        let mut track = no_keys(muscle);
        [0.0, 0.5].into_iter().zip(values).for_each(|(time, value)| _ = add_key(&mut track, time, value));
        track
    };
    let put = |studio: &mut fusiform_studio::model::Studio, track: MuscleTrack| {
        studio.apply(Edit::Part(Part::Keys("bend".into(), vec![track])));
    };
    let values = |studio: &fusiform_studio::model::Studio| -> Vec<(String, Vec<f32>)> {
        let clips = &studio.document().musculature.activation.curves;
        clips.iter().flat_map(|clip| &clip.tracks).map(|of| (of.muscle.clone(), of.values.clone())).collect()
    };
    put(&mut studio, track("biceps.l", [0.2, 0.8]));
    put(&mut studio, track("biceps.r", [0.2, 0.9]));
    assert_eq!(values(&studio), [("biceps.l".into(), vec![0.2, 0.9]), ("biceps.r".into(), vec![0.2, 0.9])]);
    studio.apply(Look::Mirrored(false));
    put(&mut studio, track("biceps.r", [1.0, 0.0]));
    studio.apply(Look::Mirrored(true));
    put(&mut studio, track("biceps.l", [0.3, 0.3]));
    assert_eq!(values(&studio), [("biceps.l".into(), vec![0.3, 0.3]), ("biceps.r".into(), vec![1.0, 0.0])]);
    (0..4).for_each(|_| studio.apply(Action::Undo));
    assert!(values(&studio).is_empty(), "each was one step");
}

#[test]
fn curves_that_are_not_shown_are_told() {
    let mut window = opened();
    *studio_mut(&mut window) = with(|muscles| {
        let one = muscles.muscles[0].clone();
        muscles.muscles.extend((1..=20).map(|k| Muscle { name: format!("muscle_{k}"), ..one.clone() }));
    });
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Look::Choose((2..22).collect()));
    window.run_steps(3);
    assert!(window.query_by_label_contains("and 8 more").is_some());
}
