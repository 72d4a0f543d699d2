//! A limb is dragged in the view.

use crate::arm;
use crate::inspecting::enter;
use crate::mousing::sweep;
use crate::placing::with;
use crate::window::{Window, click, drag, on_arm, seen, studio, studio_mut, view, words};
use egui::{Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::musculature::{Contraction, PoseShape, Sculpt};
use fusiform::{Joint, Transform};
use fusiform_studio::model::{Action, Edit, Look, Project, Studio, Tool, angles, turn_from};
use glam::{Affine3A, Quat, Vec3};

fn hand(window: &Window) -> Vec3 {
    studio(window).live.model_from_joint()[2].translation.into()
}

#[test]
fn dragging_a_limb_turns_its_joint_and_settling_brings_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Tool(Tool::Pose));
    window.run_steps(2);
    let (rest, camera) = (hand(&window), window.state().session().unwrap().viewport.camera);
    let from = seen(&window, Vec3::new(0.0, 0.5, 0.0)); // on the forearm
    drag(&mut window, from, from + vec2(80.0, 0.0));
    let moved = hand(&window).distance(rest);
    assert!(moved > 0.02, "the hand went only {moved} m");
    assert_eq!(window.state().session().unwrap().viewport.camera, camera, "the camera stayed");
    assert_eq!(studio(&window).history.steps(), (1, 0), "one drag is one step");
    assert!(!studio(&window).history.is_unsaved(), "and nothing to save");
    click(&mut window, "Undo");
    assert!(hand(&window).distance(rest) < 1e-6);
    click(&mut window, "Redo");
    assert!(hand(&window).distance(rest) > 0.02);
    click(&mut window, "Settle");
    assert!(hand(&window).distance(rest) < 1e-6);
    click(&mut window, "Undo");
    assert!(hand(&window).distance(rest) > 0.02, "what Settle forgets of the pose comes back");
    click(&mut window, "Redo");
    // beside the limb a drag turns the camera
    let corner = view(&window).left_top();
    drag(&mut window, corner + vec2(30.0, 30.0), corner + vec2(90.0, 30.0));
    assert_ne!(window.state().session().unwrap().viewport.camera, camera);
    assert!(hand(&window).distance(rest) < 1e-6);
}

#[test]
fn a_turn_is_in_model_space_whatever_the_joint_was_turned_by_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio = studio_mut(&mut window);
    let character = studio.project.character.clone();
    let turns = [Quat::from_rotation_x(0.7), Quat::from_rotation_z(1.1), Quat::from_rotation_y(-0.4)];
    for turn in turns {
        studio.apply(Edit::Turn(1, turn));
        studio.live.advance(&character, 0.01);
    }
    let expected = turns[2] * turns[1] * turns[0] * Vec3::Y;
    let along = studio.live.model_from_joint()[1].transform_vector3(Vec3::Y);
    assert!(along.distance(expected) < 1e-5, "{along} {expected}");
}

#[test]
fn what_follows_a_pose_at_once_sees_it() {
    let turns = [(1, Quat::from_rotation_x(0.7)), (2, Quat::from_rotation_z(1.1)), (1, Quat::from_rotation_y(-0.4))];
    let turned = |in_time: bool| {
        let mut studio = with(|muscles| {
            let n = usize::from(muscles.muscles[0].rings) * usize::from(muscles.muscles[0].sectors);
            let turns = [("lower".to_owned(), Quat::from_rotation_z(-1.5))].into();
            let first = PoseShape { turns, sculpt: Sculpt { factors: vec![1.0; n] } };
            let shapes = Contraction::PoseShapes { shapes: vec![first], tone: 1.0, isometric: 0.25 };
            muscles.muscles[0].contraction = shapes;
        });
        studio.apply(Look::Select(Some(0), false));
        let character = studio.project.character.clone();
        for (joint, turn) in turns {
            studio.apply(Edit::Turn(joint, turn));
            if in_time {
                studio.live.advance(&character, 0.01);
            }
        }
        studio.apply(Edit::AddShape);
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let Contraction::PoseShapes { shapes, .. } = &studio.muscles()[0].contraction else { panic!() };
        let shape = shapes[1].turns.clone();
        studio.apply(Action::Undo);
        studio.apply(Action::Undo);
        let hand = studio.live.model_from_joint()[2].transform_vector3(Vec3::Y);
        (studio.document().turned.clone(), shape, hand)
    };
    assert_eq!(turned(false), turned(true));
}

