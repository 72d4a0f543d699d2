//! The curve editor: keys are added, dragged and deleted by mouse, and taken back.

use crate::dialing::arm_studio;
use crate::inspecting::{Tall, click_at, tall};
use crate::mousing::{scroll, sweep};
use crate::placing::with;
use crate::window::{Window, click, drag, studio, studio_mut, view, written};
use egui::{Modifiers, MouseWheelUnit, PointerButton, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::character::{Interpolation, Keys};
use fusiform::musculature::MuscleTrack;
use fusiform::{Clip, Muscle};
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
fn delete_takes_key_after_key_and_no_muscle_until_something_else_is_pressed() {
    let mut window = opened();
    let places = [0.3, 0.5, 0.7].map(|x| at(&window, x, 0.4));
    places.into_iter().for_each(|place| double_click(&mut window, place));
    click_at(&mut window, places[1], PointerButton::Primary);
    window.run_steps(2);
    for left in [2, 1, 1] {
        window.key_press(egui::Key::Delete);
        window.run_steps(2);
        let n: usize = tracks(&window).iter().map(|track| track.times.len()).sum();
        assert_eq!((n, studio(&window).muscles().len()), (left, 2), "the next key is picked, after the last none");
    }
    let elsewhere = window.get_by_label("Loop").rect().center();
    click_at(&mut window, elsewhere, PointerButton::Primary);
    window.key_press(egui::Key::Delete);
    window.run_steps(2);
    assert_eq!(studio(&window).muscles().len(), 1);
}

#[test]
fn a_muscle_is_cleared_of_its_keys_and_of_those_that_say_nothing_new() {
    let mut window = opened();
    assert!(window.get_by_label("Clear").accesskit_node().is_disabled(), "there is no key");
    let mut track = no_keys("biceps.l");
    (0..=10).for_each(|k| _ = add_key(&mut track, 0.1 * k as f32, 0.05 * k as f32));
    let other = MuscleTrack { muscle: "biceps.r".into(), ..track.clone() };
    studio_mut(&mut window).apply(Edit::Part(Part::Keys("bend".into(), vec![track.clone(), other.clone()])));
    window.run_steps(2);
    click(&mut window, "Simplify");
    assert_eq!(tracks(&window)[0].times, [0.0, track.times[10]]);
    assert_eq!(tracks(&window)[1], other);
    click(&mut window, "Undo");
    assert_eq!(tracks(&window), [track, other.clone()], "it is one step");
    click(&mut window, "Clear");
    assert_eq!(tracks(&window), [other]);
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

/// Click where nothing is: time goes there.
fn time_at(window: &mut Window, place: Pos2) -> f32 {
    click_at(window, place, PointerButton::Primary);
    window.run_steps(30);
    studio(window).live.playing.time
}

fn wheel(window: &mut Window, at: Pos2, lines: f32, modifiers: Modifiers) {
    scroll(window, at, MouseWheelUnit::Line, vec2(0.0, lines), modifiers);
}

#[test]
fn the_wheel_looks_nearer_about_the_mouse_and_a_button_shows_the_whole_clip_again() {
    let mut window = opened();
    let [left, middle, right] = [0.1, 0.4, 0.9].map(|x| at(&window, x, 0.4));
    let before = [left, middle, right].map(|place| time_at(&mut window, place));
    assert!(window.query_by_label("Whole clip").is_none());
    wheel(&mut window, middle, 5.0, Modifiers::NONE);
    let near = [left, middle, right].map(|place| time_at(&mut window, place));
    assert!((near[1] - before[1]).abs() < 2e-3, "{near:?} {before:?}");
    let shares = (near[2] - near[0]) / (before[2] - before[0]);
    assert!((0.05..0.7).contains(&shares), "{near:?} {before:?}");
    click(&mut window, "Whole clip");
    assert_eq!([left, middle, right].map(|place| time_at(&mut window, place)), before);
    // as near as can be, and back
    wheel(&mut window, middle, 400.0, Modifiers::NONE);
    let near = [left, right].map(|place| time_at(&mut window, place));
    assert!(near[1] - near[0] > 5e-3 && near[1] - near[0] < 0.05, "{near:?}");
    wheel(&mut window, left, -400.0, Modifiers::NONE);
    assert!(window.query_by_label("Whole clip").is_none(), "all of it is seen");
    assert_eq!([left, middle, right].map(|place| time_at(&mut window, place)), before);
}

#[test]
fn a_middle_drag_and_shift_with_the_wheel_go_along_as_far_as_the_clip() {
    let mut window = opened();
    let (left, middle) = (at(&window, 0.2, 0.4), at(&window, 0.5, 0.4));
    wheel(&mut window, middle, 6.0, Modifiers::NONE);
    let before = time_at(&mut window, middle);
    sweep(&mut window, PointerButton::Middle, Modifiers::NONE, (middle, left - middle));
    assert!((time_at(&mut window, left) - before).abs() < 2e-3, "what was under the mouse still is");
    let there = time_at(&mut window, middle);
    wheel(&mut window, middle, 1.0, Modifiers::SHIFT);
    assert!(time_at(&mut window, middle) < there - 1e-3, "back");
    for far in [-300.0, 300.0] {
        wheel(&mut window, middle, far, Modifiers::SHIFT);
    }
    let first = at(&window, 0.0, 0.4) + vec2(31.0, 0.0);
    let start = time_at(&mut window, first);
    assert!(start < 5e-3, "nothing is before the clip: {start}");
    assert_eq!(studio(&window).history.undo_label(), None);
}

#[test]
fn keys_are_taken_where_they_are_seen_and_dragged_to_where_they_are_not() {
    let mut window = opened();
    let place = at(&window, 0.5, 0.4);
    double_click(&mut window, place);
    let first = tracks(&window)[0].times[0];
    let other = at(&window, 0.3, 0.4);
    wheel(&mut window, other, 8.0, Modifiers::NONE);
    drag(&mut window, place, place + vec2(0.0, 20.0));
    assert_eq!(tracks(&window)[0].times[0], first, "its key has gone to where nothing is seen of it");
    wheel(&mut window, other, -400.0, Modifiers::NONE);
    wheel(&mut window, place, 8.0, Modifiers::NONE);
    drag(&mut window, place, place + vec2(30.0, 0.0));
    let moved = tracks(&window)[0].times[0] - first;
    assert!(moved > 1e-3 && moved < 0.02, "{moved} s for 30 points");
    let beyond = view(&window).left_center();
    drag(&mut window, place + vec2(30.0, 0.0), Pos2::new(beyond.x - 100.0, place.y));
    assert!(tracks(&window)[0].times[0] < first - 0.05, "{:?}", tracks(&window));
}

#[test]
fn another_clip_is_seen_whole_and_one_that_has_become_shorter_as_far_as_it_goes() {
    let mut window = opened();
    let right = at(&window, 0.9, 0.4);
    wheel(&mut window, right, 6.0, Modifiers::NONE);
    let of_studio = studio_mut(&mut window);
    let Keys::Rotation(turn) = &mut of_studio.project.character.clips[0].channels[0].keys else { unreachable!() };
    turn.times.iter_mut().for_each(|time| *time *= 0.4);
    window.run_steps(3);
    let (first, last) = (at(&window, 0.1, 0.4), at(&window, 0.95, 0.4));
    let times = [first, last].map(|place| time_at(&mut window, place));
    assert!(times[0] > 0.1 && times[1] > times[0] + 0.1 && times[1] < 0.4, "{times:?}");
    let of_studio = studio_mut(&mut window);
    let other = of_studio.project.character.clips[0].clone();
    of_studio.project.character.clips.push(Clip { name: "other".into(), ..other });
    of_studio.apply(Play::Clip(Some(1)));
    window.run_steps(3);
    assert!(window.query_by_label("Whole clip").is_none());
}

#[test]
fn keys_after_the_end_of_the_clip_can_be_looked_at() {
    let mut window = opened();
    let mut track = no_keys("biceps.l");
    [0.5, 3.0].into_iter().for_each(|time| _ = add_key(&mut track, time, 0.5));
    studio_mut(&mut window).apply(Edit::Part(Part::Keys("bend".into(), vec![track])));
    window.run_steps(2);
    let middle = at(&window, 0.5, 0.5);
    assert!(!says_time(&window, "3 s"));
    wheel(&mut window, middle, -400.0, Modifiers::NONE);
    assert!(says_time(&window, "3 s"), "{:?}", times(&window));
    let end = at(&window, 1.0, 0.4) - vec2(11.0, 0.0);
    assert_eq!(time_at(&mut window, end), 1.0, "time itself stays within the clip");
    click(&mut window, "Whole clip");
    assert!(!says_time(&window, "3 s"));
}

/// What stands below the plot.
fn times(window: &Window) -> Vec<(f32, f32)> {
    let plot = window.get_by_label("Activation curves").rect();
    let inside = written(window).into_iter().filter(|(_, rect, _)| plot.contains_rect(rect.shrink(1.0)));
    let time =
        |(text, rect, _): (String, egui::Rect, _)| Some((text.strip_suffix(" s")?.parse().ok()?, rect.center().x));
    inside.filter_map(time).collect()
}

fn says_time(window: &Window, words: &str) -> bool {
    written(window).iter().any(|(text, ..)| text == words)
}

#[test]
fn numbers_below_the_plot_are_round_and_apart_however_near_one_looks() {
    let mut window = opened();
    let place = at(&window, 0.37, 0.4);
    for lines in [0.0, 3.0, 3.0, 5.0, 9.0, 30.0] {
        wheel(&mut window, place, lines, Modifiers::NONE);
        let times = times(&window);
        assert!(times.len() >= 2, "{times:?}");
        for pair in times.windows(2) {
            let (step, apart) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let ten = 10_f32.powf((step * 1.001).log10().floor());
            let is_round = [1.0, 2.0, 5.0].iter().any(|of| (step / ten / of - 1.0).abs() < 0.02);
            assert!(is_round && (75.0..=250.0).contains(&apart), "{step} s, {apart} points: {times:?}");
        }
    }
}
