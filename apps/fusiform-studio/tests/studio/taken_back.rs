//! What Escape takes back, and Reset joint.

use crate::inspecting::tall;
use crate::placing::place_of;
use crate::window::{Window, click, drag, seen, studio, studio_mut, view};
use egui_kittest::kittest::Queryable;
use fusiform_studio::model::{Edit, Grip, Look, Tool};
use glam::{Quat, Vec3};

#[test]
fn escape_takes_back_what_is_dragged_and_nothing_that_was_done_before() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    let at = window.get_by_role_and_label(egui::Role::Slider, "Bulge").rect().left_center() + egui::vec2(20.0, 0.0);
    drag(&mut window, at, at + egui::vec2(20.0, 0.0));
    let before = studio(&window).document().clone();
    assert_eq!(studio(&window).history.steps(), (1, 0));
    let size = window.get_by_role_and_label(egui::Role::Slider, "Size").rect().left_center() + egui::vec2(20.0, 0.0);
    window.hover_at(size);
    window.run_steps(1);
    window.drag_at(size);
    window.run_steps(1);
    window.hover_at(size + egui::vec2(45.0, 0.0));
    window.run_steps(2);
    assert_ne!(studio(&window).document(), &before);
    window.key_press(egui::Key::Escape);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &before);
    window.hover_at(size + egui::vec2(60.0, 0.0));
    window.run_steps(2);
    window.drop_at(size + egui::vec2(60.0, 0.0));
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &before, "the rest of the drag does nothing");
    let corner = view(&window).left_top() + egui::vec2(30.0, 60.0);
    window.hover_at(corner);
    window.run_steps(1);
    window.drag_at(corner);
    window.run_steps(1);
    window.key_press(egui::Key::Escape);
    window.run_steps(2);
    window.drop_at(corner);
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &before, "what was let go of stays");
}

#[test]
fn escape_takes_back_a_handle_that_is_dragged_in_the_view() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    click(&mut window, "Place");
    let before = studio(&window).document().clone();
    let at = seen(&window, place_of(&window, 0, Grip::Insertion));
    window.hover_at(at);
    window.run_steps(1);
    window.drag_at(at);
    window.run_steps(1);
    window.hover_at(at + egui::vec2(30.0, 0.0));
    window.run_steps(2);
    assert_ne!(studio(&window).document(), &before);
    window.key_press(egui::Key::Escape);
    window.run_steps(2);
    window.hover_at(at + egui::vec2(60.0, 0.0));
    window.run_steps(2);
    window.drop_at(at + egui::vec2(60.0, 0.0));
    window.run_steps(2);
    assert_eq!(studio(&window).document(), &before);
    assert_eq!(studio(&window).history.steps().0, 0);
}

#[test]
fn a_joint_is_turned_back_alone() {
    let mut window = tall();
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Look::Tool(Tool::Pose));
    for joint in [1, 2] {
        studio_now.apply(Edit::Turn(joint, Quat::from_rotation_z(0.7)));
    }
    studio_now.apply(Look::Joint(Some(1)));
    window.run_steps(2);
    let along =
        |window: &Window, joint: usize| studio(window).live.model_from_joint()[joint].transform_vector3(Vec3::Y);
    assert!(along(&window, 1).distance(Vec3::Y) > 0.5);
    click(&mut window, "Reset joint");
    assert!(along(&window, 1).distance(Vec3::Y) < 1e-5);
    assert!(along(&window, 2).distance(Vec3::Y) > 0.5, "the other stays as it was turned");
    studio_mut(&mut window).apply(Look::Joint(Some(2)));
    window.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::R);
    window.run_steps(3);
    assert!(along(&window, 2).distance(Vec3::Y) < 1e-5);
}
