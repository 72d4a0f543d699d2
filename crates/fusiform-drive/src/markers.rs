//! Markers: a capture to the coordinates of a model that has the same markers.

use crate::laboratory::listed;
use fusiform_motion::capture::Capture;
use fusiform_motion::ik::Ik;
use fusiform_motion::model::{Marker, Model};
use fusiform_motion::system::{ModelError, Posture, System};
use fusiform_motion::table::Table;
use glam::DVec3;
use std::f64::consts::TAU;

/// m: a marker that is off by more than this on the whole is named.
const FAR: f64 = 0.05;
/// Times: markers that lie so much farther apart than the model's, or so much nearer, are those of no such person.
const OTHER_SIZE: f64 = 5.0;

/// A capture that was explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    /// Radians and metres; one column for every coordinate of the model.
    pub coordinates: Table,
    /// How far each marker was from where the model has it, of those that both have.
    pub residuals: Vec<Residual>,
    /// What is missing on either side, and what fits badly.
    pub warnings: Vec<String>,
}

/// How well one marker was explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// Its name.
    pub marker: String,
    /// m: root of the mean square over the frames that see it.
    pub rms: f64,
    /// m.
    pub worst: f64,
}

impl Tracked {
    /// m: root of the mean square over all markers.
    #[must_use]
    pub fn rms(&self) -> f64 {
        let squares: f64 = self.residuals.iter().map(|of| of.rms * of.rms).sum();
        (squares / self.residuals.len().max(1) as f64).sqrt()
    }
}

/// Why a capture cannot be explained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkersError {
    /// The model does not run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Nothing to look for.
    #[error("the model has no markers; give it the set of markers that the laboratory used")]
    NoMarkers,
    /// Nothing was recorded.
    #[error("the capture has no frame; choose a recording of a motion")]
    NoFrames,
    /// Nothing was seen.
    #[error("no frame sees any of the model's markers; choose a recording in which their places are filled in")]
    NothingSeen,
    /// Another unit, most likely.
    #[error(
        "its markers lie {0:.3} times as far apart as the model's; mend the unit of its lengths, or scale the model"
    )]
    OtherSize(f64),
    /// Too few in common.
    #[error(
        "{common} of the model's {of} markers are in the capture, too few for its {coordinates} coordinates: it lacks {missing}, its own are {others}; rename markers in the capture or in the model until they are the same"
    )]
    TooFew {
        /// Markers that both have.
        common: usize,
        /// Markers of the model.
        of: usize,
        /// Coordinates that are to be found.
        coordinates: usize,
        /// Names of the model that the capture lacks.
        missing: String,
        /// Names of the capture that the model lacks.
        others: String,
    },
}

/// The coordinates that bring the model's markers nearest to the captured ones, frame by frame; `weight` says how much a
/// marker counts, 1 for all where nothing is known, 0 for not at all. A capture that stands on another axis is turned upright.
///
/// # Errors
/// When the model does not run or has no markers, or the two share too few to tell the model's coordinates.
pub fn markers_to_coordinates(
    model: &Model,
    capture: &Capture,
    weight: impl Fn(&str) -> f64,
) -> Result<Tracked, MarkersError> {
    let system = System::new(model)?;
    if model.markers.is_empty() {
        return Err(MarkersError::NoMarkers);
    }
    if capture.times.is_empty() {
        return Err(MarkersError::NoFrames);
    }
    let turned = capture.up.filter(|up| up.distance(DVec3::Y) > 1e-6).map(|_| {
        let mut turned = capture.clone();
        turned.stand_on_y();
        turned
    });
    let capture = turned.as_ref().unwrap_or(capture);
    let seen = |marker: &&Marker| capture.marker(&marker.name).is_some();
    let common: Vec<Marker> = model.markers.iter().filter(seen).cloned().collect();
    let rows: Vec<usize> = common.iter().filter_map(|marker| capture.marker(&marker.name)).collect();
    let missing = listed(model.markers.iter().filter(|marker| !seen(marker)).map(|marker| &marker.name));
    let unknown = |name: &&String| model.markers.iter().all(|marker| marker.name != **name);
    let others = listed(capture.markers.iter().filter(unknown));
    let free = system.free.iter().filter(|free| **free).count();
    if common.len() * 3 < free || common.is_empty() {
        let (common, of) = (common.len(), model.markers.len());
        return Err(MarkersError::TooFew { common, of, coordinates: free, missing, others });
    }

    let mut ik = Ik::new(&system, &common)?;
    common.iter().enumerate().for_each(|(i, marker)| ik.weigh(i, weight(&marker.name)));
    let targets: Vec<DVec3> =
        (0..capture.times.len()).flat_map(|i| rows.iter().map(move |&row| capture.frame(i)[row])).collect();
    let size = other_size(&system, &common, &targets).ok_or(MarkersError::NothingSeen)?;
    if !(1.0 / OTHER_SIZE..=OTHER_SIZE).contains(&size) {
        return Err(MarkersError::OtherSize(size));
    }
    let (mut coordinates, solved) = ik.track(&system, &capture.times, &targets);
    let residuals = residuals(&system, &common, &coordinates, &targets);

    let mut warnings = Vec::new();
    let seen: Vec<bool> = solved.iter().map(|frame| frame.n_seen > 0).collect();
    if let Some(first) = seen.iter().position(|seen| !seen) {
        let (lost, time) = (seen.iter().filter(|seen| !**seen).count(), capture.times[first]);
        warnings.push(format!(
            "{lost} frames see no marker, the first at {time:.3} s: coordinates go straight from one side to the other"
        ));
        bridge(model, &mut coordinates, &seen);
    }
    if common.len() < model.markers.len() {
        warnings.push(format!("the capture lacks {missing} of the model's markers: the others tell the motion"));
    }
    if common.len() < capture.markers.len() {
        warnings.push(format!("the model lacks {others} of the capture's markers: not used"));
    }
    let far: Vec<String> = residuals
        .iter()
        .filter(|of| of.rms > FAR && weight(&of.marker) > 0.0)
        .map(|of| format!("{} ({:.0} mm)", of.marker, 1e3 * of.rms))
        .collect();
    if !far.is_empty() {
        warnings.push(format!("far from where the model has them: {}; scale the model to the person", far.join(", ")));
    }
    Ok(Tracked { coordinates, residuals, warnings })
}

