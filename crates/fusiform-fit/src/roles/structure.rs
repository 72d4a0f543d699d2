//! The human in a tree of joints whose names say nothing.
//!
//! ```text
//! joints --Tree::measure--> children, reach --pairs--> limbs of equal length on one joint
//!        --choose---------> the pair that is legs and the pair that is arms, or why there is no human
//!        --body-----------> hips, spine, neck, head, arms, legs; left and right by the feet
//! ```
//!
//! Lengths along the tree decide, not places, so neither pose nor axes matter. Legs are a pair that leads away from where
//! the other pair sits; a quadruped's lead across its trunk, and that is how it is refused.

use super::limbs;
use super::named::is_body_word;
use super::tree::{descends, way};
use super::words::Label;
use super::{Draft, Side};
use fusiform::Skeleton;
use glam::Vec3;

/// Longest children of a joint, and longest pairs of a skeleton, that are looked at; hair may have hundreds.
const CHILDREN_SEEN: usize = 12;
const PAIRS_SEEN: usize = 24;

/// A limb is at least this share of the longest way through the skeleton.
const SHORTEST_LIMB: f32 = 0.1;

/// Two limbs of a pair differ by less than this share of their lengths.
const UNEVEN: f32 = 0.12;

/// Legs point down along the trunk at least with this cosine.
const DOWN: f32 = 0.6;

/// Shortest and longest arm over leg, and leg over trunk.
const ARM_OVER_LEG: [f32; 2] = [0.35, 2.5];
const LEG_OVER_TRUNK: [f32; 2] = [0.4, 8.0];

/// Limbs whose tips are level within this share of a leg stand on one ground.
const LEVEL: f32 = 0.2;

/// Joints of a limb, at least.
const FEWEST_JOINTS: usize = 3;

/// What arms lose, of a score of about 4, where others sit lower on the trunk.
const PASSED: f32 = 1.0;

/// What the tree of joints shows.
pub(super) enum Shape {
    /// A human, with its roles, and how plainly feet, knees and elbows tell the front.
    Human { draft: Draft, told: f32 },
    /// Two pairs of limbs stand on one ground.
    FourLegs,
    /// Neither.
    Unknown,
}

/// The joints that may be part of the body, measured.
pub(super) struct Tree<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) place: Vec<Vec3>,
    /// Children that are not helpers.
    pub(super) children: Vec<Vec<usize>>,
    /// Longest way from the joint's parent over the joint to an end.
    pub(super) reach: Vec<f32>,
}

/// Two limbs of equal length on one joint.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) on: usize,
    pub(super) limbs: [usize; 2],
    reach: f32,
}

/// Legs, arms and which way is up between them.
pub(super) struct Stance {
    pub(super) legs: Pair,
    pub(super) arms: Pair,
    pub(super) up: Vec3,
    /// From the second limb of each pair to the first; unit length.
    pub(super) across: Vec3,
    /// The first joint above the arms.
    pub(super) neck: usize,
}

/// Look for a human in the bind pose.
pub(super) fn find(skeleton: &Skeleton, labels: &[Label]) -> Shape {
    let Some(tree) = Tree::measure(skeleton, labels) else { return Shape::Unknown };
    let pairs = pairs(&tree);
    let best = choose(&tree, &pairs);
    if four_legs(&tree, &pairs, best.as_ref()) {
        return Shape::FourLegs;
    }
    let Some(stance) = best else { return Shape::Unknown };
    match limbs::body(&tree, &stance) {
        Some((draft, told)) => Shape::Human { draft, told },
        None => Shape::Unknown,
    }
}

impl<'a> Tree<'a> {
    /// None where a joint is nowhere.
    fn measure(skeleton: &'a Skeleton, labels: &[Label]) -> Option<Self> {
        let place: Vec<Vec3> = skeleton.joints.iter().map(|joint| joint.bind.translation.into()).collect();
        if !place.iter().all(|place| place.is_finite()) {
            return None;
        }
        let n = place.len();
        let (mut children, mut reach, mut of_body) = (vec![Vec::new(); n], vec![0.0_f32; n], vec![false; n]);
        // Children come after their parents, so backward every subtree is done before its root.
        for joint in (0..n).rev() {
            let known = is_body_word(&labels[joint].meaning);
            of_body[joint] |= known;
            let Some(parent) = skeleton.joints[joint].parent.filter(|&parent| parent < joint) else { continue };
            of_body[parent] |= of_body[joint];
            // A control that carries the body is not left out.
            if labels[joint].helper && !of_body[joint] {
                continue;
            }
            let below = children[joint].iter().map(|&child: &usize| reach[child]).fold(0.0, f32::max);
            reach[joint] = place[joint].distance(place[parent]) + below;
            children[parent].push(joint);
        }
        children.iter_mut().for_each(|children| children.reverse());
        Some(Self { skeleton, place, children, reach })
    }

