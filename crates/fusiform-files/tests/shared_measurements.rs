//! Measurements from outside, where they are: what we read is what OpenSim and others read.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform_files::{Recording, c3d, csv, sto, trc};
use glam::DVec3;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// All files of that kind in the shared data; none, said aloud, where it is not there.
fn files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let mut files = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|own| own == kind) => files.push(path),
                _ => {}
            }
        }
    }
    if files.is_empty() {
        _ = writeln!(std::io::stderr(), "SKIPPED: there are no .{kind} files in {}", folder.display());
    }
    files.sort();
    files
}

fn named(kind: &str, name: &str) -> Option<Vec<u8>> {
    files(kind).iter().find(|path| path.ends_with(name)).map(|path| std::fs::read(path).unwrap())
}

fn seen(positions: &[DVec3]) -> usize {
    positions.iter().filter(|p| p.is_finite()).count()
}

#[test]
fn every_track_is_read() {
    // name, markers, frames, rate, positions that are there: counted by splitting the text at tabs
    let known = [
        ("arm26_elbow_flex.trc", 3, 121, 120.0, 363),
        ("subject01_walk1.trc", 41, 151, 60.0, 41 * 151),
        ("subject01_static.trc", 49, 300, 60.0, 49 * 300),
        ("blanks_for_missing_markers.trc", 40, 464, 250.0, 3555),
        ("crlf_line_ending.trc", 41, 10, 60.0, 410),
        ("opensim_walking2_expected_markers.trc", 44, 126, 25.0, 2735),
    ];
    for path in files("trc") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Recording { capture, warnings } = trc::read(&std::fs::read(&path).unwrap()).unwrap();
        let (n_marker, n_frame, n_seen) = (capture.markers.len(), capture.times.len(), seen(&capture.positions));
        println!("{name}: {n_marker} markers, {n_frame} frames, {} Hz, {n_seen} seen, {warnings:?}", capture.rate);
        let (_, markers, frames, rate, there) = known.into_iter().find(|known| known.0 == name).unwrap();
        assert_eq!((n_marker, n_frame, n_seen), (markers, frames, there), "{name}");
        assert!((capture.rate / rate - 1.0).abs() < 0.01, "{name}: {}", capture.rate);
        let far = capture.positions.iter().filter(|p| p.is_finite() && p.length() > 5.0).count();
        assert_eq!(far, 0, "{name}: they are in metres");
    }
}

#[test]
fn every_table_is_read_and_written_and_read_again() {
    for path in files("mot").into_iter().chain(files("sto")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let read = sto::read(&std::fs::read(&path).unwrap()).unwrap();
        let (n_row, n_column) = (read.table.times.len(), read.table.names.len());
        println!("{name}: {n_row} x {n_column}, degrees {}, {:?}", read.in_degrees, read.warnings);
        let again = sto::read(sto::write(&read.table, &read.name, read.in_degrees).as_bytes()).unwrap();
        assert_eq!(again.table, read.table, "{name}");
        assert_eq!(csv::read(csv::write(&read.table).as_bytes(), None).unwrap().table, read.table, "{name}");
        assert_eq!(read.in_degrees, name.contains("walk1_ik") || name.contains("walk1_grf"), "{name}");
        assert!(n_row > 50 && n_column > 10);
    }
}

#[test]
fn markers_are_where_opensim_reads_them() {
    let Some(bytes) = named("c3d", "opensim_walking2.c3d") else { return };
    let Recording { capture, warnings } = c3d::read(&bytes).unwrap();
    println!("{warnings:?}");
    let wanted = trc::read(&named("trc", "opensim_walking2_expected_markers.trc").unwrap()).unwrap().capture;
    assert_eq!((capture.markers.len(), capture.times.len(), capture.rate), (44, 1249, 250.0));
    assert_eq!(capture.markers, wanted.markers);
    assert_eq!(capture.up, Some(DVec3::Z));
    let mut worst: f64 = 0.0;
    for (i, time) in wanted.times.iter().enumerate() {
        let own = capture.times.iter().position(|own| (own - time).abs() < 1e-4).unwrap();
        for ((a, b), name) in capture.frame(own).iter().zip(wanted.frame(i)).zip(&wanted.markers) {
            assert_eq!(a.is_nan(), b.is_nan(), "{name} at {time} s");
            if a.is_finite() {
                worst = worst.max((*a - *b).abs().max_element());
            }
        }
    }
    println!("markers: {:.4} mm off at most", 1e3 * worst);
    // the reference is rounded to 0.1 mm
    assert!(worst < 0.051e-3, "{worst}");
}

