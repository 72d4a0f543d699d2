//! Clothes: they follow the muscles that move the body under them.

use super::{LEAST, MAX_MUSCLES};
use crate::{Surface, smoothstep};
use fusiform::{Mesh, SparseWeights};

/// Clothes this far from the body, as a share of the height, follow it fully; and this far, not at all: the hem of a coat
/// swings on its own.
const OVER: [f32; 2] = [0.02, 0.06];

/// The body under clothes.
pub(super) struct Clothed<'a> {
    surface: Option<Surface>,
    /// First vertex of each mesh of the body among its weights.
    first: Vec<usize>,
    weights: &'a SparseWeights,
    height: f32,
}

impl<'a> Clothed<'a> {
    pub(super) fn new(body: &[&Mesh], weights: &'a SparseWeights, height: f32) -> Self {
        let first = body.iter().scan(0, |sum, mesh| Some(std::mem::replace(sum, *sum + mesh.positions.len()))).collect();
        Self { surface: Surface::new(body.iter().copied()), first, weights, height }
    }

    /// What each vertex takes over from the nearest point of the body.
    pub(super) fn weights(&self, mesh: &Mesh) -> SparseWeights {
        let mut weights = SparseWeights::default();
        for &p in &mesh.positions {
            let mut found: Vec<(u16, f32)> = Vec::new();
            if let Some(near) = self.surface.as_ref().map(|surface| surface.nearest(p)) {
                let away = near.point.distance(p) / self.height;
                let over = 1.0 - smoothstep(OVER[0], OVER[1], away);
                for (corner, share) in near.corners.into_iter().zip(near.shares) {
                    for (muscle, weight) in self.weights.of(self.first[near.mesh] + corner as usize) {
                        match found.iter_mut().find(|(known, _)| *known == muscle) {
                            Some((_, sum)) => *sum += weight * share * over,
                            None => found.push((muscle, weight * share * over)),
                        }
                    }
                }
            }
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            found.truncate(MAX_MUSCLES);
            found.retain(|(_, weight)| *weight > LEAST);
            weights.push_vertex(found.into_iter());
        }
        weights
    }
}
