use super::*;
use crate::test_body;
use fusiform::{Joint, Pose, Transform};
use glam::{Affine3A, EulerRot};

/// A motion of the test body: hips wander and turn, trunk, arms and legs bend.
fn motion(skeleton: &Skeleton) -> Clip {
    let roles = Roles::find(skeleton).roles;
    let times: Vec<f32> = (0..31).map(|frame| frame as f32 / 30.0).collect();
    let mut channels = Vec::new();
    let driven = [Role::Spine, Role::Chest, Role::Head, Role::UpperArm, Role::LowerArm, Role::UpperLeg, Role::LowerLeg];
    for (i, role) in [Role::Hips].into_iter().chain(driven).enumerate() {
        for side in Side::BOTH {
            let Some(joint) = roles.get(role, side) else { continue };
            let rest = skeleton.joints[joint].rest.rotation;
            let angle = |time: f32| 0.6 * (3.0 * time + i as f32).sin() - 0.6 * (i as f32).sin();
            let values = times.iter().map(|&time| rest * Quat::from_rotation_x(angle(time))).collect();
            let track = Track { times: times.clone(), values, interpolation: Interpolation::Linear };
            channels.push(Channel { joint, keys: Keys::Rotation(track) });
        }
    }
    let hips = roles.get(Role::Hips, Side::Left).unwrap();
    let at = skeleton.joints[hips].rest.translation;
    let values = times.iter().map(|&time| at + Vec3::new(0.3, 0.0, 1.0) * time).collect();
    let track = Track { times, values, interpolation: Interpolation::Linear };
    channels.push(Channel { joint: hips, keys: Keys::Translation(track) });
    Clip { name: "motion".into(), channels }
}

/// The skeleton under a root that turns, scales and moves all of it; joint indices go up by one.
fn under_root(skeleton: &Skeleton, root: Transform) -> Skeleton {
    let mut joints = vec![Joint { name: "world".into(), parent: None, rest: root, bind: root.matrix() }];
    for joint in &skeleton.joints {
        let parent = Some(joint.parent.map_or(0, |parent| parent + 1));
        joints.push(Joint { parent, bind: root.matrix() * joint.bind, ..joint.clone() });
    }
    Skeleton { joints }
}

fn shifted(clip: &Clip) -> Clip {
    let channels = clip.channels.iter().map(|it| Channel { joint: it.joint + 1, keys: it.keys.clone() }).collect();
    Clip { name: clip.name.clone(), channels }
}

fn places(skeleton: &Skeleton, clip: &Clip, time: f32) -> Vec<Vec3> {
    let mut pose = Pose::rest(skeleton);
    clip.sample(time, &mut pose);
    pose.model_matrices(skeleton).iter().map(|model| model.translation.into()).collect()
}

/// Largest distance of a joint of the two clips at the same time.
fn apart(skeleton: &Skeleton, a: &Clip, b: &Clip) -> f32 {
    let at = |time: f32| {
        let pairs = places(skeleton, a, time).into_iter().zip(places(skeleton, b, time));
        pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
    };
    (0..31).map(|frame| at(frame as f32 / 30.0)).fold(0.0, f32::max)
}

#[test]
fn up_facing_units_and_place_of_the_source_do_not_matter() {
    let skeleton = test_body::skeleton();
    let clip = motion(&skeleton);
    let target = Rig::by_names(&skeleton);
    let plain = retarget(&target, &clip, &target, None).unwrap();
    assert!((plain.scale - 1.0).abs() < 1e-5);
    let z_up = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let turned = Quat::from_rotation_y(2.3);
    for (rotation, scale) in [(z_up, 1.0), (turned, 100.0), (z_up * turned, 39.37), (Quat::IDENTITY, 0.01)] {
        let root = Transform { translation: Vec3::new(3.0, -2.0, 5.0) * scale, rotation, scale: Vec3::splat(scale) };
        let source = under_root(&skeleton, root);
        let again = retarget(&Rig::by_names(&source), &shifted(&clip), &target, None).unwrap();
        assert!((again.scale * scale - 1.0).abs() < 1e-3, "{} for {scale}", again.scale);
        let apart = apart(&skeleton, &plain.clip, &again.clip);
        assert!(apart < 2e-3, "{apart} m for {rotation}, {scale}");
    }
}

