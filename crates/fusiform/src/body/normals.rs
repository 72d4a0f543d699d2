//! Normals: recomputed after the last layer, from a precomputed adjacency; seams closed, hard edges kept.
//!
//! ```text
//! n_v ~ Σ (pᵢ − p) × (pᵢ₊₁ − p)                 over the faces around v: each cross product is twice its area
//!     = Σ (pᵢ₋₁ − pᵢ₊₁) × (pᵢ − p)              two neighbouring faces at a time: a wedge
//! ```
//!
//! The sum is that of Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 4, who
//! store every face's normal in a first pass. Taking the faces around a vertex in pairs needs half the cross products
//! and no memory in between, which is what bounds it. By angle (an option) it is the two passes: a face's normal
//! weighs by the angle of its corner.
//!
//! Vertices split for texture seams (same place, same normal in the artist's file) share one normal.

use super::batch::WINDOW;
use super::lanes::for_each_instruction_set;
use super::skin::{Seats, unseat_by_four};
use crate::character::Mesh;
use crate::musculature::NormalWeighting;
use glam::{Mat4, Vec3, Vec3A, Vec4};
use std::collections::HashMap;

/// Artist's normals closer than this (cosine) are one normal.
const SAME_NORMAL: f32 = 0.9;

/// Triangles over all meshes, and what lies around each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NormalTable {
    pub triangles: Box<[[u32; 3]]>, // n_face
    pub around: Around,
}

/// What a vertex sums up, by the way it weighs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Around {
    /// By area: walks around vertices, window by window.
    Walks(Walks),
    /// By angle: rows of corners (face x 3 + corner).
    Corners { start: Box<[u32]>, corner: Box<[u32]> },
}

impl Default for Around {
    fn default() -> Self {
        Self::Walks(Walks::default())
    }
}

/// Walks around the vertices of every window, two vertices with equally many wedges side by side, those with the same
/// number of wedges together, so that the loop over wedges never surprises the processor.
///
/// Walks count vertices from their window's `base` in sixteen bits, because memory bounds the normals; those that lead
/// farther than that are kept apart and counted from the first vertex of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Walks {
    window: Box<[Window]>,
    run: Box<[Run]>,
    pair: Box<[[u16; 2]]>, // in run order, counted from the window's first; an odd one is its own partner
    near: Box<[[u16; 2]]>, // in run order: both vertices, their first neighbours, then two more for each wedge; by
    far: Box<[[u32; 2]]>,  // their first float, 3 x index
    n_vertex: usize,       // all of them are less
}

/// Where the walks of a window are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Window {
    first_run: u32,
    end_run: u32,
    base: u32, // vertex from which near walks count
}

/// Pairs of one window with equally many wedges around them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    is_far: bool,
    wedges: u32,
    first: u32, // rows of `pair`
    end: u32,
    walk: u32, // first row of `near` or `far`
}

/// Wedges that every vertex has at least; what is missing walks on the spot and adds nothing.
const FEWEST: usize = 3;

/// A vertex of a window with its walk, itself first.
struct Walk {
    place: u16,
    around: Vec<u32>,
}

impl Walk {
    fn new(v: u32, around: Vec<u32>) -> Self {
        let mut walk = [vec![v], around].concat();
        let last = walk[walk.len() - 1];
        walk.resize(walk.len().max(2), last);
        while walk.len() < 2 + 2 * FEWEST {
            walk.extend([v, last]);
        }
        Self { place: (v as usize % WINDOW) as u16, around: walk }
    }

    fn wedges(&self) -> usize {
        (self.around.len() - 2) / 2
    }

    fn is_far(&self, base: u32) -> bool {
        self.around.iter().any(|&v| v < base || 3 * (v - base) > u32::from(u16::MAX))
    }
}

