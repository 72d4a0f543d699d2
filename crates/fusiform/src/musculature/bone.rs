//! Bones: hard bodies that slide under the skin.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A bone that skin can feel: rigid on its joint, whatever muscles do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Unique in the document; left and right twins end in `.l` and `.r`.
    pub name: String,
    /// The joint that carries it.
    pub joint: String,
    /// What it looks like, in the joint's space: metres, where files give the joint no scale.
    pub shape: BoneShape,
}

/// What a bone looks like: numbers from which a closed surface is made, or a surface of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum BoneShape {
    /// A ball drawn along a line and growing or shrinking on its way: shafts, edges, knobs.
    Capsule {
        /// Middle of its first ball.
        from: Vec3,
        /// Middle of its last ball.
        to: Vec3,
        /// Radii of both, > 0.
        radii: [f32; 2],
    },
    /// A ball with three axes of its own: kneecaps, flat plates.
    Ellipsoid {
        /// Its middle.
        center: Vec3,
        /// How its axes stand in the joint's space.
        #[serde(default)]
        turn: Quat,
        /// Half its extent along each of its axes, > 0.
        half_axes: Vec3,
    },
    /// A closed surface of somebody's own. A file names the node that has it and does not hold it twice.
    Mesh {
        /// Name of the node in the file; empty when it comes from no file.
        #[serde(default)]
        node: String,
        /// Its vertices.
        #[serde(skip)]
        positions: Vec<Vec3>,
        /// Its triangles, counter-clockwise seen from outside.
        #[serde(skip)]
        triangles: Vec<[u32; 3]>,
    },
}

impl Default for BoneShape {
    fn default() -> Self {
        Self::Capsule { from: Vec3::ZERO, to: Vec3::ZERO, radii: [0.01; 2] }
    }
}

/// Points around a generated bone, and rows from its pole to its widest place.
const AROUND: u32 = 16;
const TO_WIDEST: u32 = 4;

impl BoneShape {
    /// Its surface: vertices in the joint's space, and triangles, counter-clockwise seen from outside.
    #[must_use]
    pub fn surface(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        match self {
            Self::Capsule { from, to, radii } => capsule(*from, *to, *radii),
            Self::Ellipsoid { center, turn, half_axes } => {
                let rows = 2 * TO_WIDEST;
                let row = |i: u32| std::f32::consts::PI * i as f32 / rows as f32;
                let rings = (1..rows).map(|i| (-libm::cosf(row(i)), libm::sinf(row(i))));
                let (mut positions, triangles) = lathe(&rings.collect::<Vec<_>>(), [-1.0, 1.0]);
                positions.iter_mut().for_each(|p| *p = *center + *turn * (*p * *half_axes));
                (positions, triangles)
            }
            Self::Mesh { positions, triangles, .. } => (positions.clone(), triangles.clone()),
        }
    }
}

/// The hull of two balls: rows of the first from its far pole to where the cone leaves it, then those of the last.
fn capsule(from: Vec3, to: Vec3, [first, last]: [f32; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let length = from.distance(to);
    if length <= (first - last).abs() {
        // one ball swallows the other
        let (center, radius) = if first > last { (from, first) } else { (to, last) };
        let half_axes = Vec3::splat(radius);
        return BoneShape::Ellipsoid { center, turn: Quat::IDENTITY, half_axes }.surface();
    }
    let turn = Quat::from_rotation_arc(Vec3::Z, (to - from) / length);
    // angle from the pole behind `from` to the circle where a plane touches both balls
    let touch = libm::acosf(((last - first) / length).clamp(-1.0, 1.0));
    let row = |i: u32, from: f32, to: f32| from + (to - from) * i as f32 / TO_WIDEST as f32;
    let at = |angle: f32, center: f32, radius: f32| (center - radius * libm::cosf(angle), radius * libm::sinf(angle));
    let near = (1..=TO_WIDEST).map(|i| at(row(i, 0.0, touch), 0.0, first));
    let far = (0..TO_WIDEST).map(|i| at(row(i, touch, std::f32::consts::PI), length, last));
    let (mut positions, triangles) = lathe(&near.chain(far).collect::<Vec<_>>(), [-first, length + last]);
    positions.iter_mut().for_each(|p| *p = from + turn * *p);
    (positions, triangles)
}

/// A closed surface around z: rings (z, radius) from low to high between two poles.
fn lathe(rings: &[(f32, f32)], poles: [f32; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = vec![Vec3::Z * poles[0]];
    for &(z, radius) in rings {
        positions.extend((0..AROUND).map(|i| {
            let angle = std::f32::consts::TAU * i as f32 / AROUND as f32;
            Vec3::new(radius * libm::cosf(angle), radius * libm::sinf(angle), z)
        }));
    }
    positions.push(Vec3::Z * poles[1]);
    let at = |ring: u32, i: u32| 1 + ring * AROUND + i % AROUND;
    let (last, top) = (rings.len() as u32 - 1, positions.len() as u32 - 1);
    let mut triangles = Vec::new();
    for i in 0..AROUND {
        triangles.push([0, at(0, i + 1), at(0, i)]);
        for ring in 0..last {
            let [a, b, c, d] = [at(ring, i), at(ring, i + 1), at(ring + 1, i), at(ring + 1, i + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
        triangles.push([top, at(last, i), at(last, i + 1)]);
    }
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(shape: &BoneShape) -> f32 {
        let (positions, triangles) = shape.surface();
        let corner = |v: u32| positions[v as usize];
        triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
    }

    #[test]
    fn generated_bones_are_closed_and_as_large_as_asked() {
        let pi = std::f32::consts::PI;
        let turn = Quat::from_rotation_x(0.7);
        let half_axes = Vec3::new(0.03, 0.02, 0.01);
        let ellipsoid = volume(&BoneShape::Ellipsoid { center: Vec3::ONE, turn, half_axes });
        let (from, to) = (Vec3::X, Vec3::new(1.2, 0.1, 0.0));
        let tube = volume(&BoneShape::Capsule { from, to, radii: [0.02; 2] });
        let ball = 4.0 / 3.0 * pi;
        let expected =
            [(ellipsoid, ball * half_axes.element_product()), (tube, ball * 8e-6 + pi * 4e-4 * from.distance(to))];
        for (found, wanted) in expected {
            // an inscribed surface of so few points lacks some of the volume
            assert!(found < wanted && found > 0.9 * wanted, "{found} of {wanted}");
        }
        let swallowed = volume(&BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::X * 0.01, radii: [0.01, 0.03] });
        assert!((swallowed / (ball * 27e-6) - 0.95).abs() < 0.05);
    }

    #[test]
    fn a_tapered_bone_lies_within_the_cone_that_touches_both_balls() {
        let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::X * 0.1, radii: [0.03, 0.01] };
        let (positions, _) = shape.surface();
        let away = |p: Vec3| {
            let t = (0..=100).map(|i| i as f32 / 100.0);
            t.map(|t| p.distance(Vec3::X * 0.1 * t) - (0.03 - 0.02 * t)).fold(f32::INFINITY, f32::min)
        };
        assert!(positions.iter().all(|&p| away(p).abs() < 1e-4), "every point lies on the hull");
    }
}
