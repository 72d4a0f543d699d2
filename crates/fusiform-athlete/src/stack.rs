//! One body part as a stack of cross-sections along a straight axis: the brush the athlete is sculpted with.
//!
//! A section is four quarter ellipses (outer, inner, front and back radius), pulled toward a rounded square where
//! flesh is boxy. Between stations every number runs along a cubic, so that the surface has no creases.

use glam::{Vec2, Vec3};

/// One cross-section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// Metres along the axis.
    pub at: f32,
    /// Metres: outer, inner, front, back radius, then the section's centre from the axis, outward and forward;
    /// last the squareness, 0 an ellipse .. 1 a superellipse of degree four.
    pub shape: [f32; CHANNELS],
}

/// Numbers of a section beside its place.
const CHANNELS: usize = 7;

/// A station from its place, radii (outer, inner, front, back), centre (outward, forward) and squareness.
pub(crate) const fn station(at: f32, radii: [f32; 4], centre: [f32; 2], square: f32) -> Station {
    Station { at, shape: [radii[0], radii[1], radii[2], radii[3], centre[0], centre[1], square] }
}

/// A body part.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    origin: Vec3,
    along: Vec3,
    outward: Vec3,
    forward: Vec3,
    stations: Vec<Station>,
    /// Change of every number per metre at each station.
    slopes: Vec<[f32; CHANNELS]>,
    /// How far the rounded ends reach beyond the first and the last station, metres.
    caps: [f32; 2],
    /// Largest distance of the surface from the axis, metres.
    girth: f32,
}

/// Further away than this a part's exact shape does not matter: wider than any seam, metres.
const FAR: f32 = 0.10;

impl Stack {
    /// A part about the axis from `origin` toward `to`; `forward` is made perpendicular to it, outward is
    /// along x forward.
    pub fn new(origin: Vec3, to: Vec3, forward: Vec3, caps: [f32; 2], stations: &[Station]) -> Self {
        let along = (to - origin).normalize();
        let outward = along.cross(forward).normalize();
        let slopes = slopes(stations);
        let reach = |s: &Station| {
            let [outer, inner, front, back, out, fwd, _] = s.shape;
            // a rounded square reaches further along its diagonal
            Vec2::new(outer.max(inner) + out.abs(), front.max(back) + fwd.abs()).length()
        };
        let girth = stations.iter().map(reach).fold(0.0, f32::max);
        let forward = outward.cross(along);
        Self { origin, along, outward, forward, stations: stations.to_vec(), slopes, caps, girth }
    }

    /// The same part with outer and inner side exchanged.
    pub fn flipped(mut self) -> Self {
        self.outward = -self.outward;
        self
    }

    /// About the signed distance to the part's surface, metres, negative inside; exact to first order at the surface.
    pub fn distance(&self, p: Vec3) -> f32 {
        let local = p - self.origin;
        let at = local.dot(self.along);
        let (first, last) = (self.stations[0].at, self.stations[self.stations.len() - 1].at);
        let past = (first - self.caps[0] - at).max(at - last - self.caps[1]).max(0.0);
        let aside = ((local - self.along * at).length() - self.girth).max(0.0);
        let bound = (past * past + aside * aside).sqrt();
        if bound > FAR {
            return bound;
        }
        let [outer, inner, front, back, out, fwd, square] = self.section(at.clamp(first, last));
        let (u, v) = (local.dot(self.outward) - out, local.dot(self.forward) - fwd);
        let (a, b) = (if u > 0.0 { outer } else { inner }, if v > 0.0 { front } else { back });
        let (x, y) = (u / a, v / b);
        let (g, slope) = section_norm(x, y, a, b, square);
        let beyond = if at < first { (first - at) / self.caps[0] } else { ((at - last) / self.caps[1]).max(0.0) };
        if beyond == 0.0 {
            return (g - 1.0) / slope;
        }
        // past the ends the section shrinks like an ellipsoid's
        let cap = if at < first { self.caps[0] } else { self.caps[1] };
        let whole = (g * g + beyond * beyond).sqrt();
        let gradient = ((g * slope).powi(2) + (beyond / cap).powi(2)).sqrt() / whole;
        (whole - 1.0) / gradient
    }

