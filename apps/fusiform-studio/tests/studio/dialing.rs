//! Dials: every number and choice of every kind of muscle, layer and driver has a row, and does what it says to both sides.

use crate::arm;
use crate::converting::sculpted;
use crate::placing::unlike;
use crate::window::rig;
use fusiform::body::{RestSection, rest_bellies};
use fusiform::musculature::{Contraction, Driver, Layer, PoseShape, Sculpt, Signal, Tissue};
use fusiform::{Muscle, Skeleton};
use fusiform_fit::Preset;
use fusiform_studio::model::{
    Action, BONE_FIELDS, CHOICES, Choice, DIALS, DRIVER_CHOICES, DRIVER_FIELDS, Document, Edit, Field, Gesture,
    LAYER_CHOICES, LAYER_FIELDS, Look, PHYSIQUE_FIELDS, Project, Studio,
};
use glam::{Quat, Vec3};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn leaves(value: &Value, path: &str, into: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(of) => of.iter().for_each(|(key, value)| leaves(value, &format!("{path}.{key}"), into)),
        Value::Array(of) => of.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}[{i}]"), into)),
        Value::Null => {}
        leaf => _ = into.insert(path.to_owned(), leaf.clone()),
    }
}

/// Every number and word of a thing, by where it is in it.
pub fn leaves_of<T: Serialize>(thing: &T) -> BTreeMap<String, Value> {
    let mut into = BTreeMap::new();
    leaves(&serde_json::to_value(thing).unwrap(), "", &mut into);
    into
}

/// Where an edited thing has another number, or another choice.
fn differ(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>, numbers: bool) -> Vec<String> {
    let differs = |(path, was): &(&String, &Value)| match after.get(*path) {
        Some(now) => now != *was && was.is_number() == numbers,
        None => !numbers && !was.is_number(),
    };
    before.iter().filter(differs).map(|(path, _)| path.clone()).collect()
}

/// What no field and no choice edits.
fn unedited<T: Clone + Serialize>(
    thing: &T,
    (fields, choices): (&[Field<T>], &[Choice<T>]),
    skeleton: &Skeleton,
) -> BTreeSet<String> {
    let before = leaves_of(thing);
    let mut left: BTreeSet<String> = before.keys().cloned().collect();
    let mut edits = |after: &T, numbers: bool| {
        let paths = differ(&before, &leaves_of(after), numbers);
        // four numbers are one rotation
        let rotations: Vec<String> = paths.iter().filter(|path| path.contains(".turns.")).cloned().collect();
        left.retain(|path| {
            !paths.contains(path) && !rotations.iter().any(|of| of[..of.len() - 3] == path[..path.len() - 3])
        });
    };
    for field in fields {
        for at in 0..field.count(thing) {
            for value in [field.low, field.default, 0.37 * field.low + 0.63 * field.high] {
                let mut after = thing.clone();
                field.turn_nth(&mut after, at, value);
                edits(&after, true);
            }
        }
    }
    for choice in choices {
        for option in 0..choice.options.len() {
            let mut after = thing.clone();
            choice.take(&mut after, option, skeleton);
            edits(&after, false);
        }
    }
    left
}

/// What is edited elsewhere: names and joints, the kind of a layer (another is added in its place), attachments and via points, sculpted factors, lists of names.
fn is_elsewhere(path: &str) -> bool {
    let elsewhere = [".kind", ".name", ".carrier", ".joint", ".signal.joint", ".shape.node"];
    let within = [".origin", ".insertion", ".path.via", ".path.origin", ".path.middle", ".path.insertion", ".sculpt"];
    elsewhere.contains(&path)
        || within.iter().any(|part| path.starts_with(part))
        || path.contains(".sculpt.factors")
        || path.starts_with(".muscles[")
        || path.starts_with(".bones[")
        || (path.contains(".shapes[") && path.ends_with("]") && path.contains(".sculpt"))
}

