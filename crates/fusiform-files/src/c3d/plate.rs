//! Force plates: from their channels to a force, a moment about the centre, and where the force acts.
//!
//! ```text
//! kind 1   Fx Fy Fz Px Py Tz                           where it acts is measured
//! kind 2   Fx Fy Fz Mx My Mz                           about the plate's own origin
//! kind 3   Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4         of four posts
//! kind 4   as kind 2, before CAL_MATRIX is applied
//!
//! M_centre = M_origin + F × origin          origin: from the plate's origin to the centre of its surface
//! CoP      = (-My / Fz, Mx / Fz, 0)         on the surface, in the plate's directions
//! T        = M_centre - CoP × F             the free moment
//! ```
//!
//! *The C3D File Format User Guide*, the FORCE_PLATFORM group; kind 3 as in Kistler's formulae, M the moments of the posts.

use super::parameter::Parameters;
use fusiform_motion::capture::{Analog, Plate};
use glam::{DMat3, DVec3};

/// A plate that bears this many newtons and pushes down pushes the wrong way.
const LOADED: f64 = 50.0;

/// Force and moment about the plate's origin (kind 1: about the centre), in the plate's directions, N and N m.
type Wrench = (DVec3, DVec3);

/// How the channels of one plate become a wrench.
struct Recipe {
    kind: u32,
    /// Newton and newton metre, or metre, in the units of each channel.
    units: [f64; 8],
    origin: DVec3,
    /// Row after row.
    calibration: [[f64; 6]; 6],
}

/// All plates of kinds that are known; `unit` is the metres in a unit of length.
pub(super) fn read(parameters: &Parameters, analog: &Analog, unit: f64, warnings: &mut Vec<String>) -> Vec<Plate> {
    let used = parameters.count("FORCE_PLATFORM", "USED").unwrap_or(0);
    let kinds = parameters.counts("FORCE_PLATFORM", "TYPE");
    if kinds.len() < used {
        warnings.push(format!("FORCE_PLATFORM:USED is {used}, but TYPE has {}: the others are left out", kinds.len()));
    }
    if let [first, last, ..] = parameters.numbers("FORCE_PLATFORM", "ZERO")[..]
        && used > 0
        && 1.0 <= first
        && first < last
    {
        warnings.push(format!("FORCE_PLATFORM:ZERO asks for the mean of {first} to {last} to be taken off: it is not"));
    }
    let mut taken = vec![false; analog.names.len()];
    let mut plates = Vec::new();
    for (i, kind) in kinds.iter().take(used).enumerate() {
        match plate(i, *kind as u32, parameters, analog, unit, &mut taken) {
            Ok((plate, remarks)) => {
                warnings.extend(remarks);
                plates.push(plate);
            }
            Err(reason) => warnings.push(format!("force plate {}: {reason}; it is left out", i + 1)),
        }
    }
    plates
}

fn plate(
    i: usize,
    kind: u32,
    parameters: &Parameters,
    analog: &Analog,
    unit: f64,
    taken: &mut [bool],
) -> Result<(Plate, Vec<String>), String> {
    let n_channel = match kind {
        1 | 2 | 4 => 6,
        3 => 8,
        _ => return Err(format!("plates of type {kind} are not understood, only types 1 to 4")),
    };
    let channels = channels(i, n_channel, parameters, taken)?;
    let numbers = |name: &str, n: usize| -> Result<Vec<f64>, String> {
        let all = parameters.numbers("FORCE_PLATFORM", name);
        let own = all.get(i * n..(i + 1) * n).filter(|own| own.iter().all(|value| value.is_finite()));
        own.map(<[f64]>::to_vec).ok_or_else(|| format!("FORCE_PLATFORM:{name} has no {n} numbers for it"))
    };
    let corners = numbers("CORNERS", 12)?;
    let corners: [DVec3; 4] = std::array::from_fn(|c| DVec3::from_slice(&corners[3 * c..]) * unit);
    let lab_from_plate = directions(&corners).ok_or("its corners span no rectangle")?;
    let mut remarks = Vec::new();
    let number = i + 1;
    let origin = origin(kind, DVec3::from_slice(&numbers("ORIGIN", 3)?) * unit, number, &mut remarks);
    let calibration = if kind == 4 { calibration(&numbers("CAL_MATRIX", 36)?) } else { [[0.0; 6]; 6] };
    let units = units(kind, &channels, analog, unit, number, &mut remarks);
    let recipe = Recipe { kind, units, origin, calibration };
    let mut plate = Plate { number, kind, corners, origin, channels, ..Plate::default() };
    fill(&mut plate, &recipe, &lab_from_plate, analog);
    let along_z = plate.force.iter().map(|force| force.dot(lab_from_plate.z_axis)).filter(|down| down.is_finite());
    let heaviest = along_z.max_by(|a, b| a.abs().total_cmp(&b.abs()));
    if heaviest.is_some_and(|down| down > LOADED) {
        remarks
            .push(format!("force plate {number} is pulled down where it bears most: its forces may act on the plate"));
    }
    Ok((plate, remarks))
}