impl Walks {
    fn new(n_vertex: usize, walk_of: impl Fn(usize) -> Vec<u32>) -> Self {
        let (mut window, mut run, mut pair) = (Vec::new(), Vec::<Run>::new(), Vec::new());
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for first in (0..n_vertex).step_by(WINDOW) {
            let base = first.saturating_sub(usize::from(u16::MAX / 6)) as u32;
            let mut walks: Vec<Walk> =
                (first..n_vertex.min(first + WINDOW)).map(|v| Walk::new(v as u32, walk_of(v))).collect();
            let all_within = walks.iter().all(|walk| walk.around.iter().all(|&v| (v as usize) < n_vertex));
            assert!(all_within, "triangles were checked to use only vertices there are");
            walks.sort_by_key(|walk| (walk.is_far(base), walk.wedges(), walk.place));
            let first_run = run.len() as u32;
            for alike in walks.chunk_by(|a, b| (a.is_far(base), a.wedges()) == (b.is_far(base), b.wedges())) {
                let (is_far, wedges) = (alike[0].is_far(base), alike[0].wedges() as u32);
                let (first, walk) = (pair.len() as u32, if is_far { far.len() } else { near.len() } as u32);
                for two in alike.chunks(2) {
                    let (a, b) = (&two[0], &two[two.len() - 1]);
                    pair.push([a.place, b.place]);
                    for (&a, &b) in a.around.iter().zip(&b.around) {
                        if is_far {
                            far.push([3 * a, 3 * b])
                        } else {
                            near.push([a, b].map(|v| (3 * (v - base)) as u16))
                        }
                    }
                }
                run.push(Run { is_far, wedges, first, end: pair.len() as u32, walk });
            }
            window.push(Window { first_run, end_run: run.len() as u32, base });
        }
        let (window, run, pair) = (window.into(), run.into(), pair.into());
        Self { window, run, pair, near: near.into(), far: far.into(), n_vertex }
    }
}

impl NormalTable {
    /// Adjacency of those meshes, their vertices numbered on through.
    pub fn new(meshes: &[Mesh], weighting: NormalWeighting) -> Self {
        let (mut triangles, mut twin) = (Vec::new(), Vec::new());
        for mesh in meshes {
            let first = twin.len() as u32;
            triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
            twin.extend(twins(mesh).into_iter().map(|v| v + first));
        }
        let mut corners = vec![Vec::new(); twin.len()];
        for (face, vertices) in triangles.iter().enumerate() {
            for (corner, &v) in vertices.iter().enumerate() {
                corners[twin[v as usize] as usize].push((face * 3 + corner) as u32);
            }
        }
        let of = |v: usize| &corners[twin[v] as usize];
        let around = match weighting {
            NormalWeighting::Angle => {
                let (start, corner) = rows(twin.len(), |v| of(v).clone());
                Around::Corners { start, corner }
            }
            NormalWeighting::Area => Around::Walks(Walks::new(twin.len(), |v| walk(v as u32, of(v), &triangles))),
        };
        Self { triangles: triangles.into(), around }
    }

    /// Rows that [`corners`] needs.
    pub fn n_corner(&self) -> usize {
        if matches!(self.around, Around::Corners { .. }) { self.triangles.len() * 3 } else { 0 }
    }
}

fn rows<T>(n: usize, of: impl Fn(usize) -> Vec<T>) -> (Box<[u32]>, Box<[T]>) {
    let (mut start, mut all) = (vec![0], Vec::new());
    for v in 0..n {
        all.extend(of(v));
        start.push(all.len() as u32);
    }
    (start.into(), all.into())
}

/// The faces around vertex `v` as one walk over its neighbours: the first, then (middle, after) of each wedge.
///
/// A face left alone takes `v` itself as its last; where the fan breaks off, the step (v, next) begins anew and
/// adds nothing, since its middle is `v`.
fn walk(v: u32, corners: &[u32], triangles: &[[u32; 3]]) -> Vec<u32> {
    let edge = |&c: &u32| {
        let (t, k) = (triangles[c as usize / 3], c as usize % 3);
        (t[(k + 1) % 3], t[(k + 2) % 3])
    };
    let mut edges: Vec<(u32, u32)> = corners.iter().map(edge).collect();
    let mut walk = Vec::with_capacity(edges.len() + 1);
    while !edges.is_empty() {
        // begin where nothing leads to, so that an open fan is walked from its end
        let begin = (0..edges.len()).find(|&i| edges.iter().all(|e| e.1 != edges[i].0)).unwrap_or(0);
        let (first, mut middle) = edges.swap_remove(begin);
        if walk.is_empty() {
            walk.push(first)
        } else {
            walk.extend([v, first])
        }
        loop {
            let Some(second) = edges.iter().position(|e| e.0 == middle) else {
                walk.extend([middle, v]);
                break;
            };
            let after = edges.swap_remove(second).1;
            walk.extend([middle, after]);
            let Some(third) = edges.iter().position(|e| e.0 == after) else { break };
            middle = edges.swap_remove(third).1;
        }
    }
    walk
}

