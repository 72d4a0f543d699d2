//! Inverse dynamics of a whole trial: rows of coordinates and measured loads in, rows of generalised forces out.

use crate::contact::Contacts;
use crate::rnea::{Rnea, Wrench};
use crate::spatial::Effort;
use crate::system::{Posture, System};
use crate::table::Table;
use crate::trajectory::{LowPass, Trajectory, TrajectoryError};
use glam::DVec3;

/// A load on a body as measured over time: columns of a table, all in ground's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<'a> {
    /// Which body it acts on.
    pub body: usize,
    /// Where its columns are.
    pub table: &'a Table,
    /// N.
    pub force: [usize; 3],
    /// m.
    pub point: [usize; 3],
    /// N m, besides the force's own; none where the plate gives none.
    pub torque: Option<[usize; 3]>,
}

impl Load<'_> {
    /// What it is at a time: straight between rows; nothing where there is no number. `row` has room for the table's columns.
    #[must_use]
    pub fn at(&self, time: f64, row: &mut [f64]) -> Wrench {
        self.table.at(time, row);
        // plates give no center of pressure while nothing presses on them
        let pick = |of: [usize; 3]| Some(DVec3::from_array(of.map(|c| row[c]))).filter(|v| v.is_finite());
        Wrench {
            body: self.body,
            force: pick(self.force).unwrap_or_default(),
            point: pick(self.point).unwrap_or_default(),
            torque: self.torque.and_then(pick).unwrap_or_default(),
        }
    }
}

/// The generalised forces of a trial at its own times: filter, differentiate, solve.
pub fn inverse_dynamics(
    system: &System,
    coordinates: &Table,
    loads: &[Load<'_>],
    low_pass: Option<LowPass>,
) -> Result<Table, TrajectoryError> {
    let trajectory = Trajectory::new(system, coordinates, low_pass)?;
    Ok(generalised_forces(system, &trajectory, loads, &coordinates.times))
}

/// The generalised forces, N m and N, that a motion needs at some times, one column per coordinate.
#[must_use]
pub fn generalised_forces(system: &System, trajectory: &Trajectory, loads: &[Load<'_>], times: &[f64]) -> Table {
    let mut row = vec![0.0; loads.iter().map(|load| load.table.names.len()).max().unwrap_or(0)];
    let mut wrenches = vec![Wrench::default(); loads.len()];
    let mut frame = Frame::new(system, times);
    for (i, &time) in times.iter().enumerate() {
        frame.pose(system, trajectory, time);
        for (wrench, load) in wrenches.iter_mut().zip(loads) {
            *wrench = load.at(time, &mut row[..load.table.names.len()]);
        }
        frame.solve(system, &wrenches, i);
    }
    frame.into_table(system, times)
}

/// A trial without force plates.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimated {
    /// Generalised forces, one column per coordinate.
    pub forces: Table,
    /// What soles were given: force, point and torque of each, nine columns a sole, as [`Load`] reads them.
    pub reactions: Table,
    /// n_row: what no sole could give, about ground's origin.
    pub left: Vec<Effort>,
}

/// The generalised forces of a motion whose ground reactions nobody measured.
#[must_use]
pub fn without_plates(system: &System, trajectory: &Trajectory, contacts: &mut Contacts, times: &[f64]) -> Estimated {
    let mut frame = Frame::new(system, times);
    let (mut left, mut values) = (Vec::with_capacity(times.len()), Vec::new());
    for (i, &time) in times.iter().enumerate() {
        frame.pose(system, trajectory, time);
        frame.solve(system, &[], i);
        left.push(contacts.share(&frame.posture, &frame.rnea));
        frame.solve(system, contacts.wrenches(), i);
        values.extend(contacts.wrenches().iter().flat_map(|w| [w.force, w.point, w.torque]).flat_map(|v| v.to_array()));
    }
    let part = |body: usize| {
        let of = |what: &str, axis: &str| format!("{}_ground_{what}{axis}", system.names[body]);
        ["force_v", "force_p", "torque_"].map(|what| ["x", "y", "z"].map(|axis| of(what, axis))).into_iter().flatten()
    };
    let names = contacts.wrenches().iter().flat_map(|wrench| part(wrench.body)).collect();
    let reactions = Table { names, times: times.to_vec(), values };
    Estimated { forces: frame.into_table(system, times), reactions, left }
}

/// Room for frames, and the rows they fill.
struct Frame {
    q: Vec<f64>,
    speed: Vec<f64>,
    acceleration: Vec<f64>,
    posture: Posture,
    rnea: Rnea,
    values: Vec<f64>,
}

impl Frame {
    fn new(system: &System, times: &[f64]) -> Self {
        let zeros = || vec![0.0; system.n_coordinate()];
        Self {
            q: zeros(),
            speed: zeros(),
            acceleration: zeros(),
            posture: Posture::default(),
            rnea: Rnea::new(system),
            values: vec![0.0; times.len() * system.n_coordinate()],
        }
    }

    fn pose(&mut self, system: &System, trajectory: &Trajectory, time: f64) {
        trajectory.at(time, [&mut self.q, &mut self.speed, &mut self.acceleration]);
        system.pose(&self.q, &mut self.posture);
    }

    fn solve(&mut self, system: &System, wrenches: &[Wrench], row: usize) {
        let n = system.n_coordinate();
        let out = &mut self.values[row * n..(row + 1) * n];
        self.rnea.solve(system, &self.posture, [&self.speed, &self.acceleration], wrenches, out);
    }

    fn into_table(self, system: &System, times: &[f64]) -> Table {
        Table { names: system.coordinates.to_vec(), times: times.to_vec(), values: self.values }
    }
}
