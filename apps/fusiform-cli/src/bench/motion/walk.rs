//! OpenSim's walk: markers and forces of gait2354's subject, carried by the 92 muscles of gait2392.

use super::chain::{Chain, Flesh};
use crate::failure::Failure;
use fusiform_files::osim::setup::{self, ExternalLoads, IkSetup, Tracking};
use fusiform_files::{FileError, osim, sto, trc};
use fusiform_motion::capture::Capture;
use fusiform_motion::model::Model;
use fusiform_motion::path::Paths;
use fusiform_motion::system::System;
use fusiform_motion::table::Table;
use fusiform_motion::trajectory::{LowPass, Trajectory};
use glam::DVec3;
use std::path::{Path, PathBuf};

const SETUP: &str = "gait2354/subject01_Setup_IK.xml";
const LOADS: &str = "gait2354/subject01_walk1_grf.xml";
const MUSCLES: &str = "gait2392/gait2392_thelen2003muscle.osim";

/// The files of the walk.
pub struct Walk {
    folder: PathBuf,
    setup: IkSetup,
    subject: Model,
    capture: Capture,
    loads: ExternalLoads,
    plates: Table,
    muscled: Model,
}

impl Walk {
    /// Read all of them from a folder that has OpenSim's `gait2354` and `gait2392`.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let setup = read(&folder.join(SETUP), setup::read_ik)?;
        let loads = read(&folder.join(LOADS), setup::read_loads)?;
        let beside = |file: &str, named: Option<&String>, tag: &str| {
            let name = named.ok_or_else(|| {
                Failure::input(folder.join(file).display().to_string(), format!("it has no <{tag}>"))
                    .cure("name the file there")
            })?;
            Ok::<_, Failure>(folder.join(file).with_file_name(name))
        };
        let model = |bytes: &[u8]| osim::read(bytes).map(|read| read.model);
        Ok(Self {
            subject: read(&beside(SETUP, setup.model_file.as_ref(), "model_file")?, model)?,
            capture: read(&beside(SETUP, setup.marker_file.as_ref(), "marker_file")?, trc::read)?.capture,
            plates: read(&beside(LOADS, loads.data_file.as_ref(), "datafile")?, sto::read)?.table,
            muscled: read(&folder.join(MUSCLES), model)?,
            folder: folder.to_owned(),
            setup,
            loads,
        })
    }

    /// The walk, ready to be measured.
    pub fn chain(&self) -> Result<Chain<'_>, Failure> {
        let at = |file: &str| self.folder.join(file).display().to_string();
        let bones = System::new(&self.subject).map_err(|error| Failure::told(at(SETUP), &error))?;
        let wrong = |file: &'static str| move |error: FileError| Failure::file(&at(file), &error);
        let mut tracking = self.setup.bind(&self.subject, &bones, &self.capture.markers).map_err(wrong(SETUP))?;
        let (angles, _) = tracking.track(&bones, &self.capture, None).map_err(wrong(SETUP))?;
        let trajectory = Trajectory::new(&bones, &angles, Some(LowPass::default()))
            .map_err(|error| Failure::told(at(SETUP), &error))?;
        let loads = self.loads.bind(&bones, &self.plates).map_err(wrong(LOADS))?;
        let told = |error: &dyn std::error::Error| Failure::told(at(MUSCLES), error);
        let system = System::new(&self.muscled).map_err(|error| told(&error))?;
        if system.coordinates != bones.coordinates {
            return Err(Failure::input(at(MUSCLES), "its coordinates are not those of the subject")
                .cure("give gait2354 and gait2392 as OpenSim distributes them"));
        }
        let paths = Paths::new(&self.muscled, &system).map_err(|error| told(&error))?;
        // what holds the pelvis is the ground, not a muscle
        let flesh = Flesh::new(self.muscled.clone(), system, paths, |name| name.starts_with("pelvis"))
            .map_err(|error| told(&error))?;
        let targets = targets(&tracking, &self.capture, &angles.times);
        let name = "gait2354's subject, muscles of gait2392";
        Ok(Chain::new(name, (bones, tracking.ik), (angles.times, targets), (trajectory, loads), flesh))
    }
}

/// Where the solver's markers were at some of a recording's times.
fn targets(tracking: &Tracking, capture: &Capture, times: &[f64]) -> Vec<DVec3> {
    let first = capture.times.partition_point(|time| *time < times[0]);
    let frames = (first..first + times.len()).map(|frame| capture.frame(frame));
    frames.flat_map(|seen| tracking.columns.iter().map(|&column| seen[column])).collect()
}

fn read<T>(file: &Path, parse: impl Fn(&[u8]) -> Result<T, FileError>) -> Result<T, Failure> {
    let bytes = std::fs::read(file).map_err(|error| {
        Failure::io(file, "it cannot be read", &error)
            .cure("name the folder of OpenSim's gait2354 and gait2392 with --data")
    })?;
    parse(&bytes).map_err(|error| Failure::file(&file.display().to_string(), &error))
}