#[test]
fn a_body_on_itself_moves_its_limbs_as_before() {
    let skeleton = test_body::skeleton();
    let clip = motion(&skeleton);
    let rig = Rig::by_names(&skeleton);
    let again = retarget(&rig, &clip, &rig, None).unwrap();
    let hips = rig.roles.get(Role::Hips, Side::Left).unwrap();
    for time in [0.0, 0.3, 0.7, 1.0] {
        let (a, b) = (places(&skeleton, &clip, time), places(&skeleton, &again.clip, time));
        for (joint, (a_at, b_at)) in a.iter().zip(&b).enumerate() {
            let off = (*a_at - a[hips]).distance(*b_at - b[hips]);
            assert!(off < 1e-4, "{} is {off} m off", skeleton.joints[joint].name);
        }
    }
}

/// The body in another rest pose: these roles turned by so much about model axes, everything beyond going with them.
fn rested(skeleton: &Skeleton, turned: &[(Role, Side, Quat)]) -> Skeleton {
    let roles = Roles::find(skeleton).roles;
    let mut pose = Pose::rest(skeleton);
    for &(role, side, turn) in turned {
        let joint = roles.get(role, side).unwrap();
        let above = skeleton.joints[joint]
            .parent
            .map_or(Quat::IDENTITY, |parent| pose.model_matrices(skeleton)[parent].to_scale_rotation_translation().1);
        pose.local[joint].rotation = above.inverse() * turn * above * pose.local[joint].rotation;
    }
    let binds = pose.model_matrices(skeleton);
    let joint = |(i, it): (usize, &Joint)| Joint { rest: pose.local[i], bind: binds[i], ..it.clone() };
    Skeleton { joints: skeleton.joints.iter().enumerate().map(joint).collect() }
}

#[test]
fn a_t_pose_drives_an_a_pose_to_the_same_directions() {
    let skeleton = test_body::skeleton();
    let raise = |side: Side| Quat::from_rotation_z(0.8 * side.sign());
    let t_pose = rested(&skeleton, &Side::BOTH.map(|side| (Role::UpperArm, side, raise(side))));
    let clip = motion(&t_pose);
    let (source, target) = (Rig::by_names(&t_pose), Rig::by_names(&skeleton));
    let out = retarget(&source, &clip, &target, None).unwrap().clip;
    for time in [0.0, 0.25, 0.5, 1.0] {
        let (a, b) = (places(&t_pose, &clip, time), places(&skeleton, &out, time));
        for (from, to) in
            [(Role::UpperArm, Role::LowerArm), (Role::LowerArm, Role::Hand), (Role::UpperLeg, Role::LowerLeg)]
        {
            for side in Side::BOTH {
                let (from, to) = (source.roles.get(from, side).unwrap(), source.roles.get(to, side).unwrap());
                let angle = (a[to] - a[from]).angle_between(b[to] - b[from]).to_degrees();
                assert!(angle < 0.1, "{} is {angle} degrees off at {time} s", skeleton.joints[from].name);
            }
        }
    }
}

