//! Caches: every vertex of one clip, for players that know no morph targets, and as the measure of those that do.
//!
//! Vertices come in the order of the glTF file: nodes that show a skinned mesh by their number, a mesh's primitives one
//! after the other. Positions are in model space, where the skin is drawn, in the file's own units.

use crate::check::ClipError;
use crate::error::BakeError;
use crate::frames::Frames;
use fusiform::Character;
use fusiform_files::usda::{Animation, MeshFaces};
use fusiform_files::{mdd, pc2, usda};
use glam::Vec3;
use std::path::Path;

/// The formats that hold every vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Samples at even times.
    Pc2,
    /// Samples with their times.
    Mdd,
    /// Samples with their times, faces and normals, as text.
    Usda,
}

impl Cache {
    /// What the name of a file asks for, if it is one of these.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pc2" => Some(Self::Pc2),
            "mdd" => Some(Self::Mdd),
            "usda" => Some(Self::Usda),
            _ => None,
        }
    }

    /// By how many seconds the end comes too late: a .pc2 has one sample a frame, so a clip that ends between frames seems
    /// to end on the next.
    #[must_use]
    pub fn late_end(self, times: &[f32]) -> Option<f32> {
        let [.., before, last] = *times else { return None };
        let frame = times[1] - times[0];
        let late = frame - (last - before);
        (self == Self::Pc2 && late > 0.01 * frame).then_some(late)
    }
}

/// The bytes of a cache.
///
/// # Errors
/// When there is more of it than the format can count.
pub fn write_cache(
    kind: Cache,
    character: &Character,
    metres_per_unit: f64,
    fps: f32,
    frames: &Frames,
) -> std::io::Result<Vec<u8>> {
    let positions: Vec<Vec3> = frames.positions.iter().map(|p| (p.as_dvec3() / metres_per_unit).as_vec3()).collect();
    let Frames { times, n_vertex, normals, .. } = frames;
    let mut bytes = Vec::new();
    match kind {
        Cache::Pc2 => pc2::write(&mut bytes, *n_vertex, &positions)?,
        Cache::Mdd => mdd::write(&mut bytes, times, *n_vertex, &positions)?,
        Cache::Usda => {
            let meshes = character.meshes.iter().map(|mesh| MeshFaces {
                name: &mesh.name,
                n_vertex: mesh.positions.len(),
                triangles: &mesh.triangles,
            });
            let animation = Animation {
                name: &character.name,
                metres_per_unit,
                fps,
                times,
                meshes: meshes.collect(),
                positions: &positions,
                normals,
            };
            usda::write(&mut bytes, &animation)?;
        }
    }
    Ok(bytes)
}

/// What the bytes say again, against what the solver said.
///
/// # Errors
/// When they are no such cache.
pub fn read_cache_back(
    kind: Cache,
    metres_per_unit: f64,
    frames: &Frames,
    bytes: &[u8],
) -> Result<ClipError, BakeError> {
    let read = match kind {
        Cache::Pc2 => pc2::read(bytes)?.positions,
        Cache::Mdd => mdd::read(bytes)?.positions,
        Cache::Usda => usda::read(&String::from_utf8_lossy(bytes))?.positions,
    };
    let (found, expected) = (read.len(), frames.positions.len());
    if found != expected {
        return Err(BakeError::CameBack { found, expected });
    }
    let off = |(read, solved): (&Vec3, &Vec3)| (read.as_dvec3() * metres_per_unit).distance_squared(solved.as_dvec3());
    let squares = read.iter().zip(&frames.positions).map(off);
    let (max, sum) = squares.fold((0.0_f64, 0.0), |(max, sum), square| (max.max(square), sum + square));
    let rms = (sum / found.max(1) as f64).sqrt() as f32;
    Ok(ClipError { max: max.sqrt() as f32, rms, between: frames.between })
}
