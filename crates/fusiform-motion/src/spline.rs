//! Derivatives of what was sampled: the smoothest quintic through points.
//!
//! ```text
//! f through every (xᵢ, yᵢ),  ∫ f‴² dx least      a quintic between points, four times differentiable across them,
//!                                               f‴ = f⁗ = 0 at both ends
//! ```
//!
//! The unknowns are f′ and f″ at the points. ∫ f‴² is a quadratic in them, so they solve a symmetric positive definite system
//! of 2 × 2 blocks, three in a row: O(n). It depends on x alone and is factored once for all columns of a table.
//!
//! Woltring: *A Fortran package for generalized, cross-validatory spline smoothing and differentiation*, Advances in
//! Engineering Software 8(2), 1986, with m = 3 and no smoothing, which is what OpenSim differentiates coordinates with. The
//! Hermite form of the system is ours.

use crate::function::Jet;
use glam::{DMat2, DVec2};

/// Where a signal was sampled, ready to be fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots {
    x: Box<[f64]>,
    /// Inverse of every pivot block.
    pivot: Box<[DMat2]>,
    /// The block that eliminates a point from the next one.
    eliminate: Box<[DMat2]>,
}

/// A quintic spline through points; beyond its ends the parabola that it ends with.
#[derive(Clone, Debug, PartialEq)]
pub struct Quintic {
    x: Box<[f64]>,
    y: Box<[f64]>,
    /// f′ and f″ at every x.
    slope: Box<[DVec2]>,
}

/// Blocks of ∫ f‴² over one interval: of its first point, of its second point, and between them.
fn blocks(h: f64) -> [DMat2; 3] {
    let (a, b, c) = (1.0 / (h * h * h), 1.0 / (h * h), 1.0 / h);
    let symmetric = |p: f64, q: f64, r: f64| DMat2::from_cols(DVec2::new(p, q), DVec2::new(q, r));
    let between = DMat2::from_cols(DVec2::new(168.0 * a, 24.0 * b), DVec2::new(-24.0 * b, -3.0 * c));
    [symmetric(192.0 * a, 36.0 * b, 9.0 * c), symmetric(192.0 * a, -36.0 * b, 9.0 * c), between]
}

impl Knots {
    /// Points that ascend, one at least; none otherwise.
    #[must_use]
    pub fn new(x: &[f64]) -> Option<Self> {
        if x.is_empty() || x.iter().any(|v| !v.is_finite()) || x.windows(2).any(|pair| pair[0] >= pair[1]) {
            return None;
        }
        let mut pivot = vec![DMat2::ZERO; x.len()];
        let mut eliminate = vec![DMat2::ZERO; x.len()];
        for (i, pair) in x.windows(2).enumerate() {
            let [first, second, _] = blocks(pair[1] - pair[0]);
            pivot[i] += first;
            pivot[i + 1] += second;
        }
        for i in 0..x.len() - 1 {
            pivot[i] = pivot[i].inverse();
            let [.., between] = blocks(x[i + 1] - x[i]);
            eliminate[i] = between.transpose() * pivot[i];
            pivot[i + 1] -= eliminate[i] * between;
        }
        let last = x.len() - 1;
        pivot[last] = pivot[last].inverse();
        Some(Self { x: x.into(), pivot: pivot.into(), eliminate: eliminate.into() })
    }

    /// The spline through values.
    ///
    /// # Panics
    /// If there are not as many as points.
    #[must_use]
    pub fn through(&self, y: &[f64]) -> Quintic {
        assert_eq!(y.len(), self.x.len(), "one value per point");
        let mut slope = vec![DVec2::ZERO; y.len()];
        match y.len() {
            1 => {}
            // a parabola through two points is not unique: the straight one
            2 => slope.fill(DVec2::new((y[1] - y[0]) / (self.x[1] - self.x[0]), 0.0)),
            _ => self.solve(y, &mut slope),
        }
        Quintic { x: self.x.clone(), y: y.into(), slope: slope.into() }
    }

    fn solve(&self, y: &[f64], slope: &mut [DVec2]) {
        let n = self.x.len();
        for i in 0..n - 1 {
            let h = self.x[i + 1] - self.x[i];
            let secant = (y[i + 1] - y[i]) / (h * h * h);
            slope[i] += DVec2::new(360.0 * secant / h, 60.0 * secant);
            slope[i + 1] += DVec2::new(360.0 * secant / h, -60.0 * secant);
            let shift = self.eliminate[i] * slope[i];
            slope[i + 1] -= shift;
        }
        slope[n - 1] = self.pivot[n - 1] * slope[n - 1];
        for i in (0..n - 1).rev() {
            let [.., between] = blocks(self.x[i + 1] - self.x[i]);
            slope[i] = self.pivot[i] * (slope[i] - between * slope[i + 1]);
        }
    }
}

