//! The athlete's measures: every body part as a table of cross-sections. This is the file to edit to sculpt him.
//!
//! Metres. Radii are outer, inner, front, back; see [`crate::stack`].

use crate::stack::{Station, station};

/// Middle of the body: y, half width, front and back radius, centre's z, squareness.
const fn slice(y: f32, width: f32, front: f32, back: f32, z: f32, square: f32) -> Station {
    station(y, [width, width, front, back], [0.0, z], square)
}

pub(crate) const TRUNK: [Station; 13] = [
    slice(0.905, 0.105, 0.080, 0.094, -0.004, 0.00),
    slice(0.940, 0.148, 0.093, 0.111, -0.004, 0.10),
    slice(0.985, 0.161, 0.099, 0.109, -0.004, 0.20),
    slice(1.040, 0.151, 0.101, 0.097, -0.001, 0.32),
    slice(1.095, 0.143, 0.101, 0.095, 0.001, 0.36),
    slice(1.160, 0.150, 0.106, 0.104, -0.003, 0.34),
    slice(1.225, 0.173, 0.114, 0.111, -0.009, 0.26),
    slice(1.280, 0.191, 0.124, 0.117, -0.014, 0.24),
    slice(1.320, 0.199, 0.138, 0.120, -0.018, 0.28),
    slice(1.360, 0.199, 0.140, 0.121, -0.022, 0.28),
    slice(1.400, 0.184, 0.124, 0.116, -0.028, 0.20),
    slice(1.430, 0.158, 0.100, 0.107, -0.033, 0.12),
    slice(1.455, 0.128, 0.079, 0.094, -0.036, 0.05),
];

/// The shoulder's slope from the spine to the shoulder joint; outer is up.
pub(crate) const GIRDLE: [Station; 4] = [
    station(0.000, [0.052, 0.070, 0.062, 0.078], [0.000, 0.000], 0.0),
    station(0.070, [0.050, 0.070, 0.064, 0.077], [0.002, 0.000], 0.0),
    station(0.140, [0.046, 0.062, 0.064, 0.070], [0.002, 0.000], 0.0),
    station(0.200, [0.046, 0.054, 0.062, 0.063], [0.000, 0.000], 0.0),
];

/// Along the neck's own axis, which leans forward.
pub(crate) const NECK: [Station; 4] = [
    station(0.0, [0.074, 0.074, 0.060, 0.068], [0.0; 2], 0.1),
    station(0.06, [0.063, 0.063, 0.056, 0.062], [0.0; 2], 0.1),
    station(0.12, [0.058, 0.058, 0.055, 0.060], [0.0; 2], 0.1),
    station(0.18, [0.056, 0.056, 0.053, 0.061], [0.0; 2], 0.1),
];

/// The brain's case.
pub(crate) const CRANIUM: [Station; 2] =
    [slice(1.700, 0.0755, 0.088, 0.104, 0.005, 0.05), slice(1.708, 0.0755, 0.088, 0.104, 0.005, 0.05)];

/// Face and jaw, from behind the brow down to the chin.
pub(crate) const JAW: [Station; 3] = [
    station(0.000, [0.064, 0.064, 0.062, 0.060], [0.0, 0.000], 0.12),
    station(0.035, [0.063, 0.063, 0.061, 0.066], [0.0, 0.000], 0.18),
    station(0.065, [0.058, 0.058, 0.058, 0.066], [0.0, 0.000], 0.20),
];

/// The seat, from above downward.
pub(crate) const GLUTE: [Station; 2] = [
    station(0.000, [0.070, 0.058, 0.050, 0.062], [0.0, 0.000], 0.0),
    station(0.030, [0.072, 0.060, 0.050, 0.065], [0.0, 0.000], 0.0),
];