    /// The child that leads farthest.
    pub(super) fn main_child(&self, joint: usize) -> Option<usize> {
        self.children[joint]
            .iter()
            .copied()
            .reduce(|best, child| if self.reach[child] > self.reach[best] { child } else { best })
    }

    /// The joint and its main children to the end.
    pub(super) fn main_path(&self, joint: usize) -> Vec<usize> {
        std::iter::successors(Some(joint), |&joint| self.main_child(joint)).collect()
    }

    /// Where the main path ends.
    pub(super) fn tip(&self, joint: usize) -> Vec3 {
        self.main_path(joint).last().map_or(self.place[joint], |&end| self.place[end])
    }
}

/// Pairs of limbs, the longest first.
fn pairs(tree: &Tree) -> Vec<Pair> {
    let shortest = SHORTEST_LIMB * tree.reach.iter().copied().fold(0.0, f32::max);
    let mut pairs = Vec::new();
    for (on, children) in tree.children.iter().enumerate() {
        let mut limbs: Vec<usize> =
            children.iter().copied().filter(|&child| tree.reach[child] > shortest && tree.reach[child] > 0.0).collect();
        limbs.sort_by(|&a, &b| tree.reach[b].total_cmp(&tree.reach[a]).then(a.cmp(&b)));
        limbs.truncate(CHILDREN_SEEN);
        let partner = |limb: usize| {
            let others = limbs.iter().copied().filter(|&other| other != limb);
            let best = others.min_by(|&a, &b| uneven(tree, on, limb, a).total_cmp(&uneven(tree, on, limb, b)))?;
            (uneven(tree, on, limb, best) < UNEVEN).then_some(best)
        };
        for &limb in &limbs {
            if let Some(other) = partner(limb)
                && limb < other
                && partner(other) == Some(limb)
            {
                pairs.push(Pair { on, limbs: [limb, other], reach: tree.reach[limb].min(tree.reach[other]) });
            }
        }
    }
    pairs.sort_by(|a, b| b.reach.total_cmp(&a.reach).then(a.limbs.cmp(&b.limbs)));
    pairs.truncate(PAIRS_SEEN);
    pairs
}

/// How much two limbs of a joint differ: in where they begin, and in length. 0 for mirror images in any pose.
fn uneven(tree: &Tree, on: usize, one: usize, other: usize) -> f32 {
    let (a, b) = (tree.reach[one], tree.reach[other]);
    let begin = |joint: usize| tree.place[joint].distance(tree.place[on]);
    ((a - b).abs() + (begin(one) - begin(other)).abs()) / (a + b)
}

/// The best legs and arms there are.
fn choose(tree: &Tree, pairs: &[Pair]) -> Option<Stance> {
    let longest = pairs.first()?.reach;
    let both = pairs.iter().flat_map(|legs| pairs.iter().map(move |arms| (legs, arms)));
    // Hair on the head is no pair of arms where another pair sits on the way to it.
    let passed = |legs: &Pair, arms: &Pair| {
        let way = way(tree.skeleton, legs.on, arms.on);
        let nearer = |other: &&Pair| other.on != arms.on && way.contains(&other.on);
        pairs.iter().filter(nearer).any(|other| other.reach > 0.5 * arms.reach)
    };
    let scored = both.filter_map(|(legs, arms)| {
        let (score, stance) = stance(tree, *legs, *arms, longest)?;
        Some((if passed(legs, arms) { score - PASSED } else { score }, stance))
    });
    scored.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, stance)| stance)
}

/// How well these legs and arms are a human's, if they can be.
fn stance(tree: &Tree, legs: Pair, arms: Pair, longest: f32) -> Option<(f32, Stance)> {
    let inside = |joint: usize, pair: &Pair| pair.limbs.iter().any(|&limb| descends(tree.skeleton, joint, limb));
    let stump = |pair: &Pair| pair.limbs.iter().any(|&limb| tree.main_path(limb).len() < FEWEST_JOINTS);
    if legs.on == arms.on || inside(arms.on, &legs) || inside(legs.on, &arms) || stump(&legs) || stump(&arms) {
        return None;
    }
    let trunk = middle(tree, &arms) - middle(tree, &legs);
    let up = trunk.try_normalize()?;
    let within = |value: f32, [low, high]: [f32; 2]| (low..=high).contains(&value);
    if !within(arms.reach / legs.reach, ARM_OVER_LEG) || !within(legs.reach / trunk.length(), LEG_OVER_TRUNK) {
        return None;
    }
    let down = direction(tree, &legs)?;
    let standing = -down.dot(up);
    let hips = across(tree, &legs)?.reject_from(up).try_normalize()?;
    let shoulders = across(tree, &arms)?.reject_from(up).try_normalize()?;
    let parallel = hips.dot(shoulders).abs();
    if standing < DOWN || parallel < 0.7 || level(tree, &legs, &arms, down) {
        return None;
    }
    let neck = neck(tree, &arms, up, hips, trunk.length())?;
    let foot = if legs.limbs.iter().all(|&leg| bends_at_the_end(tree, leg, down)) { 0.3 } else { 0.0 };
    let score = standing + 0.5 * parallel + (legs.reach + arms.reach) / longest + foot;
    let arms = if hips.dot(shoulders) < 0.0 { Pair { limbs: [arms.limbs[1], arms.limbs[0]], ..arms } } else { arms };
    Some((score, Stance { legs, arms, up, across: hips, neck }))
}

