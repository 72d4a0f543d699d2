use super::*;
use crate::test_body;

const FAT: f32 = 0.004;

/// How deep a point is in the closed-form skin, by looking around; to a millimetre, up to six centimetres.
fn depth(point: Vec3) -> f32 {
    let is_inside = test_body::inside(point);
    let ways = (0..27_i32)
        .filter(|&i| i != 13)
        .map(|i| Vec3::new((i % 3 - 1) as f32, (i / 3 % 3 - 1) as f32, (i / 9 - 1) as f32));
    let distance = |way: Vec3| {
        let leaves = |&mm: &u8| test_body::inside(point + way.normalize() * (1e-3 * f32::from(mm))) != is_inside;
        1e-3 * f32::from((1..60).find(leaves).unwrap_or(60))
    };
    let nearest = ways.map(distance).fold(f32::MAX, f32::min);
    if is_inside { nearest } else { -nearest }
}

fn placed(template: &Template) -> (Skeleton, Vec<Bone>) {
    let skeleton = test_body::skeleton();
    let roles = Roles::find(&skeleton).roles;
    let under = Under { hit: &test_body::skin, depth: &depth, fat: FAT };
    let (bones, left_out) = place_bones(template, &skeleton, &roles, under);
    assert_eq!(left_out, []);
    (skeleton, bones)
}

fn in_model(skeleton: &Skeleton, bone: &Bone) -> Vec<Vec3> {
    let bind = skeleton.joints[skeleton.find(&bone.joint).unwrap()].bind;
    bone.shape.surface().0.iter().map(|p| bind.transform_point3(*p)).collect()
}

#[test]
fn every_bone_lies_inside_and_under_no_more_than_its_fat() {
    let (skeleton, bones) = placed(&Template::humanoid());
    assert_eq!(bones.len(), 2 * Template::humanoid().bones.len());
    for bone in &bones {
        let depths: Vec<f32> = in_model(&skeleton, bone).into_iter().map(depth).collect();
        let least = depths.iter().copied().fold(f32::MAX, f32::min);
        // looking around in 26 ways sees the skin a little too far away
        assert!(least > 0.0 && least < 2.5 * FAT, "{} lies {least} under the skin", bone.name);
    }
}

#[test]
fn left_and_right_bones_are_mirror_images() {
    let (skeleton, bones) = placed(&Template::humanoid());
    for pair in bones.chunks(2) {
        assert_eq!(pair[0].name.replace(".l", ".r"), pair[1].name);
        let middle = |bone: &Bone| {
            let points = in_model(&skeleton, bone);
            points.iter().sum::<Vec3>() / points.len() as f32
        };
        let (left, right) = (middle(&pair[0]), middle(&pair[1]));
        let apart = left.distance(right * Vec3::new(-1.0, 1.0, 1.0));
        assert!(left.x > 0.0 && apart < 1e-3, "{}: {left} is no image of {right}", pair[0].name);
    }
}

#[test]
fn a_bone_whose_joint_is_missing_is_left_out_by_name() {
    let skeleton = test_body::skeleton();
    let mut roles = Roles::default();
    for (role, side, joint) in Roles::find(&skeleton).roles.iter() {
        if role != Role::LowerLeg {
            roles.set(role, side.unwrap_or(Side::Left), joint);
        }
    }
    let under = Under { hit: &test_body::skin, depth: &depth, fat: FAT };
    let (bones, left_out) = place_bones(&Template::humanoid(), &skeleton, &roles, under);
    assert!(left_out.iter().any(|out| out.muscle == "patella.l" && out.missing == Role::LowerLeg), "{left_out:?}");
    assert!(bones.iter().any(|bone| bone.name == "olecranon.r") && !bones.iter().any(|bone| bone.name == "tibia.l"));
}

#[test]
fn measuring_gives_back_bones_that_are_placed_where_they_were() {
    let template = Template::humanoid();
    let (skeleton, bones) = placed(&template);
    let roles = Roles::find(&skeleton).roles;
    let mut warnings = Vec::new();
    for like in [&template, &Template { bones: Vec::new(), ..template.clone() }] {
        let measured = crate::extract::measured_bones(&skeleton, &bones, &roles, &test_body::skin, like, &mut warnings);
        assert_eq!((measured.len(), &warnings), (template.bones.len(), &Vec::new()));
        let again = Template { bones: measured, ..template.clone() };
        again.check().unwrap();
        assert_eq!(Template::parse(&again.to_toml()).unwrap(), again);
        let (_, back) = placed(&again);
        for (was, is) in bones.iter().zip(&back) {
            let pairs = in_model(&skeleton, was).into_iter().zip(in_model(&skeleton, is));
            let off = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
            assert_eq!((&was.name, &was.joint), (&is.name, &is.joint));
            // the test's skin is known to a millimetre or two
            assert!(off < 0.006, "{} comes back {off} m off", was.name);
        }
    }
}
