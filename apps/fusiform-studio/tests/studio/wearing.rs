//! What is done to the body's skin keeps off what the body wears and holds.

use crate::arm;
use crate::painting::strike;
use crate::placing::belly;
use fusiform::{Mesh, SparseWeights};
use fusiform_studio::model::{Brush, Fit, Grip, Look, Mode, Placing, Project, Recipe, Spot, Studio};
use glam::Vec3;

/// The arm with more meshes.
pub fn opened(more: Vec<Mesh>) -> Studio {
    let (mut character, mut musculature) = arm::arm();
    for mesh in more {
        let none = SparseWeights { start: vec![0; mesh.positions.len() + 1], ..SparseWeights::default() };
        musculature.weights.push(none);
        character.meshes.push(mesh);
    }
    let (project, musculature) = Project::from_bytes("arm.glb", &arm::written(&(character, musculature))).unwrap();
    Studio::new(project, musculature, None).unwrap()
}

/// A blade whose hilt lies at the right side of the arm.
fn blade() -> Mesh {
    let places = [(-0.055, 0.2), (-0.055, 0.3), (-0.3, 0.2), (-0.3, 0.3), (-0.5, 0.25)];
    let positions = places.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
    let mut mesh = Mesh { name: "blade".into(), positions, ..Mesh::default() };
    mesh.triangles = vec![[0, 2, 1], [1, 2, 3], [2, 4, 3]];
    mesh.normals = vec![Vec3::Z; places.len()];
    places.iter().for_each(|_| mesh.weights.push_vertex([(1, 1.0)]));
    mesh
}

/// What all muscles weigh on a mesh.
pub fn weighs(studio: &Studio, mesh: usize) -> f32 {
    let weights = &studio.document().musculature.weights[mesh];
    (0..weights.len()).flat_map(|v| weights.of(v)).map(|(_, weight)| weight).sum()
}

#[test]
fn a_stroke_on_the_one_side_does_not_paint_what_is_held_beside_the_other() {
    let mut studio = opened(vec![blade()]);
    let before = weighs(&studio, 0);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Look::Brush(Brush { radius: 0.15, strength: 0.3, ..studio.brush }));
    strike(&mut studio, Mode::Add, &[3 * 8, 4 * 8]);
    assert!(weighs(&studio, 0) > before + 1.0, "both sides of the arm are painted");
    assert_eq!(weighs(&studio, 1), 0.0, "the blade is not");
}

#[test]
fn a_muscle_that_is_mirrored_over_does_not_move_what_is_held_there() {
    let mut studio = opened(vec![blade()]);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert!(weighs(&studio, 0) > 1.0);
    assert_eq!(weighs(&studio, 1), 0.0);
}

/// The arm's own skin once more, farther out.
pub fn sleeve() -> Mesh {
    let mut mesh = arm::arm().0.meshes.remove(0);
    mesh.positions.iter_mut().for_each(|p| *p *= Vec3::new(1.1, 1.0, 1.1));
    Mesh { name: "sleeve".into(), ..mesh }
}

/// From one place on the left of a mesh's skin to another.
fn spots(mesh: usize) -> [Spot; 2] {
    let first = mesh * 8 * 9;
    [8, 48].map(|v| Spot { corners: [first + v, first + v + 8, first + v + 1], shares: Vec3::new(0.4, 0.3, 0.3) })
}

#[test]
fn a_new_muscle_lies_in_the_mesh_that_is_said_to_be_the_body_and_moves_it() {
    for (body, other) in [(0, 1), (1, 0)] {
        let mut studio = opened(vec![sleeve()]);
        studio.apply(Fit::Recipe(Recipe { body: Some(body), ..Recipe::default() }));
        let before = [0, 1].map(|mesh| weighs(&studio, mesh));
        studio.apply(Placing::Create(spots(body)));
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let gained = [0, 1].map(|mesh| weighs(&studio, mesh) - before[mesh]);
        assert!(gained[body] > 0.5, "{gained:?} with mesh {body} as the body");
        // what lies over the body is clothes and follows it, what lies in it is left alone
        assert_eq!(gained[other] > 0.0, other == 1, "{gained:?}");
    }
}

#[test]
fn skin_is_found_on_the_mesh_that_is_said_to_be_the_body() {
    let mut studio = opened(vec![sleeve()]);
    studio.apply(Fit::Recipe(Recipe { body: Some(1), ..Recipe::default() }));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Placing::Weigh);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(weighs(&studio, 0), 0.0, "what lies within the sleeve is left alone");
    assert!(weighs(&studio, 1) > 0.5);
}

/// How far out of the arm's axis a new muscle's belly comes under that much fat.
fn reach_under(fat: f32) -> f32 {
    let mut studio = opened(Vec::new());
    studio.apply(Fit::Recipe(Recipe { fat: Some(fat), ..Recipe::default() }));
    studio.apply(Placing::Create(spots(0)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let places = belly(&studio, &studio.muscles()[2]);
    places.iter().map(|p| p.with_y(0.0).length()).fold(0.0, f32::max)
}

#[test]
fn a_new_muscle_lies_as_deep_as_the_window_of_the_fit_says_that_fat_is_thick() {
    let (lean, fat) = (reach_under(0.002), reach_under(0.015));
    assert!(lean < 0.05 && fat < 0.05 - 0.01 && lean > fat + 0.005, "{lean} and {fat}");
}

#[test]
fn an_end_goes_to_the_skin_and_not_to_what_is_nearer() {
    let mut studio = opened(vec![blade()]);
    // just beside the hilt, out of the arm
    studio.apply(Placing::Grip(1, Grip::Origin, Vec3::new(-0.08, 0.22, 0.0)));
    studio.apply(Placing::ToSkin(1, Grip::Origin));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let end = studio.muscles()[1].origin.point;
    assert!((0.04..0.0501).contains(&end.with_y(0.0).length()), "{end}");
}
