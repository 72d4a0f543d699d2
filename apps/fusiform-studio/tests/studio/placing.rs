//! Muscles are made and moved in the view.

use crate::arm;
use crate::window::{Window, click, drag, drawn, look, on_arm, open, press, seen, studio, studio_mut, view};
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::body::rest_bellies;
use fusiform::musculature::{Attachment, Path, Profile};
use fusiform::{Muscle, Musculature};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{
    Action, Curve, Document, Edit, Grip, Look, Placing, Play, Project, Show, Spot, Studio, Tool,
};
use glam::{Quat, Vec3};

pub fn with(change: impl FnOnce(&mut Musculature)) -> Studio {
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).expect("a sound file");
    change(&mut muscles);
    Studio::new(project, muscles, None).expect("sound muscles")
}

/// Pose it and let the flesh come to rest.
pub fn bend(studio: &mut Studio, angle: f32) {
    studio.apply(Play::Settle);
    studio.apply(Edit::Turn(1, Quat::from_rotation_z(angle)));
    settle(studio);
}

pub fn settle(studio: &mut Studio) {
    let character = studio.project.character.clone();
    (0..40).for_each(|_| studio.live.advance(&character, 0.1));
}

pub fn skin(studio: &Studio) -> Vec<Vec3> {
    studio.live.muscled().1.positions().to_vec()
}

pub fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

pub fn belly(studio: &Studio, muscle: &Muscle) -> Vec<Vec3> {
    let bellies = rest_bellies(&studio.project.character.skeleton, std::slice::from_ref(muscle));
    bellies.expect("a sound muscle").remove(0).points
}

/// How far the bellies of two muscles are from being mirror images, m.
pub fn unlike(studio: &Studio, [a, b]: [&Muscle; 2]) -> f32 {
    let images: Vec<Vec3> = belly(studio, b).iter().map(|p| p.with_x(-p.x)).collect();
    let away = |p: &Vec3| images.iter().map(|image| image.distance(*p)).fold(f32::MAX, f32::min);
    belly(studio, a).iter().map(away).fold(0.0, f32::max)
}

pub fn place_of(window: &Window, m: usize, grip: Grip) -> Vec3 {
    let studio = studio(window);
    grip.place(&studio.project.character.skeleton, &studio.live, m, &studio.muscles()[m]).expect("it has one")
}

/// Where the skin of the arm is, on the side that is looked at.
fn on_skin(y: f32) -> Vec3 {
    Vec3::new(0.027, y, 0.039)
}

fn created(window: &mut Window) {
    click(window, "Create");
    for y in [0.08, 0.45] {
        let at = seen(window, on_skin(y));
        press(window, at);
    }
}

#[test]
fn two_clicks_on_the_skin_make_a_muscle_and_its_twin() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let before = studio(&window).document().clone();
    let rest = studio(&window).project.character.meshes[0].positions.clone();
    created(&mut window);
    let now = studio(&window);
    assert!(now.fault.is_none(), "{:?}", now.fault);
    let names: Vec<&str> = now.muscles().iter().map(|muscle| &*muscle.name).collect();
    assert_eq!(names, ["biceps.l", "biceps.r", "muscle_1.l", "muscle_1.r"]);
    let made = &now.muscles()[2];
    assert_eq!((&*made.origin.joint, &*made.insertion.joint), ("upper", "lower"));
    assert!(now.chosen.iter().eq([&2]));
    assert!(unlike(now, [made, &now.muscles()[3]]) < 1e-5, "twins are mirror images");
    let depth = |end: Vec3| 0.05 - end.with_y(0.0).length();
    assert!(depth(made.origin.point) > 0.002 && depth(made.insertion.point) > 0.002, "its ends are under the skin");
    // where it weighs, the sum is legal; where it does not, others have what they had
    let (was, is) = (&before.musculature.weights[0], &now.document().musculature.weights[0]);
    let mut moved = 0;
    for v in 0..is.len() {
        assert!(is.of(v).map(|(_, w)| w).sum::<f32>() <= 1.0 + 1e-6);
        let new = is.of(v).any(|(m, _)| m > 1);
        moved += usize::from(new);
        assert!(new || was.of(v).eq(is.of(v)), "vertex {v}");
    }
    assert!(moved > 10, "it moves only {moved} vertices");
    assert!(farthest(&skin(now), &rest) < 1e-6, "the skin at rest is the artist's");
    window.get_by_label("Attachments");
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before);
}

