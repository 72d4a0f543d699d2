//! Functions of one number, with their first and second derivatives.
//!
//! What models say of coordinates and moving points. Splines are cubics that go on straight beyond their ends.

/// A function of one number.
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// Always this.
    Constant(f64),
    /// `slope x + intercept`.
    Linear {
        /// Per unit of x.
        slope: f64,
        /// At x = 0.
        intercept: f64,
    },
    /// Highest power first.
    Polynomial(Vec<f64>),
    /// Straight between points.
    PiecewiseLinear {
        /// Ascending.
        x: Vec<f64>,
        /// As many.
        y: Vec<f64>,
    },
    /// A cubic spline through points.
    Spline(Spline),
    /// Another one, times a number.
    Times(f64, Box<Function>),
}

/// A function's value and its derivatives at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// f.
    pub value: f64,
    /// f′.
    pub first: f64,
    /// f″.
    pub second: f64,
}

/// A cubic spline through points; straight beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    x: Box<[f64]>,
    y: Box<[f64]>,
    second: Box<[f64]>, // y″ at every x
}

impl Spline {
    /// Through points whose x ascend, without bend at its ends; none if there are fewer than two, if they do not ascend or are
    /// not finite.
    #[must_use]
    pub fn natural(x: &[f64], y: &[f64]) -> Option<Self> {
        usable(x, y).then(|| Self { second: natural(x, y).into(), x: x.into(), y: y.into() })
    }

    /// The same, with the third derivative at either end that the cubic through the four points there has; the parabola of
    /// three points. This is what `OpenSim` calls `SimmSpline`, and called `natCubicSpline` and `NaturalCubicSpline` before.
    ///
    /// Forsythe, Malcolm, Moler: *Computer Methods for Mathematical Computations*, 1977, section 4.4.
    #[must_use]
    pub fn simm(x: &[f64], y: &[f64]) -> Option<Self> {
        usable(x, y).then(|| Self { second: simm(x, y).into(), x: x.into(), y: y.into() })
    }

    /// Value and derivatives.
    #[must_use]
    pub fn at(&self, x: f64) -> Jet {
        let last = self.x.len() - 1;
        let inside = x.clamp(self.x[0], self.x[last]);
        let i = self.x[1..last].partition_point(|&knot| knot <= inside);
        let h = self.x[i + 1] - self.x[i];
        let (a, b) = ((self.x[i + 1] - inside) / h, (inside - self.x[i]) / h);
        let (m, n) = (self.second[i], self.second[i + 1]);
        let value = a * self.y[i] + b * self.y[i + 1] + ((a * a * a - a) * m + (b * b * b - b) * n) * h * h / 6.0;
        let first = (self.y[i + 1] - self.y[i]) / h + ((3.0 * b * b - 1.0) * n - (3.0 * a * a - 1.0) * m) * h / 6.0;
        if x == inside {
            return Jet { value, first, second: a * m + b * n };
        }
        Jet { value: value + first * (x - inside), first, second: 0.0 }
    }
}

fn usable(x: &[f64], y: &[f64]) -> bool {
    let finite = x.iter().chain(y).all(|v| v.is_finite());
    x.len() == y.len() && x.len() >= 2 && finite && x.windows(2).all(|pair| pair[0] < pair[1])
}

/// Second derivatives with ends after Forsythe, Malcolm and Moler.
///
/// ```text
/// h₀ (M₁ − M₀) = h₀² f‴,    f‴ = 6 [x₀ x₁ x₂ x₃] y        and the same from the other end
/// ```
fn simm(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut second = vec![0.0; n];
    if n == 2 {
        return second;
    }
    let step = |i: usize| x[i + 1] - x[i];
    let secant = |i: usize| (y[i + 1] - y[i]) / step(i);
    let bend = |i: usize| (secant(i + 1) - secant(i)) / (x[i + 2] - x[i]);
    let third = |i: usize| if n > 3 { 6.0 * (bend(i + 1) - bend(i)) / (x[i + 3] - x[i]) } else { 0.0 };
    let end = step(n - 2);
    let mut pivot = vec![-step(0); n];
    second[0] = step(0) * step(0) * third(0);
    for i in 1..n {
        let (diagonal, right) = if i + 1 < n {
            (2.0 * (step(i - 1) + step(i)), 6.0 * (secant(i) - secant(i - 1)))
        } else {
            (-end, -end * end * third(n.saturating_sub(4)))
        };
        let share = step(i - 1) / pivot[i - 1];
        pivot[i] = diagonal - share * step(i - 1);
        second[i] = right - share * second[i - 1];
    }
    second[n - 1] /= pivot[n - 1];
    for i in (0..n - 1).rev() {
        second[i] = (second[i] - step(i) * second[i + 1]) / pivot[i];
    }
    second
}

