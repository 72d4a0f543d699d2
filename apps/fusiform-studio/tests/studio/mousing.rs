//! The mouse in the view: how it moves the camera, what it chooses there, and the line of the split.

use crate::placing::with;
use crate::window::{Window, click, on_arm, press, seen, studio, studio_mut, view};
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, vec2};
use fusiform_studio::model::{Edit, Look, Play, Show, Studio, Tool};
use fusiform_studio::panels::{Mouse, Viewport};
use fusiform_studio::view::{Camera, skin_at};
use glam::{Quat, Vec3};
use std::f32::consts::PI;

const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

fn viewport(window: &mut Window) -> &mut Viewport {
    &mut window.state_mut().session_mut().unwrap().viewport
}

fn camera(window: &Window) -> Camera {
    window.state().session().unwrap().viewport.camera
}

fn hold(window: &mut Window, modifiers: Modifiers) {
    window.event(Event::ModifiersChanged(modifiers));
}

fn button(window: &mut Window, at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    window.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    window.run_steps(1);
}

/// Press, go there in steps, let go.
pub fn sweep(window: &mut Window, which: PointerButton, modifiers: Modifiers, (from, by): (Pos2, Vec2)) {
    window.hover_at(from);
    hold(window, modifiers);
    window.run_steps(1);
    button(window, from, which, true, modifiers);
    for step in 1..=8 {
        window.hover_at(from + by * (step as f32 / 8.0));
        window.run_steps(1);
    }
    button(window, from + by, which, false, modifiers);
    hold(window, Modifiers::NONE);
    window.run_steps(1);
}

fn click_with(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    window.hover_at(at);
    hold(window, modifiers);
    window.run_steps(1);
    button(window, at, PointerButton::Primary, true, modifiers);
    button(window, at, PointerButton::Primary, false, modifiers);
    hold(window, Modifiers::NONE);
    window.run_steps(60); // or the next click would count as the second
}

pub fn scroll(window: &mut Window, at: Pos2, unit: MouseWheelUnit, delta: Vec2, modifiers: Modifiers) {
    window.hover_at(at);
    hold(window, modifiers);
    window.run_steps(1);
    let (phase, source) = (TouchPhase::Move, MouseWheelSource::Unknown);
    window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
    window.run_steps(40);
    hold(window, Modifiers::NONE);
    window.run_steps(1);
}

/// Beside the arm.
fn beside(window: &Window) -> Pos2 {
    view(window).left_top() + vec2(40.0, 60.0)
}

/// What a drag to the right and up did to the camera.
fn told(before: Camera, after: Camera) -> &'static str {
    let Camera { target, yaw, pitch, distance } = after;
    match (target != before.target, (yaw, pitch) != (before.yaw, before.pitch), distance != before.distance) {
        (false, false, false) => "nothing",
        (false, true, false) if yaw < before.yaw && pitch < before.pitch => "turns",
        (true, false, false) if (before.target - target).dot(before.axes()[0]) > 0.0 => "shifts",
        (false, false, true) if distance < before.distance => "zooms in",
        _ => "something else",
    }
}

#[test]
fn buttons_move_the_camera_as_the_list_of_keys_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    use PointerButton::{Middle, Primary, Secondary};
    let ways = [
        (Mouse::Maya, Primary, Modifiers::NONE, "turns"),
        (Mouse::Maya, Primary, Modifiers::ALT, "turns"),
        (Mouse::Maya, Middle, Modifiers::NONE, "shifts"),
        (Mouse::Maya, Middle, Modifiers::ALT, "shifts"),
        (Mouse::Maya, Secondary, Modifiers::NONE, "zooms in"),
        (Mouse::Maya, Secondary, Modifiers::ALT, "zooms in"),
        (Mouse::Blender, Primary, Modifiers::NONE, "nothing"),
        (Mouse::Blender, Middle, Modifiers::NONE, "turns"),
        (Mouse::Blender, Middle, Modifiers::SHIFT, "shifts"),
        (Mouse::Blender, Middle, CTRL, "zooms in"),
        (Mouse::Blender, Secondary, Modifiers::NONE, "nothing"),
    ];
    for (mouse, which, modifiers, expected) in ways {
        viewport(&mut window).mouse = mouse;
        let (from, before) = (beside(&window), camera(&window));
        sweep(&mut window, which, modifiers, (from, vec2(60.0, -20.0)));
        let after = camera(&window);
        assert_eq!(told(before, after), expected, "{mouse:?} {which:?} {modifiers:?}: {before:?} {after:?}");
    }
}

