//! Even triangles of a wished size on an implicit surface: split, collapse, flip, relax, again.
//!
//! Botsch, Kobbelt: *A Remeshing Approach to Multiresolution Modeling*, SGP 2004, section 4; ours are the rules that
//! keep the rim of the half on the mirror plane and the step back onto the surface.

use crate::polygonise::HalfMesh;
use glam::Vec3;
use rayon::prelude::*;

/// Edges longer than this share of the wished length are split, shorter than the second are collapsed.
const SPLIT_ABOVE: f32 = 4.0 / 3.0;
const COLLAPSE_BELOW: f32 = 4.0 / 5.0;

/// How far a triangle may turn when an edge is collapsed or flipped: cosine.
const MIN_TURN_COSINE: f32 = 0.5;

/// Step of the difference that stands for the field's gradient, metres.
const GRADIENT_STEP: f32 = 5e-4;

/// Longest step back onto the surface, metres: the field is only locally a distance.
const MAX_PROJECTION: f32 = 5e-3;

/// A mesh under the knife: triangles that may be dead, and the triangles around every vertex.
struct Knife {
    positions: Vec<Vec3>,
    seam: Vec<bool>,
    /// A dead triangle has three equal corners.
    faces: Vec<[u32; 3]>,
    around: Vec<Vec<u32>>,
    /// Wished edge length at every vertex, metres.
    wish: Vec<f32>,
}

const DEAD: [u32; 3] = [u32::MAX; 3];

/// One round: edges brought near the wished length, valences near six, vertices spread evenly on the surface.
pub(crate) fn round(
    mesh: HalfMesh,
    field: &(impl Fn(Vec3) -> f32 + Sync),
    wish: &(impl Fn(Vec3) -> f32 + Sync),
) -> HalfMesh {
    let mut knife = Knife::new(mesh, wish);
    knife.split(wish);
    knife.collapse();
    knife.flip();
    knife.relax(field);
    knife.finish()
}

/// Move vertices evenly along the surface and onto it, without touching the triangles.
pub(crate) fn relax(mesh: HalfMesh, field: &(impl Fn(Vec3) -> f32 + Sync), passes: usize) -> HalfMesh {
    let mut knife = Knife::new(mesh, &|_| 1.0);
    for _ in 0..passes {
        knife.flip();
        knife.relax(field);
    }
    knife.finish()
}

/// Gradient of the field, by differences over the corners of a small tetrahedron: four values instead of six.
pub(crate) fn gradient(field: &impl Fn(Vec3) -> f32, p: Vec3) -> Vec3 {
    const CORNERS: [Vec3; 4] =
        [Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::ONE];
    CORNERS.iter().map(|&corner| corner * field(p + corner * GRADIENT_STEP)).sum::<Vec3>() / (4.0 * GRADIENT_STEP)
}

/// One Newton step back to where the field is zero.
fn project(field: &impl Fn(Vec3) -> f32, p: Vec3, slope: Vec3) -> Vec3 {
    let step = slope * (field(p) / slope.length_squared().max(1e-3));
    p - step.clamp_length_max(MAX_PROJECTION)
}

impl Knife {
    fn new(mesh: HalfMesh, wish: &(impl Fn(Vec3) -> f32 + Sync)) -> Self {
        let mut around = vec![Vec::with_capacity(8); mesh.positions.len()];
        for (f, face) in mesh.triangles.iter().enumerate() {
            face.iter().for_each(|&v| around[v as usize].push(f as u32));
        }
        let wish = mesh.positions.par_iter().map(|&p| wish(p)).collect();
        Self { positions: mesh.positions, seam: mesh.seam, faces: mesh.triangles, around, wish }
    }

