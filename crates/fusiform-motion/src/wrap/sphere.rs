//! Over a sphere: a great circle in the plane of both ends and the center.

use super::{Arc, Around, Contact, Way, is_on};
use crate::model::Side;
use glam::{DVec2, DVec3};

pub(super) fn wrap(radius: f64, side: Option<Side>, from: DVec3, to: DVec3) -> Contact {
    if from.length() < radius || to.length() < radius {
        return Contact::Inside;
    }
    let share = -from.dot(to - from) / (to - from).length_squared();
    if !(share > 0.0 && share < 1.0 && from.lerp(to, share).length() < radius) {
        return Contact::None;
    }
    let x = from.normalize();
    // a line through the center may go any way around; one is as long as the other
    let y = (to - x * to.dot(x)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    let flat = |p: DVec3| DVec2::new(p.dot(x), p.dot(y));
    let ways = Around::both(radius, flat(from), flat(to));
    let round = |way: Around| {
        let across = [way.touches[0], way.onward()].map(|v| radius * (x * v.x + y * v.y));
        let arc = Arc { across, angle: way.angle, ..Arc::default() };
        Way { arc, length: radius * way.angle }
    };
    let short = round(Around::shorter(ways));
    let Some(side) = side else { return Contact::May(short) };
    match [from, to].map(|p| is_on(side, p)) {
        [true, true] => Contact::Must(short),
        on => {
            let way = round(keeping_to(side, ways, round, from, to));
            if on == [false, false] { Contact::May(way) } else { Contact::Must(way) }
        }
    }
}

/// `OpenSim`'s choice: the long way, unless its straight parts lead away from the side.
fn keeping_to(side: Side, ways: [Around; 2], round: impl Fn(Around) -> Way, from: DVec3, to: DVec3) -> Around {
    let [short, long] = if ways[0].angle <= ways[1].angle { ways } else { [ways[1], ways[0]] };
    let Way { arc, .. } = round(long);
    let leads = (arc.at(0.0) - from) + (arc.at(1.0) - to);
    if leads[side.axis] * side.sign < 0.0 { short } else { long }
}
