//! The quasi-static muscle: nine numbers of its shape, and the 27 by which they answer length and tension.
//!
//! ```text
//! k(x)   = k₃ / (1 + exp(k₁ − k₂ x)) + k₄         semi-axis along b; x = 0 at the end of a part, 1 at the centre
//! k √(1 − ε²)                                     semi-axis along c
//! number = rest + by_length (l − l_rest) + by_tension τ
//! ```
//!
//! Murai et al. 2016, eq. 1-3. They write `α l + β τ + γ`; counted from the length at rest, the constant is the shape at rest
//! itself, which an artist has made and a fit should not have to know α to keep ([`Law::to_paper`] converts).
//!
//! Straight lines leave the legal sooner or later, so evaluation has limits, and everyone evaluates by these functions: what
//! was fitted is what runs. They are few and plain enough to be written again elsewhere in f32:
//!
//! ```text
//! l in [0.05, 3] l_rest    τ in [0, 1]    k₂ ≥ 0    ε in [0, 0.99]    k(x) ≥ 0.1 mm    growth in [0.2, 3]
//! ```

/// m: no belly is thinner.
pub const LEAST_RADIUS: f64 = 1e-4;
/// No section is flatter.
pub const MOST_ECCENTRICITY: f64 = 0.99;
/// A section's axis is never less, nor more, than this times its own at rest.
pub const GROWTH: [f64; 2] = [0.2, 3.0];
/// Lengths that count, times that at rest.
pub const LENGTHS: [f64; 2] = [0.05, 3.0];
/// Beyond this the sigmoid is flat to the last digit of an f32, and exp stays finite.
const STEEPEST: f64 = 30.0;

/// As many numbers as a shape has: four of part 1 (from the origin), four of part 2 (from the insertion), eccentricity.
pub(super) const N_SHAPE: usize = 9;
/// Where among them the eccentricity is.
pub(super) const ECCENTRICITY: usize = 8;
/// The nine in a row.
pub(super) type Nine = [f64; N_SHAPE];

/// The nine numbers of a shape, or how fast each of them changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// k₁ … k₄ of the part from the origin, then of the part from the insertion.
    pub k: [[f64; 4]; 2],
    /// ε, 0 for a circle.
    pub eccentricity: f64,
}

impl Shape {
    pub(super) fn from_nine(n: &Nine) -> Self {
        Self { k: [[n[0], n[1], n[2], n[3]], [n[4], n[5], n[6], n[7]]], eccentricity: n[ECCENTRICITY] }
    }

    pub(super) fn to_nine(self) -> Nine {
        let [a, b] = self.k;
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], self.eccentricity]
    }

    /// m: the semi-axes along b and c, at a share of the belly from origin (0) to insertion (1).
    #[must_use]
    pub fn semi_axes(&self, share: f64) -> [f64; 2] {
        let (part, x) = part_of(share);
        let b = radius(&self.k[part], x);
        [b, b * flatness(self.eccentricity)]
    }

    /// m: from the path to the surface, toward the polar angle `phi` from the axis b.
    ///
    /// ```text
    /// R = k √(1 − ε²) / √(1 − ε² cos² φ)
    /// ```
    ///
    /// An ellipse in polar form. Eq. 1 of the paper takes θ for the eccentric angle, which a marker does not show.
    #[must_use]
    pub fn polar_radius(&self, part: usize, x: f64, phi: f64) -> f64 {
        radius(&self.k[part], x) * toward(self.eccentricity, phi.cos().powi(2)).0
    }

    /// What a shape has grown by since rest, along b and along c, at a share of the belly.
    #[must_use]
    pub fn growth(&self, rest: &Self, share: f64) -> [f64; 2] {
        let (part, x) = part_of(share);
        let b = radius(&self.k[part], x) / radius(&rest.k[part], x);
        let c = b * (flatness(self.eccentricity) / flatness(rest.eccentricity));
        [b.clamp(GROWTH[0], GROWTH[1]), c.clamp(GROWTH[0], GROWTH[1])]
    }

    /// m³ of the belly, of a length: eq. 8, each part having half of it.
    #[must_use]
    pub fn volume(&self, length: f64) -> f64 {
        super::volume::of(&self.to_nine(), length)
    }

    pub(super) fn is_finite(&self) -> bool {
        self.to_nine().iter().all(|n| n.is_finite())
    }
}

