//! Names and shape held against each other: names win, shape fills, what does not fit is said.

use super::limbs::TOLD;
use super::named::{is_body_word, says_four_legs};
use super::structure::Shape;
use super::tree::descends;
use super::words::Label;
use super::{Draft, Found, How, Part, Role, Side, part, written};
use fusiform::Skeleton;

/// Feet that point this plainly the other way turn the names' left into the body's right.
const PLAINLY: f32 = 0.2;

/// Each role and the one whose joint it hangs on, next or farther up.
const HANGS_ON: [(Role, Role); 11] = [
    (Role::Chest, Role::Spine),
    (Role::UpperChest, Role::Chest),
    (Role::Head, Role::Neck),
    (Role::UpperArm, Role::Shoulder),
    (Role::LowerArm, Role::UpperArm),
    (Role::Hand, Role::LowerArm),
    (Role::Fingers, Role::Hand),
    (Role::Thumb, Role::Hand),
    (Role::LowerLeg, Role::UpperLeg),
    (Role::Foot, Role::LowerLeg),
    (Role::Toes, Role::Foot),
];

/// Roles that a human's shape shows plainly.
fn is_plain(role: Role) -> bool {
    use Role::{Foot, Hand, Head, Hips, LowerArm, LowerLeg, UpperArm, UpperLeg};
    matches!(role, Hips | Head | UpperArm | LowerArm | Hand | UpperLeg | LowerLeg | Foot)
}

/// The roles of a skeleton, from what its names and its shape say.
pub(super) fn judge(skeleton: &Skeleton, labels: &[Label], named: Draft, shape: Shape) -> Found {
    let mut found = Found::default();
    let has_limbs = named.joints.keys().any(|(role, _)| is_plain(*role) && role.is_sided());
    if says_four_legs(labels) || (!has_limbs && matches!(shape, Shape::FourLegs)) {
        found.warnings.push("it stands on four legs: no joint is given a human's role".into());
        return found;
    }
    let shape = match shape {
        Shape::Human { draft, told } => Some((draft, told)),
        Shape::FourLegs => {
            found.warnings.push("its names are a human's, but it stands on four legs".into());
            weigh(skeleton, &named, None, &mut found);
            found.evidence.values_mut().for_each(|it| it.confidence = it.confidence.min(0.6));
            return found;
        }
        Shape::Unknown => None,
    };
    match shape {
        None => weigh(skeleton, &named, None, &mut found),
        Some((shown, told)) => {
            let (shown, swapped) = with_sides_of(shown, &named);
            weigh(skeleton, &named, Some(&shown), &mut found);
            if agrees(skeleton, &named, &shown) {
                fill(skeleton, labels, &named, &shown, told > TOLD, &mut found);
            }
            if swapped && told > PLAINLY {
                doubt_sides(&mut found);
            }
        }
    }
    if found.roles.joints.is_empty() {
        found.warnings.push("neither names nor shape tell which joint is which part of a human body".into());
    }
    found
}

/// The shape's roles with left and right as the names have them, and whether that swapped them.
fn with_sides_of(shown: Draft, named: &Draft) -> (Draft, bool) {
    let sided = |swap: bool| {
        let same = |(&(role, side), &(joint, _)): (&Part, &(usize, How))| {
            side.is_some_and(|side| named.get(role, if swap { side.other() } else { side }) == Some(joint))
        };
        shown.joints.iter().filter(|entry| same(*entry)).count()
    };
    if sided(true) <= sided(false) {
        return (shown, false);
    }
    let swap = |((role, side), joint): (Part, (usize, How))| ((role, side.map(Side::other)), joint);
    (Draft { joints: shown.joints.into_iter().map(swap).collect() }, true)
}