#[test]
fn what_was_made_moves_the_skin_when_it_is_tensed_and_when_the_arm_bends() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    bend(studio_mut(&mut window), 1.2);
    let without = skin(studio(&window));
    studio_mut(&mut window).apply(Play::Settle);
    created(&mut window);
    let studio = studio_mut(&mut window);
    settle(studio);
    let rest = skin(studio);
    studio.apply(Play::Tense(1.0));
    settle(studio);
    let tensed = farthest(&skin(studio), &rest);
    assert!(tensed > 5e-4, "tensing moves it by {tensed} m");
    studio.apply(Play::Tense(0.0));
    bend(studio, 1.2);
    let bent = farthest(&skin(studio), &without);
    assert!(bent > 5e-4, "bent, it differs by {bent} m");
}

#[test]
fn escape_forgets_the_first_click_and_beside_the_skin_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Create");
    let (first, second) = (seen(&window, on_skin(0.08)), seen(&window, on_skin(0.45)));
    press(&mut window, first);
    window.key_press(Key::Escape);
    window.run_steps(2);
    press(&mut window, second);
    assert_eq!(studio(&window).muscles().len(), 2);
    let beside = view(&window).left_top() + vec2(20.0, 60.0);
    press(&mut window, beside);
    assert_eq!(studio(&window).muscles().len(), 2);
    press(&mut window, first);
    assert_eq!(studio(&window).muscles().len(), 4);
}

#[test]
fn a_character_without_muscles_or_layers_gets_one_that_moves_its_skin() {
    let mut studio = with(|muscles| *muscles = Musculature::default());
    let spot = |v: usize| Spot { corners: [v, v + 1, v + 8], shares: Vec3::new(0.5, 0.25, 0.25) };
    studio.apply(Placing::Create([spot(9), spot(49)]));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(studio.muscles().len(), 2);
    let rest = skin(&studio);
    studio.apply(Play::Tense(1.0));
    settle(&mut studio);
    let moved = farthest(&skin(&studio), &rest);
    assert!(moved > 5e-4, "tensing moves it by {moved} m");
    studio.apply(Placing::Create([spot(9), spot(9)]));
    assert!(studio.fault.is_some() && studio.muscles().len() == 2, "one place is no muscle");
    studio.fault = None;
    studio.apply(Placing::Create([spot(9), spot(9_999)]));
    assert!(studio.fault.is_some() && studio.muscles().len() == 2, "there is no such skin");
}

#[test]
fn without_mirror_there_is_no_twin_and_a_place_is_taken_back_to_the_bind_pose() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Mirrored(false));
    bend(studio_mut(&mut window), 0.8);
    click(&mut window, "Create");
    // a vertex of the forearm's skin, wherever the pose has brought it
    let rest = studio(&window).project.character.meshes[0].positions.clone();
    let vertex = |y: f32| (0..rest.len()).find(|&v| (rest[v] - Vec3::new(0.0354, y, 0.0354)).length() < 2e-3).unwrap();
    for v in [vertex(0.075), vertex(0.525)] {
        let at = seen(&window, skin(studio(&window))[v] * 0.999);
        press(&mut window, at);
    }
    let studio = studio(&window);
    assert_eq!(studio.muscles().len(), 3, "{:?}", studio.fault);
    let end = studio.muscles()[2].insertion.point + Vec3::Y * 0.3;
    assert!(end.distance(Vec3::new(0.021, 0.525, 0.021)) < 0.02, "{end}");
}

