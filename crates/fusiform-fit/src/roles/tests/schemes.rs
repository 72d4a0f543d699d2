//! Whole rigs, by the names their makers give.

use super::*;

/// A skeleton from lines: `a > b` hangs b on a, and a line that is set in deeper hangs on the last joint of the line above.
fn outline(text: &str) -> Skeleton {
    let mut joints: Vec<(&str, Option<usize>, Transform)> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        open.retain(|&(depth, _)| depth < indent);
        let mut parent = open.last().map(|&(_, joint)| joint);
        for name in line.split(" > ") {
            joints.push((name.trim(), parent, Transform::IDENTITY));
            parent = Some(joints.len() - 1);
        }
        open.push((indent, joints.len() - 1));
    }
    Skeleton::from_rest(&joints)
}

/// Both halves of a body whose left is written and whose right is the left with other letters.
fn both_sides(half: &str, right: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut limb = String::new();
    let flush = |limb: &mut String, text: &mut String| {
        let mirrored = right.iter().fold(limb.clone(), |text, (from, to)| text.replace(from, to));
        text.push_str(limb);
        if *limb != mirrored {
            text.push_str(&mirrored);
        }
        limb.clear();
    };
    // Lines of one limb go together: the first without the letters ends it.
    for line in half.lines() {
        let sided = right.iter().any(|(from, _)| line.contains(from));
        if !sided {
            flush(&mut limb, &mut text);
        }
        let target = if sided { &mut limb } else { &mut text };
        target.push_str(line);
        target.push('\n');
    }
    flush(&mut limb, &mut text);
    text
}

/// The left side's cast in the order of [`Role::ALL`], `-` where no joint plays; and that the right has the same parts.
fn check_rig(skeleton: &Skeleton, prefix: &str, cast: &str, right: &[(&str, &str)]) {
    let found = Roles::find(skeleton);
    let cast: Vec<String> =
        cast.split(", ").map(|name| if name == "-" { name.into() } else { format!("{prefix}{name}") }).collect();
    assert_eq!(cast.len(), Role::ALL.len());
    for (role, expected) in Role::ALL.into_iter().zip(&cast) {
        let name = |side| found.roles.get(role, side).map_or("-", |joint| skeleton.joints[joint].name.as_str());
        assert_eq!(name(Left), expected, "{role}, left");
        let mirrored = right.iter().fold(expected.clone(), |name, (from, to)| name.replace(from, to));
        assert_eq!(name(Right), if role.is_sided() { &mirrored } else { expected }, "{role}, right");
        if expected != "-" {
            let evidence = found.evidence(role, Left).unwrap();
            assert!(evidence.confidence >= 0.8, "{role}: {evidence:?}");
        }
    }
    assert_eq!(found.warnings, [] as [&str; 0]);
}

#[test]
fn mixamo() {
    let right = [("Left", "Right")];
    let text = both_sides(
        "\
mixamorig:Hips
  mixamorig:Spine > mixamorig:Spine1 > mixamorig:Spine2
    mixamorig:Neck > mixamorig:Head > mixamorig:HeadTop_End
    mixamorig:LeftShoulder > mixamorig:LeftArm > mixamorig:LeftForeArm > mixamorig:LeftHand
      mixamorig:LeftHandThumb1 > mixamorig:LeftHandThumb2 > mixamorig:LeftHandThumb3 > mixamorig:LeftHandThumb4
      mixamorig:LeftHandIndex1 > mixamorig:LeftHandIndex2 > mixamorig:LeftHandIndex3 > mixamorig:LeftHandIndex4
      mixamorig:LeftHandMiddle1 > mixamorig:LeftHandMiddle2 > mixamorig:LeftHandMiddle3 > mixamorig:LeftHandMiddle4
      mixamorig:LeftHandRing1 > mixamorig:LeftHandRing2 > mixamorig:LeftHandRing3 > mixamorig:LeftHandRing4
      mixamorig:LeftHandPinky1 > mixamorig:LeftHandPinky2 > mixamorig:LeftHandPinky3 > mixamorig:LeftHandPinky4
  mixamorig:LeftUpLeg > mixamorig:LeftLeg > mixamorig:LeftFoot > mixamorig:LeftToeBase > mixamorig:LeftToe_End",
        &right,
    );
    let cast = "\
        Hips, Spine, Spine1, Spine2, Neck, Head, LeftShoulder, LeftArm, LeftForeArm, LeftHand, \
        LeftHandMiddle1, LeftHandThumb1, LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase";
    check_rig(&outline(&text), "mixamorig:", cast, &right);
    // Importers drop the colon.
    let text = text.replace(':', "");
    check_rig(&outline(&text), "mixamorig", cast, &right);
}

