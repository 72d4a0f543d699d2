//! Mirroring: what is done to bones and drivers of one side is done to the other.

use crate::arm;
use crate::inspecting::{Tall, tall};
use crate::placing::with;
use crate::window::studio_mut;
use egui_kittest::kittest::Queryable;
use fusiform::body::rest_bellies;
use fusiform::musculature::{Attachment, Bone, BoneShape, Driver, Layer, Path, Signal, Spacing};
use fusiform::{Character, Mesh, Muscle, Musculature, Skeleton, SparseWeights, Transform};
use fusiform_studio::model::{
    Action, BONE_FIELDS, Brush, Carve, Carving, DIALS, Edit, Grip, Look, Part, Placing, Project, Studio, belly,
    bone_from_metres, bone_in_metres,
};
use glam::{Quat, Vec3};

/// Two arms whose joints do not stand alike, a muscle and two bones on either.
fn two_arms() -> Studio {
    let arm = |side: f32, turn: Quat| Transform {
        translation: Vec3::new(0.2 * side, 1.4, 0.0),
        rotation: turn,
        ..Transform::IDENTITY
    };
    let skeleton = Skeleton::from_rest(&[
        ("spine", None, Transform::IDENTITY),
        ("arm.l", Some(0), arm(1.0, Quat::from_rotation_z(-1.3))),
        ("arm.r", Some(0), arm(-1.0, Quat::from_rotation_x(0.7))),
    ]);
    let positions = vec![Vec3::ZERO, Vec3::Y * 1.5, Vec3::X * 0.6 + Vec3::Y * 1.4, Vec3::Y * 1.4 - Vec3::X * 0.6];
    let mut mesh = Mesh { name: "skin".into(), positions, triangles: vec![[0, 2, 1], [0, 1, 3]], ..Mesh::default() };
    let mut weights = SparseWeights::default();
    for joint in [0, 0, 1, 2] {
        mesh.weights.push_vertex([(joint, 1.0)]);
        weights.push_vertex([(joint.clamp(1, 2) - 1, 0.5)]);
    }
    let muscle = |side: &str| Muscle {
        name: format!("biceps.{side}"),
        origin: Attachment { joint: "spine".into(), point: Vec3::Y * 1.3 },
        insertion: Attachment { joint: format!("arm.{side}"), point: Vec3::Y * 0.3 },
        ..Muscle::default()
    };
    let bone = |name: &str, side: &str, shape: BoneShape| Bone {
        name: format!("{name}.{side}"),
        joint: format!("arm.{side}"),
        shape,
    };
    let shaft = BoneShape::Capsule { from: Vec3::ZERO, to: Vec3::Y * 0.25, radii: [0.02; 2] };
    let knob = BoneShape::Ellipsoid { center: Vec3::Y * 0.25, turn: Quat::IDENTITY, half_axes: Vec3::splat(0.03) };
    let bones = ["l", "r"].map(|side| [bone("shaft", side, shaft.clone()), bone("knob", side, knob.clone())]);
    let musculature = Musculature {
        muscles: vec![muscle("l"), muscle("r")],
        layers: vec![Layer::blend()],
        weights: vec![weights],
        bones: bones.concat(),
        ..Musculature::default()
    };
    let character = Character { name: "arms".into(), skeleton, meshes: vec![mesh], clips: Vec::new() };
    let (project, musculature) = Project::from_bytes("arms.glb", &arm::written(&(character, musculature))).unwrap();
    let mut studio = Studio::new(project, musculature, None).unwrap();
    studio.apply(Look::Mirrored(true));
    studio
}

fn bone<'a>(studio: &'a Studio, name: &str) -> (usize, &'a Bone) {
    studio.document().musculature.bones.iter().enumerate().find(|(_, bone)| bone.name == name).unwrap()
}

/// Where a point of a bone is in the body.
fn in_model(studio: &Studio, bone: &Bone, point: Vec3) -> Vec3 {
    let skeleton = &studio.project.character.skeleton;
    skeleton.joints[skeleton.find(&bone.joint).unwrap()].bind.transform_point3(point)
}

