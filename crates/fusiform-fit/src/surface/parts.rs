//! Connected parts of a body, and what of each lies hidden inside another.

use super::winding::Winding;
use super::{INSIDE, corners};
use fusiform::Mesh;
use glam::Vec3;
use std::collections::HashMap;

/// The connected parts of some meshes.
pub(super) struct Parts {
    parts: Vec<Part>,
    /// For each mesh and triangle: its part, and its corners.
    of_mesh: Vec<Vec<(usize, [Vec3; 3])>>,
}

struct Part {
    low: Vec3,
    high: Vec3,
    winding: Winding,
}

impl Parts {
    pub(super) fn new(meshes: &[&Mesh]) -> Self {
        let mut sets = Sets::default();
        for [a, b, c] in meshes.iter().flat_map(|mesh| corners(mesh)) {
            let [a, b, c] = [a, b, c].map(|p| sets.of(p));
            sets.join(a, b);
            sets.join(a, c);
        }
        let mut number: HashMap<usize, usize> = HashMap::new();
        let mut triangles: Vec<Vec<[Vec3; 3]>> = Vec::new();
        let mut of_mesh = Vec::new();
        for mesh in meshes {
            let rows = corners(mesh).into_iter().map(|own| {
                let set = sets.of(own[0]);
                let root = sets.root(set);
                let part = *number.entry(root).or_insert_with(|| {
                    triangles.push(Vec::new());
                    triangles.len() - 1
                });
                triangles[part].push(own);
                (part, own)
            });
            of_mesh.push(rows.collect());
        }
        let part = |triangles: Vec<[Vec3; 3]>| {
            let points = || triangles.iter().flatten().copied();
            let (low, high) = (points().fold(Vec3::MAX, Vec3::min), points().fold(Vec3::MIN, Vec3::max));
            Part { low, high, winding: Winding::new(&triangles) }
        };
        Self { parts: triangles.into_iter().map(part).collect(), of_mesh }
    }

    /// Whether that triangle of that mesh lies wholly inside another part.
    pub(super) fn hide(&self, mesh: usize, triangle: usize) -> bool {
        let (own, corners) = self.of_mesh[mesh][triangle];
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let places = [middle, corners[0], corners[1], corners[2]];
        let inside = |part: &Part| {
            let boxed = places.iter().all(|p| p.cmpge(part.low).all() && p.cmple(part.high).all());
            boxed && places.iter().all(|&p| part.winding.around(p) > INSIDE)
        };
        self.parts.iter().enumerate().any(|(other, part)| other != own && inside(part))
    }
}

/// Places joined into sets.
#[derive(Default)]
struct Sets {
    known: HashMap<[u32; 3], usize>,
    above: Vec<usize>,
}

impl Sets {
    /// The number of a place.
    fn of(&mut self, p: Vec3) -> usize {
        // adding zero makes -0 and 0 one place
        let key = (p + Vec3::ZERO).to_array().map(f32::to_bits);
        let above = &mut self.above;
        *self.known.entry(key).or_insert_with(|| {
            above.push(above.len());
            above.len() - 1
        })
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.above[at] != at {
            self.above[at] = self.above[self.above[at]];
            at = self.above[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.above[a.max(b)] = a.min(b);
    }
}
