//! Bones: their surfaces in the bind pose, checked: closed, right side out, thick enough to have an inside.

use super::error::BindError;
use crate::character::Skeleton;
use crate::musculature::{Bone, BoneShape};
use glam::Vec3;
use std::collections::HashMap;

/// Share of its own extent below which a bone has no inside.
const FLATTEST: f32 = 1e-4;

/// Triangles beyond which a bone is no stand-in for one but a scan; a field of it would take minutes.
const MOST_TRIANGLES: usize = 1 << 20;

/// A bone's surface, metres, model space at bind.
pub(super) struct Surface {
    pub positions: Vec<Vec3>,
    /// Counter-clockwise seen from outside, none of them without area.
    pub triangles: Vec<[u32; 3]>,
    /// How thick it is: the radius of a ball that has as much volume for its area.
    pub radius: f32,
}

impl Surface {
    /// The surface of a bone whose joint and numbers passed the door.
    pub fn new(bone: &Bone, skeleton: &Skeleton) -> Result<Self, BindError> {
        let fault = |fault: String, cure: &'static str| BindError::Bone { bone: bone.name.clone(), fault, cure };
        let bind = skeleton.find(&bone.joint).map(|j| skeleton.joints[j].bind).unwrap_or_default();
        let (local, corners) = bone.shape.surface();
        if corners.is_empty() {
            return Err(fault(
                "has no triangle".into(),
                "name a node that has a mesh, or use a capsule or an ellipsoid",
            ));
        }
        if corners.len() > MOST_TRIANGLES {
            let found = format!("has {} triangles where at most {MOST_TRIANGLES} are read", corners.len());
            return Err(fault(found, "decimate it: skin only feels its rough shape"));
        }
        if let Some(corner) = corners.iter().flatten().find(|&&corner| corner as usize >= local.len()) {
            let found = format!("has a triangle with corner {corner}, but {} vertices", local.len());
            return Err(fault(found, "export it again: the index belongs to another mesh"));
        }
        if let Some(v) = local.iter().position(|p| !(p.is_finite() && p.abs().max_element() <= 1e6)) {
            return Err(fault(
                format!("has no finite place for its vertex {v}"),
                "export it again, or move it near its joint",
            ));
        }
        let (positions, mut triangles) = weld(&local, &corners);
        let positions: Vec<Vec3> = positions.iter().map(|p| bind.transform_point3(*p)).collect();
        if bind.matrix3.determinant() < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let open = open_edges(&triangles);
        if open > 0 {
            return Err(fault(
                format!(
                    "is not closed: {open} of its edges have no triangle on their other side that faces the same way"
                ),
                "fill its holes and let all its faces look outward, or use a capsule or an ellipsoid",
            ));
        }
        let (area, volume) = measure(&positions, &triangles);
        let (low, high) = bounds(&positions);
        let extent = (high - low).max_element();
        let radius = 3.0 * volume / area;
        if radius.is_nan() || radius.abs() <= FLATTEST * extent {
            return Err(fault("has no inside: it is flat or empty".into(), "give it a thickness"));
        }
        if radius < 0.0 {
            return Err(fault("is inside out".into(), "flip its faces so that they look outward"));
        }
        triangles.retain(|t| normal(&positions, t).length_squared() > 0.0);
        Ok(Self { positions, triangles, radius })
    }
}

/// Legal numbers of a shape; a mesh is looked at as a whole.
pub(super) fn numbers(shape: &BoneShape) -> Vec<(&'static str, f32, bool)> {
    let place = |what: &'static str, p: Vec3| p.to_array().map(|x| (what, x, false));
    match shape {
        BoneShape::Capsule { from, to, radii } => {
            let ends = [place("from", *from), place("to", *to)].concat();
            ends.into_iter().chain(radii.map(|radius| ("radius", radius, true))).collect()
        }
        BoneShape::Ellipsoid { center, half_axes, .. } => {
            let axes = half_axes.to_array().map(|half| ("half_axes", half, true));
            place("center", *center).into_iter().chain(axes).collect()
        }
        BoneShape::Mesh { .. } => Vec::new(),
    }
}

/// Vertices that lie in the same place are one: files split them for their textures.
fn weld(positions: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut welded, mut row) = (Vec::new(), HashMap::new());
    let rows: Vec<u32> = positions
        .iter()
        .map(|p| {
            *row.entry((*p + Vec3::ZERO).to_array().map(f32::to_bits)).or_insert_with(|| {
                welded.push(*p);
                welded.len() as u32 - 1
            })
        })
        .collect();
    let triangles = triangles.iter().map(|t| t.map(|v| rows[v as usize]));
    let triangles = triangles.filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]).collect();
    (welded, triangles)
}

/// Edges that are not walked as often one way as the other.
fn open_edges(triangles: &[[u32; 3]]) -> usize {
    let mut walked: HashMap<(u32, u32), i32> = HashMap::new();
    for t in triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            *walked.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
        }
    }
    walked.values().filter(|&&sum| sum != 0).count()
}

/// Twice the area of a triangle, along its normal.
pub(super) fn normal(positions: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|v| positions[v as usize]);
    (b - a).cross(c - a)
}

/// Area and enclosed volume.
fn measure(positions: &[Vec3], triangles: &[[u32; 3]]) -> (f32, f32) {
    let middle = positions.iter().map(|p| p.as_dvec3()).sum::<glam::DVec3>() / positions.len() as f64;
    let (mut area, mut volume) = (0.0_f64, 0.0_f64);
    for t in triangles {
        let [a, b, c] = t.map(|v| positions[v as usize].as_dvec3() - middle);
        area += (b - a).cross(c - a).length() * 0.5;
        volume += a.dot(b.cross(c)) / 6.0;
    }
    (area.max(f64::MIN_POSITIVE) as f32, volume as f32)
}

/// The box around them.
pub(super) fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)))
}
