//! Batches: which eight vertices go through the skin kernels together.
//!
//! A batch streams every joint and every ring that any of its eight vertices uses, so vertices that use the same ones
//! belong together. Vertices move only inside their window of [`WINDOW`], so that windows can be solved on their own
//! and written straight into the caller's order.

use super::lanes::LANES;

/// Vertices solved together, and the unit of work of a thread; never depends on how many threads there are.
pub const WINDOW: usize = 1024;

/// How far ahead in the sorted window a batch looks for a vertex that fits.
const LOOK_AHEAD: usize = 192;

/// What streaming a joint or a ring costs a batch, in vector operations.
const JOINT_COST: usize = 24;
const RING_COST: usize = 30;

/// What one vertex uses, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uses {
    /// Rows of the ring output.
    pub rings: Vec<u32>,
    /// Indices of joints.
    pub joints: Vec<u16>,
}

/// The vertex in each lane of each batch; where a window does not fill its last batch, its last vertex repeats.
pub fn order(uses: &[Uses]) -> Vec<u32> {
    let windows = uses.chunks(WINDOW).enumerate();
    windows.flat_map(|(w, uses)| order_window((w * WINDOW) as u32, uses)).collect()
}

fn order_window(first: u32, uses: &[Uses]) -> Vec<u32> {
    let mut waiting: Vec<usize> = (0..uses.len()).collect();
    waiting.sort_by(|&a, &b| uses[a].cmp(&uses[b]).then(a.cmp(&b)));
    let mut batches: Vec<(Uses, Vec<u32>)> = Vec::with_capacity(uses.len().div_ceil(LANES));
    while !waiting.is_empty() {
        let seed = waiting.remove(0);
        let mut batch = uses[seed].clone();
        let mut vertices = vec![first + seed as u32];
        for _ in 1..LANES {
            let candidates = waiting.iter().take(LOOK_AHEAD).enumerate();
            let Some((place, _)) = candidates.min_by_key(|&(place, &v)| (batch.extra_cost(&uses[v]), place)) else {
                break;
            };
            let chosen = waiting.remove(place);
            batch.add(&uses[chosen]);
            vertices.push(first + chosen as u32);
        }
        let last = vertices[vertices.len() - 1];
        vertices.resize(LANES, last);
        batches.push((batch, vertices));
    }
    // a loop whose length surprises the processor costs as much as half a joint
    batches.sort_by_key(|(batch, _)| (batch.rings.len(), batch.joints.len()));
    batches.into_iter().flat_map(|(_, vertices)| vertices).collect()
}

impl Uses {
    /// What it costs a batch that already uses `self` to take in a vertex that uses `more`.
    fn extra_cost(&self, more: &Self) -> usize {
        let rings = more.rings.iter().filter(|r| !self.rings.contains(r)).count();
        let joints = more.joints.iter().filter(|j| !self.joints.contains(j)).count();
        rings * RING_COST + joints * JOINT_COST
    }

    fn add(&mut self, more: &Self) {
        self.rings.extend(&more.rings);
        self.rings.sort_unstable();
        self.rings.dedup();
        self.joints.extend(&more.joints);
        self.joints.sort_unstable();
        self.joints.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_its_lane_and_stays_in_its_window() {
        let uses: Vec<Uses> = (0..5000_u32)
            .map(|v| Uses { rings: vec![v * 7919 % 13, 20 + v % 3], joints: vec![(v % 5) as u16] })
            .collect();
        let order = order(&uses);
        assert_eq!(order.len() % LANES, 0);
        for (slot, &v) in order.iter().enumerate() {
            assert_eq!(slot / WINDOW, v as usize / WINDOW);
        }
        let mut seen: Vec<u32> = order.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (0..5000).collect::<Vec<_>>());
    }

    #[test]
    fn vertices_that_use_the_same_share_a_batch() {
        let uses: Vec<Uses> = (0..64_u32).map(|v| Uses { rings: vec![v % 8], joints: vec![0] }).collect();
        for batch in order(&uses).chunks(LANES) {
            assert!(batch.iter().all(|v| v % 8 == batch[0] % 8));
        }
    }
}
