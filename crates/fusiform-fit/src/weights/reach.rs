//! Which joints' skin a muscle may move, so that no muscle grabs another limb's skin.

use fusiform::body::RestBelly;
use fusiform::{Mesh, Muscle, Skeleton};

/// Skin of the joint above the muscle's topmost one counts this much: the chest's for a muscle of the arm.
const ABOVE: f32 = 0.3;
/// Share of a vertex on the muscle's own joints at which it follows the muscle fully.
const ENOUGH: f32 = 0.6;
/// Within this share of the height of the middle plane a joint belongs to both sides.
const MIDDLE: f32 = 0.006;

/// How much the skin of each joint is a muscle's own, 0 ..= 1.
pub(super) struct Reachable {
    of_joint: Vec<f32>,
}

impl Reachable {
    /// The joints between origin and insertion, those hanging on them, and a little of the one above.
    pub(super) fn new(skeleton: &Skeleton, muscle: &Muscle, rest: &RestBelly, height: f32) -> Self {
        let ends = [&muscle.origin.joint, &muscle.insertion.joint].map(|name| skeleton.find(name).unwrap_or(0));
        let chain = chain(skeleton, ends);
        let side = rest.rings[rest.rings.len() / 2].center.x;
        let middle = MIDDLE * height;
        let other_side = |joint: usize| {
            let x = skeleton.joints[joint].bind.translation.x;
            x.abs() > middle && side.abs() > middle && x * side < 0.0
        };
        let above =
            chain.iter().filter_map(|&joint| skeleton.joints[joint].parent).find(|joint| !chain.contains(joint));
        let share = |joint: usize| {
            let hangs_on = skeleton.joints[joint].parent.is_some_and(|parent| chain.contains(&parent));
            match joint {
                _ if chain.contains(&joint) => 1.0,
                _ if other_side(joint) => 0.0,
                _ if hangs_on => 1.0,
                _ if above == Some(joint) => ABOVE,
                _ => 0.0,
            }
        };
        Self { of_joint: (0..skeleton.joints.len()).map(share).collect() }
    }

    /// How much a vertex is the muscle's own by its joint weights; a vertex without any is anybody's.
    pub(super) fn share(&self, mesh: &Mesh, vertex: usize) -> f32 {
        if vertex >= mesh.weights.len() {
            return 1.0;
        }
        let weighted = mesh.weights.of(vertex);
        let own = weighted.map(|(joint, weight)| weight * self.of_joint.get(usize::from(joint)).unwrap_or(&0.0));
        (own.sum::<f32>() / ENOUGH).min(1.0)
    }
}

/// The joints from one to the other through the tree, both included, their common parent last.
pub(super) fn chain(skeleton: &Skeleton, [from, to]: [usize; 2]) -> Vec<usize> {
    let up = |joint: usize| std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent);
    let Some(top) = up(from).find(|joint| up(to).any(|other| other == *joint)) else { return vec![from, to] };
    let below = |joint| up(joint).take_while(move |&joint| joint != top);
    below(from).chain(below(to)).chain([top]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_body;

    fn names(from: &str, to: &str) -> Vec<String> {
        let skeleton = test_body::skeleton();
        let ends = [from, to].map(|name| skeleton.find(name).unwrap());
        chain(&skeleton, ends).into_iter().map(|joint| skeleton.joints[joint].name.clone()).collect()
    }

    #[test]
    fn a_chain_runs_through_the_common_parent() {
        assert_eq!(names("chest", "upper_arm.l"), ["upper_arm.l", "shoulder.l", "upper_chest", "chest"]);
        assert_eq!(names("upper_leg.l", "upper_leg.r"), ["upper_leg.l", "upper_leg.r", "hips"]);
        assert_eq!(names("head", "head"), ["head"]);
    }
}
