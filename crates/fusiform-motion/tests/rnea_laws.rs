//! Inverse dynamics against Lagrange, energy and virtual work.

mod common;

use common::{Cloud, Dice, derivative, random_tree};
use fusiform_motion::dense;
use fusiform_motion::rnea::{Rnea, Wrench};
use fusiform_motion::system::{Posture, System};
use glam::DVec3;
use proptest::prelude::*;

fn torques(system: &System, q: &[f64], rates: [&[f64]; 2], wrenches: &[Wrench]) -> Vec<f64> {
    let (mut posture, mut out) = (Posture::default(), vec![0.0; q.len()]);
    system.pose(q, &mut posture);
    Rnea::new(system).solve(system, &posture, rates, wrenches, &mut out);
    out
}

/// d/dt ∂T/∂q̇ − ∂(T − V)/∂q, all by differences.
fn lagrange(cloud: &Cloud, system: &System, q: &[f64], [speed, gain]: [&[f64]; 2], c: usize) -> f64 {
    let along = |t: f64| {
        let q: Vec<f64> = (0..q.len()).map(|i| q[i] + t * speed[i] + 0.5 * t * t * gain[i]).collect();
        let speed: Vec<f64> = (0..q.len()).map(|i| speed[i] + t * gain[i]).collect();
        cloud.energy(system, &q, &speed).2[c]
    };
    let shifted = |t: f64| {
        let mut q = q.to_vec();
        q[c] += t;
        let (kinetic, potential, _) = cloud.energy(system, &q, speed);
        kinetic - potential
    };
    derivative(1e-3, along) - derivative(1e-3, shifted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn points_move_as_their_jacobians_say(seed in 0_u64..10_000, n_body in 1_usize..7) {
        let system = random_tree(seed, n_body).system();
        let (dice, n) = (&mut Dice(seed), system.n_coordinate());
        let (q, body, point) = (dice.vectors(n, 1.2), 1 + dice.below(system.n_body() - 1), dice.vector(0.5));
        let place = |q: &[f64]| {
            let mut posture = Posture::default();
            system.pose(q, &mut posture);
            (posture.frames[body].transform_point3(point), posture)
        };
        let (here, posture) = place(&q);
        let mut columns = vec![DVec3::ZERO; n];
        system.add_point_jacobian(&posture, body, here, 1.0, &mut columns);
        for axis in 0..3 {
            let mut row: Vec<f64> = columns.iter().map(|c| c[axis]).collect();
            system.gather(&posture.q, &mut row);
            for c in (0..n).filter(|&c| system.free[c]) {
                let wanted = derivative(1e-4, |t| {
                    let mut q = q.clone();
                    q[c] += t;
                    place(&q).0[axis]
                });
                prop_assert!((row[c] - wanted).abs() < 1e-6 * (1.0 + wanted.abs()), "{} is not {wanted}", row[c]);
            }
        }
    }

    #[test]
    fn torques_are_those_of_lagrange(seed in 0_u64..10_000, n_body in 1_usize..7) {
        let cloud = random_tree(seed, n_body);
        let system = cloud.system();
        let (dice, n) = (&mut Dice(seed), system.n_coordinate());
        let (q, speed, gain) = (dice.vectors(n, 1.2), dice.vectors(n, 2.0), dice.vectors(n, 5.0));
        let found = torques(&system, &q, [&speed, &gain], &[]);
        let scale = found.iter().fold(1.0_f64, |most, t| most.max(t.abs()));
        for c in (0..n).filter(|&c| system.free[c]) {
            let wanted = lagrange(&cloud, &system, &q, [&speed, &gain], c);
            prop_assert!((found[c] - wanted).abs() < 1e-6 * scale, "{} is not {wanted} of {scale}", found[c]);
        }
    }

    #[test]
    fn a_load_from_outside_does_its_virtual_work(seed in 0_u64..10_000, n_body in 1_usize..7) {
        let system = random_tree(seed, n_body).system();
        let (dice, n) = (&mut Dice(seed + 3), system.n_coordinate());
        let (q, speed, gain) = (dice.vectors(n, 1.2), dice.vectors(n, 2.0), dice.vectors(n, 5.0));
        let body = 1 + dice.below(system.n_body() - 1);
        let wrench = Wrench { body, force: dice.vector(50.0), point: dice.vector(2.0), torque: dice.vector(9.0) };
        let (with, without) = ([wrench], []);
        let (with, without) =
            (torques(&system, &q, [&speed, &gain], &with), torques(&system, &q, [&speed, &gain], &without));
        let mut posture = Posture::default();
        system.pose(&q, &mut posture);
        let mut work = vec![0.0; n];
        for axis in system.axes_above(body).map(|i| &posture.axes[i]) {
            let Some(c) = axis.coordinate else { continue };
            let turned = if axis.turns { axis.axis * axis.jet.first } else { DVec3::ZERO };
            work[c] += axis.moves(wrench.point).dot(wrench.force) + turned.dot(wrench.torque);
        }
        system.gather(&posture.q, &mut work);
        for c in 0..n {
            prop_assert!((without[c] - with[c] - work[c]).abs() < 1e-9 * (1.0 + work[c].abs() + without[c].abs()));
        }
    }
}

/// Accelerations under torques, from the columns of the mass matrix that inverse dynamics gives.
fn forward_dynamics(system: &System, q: &[f64], speed: &[f64], torque: &[f64]) -> Vec<f64> {
    let free: Vec<usize> = (0..q.len()).filter(|&c| system.free[c]).collect();
    let still = torques(system, q, [speed, &vec![0.0; q.len()]], &[]);
    let n = free.len();
    let mut mass = vec![0.0; n * n];
    for (j, &column) in free.iter().enumerate() {
        let mut unit = vec![0.0; q.len()];
        unit[column] = 1.0;
        let pushed = torques(system, q, [speed, &unit], &[]);
        for (i, &row) in free.iter().enumerate() {
            mass[i * n + j] = pushed[row] - still[row];
        }
    }
    let mut right: Vec<f64> = free.iter().map(|&c| torque[c] - still[c]).collect();
    assert!(dense::factor(n, &mut mass), "the mass matrix is not positive definite");
    dense::substitute(n, &mass, &mut right);
    let mut gain = vec![0.0; q.len()];
    for (x, c) in right.into_iter().zip(free) {
        gain[c] = x;
    }
    gain
}

/// A double pendulum about skew axes, as a cloud.
fn double_pendulum() -> Cloud {
    use fusiform_motion::function::Function;
    use fusiform_motion::model::{Axis, Coordinate, GROUND, Joint, Model};
    use glam::DAffine3;
    let points = vec![
        Vec::new(),
        vec![(1.0, DVec3::new(0.0, -0.4, 0.1)), (0.5, DVec3::new(0.1, -0.2, 0.0)), (0.3, DVec3::new(0.0, -0.3, -0.2))],
        vec![(0.7, DVec3::new(0.0, -0.3, 0.0)), (0.2, DVec3::new(0.2, -0.1, 0.1)), (0.4, DVec3::new(-0.1, 0.0, 0.0))],
    ];
    let joint = |name: &str, parent: &str, child: &str, axis: DVec3, down: f64| Joint {
        name: name.into(),
        parent: parent.into(),
        child: child.into(),
        frames: [DAffine3::from_translation(DVec3::Y * down), DAffine3::IDENTITY],
        rotations: vec![Axis { axis, coordinate: Some(name.into()), function: Function::IDENTITY }],
        translations: Vec::new(),
    };
    let coordinate = |name: &str| Coordinate { name: name.into(), ..Coordinate::default() };
    let model = Model {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        bodies: (1..3).map(|b| common::body_of_points(format!("b{}", b - 1), &points[b])).collect(),
        joints: vec![
            joint("upper", GROUND, "b0", DVec3::Z, 0.0),
            joint("lower", "b0", "b1", DVec3::new(0.3, 0.0, 1.0).normalize(), -0.5),
        ],
        coordinates: vec![coordinate("upper"), coordinate("lower")],
        ..Model::default()
    };
    Cloud { model, points }
}

#[test]
fn the_energy_of_a_driven_double_pendulum_is_the_work_done_on_it() {
    let cloud = double_pendulum();
    let system = cloud.system();
    let torque = |t: f64| [2.0 * (3.0 * t).sin(), -0.5];
    // q, q̇ and the work done, by Runge and Kutta
    let rates = |t: f64, s: &[f64; 5]| {
        let gain = forward_dynamics(&system, &s[..2], &s[2..4], &torque(t));
        [s[2], s[3], gain[0], gain[1], torque(t)[0] * s[2] + torque(t)[1] * s[3]]
    };
    let moved = |s: &[f64; 5], d: &[f64; 5], h: f64| std::array::from_fn::<f64, 5, _>(|i| s[i] + h * d[i]);
    let energy = |s: &[f64; 5]| {
        let (kinetic, potential, _) = cloud.energy(&system, &s[..2], &s[2..4]);
        kinetic + potential
    };
    let (mut state, h) = ([1.0, -0.4, 0.5, 2.0, 0.0], 1e-3);
    let begin = energy(&state);
    for step in 0..1000 {
        let t = f64::from(step) * h;
        let a = rates(t, &state);
        let b = rates(t + 0.5 * h, &moved(&state, &a, 0.5 * h));
        let c = rates(t + 0.5 * h, &moved(&state, &b, 0.5 * h));
        let d = rates(t + h, &moved(&state, &c, h));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        assert!((energy(&state) - begin - state[4]).abs() < 1e-7, "energy leaks at {t} s");
    }
}