#[test]
fn angles_are_what_a_joint_was_turned_to_and_a_twist_leaves_the_bone_where_it_is() {
    let mut studio = with(|_| {});
    let skeleton = studio.project.character.skeleton.clone();
    let wrist = |studio: &Studio| Vec3::from(studio.live.model_from_joint()[2].translation);
    let rest = wrist(&studio);
    for wanted in [[40.0, 0.0, 0.0], [-170.0, 0.0, 0.0], [25.0, -60.0, 80.0], [0.0, 120.0, -90.0], [0.0; 3]] {
        studio.apply(Edit::TurnTo(1, turn_from(&skeleton, 1, wanted)));
        let now = angles(&skeleton, &studio.live, 1).unwrap();
        assert!(now.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.01), "{now:?} for {wanted:?}");
        let bends = wanted[1] != 0.0 || wanted[2] != 0.0;
        assert_eq!(wrist(&studio).distance(rest) > 1e-4, bends, "{wanted:?}");
    }
}

#[test]
fn with_mirror_the_other_side_is_turned_as_a_mirror_shows_it_and_turned_back() {
    let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
    let mut studio = Studio::new(project, muscles, None).unwrap();
    let joint = |studio: &Studio, name: &str| studio.project.character.skeleton.find(name).unwrap();
    let [left, right] = ["lower_leg.l", "lower_leg.r"].map(|name| joint(&studio, name));
    let [from, to] = ["foot.l", "foot.r"].map(|name| joint(&studio, name));
    let place = |studio: &Studio, joint: usize| Vec3::from(studio.live.model_from_joint()[joint].translation);
    let rest = place(&studio, to);
    let skeleton = studio.project.character.skeleton.clone();
    let turns =
        [Edit::Turn(left, Quat::from_rotation_x(0.7)), Edit::TurnTo(left, turn_from(&skeleton, left, [9.0; 3]))];
    for turn in turns {
        studio.apply(turn);
        let image = studio.project.plane.image(place(&studio, from));
        assert!(place(&studio, to).distance(image) < 1e-3 && place(&studio, to).distance(rest) > 0.01);
    }
    studio.apply(Edit::Unturn(Some(right)));
    assert!(studio.document().turned.is_empty());
    studio.apply(Look::Mirrored(false));
    studio.apply(Edit::Turn(left, Quat::from_rotation_x(0.7)));
    assert_eq!(place(&studio, to), rest);
}

#[test]
fn what_is_held_in_one_hand_is_posed_alone() {
    let (mut character, musculature) = arm::arm();
    let joints = &mut character.skeleton.joints;
    let wrist = joints.len() - 1;
    for (name, parent, x) in [("hand.l", wrist, 0.04), ("hand.r", wrist, -0.04), ("sword", wrist + 2, 0.0)] {
        let at = joints[parent].bind * Affine3A::from_translation(Vec3::X * x);
        joints.push(Joint { name: name.into(), parent: Some(parent), rest: Transform::at(Vec3::X * x), bind: at });
    }
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::written(&(character, musculature))).unwrap();
    let mut studio = Studio::new(project, muscles, None).unwrap();
    let joint = |name: &str| studio.project.character.skeleton.find(name).unwrap();
    let [left, right, sword] = ["hand.l", "hand.r", "sword"].map(joint);
    studio.apply(Look::Mirrored(true));
    let turned = |studio: &Studio| studio.document().turned.iter().map(|(joint, _)| *joint).collect::<Vec<_>>();
    studio.apply(Edit::Turn(right, Quat::from_rotation_z(0.3)));
    assert_eq!(turned(&studio), [right, left]);
    studio.apply(Action::Undo);
    studio.apply(Edit::Turn(sword, Quat::from_rotation_z(0.3)));
    assert_eq!(turned(&studio), [sword]);
}

