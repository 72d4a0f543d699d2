//! What is done to the body's skin keeps off what the body wears and holds.

use crate::arm;
use crate::painting::strike;
use fusiform::{Mesh, SparseWeights};
use fusiform_studio::model::{Brush, Look, Mode, Placing, Project, Studio};
use glam::Vec3;

fn opened(more: Vec<Mesh>) -> Studio {
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
fn weighs(studio: &Studio, mesh: usize) -> f32 {
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