#[test]
fn the_whole_bend_of_a_trunk_arrives_however_many_joints_it_has() {
    let rows = |spine: usize| {
        let mut joints = vec![("hips".to_owned(), None, Vec3::Y)];
        for i in 0..spine {
            joints.push((format!("spine{i}"), Some(i), Vec3::Y * (0.5 / spine as f32)));
        }
        for (side, x) in [("l", 0.1), ("r", -0.1)] {
            let first = joints.len();
            joints.push((format!("upper_arm.{side}"), Some(spine), Vec3::new(2.0 * x, 0.1, 0.0)));
            joints.push((format!("lower_arm.{side}"), Some(first), Vec3::X * 3.0 * x));
            joints.push((format!("upper_leg.{side}"), Some(0), Vec3::X * x));
            joints.push((format!("lower_leg.{side}"), Some(first + 2), Vec3::Y * -0.5));
            joints.push((format!("foot.{side}"), Some(first + 3), Vec3::Y * -0.5));
        }
        let rows: Vec<_> =
            joints.iter().map(|(name, parent, at)| (name.as_str(), *parent, Transform::at(*at))).collect();
        Skeleton::from_rest(&rows)
    };
    let source = rows(3);
    let bend = Quat::from_rotation_x(0.3);
    let track = Track { times: vec![0.0, 1.0], values: vec![bend, bend], interpolation: Interpolation::Linear };
    let channels = (1..4).map(|joint| Channel { joint, keys: Keys::Rotation(track.clone()) }).collect();
    let clip = Clip { name: "bow".into(), channels };
    for spine in [1, 2, 3, 5] {
        let target = rows(spine);
        let out = retarget(&Rig::by_names(&source), &clip, &Rig::by_names(&target), None).unwrap().clip;
        let mut pose = Pose::rest(&target);
        out.sample(0.5, &mut pose);
        let top = pose.model_matrices(&target)[spine].to_scale_rotation_translation().1;
        assert!(top.angle_between(Quat::from_rotation_x(0.9)) < 1e-3, "{spine} joints");
        let steps: Vec<f32> = (1..=spine).map(|joint| pose.local[joint].rotation.to_axis_angle().1).collect();
        assert!(steps.iter().all(|&step| step > 0.9 / spine as f32 * 0.2), "every joint takes its part: {steps:?}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let skeleton = test_body::skeleton();
    let clip = motion(&skeleton);
    let full = Rig::by_names(&skeleton);
    let mut bare = Roles::default();
    for (role, side, joint) in full.roles.iter().filter(|(role, _, _)| *role != Role::LowerArm) {
        bare.set(role, side.unwrap_or(Side::Left), joint);
    }
    let bare = Rig { skeleton: &skeleton, roles: bare };
    let lines = retarget(&bare, &clip, &full, None).unwrap().warnings.join("\n");
    assert!(lines.contains("source has no joint for lower_arm.l, lower_arm.r"), "{lines}");
    let lines = retarget(&full, &clip, &bare, None).unwrap().warnings.join("\n");
    assert!(lines.contains("target has no joint for lower_arm.l, lower_arm.r"), "{lines}");
    assert!(lines.contains("stay at rest"), "{lines}");
}

#[test]
fn what_cannot_be_retargeted_is_refused_with_a_cure() {
    let skeleton = test_body::skeleton();
    let clip = motion(&skeleton);
    let rig = Rig::by_names(&skeleton);
    let refused = |source: &Rig, clip: &Clip, target: &Rig, fps| {
        let error = retarget(source, clip, target, fps).unwrap_err();
        assert!(error.cure().len() > 10, "{error} has no cure");
        error
    };
    let nobody = Rig { skeleton: &skeleton, roles: Roles::default() };
    let error = refused(&rig, &clip, &nobody, None);
    assert_eq!(error, RetargetError::NoRole { which: "target", role: Role::Hips, side: "" });
    let mut beyond = rig.clone();
    beyond.roles.set(Role::Toes, Side::Left, 999);
    assert!(matches!(refused(&beyond, &clip, &rig, None), RetargetError::NoSuchJoint { joint: 999, .. }));
    let empty = Clip { name: "empty".into(), channels: Vec::new() };
    assert!(matches!(refused(&rig, &empty, &rig, None), RetargetError::NoKeys { .. }));
    for fps in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(refused(&rig, &clip, &rig, Some(fps)), RetargetError::Rate { .. }));
    }
    let mut gap = clip.clone();
    let Some(Keys::Translation(track)) = gap.channels.last_mut().map(|channel| &mut channel.keys) else { panic!() };
    track.values[3].x = f32::NAN;
    assert!(matches!(refused(&rig, &gap, &rig, None), RetargetError::NotFinite { .. }));
    let flat = Skeleton {
        joints: skeleton.joints.iter().map(|joint| Joint { rest: Transform::IDENTITY, ..joint.clone() }).collect(),
    };
    assert!(matches!(refused(&rig, &clip, &Rig::by_names(&flat), None), RetargetError::Flat { which: "target", .. }));
    let mut unturned = skeleton.clone();
    unturned.joints[1].rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert!(matches!(
        refused(&Rig::by_names(&unturned), &clip, &rig, None),
        RetargetError::Flat { which: "source", .. }
    ));
    let nothing = Transform { scale: Vec3::ZERO, ..Transform::IDENTITY };
    let squashed = under_root(&skeleton, nothing);
    assert!(matches!(refused(&rig, &clip, &Rig::by_names(&squashed), None), RetargetError::Flat { .. }));
    let mut turned = skeleton.clone();
    turned.joints[0].parent = Some(3);
    assert!(matches!(refused(&Rig::by_names(&turned), &clip, &rig, None), RetargetError::ParentOrder { .. }));
}

