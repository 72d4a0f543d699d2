//! The skin as fitting sees it: how far it is that way, which of its points is nearest, whether a point is inside.

mod winding;

use fusiform::Mesh;
use glam::Vec3;
use parry3d::query::{PointQuery, PointQueryWithLocation, Ray, RayCast};
use parry3d::shape::TriMesh;
use winding::Winding;

/// A point counts as inside where the skin winds about it by more than half: holes take a little off it, no more.
const INSIDE: f32 = 0.5;

/// The triangles of a body's skin in the bind pose, model space.
pub struct Surface {
    mesh: TriMesh,
    winding: Winding,
    /// Where each mesh begins.
    first: Vec<First>,
}

/// Where a mesh begins among all triangles and all corners.
#[derive(Clone, Copy)]
struct First {
    triangle: u32,
    corner: u32,
    mesh: usize,
}

/// The nearest point of the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Metres, model space.
    pub point: Vec3,
    /// The mesh it lies on, counted as they were given.
    pub mesh: usize,
    /// Rows of that mesh's corners.
    pub corners: [u32; 3],
    /// Their shares in the point.
    pub shares: [f32; 3],
}

impl Surface {
    /// The skin of those meshes together; nothing where they have no triangle.
    #[must_use]
    pub fn new<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> Option<Self> {
        let (mut points, mut triangles, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for (i, mesh) in meshes.into_iter().enumerate() {
            let start = points.len() as u32;
            first.push(First { triangle: triangles.len() as u32, corner: start, mesh: i });
            points.extend(mesh.positions.iter().copied());
            triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|corner| corner + start)));
        }
        let corners: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|corner| points[corner as usize])).collect();
        let mesh = TriMesh::new(points, triangles).ok()?;
        Some(Self { mesh, winding: Winding::new(&corners), first })
    }

    /// Metres to the first skin that way; `direction` has unit length.
    #[must_use]
    pub fn hit(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        self.mesh.cast_local_ray(&Ray::new(from, direction), f32::MAX, false)
    }

    /// Which mesh the first skin that way belongs to.
    #[must_use]
    pub fn mesh_hit(&self, from: Vec3, direction: Vec3) -> Option<usize> {
        self.hit(from, direction).map(|away| self.nearest(from + direction * away).mesh)
    }

    /// Metres to the nearest skin.
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        self.mesh.project_local_point(point, false).point.distance(point)
    }

    /// The nearest point of the skin.
    #[must_use]
    pub fn nearest(&self, point: Vec3) -> Nearest {
        let (found, (triangle, place)) = self.mesh.project_local_point_and_get_location(point, false);
        let shares = place.barycentric_coordinates().unwrap_or([1.0, 0.0, 0.0]);
        let First { corner: first, mesh, .. } = self.mesh_of(triangle);
        let corners = self.mesh.indices()[triangle as usize].map(|corner| corner - first);
        Nearest { point: found.point, mesh, corners, shares }
    }

    /// The mesh that has this triangle.
    fn mesh_of(&self, triangle: u32) -> First {
        let after = self.first.partition_point(|first| first.triangle <= triangle);
        self.first[after.saturating_sub(1)]
    }

    /// Whether the point is inside the body, holes in the skin or not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        self.winding.around(point) > INSIDE
    }

    /// Metres below the skin; negative outside the body.
    #[must_use]
    pub fn depth(&self, point: Vec3) -> f32 {
        let distance = self.distance(point);
        if self.contains(point) { distance } else { -distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of side 2 about the origin; without its lid when `open`, its faces looking inward when `inverted`.
    fn cube(open: bool, inverted: bool) -> Mesh {
        let at = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let positions = (0..8).map(|i| Vec3::new(at(i, 0), at(i, 1), at(i, 2))).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [2, 6, 7, 3]];
        let kept = if open { &quads[..5] } else { &quads[..] };
        let halves = kept.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        let triangles = halves.map(|[a, b, c]| if inverted { [a, c, b] } else { [a, b, c] }).collect();
        Mesh { positions, triangles, ..Mesh::default() }
    }

    #[test]
    fn inside_is_told_from_outside_whole_open_or_inside_out() {
        for (open, inverted) in [(false, false), (true, false), (false, true), (true, true)] {
            let surface = Surface::new([&cube(open, inverted)]).unwrap();
            assert!(surface.contains(Vec3::new(0.3, -0.4, 0.2)), "open {open}, inverted {inverted}");
            assert!(!surface.contains(Vec3::new(0.3, -1.2, 0.2)), "open {open}, inverted {inverted}");
            assert!((surface.depth(Vec3::new(0.6, 0.0, 0.0)) - 0.4).abs() < 1e-6);
        }
    }

    #[test]
    fn a_ray_meets_the_near_face_from_inside_and_names_its_mesh() {
        let mut other = cube(false, false);
        other.positions.iter_mut().for_each(|p| p.x += 10.0);
        let surface = Surface::new([&cube(false, false), &other]).unwrap();
        assert!((surface.hit(Vec3::ZERO, Vec3::X).unwrap() - 1.0).abs() < 1e-6);
        assert_eq!(surface.mesh_hit(Vec3::new(5.0, 0.1, 0.2), Vec3::X), Some(1));
        assert_eq!(surface.mesh_hit(Vec3::new(0.1, 0.1, 0.2), Vec3::NEG_Y), Some(0));
        assert_eq!(surface.hit(Vec3::splat(50.0), Vec3::X), None);
    }

    #[test]
    fn the_nearest_point_is_the_sum_of_its_corners() {
        let mut other = cube(false, false);
        other.positions.iter_mut().for_each(|p| p.x += 10.0);
        let near = Surface::new([&cube(false, false), &other]).unwrap().nearest(Vec3::new(7.0, 0.25, -0.5));
        let sum: Vec3 = near.corners.iter().zip(near.shares).map(|(&c, share)| other.positions[c as usize] * share).sum();
        assert_eq!(near.mesh, 1);
        assert!(sum.distance(near.point) < 1e-5 && near.point.distance(Vec3::new(9.0, 0.25, -0.5)) < 1e-5);
    }
}
