//! Inverse kinematics on random trees and on a figure that can face any way.

mod common;

use common::{Dice, random_tree};
use fusiform_motion::function::Function;
use fusiform_motion::ik::Ik;
use fusiform_motion::model::{Axis, Body, Coordinate, GROUND, Joint, Marker, Model};
use fusiform_motion::system::{Posture, System};
use glam::{DAffine3, DVec3};
use proptest::prelude::*;

fn markers(system: &System, dice: &mut Dice, per_body: usize) -> Vec<Marker> {
    let on = |i: usize| {
        let body = system.names[1 + i % (system.n_body() - 1)].clone();
        Marker { name: format!("m{i}"), body, location: dice.vector(0.3) }
    };
    (0..per_body * (system.n_body() - 1)).map(on).collect()
}

fn seen(system: &System, markers: &[Marker], q: &[f64]) -> Vec<DVec3> {
    let mut posture = Posture::default();
    system.pose(q, &mut posture);
    let place = |m: &Marker| posture.frames[system.body(&m.body).expect("a body")].transform_point3(m.location);
    markers.iter().map(place).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_small_move_is_found_to_micrometres(seed in 0_u64..10_000, n_body in 1_usize..7) {
        let system = random_tree(seed, n_body).system();
        let (dice, n) = (&mut Dice(seed), system.n_coordinate());
        let markers = markers(&system, dice, 4);
        let mut q = dice.vectors(n, 0.8);
        system.couple(&mut q);
        let moved: Vec<f64> = q.iter().map(|q| q + dice.within(-0.03, 0.03)).collect();
        let mut ik = Ik::new(&system, &markers).expect("markers on bodies");
        let solved = ik.solve(&system, &seen(&system, &markers, &moved), &mut q);
        // what markers hardly see keeps to the frame before: micrometres
        prop_assert!(solved.converged && solved.rms < 1e-5, "{solved:?}");
    }
}

/// A trunk that floats, with two arms of two links each that hang down; 10 coordinates.
fn figure() -> System {
    let turn = |axis: DVec3, c: &str| Axis { axis, coordinate: Some(c.into()), function: Function::IDENTITY };
    let joint = |parent: &str, child: &str, at: DVec3, rotations: Vec<Axis>, translations: Vec<Axis>| Joint {
        name: child.into(),
        parent: parent.into(),
        child: child.into(),
        frames: [DAffine3::from_translation(at), DAffine3::IDENTITY],
        rotations,
        translations,
    };
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    let root = |names: [&str; 3]| vec![turn(x, names[0]), turn(y, names[1]), turn(z, names[2])];
    let names = ["tilt", "list", "yaw", "tx", "ty", "tz", "shoulder_l", "elbow_l", "shoulder_r", "elbow_r"];
    let elbow = |name: &str| Coordinate {
        clamped: name.starts_with("elbow"),
        range: [0.0, 2.5],
        name: name.into(),
        default: if name.starts_with("elbow") { 0.2 } else { 0.0 },
        ..Coordinate::default()
    };
    let body = |name: &str| Body { name: name.into(), mass: 1.0, ..Body::default() };
    let model = Model {
        bodies: ["trunk", "arm_l", "hand_l", "arm_r", "hand_r"].map(body).into(),
        joints: vec![
            joint(GROUND, "trunk", DVec3::ZERO, root(["tilt", "list", "yaw"]), root(["tx", "ty", "tz"])),
            joint("trunk", "arm_l", DVec3::new(0.2, 0.5, 0.0), vec![turn(z, "shoulder_l")], Vec::new()),
            joint("arm_l", "hand_l", -0.3 * y, vec![turn(x, "elbow_l")], Vec::new()),
            joint("trunk", "arm_r", DVec3::new(-0.2, 0.5, 0.0), vec![turn(z, "shoulder_r")], Vec::new()),
            joint("arm_r", "hand_r", -0.3 * y, vec![turn(x, "elbow_r")], Vec::new()),
        ],
        coordinates: names.map(elbow).into(),
        ..Model::default()
    };
    System::new(&model).expect("a model that runs")
}

