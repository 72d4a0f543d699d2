//! The skin as one surface: vertices split for texture seams welded, neighbours, normals, smoothing.

use fusiform::Mesh;
use glam::Vec3;
use std::collections::HashMap;

/// Share of the way to its neighbours' mean that a value goes in one pass.
const STEP: f32 = 0.5;
/// A value below this spreads no further: it would end far below what a weight is kept for.
const SPREADS: f32 = 2e-4;
/// Passes on the finest meshes; more would cost time and change little.
const MAX_PASSES: usize = 64;

/// Vertices welded by position, and who is next to whom.
pub(crate) struct Topology {
    /// n_point, metres.
    pub(crate) points: Vec<Vec3>,
    /// n_point, unit; zero where no triangle is.
    pub(crate) normals: Vec<Vec3>,
    /// n_point: one of the point's vertices.
    pub(crate) vertex_of: Vec<usize>,
    /// n_vertex: the point it was welded to.
    pub(crate) point_of: Vec<u32>,
    /// n_point + 1: where each point's neighbours start.
    start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Topology {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let mut known = HashMap::with_capacity(mesh.positions.len());
        let (mut points, mut vertex_of, mut point_of) = (Vec::new(), Vec::new(), Vec::new());
        for (vertex, &position) in mesh.positions.iter().enumerate() {
            // Adding zero makes -0 and 0 one place.
            let key = (position + Vec3::ZERO).to_array().map(f32::to_bits);
            let point = *known.entry(key).or_insert_with(|| {
                points.push(position);
                vertex_of.push(vertex);
                points.len() as u32 - 1
            });
            point_of.push(point);
        }
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| point_of.get(vertex as usize).copied());
        let triangles: Vec<[u32; 3]> = mesh
            .triangles
            .iter()
            .filter_map(|triangle| match corners(triangle) {
                [Some(a), Some(b), Some(c)] => Some([a, b, c]),
                _ => None,
            })
            .collect();
        let normals = normals(&points, &triangles);
        let (start, neighbours) = neighbours(points.len(), &triangles);
        Self { points, normals, vertex_of, point_of, start, neighbours }
    }

    pub(crate) fn around(&self, point: u32) -> &[u32] {
        &self.neighbours[self.start[point as usize] as usize..self.start[point as usize + 1] as usize]
    }

    /// Passes of [`Topology::smooth`] that carry a value about `radius` metres, whatever the mesh's fineness.
    pub(crate) fn passes(&self, radius: f32) -> usize {
        let edges =
            (0..self.points.len() as u32).flat_map(|point| self.around(point).iter().map(move |&to| (point, to)));
        let (sum, n) = edges.fold((0.0_f64, 0_u32), |(sum, n), (from, to)| {
            (sum + f64::from(self.points[from as usize].distance(self.points[to as usize])), n + 1)
        });
        let edge = (sum / f64::from(n.max(1))) as f32;
        // A value walks the square root of the number of passes.
        let passes = (radius / edge.max(1e-9)).powi(2) / STEP;
        (passes.ceil() as usize).clamp(1, MAX_PASSES)
    }

    /// Smooth a field that is zero except at `active` points; `active` grows by the points it spreads to.
    pub(crate) fn smooth(&self, field: &mut [f32], active: &mut Vec<u32>, passes: usize) {
        let mut is_active = vec![false; field.len()];
        active.iter().for_each(|&point| is_active[point as usize] = true);
        let mut next = Vec::new();
        for _ in 0..passes {
            for i in 0..active.len() {
                if field[active[i] as usize] < SPREADS {
                    continue;
                }
                for &near in self.around(active[i]) {
                    if !std::mem::replace(&mut is_active[near as usize], true) {
                        active.push(near);
                    }
                }
            }
            next.clear();
            next.extend(active.iter().map(|&point| {
                let around = self.around(point);
                let here = field[point as usize];
                let mean = around.iter().map(|&near| field[near as usize]).sum::<f32>() / around.len().max(1) as f32;
                if around.is_empty() { here } else { here + STEP * (mean - here) }
            }));
            active.iter().zip(&next).for_each(|(&point, &value)| field[point as usize] = value);
        }
    }
}

/// Area-weighted normals out of the body, whichever way round the triangles are.
fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|point| points[point as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|&point| normals[point as usize] += normal);
    }
    let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f32;
    let volume: f32 = points.iter().zip(&normals).map(|(point, normal)| (*point - middle).dot(*normal)).sum();
    let outward = if volume < 0.0 { -1.0 } else { 1.0 };
    normals.iter().map(|normal| normal.normalize_or_zero() * outward).collect()
}

/// Every point's neighbours over edges, each once, ascending.
fn neighbours(n: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut edges: Vec<(u32, u32)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)])
        .filter(|(from, to)| from != to)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut start = vec![0; n + 1];
    edges.iter().for_each(|&(from, _)| start[from as usize + 1] += 1);
    for i in 0..n {
        start[i + 1] += start[i];
    }
    (start, edges.into_iter().map(|(_, to)| to).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip() -> Mesh {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        Mesh { positions, triangles: vec![[0, 1, 2], [3, 4, 5]], ..Mesh::default() }
    }

    #[test]
    fn a_seam_is_welded() {
        let topology = Topology::new(&strip());
        assert_eq!(topology.points.len(), 4);
        assert_eq!(topology.point_of, [0, 1, 2, 1, 3, 2]);
        assert_eq!(topology.around(1), [0, 2, 3]);
        assert!(topology.normals.iter().all(|normal| normal.distance(Vec3::Z) < 1e-6));
    }

    #[test]
    fn normals_look_out_of_a_mesh_turned_inside_out() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let triangles = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
        let mesh = Mesh { positions, triangles, ..Mesh::default() };
        let topology = Topology::new(&mesh);
        assert!(topology.normals[0].dot(Vec3::ONE) < -0.9);
    }

    #[test]
    fn smoothing_spreads_over_a_seam_and_creates_nothing() {
        let topology = Topology::new(&strip());
        let mut field = vec![1.0, 0.0, 0.0, 0.0];
        let mut active = vec![0];
        topology.smooth(&mut field, &mut active, 2);
        assert!(field[3] > 0.0 && field.iter().all(|value| (0.0..=1.0).contains(value)));
        assert_eq!(active.len(), 4);
    }
}
