//! Playing: what rests costs nothing, and what goes on goes on smoothly.

use crate::arm;
use crate::window::{Window, click, drawn, on_arm, studio, studio_mut};
use egui::{ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;
use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Character, Clip, Musculature};
use fusiform_files::gltf::{Gltf, Scene};
use fusiform_studio::app::Begin;
use fusiform_studio::model::keys::{add_key, no_keys};
use fusiform_studio::model::{Action, Edit, Live, Look, Part, Play, Project, Show, Studio};
use fusiform_studio::view::{Camera, Extras, Geometry, Gpu};
use glam::Vec3;
use std::time::Duration;

const FRAME: f32 = 1.0 / 60.0;

fn character() -> (Character, Musculature) {
    let gltf = Gltf::read(&arm::glb(), |_| Err("nothing is beside it".into())).unwrap();
    let scene = Scene::read(&gltf).unwrap();
    (scene.character, scene.musculature.unwrap())
}

/// A clip in which the whole arm goes so far at an even pace and nothing turns: it comes round, but for where it stands.
fn walk(far: f32) -> Clip {
    let track =
        Track { times: vec![0.0, 1.0], values: vec![Vec3::ZERO, Vec3::Z * far], interpolation: Interpolation::Linear };
    Clip { name: "walk".into(), channels: vec![Channel { joint: 0, keys: Keys::Translation(track) }] }
}

/// How far the skin is at most from where joints alone put it, over some frames, m.
fn farthest(live: &mut Live, character: &Character, frames: usize) -> f32 {
    let mut farthest = 0.0_f32;
    for _ in 0..frames {
        live.advance(character, FRAME);
        live.show_plain();
        let (muscled, plain) = (live.muscled().1.positions(), live.plain().positions());
        farthest = muscled.iter().zip(plain).fold(farthest, |far, (a, b)| far.max(a.distance(*b)));
    }
    farthest
}

#[test]
fn what_rests_is_not_solved_again_and_what_is_touched_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    window.run_steps(60);
    let rests = studio(&window).live.moment();
    window.run_steps(10);
    assert_eq!(studio(&window).live.moment(), rests);
    let delay = window.output().viewport_output[&ViewportId::ROOT].repaint_delay;
    assert!(delay >= Duration::from_millis(400), "{delay:?}: the window is drawn again when somebody does something");
    for touch in [
        Action::from(Play::Tense(0.8)),
        Play::Clip(Some(0)).into(), // begins in the pose it was in
        Play::Seek(0.4).into(),
        Edit::Turn(1, glam::Quat::from_rotation_z(0.5)).into(),
        Play::Settle.into(),
    ] {
        studio_mut(&mut window).apply(Play::Run(false));
        window.run_steps(300);
        let before = (studio(&window).live.moment(), studio(&window).live.muscled().1.positions().to_vec());
        studio_mut(&mut window).apply(touch.clone());
        window.run_steps(60);
        assert_ne!(studio(&window).live.moment(), before.0, "{touch:?}");
        let moved = studio(&window).live.muscled().1.positions() != before.1;
        assert_eq!(moved, !matches!(touch, Action::Play(Play::Clip(_))), "{touch:?}");
    }
}

#[test]
fn a_view_that_shows_the_same_is_not_drawn_again() {
    let Some(mut window) = drawn(Begin::Athlete(Some(3_700)), "a view that rests") else { return };
    let state = window.state().render_state().unwrap().clone();
    let gpu = (&state.device, &state.queue);
    let (mut geometry, mut view) = (Geometry::default(), Gpu::new(gpu.0));
    let mut camera = Camera::framing(Vec3::splat(-1.0), Vec3::splat(1.0));
    let mut drawn = |window: &Window, camera: &Camera| {
        let scene = geometry.fill(studio(window), Extras::default());
        let before = view.sent().places;
        view.draw(gpu, (camera, [0.2; 3]), &scene, [64, 64]);
        view.sent().places > before
    };
    assert!(drawn(&window, &camera) && !drawn(&window, &camera));
    camera.orbit(glam::Vec2::new(0.1, 0.0));
    assert!(drawn(&window, &camera) && !drawn(&window, &camera));
    studio_mut(&mut window).apply(Edit::Turn(1, glam::Quat::from_rotation_z(0.2)));
    let character = studio(&window).project.character.clone();
    studio_mut(&mut window).live.advance(&character, FRAME);
    assert!(drawn(&window, &camera) && !drawn(&window, &camera));
    studio_mut(&mut window).apply(Look::Show(Show::Weights));
    assert!(drawn(&window, &camera) && !drawn(&window, &camera));
}

