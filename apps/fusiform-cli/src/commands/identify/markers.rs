//! `--markers`: places over time from a .trc, .c3d or .csv file.

use crate::failure::Failure;
use fusiform_files::{c3d, csv, trc};
use fusiform_motion::capture::Capture;
use fusiform_motion::table::Table;
use glam::DVec3;
use std::path::Path;

/// Markers that are farther than this from the origin, most of them, are not in metres but in millimetres.
const METRES: f64 = 10.0;

/// Markers in metres, y up where the file says what is up.
pub fn read(path: &Path, warnings: &mut Vec<String>) -> Result<Capture, Failure> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, "the markers cannot be read", &error))?;
    let refused = |error| Failure::file(&file, &error);
    let mut capture = match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
        "trc" => trc::read(&bytes).map(|read| (read.capture, read.warnings)).map_err(refused)?,
        "c3d" => c3d::read(&bytes).map(|read| (read.capture, read.warnings)).map_err(refused)?,
        "csv" => {
            let read = csv::read(&bytes, None).map_err(refused)?;
            let (capture, in_millimetres) = from_table(&read.table).ok_or_else(|| {
                Failure::input(&file, "no three of its columns are a marker's x, y and z")
                    .cure("name the columns time, NAME.x, NAME.y, NAME.z")
            })?;
            let unit = in_millimetres.then(|| format!("{file} is taken to be in millimetres"));
            (capture, read.warnings.into_iter().chain(unit).collect())
        }
        _ => {
            return Err(Failure::input(file, "markers are read from .trc, .c3d and .csv files")
                .cure("convert it to one of them"));
        }
    };
    warnings.append(&mut capture.1);
    capture.0.stand_on_y();
    Ok(capture.0)
}

/// The markers of a table, and whether they were in millimetres; nothing where there is none.
fn from_table(table: &Table) -> Option<(Capture, bool)> {
    let axis = |name: &str, letter: char| -> Option<String> {
        let stem = name.strip_suffix([letter, letter.to_ascii_uppercase()])?;
        let stem = stem.strip_suffix(['.', '_', ' ', ':'])?;
        (!stem.is_empty()).then(|| stem.to_owned())
    };
    let column =
        |stem: &str, letter: char| table.names.iter().position(|name| axis(name, letter).as_deref() == Some(stem));
    let stems = table.names.iter().filter_map(|name| axis(name, 'x'));
    let markers: Vec<(String, [usize; 3])> = stems
        .filter_map(|stem| {
            let columns = [column(&stem, 'x')?, column(&stem, 'y')?, column(&stem, 'z')?];
            Some((stem, columns))
        })
        .collect();
    if markers.is_empty() {
        return None;
    }
    let place = |row: &[f64], columns: &[usize; 3]| DVec3::from_array(columns.map(|c| row[c]));
    let rows = (0..table.times.len()).map(|i| table.row(i));
    let mut positions: Vec<DVec3> = rows.flat_map(|row| markers.iter().map(move |(_, c)| place(row, c))).collect();
    // a place that lacks one of its numbers was not seen
    positions.iter_mut().filter(|p| !p.is_finite()).for_each(|p| *p = DVec3::NAN);
    let seen = positions.iter().filter(|p| p.is_finite());
    let (far, near): (Vec<&DVec3>, Vec<&DVec3>) = seen.partition(|p| p.abs().max_element() > METRES);
    let in_millimetres = far.len() > near.len();
    if in_millimetres {
        positions.iter_mut().for_each(|p| *p *= 1e-3);
    }
    let markers = markers.into_iter().map(|(name, _)| name).collect();
    Some((Capture { times: table.times.clone(), markers, positions, ..Capture::default() }, in_millimetres))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers(text: &str) -> (Capture, bool) {
        from_table(&csv::read(text.as_bytes(), None).unwrap().table).unwrap()
    }

    #[test]
    fn columns_become_markers_however_their_axes_are_written() {
        for head in ["time,a.x,a.y,a.z,emg", "time,a_X,a_Y,a_Z,emg", "a z,emg,time,a y,a x"] {
            let row = if head.starts_with('t') { "0,1,2,3,9" } else { "3,9,0,2,1" };
            let (capture, in_millimetres) = markers(&format!("{head}\n{row}\n"));
            assert_eq!((&capture.markers[..], capture.frame(0)[0]), (&["a".to_owned()][..], DVec3::new(1.0, 2.0, 3.0)));
            assert!(!in_millimetres);
        }
    }

    #[test]
    fn millimetres_are_told_by_their_size_and_what_is_missing_was_not_seen() {
        let (capture, in_millimetres) = markers("time,a.x,a.y,a.z\n0,100,1500,20\n0.1,100,,20\n");
        assert!(in_millimetres && (capture.frame(0)[0] - DVec3::new(0.1, 1.5, 0.02)).length() < 1e-12);
        assert!(capture.frame(1)[0].is_nan());
        let (_, in_millimetres) = markers("time,a.x,a.y,a.z\n0,0.1,1.5,0\n0.1,0.1,1.5,0\n0.2,99,1.5,0\n");
        assert!(!in_millimetres, "one sighting that is off is no unit");
    }

    #[test]
    fn a_table_without_places_has_no_markers() {
        assert!(from_table(&csv::read(b"time,a.x,a.y,x\n0,1,2,3\n", None).unwrap().table).is_none());
    }
}
