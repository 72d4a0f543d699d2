//! The joints of legs, arms, trunk and head, once it is known which branches of the tree they are.

use super::chains::trunk_roles;
use super::structure::{Stance, Tree, sides};
use super::tree::{meeting, way};
use super::{Draft, How, Role, Side};
use glam::Vec3;

/// A hand's or foot's first bone is shorter than this share of the limb's longest.
const SHORT_BONE: f32 = 0.45;

/// A shin leads down at least with this cosine (41 degrees); a foot slopes more.
const SHIN_DOWN: f32 = 0.75;

/// Branches at least this long beside the longest are fingers; shorter ones are helpers.
const A_BRANCH: f32 = 0.4;

/// Feet, knees and elbows that tell less of the front than this tell nothing.
pub(super) const TOLD: f32 = 0.01;

/// Shoulder or hip, elbow or knee, wrist or ankle; and what comes before and after.
struct Limb {
    before: Option<usize>,
    joints: [usize; 3],
    after: Option<usize>,
}

/// The roles of all joints that a human's shape tells, and how plainly feet, knees and elbows tell the front.
pub(super) fn body(tree: &Tree, stance: &Stance) -> Option<(Draft, f32)> {
    let down = -stance.up;
    let legs = stance.legs.limbs.map(|limb| leg(tree, limb, down));
    let arms = stance.arms.limbs.map(|limb| arm(tree, limb));
    let [Some(one_leg), Some(other_leg)] = legs else { return None };
    let [Some(one_arm), Some(other_arm)] = arms else { return None };
    let (legs, arms) = ([one_leg, other_leg], [one_arm, other_arm]);
    let (front, told) = front(tree, stance, &legs, &arms);
    let mut draft = Draft::default();
    trunk(tree, stance, &mut draft);
    for (i, side) in sides(stance.across, stance.up.cross(front)).into_iter().enumerate() {
        let mut set = |role, joint: Option<usize>| {
            if let Some(joint) = joint {
                draft.set(role, side, joint, How::Structure);
            }
        };
        let [thigh, knee, ankle] = legs[i].joints;
        set(Role::UpperLeg, Some(thigh));
        set(Role::LowerLeg, Some(knee));
        set(Role::Foot, Some(ankle));
        set(Role::Toes, legs[i].after);
        let [shoulder, elbow, wrist] = arms[i].joints;
        set(Role::Shoulder, arms[i].before);
        set(Role::UpperArm, Some(shoulder));
        set(Role::LowerArm, Some(elbow));
        set(Role::Hand, Some(wrist));
        let (middle, thumb) = fingers(tree, wrist);
        set(Role::Fingers, middle.or(arms[i].after));
        set(Role::Thumb, thumb);
    }
    Some((draft, told))
}

/// A leg ends with the last long bone that leads down; then comes the foot.
fn leg(tree: &Tree, root: usize, down: Vec3) -> Option<Limb> {
    let path = tree.main_path(root);
    let downward = |bone: Vec3| bone.normalize_or_zero().dot(down) > SHIN_DOWN;
    limb(tree, &path, downward)
}

/// An arm goes on until it parts into fingers.
fn arm(tree: &Tree, root: usize) -> Option<Limb> {
    let path = tree.main_path(root);
    let parted = path.iter().position(|&joint| branches(tree, joint).len() > 1).unwrap_or(path.len() - 1);
    limb(tree, &path[..=parted], |_| true)
}

/// The three joints of a limb's two long bones, where `counts` says which bones may be long ones.
fn limb(tree: &Tree, path: &[usize], counts: impl Fn(Vec3) -> bool) -> Option<Limb> {
    let bones: Vec<Vec3> = path.windows(2).map(|bone| tree.place[bone[1]] - tree.place[bone[0]]).collect();
    let longest = bones.iter().map(|bone| bone.length()).fold(0.0, f32::max);
    let end = bones.iter().rposition(|&bone| bone.length() >= SHORT_BONE * longest && counts(bone))? + 1;
    let joints = two_bones(tree, &path[..=end])?;
    let first = path.iter().position(|&joint| joint == joints[0])?;
    Some(Limb { before: first.checked_sub(1).map(|_| path[0]), joints, after: path.get(end + 1).copied() })
}

/// The first, middle and last joint of the two bones most alike in length that end the path.
fn two_bones(tree: &Tree, path: &[usize]) -> Option<[usize; 3]> {
    let mut kept = path.to_vec();
    // Bones that are split in halves have a joint where nothing bends.
    while kept.len() > 4 {
        let turn = |i: &usize| {
            let [before, here, after] = [kept[i - 1], kept[*i], kept[i + 1]].map(|joint| tree.place[joint]);
            (here - before).angle_between(after - here)
        };
        let turn = |i: &usize| Some(turn(i)).filter(|turn| turn.is_finite()).unwrap_or(0.0);
        let straightest = (1..kept.len() - 1).min_by(|a, b| turn(a).total_cmp(&turn(b)))?;
        kept.remove(straightest);
    }
    let end = kept.len().checked_sub(1)?;
    let length = |from: usize, to: usize| tree.place[kept[from]].distance(tree.place[kept[to]]);
    let unlike = |first: usize, middle: usize| {
        let (one, other) = (length(first, middle), length(middle, end));
        (one - other).abs() / (one + other).max(f32::MIN_POSITIVE)
    };
    let choices = (0..end).flat_map(|first| (first + 1..end).map(move |middle| (first, middle)));
    let (first, middle) = choices.min_by(|a, b| unlike(a.0, a.1).total_cmp(&unlike(b.0, b.1)))?;
    Some([kept[first], kept[middle], kept[end]])
}

