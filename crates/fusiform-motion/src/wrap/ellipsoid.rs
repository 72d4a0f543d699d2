//! Over an ellipsoid, in a plane: through both ends and a point of the surface that the muscle's line would slip to.
//!
//! ```text
//! divided by the radii the surface is a sphere, the plane's section a circle, and tangents stay tangents
//! l = ∫ |cos φ U + sin φ V|′ dφ      U, V: the circle's radii, multiplied again
//! ```
//!
//! The plane is found as `OpenSim` does it (its `hybrid`, `midpoint` and `axial` methods), so that its models mean the same;
//! a geodesic it is only nearly, so moment arms are −∂l/∂q only nearly, too.

use super::closest::{on_ellipse, on_ellipsoid};
use super::{Arc, Around, Contact, Way, is_on};
use crate::model::{Side, WrapMethod};
use glam::{DVec2, DVec3};

/// How far inside an end may lie, in squared radii, and still count as outside.
const SKIN: f64 = 1e-4;

/// Ends seen from the center under an angle whose cosine is nearer to 1 than this are side by side.
const SIDE_BY_SIDE: f64 = 1e-4;

/// A line whose direction has this cosine with an axis is as good as along it; below the first the axis says nothing.
const ALONG_AXIS: [f64; 2] = [0.7073, 0.9];

/// Near the ends of the line's part inside, the axis loses its say over this share.
const FADE: f64 = 0.3;

/// Places along the line that are asked where they would slip to.
const BLADES: usize = 300;

pub(super) fn wrap(radii: DVec3, side: Option<Side>, method: WrapMethod, from: DVec3, to: DVec3) -> Contact {
    // OpenSim's bounds are meant for radii about 1
    let scale = 3.0 / radii.element_sum();
    let (radii, from, to) = (radii * scale, from * scale, to * scale);
    let depth = |p: DVec3| (p / radii).length_squared() - 1.0;
    if depth(from) < -SKIN || depth(to) < -SKIN {
        return Contact::Inside;
    }
    if from.normalize_or_zero().dot(to.normalize_or_zero()) > 1.0 - SIDE_BY_SIDE {
        return Contact::None;
    }
    let Some(chord) = chord(radii, from, to) else { return Contact::None };
    let summit = summit(radii, side, method, chord);
    over(radii, from, to, &summit).map_or(Contact::None, |Way { arc, length }| {
        let shrink = |v: DVec3| v / scale;
        let arc = Arc { center: shrink(arc.center), across: arc.across.map(shrink), ..arc };
        Contact::Must(Way { arc, length: length / scale })
    })
}

/// Where a line between two points enters and leaves, when it does both.
fn chord(radii: DVec3, from: DVec3, to: DVec3) -> Option<[DVec3; 2]> {
    let (start, step) = (from / radii, (to - from) / radii);
    let (a, b, c) = (step.length_squared(), start.dot(step), start.length_squared() - 1.0);
    let root = (b * b - a * c).sqrt();
    let shares = [(-b - root) / a, (-b + root) / a];
    shares.iter().all(|&s| s > 0.0 && s < 1.0).then(|| shares.map(|s| from.lerp(to, s)))
}

/// The point of the surface that the wrapping plane is laid through.
struct Summit {
    point: DVec3,
    /// Whether the path runs over it; otherwise it takes the shorter way in the plane.
    leads: bool,
}

fn summit(radii: DVec3, side: Option<Side>, method: WrapMethod, chord: [DVec3; 2]) -> Summit {
    let (point, fan_share, leads) = match method {
        WrapMethod::Midpoint => (on_ellipsoid(radii, chord[0].midpoint(chord[1])), None, true),
        WrapMethod::Axial => {
            let (share, point) = by_axis(radii, chord, main_axis(chord).0);
            (point, None, share > 0.0 && share < 1.0)
        }
        WrapMethod::Hybrid => {
            let (point, fan_share) = hybrid(radii, chord);
            (point, fan_share, true)
        }
    };
    match side {
        Some(side) if !is_on(side, point) => Summit { point: mirrored(radii, side, point, fan_share), leads: true },
        _ => Summit { point, leads },
    }
}

/// The axis that a line is most along, and the cosine.
fn main_axis([enters, leaves]: [DVec3; 2]) -> (usize, f64) {
    let along = (leaves - enters).normalize_or_zero().abs();
    let axis = along.max_position();
    (axis, along[axis])
}

