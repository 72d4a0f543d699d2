//! The inspector: every number and choice of every kind of muscle, layer and driver can be edited, and taken back.

use crate::arm;
use crate::window::{Window, click, drag, studio, studio_mut, view};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::Skeleton;
use fusiform::body::rest_bellies;
use fusiform::musculature::{Dynamics, Layer, Profile};
use fusiform_fit::Preset;
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::{
    Action, BONE_FIELDS, CHOICES, Choice, DIALS, DRIVER_CHOICES, DRIVER_FIELDS, Document, Edit, Field, LAYER_CHOICES,
    LAYER_FIELDS, Look, PHYSIQUE_FIELDS, Part, Play, Project, Studio,
};
use glam::Vec3;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// On the arm, in a window so tall that nothing has to be scrolled to.
pub fn tall() -> Tall {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, arm::glb()).unwrap();
    let begin = Begin::File(path);
    let builder = Harness::builder().with_size(egui::vec2(1280.0, 2600.0)).with_step_dt(1.0 / 60.0);
    let mut window = builder.build_eframe(move |_| App::new(None, &begin, None));
    window.run_steps(2);
    Tall { window, _folder: folder }
}

/// A window high enough for every row, and the folder of its file: a bar would tell of a file that is gone.
pub struct Tall {
    window: Window,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Tall {
    type Target = Window;

    fn deref(&self) -> &Window {
        &self.window
    }
}

impl std::ops::DerefMut for Tall {
    fn deref_mut(&mut self) -> &mut Window {
        &mut self.window
    }
}

fn leaves(value: &Value, path: &str, into: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(of) => of.iter().for_each(|(key, value)| leaves(value, &format!("{path}.{key}"), into)),
        Value::Array(of) => of.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}[{i}]"), into)),
        Value::Null => {}
        leaf => _ = into.insert(path.to_owned(), leaf.clone()),
    }
}

