//! Field: how far every place around a bone is from its surface, and which way is out of it; made once at bind.
//!
//! ```text
//! node    d = ± |x − c|          c the nearest point of the surface, − inside;  n its normal, smooth over soft edges
//! between both are interpolated over the eight nodes around
//! ```
//!
//! A grid along the bone's own axes. Triangles write themselves into the nodes around them, then nodes hand their nearest
//! triangle on to their neighbours in eight sweeps (Bridson: *Fluid Simulation for Computer Graphics*, 2008, section 4.3).
//! The sign is that of the angle-weighted normal of the nearest corner, edge or face (Baerentzen, Aanaes: *Signed Distance
//! Computation Using the Angle Weighted Pseudonormal*, 2005), which needs no rays. Saam's grid finds the nearest triangle
//! in every frame; this one has found it already, and its normals have no edges.

use super::bones::{self, Surface};
use super::error::BindError;
use glam::{Affine3A, Mat3, Vec3};
use std::collections::HashMap;

/// Cells to a bone's radius and to the layer's reach: fine enough that a ball's distance errs by less than a tenth of
/// either; and those to a radius beyond which a short reach asks for no finer ones.
const CELLS_PER_RADIUS: f32 = 3.0;
const CELLS_PER_REACH: f32 = 2.0;
const MOST_CELLS_PER_RADIUS: f32 = 6.0;

/// The coarsest grid that still has a node inside every part of a bone.
const FEWEST_CELLS_PER_RADIUS: f32 = 0.8;

/// Nodes beyond which a bone is refused: 1 MB.
const MOST_NODES: usize = 1 << 17;

/// Distance and unit way out along the grid's axes, in steps: half the memory of floats, and in a game's frame caches are
/// cold.
type Node = [i16; 4];

/// Steps to a way out of length one, and to the farthest distance in a field.
const STEPS: f32 = i16::MAX as f32;

/// A bone's surroundings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    size: [usize; 3],
    last: [f32; 3], // size − 1: where the grid ends, cells
    node: Box<[Node]>,
    step: [f32; 4], // m of distance, and length of the way out, a step
    /// From model space at bind to cells.
    pub cells_from_bind: Affine3A,
    /// From the grid's axes to model space at bind.
    pub axes: Mat3,
}

impl Field {
    /// The surroundings of a bone up to `reach` metres from it.
    pub fn new(name: &str, surface: &Surface, reach: f32) -> Result<Self, BindError> {
        let axes = long_axes(&surface.positions);
        let to_grid = axes.transpose();
        let places: Vec<Vec3> = surface.positions.iter().map(|p| to_grid * *p).collect();
        let (low, high) = bones::bounds(&places);
        let extent = high - low + Vec3::splat(2.0 * reach);
        let cell = cell_size(extent, surface.radius, reach).ok_or_else(|| BindError::Bone {
            bone: name.to_owned(),
            fault: format!(
                "is {} m thick, too thin for its extent of {} m",
                2.0 * surface.radius,
                extent.max_element()
            ),
            cure: "thicken it, cut it into several bones, or lower the reach of the layer that uses it",
        })?;
        // a node more on each side, so that the outermost cells lie beyond all reach
        let size = (extent / cell).to_array().map(|cells| cells.ceil() as usize + 3);
        let corner = low - Vec3::splat(reach + cell);
        let cells: Vec<Vec3> = places.iter().map(|p| (*p - corner) / cell).collect();
        let (node, step) = packed(&Nearest::new(&cells, &surface.triangles, size).nodes(cell));
        let cells_from_bind = Affine3A::from_scale(Vec3::splat(1.0 / cell))
            * Affine3A::from_translation(-corner)
            * Affine3A::from_mat3(to_grid);
        Ok(Self { last: size.map(|n| (n - 1) as f32), size, node, step, cells_from_bind, axes })
    }