/// Between the first joints of both limbs.
fn middle(tree: &Tree, pair: &Pair) -> Vec3 {
    tree.place[pair.limbs[0]].midpoint(tree.place[pair.limbs[1]])
}

/// Where both limbs of a pair lead.
fn direction(tree: &Tree, pair: &Pair) -> Option<Vec3> {
    let [one, other] = pair.limbs.map(|limb| (tree.tip(limb) - tree.place[limb]).normalize_or_zero());
    (one + other).try_normalize()
}

/// From the second limb to the first, where they are apart: both may begin in one point.
fn across(tree: &Tree, pair: &Pair) -> Option<Vec3> {
    let [one, other] = pair.limbs.map(|limb| tree.main_path(limb));
    let apart = one.iter().zip(&other).map(|(&a, &b)| tree.place[a] - tree.place[b]);
    apart.into_iter().find(|apart| apart.length() > 0.04 * pair.reach)
}

/// Whether both pairs stand on one ground.
fn level(tree: &Tree, one: &Pair, other: &Pair, down: Vec3) -> bool {
    let lowest = |pair: &Pair| pair.limbs.map(|limb| tree.tip(limb).dot(down)).into_iter().fold(f32::MIN, f32::max);
    (lowest(one) - lowest(other)).abs() < LEVEL * one.reach.max(other.reach)
}

/// A foot: a bone beyond the first turns away from the leg's direction by more than 30 degrees.
fn bends_at_the_end(tree: &Tree, leg: usize, down: Vec3) -> bool {
    let path = tree.main_path(leg);
    let bones = path.windows(2).map(|bone| (tree.place[bone[1]] - tree.place[bone[0]]).normalize_or_zero());
    path.len() > 2 && bones.skip(1).any(|bone| bone.dot(down) < 0.866)
}

/// The unpaired joint on the arms' carrier that leads highest.
fn neck(tree: &Tree, arms: &Pair, up: Vec3, across: Vec3, trunk: f32) -> Option<usize> {
    let from = tree.place[arms.on];
    // The highest place on the way, since hair falls down again.
    let height = |&joint: &usize| {
        let heights = tree.main_path(joint).into_iter().map(|joint| (tree.place[joint] - from).dot(up));
        heights.fold(f32::MIN, f32::max)
    };
    let central = |&joint: &usize| (tree.place[joint] - from).dot(across).abs() < 0.2 * trunk;
    let others = tree.children[arms.on].iter().copied().filter(|joint| !arms.limbs.contains(joint));
    let best = others.filter(central).max_by(|a, b| height(a).total_cmp(&height(b)))?;
    (height(&best) > 0.05 * trunk).then_some(best)
}

/// Whether two pairs of limbs on different joints lead the same way to one ground, across what lies between them; or
/// whether one does beside the legs of what else looks like a human.
fn four_legs(tree: &Tree, pairs: &[Pair], human: Option<&Stance>) -> bool {
    let stand = |one: &Pair, other: &Pair| {
        let (Some(down), Some(too)) = (direction(tree, one), direction(tree, other)) else { return false };
        // From middle to middle: limbs of a pair are in no order, and one's left may come before the other's right.
        let between = (middle(tree, one) - middle(tree, other)).reject_from(down);
        one.on != other.on
            && !one.limbs.iter().any(|&limb| descends(tree.skeleton, other.on, limb))
            && !other.limbs.iter().any(|&limb| descends(tree.skeleton, one.on, limb))
            && (0.5..2.0).contains(&(one.reach / other.reach))
            && down.dot(too) > 0.8
            && between.length() > 0.3 * one.reach
            && level(tree, one, other, down)
    };
    match human {
        Some(human) => pairs.iter().any(|other| stand(&human.legs, other)),
        None => pairs.iter().enumerate().any(|(i, one)| pairs[i + 1..].iter().any(|other| stand(one, other))),
    }
}

/// The side of the first and of the second limb of a pair that lies along `across`, second to first.
pub(super) fn sides(across: Vec3, left: Vec3) -> [Side; 2] {
    if across.dot(left) >= 0.0 { Side::BOTH } else { [Side::Right, Side::Left] }
}
