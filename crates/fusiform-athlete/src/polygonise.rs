//! From an implicit surface to triangles: marching tetrahedra over the left half of space.
//!
//! Tetrahedra know no ambiguous case: the result is a closed 2-manifold even in a narrow armpit. The grid begins on the
//! mirror plane, so the rim of this half lies on x = 0 exactly and the other half is its mirror image. Slivers do
//! not matter here: [`crate::remesh`] makes the triangles even.
//!
//! Doi, Koide: *An efficient method of triangulating equi-valued surfaces by using tetrahedral cells*, IEICE 1991.

use glam::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// Triangles of the half x >= 0; its rim lies on x = 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfMesh {
    pub positions: Vec<Vec3>,
    /// Whether the vertex lies on the mirror plane.
    pub seam: Vec<bool>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Smallest and largest corner of the space that is searched, metres; x starts at the mirror plane.
const SEARCH_LOW: Vec3 = Vec3::new(0.0, -0.03, -0.26);
const SEARCH_HIGH: Vec3 = Vec3::new(0.80, 1.84, 0.28);

/// Grid cells along the side of a block that is skipped as a whole when the surface cannot be in it.
const BLOCK: usize = 8;

/// How much further than its value says the surface may be away: the field is not an exact distance.
const SLACK: f32 = 2.2;

/// A vertex stays this share of its edge away from the corners, so that no triangle has zero area.
const MIN_SHARE: f32 = 0.04;

/// Value in blocks the surface cannot reach.
const FAR: f32 = 1.0;

struct Grid {
    cell: f32,
    /// Corners along x, y, z.
    n: [usize; 3],
    value: Vec<f32>,
}

impl Grid {
    fn sample(field: &(impl Fn(Vec3) -> f32 + Sync), cell: f32) -> Self {
        let blocks = |length: f32| (length / (cell * BLOCK as f32)).ceil() as usize * BLOCK;
        let size = SEARCH_HIGH - SEARCH_LOW;
        let n = [blocks(size.x), blocks(size.y), blocks(size.z)];
        let mut grid = Self { cell, n, value: Vec::new() };
        let mut value = vec![FAR; n[0] * n[1] * n[2]];
        // one slab of blocks a task: no two tasks share a value, so threads cannot change the result
        value.par_chunks_mut(n[0] * n[2] * BLOCK).enumerate().for_each(|(slab, values)| {
            for block_z in 0..n[2] / BLOCK {
                for block_x in 0..n[0] / BLOCK {
                    grid.fill_block(field, [block_x, slab, block_z], values);
                }
            }
        });
        grid.value = value;
        grid
    }

    fn fill_block(&self, field: &impl Fn(Vec3) -> f32, block: [usize; 3], slab: &mut [f32]) {
        let half = (BLOCK as f32 - 1.0) * 0.5;
        let centre = self.place(block.map(|b| (b * BLOCK) as f32 + half));
        let middle = field(centre);
        // a cell beside the block may hold the surface: half a diagonal and one cell more
        let reach = (half + 1.0) * self.cell * 3f32.sqrt() * SLACK;
        let skip = middle.abs() > reach;
        for j in 0..BLOCK {
            for k in block[2] * BLOCK..(block[2] + 1) * BLOCK {
                for i in block[0] * BLOCK..(block[0] + 1) * BLOCK {
                    let corner = [i, block[1] * BLOCK + j, k];
                    slab[(j * self.n[2] + k) * self.n[0] + i] = match skip {
                        true => FAR.copysign(middle),
                        false => field(self.place(corner.map(|c| c as f32))),
                    };
                }
            }
        }
    }

    /// Where a corner is.
    fn place(&self, corner: [f32; 3]) -> Vec3 {
        SEARCH_LOW + Vec3::from_array(corner) * self.cell
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (j * self.n[2] + k) * self.n[0] + i
    }

    fn at(&self, corner: [usize; 3]) -> f32 {
        self.value[self.index(corner)]
    }
}

/// Triangles of the surface where `field` is zero, in the half x >= 0, on a grid of that cell size in metres.
pub(crate) fn marching_tetrahedra(field: &(impl Fn(Vec3) -> f32 + Sync), cell: f32) -> HalfMesh {
    let grid = Grid::sample(field, cell);
    let mut net = Net { grid: &grid, vertex_of_edge: HashMap::new(), mesh: HalfMesh::default() };
    let [nx, ny, nz] = grid.n;
    for j in 0..ny - 1 {
        for k in 0..nz - 1 {
            for i in 0..nx - 1 {
                net.add_cell([i, j, k]);
            }
        }
    }
    net.mesh
}

