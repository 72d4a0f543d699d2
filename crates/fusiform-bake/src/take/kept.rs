//! Skins of a take, solved once and looked at as often as a bake passes over it.
//!
//! 12 bytes a vertex and moment: with what is midway, 24 a vertex and frame. Tissue is why: to solve a moment of it again from what
//! the solver remembers would take milliseconds by the dozen, and 150 bytes a particle.

use glam::Vec3;

/// Solved moments of a take.
#[derive(Debug, Default)]
pub struct Kept {
    times: Vec<f32>,  // n_moment  s, rising
    skins: Vec<Vec3>, // n_moment x n_vertex  m, model space
}

impl Kept {
    /// Room for so many moments.
    pub fn with_room(moments: usize, n_vertex: usize) -> Self {
        Self { times: Vec::with_capacity(moments), skins: Vec::with_capacity(moments * n_vertex) }
    }

    /// The skin of a moment later than all others.
    pub fn push(&mut self, time: f32, skin: &[Vec3]) {
        self.times.push(time);
        self.skins.extend_from_slice(skin);
    }

    /// Which moment that is, if it was solved.
    pub fn at(&self, time: f32) -> Option<usize> {
        self.times.binary_search_by(|other| other.total_cmp(&time)).ok()
    }

    /// The skin of that moment.
    pub fn skin(&self, moment: usize) -> &[Vec3] {
        let n_vertex = self.skins.len() / self.times.len();
        &self.skins[moment * n_vertex..][..n_vertex]
    }
}
