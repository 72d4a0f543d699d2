//! What a laboratory measured: markers, analog channels (EMG among them), force plates.
//!
//! Lengths are metres and forces newtons, whatever the file had; directions are the laboratory's own, and [`Capture::up`]
//! says which of them is up where the file does.

use crate::table::Table;
use glam::{DMat3, DQuat, DVec3};

/// One recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// Frames a second; 0 when there is one frame only and the file does not say.
    pub rate: f64,
    /// n_frame, s.
    pub times: Vec<f64>,
    /// Names, every one of them once.
    pub markers: Vec<String>,
    /// n_frame x n_marker, frame after frame, m; NaN where a marker was not seen.
    pub positions: Vec<DVec3>,
    /// Which way is up in the laboratory, of length 1, where the file tells.
    pub up: Option<DVec3>,
    /// Channels sampled faster than frames.
    pub analog: Analog,
    /// Force plates of the kinds that are understood.
    pub plates: Vec<Plate>,
}

/// Channels of numbers: EMG, voltages, forces before they are put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analog {
    /// n_channel, every one of them once.
    pub names: Vec<String>,
    /// n_channel, as the file spells them.
    pub units: Vec<String>,
    /// Samples a second.
    pub rate: f64,
    /// n_sample x n_channel, sample after sample, in `units`.
    pub values: Vec<f64>,
}

/// A force plate, and what stood on it. Arrays have one entry for every analog sample; directions are the laboratory's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plate {
    /// Counted from 1, as the file lists them.
    pub number: usize,
    /// Which kind of plate, as the C3D format numbers them.
    pub kind: u32,
    /// Where it lies, m: those of the plate's own quadrants +x +y, -x +y, -x -y, +x -y.
    pub corners: [DVec3; 4],
    /// From where it measures to the centre of its surface, in the plate's own directions, m.
    pub origin: DVec3,
    /// The analog channels it was put together from.
    pub channels: Vec<usize>,
    /// N. What the plate does to the foot, in files that follow the custom: up when somebody stands on it.
    pub force: Vec<DVec3>,
    /// About the centre of the surface, N m.
    pub moment: Vec<DVec3>,
    /// Where the force acts on the surface, m; the centre when there is no force.
    pub center_of_pressure: Vec<DVec3>,
    /// What is left of the moment there, about the plate's normal, N m.
    pub free_moment: Vec<DVec3>,
}

impl Capture {
    /// Where the markers are in one frame.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn frame(&self, i: usize) -> &[DVec3] {
        let n = self.markers.len();
        &self.positions[i * n..(i + 1) * n]
    }

    /// The marker of that name.
    #[must_use]
    pub fn marker(&self, name: &str) -> Option<usize> {
        self.markers.iter().position(|own| own == name)
    }

    /// Turns the whole laboratory.
    pub fn turn(&mut self, rotation: DQuat) {
        let rotation = DMat3::from_quat(rotation);
        self.positions.iter_mut().chain(&mut self.up).for_each(|v| *v = rotation * *v);
        for plate in &mut self.plates {
            let Plate { corners, force, moment, center_of_pressure, free_moment, .. } = plate;
            let arrays = [force, moment, center_of_pressure, free_moment];
            let all = corners.iter_mut().chain(arrays.into_iter().flatten());
            all.for_each(|v| *v = rotation * *v);
        }
    }

    /// Turns the laboratory so that y is up, as `OpenSim`'s models stand, if it says what is up; z up becomes x, z, -y.
    ///
    /// Says whether it did.
    pub fn stand_on_y(&mut self) -> bool {
        let Some(up) = self.up else { return false };
        self.turn(DQuat::from_rotation_arc(up, DVec3::Y));
        self.up = Some(DVec3::Y); // without the rounding
        true
    }

    /// Time of an analog sample, s.
    #[must_use]
    pub fn analog_time(&self, sample: usize) -> f64 {
        self.times.first().copied().unwrap_or(0.0) + sample as f64 / self.analog.rate.max(f64::MIN_POSITIVE)
    }

    /// The analog channels over time, in the file's units.
    #[must_use]
    pub fn analog_table(&self) -> Table {
        let n_sample = self.analog.sample_count();
        let times = (0..n_sample).map(|i| self.analog_time(i)).collect();
        Table { names: self.analog.names.clone(), times, values: self.analog.values.clone() }
    }

    /// Forces, where they act, and free moments of every plate over time, under the names `OpenSim` uses:
    /// `ground_force_1_vx` (N), `ground_force_1_px` (m), `ground_torque_1_x` (N m).
    ///
    /// A plate bearing less than `threshold` N is empty, and all its numbers are 0: where a force acts that is but noise is
    /// noise, too.
    #[must_use]
    pub fn ground_forces(&self, threshold: f64) -> Table {
        let mut table = Table::default();
        for Plate { number, .. } in &self.plates {
            for part in ["force_#_v", "force_#_p", "torque_#_"] {
                let part = part.replace('#', &number.to_string());
                table.names.extend(["x", "y", "z"].map(|axis| format!("ground_{part}{axis}")));
            }
        }
        let n_sample = self.plates.iter().map(|plate| plate.force.len()).min().unwrap_or(0);
        for sample in 0..n_sample {
            table.times.push(self.analog_time(sample));
            for plate in &self.plates {
                let force = plate.force[sample];
                let loaded = if force.length() < threshold { 0.0 } else { 1.0 };
                let columns = [force, plate.center_of_pressure[sample], plate.free_moment[sample]];
                table.values.extend(columns.iter().flat_map(|v| (*v * loaded).to_array()));
            }
        }
        table
    }
}

