//! Roles from names: each name's meaning is looked up in [`NAMES`]; the tree settles what a name leaves open.

use super::tree::descends;
use super::words::Label;
use super::{Draft, How, Role, Side};
use fusiform::Skeleton;
use std::collections::BTreeMap;

/// A joint's words, joined, and the role they mean. Where two joints of a skeleton fit one role, the earlier line wins.
const NAMES: [(&str, Role); 78] = [
    ("hips", Role::Hips),
    ("pelvis", Role::Hips),
    ("hip", Role::Hips),
    ("chest", Role::Chest),
    ("ribcage", Role::Chest),
    ("thorax", Role::Chest),
    ("upperchest", Role::UpperChest),
    ("neck", Role::Neck),
    ("necklower", Role::Neck),
    ("lowerneck", Role::Neck),
    ("necktwist", Role::Neck),
    ("head", Role::Head),
    ("skull", Role::Head),
    ("clavicle", Role::Shoulder),
    ("collar", Role::Shoulder),
    ("collarbone", Role::Shoulder),
    ("shoulder", Role::Shoulder),
    ("scapula", Role::Shoulder),
    ("upperarm", Role::UpperArm),
    ("uparm", Role::UpperArm),
    ("armupper", Role::UpperArm),
    ("shldr", Role::UpperArm),
    ("shldrbend", Role::UpperArm),
    ("humerus", Role::UpperArm),
    ("bicep", Role::UpperArm),
    ("arm", Role::UpperArm),
    ("lowerarm", Role::LowerArm),
    ("loarm", Role::LowerArm),
    ("lowarm", Role::LowerArm),
    ("armlower", Role::LowerArm),
    ("forearm", Role::LowerArm),
    ("forearmbend", Role::LowerArm),
    ("elbow", Role::LowerArm),
    ("wrist", Role::Hand),
    ("hand", Role::Hand),
    ("palm", Role::Hand),
    ("middle", Role::Fingers),
    ("handmiddle", Role::Fingers),
    ("middleproximal", Role::Fingers),
    ("fmiddle", Role::Fingers),
    ("mid", Role::Fingers),
    ("middlefinger", Role::Fingers),
    ("fingermiddle", Role::Fingers),
    ("fingers", Role::Fingers),
    ("fingerbase", Role::Fingers),
    ("index", Role::Fingers),
    ("handindex", Role::Fingers),
    ("indexproximal", Role::Fingers),
    ("findex", Role::Fingers),
    ("indexfinger", Role::Fingers),
    ("thumb", Role::Thumb),
    ("handthumb", Role::Thumb),
    ("thumbmetacarpal", Role::Thumb),
    ("thumbproximal", Role::Thumb),
    ("upperleg", Role::UpperLeg),
    ("upleg", Role::UpperLeg),
    ("legupper", Role::UpperLeg),
    ("thigh", Role::UpperLeg),
    ("thighbend", Role::UpperLeg),
    ("femur", Role::UpperLeg),
    ("lowerleg", Role::LowerLeg),
    ("loleg", Role::LowerLeg),
    ("lowleg", Role::LowerLeg),
    ("leglower", Role::LowerLeg),
    ("shin", Role::LowerLeg),
    ("shinbend", Role::LowerLeg),
    ("calf", Role::LowerLeg),
    ("knee", Role::LowerLeg),
    ("leg", Role::LowerLeg),
    ("ankle", Role::Foot),
    ("foot", Role::Foot),
    ("feet", Role::Foot),
    ("toes", Role::Toes),
    ("toebase", Role::Toes),
    ("toe", Role::Toes),
    ("ball", Role::Toes),
    ("football", Role::Toes),
    ("bigtoe", Role::Toes),
];

/// Joints of the trunk that rigs number from below, or from above, instead of saying which is which.
const TRUNK: [&str; 12] = [
    "lowerback",
    "spine",
    "abdomen",
    "torso",
    "waist",
    "abdomenlower",
    "abdomenupper",
    "chestlower",
    "chestupper",
    "lowerspine",
    "upperspine",
    "stomach",
];

/// Names of whole rows of joints that [`super::chains`] counts.
const ROWS: [&str; 1] = ["finger"];

/// Whether a name that means this is known.
pub(super) fn is_body_word(meaning: &str) -> bool {
    NAMES.iter().any(|(known, _)| *known == meaning) || TRUNK.contains(&meaning) || ROWS.contains(&meaning)
}

/// Whether this is a vertebra that says no more than that it is one.
pub(super) fn is_trunk(label: &Label) -> bool {
    label.side.is_none() && TRUNK.contains(&label.meaning.as_str())
}