/// How the nine numbers of a muscle answer its length and tension: 27 numbers, and the length that is rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// m, above 0.
    pub rest_length: f64,
    /// The shape at rest: γ of our form.
    pub rest: Shape,
    /// α, per metre of length beyond rest.
    pub by_length: Shape,
    /// β, per whole tension (1 is all that the muscle can do).
    pub by_tension: Shape,
}

impl Law {
    /// The shape at a length (m) and a tension (0 … 1). Legal whatever they are; not a number counts as rest.
    #[must_use]
    pub fn at(&self, length: f64, tension: f64) -> Shape {
        let [longer, tension] = state(self.rest_length, length, tension);
        let (rest, a, b) = (self.rest.to_nine(), self.by_length.to_nine(), self.by_tension.to_nine());
        Shape::from_nine(&legal(std::array::from_fn(|n| rest[n] + a[n] * longer + b[n] * tension)))
    }

    /// Growth along b and c since rest, at a share of the belly. At rest exactly 1.
    #[must_use]
    pub fn growth(&self, length: f64, tension: f64, share: f64) -> [f64; 2] {
        let rest = Shape::from_nine(&legal(self.rest.to_nine()));
        self.at(length, tension).growth(&rest, share)
    }

    /// α, β, γ of the nine numbers as the paper writes them, `α l + β τ + γ`, for tension in newtons of a muscle that can pull
    /// with `strength`; 1 where tension stays a share.
    #[must_use]
    pub fn to_paper(&self, strength: f64) -> [[f64; 3]; 9] {
        let (rest, a, b) = (self.rest.to_nine(), self.by_length.to_nine(), self.by_tension.to_nine());
        std::array::from_fn(|n| [a[n], b[n] / strength, rest[n] - a[n] * self.rest_length])
    }

    /// The other way.
    #[must_use]
    pub fn from_paper(numbers: &[[f64; 3]; 9], strength: f64, rest_length: f64) -> Self {
        let column = |f: &dyn Fn(&[f64; 3]) -> f64| Shape::from_nine(&std::array::from_fn(|n| f(&numbers[n])));
        Self {
            rest_length,
            rest: column(&|[a, _, c]| c + a * rest_length),
            by_length: column(&|n| n[0]),
            by_tension: column(&|n| n[1] * strength),
        }
    }
}

/// Length beyond rest, and tension, as they count.
pub(super) fn state(rest_length: f64, length: f64, tension: f64) -> [f64; 2] {
    let longer = length.clamp(LENGTHS[0] * rest_length, LENGTHS[1] * rest_length) - rest_length;
    [if longer.is_finite() { longer } else { 0.0 }, if tension.is_finite() { tension.clamp(0.0, 1.0) } else { 0.0 }]
}

/// Within the limits that do not depend on x.
fn legal(mut n: Nine) -> Nine {
    n[1] = n[1].max(0.0);
    n[5] = n[5].max(0.0);
    n[ECCENTRICITY] = n[ECCENTRICITY].clamp(0.0, MOST_ECCENTRICITY);
    n
}

/// Part, and x in it, of a share of the belly.
#[must_use]
pub fn part_of(share: f64) -> (usize, f64) {
    if share <= 0.5 { (0, (2.0 * share).max(0.0)) } else { (1, (2.0 * (1.0 - share)).max(0.0)) }
}

/// m: k(x) of a part, never below [`LEAST_RADIUS`].
#[must_use]
pub fn radius(k: &[f64; 4], x: f64) -> f64 {
    (k[2] * rise(k, x) + k[3]).max(LEAST_RADIUS)
}

/// The sigmoid alone, 0 … 1.
pub(super) fn rise(k: &[f64; 4], x: f64) -> f64 {
    1.0 / (1.0 + (k[0] - k[1] * x).clamp(-STEEPEST, STEEPEST).exp())
}