#[test]
fn unreal() {
    let right = [("_l", "_r")];
    let text = both_sides(
        "\
root
  pelvis
    spine_01 > spine_02 > spine_03 > spine_04 > spine_05
      clavicle_l > upperarm_l
        upperarm_twist_01_l
        upperarm_twist_02_l
        upperarm_correctiveRoot_l > upperarm_bck_l
        lowerarm_l
          lowerarm_twist_02_l
          lowerarm_twist_01_l
          hand_l
            wrist_inner_l
            index_metacarpal_l > index_01_l > index_02_l > index_03_l
            middle_metacarpal_l > middle_01_l > middle_02_l > middle_03_l
            ring_metacarpal_l > ring_01_l > ring_02_l > ring_03_l
            pinky_metacarpal_l > pinky_01_l > pinky_02_l > pinky_03_l
            thumb_01_l > thumb_02_l > thumb_03_l
      neck_01 > neck_02 > head
    thigh_l
      thigh_twist_01_l
      calf_l
        calf_twist_01_l
        foot_l > ball_l
  ik_foot_root
    ik_foot_l
  ik_hand_root > ik_hand_gun
    ik_hand_l",
        &right,
    );
    let cast = "\
        pelvis, spine_01, spine_03, spine_05, neck_01, head, clavicle_l, upperarm_l, lowerarm_l, hand_l, \
        middle_01_l, thumb_01_l, thigh_l, calf_l, foot_l, ball_l";
    check_rig(&outline(&text), "", cast, &right);
}

#[test]
fn vroid() {
    let right = [("_L_", "_R_")];
    let text = both_sides(
        "\
Root
  J_Bip_C_Hips
    J_Bip_C_Spine > J_Bip_C_Chest
      J_Sec_L_Bust1 > J_Sec_L_Bust2
      J_Bip_C_UpperChest
        J_Bip_C_Neck > J_Bip_C_Head
          J_Adj_C_FaceEyeSet
          J_Sec_Hair1_01 > J_Sec_Hair2_01 > J_Sec_Hair3_01
        J_Bip_L_Shoulder > J_Bip_L_UpperArm > J_Bip_L_LowerArm > J_Bip_L_Hand
          J_Bip_L_Index1 > J_Bip_L_Index2 > J_Bip_L_Index3
          J_Bip_L_Middle1 > J_Bip_L_Middle2 > J_Bip_L_Middle3
          J_Bip_L_Thumb1 > J_Bip_L_Thumb2 > J_Bip_L_Thumb3
    J_Bip_L_UpperLeg
      J_Sec_L_SkirtFront1_01 > J_Sec_L_SkirtFront2_01
      J_Bip_L_LowerLeg > J_Bip_L_Foot > J_Bip_L_ToeBase",
        &right,
    );
    let cast = "\
        C_Hips, C_Spine, C_Chest, C_UpperChest, C_Neck, C_Head, L_Shoulder, L_UpperArm, L_LowerArm, L_Hand, \
        L_Middle1, L_Thumb1, L_UpperLeg, L_LowerLeg, L_Foot, L_ToeBase";
    check_rig(&outline(&text), "J_Bip_", cast, &right);
}

#[test]
fn vrm_humanoid_names() {
    let right = [("left", "right")];
    let text = both_sides(
        "\
hips
  spine > chest > upperChest
    neck > head > jaw
    leftShoulder > leftUpperArm > leftLowerArm > leftHand
      leftThumbMetacarpal > leftThumbProximal > leftThumbDistal
      leftIndexProximal > leftIndexIntermediate > leftIndexDistal
      leftMiddleProximal > leftMiddleIntermediate > leftMiddleDistal
  leftUpperLeg > leftLowerLeg > leftFoot > leftToes",
        &right,
    );
    let cast = "\
        hips, spine, chest, upperChest, neck, head, leftShoulder, leftUpperArm, leftLowerArm, leftHand, \
        leftMiddleProximal, leftThumbMetacarpal, leftUpperLeg, leftLowerLeg, leftFoot, leftToes";
    check_rig(&outline(&text), "", cast, &right);
}