/// From the shoulder joint toward the wrist; outer is up and away from the body, front is the thumb's side.
pub(crate) const ARM: [Station; 13] = [
    station(-0.020, [0.048, 0.058, 0.066, 0.066], [0.0, 0.002], 0.0),
    station(0.020, [0.064, 0.060, 0.074, 0.073], [0.0, 0.002], 0.05),
    station(0.070, [0.075, 0.058, 0.075, 0.073], [0.0, 0.002], 0.05),
    station(0.120, [0.066, 0.057, 0.070, 0.070], [0.0, 0.003], 0.05),
    station(0.180, [0.054, 0.057, 0.070, 0.069], [0.0, 0.000], 0.05),
    station(0.240, [0.049, 0.050, 0.056, 0.057], [0.0, -0.009], 0.08),
    station(0.290, [0.047, 0.047, 0.044, 0.044], [0.0, -0.018], 0.15),
    station(0.335, [0.055, 0.052, 0.052, 0.044], [0.0, -0.012], 0.10),
    station(0.375, [0.054, 0.051, 0.053, 0.045], [0.0, -0.008], 0.05),
    station(0.435, [0.044, 0.043, 0.045, 0.041], [0.0, -0.004], 0.05),
    station(0.500, [0.032, 0.032, 0.036, 0.034], [0.0, -0.002], 0.10),
    station(0.550, [0.0245, 0.0235, 0.031, 0.030], [0.0, 0.000], 0.20),
    station(0.580, [0.022, 0.021, 0.030, 0.029], [0.0, 0.000], 0.25),
];

/// From the wrist to the finger tips; outer is the back of the hand, front the thumb's side.
pub(crate) const PALM: [Station; 6] = [
    station(0.000, [0.020, 0.019, 0.029, 0.028], [0.000, 0.000], 0.25),
    station(0.035, [0.018, 0.020, 0.036, 0.036], [0.000, 0.000], 0.30),
    station(0.075, [0.016, 0.018, 0.041, 0.041], [0.000, 0.000], 0.35),
    station(0.100, [0.014, 0.016, 0.040, 0.040], [-0.002, -0.001], 0.35),
    station(0.130, [0.0125, 0.0135, 0.037, 0.038], [-0.007, -0.001], 0.32),
    station(0.155, [0.011, 0.012, 0.033, 0.034], [-0.013, -0.001], 0.28),
];

pub(crate) const THUMB: [Station; 4] = [
    station(-0.012, [0.017, 0.020, 0.016, 0.020], [0.0; 2], 0.0),
    station(0.020, [0.0150, 0.0165, 0.0140, 0.0145], [0.0; 2], 0.05),
    station(0.045, [0.0135, 0.0140, 0.0130, 0.0125], [0.0; 2], 0.10),
    station(0.062, [0.0125, 0.0130, 0.0120, 0.0115], [0.0; 2], 0.10),
];

/// From the hip joint to the ankle.
pub(crate) const LEG: [Station; 14] = [
    station(-0.040, [0.082, 0.068, 0.080, 0.090], [0.0, 0.000], 0.0),
    station(0.020, [0.093, 0.082, 0.092, 0.100], [0.0, 0.002], 0.05),
    station(0.090, [0.100, 0.088, 0.101, 0.099], [0.0, 0.006], 0.05),
    station(0.180, [0.098, 0.087, 0.103, 0.094], [0.0, 0.008], 0.05),
    station(0.270, [0.087, 0.080, 0.095, 0.083], [0.0, 0.006], 0.08),
    station(0.350, [0.069, 0.073, 0.082, 0.069], [0.0, 0.002], 0.12),
    station(0.425, [0.055, 0.056, 0.059, 0.056], [0.0, 0.000], 0.20),
    station(0.470, [0.053, 0.053, 0.050, 0.060], [0.0, 0.000], 0.15),
    station(0.530, [0.061, 0.058, 0.048, 0.077], [0.0, -0.002], 0.05),
    station(0.590, [0.061, 0.059, 0.047, 0.079], [0.0, -0.004], 0.05),
    station(0.670, [0.049, 0.049, 0.043, 0.064], [0.0, -0.004], 0.05),
    station(0.750, [0.038, 0.037, 0.040, 0.048], [0.0, -0.002], 0.10),
    station(0.815, [0.033, 0.033, 0.039, 0.042], [0.0, 0.000], 0.15),
    station(0.860, [0.035, 0.035, 0.041, 0.043], [0.0, 0.000], 0.10),
];

