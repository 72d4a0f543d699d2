use super::*;
use fusiform::Transform;

mod schemes;
mod shape;

fn skeleton(names: &[&str]) -> Skeleton {
    let joints: Vec<_> = names.iter().map(|name| (*name, None, Transform::IDENTITY)).collect();
    Skeleton::from_rest(&joints)
}

/// Which name got the role.
fn played<'a>(names: &[&'a str], role: Role, side: Side) -> Option<&'a str> {
    Roles::find(&skeleton(names)).roles.get(role, side).map(|joint| names[joint])
}

fn check(names: &[&str], expected: &[(Role, Side, &str)]) {
    for &(role, side, name) in expected {
        assert_eq!(played(names, role, side), Some(name), "{role} {side:?}");
    }
}

use Role::{Chest, Fingers, Foot, Hand, Head, Hips, LowerArm, LowerLeg, Neck, Shoulder, Spine, Thumb, Toes};
use Role::{UpperArm, UpperChest, UpperLeg};
use Side::{Left, Right};

#[test]
fn mixamo_names_are_known() {
    let names = [
        "mixamorig:Hips",
        "mixamorig:LeftUpLeg",
        "mixamorig:RightUpLeg",
        "mixamorig:Spine",
        "mixamorig:Spine1",
        "mixamorig:Spine2",
        "mixamorig:LeftLeg",
        "mixamorig:LeftShoulder",
        "mixamorig:Neck",
        "mixamorig:Head",
        "mixamorig:HeadTop_End",
        "mixamorig:LeftArm",
        "mixamorig:LeftFoot",
        "mixamorig:LeftForeArm",
        "mixamorig:LeftHand",
        "mixamorig:LeftHandIndex1",
        "mixamorig:LeftHandMiddle1",
        "mixamorig:LeftHandThumb1",
        "mixamorig:LeftHandThumb2",
        "mixamorig:LeftToeBase",
        "mixamorig:RightArm",
    ];
    check(
        &names,
        &[
            (Hips, Left, "mixamorig:Hips"),
            (Spine, Left, "mixamorig:Spine"),
            (Chest, Left, "mixamorig:Spine1"),
            (UpperChest, Left, "mixamorig:Spine2"),
            (Head, Right, "mixamorig:Head"),
            (Shoulder, Left, "mixamorig:LeftShoulder"),
            (UpperArm, Left, "mixamorig:LeftArm"),
            (UpperArm, Right, "mixamorig:RightArm"),
            (LowerArm, Left, "mixamorig:LeftForeArm"),
            (Hand, Left, "mixamorig:LeftHand"),
            (Fingers, Left, "mixamorig:LeftHandMiddle1"),
            (Thumb, Left, "mixamorig:LeftHandThumb1"),
            (UpperLeg, Right, "mixamorig:RightUpLeg"),
            (LowerLeg, Left, "mixamorig:LeftLeg"),
            (Toes, Left, "mixamorig:LeftToeBase"),
        ],
    );
}

#[test]
fn game_engine_names_are_known() {
    let names = [
        "Root",
        "pelvis",
        "spine_01",
        "spine_02",
        "spine_03",
        "thigh_l",
        "thigh_r",
        "calf_l",
        "clavicle_l",
        "foot_l",
        "neck_01",
        "upperarm_l",
        "upperarm_twist_01_l",
        "ball_l",
        "head",
        "lowerarm_l",
        "hand_l",
        "middle_01_l",
        "thumb_01_l",
    ];
    check(
        &names,
        &[
            (Hips, Left, "pelvis"),
            (Spine, Left, "spine_01"),
            (Chest, Left, "spine_02"),
            (UpperChest, Left, "spine_03"),
            (Neck, Left, "neck_01"),
            (Shoulder, Left, "clavicle_l"),
            (UpperArm, Left, "upperarm_l"),
            (LowerArm, Left, "lowerarm_l"),
            (Fingers, Left, "middle_01_l"),
            (Thumb, Left, "thumb_01_l"),
            (UpperLeg, Right, "thigh_r"),
            (LowerLeg, Left, "calf_l"),
            (Foot, Left, "foot_l"),
            (Toes, Left, "ball_l"),
        ],
    );
}