#[test]
fn forces_are_what_opensim_reads() {
    let Some(bytes) = named("c3d", "opensim_walking2.c3d") else { return };
    let capture = c3d::read(&bytes).unwrap().capture;
    assert_eq!((capture.plates.len(), capture.analog.rate, capture.analog.sample_count()), (2, 2000.0, 9992));
    for (name, at_center) in
        [("opensim_walking2_expected_grfs.sto", true), ("opensim_walking2_expected_grfs_cop.sto", false)]
    {
        let wanted = sto::read(&named("sto", name).unwrap()).unwrap().table;
        let mut worst = [0.0_f64; 3];
        for (i, time) in wanted.times.iter().enumerate() {
            let sample = (time * capture.analog.rate).round() as usize;
            for plate in &capture.plates {
                let vector = |part: &str| {
                    let column = wanted.column(&format!("{part}{}_1", plate.number)).unwrap();
                    DVec3::from_slice(&wanted.row(i)[column..])
                };
                let (place, moment) = if at_center {
                    (plate.center(), plate.moment[sample])
                } else {
                    (plate.center_of_pressure[sample], plate.free_moment[sample])
                };
                // millimetres there
                let off = [plate.force[sample] - vector("f"), place - vector("p") * 1e-3, moment - vector("m") * 1e-3];
                for (worst, off) in worst.iter_mut().zip(off) {
                    *worst = worst.max(off.abs().max_element());
                }
            }
        }
        println!("{name}: {:.1e} N, {:.1e} m, {:.1e} N m off at most", worst[0], worst[1], worst[2]);
        assert!(worst[0] < 1e-7 && worst[1] < 1e-7 && worst[2] < 1e-7, "{worst:?}");
    }
}

#[test]
fn emg_is_read() {
    let Some(bytes) = named("c3d", "pyomeca_markers_analogs_emg.c3d") else { return };
    let Recording { capture, warnings } = c3d::read(&bytes).unwrap();
    println!("{warnings:?}");
    assert_eq!((capture.markers.len(), capture.times.len(), capture.rate), (51, 580, 100.0));
    let analog = &capture.analog;
    assert_eq!((analog.names.len(), analog.sample_count(), analog.rate), (38, 11_600, 2000.0));
    let deltoid = analog.column("Delt_ant.EMG1").unwrap();
    assert_eq!((analog.units[deltoid].as_str(), capture.plates.len()), ("V", 0));
    let rms = (analog.channel(deltoid).map(|v| v * v).sum::<f64>() / 11_600.0).sqrt();
    assert!((rms / 2.130_365_71e-4 - 1.0).abs() < 1e-8, "{rms}");
}

#[test]
fn sums_over_whole_files_are_those_of_ezc3d() {
    // ezc3d 1.7.2: positions that are there, their sum in mm, sum of the sizes of all analog values
    let known = [
        ("opensim_walking2.c3d", 27_389, 45_980_895.475_033_79, 334_519_638.036_194_6),
        ("pyomeca_markers_analogs_emg.c3d", 29_275, 42_506_014.918_278_67, 4_244.503_975_777_785),
    ];
    for (name, n_seen, positions, analog) in known {
        let Some(bytes) = named("c3d", name) else { return };
        let capture = c3d::read(&bytes).unwrap().capture;
        assert_eq!(seen(&capture.positions), n_seen, "{name}");
        let sum: f64 = capture.positions.iter().filter(|p| p.is_finite()).map(|p| p.element_sum()).sum();
        assert!((1e3 * sum / positions - 1.0).abs() < 1e-12, "{name}: {sum}");
        let sum: f64 = capture.analog.values.iter().map(|v| v.abs()).sum();
        assert!((sum / analog - 1.0).abs() < 1e-12, "{name}: {sum}");
    }
}
