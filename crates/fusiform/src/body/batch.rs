//! Batches: which eight vertices go through the skin kernels together.
//!
//! A batch streams every joint and every ring that any of its eight vertices uses, so vertices that use the same ones
//! belong together. Vertices move only inside their window of [`WINDOW`], so that windows can be solved on their own;
//! they are put back on the way out, unless their own order is nearly as good, which it often is without muscles.

use super::lanes::LANES;

/// Vertices solved together, and the unit of work of a thread; never depends on how many threads there are.
pub const WINDOW: usize = 256;

/// How far ahead in the sorted window a batch looks for a vertex that fits.
const LOOK_AHEAD: usize = 192;

/// What streaming a joint, a ring, a shell or a bone costs a batch, in vector operations.
const JOINT_COST: usize = 24;
const RING_COST: usize = 30;
const SHELL_COST: usize = 100;
const BONE_COST: usize = 40;

/// What putting the vertices of a batch back into the caller's order costs, in the same.
const SEAT_COST: usize = 24;

/// What one vertex uses, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uses {
    /// Indices of muscles whose shells it listens to.
    pub muscles: Vec<u16>,
    /// Rows of the ring output.
    pub rings: Vec<u32>,
    /// Rows of the bones it feels.
    pub bones: Vec<u16>,
    /// Indices of joints.
    pub joints: Vec<u16>,
}

/// The vertex in each lane of each batch of a window; where it does not fill its last batch, its last vertex repeats.
///
/// Batches of vertices that use the same; or vertices as they come, where that costs no more than putting them back.
pub fn order_window(first: u32, uses: &[Uses]) -> Vec<u32> {
    let mut sorted = like_with_like(uses);
    let mut as_they_come = vec![Batch::default(); uses.len().div_ceil(LANES)];
    (0..uses.len()).for_each(|v| as_they_come[v / LANES].take(v, uses));
    let cost = |batches: &[Batch]| batches.iter().map(|batch| batch.uses.cost()).sum::<usize>();
    let batches = if cost(&as_they_come) <= cost(&sorted) + sorted.len() * SEAT_COST {
        as_they_come
    } else {
        // a loop whose length surprises the processor costs as much as half a joint
        sorted.sort_by_key(|batch| (batch.uses.muscles.len(), batch.uses.rings.len(), batch.uses.joints.len()));
        sorted
    };
    let lanes = |batch: Batch| (0..LANES).map(move |l| first + batch.vertices[l.min(batch.vertices.len() - 1)] as u32);
    batches.into_iter().flat_map(lanes).collect()
}

/// Each batch begins with the next vertex in the order of what they use, and takes in those that add least.
fn like_with_like(uses: &[Uses]) -> Vec<Batch> {
    let mut waiting: Vec<usize> = (0..uses.len()).collect();
    waiting.sort_by(|&a, &b| uses[a].cmp(&uses[b]).then(a.cmp(&b)));
    let mut batches = Vec::with_capacity(uses.len().div_ceil(LANES));
    while !waiting.is_empty() {
        let mut batch = Batch::default();
        batch.take(waiting.remove(0), uses);
        for _ in 1..LANES {
            let Some(place) = batch.uses.cheapest(waiting.iter().take(LOOK_AHEAD).map(|&v| &uses[v])) else { break };
            batch.take(waiting.remove(place), uses);
        }
        batches.push(batch);
    }
    batches
}

/// Up to eight vertices of a window, and all that they use.
#[derive(Clone, Debug, Default)]
struct Batch {
    uses: Uses,
    vertices: Vec<usize>,
}

impl Batch {
    fn take(&mut self, vertex: usize, uses: &[Uses]) {
        self.uses.add(&uses[vertex]);
        self.vertices.push(vertex);
    }
}

impl Uses {
    /// What a batch costs that uses this.
    fn cost(&self) -> usize {
        let layers = self.muscles.len() * SHELL_COST + self.bones.len() * BONE_COST;
        self.rings.len() * RING_COST + self.joints.len() * JOINT_COST + layers
    }

    /// The first of those that cost a batch least that already uses `self`.
    fn cheapest<'a>(&self, candidates: impl Iterator<Item = &'a Self>) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (place, uses) in candidates.enumerate() {
            let cost = self.extra_cost(uses);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, place));
            }
            if cost == 0 {
                break; // nothing can be cheaper
            }
        }
        best.map(|(_, place)| place)
    }

    /// What it costs a batch that already uses `self` to take in a vertex that uses `more`.
    fn extra_cost(&self, more: &Self) -> usize {
        let rings = more.rings.iter().filter(|r| !self.rings.contains(r)).count();
        let joints = more.joints.iter().filter(|j| !self.joints.contains(j)).count();
        let muscles = more.muscles.iter().filter(|m| !self.muscles.contains(m)).count();
        let bones = more.bones.iter().filter(|b| !self.bones.contains(b)).count();
        rings * RING_COST + joints * JOINT_COST + muscles * SHELL_COST + bones * BONE_COST
    }

    fn add(&mut self, more: &Self) {
        self.rings.extend(&more.rings);
        self.rings.sort_unstable();
        self.rings.dedup();
        self.joints.extend(&more.joints);
        self.joints.sort_unstable();
        self.joints.dedup();
        self.muscles.extend(&more.muscles);
        self.muscles.sort_unstable();
        self.muscles.dedup();
        self.bones.extend(&more.bones);
        self.bones.sort_unstable();
        self.bones.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(uses: &[Uses]) -> Vec<u32> {
        let windows = uses.chunks(WINDOW).enumerate();
        windows.flat_map(|(w, uses)| order_window((w * WINDOW) as u32, uses)).collect()
    }

    #[test]
    fn every_vertex_has_its_lane_and_stays_in_its_window() {
        let uses: Vec<Uses> = (0..5000_u32)
            .map(|v| Uses { rings: vec![v * 7919 % 13, 20 + v % 3], joints: vec![(v % 5) as u16], ..Uses::default() })
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
    fn vertices_stay_in_order_where_moving_them_gains_little() {
        let uses: Vec<Uses> =
            (0..600_u32).map(|v| Uses { joints: vec![(v / 100) as u16], ..Uses::default() }).collect();
        let order = order(&uses);
        assert!(order.is_sorted() && order.len() == 600);
    }

    #[test]
    fn vertices_that_use_the_same_share_a_batch() {
        let uses: Vec<Uses> =
            (0..64_u32).map(|v| Uses { rings: vec![v % 8], joints: vec![0], ..Uses::default() }).collect();
        for batch in order(&uses).chunks(LANES) {
            assert!(batch.iter().all(|v| v % 8 == batch[0] % 8));
        }
    }
}