    /// Distance (m) and way out at a place given in cells; none beyond the grid, which is beyond all reach.
    #[inline(always)]
    pub fn at(&self, x: f32, y: f32, z: f32) -> Option<[f32; 4]> {
        let [last_x, last_y, last_z] = self.last;
        let within = x >= 0.0 && y >= 0.0 && z >= 0.0 && x < last_x && y < last_y && z < last_z;
        if !within {
            return None;
        }
        let (i, j, k) = (x as usize, y as usize, z as usize);
        let (u, v, w) = (x - i as f32, y - j as f32, z - k as f32);
        let mut both = [0.0_f32; 8]; // this node's and the next one's, mixed over the four rows around
        let rows = [(0, 0, (1.0 - v) * (1.0 - w)), (1, 0, v * (1.0 - w)), (0, 1, (1.0 - v) * w), (1, 1, v * w)];
        for (next_j, next_k, share) in rows {
            let first = ((k + next_k) * self.size[1] + j + next_j) * self.size[0] + i;
            let pair: &[i16; 8] = self.node.as_flattened().get(4 * first..)?.first_chunk()?;
            for l in 0..8 {
                both[l] += share * f32::from(pair[l]);
            }
        }
        Some(std::array::from_fn(|c| (both[c] + u * (both[c + 4] - both[c])) * self.step[c]))
    }
}

/// Nodes in steps, and how large these are.
fn packed(nodes: &[[f32; 4]]) -> (Box<[Node]>, [f32; 4]) {
    let farthest = nodes.iter().fold(f32::MIN_POSITIVE, |most, node| most.max(node[0].abs()));
    let step = [farthest / STEPS, 1.0 / STEPS, 1.0 / STEPS, 1.0 / STEPS];
    (nodes.iter().map(|node| std::array::from_fn(|c| (node[c] / step[c]).round() as i16)).collect(), step)
}

/// Edge of a cell, or none where even the coarsest grid would be too large.
fn cell_size(extent: Vec3, radius: f32, reach: f32) -> Option<f32> {
    let nodes = |cell: f32| (extent / cell + Vec3::splat(4.0)).as_dvec3().element_product();
    let coarsest = radius / FEWEST_CELLS_PER_RADIUS;
    let mut cell = (reach / CELLS_PER_REACH).clamp(radius / MOST_CELLS_PER_RADIUS, radius / CELLS_PER_RADIUS);
    while nodes(cell) > MOST_NODES as f64 {
        cell *= 1.1;
        if cell > coarsest {
            return None;
        }
    }
    Some(cell)
}