/// Change the shaft or the knob of one side.
fn reshape(studio: &mut Studio, name: &str, change: impl FnOnce(&mut BoneShape)) {
    let (i, mut bone) = { (bone(studio, name).0, bone(studio, name).1.clone()) };
    change(&mut bone.shape);
    studio.apply(Edit::Part(Part::Bone(i, bone)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
}

#[test]
fn a_bone_that_is_moved_or_thickened_takes_its_twin_with_it() {
    let mut studio = two_arms();
    reshape(&mut studio, "shaft.l", |shape| {
        if let BoneShape::Capsule { to, .. } = shape {
            *to = Vec3::new(0.03, 0.2, -0.05);
        }
    });
    let end = |name: &str| match bone(&studio, name) {
        (_, bone @ Bone { shape: BoneShape::Capsule { from, to, .. }, .. }) => {
            [*from, *to].map(|point| in_model(&studio, bone, point))
        }
        _ => panic!("{name} is a capsule"),
    };
    let ([left_from, left_to], [right_from, right_to]) = (end("shaft.l"), end("shaft.r"));
    assert!(left_to.distance(right_to * Vec3::new(-1.0, 1.0, 1.0)) < 1e-6, "{left_to} {right_to}");
    assert!(left_from.distance(right_from * Vec3::new(-1.0, 1.0, 1.0)) < 1e-6, "what did not move is where it was");
    reshape(&mut studio, "knob.r", |shape| {
        if let BoneShape::Ellipsoid { half_axes, .. } = shape {
            half_axes.z = 0.05;
        }
    });
    let BoneShape::Ellipsoid { half_axes, center, .. } = bone(&studio, "knob.l").1.shape else { panic!() };
    assert_eq!((half_axes, center), (Vec3::new(0.03, 0.03, 0.05), Vec3::Y * 0.25));
    studio.apply(Look::Mirrored(false));
    let before = bone(&studio, "shaft.r").1.clone();
    reshape(&mut studio, "shaft.l", |shape| {
        if let BoneShape::Capsule { radii, .. } = shape {
            radii[0] = 0.03;
        }
    });
    assert_eq!(bone(&studio, "shaft.r").1, &before);
}

#[test]
fn a_bone_that_is_turned_by_its_dials_turns_its_twin_as_a_mirror_shows_it() {
    let mut studio = two_arms();
    reshape(&mut studio, "knob.l", |shape| {
        if let BoneShape::Ellipsoid { half_axes, .. } = shape {
            *half_axes = Vec3::new(0.03, 0.02, 0.01);
        }
    });
    let axes = |studio: &Studio, name: &str| {
        let bone = bone(studio, name).1;
        let BoneShape::Ellipsoid { turn, .. } = bone.shape else { panic!() };
        let way = |axis: Vec3| in_model(studio, bone, turn * axis) - in_model(studio, bone, Vec3::ZERO);
        [Vec3::X, Vec3::Y, Vec3::Z].map(way)
    };
    for (label, degrees) in [("Turn x", 40.0), ("Turn y", -25.0), ("Turn z", 130.0), ("Turn y", 70.0)] {
        let field = BONE_FIELDS.iter().find(|field| field.label == label).unwrap();
        let (i, mut turned) = (bone(&studio, "knob.l").0, bone(&studio, "knob.l").1.clone());
        field.turn(&mut turned, degrees);
        let shown = bone_in_metres(&studio.project.character.skeleton, bone(&studio, "knob.l").1);
        let now = bone_in_metres(&studio.project.character.skeleton, &turned);
        let kept = bone_from_metres(&studio.project.character.skeleton, bone(&studio, "knob.l").1, [shown, now]);
        studio.apply(Edit::Part(Part::Bone(i, kept)));
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        assert!((field.of(bone(&studio, "knob.l").1).unwrap() - degrees).abs() < 1e-3, "{label}");
        for (left, right) in axes(&studio, "knob.l").into_iter().zip(axes(&studio, "knob.r")) {
            let along = left.dot(right * Vec3::new(-1.0, 1.0, 1.0)).abs();
            assert!((along - 1.0).abs() < 1e-5, "{label} {degrees}: {left} {right}");
        }
    }
}

fn drivers(studio: &Studio) -> &[Driver] {
    &studio.document().musculature.activation.drivers
}

#[test]
fn a_driver_comes_with_one_for_the_other_side_which_listens_to_the_joint_there() {
    let mut studio = two_arms();
    let remap = vec![[0.0, 0.0], [0.3, 1.0]];
    let first = Driver { muscles: vec!["biceps.l".into()], signal: Signal::Shortening, remap };
    studio.apply(Edit::Part(Part::AddDriver(first.clone())));
    assert_eq!([&drivers(&studio)[0].muscles[0], &drivers(&studio)[1].muscles[0]], ["biceps.l", "biceps.r"]);
    let axis = Some(Vec3::X);
    let signal = Signal::JointAngle { joint: "arm.l".into(), axis };
    let bent = Driver { signal, remap: vec![[0.0, 0.0], [80.0, 0.7]], ..first.clone() };
    studio.apply(Edit::Part(Part::Driver(0, bent.clone())));
    let Signal::JointAngle { joint, axis: Some(turned) } = &drivers(&studio)[1].signal else { panic!() };
    assert_eq!((&**joint, &drivers(&studio)[1].remap), ("arm.r", &bent.remap));
    // both turns, seen from the front, go toward the middle of the body or away from it
    let skeleton = &studio.project.character.skeleton;
    let [left, right] = [1, 2].map(|joint| skeleton.joints[joint].bind);
    let (left, right) = (left.transform_vector3(Vec3::X), right.transform_vector3(*turned));
    assert!(left.distance(right * Vec3::new(1.0, -1.0, -1.0)) < 1e-6, "{left} {right}");
    // of two for the same muscles each has its own twin
    studio.apply(Edit::Part(Part::AddDriver(bent.clone())));
    let third = Driver { remap: vec![[0.0, 0.1], [80.0, 0.2]], ..bent };
    studio.apply(Edit::Part(Part::Driver(2, third.clone())));
    let lines = || drivers(&studio).iter().map(|driver| driver.remap[1][1]).collect::<Vec<_>>();
    assert_eq!(lines(), [0.7, 0.7, 0.2, 0.2]);
    studio.apply(Edit::Part(Part::RemoveDriver(1)));
    let lines = || drivers(&studio).iter().map(|driver| driver.remap[1][1]).collect::<Vec<_>>();
    assert_eq!(lines(), [0.2, 0.2]);
    // who drives both sides alike is nobody's twin
    let both = Driver { muscles: vec!["biceps.r".into(), "biceps.l".into()], ..first };
    studio.apply(Edit::Part(Part::AddDriver(both)));
    assert_eq!(drivers(&studio).len(), 3);
    studio.apply(Edit::Part(Part::RemoveDriver(2)));
    studio.apply(Look::Mirrored(false));
    studio.apply(Edit::Part(Part::RemoveDriver(0)));
    assert_eq!(drivers(&studio).len(), 1);
    while studio.history.undo_label().is_some() {
        studio.apply(Action::Undo);
    }
    assert!(drivers(&studio).is_empty());
}

fn dial(label: &str) -> usize {
    DIALS.iter().position(|dial| dial.label == label).unwrap()
}

#[test]
fn a_curve_is_bent_by_dials_as_in_a_mirror_however_the_joints_of_its_twin_stand() {
    let mut studio = two_arms();
    studio.apply(Look::Select(Some(0), false));
    for (k, label) in ["Offset across", "Offset up", "Offset along"].into_iter().enumerate() {
        studio.apply(Edit::Dial(dial(label), 0.02 + 0.01 * k as f32));
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        // what is mirrored is how they leave their chords, which do not lie alike
        let [left, right] = [0, 1].map(|m| bow(&studio, m));
        assert!(
            left.length() > 0.005 && left.distance(right * Vec3::new(-1.0, 1.0, 1.0)) < 1e-4,
            "{label}: {left} {right}"
        );
    }
}

/// How far the middle of a curve is off its chord, m, at bind.
fn bow(studio: &Studio, m: usize) -> Vec3 {
    let skeleton = &studio.project.character.skeleton;
    let Path::Bezier { offset, .. } = studio.muscles()[m].path else { panic!() };
    let [curved, straight] = [offset, Vec3::ZERO].map(|offset| {
        let path = Path::Bezier { offset, spacing: Spacing::Parameter, held: 0.0 };
        let muscle = Muscle { path, ..studio.muscles()[m].clone() };
        let rest = rest_bellies(skeleton, std::slice::from_ref(&muscle)).unwrap().remove(0);
        rest.rings[rest.rings.len() / 2].center
    });
    curved - straight
}

/// The arm with muscles whose names say no side.
fn nameless() -> Studio {
    with(|muscles| {
        muscles.muscles.iter_mut().zip(["Bone.012", "Bone.031"]).for_each(|(muscle, name)| muscle.name = name.into());
    })
}

#[test]
fn muscles_whose_names_say_no_side_are_mirrored_by_where_they_are() {
    let mut studio = nameless();
    studio.apply(Look::Mirrored(true));
    studio.apply(Look::Select(Some(1), false));
    studio.apply(Edit::Dial(0, 0.033));
    assert!(studio.muscles().iter().all(|muscle| DIALS[0].of(muscle) == Some(0.033)));
    studio.apply(Placing::Grip(1, Grip::Origin, Vec3::new(-0.03, 0.07, 0.0)));
    assert!(studio.muscles()[0].origin.point.distance(Vec3::new(0.03, 0.07, 0.0)) < 1e-6);
    studio.apply(Look::Brush(Brush { radius: 0.06, strength: 0.5, ..studio.brush }));
    let mut carving = Carving::begin(&studio, 1, Carve::Pull).unwrap();
    carving.dab(&studio, belly(&studio, 1).0[4 * 8]);
    studio.apply(carving.take().unwrap());
    assert!(studio.muscles().iter().all(|muscle| muscle.sculpt.is_some()));
    studio.apply(Edit::Delete);
    assert!(studio.muscles().is_empty());
}

#[test]
fn copies_of_muscles_whose_names_say_no_side_are_each_others_other_side() {
    let mut studio = nameless();
    studio.apply(Look::Mirrored(true));
    studio.apply(Look::Choose([0, 1].into()));
    studio.apply(Placing::Duplicate);
    assert_eq!(studio.muscles().len(), 4);
    studio.apply(Look::Select(Some(2), false));
    studio.apply(Edit::Dial(0, 0.037));
    let sizes: Vec<_> = studio.muscles().iter().map(|muscle| DIALS[0].of(muscle) == Some(0.037)).collect();
    assert_eq!(sizes, [false, false, true, true]);
}

#[test]
fn what_has_no_other_side_or_another_kind_of_it_is_told_beside_its_name() {
    let mut window = tall();
    *studio_mut(&mut window) = nameless();
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    let says = |window: &mut Tall, words: &str| {
        window.run_steps(2);
        window.query_by_label_contains(words).is_some()
    };
    assert!(!says(&mut window, "no other side") && !says(&mut window, "stay on this side"));
    let alone = |window: &mut Tall, action: Action| {
        let studio = studio_mut(window);
        studio.apply(Look::Mirrored(false));
        studio.apply(action);
        studio.apply(Look::Mirrored(true));
    };
    let rings = DIALS.iter().position(|dial| dial.label == "Rings").unwrap();
    alone(&mut window, Edit::Dial(rings, 5.0).into());
    assert!(says(&mut window, "Bone.031 has other rings or sectors"));
    alone(&mut window, Placing::Grip(0, Grip::Origin, Vec3::new(0.02, 0.2, 0.0)).into());
    assert!(says(&mut window, "no other side"));
    studio_mut(&mut window).apply(Look::Mirrored(false));
    assert!(!says(&mut window, "no other side"));
}