#[test]
fn motion_capture_names_are_known() {
    let names = [
        "Hips",
        "LHipJoint",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "LeftToeBase",
        "RHipJoint",
        "LowerBack",
        "Spine",
        "Spine1",
        "Neck",
        "Neck1",
        "Head",
        "LeftShoulder",
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
        "LeftFingerBase",
        "LeftHandIndex1",
        "LThumb",
        "RThumb",
    ];
    check(
        &names,
        &[
            (Hips, Left, "Hips"),
            (Spine, Left, "LowerBack"),
            (Chest, Left, "Spine"),
            (UpperChest, Left, "Spine1"),
            (Neck, Left, "Neck"),
            (UpperLeg, Left, "LeftUpLeg"),
            (Fingers, Left, "LeftFingerBase"),
            (Thumb, Left, "LThumb"),
            (Thumb, Right, "RThumb"),
        ],
    );
}

#[test]
fn plain_english_is_known_in_every_spelling() {
    for name in
        ["upper_arm.l", "LeftUpperArm", "upperarm.L", "UpperArm_L", "l_upperarm", "Bip01 L UpperArm", "leftupperarm"]
    {
        assert_eq!(played(&[name], UpperArm, Left), Some(name));
        assert_eq!(played(&[name], UpperArm, Right), None);
    }
    for name in ["J_Bip_R_LowerLeg", "DEF-shin.R", "RightCalf", "lowerleg.r", "R_Knee"] {
        assert_eq!(played(&[name], LowerLeg, Right), Some(name));
    }
    check(
        &["hips", "spine", "chest", "upper_chest", "neck"],
        &[(Chest, Left, "chest"), (UpperChest, Left, "upper_chest")],
    );
}

#[test]
fn controls_and_ends_play_no_role() {
    let names = ["IK-foot.l", "control-foot-roll.l", "HeadEnd", "kneeIK.l", "LeftEye", "handslot.r", "RightToeEnd"];
    assert_eq!(Roles::find(&skeleton(&names)).roles.iter().count(), 0);
}

#[test]
fn a_short_spine_has_no_upper_chest() {
    let roles = Roles::find(&skeleton(&["hips", "spine1", "spine2"])).roles;
    assert_eq!(roles.get(Chest, Left), Some(2));
    assert_eq!(roles.get(UpperChest, Left), None);
}

/// A skeleton of (name, parent's name).
fn tree(joints: &[(&str, &str)]) -> Skeleton {
    let place = |parent: &str| joints.iter().position(|(name, _)| *name == parent);
    let rows: Vec<_> = joints.iter().map(|&(name, parent)| (name, place(parent), Transform::IDENTITY)).collect();
    Skeleton::from_rest(&rows)
}

/// The name of the joint that plays each role, in the order of [`Role::ALL`]; the side is left where there are two.
fn cast(skeleton: &Skeleton, side: Side) -> Vec<(Role, &str)> {
    let roles = Roles::find(skeleton).roles;
    let name = |role| Some((role, skeleton.joints[roles.get(role, side)?].name.as_str()));
    Role::ALL.into_iter().filter_map(name).collect()
}

