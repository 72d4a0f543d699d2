//! Frames in parts: how finely the solver sees time, whatever rate frames are wanted at.

use fusiform::Body;

/// Frames a second of bodies with tissue, whatever rate they are wanted at: a landing is over in a few hundredths of a second,
/// and flesh that sees it in steps of 1/30 s swings otherwise.
const TISSUE_FPS: f32 = 120.0;

/// In how many equal parts a frame of `dt` seconds is solved, so that flesh does not depend on the rate of the frames.
#[must_use]
pub fn parts_of_frame(body: &Body, dt: f32) -> usize {
    if body.has_tissue() { ((dt * TISSUE_FPS - 1e-2).ceil() as usize).clamp(1, 1000) } else { 1 }
}

/// One of the parts in which a frame is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePart {
    /// When it ends, s.
    pub time: f32,
    /// How long it is, s.
    pub dt: f32,
    /// Whether the frame ends with it.
    pub is_last: bool,
}

/// The parts, in their order, of a frame of `dt` seconds that ends at `time`.
pub fn frame_parts(body: &Body, time: f32, dt: f32) -> impl Iterator<Item = FramePart> + use<> {
    let n = parts_of_frame(body, dt);
    let part = dt / n as f32;
    (0..n).rev().map(move |left| FramePart { time: time - left as f32 * part, dt: part, is_last: left == 0 })
}