/// A thing, and what every choice makes of it.
fn kinds<T: Clone>(thing: &T, choices: &[Choice<T>], skeleton: &Skeleton) -> Vec<T> {
    let mut kinds = vec![thing.clone()];
    for choice in choices {
        for option in 0..choice.options.len() {
            let mut other = thing.clone();
            choice.take(&mut other, option, skeleton);
            kinds.push(other);
        }
    }
    kinds
}

fn all_edited<T: Clone + Serialize>(
    things: impl Iterator<Item = T>,
    fields: (&[Field<T>], &[Choice<T>]),
    skeleton: &Skeleton,
) -> BTreeSet<String> {
    things.flat_map(|thing| unedited(&thing, fields, skeleton)).filter(|path| !is_elsewhere(path)).collect()
}

/// The arm, without a window.
pub fn arm_studio() -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::glb()).expect("a sound file");
    Studio::new(project, muscles, None).expect("sound muscles")
}

fn walk(document: &Document, skeleton: &Skeleton, what: &str) {
    let of = &document.musculature;
    let muscles = of.muscles.iter().flat_map(|muscle| kinds(muscle, &CHOICES, skeleton));
    assert_eq!(all_edited(muscles, (&DIALS, &CHOICES), skeleton), BTreeSet::new(), "muscles of {what}");
    let layers = of.layers.iter().flat_map(|layer| kinds(layer, &LAYER_CHOICES, skeleton));
    assert_eq!(all_edited(layers, (&LAYER_FIELDS, &LAYER_CHOICES), skeleton), BTreeSet::new(), "layers of {what}");
    let drivers = of.activation.drivers.iter().flat_map(|driver| kinds(driver, DRIVER_CHOICES, skeleton));
    let left = all_edited(drivers, (DRIVER_FIELDS, DRIVER_CHOICES), skeleton);
    assert_eq!(left, BTreeSet::new(), "drivers of {what}");
    let left = all_edited(of.bones.iter().cloned(), (BONE_FIELDS, &[]), skeleton);
    assert_eq!(left.iter().filter(|path| *path != ".shape.kind").count(), 0, "bones of {what}: {left:?}");
    let physique = [of.physique].into_iter();
    assert_eq!(all_edited(physique, (PHYSIQUE_FIELDS, &[]), skeleton), BTreeSet::new(), "physique of {what}");
}

#[test]
fn every_number_and_choice_of_every_preset_has_a_row() {
    for preset in Preset::ALL {
        let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
        let mut studio = Studio::new(project, muscles, None).unwrap();
        rig(&mut studio, preset);
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let mut document = studio.document().clone();
        // one muscle of each kind, and those that carry anything special, say it all
        let mut seen = BTreeSet::new();
        document.musculature.muscles.retain(|muscle| seen.insert(leaves_of(muscle).into_keys().collect::<Vec<_>>()));
        assert!(!document.musculature.muscles.is_empty());
        walk(&document, &studio.project.character.skeleton, preset.name());
    }
}

#[test]
fn every_number_and_choice_of_every_kind_there_is_has_a_row() {
    let studio = arm_studio();
    let skeleton = &studio.project.character.skeleton;
    let mut document = studio.document().clone();
    let of = &mut document.musculature;
    of.muscles.truncate(1);
    // two choices at once: what a kind of path has besides a kind of profile, and so on
    of.muscles = kinds(&of.muscles[0], &CHOICES, skeleton);
    let shells = Layer::shells();
    let layers = [Layer::blend(), Layer::displace(), Layer::wrap(), Layer::slide(), Layer::tissue()];
    of.layers = kinds(&shells, &LAYER_CHOICES, skeleton).into_iter().chain(layers).collect();
    of.activation.drivers = serde_json::from_str(
        r#"[{"signal": {"kind": "shortening"}, "remap": [[0, 0], [0.2, 0.5], [0.3, 1]]},
            {"signal": {"kind": "joint_angle", "joint": "lower", "axis": [0, 0, 1]}, "remap": [[0, 0], [90, 1]]}]"#,
    )
    .unwrap();
    of.bones = serde_json::from_str(
        r#"[{"name": "a", "joint": "upper", "shape": {"kind": "capsule", "from": [0, 0, 0], "to": [0, 0.1, 0], "radii": [0.01, 0.02]}},
            {"name": "b", "joint": "upper", "shape": {"kind": "ellipsoid", "center": [0, 0, 0], "half_axes": [0.01, 0.02, 0.03]}}]"#,
    )
    .unwrap();
    walk(&document, skeleton, "the arm");
}

