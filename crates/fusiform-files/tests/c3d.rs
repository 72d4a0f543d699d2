//! C3D files of every kind, made here: what is written is what is read, and what lies is refused or said.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

mod lab;

use fusiform_files::{FileError, Recording, c3d};
use glam::DVec3;
use lab::*;
use proptest::prelude::*;

fn read(maker: &Maker) -> Recording {
    c3d::read(&maker.bytes()).unwrap()
}

fn near(a: DVec3, b: [f64; 3]) {
    assert!((a - DVec3::from(b)).length() < 1e-6, "{a} is not {b:?}");
}

#[test]
fn every_machine_and_both_formats_say_the_same() {
    for machine in [Machine::Intel, Machine::Dec, Machine::Sgi] {
        for scale in [-0.1_f32, 0.125] {
            let Recording { capture, warnings } = read(&Maker::small(machine, scale));
            assert!(warnings.is_empty(), "{machine:?} {scale}: {warnings:?}");
            let unit = if scale < 0.0 { 1e-3 } else { 1.25e-4 };
            assert_eq!(capture.markers, ["heel", "toe"]);
            assert_eq!(capture.times, [0.0, 0.02, 0.04]);
            near(capture.frame(2)[0] / unit, [300.0, -200.0, 30.0]);
            near(capture.frame(0)[1] / unit, [1.0, 3.0, 3.0]);
            assert!(capture.frame(1)[1].is_nan(), "its residual is negative");
            assert_eq!(capture.up, Some(DVec3::Z));
            let analog = &capture.analog;
            assert_eq!((analog.rate, analog.sample_count()), (100.0, 6));
            assert_eq!(analog.units, ["V", "mV"]);
            // (raw - offset) · scale · general scale
            assert_eq!(analog.values[..2], [(0.0 - 1.0) * 0.5 * 0.25, (1.0 + 3.0) * 2.0 * 0.25]);
            assert_eq!(analog.channel(1).last(), Some((23.0 + 3.0) * 0.5));
        }
    }
}

#[test]
fn unsigned_samples_go_up_to_65535() {
    let mut maker = Maker::small(Machine::Intel, 1.0);
    maker.analog[0][0] = 60000.0;
    maker.set("ANALOG", "OFFSET", integers(&[32768, 0]));
    assert_eq!(read(&maker).capture.analog.values[0], (-5536.0 + 32768.0) * 0.125, "with signs");
    maker.set("ANALOG", "FORMAT", texts(&["UNSIGNED"]));
    assert_eq!(read(&maker).capture.analog.values[0], (60000.0 - 32768.0) * 0.125);
}

#[test]
fn names_go_on_beyond_255() {
    let mut maker = Maker::small(Machine::Intel, -1.0);
    let names: Vec<String> = (0..300).map(|i| format!("m{i}")).collect();
    maker.points = (0..3).map(|k| (0..300).map(|i| [i as f32, k as f32, 1.0, 0.0]).collect()).collect();
    maker.set("POINT", "USED", integer(300));
    maker.set("POINT", "LABELS", Values::Texts(4, names[..255].to_vec()));
    maker.set("POINT", "LABELS2", Values::Texts(4, names[255..].to_vec()));
    let Recording { capture, warnings } = read(&maker);
    assert_eq!(capture.markers, names);
    assert!(warnings.is_empty(), "{warnings:?}");
    near(capture.frame(2)[299], [0.299, 0.002, 0.001]);
    maker.remove("POINT", "LABELS2");
    let Recording { capture, warnings } = read(&maker);
    assert_eq!(capture.markers[299], "point 300");
    assert!(warnings[0].contains("255 names for 300"), "{warnings:?}");
}

#[test]
fn recordings_longer_than_sixteen_bits_are_read_whole() {
    let n = 70_000;
    let long = || {
        let mut maker = Maker::small(Machine::Sgi, 1.0);
        maker.points = (0..n).map(|k| vec![[(k % 1000) as f32, 1.0, 1.0, 0.0]; 2]).collect();
        maker.analog = vec![vec![0.0; 4]; n];
        maker.set("POINT", "FRAMES", integer(65535));
        maker
    };
    let parts = [(n % 65536) as i32, (n / 65536) as i32];
    let mut by_trial = long();
    by_trial.set("TRIAL", "ACTUAL_START_FIELD", integers(&[1, 0]));
    by_trial.set("TRIAL", "ACTUAL_END_FIELD", integers(&parts));
    let mut by_float = long();
    by_float.set("POINT", "LONG_FRAMES", Values::Floats(vec![], vec![n as f32]));
    for maker in [by_trial, by_float] {
        assert_eq!(read(&maker).capture.times.len(), n);
    }
    // without either the file's own size tells, up to what fills its last block
    let frames = read(&long()).capture.times.len();
    assert!((n..n + 512 / 24 + 1).contains(&frames), "{frames}");
}

