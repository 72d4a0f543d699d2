//! Skin in the fold of a hinge: swollen there, its two sides would pass through each other.
//!
//! ```text
//! left(v) = 1 − KEPT folded(second largest joint weight of v) near(distance to the hinge / bone before it)
//! ```
//!
//! Skin that a bone and the next share evenly, close to the joint between them, is left to its joints for the most part: the
//! crease of an elbow or a knee. On trunk and shoulder skin is shared too, but lies far from the joint for such short bones.
//! Ours.

use crate::smoothstep;
use fusiform::{Mesh, Skeleton};
use glam::Vec3;

/// Share of the second joint from which on skin folds, and at which it does fully.
const FOLDED: [f32; 2] = [0.05, 0.25];
/// Distance from the hinge, over the length of the bone before it, up to which skin lies in the fold, and where it ends.
const NEAR: [f32; 2] = [0.28, 0.42];
/// How much of the skin in a fold its joints keep.
const KEPT: f32 = 0.9;

/// What muscles leave alone in folds of this skeleton.
pub(super) struct Folds<'a> {
    skeleton: &'a Skeleton,
}

impl<'a> Folds<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton }
    }

    /// The share that a fold leaves to the muscles, 0 ..= 1.
    pub(super) fn left(&self, mesh: &Mesh, vertex: usize) -> f32 {
        if vertex >= mesh.weights.len() {
            return 1.0;
        }
        let mut weights: Vec<(u16, f32)> = mesh.weights.of(vertex).collect();
        weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let [(first, _), (second, shared), ..] = weights[..] else { return 1.0 };
        let Some(away) = self.away([first, second].map(usize::from), mesh.positions[vertex]) else { return 1.0 };
        let near = 1.0 - smoothstep(NEAR[0], NEAR[1], away);
        1.0 - KEPT * smoothstep(FOLDED[0], FOLDED[1], shared) * near
    }

    /// How far the place is from the hinge between two bones, over the length of the first; none where they do not meet.
    fn away(&self, [a, b]: [usize; 2], place: Vec3) -> Option<f32> {
        let joint = |j: usize| self.skeleton.joints.get(j);
        let hinge = if joint(b)?.parent == Some(a) { b } else { a };
        let before = joint(hinge)?.parent.filter(|parent| [a, b].contains(parent))?;
        let at = |j: usize| joint(j).map(|joint| Vec3::from(joint.bind.translation));
        let (hinge, before) = (at(hinge)?, at(before)?);
        Some(place.distance(hinge) / hinge.distance(before).max(f32::MIN_POSITIVE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_body;

    /// What is left of a vertex that far from the elbow, the second joint having that weight.
    fn left(away: f32, shared: f32, [first, second]: [&str; 2]) -> f32 {
        let skeleton = test_body::skeleton();
        let [first, second] = [first, second].map(|name| skeleton.find(name).unwrap());
        let elbow = Vec3::from(skeleton.joints[skeleton.find("lower_arm.l").unwrap()].bind.translation);
        let mut mesh = Mesh { positions: vec![elbow + Vec3::Z * away], ..Mesh::default() };
        mesh.weights.push_vertex([(first as u16, 1.0 - shared), (second as u16, shared)]);
        Folds::new(&skeleton).left(&mesh, 0)
    }

    #[test]
    fn the_crease_of_an_elbow_is_left_to_its_joints() {
        assert!(left(0.04, 0.4, ["upper_arm.l", "lower_arm.l"]) < 0.2);
        assert!(left(0.04, 0.4, ["lower_arm.l", "upper_arm.l"]) < 0.2);
    }

    #[test]
    fn skin_of_one_bone_or_far_from_the_hinge_is_the_muscles() {
        assert_eq!(left(0.04, 0.05, ["upper_arm.l", "lower_arm.l"]), 1.0);
        assert_eq!(left(0.20, 0.4, ["upper_arm.l", "lower_arm.l"]), 1.0);
        assert_eq!(left(0.04, 0.4, ["upper_arm.l", "hips"]), 1.0);
    }
}