/// Second derivatives of the natural cubic spline, by the tridiagonal system (Thomas' algorithm).
fn natural(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let (mut second, mut right) = (vec![0.0; n], vec![0.0; n]);
    let mut upper = vec![0.0; n];
    for i in 1..n - 1 {
        let (h0, h1) = (x[i] - x[i - 1], x[i + 1] - x[i]);
        let wanted = 6.0 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
        let pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        right[i] = (wanted - h0 * right[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        second[i] = right[i] - upper[i] * second[i + 1];
    }
    second
}

impl Function {
    /// x itself.
    pub const IDENTITY: Self = Self::Linear { slope: 1.0, intercept: 0.0 };

    /// Value and derivatives.
    #[must_use]
    pub fn at(&self, x: f64) -> Jet {
        match self {
            Self::Constant(value) => Jet { value: *value, ..Jet::default() },
            Self::Linear { slope, intercept } => Jet { value: slope * x + intercept, first: *slope, second: 0.0 },
            Self::Polynomial(powers) => powers.iter().fold(Jet::default(), |f, power| Jet {
                second: f.second * x + 2.0 * f.first,
                first: f.first * x + f.value,
                value: f.value * x + power,
            }),
            Self::PiecewiseLinear { x: knots, y } => between(knots, y, x),
            Self::Spline(spline) => spline.at(x),
            Self::Times(factor, inner) => {
                let Jet { value, first, second } = inner.at(x);
                Jet { value: factor * value, first: factor * first, second: factor * second }
            }
        }
    }
}

fn between(knots: &[f64], y: &[f64], x: f64) -> Jet {
    if knots.len() < 2 {
        return Jet { value: y.first().copied().unwrap_or(0.0), ..Jet::default() };
    }
    let i = knots[1..knots.len() - 1].partition_point(|&knot| knot <= x);
    let first = (y[i + 1] - y[i]) / (knots[i + 1] - knots[i]);
    Jet { value: y[i] + first * (x - knots[i]), first, second: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let (x, y) = (vec![-2.0, -1.0, 0.5, 1.0, 3.0], vec![0.3, -0.2, 0.9, 0.4, 0.1]);
        let spline = Function::Spline(Spline::natural(&x, &y).unwrap());
        let functions = [
            spline.clone(),
            Function::Spline(Spline::simm(&x, &y).unwrap()),
            Function::Times(-2.5, Box::new(spline)),
            Function::Polynomial(vec![0.5, -1.0, 2.0, 3.0]),
            Function::Linear { slope: 2.0, intercept: -1.0 },
            Function::Constant(4.0),
        ];
        let h = 1e-4;
        for (f, x) in functions.iter().flat_map(|f| [-2.5, -1.3, 0.2, 0.7, 2.9, 3.5].map(|x| (f, x))) {
            let (before, now, after) = (f.at(x - h), f.at(x), f.at(x + h));
            assert!((now.first - (after.value - before.value) / (2.0 * h)).abs() < 1e-6, "{f:?} at {x}");
            assert!((now.second - (after.first - before.first) / (2.0 * h)).abs() < 1e-6, "{f:?} at {x}");
        }
    }

    #[test]
    fn a_spline_passes_its_points_and_refuses_what_does_not_ascend() {
        let spline = Spline::natural(&[0.0, 1.0, 2.0], &[1.0, 3.0, -1.0]).unwrap();
        for (x, y) in [(0.0, 1.0), (1.0, 3.0), (2.0, -1.0)] {
            assert!((spline.at(x).value - y).abs() < 1e-12);
        }
        assert_eq!(Spline::natural(&[0.0, 0.0], &[1.0, 1.0]), None);
        assert_eq!(Spline::natural(&[0.0], &[1.0]), None);
    }

    #[test]
    fn the_ends_of_a_simm_spline_are_those_of_the_cubic_through_them() {
        let cubic = |x: f64| 0.3 - x + 0.5 * x * x - 0.25 * x * x * x;
        let x = [-1.0, 0.2, 0.5, 1.7, 2.0];
        let spline = Spline::simm(&x, &x.map(cubic)).unwrap();
        for x in [-1.0, -0.6, 0.3, 1.0, 2.0] {
            assert!((spline.at(x).value - cubic(x)).abs() < 1e-12, "at {x}");
        }
        let parabola = Spline::simm(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0]).unwrap();
        assert!((parabola.at(2.0).value - 4.0).abs() < 1e-12);
        assert!((parabola.at(4.0).value - 15.0).abs() < 1e-12, "straight beyond the end");
        assert!((Spline::simm(&[0.0, 1.0], &[0.0, 2.0]).unwrap().at(0.5).value - 1.0).abs() < 1e-12);
    }
}
