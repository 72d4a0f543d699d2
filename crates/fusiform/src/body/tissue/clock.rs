//! Clock: which ticks fall into a frame, and what time has not been ticked yet.

use crate::body::soft::{Beat, TICK};

/// A frame never takes more ticks, as in `soft`: of a longer one the last part counts, from rest.
const MOST_TICKS: u32 = 64;

/// Ticks of one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// How many there are.
    pub ticks: u32,
    /// When the first begins, seconds from the frame's start.
    pub start: f32,
    /// Whether time was left out before that.
    pub skips: bool,
    /// What is left of the frame after the last tick, seconds.
    pub left: f32,
}

impl Clock {
    /// Of a frame of `dt` seconds, when `left` seconds of earlier ones have not been ticked. [`Beat`] says what remains,
    /// and so how many ticks are due.
    pub fn new(left: f32, dt: f32) -> Self {
        let beat = Beat::new(left, dt);
        let due = ((left + dt - beat.left) / TICK).round() as u32;
        let ticks = due.min(MOST_TICKS);
        Self { ticks, start: (due - ticks) as f32 * TICK - left, skips: due > ticks, left: beat.left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_counted_over_frames_of_any_length() {
        for fps in [24, 60, 144, 1000] {
            let (mut left, mut ticks) = (0.0, 0);
            for _ in 0..fps {
                let clock = Clock::new(left, 1.0 / fps as f32);
                (left, ticks) = (clock.left, ticks + clock.ticks);
            }
            assert!(ticks == 240 && left.abs() < 1e-4, "{fps} fps: {ticks} ticks, {left} s left");
        }
        assert!(Clock::new(0.0, 1.0).skips && Clock::new(0.0, 1.0).ticks == MOST_TICKS);
        assert_eq!(Clock::new(0.003, 0.0).ticks, 0);
    }
}