/// Where the line crosses the plane across an axis, as a share of the chord; and the point of the surface nearest to it there.
fn by_axis(radii: DVec3, [enters, leaves]: [DVec3; 2], axis: usize) -> (f64, DVec3) {
    let share = -enters[axis] / (leaves - enters)[axis];
    (share, on_ellipse(radii, axis, enters.lerp(leaves, share)))
}

/// Between the point an axis gives and the one a fan gives, by how much the line is along the axis; and the fan's share,
/// where it was asked.
fn hybrid(radii: DVec3, chord: [DVec3; 2]) -> (DVec3, Option<f64>) {
    let [none, all] = ALONG_AXIS;
    let (axis, along) = main_axis(chord);
    let (share, of_axis) = by_axis(radii, chord, axis);
    let inside = (share.min(1.0 - share) / FADE).clamp(0.0, 1.0);
    let say = (if along > none { inside * (along - none) } else { 0.0 }) / (all - none);
    if say >= 1.0 {
        return (of_axis, None);
    }
    let of_fan = fan(radii, chord);
    match say {
        say if say > 0.0 => (on_ellipsoid(radii, of_axis * say + of_fan * (1.0 - say)), Some(1.0 - say)),
        _ => (of_fan, Some(1.0)),
    }
}

/// The mean direction in which points along the chord leave the surface, from its middle on.
fn fan(radii: DVec3, [enters, leaves]: [DVec3; 2]) -> DVec3 {
    let blade = |i: usize| {
        let place = enters.lerp(leaves, i as f64 / BLADES as f64);
        (on_ellipsoid(radii, place) - place).normalize_or_zero()
    };
    let sum: DVec3 = (1..BLADES - 1).map(blade).sum();
    on_ellipsoid(radii, enters.midpoint(leaves) + sum.normalize_or_zero())
}

/// On the other half; the fan draws it toward the border between both.
fn mirrored(radii: DVec3, side: Side, found: DVec3, fan_share: Option<f64>) -> DVec3 {
    let mut other = found;
    other[side.axis] = -found[side.axis];
    match fan_share {
        Some(share) if share > 0.0 => {
            other[side.axis] *= 1.0 - share;
            on_ellipsoid(radii, other)
        }
        _ => other,
    }
}

/// Along the section of the plane through both ends and the summit.
fn over(radii: DVec3, from: DVec3, to: DVec3, summit: &Summit) -> Option<Way> {
    let [p, q, top] = [from, to, summit.point].map(|v| v / radii);
    let normal = (q - p).cross(top - p).try_normalize()?;
    let center = normal * normal.dot(p);
    let radius = (1.0 - center.length_squared()).max(0.0).sqrt();
    let x = (p - center).try_normalize()?;
    let y = normal.cross(x);
    let flat = |v: DVec3| DVec2::new((v - center).dot(x), (v - center).dot(y));
    // the summit lies left of the line, so the way over it has the center at its right: clockwise
    let ways = Around::both(radius, flat(p), flat(q));
    let around = if summit.leads { ways[1] } else { Around::shorter(ways) };
    let across = [around.touches[0], around.onward()].map(|v| radius * (x * v.x + y * v.y) * radii);
    let arc = Arc { center: center * radii, across, along: DVec3::ZERO, angle: around.angle };
    Some(Way { arc, length: length(&arc) })
}

/// Nodes in 0 .. 1 and weights of Gauss' and Legendre's rule of five points.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_5),
    (0.230_765_344_947_158_5, 0.239_314_335_249_683_2),
    (0.5, 0.284_444_444_444_444_4),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_2),
    (0.953_089_922_969_332, 0.118_463_442_528_094_5),
];

/// Pieces that an arc is measured in.
const PIECES: usize = 6;

/// An elliptic integral, by pieces.
fn length(arc: &Arc) -> f64 {
    let speed = |share: f64| {
        let (sin, cos) = (share * arc.angle).sin_cos();
        (arc.across[1] * cos - arc.across[0] * sin).length() * arc.angle
    };
    let piece = |i: usize| GAUSS.map(|(node, weight)| weight * speed((i as f64 + node) / PIECES as f64));
    (0..PIECES).flat_map(piece).sum::<f64>() / PIECES as f64
}
