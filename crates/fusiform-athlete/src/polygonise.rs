//! From an implicit surface to triangles: surface nets over the left half of space.
//!
//! The grid is centred on the mirror plane, so the vertices of its first column of cells lie on x = 0 exactly and
//! the other half is the mirror image of this one (see [`crate::remesh`] for what makes the triangles even).
//!
//! Gibson: *Constrained Elastic Surface Nets*, MICCAI 98; here without its elastic part.

use glam::Vec3;
use rayon::prelude::*;

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

    /// Where a corner is; the first cell straddles the mirror plane.
    fn place(&self, corner: [f32; 3]) -> Vec3 {
        let low = Vec3::new(-0.5 * self.cell, SEARCH_LOW.y, SEARCH_LOW.z);
        low + Vec3::from_array(corner) * self.cell
    }

    fn at(&self, [i, j, k]: [usize; 3]) -> f32 {
        self.value[(j * self.n[2] + k) * self.n[0] + i]
    }
}

/// Triangles of the surface where `field` is zero, in the half x >= 0, on a grid of that cell size in metres.
pub(crate) fn surface_nets(field: &(impl Fn(Vec3) -> f32 + Sync), cell: f32) -> HalfMesh {
    let grid = Grid::sample(field, cell);
    let mut mesh = HalfMesh::default();
    let mut vertex_of_cell = vec![u32::MAX; grid.value.len()];
    let cell_index = |[i, j, k]: [usize; 3]| (j * grid.n[2] + k) * grid.n[0] + i;
    let [nx, ny, nz] = grid.n;
    for j in 0..ny - 1 {
        for k in 0..nz - 1 {
            for i in 0..nx - 1 {
                if let Some(place) = cell_vertex(&grid, [i, j, k]) {
                    vertex_of_cell[cell_index([i, j, k])] = mesh.positions.len() as u32;
                    mesh.positions.push(if i == 0 { Vec3::new(0.0, place.y, place.z) } else { place });
                    mesh.seam.push(i == 0);
                }
            }
        }
    }
    for j in 1..ny - 1 {
        for k in 1..nz - 1 {
            for i in 1..nx - 1 {
                for axis in 0..3 {
                    if let Some(quad) = edge_quad(&grid, [i, j, k], axis) {
                        push_quad(&mut mesh, quad.map(|cell| vertex_of_cell[cell_index(cell)]));
                    }
                }
            }
        }
    }
    mesh
}

/// Mean of the surface's crossings with the twelve edges of a cell; none when it does not pass through.
fn cell_vertex(grid: &Grid, cell: [usize; 3]) -> Option<Vec3> {
    let corner = |c: usize| [cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)];
    let values: [f32; 8] = std::array::from_fn(|c| grid.at(corner(c)));
    let inside = values.iter().filter(|v| **v < 0.0).count();
    if inside == 0 || inside == 8 {
        return None;
    }
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for a in 0..8 {
        for b in [1, 2, 4].map(|bit| a | bit).into_iter().filter(|b| *b != a) {
            if (values[a] < 0.0) != (values[b] < 0.0) {
                let t = values[a] / (values[a] - values[b]);
                let [pa, pb] = [a, b].map(|c| grid.place(corner(c).map(|x| x as f32)));
                sum += pa + (pb - pa) * t;
                count += 1.0;
            }
        }
    }
    Some(sum / count)
}

/// The four cells around the grid edge that leaves a corner along an axis, ordered to look outwards;
/// none when the surface does not cross it.
fn edge_quad(grid: &Grid, corner: [usize; 3], axis: usize) -> Option<[[usize; 3]; 4]> {
    let mut next = corner;
    next[axis] += 1;
    let (here, there) = (grid.at(corner) < 0.0, grid.at(next) < 0.0);
    if here == there {
        return None;
    }
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let cell = |du: usize, dv: usize| {
        let mut cell = corner;
        cell[u] -= du;
        cell[v] -= dv;
        cell
    };
    let around = [cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)];
    Some(if here { around } else { [around[0], around[3], around[2], around[1]] })
}

/// Cut along the shorter diagonal.
fn push_quad(mesh: &mut HalfMesh, [a, b, c, d]: [u32; 4]) {
    let at = |v: u32| mesh.positions[v as usize];
    // a diagonal between two seam vertices would have four faces once the mirror half is there
    let seam = |v: u32| mesh.seam[v as usize];
    let first = at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d));
    if (first && !(seam(a) && seam(c))) || (seam(b) && seam(d)) {
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    } else {
        mesh.triangles.extend([[a, b, d], [b, c, d]]);
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
        let (positions, triangles) = mirrored(&surface_nets(&ball, 0.02));
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
