//! Weights are painted: in the view, on the skin as it is posed, and on both sides.

use crate::window::{Window, click, drag, drawn, look, on_arm, seen, studio, studio_mut};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use fusiform_files::gltf::Gltf;
use fusiform_studio::app::Begin;
use fusiform_studio::model::kernels::{Row, weight_in};
use fusiform_studio::model::{
    Action, Brush, Dab, Document, Falloff, Look, Mode, Painting, Play, Project, Studio, Target, Tool, other_side,
};
use glam::{Affine3A, Vec3};
use std::path::Path;

/// Vertices of a row of the arm.
pub const AROUND: usize = 8;

pub fn painting(folder: &Path, target: Target, brush: impl Fn(&mut Brush)) -> Window {
    let mut window = on_arm(folder);
    let studio = studio_mut(&mut window);
    studio.apply(Look::Tool(Tool::Paint));
    match target {
        Target::Joint(joint) => studio.apply(Look::Joint(Some(joint))),
        Target::Muscle(muscle) => studio.apply(Look::Select(Some(muscle), false)),
    }
    let mut with = Brush { radius: 0.09, strength: 0.5, ..studio.brush };
    brush(&mut with);
    studio.apply(Look::Brush(with));
    window.run_steps(2);
    window
}

pub fn joint_weight(studio: &Studio, v: usize, joint: u16) -> f32 {
    weight_in(&studio.document().joints[0].of(v).collect::<Row>(), joint)
}

fn muscle_weight(studio: &Studio, v: usize, muscle: u16) -> f32 {
    weight_in(&studio.document().musculature.weights[0].of(v).collect::<Row>(), muscle)
}

pub fn n(studio: &Studio) -> usize {
    studio.project.character.meshes[0].positions.len()
}

/// The vertex of the arm that is its mirror image.
fn mirror(v: usize) -> usize {
    v - v % AROUND + (AROUND / 2 + AROUND - v % AROUND) % AROUND
}

#[test]
fn a_stroke_paints_the_joint_under_it_on_the_side_that_is_seen_and_undo_takes_it_back_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |_| {});
    studio_mut(&mut window).apply(Look::Mirrored(false));
    let (first, camera) = (studio(&window).document().clone(), window.state().session().unwrap().viewport.camera);
    let [from, to] = [0.35, 0.55].map(|y| seen(&window, Vec3::new(0.0, y, 0.0)));
    drag(&mut window, from, to);
    let painted = studio(&window);
    assert_eq!(window.state().session().unwrap().viewport.camera, camera, "the camera stays");
    let most = (0..n(painted)).map(|v| joint_weight(painted, v, 2)).fold(0.0, f32::max);
    assert!(most > 0.2 && most <= 0.5, "a stroke does no more than its strength: {most}");
    for v in 0..n(painted) {
        let sum: f32 = painted.document().joints[0].of(v).map(|(_, w)| w).sum();
        let normal = painted.live.muscled().1.normals()[v];
        assert!((sum - 1.0).abs() < 1e-6);
        assert!(normal.dot(camera.back()) > 0.0 || joint_weight(painted, v, 2) == 0.0, "not through to the other side");
    }
    assert_eq!(painted.history.undo_label(), Some("Paint"));
    let last = painted.document().clone();
    studio_mut(&mut window).apply(Action::Undo);
    assert_eq!(studio(&window).document(), &first);
    assert_eq!(studio(&window).history.undo_label(), None, "a stroke is one step");
    studio_mut(&mut window).apply(Action::Redo);
    assert_eq!(studio(&window).document(), &last);
}

#[test]
fn a_click_is_a_stroke_and_striking_again_does_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.falloff = Falloff::Constant);
    let at = seen(&window, Vec3::new(0.0, 0.525, 0.0));
    let mut last = 0.0;
    for times in 1..=2 {
        drag(&mut window, at, at);
        let most = (0..n(studio(&window))).map(|v| joint_weight(studio(&window), v, 2)).fold(0.0, f32::max);
        assert!((most - 0.5 * times as f32).abs() < 1e-6 && most > last, "{most}");
        last = most;
    }
}

