//! What a bake asks for before it begins, and where it falls short when it is done.

use crate::error::BakeError;
use crate::morphs::BakedClip;
use fusiform::musculature::Layer;
use fusiform::{Character, Musculature};

/// Bytes of solved vertices that are held at once: a quarter of what the largest bake needs.
const MOST_BYTES: f64 = 4e9;

/// Whether the clips fit into memory: every vertex of every frame is held at once; with tissue also as it was solved, and
/// midway.
///
/// # Errors
/// When they do not.
pub fn check_size(
    character: &Character,
    musculature: &Musculature,
    clips: &[usize],
    fps: f32,
) -> Result<(), BakeError> {
    let seconds: f64 = clips.iter().map(|&clip| f64::from(character.clips[clip].duration())).sum();
    let has_tissue = musculature.layers.iter().any(|layer| matches!(layer, Layer::Tissue(_)));
    let held = if has_tissue { 36.0 } else { 12.0 };
    let bytes = seconds * f64::from(fps) * character.vertex_count() as f64 * held;
    if bytes <= MOST_BYTES { Ok(()) } else { Err(BakeError::TooLong { seconds, fps, gigabytes: bytes * 1e-9 }) }
}

/// Where a bake falls short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shortfall {
    /// The largest error, where it is above the tolerance, metres.
    pub error: Option<f32>,
    /// The largest error between frames, where it is far above that on frames, metres.
    pub between: Option<f32>,
}

/// Where these clips fall short of the tolerance, metres.
#[must_use]
pub fn shortfall(clips: &[BakedClip], tolerance: f32) -> Shortfall {
    let worst = clips.iter().map(|clip| clip.error.max).fold(0.0, f32::max);
    let between = clips.iter().map(|clip| clip.error.between).fold(0.0, f32::max);
    Shortfall {
        error: (worst > tolerance).then_some(worst),
        between: (between > 2.0 * worst.max(tolerance)).then_some(between),
    }
}
