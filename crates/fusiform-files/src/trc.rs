//! `.trc`, tracks of markers as Motion Analysis wrote them and `OpenSim` reads them.
//!
//! ```text
//! PathFileType  4  (X/Y/Z)  walk.trc
//! DataRate  CameraRate  NumFrames  NumMarkers  Units  ...
//! 60        60          2          1           mm     ...
//! Frame#  Time  heel
//!               X1  Y1  Z1
//!
//! 1       0.0   1.5 2.5 3.5
//! ```
//!
//! Rows are parted by tabs, and a marker that was not seen has empty cells; at the end of a row these may be left out.

#[cfg(test)]
mod tests;

use crate::recording::{drop_zeros, metres_in};
use crate::text::{self, Line, quoted};
use crate::{FileError, Recording};
use fusiform_motion::capture::Capture;
use glam::DVec3;

/// How far, as a share, the rows' own times may be off the announced rate.
const RATE_TOLERANCE: f64 = 0.02;

/// What the three lines above the names tell.
struct Header {
    rate: f64,
    frames: Option<usize>,
    markers: Option<usize>,
    unit: f64,
}

/// Read tracks of markers.
///
/// # Errors
/// When the file is no .trc, its unit is unknown, or a number is not one; the error names the line.
pub fn read(bytes: &[u8]) -> Result<Recording, FileError> {
    let text = text::decode(bytes);
    let lines: Vec<Line> = text::lines(&text).collect();
    let mut warnings = Vec::new();
    let header = header(&lines, &mut warnings)?;
    let mut rows = &lines[4.min(lines.len())..];
    let mut markers = names(lines.get(3), &header, &mut warnings)?;
    if let [axes, rest @ ..] = rows
        && axes.words().next().is_some_and(|word| word.parse::<f64>().is_err())
    {
        rows = rest;
        let n_axis = axes.words().count();
        if n_axis / 3 > markers.len() {
            warnings.push(format!("{} markers have no name: they get numbers", n_axis / 3 - markers.len()));
            markers.extend((markers.len()..n_axis / 3).map(|i| format!("marker {}", i + 1)));
        }
    }
    text::distinct(&mut markers, "markers", &mut warnings);
    let mut capture = Capture { rate: header.rate, markers, ..Capture::default() };
    for row in rows {
        read_row(*row, header.unit, &mut capture)?;
    }
    let found = rows.len();
    if let Some(frames) = header.frames.filter(|frames| *frames != found) {
        warnings.push(format!("NumFrames is {frames} and {found} rows are there: those are used"));
    }
    check_rate(&mut capture, &mut warnings);
    drop_zeros(&mut capture, &mut warnings);
    Ok(Recording { capture, warnings })
}

fn header(lines: &[Line], warnings: &mut Vec<String>) -> Result<Header, FileError> {
    let first = lines.first().copied().unwrap_or(Line { text: "", number: 1 });
    if !first.text.trim_start().starts_with("PathFileType") {
        let error = first.error(format!("the file begins with {:?}", quoted(first.text)));
        return Err(error.cure("give a .trc file: its first word is PathFileType"));
    }
    let (Some(keys), Some(values)) = (lines.get(1), lines.get(2)) else {
        let error = first.error("nothing follows: rate, count and unit are missing");
        return Err(error.cure("copy or download the file again: its end is missing"));
    };
    let value = |key: &str| {
        let mut pairs = keys.words().zip(values.words());
        pairs.find(|(own, _)| own.eq_ignore_ascii_case(key)).map(|(_, value)| value)
    };
    let number = |key: &str| value(key).map(|cell| values.number(key, cell)).transpose();
    let count = |key: &str| Ok::<_, FileError>(number(key)?.filter(|n| *n >= 0.0).map(|n| n as usize));
    let unit = match value("Units") {
        None => {
            warnings.push("there are no Units: lengths are taken as millimetres".into());
            0.001
        }
        Some(unit) => metres_in(unit).ok_or_else(|| {
            let error = values.error(format!("the unit {:?} is none that is known", quoted(unit)));
            error.cure("write mm, cm, m, in or ft under Units")
        })?,
    };
    let rate = number("DataRate")?.filter(|rate| *rate > 0.0).unwrap_or(0.0);
    Ok(Header { rate, frames: count("NumFrames")?, markers: count("NumMarkers")?, unit })
}

/// Whatever stands after Frame# and Time. Writers differ in how many tabs they put between names.
fn names(line: Option<&Line>, header: &Header, warnings: &mut Vec<String>) -> Result<Vec<String>, FileError> {
    let line = line.ok_or_else(|| {
        let error = FileError::new("after line 3", "there is no line of marker names");
        error.cure("copy or download the file again: its end is missing")
    })?;
    if !line.text.trim_start().to_ascii_lowercase().starts_with("frame") {
        let error = line.error(format!("{:?} is not the line of marker names", quoted(line.text)));
        return Err(error.cure("begin the line with Frame# and Time"));
    }
    let between_tabs = line.text.trim_start().contains('\t');
    let cells: Vec<&str> = if between_tabs { line.cells().collect() } else { line.words().collect() };
    let names: Vec<String> = cells.into_iter().filter(|cell| !cell.is_empty()).skip(2).map(str::to_owned).collect();
    if let Some(announced) = header.markers.filter(|announced| *announced != names.len()) {
        warnings.push(format!("NumMarkers is {announced} and {} markers are named: those are used", names.len()));
    }
    Ok(names)
}

fn read_row(row: Line, unit: f64, capture: &mut Capture) -> Result<(), FileError> {
    let n_marker = capture.markers.len();
    let wanted = 2 + 3 * n_marker;
    let mut cells: Vec<&str> = row.words().take(wanted + 1).collect();
    if cells.len() != wanted && row.text.contains('\t') {
        cells = row.cells().take(wanted + 1).collect();
    } else if cells.len() != wanted {
        let error = row.error(format!("the row has {} numbers instead of {wanted}", row.words().count()));
        return Err(error.cure("part cells by tabs, so that those of markers not seen can be empty"));
    }
    if cells.len() > wanted {
        let error = row.error(format!("the row has more than {wanted} cells: those of {n_marker} markers"));
        return Err(error.cure("name every marker in line 4, or take the cells off that have no name"));
    }
    let before = capture.times.last().copied();
    let time = match cells.get(1).copied().unwrap_or("") {
        "" if capture.rate > 0.0 => before.map_or(0.0, |before| before + 1.0 / capture.rate),
        cell => row.time(cell, before)?,
    };
    capture.times.push(time);
    for marker in 0..n_marker {
        let mut position = DVec3::NAN;
        for axis in 0..3 {
            let cell = cells.get(2 + 3 * marker + axis).copied().unwrap_or("");
            position[axis] = row.number(&capture.markers[marker], cell)? * unit;
        }
        capture.positions.push(if position.is_finite() { position } else { DVec3::NAN });
    }
    Ok(())
}

/// The times of the rows count; a rate that they do not have is replaced.
fn check_rate(capture: &mut Capture, warnings: &mut Vec<String>) {
    let (Some(first), Some(last)) = (capture.times.first(), capture.times.last()) else { return };
    let own = (capture.times.len() - 1) as f64 / (last - first);
    if !own.is_finite() || own <= 0.0 || (own / capture.rate - 1.0).abs() < RATE_TOLERANCE {
        return;
    }
    if capture.rate > 0.0 {
        let announced = capture.rate;
        warnings.push(format!("DataRate is {announced}, but there are {own:.3} rows in a second: that is used"));
    }
    capture.rate = own;
}
