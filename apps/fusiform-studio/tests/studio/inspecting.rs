//! The inspector: what is dragged, typed, taken from lists and reset in it, and taken back.

use crate::arm;
use crate::dialing::{arm_studio, leaves_of};
use crate::window::{Window, click, drag, settled, studio, studio_mut, view, written};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::musculature::{Dynamics, Layer, Path, Profile};
use fusiform_studio::app::{App, Begin};
use fusiform_studio::model::{CHOICES, DIALS, Edit, LAYER_FIELDS, Look, Part, Play, Project, Studio, Tool};

/// On the arm, in a window so tall that nothing has to be scrolled to.
pub fn tall() -> Tall {
    tall_on(&arm::glb())
}

/// On the file of those bytes.
pub fn tall_on(bytes: &[u8]) -> Tall {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, bytes).unwrap();
    let begin = Begin::File(path);
    let builder = Harness::builder().with_size(egui::vec2(1280.0, 2600.0)).with_step_dt(1.0 / 60.0);
    let mut window = builder.build_eframe(move |_| App::new(None, &begin, None));
    settled(&mut window);
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

fn choose_bend_and_everything(window: &mut Window) {
    let studio = studio_mut(window);
    let layers = vec![Layer::blend(), Layer::displace()];
    studio.apply(Edit::Part(Part::Layers(layers)));
    let driver = r#"{"signal": {"kind": "joint_angle", "joint": "lower"}, "remap": [[0, 0], [90, 1]]}"#;
    studio.apply(Edit::Part(Part::AddDriver(serde_json::from_str(driver).unwrap())));
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
    enter(&mut window, "Size", "3.5");
    let Profile::Sine { size, .. } = studio(&window).muscles()[0].profile else { panic!() };
    assert!((size - 0.035).abs() < 1e-6, "{size} m, typed as centimetres");
}

