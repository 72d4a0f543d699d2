//! What tenses muscles: drivers, a tension over the body, curves of clips, and how they add up.

use crate::random::{Frame, Subject, frame, subject};
use fusiform::character::Interpolation;
use fusiform::musculature::{
    Activation, Attachment, ClipActivation, Driver, Dynamics, Layer, MuscleTrack, Path, Signal,
};
use fusiform::{BindError, Body, BodyState, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, StepInput};
use fusiform::{Clip, Transform};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

/// An arm that hangs on a turned shoulder, with two muscles, one of them a polyline, and a patch of skin.
fn arm(activation: Activation) -> (Character, Musculature) {
    let shoulder = Transform { rotation: Quat::from_rotation_y(0.8), ..Transform::at(Vec3::new(0.1, 1.4, 0.0)) };
    let skeleton = Skeleton::from_rest(&[
        ("shoulder", None, shoulder),
        ("elbow", Some(0), Transform { rotation: Quat::from_rotation_x(0.3), ..Transform::at(Vec3::X * 0.3) }),
    ]);
    let end = |joint: &str, point| Attachment { joint: joint.into(), point };
    let muscle = |name: &str, out: f32| Muscle {
        name: name.into(),
        origin: end("shoulder", Vec3::Y * out),
        insertion: end("elbow", Vec3::new(0.05, out, 0.0)),
        dynamics: Dynamics::None,
        ..Muscle::default()
    };
    let line = Path::Polyline { via: vec![end("elbow", Vec3::Y * -0.02)], tendons: [0.02, 0.05] };
    let triceps = Muscle { path: line, ..muscle("triceps", -0.03) };
    let (mut mesh, mut weights) = (Mesh { name: "skin".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..6_u8 {
        let at = Vec3::new(0.05 * f32::from(i), 0.05, 0.01 * f32::from(i % 2));
        mesh.positions.push(skeleton.joints[0].bind.transform_point3(at));
        mesh.weights.push_vertex([(0, 1.0)]);
        weights.push_vertex([(0, 0.8)]);
    }
    mesh.triangles = vec![[0, 1, 2], [1, 2, 3]];
    let clips = vec![Clip { name: "hold".into(), channels: Vec::new() }];
    let character = Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips };
    let (muscles, layers, weights) = (vec![muscle("biceps", 0.03), triceps], vec![Layer::blend()], vec![weights]);
    (character, Musculature { muscles, layers, weights, activation, ..Musculature::default() })
}

/// The bind pose with the elbow turned further.
fn bent(character: &Character, turn: Quat) -> Vec<Affine3A> {
    let bind = character.skeleton.bind_matrices();
    vec![bind[0], bind[1] * Affine3A::from_quat(turn)]
}

fn driver(muscles: &[&str], signal: Signal, remap: &[[f32; 2]]) -> Driver {
    Driver { muscles: muscles.iter().map(|&name| name.to_owned()).collect(), signal, remap: remap.to_vec() }
}

fn elbow(axis: Option<Vec3>) -> Signal {
    Signal::JointAngle { joint: "elbow".into(), axis }
}

/// Activations in a pose, told nothing.
fn activations(activation: Activation, turn: Quat) -> Vec<f32> {
    let (character, musculature) = arm(activation);
    let body = Body::bind(&character, &musculature).expect("it is sound");
    let mut state = BodyState::new(&body);
    body.step(&mut state, &StepInput::new(&bent(&character, turn), 1.0 / 60.0));
    state.activations().to_vec()
}

fn with(drivers: Vec<Driver>) -> Activation {
    Activation { drivers, ..Activation::default() }
}

#[test]
fn a_joints_angle_tenses_the_muscles_that_listen_to_it() {
    let flex = || with(vec![driver(&["biceps"], elbow(Some(Vec3::Z)), &[[0.0, 0.0], [30.0, 0.1], [130.0, 0.9]])]);
    for (degrees, level) in [(0.0, 0.0), (-50.0, 0.0), (15.0, 0.05), (30.0, 0.1), (80.0, 0.5), (170.0, 0.9)] {
        let turn = Quat::from_rotation_z(f32::to_radians(degrees));
        let got = activations(flex(), turn);
        assert!((got[0] - level).abs() < 1e-4 && got[1] == 0.0, "{degrees} degrees: {got:?}");
        // a swing that leaves the axis where it was does not count
        let swung = activations(flex(), Quat::from_rotation_x(0.7) * turn);
        assert!((swung[0] - level).abs() < 1e-4, "{degrees} degrees and a swing: {swung:?}");
    }
}

#[test]
fn without_an_axis_the_whole_angle_counts_whichever_way() {
    let any = || with(vec![driver(&["biceps"], elbow(None), &[[0.0, 0.0], [90.0, 0.9]])]);
    for axis in [Vec3::X, Vec3::NEG_Z, Vec3::new(0.6, 0.0, 0.8)] {
        let got = activations(any(), Quat::from_axis_angle(axis, 0.5));
        assert!((got[0] - 0.9 * 0.5_f32.to_degrees() / 90.0).abs() < 1e-4, "{axis}: {got:?}");
    }
}

#[test]
fn a_muscle_tenses_as_it_shortens_by_its_own_length() {
    let (character, musculature) = arm(with(vec![driver(&[], Signal::Shortening, &[[-0.5, 0.0], [0.5, 1.0]])]));
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    assert_eq!(state.activations(), [0.5, 0.5], "in the bind pose nothing is shortened, to the bit");
    body.step(&mut state, &StepInput::new(&bent(&character, Quat::from_rotation_z(1.2)), 1.0 / 60.0));
    for m in 0..2 {
        let shortening = 1.0 - state.lengths()[m] / body.rest_lengths()[m];
        assert!(shortening.abs() > 0.02, "muscle {m} is to change its length: {shortening}");
        assert!((state.activations()[m] - (0.5 + shortening).clamp(0.0, 1.0)).abs() < 1e-5);
    }
}

#[test]
fn input_tension_and_drivers_add_up_and_stay_within_one() {
    let shortening = || driver(&["triceps"], Signal::Shortening, &[[-9.0, 0.25], [9.0, 0.25]]);
    let sum = Activation { tension: 0.25, drivers: vec![shortening(), shortening()], ..Activation::default() };
    let (character, musculature) = arm(sum);
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    let bind = character.skeleton.bind_matrices();
    for (input, got) in [
        (vec![], [0.25, 0.75]),
        (vec![0.5, 0.125], [0.75, 0.875]),
        (vec![1.0, 1.0], [1.0, 1.0]),
        (vec![f32::NAN, -3.0], [0.25, 0.75]),
    ] {
        let mut frame = StepInput::new(&bind, 0.0);
        frame.activation = &input;
        body.step(&mut state, &frame);
        assert_eq!(state.activations(), got, "{input:?}");
    }
}

#[test]
fn a_tense_muscle_stands_out_and_a_body_is_bound_relaxed() {
    let (character, mut musculature) = arm(Activation::default());
    musculature.layers.push(Layer::shells());
    let relaxed = BodyState::new(&Body::bind(&character, &musculature).unwrap());
    musculature.activation.tension = 1.0;
    let tense = Body::bind(&character, &musculature).unwrap();
    let moved = |state: &BodyState| {
        let pairs = state.positions().iter().zip(&character.meshes[0].positions);
        pairs.map(|(now, bind)| now.distance(*bind)).fold(0.0_f32, f32::max)
    };
    assert!(moved(&relaxed) < 1e-6);
    let mut state = BodyState::new(&tense);
    assert!(moved(&state) > 1e-3, "tension shows: {}", moved(&state));
    // the same as telling every muscle so in every frame, layers that measure themselves at bind included
    musculature.activation.tension = 0.0;
    let told = Body::bind(&character, &musculature).unwrap();
    let bind = character.skeleton.bind_matrices();
    let mut input = StepInput::new(&bind, 0.0);
    let mut other = BodyState::new(&told);
    tense.step(&mut state, &input);
    input.activation = &[1.0, 1.0];
    told.step(&mut other, &input);
    assert_eq!(state.positions(), other.positions());
}

fn keyed(clip: &str, muscle: &str, times: &[f32], values: &[f32]) -> ClipActivation {
    let (times, values, interpolation) = (times.to_vec(), values.to_vec(), Interpolation::Linear);
    ClipActivation {
        clip: clip.into(),
        tracks: vec![MuscleTrack { muscle: muscle.into(), times, values, interpolation }],
    }
}

#[test]
fn curves_of_a_clip_lie_on_top_of_constant_levels() {
    let curves = vec![keyed("hold", "triceps", &[1.0, 2.0], &[0.25, 0.75]), keyed("other", "biceps", &[0.0], &[1.0])];
    let (character, musculature) = arm(Activation { curves, ..Activation::default() });
    let body = Body::bind(&character, &musculature).unwrap();
    let mut hold = body.play(Some("hold"), &[]);
    assert_eq!([0.0, 1.5, 9.0].map(|time| hold.at(time).to_vec()), [[0.0, 0.25], [0.0, 0.5], [0.0, 0.75]]);
    assert_eq!(body.play(Some("hold"), &[0.5, 0.5]).at(1.0), [0.5, 0.75]);
    assert_eq!(body.play(Some("hold"), &[0.5, 0.5]).at(2.0), [0.5, 1.0], "never beyond one");
    assert_eq!(body.play(None, &[0.5, 0.5]).at(2.0), [0.5, 0.5]);
    assert!(body.play(Some("squat"), &[]).at(1.0).is_empty());
}

#[test]
fn curves_of_clips_and_muscles_that_are_not_there_do_nothing_and_are_told() {
    let curves = vec![
        keyed("hold", "biceps", &[0.0, 3.0], &[0.0, 1.0]),
        keyed("hold", "brachialis", &[0.0], &[1.0]),
        keyed("jump", "biceps", &[0.0], &[1.0]),
    ];
    let (character, musculature) = arm(Activation { curves, ..Activation::default() });
    let body = Body::bind(&character, &musculature).unwrap();
    assert_eq!(body.play(Some("hold"), &[]).at(3.0), [1.0, 0.0]);
    let warnings = musculature.activation.warnings(&character, &musculature).join("\n");
    for told in ["\"jump\"", "\"brachialis\"", "the clip ends at 0.00 s"] {
        assert!(warnings.contains(told), "{warnings}");
    }
    assert_eq!(warnings.lines().count(), 3, "{warnings}");
}

/// The error of an activation; its message must name that, its cure must say something.
fn refused(activation: Activation, names: &str) -> BindError {
    let (character, musculature) = arm(activation);
    let error = Body::bind(&character, &musculature).expect_err(names);
    assert!(error.to_string().contains(names), "{error} does not name {names}");
    assert!(error.cure().len() > 10, "{error} has no cure");
    error
}

#[test]
fn drivers_listen_to_what_is_there_through_curves_that_go_forward() {
    let remap = &[[0.0, 0.0], [90.0, 1.0]];
    let error = refused(with(vec![driver(&["bicep"], Signal::Shortening, remap)]), "driver 0");
    assert!(error.cure().contains("biceps"), "{}", error.cure());
    let wrist = Signal::JointAngle { joint: "elbw".into(), axis: None };
    assert!(refused(with(vec![driver(&[], wrist, remap)]), "elbw").cure().contains("elbow"));
    refused(with(vec![driver(&[], elbow(Some(Vec3::ZERO)), remap)]), "axis of driver 0");
    refused(with(vec![driver(&[], elbow(Some(Vec3::NAN)), remap)]), "axis of driver 0");
    refused(with(vec![driver(&[], elbow(None), &[[0.0, 0.5]])]), "number of points");
    refused(with(vec![driver(&[], elbow(None), &[[0.0, 0.5]; 65])]), "number of points");
    let error = refused(with(vec![driver(&[], elbow(None), &[[30.0, 0.0], [10.0, 1.0]])]), "goes backwards");
    assert!(error.to_string().contains("10 follows 30"), "{error}");
    refused(with(vec![driver(&[], elbow(None), &[[30.0, 0.0], [30.0, 1.0]])]), "goes backwards");
    refused(with(vec![driver(&[], elbow(None), &[[30.0, 0.0], [f32::NAN, 1.0]])]), "finite");
    refused(with(vec![driver(&[], elbow(None), &[[30.0, 0.0], [40.0, f32::NAN]])]), "finite");
    refused(with(vec![driver(&[], elbow(None), &[[30.0, 0.0], [40.0, 1.5]])]), "driver 0");
    refused(Activation { tension: 1.5, ..Activation::default() }, "tension");
    refused(Activation { tension: f32::NAN, ..Activation::default() }, "tension");
}

#[test]
fn an_activation_curve_goes_forward_and_has_a_value_for_every_key() {
    let curve = |times: &[f32], values: &[f32]| Activation {
        curves: vec![keyed("hold", "biceps", times, values)],
        ..Activation::default()
    };
    let error = refused(curve(&[0.0, 2.0, 1.0], &[0.0, 1.0, 0.0]), "goes backwards");
    assert_eq!(
        error.to_string(),
        "the activation curve of muscle \"biceps\" in clip \"hold\" goes backwards: 1 follows 2"
    );
    refused(curve(&[1.0, 1.0], &[0.0, 1.0]), "goes backwards");
    refused(curve(&[0.0, f32::NAN], &[0.0, 1.0]), "finite");
    refused(curve(&[0.0, 1.0], &[0.0, f32::INFINITY]), "finite");
    refused(curve(&[0.0, 1.0], &[0.0, 1.5]), "a value of");
    refused(curve(&[0.0, 1.0], &[0.0]), "1 entries where 2");
    refused(curve(&[], &[]), "0 entries where 1");
    let mut cubic = curve(&[0.0], &[0.0]);
    cubic.curves[0].tracks[0].interpolation = Interpolation::Cubic;
    refused(cubic, "1 entries where 3");
}

proptest! {
    #![proptest_config(crate::random::cases(100))]

    #[test]
    fn activation_stays_within_zero_and_one(s in subject(), frames in prop::collection::vec(frame(), 1..4)) {
        let Subject { character, musculature } = s;
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        prop_assert!(state.activations().iter().all(|&level| level == 0.0), "relaxed in the bind pose");
        let input = vec![frames[0].activation; body.n_muscle()];
        for frame in &frames {
            let pose = Frame::pose(frame, &character.skeleton);
            let mut frame = StepInput::new(&pose, frame.dt);
            frame.activation = &input;
            body.step(&mut state, &frame);
            prop_assert!(state.activations().iter().zip(&input).all(|(now, told)| (*told..=1.0).contains(now)));
        }
    }
}