#[test]
fn limbs_that_are_only_counted_are_known_by_their_order_in_the_tree() {
    let figure = tree(&[
        ("torso_joint_1", ""),
        ("torso_joint_2", "torso_joint_1"),
        ("torso_joint_3", "torso_joint_2"),
        ("neck_joint_1", "torso_joint_3"),
        ("neck_joint_2", "neck_joint_1"),
        ("arm_joint_L_1", "torso_joint_3"),
        ("arm_joint_R_1", "torso_joint_3"),
        ("arm_joint_L_2", "arm_joint_L_1"),
        ("arm_joint_R_2", "arm_joint_R_1"),
        ("arm_joint_L_3", "arm_joint_L_2"),
        ("arm_joint_R_3", "arm_joint_R_2"),
        ("leg_joint_L_1", "torso_joint_1"),
        ("leg_joint_R_1", "torso_joint_1"),
        ("leg_joint_L_2", "leg_joint_L_1"),
        ("leg_joint_R_2", "leg_joint_R_1"),
        ("leg_joint_L_3", "leg_joint_L_2"),
        ("leg_joint_R_3", "leg_joint_R_2"),
        ("leg_joint_L_5", "leg_joint_L_3"),
        ("leg_joint_R_5", "leg_joint_R_3"),
    ]);
    let expected = [
        (Hips, "torso_joint_1"),
        (Spine, "torso_joint_2"),
        (Chest, "torso_joint_3"),
        (Neck, "neck_joint_1"),
        (Head, "neck_joint_2"),
        (UpperArm, "arm_joint_R_1"),
        (LowerArm, "arm_joint_R_2"),
        (Hand, "arm_joint_R_3"),
        (UpperLeg, "leg_joint_R_1"),
        (LowerLeg, "leg_joint_R_2"),
        (Foot, "leg_joint_R_3"),
        (Toes, "leg_joint_R_5"),
    ];
    assert_eq!(cast(&figure, Right), expected);
}

#[test]
fn a_limb_counted_from_the_hand_is_known_too() {
    let man = tree(&[
        ("Skeleton_torso_joint_1", ""),
        ("Skeleton_torso_joint_2", "Skeleton_torso_joint_1"),
        ("torso_joint_3", "Skeleton_torso_joint_2"),
        ("Skeleton_neck_joint_1", "torso_joint_3"),
        ("Skeleton_neck_joint_2", "Skeleton_neck_joint_1"),
        ("Skeleton_arm_joint_L__4_", "torso_joint_3"),
        ("Skeleton_arm_joint_R", "torso_joint_3"),
        ("Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L__4_"),
        ("Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_R"),
        ("Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_L__3_"),
        ("Skeleton_arm_joint_R__3_", "Skeleton_arm_joint_R__2_"),
        ("leg_joint_L_1", "Skeleton_torso_joint_1"),
        ("leg_joint_R_1", "Skeleton_torso_joint_1"),
        ("leg_joint_L_2", "leg_joint_L_1"),
        ("leg_joint_R_2", "leg_joint_R_1"),
        ("leg_joint_L_3", "leg_joint_L_2"),
        ("leg_joint_R_3", "leg_joint_R_2"),
        ("leg_joint_L_5", "leg_joint_L_3"),
        ("leg_joint_R_5", "leg_joint_R_3"),
    ]);
    let expected = [
        (Hips, "Skeleton_torso_joint_1"),
        (Spine, "Skeleton_torso_joint_2"),
        (Chest, "torso_joint_3"),
        (Neck, "Skeleton_neck_joint_1"),
        (Head, "Skeleton_neck_joint_2"),
        (UpperArm, "Skeleton_arm_joint_L__4_"),
        (LowerArm, "Skeleton_arm_joint_L__3_"),
        (Hand, "Skeleton_arm_joint_L__2_"),
        (UpperLeg, "leg_joint_L_1"),
        (LowerLeg, "leg_joint_L_2"),
        (Foot, "leg_joint_L_3"),
        (Toes, "leg_joint_L_5"),
    ];
    assert_eq!(cast(&man, Left), expected);
}