#[test]
fn rigify() {
    let right = [(".L", ".R")];
    let text = both_sides(
        "\
root
  MCH-torso.parent
    ORG-spine > ORG-spine.001 > ORG-spine.002 > ORG-spine.003 > ORG-spine.004 > ORG-spine.005 > ORG-spine.006
    ORG-thigh.L > ORG-shin.L > ORG-foot.L > ORG-toe.L
    MCH-upper_arm_parent.L > ORG-upper_arm.L > ORG-forearm.L > ORG-hand.L
    upper_arm_ik.L > hand_ik.L
    upper_arm_fk.L > forearm_fk.L > hand_fk.L
  DEF-spine
    DEF-pelvis.L
    DEF-thigh.L > DEF-thigh.L.001 > DEF-shin.L > DEF-shin.L.001 > DEF-foot.L > DEF-toe.L
    DEF-spine.001 > DEF-spine.002 > DEF-spine.003
      DEF-breast.L
      DEF-shoulder.L > DEF-upper_arm.L > DEF-upper_arm.L.001 > DEF-forearm.L > DEF-forearm.L.001 > DEF-hand.L
        DEF-palm.01.L > DEF-f_index.01.L > DEF-f_index.02.L > DEF-f_index.03.L
        DEF-thumb.01.L > DEF-thumb.02.L > DEF-thumb.03.L
        DEF-palm.02.L > DEF-f_middle.01.L > DEF-f_middle.02.L > DEF-f_middle.03.L
      DEF-spine.004 > DEF-spine.005 > DEF-spine.006",
        &right,
    );
    let cast = "\
        spine, spine.001, spine.002, spine.003, spine.004, spine.006, shoulder.L, upper_arm.L, forearm.L, \
        hand.L, f_middle.01.L, thumb.01.L, thigh.L, shin.L, foot.L, toe.L";
    check_rig(&outline(&text), "DEF-", cast, &right);
}

#[test]
fn makehuman() {
    let right = [(".L", ".R")];
    let text = both_sides(
        "\
root
  pelvis.L > upperleg01.L > upperleg02.L > lowerleg01.L > lowerleg02.L > foot.L
    toe1-1.L > toe1-2.L
    toe2-1.L > toe2-2.L > toe2-3.L
    toe3-1.L > toe3-2.L > toe3-3.L
  spine05 > spine04 > spine03 > spine02
    breast.L
    spine01
      clavicle.L > shoulder01.L > upperarm01.L > upperarm02.L > lowerarm01.L > lowerarm02.L > wrist.L
        finger1-1.L > finger1-2.L > finger1-3.L
        metacarpal1.L > finger2-1.L > finger2-2.L > finger2-3.L
        metacarpal2.L > finger3-1.L > finger3-2.L > finger3-3.L
        metacarpal3.L > finger4-1.L > finger4-2.L > finger4-3.L
        metacarpal4.L > finger5-1.L > finger5-2.L > finger5-3.L
      neck01 > neck02 > neck03 > head
        jaw > special04
        eye.L",
        &right,
    );
    let cast = "\
        root, spine05, spine03, spine01, neck01, head, clavicle.L, upperarm01.L, lowerarm01.L, wrist.L, \
        finger3-1.L, finger1-1.L, upperleg01.L, lowerleg01.L, foot.L, toe1-1.L";
    check_rig(&outline(&text), "", cast, &right);
}

#[test]
fn biped() {
    let right = [(" L ", " R ")];
    let text = both_sides(
        "\
Bip01
  Bip01 Footsteps
  Bip01 Pelvis > Bip01 Spine
    Bip01 L Thigh > Bip01 L Calf > Bip01 L Foot > Bip01 L Toe0 > Bip01 L Toe0Nub
    Bip01 Spine1 > Bip01 Spine2 > Bip01 Neck
      Bip01 Head > Bip01 HeadNub
      Bip01 L Clavicle > Bip01 L UpperArm > Bip01 L Forearm
        Bip01 L ForeTwist > Bip01 L ForeTwist1
        Bip01 L Hand
          Bip01 L Finger0 > Bip01 L Finger01 > Bip01 L Finger02 > Bip01 L Finger0Nub
          Bip01 L Finger1 > Bip01 L Finger11 > Bip01 L Finger12 > Bip01 L Finger1Nub
          Bip01 L Finger2 > Bip01 L Finger21 > Bip01 L Finger22 > Bip01 L Finger2Nub
          Bip01 L Finger3 > Bip01 L Finger31 > Bip01 L Finger32 > Bip01 L Finger3Nub
          Bip01 L Finger4 > Bip01 L Finger41 > Bip01 L Finger42 > Bip01 L Finger4Nub",
        &right,
    );
    let cast = "\
        Pelvis, Spine, Spine1, Spine2, Neck, Head, L Clavicle, L UpperArm, L Forearm, L Hand, L Finger2, \
        L Finger0, L Thigh, L Calf, L Foot, L Toe0";
    check_rig(&outline(&text), "Bip01 ", cast, &right);
}