/// The plate's channels, counted from 0; a channel belongs to one plate only.
fn channels(i: usize, n: usize, parameters: &Parameters, taken: &mut [bool]) -> Result<Vec<usize>, String> {
    let rows = parameters.rows("FORCE_PLATFORM", "CHANNEL").max(n);
    let all = parameters.counts("FORCE_PLATFORM", "CHANNEL");
    let own = all.get(i * rows..i * rows + n).ok_or_else(|| format!("FORCE_PLATFORM:CHANNEL has no {n} for it"))?;
    let mut channels = Vec::with_capacity(n);
    for &channel in own {
        let index = (channel as usize).checked_sub(1);
        let free = index.and_then(|index| taken.get_mut(index)).filter(|taken| !**taken);
        *free.ok_or_else(|| format!("its channel {channel} is not there, or another one's"))? = true;
        channels.extend(index);
    }
    Ok(channels)
}

/// The plate's directions in the laboratory: x toward the corners 1 and 4, y toward 1 and 2, z into the floor.
fn directions(corners: &[DVec3; 4]) -> Option<DMat3> {
    let [first, second, _, fourth] = *corners;
    let x = (first - second).try_normalize()?;
    let z = x.cross(first - fourth).try_normalize()?;
    Some(DMat3::from_cols(x, z.cross(x), z))
}

/// Some writers give it from the surface down. Of kind 3, x and y are how far the posts are from the centre.
fn origin(kind: u32, origin: DVec3, number: usize, remarks: &mut Vec<String>) -> DVec3 {
    if kind == 3 {
        return DVec3::new(origin.x.abs(), origin.y.abs(), -origin.z.abs());
    }
    if kind == 1 || origin.z <= 0.0 {
        return origin;
    }
    remarks.push(format!(
        "force plate {number}: ORIGIN points from the surface to the plate's origin: it is turned round"
    ));
    -origin
}

/// Stored column after column.
fn calibration(numbers: &[f64]) -> [[f64; 6]; 6] {
    std::array::from_fn(|row| std::array::from_fn(|column| numbers[6 * column + row]))
}

/// Newton, newton metre or metre in each channel's unit. Lengths are those of points unless the unit says another.
fn units(
    kind: u32,
    channels: &[usize],
    analog: &Analog,
    unit: f64,
    number: usize,
    remarks: &mut Vec<String>,
) -> [f64; 8] {
    let mut units = [1.0; 8];
    let mut volts = false;
    for (i, channel) in channels.iter().enumerate() {
        let name: String =
            analog.units[*channel].chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
        let is_force = i < 3 || kind == 3;
        volts |= kind != 4 && (name == "v" || name == "mv");
        units[i] = match name.as_str() {
            _ if kind == 4 => 1.0,
            "kn" if is_force => 1e3,
            _ if is_force => 1.0,
            "nm" => 1.0,
            "ncm" | "cm" => 0.01,
            "nmm" | "mm" => 0.001,
            "m" if kind == 1 => 1.0,
            _ => unit,
        };
    }
    if volts {
        remarks.push(format!("force plate {number}: its channels are volts, so its forces are no newtons"));
    }
    if kind == 4 {
        // What the matrix gives is newtons, and newtons times the unit of length.
        units[3..6].fill(unit);
    }
    units
}

/// Force, moment, where it acts and what is left there, of every sample.
fn fill(plate: &mut Plate, recipe: &Recipe, lab_from_plate: &DMat3, analog: &Analog) {
    let center = plate.center();
    for sample in analog.values.chunks_exact(analog.names.len()) {
        let mut raw = [0.0; 8];
        for (value, channel) in raw.iter_mut().zip(&plate.channels) {
            *value = sample[*channel];
        }
        let (force, moment) = recipe.about_center(raw);
        let place = DVec3::new(-moment.y / force.z, moment.x / force.z, 0.0);
        let place = if place.is_finite() { place } else { DVec3::ZERO };
        plate.force.push(lab_from_plate * force);
        plate.moment.push(lab_from_plate * moment);
        plate.center_of_pressure.push(center + lab_from_plate * place);
        plate.free_moment.push(lab_from_plate * (moment - place.cross(force)));
    }
}

impl Recipe {
    /// Force and moment about the centre of the surface, in the plate's directions.
    fn about_center(&self, mut raw: [f64; 8]) -> Wrench {
        if self.kind == 4 {
            let before = raw;
            for (value, row) in raw.iter_mut().zip(&self.calibration) {
                *value = row.iter().zip(before).map(|(factor, channel)| factor * channel).sum();
            }
        }
        raw.iter_mut().zip(self.units).for_each(|(value, unit)| *value *= unit);
        let force = DVec3::new(raw[0], raw[1], raw[2]);
        let fourth_to_sixth = DVec3::new(raw[3], raw[4], raw[5]);
        match self.kind {
            1 => {
                let place = fourth_to_sixth.with_z(0.0);
                (force, place.cross(force) + fourth_to_sixth.z * DVec3::Z)
            }
            3 => {
                let (force, moment) = posts(raw, self.origin);
                (force, moment + force.cross(self.origin.z * DVec3::Z))
            }
            _ => (force, fourth_to_sixth + force.cross(self.origin)),
        }
    }
}

/// Four posts at ±a, ±b: both forces along x and y are those of two posts each.
fn posts(raw: [f64; 8], origin: DVec3) -> Wrench {
    let [x12, x34, y14, y23, z1, z2, z3, z4] = raw;
    let (a, b) = (origin.x, origin.y);
    let force = DVec3::new(x12 + x34, y14 + y23, z1 + z2 + z3 + z4);
    let moment = DVec3::new(b * (z1 + z2 - z3 - z4), a * (z2 + z3 - z1 - z4), b * (x34 - x12) + a * (y14 - y23));
    (force, moment)
}