/// [`radius`], and its derivatives by k₁ … k₄. At the limit, and as near to it as rounding brings a legal shape, they are those
/// of the sigmoid, so that a fit that touches it can leave it again.
pub(super) fn radius_by(k: &[f64], x: f64) -> (f64, [f64; 4]) {
    let k = &[k[0], k[1], k[2], k[3]];
    let u = rise(k, x);
    let value = k[2] * u + k[3];
    if value < LEAST_RADIUS - 1e-8 {
        return (LEAST_RADIUS, [0.0; 4]);
    }
    let slope = k[2] * u * (1.0 - u);
    (value.max(LEAST_RADIUS), [-slope, slope * x, u, 1.0])
}

/// √(1 − ε²).
pub(super) fn flatness(eccentricity: f64) -> f64 {
    (1.0 - eccentricity * eccentricity).sqrt()
}

/// R/k of [`Shape::polar_radius`] for cos² φ, and its derivative by ε.
pub(super) fn toward(eccentricity: f64, cos2: f64) -> (f64, f64) {
    let e2 = eccentricity * eccentricity;
    let (round, seen) = (1.0 - e2, 1.0 - e2 * cos2);
    let value = (round / seen).sqrt();
    (value, value * eccentricity * (cos2 / seen - 1.0 / round))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Law {
        let k = [[2.0, 6.0, 0.03, 0.008], [3.0, 7.0, 0.028, 0.009]];
        let a = [[0.3, -0.8, -0.05, 0.004], [-0.5, 0.9, -0.04, 0.003]];
        let b = [[0.2, 0.3, 0.004, 0.0002], [0.1, -0.4, 0.003, -0.0002]];
        Law {
            rest_length: 0.3,
            rest: Shape { k, eccentricity: 0.5 },
            by_length: Shape { k: a, eccentricity: -0.8 },
            by_tension: Shape { k: b, eccentricity: 0.1 },
        }
    }

    #[test]
    fn at_rest_nothing_has_grown() {
        let law = some();
        assert_eq!(law.at(0.3, 0.0), law.rest);
        for i in 0..=20 {
            assert_eq!(law.growth(0.3, 0.0, f64::from(i) / 20.0), [1.0; 2]);
        }
        assert_eq!(law.growth(f64::NAN, f64::NAN, 0.4), [1.0; 2]);
    }

    #[test]
    fn every_length_and_tension_gives_a_legal_shape() {
        let mut law = some();
        for scale in [1.0, 1e3, -1e9] {
            for shape in [&mut law.by_length, &mut law.by_tension] {
                *shape = Shape::from_nine(&shape.to_nine().map(|n| n * scale));
            }
            for (length, tension) in [(0.0, 5.0), (1e9, -3.0), (0.2, f64::INFINITY), (f64::NEG_INFINITY, 0.5)] {
                let shape = law.at(length, tension);
                assert!((0.0..=MOST_ECCENTRICITY).contains(&shape.eccentricity));
                for share in [0.0, 0.1, 0.5, 0.51, 1.0] {
                    assert!(shape.semi_axes(share)[0] >= LEAST_RADIUS && shape.semi_axes(share)[0].is_finite());
                    let growth = law.growth(length, tension, share);
                    assert!(growth.iter().all(|g| (GROWTH[0]..=GROWTH[1]).contains(g)));
                }
            }
        }
    }

    #[test]
    fn the_form_of_the_paper_and_back_is_the_same_law() {
        let (law, strength) = (some(), 800.0);
        let paper = law.to_paper(strength);
        let back = Law::from_paper(&paper, strength, law.rest_length);
        let (length, force) = (0.26, 500.0);
        let (found, wanted) = (back.at(length, force / strength).to_nine(), law.at(length, force / strength).to_nine());
        for n in 0..N_SHAPE {
            let [a, b, c] = paper[n];
            assert!((a * length + b * force + c - wanted[n]).abs() < 1e-12 && (found[n] - wanted[n]).abs() < 1e-12);
        }
    }

    #[test]
    fn a_marker_on_the_ellipse_sees_its_polar_radius() {
        let shape = some().rest;
        for i in 0..12 {
            let (sin, cos) = (f64::from(i) * 0.5).sin_cos();
            let [b, c] = shape.semi_axes(0.3);
            let (y, z) = (b * cos, c * sin);
            assert!((shape.polar_radius(0, 0.6, z.atan2(y)) - y.hypot(z)).abs() < 1e-15);
        }
    }
}