#[test]
fn what_is_bent_is_painted_where_it_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.radius = 0.06);
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Seek(0.5));
    window.run_steps(2);
    let skin = studio(&window).live.muscled().1.positions().to_vec();
    let tip = skin[skin.len() - AROUND..].iter().sum::<Vec3>() / AROUND as f32;
    assert!(tip.distance(Vec3::Y * 0.6) > 0.2, "it is bent");
    let to = seen(&window, tip);
    let from = seen(&window, 0.5 * (tip + Vec3::Y * 0.3));
    drag(&mut window, from, from + (to - from) * 0.5);
    let painted: Vec<usize> = (0..n(studio(&window))).filter(|&v| joint_weight(studio(&window), v, 2) > 0.0).collect();
    assert!(!painted.is_empty());
    let elbow = Vec3::Y * 0.3;
    let far = |p: Vec3| (p - elbow).dot((tip - elbow).normalize());
    assert!(painted.iter().all(|&v| far(skin[v]) > 0.02), "only the forearm, where the stroke went: {painted:?}");
}

#[test]
fn both_sides_are_painted_alike_also_across_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    for (target, twin) in [(Target::Muscle(0), Some(1)), (Target::Joint(2), None)] {
        let mut window = painting(folder.path(), target, |brush| brush.radius = 0.07);
        window.state_mut().session_mut().unwrap().viewport.camera.yaw = 0.0;
        let before = studio(&window).document().clone();
        let [from, to] = [Vec3::new(0.04, 0.2, 0.0), Vec3::new(-0.03, 0.35, 0.0)].map(|p| seen(&window, p));
        drag(&mut window, from, to);
        let studio = studio(&window);
        assert_ne!(studio.document(), &before);
        // the vertices in the middle itself belong to one muscle or the other to begin with
        for v in (0..n(studio)).filter(|v| v % 4 != 2) {
            let [here, there] = match twin {
                Some(twin) => [muscle_weight(studio, v, 0), muscle_weight(studio, mirror(v), twin)],
                None => [joint_weight(studio, v, 2), joint_weight(studio, mirror(v), 2)],
            };
            assert!((here - there).abs() < 1e-6, "{target:?}, vertex {v}: {here} and {there}");
        }
        if twin.is_none() {
            let most = (0..n(studio)).map(|v| joint_weight(studio, v, 2)).fold(0.0, f32::max);
            assert!(most <= 0.5, "what is its own twin is painted once: {most}");
        }
    }
}

#[test]
fn joints_have_twins_by_name_or_by_place_and_those_in_the_middle_are_their_own() {
    let (project, musculature) = Project::athlete(Some(3_700)).unwrap();
    let document = Document::new(&project.character, musculature);
    let joints = &project.character.skeleton.joints;
    let mut sides = 0;
    for (j, joint) in joints.iter().enumerate() {
        let Some(Target::Joint(other)) = other_side(&project, &document, Target::Joint(j)) else {
            panic!("{} has no other side", joint.name);
        };
        let (here, there) = (joint.bind.translation, joints[other].bind.translation);
        let apart = Vec3::new(here.x + there.x, here.y - there.y, here.z - there.z).length();
        assert!(apart < 0.02, "{} and {} are {apart} m apart", joint.name, joints[other].name);
        assert_eq!(other_side(&project, &document, Target::Joint(other)), Some(Target::Joint(j)));
        sides += usize::from(other != j);
    }
    assert!(sides > 10 && sides < joints.len(), "{sides} of {}", joints.len());
}

/// Put the brush down where a vertex is.
pub fn dab(studio: &Studio, vertex: usize) -> Dab {
    let (body, state) = studio.live.muscled();
    let of = body.triangles().iter().find(|corners| corners.contains(&(vertex as u32))).unwrap();
    Dab { place: state.positions()[vertex], normal: state.normals()[vertex], corners: of.map(|v| v as usize) }
}

/// A stroke over those vertices.
pub fn strike(studio: &mut Studio, mode: Mode, vertices: &[usize]) {
    let mut painting = Painting::begin(studio, mode).expect("something is chosen");
    for &vertex in vertices {
        painting.dab(studio, studio.live.muscled().1, &dab(studio, vertex));
        let action = painting.take(studio);
        action.into_iter().for_each(|action| studio.apply(action));
    }
}

/// Where bodies are that are worked on: at the origin, beside it, and turned to the side.
pub fn places() -> [Affine3A; 3] {
    [Affine3A::IDENTITY, Affine3A::from_translation(Vec3::X), Affine3A::from_rotation_y(std::f32::consts::FRAC_PI_2)]
}