/// The six tetrahedra of a cell, all along its main diagonal: corners as bits, x first.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

/// A mesh while it is made: one vertex on every grid edge that the surface crosses.
struct Net<'a> {
    grid: &'a Grid,
    /// By the two corners' indices, smaller first.
    vertex_of_edge: HashMap<(u32, u32), u32>,
    mesh: HalfMesh,
}

impl Net<'_> {
    fn add_cell(&mut self, cell: [usize; 3]) {
        let corner = |c: usize| [cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)];
        let inside: [bool; 8] = std::array::from_fn(|c| self.grid.at(corner(c)) < 0.0);
        if inside.iter().all(|&i| i == inside[0]) {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            let (within, without): (Vec<usize>, Vec<usize>) = tetrahedron.iter().partition(|&&c| inside[c]);
            let [within, without] =
                [within, without].map(|corners| corners.into_iter().map(corner).collect::<Vec<_>>());
            self.add_tetrahedron(&within, &without);
        }
    }

    /// One triangle cuts a corner off, two part two corners from two.
    fn add_tetrahedron(&mut self, within: &[[usize; 3]], without: &[[usize; 3]]) {
        let outward = self.middle(without) - self.middle(within);
        match (within, without) {
            (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => {
                let triangle = [b, c, d].map(|other| self.crossing(a, other));
                self.add_triangle(triangle, outward);
            }
            (&[a, b], &[c, d]) => {
                let [p, q, r, s] = [(a, c), (a, d), (b, d), (b, c)].map(|(from, to)| self.crossing(from, to));
                self.add_triangle([p, q, r], outward);
                self.add_triangle([p, r, s], outward);
            }
            _ => {}
        }
    }

    fn middle(&self, corners: &[[usize; 3]]) -> Vec3 {
        let places = corners.iter().map(|c| self.grid.place(c.map(|x| x as f32)));
        places.sum::<Vec3>() / corners.len().max(1) as f32
    }

    /// The vertex on the edge between two corners.
    fn crossing(&mut self, a: [usize; 3], b: [usize; 3]) -> u32 {
        // one order for both neighbours of the edge, so that both compute the same bits
        let (a, b) = if self.grid.index(a) < self.grid.index(b) { (a, b) } else { (b, a) };
        let key = (self.grid.index(a) as u32, self.grid.index(b) as u32);
        let (grid, mesh) = (self.grid, &mut self.mesh);
        *self.vertex_of_edge.entry(key).or_insert_with(|| {
            let (fa, fb) = (grid.at(a), grid.at(b));
            let t = (fa / (fa - fb)).clamp(MIN_SHARE, 1.0 - MIN_SHARE);
            let [pa, pb] = [a, b].map(|c| grid.place(c.map(|x| x as f32)));
            mesh.positions.push(pa.lerp(pb, t));
            mesh.seam.push(a[0] == 0 && b[0] == 0);
            mesh.positions.len() as u32 - 1
        })
    }

    fn add_triangle(&mut self, [a, b, c]: [u32; 3], outward: Vec3) {
        let [p, q, r] = [a, b, c].map(|v| self.mesh.positions[v as usize]);
        let faces_out = (q - p).cross(r - p).dot(outward) > 0.0;
        self.mesh.triangles.push(if faces_out { [a, b, c] } else { [a, c, b] });
    }
}

/// Both halves: the left one, then the mirror images of its vertices that are not on the seam.
pub(crate) fn mirrored(half: &HalfMesh) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = half.positions.clone();
    let mut twin: Vec<u32> = (0..half.positions.len() as u32).collect();
    for (v, &p) in half.positions.iter().enumerate() {
        if !half.seam[v] {
            twin[v] = positions.len() as u32;
            positions.push(crate::skeleton::mirror(p));
        }
    }
    let mut triangles = half.triangles.clone();
    triangles.extend(half.triangles.iter().map(|&[a, b, c]| [twin[a as usize], twin[c as usize], twin[b as usize]]));
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_becomes_a_closed_outward_surface() {
        let ball = |p: Vec3| (p - Vec3::Y * 0.9).length() - 0.2;
        let (positions, triangles) = mirrored(&marching_tetrahedra(&ball, 0.02));
        let volume: f32 = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| positions[v as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((volume / 0.0335 - 1.0).abs() < 0.05, "{volume}");
        assert_eq!(positions.len() as i64 - triangles.len() as i64 / 2, 2);
    }
}