/// Children that go on, where some do; those much shorter than the longest are helpers.
fn branches(tree: &Tree, joint: usize) -> Vec<usize> {
    let children = &tree.children[joint];
    let goes_on = |child: &&usize| !tree.children[**child].is_empty();
    let some_go_on = children.iter().any(|child| goes_on(&child));
    let longest = children.iter().map(|&child| tree.reach[child]).fold(0.0, f32::max);
    let counts = |child: &&usize| (!some_go_on || goes_on(child)) && tree.reach[**child] >= A_BRANCH * longest;
    children.iter().filter(counts).copied().collect()
}

/// The middle finger's first joint, which is the longest finger's, and the thumb's, which leads away from the others.
fn fingers(tree: &Tree, wrist: usize) -> (Option<usize>, Option<usize>) {
    let base = tree.main_path(wrist).into_iter().find(|&joint| branches(tree, joint).len() > 1);
    let Some(base) = base else { return (None, None) };
    let fingers = branches(tree, base);
    let lead = |&finger: &usize| (tree.tip(finger) - tree.place[wrist]).normalize_or_zero();
    let mean: Vec3 = fingers.iter().map(lead).sum();
    let thumb = fingers.iter().copied().min_by(|a, b| lead(a).dot(mean).total_cmp(&lead(b).dot(mean)));
    let thumb = thumb.filter(|_| fingers.len() > 2);
    let others = fingers.iter().copied().filter(|&finger| Some(finger) != thumb);
    (others.max_by(|&a, &b| tree.reach[a].total_cmp(&tree.reach[b]).then(b.cmp(&a))), thumb)
}

/// Hips, vertebrae, neck and head.
fn trunk(tree: &Tree, stance: &Stance, draft: &mut Draft) {
    let (low, high) = (stance.legs.on, stance.arms.on);
    let trunk_length = tree.place[low].distance(tree.place[high]);
    // Where spine and pelvis both hang on a joint near by, everything hangs on that joint; not on a root on the ground.
    let near = |joint: &usize| tree.place[*joint].distance(tree.place[low]) < 0.35 * trunk_length;
    let carrier = meeting(tree.skeleton, low, high).filter(near);
    let hips = carrier.unwrap_or(low);
    draft.set(Role::Hips, Side::Left, hips, How::Structure);
    for (role, joint) in trunk_roles(&way(tree.skeleton, hips, high)) {
        draft.set(role, Side::Left, joint, How::Structure);
    }
    let (neck, head) = neck_and_head(tree, stance.neck);
    draft.set(Role::Head, Side::Left, head, How::Structure);
    if let Some(neck) = neck {
        draft.set(Role::Neck, Side::Left, neck, How::Structure);
    }
}

/// The head is where eyes, jaw and hair part; else the last joint, or the last but one where the last marks the crown.
fn neck_and_head(tree: &Tree, first: usize) -> (Option<usize>, usize) {
    let path = tree.main_path(first);
    let parted = path.iter().position(|&joint| tree.children[joint].len() > 1);
    let head = match (parted, path.len()) {
        (Some(at), _) => at,
        (None, 1 | 2) => path.len() - 1,
        (None, n) => {
            let bone = |i: usize| tree.place[path[i]].distance(tree.place[path[i + 1]]);
            let below: f32 = (0..n - 2).map(bone).sum();
            if bone(n - 2) > below { n - 2 } else { n - 1 }
        }
    };
    ((head > 0).then_some(path[0]), path[head])
}

/// The way feet point, knees bend and elbows do not; how plainly: about 0.7 for a foot of human length on each leg.
fn front(tree: &Tree, stance: &Stance, legs: &[Limb; 2], arms: &[Limb; 2]) -> (Vec3, f32) {
    let ahead = stance.across.cross(stance.up);
    let offset = |[from, middle, to]: [usize; 3]| {
        let [from, middle, to] = [from, middle, to].map(|joint| tree.place[joint]);
        (middle - from).reject_from((to - from).normalize_or(stance.up)) / from.distance(to).max(f32::MIN_POSITIVE)
    };
    let mut told = 0.0;
    for leg in legs {
        let shin = tree.place[leg.joints[1]].distance(tree.place[leg.joints[2]]).max(f32::MIN_POSITIVE);
        let foot = tree.tip(leg.joints[2]) - tree.place[leg.joints[2]];
        told += (foot / shin).dot(ahead) + 0.3 * offset(leg.joints).dot(ahead);
    }
    for arm in arms {
        told -= 0.3 * offset(arm.joints).dot(ahead);
    }
    // Without any, glTF's own front.
    let forward = if told.abs() > TOLD { told } else { ahead.dot(Vec3::Z) };
    (if forward < 0.0 { -ahead } else { ahead }, told.abs())
}