#[test]
fn an_insertion_is_dragged_in_a_bent_pose_and_is_then_under_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    bend(studio_mut(&mut window), 0.9);
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(2);
    let (before, camera) = (studio(&window).document().clone(), window.state().session().unwrap().viewport.camera);
    let from = seen(&window, place_of(&window, 0, Grip::Insertion));
    let to = from + vec2(40.0, -25.0);
    drag(&mut window, from, to);
    let at = seen(&window, place_of(&window, 0, Grip::Insertion));
    assert!(at.distance(to) < 1.5, "{at} instead of {to}");
    assert_eq!(window.state().session().unwrap().viewport.camera, camera, "the camera stayed");
    let muscles = studio(&window).muscles();
    assert!(muscles[0].insertion.point.distance(before.muscles()[0].insertion.point) > 0.005);
    assert!(unlike(studio(&window), [&muscles[0], &muscles[1]]) < 1e-5, "the twin follows");
    assert_eq!(studio(&window).history.undo_label(), Some("Move insertion"));
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before, "a drag is one step");
    // beside the handles a drag turns the camera
    let corner = view(&window).left_top() + vec2(30.0, 60.0);
    drag(&mut window, corner, corner + vec2(60.0, 0.0));
    assert_ne!(window.state().session().unwrap().viewport.camera, camera);
    assert_eq!(studio(&window).document(), &before);
}

#[test]
fn an_axis_that_is_held_keeps_a_drag_on_it_and_shift_makes_it_fine() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(2);
    let origin = |window: &Window| place_of(window, 0, Grip::Origin);
    let start = origin(&window);
    let from = seen(&window, start);
    window.key_down(Key::X);
    drag(&mut window, from, from + vec2(40.0, 30.0));
    window.key_up(Key::X);
    window.run_steps(1);
    let moved = origin(&window) - start;
    assert!(moved.x > 0.005 && moved.y.abs() < 1e-5 && moved.z.abs() < 1e-5, "{moved}");
    let (from, start) = (seen(&window, origin(&window)), origin(&window));
    window.event(egui::Event::ModifiersChanged(egui::Modifiers::SHIFT));
    drag(&mut window, from, from + vec2(0.0, 50.0));
    window.event(egui::Event::ModifiersChanged(egui::Modifiers::NONE));
    let at = seen(&window, origin(&window));
    assert!((at.y - from.y - 5.0).abs() < 1.5, "a tenth of the way: {}", at - from);
    assert!(origin(&window) != start);
}

#[test]
fn bend_and_up_vector_are_dragged_and_clicking_a_muscle_chooses_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    let at = seen(&window, place_of(&window, 0, Grip::Bend));
    press(&mut window, at);
    assert!(studio(&window).chosen.iter().eq([&0]), "{:?}", studio(&window).chosen);
    let (from, rest) =
        (seen(&window, place_of(&window, 0, Grip::Bend)), belly(studio(&window), &studio(&window).muscles()[0]));
    drag(&mut window, from, from + vec2(15.0, 0.0));
    settle(studio_mut(&mut window));
    let at = seen(&window, place_of(&window, 0, Grip::Bend));
    assert!(at.distance(from + vec2(15.0, 0.0)) < 2.5, "{from} to {at}");
    let [a, b] = [0, 1].map(|m| studio(&window).muscles()[m].clone());
    assert!(farthest(&belly(studio(&window), &a), &rest) > 0.002 && unlike(studio(&window), [&a, &b]) < 1e-5);
    let tip = seen(&window, place_of(&window, 0, Grip::Up));
    let foot = seen(&window, place_of(&window, 0, Grip::Bend));
    drag(&mut window, tip, foot + (foot - tip));
    let turned = seen(&window, place_of(&window, 0, Grip::Up));
    assert!((turned - foot).dot(tip - foot) < 0.0, "the arrow points the other way: {foot}, {tip}, {turned}");
    let [a, b] = [0, 1].map(|m| studio(&window).muscles()[m].clone());
    assert!(a.up.is_some() && unlike(studio(&window), [&a, &b]) < 1e-5);
}