#[test]
fn a_new_muscle_has_the_defaults_and_dials_stay_within_their_ends() {
    let studio = arm_studio();
    let fresh = Muscle::default();
    for dial in DIALS.iter() {
        if let Some(value) = dial.of(&fresh) {
            assert_eq!(value, dial.default, "{}", dial.label);
        }
        assert!((dial.low..=dial.high).contains(&dial.default) && !dial.tip.is_empty(), "{}", dial.label);
        let sculpted = sculpted(&studio.muscles()[0]);
        let all = kinds(&sculpted, &CHOICES, &studio.project.character.skeleton);
        let Some(before) = all.iter().find(|muscle| dial.of(muscle).is_some()) else {
            panic!("nothing has {}", dial.label)
        };
        let mut after = before.clone();
        dial.turn(&mut after, f32::NAN);
        assert_eq!(&after, before, "{}", dial.label);
        dial.turn(&mut after, 1e9);
        assert!(dial.of(&after).is_some_and(|value| value <= dial.high), "{}", dial.label);
    }
    for choice in CHOICES.iter() {
        assert_eq!(choice.of(&fresh), choice.of(&fresh).map(|_| choice.default), "{}", choice.label);
    }
}

#[test]
fn what_differs_between_muscles_is_made_the_same_by_an_edit_and_the_twin_mirrors() {
    let mut studio = arm_studio();
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Select(Some(0), false));
    let dial = |label: &str| DIALS.iter().position(|dial| dial.label == label).unwrap();
    studio.apply(Edit::Dial(dial("Size"), 0.03));
    assert_ne!(DIALS[0].of(&studio.muscles()[0]), DIALS[0].of(&studio.muscles()[1]));
    studio.apply(Look::Select(Some(1), true));
    studio.apply(Edit::Dial(dial("Size"), 0.04));
    assert!(studio.muscles().iter().all(|muscle| DIALS[0].of(muscle) == Some(0.04)));
    studio.apply(Look::Mirrored(true));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(dial("Offset across"), 0.01));
    let unlike = unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]);
    assert!(unlike < 1e-5, "{unlike}");
}

#[test]
fn a_pair_that_is_chosen_is_turned_as_in_a_mirror() {
    let mut studio = arm_studio();
    let across = DIALS.iter().position(|dial| dial.label == "Offset across").unwrap();
    studio.apply(Look::Choose([0, 1].into()));
    studio.apply(Edit::Dial(across, 0.02));
    assert_eq!(DIALS[across].of(&studio.muscles()[0]), Some(0.02), "the first leads");
    let unlike = unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]);
    assert!(unlike < 1e-5, "{unlike}");
    studio.apply(Look::Mirrored(false));
    studio.apply(Edit::Dial(across, 0.01));
    assert!(studio.muscles().iter().all(|muscle| DIALS[across].of(muscle) == Some(0.01)), "each for itself");
}

