//! Inverse dynamics of a whole trial: rows of coordinates and measured loads in, rows of generalised forces out.

use crate::rnea::{Rnea, Wrench};
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
    let n = system.n_coordinate();
    let (mut q, mut speed, mut acceleration) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut row = vec![0.0; loads.iter().map(|load| load.table.names.len()).max().unwrap_or(0)];
    let mut wrenches = vec![Wrench::default(); loads.len()];
    let (mut posture, mut rnea) = (Posture::default(), Rnea::new(system));
    let mut values = vec![0.0; times.len() * n];
    for (&time, out) in times.iter().zip(values.chunks_exact_mut(n.max(1))) {
        trajectory.at(time, [&mut q, &mut speed, &mut acceleration]);
        system.pose(&q, &mut posture);
        for (wrench, load) in wrenches.iter_mut().zip(loads) {
            *wrench = load.at(time, &mut row[..load.table.names.len()]);
        }
        rnea.solve(system, &posture, [&speed, &acceleration], &wrenches, out);
    }
    Table { names: system.coordinates.to_vec(), times: times.to_vec(), values }
}
