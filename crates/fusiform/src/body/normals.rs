//! Normals: recomputed after the last layer, in two passes over a precomputed adjacency.
//!
//! ```text
//! faces     n_f = (p₁ − p₀) × (p₂ − p₀)           length = twice the area
//! vertices  n_v = Σ n_f / |Σ n_f|                 over the faces around the vertex, seams closed
//! ```
//!
//! Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 4. Vertices split for texture
//! seams (same place, same normal in the artist's file) share one normal; hard edges stay hard.

use super::lanes::{LANES, Lane3, for_each_instruction_set};
use crate::character::Mesh;
use crate::musculature::NormalWeighting;
use glam::{Vec3, Vec3A};
use std::collections::HashMap;

/// Artist's normals closer than this (cosine) are one normal.
const SAME_NORMAL: f32 = 0.9;

/// Triangles over all meshes, and the faces around each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NormalTable {
    pub triangles: Box<[[u32; 3]]>, // n_face
    start: Box<[u32]>,              // n_vertex + 1  rows of `corner`
    corner: Box<[u32]>,             // face x 3 + corner, ascending
    weighting: NormalWeighting,
}

impl NormalTable {
    /// Adjacency of those meshes, their vertices numbered on through.
    pub fn new(meshes: &[Mesh], weighting: NormalWeighting) -> Self {
        let n_vertex = meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let (mut triangles, mut twin) = (Vec::new(), Vec::with_capacity(n_vertex));
        for mesh in meshes {
            let first = twin.len() as u32;
            triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
            twin.extend(twins(mesh).into_iter().map(|v| v + first));
        }
        let mut around = vec![Vec::new(); n_vertex];
        for (face, corners) in triangles.iter().enumerate() {
            for (corner, &v) in corners.iter().enumerate() {
                around[twin[v as usize] as usize].push((face * 3 + corner) as u32);
            }
        }
        let (mut start, mut corner) = (vec![0], Vec::new());
        for &v in &twin {
            corner.extend(&around[v as usize]);
            start.push(corner.len() as u32);
        }
        Self { triangles: triangles.into(), start: start.into(), corner: corner.into(), weighting }
    }

    /// Room that [`faces`] needs: one row a face, and one more for each corner when corners weigh by their angle.
    pub fn n_row(&self) -> usize {
        self.triangles.len() * if self.weighting == NormalWeighting::Angle { 3 } else { 1 }
    }
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

/// First pass, faces `first ..`: one row each weighted by area, or three rows each weighted by their corner's angle.
pub fn faces(table: &NormalTable, first: usize, positions: &[Vec3], rows: &mut [Vec3A]) {
    let at = |v: u32| Vec3A::from(positions[v as usize]);
    match table.weighting {
        NormalWeighting::Area => {
            for (row, t) in rows.iter_mut().zip(&table.triangles[first..]) {
                let p = at(t[0]);
                *row = (at(t[1]) - p).cross(at(t[2]) - p);
            }
        }
        NormalWeighting::Angle => {
            for (rows, t) in rows.chunks_exact_mut(3).zip(&table.triangles[first / 3..]) {
                let p = t.map(at);
                let normal = (p[1] - p[0]).cross(p[2] - p[0]).normalize_or_zero();
                for (k, row) in rows.iter_mut().enumerate() {
                    let (u, v) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                    *row = normal * libm::atan2f(u.cross(v).length(), u.dot(v));
                }
            }
        }
    }
}

for_each_instruction_set! {
    /// Second pass, vertices `first ..`.
    vertices = vertices_in_lanes(table: &NormalTable, first: usize, rows: &[Vec3A], normals: &mut [Vec3])
}

#[inline(always)]
fn vertices_in_lanes(table: &NormalTable, first: usize, rows: &[Vec3A], normals: &mut [Vec3]) {
    let rows_a_face = if table.weighting == NormalWeighting::Angle { 3 } else { 1 };
    for (chunk, normals) in normals.chunks_mut(LANES).enumerate() {
        let mut sums = Lane3::default();
        for lane in 0..normals.len() {
            let v = first + chunk * LANES + lane;
            let corners = &table.corner[table.start[v] as usize..table.start[v + 1] as usize];
            let sum = if rows_a_face == 3 {
                corners.iter().fold(Vec3A::ZERO, |sum, &c| sum + rows[c as usize])
            } else {
                corners.iter().fold(Vec3A::ZERO, |sum, &c| sum + rows[c as usize / 3])
            };
            sums.set(lane, sum.into());
        }
        let mut unit = Lane3::default();
        for l in 0..LANES {
            unit.set(l, super::frame::unit_or(sums.get(l), 1e-18, Vec3::Y));
        }
        for (lane, normal) in normals.iter_mut().enumerate() {
            *normal = unit.get(lane);
        }
    }
}