/// The athlete as it stands there.
pub fn athlete_at(place: Affine3A) -> Studio {
    let (project, musculature) = Project::athlete(Some(3_700)).unwrap();
    let mut character = project.character;
    for joint in &mut character.skeleton.joints {
        joint.bind = place * joint.bind;
        if joint.parent.is_none() {
            (joint.rest.rotation, joint.rest.translation) = (
                glam::Quat::from_affine3a(&place) * joint.rest.rotation,
                place.transform_point3(joint.rest.translation),
            );
        }
    }
    for mesh in &mut character.meshes {
        mesh.positions.iter_mut().for_each(|p| *p = place.transform_point3(*p));
        mesh.normals.iter_mut().for_each(|n| *n = place.transform_vector3(*n));
    }
    character.clips.clear(); // they move the root
    let glb = Gltf::from_character(&character).to_glb().unwrap();
    let (project, _) = Project::from_bytes("athlete.glb", &glb).unwrap();
    Studio::new(project, musculature, None).unwrap()
}

#[test]
fn twin_joints_of_a_whole_body_are_painted_alike() {
    places().into_iter().for_each(twin_joints_are_painted_alike);
}

fn twin_joints_are_painted_alike(place: Affine3A) {
    let mut studio = athlete_at(place);
    let joints = &studio.project.character.skeleton.joints;
    let document = studio.document().clone();
    let [left, right] =
        ["upper_leg.l", "upper_leg.r"].map(|name| studio.project.character.skeleton.find(name).unwrap());
    let home = place.inverse();
    let places: Vec<Vec3> =
        studio.project.character.meshes[0].positions.iter().map(|p| home.transform_point3(*p)).collect();
    let at = home.transform_point3(joints[left].bind.translation.into());
    // on the inside of the thigh, near to the other one
    let near = |v: &usize| (places[*v].x.abs() + (places[*v].y - at.y + 0.05).abs() * 1e3) as i64;
    let vertex = (0..places.len()).min_by_key(near).unwrap();
    studio.apply(Look::Joint(Some(left)));
    studio.apply(Look::Brush(Brush { radius: 0.15, strength: 0.4, ..studio.brush }));
    strike(&mut studio, Mode::Add, &[vertex]);
    assert_ne!(studio.document(), &document);
    let mut pairs = 0;
    for v in 0..places.len() {
        let image = places[v].with_x(-places[v].x);
        let Some(other) = (0..places.len()).find(|&o| places[o].distance(image) < 2e-6) else { continue };
        let (l, r) = (left as u16, right as u16);
        let change = |v: usize, joint: u16| {
            joint_weight(&studio, v, joint) - weight_in(&document.joints[0].of(v).collect::<Row>(), joint)
        };
        let here = [change(v, l), change(other, r)];
        pairs += usize::from(here[0] > 0.01);
        assert!((here[0] - here[1]).abs() < 2e-3, "vertex {v}: {here:?}");
    }
    assert!(pairs > 3, "only {pairs} pairs of vertices at {place:?}");
}

#[test]
fn it_does_not_matter_how_often_the_mouse_tells_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let stroke = |pieces: usize, mode: Mode| {
        let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.mode = mode);
        let [from, to] = [0.2, 0.5].map(|y| seen(&window, Vec3::new(0.0, y, 0.0)));
        window.hover_at(from);
        window.run_steps(1);
        window.drag_at(from);
        window.run_steps(1);
        for k in 1..=pieces {
            window.hover_at(from + (to - from) * (k as f32 / pieces as f32));
            window.run_steps(1);
        }
        window.drop_at(to);
        window.run_steps(2);
        let studio = studio(&window);
        (0..n(studio)).map(|v| joint_weight(studio, v, 2)).collect::<Vec<f32>>()
    };
    for mode in [Mode::Add, Mode::Replace] {
        let (slow, fast) = (stroke(40, mode), stroke(3, mode));
        assert!(fast.iter().any(|w| *w > 0.1));
        let apart = slow.iter().zip(&fast).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 2e-3, "{mode:?}: {apart}");
    }
}

#[test]
fn locked_joints_stay_and_the_panel_locks_chooses_and_sets() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(1), |_| {});
    click(&mut window, "Lock upper");
    click(&mut window, "Replace");
    assert_eq!(studio(&window).brush.mode, Mode::Replace);
    let first = studio(&window).document().clone();
    let at = seen(&window, Vec3::new(0.0, 0.25, 0.0));
    drag(&mut window, at, at + vec2(0.0, 30.0));
    for v in 0..n(studio(&window)) {
        let before = weight_in(&first.joints[0].of(v).collect::<Row>(), 0);
        assert_eq!(joint_weight(studio(&window), v, 0), before, "what is locked keeps its weight");
    }
    click(&mut window, "Lock upper");
    drag(&mut window, at, at + vec2(0.0, 30.0));
    assert_ne!(studio(&window).document(), &first);
    click(&mut window, "Muscle weights");
    click(&mut window, "Paint biceps.r");
    assert_eq!(studio(&window).painted(), Some(Target::Muscle(1)), "{:?}", studio(&window).joint);
    click(&mut window, "Joints");
    click(&mut window, "Paint hand");
    assert_eq!(studio(&window).painted(), Some(Target::Joint(2)));
}