impl Quintic {
    /// Value and derivatives at any place.
    #[must_use]
    pub fn at(&self, x: f64) -> Jet {
        let last = self.x.len() - 1;
        if last == 0 || !(x > self.x[0] && x < self.x[last]) {
            return self.beyond(x);
        }
        let i = self.x[1..last].partition_point(|&knot| knot <= x);
        let h = self.x[i + 1] - self.x[i];
        let t = (x - self.x[i]) / h;
        // Taylor coefficients about the left point, in units of h, that reach value, slope and bend of the right one
        let (v0, v1) = (self.slope[i].x * h, self.slope[i + 1].x * h);
        let (a0, a1) = (self.slope[i].y * h * h, self.slope[i + 1].y * h * h);
        let rise = self.y[i + 1] - self.y[i];
        let c3 = 10.0 * rise - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
        let c4 = -15.0 * rise + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
        let c5 = 6.0 * rise - 3.0 * v0 - 3.0 * v1 - 0.5 * a0 + 0.5 * a1;
        Jet {
            value: self.y[i] + t * (v0 + t * (0.5 * a0 + t * (c3 + t * (c4 + t * c5)))),
            first: (v0 + t * (a0 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))) / h,
            second: (a0 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))) / (h * h),
        }
    }

    fn beyond(&self, x: f64) -> Jet {
        let end = if x > self.x[0] { self.x.len() - 1 } else { 0 };
        let (slope, by) = (self.slope[end], x - self.x[end]);
        Jet { value: self.y[end] + by * (slope.x + 0.5 * by * slope.y), first: slope.x + by * slope.y, second: slope.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UNEVEN: [f64; 7] = [0.0, 0.4, 0.5, 1.1, 1.3, 2.0, 2.4];

    fn close(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() < within, "{found} is not {wanted}");
    }

    #[test]
    fn a_parabola_comes_back_exactly_within_and_beyond() {
        let y = UNEVEN.map(|x| 3.0 - 2.0 * x + 0.7 * x * x);
        let spline = Knots::new(&UNEVEN).unwrap().through(&y);
        for x in [-0.3, 0.0, 0.2, 0.5, 1.25, 2.4, 3.0] {
            let jet = spline.at(x);
            close(jet.value, 3.0 - 2.0 * x + 0.7 * x * x, 1e-10);
            close(jet.first, -2.0 + 1.4 * x, 1e-9);
            close(jet.second, 1.4, 1e-8);
        }
    }

    #[test]
    fn a_sine_gives_its_derivatives_away_from_the_ends() {
        let x: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.05 + if i % 2 == 0 { 0.0 } else { 0.004 }).collect();
        let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
        let spline = Knots::new(&x).unwrap().through(&y);
        for i in 0..60 {
            let x = 2.0 + f64::from(i) * 0.1;
            let jet = spline.at(x);
            close(jet.value, x.sin(), 1e-9);
            close(jet.first, x.cos(), 1e-7);
            close(jet.second, -x.sin(), 1e-5);
        }
    }

    #[test]
    fn few_points_and_points_that_do_not_ascend() {
        assert_eq!(Knots::new(&[]), None);
        assert_eq!(Knots::new(&[0.0, 0.0]), None);
        assert_eq!(Knots::new(&[5.0]).unwrap().through(&[2.0]).at(9.0), Jet { value: 2.0, ..Jet::default() });
        let line = Knots::new(&[0.0, 2.0]).unwrap().through(&[1.0, 2.0]).at(1.0);
        close(line.value, 1.5, 1e-12);
        close(line.first, 0.5, 1e-12);
    }

    proptest! {
        #[test]
        fn four_derivatives_are_continuous_and_every_point_is_passed(y in prop::array::uniform7(-1.0..1.0_f64)) {
            let spline = Knots::new(&UNEVEN).unwrap().through(&y);
            for i in 1..UNEVEN.len() - 1 {
                let x = UNEVEN[i];
                prop_assert!((spline.at(x).value - y[i]).abs() < 1e-12);
                // f″ is a cubic on either side: four values give its derivatives at the point exactly
                let [left, right] = [-0.02, 0.02].map(|h| {
                    let b = [0.0, 1.0, 2.0, 3.0].map(|k| spline.at(x + k * h).second);
                    let third = (-11.0 * b[0] + 18.0 * b[1] - 9.0 * b[2] + 2.0 * b[3]) / (6.0 * h);
                    [third, (2.0 * b[0] - 5.0 * b[1] + 4.0 * b[2] - b[3]) / (h * h)]
                });
                for (left, right) in left.into_iter().zip(right) {
                    prop_assert!((left - right).abs() < 1e-6 * (1.0 + right.abs()), "{left} is not {right}");
                }
            }
        }
    }
}
