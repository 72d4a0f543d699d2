//! Through the hole of a torus about z: over the tube as if it were straight where the line comes near it.
//!
//! `inner` is the radius of the tube, `outer` that of the circle along its middle. `OpenSim`'s search for the place
//! doubles the circle; the same place is taken here, so that its models mean the same.

use super::{Contact, Way, cylinder, is_on};
use crate::model::Side;
use glam::{DAffine3, DMat3, DVec3};

/// Longer than any tube, so that its straight stand-in has no ends.
const ENDLESS: f64 = 1e4;

/// Newton's steps; four suffice nearly always.
const STEPS: usize = 60;

pub(super) fn wrap(inner: f64, outer: f64, side: Option<Side>, from: DVec3, to: DVec3) -> Contact {
    let Some(middle) = middle_of_tube(outer, side, from, to) else { return Contact::None };
    let x = -middle / outer;
    let axes = DMat3::from_cols(x, DVec3::NEG_Z, x.cross(DVec3::NEG_Z));
    let tube = DAffine3::from_mat3_translation(axes, middle);
    let to_tube = tube.inverse();
    let toward_hole = Side { axis: 0, sign: 1.0 };
    let [p, q] = [from, to].map(|p| to_tube.transform_point3(p));
    match cylinder::wrap(inner, ENDLESS, Some(toward_hole), p, q) {
        Contact::May(way) | Contact::Must(way) => Contact::May(Way { arc: way.arc.moved(&tube), ..way }),
        none => none,
    }
}

/// The point of the tube's middle circle that a line comes near: of those found from either end the nearer, on the side.
fn middle_of_tube(outer: f64, side: Option<Side>, from: DVec3, to: DVec3) -> Option<DVec3> {
    let candidates = [near_circle(2.0 * outer, from, to)?, near_circle(2.0 * outer, to, from)?];
    let distance = |p: DVec3| p.z.hypot(p.truncate().length() - outer);
    let allowed = candidates.into_iter().filter(|&p| side.is_none_or(|side| is_on(side, p)));
    let best = allowed.min_by(|&p, &q| distance(p).total_cmp(&distance(q)))?;
    Some(best.truncate().try_normalize()?.extend(0.0) * outer)
}

/// A point of a line whose distance to a circle about z changes with none of its neighbours, sought from its start.
///
/// ```text
/// d²(u) = |p|² + R² − 2 R ρ,   p = from + u n,   ρ² = x² + y²;    half its slope  p·n − R ρ′ = 0
/// ```
fn near_circle(radius: f64, from: DVec3, to: DVec3) -> Option<DVec3> {
    let n = (to - from).try_normalize()?;
    let slope = |u: f64| {
        let p = from + n * u;
        let rho = p.truncate().length();
        let rho_first = p.truncate().dot(n.truncate()) / rho;
        let rho_second = (n.truncate().length_squared() - rho_first * rho_first) / rho;
        (p.dot(n) - radius * rho_first, 1.0 - radius * rho_second)
    };
    let mut u = 0.0;
    let (mut value, mut rate) = slope(u);
    for _ in 0..STEPS {
        let mut step = -value / rate;
        if !step.is_finite() || step.abs() < 1e-12 {
            break;
        }
        // a step that does not help is halved until it does
        for _ in 0..STEPS {
            if slope(u + step).0.abs() <= value.abs() {
                break;
            }
            step *= 0.5;
        }
        u += step;
        (value, rate) = slope(u);
    }
    let found = from + n * u;
    found.is_finite().then_some(found)
}
