//! What shells mean on a whole body: they follow the ellipsoids a tool can ask for, and only the printed mode changes rest.

use crate::random::{frame, subject};
use fusiform::musculature::{Attachment, Contraction, Dynamics, Layer, Path, Profile, ShellMode};
use fusiform::{Body, BodyState, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, StepInput, Transform};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

fn layer(mode: ShellMode) -> Layer {
    Layer::Shells { muscles: Vec::new(), drop_off: 0.5, stickiness: 0.5, hardness: 0.5, weight: 1.0, mode }
}

/// An arm whose skin the upper arm carries alone; the points are inside the ellipsoid of its one muscle.
fn arm(mode: ShellMode) -> (Character, Musculature) {
    let skeleton = Skeleton::from_rest(&[
        ("upper", None, Transform::IDENTITY),
        ("lower", Some(0), Transform::at(Vec3::new(0.3, 0.0, 0.0))),
    ]);
    let (mut mesh, mut weights) = (Mesh { name: "skin".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..20_u8 {
        let angle = f32::from(i) * 0.3;
        mesh.positions.push(Vec3::new(0.1 + 0.005 * f32::from(i), 0.03 * angle.cos(), 0.02 * angle.sin()));
        mesh.weights.push_vertex([(0, 1.0)]);
        weights.push_vertex([(0, 1.0)]);
    }
    mesh.triangles = vec![[0, 1, 2]];
    let at = |joint: &str, point| Attachment { joint: joint.into(), point };
    let muscle = Muscle {
        name: "biceps".into(),
        origin: at("upper", Vec3::new(0.02, 0.0, 0.0)),
        insertion: at("lower", Vec3::new(0.05, 0.03, 0.0)),
        path: Path::Polyline { via: vec![at("lower", Vec3::new(0.0, 0.04, 0.0))], tendons: [0.01, 0.04] },
        profile: Profile::Ellipsoid { width: 0.05, height: 0.06 },
        contraction: Contraction::Tone { tone: 1.0, isometric: 0.0 },
        dynamics: Dynamics::None,
        ..Muscle::default()
    };
    let character = Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let (muscles, layers, weights) = (vec![muscle], vec![layer(mode)], vec![weights]);
    (character, Musculature { muscles, layers, weights, ..Musculature::default() })
}

fn bent(angle: f32) -> [Affine3A; 2] {
    let elbow = Affine3A::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::X * 0.3);
    let shoulder = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(0.1, 0.2, 0.3));
    [shoulder, shoulder * elbow]
}

#[test]
fn inside_its_ellipsoid_skin_goes_where_the_ellipsoid_goes() {
    let (character, musculature) = arm(ShellMode::Stretch { slippage: 1.0 });
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    assert!(state.ellipsoid(&body, 0).abs_diff_eq(body.rest_ellipsoid(0), 1e-6));
    let pose = bent(1.3);
    body.step(&mut state, &StepInput::new(&pose, 0.0));
    let (now, carried) = (state.ellipsoid(&body, 0), state.carried_ellipsoid(&body, 0));
    assert!(carried.abs_diff_eq(pose[0] * body.rest_ellipsoid(0), 1e-6), "its bone carries it");
    for (moved, bind) in state.positions().iter().zip(&character.meshes[0].positions) {
        let local = body.rest_ellipsoid(0).inverse().transform_point3(*bind);
        assert!(local.length() < 1.0, "chosen inside");
        assert!(moved.distance(now.transform_point3(local)) < 1e-5);
        assert!(moved.distance(pose[0].transform_point3(*bind)) > 1e-3, "it does move");
    }
}

#[test]
fn only_the_printed_basic_mode_changes_rest() {
    let off = |mode| {
        let (character, musculature) = arm(mode);
        let state = BodyState::new(&Body::bind(&character, &musculature).unwrap());
        let pairs = state.positions().iter().zip(&character.meshes[0].positions);
        pairs.map(|(now, bind)| now.distance(*bind)).fold(0.0_f32, f32::max)
    };
    assert!(off(ShellMode::Basic { paper: true }) > 0.01);
    assert!(off(ShellMode::Basic { paper: false }) < 1e-6);
}

#[test]
fn a_spring_on_a_polyline_makes_its_ellipsoid_lag_and_leaves_its_ends() {
    let (character, mut musculature) = arm(ShellMode::Stretch { slippage: 1.0 });
    musculature.muscles[0].dynamics = Dynamics::default();
    let body = Body::bind(&character, &musculature).unwrap();
    let (mut jiggling, mut still) = (BodyState::new(&body), BodyState::new(&body));
    for frame in 0..6 {
        let moved = Affine3A::from_translation(Vec3::Z * (0.02 * frame as f32));
        let pose = bent(0.5).map(|m| moved * m);
        body.step(&mut jiggling, &StepInput::new(&pose, 1.0 / 60.0));
        let mut at_rest = StepInput::new(&pose, 1.0 / 60.0);
        at_rest.teleport = true;
        body.step(&mut still, &at_rest);
    }
    let lag = still.ellipsoid(&body, 0).translation - jiggling.ellipsoid(&body, 0).translation;
    assert!(lag.z > 2e-3, "the centre lags by {lag}");
    let points = |state: &BodyState| {
        let mut points = vec![Vec3::ZERO; body.belly_size(0)];
        state.belly_points(&body, 0, &mut points);
        points
    };
    let (a, b) = (points(&jiggling), points(&still));
    assert!(a[0].distance(b[0]) < 1e-6 && a[71].distance(b[71]) < 1e-6, "its ends stay");
    assert!(b[36].z - a[36].z > 2e-3, "its middle does not");
    assert!(still.positions()[10].z - jiggling.positions()[10].z > 1e-3, "and the skin follows");
}

proptest! {
    #![proptest_config(crate::random::cases(60))]

    #[test]
    fn a_vertex_without_weight_never_feels_a_shell(mut s in subject(), frame in frame()) {
        s.musculature.layers.retain(|layer| matches!(layer, Layer::Shells { .. }));
        s.musculature.weights.iter_mut().for_each(|w| w.weight.fill(0.0));
        let pose = frame.pose(&s.character.skeleton);
        let solve = |s: &crate::random::Subject| {
            let body = Body::bind(&s.character, &s.musculature).unwrap();
            let mut state = BodyState::new(&body);
            body.step(&mut state, &StepInput::new(&pose, frame.dt));
            state.positions().to_vec()
        };
        let with = solve(&s);
        s.musculature.layers.clear();
        prop_assert_eq!(with, solve(&s));
    }
}
