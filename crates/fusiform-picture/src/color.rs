//! Colours: of materials, of values, and their way to 8 bits.

use glam::Vec3;
use std::sync::LazyLock;

/// Matte warm clay, linear RGB.
pub const SKIN: [f32; 3] = [0.47, 0.285, 0.20];
/// Relaxed muscle, linear RGB.
pub const MUSCLE: [f32; 3] = [0.34, 0.042, 0.034];
/// Tendon, linear RGB.
pub const TENDON: [f32; 3] = [0.72, 0.66, 0.55];
/// Bone, linear RGB.
pub const BONE: [f32; 3] = [0.68, 0.62, 0.48];

/// Perceptual map from 0 (dark blue) over green to 1 (yellow), linear RGB; outside values are clamped.
///
/// Nine stops of equal steps in lightness, so that equal differences look equal.
#[must_use]
pub fn heat(value: f32) -> [f32; 3] {
    const STOPS: [[u8; 3]; 9] = [
        [68, 1, 84],
        [71, 44, 122],
        [59, 81, 139],
        [44, 113, 142],
        [33, 144, 141],
        [39, 173, 129],
        [92, 200, 99],
        [170, 220, 50],
        [253, 231, 37],
    ];
    ramp(&STOPS, value)
}

/// Muscle tension from 0 (relaxed, pale pink) to 1 (contracted, deep red), linear RGB.
#[must_use]
pub fn tension(value: f32) -> [f32; 3] {
    const STOPS: [[u8; 3]; 5] = [[246, 218, 208], [240, 172, 156], [222, 110, 98], [188, 46, 46], [116, 8, 20]];
    ramp(&STOPS, value)
}

/// A colour for the `i`th of many things, linear RGB: neighbours in the list are far apart on the colour wheel, and steps of
/// lightness tell those apart that come round to the same hue.
#[must_use]
pub fn distinct(i: usize) -> [f32; 3] {
    // Steps by the golden ratio never come near an earlier hue for long.
    let hue = (i as f32 * 0.618_034).fract() * 6.0;
    let (value, pale) = ([0.92, 0.66, 0.8][i % 3], [0.25, 0.2, 0.45][i / 3 % 3]);
    [5.0, 3.0, 1.0].map(|shift: f32| {
        let k = (shift + hue) % 6.0;
        linear_from_srgb(value * (1.0 - (1.0 - pale) * k.min(4.0 - k).clamp(0.0, 1.0)))
    })
}

/// Between sRGB stops, linear RGB out; NaN gives the first stop.
fn ramp(stops: &[[u8; 3]], value: f32) -> [f32; 3] {
    let last = stops.len() - 1;
    let place = if value > 0.0 { value.min(1.0) * last as f32 } else { 0.0 };
    let i = (place as usize).min(last - 1);
    let t = place - i as f32;
    std::array::from_fn(|c| {
        let (a, b) = (f32::from(stops[i][c]), f32::from(stops[i + 1][c]));
        linear_from_srgb((a + (b - a) * t) / 255.0)
    })
}

/// sRGB value 0..1 to linear.
#[must_use]
pub fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// Linear value 0..1 to sRGB.
#[must_use]
pub fn srgb_from_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * libm::powf(value, 1.0 / 2.4) - 0.055 }
}

/// Linear RGB to 8-bit sRGB.
#[must_use]
pub fn bytes_from_linear(color: [f32; 3]) -> [u8; 3] {
    color.map(|c| (srgb_from_linear(c.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8)
}

const TABLE: usize = 4096;
static SRGB: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..=TABLE).map(|i| srgb_from_linear(i as f32 / TABLE as f32) * 255.0).collect());

/// Linear RGB to 8-bit sRGB, with a fixed ordered pattern of half a step against banding.
pub(crate) fn to_bytes(color: Vec3, x: usize, y: usize) -> [u8; 3] {
    let threshold = bayer(x, y);
    color.to_array().map(|c| {
        let place = c.clamp(0.0, 1.0) * TABLE as f32;
        let i = (place as usize).min(TABLE - 1);
        let value = SRGB[i] + (SRGB[i + 1] - SRGB[i]) * (place - i as f32);
        (value + threshold) as u8
    })
}

/// Threshold of the 8 × 8 Bayer pattern, in 0..1, never 0 or 1.
pub(crate) fn bayer(x: usize, y: usize) -> f32 {
    let mut value = 0;
    for bit in 0..3 {
        let (bx, by) = (x >> bit & 1, y >> bit & 1);
        value |= (bx ^ by) << (5 - 2 * bit) | by << (4 - 2 * bit);
    }
    (value as f32 + 0.5) / 64.0
}