/// Axes that a bone is long, wide and thin along: eigenvectors of its covariance, by powers of it.
fn long_axes(positions: &[Vec3]) -> Mat3 {
    let middle = positions.iter().sum::<Vec3>() / positions.len() as f32;
    let (low, high) = bones::bounds(positions);
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    let mut spread = Mat3::ZERO;
    for p in positions {
        let d = (*p - middle) / size;
        spread += Mat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let longest = |spread: Mat3, start: Vec3| (0..64).fold(start, |axis, _| (spread * axis).normalize_or(axis));
    let x = longest(spread, Vec3::new(0.48, 0.64, 0.6));
    let start = x.any_orthonormal_vector();
    let across = |m: Mat3| {
        Mat3::from_cols_array_2d(&m.to_cols_array_2d().map(|c| Vec3::from(c).reject_from_normalized(x).to_array()))
    };
    let y = longest(across(across(spread).transpose()), start).reject_from_normalized(x).normalize_or(start);
    Mat3::from_cols(x, y, x.cross(y))
}

/// The nearest triangle of every node, as far as it is known, in cells.
struct Nearest<'a> {
    places: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    size: [usize; 3],
    triangle: Vec<u32>,
    square: Vec<f32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Nearest<'a> {
    fn new(places: &'a [Vec3], triangles: &'a [[u32; 3]], size: [usize; 3]) -> Self {
        let n = size.iter().product();
        let mut nearest = Self { places, triangles, size, triangle: vec![NONE; n], square: vec![f32::INFINITY; n] };
        nearest.scatter();
        nearest.sweep();
        nearest
    }

    fn row(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.size[1] + j) * self.size[0] + i
    }

    fn offer(&mut self, node: [usize; 3], triangle: u32) {
        let row = self.row(node);
        let at = Vec3::from(node.map(|i| i as f32));
        let corners = self.corners(triangle);
        let square = mean(corners, nearest_point(at, corners)).distance_squared(at);
        if square < self.square[row] {
            (self.square[row], self.triangle[row]) = (square, triangle);
        }
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.places[v as usize])
    }

    /// Every triangle into the nodes around it.
    fn scatter(&mut self) {
        for t in 0..self.triangles.len() as u32 {
            let (low, high) = bones::bounds(&self.corners(t));
            let [from, to] = [low - Vec3::ONE, high + Vec3::ONE].map(|p| p.to_array());
            let range = |axis: usize| {
                let end = (to[axis].ceil().max(0.0) as usize).min(self.size[axis] - 1);
                from[axis].floor().max(0.0) as usize..=end
            };
            let [x, y, z] = [range(0), range(1), range(2)];
            for k in z {
                for j in y.clone() {
                    for i in x.clone() {
                        self.offer([i, j, k], t);
                    }
                }
            }
        }
    }

    /// From node to node, once in each of the eight directions. Far away a node may be left with a neighbour of its nearest.
    fn sweep(&mut self) {
        let [nx, ny, nz] = self.size;
        for way in 0..8_usize {
            let back = [way & 1, way >> 1 & 1, way >> 2].map(|bit| bit == 1);
            for step in 0..nx * ny * nz {
                let mut node = [step % nx, step / nx % ny, step / (nx * ny)];
                for axis in (0..3).filter(|&axis| back[axis]) {
                    node[axis] = self.size[axis] - 1 - node[axis];
                }
                for axis in 0..3 {
                    let mut before = node;
                    before[axis] = if back[axis] { node[axis] + 1 } else { node[axis].wrapping_sub(1) };
                    if before[axis] >= self.size[axis] {
                        continue;
                    }
                    let triangle = self.triangle[self.row(before)];
                    if triangle != NONE && triangle != self.triangle[self.row(node)] {
                        self.offer(node, triangle);
                    }
                }
            }
        }
    }

    /// Distance (m) and way out of every node.
    fn nodes(self, cell: f32) -> Vec<[f32; 4]> {
        let normals = Normals::new(self.places, self.triangles);
        let node = |row: usize| {
            let [nx, ny, _] = self.size;
            let at = Vec3::from([row % nx, row / nx % ny, row / (nx * ny)].map(|i| i as f32));
            let triangle = self.triangle[row];
            let corners = self.corners(triangle);
            let share = nearest_point(at, corners);
            let away = at - mean(corners, share);
            let (out, smooth) = normals.at(triangle as usize, share);
            let sign = if away.dot(out) < 0.0 { -1.0 } else { 1.0 };
            let distance = away.length();
            let way = smooth.unwrap_or(if distance > 1e-3 { away * (sign / distance) } else { out });
            [sign * distance * cell, way.x, way.y, way.z]
        };
        (0..self.triangle.len()).map(node).collect()
    }
}

/// The point that has so much of each corner.
fn mean(corners: [Vec3; 3], share: [f32; 3]) -> Vec3 {
    corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2]
}

/// How much of each corner the point of a triangle has that is nearest to `p` (Ericson: *Real-Time Collision Detection*,
/// 2005, section 5.1.5); exactly nothing of those beyond an edge or a corner.
fn nearest_point(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let whole = 1.0 / (va + vb + vc);
    [va * whole, vb * whole, vc * whole]
}

/// Which way is out at every corner, edge and face.
struct Normals<'a> {
    triangles: &'a [[u32; 3]],
    face: Vec<Vec3>,
    edge: HashMap<(u32, u32), Edge>,
    corner: Vec<Vec3>,
    /// Of every corner of every face: the mean of the faces around it that are no hard edge away.
    soft: Vec<[Vec3; 3]>,
    hard_corner: Vec<bool>,
}

#[derive(Clone, Copy, Default)]
struct Edge {
    sum: Vec3,
    faces: f32,
}

