//! The curve editor: keys are added, dragged and deleted by mouse, and taken back.

use crate::inspecting::{Tall, click_at, tall};
use crate::window::{Window, click, drag, studio, studio_mut};
use egui::{PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::character::Interpolation;
use fusiform::musculature::MuscleTrack;
use fusiform_studio::model::keys::{add_key, interpolate, key, move_key, no_keys, remove_key};
use fusiform_studio::model::{Look, Play};

fn opened() -> Tall {
    let mut window = tall();
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
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
