//! Two sigmoids that meet at the middle of a belly: a shape, and how it answers (Murai eq. 1-3).

use serde::{Deserialize, Serialize};

/// The nine numbers of two sigmoids: a shape, or how fast each of its numbers changes.
///
/// ```text
/// k(x) = k₃ / (1 + exp(k₁ − k₂ x)) + k₄        x = 0 at the end of the belly, 1 at its middle
/// half-axes of the section: k(x) and k(x) √(1 − ε²)
/// ```
///
/// Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue Dynamics*,
/// 2016, eq. 1. The paper's angle is the eccentric one: as a polar angle its eq. 1 would be no ellipse and contradict eq. 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sigmoids {
    /// k₁, k₂ (no unit), k₃, k₄ (metres) of the half from the origin.
    pub origin: [f32; 4],
    /// And of the half from the insertion.
    pub insertion: [f32; 4],
    /// ε.
    pub eccentricity: f32,
}

/// No belly is thinner, metres.
const LEAST_RADIUS: f32 = 1e-4;
/// Beyond this exponent a sigmoid is flat.
const STEEPEST: f32 = 30.0;
/// No section is flatter.
pub(crate) const MOST_ECCENTRIC: f32 = 0.99;
/// Steepness of a fresh spindle: close to a sine between a thin tendon and the middle.
const RISE: [f32; 2] = [2.2, 6.0];
/// Radius of a fresh spindle's ends, as a share of its middle.
const END: f32 = 0.03;

impl Sigmoids {
    /// A spindle as thick as that at its middle, metres, alike on both sides; `ratio` is its shorter axis over its longer one.
    #[must_use]
    pub fn spindle(radius: f32, ratio: f32) -> Self {
        let at = |x: f32| 1.0 / (1.0 + libm::expf(RISE[0] - RISE[1] * x));
        // k(1) = radius and k(0) = END radius
        let k3 = radius * (1.0 - END) / (at(1.0) - at(0.0));
        let half = [RISE[0], RISE[1], k3, radius - k3 * at(1.0)];
        let ratio = ratio.clamp(0.0, 1.0);
        Self { origin: half, insertion: half, eccentricity: (1.0 - ratio * ratio).max(0.0).sqrt().min(MOST_ECCENTRIC) }
    }

    /// Radius along the long axis of the section at share `s` of a belly of that shape, metres; never below a tenth of a
    /// millimetre. A falling sigmoid (k₂ below 0) counts as flat, as in what identifies muscles.
    #[must_use]
    pub fn radius(&self, s: f32) -> f32 {
        let half = |[k1, k2, k3, k4]: [f32; 4], x: f32| {
            let exponent = (k1 - k2.max(0.0) * x).clamp(-STEEPEST, STEEPEST);
            (k3 / (1.0 + libm::expf(exponent)) + k4).max(LEAST_RADIUS)
        };
        if s <= 0.5 { half(self.origin, 2.0 * s) } else { half(self.insertion, 2.0 * (1.0 - s)) }
    }

    /// √(1 − ε²): the short axis over the long one.
    #[must_use]
    pub fn flatness(&self) -> f32 {
        let e = self.eccentricity.clamp(0.0, MOST_ECCENTRIC);
        (1.0 - e * e).sqrt()
    }

    /// What makes the whole shape grow by `rate` of itself, its section staying alike.
    #[must_use]
    pub fn growing(&self, rate: f32) -> Self {
        let half = |k: [f32; 4]| [0.0, 0.0, k[2] * rate, k[3] * rate];
        Self { origin: half(self.origin), insertion: half(self.insertion), eccentricity: 0.0 }
    }

    /// All nine, the origin's first.
    #[must_use]
    pub fn numbers(&self) -> [f32; 9] {
        let ([a, b, c, d], [e, f, g, h]) = (self.origin, self.insertion);
        [a, b, c, d, e, f, g, h, self.eccentricity]
    }

    /// From [`Sigmoids::numbers`].
    #[must_use]
    pub fn from_numbers([a, b, c, d, e, f, g, h, eccentricity]: [f32; 9]) -> Self {
        Self { origin: [a, b, c, d], insertion: [e, f, g, h], eccentricity }
    }
}