fn figure_markers() -> Vec<Marker> {
    let at = |body: &str, x: f64, y: f64, z: f64| Marker {
        name: format!("{body} {x} {y} {z}"),
        body: body.into(),
        location: DVec3::new(x, y, z),
    };
    let mut markers = vec![at("trunk", 0.1, 0.0, 0.1), at("trunk", -0.1, 0.0, 0.1), at("trunk", 0.0, 0.6, -0.1)];
    for body in ["arm_l", "hand_l", "arm_r", "hand_r"] {
        markers.extend([at(body, 0.03, -0.1, 0.02), at(body, 0.0, -0.28, 0.04)]);
    }
    markers
}

fn figure_ik() -> (System, Vec<Marker>, Ik) {
    let system = figure();
    let ik = Ik::new(&system, &figure_markers()).expect("markers on bodies");
    (system, figure_markers(), ik)
}

const POSE: [f64; 10] = [0.1, -0.2, 0.15, 0.4, 1.0, -0.3, 0.5, 1.1, -0.4, 0.3];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_first_frame_is_found_wherever_the_figure_faces(
        turn in prop::array::uniform3(-3.1..3.1_f64),
        place in prop::array::uniform3(-20.0..20.0_f64),
    ) {
        let (system, markers, mut ik) = figure_ik();
        let mut wanted = POSE;
        wanted[..3].copy_from_slice(&turn);
        wanted[3..6].copy_from_slice(&place);
        let targets = seen(&system, &markers, &wanted);
        let mut q = system.default.to_vec();
        let solved = ik.place(&system, &targets, &mut q);
        // micrometres where two of the root's axes nearly coincide
        prop_assert!(solved.rms < 1e-4, "{solved:?}");
        prop_assert!(q[..3].iter().all(|angle| angle.abs() < 3.2), "wound up: {q:?}");
        for c in 6..10 {
            prop_assert!((q[c] - wanted[c]).abs() < 1e-3, "{} is {} instead of {}", system.coordinates[c], q[c], wanted[c]);
        }
    }

    #[test]
    fn gaps_never_blow_up(gaps in prop::collection::vec(prop::bool::ANY, 11), seed in 0_u64..1000) {
        let (system, markers, mut ik) = figure_ik();
        let mut targets = seen(&system, &markers, &POSE);
        let dice = &mut Dice(seed);
        for (target, gap) in targets.iter_mut().zip(gaps) {
            *target = if gap { DVec3::NAN } else { *target + dice.vector(0.01) };
        }
        let mut q = POSE.map(|q| q + 0.01);
        let solved = ik.solve(&system, &targets, &mut q);
        prop_assert!(solved.rms < 0.03, "{solved:?}");
        // a centimetre of noise on few markers can ask for a large turn, not for a whole one
        prop_assert!(q.iter().zip(POSE).all(|(q, was)| (q - was).abs() < 3.2), "{q:?}");
    }
}

#[test]
fn what_no_marker_sees_stays_where_it_was() {
    let (system, markers, mut ik) = figure_ik();
    let mut targets = seen(&system, &markers, &POSE);
    for (target, marker) in targets.iter_mut().zip(&markers).filter(|(_, m)| m.body == "hand_l") {
        *target = DVec3::new(f64::NAN, 0.0, marker.location.z);
    }
    let mut q = POSE.map(|q| q + 0.05);
    let solved = ik.solve(&system, &targets, &mut q);
    assert_eq!(solved.n_seen, 9);
    assert!(solved.converged && solved.rms < 1e-6, "{solved:?}");
    assert!((q[7] - (POSE[7] + 0.05)).abs() < 1e-9, "the elbow moved to {}", q[7]);
    assert!((q[6] - POSE[6]).abs() < 1e-4);
    assert_eq!(ik.residuals().iter().filter(|r| r.is_nan()).count(), 2);

    let mut untouched = q;
    assert_eq!(ik.solve(&system, &[], &mut untouched).n_seen, 0);
    assert_eq!(untouched, q);
}

