//! Volume of a belly and what changes it: eq. 8 of Murai et al. 2016, π l/2 √(1 − ε²) ∫₀¹ k(x)² dx over both parts.
//!
//! By Gauss and Legendre with eight points: to 2·10⁻⁵ where k₂ is 8, as muscles are, and to 0.2 % where it is 16.

use super::shape::{ECCENTRICITY, N_SHAPE, Nine, flatness, radius_by, rise};
use std::f64::consts::PI;

/// Abscissae on [0, 1], and weights.
const POINTS: [[f64; 2]; 8] = [
    [0.019_855_071_751_231_884, 0.050_614_268_145_188_13],
    [0.101_666_761_293_186_63, 0.111_190_517_226_687_24],
    [0.237_233_795_041_835_5, 0.156_853_322_938_943_64],
    [0.408_282_678_752_175_1, 0.181_341_891_689_181],
    [0.591_717_321_247_825, 0.181_341_891_689_181],
    [0.762_766_204_958_164_5, 0.156_853_322_938_943_64],
    [0.898_333_238_706_813_4, 0.111_190_517_226_687_24],
    [0.980_144_928_248_768_1, 0.050_614_268_145_188_13],
];

/// m³, of a shape on a length.
pub(super) fn of(shape: &Nine, length: f64) -> f64 {
    by(shape, length).0
}

/// [`of`], and its derivatives by the nine numbers.
pub(super) fn by(shape: &Nine, length: f64) -> (f64, Nine) {
    let (mut square, mut slope) = (0.0, [0.0; N_SHAPE]);
    for part in 0..2 {
        let slope = &mut slope[4 * part..4 * part + 4];
        for [x, weight] in POINTS {
            let (k, by) = radius_by(&shape[4 * part..4 * part + 4], x);
            square += weight * k * k;
            for n in 0..4 {
                slope[n] += 2.0 * weight * k * by[n];
            }
        }
    }
    let e = shape[ECCENTRICITY];
    let area = 0.5 * PI * length * flatness(e);
    slope.iter_mut().for_each(|n| *n *= area);
    slope[ECCENTRICITY] = -area * square * e / (1.0 - e * e);
    (area * square, slope)
}

/// How far a belly must swell in the middle to keep its volume while its ends keep their radius: per metre of length and per
/// k₃, by how much k₃ grows as k₄ makes up for it at the end.
///
/// ```text
/// k' = k + λ k₃ (u(x) − u(0)),  d(l ∫k²)/dl = 0    ─>    λ = − Σ∫k² / 2 l Σ∫ k k₃ (u − u(0))
/// ```
///
/// No more than three times that of a belly that swells as a whole, 1/2l: a shape without a middle has no λ.
pub(super) fn keeping(shape: &Nine, length: f64) -> f64 {
    let (mut square, mut swell) = (0.0, 0.0);
    for k in shape[..8].chunks_exact(4) {
        let at_end = rise(&[k[0], k[1], k[2], k[3]], 0.0);
        for [x, weight] in POINTS {
            let (radius, by) = radius_by(k, x);
            square += weight * radius * radius;
            swell += weight * radius * k[2] * (by[2] - at_end);
        }
    }
    let whole = 0.5 / length;
    if swell > 0.0 { -(whole * square / swell).min(3.0 * whole) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identify::shape::radius;

    #[test]
    fn volume_is_that_of_thin_slices() {
        let shape = [3.0, 8.0, 0.03, 0.008, 2.0, 5.0, 0.025, 0.01, 0.6];
        let mut slices = 0.0;
        for part in 0..2 {
            let k = &[0, 1, 2, 3].map(|n| shape[4 * part + n]);
            slices += (0..20_000).map(|i| radius(k, (f64::from(i) + 0.5) / 20_000.0).powi(2)).sum::<f64>() / 20_000.0;
        }
        let wanted = PI * 0.15 * 0.8 * slices;
        assert!((of(&shape, 0.3) / wanted - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_belly_that_swells_in_the_middle_keeps_its_volume() {
        let mut shape = [3.0, 8.0, 0.03, 0.008, 2.0, 5.0, 0.025, 0.01, 0.6];
        let (before, rate) = (of(&shape, 0.3), keeping(&shape, 0.3));
        for part in 0..2 {
            let at_end = radius_by(&shape[4 * part..4 * part + 4], 0.0).1[2];
            let swell = rate * shape[4 * part + 2] * 1e-4;
            shape[4 * part + 2] += swell;
            shape[4 * part + 3] -= swell * at_end;
        }
        assert!((of(&shape, 0.3001) / before - 1.0).abs() < 1e-6);
    }
}