/// Take over what the names say, each role as sure as tree and shape allow.
fn weigh(skeleton: &Skeleton, named: &Draft, shown: Option<&Draft>, found: &mut Found) {
    let is_a_list = skeleton.joints.iter().all(|joint| joint.parent.is_none());
    for (&(role, side), &(joint, how)) in &named.joints {
        let name = &skeleton.joints[joint].name;
        let any_side = side.unwrap_or(Side::Left);
        let other = shown.and_then(|shown| shown.get(role, any_side));
        let confidence = match (how, other) {
            _ if !is_a_list && let Some(above) = torn(skeleton, named, role, any_side) => {
                let above_name = &skeleton.joints[above].name;
                found.warnings.push(format!(
                    "'{name}' is named as {}, but does not hang on '{above_name}' as that would",
                    written((role, side))
                ));
                0.4
            }
            (_, Some(other)) if is_plain(role) && !on_one_branch(skeleton, joint, other) => {
                let other = &skeleton.joints[other].name;
                found.warnings.push(format!(
                    "'{name}' is named as {}, but by the shape of the skeleton that is '{other}'",
                    written((role, side))
                ));
                0.6
            }
            (How::Counted, Some(other)) if other == joint => 0.9,
            (How::Counted, _) => 0.8,
            (_, Some(other)) if other == joint => 1.0,
            _ => 0.9,
        };
        found.set((role, side), joint, how, confidence);
    }
}

/// The joint of the role above that this role's joint should hang on and does not.
fn torn(skeleton: &Skeleton, draft: &Draft, role: Role, side: Side) -> Option<usize> {
    let joint = draft.get(role, side)?;
    let above = HANGS_ON.iter().filter(|(below, _)| *below == role).filter_map(|(_, above)| draft.get(*above, side));
    above.into_iter().find(|&above| !descends(skeleton, joint, above))
}

fn on_one_branch(skeleton: &Skeleton, one: usize, other: usize) -> bool {
    descends(skeleton, one, other) || descends(skeleton, other, one)
}

/// Whether the shape shows most of what is named where the names have it.
fn agrees(skeleton: &Skeleton, named: &Draft, shown: &Draft) -> bool {
    let both = named.joints.iter().filter(|((role, _), _)| is_plain(*role));
    let both = both.filter_map(|(part, &(joint, _))| Some((joint, shown.joints.get(part)?.0)));
    let (mut same, mut all) = (0, 0);
    for (joint, other) in both {
        same += usize::from(on_one_branch(skeleton, joint, other));
        all += 1;
    }
    2 * same >= all
}

/// Take over what only the shape says.
fn fill(skeleton: &Skeleton, labels: &[Label], named: &Draft, shown: &Draft, front_known: bool, found: &mut Found) {
    const VERTEBRAE: [Role; 3] = [Role::Spine, Role::Chest, Role::UpperChest];
    let trunk_named = VERTEBRAE.iter().any(|&role| named.get(role, Side::Left).is_some());
    let sides_named = named.joints.keys().any(|(_, side)| side.is_some());
    let mut draft = named.clone();
    for (&(role, side), &(joint, how)) in &shown.joints {
        let any_side = side.unwrap_or(Side::Left);
        let taken = draft.get(role, any_side).is_some() || draft.plays(joint);
        // A second hand beyond the wrist is no finger: its name says what it is.
        if taken || is_body_word(&labels[joint].meaning) || (trunk_named && VERTEBRAE.contains(&role)) {
            continue;
        }
        draft.set(role, any_side, joint, how);
        let around = HANGS_ON.iter().filter(|(below, above)| *below == role || *above == role);
        if around.into_iter().any(|(below, _)| torn(skeleton, &draft, *below, any_side).is_some()) {
            draft.remove(role, any_side);
            continue;
        }
        let confidence = match (is_plain(role), side) {
            (_, Some(_)) if !front_known && !sides_named => 0.3,
            (true, _) => 0.7,
            (false, _) => 0.5,
        };
        found.set(part(role, any_side), joint, how, confidence);
    }
    if !front_known && !sides_named {
        found.warnings.push("nothing tells the body's front from its back: left and right may be swapped".into());
    }
}

/// Feet tell that the names' left is the body's right.
fn doubt_sides(found: &mut Found) {
    found.warnings.push("its feet point backward if left is where the names say: the names may be swapped".into());
    for ((_, side), evidence) in &mut found.evidence {
        if side.is_some() {
            evidence.confidence = evidence.confidence.min(0.4);
        }
    }
}