/// The arm with a sheet on either side.
pub fn with_sheets(folder: &std::path::Path) -> Window {
    let mut window = on_arm(folder);
    let sheets = with(|muscles| {
        for (muscle, side) in muscles.muscles.iter_mut().zip([1.0, -1.0]) {
            let at =
                |joint: &str, y: f32, z: f32| Attachment { joint: joint.into(), point: Vec3::new(0.03 * side, y, z) };
            let across = |joint: &str, y: f32| [-0.03, 0.0, 0.03].map(|z| at(joint, y, z)).to_vec();
            (muscle.origin, muscle.insertion) = (at("upper", 0.05, 0.0), at("lower", 0.15, 0.0));
            let (origin, middle, insertion) = (across("upper", 0.05), across("upper", 0.24), across("lower", 0.15));
            muscle.path = Path::Sheet { origin, middle, insertion, bellies: 3, tendons: [0.0; 2] };
            muscle.up = Some(Vec3::X * side);
            muscle.profile = Profile::Sine { size: 0.012, taper: 1.0, aspect: 0.6 };
        }
    });
    *studio_mut(&mut window) = sheets;
    window
}

#[test]
fn every_point_of_a_sheet_is_dragged_in_a_bent_pose_and_its_twin_follows() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_sheets(folder.path());
    click(&mut window, "Place");
    bend(studio_mut(&mut window), 0.7);
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    window.run_steps(2);
    let grips = Grip::all(&studio(&window).muscles()[0]);
    assert_eq!(grips.len(), 2 + 9 + 1);
    let mut steps = 0;
    for grip in grips.into_iter().filter(|grip| matches!(grip, Grip::Sheet(..))) {
        let from = seen(&window, place_of(&window, 0, grip));
        let to = from + vec2(7.0, -6.0);
        let before = document(&window).clone();
        drag(&mut window, from, to);
        let at = seen(&window, place_of(&window, 0, grip));
        assert!(at.distance(to) < 1.5, "{grip:?}: {at} instead of {to}");
        assert_ne!(document(&window), &before, "{grip:?}");
        steps += 1;
    }
    let [a, b] = [0, 1].map(|m| studio(&window).muscles()[m].clone());
    let on_curve = Grip::Sheet(Curve::Origin, 1).attachment(&a).unwrap().point;
    assert!(a.origin.point.distance(on_curve) < 1e-5, "the end of the middle line stays on its curve");
    assert!(unlike(studio(&window), [&a, &b]) < 1e-4, "{}", unlike(studio(&window), [&a, &b]));
    (0..steps).for_each(|_| click(&mut window, "Undo"));
    assert_eq!(studio(&window).history.undo_label(), Some("Pose"), "each drag is one step");
}

fn document(window: &Window) -> &Document {
    studio(window).document()
}