#[test]
fn the_dials_of_the_up_vector_turn_the_section_and_leave_the_curve() {
    let mut studio = arm_studio();
    let dial = |label: &str| DIALS.iter().position(|dial| dial.label == label).unwrap();
    let own = CHOICES.iter().position(|choice| choice.label == "Up-vector").unwrap();
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Choose(own, 1));
    studio.apply(Edit::Dial(dial("Up-vector z"), 0.8));
    studio.apply(Edit::Dial(dial("Offset up"), 0.03));
    let rings = |studio: &Studio| -> Vec<_> {
        let bellies = rest_bellies(&studio.project.character.skeleton, studio.muscles()).unwrap();
        bellies.into_iter().flat_map(|belly| belly.rings).collect()
    };
    let before = rings(&studio);
    studio.apply(Edit::Dial(dial("Up-vector x"), 0.7));
    let after = rings(&studio);
    assert!(before.iter().zip(&after).all(|(a, b)| a.center.distance(b.center) < 1e-6), "the curve stays");
    assert!(before.iter().zip(&after).all(|(a, b)| a.b.dot(b.b) < 0.9), "its section turns, on both sides");
    let [left, right] = [&after[..after.len() / 2], &after[after.len() / 2..]];
    let unlike = |(a, b): (&RestSection, &RestSection)| (a.b * Vec3::new(-1.0, 1.0, 1.0)).distance(b.b);
    let off: Vec<f32> = left.iter().zip(right).map(unlike).collect();
    assert!(off.iter().all(|&off| off < 1e-5), "as in a mirror: {off:?}");
}

#[test]
fn it_does_not_matter_how_a_dial_came_to_where_it_is_let_go() {
    let mut studio = arm_studio();
    let factors = (0..72).map(|i| 1.0 + 0.02 * (i % 11) as f32).collect();
    let mut muscles = studio.document().musculature.clone();
    muscles.muscles[0].sculpt = Some(Sculpt { factors });
    let (project, _) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    studio = Studio::new(project, muscles, None).unwrap();
    studio.apply(Look::Select(Some(0), false));
    let rings = DIALS.iter().position(|dial| dial.label == "Rings").unwrap();
    let (first, drag) = (studio.document().clone(), Some(Gesture::begin()));
    for value in [7.0, 3.0, 12.0] {
        studio.apply(Action::Edit(Edit::Dial(rings, value), drag));
    }
    let dragged = studio.document().clone();
    studio.apply(Action::Edit(Edit::Dial(rings, 9.0), drag));
    assert_eq!(studio.document(), &first, "there and back");
    studio.apply(Edit::Dial(rings, 12.0));
    assert_eq!(studio.document(), &dragged, "in one step");
}

#[test]
fn a_new_layer_has_the_defaults() {
    let tissue = Layer::Tissue(Tissue::lively());
    let all = [Layer::blend(), Layer::shells(), Layer::displace(), Layer::wrap(), Layer::slide(), tissue];
    for layer in &all {
        for field in LAYER_FIELDS.iter() {
            assert!(field.of(layer).is_none_or(|value| value == field.default), "{} {}", field.group, field.label);
        }
        for choice in LAYER_CHOICES.iter() {
            assert!(
                choice.of(layer).is_none_or(|option| option == choice.default),
                "{} {}",
                choice.group,
                choice.label
            );
        }
    }
}

#[test]
fn lengths_reach_farther_on_a_larger_body() {
    let size = DIALS[0];
    assert_eq!((size.on_body(0.5).high, size.on_body(18.0).high), (size.high, 10.0 * size.high));
    let across = DIALS.iter().find(|dial| dial.label == "Offset across").unwrap().on_body(3.6);
    assert_eq!((across.low, across.high), (-0.6, 0.6));
    let bulge = DIALS.iter().find(|dial| dial.label == "Bulge").unwrap();
    assert_eq!(bulge.on_body(18.0).high, bulge.high, "only lengths");
}

#[test]
fn lengths_of_a_small_body_can_be_small_and_are_reset_to_what_suits_it() {
    let size = DIALS[0];
    let mouse = size.on_body(0.09);
    assert!((mouse.low - 0.05 * size.low).abs() < 1e-9 && (mouse.default - 0.001).abs() < 1e-9);
    let mut muscle = Muscle::default();
    mouse.turn(&mut muscle, 0.0003);
    assert_eq!(size.of(&muscle), Some(0.0003));
    assert_eq!(size.on_body(18.0).default, 10.0 * size.default);
    assert_eq!((size.on_body(0.0).low, size.on_body(0.0).default), (size.low, size.default), "of no body as they are");
    for dial in DIALS.iter() {
        for height in [0.01, 0.5, 1.8, 30.0] {
            let dial = dial.on_body(height);
            assert!((dial.low..=dial.high).contains(&dial.default), "{} of a body of {height} m", dial.label);
        }
    }
}