impl Analog {
    /// How many samples there are.
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.values.len() / self.names.len().max(1)
    }

    /// All samples of one channel.
    ///
    /// # Panics
    /// When there is no such channel.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = f64> {
        assert!(channel < self.names.len(), "channel {channel} of {}", self.names.len());
        self.values.iter().skip(channel).step_by(self.names.len()).copied()
    }

    /// The channel of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }
}

impl Plate {
    /// Centre of its surface, m.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / 4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> Capture {
        let plate = Plate {
            number: 1,
            force: vec![DVec3::new(0.0, 0.0, 700.0), DVec3::new(0.0, 0.0, 3.0)],
            moment: vec![DVec3::X; 2],
            center_of_pressure: vec![DVec3::new(0.1, 0.2, 0.0); 2],
            free_moment: vec![DVec3::new(0.0, 0.0, 5.0); 2],
            ..Plate::default()
        };
        Capture {
            rate: 100.0,
            times: vec![0.5],
            markers: vec!["heel".into(), "toe".into()],
            positions: vec![DVec3::new(1.0, 2.0, 3.0), DVec3::NAN],
            up: Some(DVec3::Z),
            analog: Analog { names: vec!["emg".into()], units: vec!["V".into()], rate: 1000.0, values: vec![1.0, 2.0] },
            plates: vec![plate],
        }
    }

    #[test]
    fn what_stood_on_z_stands_on_y() {
        let mut capture = standing();
        assert!(capture.stand_on_y());
        assert!((capture.frame(0)[0] - DVec3::new(1.0, 3.0, -2.0)).length() < 1e-12);
        assert!(capture.frame(0)[capture.marker("toe").unwrap()].is_nan());
        assert!((capture.plates[0].force[0] - DVec3::Y * 700.0).length() < 1e-9);
        assert_eq!(capture.up, Some(DVec3::Y));
        capture.up = None;
        assert!(!capture.stand_on_y(), "nobody knows what is up");
    }

    #[test]
    fn an_empty_plate_has_neither_force_nor_place() {
        let table = standing().ground_forces(20.0);
        assert_eq!(table.names.len(), 9);
        assert_eq!(table.times, [0.5, 0.501]);
        assert_eq!(table.row(0)[table.column("ground_force_1_vz").unwrap()], 700.0);
        assert_eq!(table.row(0)[table.column("ground_force_1_py").unwrap()], 0.2);
        assert_eq!(table.row(0)[table.column("ground_torque_1_z").unwrap()], 5.0);
        assert!(table.row(1).iter().all(|value| *value == 0.0));
    }

    #[test]
    fn analog_channels_become_columns() {
        let capture = standing();
        assert_eq!(capture.analog_table().values, [1.0, 2.0]);
        assert_eq!(capture.analog.channel(0).sum::<f64>(), 3.0);
        assert_eq!(capture.analog.column("emg"), Some(0));
    }
}
