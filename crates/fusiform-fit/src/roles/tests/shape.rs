//! Skeletons whose names say nothing, or something else than their shape.

use super::*;
use crate::test_body;
use glam::{Affine3A, Quat, Vec3};

/// The skeleton with the names `bone_0`, `bone_1`, ...
fn nameless(mut skeleton: Skeleton) -> Skeleton {
    for (i, joint) in skeleton.joints.iter_mut().enumerate() {
        joint.name = format!("bone_{i}");
    }
    skeleton
}

fn add(skeleton: &mut Skeleton, name: &str, parent: usize, at: Vec3) -> usize {
    let bind = Affine3A::from_translation(at);
    skeleton.joints.push(fusiform::Joint { name: name.into(), parent: Some(parent), rest: Transform::IDENTITY, bind });
    skeleton.joints.len() - 1
}

fn place(skeleton: &Skeleton, joint: usize) -> Vec3 {
    skeleton.joints[joint].bind.translation.into()
}

/// A skeleton of (parent, place).
fn bones(joints: &[(Option<usize>, [f32; 3])]) -> Skeleton {
    let mut skeleton = Skeleton::default();
    for (i, &(parent, at)) in joints.iter().enumerate() {
        let bind = Affine3A::from_translation(at.into());
        skeleton.joints.push(fusiform::Joint { name: format!("node{i}"), parent, rest: Transform::IDENTITY, bind });
    }
    skeleton
}