#[test]
fn sliders_of_a_small_body_go_as_far_as_suits_it_and_what_is_typed_as_far_as_ever() {
    let across = DIALS.iter().find(|dial| dial.label == "Offset across").unwrap();
    let mouse = across.on_body(0.09);
    let [low, high] = mouse.slider();
    assert!((low + 0.015).abs() < 1e-6 && (high - 0.015).abs() < 1e-6, "{low} to {high} m");
    assert_eq!((mouse.low, mouse.high), (across.low, across.high));
    for dial in DIALS.iter() {
        assert_eq!(dial.slider(), [dial.low, dial.high], "{}", dial.label);
        for height in [0.01, 0.5, 1.8, 30.0] {
            let dial = dial.on_body(height);
            let [low, high] = dial.slider();
            assert!((low..=high).contains(&dial.default) && low >= dial.low && high <= dial.high, "{}", dial.label);
            assert!(height >= 1.8 || dial.unit != "m" || high < 0.5 * dial.high, "{} at {height} m", dial.label);
        }
    }
}

/// With two shapes, of poses in which two joints are turned.
fn with_shapes(factors: [Vec<f32>; 2], turns: [[Quat; 2]; 2]) -> Muscle {
    let shape = |(factors, [elbow, hand]): (Vec<f32>, [Quat; 2])| PoseShape {
        turns: [("hand".to_owned(), hand), ("lower".to_owned(), elbow)].into(),
        sculpt: Sculpt { factors },
    };
    let shapes = factors.into_iter().zip(turns).map(shape).collect();
    Muscle { contraction: Contraction::PoseShapes { shapes, tone: 1.0, isometric: 0.25 }, ..Muscle::default() }
}

#[test]
fn the_angle_of_a_shape_is_that_of_its_own_largest_turn_and_the_others_go_along() {
    let turn = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let mut muscle = with_shapes([vec![1.0; 72], vec![1.0; 72]], [[turn(40.0), turn(-20.0)], [-turn(10.0), turn(0.0)]]);
    let angle = DIALS.iter().find(|dial| dial.label == "Angle of shape").unwrap();
    assert_eq!(angle.count(&muscle), 2, "one for each shape");
    let degrees = |muscle: &Muscle| [0, 1].map(|at| angle.nth(muscle, at).unwrap().round());
    assert_eq!(degrees(&muscle), [40.0, 10.0], "the short way, whichever sign a quaternion has");
    angle.turn_nth(&mut muscle, 0, 80.0);
    assert_eq!(degrees(&muscle), [80.0, 10.0]);
    let Contraction::PoseShapes { shapes, .. } = &muscle.contraction else { panic!() };
    let [elbow, hand] = ["lower", "hand"].map(|joint| shapes[0].turns[joint]);
    assert!(elbow.angle_between(turn(80.0)) < 1e-3 && hand.angle_between(turn(-40.0)) < 1e-3, "{elbow} {hand}");
}

#[test]
fn a_shape_that_is_not_sculpted_has_no_depth_and_the_next_one_has() {
    let mut deep = vec![1.0; 72];
    deep[10] = 1.5;
    let bent = [Quat::from_rotation_z(1.0), Quat::IDENTITY];
    let mut muscle = with_shapes([vec![1.0; 72], deep], [bent; 2]);
    let depth = DIALS.iter().find(|dial| dial.label == "Depth of shape").unwrap();
    assert_eq!([0, 1].map(|at| depth.nth(&muscle, at)), [None, Some(0.5)]);
    assert_eq!(depth.count(&muscle), 2, "the row of the second is there");
    depth.turn_nth(&mut muscle, 1, 1.0);
    assert_eq!([0, 1].map(|at| depth.nth(&muscle, at)), [None, Some(1.0)]);
}