/// A name's line in the table, and its role.
fn look_up(label: &Label) -> Option<(usize, Role)> {
    let (line, &(_, role)) = NAMES.iter().enumerate().find(|(_, (known, _))| *known == label.meaning)?;
    (role.is_sided() == label.side.is_some()).then_some((line, role))
}

/// Roles of the joints whose names are known.
pub(super) fn name_all(skeleton: &Skeleton, labels: &[Label]) -> Draft {
    let mut best = BTreeMap::new();
    let depth = depths(skeleton);
    for (joint, label) in labels.iter().enumerate() {
        let Some((line, role)) = look_up(label) else { continue };
        // What deforms before its copy, then the earlier line, then the joint nearer the root, then the smaller number.
        let rank = (label.copy, line, depth[joint], label.digits.as_str(), joint);
        let held = best.entry((role, label.side)).or_insert(rank);
        *held = rank.min(*held);
    }
    let mut draft = Draft::default();
    for ((role, side), (.., joint)) in best {
        draft.set(role, side.unwrap_or(Side::Left), joint, How::Named);
    }
    settle_hips(skeleton, labels, &mut draft);
    for side in Side::BOTH {
        name_joints_not_bones(labels, side, &mut draft);
    }
    draft
}

/// Joints above each joint.
fn depths(skeleton: &Skeleton) -> Vec<usize> {
    let mut depth: Vec<usize> = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        depth.push(joint.parent.and_then(|parent| depth.get(parent)).map_or(0, |above| above + 1));
    }
    depth
}

/// Where `hip` carries spine and `pelvis`, and the pelvis the legs, it is the hip that everything hangs on.
fn settle_hips(skeleton: &Skeleton, labels: &[Label], draft: &mut Draft) {
    let legs = Side::BOTH.map(|side| draft.get(Role::UpperLeg, side));
    let spine = labels.iter().position(is_trunk).or(draft.get(Role::Chest, Side::Left));
    let ([Some(left), Some(right)], Some(spine), Some(hips)) = (legs, spine, draft.get(Role::Hips, Side::Left)) else {
        return;
    };
    let carries_all = |joint: usize| [left, right, spine].iter().all(|&other| descends(skeleton, other, joint));
    let named_hips = |&joint: &usize| look_up(&labels[joint]).is_some_and(|(_, role)| role == Role::Hips);
    if !carries_all(hips)
        && let Some(better) = (0..labels.len()).filter(named_hips).find(|&joint| carries_all(joint))
    {
        draft.set(Role::Hips, Side::Left, better, How::Named);
    }
}

/// Rigs that name the joint, not the bone: `L_Hip`, `L_Knee`, `L_Ankle`, `L_Foot`; `L_Shoulder`, `L_Elbow`.
fn name_joints_not_bones(labels: &[Label], side: Side, draft: &mut Draft) {
    let find = |word: &str| labels.iter().position(|label| label.side == Some(side) && label.meaning == word);
    if draft.get(Role::UpperLeg, side).is_none()
        && draft.get(Role::LowerLeg, side).is_some()
        && let Some(hip) = find("hip")
    {
        draft.set(Role::UpperLeg, side, hip, How::Named);
    }
    if draft.get(Role::UpperArm, side).is_none()
        && draft.get(Role::LowerArm, side).is_some()
        && let Some(shoulder) = find("shoulder")
    {
        if draft.get(Role::Shoulder, side) == Some(shoulder) {
            draft.remove(Role::Shoulder, side);
        }
        draft.set(Role::UpperArm, side, shoulder, How::Named);
    }
    if draft.get(Role::Toes, side).is_none()
        && let (Some(_), Some(foot)) = (find("ankle"), find("foot"))
    {
        draft.set(Role::Toes, side, foot, How::Named);
    }
}

/// Whether names tell of front legs and of hind legs.
pub(super) fn says_four_legs(labels: &[Label]) -> bool {
    let leg = |rest: &str| {
        ["shoulder", "upperleg", "lowerleg", "leg", "foot", "paw", "hoof", "thigh", "upleg", "knee"].contains(&rest)
    };
    let any = |before: &[&str]| {
        labels.iter().any(|label| {
            let of_leg = |word: &&str| {
                label.meaning.strip_prefix(*word).or_else(|| label.meaning.strip_suffix(*word)).is_some_and(leg)
            };
            before.iter().any(of_leg)
        })
    };
    any(&["front", "fore"]) && any(&["back", "hind", "rear"])
}
