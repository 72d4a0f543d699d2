//! Weights are painted: in the view, on the skin as it is posed, on both sides, and into the file.

use crate::arm;
use crate::window::{Window, click, drag, drawn, look, on_arm, seen, studio, studio_mut, view};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::{Mesh, SparseWeights};
use fusiform_files::gltf::{Gltf, Scene};
use fusiform_studio::app::Begin;
use fusiform_studio::model::kernels::{Row, set_joints, set_muscles, wanted, weight_in};
use fusiform_studio::model::{
    Action, Brush, Dab, Document, Falloff, Look, Mode, Painting, Play, Project, Studio, Target, Tool, other_side,
};
use glam::Vec3;
use proptest::prelude::*;
use std::path::Path;

const AROUND: usize = 8; // vertices of a row of the arm

/// Rows as eight-bit files have them, joints apart.
fn row() -> impl Strategy<Value = Row> {
    prop::collection::btree_map(0_u16..9, 1_u8..=255, 1..5).prop_map(|of| {
        let sum: f64 = of.values().map(|w| f64::from(*w)).sum();
        of.into_iter().map(|(i, w)| (i, (f64::from(w) / sum) as f32)).collect()
    })
}

fn total(row: &[(u16, f32)]) -> f32 {
    row.iter().map(|(_, w)| w).sum()
}

proptest! {
    #[test]
    fn joint_weights_sum_to_one_exactly_and_stay_legal(
        before in row(), wants in prop::collection::btree_map(0_u16..9, 0.0_f32..=1.0, 1..3), other in 9_u16..12,
    ) {
        let (mut row, wants) = (before, wants.into_iter().collect::<Row>());
        set_joints(&mut row, &wants, |_| false, 4, || vec![(other, 1.0)]);
        let changed = wants.iter().any(|(i, w)| (weight_in(&row, *i) - w).abs() < 1e-6);
        if changed {
            prop_assert_eq!(total(&row), 1.0);
            prop_assert_eq!(row.iter().rev().map(|(_, w)| w).sum::<f32>(), 1.0, "in any order");
        }
        prop_assert!(row.len() <= 4 && row.iter().all(|(_, w)| (2e-6..=1.0).contains(w)), "{:?}", row);
        let sum = total(&wants);
        for (i, want) in &wants {
            let want = if sum > 1.0 { want / sum } else { *want };
            prop_assert!((weight_in(&row, *i) - want).abs() < 1e-5, "{i} is to be {want}: {:?}", row);
        }
    }

    #[test]
    fn locked_joints_keep_their_weight_to_the_bit(before in row(), lock in 0_usize..4, target in 0_u16..9, want in 0.0_f32..=1.0) {
        let (locked, held) = before[lock % before.len()];
        let mut row = before.clone();
        set_joints(&mut row, &[(target, want)], |i| i == locked, 4, Row::new);
        prop_assert_eq!(weight_in(&row, locked), held);
        prop_assert!((total(&row) - 1.0).abs() < 3e-7, "{:?} from {:?}", row, before);
        prop_assert!(row.len() <= 4 && row.iter().all(|(_, w)| *w >= 0.0));
    }

    #[test]
    fn muscle_weights_leave_the_joints_their_part(
        before in row(), scale in 0.0_f32..0.9, lock in 0_u16..9, target in 0_u16..9, want in 0.0_f32..=1.0,
    ) {
        let before: Row = before.into_iter().map(|(i, w)| (i, w * scale)).filter(|(_, w)| *w > 1e-5).collect();
        let mut row = before.clone();
        set_muscles(&mut row, &[(target, want)], |i| i == lock);
        prop_assert!(total(&row) < 0.9 + 1e-5 && row.len() <= 4, "{:?}", row);
        prop_assert_eq!(weight_in(&row, lock), weight_in(&before, lock));
        for (i, w) in row.iter().filter(|(i, _)| *i != target) {
            prop_assert!(*w <= weight_in(&before, *i), "others never grow");
        }
        if target != lock && row.iter().all(|(i, _)| *i != lock) {
            prop_assert!((weight_in(&row, target) - want.min(0.9)).abs() < 1e-5, "{:?}", row);
        }
    }

    #[test]
    fn smoothing_never_overshoots_and_replacing_reaches_its_value(
        now in 0.0_f32..=1.0, mean in 0.0_f32..=1.0, value in 0.0_f32..=1.0, amount in 0.0_f32..=1.0,
    ) {
        let smooth = wanted(Mode::Smooth, now, mean, value, amount);
        prop_assert!(smooth >= now.min(mean) - 1e-7 && smooth <= now.max(mean) + 1e-7);
        prop_assert_eq!(wanted(Mode::Replace, now, mean, value, 1.0), value);
        for mode in [Mode::Add, Mode::Subtract, Mode::Replace] {
            prop_assert!((0.0..=1.0).contains(&wanted(mode, now, mean, value, amount)));
        }
    }
}