#[test]
fn daz() {
    let right: Vec<(String, String)> =
        "Thigh Shin Foot Meta Toe Heel Big Collar Shldr Forearm Hand Thumb Carpal Index Mid Ring Pec Eye"
            .split(' ')
            .map(|word| (format!("l{word}"), format!("r{word}")))
            .collect();
    let right: Vec<(&str, &str)> = right.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    let text = both_sides(
        "\
hip
  pelvis
    lThighBend > lThighTwist > lShin > lFoot
      lMetatarsals > lToe > lBigToe > lBigToe_2
      lHeel
  abdomenLower > abdomenUpper > chestLower
    lPectoral
    chestUpper
      lCollar > lShldrBend > lShldrTwist > lForearmBend > lForearmTwist > lHand
        lThumb1 > lThumb2 > lThumb3
        lCarpal1 > lIndex1 > lIndex2 > lIndex3
        lCarpal2 > lMid1 > lMid2 > lMid3
        lCarpal3 > lRing1 > lRing2 > lRing3
      neckLower > neckUpper > head
        lEye",
        &right,
    );
    let cast = "\
        hip, abdomenLower, chestLower, chestUpper, neckLower, head, lCollar, lShldrBend, lForearmBend, \
        lHand, lMid1, lThumb1, lThighBend, lShin, lFoot, lToe";
    check_rig(&outline(&text), "", cast, &right);
}

#[test]
fn smpl_which_names_joints_and_not_bones() {
    let right = [("L_", "R_")];
    let text = both_sides(
        "\
Pelvis
  L_Hip > L_Knee > L_Ankle > L_Foot
  Spine1 > Spine2 > Spine3
    Neck > Head
    L_Collar > L_Shoulder > L_Elbow > L_Wrist > L_Hand",
        &right,
    );
    let cast = "\
        Pelvis, Spine1, Spine2, Spine3, Neck, Head, L_Collar, L_Shoulder, L_Elbow, L_Wrist, -, -, L_Hip, \
        L_Knee, L_Ankle, L_Foot";
    check_rig(&outline(&text), "", cast, &right);
}

#[test]
fn character_creator() {
    let right = [("_L_", "_R_")];
    let text = both_sides(
        "\
CC_Base_BoneRoot > CC_Base_Hip
  CC_Base_Pelvis
    CC_Base_L_Thigh
      CC_Base_L_ThighTwist01 > CC_Base_L_ThighTwist02
      CC_Base_L_Calf
        CC_Base_L_Foot > CC_Base_L_ToeBase > CC_Base_L_BigToe1
        CC_Base_L_KneeShareBone
  CC_Base_Waist > CC_Base_Spine01 > CC_Base_Spine02
    CC_Base_NeckTwist01 > CC_Base_NeckTwist02 > CC_Base_Head
    CC_Base_L_Clavicle > CC_Base_L_Upperarm
      CC_Base_L_UpperarmTwist01
      CC_Base_L_Forearm > CC_Base_L_Hand
        CC_Base_L_Mid1 > CC_Base_L_Mid2
        CC_Base_L_Thumb1 > CC_Base_L_Thumb2",
        &right,
    );
    let cast = "\
        Hip, Waist, Spine01, Spine02, NeckTwist01, Head, L_Clavicle, L_Upperarm, L_Forearm, L_Hand, L_Mid1, \
        L_Thumb1, L_Thigh, L_Calf, L_Foot, L_ToeBase";
    check_rig(&outline(&text), "CC_Base_", cast, &right);
}

#[test]
fn a_bull_is_no_human() {
    let bull = outline(
        "\
Body
  Back
    Torso > Torso2 > Torso3
      Neck1 > Neck2 > Neck3 > Head
      FrontShoulder.L > FrontUpperLeg.L > FrontLowerLeg.L
      FrontShoulder.R > FrontUpperLeg.R > FrontLowerLeg.R
    BackShoulder.L > BackLeg.L > BackUpperLeg.L > BackLowerLeg.L
    BackShoulder.R > BackLeg.R > BackUpperLeg.R > BackLowerLeg.R
    Tail1 > Tail2 > Tail3
  PoleTargetBack.L
IKBackLeg.L > FFB.L",
    );
    let found = Roles::find(&bull);
    assert_eq!(found.roles.iter().count(), 0);
    assert!(found.warnings[0].contains("four legs"), "{:?}", found.warnings);
}
