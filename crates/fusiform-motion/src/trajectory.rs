//! Coordinates as smooth functions of time: filtered, then splined, so that speeds and accelerations exist.
//!
//! ```text
//! rows ─> continued by half their number at either end ─> even steps ─> low-pass both ways ─> quintic through them
//! ```
//!
//! The order of steps, and a third-order filter by default, are those of OpenSim's inverse dynamics, so that torques compare.

use crate::filter::{Filter, FilterError, pad};
use crate::function::Jet;
use crate::spline::{Knots, Quintic};
use crate::system::System;
use crate::table::Table;

/// How much of the noise to take away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowPass {
    /// Of one of the two passes.
    pub order: usize,
    /// Hz: where one pass halves the power, and both quarter it; [`crate::filter::both_ways`] for the other convention.
    pub cutoff: f64,
}

impl Default for LowPass {
    fn default() -> Self {
        Self { order: 3, cutoff: 6.0 }
    }
}

/// A table that is no motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrajectoryError {
    /// No rows, or out of order.
    #[error("times must be numbers that ascend, one at least; row {0} does not")]
    Times(usize),
    /// A gap.
    #[error("column \"{column}\" has no number in row {row}; fill the gap first")]
    Value {
        /// Its name.
        column: String,
        /// From 0.
        row: usize,
    },
    /// Nothing to do with the model.
    #[error("no column is a coordinate of the model; its first is \"{0}\"")]
    Names(String),
    /// A filter that cannot be.
    #[error(transparent)]
    Filter(#[from] FilterError),
}

/// A motion: every coordinate a smooth function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    of_coordinate: Vec<Option<Quintic>>,
    default: Box<[f64]>,
}

impl Trajectory {
    /// From rows of coordinates, radians and metres. Columns that are no coordinates are skipped; coordinates without a column
    /// stay at their default.
    pub fn new(system: &System, table: &Table, low_pass: Option<LowPass>) -> Result<Self, TrajectoryError> {
        check(system, table)?;
        let even = low_pass.map(|low_pass| Even::new(&table.times, low_pass)).transpose()?.flatten();
        let times = even.as_ref().map_or(&table.times[..], |even| &even.times);
        let knots = Knots::new(times).ok_or(TrajectoryError::Times(0))?;
        let fit = |name: &String| {
            let column = table.column(name)?;
            let values: Vec<f64> = (0..table.times.len()).map(|i| table.row(i)[column]).collect();
            Some(knots.through(&even.as_ref().map_or_else(|| values.clone(), |even| even.filtered(&values))))
        };
        Ok(Self { of_coordinate: system.coordinates.iter().map(fit).collect(), default: system.default.clone() })
    }

    /// Value, speed and acceleration of a coordinate.
    #[must_use]
    pub fn jet(&self, coordinate: usize, time: f64) -> Jet {
        match &self.of_coordinate[coordinate] {
            Some(spline) => spline.at(time),
            None => Jet { value: self.default[coordinate], ..Jet::default() },
        }
    }

    /// Values, speeds and accelerations of all.
    pub fn at(&self, time: f64, [q, speed, acceleration]: [&mut [f64]; 3]) {
        for c in 0..self.of_coordinate.len() {
            let jet = self.jet(c, time);
            (q[c], speed[c], acceleration[c]) = (jet.value, jet.first, jet.second);
        }
    }
}

fn check(system: &System, table: &Table) -> Result<(), TrajectoryError> {
    let late = |i: usize| !table.times[i].is_finite() || (i > 0 && table.times[i] <= table.times[i - 1]);
    if let Some(row) = (0..table.times.len().max(1)).find(|&i| i >= table.times.len() || late(i)) {
        return Err(TrajectoryError::Times(row));
    }
    let mut known = table.names.iter().enumerate().filter(|(_, name)| system.coordinate(name).is_some()).peekable();
    if known.peek().is_none() {
        return Err(TrajectoryError::Names(table.names.first().cloned().unwrap_or_default()));
    }
    for (column, name) in known {
        if let Some(row) = (0..table.times.len()).find(|&i| !table.row(i)[column].is_finite()) {
            return Err(TrajectoryError::Value { column: name.clone(), row });
        }
    }
    Ok(())
}

/// Continued times in even steps, and the filter that suits them.
struct Even {
    padding: usize,
    padded: Knots,
    times: Vec<f64>,
    filter: Filter,
    /// Whether the rows were even before.
    were: bool,
}

impl Even {
    /// None for fewer than three rows, which leave nothing to filter.
    fn new(times: &[f64], LowPass { order, cutoff }: LowPass) -> Result<Option<Self>, TrajectoryError> {
        if times.len() < 3 {
            return Ok(None);
        }
        let padding = times.len() / 2;
        let mut padded = Vec::new();
        pad(times, padding, &mut padded);
        let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
        let (least, most) = steps.fold((f64::INFINITY, 0.0_f64), |(a, b), step| (a.min(step), b.max(step)));
        let were = most - least < 1e-6 * most;
        let (begin, end) = (padded[0], padded[padded.len() - 1]);
        let n_step = ((end - begin) / least + 1e-9) as usize;
        let even = (0..=n_step).map(|i| begin + i as f64 * least).collect();
        Ok(Some(Self {
            padding,
            filter: Filter::low_pass(order, cutoff, 1.0 / least)?,
            times: if were { padded.clone() } else { even },
            padded: Knots::new(&padded).ok_or(TrajectoryError::Times(0))?,
            were,
        }))
    }

    fn filtered(&self, values: &[f64]) -> Vec<f64> {
        let mut padded = Vec::new();
        pad(values, self.padding, &mut padded);
        if !self.were {
            let spline = self.padded.through(&padded);
            padded = self.times.iter().map(|&t| spline.at(t).value).collect();
        }
        self.filter.zero_phase(&mut padded, 0, &mut Vec::new());
        padded
    }
}