/// On the built-in character, with pictures to look at: a muscle over the front of the thigh.
#[test]
fn the_athlete_is_given_a_muscle_on_the_thigh() {
    let begin = Begin::Athlete(Some(3_700));
    let pictures = std::env::var_os("FUSIFORM_LOOK").and_then(|_| drawn(begin.clone(), "the athlete's new muscle"));
    let has_pictures = pictures.is_some();
    let mut window = pictures.unwrap_or_else(|| open(begin));
    let shot = |window: &mut Window, name: &str| {
        if has_pictures {
            look(window, name);
        }
    };
    let before = document(&window).clone();
    let rest = skin(studio(&window));
    let skeleton = studio(&window).project.character.skeleton.clone();
    let joint = |name: &str| {
        skeleton
            .find(name)
            .unwrap_or_else(|| panic!("{name} of {:?}", skeleton.joints.iter().map(|j| &j.name).collect::<Vec<_>>()))
    };
    let at = |name: &str| Vec3::from(skeleton.joints[joint(name)].bind.translation);
    let (hip, knee) = (at("upper_leg.l"), at("lower_leg.l"));
    click(&mut window, "Create");
    let origin = seen(&window, hip.lerp(knee, 0.15));
    press(&mut window, origin);
    let end = seen(&window, knee.lerp(at("foot.l"), 0.12));
    window.hover_at(end);
    window.run_steps(2);
    shot(&mut window, "placing_1_create");
    press(&mut window, end);
    let made = studio(&window).muscles().len();
    assert_eq!(made, before.muscles().len() + 2, "{:?}", studio(&window).fault);
    assert!(farthest(&skin(studio(&window)), &rest) < 1e-6);
    shot(&mut window, "placing_2_made");
    let m = made - 2;
    let of = studio(&window).muscles()[m].clone();
    assert_eq!((&*of.origin.joint, &*of.insertion.joint), ("upper_leg.l", "lower_leg.l"));
    assert!(unlike(studio(&window), [&of, &studio(&window).muscles()[m + 1]]) < 1e-4);
    let weights = &document(&window).musculature.weights[0];
    let heaviest = (0..weights.len()).flat_map(|v| weights.of(v)).filter(|(i, _)| usize::from(*i) == m);
    let heaviest = heaviest.fold(0.0_f32, |most, (_, w)| most.max(w));
    assert!(heaviest > 0.2, "it weighs {heaviest} at most");
    studio_mut(&mut window).apply(Play::Tense(1.0));
    settle(studio_mut(&mut window));
    let tensed = farthest(&skin(studio(&window)), &rest);
    assert!(tensed > 5e-4, "tensing moves the skin by {tensed} m");
    studio_mut(&mut window).apply(Play::Tense(0.0));
    click(&mut window, "Place");
    studio_mut(&mut window).apply(Edit::Turn(joint("lower_leg.l"), Quat::from_rotation_x(0.9)));
    studio_mut(&mut window).apply(Look::Show(Show::Both));
    settle(studio_mut(&mut window));
    window.key_press(Key::F);
    window.run_steps(3);
    let from = seen(&window, place_of(&window, m, Grip::Insertion));
    window.hover_at(from);
    window.run_steps(2);
    shot(&mut window, "placing_3_handles");
    // the width of rows in the inspector is not what is tried here
    click(&mut window, "Body tab");
    let from = seen(&window, place_of(&window, m, Grip::Insertion));
    let to = from + vec2(25.0, 20.0);
    drag(&mut window, from, to);
    let seen_at = seen(&window, place_of(&window, m, Grip::Insertion));
    assert!(seen_at.distance(to) < 1.5, "{seen_at} instead of {to}");
    shot(&mut window, "placing_4_dragged");
    assert_eq!(studio(&window).tool, Tool::Place);
    studio_mut(&mut window).apply(Look::Show(Show::Weights));
    window.run_steps(2);
    shot(&mut window, "placing_5_weights");
    for _ in ["the handle", "the pose", "the muscle"] {
        click(&mut window, "Undo");
    }
    assert_eq!(document(&window), &before);
    on_turned_joints(studio_mut(&mut window));
}

/// Joints of the athlete are turned at bind, as those of real characters are.
fn on_turned_joints(studio: &mut Studio) {
    let left = studio.muscles().iter().position(|muscle| muscle.name == "biceps_long.l");
    let left =
        left.or_else(|| studio.muscles().iter().position(|m| m.name.starts_with("biceps") && m.name.ends_with(".l")));
    let m = left.expect("it has a biceps");
    studio.apply(Look::Select(Some(m), false));
    let before = belly(studio, &studio.muscles()[m]);
    studio.apply(Placing::Joint(m, Grip::Origin, "hips".into()));
    assert!(farthest(&belly(studio, &studio.muscles()[m]), &before) < 1e-5, "hung elsewhere, it stays where it is");
    studio.apply(Action::Undo);
    let bent = |studio: &mut Studio| {
        let elbow = studio.project.character.skeleton.find("lower_arm.l").expect("it has one");
        studio.apply(Play::Settle);
        studio.apply(Edit::Turn(elbow, Quat::from_rotation_y(-1.2)));
        settle(studio);
        skin(studio)
    };
    let alone = bent(studio);
    studio.apply(Placing::Duplicate);
    let moved = farthest(&bent(studio), &alone);
    assert!(studio.fault.is_none() && moved < 1e-4, "a copy moves the bent arm by {moved} m");
    studio.apply(Action::Undo);
    studio.apply(Look::Mirrored(false));
    studio.apply(Placing::Grip(m, Grip::Up, Vec3::new(0.3, 0.2, 0.8)));
    studio.apply(Look::Select(Some(m), false));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let name = studio.muscles()[m].name.replace(".l", ".r");
    let other = studio.muscles().iter().find(|muscle| muscle.name == name).expect("its twin");
    let unlike = unlike(studio, [&studio.muscles()[m], other]);
    assert!(unlike < 1e-4, "{unlike}");
}