#[test]
fn a_clamped_coordinate_stops_at_its_limit_and_others_make_the_best_of_it() {
    let (system, markers, mut ik) = figure_ik();
    let mut wanted = POSE;
    wanted[7] = -0.4; // an elbow bent backward
    let targets = seen(&system, &markers, &wanted);
    let mut q = POSE;
    let solved = ik.solve(&system, &targets, &mut q);
    assert_eq!(q[7], 0.0);
    assert!(solved.converged && solved.rms > 0.01 && solved.rms < 0.06, "{solved:?}");
}

#[test]
fn held_coordinates_and_weights_are_obeyed() {
    let (system, markers, mut ik) = figure_ik();
    let targets = seen(&system, &markers, &POSE);
    ik.hold(8, 0.2, 1e3);
    let mut q = POSE;
    ik.solve(&system, &targets, &mut q);
    assert!((q[8] - 0.2).abs() < 1e-3, "held at {}", q[8]);

    let (_, _, mut ik) = figure_ik();
    let mut wrong = targets;
    wrong[5] += DVec3::splat(0.2);
    ik.weigh(5, 0.0);
    let solved = ik.solve(&system, &wrong, &mut q);
    assert!(solved.rms < 1e-6 && solved.n_seen == 10, "{solved:?}");
    assert!((ik.residuals()[5] - 0.2 * 3.0_f64.sqrt()).abs() < 1e-6);
}

#[test]
fn locked_coordinates_stay() {
    let mut cloud = random_tree(3, 4);
    cloud.model.coordinates[1].locked = true;
    let system = cloud.system();
    let markers = markers(&system, &mut Dice(1), 3);
    let mut q = Dice(2).vectors(system.n_coordinate(), 0.5);
    let (was, targets) = (q[1], seen(&system, &markers, &Dice(4).vectors(system.n_coordinate(), 0.5)));
    Ik::new(&system, &markers).expect("markers on bodies").solve(&system, &targets, &mut q);
    assert_eq!(q[1], was);
}

#[test]
fn a_marker_on_no_body_is_refused() {
    let marker = Marker { name: "m".into(), body: "tail".into(), location: DVec3::ZERO };
    let error = Ik::new(&figure(), &[marker]).err().map(|e| e.to_string());
    assert_eq!(
        error.as_deref(),
        Some("marker \"m\" names the body \"tail\", which the model does not have; add it, or mend the name")
    );
}

#[test]
fn a_motion_is_tracked_through_a_gap_in_which_the_figure_turns_round() {
    let (system, markers, mut ik) = figure_ik();
    let times: Vec<f64> = (0..60).map(|i| f64::from(i) * 0.01).collect();
    let pose = |i: usize| {
        let mut q = POSE;
        q[1] = 0.05 * i as f64; // three radians in all
        q[6] = (0.1 * i as f64).sin();
        q
    };
    let frame = |i: usize| seen(&system, &markers, &pose(i));
    let gap = |i: usize| if (20..50).contains(&i) { vec![DVec3::NAN; 11] } else { frame(i) };
    let targets: Vec<DVec3> = (0..60).flat_map(gap).collect();
    let (table, solved) = ik.track(&system, &times, &targets);
    assert_eq!((table.times.len(), solved.len()), (60, 60));
    for i in (0..20).chain(50..60) {
        assert!(solved[i].rms < 1e-6, "frame {i}: {:?}", solved[i]);
        assert!((table.row(i)[6] - pose(i)[6]).abs() < 1e-4);
    }
    assert_eq!(table.row(19), table.row(49), "nothing moves while nothing is seen");
}
