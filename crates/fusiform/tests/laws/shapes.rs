//! Pose shapes give back every sample in its own pose, the bind grid at bind, and something between them in between.

use fusiform::musculature::{Attachment, Contraction, Layer, Path, PoseShape, Profile, Sculpt, ShellMode};
use fusiform::{
    Body, BodyState, Character, Mesh, Muscle, Musculature, Pose, Skeleton, SparseWeights, StepInput, Transform,
};
use glam::{Quat, Vec3};

const POINTS: usize = 9 * 8;

fn grid(k: usize) -> Sculpt {
    Sculpt { factors: (0..POINTS).map(|i| 0.6 + 0.15 * ((i * (k + 2)) % 6) as f32).collect() }
}

/// A limb of three joints with skin at its middle, and a muscle over all of it.
fn limb(contraction: Contraction, sculpt: Sculpt, path: Path) -> (Character, Musculature) {
    let turned = Transform { rotation: Quat::from_rotation_z(0.4), ..Transform::at(Vec3::X * 0.3) };
    let skeleton = Skeleton::from_rest(&[
        ("hip", None, Transform { rotation: Quat::from_rotation_x(0.3), ..Transform::IDENTITY }),
        ("knee", Some(0), turned),
        ("ankle", Some(1), turned),
    ]);
    let (mut mesh, mut weights) = (Mesh { name: "skin".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..24_u8 {
        let angle = f32::from(i) * 0.26;
        let local = Vec3::new(0.15, 0.045 * angle.cos(), 0.045 * angle.sin());
        mesh.positions.push(skeleton.joints[0].bind.transform_point3(local));
        mesh.weights.push_vertex([(0, 1.0)]);
        weights.push_vertex([(0, 1.0)]);
    }
    mesh.triangles = vec![[0, 1, 2]];
    let end = |joint: &str, x: f32| Attachment { joint: joint.into(), point: Vec3::new(x, 0.0, 0.0) };
    let muscle = Muscle {
        name: "rectus".into(),
        origin: end("hip", 0.02),
        insertion: end("knee", -0.02),
        path,
        profile: Profile::Ellipsoid { width: 0.03, height: 0.04 },
        contraction,
        sculpt: Some(sculpt),
        ..Muscle::default()
    };
    let character = Character { name: "limb".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    (character, Musculature { muscles: vec![muscle], weights: vec![weights], ..Musculature::default() })
}

fn straight() -> Path {
    Path::Polyline { via: Vec::new(), tendons: [0.02, 0.03] }
}

/// The belly, and the skin, in a pose given by turns of joints since bind.
fn posed((character, musculature): &(Character, Musculature), turns: &[(&str, Quat)]) -> (Vec<Vec3>, Vec<Vec3>) {
    let body = Body::bind(character, musculature).unwrap();
    let mut state = BodyState::new(&body);
    let mut pose = Pose::rest(&character.skeleton);
    for (joint, turn) in turns {
        let local = &mut pose.local[character.skeleton.find(joint).unwrap()];
        local.rotation = (local.rotation * *turn).normalize();
    }
    body.step(&mut state, &StepInput::new(&pose.model_matrices(&character.skeleton), 0.0));
    let mut points = vec![Vec3::ZERO; body.belly_size(0)];
    state.belly_points(&body, 0, &mut points);
    (points, state.positions().to_vec())
}

fn contraction(samples: &[&[(&str, Quat)]]) -> Contraction {
    let shape = |(k, turns): (usize, &&[(&str, Quat)])| PoseShape {
        turns: turns.iter().map(|(joint, turn)| ((*joint).to_owned(), *turn)).collect(),
        sculpt: grid(k + 1),
    };
    Contraction::PoseShapes { shapes: samples.iter().enumerate().map(shape).collect(), tone: 0.0, isometric: 0.0 }
}

fn one_axis() -> Vec<Vec<(&'static str, Quat)>> {
    [0.7, 1.4, -0.5].map(|angle| vec![("knee", Quat::from_rotation_z(angle))]).to_vec()
}

fn scattered() -> Vec<Vec<(&'static str, Quat)>> {
    vec![
        vec![("knee", Quat::from_rotation_z(0.9))],
        vec![("knee", Quat::from_rotation_y(0.6)), ("hip", Quat::from_rotation_x(-0.7))],
        vec![("ankle", Quat::from_rotation_z(-1.2))],
        vec![("hip", Quat::from_rotation_y(1.5)), ("ankle", Quat::from_rotation_x(0.4))],
    ]
}

fn same(a: &[Vec3], b: &[Vec3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-6)
}

#[test]
fn every_sample_comes_back_in_its_own_pose() {
    let bezier = Path::Bezier { offset: Vec3::Y * 0.02, spacing: fusiform::musculature::Spacing::ArcLength, held: 0.0 };
    for path in [straight(), bezier] {
        for samples in [one_axis(), scattered()] {
            let samples: Vec<&[(&str, Quat)]> = samples.iter().map(Vec::as_slice).collect();
            let shaped = limb(contraction(&samples), grid(0), path.clone());
            let fixed = |k: usize| limb(Contraction::Tone { tone: 0.0, isometric: 0.0 }, grid(k), path.clone());
            assert!(same(&posed(&shaped, &[]).0, &posed(&fixed(0), &[]).0), "the bind grid at bind");
            for (k, turns) in samples.iter().enumerate() {
                assert!(
                    same(&posed(&shaped, turns).0, &posed(&fixed(k + 1), turns).0),
                    "sample {k} of {}",
                    samples.len()
                );
                assert!(!same(&posed(&shaped, turns).0, &posed(&fixed(0), turns).0), "sample {k} is another shape");
            }
        }
    }
}

#[test]
fn one_axis_is_interpolated_between_neighbouring_angles() {
    let samples = one_axis();
    let samples: Vec<&[(&str, Quat)]> = samples.iter().map(Vec::as_slice).collect();
    let shaped = limb(contraction(&samples), grid(0), straight());
    // half-way between bind and the first sample, and beyond the last
    let half: Vec<f32> = grid(0).factors.iter().zip(&grid(1).factors).map(|(a, b)| 0.5 * (a + b)).collect();
    let none = || Contraction::Tone { tone: 0.0, isometric: 0.0 };
    for (angle, factors) in [(0.35, half), (2.2, grid(2).factors), (-1.0, grid(3).factors)] {
        let turns = [("knee", Quat::from_rotation_z(angle))];
        let wanted = limb(none(), Sculpt { factors }, straight());
        assert!(same(&posed(&shaped, &turns).0, &posed(&wanted, &turns).0), "at {angle}");
    }
}

#[test]
fn a_star_pushes_the_skin_out_where_the_shape_does() {
    let grown = PoseShape {
        turns: [("knee".to_owned(), Quat::from_rotation_z(1.0))].into(),
        sculpt: Sculpt { factors: vec![1.5; POINTS] },
    };
    let plain = Sculpt { factors: vec![1.0; POINTS] };
    let contraction = Contraction::PoseShapes { shapes: vec![grown], tone: 0.0, isometric: 0.0 };
    let (character, mut musculature) = limb(contraction, plain, straight());
    let turns = [("knee", Quat::from_rotation_z(1.0))];
    let mut skin = |mode| {
        let Layer::Shells { muscles, drop_off, stickiness, hardness, weight, .. } = Layer::shells() else {
            return vec![];
        };
        musculature.layers = vec![Layer::Shells { muscles, drop_off, stickiness, hardness, weight, mode }];
        posed(&(character.clone(), musculature.clone()), &turns).1
    };
    let (stretch, star) = (skin(ShellMode::Stretch { slippage: 1.0 }), skin(ShellMode::Star { slippage: 1.0 }));
    let axis = character.skeleton.joints[0].bind;
    let thick = |p: &Vec3| axis.inverse().transform_point3(*p).with_x(0.0).length();
    assert!(stretch.iter().zip(&star).all(|(a, b)| thick(b) > thick(a) + 0.003));
}

#[test]
fn the_blend_layer_follows_a_shape_as_far_as_an_ellipse_does() {
    // a shape that is an ellipse itself
    let turns = [("knee", Quat::from_rotation_z(1.0))];
    let factors = vec![1.3; POINTS];
    let shape = PoseShape { turns: turns.iter().map(|t| (t.0.to_owned(), t.1)).collect(), sculpt: Sculpt { factors } };
    let contraction = Contraction::PoseShapes { shapes: vec![shape], tone: 0.0, isometric: 0.0 };
    let (character, mut musculature) = limb(contraction, Sculpt { factors: vec![1.0; POINTS] }, straight());
    musculature.layers = vec![Layer::blend()];
    let shaped = posed(&(character.clone(), musculature.clone()), &turns).1;
    // the same growth by activation alone
    musculature.muscles[0].contraction = Contraction::Tone { tone: 0.0, isometric: 0.3 };
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    let mut pose = Pose::rest(&character.skeleton);
    pose.local[1].rotation *= turns[0].1;
    let pose = pose.model_matrices(&character.skeleton);
    let mut input = StepInput::new(&pose, 0.0);
    input.activation = &[1.0];
    body.step(&mut state, &input);
    assert!(same(&shaped, state.positions()));
}
