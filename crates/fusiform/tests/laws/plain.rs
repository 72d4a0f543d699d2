//! What the frame means, said plainly in f64: Lee eq. 13-15 with nothing folded, packed or reordered.

use crate::random::{Frame, Subject, frame, subject};
use fusiform::body::{RestBelly, RestSection, rest_bellies};
use fusiform::musculature::{Base, Contraction, Dynamics, Follow, Layer, Path};
use fusiform::{Body, BodyState, StepInput};
use glam::{Affine3A, DMat3, DVec3, Mat3, Vec3};
use proptest::prelude::*;

/// Eq. 13: v = Σ w M B⁻¹ v₀.
fn by_joints(subject: &Subject, mesh: usize, v: usize, pose: &[Affine3A]) -> DVec3 {
    let mesh = &subject.character.meshes[mesh];
    let at = mesh.positions[v].as_dvec3();
    let total: f64 = mesh.weights.of(v).map(|w| f64::from(w.1)).sum();
    let moved = |(joint, w): (u16, f32)| {
        let bind = subject.character.skeleton.joints[usize::from(joint)].bind;
        pose[usize::from(joint)].as_daffine3().transform_point3(bind.as_daffine3().inverse().transform_point3(at))
            * f64::from(w)
    };
    mesh.weights.of(v).map(moved).sum::<DVec3>() / total
}

/// Eq. 14, one belly vertex at a time: its frame is its ring's, its place its own.
fn by_muscles(s: &Subject, mesh: usize, v: usize, nearest: usize, scene: &Scene) -> (DVec3, f64) {
    let at = s.character.meshes[mesh].positions[v];
    let weight =
        |m: usize| s.musculature.weights[mesh].of(v).filter(|w| usize::from(w.0) == m).map(|w| w.1).sum::<f32>();
    let mut found: Vec<(f32, usize, usize)> = Vec::new();
    let skin_weight = s.musculature.physique.skin_weight;
    for (m, w) in s.musculature.weights[mesh].of(v) {
        let m = usize::from(m);
        if w > 0.0 && !found.iter().any(|f| f.1 == m) {
            found.extend(scene.rest[m].points.iter().enumerate().map(|(i, p)| (p.distance_squared(at), m, i)));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found.truncate(nearest);
    let close = |d2: f32| 1.0 / f64::from(d2.sqrt().max(1e-6 * s.character.height()));
    let total: f64 = found.iter().map(|f| close(f.0)).sum();
    let share = |f: &(f32, usize, usize)| close(f.0) / total * f64::from(weight(f.1) * skin_weight);
    let sum: f64 = found.iter().map(share).sum();
    let limit = if sum > 1.0 { 1.0 / sum } else { 1.0 };
    let mut moved = DVec3::ZERO;
    for f in &found {
        let (_, m, point) = *f;
        let ring = point / (scene.rest[m].points.len() / scene.rest[m].rings.len());
        let turn = scene.turn[m][ring];
        let from = (at - scene.rest[m].points[point]).as_dvec3();
        moved += (scene.now[m][point].as_dvec3() + turn * from) * share(f) * limit;
    }
    (moved, sum * limit)
}

struct Scene {
    rest: Vec<RestBelly>,
    now: Vec<Vec<Vec3>>,
    turn: Vec<Vec<DMat3>>,
    /// Times as thick as at rest that any section is.
    grown: f64,
}

impl Scene {
    fn new(body: &Body, state: &BodyState, rest: Vec<RestBelly>) -> Self {
        let points = |m: usize| {
            let mut points = vec![Vec3::ZERO; body.belly_size(m)];
            state.belly_points(body, m, &mut points);
            points
        };
        let turns = |m: usize| {
            let section = |(ring, rest): (&fusiform::body::Ring, &RestSection)| {
                let now = Mat3::from_cols(ring.turn(rest.a), ring.turn(rest.b), ring.turn(rest.c));
                now.as_dmat3() * Mat3::from_cols(rest.a, rest.b, rest.c).as_dmat3().transpose()
            };
            state.rings(body, m).iter().zip(&rest[m].rings).map(section).collect()
        };
        let (now, turn) = ((0..rest.len()).map(points).collect(), (0..rest.len()).map(turns).collect());
        let rings = (0..rest.len()).flat_map(|m| state.rings(body, m));
        let grown = rings.map(|ring| 1.0 + f64::from(ring.swell.max_element())).fold(1.0, f64::max);
        Self { rest, now, turn, grown }
    }
}

fn step(body: &Body, subject: &Subject, frame: &Frame) -> (BodyState, Vec<Affine3A>) {
    let mut state = BodyState::new(body);
    let pose = frame.pose(&subject.character.skeleton);
    body.step(&mut state, &StepInput::new(&pose, frame.dt));
    (state, pose)
}

proptest! {
    #![proptest_config(crate::random::cases(120))]

    #[test]
    fn the_packed_frame_is_equations_13_to_15(mut s in subject(), frame in frame(), nearest in 1_usize..6) {
        s.musculature.base = Base::Linear;
        s.musculature.layers = vec![Layer::Blend { nearest: nearest as u8 }];
        s.musculature.physique.size = 1.0;
        for m in &mut s.musculature.muscles {
            (m.dynamics, m.follow) = (Dynamics::None, Follow::LEE);
            // of a sculpted shape the layer follows the ellipse, not every point
            if let Contraction::PoseShapes { tone, isometric, .. } = m.contraction {
                m.contraction = Contraction::Tone { tone, isometric };
            }
            // nor of a sheet: it follows the middle line
            if let Path::Sheet { tendons, .. } = m.path {
                m.path = Path::Polyline { via: Vec::new(), tendons };
            }
        }
        let body = Body::bind(&s.character, &s.musculature).unwrap();
        let (state, pose) = step(&body, &s, &frame);
        let rest = rest_bellies(&s.character.skeleton, &s.musculature.muscles).unwrap();
        let scene = Scene::new(&body, &state, rest);
        // weights in steps of 1/65535 on limbs a metre apart, at most a dozen of them; what a belly grows by multiplies the
        // rounding of its offsets
        let rounding = 2e-4 * (scene.grown / 3.0).max(1.0);
        for mesh in 0..s.character.meshes.len() {
            for (v, row) in body.vertices_of_mesh(mesh).enumerate() {
                let (moved, taken) = by_muscles(&s, mesh, v, nearest, &scene);
                let wanted = by_joints(&s, mesh, v, &pose) * (1.0 - taken) + moved;
                let off = state.positions()[row].as_dvec3().distance(wanted);
                prop_assert!(off < rounding, "vertex {v} of mesh {mesh} is {off} m off, grown {}", scene.grown);
            }
        }
    }

    #[test]
    fn dual_quaternions_of_one_joint_are_that_joint(mut s in subject(), frame in frame()) {
        s.musculature.layers.clear();
        for mesh in &mut s.character.meshes {
            let n = mesh.positions.len();
            mesh.weights = fusiform::SparseWeights::default();
            (0..n).for_each(|v| mesh.weights.push_vertex([((v % s.character.skeleton.joints.len()) as u16, 1.0)]));
        }
        let solve = |base| {
            let mut s = s.clone();
            s.musculature.base = base;
            let body = Body::bind(&s.character, &s.musculature).unwrap();
            step(&body, &s, &frame).0.positions().to_vec()
        };
        for (a, b) in solve(Base::Linear).iter().zip(solve(Base::DualQuaternion)) {
            prop_assert!(a.distance(b) < 1e-5);
        }
    }
}
