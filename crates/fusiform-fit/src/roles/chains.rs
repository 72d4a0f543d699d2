//! Rigs that call a whole limb by one word and count its joints: the tree says which is which, numbers do not (some count
//! from the hand, some from the head).

use super::named::is_trunk;
use super::tree::{ancestors, descends, meeting};
use super::words::Label;
use super::{Draft, How, Role, Side};
use fusiform::Skeleton;

/// Name what only its place in a row of equal names tells.
pub(super) fn count_all(skeleton: &Skeleton, labels: &[Label], draft: &mut Draft) {
    for side in Side::BOTH {
        count_limb(skeleton, labels, side, draft);
        count_fingers(skeleton, labels, side, draft);
    }
    let mut trunk = trunk(skeleton, labels);
    if draft.get(Role::Head, Side::Left).is_none() {
        let neck = row(skeleton, labels, "neck", None);
        match neck[..] {
            [_, .., head] => draft.set(Role::Head, Side::Left, head, How::Counted),
            _ => count_neck(skeleton, &mut trunk, draft),
        }
    }
    count_hips(skeleton, &mut trunk, draft);
    for (role, joint) in trunk_roles(&trunk) {
        let known = draft.get(role, Side::Left).is_some();
        // A chest that is named ends the counting.
        if !known && (role == Role::Spine || draft.how(Role::Chest, Side::Left) != Some(How::Named)) {
            // One that has no number needs no counting.
            let plain = role == Role::Spine && labels[joint].digits.is_empty();
            draft.set(role, Side::Left, joint, if plain { How::Named } else { How::Counted });
        }
    }
}

/// Vertebrae from below to the joint that carries the arms: the lowest is the spine, the highest carries the shoulders.
pub(super) fn trunk_roles(trunk: &[usize]) -> Vec<(Role, usize)> {
    match *trunk {
        [] => vec![],
        [spine] => vec![(Role::Spine, spine)],
        [spine, chest] => vec![(Role::Spine, spine), (Role::Chest, chest)],
        [spine, ref between @ .., highest] => {
            vec![(Role::Spine, spine), (Role::Chest, between[between.len() / 2]), (Role::UpperChest, highest)]
        }
    }
}

fn count_limb(skeleton: &Skeleton, labels: &[Label], side: Side, draft: &mut Draft) {
    let arm = row(skeleton, labels, "arm", Some(side));
    let arm_roles = [Role::Shoulder, Role::UpperArm, Role::LowerArm, Role::Hand];
    if draft.get(Role::LowerArm, side).is_none() && arm.len() >= 3 {
        give(&arm_roles[arm_roles.len().saturating_sub(arm.len())..], side, &arm, draft);
    }
    let leg = row(skeleton, labels, "leg", Some(side));
    if draft.get(Role::UpperLeg, side).is_none() && leg.len() >= 3 {
        give(&[Role::UpperLeg, Role::LowerLeg, Role::Foot, Role::Toes], side, &leg, draft);
    }
}

/// Fingers that are counted from the thumb: 0 to 4 in one rig, 1 to 5 in another.
fn count_fingers(skeleton: &Skeleton, labels: &[Label], side: Side, draft: &mut Draft) {
    let is_finger = |joint: usize| labels[joint].meaning == "finger" && labels[joint].side == Some(side);
    let first = |joint: usize| is_finger(joint) && !skeleton.joints[joint].parent.is_some_and(is_finger);
    let number = |joint: usize| labels[joint].digits.bytes().next().map(|digit| digit.saturating_sub(b'0'));
    let fingers: Vec<(u8, usize)> =
        (0..labels.len()).filter(|&joint| first(joint)).map(|joint| (number(joint).unwrap_or(1), joint)).collect();
    let Some(lowest) = fingers.iter().map(|&(number, _)| number).min() else { return };
    let has_thumb = lowest == 0 || fingers.len() >= 5;
    let find = |number: u8| fingers.iter().find(|&&(other, _)| other == number).map(|&(_, joint)| joint);
    if has_thumb
        && draft.get(Role::Thumb, side).is_none()
        && let Some(thumb) = find(lowest)
    {
        draft.set(Role::Thumb, side, thumb, How::Counted);
    }
    let middle = if has_thumb { find(lowest + 2).or_else(|| find(lowest + 1)) } else { find(lowest) };
    if draft.get(Role::Fingers, side).is_none()
        && let Some(middle) = middle
    {
        draft.set(Role::Fingers, side, middle, How::Counted);
    }
}

