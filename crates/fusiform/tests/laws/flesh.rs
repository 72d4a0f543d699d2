//! Skin that wraps bellies, and bellies that are soft, said plainly.

use fusiform::musculature::{Attachment, Bone, BoneShape, Contraction, Dynamics, Layer, Profile, Tissue, WrapFrame};
use fusiform::{Body, BodyState, Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, StepInput, Transform};
use glam::{Affine3A, Quat, Vec3};
use std::ops::Range;

/// An upper arm along x with a forearm, skin two centimetres off a muscle over the upper arm.
fn arm(dynamics: Dynamics, layers: Vec<Layer>) -> (Character, Musculature) {
    let skeleton =
        Skeleton::from_rest(&[("upper", None, Transform::IDENTITY), ("lower", Some(0), Transform::at(Vec3::X * 0.3))]);
    let (mut mesh, mut weights) = (Mesh { name: "skin".into(), ..Mesh::default() }, SparseWeights::default());
    for i in 0..120_u16 {
        let (x, angle) = (0.02 + 0.26 * f32::from(i / 12) / 9.0, f32::from(i % 12) * std::f32::consts::FRAC_PI_6);
        mesh.positions.push(Vec3::new(x, 0.05 * angle.cos(), 0.05 * angle.sin()));
        mesh.weights.push_vertex([(0, 1.0)]);
        weights.push_vertex([(0, 1.0)]);
    }
    mesh.triangles = vec![[0, 1, 12]];
    let end = |joint: &str, x: f32| Attachment { joint: joint.into(), point: Vec3::X * x };
    let muscle = Muscle {
        name: "biceps".into(),
        origin: end("upper", 0.0),
        insertion: end("lower", 0.0),
        profile: Profile::Sine { size: 0.03, taper: 1.0, aspect: 1.0 },
        contraction: Contraction::Tone { tone: 1.0, isometric: 0.5 },
        dynamics,
        up: Some(Vec3::Y),
        ..Muscle::default()
    };
    let character = Character { name: "arm".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let (muscles, weights) = (vec![muscle], vec![weights]);
    (character, Musculature { muscles, layers, weights, ..Musculature::default() })
}

fn wrap(shrink: f32, frame: WrapFrame) -> Vec<Layer> {
    vec![Layer::Wrap { muscles: Vec::new(), shrink, frame, slide: 1.0, sink: 1.0 }]
}

fn belly(body: &Body, state: &BodyState) -> Vec<Vec3> {
    let mut points = vec![Vec3::ZERO; body.belly_size(0)];
    state.belly_points(body, 0, &mut points);
    points
}

/// Skin and belly of the arm when it tenses and its forearm is `away` from where it was at bind.
fn tensed(layers: Vec<Layer>, tension: f32, away: Affine3A) -> (Vec<Vec3>, Vec<Vec3>) {
    let (character, musculature) = arm(Dynamics::None, layers);
    let body = Body::bind(&character, &musculature).expect("sound");
    let mut state = BodyState::new(&body);
    let pose = [Affine3A::IDENTITY, away * Affine3A::from_translation(Vec3::X * 0.3)];
    let activation = [tension];
    let mut input = StepInput::new(&pose, 0.0);
    input.activation = &activation;
    body.step(&mut state, &input);
    (state.positions().to_vec(), belly(&body, &state))
}

#[test]
fn skin_keeps_its_distance_from_a_belly_that_swells() {
    for frame in [WrapFrame::Normal, WrapFrame::Full] {
        let (rest, _) = tensed(wrap(0.0, frame), 0.0, Affine3A::IDENTITY);
        let (now, _) = tensed(wrap(0.0, frame), 1.0, Affine3A::IDENTITY);
        for v in 48..72 {
            // over the middle, half as thick again: 1.5 cm outward
            let out = (now[v] - rest[v]).length();
            assert!((out - 0.015).abs() < 2e-3, "{frame:?}: vertex {v} went {out} m");
        }
    }
}

#[test]
fn a_body_that_turns_as_a_whole_takes_wrapped_skin_along() {
    let turn = Affine3A::from_rotation_translation(Quat::from_euler(glam::EulerRot::XYZ, 0.7, -1.1, 2.0), Vec3::ONE);
    for shrink in [0.0, 0.3, 1.0] {
        for frame in [WrapFrame::Normal, WrapFrame::Full] {
            let (character, musculature) = arm(Dynamics::None, wrap(shrink, frame));
            let body = Body::bind(&character, &musculature).expect("sound");
            let mut state = BodyState::new(&body);
            let bind = character.skeleton.bind_matrices();
            let pose: Vec<_> = bind.iter().map(|m| turn * *m).collect();
            body.step(&mut state, &StepInput::new(&pose, 0.0));
            let rest = &character.meshes[0].positions;
            for (v, (now, rest)) in state.positions().iter().zip(rest).enumerate() {
                let wanted = turn.transform_point3(*rest);
                // the smallest rotation between normals leaves out what turns about them: little for skin over the middle,
                // two centimetres off and at most a dozen degrees aside, twice which it may miss
                let slack = if frame == WrapFrame::Full { 1e-5 } else { 9e-3 };
                let judged = frame == WrapFrame::Full || (48..72).contains(&v);
                assert!(!judged || now.distance(wanted) < slack, "{shrink} {frame:?}: {now} for {wanted}");
            }
        }
    }
}

#[test]
fn full_frames_follow_twist_and_normals_alone_do_not() {
    // a vertex that hangs off the end of the belly, aside of its normal; the whole body turns about that normal
    let off_the_normal = |frame: WrapFrame| {
        let (mut character, musculature) = arm(Dynamics::None, wrap(0.0, frame));
        character.meshes[0].positions[0] = Vec3::new(-0.03, 0.02, 0.0);
        let body = Body::bind(&character, &musculature).expect("sound");
        let mut state = BodyState::new(&body);
        let turn = Affine3A::from_rotation_x(1.0);
        let pose: Vec<_> = character.skeleton.bind_matrices().iter().map(|m| turn * *m).collect();
        body.step(&mut state, &StepInput::new(&pose, 0.0));
        state.positions()[0].distance(turn.transform_point3(character.meshes[0].positions[0]))
    };
    assert!(off_the_normal(WrapFrame::Full) < 1e-5, "{}", off_the_normal(WrapFrame::Full));
    assert!(off_the_normal(WrapFrame::Normal) > 1e-3, "{}", off_the_normal(WrapFrame::Normal));
}

#[test]
fn skin_that_gives_up_its_distance_moves_as_the_belly_under_it() {
    let (rest, at_rest) = tensed(wrap(1.0, WrapFrame::Normal), 0.0, Affine3A::IDENTITY);
    let (now, points) = tensed(wrap(1.0, WrapFrame::Normal), 1.0, Affine3A::IDENTITY);
    // vertex 48 is right over the sector of the belly's up-vector
    let (i, _) =
        at_rest.iter().enumerate().min_by(|a, b| a.1.distance(rest[48]).total_cmp(&b.1.distance(rest[48]))).unwrap();
    let (skin, under) = (now[48] - rest[48], points[i] - at_rest[i]);
    assert!(skin.distance(under) < 3e-3 && under.length() > 0.01, "{skin} over {under}");
}

/// The soft belly's farthest point from the posed one, frame by frame, after the body has been jerked sideways.
fn jerked(dynamics: Dynamics, fps: usize, seconds: f32) -> Vec<Vec3> {
    let (character, musculature) = arm(dynamics, wrap(0.0, WrapFrame::Normal));
    let body = Body::bind(&character, &musculature).expect("sound");
    let mut state = BodyState::new(&body);
    let bind = character.skeleton.bind_matrices();
    let rest = belly(&body, &state);
    let mut frames = Vec::new();
    for frame in 1..=(seconds * fps as f32) as usize {
        let t = frame as f32 / fps as f32;
        // out and back by 20 cm in 0.6 s, as a limb goes
        let out = if t < 0.6 { 0.2 * (t / 0.6 * std::f32::consts::PI).sin().powi(4) } else { 0.0 };
        let mut input = StepInput::new(&bind, 1.0 / fps as f32);
        input.world_from_model = Affine3A::from_translation(Vec3::new(0.0, out, 0.3 * out));
        body.step(&mut state, &input);
        // a point of the middle ring
        frames.push(belly(&body, &state)[4 * 8 + 2] - rest[4 * 8 + 2]);
    }
    frames
}

#[test]
fn soft_bellies_swing_alike_at_any_frame_rate() {
    let fine = jerked(Dynamics::soft_body(), 240, 1.5);
    let peak = |of: &[Vec3]| of.iter().fold(0.0_f32, |m, d| m.max(d.length()));
    let every = |fps: usize| -> Vec<Vec3> {
        // the finest run at the times of a coarser one; 144 frames a second fall between two of its own
        let at = |i: usize| {
            let t = i as f32 * 240.0 / fps as f32 - 1.0;
            let (k, s) = (t.floor() as usize, t.fract());
            fine[k] + (fine[(k + 1).min(fine.len() - 1)] - fine[k]) * s
        };
        (1..=fps * 3 / 2).map(at).collect()
    };
    assert!(peak(&fine) > 5e-3, "it moves: {} m", peak(&fine));
    for fps in [30, 60, 144] {
        let coarse = jerked(Dynamics::soft_body(), fps, 1.5);
        let worst = coarse.iter().zip(every(fps)).fold(0.0_f32, |m, (a, b)| m.max(a.distance(b))) / peak(&fine);
        let peaks = (peak(&coarse) / peak(&fine) - 1.0).abs();
        println!(
            "{fps} fps: trajectory {:.2} %, peak {:.2} % of {:.1} mm",
            100.0 * worst,
            100.0 * peaks,
            1e3 * peak(&fine)
        );
        assert!(worst < 0.02 && peaks < 0.02, "{fps} fps: {worst} {peaks}");
    }
}

#[test]
fn soft_bellies_swing_three_or_four_times_and_come_to_rest() {
    let run = jerked(Dynamics::soft_body(), 240, 4.0);
    let after: Vec<f32> = run[144..].iter().map(|d| d.y).collect();
    let first = after.iter().fold(0.0_f32, |m, y| m.max(y.abs()));
    // swings whose height is still a twentieth of the first
    let swings = after
        .windows(2)
        .enumerate()
        .filter(|(i, w)| w[0].signum() != w[1].signum() && after[*i..].iter().any(|y| y.abs() > 0.05 * first));
    let crossings = swings.count();
    println!("{crossings} crossings of the middle, {:.2} mm left at the end", 1e3 * run[run.len() - 1].length());
    assert!((4..=10).contains(&crossings), "{crossings} half swings");
    assert!(run[run.len() - 1].length() < 1e-5);
}

#[test]
fn a_limb_turned_over_sags_and_at_bind_it_does_not() {
    let (character, musculature) = arm(Dynamics::soft_body(), Vec::new());
    let body = Body::bind(&character, &musculature).expect("sound");
    let sag = |turn: f32| {
        let mut state = BodyState::new(&body);
        let pose: Vec<_> =
            character.skeleton.bind_matrices().iter().map(|m| Affine3A::from_rotation_x(turn) * *m).collect();
        for _ in 0..240 {
            body.step(&mut state, &StepInput::new(&pose, 1.0 / 60.0));
        }
        let mut posed = StepInput::new(&pose, 0.0);
        posed.teleport = true;
        let soft = belly(&body, &state);
        body.step(&mut state, &posed);
        let kinematic = belly(&body, &state);
        soft.iter().zip(kinematic).map(|(a, b)| *a - b).sum::<Vec3>() / soft.len() as f32
    };
    assert!(sag(0.0).length() < 1e-7);
    let over = sag(std::f32::consts::PI);
    // twice gravity over ω² is a centimetre; ends on tendons hold it back
    assert!(over.y < -3e-3 && over.y > -13e-3 && over.x.abs() < 1e-3, "{over}");
}

#[test]
fn soft_bodies_show_with_every_layer() {
    for layers in [vec![Layer::blend()], vec![Layer::shells()], wrap(0.0, WrapFrame::Full)] {
        let (character, musculature) = arm(Dynamics::soft_body(), layers.clone());
        let body = Body::bind(&character, &musculature).expect("sound");
        let mut state = BodyState::new(&body);
        let bind = character.skeleton.bind_matrices();
        let rest = state.positions().to_vec();
        for y in [0.0, 0.002, 0.01, 0.03] {
            let mut input = StepInput::new(&bind, 1.0 / 60.0);
            input.world_from_model = Affine3A::from_translation(Vec3::Y * y);
            body.step(&mut state, &input);
        }
        let moved = state.positions().iter().zip(&rest).fold(0.0_f32, |m, (a, b)| m.max(a.distance(*b)));
        assert!(moved > 2e-3, "{layers:?}: {moved} m");
    }
}

#[test]
fn an_edited_body_swings_on_from_where_it_was() {
    let (character, mut musculature) = arm(Dynamics::soft_body(), wrap(0.0, WrapFrame::Normal));
    let body = Body::bind(&character, &musculature).expect("sound");
    let (mut state, bind) = (BodyState::new(&body), character.skeleton.bind_matrices());
    let step = |body: &Body, state: &mut BodyState, y: f32| {
        let mut input = StepInput::new(&bind, 1.0 / 60.0);
        input.world_from_model = Affine3A::from_translation(Vec3::Y * y);
        body.step(state, &input);
        belly(body, state)
    };
    let rest = belly(&body, &state);
    (0..4).for_each(|i| drop(step(&body, &mut state, 0.01 * (i * i) as f32)));
    musculature.layers = wrap(0.5, WrapFrame::Full);
    let edited = body.rebind(&character, &musculature).expect("sound");
    let mut adopted = state.clone();
    adopted.adopt(&edited);
    let (before, after) = (step(&body, &mut state, 0.1), step(&edited, &mut adopted, 0.1));
    assert!(before == after && before[36].distance(rest[36]) > 1e-3);
    // a muscle that is soft no longer, and one that was not before, start at rest
    musculature.muscles[0].rings = 7;
    let other = body.rebind(&character, &musculature).expect("sound");
    state.adopt(&other);
    let (now, fresh) = (step(&other, &mut state, 0.1), belly(&other, &BodyState::new(&other)));
    assert!(now.iter().zip(fresh).all(|(a, b)| a.distance(b) < 1e-6));
}

/// An arm of flesh over a bone of so many vertices.
fn fleshy(n_bone: u32, sectors: u16) -> (Character, Musculature) {
    let (character, mut musculature) = arm(Dynamics::None, vec![Layer::Tissue(Tissue::lively())]);
    musculature.muscles[0].sectors = sectors;
    let n = n_bone - 2;
    let around = |i: u32| std::f32::consts::TAU * i as f32 / n as f32;
    let ring = (0..n).map(|i| Vec3::new(0.15, 0.01 * around(i).cos(), 0.01 * around(i).sin()));
    let positions = ring.chain([Vec3::X * 0.02, Vec3::X * 0.28]).collect();
    let triangles = (0..n).flat_map(|i| [[i, (i + 1) % n, n + 1], [(i + 1) % n, i, n]]).collect();
    let shape = BoneShape::Mesh { node: String::new(), positions, triangles };
    musculature.bones = vec![Bone { name: "humerus".into(), joint: "upper".into(), shape }];
    (character, musculature)
}

/// Thrown up higher and higher in those frames: where its skin is after them.
fn thrown(body: &Body, state: &mut BodyState, frames: Range<usize>, dt: f32) -> Vec<Vec3> {
    for i in frames {
        let bind = [Affine3A::IDENTITY, Affine3A::from_translation(Vec3::X * 0.3)];
        let mut input = StepInput::new(&bind, dt);
        input.world_from_model = Affine3A::from_translation(Vec3::Y * (0.002 * (i * i) as f32));
        body.step(state, &input);
    }
    state.positions().to_vec()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max(a.distance(*b)))
}