#[test]
fn alt_with_left_turns_the_camera_where_a_limb_could_be_taken_and_shift_shifts_what_is_under_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Pose");
    let (limb, before) = (seen(&window, Vec3::Y * 0.5), camera(&window));
    sweep(&mut window, PointerButton::Primary, Modifiers::ALT, (limb, vec2(60.0, -20.0)));
    assert_eq!(told(before, camera(&window)), "turns");
    assert_eq!(studio(&window).joint, None, "no limb was taken");
    viewport(&mut window).mouse = Mouse::Blender;
    let (point, by) = (camera(&window).target, vec2(70.0, 30.0));
    let from = seen(&window, point);
    sweep(&mut window, PointerButton::Middle, Modifiers::SHIFT, (from, by));
    assert!(seen(&window, point).distance(from + by) < 1.0);
}

#[test]
fn the_wheel_goes_toward_what_is_under_the_mouse_and_toward_the_middle_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let before = camera(&window);
    let (body, state) = studio(&window).live.muscled();
    let on_skin = state.positions()[body.n_vertex() / 2];
    let towards = (before.eye() - on_skin).normalize();
    let hit = skin_at(studio(&window), state, (before.eye(), -towards)).unwrap();
    let at = seen(&window, hit.place);
    scroll(&mut window, at, MouseWheelUnit::Line, vec2(0.0, 3.0), Modifiers::NONE);
    let near = camera(&window);
    assert!(near.distance < 0.8 * before.distance, "{near:?}");
    assert!(seen(&window, hit.place).distance(at) < 1.0, "{} is now at {}", at, seen(&window, hit.place));
    assert!(near.target.distance(hit.place) < before.target.distance(hit.place));
    let beside = beside(&window);
    scroll(&mut window, beside, MouseWheelUnit::Line, vec2(0.0, -3.0), Modifiers::NONE);
    let far = camera(&window);
    assert!(far.distance > near.distance && far.target == near.target, "{far:?}");
}

#[test]
fn two_fingers_with_shift_shift_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let (before, by) = (camera(&window), vec2(5.0, -30.0));
    let from = seen(&window, before.target);
    scroll(&mut window, from, MouseWheelUnit::Point, by, Modifiers::SHIFT);
    let after = camera(&window);
    assert_eq!((after.distance, after.yaw, after.pitch), (before.distance, before.yaw, before.pitch));
    let to = seen(&window, before.target);
    assert!(to.distance(from + by) < 1.0, "{from} to {to}");
}

#[test]
fn a_click_with_alt_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Look::Show(Show::Both));
    window.run_steps(2);
    let (belly, skin) = (seen(&window, Vec3::new(0.025, 0.2, 0.0)), seen(&window, Vec3::new(0.027, 0.5, 0.039)));
    let free = beside(&window);
    for tool in [Tool::Select, Tool::Place, Tool::Create, Tool::Sculpt] {
        for chosen in [None, Some(1)] {
            studio_mut(&mut window).apply(Look::Tool(tool));
            studio_mut(&mut window).apply(Look::Select(None, false));
            studio_mut(&mut window).apply(Look::Select(chosen, false));
            window.run_steps(2);
            let before = (studio(&window).chosen.clone(), studio(&window).document().clone(), camera(&window));
            [belly, skin, free].into_iter().for_each(|at| click_with(&mut window, at, Modifiers::ALT));
            let after = (studio(&window).chosen.clone(), studio(&window).document().clone(), camera(&window));
            assert!(after == before, "{tool:?}: {:?} {:?}", before.0, after.0);
        }
    }
    studio_mut(&mut window).apply(Look::Tool(Tool::Select));
    window.run_steps(2);
    click_with(&mut window, belly, Modifiers::NONE);
    assert!(studio(&window).chosen.iter().eq([&0]), "without alt it does");
    click_with(&mut window, free, Modifiers::NONE);
    assert!(studio(&window).chosen.is_empty());
}

/// The arm with its only muscle along its back.
fn with_a_muscle_at_the_back() -> Studio {
    with(|muscles| {
        for (muscle, x) in muscles.muscles.iter_mut().zip([0.0, 0.03]) {
            muscle.origin.point = Vec3::new(x, 0.05, -0.033);
            muscle.insertion.point = Vec3::new(x, 0.08, -0.033);
        }
    })
}

