//! Motion: how posed points move between frames.
//!
//! ```text
//! p(t) = p₀ + s₀ t + a t²/2 + b t³/6          a = (6w − 4s₀ − 2s₁)/dt    b = 6 (s₀ + s₁ − 2w)/dt²
//! s₁ = w + A dt/2 + (A − A₀) dt²/(3 dt₀)      w, w₀ mean velocities over this frame and the last, dt₀ long
//! A = 2 (w − w₀)/(dt + dt₀)                   A, A₀ accelerations at the start of this frame and of the last
//! ```
//!
//! A cubic through both ends of the frame, whose end velocity is that of the cubic through the last four: what is known when
//! the frame is asked for. Velocity is the same on both sides of a frame's end, so that tissue is not kicked there.

use glam::Vec3;

/// Frames shorter than this bend like one of this length, seconds: differences of places would drown in rounding.
const SHORTEST: f32 = 1e-5;

/// What one posed point remembers of its frames; world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Track {
    /// At the end of the last frame, m, from where the character stood then.
    pub place: Vec3,
    /// Mean velocity over that frame, m/s.
    pub mean: Vec3,
    /// Velocity at its end, m/s.
    pub end: Vec3,
    /// Acceleration at its start, m/s².
    pub bend: Vec3,
}

/// How one posed point moves over a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    start: Vec3,    // m, from where the character stands
    velocity: Vec3, // at the start, m/s
    bend: Vec3,     // acceleration there, m/s²
    jerk: Vec3,     // m/s³
}

impl Track {
    /// At rest at a place.
    pub fn at(place: Vec3) -> Self {
        Self { place, ..Self::default() }
    }

    /// At a place, as it goes along with a character of that velocity, m/s.
    pub fn carried(place: Vec3, velocity: Vec3) -> Self {
        Self { place, mean: velocity, end: velocity, bend: Vec3::ZERO }
    }

    /// Over a frame of `dt` seconds to `now`, the character having `moved`; the frame before took `last_dt`.
    #[inline]
    pub fn advance(&mut self, now: Vec3, moved: Vec3, dt: f32, last_dt: f32) -> Curve {
        let dt = dt.max(SHORTEST);
        let (start, per_second) = (self.place - moved, 1.0 / dt);
        let mean = (now - start) * per_second;
        let last_dt = last_dt.max(SHORTEST);
        let bend = (mean - self.mean) * (2.0 / (dt + last_dt));
        // a short frame after a long one must not be thrown off by what the long one hides
        let jerk = (bend - self.bend) * (1.0 / last_dt.max(dt));
        let end = mean + dt * (0.5 * bend + (dt * (1.0 / 3.0)) * jerk);
        let curve = Curve {
            start,
            velocity: self.end,
            bend: (6.0 * mean - 4.0 * self.end - 2.0 * end) * per_second,
            jerk: (self.end + end - 2.0 * mean) * (6.0 * per_second * per_second),
        };
        *self = Self { place: now, mean, end, bend };
        curve
    }
}

impl Curve {
    /// p, m.
    #[inline(always)]
    pub fn place(&self, t: f32) -> Vec3 {
        self.start + t * (self.velocity + t * (0.5 * self.bend + (t * (1.0 / 6.0)) * self.jerk))
    }

    /// p′, m/s.
    #[inline(always)]
    pub fn velocity(&self, t: f32) -> Vec3 {
        self.velocity + t * (self.bend + (0.5 * t) * self.jerk)
    }

    /// p″, m/s².
    #[inline(always)]
    pub fn acceleration(&self, t: f32) -> Vec3 {
        self.bend + t * self.jerk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_does_not_jump_where_frames_meet() {
        let place = |t: f32| Vec3::new((5.0 * t).sin(), t * t, 0.3);
        let (mut track, mut last_dt, mut t, mut end) = (Track::at(place(0.0)), 0.02, 0.0, Vec3::ZERO);
        for dt in [0.02, 0.01, 0.016, 0.03, 0.005] {
            let curve = track.advance(place(t + dt), Vec3::ZERO, dt, last_dt);
            assert!((curve.velocity(0.0) - end).length() < 1e-5);
            assert!((curve.place(0.0) - place(t)).length() < 1e-6);
            assert!((curve.place(dt) - place(t + dt)).length() < 1e-5);
            (end, last_dt, t) = (curve.velocity(dt), dt, t + dt);
        }
    }

    #[test]
    fn a_point_at_rest_stays_to_the_bit_where_it_is() {
        let here = Vec3::new(0.123_456, -7.9, 1e-3);
        let mut track = Track::at(here);
        let curve = track.advance(here, Vec3::ZERO, 1.0 / 60.0, 1.0 / 60.0);
        assert!(curve.place(0.0123) == here && curve.acceleration(0.01) == Vec3::ZERO && track == Track::at(here));
    }
}