pub fn press(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run_steps(2);
}

#[test]
fn keys_and_the_mouse_size_the_brush_and_ctrl_click_chooses_a_limb() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |_| {});
    let radius = |window: &Window| studio(window).brush.radius;
    let first = radius(&window);
    press(&mut window, Key::CloseBracket);
    let larger = radius(&window);
    assert!(larger > first);
    press(&mut window, Key::OpenBracket);
    assert!((radius(&window) - first).abs() < 1e-6);
    let document = studio(&window).document().clone();
    let at = seen(&window, Vec3::new(0.0, 0.45, 0.0));
    window.key_down(Key::B);
    drag(&mut window, at, at + vec2(60.0, 0.0));
    window.key_up(Key::B);
    window.run_steps(1);
    assert!(radius(&window) > 1.2 * first, "{} from {first}", radius(&window));
    assert_eq!(studio(&window).document(), &document, "sizing paints nothing");
    let at = seen(&window, Vec3::new(0.0, 0.1, 0.0));
    ctrl_click(&mut window, at);
    assert_eq!(studio(&window).joint, Some(0), "the upper arm");
    assert_eq!(studio(&window).document(), &document, "choosing paints nothing");
}

fn ctrl_click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_steps(1);
    let modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        window.event_modifiers(egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
        window.run_steps(1);
    }
    window.run_steps(1);
}

/// Press at the one place and move to the other, without letting go.
pub fn press_and_move(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(to);
    window.run_steps(2);
}

#[test]
fn a_stroke_ends_with_its_tool_and_with_undo_and_the_camera_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(2), |brush| brush.radius = 0.03);
    let [from, on, to] = [0.15, 0.2, 0.45].map(|y| seen(&window, Vec3::new(0.0, y, 0.0)));
    let camera = window.state().session().unwrap().viewport.camera;
    let first = studio(&window).document().clone();
    press_and_move(&mut window, from, on);
    let painted = studio(&window).document().clone();
    assert_ne!(painted, first);
    press(&mut window, Key::L);
    press(&mut window, Key::K);
    window.hover_at(to);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &painted, "another tool was in hand");
    window.drop_at(to);
    window.run_steps(2);
    press_and_move(&mut window, to, on);
    assert_ne!(studio(&window).document(), &painted, "the next stroke");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    window.hover_at(from);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &painted, "what is taken back is let go");
    window.drop_at(from);
    window.run_steps(2);
    assert_eq!(window.state().session().unwrap().viewport.camera, camera);
}

#[test]
fn numbers_stand_beside_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = painting(folder.path(), Target::Joint(1), |_| {});
    let at = seen(&window, Vec3::new(0.0, 0.3, 0.0));
    window.hover_at(at);
    window.run_steps(3);
    // half-way over the elbow
    let number = |window: &Window, name: &str| -> f32 {
        let text = window.get_by_label_contains(&format!("{name} 0.")).value().expect("a number");
        text.trim_start_matches(name).trim().parse().expect("a number")
    };
    let (lower, upper) = (number(&window, "lower"), number(&window, "upper"));
    assert!((lower + upper - 1.0).abs() < 2e-3 && (0.2..0.8).contains(&lower), "{lower} and {upper}");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(2);
    window.get_by_label_contains("biceps.l 0.");
}

#[test]
fn a_skin_that_is_not_the_same_left_and_right_is_painted_on_both_sides_all_the_same() {
    let glb = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf/CesiumMan.glb");
    let Ok((project, musculature)) = Project::open(&glb) else {
        return skipped!("{}: it is not there", glb.display());
    };
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let (places, first) = (studio.project.character.meshes[0].positions.clone(), studio.document().clone());
    let height = studio.project.character.height();
    let heaviest = |v: usize| first.joints[0].of(v).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
    let side = |v: usize| match other_side(&studio.project, &first, Target::Joint(usize::from(heaviest(v)))) {
        Some(Target::Joint(other)) if other != usize::from(heaviest(v)) => Some((heaviest(v), other as u16)),
        _ => None,
    };
    let used = |v: &usize| studio.live.muscled().0.triangles().iter().any(|corners| corners.contains(&(*v as u32)));
    let leg = |v: &usize| places[*v].x > 0.03 * height && places[*v].y < 0.4 * height;
    let (vertex, (joint, twin)) =
        (0..places.len()).filter(leg).filter(used).find_map(|v| Some((v, side(v)?))).expect("a joint with a twin");
    studio.apply(Look::Joint(Some(usize::from(joint))));
    studio.apply(Look::Brush(Brush { radius: 0.1 * height, strength: 0.5, ..studio.brush }));
    strike(&mut studio, Mode::Subtract, &[vertex]);
    let taken = |joint: u16| {
        let of = |v: usize| weight_in(&first.joints[0].of(v).collect::<Row>(), joint) - joint_weight(&studio, v, joint);
        let (sum, at) = (0..places.len()).fold((0.0, Vec3::ZERO), |(sum, at), v| (sum + of(v), at + of(v) * places[v]));
        (sum, at / sum)
    };
    let ((here, at), (there, other)) = (taken(joint), taken(twin));
    eprintln!("{here} at {at} and {there} at {other}");
    assert!(here > 0.1 && (0.5..2.0).contains(&(there / here)), "{here} and {there}");
    assert!(at.with_x(-at.x).distance(other) < 0.05 * height, "{at} and {other}");
}

