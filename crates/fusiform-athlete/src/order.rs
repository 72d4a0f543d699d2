//! Vertices in the order of the body: joint by joint, near ones together, as exporters of real characters leave them.

use fusiform::SparseWeights;
use glam::Vec3;

/// Bits per axis of the space-filling curve within a region.
const MORTON_BITS: u32 = 10;

/// The same mesh with its vertices ordered by strongest joint, then along a Morton curve; triangles follow their first vertex.
pub(crate) fn by_region(
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    weights: &SparseWeights,
) -> (Vec<Vec3>, Vec<[u32; 3]>, SparseWeights) {
    let (low, high) = positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), &p| (low.min(p), high.max(p)));
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    let key = |v: u32| {
        // influences are sorted: the first is the strongest
        let joint = weights.of(v as usize).next().map_or(u16::MAX, |(joint, _)| joint);
        (joint, morton((positions[v as usize] - low) / size), v)
    };
    let mut from: Vec<u32> = (0..positions.len() as u32).collect();
    from.sort_by_cached_key(|&v| key(v));
    let mut to = vec![0u32; from.len()];
    from.iter().enumerate().for_each(|(new, &old)| to[old as usize] = new as u32);

    let mut ordered = SparseWeights::default();
    from.iter().for_each(|&old| ordered.push_vertex(weights.of(old as usize)));
    let mut triangles: Vec<[u32; 3]> = triangles
        .into_iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| to[v as usize]);
            // smallest first, the sense of rotation kept
            if a < b && a < c {
                [a, b, c]
            } else if b < c {
                [b, c, a]
            } else {
                [c, a, b]
            }
        })
        .collect();
    triangles.sort_unstable();
    (from.iter().map(|&old| positions[old as usize]).collect(), triangles, ordered)
}

/// Place on the Morton curve of a point of the unit cube.
fn morton(p: Vec3) -> u32 {
    let cells = (1u32 << MORTON_BITS) as f32;
    let cell = (p * cells).clamp(Vec3::ZERO, Vec3::splat(cells - 1.0)).to_array().map(|c| c as u32);
    let bit = |axis: usize, b: u32| (cell[axis] >> b & 1) << (3 * b + axis as u32);
    (0..MORTON_BITS).map(|b| bit(0, b) | bit(1, b) | bit(2, b)).fold(0, |code, bits| code | bits)
}
