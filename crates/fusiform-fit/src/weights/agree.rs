//! Whether skin over a muscle moves with the rest of the skin there.
//!
//! A ring carries its skin as that skin's joints do on the whole. Skin of other joints, as that between the legs under
//! a muscle of the thigh, would be dragged along; its joints keep it.
//!
//! ```text
//! agree(v) = sum over joints of min(weight on v, mean weight around the ring of v)
//! ```
//!
//! Ours.

use crate::smoothstep;
use fusiform::Mesh;

/// Agreement below the first leaves a vertex to its joints, above the second to the muscle.
const AGREED: [f32; 2] = [0.5, 0.9];

/// Rings on either side whose skin counts as that around a ring.
const BELL: f32 = 1.5;

/// A point of the skin over one muscle.
pub(super) struct Over {
    pub(super) vertex: usize,
    /// Which ring it lies at, with the share of the way to the next.
    pub(super) ring: f32,
    /// How much it belongs to the muscle, 0 ..= 1.
    pub(super) weight: f32,
}

/// Take from each point's weight what its joints do not agree to.
pub(super) fn agree(mesh: &Mesh, n_joint: usize, n_ring: usize, skin: &mut [Over]) {
    let mut around = vec![0.0; n_ring * n_joint];
    for over in skin.iter() {
        for (ring, sums) in around.chunks_exact_mut(n_joint).enumerate() {
            let away = (ring as f32 - over.ring) / BELL;
            let near = over.weight / (1.0 + away.powi(4));
            joints(mesh, over.vertex).for_each(|(joint, weight)| sums[joint] += near * weight);
        }
    }
    for sums in around.chunks_exact_mut(n_joint) {
        let total: f32 = sums.iter().sum();
        sums.iter_mut().for_each(|sum| *sum /= total.max(f32::MIN_POSITIVE));
    }
    for over in skin.iter_mut().filter(|over| over.vertex < mesh.weights.len()) {
        let (ring, t) = (over.ring as usize, over.ring.fract());
        let mean = |joint: usize| {
            let [here, next] = [ring, (ring + 1).min(n_ring - 1)].map(|ring| around[ring * n_joint + joint]);
            here + t * (next - here)
        };
        let shared = joints(mesh, over.vertex).map(|(joint, weight)| weight.min(mean(joint)));
        over.weight *= smoothstep(AGREED[0], AGREED[1], shared.sum());
    }
}

/// Joints of a vertex and its weights on them; none where the mesh has no weights.
fn joints(mesh: &Mesh, vertex: usize) -> impl Iterator<Item = (usize, f32)> {
    let weighted = (vertex < mesh.weights.len()).then(|| mesh.weights.of(vertex));
    weighted.into_iter().flatten().map(|(joint, weight)| (usize::from(joint), weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_of_another_joint_is_left_to_it() {
        let mut mesh = Mesh::default();
        (0..9).for_each(|_| mesh.weights.push_vertex([(0, 1.0)]));
        mesh.weights.push_vertex([(1, 1.0)]);
        let mut skin: Vec<Over> = (0..10).map(|vertex| Over { vertex, ring: 1.5, weight: 0.8 }).collect();
        agree(&mesh, 2, 4, &mut skin);
        assert!(skin[..9].iter().all(|over| over.weight > 0.79));
        assert_eq!(skin[9].weight, 0.0);
    }

    #[test]
    fn a_mesh_without_joints_agrees() {
        let mut skin = [Over { vertex: 0, ring: 3.0, weight: 0.8 }];
        agree(&Mesh::default(), 2, 4, &mut skin);
        assert_eq!(skin[0].weight, 0.8);
    }
}
