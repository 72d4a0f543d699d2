//! Skin displaced by how far muscles have grown: against the equations in f64, sliding, kept off by the fat.

use fusiform::body::{Body, BodyState, MuscleRecord, StepInput};
use fusiform::musculature::{Along, Attachment, Contraction, Dynamics, Layer, Path, Profile, Volume};
use fusiform::{Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use glam::{Affine3A, DVec3, Quat, Vec3};

const PEAK: f32 = 0.03;
const ELLIPSE: f32 = 1.1;
const WEIGHT: f32 = 0.8;

/// A biceps over an elbow, and a sleeve of skin about it that hangs on the upper arm alone.
fn arm(fat: f32, along: Along) -> (Character, Musculature) {
    let skeleton = Skeleton::from_rest(&[
        ("upper", None, Transform::IDENTITY),
        ("lower", Some(0), Transform::at(Vec3::new(0.3, 0.0, 0.0))),
    ]);
    let (mut mesh, mut weights) = (Mesh { name: "skin".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..96_u16 {
        let angle = std::f32::consts::TAU * f32::from(i % 8) / 8.0;
        let (x, r) = (0.02 + 0.024 * f32::from(i / 8), 0.036 + 0.001 * f32::from(i % 5));
        mesh.positions.push(Vec3::new(x, 0.04 + r * angle.cos(), r * angle.sin()));
        mesh.weights.push_vertex([(0, 1.0)]);
        weights.push_vertex([(0, WEIGHT)]);
    }
    mesh.triangles = vec![[0, 1, 2]];
    let at = |joint: &str, point| Attachment { joint: joint.into(), point };
    let (ends, slopes) = ([0.004, 0.002], [0.04, -0.05]);
    let muscle = Muscle {
        name: "biceps".into(),
        origin: at("upper", Vec3::new(0.0, 0.04, 0.0)),
        insertion: at("lower", Vec3::new(0.04, 0.04, 0.0)),
        path: Path::Polyline { via: Vec::new(), tendons: [0.02, 0.05] },
        profile: Profile::TwoCubics { peak_at: 0.4, peak: PEAK, ends, slopes, ellipse: ELLIPSE },
        contraction: Contraction::Cones { volume: Volume::Exact, isometric: 0.3 },
        dynamics: Dynamics::None,
        up: Some(Vec3::Y),
        rings: 64,
        ..Muscle::default()
    };
    let character = Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let layers = vec![Layer::Displace { muscles: vec!["biceps".into()], fat, along }];
    (character, Musculature { muscles: vec![muscle], layers, weights: vec![weights], ..Musculature::default() })
}

fn bent(angle: f32) -> [Affine3A; 2] {
    let elbow = Affine3A::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::X * 0.3);
    let shoulder = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.4), Vec3::new(0.1, 1.2, 0.3));
    [shoulder, shoulder * elbow]
}

/// The equations as printed in `displace`, for a straight belly: what a vertex does that its joint has put at `p`.
fn displaced(record: &MuscleRecord, p: DVec3, free: f64, along: Along) -> DVec3 {
    let (start, chord, b) = (record.start.as_dvec3(), record.chord.as_dvec3(), record.b.as_dvec3());
    let (u, c) = ((p - start).dot(chord) / chord.length_squared(), chord.normalize().cross(b));
    let q = p - start - chord * u;
    if !(0.0..=1.0).contains(&u) {
        return p;
    }
    let (peak_at, ends, slopes) = (0.4, [0.004, 0.002], [0.04, -0.05]);
    let (side, width) = if u < peak_at { (0, peak_at) } else { (1, 1.0 - peak_at) };
    let t = if side == 0 { u / width } else { (1.0 - u) / width };
    let slope = if side == 0 { slopes[0] } else { -slopes[1] };
    let rise = t * t * (3.0 - 2.0 * t);
    let tail = ends[side] * (1.0 - rise) + slope * width * t * (1.0 - t) * (1.0 - t);
    let radius = |peak: f64, squeeze: f64| {
        let r = peak * rise + tail;
        let (b_axis, c_axis) = (r * f64::from(ELLIPSE) * squeeze, r / squeeze);
        let (x, y) = (q.dot(b) / q.length(), q.dot(c) / q.length());
        b_axis * c_axis / (x * x * c_axis * c_axis + y * y * b_axis * b_axis).sqrt()
    };
    let squeeze = 1.0 + f64::from(record.growth.squeeze) * 4.0 * u * (1.0 - u);
    let rest = radius(f64::from(PEAK), 1.0);
    let now = radius(f64::from(PEAK) + f64::from(record.growth.peak), squeeze);
    let fade = (u.min(1.0 - u) / 0.1).clamp(0.0, 1.0);
    let weight = f64::from(WEIGHT) * fade * fade * (3.0 - 2.0 * fade);
    let grown = weight * (now - rest);
    let pushed = grown + weight * (now + free - q.length() - grown).max(0.0);
    p + pushed * if along == Along::Up { b } else { q.normalize() }
}