/// The test body with twist joints, five fingers a hand, eyes, a jaw, and hair of so many joints.
fn furnished(hair: usize) -> Skeleton {
    let mut skeleton = test_body::skeleton();
    let find = |skeleton: &Skeleton, name: &str| skeleton.find(name).unwrap();
    for (side, sign) in [(".l", 1.0), (".r", -1.0)] {
        for (bone, next) in [("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("upper_leg", "lower_leg")] {
            let (from, to) = (find(&skeleton, &format!("{bone}{side}")), find(&skeleton, &format!("{next}{side}")));
            for share in [0.4, 0.8] {
                let at = place(&skeleton, from).lerp(place(&skeleton, to), share);
                add(&mut skeleton, "twist", from, at);
            }
        }
        let hand = find(&skeleton, &format!("hand{side}"));
        for (finger, z) in [("thumb", 0.06), ("index", 0.035), ("ring", -0.01), ("pinky", -0.03)] {
            let (length, z) = (if finger == "ring" { 0.075 } else { 0.07 }, z);
            let lead =
                if finger == "thumb" { Vec3::new(0.2 * sign, -0.4, 1.0) } else { Vec3::new(0.65 * sign, -0.7, 0.1) };
            let mut at = place(&skeleton, hand) + lead.normalize() * length + Vec3::new(0.0, 0.0, z);
            let mut last = hand;
            for _ in 0..3 {
                last = add(&mut skeleton, &format!("{finger}{side}"), last, at);
                at += lead.normalize() * 0.025;
            }
        }
        let mut last = find(&skeleton, &format!("fingers{side}"));
        for _ in 0..3 {
            let at = place(&skeleton, last) + Vec3::new(0.65 * sign, -0.7, 0.1).normalize() * 0.03;
            last = add(&mut skeleton, "middle", last, at);
        }
    }
    let head = find(&skeleton, "head");
    for x in [-0.03, 0.03] {
        add(&mut skeleton, "eye", head, Vec3::new(x, 1.68, 0.08));
    }
    for strand in 0..hair.div_ceil(10) {
        let angle = strand as f32;
        let mut last = head;
        for k in 0..10 {
            let at = Vec3::new(0.1 * angle.cos(), 1.78 - 0.09 * k as f32, 0.1 * angle.sin());
            last = add(&mut skeleton, "strand", last, at);
        }
    }
    skeleton
}

/// What the body's own names say, found again without them; `but` may differ.
fn check_found_again(named: &Skeleton, but: &[Role]) {
    let (expected, found) = (Roles::find(named).roles, Roles::find(&nameless(named.clone())));
    let name = |joint: Option<usize>| joint.map_or("-", |joint| named.joints[joint].name.as_str());
    for role in Role::ALL.into_iter().filter(|role| !but.contains(role)) {
        for side in Side::BOTH {
            assert_eq!(name(found.roles.get(role, side)), name(expected.get(role, side)), "{role} {side:?}");
            let Some(evidence) = found.evidence(role, side) else { continue };
            assert_eq!(evidence.how, How::Structure);
            assert!((0.5..=0.7).contains(&evidence.confidence), "{role}: {evidence:?}");
        }
    }
    assert_eq!(found.warnings, [] as [&str; 0]);
}

#[test]
fn a_nameless_body_is_known_by_its_shape() {
    check_found_again(&test_body::skeleton(), &[]);
}

#[test]
fn twists_fingers_eyes_and_hair_do_not_confuse_it() {
    check_found_again(&furnished(0), &[Fingers, Thumb]);
    check_found_again(&furnished(200), &[Fingers, Thumb]);
    let skeleton = furnished(0);
    let found = Roles::find(&nameless(skeleton.clone()));
    let thumb = found.roles.get(Thumb, Right).unwrap();
    assert_eq!(skeleton.joints[thumb].name, "thumb.r");
    assert_eq!(skeleton.joints[found.roles.get(Fingers, Right).unwrap()].name, "fingers.r");
}

#[test]
fn a_nameless_body_is_known_in_any_position() {
    let turns = [
        Quat::from_rotation_y(std::f32::consts::PI),
        Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        Quat::from_euler(glam::EulerRot::XYZ, 0.7, 2.6, -0.8),
    ];
    for turn in turns {
        let mut skeleton = furnished(50);
        for joint in &mut skeleton.joints {
            joint.bind = Affine3A::from_scale_rotation_translation(Vec3::splat(100.0), turn, Vec3::X) * joint.bind;
        }
        check_found_again(&skeleton, &[Fingers, Thumb]);
    }
}

#[test]
fn a_thousand_joints_of_hair_are_quick() {
    for skeleton in [furnished(1000), nameless(furnished(1000))] {
        let start = std::time::Instant::now();
        let found = Roles::find(&skeleton);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        assert!(found.roles.get(LowerArm, Left).is_some());
        println!("{} joints: {ms:.2} ms", skeleton.joints.len());
        assert!(ms < 50.0, "{ms} ms");
    }
}

/// Hips, trunk, neck, head, and four legs.
fn quadruped() -> Skeleton {
    let mut joints: Vec<(Option<usize>, [f32; 3])> = vec![
        (None, [0.0, 1.0, -0.6]),
        (Some(0), [0.0, 1.05, -0.2]),
        (Some(1), [0.0, 1.05, 0.3]),
        (Some(2), [0.0, 1.3, 0.6]),
        (Some(3), [0.0, 1.6, 0.8]),
        (Some(4), [0.0, 1.5, 1.1]),
    ];
    for (on, z) in [(0, -0.6), (2, 0.35)] {
        for x in [0.15, -0.15] {
            let first = joints.len();
            joints.push((Some(on), [x, 0.95, z]));
            joints.push((Some(first), [x, 0.5, z + 0.03]));
            joints.push((Some(first + 1), [x, 0.1, z - 0.03]));
            joints.push((Some(first + 2), [x, 0.0, z + 0.1]));
        }
    }
    for x in [0.08, -0.08] {
        joints.push((Some(4), [x, 1.75, 0.75]));
    }
    bones(&joints)
}

#[test]
fn a_nameless_quadruped_is_refused() {
    let found = Roles::find(&quadruped());
    assert_eq!(found.roles.iter().count(), 0);
    assert!(found.warnings[0].contains("four legs"), "{:?}", found.warnings);
}

#[test]
fn a_few_names_do_not_make_a_quadruped_a_human() {
    let mut skeleton = quadruped();
    skeleton.joints[3].name = "neck".into();
    skeleton.joints[4].name = "head".into();
    assert_eq!(Roles::find(&skeleton).roles.iter().count(), 0);
}

#[test]
fn a_centaur_and_a_spider_are_refused() {
    let mut centaur = quadruped();
    let arms_on = add(&mut centaur, "x", 2, Vec3::new(0.0, 1.6, 0.35));
    add(&mut centaur, "x", arms_on, Vec3::new(0.0, 1.9, 0.35));
    for x in [0.2, -0.2] {
        let arm = add(&mut centaur, "x", arms_on, Vec3::new(x, 1.6, 0.35));
        let elbow = add(&mut centaur, "x", arm, Vec3::new(2.2 * x, 1.4, 0.35));
        add(&mut centaur, "x", elbow, Vec3::new(3.2 * x, 1.2, 0.4));
    }
    assert_eq!(Roles::find(&centaur).roles.iter().count(), 0);

    let mut joints: Vec<(Option<usize>, [f32; 3])> = vec![(None, [0.0, 0.3, 0.0]), (Some(0), [0.0, 0.3, -0.3])];
    for z in [0.2, 0.07, -0.07, -0.2] {
        for x in [0.1, -0.1] {
            let first = joints.len();
            joints.push((Some(0), [x, 0.3, z]));
            joints.push((Some(first), [3.0 * x, 0.5, 2.0 * z]));
            joints.push((Some(first + 1), [6.0 * x, 0.0, 3.0 * z]));
        }
    }
    assert_eq!(Roles::find(&bones(&joints)).roles.iter().count(), 0);
}

#[test]
fn a_chain_and_nothing_at_all_have_no_roles() {
    let chain = bones(&[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [0.0, 2.0, 0.0])]);
    assert_eq!(Roles::find(&chain).roles.iter().count(), 0);
    assert_eq!(Roles::find(&Skeleton::default()).roles.iter().count(), 0);
    let mut nowhere = nameless(test_body::skeleton());
    nowhere.joints[3].bind.translation.x = f32::NAN;
    assert_eq!(Roles::find(&nowhere).roles.iter().count(), 0);
}

