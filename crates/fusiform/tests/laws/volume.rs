//! A straight muscle without spring or bulge keeps the volume of its own surface.

use fusiform::body::{Body, BodyState, StepInput, belly_triangles};
use fusiform::musculature::{Attachment, Contraction, Dynamics, Path, Profile, Volume};
use fusiform::{Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use glam::{Affine3A, Vec3};

fn enclosed(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |v: u32| points[v as usize].as_dvec3();
    triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
}

fn arm(taper: f32, aspect: f32) -> (Character, Musculature) {
    let skeleton = Skeleton::from_rest(&[
        ("upper", None, Transform::IDENTITY),
        ("lower", Some(0), Transform::at(Vec3::new(0.1, 0.25, 0.05))),
    ]);
    let mut weights = SparseWeights::default();
    (0..3).for_each(|_| weights.push_vertex([(0, 1.0)]));
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mesh = Mesh { name: "skin".into(), positions, triangles: vec![[0, 1, 2]], weights, ..Mesh::default() };
    let muscle = Muscle {
        name: "biceps".into(),
        origin: Attachment { joint: "upper".into(), point: Vec3::ZERO },
        insertion: Attachment { joint: "lower".into(), point: Vec3::ZERO },
        profile: Profile::Sine { size: 0.03, taper, aspect },
        contraction: Contraction::Bulge { bulge: 0.0, stretch_ratio: 1.0, isometric: 0.0 },
        dynamics: Dynamics::None,
        rings: 24,
        sectors: 24,
        ..Muscle::default()
    };
    let character = Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    (character, Musculature { muscles: vec![muscle], ..Musculature::default() })
}

#[test]
fn a_straight_belly_keeps_its_volume_from_half_to_one_and_a_half_of_its_length() {
    for (taper, aspect) in [(1.0, 1.0), (2.5, 0.4), (0.5, 2.0)] {
        let (character, musculature) = arm(taper, aspect);
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let mut points = vec![Vec3::ZERO; body.belly_size(0)];
        let triangles = belly_triangles(24, 24);
        state.belly_points(&body, 0, &mut points);
        let rest = enclosed(&points, &triangles);
        let cylinder = std::f64::consts::PI * 0.03 * 0.03 * f64::from(aspect) * f64::from(body.rest_lengths()[0]);
        assert!(rest > 0.2 * cylinder && rest < cylinder, "a belly has a volume: {rest}, its cylinder {cylinder}");
        for percent in (50..=150).step_by(5) {
            let chord = character.skeleton.joints[1].rest.translation * (percent as f32 / 100.0);
            body.step(&mut state, &StepInput::new(&[Affine3A::IDENTITY, Affine3A::from_translation(chord)], 0.1));
            state.belly_points(&body, 0, &mut points);
            let drift = (enclosed(&points, &triangles) / rest - 1.0).abs();
            assert!(drift < 1e-4, "at {percent} % of its length the volume drifts by {drift}");
        }
    }
}

#[test]
fn a_fit_ellipsoid_keeps_its_volume_and_its_tendons_their_length() {
    let (character, mut musculature) = arm(1.0, 1.0);
    let muscle = &mut musculature.muscles[0];
    let length = character.skeleton.joints[1].rest.translation.length();
    let (tendons, belly) = ([0.3 * length, 0.1 * length], 0.6 * length);
    muscle.path = Path::Polyline { via: Vec::new(), tendons };
    muscle.profile = Profile::Ellipsoid { width: 0.03, height: 0.05 };
    muscle.contraction = Contraction::Tone { tone: 1.0, isometric: 0.0 };
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    let mut points = vec![Vec3::ZERO; body.belly_size(0)];
    let triangles = belly_triangles(24, 24);
    state.belly_points(&body, 0, &mut points);
    let (rest, sphere) = (enclosed(&points, &triangles), state.ellipsoid(&body, 0).matrix3.determinant());
    assert!((sphere / (0.5 * belly * 0.03 * 0.05) - 1.0).abs() < 1e-5, "half-axes as asked");
    let away = character.skeleton.joints[1].rest.translation / length;
    for percent in (50..=150).step_by(5) {
        let now = belly * percent as f32 / 100.0;
        let chord = away * (tendons[0] + now + tendons[1]);
        body.step(&mut state, &StepInput::new(&[Affine3A::IDENTITY, Affine3A::from_translation(chord)], 0.1));
        state.belly_points(&body, 0, &mut points);
        let drift = (enclosed(&points, &triangles) / rest - 1.0).abs();
        let sphere_drift = (state.ellipsoid(&body, 0).matrix3.determinant() / sphere - 1.0).abs();
        assert!(drift < 1e-4 && sphere_drift < 1e-4, "at {percent} % the volume drifts by {drift}, {sphere_drift}");
        assert!((state.belly_lengths()[0] - now).abs() < 1e-6);
        assert!((points[0] - away * tendons[0]).length() < 1e-6, "the belly begins where its tendon ends");
    }
}

/// Largest drift of the surface's volume from rest over lengths of the belly from 0.6 to 1.4 and activations from 0 to 1.
fn worst_drift(profile: Profile, contraction: Contraction) -> f64 {
    let (character, mut musculature) = arm(1.0, 1.0);
    let muscle = &mut musculature.muscles[0];
    let length = character.skeleton.joints[1].rest.translation.length();
    let tendons = [0.15 * length, 0.25 * length];
    muscle.path = Path::Polyline { via: Vec::new(), tendons };
    (muscle.profile, muscle.contraction, muscle.rings) = (profile, contraction, 64);
    let body = Body::bind(&character, &musculature).expect("it is sound");
    let mut state = BodyState::new(&body);
    let mut points = vec![Vec3::ZERO; body.belly_size(0)];
    let triangles = belly_triangles(64, 24);
    state.belly_points(&body, 0, &mut points);
    let rest = enclosed(&points, &triangles);
    let mut worst = 0.0_f64;
    for (percent, tenth) in (60..=140).step_by(10).flat_map(|percent| (0..=10).map(move |tenth| (percent, tenth))) {
        let belly = 0.6 * length * percent as f32 / 100.0;
        let chord = character.skeleton.joints[1].rest.translation / length * (tendons[0] + belly + tendons[1]);
        let pose = [Affine3A::IDENTITY, Affine3A::from_translation(chord)];
        let mut input = StepInput::new(&pose, 0.1);
        let activation = [0.1 * tenth as f32];
        input.activation = &activation;
        body.step(&mut state, &input);
        state.belly_points(&body, 0, &mut points);
        worst = worst.max((enclosed(&points, &triangles) / rest - 1.0).abs());
    }
    worst
}

#[test]
fn two_cubics_keep_their_volume_exactly_or_by_the_cones_estimate() {
    let spindle = Profile::TwoCubics { peak_at: 0.5, peak: 0.03, ends: [0.0; 2], slopes: [0.05, -0.05], ellipse: 1.0 };
    let lopsided =
        Profile::TwoCubics { peak_at: 0.3, peak: 0.04, ends: [0.012, 0.004], slopes: [0.03, -0.02], ellipse: 1.4 };
    for profile in [spindle, lopsided] {
        let drift = |volume| worst_drift(profile.clone(), Contraction::Cones { volume, isometric: 0.4 });
        let (exact, cones) = (drift(Volume::Exact), drift(Volume::Cones));
        println!("volume drift of two cubics: exact {:.4} %, cones {:.2} %", 100.0 * exact, 100.0 * cones);
        assert!(exact < 1e-3, "exact drifts by {exact}");
        assert!(cones < 0.1, "the estimate is one, but no more: {cones}");
    }
}

#[test]
fn a_tensed_ellipsoid_keeps_its_volume_whatever_its_ratio() {
    for (ratio, tension, paper) in [(2.56, 0.0, false), (2.56, 1.0, false), (1.3, 0.5, true), (6.0, 0.2, false)] {
        let profile = Profile::Ellipsoid { width: 0.03, height: 0.05 };
        let drift = worst_drift(profile, Contraction::TensionRatio { ratio, tension, paper });
        assert!(drift < 1e-5, "k = {ratio}, t_u = {tension}: drifts by {drift}");
    }
}
