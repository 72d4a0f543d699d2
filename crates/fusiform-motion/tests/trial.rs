//! Inverse dynamics of whole trials: a pendulum whose torque is known.

mod common;

use fusiform_motion::contact::{Contacts, Ground, Sole};
use fusiform_motion::dynamics::{Load, inverse_dynamics, without_plates};
use fusiform_motion::function::Function;
use fusiform_motion::model::{Axis, Body, Coordinate, GROUND, Joint, Model};
use fusiform_motion::system::System;
use fusiform_motion::table::Table;
use fusiform_motion::trajectory::{LowPass, Trajectory, TrajectoryError};
use glam::{DAffine3, DMat3, DVec3};

const MASS: f64 = 2.0;
const LENGTH: f64 = 0.7;

/// A point mass on a rod that turns about z.
fn pendulum() -> System {
    let swing = Axis { axis: DVec3::Z, coordinate: Some("swing".into()), function: Function::IDENTITY };
    let model = Model {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        bodies: vec![Body {
            name: "bob".into(),
            mass: MASS,
            center: DVec3::new(0.0, -LENGTH, 0.0),
            inertia: DMat3::ZERO,
        }],
        joints: vec![Joint {
            name: "hinge".into(),
            parent: GROUND.into(),
            child: "bob".into(),
            frames: [DAffine3::IDENTITY; 2],
            rotations: vec![swing],
            translations: Vec::new(),
        }],
        coordinates: vec![Coordinate { name: "swing".into(), ..Coordinate::default() }],
        ..Model::default()
    };
    System::new(&model).expect("a model that runs")
}

/// 1 Hz, sampled at 60 with times rounded to milliseconds, as files have them.
fn swinging(noise: f64) -> Table {
    let times: Vec<f64> = (0..180).map(|i| (f64::from(i) / 0.06).round() / 1000.0).collect();
    let value = |(i, t): (usize, &f64)| 0.6 * (std::f64::consts::TAU * t).sin() + noise * (-1.0_f64).powi(i as i32);
    let values = times.iter().enumerate().map(value).collect();
    Table { names: vec!["swing".into()], times, values }
}

/// m l² q̈ + m g l sin q.
fn wanted(time: f64) -> f64 {
    let w = std::f64::consts::TAU;
    let q = 0.6 * (w * time).sin();
    -MASS * LENGTH * LENGTH * w * w * q + MASS * 9.81 * LENGTH * q.sin()
}

fn worst(found: &Table, wanted: impl Fn(f64) -> f64) -> f64 {
    let inside = (0..found.times.len()).filter(|&i| found.times[i] > 0.5 && found.times[i] < 2.4);
    inside.map(|i| (found.row(i)[0] - wanted(found.times[i])).abs()).fold(0.0, f64::max)
}

#[test]
fn the_torque_of_a_swing_is_found_from_its_angle() {
    let found = inverse_dynamics(&pendulum(), &swinging(0.0), &[], None).expect("a motion");
    assert!(worst(&found, wanted) < 1e-3, "{} N m of 23 off", worst(&found, wanted));
}

#[test]
fn noise_is_filtered_before_it_is_differentiated() {
    let (system, noisy) = (pendulum(), swinging(0.002));
    let raw = inverse_dynamics(&system, &noisy, &[], None).expect("a motion");
    let low_pass = Some(LowPass { order: 4, cutoff: 8.0 });
    let filtered = inverse_dynamics(&system, &noisy, &[], low_pass).expect("a motion");
    assert!(worst(&raw, wanted) > 10.0);
    assert!(worst(&filtered, wanted) < 0.2, "{} N m of 23 off", worst(&filtered, wanted));
}

#[test]
fn a_measured_load_is_taken_off_and_a_gap_in_it_is_none() {
    // 5 N along x at a point 0.4 m below the hinge, then a row without numbers
    let names = ["fx", "fy", "fz", "px", "py", "pz"].map(String::from).to_vec();
    let gap = f64::NAN;
    let values = vec![5.0, 0.0, 0.0, 0.0, -0.4, 0.0, 5.0, 0.0, 0.0, 0.0, -0.4, 0.0, gap, gap, gap, gap, gap, gap];
    let plate = Table { names, times: vec![0.0, 1.5, 9.0], values };
    let load = Load { body: 1, table: &plate, force: [0, 1, 2], point: [3, 4, 5], torque: None };
    let found = inverse_dynamics(&pendulum(), &swinging(0.0), &[load], None).expect("a motion");
    let less = |time: f64| wanted(time) - if time <= 1.5 { 5.0 * 0.4 } else { 0.0 };
    assert!(worst(&found, less) < 1e-3, "{} N m off", worst(&found, less));
}

