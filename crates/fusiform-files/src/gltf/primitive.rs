//! One primitive of a mesh as the file has it: vertices in the mesh's own space, joints by their place in the skin.

use super::accessor::{Rows, Source};
use super::schema;
use crate::FileError;
use fusiform::SparseWeights;
use glam::Vec3;

/// What a skinned primitive holds.
pub(crate) struct Raw {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Joints by their place in the skin; every vertex sums to 1.
    pub joints: SparseWeights,
    /// Muscles by their place in the musculature.
    pub muscles: SparseWeights,
}

/// Weights below this are rounding.
const FAINT: f32 = 1e-6;
/// What is left of one when single precision rounds every share of it.
const ROUNDING: f64 = 1.2e-7;

impl Raw {
    /// Read a primitive; nothing when it has no triangle or no joint and so is no skin.
    pub fn read(
        source: &Source,
        primitive: &schema::Primitive,
        place: &str,
        warnings: &mut Vec<String>,
    ) -> Result<Option<Self>, FileError> {
        let attributes = &primitive.attributes;
        let (Some(&position), true) = (attributes.get("POSITION"), attributes.contains_key("JOINTS_0")) else {
            warnings.push(format!("{place} has no joint weights and is left alone"));
            return Ok(None);
        };
        let positions = vectors(&source.floats(position, &[3])?);
        let normals = match attributes.get("NORMAL") {
            Some(&normal) => vectors(&source.floats(normal, &[3])?),
            None => Vec::new(),
        };
        let triangles = triangles(source, primitive, positions.len(), place)?;
        if triangles.is_empty() || positions.is_empty() {
            warnings.push(format!("{place} has no triangle and is left alone"));
            return Ok(None);
        }
        let n = positions.len();
        let uneven =
            |what: &str, count: usize| FileError::new(place, format!("it has {n} positions, but {count} {what}"));
        if !normals.is_empty() && normals.len() != n {
            return Err(uneven("normals", normals.len()));
        }
        let joints = influences(source, primitive, ["JOINTS", "WEIGHTS"], place)?;
        if joints.len() != n {
            return Err(uneven("rows of joint weights", joints.len()));
        }
        let joints = whole(joints, place, warnings);
        let mut muscles = influences(source, primitive, ["_MUSCLE_INDEX", "_MUSCLE_WEIGHT"], place)?;
        if muscles.is_empty() {
            muscles.resize(n, Vec::new());
        }
        if muscles.len() != n {
            return Err(uneven("rows of muscle weights", muscles.len()));
        }
        Ok(Some(Self { positions, normals, triangles, joints, muscles: sparse(muscles) }))
    }
}

/// Positions and triangles.
pub(crate) type Shape = (Vec<Vec3>, Vec<[u32; 3]>);

/// Positions and triangles alone; nothing where there are none.
pub(crate) fn shape(source: &Source, primitive: &schema::Primitive, place: &str) -> Result<Option<Shape>, FileError> {
    let Some(&position) = primitive.attributes.get("POSITION") else { return Ok(None) };
    let positions = vectors(&source.floats(position, &[3])?);
    let triangles = triangles(source, primitive, positions.len(), place)?;
    Ok((!triangles.is_empty()).then_some((positions, triangles)))
}

fn vectors(rows: &Rows) -> Vec<Vec3> {
    rows.values.chunks_exact(3).map(Vec3::from_slice).collect()
}

/// All sets of indices and weights (`JOINTS_0`, `JOINTS_1`, ...) of every vertex; faint ones left out.
fn influences(
    source: &Source,
    primitive: &schema::Primitive,
    [index, weight]: [&str; 2],
    place: &str,
) -> Result<Vec<Vec<(u16, f32)>>, FileError> {
    let mut all: Vec<Vec<(u16, f32)>> = Vec::new();
    for set in 0.. {
        let Some(&indices) = primitive.attributes.get(&format!("{index}_{set}")) else { break };
        let Some(&weights) = primitive.attributes.get(&format!("{weight}_{set}")) else {
            return Err(FileError::new(place, format!("it has {index}_{set}, but no {weight}_{set}")));
        };
        let (indices, weights) = (source.integers(indices, 4)?, source.floats(weights, &[4])?.values);
        if indices.len() != weights.len() {
            return Err(FileError::new(place, format!("{index}_{set} and {weight}_{set} differ in length")));
        }
        all.resize(all.len().max(indices.len() / 4), Vec::new());
        for (i, (&index, &weight)) in indices.iter().zip(&weights).enumerate() {
            if weight < 0.0 {
                return Err(FileError::new(place, format!("vertex {} has a negative weight", i / 4)));
            }
            if weight > FAINT {
                let index = u16::try_from(index)
                    .map_err(|_| FileError::new(place, format!("vertex {} refers to number {index}", i / 4)))?;
                all[i / 4].push((index, weight));
            }
        }
    }
    Ok(all)
}

fn sparse(rows: Vec<Vec<(u16, f32)>>) -> SparseWeights {
    let mut weights = SparseWeights::default();
    rows.into_iter().for_each(|row| weights.push_vertex(row));
    weights
}

/// Joint weights that sum to one. Vertices that no joint holds go to the skin's first joint: better held than lost.
fn whole(rows: Vec<Vec<(u16, f32)>>, place: &str, warnings: &mut Vec<String>) -> SparseWeights {
    let (mut uneven, mut loose) = (0, 0);
    let mut weights = SparseWeights::default();
    for row in rows {
        // in double precision no sum of single ones is infinite
        let sum: f64 = row.iter().map(|&(_, weight)| f64::from(weight)).sum();
        if row.is_empty() {
            loose += 1;
            weights.push_vertex([(0, 1.0)]);
            continue;
        }
        uneven += usize::from((sum - 1.0).abs() > 0.02);
        // scaled again, what was scaled once would change its last bit: as written is as read
        let sum = if (sum - 1.0).abs() <= ROUNDING { 1.0 } else { sum };
        weights.push_vertex(row.into_iter().map(|(joint, weight)| (joint, (f64::from(weight) / sum) as f32)));
    }
    if uneven > 0 {
        warnings.push(format!("{place}: the joint weights of {uneven} vertices do not sum to 1; they are scaled to"));
    }
    if loose > 0 {
        warnings.push(format!("{place}: no joint holds {loose} vertices; the skin's first joint takes them"));
    }
    weights
}

fn triangles(
    source: &Source,
    primitive: &schema::Primitive,
    n_vertex: usize,
    place: &str,
) -> Result<Vec<[u32; 3]>, FileError> {
    let corners = match primitive.indices {
        Some(indices) => source.integers(indices, 1)?,
        None => (0..n_vertex as u32).collect(),
    };
    if let Some(&beyond) = corners.iter().find(|&&corner| corner as usize >= n_vertex) {
        return Err(FileError::new(place, format!("a triangle refers to vertex {beyond}, but there are {n_vertex}")));
    }
    Ok(match primitive.mode {
        4 => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
        // every second triangle of a strip runs the other way round
        5 => corners.windows(3).enumerate().map(|(i, c)| [c[0], c[1 + i % 2], c[2 - i % 2]]).collect(),
        6 => corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]]).collect(),
        _ => Vec::new(),
    })
}