/// Type a number.
pub fn enter(window: &mut Window, label: &str, text: &str) {
    let at = window.get_by_role_and_label(egui::Role::SpinButton, label).rect().center();
    click_at(window, at, egui::PointerButton::Primary);
    window.get_by_role_and_label(egui::Role::SpinButton, label).type_text(text);
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
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

#[test]
fn a_bone_is_as_thick_in_the_inspector_as_on_the_body_though_its_joint_is_scaled() {
    let mut window = tall_on(&arm::written(&arm::in_centimetres()));
    click(&mut window, "Body tab");
    click(&mut window, "shaft");
    let bone = |window: &Window| studio(window).document().musculature.bones[0].shape.clone();
    let shaft = |length: f32, first: f32| fusiform::musculature::BoneShape::Capsule {
        from: glam::Vec3::ZERO,
        to: glam::Vec3::Y * length,
        radii: [first, 1.5],
    };
    assert_eq!(bone(&window), shaft(25.0, 1.5));
    for (label, centimetres) in [("First radius", 0.015), ("To y", 0.25)] {
        let shown = window.get_by_role_and_label(egui::Role::SpinButton, label).accesskit_node().numeric_value();
        assert!(shown.is_some_and(|shown| (shown - centimetres).abs() < 1e-6), "{label}: {shown:?}");
    }
    for (label, text, wanted) in [("First radius", "2.5", shaft(25.0, 2.5)), ("To y", "20", shaft(20.0, 2.5))] {
        enter(&mut window, label, text);
        let (now, wanted) = (format!("{:.4?}", bone(&window)), format!("{wanted:.4?}"));
        assert_eq!(now, wanted, "{label}");
    }
    click(&mut window, "Reset First radius");
    // a centimetre in a person of 1.8 m, the arm is 60 cm long
    assert_eq!(format!("{:.4?}", bone(&window)), format!("{:.4?}", shaft(20.0, 1.0 / 3.0)), "as suits the body");
}

#[test]
fn the_bone_whose_numbers_are_at_hand_is_marked_in_the_view() {
    let mut window = tall_on(&arm::fleshy_glb());
    click(&mut window, "Body tab");
    let marked = |window: &Window| window.state().session().unwrap().viewport.extras.marked_bone;
    let point_at = |window: &mut Window, label: &str| {
        let at = window.get_all_by_label(label).next().map(|found| found.rect().center());
        window.hover_at(at.expect("it is there"));
        window.run_steps(3);
    };
    point_at(&mut window, "upper");
    assert_eq!(marked(&window), None, "its numbers are not seen");
    click(&mut window, "lower");
    window.run_steps(30);
    point_at(&mut window, "From y");
    assert_eq!(marked(&window), Some(1));
    point_at(&mut window, "Whole body");
    assert_eq!(marked(&window), Some(1), "until another is");
    click(&mut window, "Muscle tab");
    assert_eq!(marked(&window), None);
    click(&mut window, "Body tab");
    point_at(&mut window, "lower");
    assert_eq!(marked(&window), Some(1));
    click(&mut window, "lower");
    window.run_steps(30);
    assert_eq!(marked(&window), None, "folded");
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
    studio_mut(&mut window).apply(Edit::Turn(1, glam::Quat::from_rotation_z(0.7)));
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
fn a_length_is_reset_to_what_suits_the_body() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    click(&mut window, "Reset Size");
    let suits = DIALS[0].on_body(studio(&window).project.character.height()).default;
    assert!(suits < 0.5 * DIALS[0].default, "of an arm: {suits}");
    assert_eq!(sizes(&window), [Some(suits); 2]);
    let reset = window.get_by_label("Reset Size");
    assert!(reset.accesskit_node().is_disabled(), "there is nothing left to reset");
}

#[test]
fn drags_and_digits_suit_a_small_body() {
    let small = || {
        let (mut character, mut musculature) = arm::arm();
        character.meshes[0].positions.iter_mut().for_each(|p| *p *= 0.15);
        for joint in &mut character.skeleton.joints {
            (joint.bind.translation, joint.rest.translation) =
                (0.15 * joint.bind.translation, 0.15 * joint.rest.translation);
        }
        for muscle in &mut musculature.muscles {
            (muscle.origin.point, muscle.insertion.point) = (0.15 * muscle.origin.point, 0.15 * muscle.insertion.point);
        }
        arm::written(&(character, musculature))
    };
    let mut window = tall_on(&small());
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    studio_mut(&mut window).apply(Look::Mirrored(false));
    window.run_steps(2);
    let at = window.get_by_role_and_label(egui::Role::SpinButton, "Offset across").rect().center();
    drag(&mut window, at, at + egui::vec2(40.0, 0.0));
    let Path::Bezier { offset, .. } = studio(&window).muscles()[0].path else { panic!() };
    assert!(offset.z.abs() > 1e-4 && offset.z.abs() < 5e-3, "{offset} m for 40 points");
    studio_mut(&mut window).apply(Look::Tool(Tool::Paint));
    window.run_steps(2);
    let is_told = written(&window).iter().any(|(text, ..)| text == "0.27");
    assert!(is_told, "the brush's radius, cm");
}

#[test]
fn a_new_layer_has_lengths_that_suit_the_body() {
    let mut window = tall();
    click(&mut window, "Skin tab");
    for name in ["Slide", "Displace"] {
        click(&mut window, "Add layer");
        click(&mut window, name);
    }
    let height = studio(&window).project.character.height();
    assert!(height < 0.7, "an arm");
    let layers = &studio(&window).document().musculature.layers;
    let lengths = LAYER_FIELDS.iter().map(|field| field.on_body(height)).filter(|field| field.unit == "m");
    let set: Vec<_> = lengths.flat_map(|of| layers.iter().map(move |l| (of.of(l), of.default))).collect();
    let set: Vec<_> = set.into_iter().filter_map(|(value, default)| Some((value?, default))).collect();
    assert!(set.len() == 4 && set.iter().all(|(value, default)| value == default && *value < 0.01), "{set:?}");
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
    studio_mut(&mut window).apply(Look::Mirrored(false)); // one driver, not one for either side
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
fn tips_of_lists_of_names_say_what_each_list_is_for() {
    let mut window = tall();
    choose_bend_and_everything(&mut window);
    studio_mut(&mut window).apply(Edit::Part(Part::Layers(vec![Layer::blend(), Layer::tissue()])));
    for (tab, list, words) in [
        ("Skin tab", "Muscles", "Which of them move the skin here"),
        ("Skin tab", "Bones", "Which bones the flesh hangs on"),
        ("Activation tab", "Muscles", "Which muscles it tenses"),
    ] {
        click(&mut window, tab);
        let edge = view(&window).right();
        let titles: Vec<_> = window.query_all_by_label(list).map(|node| node.rect()).collect();
        let at = titles.iter().rfind(|rect| rect.left() > edge && rect.top() > 100.0).unwrap().center();
        window.hover_at(at);
        window.run_steps(40);
        assert!(window.query_all_by_label_contains(words).next().is_some(), "{tab}: {list}");
    }
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
    let joint = r#"{"muscles": ["biceps.l", "biceps.r"], "signal": {"kind": "joint_angle", "joint": "lower", "axis": [0, 0, 1]},
                     "remap": [[-179.123, 0.123], [90.456, 0.98765]]}"#;
    all.push(Edit::Part(Part::AddDriver(serde_json::from_str(joint).unwrap())));
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

fn type_into(window: &mut Window, label: &str, text: &str) {
    let at = window.get_by_role_and_label(egui::Role::SpinButton, label).rect().center();
    click_at(window, at, egui::PointerButton::Primary);
    window.get_by_role_and_label(egui::Role::SpinButton, label).type_text(text);
    window.run_steps(2);
}

fn sizes(window: &Window) -> Vec<Option<f32>> {
    studio(window).muscles().iter().map(|muscle| DIALS[0].of(muscle)).collect()
}

#[test]
fn a_number_that_is_typed_is_for_what_was_chosen_and_not_for_what_is_clicked_next() {
    let mut window = tall();
    studio_mut(&mut window).apply(Look::Mirrored(false));
    click(&mut window, "biceps.l");
    let before = sizes(&window);
    type_into(&mut window, DIALS[0].label, "3.5");
    let at = window.get_by_label("biceps.r").rect().center();
    click_at(&mut window, at, egui::PointerButton::Primary);
    assert!(studio(&window).chosen.iter().eq([&1]));
    assert_eq!(sizes(&window), [Some(0.035), before[1]]);
}

#[test]
fn a_number_that_is_entered_where_several_differ_is_given_to_all() {
    let mut window = tall();
    let studio = studio_mut(&mut window);
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, 0.03));
    studio.apply(Look::Choose([0, 1].into()));
    window.run_steps(2);
    assert_ne!(sizes(&window)[0], sizes(&window)[1]);
    type_into(&mut window, DIALS[0].label, "3");
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
    assert_eq!(sizes(&window), [Some(0.03), Some(0.03)]);
}

#[test]
fn a_number_that_is_typed_counts_when_another_tab_is_opened_or_the_view_is_turned() {
    let mut window = tall();
    click(&mut window, "biceps.l");
    type_into(&mut window, DIALS[0].label, "3");
    click(&mut window, "Body tab");
    assert_eq!(sizes(&window)[0], Some(0.03));
    click(&mut window, "Muscle tab");
    type_into(&mut window, DIALS[0].label, "4");
    let corner = view(&window).left_top() + egui::vec2(30.0, 60.0);
    drag(&mut window, corner, corner + egui::vec2(60.0, 0.0));
    assert_eq!(sizes(&window)[0], Some(0.04));
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    window.run_steps(2);
    assert_eq!(sizes(&window)[0], Some(0.03), "keys are heard again");
}