/// Faces that turn by more (cosine) meet at a hard edge, which has a normal of its own for every place around it.
const HARD: f32 = 0.7;

impl<'a> Normals<'a> {
    fn new(places: &[Vec3], triangles: &'a [[u32; 3]]) -> Self {
        let face: Vec<Vec3> = triangles.iter().map(|t| bones::normal(places, t).normalize_or_zero()).collect();
        let mut edge: HashMap<(u32, u32), Edge> = HashMap::new();
        let mut around: Vec<Vec<Vec3>> = vec![Vec::new(); places.len()]; // faces times their angle there
        for (t, normal) in triangles.iter().zip(&face) {
            for i in 0..3 {
                let [a, b, c] = [t[i], t[(i + 1) % 3], t[(i + 2) % 3]];
                let of_edge = edge.entry((a.min(b), a.max(b))).or_default();
                *of_edge = Edge { sum: of_edge.sum + *normal, faces: of_edge.faces + 1.0 };
                let [to_b, to_c] = [b, c].map(|v| places[v as usize] - places[a as usize]);
                around[a as usize].push(*normal * libm::atan2f(to_b.cross(to_c).length(), to_b.dot(to_c)));
            }
        }
        let corner: Vec<Vec3> = around.iter().map(|faces| faces.iter().sum::<Vec3>().normalize_or_zero()).collect();
        let turns = |normal: Vec3, weighted: &Vec3| normal.dot(*weighted) < HARD * weighted.length();
        let hard_corner = corner.iter().zip(&around).map(|(n, faces)| faces.iter().any(|face| turns(*n, face)));
        let soft_of = |(t, normal): (&[u32; 3], &Vec3)| {
            t.map(|v| {
                let alike = around[v as usize].iter().filter(|face| !turns(*normal, face));
                alike.sum::<Vec3>().normalize_or(*normal)
            })
        };
        let soft = triangles.iter().zip(&face).map(soft_of).collect();
        Self { triangles, hard_corner: hard_corner.collect(), face, edge, corner, soft }
    }

    /// The normal that tells inside from outside, and the smooth one, which places off a hard edge or corner have not.
    fn at(&self, triangle: usize, share: [f32; 3]) -> (Vec3, Option<Vec3>) {
        let t = self.triangles[triangle];
        let smooth = mean(self.soft[triangle], share).normalize_or(self.face[triangle]);
        match share.map(|share| share > 0.0) {
            [true, true, true] => (self.face[triangle], Some(smooth)),
            [true, false, false] => self.at_corner(t[0], smooth),
            [false, true, false] => self.at_corner(t[1], smooth),
            [false, false, _] => self.at_corner(t[2], smooth),
            [true, true, false] => self.at_edge(t[0], t[1], smooth),
            [false, true, true] => self.at_edge(t[1], t[2], smooth),
            [true, false, true] => self.at_edge(t[0], t[2], smooth),
        }
    }

    fn at_corner(&self, corner: u32, smooth: Vec3) -> (Vec3, Option<Vec3>) {
        (self.corner[corner as usize], (!self.hard_corner[corner as usize]).then_some(smooth))
    }