/// How many times as far apart the captured markers lie as the model's in its default posture: the median over frames.
fn other_size(system: &System, markers: &[Marker], targets: &[DVec3]) -> Option<f64> {
    let mut posture = Posture::default();
    system.pose(&system.default, &mut posture);
    let at = |marker: &Marker| posture.frames[system.body(&marker.body).unwrap_or(0)].transform_point3(marker.location);
    let own: Vec<DVec3> = markers.iter().map(at).collect();
    let spread = |places: &[DVec3]| {
        let middle = places.iter().sum::<DVec3>() / places.len() as f64;
        places.iter().map(|place| place.distance(middle)).sum::<f64>()
    };
    let of_frame = |seen: &[DVec3]| {
        let both = seen.iter().zip(&own).filter(|(seen, _)| seen.is_finite()).map(|(seen, own)| (*seen, *own));
        let (seen, own): (Vec<DVec3>, Vec<DVec3>) = both.unzip();
        if seen.is_empty() {
            return None;
        }
        // one marker alone, or several in one place, say nothing of size
        let (seen, own) = (spread(&seen), spread(&own));
        Some(if own > 0.0 { seen / own } else { 1.0 })
    };
    let mut sizes: Vec<f64> = targets.chunks_exact(markers.len()).filter_map(of_frame).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// Rows of frames that saw nothing: on the way from the last that did to the next, angles by the shorter way round.
fn bridge(model: &Model, coordinates: &mut Table, seen: &[bool]) {
    let n = coordinates.names.len();
    let is_angle = |name: &String| model.coordinates.iter().any(|of| of.is_angle && of.name == *name);
    let angles: Vec<bool> = coordinates.names.iter().map(is_angle).collect();
    for row in (0..seen.len()).filter(|&row| !seen[row]) {
        let (before, after) = (seen[..row].iter().rposition(|seen| *seen), seen[row..].iter().position(|seen| *seen));
        let after = after.map(|rows| row + rows);
        let (Some(before), Some(after)) = (before.or(after), after.or(before)) else { return };
        let lasts = coordinates.times[after] - coordinates.times[before];
        let share = if lasts > 0.0 { (coordinates.times[row] - coordinates.times[before]) / lasts } else { 0.0 };
        for c in 0..n {
            let from = coordinates.values[before * n + c];
            let mut way = coordinates.values[after * n + c] - from;
            if angles[c] {
                way -= TAU * (way / TAU).round();
            }
            coordinates.values[row * n + c] = from + share * way;
        }
    }
}

/// How far each marker is from where it was seen.
fn residuals(system: &System, markers: &[Marker], coordinates: &Table, targets: &[DVec3]) -> Vec<Residual> {
    let n = markers.len();
    let bodies: Vec<usize> = markers.iter().map(|marker| system.body(&marker.body).unwrap_or(0)).collect();
    let (mut squares, mut counts, mut worst) = (vec![0.0; n], vec![0.0_f64; n], vec![0.0_f64; n]);
    let mut posture = Posture::default();
    for (i, seen) in targets.chunks_exact(n).enumerate().take(coordinates.times.len()) {
        system.pose(coordinates.row(i), &mut posture);
        for (m, target) in seen.iter().enumerate().filter(|(_, target)| target.is_finite()) {
            let off = posture.frames[bodies[m]].transform_point3(markers[m].location).distance(*target);
            squares[m] += off * off;
            counts[m] += 1.0;
            worst[m] = worst[m].max(off);
        }
    }
    let of = |m: usize| Residual {
        marker: markers[m].name.clone(),
        rms: (squares[m] / counts[m].max(1.0)).sqrt(),
        worst: worst[m],
    };
    (0..n).map(of).collect()
}