#[test]
fn a_dial_of_a_shape_turns_the_shape_of_the_mirrored_pose_on_the_other_side() {
    let turn = |degrees: f32| [Quat::from_rotation_z(degrees.to_radians()), Quat::IDENTITY];
    let sculpted = |depths: [f32; 2], angles: [f32; 2]| {
        let factors = depths.map(|depth| (0..72).map(|i| if i == 10 { 1.0 + depth } else { 1.0 }).collect());
        with_shapes(factors, angles.map(turn)).contraction
    };
    let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    muscles.muscles[0].contraction = sculpted([0.1, 0.2], [40.0, 80.0]);
    muscles.muscles[1].contraction = sculpted([0.3, 0.4], [-80.0, -40.0]);
    let mut studio = Studio::new(project, muscles, None).unwrap();
    studio.apply(Look::Select(Some(0), false));
    let dial = |label: &str| DIALS.iter().position(|dial| dial.label == label).unwrap();
    let [depth, angle] = ["Depth of shape", "Angle of shape"].map(dial);
    let all = |studio: &Studio, dial: usize| -> Vec<f32> {
        let of = |muscle: &Muscle| [0, 1].map(|at| (DIALS[dial].nth(muscle, at).unwrap() * 100.0).round() / 100.0);
        studio.muscles().iter().flat_map(of).collect()
    };
    studio.apply(Edit::Nth(depth, 0, 0.5));
    assert_eq!(all(&studio, depth), [0.5, 0.2, 0.3, 0.5]);
    studio.apply(Edit::Nth(angle, 1, 60.0));
    assert_eq!(all(&studio, angle), [40.0, 60.0, 60.0, 40.0]);
    studio.apply(Look::Mirrored(false));
    studio.apply(Edit::Nth(angle, 0, 20.0));
    studio.apply(Look::Mirrored(true));
    studio.apply(Edit::Nth(depth, 0, 0.7));
    assert_eq!(all(&studio, depth), [0.7, 0.2, 0.3, 0.5], "a shape without an image has none that goes along");
}

/// A driver by the angle about that axis.
fn driver(axis: Vec3) -> Driver {
    let signal = Signal::JointAngle { joint: "lower".into(), axis: Some(axis) };
    Driver { muscles: vec![], signal, remap: vec![[0.0, 0.0], [90.0, 1.0]] }
}

#[test]
fn an_axis_that_is_turned_to_an_end_and_back_is_what_it_was() {
    let start = Vec3::new(0.6, -0.48, 0.64);
    for (i, label) in ["Axis x", "Axis y", "Axis z"].into_iter().enumerate() {
        let field = DRIVER_FIELDS.iter().find(|field| field.label == label).unwrap();
        for end in [-1.0, 1.0] {
            let mut driver = driver(start);
            [0.9, end, start[i]].into_iter().for_each(|value| field.turn(&mut driver, value));
            let Signal::JointAngle { axis: Some(axis), .. } = driver.signal else { panic!() };
            assert!(axis.distance(start) < 1e-6, "{label} by {end}: {axis}");
        }
    }
}

#[test]
fn a_number_of_an_axis_is_taken_as_it_is_typed() {
    for (i, label) in ["Axis x", "Axis y", "Axis z"].into_iter().enumerate() {
        let field = DRIVER_FIELDS.iter().find(|field| field.label == label).unwrap();
        for start in [Vec3::Z, Vec3::X, Vec3::new(0.6, -0.48, 0.64)] {
            for value in [0.5, -0.3, 0.0, 1.0] {
                let mut driver = driver(start);
                field.turn(&mut driver, value);
                let Signal::JointAngle { axis: Some(axis), .. } = driver.signal else { panic!() };
                assert_eq!(axis[i], value, "{label} of {start}");
                assert!((axis.length() - 1.0).abs() < 1e-6, "{axis}");
            }
        }
    }
}
