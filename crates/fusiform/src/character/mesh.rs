//! A skinned triangle mesh.

use crate::SparseWeights;
use glam::Vec3;

/// Triangles over vertices that joints move. Vertices split for texture seams stay split; topology welds them by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Used in messages and files.
    pub name: String,
    /// n_vertex, metres, model space, in the bind pose.
    pub positions: Vec<Vec3>,
    /// n_vertex, unit length, as the artist made them; may be empty.
    pub normals: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Joint influences of every vertex.
    pub weights: SparseWeights,
}