#[test]
fn flesh_of_an_edited_body_swings_on_point_by_point_wherever_those_are_kept() {
    let (character, mut musculature) = fleshy(20, 8);
    let body = Body::bind(&character, &musculature).expect("sound");
    let mut state = BodyState::new(&body);
    let rest = state.positions().to_vec();
    thrown(&body, &mut state, 0..12, 1.0 / 60.0);
    let still = thrown(&body, &mut state, 11..12, 0.0);
    assert!(farthest(&still, &rest) > 1e-3, "it swings");
    let on = |body: &Body, mut state: BodyState| thrown(body, &mut state, 12..13, 1.0 / 60.0);
    let unedited = on(&body, state.clone());
    let mut elsewhere = musculature.clone();
    elsewhere.muscles[0].contraction = Contraction::Tone { tone: 0.8, isometric: 0.4 };
    let (edited, mut adopted) = (body.rebind(&character, &elsewhere).expect("sound"), state.clone());
    adopted.adopt(&edited);
    assert_eq!(on(&edited, adopted), unedited, "what leaves flesh alone leaves its motion, to the bit");
    // points of a larger belly lie in other cells, and it may swallow some of the bone's
    for size in [0.031, 0.033, 0.036, 0.042] {
        musculature.muscles[0].profile = Profile::Sine { size, taper: 1.0, aspect: 1.0 };
        let (edited, mut state) = (body.rebind(&character, &musculature).expect("sound"), state.clone());
        state.adopt(&edited);
        let jump = farthest(&thrown(&edited, &mut state, 11..12, 0.0), &still);
        assert!(jump < 1e-6, "{size}: it jumps by {jump} m");
        // its springs are others, so that it swings a little otherwise
        let (apart, rested) = (on(&edited, state), on(&edited, BodyState::new(&edited)));
        let [apart, rested] = [apart, rested].map(|of| farthest(&of, &unedited));
        assert!(apart < 0.5 * rested, "{size}: {apart} m from where it was to be, {rested} m had it begun at rest");
    }
}

#[test]
fn flesh_of_other_points_begins_at_rest_even_where_there_are_as_many() {
    // a belly of seven points more, a bone of seven fewer
    let ((character, before), (_, after)) = (fleshy(20, 8), fleshy(13, 9));
    let body = Body::bind(&character, &before).expect("sound");
    let other = body.rebind(&character, &after).expect("sound");
    let count = |body: &Body| body.tissue().expect("it has flesh").places.len();
    assert_eq!(count(&body), count(&other), "the case must have as many");
    let mut state = BodyState::new(&body);
    thrown(&body, &mut state, 0..12, 1.0 / 60.0);
    state.adopt(&other);
    let rest = BodyState::new(&other).positions().to_vec();
    assert_eq!(thrown(&other, &mut state, 0..1, 1.0 / 60.0), rest);
    thrown(&other, &mut state, 1..12, 1.0 / 60.0);
}
