//! Pace: how much time of the character one frame of the display brings. What takes longer to solve than it lasts is played
//! slowly: chased, it would bring more to solve with every frame.

/// What solving may take of a frame, s.
const BUDGET: f32 = 0.04;
/// A frame of the character that is always solved, s.
const LEAST: f32 = 1.0 / 60.0;
/// What of a measurement counts at once: others may be on the same cores for a moment.
const NEW: f32 = 0.3;

/// What solving costs, as measured.
#[derive(Debug, Default)]
pub(super) struct Pace {
    cost: f32, // seconds of solving that a second of the character takes
}

impl Pace {
    /// The share of `dt` seconds of the character that can be solved in a frame.
    pub fn share(&self, dt: f32) -> f32 {
        let most = if self.cost > 0.0 { (BUDGET / self.cost).max(LEAST) } else { f32::MAX };
        if dt > most { most / dt } else { 1.0 }
    }

    /// That many seconds of the character took so long.
    pub fn took(&mut self, dt: f32, solving: f32) {
        if dt > 0.0 {
            let cost = solving / dt;
            self.cost = if self.cost > 0.0 { self.cost + NEW * (cost - self.cost) } else { cost };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of a display that waits for solving; how much of the time that passes the character sees, in the end.
    fn played(cost: f32) -> (f32, f32) {
        let (mut pace, mut frame) = (Pace::default(), LEAST);
        let mut seen = 0.0;
        for _ in 0..200 {
            let dt = frame.min(0.1);
            seen = dt * pace.share(dt);
            let solving = cost * seen;
            pace.took(seen, solving);
            frame = LEAST.max(solving);
        }
        (seen / frame, frame)
    }

    #[test]
    fn what_is_solved_in_time_is_played_in_time() {
        assert_eq!(played(0.5), (1.0, LEAST));
    }

    #[test]
    fn what_takes_longer_than_it_lasts_is_played_slowly_and_the_window_stays_awake() {
        for cost in [1.5, 2.5, 4.0] {
            let (share, frame) = played(cost);
            assert!((share * cost - 1.0).abs() < 0.01, "{cost}: {share} of real time");
            assert!(frame < LEAST * cost + 0.041, "{cost}: {frame} s a frame");
        }
    }
}
