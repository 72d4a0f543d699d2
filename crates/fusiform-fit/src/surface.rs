//! The skin as fitting sees it: how far it is that way, which of its points is nearest, whether a point is inside.

mod parts;
mod winding;

use fusiform::Mesh;
use glam::Vec3;
use parry3d::query::{PointQuery, PointQueryWithLocation, Ray, RayCast};
use parry3d::shape::TriMesh;
use parts::Parts;
use winding::Winding;

/// A point counts as inside where the skin winds about it by more than half: holes take a little off it, no more.
const INSIDE: f32 = 0.5;

/// How far beside each other rays run that are to be one, as a share of the body's size: a tenth of a millimetre.
const BESIDE: f32 = 5e-5;

/// The triangles of a body's skin in the bind pose, model space.
pub struct Surface {
    mesh: TriMesh,
    winding: Winding,
    /// Where each mesh begins.
    first: Vec<First>,
    /// How far apart rays run that are to be one, metres.
    beside: f32,
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
        Self::keeping(&meshes.into_iter().collect::<Vec<_>>(), |_, _| true)
    }

    /// The skin of a body that is made of several closed parts stuck into one another, or worn under one another: what of a
    /// part lies wholly inside another is no skin.
    #[must_use]
    pub fn of_parts<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> Option<Self> {
        let meshes: Vec<&Mesh> = meshes.into_iter().collect();
        let parts = Parts::new(&meshes);
        Self::keeping(&meshes, |mesh, triangle| !parts.hide(mesh, triangle))
    }

    /// The skin of those triangles, by mesh and row, that are to be kept; all of them tell inside from outside.
    fn keeping(meshes: &[&Mesh], keep: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let (mut points, mut triangles, mut first, mut all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, mesh) in meshes.iter().enumerate() {
            let start = points.len() as u32;
            first.push(First { triangle: triangles.len() as u32, corner: start, mesh: i });
            points.extend(mesh.positions.iter().copied());
            let own = corners(mesh);
            let kept = mesh.triangles.iter().enumerate().filter(|(row, _)| keep(i, *row));
            triangles.extend(kept.map(|(_, rows)| rows.map(|row| row + start)));
            all.extend(own);
        }
        let mesh = TriMesh::new(points, triangles).ok()?;
        let beside = BESIDE * mesh.local_aabb().extents().max_element();
        Some(Self { mesh, winding: Winding::new(&all), first, beside })
    }

    /// Metres to the first skin that way; `direction` has unit length.
    ///
    /// A ray along the seam of a symmetric body may slip between two triangles, as rounding has it. So three run side by side,
    /// and the second nearest of what they meet counts.
    #[must_use]
    pub fn hit(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        let (u, v) = direction.any_orthonormal_pair();
        let beside = [u, v * 0.8 - u * 0.6, v * -0.8 - u * 0.6].map(|way| from + way * self.beside);
        let meet = |from: Vec3| self.mesh.cast_local_ray(&Ray::new(from, direction), f32::MAX, false);
        let mut met = beside.map(|from| meet(from).unwrap_or(f32::INFINITY));
        met.sort_by(f32::total_cmp);
        Some(met[1]).filter(|away| away.is_finite())
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

/// The corners of every triangle of a mesh.
fn corners(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    mesh.triangles.iter().map(|rows| rows.map(|row| mesh.positions[row as usize])).collect()
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
    fn no_ray_slips_between_two_triangles() {
        // from the middle to each corner of the cube, turned so that nothing is exact: three faces meet there
        let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        let mut mesh = cube(false, false);
        mesh.positions.iter_mut().for_each(|p| *p = turn * *p);
        let surface = Surface::new([&mesh]).unwrap();
        for &corner in &mesh.positions {
            let away = surface.hit(Vec3::ZERO, corner.normalize()).unwrap();
            assert!((away - corner.length()).abs() < 1e-3, "{corner}: {away}");
        }
    }

    #[test]
    fn the_nearest_point_is_the_sum_of_its_corners() {
        let mut other = cube(false, false);
        other.positions.iter_mut().for_each(|p| p.x += 10.0);
        let near = Surface::new([&cube(false, false), &other]).unwrap().nearest(Vec3::new(7.0, 0.25, -0.5));
        let sum: Vec3 =
            near.corners.iter().zip(near.shares).map(|(&c, share)| other.positions[c as usize] * share).sum();
        assert_eq!(near.mesh, 1);
        assert!(sum.distance(near.point) < 1e-5 && near.point.distance(Vec3::new(9.0, 0.25, -0.5)) < 1e-5);
    }

    #[test]
    fn parts_stuck_into_each_other_have_no_skin_inside() {
        let mut other = cube(false, false);
        other.positions.iter_mut().for_each(|p| *p = *p * 0.5 + Vec3::new(1.2, 0.0, 0.0));
        let parts = [&cube(false, false), &other];
        let from = Vec3::new(0.1, 0.05, 0.02);
        assert!((Surface::new(parts).unwrap().hit(from, Vec3::X).unwrap() - 0.6).abs() < 1e-5);
        // the small cube's inner end is gone; the large one's face is not, since its corners are outside the small one
        assert!((Surface::of_parts(parts).unwrap().hit(from, Vec3::X).unwrap() - 0.9).abs() < 1e-5);
        assert!(Surface::of_parts(parts).unwrap().contains(from));
    }
}