/// For each vertex the first one at its place with its normal.
fn twins(mesh: &Mesh) -> Vec<u32> {
    let mut at: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
    let normal = |v: u32| mesh.normals.get(v as usize);
    let mut twins = Vec::with_capacity(mesh.positions.len());
    for (v, p) in (0_u32..).zip(&mesh.positions) {
        let place = at.entry((*p + Vec3::ZERO).to_array().map(f32::to_bits)).or_default();
        let alike = |&&other: &&u32| match (normal(v), normal(other)) {
            (Some(a), Some(b)) => a.dot(*b) >= SAME_NORMAL * a.length() * b.length(),
            _ => true,
        };
        let twin = place.iter().find(alike).copied();
        if twin.is_none() {
            place.push(v);
        }
        twins.push(twin.unwrap_or(v));
    }
    twins
}

for_each_instruction_set! {
    /// Normals of that window's vertices, by area; `positions` has one row more than there are vertices.
    by_area = by_area_in_runs(
        walks: &Walks, window: usize, positions: &[Vec3], seats: &mut Seats, normals: &mut [Vec3],
    )
}

#[inline(always)]
fn by_area_in_runs(walks: &Walks, window: usize, positions: &[Vec3], seats: &mut Seats, normals: &mut [Vec3]) {
    assert!(positions.len() > walks.n_vertex, "positions need one row more than there are vertices");
    let Window { first_run, end_run, base } = walks.window[window];
    let from_base = &positions[base as usize..];
    for run in &walks.run[first_run as usize..end_run as usize] {
        let (pairs, walk) = (&walks.pair[run.first as usize..run.end as usize], run.walk as usize);
        // the usual lengths are known to the compiler, which then has no loop at all
        match (run.is_far, 2 + 2 * run.wedges as usize) {
            (false, 8) => sums(pairs, &walks.near[walk..], 8, from_base, seats),
            (false, 10) => sums(pairs, &walks.near[walk..], 10, from_base, seats),
            (false, length) => sums(pairs, &walks.near[walk..], length, from_base, seats),
            (true, length) => sums(pairs, &walks.far[walk..], length, positions, seats),
        }
    }
    unseat_by_four(seats, normals, unit_by_four);
}

/// Two vertices side by side, four floats each; the fourth is the next vertex's x and counts for nothing.
type Pair = [f32; 8];

/// Twice the area-weighted sums of normals around pairs of vertices whose walks have that length, turned by one axis.
#[inline(always)]
fn sums<I: Copy + Into<u32>>(
    pairs: &[[u16; 2]],
    walks: &[[I; 2]],
    length: usize,
    positions: &[Vec3],
    seats: &mut Seats,
) {
    let floats: &[f32] = bytemuck::cast_slice(positions);
    #[allow(unsafe_code)]
    let four = |i: I| {
        let first = Into::<u32>::into(i) as usize;
        // SAFETY: walks name vertices that there are (asserted when they were made), and one more row follows the last
        // of them (asserted by the caller), so four floats are there.
        unsafe { floats.get_unchecked(first..first + 4) }
    };
    let at = |[a, b]: [I; 2]| {
        let (a, b) = (four(a), four(b));
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
    };
    for (&[a, b], walk) in pairs.iter().zip(walks.chunks_exact(length)) {
        let (p, mut before) = (at(walk[0]), at(walk[1]));
        let mut sum = Pair::default();
        for wedge in walk[2..].chunks_exact(2) {
            let (middle, after) = (at(wedge[0]), at(wedge[1]));
            let (u, v) = (minus(before, after), minus(middle, p));
            // a × b = (a.zxy b − a b.zxy).zxy: the last turn is the same for all, so it is left to the reader
            let (zu, zv) = (zxy(u), zxy(v));
            for i in 0..8 {
                sum[i] += zu[i] * v[i] - u[i] * zv[i];
            }
            before = after;
        }
        let [x, y, z, w, x2, y2, z2, w2] = sum;
        seats[usize::from(a) % WINDOW] = Vec4::new(x, y, z, w);
        seats[usize::from(b) % WINDOW] = Vec4::new(x2, y2, z2, w2);
    }
}