fn leaves_of<T: Serialize>(thing: &T) -> BTreeMap<String, Value> {
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
        || path.starts_with(".shape.turn[")
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

fn arm_studio() -> Studio {
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
        studio.apply(Edit::Rig(preset));
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
    let fresh = fusiform::Muscle::default();
    for dial in DIALS.iter() {
        if let Some(value) = dial.of(&fresh) {
            assert_eq!(value, dial.default, "{}", dial.label);
        }
        assert!((dial.low..=dial.high).contains(&dial.default) && !dial.tip.is_empty(), "{}", dial.label);
        let all = kinds(&studio.muscles()[0], &CHOICES, &studio.project.character.skeleton);
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

/// How far belly points lie from one another, m, on each axis.
fn extent(studio: &Studio, m: usize) -> Vec3 {
    let muscles = &studio.muscles()[m..=m];
    let belly = rest_bellies(&studio.project.character.skeleton, muscles).unwrap().remove(0);
    let low = belly.points.iter().fold(Vec3::MAX, |a, b| a.min(*b));
    belly.points.iter().fold(Vec3::MIN, |a, b| a.max(*b)) - low
}

#[test]
fn a_muscle_of_another_kind_is_sound_and_about_as_large_and_undo_brings_the_first_back() {
    let mut studio = arm_studio();
    studio.apply(Look::Select(Some(0), false));
    let (first, before) = (studio.document().clone(), extent(&studio, 0));
    for (a, one) in CHOICES.iter().enumerate() {
        for from in 0..one.options.len() {
            for (b, other) in CHOICES.iter().enumerate() {
                for to in 0..other.options.len() {
                    studio.apply(Edit::Choose(a, from));
                    studio.apply(Edit::Choose(b, to));
                    let what = format!("{} {from}, {} {to}", one.label, other.label);
                    assert!(studio.fault.is_none(), "{what}: {:?}", studio.fault);
                    let ratio = extent(&studio, 0) / before;
                    assert!(ratio.min_element() > 0.6 && ratio.max_element() < 1.7, "{what}: {ratio}");
                    assert_eq!(one.of(&studio.muscles()[0]), one.of(&studio.muscles()[1]), "the twin follows");
                    while studio.history.undo_label().is_some() {
                        studio.apply(Action::Undo);
                    }
                    assert_eq!(studio.document(), &first, "{what}");
                }
            }
        }
    }
}

#[test]
fn another_grid_keeps_what_was_sculpted() {
    let mut studio = arm_studio();
    studio.apply(Look::Select(Some(0), false));
    let mut document = studio.document().musculature.muscles[0].clone();
    let factors = (0..72).map(|i| 1.0 + 0.1 * (i / 8) as f32).collect();
    document.sculpt = Some(fusiform::musculature::Sculpt { factors });
    let rings = DIALS.iter().find(|dial| dial.label == "Rings").unwrap();
    let sectors = DIALS.iter().find(|dial| dial.label == "Sectors").unwrap();
    rings.turn(&mut document, 17.0);
    sectors.turn(&mut document, 12.0);
    let factors = &document.sculpt.as_ref().unwrap().factors;
    assert_eq!(factors.len(), 17 * 12);
    assert!((factors[8 * 12 + 5] - 1.4).abs() < 1e-5 && (factors[16 * 12] - 1.8).abs() < 1e-5);
}

fn choose_bend_and_everything(window: &mut Window) {
    let studio = studio_mut(window);
    let layers = vec![Layer::blend(), Layer::displace()];
    studio.apply(Edit::Part(Part::Layers(layers)));
    let driver = r#"[{"signal": {"kind": "joint_angle", "joint": "lower"}, "remap": [[0, 0], [90, 1]]}]"#;
    studio.apply(Edit::Part(Part::Drivers(serde_json::from_str(driver).unwrap())));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Play::Clip(Some(0)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
}

#[test]
fn a_drag_of_any_slider_takes_many_frames_and_one_undo() {
    let mut window = tall();
    choose_bend_and_everything(&mut window);
    window.run_steps(2);
    let rows = [
        ("Muscle tab", "Bulge"),
        ("Muscle tab", "Size"),
        ("Muscle tab", "Stiffness"),
        ("Muscle tab", "Rings"),
        ("Body tab", "Size"),
        ("Body tab", "Skin weight"),
        ("Skin tab", "Nearest"),
        ("Skin tab", "Fat"),
        ("Activation tab", "Tension"),
        ("Activation tab", "Tension at 2"),
        ("Activation tab", "Angle at 2"),
    ];
    for (tab, label) in rows {
        click(&mut window, tab);
        for role in [egui::Role::Slider, egui::Role::SpinButton] {
            let before = studio(&window).document().clone();
            let step = studio(&window).history.undo_label().map(ToOwned::to_owned);
            let at = window.get_by_role_and_label(role, label).rect();
            let from = if role == egui::Role::Slider { at.left_center() + egui::vec2(20.0, 0.0) } else { at.center() };
            let revision = studio(&window).history.revision();
            // one is at its upper end, the other would end where it was
            let by = match label {
                "Tension at 2" => -13.0,
                "Angle at 2" => 20.0,
                _ => 37.0,
            };
            drag(&mut window, from, from + egui::vec2(by, 0.0));
            assert!(
                studio(&window).document() != &before,
                "{label}, {role:?}: nothing happened at {from:?} of {at:?}: {:?}",
                studio(&window).fault
            );
            assert!(studio(&window).history.revision() > revision + 1, "{label}: seen while it is dragged");
            let after = studio(&window).document().clone();
            click(&mut window, "Undo");
            assert_eq!(studio(&window).document(), &before, "{tab}, {label}, {role:?}: one step leads back");
            assert_eq!(studio(&window).history.undo_label().map(ToOwned::to_owned), step, "{label}");
            click(&mut window, "Redo");
            assert_eq!(studio(&window).document(), &after, "{label}");
            click(&mut window, "Undo");
        }
    }
}

#[test]
fn looking_at_numbers_beyond_a_slider_or_between_its_digits_changes_nothing() {
    let mut window = tall();
    let first = {
        let studio = studio_mut(&mut window);
        let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
        muscles.muscles[0].profile = Profile::Sine { size: 0.312_345_67, taper: 7.123_456, aspect: 1.0 };
        muscles.muscles[0].dynamics = Dynamics::Spring {
            stiffness: 20_123.456,
            mass: 0.512_345,
            damping: 0.2,
            integrator: fusiform::musculature::Integrator::Exact,
            reach: 0.812_345,
        };
        *studio = Studio::new(project, muscles, None).unwrap();
        studio.apply(Look::Select(Some(0), false));
        studio.document().clone()
    };
    window.run_steps(3);
    for label in ["Size", "Taper", "Stiffness", "Mass", "Reach"] {
        let at = window.get_by_role_and_label(egui::Role::SpinButton, label).rect().center();
        click_at(&mut window, at, egui::PointerButton::Primary);
        window.key_press(egui::Key::Tab);
        window.run_steps(3);
    }
    for tab in ["Body tab", "Skin tab", "Activation tab", "Muscle tab"] {
        click(&mut window, tab);
        window.run_steps(2);
    }
    assert_eq!(studio(&window).document(), &first);
    assert_eq!(studio(&window).history.undo_label(), None);
    // and what is typed is taken
    let at = window.get_by_role_and_label(egui::Role::SpinButton, "Size").rect().center();
    click_at(&mut window, at, egui::PointerButton::Primary);
    window.get_by_role_and_label(egui::Role::SpinButton, "Size").type_text("3.5");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
    let Profile::Sine { size, .. } = studio(&window).muscles()[0].profile else { panic!() };
    assert!((size - 0.035).abs() < 1e-6, "{size} m, typed as centimetres");
}

/// Press and let go.
pub fn click_at(window: &mut Window, at: egui::Pos2, button: egui::PointerButton) {
    window.hover_at(at);
    window.run_steps(1);
    for pressed in [true, false] {
        let modifiers = egui::Modifiers::NONE;
        window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        window.run_steps(1);
    }
}

fn take(window: &mut Window, label: &str, option: &str) {
    window.get_by_role_and_label(egui::Role::ComboBox, label).click();
    window.run_steps(3);
    window.get_by_label(option).click();
    window.run_steps(3);
}

#[test]
fn choices_are_taken_from_lists_and_resets_take_everything_back() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    take(&mut window, "Profile", "Ellipsoid");
    assert!(matches!(studio(&window).muscles()[0].profile, Profile::Ellipsoid { .. }));
    assert!(matches!(studio(&window).muscles()[1].profile, Profile::Ellipsoid { .. }), "the twin follows");
    take(&mut window, "Kind of contraction", "Identified");
    assert!(matches!(studio(&window).muscles()[0].profile, Profile::Sigmoid { .. }), "rates are those of sigmoids");
    click(&mut window, "Reset Profile");
    assert!(matches!(studio(&window).muscles()[0].profile, Profile::Sine { .. }));
    assert!(studio(&window).fault.is_none());
    take(&mut window, "Kind of contraction", "Pose shapes");
    window.get_by_role_and_label(egui::Role::Slider, "Angle of shape 1");
    click(&mut window, "Add shape");
    assert!(studio(&window).fault.is_some(), "the pose that is seen is the bind pose");
    studio_mut(&mut window).fault = None;
    studio_mut(&mut window).apply(Play::Turn(1, glam::Quat::from_rotation_z(0.7)));
    window.run_steps(2);
    click(&mut window, "Add shape");
    assert!(studio(&window).fault.is_none(), "{:?}", studio(&window).fault);
    click(&mut window, "Remove shape 1");
    click(&mut window, "Remove shape 1");
    let choice = CHOICES.iter().find(|choice| choice.label == "Kind of contraction").unwrap();
    assert_eq!(choice.of(&studio(&window).muscles()[0]), Some(1), "without shapes the tone is left");
    click(&mut window, "Body tab");
    click(&mut window, "Brute");
    assert_eq!(studio(&window).document().musculature.physique, fusiform::Physique::BRUTE);
    click(&mut window, "Reset Size");
    assert_eq!(studio(&window).document().musculature.physique.size, 1.0);
    take(&mut window, "Joints move by", "Dual quaternions");
    while studio(&window).history.undo_label().is_some() {
        click(&mut window, "Undo");
    }
    assert_eq!(studio(&window).document(), arm_studio().document());
}

#[test]
fn layers_and_drivers_are_added_moved_and_removed() {
    let mut window = tall();
    click(&mut window, "Skin tab");
    for name in ["Tissue", "Wrap", "Shells"] {
        click(&mut window, "Add layer");
        click(&mut window, name);
        assert!(studio(&window).fault.is_none(), "{:?}", studio(&window).fault);
    }
    let kinds = |window: &Window| -> Vec<String> {
        let layers = studio(window).document().musculature.layers.clone();
        layers.iter().map(|layer| leaves_of(layer)[".kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&window), ["blend", "wrap", "shells", "tissue"], "tissue stays the last");
    click(&mut window, "Move layer 3 up");
    click(&mut window, "Remove layer 4");
    click(&mut window, "Remove layer 1");
    assert_eq!(kinds(&window), ["shells", "wrap"]);
    click(&mut window, "Activation tab");
    click(&mut window, "biceps.r");
    click(&mut window, "Add driver");
    assert_eq!(studio(&window).document().musculature.activation.drivers[0].muscles, ["biceps.r"]);
    take(&mut window, "Listens to", "Joint angle");
    take(&mut window, "Joint", "lower");
    click(&mut window, "Add point");
    let drivers = &studio(&window).document().musculature.activation.drivers;
    assert_eq!(drivers[0].remap, [[0.0, 0.0], [90.0, 1.0], [180.0, 1.0]]);
    click(&mut window, "All");
    assert!(studio(&window).document().musculature.activation.drivers[0].muscles.is_empty());
    click(&mut window, "Remove driver 1");
    while studio(&window).history.undo_label().is_some() {
        click(&mut window, "Undo");
    }
    assert_eq!(studio(&window).document(), arm_studio().document());
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
    assert_eq!(DIALS[dial("Offset across")].of(&studio.muscles()[1]), Some(-0.01));
    let across = [extent(&studio, 0), extent(&studio, 1)];
    assert!(across[0].distance(across[1]) < 1e-4, "{across:?}");
}

#[test]
fn no_row_is_wider_than_the_panel() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    let edge = view(&window).right();
    let mut all: Vec<Edit> = Vec::new();
    for (i, choice) in CHOICES.iter().enumerate() {
        all.extend((0..choice.options.len()).map(|option| Edit::Choose(i, option)));
    }
    let stiff =
        Layer::Tissue(fusiform::musculature::Tissue { anchor: 123_456_789.0, belly: 0.012_345, ..Default::default() });
    all.push(Edit::Part(Part::Layers(vec![Layer::shells(), Layer::displace(), Layer::wrap(), Layer::slide(), stiff])));
    let joint = r#"[{"muscles": ["biceps.l", "biceps.r"], "signal": {"kind": "joint_angle", "joint": "lower", "axis": [0, 0, 1]},
                     "remap": [[-179.123, 0.123], [90.456, 0.98765]]}]"#;
    all.push(Edit::Part(Part::Drivers(serde_json::from_str(joint).unwrap())));
    for edit in all {
        studio_mut(&mut window).apply(edit.clone());
        assert!(studio(&window).fault.is_none(), "{:?}", studio(&window).fault);
        for tab in ["Muscle tab", "Body tab", "Skin tab", "Activation tab"] {
            click(&mut window, tab);
            window.run_steps(2);
            let beyond = |role| {
                let beyond = window.query_all_by_role(role).filter(|node| node.rect().right() > 1273.0);
                beyond.map(|node| format!("{:?}", (node.accesskit_node().label(), node.rect()))).collect::<Vec<_>>()
            };
            let wide: Vec<_> = [egui::Role::SpinButton, egui::Role::Button, egui::Role::Label].map(beyond).concat();
            assert_eq!(view(&window).right(), edge, "{tab} after {}: {wide:?}", edit.label());
        }
    }
}
