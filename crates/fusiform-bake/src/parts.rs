//! The parts of a character that a player moves one by one: each mesh node has its own targets and weights.

use crate::error::BakeError;
use crate::take::Take;
use crate::unskin::{exported_weights, unskin};
use fusiform::{Character, Detail, SparseWeights};
use fusiform_files::gltf::Origin;
use glam::Vec3;
use std::ops::Range;

/// One part's skin as it is exported.
pub struct PartSkin {
    /// Its vertices, counted over all meshes of the character.
    pub vertices: Range<usize>,
    /// n_vertex: metres, model space, at bind.
    pub bind: Vec<Vec3>,
    /// Joint weights that players read.
    pub weights: SparseWeights,
}

impl PartSkin {
    /// The parts of a character, in the file's order.
    pub fn all(character: &Character, origin: &Origin, influences: usize) -> Vec<Self> {
        let mut first = 0;
        let part = |part: &fusiform_files::gltf::Part| {
            let (mut bind, mut all) = (Vec::new(), SparseWeights::default());
            for primitive in &part.primitives {
                let mesh = &character.meshes[primitive.mesh];
                bind.extend_from_slice(&mesh.positions);
                (0..mesh.weights.len()).for_each(|v| all.push_vertex(mesh.weights.of(v)));
            }
            let vertices = first..first + bind.len();
            first = vertices.end;
            Self { vertices, bind, weights: exported_weights(&all, influences) }
        };
        origin.parts.iter().map(part).collect()
    }
}

/// What joints alone leave over, in all frames of all takes: n_frame x n_vertex for each part.
pub struct Residuals {
    /// One for each part.
    pub parts: Vec<Vec<Vec3>>,
    /// Frames of each take.
    pub takes: Vec<Range<usize>>,
    /// Vertices and frames where joints fold the skin flat.
    pub damped: usize,
}

impl Residuals {
    /// Play all takes from their start.
    pub fn new(skins: &[PartSkin], takes: &mut [Take], mut progress: impl FnMut(f32)) -> Result<Self, BakeError> {
        let n_frame: usize = takes.iter().map(|take| take.times().len()).sum();
        let mut parts: Vec<Vec<Vec3>> = skins.iter().map(|skin| vec![Vec3::ZERO; n_frame * skin.bind.len()]).collect();
        let (mut ranges, mut damped, mut frame) = (Vec::new(), 0, 0);
        for take in takes {
            take.rewind();
            ranges.push(frame..frame + take.times().len());
            for _ in 0..take.times().len() {
                take.advance(Detail::POSITIONS);
                for (skin, rows) in skins.iter().zip(&mut parts) {
                    let n = skin.bind.len();
                    let solved = &take.state().positions()[skin.vertices.clone()];
                    let row = &mut rows[frame * n..(frame + 1) * n];
                    damped += unskin(&skin.bind, &skin.weights, take.since_bind(), solved, row)?;
                }
                frame += 1;
                progress(frame as f32 / n_frame as f32);
            }
        }
        Ok(Self { parts, takes: ranges, damped })
    }
}
