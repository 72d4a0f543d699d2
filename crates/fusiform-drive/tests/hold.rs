//! The arm held still while biceps and triceps pull against each other: bellies and skin grow, the joint does not turn.

use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Body, BodyState, Clip, Detail, Musculature, Skeleton, StepInput};
use fusiform_athlete::Athlete;
use fusiform_drive::{Given, curves, drive, posed};
use fusiform_fit::{Roles, Template, Wear};
use glam::{Quat, Vec3};

const PULLING: [&str; 3] = ["biceps_brachii_long.l", "biceps_brachii_short.l", "triceps_brachii_long.l"];

/// The left elbow bent by a right angle for two seconds.
fn held(skeleton: &Skeleton) -> Clip {
    let joint = skeleton.find("lower_arm.l").expect("the athlete has an elbow");
    let rest = skeleton.joints[joint].rest.rotation;
    let bent = rest * Quat::from_axis_angle(Vec3::X, -std::f32::consts::FRAC_PI_2);
    let keys =
        Keys::Rotation(Track { times: vec![0.0, 2.0], values: vec![bent; 2], interpolation: Interpolation::Linear });
    Clip { name: "hold".into(), channels: vec![Channel { joint, keys }] }
}

/// Mean distance of the skin of the upper arm's middle from its bone, m, and the widest ring of every belly that pulls.
fn girths(athlete: &Athlete, body: &Body, state: &BodyState, pose: &[glam::Affine3A]) -> (f32, Vec<f32>) {
    let Athlete { character, musculature } = athlete;
    let find = |name: &str| character.skeleton.find(name).expect("the athlete has that joint");
    let (shoulder, elbow) = (find("upper_arm.l"), find("lower_arm.l"));
    let mesh = &character.meshes[0];
    let ends = [shoulder, elbow].map(|joint| Vec3::from(character.skeleton.joints[joint].bind.translation));
    let middle =
        |p: Vec3| (0.4..0.6).contains(&((p - ends[0]).dot(ends[1] - ends[0]) / ends[0].distance_squared(ends[1])));
    let of_arm = |v: usize| mesh.weights.of(v).any(|(joint, w)| usize::from(joint) == shoulder && w > 0.9);
    let now = [shoulder, elbow].map(|joint| Vec3::from(pose[joint].translation));
    let along = (now[1] - now[0]).normalize();
    let skin: Vec<f32> = (0..mesh.positions.len())
        .filter(|&v| of_arm(v) && middle(mesh.positions[v]))
        .map(|v| (state.positions()[v] - now[0]).reject_from_normalized(along).length())
        .collect();
    let widest = |name: &&str| {
        let m = musculature.muscles.iter().position(|muscle| muscle.name == **name).expect("it is there");
        let mut points = vec![Vec3::ZERO; body.belly_size(m)];
        state.belly_points(body, m, &mut points);
        let sectors = usize::from(musculature.muscles[m].sectors);
        points.chunks(sectors).map(|ring| ring[0].distance(ring[sectors / 2])).fold(0.0, f32::max)
    };
    (skin.iter().sum::<f32>() / skin.len() as f32, PULLING.iter().map(widest).collect())
}

#[test]
fn held_still_both_bellies_bulge_the_girth_grows_and_the_joint_does_not_turn() {
    let athlete = fusiform_athlete::athlete_with(5000, |_| ()).expect("the athlete grows");
    let Athlete { character, musculature } = &athlete;
    let clip = held(&character.skeleton);
    let (roles, template) = (Roles::find(&character.skeleton).roles, Template::humanoid());
    let emg = |time: f64| {
        let level = if time > 1.0 { 0.8 } else { 0.0 };
        musculature.muscles.iter().map(|muscle| PULLING.contains(&&*muscle.name).then_some(level)).collect()
    };
    let wear = vec![Wear::Body; character.meshes.len()];
    let given = Given { emg: Some(&emg), ..Given::new(&wear, &roles, &template.ranges) };
    let driven = drive(character, musculature, &clip, &given, |_| ()).expect("it can be driven");
    let keyed = Musculature {
        activation: fusiform::musculature::Activation {
            curves: vec![curves("hold", musculature, &driven, &[])],
            ..musculature.activation.clone()
        },
        ..musculature.clone()
    };
    let body = Body::bind(character, &keyed).expect("it can be bound");
    let (mut state, mut played) = (BodyState::new(&body), body.play(Some("hold"), &[]));
    let mut seen = Vec::new();
    for frame in 0..=120 {
        let time = frame as f32 / 60.0;
        let pose = posed(&character.skeleton, &clip, time);
        let mut input = StepInput::new(&pose, 1.0 / 60.0);
        input.activation = played.at(time);
        input.detail = Detail::POSITIONS;
        body.step(&mut state, &input);
        if frame == 50 || frame == 120 {
            seen.push(girths(&athlete, &body, &state, &pose));
        }
    }
    let (n, at) = (driven.motions.len(), |row: usize| row * driven.motions.len());
    let turned = (0..n).map(|k| (driven.angles[at(110) + k] - driven.angles[at(50) + k]).abs()).fold(0.0, f64::max);
    let [(slack, thin), (tense, thick)] = &seen[..] else { panic!("two looks") };
    println!("skin {:.2} -> {:.2} mm from the bone, the joints turn by {turned:.1e} rad", 1e3 * slack, 1e3 * tense);
    assert!(turned < 1e-6 && *tense > 1.005 * slack, "{seen:?}");
    for ((name, thin), thick) in PULLING.iter().zip(thin).zip(thick) {
        println!("{name} {:.1} -> {:.1} mm thick", 1e3 * thin, 1e3 * thick);
        assert!(*thick > 1.03 * thin, "{name}: {seen:?}");
    }
    for name in PULLING {
        let m = musculature.muscles.iter().position(|muscle| muscle.name == name).expect("it is there");
        let level = |row: usize| driven.activations[row * musculature.muscles.len() + m];
        assert!(level(110) > 0.5 && level(50) < 0.2, "{name}: {} -> {}", level(50), level(110));
    }
}
