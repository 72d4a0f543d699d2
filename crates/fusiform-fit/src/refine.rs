//! Refining: a coarse skin with long edges halved, so that what is asked of its points is asked of its faces too.
//!
//! A limb of a simple figure has vertices at its joints only: all of it lies between them.

use fusiform::{Mesh, SparseWeights};
use std::collections::HashMap;

/// Edges longer than this share of the height are halved: a thumb's width.
const LONGEST: f32 = 0.015;
/// Times that edges are halved, and vertices beyond which none are.
const PASSES: usize = 7;
const MOST_VERTICES: usize = 60_000;

/// Halve the skin's long edges; its own vertices stay the first ones. New ones have the mean of both ends' joint weights.
pub(crate) fn refine(skin: &mut Mesh, height: f32) {
    let longest = LONGEST * height;
    for _ in 0..PASSES {
        if !halve(skin, longest) || skin.positions.len() > MOST_VERTICES {
            return;
        }
    }
}

/// Halve every edge longer than that; whether there was one.
fn halve(skin: &mut Mesh, longest: f32) -> bool {
    let n = skin.positions.len() as u32;
    let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
    let mut triangles = Vec::with_capacity(skin.triangles.len());
    for corners in std::mem::take(&mut skin.triangles) {
        if corners.iter().any(|&corner| corner >= n) {
            continue;
        }
        let middle = [0, 1, 2].map(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let is_long = skin.positions[a as usize].distance(skin.positions[b as usize]) > longest;
            is_long.then(|| *middles.entry((a.min(b), a.max(b))).or_insert_with(|| add_middle(skin, a, b)))
        });
        split(corners, middle, &mut triangles);
    }
    skin.triangles = triangles;
    !middles.is_empty()
}

/// A new vertex between two; its row.
fn add_middle(skin: &mut Mesh, a: u32, b: u32) -> u32 {
    let [a, b] = [a, b].map(|vertex| vertex as usize);
    skin.positions.push(skin.positions[a].midpoint(skin.positions[b]));
    if skin.weights.len() + 1 == skin.positions.len() {
        let between = mean_weights(&skin.weights, a, b);
        skin.weights.push_vertex(between);
    }
    skin.positions.len() as u32 - 1
}

fn mean_weights(weights: &SparseWeights, a: usize, b: usize) -> Vec<(u16, f32)> {
    let mut mean: Vec<(u16, f32)> = weights.of(a).map(|(joint, weight)| (joint, 0.5 * weight)).collect();
    for (joint, weight) in weights.of(b) {
        match mean.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += 0.5 * weight,
            None => mean.push((joint, 0.5 * weight)),
        }
    }
    mean
}

/// The triangle cut along the middles of its halved edges, so that neighbours still meet edge on edge.
fn split([a, b, c]: [u32; 3], middle: [Option<u32>; 3], into: &mut Vec<[u32; 3]>) {
    match middle {
        [None, None, None] => into.push([a, b, c]),
        [Some(ab), None, None] => into.extend([[a, ab, c], [ab, b, c]]),
        [None, Some(bc), None] => into.extend([[a, b, bc], [a, bc, c]]),
        [None, None, Some(ca)] => into.extend([[a, b, ca], [ca, b, c]]),
        [Some(ab), Some(bc), None] => into.extend([[ab, b, bc], [a, ab, bc], [a, bc, c]]),
        [None, Some(bc), Some(ca)] => into.extend([[bc, c, ca], [a, b, bc], [a, bc, ca]]),
        [Some(ab), None, Some(ca)] => into.extend([[a, ab, ca], [ab, b, c], [ab, c, ca]]),
        [Some(ab), Some(bc), Some(ca)] => into.extend([[a, ab, ca], [ab, b, bc], [bc, c, ca], [ab, bc, ca]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn area(mesh: &Mesh) -> f32 {
        let corners = |t: &[u32; 3]| t.map(|row| mesh.positions[row as usize]);
        mesh.triangles.iter().map(corners).map(|[a, b, c]| (b - a).cross(c - a).z * 0.5).sum()
    }

    #[test]
    fn long_edges_are_halved_until_none_is_left_and_the_skin_stays_the_same() {
        let mut weights = SparseWeights::default();
        [0, 0, 1, 1].into_iter().for_each(|joint| weights.push_vertex([(joint, 1.0)]));
        let positions = vec![Vec3::ZERO, Vec3::Y * 0.1, Vec3::X, Vec3::new(1.0, 0.1, 0.0)];
        let mut mesh = Mesh { positions, triangles: vec![[0, 2, 1], [1, 2, 3]], weights, ..Mesh::default() };
        let before = (area(&mesh), mesh.positions.clone());
        refine(&mut mesh, 10.0);
        assert!((area(&mesh) - before.0).abs() < 1e-6 && mesh.positions[..4] == before.1);
        let edges = mesh.triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
        let length = |(a, b): (u32, u32)| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
        assert!(edges.map(length).all(|length| length <= 10.0 * LONGEST));
        // weights go evenly from one joint to the other, as the skin between them does
        for (vertex, p) in mesh.positions.iter().enumerate() {
            let second: f32 = mesh.weights.of(vertex).filter(|w| w.0 == 1).map(|w| w.1).sum();
            assert!((second - p.x).abs() < 1e-6, "{p}: {second}");
        }
    }

    #[test]
    fn a_fine_skin_is_left_alone() {
        let positions = vec![Vec3::ZERO, Vec3::Y * 0.01, Vec3::X * 0.01];
        let mut mesh = Mesh { positions, triangles: vec![[0, 2, 1]], ..Mesh::default() };
        let before = mesh.clone();
        refine(&mut mesh, 1.8);
        assert_eq!((mesh.positions, mesh.triangles), (before.positions, before.triangles));
    }
}