#[test]
fn a_click_on_skin_chooses_no_muscle_of_the_far_side() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    *studio_mut(&mut window) = with_a_muscle_at_the_back();
    studio_mut(&mut window).apply(Look::Hide(1, true));
    let chosen = |window: &mut Window, yaw: f32, show: Show| {
        viewport(window).camera.look_from(yaw, 0.0);
        studio_mut(window).apply(Look::Show(show));
        studio_mut(window).apply(Look::Select(None, false));
        window.run_steps(2);
        let at = seen(window, Vec3::new(0.0, 0.2, -0.033));
        click_with(window, at, Modifiers::NONE);
        studio(window).chosen.iter().copied().collect::<Vec<_>>()
    };
    for show in [Show::Skin, Show::Weights, Show::Regions] {
        assert!(chosen(&mut window, 0.0, show).is_empty(), "{show:?} from the front");
        assert_eq!(chosen(&mut window, PI, show), [0], "{show:?} from behind");
    }
    for show in [Show::Muscles, Show::Both, Show::Tension] {
        assert_eq!(chosen(&mut window, 0.0, show), [0], "{show:?}: it is seen from the front, too");
    }
}

#[test]
fn the_line_of_the_split_is_where_the_mouse_is_though_that_was_beside_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Split");
    let (rect, y) = (view(&window), view(&window).center().y);
    let x = |share: f32| Pos2::new(rect.left() + share * rect.width(), y);
    window.hover_at(x(0.5));
    window.run_steps(2);
    window.drag_at(x(0.5));
    window.run_steps(1);
    for share in [0.7, 0.9, 1.3, 1.1, 0.8, 0.3] {
        window.hover_at(x(share));
        window.run_steps(1);
        let split = viewport(&mut window).split.unwrap();
        assert!((split - share.clamp(0.02, 0.98)).abs() < 1e-3, "{split} instead of {share}");
    }
    window.drop_at(x(0.3));
    window.run_steps(2);
    assert!((viewport(&mut window).split.unwrap() - 0.3).abs() < 1e-3);
}

#[test]
fn right_of_the_line_no_muscle_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    window.run_steps(2);
    let belly = seen(&window, Vec3::new(0.025, 0.2, 0.0));
    for (split, expected) in [(0.95, vec![0]), (0.05, Vec::new())] {
        viewport(&mut window).split = Some(split);
        click_with(&mut window, belly, Modifiers::NONE);
        assert_eq!(studio(&window).chosen.iter().copied().collect::<Vec<_>>(), expected, "{split}");
    }
}

#[test]
fn right_of_the_line_the_skin_is_where_plain_skinning_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    viewport(&mut window).split = Some(0.05);
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Edit::Turn(1, Quat::from_rotation_z(1.6)));
    studio_now.apply(Play::Tense(1.0));
    click(&mut window, "Create");
    window.run_steps(30);
    // where muscles have pushed the skin out to
    let (rect, now) = (view(&window), studio(&window));
    let ray = |at: Pos2| {
        let share = (at - rect.min) / rect.size();
        camera(&window).ray(glam::Vec2::new(share.x, share.y), rect.aspect_ratio())
    };
    let is_on = |state, at| skin_at(now, state, ray(at)).is_some();
    let places = (0..40 * 40).map(|k| rect.lerp_inside(vec2((k % 40) as f32 / 40.0, (k / 40) as f32 / 40.0)));
    let fine = places.flat_map(|at| (0..9).map(move |k| at + vec2((k % 3) as f32 * 5.0, (k / 3) as f32 * 5.0)));
    let is_muscled_only = |at: &Pos2| is_on(now.live.muscled().1, *at) && !is_on(now.live.plain(), *at);
    let only = fine.into_iter().find(is_muscled_only).expect("muscles move the skin");
    let second = (0..200).map(|k| rect.lerp_inside(vec2(0.5, k as f32 / 200.0)));
    let second = second.into_iter().find(|at| is_on(now.live.plain(), *at)).expect("the arm is in the middle");
    press(&mut window, only);
    press(&mut window, second);
    assert_eq!(studio(&window).muscles().len(), 2, "the first click met nothing");
    viewport(&mut window).split = None;
    window.key_press(Key::Escape);
    window.run_steps(2);
    press(&mut window, only);
    press(&mut window, second);
    assert_eq!(studio(&window).muscles().len(), 4, "{:?}", studio(&window).fault);
}

#[test]
fn f_looks_at_everything_at_the_chosen_muscle_or_at_the_chosen_joint() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let framed = |window: &mut Window| {
        viewport(window).camera.target = Vec3::splat(3.0);
        window.key_press(Key::F);
        window.run_steps(2);
        camera(window)
    };
    let all = framed(&mut window);
    assert!(all.target.distance(Vec3::Y * 0.3) < 1e-3, "{all:?}");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    let muscle = framed(&mut window);
    assert!(muscle.target.x > 0.01 && muscle.distance < 0.8 * all.distance, "{muscle:?}");
    studio_mut(&mut window).apply(Look::Joint(Some(1)));
    assert_eq!(framed(&mut window), muscle, "a chosen muscle comes first");
    studio_mut(&mut window).apply(Look::Select(None, false));
    studio_mut(&mut window).apply(Look::Joint(Some(1)));
    let joint = framed(&mut window);
    assert!(joint.target.distance(Vec3::Y * 0.45) < 1e-3 && joint.distance < 0.8 * all.distance, "{joint:?}");
}