#[test]
fn a_drag_with_shift_twists_a_limb_and_its_angles_are_dragged_and_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Tool(Tool::Pose));
    window.run_steps(2);
    let rest = hand(&window);
    let now = |window: &Window| {
        let studio = studio(window);
        angles(&studio.project.character.skeleton, &studio.live, 1).unwrap()
    };
    let from = seen(&window, Vec3::new(0.0, 0.5, 0.0)); // on the forearm
    sweep(&mut window, PointerButton::Primary, Modifiers::SHIFT, (from, vec2(60.0, 0.0)));
    let twisted = now(&window);
    assert!(twisted[0] > 15.0 && twisted[0] < 45.0 && hand(&window).distance(rest) < 1e-4, "{twisted:?}");
    assert_eq!(studio(&window).history.steps(), (1, 0), "one drag is one step");
    let bend = window.get_by_role_and_label(egui::Role::SpinButton, "Bend").rect().center();
    drag(&mut window, bend, bend + vec2(40.0, 0.0));
    assert!(now(&window)[1] > 5.0 && (now(&window)[0] - twisted[0]).abs() < 0.1, "{:?}", now(&window));
    assert_eq!(studio(&window).history.steps(), (2, 0));
    enter(&mut window, "Twist", "-20");
    assert!((now(&window)[0] + 20.0).abs() < 0.01, "{:?}", now(&window));
    assert_eq!(studio(&window).history.steps(), (3, 0));
    click(&mut window, "Reset joint");
    assert!(hand(&window).distance(rest) < 1e-6);
}

/// The arm, far enough away that all its bones are seen, posed.
fn with_bones(folder: &std::path::Path) -> Window {
    let mut window = on_arm(folder);
    let viewport = &mut window.state_mut().session_mut().unwrap().viewport;
    viewport.camera.distance *= 2.0;
    viewport.extras.bones = true;
    studio_mut(&mut window).apply(Look::Tool(Tool::Pose));
    window.run_steps(2);
    window
}

/// The joint that is named in the view.
fn named(window: &Window) -> Vec<String> {
    let joint = |text: &String| ["upper", "lower", "hand"].contains(&&**text);
    words(window).into_iter().map(|(text, _)| text).filter(joint).collect()
}

#[test]
fn a_joint_without_skin_is_turned_by_its_bone_while_bones_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_bones(folder.path());
    let turned = |window: &Window| studio(window).live.model_from_joint()[2].transform_vector3(Vec3::Y);
    let (above, camera) = (seen(&window, Vec3::Y * 0.66), window.state().session().unwrap().viewport.camera);
    window.hover_at(above + vec2(6.0, 0.0));
    window.run_steps(2);
    assert_eq!(named(&window), ["hand"]);
    drag(&mut window, above, above + vec2(40.0, 10.0));
    assert!(turned(&window).dot(Vec3::Y) < 0.9, "{}", turned(&window));
    assert_eq!(studio(&window).joint, Some(2));
    click(&mut window, "Undo");
    window.hover_at(above + vec2(10.0, 0.0));
    window.run_steps(2);
    assert!(named(&window).is_empty(), "it is too far away");
    window.state_mut().session_mut().unwrap().viewport.extras.bones = false;
    drag(&mut window, above, above + vec2(40.0, 10.0));
    assert_eq!(turned(&window), Vec3::Y, "what is not shown is not taken");
    assert_ne!(window.state().session().unwrap().viewport.camera, camera);
}

#[test]
fn at_a_joint_the_bone_that_ends_there_is_taken_and_along_one_its_own_joint() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_bones(folder.path());
    for (height, joint) in [(0.15, "upper"), (0.29, "upper"), (0.302, "upper"), (0.36, "lower"), (0.6, "lower")] {
        let at = seen(&window, Vec3::Y * height);
        window.hover_at(at);
        window.run_steps(2);
        assert_eq!(named(&window), [joint], "{height} m up");
    }
}
