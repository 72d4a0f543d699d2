//! Over a cylinder along z: a helix, which is straight on the unrolled surface.
//!
//! ```text
//! l² = (s₁ + r θ + s₂)² + (z₂ − z₁)²      z grows evenly along s₁, r θ, s₂
//! ```
//!
//! `OpenSim` slides its tangents along z until they are within 0.1 degrees, and since 4.4 not at all where a path has but one
//! surface (opensim-core, pull request 3125); these here are exact.

use super::{Arc, Around, Contact, Way, is_on};
use crate::model::Side;
use glam::{DVec2, DVec3, Vec3Swizzles as _};

pub(super) fn wrap(radius: f64, length: f64, side: Option<Side>, from: DVec3, to: DVec3) -> Contact {
    let (a, b) = (from.truncate(), to.truncate());
    if a.length() < radius || b.length() < radius {
        return Contact::Inside;
    }
    let Some(nearest) = nearest_to_axis(from, to) else { return Contact::None };
    let crosses = nearest.within && nearest.point.truncate().length() < radius;
    let ways = Around::both(radius, a, b);
    let (around, must) = match side {
        None if crosses => (Around::shorter(ways), true),
        None => return Contact::None,
        Some(side) => {
            let (first, second) = (is_on(side, from), is_on(side, to));
            let may = match (first, second) {
                (false, false) => true,
                (true, true) => false,
                _ => !is_on(side, nearest.point),
            };
            let must = crosses && (first || second);
            if !must && !may {
                return Contact::None;
            }
            (on_side(side, radius, from.z, to.z, ways), must)
        }
    };
    let way = helix(radius, &around, from.z, to.z);
    let beyond = |z: f64| z.abs() > 0.5 * length;
    match way {
        // OpenSim's rule: a line that touches beyond both ends of the cylinder does not feel it
        Way { arc, .. } if beyond(arc.at(0.0).z) && beyond(arc.at(1.0).z) => Contact::None,
        way if must => Contact::Must(way),
        way => Contact::May(way),
    }
}

/// Where a line comes nearest to the z axis.
struct Nearest {
    point: DVec3,
    /// Whether that is between its ends.
    within: bool,
}

/// None for a line along the axis.
fn nearest_to_axis(from: DVec3, to: DVec3) -> Option<Nearest> {
    let step = (to - from).xy();
    let share = -from.xy().dot(step) / step.length_squared();
    share.is_finite().then(|| Nearest { point: from.lerp(to, share), within: share > 0.0 && share < 1.0 })
}

/// `OpenSim`'s choice between both ways where paths keep to a side: by where they would touch first, or last.
fn on_side(side: Side, radius: f64, z1: f64, z2: f64, [left, right]: [Around; 2]) -> Around {
    let on = |touch: DVec2, z: f64| is_on(side, (radius * touch).extend(z));
    let [left_first, right_first] = [on(left.touches[0], z1), on(right.touches[0], z1)];
    let [left_last, right_last] = [on(left.touches[1], z2), on(right.touches[1], z2)];
    let apart = |way: &Around| way.touches[0].dot(way.touches[1]);
    let take_left = match (left_first, right_first) {
        (true, false) => true,
        (false, true) => false,
        (true, true) => !right_last,
        (false, false) if right_last || left_last => !right_last,
        (false, false) => apart(&left) < apart(&right),
    };
    if take_left { left } else { right }
}

/// The helix around, with its height shared out evenly.
fn helix(radius: f64, around: &Around, z1: f64, z2: f64) -> Way {
    let bow = radius * around.angle;
    let flat = around.straight[0] + bow + around.straight[1];
    let slope = if flat > 0.0 { (z2 - z1) / flat } else { 0.0 };
    let arc = Arc {
        center: DVec3::Z * (z1 + slope * around.straight[0]),
        across: [around.touches[0], around.onward()].map(|v| (radius * v).extend(0.0)),
        along: DVec3::Z * (slope * bow),
        angle: around.angle,
    };
    Way { arc, length: bow.hypot(slope * bow) }
}
