//! Welded: the skin as one surface, whatever meshes it is cut into.
//!
//! Flesh is what muscles move, and whatever is sewn to it: vertices at one place are one particle. What is neither, eyes,
//! teeth, a sword, rides as it is on the flesh nearest to it: left behind, it would come through the skin.

use super::NONE;
use crate::character::{Character, Mesh};
use crate::musculature::Musculature;
use glam::Vec3;
use std::collections::HashMap;

/// So many vertices of a piece that rides are asked for the nearest flesh.
const ASKED: usize = 32;

/// Skin particles and who follows them.
pub(super) struct Welded {
    /// n_vertex: the particle each follows, or [`NONE`].
    pub particle_of: Vec<u32>,
    /// n_skin: the vertex that poses it.
    pub vertex_of: Vec<u32>,
    /// n_skin, at bind, m.
    pub places: Vec<Vec3>,
    /// Over particles.
    pub triangles: Vec<[u32; 3]>,
    /// n_skin: the joint that carries it most.
    pub joints: Vec<u16>,
    at: HashMap<[u32; 3], u32>,
}

/// Two zeros are one place.
fn key(place: Vec3) -> [u32; 3] {
    (place + Vec3::ZERO).to_array().map(f32::to_bits)
}

impl Welded {
    pub fn new(character: &Character, musculature: &Musculature) -> Self {
        let mut skin = Self {
            particle_of: vec![NONE; character.vertex_count()],
            vertex_of: Vec::new(),
            places: Vec::new(),
            triangles: Vec::new(),
            joints: Vec::new(),
            at: HashMap::new(),
        };
        let is_flesh = |i: usize| musculature.weights.get(i).is_none_or(|weights| !weights.index.is_empty());
        let mut first = 0;
        let mut others = Vec::new();
        for (i, mesh) in character.meshes.iter().enumerate() {
            if is_flesh(i) {
                skin.sew(mesh, first, 0..mesh.positions.len());
            } else {
                others.extend(pieces(mesh).into_iter().map(|piece| (mesh, first, piece)));
            }
            first += mesh.positions.len();
        }
        if !skin.places.is_empty() {
            skin.take_along(others);
        }
        skin.find_triangles(character);
        skin
    }

    /// Vertices of a mesh become flesh; `first` is the number of its first.
    fn sew(&mut self, mesh: &Mesh, first: usize, vertices: impl Iterator<Item = usize>) {
        for v in vertices {
            let particle = *self.at.entry(key(mesh.positions[v])).or_insert(self.places.len() as u32);
            self.particle_of[first + v] = particle;
            if particle as usize == self.places.len() {
                self.places.push(mesh.positions[v]);
                self.vertex_of.push((first + v) as u32);
                self.joints.push(mesh.weights.heaviest(v).unwrap_or(0));
            }
        }
    }

    /// Pieces that touch flesh are flesh, and so are those that touch these; the rest rides.
    fn take_along(&mut self, mut pieces: Vec<(&Mesh, usize, Vec<usize>)>) {
        loop {
            let touches = |(mesh, _, piece): &(&Mesh, usize, Vec<usize>)| {
                piece.iter().any(|&v| self.at.contains_key(&key(mesh.positions[v])))
            };
            let (sewn, loose): (Vec<_>, Vec<_>) = pieces.into_iter().partition(touches);
            pieces = loose;
            if sewn.is_empty() {
                break;
            }
            sewn.into_iter().for_each(|(mesh, first, piece)| self.sew(mesh, first, piece.into_iter()));
        }
        for (mesh, first, piece) in pieces {
            let step = piece.len().div_ceil(ASKED).max(1);
            let nearest = piece.iter().step_by(step).map(|&v| self.nearest(mesh.positions[v]));
            let Some((_, particle)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            piece.iter().for_each(|&v| self.particle_of[first + v] = particle);
        }
    }

    /// How far the nearest particle is, squared, and which that is.
    fn nearest(&self, place: Vec3) -> (f32, u32) {
        let far = self.places.iter().map(|p| p.distance_squared(place)).zip(0..);
        far.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f32::MAX, NONE))
    }

    fn find_triangles(&mut self, character: &Character) {
        let mut first = 0;
        for mesh in &character.meshes {
            let corner = |v: u32| self.particle_of[first + v as usize];
            // what rides follows one particle: its triangles have no corners apart
            let whole = mesh.triangles.iter().map(|t| t.map(corner)).filter(|[a, b, c]| a != b && b != c && c != a);
            let whole: Vec<_> = whole.collect();
            self.triangles.extend(whole);
            first += mesh.positions.len();
        }
    }
}

/// Vertices that triangles join, those at one place being joined too.
fn pieces(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut at: HashMap<[u32; 3], u32> = HashMap::new();
    let mut joined: Vec<u32> = (0..).zip(&mesh.positions).map(|(v, &p)| *at.entry(key(p)).or_insert(v)).collect();
    fn root(joined: &mut [u32], mut v: u32) -> u32 {
        while joined[v as usize] != v {
            joined[v as usize] = joined[joined[v as usize] as usize];
            v = joined[v as usize];
        }
        v
    }
    for &[a, b, c] in &mesh.triangles {
        for (v, w) in [(a, b), (b, c)] {
            let (v, w) = (root(&mut joined, v), root(&mut joined, w));
            joined[v.max(w) as usize] = v.min(w);
        }
    }
    let mut piece_of = vec![usize::MAX; joined.len()];
    let mut pieces: Vec<Vec<usize>> = Vec::new();
    for v in 0..joined.len() {
        let root = root(&mut joined, v as u32) as usize;
        if piece_of[root] == usize::MAX {
            piece_of[root] = pieces.len();
            pieces.push(Vec::new());
        }
        pieces[piece_of[root]].push(v);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SparseWeights as Weights;

    fn triangle(at: Vec3) -> Mesh {
        let positions = vec![at, at + 0.1 * Vec3::X, at + 0.1 * Vec3::Y];
        let weights = Weights { start: vec![0, 1, 2, 3], index: vec![0; 3], weight: vec![1.0; 3] };
        Mesh { name: "m".into(), positions, triangles: vec![[0, 1, 2]], weights, ..Mesh::default() }
    }

    #[test]
    fn what_is_sewn_to_flesh_is_flesh_and_what_is_not_rides_on_the_nearest() {
        // flesh, a muzzle that shares a corner with it, an eye before it
        let meshes = vec![triangle(Vec3::ZERO), triangle(0.1 * Vec3::X), triangle(Vec3::new(0.02, 0.11, 0.05))];
        let character = Character { meshes, ..Character::default() };
        let none = Weights { start: vec![0; 4], index: vec![], weight: vec![] };
        let some = Weights { start: vec![0, 1, 2, 3], index: vec![0; 3], weight: vec![1.0; 3] };
        let musculature = Musculature { weights: vec![some, none.clone(), none], ..Musculature::default() };
        let skin = Welded::new(&character, &musculature);
        assert_eq!(skin.places.len(), 5);
        assert_eq!(skin.triangles.len(), 2);
        assert_eq!(skin.particle_of[3], 1, "the corner they share");
        assert!(skin.particle_of[6..].iter().all(|&p| p == 2), "{:?}", skin.particle_of);
    }
}
