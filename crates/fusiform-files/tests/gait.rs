//! A walk from markers to muscles, held against OpenSim: gait2354's subject01, and the 92 muscles of gait2392.
//!
//! Numbers of OpenSim that do not lie with the shared data come from `interop/opensim/reference.py`, in a file that
//! FUSIFORM_OPENSIM_REFERENCE names.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use fusiform_files::osim::{self, Osim, setup};
use fusiform_files::{sto, trc};
use fusiform_motion::capture::Capture;
use fusiform_motion::dynamics::{Load, generalised_forces};
use fusiform_motion::ik::Solved;
use fusiform_motion::model::Model;
use fusiform_motion::path::{PathState, Paths};
use fusiform_motion::strength::strength;
use fusiform_motion::system::{Posture, System};
use fusiform_motion::table::Table;
use fusiform_motion::tension::{Problem, Settings, Tension};
use fusiform_motion::trajectory::{LowPass, Trajectory};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Hz: what the trial's own set-up filters with.
const LOW_PASS: LowPass = LowPass { order: 3, cutoff: 6.0 };

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/opensim").join(name)
}

fn bytes(file: &Path) -> Vec<u8> {
    std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn model(file: &Path) -> (Model, System) {
    let Osim { model, .. } = osim::read(&bytes(file)).unwrap();
    let system = System::new(&model).unwrap();
    (model, system)
}

/// subject01 and its walk.
struct Walk {
    model: Model,
    system: System,
    capture: Capture,
    setup: setup::IkSetup,
    loads: setup::ExternalLoads,
    plates: Table,
}

impl Walk {
    /// None, said aloud, where the shared data is not there.
    fn read() -> Option<Self> {
        let file = |name: &str| shared("gait2354").join(name);
        if !file("subject01_Setup_IK.xml").exists() {
            eprintln!("SKIPPED: there is no {}", file("subject01_Setup_IK.xml").display());
            return None;
        }
        let setup = setup::read_ik(&bytes(&file("subject01_Setup_IK.xml"))).unwrap();
        let loads = setup::read_loads(&bytes(&file("subject01_walk1_grf.xml"))).unwrap();
        let (model, system) = model(&file(setup.model_file.as_ref().unwrap()));
        let capture = trc::read(&bytes(&file(setup.marker_file.as_ref().unwrap()))).unwrap().capture;
        let plates = sto::read(&bytes(&file(loads.data_file.as_ref().unwrap()))).unwrap().table;
        Some(Self { model, system, capture, setup, loads, plates })
    }

    fn angles(&self) -> (Table, Vec<Solved>) {
        let mut tracking = self.setup.bind(&self.model, &self.system, &self.capture.markers).unwrap();
        assert_eq!(tracking.warnings, [""; 0], "every task is about a marker that both have");
        tracking.track(&self.system, &self.capture, None).unwrap()
    }

    fn loads(&self) -> Vec<Load<'_>> {
        self.loads.bind(&self.system, &self.plates).unwrap()
    }

    /// m: mean over frames of the root mean square over markers, at somebody's angles.
    fn marker_rms(&self, angles: &Table) -> f64 {
        let tasks = self.setup.markers.iter();
        let markers: Vec<_> = tasks
            .map(|task| {
                let marker = self.model.markers.iter().find(|marker| marker.name == task.name).unwrap();
                (self.system.body(&marker.body).unwrap(), marker.location, self.capture.marker(&task.name).unwrap())
            })
            .collect();
        let mut posture = Posture::default();
        let frame_rms = |i: usize| {
            self.system.pose(&reordered(&self.system, angles, i), &mut posture);
            let frame = self.capture.times.iter().position(|time| (time - angles.times[i]).abs() < 1e-3).unwrap();
            let seen = self.capture.frame(frame);
            let off = |(body, location, column): &(usize, _, usize)| {
                posture.frames[*body].transform_point3(*location).distance_squared(seen[*column])
            };
            (markers.iter().map(off).sum::<f64>() / markers.len() as f64).sqrt()
        };
        (0..angles.times.len()).map(frame_rms).sum::<f64>() / angles.times.len() as f64
    }
}

/// A row in the order of a system's coordinates.
fn reordered(system: &System, table: &Table, row: usize) -> Vec<f64> {
    system.coordinates.iter().map(|name| table.row(row)[table.column(name).unwrap()]).collect()
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let column = table.column(name).unwrap_or_else(|| panic!("there is no column {name}"));
    (0..table.times.len()).map(|row| table.row(row)[column]).collect()
}

fn rms(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count();
    (values.map(|v| v * v).sum::<f64>() / n as f64).sqrt()
}