#[test]
fn shape_fills_what_names_leave_open() {
    let mut skeleton = test_body::skeleton();
    let elbow = skeleton.find("lower_arm.l").unwrap();
    skeleton.joints[elbow].name = "bone_7".into();
    let found = Roles::find(&skeleton);
    assert_eq!(found.roles.get(LowerArm, Left), Some(elbow));
    let sure = |role| found.evidence(role, Left).map(|it| (it.how, it.confidence));
    assert_eq!(sure(LowerArm), Some((How::Structure, 0.7)));
    assert_eq!(sure(UpperArm), Some((How::Named, 1.0)));
    assert_eq!(found.warnings, [] as [&str; 0]);
}

#[test]
fn a_name_in_the_wrong_place_wins_but_is_doubted() {
    let mut skeleton = test_body::skeleton();
    let (arm, leg) = (skeleton.find("lower_arm.l").unwrap(), skeleton.find("lower_leg.l").unwrap());
    skeleton.joints[arm].name = "lower_leg.l".into();
    skeleton.joints[leg].name = "lower_arm.l".into();
    let found = Roles::find(&skeleton);
    assert_eq!(found.roles.get(LowerArm, Left), Some(leg));
    assert_eq!(found.evidence(LowerArm, Left).map(|it| it.confidence), Some(0.4));
    assert!(found.warnings.iter().any(|it| it.contains("'lower_arm.l'") && it.contains("'upper_arm.l'")));
    assert_eq!(found.evidence(LowerArm, Right).map(|it| it.confidence), Some(1.0));
}

#[test]
fn swapped_sides_are_doubted() {
    let mut skeleton = test_body::skeleton();
    for joint in &mut skeleton.joints {
        let at = &mut joint.bind.translation;
        at.x = -at.x;
    }
    let found = Roles::find(&skeleton);
    assert_eq!(found.roles.get(UpperArm, Left), skeleton.find("upper_arm.l"));
    assert_eq!(found.evidence(UpperArm, Left).map(|it| it.confidence), Some(0.4));
    assert_eq!(found.evidence(Hips, Left).map(|it| it.confidence), Some(1.0));
    assert!(found.warnings[0].contains("feet point backward"), "{:?}", found.warnings);
}

#[test]
fn without_feet_the_sides_are_a_guess_and_said_to_be() {
    let mut joints: Vec<(Option<usize>, [f32; 3])> = vec![
        (None, [0.0, 1.0, 0.0]),
        (Some(0), [0.0, 1.2, 0.0]),
        (Some(1), [0.0, 1.4, 0.0]),
        (Some(2), [0.0, 1.6, 0.0]),
    ];
    for x in [1.0, -1.0] {
        let first = joints.len();
        joints.extend([(Some(0), [0.1 * x, 0.95, 0.0]), (Some(first), [0.1 * x, 0.5, 0.0])]);
        joints.extend([(Some(first + 1), [0.1 * x, 0.05, 0.0]), (Some(2), [0.2 * x, 1.45, 0.0])]);
        joints.extend([(Some(first + 3), [0.5 * x, 1.45, 0.0]), (Some(first + 4), [0.75 * x, 1.45, 0.0])]);
    }
    let found = Roles::find(&bones(&joints));
    assert_eq!(found.roles.get(UpperArm, Left), Some(7));
    assert_eq!(found.evidence(UpperArm, Left).map(|it| it.confidence), Some(0.3));
    assert_eq!(found.evidence(Hips, Left).map(|it| it.confidence), Some(0.7));
    assert!(found.warnings[0].contains("may be swapped"), "{:?}", found.warnings);
}
