//! The skin as a mesh of a wished number of vertices: even triangles, finer where the body is finer.

use crate::polygonise::{HalfMesh, marching_tetrahedra};
use crate::remesh;
use glam::Vec3;

/// Cell sizes of the first, rough net, metres: fine enough for the gap between thumb and fingers.
const CELL_RANGE: [f32; 2] = [0.0065, 0.0095];

/// Rounds of remeshing at a first guess of the edge length, and after it has been corrected for the count.
const FIRST_ROUNDS: usize = 3;
const CORRECTED_ROUNDS: usize = 2;
/// Corrections of the edge length.
const CORRECTIONS: usize = 3;
/// Passes that only spread the vertices, at the end.
const RELAX_PASSES: usize = 3;

/// The left half of the surface where `field` is zero, so that both halves have about `vertices`.
pub(crate) fn grow(field: &(impl Fn(Vec3) -> f32 + Sync), vertices: usize, mut progress: impl FnMut(f32)) -> HalfMesh {
    let mut edge = edge_length(vertices);
    let mut mesh = marching_tetrahedra(field, (1.2 * edge).clamp(CELL_RANGE[0], CELL_RANGE[1]));
    let steps = (FIRST_ROUNDS + CORRECTIONS * CORRECTED_ROUNDS) as f32;
    let mut done = 0.0;
    for correction in 0..=CORRECTIONS {
        for _ in 0..if correction == 0 { FIRST_ROUNDS } else { CORRECTED_ROUNDS } {
            mesh = remesh::round(mesh, field, &|p| edge * fineness(p, edge));
            done += 1.0;
            progress(done / steps);
        }
        if correction < CORRECTIONS {
            // more than the square root: edges near their wished length are left alone, so the count lags behind
            edge *= libm::powf(both_halves(&mesh) as f32 / vertices as f32, 0.9);
        }
    }
    remesh::relax(mesh, field, RELAX_PASSES)
}

/// How many vertices there are once the mirror half is added.
pub(crate) fn both_halves(mesh: &HalfMesh) -> usize {
    2 * mesh.positions.len() - mesh.seam.iter().filter(|seam| **seam).count()
}

/// Edge length in metres that gives about so many vertices; measured on the athlete, corrected as the mesh grows.
fn edge_length(vertices: usize) -> f32 {
    /// Square metres of skin, each counted by how fine its triangles are.
    const WEIGHTED_AREA: f32 = 2.6;
    // a vertex of a regular mesh has two equilateral triangles to itself
    (WEIGHTED_AREA / vertices as f32 / (3f32.sqrt() * 0.5)).sqrt()
}

/// Longest edges that still show a thumb, metres.
const HAND_EDGE: f32 = 0.0105;

/// Wished edge length at a place, relative to the trunk's: hands, feet and face have smaller forms.
fn fineness(p: Vec3, edge: f32) -> f32 {
    let near = |centre: Vec3, inner: f32, outer: f32| {
        let t = ((Vec3::new(p.x.abs(), p.y, p.z).distance(centre) - inner) / (outer - inner)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let finest = (HAND_EDGE / edge).min(0.58);
    let hand = finest + (1.0 - finest) * near(Vec3::new(0.655, 0.98, 0.06), 0.08, 0.26);
    let foot = 0.72 + 0.28 * near(Vec3::new(0.145, 0.03, 0.06), 0.12, 0.26);
    let face = 0.80 + 0.20 * near(Vec3::new(0.0, 1.67, 0.04), 0.10, 0.22);
    hand.min(foot).min(face)
}