#[test]
fn frames_may_begin_late() {
    let mut maker = Maker::small(Machine::Intel, -1.0);
    maker.first_frame = 101;
    assert_eq!(read(&maker).capture.times, [2.0, 2.02, 2.04]);
}

/// What every kind of plate says of 700 N at x = 0.25, y = 0.2 m with a free moment of 5 N m, all up.
fn stands_as_told(maker: &Maker) {
    let Recording { capture, warnings } = read(maker);
    assert!(warnings.is_empty(), "{warnings:?}");
    let plate = &capture.plates[0];
    assert_eq!(plate.force.len(), 6);
    let kind = plate.kind;
    assert!((plate.force[0] - DVec3::new(20.0, 30.0, 700.0)).length() < 1e-3, "{kind}: {}", plate.force[0]);
    assert!((plate.center_of_pressure[5] - DVec3::new(0.25, 0.2, 0.0)).length() < 1e-6, "{kind}: {plate:?}");
    assert!((plate.free_moment[0] - DVec3::new(0.0, 0.0, 5.0)).length() < 1e-4, "{kind}: {}", plate.free_moment[0]);
    let moment = DVec3::new(0.05, -0.1, 0.0).cross(DVec3::new(20.0, 30.0, 700.0)) + 5.0 * DVec3::Z;
    assert!((plate.moment[0] - moment).length() < 1e-4, "{kind}: {}", plate.moment[0]);
}

/// Force, and where it acts from the centre, and free moment, in the plate's directions: x, -y, -z of the laboratory.
const FORCE: DVec3 = DVec3::new(20.0, -30.0, -700.0);
const PLACE: DVec3 = DVec3::new(50.0, 100.0, 0.0);
const FREE: f64 = -5000.0;

/// Moment about a point of the plate, N mm.
fn moment_about(point: DVec3) -> DVec3 {
    (PLACE - point).cross(FORCE) + FREE * DVec3::Z
}

fn stored(force: DVec3, rest: DVec3) -> Vec<f32> {
    force.to_array().into_iter().chain(rest.to_array()).map(|v| v as f32).collect()
}

#[test]
fn a_plate_of_every_kind_says_what_stands_on_it() {
    stands_as_told(&Maker::plate(1, ["N", "mm"], [0.0; 3], &stored(FORCE, DVec3::new(PLACE.x, PLACE.y, FREE))));
    // the plate's origin is 40 mm under its surface, 3 and 4 mm aside
    let origin = DVec3::new(3.0, 4.0, -40.0);
    let moment = moment_about(-origin);
    let two = Maker::plate(2, ["N", "Nmm"], origin.as_vec3().to_array(), &stored(FORCE, moment));
    stands_as_told(&two);
    stands_as_told(&Maker::plate(2, ["N", "N.m"], origin.as_vec3().to_array(), &stored(FORCE, moment / 1000.0)));
    let mut four = Maker::plate(4, ["V", "V"], origin.as_vec3().to_array(), &[0.0; 6]);
    // volts that the matrix takes to forces: diagonal but for one place, force x = 2 v0 + 0.5 v5
    let volts = stored((FORCE - 0.5 * 7.0 * DVec3::X) / 2.0, DVec3::new(moment.x, moment.y, 7.0));
    let mut matrix = vec![0.0; 36];
    [2.0, 2.0, 2.0, 1.0, 1.0, (moment.z / 7.0) as f32].iter().enumerate().for_each(|(i, v)| matrix[7 * i] = *v);
    matrix[6 * 5] = 0.5;
    four.analog = vec![volts.repeat(2); 3];
    four.set("FORCE_PLATFORM", "CAL_MATRIX", Values::Floats(vec![6, 6, 1], matrix));
    stands_as_told(&four);
}

#[test]
fn four_posts_say_what_stands_on_them() {
    let (a, b, depth) = (120.0, 200.0, -50.0);
    let moment = moment_about(DVec3::new(0.0, 0.0, -depth));
    // any forces of the posts that add up to force and moments about the middle of the posts
    let (p, q) = (moment.x / b, moment.y / a);
    let [z1, z2] = [FORCE.z + p - q - 0.0, FORCE.z + p + q].map(|v| v / 4.0);
    let [z3, z4] = [FORCE.z - p + q, FORCE.z - p - q].map(|v| v / 4.0);
    let twist = moment.z / (2.0 * b);
    let [x12, x34] = [FORCE.x / 2.0 - twist, FORCE.x / 2.0 + twist];
    let posts = [x12, x34, FORCE.y / 2.0, FORCE.y / 2.0, z1, z2, z3, z4].map(|v| v as f32);
    stands_as_told(&Maker::plate(3, ["N", "N"], [a as f32, b as f32, depth as f32], &posts));
}