#[test]
fn a_joint_is_chosen_no_more_by_key_by_menu_or_by_a_click_beside_the_body() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let all = {
        window.key_press(Key::F);
        window.run_steps(2);
        camera(&window)
    };
    let by_key = |window: &mut Window| window.key_press_modifiers(CTRL | Modifiers::SHIFT, Key::A);
    let by_menu = |window: &mut Window| {
        click(window, "Edit");
        click(window, "Choose nothing");
    };
    let by_click = |window: &mut Window| {
        let at = beside(window);
        click_with(window, at, Modifiers::SHIFT);
        assert_eq!(studio(window).joint, Some(1), "beside what is chosen there is nothing more");
        click_with(window, at, Modifiers::NONE);
    };
    let ways: [&dyn Fn(&mut Window); 3] = [&by_key, &by_menu, &by_click];
    for way in ways {
        studio_mut(&mut window).apply(Look::Joint(Some(1)));
        window.run_steps(2);
        way(&mut window);
        window.run_steps(2);
        assert_eq!(studio(&window).joint, None);
        window.key_press(Key::F);
        window.run_steps(2);
        assert_eq!(camera(&window), all, "everything is looked at");
    }
}

#[test]
fn the_menu_turns_the_camera_to_every_side() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    for (entry, from) in [
        ("From the front", Vec3::Z),
        ("From behind", -Vec3::Z),
        ("From the side", Vec3::X),
        ("From the other side", -Vec3::X),
        ("From above", Vec3::Y),
        ("From below", -Vec3::Y),
    ] {
        click(&mut window, "View");
        click(&mut window, entry);
        let back = camera(&window).back();
        assert!(back.dot(from) > 0.999, "{entry}: {back}");
    }
}

#[test]
fn at_its_end_a_clip_begins_again_or_stops_and_is_then_played_from_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    for loops in [true, false] {
        let studio = studio_mut(&mut window);
        studio.apply(Play::Clip(Some(0)));
        studio.apply(Play::Loop(loops));
        studio.apply(Play::Seek(0.97));
        studio.apply(Play::Run(true));
        window.run_steps(2);
        let playing = studio_mut(&mut window).live.playing.clone();
        assert_eq!(playing.runs, loops);
        assert!(if loops { playing.time < 0.9 } else { playing.time == 1.0 }, "{playing:?}");
    }
    window.key_press(Key::Space);
    window.run_steps(2);
    let playing = &studio(&window).live.playing;
    assert!(playing.runs && playing.time < 0.9, "{playing:?}");
}

#[test]
fn stepping_back_from_a_short_last_frame_of_a_bake_leaves_none_out() {
    let (project, muscles) =
        fusiform_studio::model::Project::from_bytes("arm.glb", &crate::arm::fleshy_glb()).expect("a sound file");
    let mut studio = Studio::new(project, muscles, None).expect("sound muscles");
    let character = studio.project.character.clone();
    studio.apply(Play::Clip(Some(0)));
    let counted = studio.live.frame(&character).1;
    studio.apply(Play::Baked(Some(fusiform_studio::model::AsBaked::default())));
    let begin = std::time::Instant::now();
    let wait_for = |studio: &mut Studio, frame: Option<usize>| loop {
        studio.live.advance(&character, 0.0);
        match studio.live.baked_frame() {
            Some((shown, of)) if frame.is_none_or(|frame| shown == frame) => return (shown, of),
            shown => assert!(begin.elapsed() < crate::window::PATIENCE, "{shown:?} instead of {frame:?}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    let (_, n) = wait_for(&mut studio, None);
    assert_eq!(counted, n, "frames of the display are those of a bake at the same rate");
    studio.apply(Play::Seek(10.0));
    wait_for(&mut studio, Some(n - 1));
    let end = studio.live.playing.time;
    for frame in (0..n - 1).rev() {
        studio.apply(Play::Frames(-1));
        wait_for(&mut studio, Some(frame));
        assert!(frame + 2 < n || end - studio.live.playing.time < 0.9 / 30.0, "the last frame is a short one");
    }
    studio.apply(Play::Frames(-1));
    wait_for(&mut studio, Some(0));
    for frame in 1..n {
        studio.apply(Play::Frames(1));
        wait_for(&mut studio, Some(frame));
    }
}