    /// The section's numbers at that place between the first and the last station.
    fn section(&self, at: f32) -> [f32; CHANNELS] {
        let after = self.stations.iter().position(|s| s.at > at).unwrap_or(self.stations.len() - 1).max(1);
        let (s0, s1) = (&self.stations[after - 1], &self.stations[after]);
        let length = s1.at - s0.at;
        let t = (at - s0.at) / length;
        let (t2, t3) = (t * t, t * t * t);
        let h = [2.0 * t3 - 3.0 * t2 + 1.0, (t3 - 2.0 * t2 + t) * length, -2.0 * t3 + 3.0 * t2, (t3 - t2) * length];
        let (m0, m1) = (&self.slopes[after - 1], &self.slopes[after]);
        std::array::from_fn(|c| h[0] * s0.shape[c] + h[1] * m0[c] + h[2] * s1.shape[c] + h[3] * m1[c])
    }
}

/// Norm that is 1 on the section's outline, and the length of its gradient, for coordinates scaled by the radii.
fn section_norm(x: f32, y: f32, a: f32, b: f32, square: f32) -> (f32, f32) {
    let (x2, y2) = (x * x, y * y);
    let round = (x2 + y2).sqrt().max(1e-6);
    let boxy = (x2 * x2 + y2 * y2).sqrt().sqrt().max(1e-6);
    let cube = boxy * boxy * boxy;
    let dx = ((1.0 - square) * x / round + square * x * x2 / cube) / a;
    let dy = ((1.0 - square) * y / round + square * y * y2 / cube) / b;
    let slope = (dx * dx + dy * dy).sqrt();
    // on the axis itself the gradient vanishes; any radius will do there
    ((1.0 - square) * round + square * boxy, slope.max(0.5 / a.max(b)))
}

/// Slopes of the cubic spline through the stations: curvature is continuous, and the ends run level into their caps.
fn slopes(stations: &[Station]) -> Vec<[f32; CHANNELS]> {
    let n = stations.len();
    let mut slopes = vec![[0.0; CHANNELS]; n];
    for c in 0..CHANNELS {
        // Thomas' elimination of  m[i-1]/h0 + 2 (1/h0 + 1/h1) m[i] + m[i+1]/h1 = 3 (d0/h0 + d1/h1),  m = 0 at both ends
        let mut upper = vec![0.0; n];
        for i in 1..n - 1 {
            let (h0, h1) = (stations[i].at - stations[i - 1].at, stations[i + 1].at - stations[i].at);
            let secant = |from: usize, h: f32| (stations[from + 1].shape[c] - stations[from].shape[c]) / (h * h);
            let pivot = 2.0 * (1.0 / h0 + 1.0 / h1) - upper[i - 1] / h0;
            upper[i] = 1.0 / (h1 * pivot);
            slopes[i][c] = (3.0 * (secant(i - 1, h0) + secant(i, h1)) - slopes[i - 1][c] / h0) / pivot;
        }
        for i in (1..n - 1).rev() {
            slopes[i][c] -= upper[i] * slopes[i + 1][c];
        }
    }
    slopes
}

/// Union of two parts whose seam is filled over about `width` metres; never less than either part.
pub(crate) fn blend(a: f32, b: f32, width: f32) -> f32 {
    let h = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - h * h * h * width * (1.0 / 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn barrel() -> Stack {
        let round = |at, r| station(at, [r; 4], [0.0; 2], 0.0);
        Stack::new(Vec3::ZERO, Vec3::Y, Vec3::Z, [0.1; 2], &[round(0.0, 0.1), round(0.5, 0.2), round(1.0, 0.1)])
    }

    #[test]
    fn the_surface_goes_through_the_stations_and_the_tips_of_the_caps() {
        for p in [[0.2, 0.5, 0.0], [0.0, 0.5, -0.2], [0.1, 1.0, 0.0], [0.0, 1.1, 0.0], [0.0, -0.1, 0.0]] {
            assert!(barrel().distance(Vec3::from_array(p)).abs() < 1e-5, "{p:?}");
        }
    }

    #[test]
    fn outward_is_x_for_a_part_that_stands_up_and_looks_forward() {
        assert_eq!(barrel().outward, Vec3::X);
    }

    #[test]
    fn a_blend_contains_both_parts() {
        assert!(blend(0.01, 0.01, 0.02) < 0.0101 && blend(0.0, 0.5, 0.1) == 0.0);
    }
}