#[test]
fn plates_that_are_not_understood_are_said_and_the_rest_is_read() {
    let said = |bend: fn(&mut Maker), words: &str| {
        let mut maker = Maker::plate(2, ["N", "Nmm"], [0.0, 0.0, -40.0], &stored(FORCE, DVec3::ZERO));
        bend(&mut maker);
        let Recording { capture, warnings } = read(&maker);
        assert!(warnings.join("; ").contains(words), "{words}: {warnings:?}");
        assert_eq!((capture.markers.len(), capture.analog.names.len()), (2, 6));
        capture.plates.len()
    };
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "TYPE", integers(&[21])), "type 21"), 0);
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "TYPE", integers(&[4])), "CAL_MATRIX"), 0);
    assert_eq!(said(|maker| maker.remove("FORCE_PLATFORM", "CORNERS"), "CORNERS"), 0);
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "USED", integer(3)), "USED is 3"), 1);
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "CHANNEL", integers(&[1, 2, 3, 4, 5, 9])), "channel 9"), 0);
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "CHANNEL", integers(&[1, 2, 3, 4, 5, 5])), "another one's"), 0);
    assert_eq!(
        said(
            |maker| maker.set("FORCE_PLATFORM", "ORIGIN", Values::Floats(vec![3, 1], vec![0.0, 0.0, 40.0])),
            "turned round"
        ),
        1
    );
    assert_eq!(said(|maker| maker.analog.iter_mut().flatten().for_each(|v| *v = -*v), "pulled down"), 1);
    assert_eq!(said(|maker| maker.set("ANALOG", "UNITS", texts(&["V"; 6])), "volts"), 1);
    assert_eq!(said(|maker| maker.set("FORCE_PLATFORM", "ZERO", integers(&[1, 10])), "ZERO"), 1);
}

#[test]
fn what_does_not_agree_is_said() {
    let said = |bend: fn(&mut Maker), words: &str| {
        let mut maker = Maker::small(Machine::Intel, -0.1);
        bend(&mut maker);
        let Recording { capture, warnings } = read(&maker);
        assert!(warnings.join("; ").contains(words), "{words}: {warnings:?}");
        capture
    };
    said(|maker| maker.set("POINT", "UNITS", texts(&["furlong"])), "furlong");
    said(|maker| maker.set("POINT", "LABELS", texts(&["a", "a"])), "a_2");
    said(|maker| maker.set("ANALOG", "SCALE", floats(&[1.0])), "ANALOG:SCALE has 1");
    let capture = said(|maker| maker.set("ANALOG", "USED", integer(3)), "2 channels");
    assert_eq!(capture.analog.sample_count(), 6);
    let capture = said(|maker| maker.set("POINT", "FRAMES", integer(9000)), "9000 frames");
    assert_eq!(capture.times.len(), 3);
    let capture = said(|maker| maker.points[1][0] = [0.0; 4], "0 0 0");
    assert!(capture.frame(1)[0].is_nan());
}

fn refused(bytes: &[u8]) -> FileError {
    let error = c3d::read(bytes).unwrap_err();
    assert!(!error.cure.is_empty() && !error.place.is_empty(), "{error}");
    error
}

#[test]
fn what_is_no_recording_is_refused() {
    assert!(refused(b"").message.contains("empty"));
    assert!(refused(b"PathFileType").message.contains("0x50"));
    assert!(refused(&[2, 0x50]).message.contains("ends before"));
    let whole = Maker::small(Machine::Intel, -0.1).bytes();
    for cut in [511, 515, 600, whole.len() - 512] {
        refused(&whole[..cut]);
    }
    let mut maker = Maker::small(Machine::Intel, -0.1);
    maker.rate = 0.0;
    maker.set("POINT", "RATE", Values::Floats(vec![], vec![0.0]));
    assert!(refused(&maker.bytes()).place.contains("POINT:RATE"));
    let mut maker = Maker::small(Machine::Intel, -0.1);
    maker.set("POINT", "USED", integer(-1));
    assert!(refused(&maker.bytes()).message.contains("first of them"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn damaged_bytes_never_panic(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        kind in 1..6_i32,
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = Maker::plate(kind, ["N", "Nmm"], [1.0, 1.0, -40.0], &[1.0; 8]).bytes();
        // most of the damage into header and parameters, where it hurts
        for (at, byte) in damage {
            let at = at.index(1200.min(bytes.len()));
            bytes[at] = byte;
        }
        let _ = c3d::read(&bytes);
        let _ = c3d::read(&bytes[..cut.index(bytes.len())]);
    }
}