#[test]
fn the_wished_rate_is_kept_and_a_fast_capture_is_thinned() {
    let skeleton = test_body::skeleton();
    let mut clip = motion(&skeleton);
    let rig = Rig::by_names(&skeleton);
    let keys = |clip: &Clip, fps| retarget(&rig, clip, &rig, fps).unwrap().clip.channels[0].keys.times().len();
    assert_eq!([keys(&clip, None), keys(&clip, Some(24.0)), keys(&clip, Some(120.0))], [31, 25, 121]);
    for channel in &mut clip.channels {
        let (Keys::Translation(Track { times, .. })
        | Keys::Scale(Track { times, .. })
        | Keys::Rotation(Track { times, .. })) = &mut channel.keys;
        times.iter_mut().for_each(|time| *time *= 0.25);
    }
    assert_eq!(keys(&clip, None), 16, "a quarter second at 60, not at 120");
}

#[test]
fn a_tilted_floor_is_levelled_and_a_hill_is_not() {
    let walk =
        |slope: f32| -> Vec<Vec3> { (0..200).map(|i| i as f32 * 0.02).map(|z| Vec3::new(0.0, slope * z, z)).collect() };
    let tilted = walk(0.015);
    let ground = ground::Ground::under(&tilted, 0.85);
    assert!(tilted.iter().all(|&sole| ground.height_of(sole).abs() < 0.01));
    let hill = walk(0.3);
    let ground = ground::Ground::under(&hill, 0.85);
    assert!((ground.height_of(hill[199]) - ground.height_of(hill[0]) - 0.3 * 3.98).abs() < 1e-3);
}

#[test]
fn joints_that_look_elsewhere_change_nothing() {
    let skeleton = test_body::skeleton();
    let clip = motion(&skeleton);
    let mut other = Skeleton::default();
    for (i, joint) in skeleton.joints.iter().enumerate() {
        let x = i as f32;
        let bind = joint.bind * Affine3A::from_quat(Quat::from_euler(EulerRot::XYZ, 5.0 * x, 1.0 - 3.0 * x, 2.0 * x));
        let above = joint.parent.map_or(Affine3A::IDENTITY, |parent| other.joints[parent].bind);
        let (scale, rotation, translation) = (above.inverse() * bind).to_scale_rotation_translation();
        other.joints.push(Joint { rest: Transform { translation, rotation, scale }, bind, ..joint.clone() });
    }
    let rig = Rig::by_names(&skeleton);
    let same = retarget(&rig, &clip, &rig, None).unwrap().clip;
    let turned = retarget(&rig, &clip, &Rig::by_names(&other), None).unwrap().clip;
    for time in [0.0, 0.4, 0.9] {
        let pairs = places(&skeleton, &same, time).into_iter().zip(places(&other, &turned, time));
        assert!(pairs.into_iter().all(|(a, b)| a.distance(b) < 1e-4));
    }
}