#[test]
fn a_loop_that_walks_away_goes_on_without_a_jump() {
    let (mut character, musculature) = character();
    character.clips = vec![walk(1.5), walk(0.0)];
    let mut live = Live::new(&character, &musculature).unwrap();
    live.choose(&character, Some(0));
    live.playing.runs = true;
    let first = farthest(&mut live, &character, 55);
    let round = farthest(&mut live, &character, 60);
    assert!(live.playing.time < 1.0 && round < 1.05 * first + 1e-4, "{round} m about the end of a lap, {first} before");
}

#[test]
fn a_motion_that_is_taken_back_while_it_plays_leaves_the_flesh_at_rest() {
    let (mut character, musculature) = character();
    character.clips.push(walk(3.0));
    let mut live = Live::new(&character, &musculature).unwrap();
    live.choose(&character, Some(1));
    live.playing.runs = true;
    farthest(&mut live, &character, 40);
    character.clips.pop();
    live.rebind(&character, &musculature, Vec::new()).unwrap();
    assert_eq!(live.playing.clip, None);
    let far = farthest(&mut live, &character, 30);
    assert!(far < 1e-5, "{far} m");
}

#[test]
fn a_window_that_is_minimised_asks_before_it_closes_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Edit::Delete);
    window.run_steps(2);
    // eframe asks a hidden window for nothing but this
    let mut input = window.input().clone();
    let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
    viewport.minimized = Some(true);
    viewport.events.push(ViewportEvent::Close);
    let context = window.ctx.clone();
    let commands = {
        let app = window.state_mut();
        let output =
            context.run_logic(&input, |context| eframe::App::logic(app, context, &mut eframe::Frame::_new_kittest()));
        output.viewport_commands.get(&ViewportId::ROOT).cloned().unwrap_or_default()
    };
    assert!(commands.contains(&ViewportCommand::CancelClose), "{commands:?}");
    assert!(commands.contains(&ViewportCommand::Minimized(false)), "{commands:?}");
    assert!(window.state().is_asking());
}

#[test]
fn studios_are_told_apart_by_their_moments() {
    let studios = [(); 2].map(|()| {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        Studio::new(project, muscles, None).unwrap()
    });
    assert_ne!(studios[0].live.moment(), studios[1].live.moment());
}

/// Tensed over a clip.
fn keyed(clip: &str) -> Edit {
    let mut track = no_keys("biceps.l");
    add_key(&mut track, 0.2, 1.0);
    Edit::Part(Part::Keys(clip.into(), vec![track]))
}

#[test]
fn motions_are_renamed_and_removed_with_the_keys_over_them_and_those_of_the_file_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let session = studio_mut(&mut window);
    session.apply(Edit::Motion(walk(1.0)));
    session.apply(Edit::Motion(Clip { name: "run".into(), ..walk(2.0) }));
    [keyed("walk"), keyed("run")].into_iter().for_each(|edit| session.apply(edit));
    session.apply(Play::Clip(Some(2)));
    session.apply(Play::Seek(0.5));
    let before = session.document().clone();
    let clip = |studio: &Studio| {
        let playing = &studio.live.playing;
        playing.clip.map(|clip| (studio.project.character.clips[clip].name.clone(), playing.time))
    };
    let curves = |studio: &Studio| {
        let curves = &studio.document().musculature.activation.curves;
        curves.iter().map(|of| of.clip.clone()).collect::<Vec<_>>()
    };
    session.apply(Edit::RemoveMotion(0));
    assert_eq!((clip(session), curves(session)), (Some(("run".into(), 0.5)), vec!["run".into()]), "it goes on");
    session.apply(Action::Undo);
    assert_eq!((session.document(), clip(session)), (&before, Some(("run".into(), 0.5))));
    for (name, told) in [("bend", "another clip"), (" ", "needs a name")] {
        session.apply(Edit::RenameMotion(1, name.into()));
        assert!(session.fault.take().is_some_and(|fault| fault.message.contains(told)), "{name}");
        assert_eq!(session.document(), &before);
    }
    window.run_steps(3);
    click(&mut window, "Motion");
    window.get_by_label("Motion's name").focus();
    window.run_steps(1);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.get_by_label("Motion's name").type_text("sprint");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    let session = studio(&window);
    assert_eq!((clip(session), curves(session)), (Some(("sprint".into(), 0.5)), vec!["walk".into(), "sprint".into()]));
    click(&mut window, "Motion");
    click(&mut window, "Remove motion");
    let session = studio_mut(&mut window);
    assert_eq!((clip(session), session.project.character.clips.len()), (None, 2), "the bind pose is shown");
    session.apply(Play::Clip(Some(0)));
    window.run_steps(2);
    click(&mut window, "Motion");
    assert!(window.query_by_label("Remove motion").is_none(), "it is the file's");
}
