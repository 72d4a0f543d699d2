//! How near a point of the skin is to one belly.

use crate::smoothstep;
use fusiform::body::{RestBelly, RestSection};
use fusiform::musculature::Influence;
use glam::{Vec2, Vec3};

/// Skin this far from the belly's face follows it fully, in belly thicknesses: skin and a little fat.
const INNER: f32 = 0.35;
/// Skin this far does not follow it at all.
const OUTER: f32 = 2.2;
/// Thin sheets reach at least this share of their half-width, or they would move nothing under thick skin.
const THINNEST: f32 = 0.5;
/// Nor does a small muscle reach less than this share of the character's height: its edge would show on the skin.
const NARROWEST: f32 = 0.008;
/// Share of the largest radius below which a section is tendon, and above which it is flesh.
const TENDON: [f32; 2] = [0.15, 0.65];
/// Cosine between skin normal and the way out of the belly: below the first the skin looks away, above the second it
/// lies on the belly.
const FACING: [f32; 2] = [-0.1, 0.5];

/// A belly in the bind pose, ready to be asked about points.
pub(super) struct Belly<'a> {
    /// One list of sections, or one for every belly of a sheet.
    bellies: Vec<&'a [RestSection]>,
    /// Largest half-width over all rings, metres.
    largest: f32,
    /// Thickness that distances are measured in, metres.
    unit: f32,
    low: Vec3,
    high: Vec3,
}

impl<'a> Belly<'a> {
    pub(super) fn new(rest: &'a RestBelly, height: f32, influence: Option<&Influence>) -> Self {
        let bellies: Vec<&[RestSection]> = match &rest.bellies[..] {
            [] => vec![&rest.rings],
            bellies => bellies.iter().map(Vec::as_slice).collect(),
        };
        let sections = || bellies.iter().copied().flatten();
        let widest = sections().map(|ring| ring.half_axes).fold(Vec2::ZERO, Vec2::max);
        let unit = widest.min_element().max(THINNEST * widest.max_element()).max(NARROWEST * height);
        let margin = Vec3::splat(widest.max_element() + influence.map_or(OUTER * unit, |influence| influence.outer));
        let centers = || sections().map(|ring| ring.center);
        let low = centers().fold(Vec3::INFINITY, Vec3::min) - margin;
        let high = centers().fold(Vec3::NEG_INFINITY, Vec3::max) + margin;
        Self { bellies, largest: widest.max_element(), unit, low, high }
    }

    /// Sections along it.
    pub(super) fn n_ring(&self) -> usize {
        self.bellies[0].len()
    }

    /// Whether the point is near enough to be asked about.
    pub(super) fn may_reach(&self, point: Vec3) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }

    /// Whether some skin may be near enough to both, or so far from it.
    pub(super) fn meets(&self, other: &Belly, far: f32) -> bool {
        let far = Vec3::splat(far);
        (self.low - far).cmple(other.high + far).all() && (other.low - far).cmple(self.high + far).all()
    }

    /// How much a point of the skin with that normal belongs to the belly, 0 ..= 1.
    pub(super) fn weight(&self, point: Vec3, normal: Vec3) -> f32 {
        let about = self.about(point);
        let fleshy = smoothstep(TENDON[0], TENDON[1], about.thickness);
        let near = 1.0 - smoothstep(INNER * self.unit, OUTER * self.unit, about.distance);
        near * fleshy * about.facing(normal)
    }

    /// Where a point lies about the belly.
    pub(super) fn about(&self, point: Vec3) -> About {
        let (belly, i, t) = self.nearest(point);
        let section = between(&self.bellies[belly][i], &self.bellies[belly][i + 1], t);
        let out = point - section.center;
        let across = Vec2::new(out.dot(section.b), out.dot(section.c));
        let along = out.dot(section.a);
        let distance = (across.length() - polar_radius(section.half_axes, across)).max(0.0).hypot(along);
        About { distance, thickness: section.half_axes.max_element() / self.largest.max(1e-9), out }
    }

    /// The ring nearest to the point, with the share of the way to the next.
    pub(super) fn ring(&self, point: Vec3) -> f32 {
        let (_, i, t) = self.nearest(point);
        i as f32 + t
    }

    /// The belly that is nearest to the point, the ring before the nearest place on it, and the share of the way to the next
    /// ring.
    fn nearest(&self, point: Vec3) -> (usize, usize, f32) {
        let mut best = (f32::INFINITY, (0, 0, 0.0));
        for (belly, rings) in self.bellies.iter().enumerate() {
            for (i, pair) in rings.windows(2).enumerate() {
                let step = pair[1].center - pair[0].center;
                let t = (point - pair[0].center).dot(step) / step.length_squared().max(1e-20);
                let t = t.clamp(0.0, 1.0);
                let distance = point.distance_squared(pair[0].center + step * t);
                if distance < best.0 {
                    best = (distance, (belly, i, t));
                }
            }
        }
        best.1
    }
}

/// Where a point lies about a belly.
pub(super) struct About {
    /// Metres from the belly's surface; 0 inside.
    pub(super) distance: f32,
    /// Of the belly there, over that where it is thickest.
    pub(super) thickness: f32,
    /// From the middle of the section there.
    out: Vec3,
}

impl About {
    /// How much skin with that normal lies on the belly, 0 ..= 1: only skin beyond it can look away.
    pub(super) fn facing(&self, normal: Vec3) -> f32 {
        smoothstep(FACING[0], FACING[1], normal.dot(self.out.normalize_or(normal)))
    }
}

fn between(from: &RestSection, to: &RestSection, t: f32) -> RestSection {
    let a = from.a.lerp(to.a, t).normalize_or(from.a);
    let b = from.b.lerp(to.b, t).reject_from_normalized(a).normalize_or(from.b);
    RestSection {
        center: from.center.lerp(to.center, t),
        a,
        b,
        c: a.cross(b),
        half_axes: from.half_axes.lerp(to.half_axes, t),
    }
}

/// Radius of the ellipse with these half-axes toward a point.
fn polar_radius(half_axes: Vec2, toward: Vec2) -> f32 {
    let axes = half_axes.max(Vec2::splat(1e-9));
    let length = toward.length();
    if length > 1e-9 { length / (toward / axes).length() } else { axes.min_element() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipse_is_met_on_its_axes() {
        let axes = Vec2::new(2.0, 3.0);
        assert!((polar_radius(axes, Vec2::new(0.1, 0.0)) - 2.0).abs() < 1e-6);
        assert!((polar_radius(axes, Vec2::new(0.0, -7.0)) - 3.0).abs() < 1e-6);
    }
}
