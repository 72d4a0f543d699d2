//! Questions to a tree of joints.

use fusiform::Skeleton;

/// The joint itself, its parent, and so on.
pub(super) fn ancestors(skeleton: &Skeleton, joint: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(joint), |&joint| skeleton.joints[joint].parent.filter(|&parent| parent < joint))
}

/// Whether `joint` is `ancestor` or hangs on it.
pub(super) fn descends(skeleton: &Skeleton, joint: usize, ancestor: usize) -> bool {
    ancestors(skeleton, joint).any(|above| above == ancestor)
}

/// The joint nearest to both that both hang on.
pub(super) fn meeting(skeleton: &Skeleton, one: usize, other: usize) -> Option<usize> {
    ancestors(skeleton, one).find(|&joint| descends(skeleton, other, joint))
}

/// From `from` (left out) to `to`, over the joint where they meet (left out unless it is on the way down).
pub(super) fn way(skeleton: &Skeleton, from: usize, to: usize) -> Vec<usize> {
    let mut way: Vec<usize> = ancestors(skeleton, to).take_while(|&joint| !descends(skeleton, from, joint)).collect();
    way.reverse();
    way
}
