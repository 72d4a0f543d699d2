//! Functions of one number, with their first and second derivatives.
//!
//! What models say of coordinates and moving points. Splines are cubics that go on straight beyond their ends; two kinds
//! differ in how they leave their first and last point.

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
    /// Without bend at its ends: y″ = 0. None if there are fewer than two points, if x does not ascend or is not finite.
    #[must_use]
    pub fn natural(x: &[f64], y: &[f64]) -> Option<Self> {
        Self::through(x, y, |_| [(1.0, 0.0, 0.0); 2])
    }

    /// `OpenSim`'s `SimmSpline`: y‴ at each end is that of the cubic through the four points there.
    ///
    /// Forsythe, Malcolm, Moler: *Computer Methods for Mathematical Computations*, 1977, section 4.4. Three points give
    /// a parabola, two a line. None if there are fewer than two points, if x does not ascend or is not finite.
    #[must_use]
    pub fn simm(x: &[f64], y: &[f64]) -> Option<Self> {
        Self::through(x, y, |third| {
            let last = x.len() - 1;
            // y″ changes by h y‴ over the first and over the last interval
            let (first_step, last_step) = (x[1] - x[0], x[last] - x[last - 1]);
            [(-1.0, 1.0, first_step * third[0]), (1.0, -1.0, last_step * third[1])]
        })
    }

    /// `ends` gives, from y‴ at both ends, the rows (own factor, neighbour's factor, right side) for the outer y″.
    fn through(x: &[f64], y: &[f64], ends: impl Fn([f64; 2]) -> [(f64, f64, f64); 2]) -> Option<Self> {
        let finite = x.iter().chain(y).all(|v| v.is_finite());
        if x.len() != y.len() || x.len() < 2 || !finite || x.windows(2).any(|pair| pair[0] >= pair[1]) {
            return None;
        }
        let second = match x.len() {
            2 => vec![0.0; 2],
            n => second_derivatives(x, y, ends([third(x, y, 0), third(x, y, n.saturating_sub(4))])),
        };
        Some(Self { second: second.into(), x: x.into(), y: y.into() })
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

/// y‴ of the cubic through four points, by divided differences; of three points, 0.
fn third(x: &[f64], y: &[f64], from: usize) -> f64 {
    if x.len() < 4 {
        return 0.0;
    }
    let mut differences = [y[from], y[from + 1], y[from + 2], y[from + 3]];
    for order in 1..4 {
        for i in 0..4 - order {
            differences[i] = (differences[i + 1] - differences[i]) / (x[from + i + order] - x[from + i]);
        }
    }
    6.0 * differences[0]
}

/// y″ at every x of three or more, by the tridiagonal system (Thomas' algorithm):
/// `h₀ y″₋ + 2 (h₀ + h₁) y″ + h₁ y″₊ = 6 (slope₁ − slope₀)`, and a row for each end.
fn second_derivatives(x: &[f64], y: &[f64], [first, last]: [(f64, f64, f64); 2]) -> Vec<f64> {
    let n = x.len();
    let (mut second, mut upper) = (vec![0.0; n], vec![0.0; n]);
    (upper[0], second[0]) = (first.1 / first.0, first.2 / first.0);
    for i in 1..n {
        let (lower, own, above, right) = if i == n - 1 {
            (last.1, last.0, 0.0, last.2)
        } else {
            let (h0, h1) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            (h0, 2.0 * (h0 + h1), h1, 6.0 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0))
        };
        let pivot = own - lower * upper[i - 1];
        (upper[i], second[i]) = (above / pivot, (right - lower * second[i - 1]) / pivot);
    }
    for i in (0..n - 1).rev() {
        second[i] -= upper[i] * second[i + 1];
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
    fn a_simm_spline_repeats_a_cubic_and_of_three_points_a_parabola() {
        let x = [-1.0, -0.4, 0.3, 0.9, 2.0];
        let cubic = Function::Polynomial(vec![0.7, -1.0, 0.5, 2.0]);
        let y = x.map(|x| cubic.at(x).value);
        let spline = Spline::simm(&x, &y).unwrap();
        for at in [-1.0, -0.7, 0.0, 0.5, 1.5, 2.0] {
            assert!((spline.at(at).value - cubic.at(at).value).abs() < 1e-12, "at {at}");
            assert!((spline.at(at).second - cubic.at(at).second).abs() < 1e-11, "at {at}");
        }
        let parabola = Spline::simm(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0]).unwrap();
        assert!((parabola.at(2.0).value - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_simm_spline_goes_on_straight_beyond_its_ends() {
        let spline = Spline::simm(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 4.0, 9.0]).unwrap();
        let end = spline.at(3.0);
        assert!((end.first - 6.0).abs() < 1e-12);
        assert_eq!(spline.at(4.0), Jet { value: end.value + end.first, first: end.first, second: 0.0 });
    }
}