#[test]
fn a_small_game_figure_with_controls_is_known() {
    let names: Vec<&str> = "\
        root hips spine chest upperarm.l lowerarm.l wrist.l hand.l handslot.l upperarm.r lowerarm.r wrist.r \
        hand.r handslot.r head upperleg.l lowerleg.l foot.l toes.l upperleg.r lowerleg.r foot.r toes.r \
        kneeIK.l control-toe-roll.l control-heel-roll.l control-foot-roll.l heelIK.l IK-foot.l IK-toe.l \
        kneeIK.r control-toe-roll.r control-heel-roll.r control-foot-roll.r heelIK.r IK-foot.r IK-toe.r \
        elbowIK.l handIK.l elbowIK.r handIK.r"
        .split_whitespace()
        .collect();
    let expected = [
        (Hips, "hips"),
        (Spine, "spine"),
        (Chest, "chest"),
        (Head, "head"),
        (UpperArm, "upperarm.r"),
        (LowerArm, "lowerarm.r"),
        (Hand, "wrist.r"),
        (UpperLeg, "upperleg.r"),
        (LowerLeg, "lowerleg.r"),
        (Foot, "foot.r"),
        (Toes, "toes.r"),
    ];
    assert_eq!(cast(&skeleton(&names), Right), expected);
}

#[test]
fn an_avatar_with_eyes_ends_and_four_joints_a_finger_is_known() {
    let names: Vec<&str> = "\
        Hips Spine Spine1 Spine2 Neck Head HeadEnd HeadEnd_end RightEye RightEye_end LeftEye LeftEye_end \
        LeftShoulder LeftArm LeftForeArm LeftHand LeftFingerBase LeftHandThumb1 LeftHandThumb2 \
        LeftHandThumb3 LeftHandThumb4 LeftHandThumb4_end LeftHandMiddle1 LeftHandMiddle2 LeftHandMiddle3 \
        LeftHandMiddle4 LeftHandMiddle4_end LeftHandRing1 LeftHandPinky1 LeftHandIndex1 LeftUpLeg LeftLeg \
        LeftFoot LeftToeBase LeftToeEnd LeftToeEnd_end"
        .split_whitespace()
        .collect();
    let expected = [
        (Hips, "Hips"),
        (Spine, "Spine"),
        (Chest, "Spine1"),
        (UpperChest, "Spine2"),
        (Neck, "Neck"),
        (Head, "Head"),
        (Shoulder, "LeftShoulder"),
        (UpperArm, "LeftArm"),
        (LowerArm, "LeftForeArm"),
        (Hand, "LeftHand"),
        (Fingers, "LeftHandMiddle1"),
        (Thumb, "LeftHandThumb1"),
        (UpperLeg, "LeftUpLeg"),
        (LowerLeg, "LeftLeg"),
        (Foot, "LeftFoot"),
        (Toes, "LeftToeBase"),
    ];
    assert_eq!(cast(&skeleton(&names), Left), expected);
}

#[test]
fn a_captured_body_with_its_end_sites_is_known_on_both_sides() {
    let names: Vec<&str> = "\
        Hips LHipJoint LeftUpLeg LeftLeg LeftFoot LeftToeBase RHipJoint RightUpLeg RightLeg RightFoot \
        RightToeBase LowerBack Spine Spine1 Neck Neck1 Head LeftShoulder LeftArm LeftForeArm LeftHand \
        LeftFingerBase LeftHandIndex1 LThumb RightShoulder RightArm RightForeArm RightHand RightFingerBase \
        RightHandIndex1 RThumb LeftToeBase_end RightToeBase_end Head_end LeftHandIndex1_end LThumb_end \
        RightHandIndex1_end RThumb_end"
        .split_whitespace()
        .collect();
    let expected = [
        (Hips, "Hips"),
        (Spine, "LowerBack"),
        (Chest, "Spine"),
        (UpperChest, "Spine1"),
        (Neck, "Neck"),
        (Head, "Head"),
        (Shoulder, "RightShoulder"),
        (UpperArm, "RightArm"),
        (LowerArm, "RightForeArm"),
        (Hand, "RightHand"),
        (Fingers, "RightFingerBase"),
        (Thumb, "RThumb"),
        (UpperLeg, "RightUpLeg"),
        (LowerLeg, "RightLeg"),
        (Foot, "RightFoot"),
        (Toes, "RightToeBase"),
    ];
    assert_eq!(cast(&skeleton(&names), Right), expected);
    assert_eq!(cast(&skeleton(&names), Left).len(), 16);
}
