//! A limb is dragged in the view.

use crate::placing::with;
use crate::window::{Window, click, drag, on_arm, seen, studio, studio_mut, view};
use egui::vec2;
use fusiform::musculature::{Contraction, PoseShape, Sculpt};
use fusiform_studio::model::{Action, Edit, Look, Tool};
use glam::{Quat, Vec3};

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
