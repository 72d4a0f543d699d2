//! C3D, the binary format of motion laboratories: markers, analog channels, force plates, and parameters that tell what
//! they are.
//!
//! ```text
//! bytes --parameter--> Parameters --frames--> where frames lie --data--> positions, analog values --plate--> wrenches
//! ```
//!
//! Read as *The C3D File Format User Guide* (Motion Lab Systems, 2008) has it: blocks of 512 bytes, a header in the first,
//! parameters where its first byte says, frames where word 9 says. Numbers are those of the machine that wrote them: Intel,
//! DEC (a VAX's floats) or SGI (all of it the other way round). Where header and parameters do not agree, the size of the
//! file decides, and a warning says so. The memory used is a small multiple of the file's size, whatever the file claims.

mod data;
mod frames;
mod number;
mod parameter;
mod plate;

use crate::recording::{drop_zeros, metres_in};
use crate::text::quoted;
use crate::{FileError, Recording};
use fusiform_motion::capture::{Analog, Capture};
use glam::DVec3;
use number::Machine;
use parameter::Parameters;

/// Bytes of a block, which sections begin at multiples of.
const BLOCK: usize = 512;

/// What helps against a file that was cut or damaged.
const COPY_AGAIN: &str = "copy or download the file again, or export it again from the program that recorded it";

fn error(place: &str, message: impl Into<String>) -> FileError {
    FileError::new(place, message).cure(COPY_AGAIN)
}

/// Read a recording.
///
/// Points whose residual is negative are missing (NaN). Force plates of kinds 1 to 4 are put together; others are left out
/// with a warning, and their channels stay among the analog ones.
///
/// # Errors
/// When the file is no C3D, is cut before its first frame, or says nothing of what it holds.
pub fn read(bytes: &[u8]) -> Result<Recording, FileError> {
    let mut warnings = Vec::new();
    let (machine, section) = parameter_section(bytes, &mut warnings)?;
    let parameters = Parameters::read(section, machine, &mut warnings);
    let layout = frames::layout(bytes, machine, &parameters, &mut warnings)?;
    let frames = &bytes[layout.start..layout.start + layout.frames * layout.frame_bytes()];
    let unit = unit(&parameters, &mut warnings);
    let markers = parameters.names("POINT", layout.points, "point", &mut warnings);
    let first = layout.first_frame.saturating_sub(1) as f64;
    let mut capture = Capture {
        rate: layout.rate,
        times: (0..layout.frames).map(|i| (first + i as f64) / layout.rate).collect(),
        positions: data::points(frames, machine, &layout, unit),
        markers,
        up: up(&parameters),
        analog: Analog::default(),
        plates: Vec::new(),
    };
    if layout.channels > 0 {
        let names = parameters.names("ANALOG", layout.channels, "channel", &mut warnings);
        let mut units = parameters.texts("ANALOG", "UNITS");
        units.resize(layout.channels, String::new());
        let values = data::analog(frames, machine, &layout, &parameters, &mut warnings);
        capture.analog = Analog { names, units, rate: layout.rate * layout.subframes as f64, values };
    }
    capture.plates = plate::read(&parameters, &capture.analog, unit, &mut warnings);
    drop_zeros(&mut capture, &mut warnings);
    Ok(Recording { capture, warnings })
}

/// The machine that wrote the numbers, and everything from the parameters on.
fn parameter_section<'a>(bytes: &'a [u8], warnings: &mut Vec<String>) -> Result<(Machine, &'a [u8]), FileError> {
    let (Some(&first), Some(&key)) = (bytes.first(), bytes.get(1)) else {
        return Err(error("the header", "the file is empty"));
    };
    if key != 0x50 {
        let error = error("the header", format!("the second byte is {key:#04x}, but that of a C3D file is 0x50"));
        return Err(error.cure("give a C3D file"));
    }
    // Some writers leave the first byte 0: parameters follow the header then.
    let start = BLOCK * usize::from(first.max(2) - 1);
    let section = bytes.get(start..).filter(|section| section.len() >= 4);
    let section = section.ok_or_else(|| error("the parameters", "the file ends before they begin"))?;
    let machine = match section[3] {
        84 => Machine::Intel,
        85 => Machine::Dec,
        86 => Machine::Sgi,
        other => {
            warnings.push(format!("the processor type is {other}, not 84, 85 or 86: read as Intel's"));
            Machine::Intel
        }
    };
    Ok((machine, &section[4..]))
}

/// Metres in the unit of points.
fn unit(parameters: &Parameters, warnings: &mut Vec<String>) -> f64 {
    let unit = parameters.texts("POINT", "UNITS").into_iter().next().unwrap_or_default();
    metres_in(&unit).unwrap_or_else(|| {
        warnings.push(format!("POINT:UNITS is {:?}: lengths are taken as millimetres", quoted(&unit)));
        0.001
    })
}

/// What is up on the screen, `+Z` in most laboratories.
fn up(parameters: &Parameters) -> Option<DVec3> {
    let screen = parameters.texts("POINT", "Y_SCREEN").into_iter().next()?.to_ascii_uppercase();
    let axis =
        [('X', DVec3::X), ('Y', DVec3::Y), ('Z', DVec3::Z)].into_iter().find(|(name, _)| screen.ends_with(*name));
    let (_, axis) = axis?;
    Some(if screen.starts_with('-') { -axis } else { axis })
}