#[test]
fn skin_goes_where_the_equations_say() {
    for along in [Along::Radius, Along::Up] {
        // without fat's own limit each vertex keeps the room it has: pushed only where the muscle comes nearer
        let (character, musculature) = arm(0.0, along);
        let body = Body::bind(&character, &musculature).unwrap();
        let mut state = BodyState::new(&body);
        let pose = bent(1.4);
        let mut input = StepInput::new(&pose, 0.0);
        input.activation = &[0.7];
        body.step(&mut state, &input);
        let record = state.record(&body, 0);
        let mut farthest = 0.0_f32;
        for (now, bind) in state.positions().iter().zip(&character.meshes[0].positions) {
            let plain = pose[0].transform_point3(*bind);
            // all skin is outside the belly at bind, and no fat is asked for
            let wanted = displaced(&record, plain.as_dvec3(), 0.0, along).as_vec3();
            assert!(now.distance(wanted) < 2e-5, "{bind}: {now}, wanted {wanted}");
            farthest = farthest.max(now.distance(plain));
        }
        assert!(farthest > 4e-3, "{along:?} moves the skin by {farthest} at most");
    }
}

#[test]
fn skin_slides_over_a_muscle_that_shortens_under_it() {
    let (character, musculature) = arm(0.004, Along::Radius);
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    // the vertex in the middle of the front
    let vertex = 6 * 8;
    let along = |state: &BodyState| {
        let (record, p) = (state.record(&body, 0), state.positions()[vertex]);
        (p - record.start).dot(record.chord) / record.chord.length_squared()
    };
    let mut last = along(&state);
    let first = last;
    for step in 1..=8 {
        let pose = bent(0.2 * step as f32);
        body.step(&mut state, &StepInput::new(&pose, 0.0));
        let now = along(&state);
        assert!(now > last, "at {step} it was at {last} of the belly and is at {now}");
        last = now;
        let in_joint = pose[0].inverse().transform_point3(state.positions()[vertex]);
        let bind = character.meshes[0].positions[vertex];
        let displacement = in_joint - bind;
        // away from the belly's line, not along the bone
        assert!(displacement.length() < 0.03 && displacement.x.abs() < 0.5 * displacement.length() + 1e-6);
    }
    assert!(last - first > 0.08, "it has slid from {first} to {last} of the belly");
}

#[test]
fn fat_keeps_the_skin_off_the_muscle() {
    let (character, mut musculature) = arm(0.003, Along::Radius);
    musculature.weights[0].weight.fill(1.0);
    let body = Body::bind(&character, &musculature).unwrap();
    let mut state = BodyState::new(&body);
    // lifted by what its insertion does, the belly comes through the skin over it
    let mut pose = bent(0.0);
    pose[1] *= Affine3A::from_translation(Vec3::new(-0.02, 0.05, 0.0));
    body.step(&mut state, &StepInput::new(&pose, 0.0));
    let record = state.record(&body, 0);
    let mut closest = f32::MAX;
    for p in state.positions() {
        let u = (*p - record.start).dot(record.chord) / record.chord.length_squared();
        if (0.2..0.8).contains(&u) {
            let mut points = vec![Vec3::ZERO; body.belly_size(0)];
            state.belly_points(&body, 0, &mut points);
            let nearest = points.iter().map(|at| at.distance(*p)).fold(f32::MAX, f32::min);
            closest = closest.min(nearest);
        }
    }
    assert!(closest > 0.0025, "some skin is {closest} from the belly");
}

#[test]
fn a_record_is_small_enough_for_a_gpu() {
    assert_eq!(size_of::<MuscleRecord>(), 64);
}
