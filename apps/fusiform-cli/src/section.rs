//! Cutting a skin with a plane, to measure around a limb.

use fusiform::Character;
use glam::{Vec2, Vec3};
use std::collections::HashMap;

/// A plane through a point.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// On the plane; the girth is measured around it.
    pub point: Vec3,
    /// Any length but zero.
    pub normal: Vec3,
}

/// Triangles of all meshes over welded vertices, so that a cut does not end at a texture seam.
#[derive(Clone, Debug)]
pub struct Skin {
    triangles: Vec<[u32; 3]>,
    /// For every vertex the first one at the same place at bind.
    weld: Vec<u32>,
}

/// Where a plane crosses an edge.
type Edge = (u32, u32);

impl Skin {
    /// The skin of a character; `triangles` are those of all its meshes together.
    pub fn new(character: &Character, triangles: &[[u32; 3]]) -> Self {
        let mut first = HashMap::new();
        let positions = character.meshes.iter().flat_map(|mesh| &mesh.positions);
        // adding zero makes -0 and 0 one place
        let place = |p: &Vec3| (*p + Vec3::ZERO).to_array().map(f32::to_bits);
        let weld = positions.enumerate().map(|(v, p)| *first.entry(place(p)).or_insert(v as u32)).collect();
        Self { triangles: triangles.to_vec(), weld }
    }

    /// Edges that only one triangle has: 0 when the skin is closed.
    pub fn open_edges(&self) -> usize {
        let mut uses: HashMap<Edge, u32> = HashMap::new();
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|v| self.weld[v as usize]);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *uses.entry((from.min(to), from.max(to))).or_default() += 1;
            }
        }
        uses.values().filter(|&&n| n == 1).count()
    }

    /// Length of the cut that goes around the plane's point, metres: the shortest one around it, or the nearest one
    /// when none is. Nothing when the plane misses the skin.
    pub fn girth(&self, positions: &[Vec3], plane: &Plane) -> Option<f32> {
        let cut = self.cut(positions, plane);
        let mut best: Option<(bool, f32, f32)> = None;
        for (points, closed) in chains(&cut) {
            let flat: Vec<Vec2> = points.iter().map(|edge| cut.places[edge]).collect();
            let n = if closed { flat.len() } else { flat.len() - 1 };
            let length: f32 = (0..n).map(|i| flat[i].distance(flat[(i + 1) % flat.len()])).sum();
            let around = closed && winds(&flat);
            let near = flat.iter().map(|p| p.length()).fold(f32::INFINITY, f32::min);
            let rank = if around { length } else { near };
            let better = best.is_none_or(|(was, r, _)| (around && !was) || (around == was && rank < r));
            if better {
                best = Some((around, rank, length));
            }
        }
        best.map(|(_, _, length)| length)
    }

    fn cut(&self, positions: &[Vec3], plane: &Plane) -> Cut {
        let normal = plane.normal.normalize_or(Vec3::Y);
        let x = normal.any_orthonormal_vector();
        let y = normal.cross(x);
        let height: Vec<f32> = positions.iter().map(|p| (*p - plane.point).dot(normal)).collect();
        let mut cut = Cut::default();
        for triangle in &self.triangles {
            let corner = triangle.map(|v| self.weld[v as usize]);
            let mut ends = Vec::with_capacity(2);
            for i in 0..3 {
                let (a, b) = (corner[i].min(corner[(i + 1) % 3]), corner[i].max(corner[(i + 1) % 3]));
                let (ha, hb) = (height[a as usize], height[b as usize]);
                if (ha < 0.0) != (hb < 0.0) {
                    let t = ha / (ha - hb);
                    let at = positions[a as usize].lerp(positions[b as usize], t) - plane.point;
                    cut.places.insert((a, b), Vec2::new(at.dot(x), at.dot(y)));
                    ends.push((a, b));
                }
            }
            if let [from, to] = ends[..] {
                cut.next.entry(from).or_default().push(to);
                cut.next.entry(to).or_default().push(from);
                cut.order.extend([from, to]);
            }
        }
        cut
    }
}

/// Segments of a cut, by the edges they join.
#[derive(Default)]
struct Cut {
    /// Relative to the plane's point, in the plane, metres.
    places: HashMap<Edge, Vec2>,
    next: HashMap<Edge, Vec<Edge>>,
    /// Edges in the order of the triangles, so that equal cuts give equal chains.
    order: Vec<Edge>,
}

/// The segments joined end to end, and whether each chain closes.
fn chains(cut: &Cut) -> Vec<(Vec<Edge>, bool)> {
    let mut seen = std::collections::HashSet::new();
    let mut chains = Vec::new();
    // open chains are walked from their ends, which have one neighbour
    let ends = cut.order.iter().filter(|edge| cut.next[edge].len() == 1);
    for &start in ends.chain(&cut.order) {
        if !seen.insert(start) {
            continue;
        }
        let mut chain = vec![start];
        let mut at = start;
        while let Some(&next) = cut.next[&at].iter().find(|edge| !seen.contains(edge)) {
            seen.insert(next);
            chain.push(next);
            at = next;
        }
        let closed = chain.len() > 2 && cut.next[&at].contains(&start);
        chains.push((chain, closed));
    }
    chains
}

/// Whether the closed polygon goes around the origin.
fn winds(points: &[Vec2]) -> bool {
    let mut inside = false;
    for (i, a) in points.iter().enumerate() {
        let b = points[(i + 1) % points.len()];
        if (a.y > 0.0) != (b.y > 0.0) && a.x + (b.x - a.x) * a.y / (a.y - b.y) > 0.0 {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Mesh;

    /// Two tubes of radius 1 along y, four apart, cut into `n` sectors; the seam of each is not welded by index.
    fn tubes(n: u32) -> Mesh {
        let mut mesh = Mesh::default();
        for middle in [0.0, 4.0] {
            let first = mesh.positions.len() as u32;
            for i in 0..=n {
                let angle = std::f32::consts::TAU * (i % n) as f32 / n as f32;
                let around = Vec3::new(middle + angle.cos(), 0.0, angle.sin());
                mesh.positions.extend([around - Vec3::Y, around + Vec3::Y]);
            }
            for i in 0..n {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| first + 2 * i + k);
                mesh.triangles.extend([[a, b, c], [c, b, d]]);
            }
        }
        mesh
    }

    fn skin() -> (Skin, Vec<Vec3>) {
        let mesh = tubes(64);
        let (triangles, positions) = (mesh.triangles.clone(), mesh.positions.clone());
        (Skin::new(&Character { meshes: vec![mesh], ..Character::default() }, &triangles), positions)
    }

    #[test]
    fn a_girth_goes_around_the_limb_that_holds_the_point_and_no_other() {
        let (skin, positions) = skin();
        let across = |point| Plane { point, normal: Vec3::new(0.0, 2.0, 0.0) };
        for x in [0.3, 4.2] {
            let girth = skin.girth(&positions, &across(Vec3::new(x, 0.1, 0.0))).unwrap();
            assert!((girth - std::f32::consts::TAU).abs() < 0.01, "{girth}");
        }
        assert_eq!(skin.girth(&positions, &across(Vec3::Y * 2.0)), None);
    }

    #[test]
    fn a_tube_is_open_at_both_ends_and_not_at_its_seam() {
        assert_eq!(skin().0.open_edges(), 4 * 64);
    }
}
