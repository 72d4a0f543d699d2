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

/// Share of the tolerance by which a straight line between two frames may miss what is midway, before that becomes a
/// frame of its own.
const BENT: f32 = 0.5;

impl Residuals {
    /// Play all takes from their start. Where straight lines between frames are not enough (a kick, a heel that strikes)
    /// takes get further frames, midway.
    pub fn new(
        skins: &[PartSkin],
        takes: &mut [Take],
        tolerance: f32,
        mut progress: impl FnMut(f32),
    ) -> Result<Self, BakeError> {
        let mut all = Self { parts: vec![Vec::new(); skins.len()], takes: Vec::new(), damped: 0 };
        let (n_frame, mut done) = (takes.iter().map(|take| take.times().len()).sum::<usize>(), 0);
        for take in takes {
            let first = all.n_row(skins);
            let mut further = Vec::new();
            let (mut midway, mut time): (Vec<Vec<Vec3>>, f32) = (Vec::new(), 0.0);
            take.rewind();
            for _ in 0..take.times().len() {
                take.advance(Detail::POSITIONS);
                let (now, damped) = residuals(skins, take)?;
                if all.is_bent(&midway, &now, BENT * tolerance) {
                    further.push(time);
                    all.push(&midway);
                }
                all.push(&now);
                all.damped += damped;
                let mut solved = Ok((Vec::new(), 0));
                take.midway(Detail::POSITIONS, |take, at| {
                    solved = residuals(skins, take);
                    time = at;
                });
                midway = solved?.0;
                done += 1;
                progress(done as f32 / n_frame as f32);
            }
            take.add_midway_frames(&further);
            all.takes.push(first..all.n_row(skins));
        }
        Ok(all)
    }

    fn n_row(&self, skins: &[PartSkin]) -> usize {
        let row = |(rows, skin): (&Vec<Vec3>, &PartSkin)| rows.len().checked_div(skin.bind.len());
        self.parts.iter().zip(skins).find_map(row).unwrap_or(0)
    }

    fn push(&mut self, rows: &[Vec<Vec3>]) {
        self.parts.iter_mut().zip(rows).for_each(|(all, row)| all.extend_from_slice(row));
    }

    /// Whether the moment between the last frame and this one is farther than that from the line between them.
    fn is_bent(&self, midway: &[Vec<Vec3>], now: &[Vec<Vec3>], allowed: f32) -> bool {
        self.parts.iter().zip(midway).zip(now).any(|((rows, midway), now)| {
            let before = &rows[rows.len() - now.len()..];
            let far = |((a, b), middle): ((&Vec3, &Vec3), &Vec3)| a.midpoint(*b).distance_squared(*middle);
            before.iter().zip(now).zip(midway).any(|row| far(row) > allowed * allowed)
        })
    }
}

/// What joints alone leave over at the moment shown, for each part; and where they fold the skin flat.
fn residuals(skins: &[PartSkin], take: &Take) -> Result<(Vec<Vec<Vec3>>, usize), BakeError> {
    let mut damped = 0;
    let mut rows = Vec::with_capacity(skins.len());
    for skin in skins {
        let mut row = vec![Vec3::ZERO; skin.bind.len()];
        let solved = &take.state().positions()[skin.vertices.clone()];
        damped += unskin(&skin.bind, &skin.weights, take.since_bind(), solved, &mut row)?;
        rows.push(row);
    }
    Ok((rows, damped))
}
