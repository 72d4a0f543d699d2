//! How a taut line runs over a smooth surface: one kernel a shape, all in the surface's own frame.
//!
//! ```text
//! from ──> straight to arc.at(0) ──> arc on the surface ──> arc.at(1) straight ──> to
//! ```
//!
//! The choices (whether to wrap, and on which side) are those of `OpenSim`'s wrap objects, so that its models mean the
//! same here; where they are geodesics, the ways are computed in closed form.

mod closest;
mod cylinder;
mod ellipsoid;
mod sphere;
#[cfg(test)]
mod tests;
mod torus;

use crate::model::{Side, WrapMethod, WrapShape};
use glam::{DAffine3, DVec2, DVec3};
use std::f64::consts::TAU;

/// What a surface does to a straight line between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// Nothing.
    None,
    /// Nothing, since an end lies inside.
    Inside,
    /// The line may run over it; of several segments of a path the one that grows least does.
    May(Way),
    /// The line passes through it and must run over it.
    Must(Way),
}

/// The part of a path that lies on a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Way {
    /// Where.
    pub arc: Arc,
    /// m.
    pub length: f64,
}

/// A piece of an ellipse, circle or helix: `center + cos(t angle) across₀ + sin(t angle) across₁ + t along`, 0 ≤ t ≤ 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arc {
    center: DVec3,
    across: [DVec3; 2],
    along: DVec3,
    angle: f64,
}

impl Arc {
    /// The point at a share of it.
    #[must_use]
    pub fn at(&self, share: f64) -> DVec3 {
        let (sin, cos) = (share * self.angle).sin_cos();
        self.center + self.across[0] * cos + self.across[1] * sin + self.along * share
    }

    /// The same arc in another frame.
    #[must_use]
    pub fn moved(&self, frame: &DAffine3) -> Self {
        Self {
            center: frame.transform_point3(self.center),
            across: self.across.map(|v| frame.transform_vector3(v)),
            along: frame.transform_vector3(self.along),
            angle: self.angle,
        }
    }
}

/// Run a line from one point to another over a surface, all in the surface's frame.
#[must_use]
pub fn wrap(shape: &WrapShape, side: Option<Side>, method: WrapMethod, from: DVec3, to: DVec3) -> Contact {
    match *shape {
        WrapShape::Cylinder { radius, length } => cylinder::wrap(radius, length, side, from, to),
        WrapShape::Sphere { radius } => sphere::wrap(radius, side, from, to),
        WrapShape::Ellipsoid { radii } => ellipsoid::wrap(radii, side, method, from, to),
        WrapShape::Torus { inner, outer } => torus::wrap(inner, outer, side, from, to),
    }
}

/// Radians by which a line that touches at one point may seem to touch too late.
const GRAZING: f64 = 1e-9;

/// Whether a point lies on a side; the border belongs to the positive one.
fn is_on(side: Side, point: DVec3) -> bool {
    (point[side.axis] >= 0.0) == (side.sign > 0.0)
}

/// Around a circle about the origin, from one point outside it to another, one way or the other.
#[derive(Clone, Copy, Debug)]
struct Around {
    /// Directions to where the line touches first and last.
    touches: [DVec2; 2],
    /// How far it follows the circle, in 0 .. 2π.
    angle: f64,
    /// 1 counterclockwise, −1 clockwise.
    turn: f64,
    /// Lengths of both straight parts.
    straight: [f64; 2],
}

impl Around {
    /// Both ways: counterclockwise, clockwise. A point on the circle, or by rounding inside, touches where it is.
    fn both(radius: f64, from: DVec2, to: DVec2) -> [Self; 2] {
        let straight = [from, to].map(|p| (p.length_squared() - radius * radius).max(0.0).sqrt());
        let lean = [straight[0].atan2(radius), straight[1].atan2(radius)];
        let heading = [from, to].map(|p| p.y.atan2(p.x));
        [1.0, -1.0].map(|turn| {
            let first = heading[0] + turn * lean[0];
            let last = heading[1] - turn * lean[1];
            let angle = (turn * (last - first)).rem_euclid(TAU);
            // where a line only grazes, rounding must not send it once around
            let angle = if angle > TAU - GRAZING { 0.0 } else { angle };
            Self { touches: [first, last].map(DVec2::from_angle), angle, turn, straight }
        })
    }

    /// The direction of travel at the first touch.
    fn onward(&self) -> DVec2 {
        self.turn * self.touches[0].perp()
    }

    fn shorter([left, right]: [Self; 2]) -> Self {
        if left.angle <= right.angle { left } else { right }
    }
}