#[inline(always)]
fn minus(a: Pair, b: Pair) -> Pair {
    std::array::from_fn(|i| a[i] - b[i])
}

#[inline(always)]
fn zxy([x, y, z, w, x2, y2, z2, w2]: Pair) -> Pair {
    [z, x, y, w, z2, x2, y2, w2]
}

/// Seated sums to unit length; upward where the faces around cancel.
#[inline(always)]
fn unit_by_four([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    // the sums are still turned by one axis
    let Mat4 { x_axis: y, y_axis: z, z_axis: x, .. } = Mat4::from_cols(a, b, c, d).transpose();
    let square = x * x + y * y + z * z;
    let has_length = square.cmpgt(Vec4::splat(1e-36));
    let length = Vec4::from_array(square.max(Vec4::splat(1e-36)).to_array().map(f32::sqrt));
    let scale = Vec4::ONE / length;
    let or = |v: Vec4, up: Vec4| Vec4::select(has_length, v * scale, up);
    let unit = Mat4::from_cols(or(x, Vec4::ZERO), or(y, Vec4::ONE), or(z, Vec4::ZERO), Vec4::ZERO).transpose();
    [unit.x_axis, unit.y_axis, unit.z_axis, unit.w_axis]
}

/// To unit length; upward where the faces around cancel.
#[inline(always)]
fn unit(sum: Vec3A) -> Vec3 {
    let square = sum.length_squared();
    if square > 1e-36 { (sum * (1.0 / square.sqrt())).into() } else { Vec3::Y }
}

/// First pass by angle: the normal of each face times the angle at its corner, corners `first ..` (a multiple of 3).
pub fn corners(triangles: &[[u32; 3]], first: usize, positions: &[Vec3], rows: &mut [Vec3A]) {
    for (rows, t) in rows.chunks_exact_mut(3).zip(&triangles[first / 3..]) {
        let p = t.map(|v| Vec3A::from(positions[v as usize]));
        let normal = (p[1] - p[0]).cross(p[2] - p[0]).normalize_or_zero();
        for (k, row) in rows.iter_mut().enumerate() {
            let (u, v) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
            *row = normal * libm::atan2f(u.cross(v).length(), u.dot(v));
        }
    }
}

/// Second pass by angle: normals of vertices `first ..`.
pub fn by_angle(start: &[u32], corner: &[u32], first: usize, rows: &[Vec3A], normals: &mut [Vec3]) {
    for (v, normal) in (first..).zip(normals) {
        let around = corner[start[v] as usize..start[v + 1] as usize].iter();
        *normal = unit(around.fold(Vec3A::ZERO, |sum, &c| sum + rows[c as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel means: every face around a vertex, one by one.
    fn plain(mesh: &Mesh) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; mesh.positions.len()];
        for t in &mesh.triangles {
            let p = t.map(|v| mesh.positions[v as usize]);
            t.iter().for_each(|&v| sums[v as usize] += (p[1] - p[0]).cross(p[2] - p[0]));
        }
        sums.iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
    }

    fn solved(mesh: &Mesh, weighting: NormalWeighting) -> Vec<Vec3> {
        let table = NormalTable::new(std::slice::from_ref(mesh), weighting);
        let mut normals = vec![Vec3::ZERO; mesh.positions.len()];
        match &table.around {
            Around::Walks(walks) => {
                let padded = [&mesh.positions[..], &[Vec3::ZERO]].concat();
                let seats = &mut [Vec4::ZERO; WINDOW];
                for (i, normals) in normals.chunks_mut(WINDOW).enumerate() {
                    by_area(super::super::Instructions::BASELINE, walks, i, &padded, seats, normals);
                }
            }
            Around::Corners { start, corner } => {
                let mut rows = vec![Vec3A::ZERO; table.n_corner()];
                corners(&table.triangles, 0, &mesh.positions, &mut rows);
                by_angle(start, corner, 0, &rows, &mut normals);
            }
        }
        normals
    }

    /// A bumpy open grid, its quads cut both ways: closed fans of four to eight faces, open ones, single faces.
    fn grid() -> Mesh {
        let n = 7_u32;
        let at = |i: u32| Vec3::new((i % n) as f32, ((i * 7919) % 13) as f32 * 0.1, (i / n) as f32);
        let mut mesh = Mesh { positions: (0..n * n).map(at).collect(), ..Mesh::default() };
        for q in (0..n * (n - 1)).filter(|q| q % n != n - 1) {
            let (a, b, c, d) = (q, q + n, q + n + 1, q + 1);
            let cut = if q % 3 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            mesh.triangles.extend(cut);
        }
        mesh
    }

    #[test]
    fn wedges_sum_to_what_single_faces_do() {
        let mesh = grid();
        for (solved, plain) in solved(&mesh, NormalWeighting::Area).iter().zip(plain(&mesh)) {
            assert!((*solved - plain).length() < 1e-5);
        }
    }

    #[test]
    fn walks_that_lead_far_through_the_mesh_sum_to_the_same() {
        let (near, n) = (grid(), 30_000);
        let mut mesh = near.clone();
        // the grid's vertices with much between them: every other one goes to the far end
        let moved = |v: u32| if v.is_multiple_of(2) { v } else { n - v };
        mesh.positions = vec![Vec3::ZERO; n as usize];
        (0..).zip(&near.positions).for_each(|(v, p)| mesh.positions[moved(v) as usize] = *p);
        mesh.triangles.iter_mut().for_each(|t| *t = t.map(moved));
        let (far, near) = (solved(&mesh, NormalWeighting::Area), solved(&near, NormalWeighting::Area));
        for (v, near) in (0..).zip(near) {
            assert!((far[moved(v) as usize] - near).length() < 1e-5, "vertex {v}");
        }
    }

    #[test]
    fn a_corner_of_a_cube_points_outward_alike_however_its_squares_are_cut() {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32) * 2.0 - 1.0;
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|q: &[u32; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let mesh = Mesh { positions: (0..8).map(corner).collect(), triangles, ..Mesh::default() };
        for (normal, p) in solved(&mesh, NormalWeighting::Angle).iter().zip(&mesh.positions) {
            assert!((*normal - p.normalize()).length() < 1e-5, "{normal} at {p}");
        }
    }

    #[test]
    fn a_seam_shares_one_normal_and_a_hard_edge_does_not() {
        let p = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ZERO, Vec3::Z, Vec3::new(-1.0, -1.0, 0.0)];
        let triangles = vec![[0, 2, 1], [3, 5, 4]];
        let mut mesh = Mesh { positions: p.to_vec(), triangles, ..Mesh::default() };
        let seam = solved(&mesh, NormalWeighting::Area);
        assert_eq!((seam[0], seam[2]), (seam[3], seam[4]));
        mesh.normals = [Vec3::Y, Vec3::Y, Vec3::Y, Vec3::NEG_X, Vec3::NEG_X, Vec3::NEG_X].to_vec();
        let hard = solved(&mesh, NormalWeighting::Area);
        assert_ne!(hard[0], hard[3]);
    }

    #[test]
    fn a_face_without_area_leaves_a_finite_normal() {
        let mesh = Mesh { positions: vec![Vec3::ONE; 3], triangles: vec![[0, 1, 2]], ..Mesh::default() };
        assert!(solved(&mesh, NormalWeighting::Angle).iter().all(|n| n.is_normalized()));
    }
}