fn painting(folder: &Path, target: Target, brush: impl Fn(&mut Brush)) -> Window {
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

fn joint_weight(studio: &Studio, v: usize, joint: u16) -> f32 {
    weight_in(&studio.document().joints[0].of(v).collect::<Row>(), joint)
}

fn muscle_weight(studio: &Studio, v: usize, muscle: u16) -> f32 {
    weight_in(&studio.document().musculature.weights[0].of(v).collect::<Row>(), muscle)
}

fn n(studio: &Studio) -> usize {
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
fn dab(studio: &Studio, vertex: usize) -> Dab {
    let (body, state) = studio.live.muscled();
    let of = body.triangles().iter().find(|corners| corners.contains(&(vertex as u32))).unwrap();
    Dab { place: state.positions()[vertex], normal: state.normals()[vertex], corners: of.map(|v| v as usize) }
}

fn strike(studio: &mut Studio, mode: Mode, vertices: &[usize]) {
    let mut painting = Painting::begin(studio, mode).expect("something is chosen");
    for &vertex in vertices {
        painting.dab(studio, &dab(studio, vertex));
        let action = painting.take(studio);
        action.into_iter().for_each(|action| studio.apply(action));
    }
}

#[test]
fn twin_joints_of_a_whole_body_are_painted_alike() {
    let (project, musculature) = Project::athlete(Some(3_700)).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let joints = &studio.project.character.skeleton.joints;
    let document = studio.document().clone();
    let [left, right] =
        ["upper_leg.l", "upper_leg.r"].map(|name| studio.project.character.skeleton.find(name).unwrap());
    let places = studio.project.character.meshes[0].positions.clone();
    let at = joints[left].bind.translation;
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
        let Some(other) = (0..places.len()).find(|&o| places[o].distance(image) < 1e-6) else { continue };
        let (l, r) = (left as u16, right as u16);
        let change = |v: usize, joint: u16| {
            joint_weight(&studio, v, joint) - weight_in(&document.joints[0].of(v).collect::<Row>(), joint)
        };
        let here = [change(v, l), change(other, r)];
        pairs += usize::from(here[0] > 0.01);
        assert!((here[0] - here[1]).abs() < 2e-3, "vertex {v}: {here:?}");
    }
    eprintln!("{pairs} pairs of vertices were painted alike");
    assert!(pairs > 3, "only {pairs}");
}

#[test]
fn a_seam_between_meshes_is_painted_alike_on_both_sides_and_saved() {
    let scene = Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap();
    let mut character = scene.character;
    let whole = character.meshes.remove(0);
    // cut between the fifth row and the sixth
    let part = |rows: std::ops::Range<usize>| {
        let (first, end) = (rows.start * AROUND, rows.end * AROUND);
        let mut mesh = Mesh { name: format!("{first}"), ..Mesh::default() };
        mesh.positions = whole.positions[first..end].to_vec();
        mesh.normals = whole.normals[first..end].to_vec();
        (first..end).for_each(|v| mesh.weights.push_vertex(whole.weights.of(v)));
        let inside = |t: &&[u32; 3]| t.iter().all(|v| (first..end).contains(&(*v as usize)));
        mesh.triangles = whole.triangles.iter().filter(inside).map(|t| t.map(|v| v - first as u32)).collect();
        mesh
    };
    character.meshes = vec![part(0..5), part(4..9)];
    let glb = Gltf::from_character(&character).to_glb().unwrap();
    let (project, musculature) = Project::from_bytes("cut.glb", &glb).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let untouched = studio.project.to_glb(studio.document()).unwrap();
    assert_eq!(untouched, glb, "what nobody touched keeps its bytes");
    studio.apply(Look::Joint(Some(2)));
    studio.apply(Look::Brush(Brush { radius: 0.1, strength: 0.7, ..studio.brush }));
    strike(&mut studio, Mode::Add, &[4 * AROUND, 4 * AROUND + 1]);
    strike(&mut studio, Mode::Smooth, &[4 * AROUND + 1]);
    let joints = &studio.document().joints;
    let mut painted = 0;
    for k in 0..AROUND {
        let [above, below] = [joints[0].of(4 * AROUND + k), joints[1].of(k)].map(|of| of.collect::<Row>());
        assert_eq!(above, below, "vertex {k} of the seam");
        painted += usize::from(weight_in(&above, 2) > 0.1);
    }
    assert!(
        painted >= 2
            && (0..joints[1].len()).any(|v| v >= AROUND && weight_in(&joints[1].of(v).collect::<Row>(), 2) > 0.0)
    );
    let (reopened, musculature) =
        Project::from_bytes("cut.glb", &studio.project.to_glb(studio.document()).unwrap()).unwrap();
    assert_eq!(&Document::new(&reopened.character, musculature), studio.document());
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

fn press(window: &mut Window, key: Key) {
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

/// Paint a few strokes on any character, and what comes back from its file.
fn saved_and_opened(name: &str, glb: &[u8]) {
    let (project, musculature) = Project::from_bytes(name, glb).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let untouched = studio.project.to_glb(studio.document()).unwrap();
    let as_read = Gltf::read(glb, |_| Err(String::new())).unwrap().to_glb().unwrap();
    assert_eq!(untouched, as_read, "{name}: what nobody touched keeps its bytes");
    let n_vertex = studio.project.character.vertex_count();
    let held = |studio: &Studio, v: usize| {
        let (mesh, vertex) = studio.project.skin().in_mesh(v);
        studio.document().joints[mesh]
            .of(vertex)
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(joint, _)| usize::from(joint))
    };
    let radius = 0.06 * studio.project.character.height();
    for (k, mode) in [Mode::Add, Mode::Smooth, Mode::Replace, Mode::Subtract].into_iter().enumerate() {
        let used: Vec<usize> = studio.live.muscled().0.triangles().iter().flatten().map(|v| *v as usize).collect();
        let vertex = used[(k + 1) * used.len() / 6];
        studio.apply(Look::Joint(held(&studio, vertex)));
        studio.apply(Look::Brush(Brush { radius, strength: 0.37, value: 0.3, ..studio.brush }));
        strike(&mut studio, mode, &[vertex]);
        assert!(studio.fault.is_none(), "{name}: {:?}", studio.fault);
    }
    let glb = studio.project.to_glb(studio.document()).unwrap();
    let (reopened, musculature) = Project::from_bytes(name, &glb).unwrap();
    let document = Document::new(&reopened.character, musculature);
    assert!(studio.history.undo_label().is_some(), "{name}: something was painted");
    let differ = |a: &SparseWeights, b: &SparseWeights| (0..a.len()).filter(|&v| !a.of(v).eq(b.of(v))).count();
    let pairs = document.joints.iter().zip(studio.document().joints.iter());
    let rows: usize = pairs.map(|(a, b)| differ(a, b)).sum();
    assert_eq!(rows, 0, "{name}: rows of {n_vertex} that came back as others");
    assert!(&document == studio.document(), "{name} comes back as it was");
    // once more, from the file: it does not grow with every session
    let mut again = Studio::new(reopened, document.musculature, None).unwrap();
    again.apply(Look::Joint(held(&again, 0)));
    let vertex = again.live.muscled().0.triangles()[0][0] as usize;
    strike(&mut again, Mode::Add, &[vertex]);
    let larger = again.project.to_glb(again.document()).unwrap().len().saturating_sub(glb.len());
    assert!(larger < 4096, "{name}: {larger} bytes more");
}

/// An arm that hangs on seven joints, six at every vertex: two sets of four in its file.
fn seven_joints() -> Vec<u8> {
    let mut character = Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap().character;
    for k in 3..7 {
        let mut joint = character.skeleton.joints[2].clone();
        (joint.name, joint.parent) = (format!("twist_{k}"), Some(1));
        character.skeleton.joints.push(joint);
    }
    let mesh = &mut character.meshes[0];
    mesh.weights = SparseWeights::default();
    for v in 0..mesh.positions.len() as u16 {
        let shares: Vec<f64> = (0..6).map(|k| f64::from(1 + (v * 7 + k * 5) % 11)).collect();
        let sum: f64 = shares.iter().sum();
        mesh.weights.push_vertex((0..6).map(|k| ((v + k) % 7, (shares[usize::from(k)] / sum) as f32)));
    }
    Gltf::from_character(&character).to_glb().unwrap()
}

/// The same file with its weights in eight bits, as exporters write them to save room.
fn in_eight_bits(glb: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let bin = 20 + word(12) + 8;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + word(12)]).unwrap();
    let mut bytes = glb[bin..bin + word(bin - 8)].to_vec();
    for set in 0..2 {
        let name = format!("WEIGHTS_{set}");
        let accessor = json["meshes"][0]["primitives"][0]["attributes"][&name].as_u64().unwrap() as usize;
        let view = json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let [from, len] =
            ["byteOffset", "byteLength"].map(|key| json["bufferViews"][view][key].as_u64().unwrap_or(0) as usize);
        let floats = bytes[from..from + len].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        let small: Vec<u8> = floats.map(|w| (255.0 * w).round() as u8).collect();
        bytes.splice(from..from + small.len(), small.iter().copied());
        json["bufferViews"][view]["byteLength"] = small.len().into();
        json["accessors"][accessor]["componentType"] = 5121.into();
        json["accessors"][accessor]["normalized"] = true.into();
    }
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut made = glb[..8].to_vec();
    let chunks = [(text, 0x4E4F_534A_u32), (bytes, 0x004E_4942)];
    let total: usize = 12 + chunks.iter().map(|(of, _)| 8 + of.len()).sum::<usize>();
    made.extend((total as u32).to_le_bytes());
    for (of, kind) in chunks {
        made.extend((of.len() as u32).to_le_bytes().into_iter().chain(kind.to_le_bytes()).chain(of));
    }
    made
}