/// From the heel to the toes, lying: outer is away from the other foot, front is up, back is the sole.
pub(crate) const FOOT: [Station; 9] = [
    station(0.024, [0.031, 0.030, 0.046, 0.026], [0.000, 0.024], 0.20),
    station(0.050, [0.035, 0.034, 0.058, 0.026], [0.000, 0.024], 0.25),
    station(0.090, [0.038, 0.036, 0.074, 0.027], [0.000, 0.024], 0.20),
    station(0.125, [0.042, 0.038, 0.067, 0.027], [0.001, 0.024], 0.15),
    station(0.165, [0.048, 0.043, 0.046, 0.026], [0.002, 0.023], 0.15),
    station(0.200, [0.053, 0.047, 0.031, 0.025], [0.001, 0.022], 0.25),
    station(0.230, [0.051, 0.050, 0.022, 0.022], [-0.002, 0.019], 0.35),
    station(0.252, [0.042, 0.047, 0.018, 0.018], [-0.004, 0.016], 0.35),
    station(0.264, [0.031, 0.039, 0.015, 0.016], [-0.006, 0.014], 0.30),
];

/// A bone that shows under the skin: centre, radii, and how softly it is set in.
pub(crate) struct Knob {
    pub centre: [f32; 3],
    pub radii: [f32; 3],
    pub seam: f32,
}

/// Knee cap, inner and outer ankle, elbow tip.
pub(crate) const LEG_KNOBS: [Knob; 3] = [
    Knob { centre: [0.1125, 0.512, 0.031], radii: [0.027, 0.034, 0.021], seam: 0.045 },
    Knob { centre: [0.107, 0.094, -0.014], radii: [0.014, 0.018, 0.017], seam: 0.022 },
    Knob { centre: [0.156, 0.082, -0.022], radii: [0.014, 0.018, 0.016], seam: 0.022 },
];
pub(crate) const ARM_KNOBS: [Knob; 1] =
    [Knob { centre: [0.405, 1.250, -0.054], radii: [0.024, 0.024, 0.016], seam: 0.050 }];
/// The nose's ridge: enough to tell where he looks.
pub(crate) const HEAD_KNOBS: [Knob; 1] =
    [Knob { centre: [0.0, 1.668, 0.080], radii: [0.014, 0.036, 0.026], seam: 0.040 }];

/// Where the flesh under the muscles is drawn in more, or less, than elsewhere: centre, reach, metres of depth added.
pub(crate) const HOLLOWS: [([f32; 3], f32, f32); 11] = [
    // below the breast muscle, so that its edge stands out
    ([0.100, 1.268, 0.095], 0.075, 0.007),
    // breast bone and collar bones: where muscles begin they do not show
    ([0.000, 1.360, 0.110], 0.060, 0.001),
    ([0.020, 1.450, 0.030], 0.080, -0.005),
    ([0.000, 1.270, 0.100], 0.060, -0.005),
    // belly, flank and loin: the strips of broad muscles show softly there
    ([0.000, 1.130, 0.090], 0.160, -0.0025),
    ([0.150, 1.240, 0.000], 0.110, -0.0075),
    ([0.070, 1.150, -0.090], 0.120, -0.0055),
    // shoulder blade, hip bone and groin
    ([0.075, 1.455, -0.110], 0.100, -0.006),
    ([0.135, 1.000, 0.030], 0.080, -0.005),
    ([0.000, 0.880, 0.020], 0.120, -0.006),
    // under the deltoid's end
    ([0.285, 1.350, -0.030], 0.060, 0.003),
];