/// Vertebrae that go on over the shoulders are neck and head.
fn count_neck(skeleton: &Skeleton, trunk: &mut Vec<usize>, draft: &mut Draft) {
    /// Vertebrae of Rigify's spine up to the shoulders, hips included, where the tree does not tell.
    const BELOW_NECK: usize = 4;
    let arms = Side::BOTH.map(|side| draft.get(Role::Shoulder, side).or(draft.get(Role::UpperArm, side)));
    let carrier = match arms {
        [Some(left), Some(right)] => meeting(skeleton, left, right),
        _ => None,
    };
    let counted = trunk.iter().position(|&joint| Some(joint) == carrier).map_or(BELOW_NECK, |at| at + 1);
    if trunk.len() <= counted || draft.get(Role::Neck, Side::Left).is_some() {
        return;
    }
    let above = trunk.split_off(counted);
    if let [neck, .., head] = above[..] {
        draft.set(Role::Neck, Side::Left, neck, How::Counted);
        draft.set(Role::Head, Side::Left, head, How::Counted);
    } else if let [head] = above[..] {
        draft.set(Role::Head, Side::Left, head, How::Counted);
    }
}

/// Without a name for the hips: the joint both legs and the spine hang on; `trunk` loses it if it was counted there.
fn count_hips(skeleton: &Skeleton, trunk: &mut Vec<usize>, draft: &mut Draft) {
    if draft.get(Role::Hips, Side::Left).is_some() {
        return;
    }
    let [Some(left), Some(right)] = Side::BOTH.map(|side| draft.get(Role::UpperLeg, side)) else { return };
    let spine = trunk.first().copied().or(draft.get(Role::Chest, Side::Left));
    let carrier = meeting(skeleton, left, right).filter(|&joint| spine.is_none_or(|it| descends(skeleton, it, joint)));
    // A spine of its own, as some exporters leave it, begins with the hips if it reaches up to the head.
    let counted = || trunk.first().copied().filter(|_| draft.how(Role::Head, Side::Left) == Some(How::Counted));
    let Some(hips) = carrier.or_else(counted) else { return };
    draft.set(Role::Hips, Side::Left, hips, How::Counted);
    trunk.retain(|&joint| joint != hips);
}

fn give(roles: &[Role], side: Side, joints: &[usize], draft: &mut Draft) {
    for (&role, &joint) in roles.iter().zip(joints) {
        draft.set(role, side, joint, How::Counted);
    }
}

/// Vertebrae in the order of the tree; what hangs beside the longest row of them is none.
fn trunk(skeleton: &Skeleton, labels: &[Label]) -> Vec<usize> {
    let deform = labels.iter().any(|label| is_trunk(label) && !label.copy);
    let all: Vec<usize> =
        (0..labels.len()).filter(|&joint| is_trunk(&labels[joint]) && !(deform && labels[joint].copy)).collect();
    let row_to = |&end: &usize| -> Vec<usize> {
        let mut row: Vec<usize> = ancestors(skeleton, end).filter(|joint| all.binary_search(joint).is_ok()).collect();
        row.reverse();
        row
    };
    let longest = all.iter().map(row_to).max_by_key(Vec::len).unwrap_or_default();
    // No two hang together: a list without a tree.
    if longest.len() < 2 { all } else { longest }
}

/// The joints of that name, each hanging on the one before, from the first such joint on.
fn row(skeleton: &Skeleton, labels: &[Label], word: &str, side: Option<Side>) -> Vec<usize> {
    let mut row: Vec<usize> = Vec::new();
    for (joint, label) in labels.iter().enumerate() {
        let follows = row.is_empty() || skeleton.joints[joint].parent == row.last().copied();
        if follows && label.meaning == word && label.side == side {
            row.push(joint);
        }
    }
    row
}