/// Seconds for what takes a few hundredths, on a machine that has other things to do.
const SOON: f32 = 2.0;

#[test]
fn a_step_of_a_stroke_over_a_whole_body_takes_no_time_to_speak_of() {
    let (project, musculature) = Project::athlete(Some(12_000)).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    studio.apply(Look::Brush(Brush { radius: 0.06, ..studio.brush }));
    assert!(studio.project.skin().len() <= studio.project.character.vertex_count());
    for (what, look) in [("joint", Look::Joint(Some(5))), ("muscle", Look::Select(Some(3), false))] {
        studio.apply(Look::Tool(Tool::Paint));
        studio.apply(look);
        let mut painting = Painting::begin(&studio, Mode::Add).unwrap();
        let body = |studio: &Studio| studio.live.muscled().1.clone();
        painting.dab(&studio, &body(&studio), &dab(&studio, 1000)); // the other side is found once
        painting.take(&studio).into_iter().for_each(|action| studio.apply(action));
        let before = studio.document().clone();
        let mut step = |vertex: usize| {
            let begin = std::time::Instant::now();
            painting.dab(&studio, studio.live.muscled().1, &dab(&studio, vertex));
            let action = painting.take(&studio).expect("it painted");
            studio.apply(action);
            begin.elapsed().as_secs_f32()
        };
        let took = [5000, 5100, 5200].map(&mut step).into_iter().fold(f32::MAX, f32::min);
        assert!(studio.document() != &before, "the {what} is painted");
        assert!(took < SOON, "a step of a {what} stroke: {took} s");
    }
}

#[test]
fn the_brush_is_seen_on_the_arm_of_the_athlete() {
    let Some(mut window) = drawn(Begin::Athlete(Some(12_000)), "painting the athlete") else { return };
    let skeleton = &studio(&window).project.character.skeleton;
    let [joint, child] = ["upper_arm.l", "lower_arm.l"].map(|name| skeleton.find(name).unwrap());
    let [a, b] = [joint, child].map(|j| Vec3::from(skeleton.joints[j].bind.translation));
    let studio = studio_mut(&mut window);
    studio.apply(Look::Tool(Tool::Paint));
    studio.apply(Look::Joint(Some(joint)));
    studio.apply(Look::Brush(Brush { mode: Mode::Subtract, strength: 0.8, ..studio.brush }));
    let reach = Vec3::splat(0.25);
    let camera = &mut window.state_mut().session_mut().unwrap().viewport.camera;
    camera.frame(a.min(b) - reach, a.max(b) + reach);
    window.run_steps(2);
    let [from, to] = [0.3, 0.8].map(|t| seen(&window, a.lerp(b, t)));
    window.hover_at(from);
    window.run_steps(2);
    look(&mut window, "paint_before");
    let before = window.render().expect("a window with pictures");
    drag(&mut window, from, to);
    window.hover_at(to);
    window.run_steps(2);
    look(&mut window, "paint_after");
    let after = window.render().expect("a window with pictures");
    // where the stroke began the mouse is no more: what differs there is how much the joint weighs
    let [x, y] = [from.x, from.y].map(|at| at.round() as u32);
    let differs =
        |x: u32, y: u32| before.get_pixel(x, y).0.iter().zip(after.get_pixel(x, y).0).any(|(a, b)| a.abs_diff(b) > 8);
    let near = (x - 3..=x + 3).flat_map(|x| (y - 3..=y + 3).map(move |y| (x, y)));
    assert!(near.filter(|&(x, y)| differs(x, y)).count() > 20, "what was painted is seen");
}