#[test]
fn what_was_painted_comes_back_from_the_file_to_the_bit() {
    saved_and_opened("arm.glb", &arm::glb());
    saved_and_opened("seven_joints.glb", &seven_joints());
    saved_and_opened("eight_bits.glb", &in_eight_bits(&seven_joints()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf");
    for name in [
        "human_male.glb",
        "KayKit_Knight.glb",
        "CesiumMan.glb",
        "Quaternius_Bull.glb",
        "VALID_White_M_1_Casual_plain.glb",
    ] {
        match std::fs::read(folder.join(name)) {
            Ok(glb) => saved_and_opened(name, &glb),
            Err(_) => eprintln!("\nSKIPPED {name}: it is not there\n"),
        }
    }
}

#[test]
fn a_skin_that_is_not_the_same_left_and_right_is_painted_on_both_sides_all_the_same() {
    let glb = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gltf/CesiumMan.glb");
    let Ok((project, musculature)) = Project::open(&glb) else {
        return eprintln!("\nSKIPPED {}: it is not there\n", glb.display());
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

#[test]
fn a_stroke_over_a_whole_body_is_timed() {
    let (project, musculature) = Project::athlete(Some(12_000)).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    let n_vertex = studio.project.character.vertex_count();
    studio.apply(Look::Brush(Brush { radius: 0.06, ..studio.brush }));
    let begin = std::time::Instant::now();
    let points = studio.project.skin().len();
    eprintln!("{n_vertex} vertices are {points} points, found in {:.1?}", begin.elapsed());
    for (what, look) in [("joint", Look::Joint(Some(5))), ("muscle", Look::Select(Some(3), false))] {
        studio.apply(Look::Tool(Tool::Paint));
        studio.apply(look);
        let mut painting = Painting::begin(&studio, Mode::Add).unwrap();
        painting.dab(&studio, &dab(&studio, 1000)); // the other side is found once
        painting.take(&studio).into_iter().for_each(|action| studio.apply(action));
        let begin = std::time::Instant::now();
        let (character, muscles) = (studio.project.character.clone(), studio.document().musculature.clone());
        studio.live.rebind(&character, &muscles).unwrap();
        eprintln!("binding it anew alone: {:.1?}", begin.elapsed());
        let begin = std::time::Instant::now();
        painting.dab(&studio, &dab(&studio, 5000));
        let dabbed = begin.elapsed();
        let action = painting.take(&studio).expect("it painted");
        studio.apply(action);
        eprintln!(
            "a step of a {what} stroke: {dabbed:.1?} for the brush, {:.1?} with the document and the body",
            begin.elapsed()
        );
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
    drag(&mut window, from, to);
    window.hover_at(to);
    window.run_steps(2);
    look(&mut window, "paint_after");
    assert!(view(&window).contains(to));
}
