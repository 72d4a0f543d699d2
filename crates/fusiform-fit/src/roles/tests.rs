use super::*;
use fusiform::Transform;

fn skeleton(names: &[&str]) -> Skeleton {
    let joints: Vec<_> = names.iter().map(|name| (*name, None, Transform::IDENTITY)).collect();
    Skeleton::from_rest(&joints)
}

/// Which name got the role.
fn played<'a>(names: &[&'a str], role: Role, side: Side) -> Option<&'a str> {
    Roles::from_names(&skeleton(names)).get(role, side).map(|joint| names[joint])
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
    assert_eq!(Roles::from_names(&skeleton(&names)).iter().count(), 0);
}

#[test]
fn a_short_spine_has_no_upper_chest() {
    let roles = Roles::from_names(&skeleton(&["hips", "spine1", "spine2"]));
    assert_eq!(roles.get(Chest, Left), Some(2));
    assert_eq!(roles.get(UpperChest, Left), None);
}