#[test]
fn a_table_that_is_no_motion_says_why() {
    let system = pendulum();
    let error = |change: &dyn Fn(&mut Table)| {
        let mut table = swinging(0.0);
        change(&mut table);
        Trajectory::new(&system, &table, Some(LowPass::default())).err()
    };
    assert_eq!(error(&|t| t.times[7] = 0.0), Some(TrajectoryError::Times(7)));
    assert_eq!(error(&|t| *t = Table::default()), Some(TrajectoryError::Times(0)));
    let gap = TrajectoryError::Value { column: "swing".into(), row: 3 };
    assert_eq!(error(&|t| t.values[3] = f64::NAN), Some(gap));
    assert_eq!(error(&|t| t.names[0] = "sway".into()), Some(TrajectoryError::Names("sway".into())));
}

#[test]
fn one_row_is_a_motion_that_stands_still() {
    let table = Table { names: vec!["swing".into()], times: vec![2.0], values: vec![0.5] };
    let found = inverse_dynamics(&pendulum(), &table, &[], Some(LowPass::default())).expect("a motion");
    assert!((found.values[0] - MASS * 9.81 * LENGTH * 0.5_f64.sin()).abs() < 1e-12);
}

/// A block that bounces on the spot, on a sole, while the ground may run beneath it.
fn block() -> System {
    let along = |axis: DVec3, c: &str| Axis { axis, coordinate: Some(c.into()), function: Function::IDENTITY };
    let model = Model {
        gravity: DVec3::new(0.0, -9.81, 0.0),
        bodies: vec![Body { name: "block".into(), mass: MASS, center: DVec3::Y, inertia: DMat3::IDENTITY }],
        joints: vec![Joint {
            name: "free".into(),
            parent: GROUND.into(),
            child: "block".into(),
            frames: [DAffine3::IDENTITY; 2],
            rotations: Vec::new(),
            translations: vec![along(DVec3::X, "x"), along(DVec3::Y, "y")],
        }],
        coordinates: ["x", "y"].map(|name| Coordinate { name: name.into(), ..Coordinate::default() }).into(),
        ..Model::default()
    };
    System::new(&model).expect("a model that runs")
}

#[test]
fn reactions_nobody_measured_are_found_and_leave_the_root_without_force() {
    let system = block();
    // it drifts at 1.2 m/s, as on a belt, a hand's breadth above zero, and breathes by a millimetre
    let times: Vec<f64> = (0..120).map(|i| f64::from(i) / 60.0).collect();
    let values = times.iter().flat_map(|t| [1.2 * t, 0.1 + 0.001 * (6.0 * t).sin()]).collect();
    let table = Table { names: vec!["x".into(), "y".into()], times: times.clone(), values };
    let trajectory = Trajectory::new(&system, &table, None).expect("a motion");
    let corners = [(0.1, 0.1), (0.1, -0.1), (-0.1, -0.1), (-0.1, 0.1)].map(|(x, z)| DVec3::new(x, 0.0, z));
    let soles = [Sole { body: 1, corners }];
    let ground = Ground::under(&system, &trajectory, &soles, &times);
    assert!((ground.height - 0.1).abs() < 0.002 && (ground.velocity - DVec3::X * 1.2).length() < 0.01, "{ground:?}");

    let found = without_plates(&system, &trajectory, &mut Contacts::new(ground, &soles), &times);
    let up = found.reactions.column("block_ground_force_vy").expect("a column per force");
    for i in 10..110 {
        let wanted = MASS * (9.81 - 0.036 * (6.0 * times[i]).sin());
        assert!((found.reactions.row(i)[up] - wanted).abs() < 0.01 * wanted);
        assert!(found.left[i].force.length() < 0.01 * wanted && found.forces.row(i)[1].abs() < 0.01 * wanted);
    }
}
