//! What readers of marker files have in common.

use crate::text;
use fusiform_motion::capture::Capture;
use glam::DVec3;

/// A recording, and what was mended while reading it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What was measured.
    pub capture: Capture,
    /// What was mended, and what could not be read.
    pub warnings: Vec<String>,
}

/// Metres in a unit of length; none for what is no such unit.
pub(crate) fn metres_in(unit: &str) -> Option<f64> {
    match unit.trim().to_ascii_lowercase().as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => Some(1.0),
        "dm" => Some(0.1),
        "cm" | "centimeters" | "centimetres" => Some(0.01),
        "mm" | "millimeters" | "millimetres" => Some(0.001),
        "in" | "inch" | "inches" => Some(0.0254),
        "ft" | "feet" => Some(0.3048),
        _ => None,
    }
}

/// Markers that stand at exactly 0 0 0 in some frames and elsewhere in others were not seen in those: some programs write
/// that, and no measured number is so round.
pub(crate) fn drop_zeros(capture: &mut Capture, warnings: &mut Vec<String>) {
    let n_marker = capture.markers.len();
    for (marker, name) in capture.markers.iter().enumerate() {
        let of_marker = || capture.positions.iter().skip(marker).step_by(n_marker);
        let zeros = of_marker().filter(|p| **p == DVec3::ZERO).count();
        if zeros == 0 || of_marker().all(|p| *p == DVec3::ZERO || p.is_nan()) {
            continue;
        }
        warnings.push(format!(
            "marker {:?} is at exactly 0 0 0 in {zeros} frames: it counts as not seen there",
            text::quoted(name)
        ));
        let own = capture.positions.iter_mut().skip(marker).step_by(n_marker);
        own.filter(|p| **p == DVec3::ZERO).for_each(|p| *p = DVec3::NAN);
    }
}