    fn at_edge(&self, a: u32, b: u32, smooth: Vec3) -> (Vec3, Option<Vec3>) {
        let edge = self.edge.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
        // two unit normals that turn by an angle add up to twice the cosine of its half
        let is_soft = edge.sum.length_squared() > edge.faces * edge.faces * 0.5 * (1.0 + HARD);
        (edge.sum.normalize_or(smooth), is_soft.then_some(smooth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::musculature::{Bone, BoneShape};
    use crate::{Skeleton, Transform};
    use glam::Quat;

    fn field(shape: BoneShape, reach: f32) -> Field {
        let skeleton = Skeleton::from_rest(&[("root", None, Transform::IDENTITY)]);
        let bone = Bone { name: "bone".into(), joint: "root".into(), shape };
        Field::new("bone", &Surface::new(&bone, &skeleton).unwrap(), reach).unwrap()
    }

    fn at(field: &Field, p: Vec3) -> Option<(f32, Vec3)> {
        let cells = field.cells_from_bind.transform_point3(p);
        let [d, x, y, z] = field.at(cells.x, cells.y, cells.z)?;
        Some((d, field.axes * Vec3::new(x, y, z)))
    }

    #[test]
    fn a_capsule_is_as_far_as_its_line_less_its_radius() {
        let (from, to, r) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.15, 0.26, 0.37), 0.015);
        let field = field(BoneShape::Capsule { from, to, radii: [r; 2] }, 0.02);
        let mut seen = [0, 0];
        for i in 0..4000_u32 {
            let grain = |salt: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(salt) % 1009) as f32 / 1009.0;
            let p = from.lerp(to, 0.5) + (Vec3::new(grain(7), grain(7919), grain(104_729)) - 0.5) * 0.12;
            let along = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            let axis = p - from.lerp(to, along);
            let true_distance = axis.length() - r;
            let Some((distance, out)) = at(&field, p) else {
                assert!(true_distance > 0.02, "nothing within reach is left out");
                continue;
            };
            // facets lie up to 2 % of the radius within the capsule, cells round its corners
            assert!((distance - true_distance).abs() < 0.1 * r, "{distance} where it is {true_distance}");
            if axis.length() > 0.5 * r {
                assert!(out.normalize().dot(axis.normalize()) > 0.97, "out is away from the line");
            }
            seen[usize::from(true_distance < 0.0)] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?} places outside and inside");
    }

    #[test]
    fn a_flat_plate_has_an_inside_and_two_sides() {
        let turn = Quat::from_rotation_z(0.5);
        let half_axes = Vec3::new(0.06, 0.04, 0.006);
        let field = field(BoneShape::Ellipsoid { center: Vec3::ZERO, turn, half_axes }, 0.01);
        assert!(at(&field, Vec3::ZERO).unwrap().0 < -0.003);
        for side in [-1.0, 1.0] {
            let (distance, out) = at(&field, Vec3::Z * (0.010 * side)).unwrap();
            assert!((distance - 0.004).abs() < 0.0006 && out.z * side > 0.95, "{distance}, {out}");
        }
    }

    #[test]
    fn every_node_knows_its_nearest_triangle() {
        let shape = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::X * 0.05, radii: [0.02, 0.01] };
        let skeleton = Skeleton::from_rest(&[("root", None, Transform::IDENTITY)]);
        let bone = Bone { name: "bone".into(), joint: "root".into(), shape };
        let surface = Surface::new(&bone, &skeleton).unwrap();
        const REACH: f32 = 0.03;
        let field = Field::new("bone", &surface, REACH).unwrap();
        let corners = |t: &[u32; 3]| t.map(|v| surface.positions[v as usize]);
        for row in (0..field.node.len()).step_by(7) {
            let [nx, ny, _] = field.size;
            let cells = Vec3::from([row % nx, row / nx % ny, row / (nx * ny)].map(|i| i as f32));
            let place = field.cells_from_bind.inverse().transform_point3(cells);
            let all =
                surface.triangles.iter().map(|t| mean(corners(t), nearest_point(place, corners(t))).distance(place));
            let brute = all.fold(f32::INFINITY, f32::min);
            if brute > REACH {
                continue; // nobody asks there
            }
            let found = f32::from(field.node[row][0]) * field.step[0];
            assert!((found.abs() - brute).abs() < 1e-4, "{found} for {brute}");
        }
    }

    #[test]
    fn a_bone_too_thin_for_its_length_is_refused() {
        let skeleton = Skeleton::from_rest(&[("root", None, Transform::IDENTITY)]);
        let shape =
            BoneShape::Ellipsoid { center: Vec3::ZERO, turn: Quat::IDENTITY, half_axes: Vec3::new(1.0, 1.0, 1e-3) };
        let bone = Bone { name: "sheet".into(), joint: "root".into(), shape };
        let error = Field::new("sheet", &Surface::new(&bone, &skeleton).unwrap(), 0.02).unwrap_err();
        assert!(error.to_string().contains("sheet") && error.cure().contains("thicken"), "{error}");
    }
}