#[test]
fn angles_are_those_of_opensim() {
    let Some(walk) = Walk::read() else { return };
    let (angles, solved) = walk.angles();
    let computed = sto::read(&bytes(&shared("gait2354/computed/subject01_walk1_ik_opensim46.mot"))).unwrap();
    let theirs = computed.in_radians(&walk.model);
    assert_eq!((angles.times.len(), theirs.times.len()), (73, 73));
    let mut worst = (0.0, "");
    for coordinate in &walk.model.coordinates {
        let (ours, theirs) = (column(&angles, &coordinate.name), column(&theirs, &coordinate.name));
        let off = rms(ours.iter().zip(&theirs).map(|(a, b)| a - b));
        if coordinate.is_angle {
            assert!(off.to_degrees() < 0.5, "{}: {} degrees", coordinate.name, off.to_degrees());
            worst = if off > worst.0 { (off, coordinate.name.as_str()) } else { worst };
        } else {
            assert!(off < 1e-3, "{}: {off} m", coordinate.name);
        }
    }
    let (own, others) = (walk.marker_rms(&angles), walk.marker_rms(&theirs));
    let told = solved.iter().map(|frame| frame.rms).sum::<f64>() / solved.len() as f64;
    let iterations = solved.iter().map(|frame| frame.iterations).sum::<usize>() as f64 / solved.len() as f64;
    println!(
        "angles: {:.4} degrees rms off at most ({}); markers: {own:.7} m, {others:.7} m at OpenSim's angles; \
         {iterations:.1} iterations a frame",
        worst.0.to_degrees(),
        worst.1
    );
    assert!(solved.iter().all(|frame| frame.converged));
    assert!((own - told).abs() < 1e-12 && own <= 1.01 * others, "{own} {told} {others}");
}

#[test]
fn forces_are_those_of_opensim() {
    let Some(walk) = Walk::read() else { return };
    let Some(reference) = std::env::var_os("FUSIFORM_OPENSIM_REFERENCE") else {
        eprintln!("SKIPPED: FUSIFORM_OPENSIM_REFERENCE names no file; interop/opensim/reference.py writes one");
        return;
    };
    let json: Value = serde_json::from_slice(&bytes(Path::new(&reference))).unwrap();
    let Some(trial) = json["trials"].get("subject01_Setup_IK") else {
        eprintln!("SKIPPED: the reference was made without the walk");
        return;
    };
    let numbers = |value: &Value| value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<f64>>();
    let (angles, _) = walk.angles();
    let own = walk.marker_rms(&angles);
    let reported = numbers(&trial["marker_rms"]);
    let reported = reported.iter().sum::<f64>() / reported.len() as f64;
    println!("markers: {own:.7} m, OpenSim reports {reported:.7} m");
    assert!(own <= 1.01 * reported);

    let names: Vec<String> = walk.system.coordinates.to_vec();
    let given: Vec<Vec<f64>> = names.iter().map(|name| numbers(&trial["coordinates"][name])).collect();
    let times = numbers(&trial["times"]);
    let rows = (0..times.len()).flat_map(|row| given.iter().map(move |column| column[row])).collect();
    let table = Table { names: names.clone(), times, values: rows };
    let read = sto::Sto { in_degrees: trial["in_degrees"] == true, table, ..sto::Sto::default() };
    let times = numbers(&trial["force_times"]);
    let low_pass = LowPass { cutoff: trial["cutoff"].as_f64().unwrap(), ..LOW_PASS };
    let forces = |angles: &Table| {
        let trajectory = Trajectory::new(&walk.system, angles, Some(low_pass)).unwrap();
        generalised_forces(&walk.system, &trajectory, &walk.loads(), &times)
    };
    let (same_angles, own_angles) = (forces(&read.in_radians(&walk.model)), forces(&angles));
    let mut worst = [0.0_f64; 2];
    for name in &names {
        let suffixed = ["moment", "force"].map(|kind| trial["forces"].get(format!("{name}_{kind}")));
        let theirs = numbers(suffixed.into_iter().flatten().next().unwrap());
        let peak = theirs.iter().fold(0.0_f64, |most, force| most.max(force.abs()));
        let shares = [&same_angles, &own_angles].map(|found| {
            let off = column(found, name).iter().zip(&theirs).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            off / peak
        });
        println!("{name:20} peak {peak:8.2}, off {:6.3} % of it; with our angles {:6.3} %", 100.0 * shares[0], 100.0 * shares[1]);
        worst = [0, 1].map(|i| worst[i].max(shares[i]));
    }
    println!("forces: {:.3} % of a peak off at most; with our angles {:.3} %", 100.0 * worst[0], 100.0 * worst[1]);
    assert!(worst[0] < 0.01, "{worst:?}");
}
