//! Frames: points with their residuals, then analog samples.

use super::frames::Layout;
use super::number::Machine;
use super::parameter::Parameters;
use glam::DVec3;

/// n_frame x n_point, m; NaN where the residual is negative.
pub(super) fn points(frames: &[u8], machine: Machine, layout: &Layout, unit: f64) -> Vec<DVec3> {
    let scale = if layout.floats { unit } else { layout.scale * unit };
    let point = |bytes: &[u8]| {
        let [x, y, z, word] = four(bytes, machine);
        // The word holds the residual in its lower byte and cameras in the upper; negative, the point was not seen.
        let place = DVec3::new(x, y, z) * scale;
        if word >= 0.0 && place.is_finite() { place } else { DVec3::NAN }
    };
    let of_frame = |frame: &'_ [u8]| -> Vec<DVec3> {
        frame[..layout.point_bytes()].chunks_exact(4 * layout.number_bytes()).map(point).collect()
    };
    frames.chunks_exact(layout.frame_bytes()).flat_map(of_frame).collect()
}

/// The four numbers of a point: integers in 8 bytes, floats in 16.
fn four(bytes: &[u8], machine: Machine) -> [f64; 4] {
    std::array::from_fn(|i| {
        if bytes.len() == 8 {
            f64::from(machine.signed([bytes[2 * i], bytes[2 * i + 1]]))
        } else {
            machine.float_at(bytes, 4 * i)
        }
    })
}

/// n_sample x n_channel in the file's units: `(number - OFFSET) · SCALE · GEN_SCALE`.
pub(super) fn analog(
    frames: &[u8],
    machine: Machine,
    layout: &Layout,
    parameters: &Parameters,
    warnings: &mut Vec<String>,
) -> Vec<f64> {
    let unsigned = parameters.texts("ANALOG", "FORMAT").first().is_some_and(|f| f.eq_ignore_ascii_case("UNSIGNED"));
    let general = parameters.numbers("ANALOG", "GEN_SCALE").first().copied().unwrap_or(1.0);
    let mut scales = parameters.numbers("ANALOG", "SCALE");
    let mut offsets = match unsigned {
        true => parameters.counts("ANALOG", "OFFSET"),
        false => parameters.numbers("ANALOG", "OFFSET"),
    };
    for (name, list, default) in [("SCALE", &mut scales, 1.0), ("OFFSET", &mut offsets, 0.0)] {
        if list.len() < layout.channels {
            warnings.push(format!(
                "ANALOG:{name} has {} numbers for {} channels: the others are {default}",
                list.len(),
                layout.channels
            ));
        }
        list.resize(layout.channels, default);
    }
    let raw = |bytes: &[u8]| match (bytes, unsigned) {
        ([a, b], true) => f64::from(machine.unsigned([*a, *b])),
        ([a, b], false) => f64::from(machine.signed([*a, *b])),
        _ => machine.float_at(bytes, 0),
    };
    let mut values = Vec::with_capacity(frames.len() / layout.frame_bytes() * layout.analog);
    for frame in frames.chunks_exact(layout.frame_bytes()) {
        for (i, bytes) in frame[layout.point_bytes()..].chunks_exact(layout.number_bytes()).enumerate() {
            let channel = i % layout.channels;
            let value = (raw(bytes) - offsets[channel]) * scales[channel] * general;
            values.push(if value.is_finite() { value } else { f64::NAN });
        }
    }
    values
}