    /// Every living edge once, smaller vertex first, in the order of the faces.
    fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(self.faces.len() * 2);
        for &[a, b, c] in self.faces.iter().filter(|face| **face != DEAD) {
            for [u, v] in [[a, b], [b, c], [c, a]] {
                // a rim edge has one face only and is taken whichever way it runs
                if u < v || self.edge_faces(u, v).1.is_none() {
                    edges.push([u.min(v), u.max(v)]);
                }
            }
        }
        edges
    }

    /// The one or two faces of an edge; none when the edge is gone.
    fn edge_faces(&self, a: u32, b: u32) -> (Option<u32>, Option<u32>) {
        let mut both = self.around[a as usize].iter().copied().filter(|&f| self.faces[f as usize].contains(&b));
        (both.next(), both.next())
    }

    fn length(&self, a: u32, b: u32) -> f32 {
        self.positions[a as usize].distance(self.positions[b as usize])
    }

    fn wished(&self, a: u32, b: u32) -> f32 {
        0.5 * (self.wish[a as usize] + self.wish[b as usize])
    }

    fn normal(&self, face: [u32; 3]) -> Vec3 {
        let [a, b, c] = face.map(|v| self.positions[v as usize]);
        (b - a).cross(c - a)
    }

    fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        // twice each inside, once at the ends of a rim: callers that count divide, callers that ask do not mind
        self.around[v as usize].iter().flat_map(move |&f| self.faces[f as usize]).filter(move |&w| w != v)
    }

    fn touches(&self, a: u32, b: u32) -> bool {
        self.around[a as usize].iter().any(|&f| self.faces[f as usize].contains(&b))
    }

    fn split(&mut self, wish: &impl Fn(Vec3) -> f32) {
        for [a, b] in self.edges() {
            if self.length(a, b) <= SPLIT_ABOVE * self.wished(a, b) {
                continue;
            }
            let (Some(first), second) = self.edge_faces(a, b) else { continue };
            let middle = self.positions.len() as u32;
            let place = (self.positions[a as usize] + self.positions[b as usize]) * 0.5;
            self.positions.push(place);
            self.wish.push(wish(place));
            self.seam.push(second.is_none());
            self.around.push(Vec::with_capacity(8));
            for f in [Some(first), second].into_iter().flatten() {
                let face = self.faces[f as usize];
                let half = |from: u32| face.map(|v| if v == from { middle } else { v });
                let new = self.faces.len() as u32;
                let (keeps_a, keeps_b) = (half(b), half(a));
                self.faces[f as usize] = keeps_a;
                self.faces.push(keeps_b);
                self.around[b as usize].retain(|&g| g != f);
                keeps_b.iter().filter(|&&v| v != middle).for_each(|&v| self.around[v as usize].push(new));
                self.around[middle as usize].extend([f, new]);
            }
        }
    }

    fn collapse(&mut self) {
        for [a, b] in self.edges() {
            if self.length(a, b) >= COLLAPSE_BELOW * self.wished(a, b) {
                continue;
            }
            let (Some(first), second) = self.edge_faces(a, b) else { continue };
            let (kept, gone) = if self.seam[b as usize] && !self.seam[a as usize] { (b, a) } else { (a, b) };
            let place = match self.seam[a as usize] == self.seam[b as usize] {
                true => (self.positions[a as usize] + self.positions[b as usize]) * 0.5,
                false => self.positions[kept as usize],
            };
            if self.may_collapse(kept, gone, place, second.is_none()) {
                self.merge(kept, gone, place, [Some(first), second]);
            }
        }
    }

    /// Whether the surface stays a surface, keeps its orientation and gets no edge that would be split again.
    fn may_collapse(&self, kept: u32, gone: u32, place: Vec3, rim: bool) -> bool {
        let both_seam = self.seam[kept as usize] && self.seam[gone as usize];
        if both_seam != rim {
            return false;
        }
        let mut common: Vec<u32> = self.neighbours(gone).filter(|&w| self.touches(w, kept) && w != kept).collect();
        common.sort_unstable();
        common.dedup();
        if common.len() != if rim { 1 } else { 2 } {
            return false;
        }
        // three corners on the rim, or a vertex of valence three, would leave a flap
        if rim && self.seam[common[0] as usize] || common.iter().any(|&w| self.around[w as usize].len() <= 3) {
            return false;
        }
        let chord = |w: u32| self.seam[kept as usize] && self.seam[w as usize] && w != kept && !common.contains(&w);
        if !rim && self.neighbours(gone).any(chord) {
            return false;
        }
        self.survives(kept, gone, place) && self.survives(gone, kept, place)
    }

    /// Whether the faces of `moved` that do not contain `other` keep their direction with `moved` at `place`.
    fn survives(&self, moved: u32, other: u32, place: Vec3) -> bool {
        self.around[moved as usize].iter().map(|&f| self.faces[f as usize]).all(|face| {
            if face.contains(&other) {
                return true;
            }
            let [a, b, c] = face.map(|v| if v == moved { place } else { self.positions[v as usize] });
            let (old, new) = (self.normal(face), (b - a).cross(c - a));
            let long = face.iter().any(|&v| {
                v != moved && self.positions[v as usize].distance(place) > SPLIT_ABOVE * self.wish[v as usize]
            });
            !long && old.dot(new) > MIN_TURN_COSINE * old.length() * new.length()
        })
    }

    fn merge(&mut self, kept: u32, gone: u32, place: Vec3, dead: [Option<u32>; 2]) {
        for f in dead.into_iter().flatten() {
            for v in self.faces[f as usize] {
                self.around[v as usize].retain(|&g| g != f);
            }
            self.faces[f as usize] = DEAD;
        }
        for f in std::mem::take(&mut self.around[gone as usize]) {
            let face = &mut self.faces[f as usize];
            *face = face.map(|v| if v == gone { kept } else { v });
            self.around[kept as usize].push(f);
        }
        self.positions[kept as usize] = place;
    }

    /// Turn edges whose other diagonal brings the four valences nearer to six.
    fn flip(&mut self) {
        for [a, b] in self.edges() {
            let (Some(f), Some(g)) = self.edge_faces(a, b) else { continue };
            let apex = |face: [u32; 3]| face.into_iter().find(|&v| v != a && v != b).unwrap_or(a);
            let (c, d) = (apex(self.faces[f as usize]), apex(self.faces[g as usize]));
            if c == d || self.touches(c, d) || (self.seam[c as usize] && self.seam[d as usize]) {
                continue;
            }
            let miss = |v: u32, change: i32| {
                // a rim vertex has half its ring: three faces here are six with the mirror half
                let ideal = if self.seam[v as usize] { 3 } else { 6 };
                let valence = self.around[v as usize].len() as i32 + change - ideal;
                let weight = if self.seam[v as usize] { 2 } else { 1 };
                (valence * weight).pow(2)
            };
            let before = miss(a, 0) + miss(b, 0) + miss(c, 0) + miss(d, 0);
            let after = miss(a, -1) + miss(b, -1) + miss(c, 1) + miss(d, 1);
            if after < before && self.around[a as usize].len() > 1 && self.around[b as usize].len() > 1 {
                self.try_flip([a, b], [c, d], [f, g]);
            }
        }
    }

    fn try_flip(&mut self, [a, b]: [u32; 2], [c, d]: [u32; 2], [f, g]: [u32; 2]) {
        let (old_f, old_g) = (self.faces[f as usize], self.faces[g as usize]);
        // f keeps a and loses b, g keeps b and loses a
        let (new_f, new_g) = (old_f.map(|v| if v == b { d } else { v }), old_g.map(|v| if v == a { c } else { v }));
        let whole = (self.normal(old_f) + self.normal(old_g)).normalize_or_zero();
        let flat = |face: [u32; 3]| {
            let normal = self.normal(face);
            normal.dot(whole) > MIN_TURN_COSINE * normal.length()
        };
        if !flat(new_f) || !flat(new_g) {
            return;
        }
        self.faces[f as usize] = new_f;
        self.faces[g as usize] = new_g;
        self.around[b as usize].retain(|&x| x != f);
        self.around[a as usize].retain(|&x| x != g);
        self.around[d as usize].push(f);
        self.around[c as usize].push(g);
    }

    /// Every vertex toward the middle of its ring, along the surface, and back onto it.
    fn relax(&mut self, field: &(impl Fn(Vec3) -> f32 + Sync)) {
        let moved = (0..self.positions.len() as u32).into_par_iter().with_min_len(256).map(|v| {
            let p = self.positions[v as usize];
            if self.around[v as usize].is_empty() {
                return p;
            }
            let slope = gradient(field, p);
            let normal = slope.normalize_or_zero();
            let step = self.ring_centre(v) - p;
            let along = project(field, p + (step - normal * normal.dot(step)) * 0.8, slope);
            let there = project(field, along, slope);
            if self.seam[v as usize] { Vec3::new(0.0, there.y, there.z) } else { there }
        });
        self.positions = moved.collect();
    }

    /// Mean of the surrounding faces' centres, weighted by area over the square of the wished length.
    fn ring_centre(&self, v: u32) -> Vec3 {
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for face in self.around[v as usize].iter().map(|&f| self.faces[f as usize]) {
            let wish = face.iter().map(|&w| self.wish[w as usize]).sum::<f32>();
            let weight = self.normal(face).length() / (wish * wish).max(1e-12);
            sum += face.iter().map(|&w| self.positions[w as usize]).sum::<Vec3>() * (weight / 3.0);
            total += weight;
        }
        if total > 0.0 { sum / total } else { self.positions[v as usize] }
    }

    /// Without what died.
    fn finish(self) -> HalfMesh {
        let mut place = vec![u32::MAX; self.positions.len()];
        let mut mesh = HalfMesh::default();
        for face in self.faces.into_iter().filter(|face| *face != DEAD) {
            let face = face.map(|v| {
                if place[v as usize] == u32::MAX {
                    place[v as usize] = mesh.positions.len() as u32;
                    mesh.positions.push(self.positions[v as usize]);
                    mesh.seam.push(self.seam[v as usize]);
                }
                place[v as usize]
            });
            mesh.triangles.push(face);
        }
        mesh
    }
}
