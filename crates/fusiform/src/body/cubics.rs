//! Cubics: a radius that rises from one end to its thickest place and falls to the other, in two pieces.
//!
//! ```text
//! r(u) = r_p h(u) + g(u)       h, g cubic Hermite on [0, u_p] and on [u_p, 1], slope 0 at u_p
//! h    = 0 at the ends, 1 at u_p;  g = r_o, r_i at the ends with slopes s_o, s_i, 0 at u_p
//! ```
//!
//! Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 2; the poster names no
//! equations, these are ours. The radius is linear in r_p, so its volume is a quadratic in it.

use glam::Vec2;

/// The two pieces of one muscle; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubics {
    /// u_p.
    pub peak_at: f32,
    /// r_p, m.
    pub peak: f32,
    /// r_o and r_i, m.
    pub ends: [f32; 2],
    /// s_o and s_i, m for the whole belly.
    pub slopes: [f32; 2],
}

impl Cubics {
    /// The same, so many times as thick.
    pub fn times(&self, size: f32) -> Self {
        let Self { peak_at, peak, ends, slopes } = *self;
        Self { peak_at, peak: peak * size, ends: ends.map(|end| end * size), slopes: slopes.map(|slope| slope * size) }
    }

    /// h and g at share `u` of the belly.
    pub fn parts(&self, u: f32) -> Vec2 {
        let (second, width) = if u < self.peak_at { (0, self.peak_at) } else { (1, 1.0 - self.peak_at) };
        // from the end (0) to the thickest place (1), on either side
        let t = if second == 0 { u / width } else { (1.0 - u) / width };
        let rise = t * t * (3.0 - 2.0 * t);
        let slope = if second == 0 { self.slopes[0] } else { -self.slopes[1] };
        let tail = self.ends[second] * (1.0 - rise) + slope * width * t * (1.0 - t) * (1.0 - t);
        Vec2::new(rise, tail)
    }

    /// r(u), never below nothing.
    pub fn radius(&self, u: f32) -> f32 {
        let Vec2 { x: rise, y: tail } = self.parts(u);
        (self.peak * rise + tail).max(0.0)
    }

    /// Coefficients of r_p², r_p and 1 in ∫ r² du: 4-point Gauss rules on both pieces are exact for it.
    pub fn square(&self) -> [f32; 3] {
        const PLACES: [f64; 4] =
            [-0.861_136_311_594_052_6, -0.339_981_043_584_856_3, 0.339_981_043_584_856_3, 0.861_136_311_594_052_6];
        const SHARES: [f64; 4] =
            [0.347_854_845_137_453_9, 0.652_145_154_862_546_1, 0.652_145_154_862_546_1, 0.347_854_845_137_453_9];
        let mut sum = [0.0_f64; 3];
        for (from, to) in [(0.0, f64::from(self.peak_at)), (f64::from(self.peak_at), 1.0)] {
            for (place, share) in PLACES.iter().zip(SHARES) {
                let u = 0.5 * (from + to) + 0.5 * (to - from) * place;
                let parts = self.parts(u as f32).as_dvec2();
                let weight = 0.5 * (to - from) * share;
                sum[0] += weight * parts.x * parts.x;
                sum[1] += weight * 2.0 * parts.x * parts.y;
                sum[2] += weight * parts.y * parts.y;
            }
        }
        sum.map(|x| x as f32)
    }

    /// The same coefficients of the mean section of two truncated cones, a third of the sum over both
    /// (h₁ (r_o² + r_o r_p + r_p²) + h₂ (r_p² + r_p r_i + r_i²)) / 3.
    pub fn cones(&self) -> [f32; 3] {
        let ([from, to], first) = (self.ends, self.peak_at);
        let mean = |a: f32, b: f32| first * a + (1.0 - first) * b;
        [1.0, mean(from, to), mean(from * from, to * to)].map(|x| x / 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALF: Cubics = Cubics { peak_at: 0.3, peak: 0.04, ends: [0.01, 0.004], slopes: [0.06, -0.02] };

    #[test]
    fn the_pieces_meet_at_the_thickest_place_without_a_kink() {
        let slope = |u: f32| (CALF.radius(u + 1e-3) - CALF.radius(u - 1e-3)) / 2e-3;
        assert!((CALF.radius(0.3) - 0.04).abs() < 1e-7 && slope(0.3).abs() < 1e-3);
        assert!((CALF.radius(0.3 - 1e-5) - CALF.radius(0.3 + 1e-5)).abs() < 1e-6);
    }

    #[test]
    fn the_ends_have_their_radii_and_slopes() {
        assert_eq!([CALF.radius(0.0), CALF.radius(1.0)], [0.01, 0.004]);
        let slopes = [(CALF.radius(1e-3) - 0.01) / 1e-3, (0.004 - CALF.radius(1.0 - 1e-3)) / 1e-3];
        assert!((slopes[0] - 0.06).abs() < 2e-3 && (slopes[1] + 0.02).abs() < 2e-3, "{slopes:?}");
    }

    #[test]
    fn the_square_is_the_sum_over_many_sections() {
        let n = 20_000;
        let sum: f64 =
            (0..n).map(|i| f64::from(CALF.radius((i as f32 + 0.5) / n as f32)).powi(2)).sum::<f64>() / n as f64;
        let [a, b, c] = CALF.square().map(f64::from);
        let peak = f64::from(CALF.peak);
        assert!(((a * peak * peak + b * peak + c) / sum - 1.0).abs() < 1e-4);
    }
}
