//! Muscles are hung on other joints, led over via points, named, copied and mirrored.

use crate::arm;
use crate::inspecting::{click_at, enter};
use crate::placing::{belly, bend, farthest, place_of, settle, skin, unlike, with, with_sheets};
use crate::window::{click, drag, on, on_arm, studio, studio_mut};
use egui::{Key, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, Driver, Layer, MuscleTrack, Path, Signal};
use fusiform::{Muscle, Musculature, Transform};
use fusiform_athlete::athlete_with;
use fusiform_studio::model::{Action, Curve, Edit, Grip, Look, Placing, Play, Project, Spot, Studio, Target, Tool};
use glam::{Affine3A, Vec3};

fn named_everywhere(muscles: &mut Musculature) {
    let one = || vec!["biceps.l".to_owned()];
    muscles.layers = vec![Layer::Displace { muscles: one(), fat: 0.004, along: Default::default() }, Layer::blend()];
    let remap = vec![[0.0, 0.0], [0.5, 1.0]];
    muscles.activation.drivers = vec![Driver { muscles: one(), signal: Signal::Shortening, remap }];
    let (times, values) = (vec![0.0, 1.0], vec![0.0, 1.0]);
    let track = MuscleTrack { muscle: "biceps.l".into(), times, values, interpolation: Interpolation::Linear };
    muscles.activation.curves = vec![ClipActivation { clip: "bend".into(), tracks: vec![track] }];
}

#[test]
fn a_new_name_is_followed_everywhere_and_is_given_once() {
    let mut studio = with(named_everywhere);
    let before = studio.document().clone();
    studio.apply(Placing::Rename(0, " brachialis.l ".into()));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let text = format!("{:?}", studio.document().musculature);
    assert!(!text.contains("\"biceps") && text.matches("\"brachialis.l\"").count() == 4, "{text}");
    assert_eq!(studio.muscles()[1].name, "brachialis.r", "the twin follows");
    studio.apply(Action::Undo);
    assert_eq!(studio.document(), &before);
    for bad in ["biceps.r", "", "  "] {
        studio.fault = None;
        studio.apply(Placing::Rename(0, bad.into()));
        assert!(studio.fault.is_some() && studio.document() == &before, "{bad:?}");
    }
    studio.apply(Look::Mirrored(false));
    studio.apply(Placing::Rename(0, "alone".into()));
    assert_eq!(studio.muscles()[1].name, "biceps.r");
}

#[test]
fn a_copy_does_not_move_the_skin_whatever_moves_it() {
    let kinds = [Layer::blend(), Layer::displace(), Layer::wrap(), Layer::shells()];
    for layer in kinds {
        let mut studio = with(|muscles| {
            named_everywhere(muscles);
            muscles.layers = vec![layer.clone()];
        });
        let rest = skin(&studio);
        bend(&mut studio, 1.3);
        let bent = skin(&studio);
        assert!(farthest(&rest, &bent) > 0.05);
        studio.apply(Look::Select(Some(0), false));
        studio.apply(Placing::Duplicate);
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let names: Vec<&str> = studio.muscles()[2..].iter().map(|muscle| &*muscle.name).collect();
        assert_eq!(names, ["biceps_2.l", "biceps_2.r"]);
        assert_eq!(Muscle { name: "biceps.l".into(), ..studio.muscles()[2].clone() }, studio.muscles()[0]);
        assert_eq!(studio.document().musculature.activation.curves[0].tracks.len(), 2, "it is keyed as well");
        assert!(studio.chosen.iter().eq([&2]));
        settle(&mut studio);
        let moved = farthest(&skin(&studio), &bent);
        assert!(moved < 1e-4, "{layer:?}: bent, {moved} m");
        studio.apply(Play::Settle);
        settle(&mut studio);
        let moved = farthest(&skin(&studio), &rest);
        assert!(moved < 1e-4, "{layer:?}: at rest, {moved} m");
        // given skin, it moves some
        studio.apply(Placing::Weigh);
        let weights = &studio.document().musculature.weights[0];
        assert!((0..weights.len()).any(|v| weights.of(v).any(|(m, w)| m == 2 && w > 0.1)));
    }
}

#[test]
fn a_point_hung_on_another_joint_stays_where_it_is() {
    let mut studio = with(|_| {});
    let places = |studio: &Studio| studio.muscles().iter().map(|muscle| belly(studio, muscle)).collect::<Vec<_>>();
    let before = places(&studio);
    for (grip, joint) in [(Grip::Origin, "lower"), (Grip::Insertion, "hand")] {
        studio.apply(Placing::Joint(0, grip, joint.into()));
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        assert_eq!(grip.attachment(&studio.muscles()[0]).unwrap().joint, joint);
        assert_eq!(grip.attachment(&studio.muscles()[1]).unwrap().joint, joint, "the twin follows");
        for (was, is) in before.iter().zip(places(&studio)) {
            assert!(farthest(was, &is) < 1e-6, "{grip:?}");
        }
    }
    studio.apply(Placing::Joint(0, Grip::Origin, "nobody".into()));
    assert!(studio.fault.as_ref().is_some_and(|fault| fault.to_string().contains("nobody")));
}

#[test]
fn a_curve_becomes_a_line_over_via_points_and_a_curve_again() {
    let mut studio = with(|_| {});
    studio.apply(Placing::Grip(0, Grip::Bend, Vec3::new(0.01, 0.0, 0.03)));
    let middle = belly(&studio, &studio.muscles()[0]);
    studio.apply(Placing::AddVia(0, 0));
    for m in [0, 1] {
        assert!(matches!(&studio.muscles()[m].path, Path::Polyline { via, .. } if via.len() == 1));
    }
    studio.apply(Placing::AddVia(0, 1));
    assert!(matches!(&studio.muscles()[0].path, Path::Polyline { via, .. } if via.len() == 2));
    studio.apply(Placing::Grip(0, Grip::Via(1), Vec3::new(0.03, 0.25, 0.01)));
    let muscles = studio.muscles();
    assert!(unlike(&studio, [&muscles[0], &muscles[1]]) < 1e-5);
    studio.apply(Placing::RemoveVia(0, 1));
    studio.apply(Placing::RemoveVia(0, 0));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert!(farthest(&belly(&studio, &studio.muscles()[0]), &middle) < 1e-5);
}

#[test]
fn curves_of_a_sheet_gain_and_lose_points_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_sheets(folder.path());
    let studio = studio_mut(&mut window);
    let counts = |studio: &Studio, m: usize| {
        let Path::Sheet { origin, middle, insertion, .. } = &studio.muscles()[m].path else { panic!("a sheet") };
        [origin.len(), middle.len(), insertion.len()]
    };
    let both_alike = |studio: &Studio| {
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let muscles = studio.muscles();
        counts(studio, 0) == counts(studio, 1) && unlike(studio, [&muscles[0], &muscles[1]]) < 1e-5
    };
    let before = belly(studio, &studio.muscles()[0]);
    assert!(both_alike(studio) && counts(studio, 0) == [3; 3]);
    for curve in [Curve::Origin, Curve::Middle, Curve::Insertion] {
        (0..2).for_each(|_| studio.apply(Placing::AddPoint(1, curve)));
    }
    assert!(both_alike(studio) && counts(studio, 0) == [5; 3], "{:?}", counts(studio, 0));
    assert!(farthest(&belly(studio, &studio.muscles()[0]), &before) < 1e-5, "new points lie on the curves");
    (0..9).for_each(|_| studio.apply(Placing::RemovePoint(0, Curve::Middle, 0)));
    assert!(both_alike(studio) && counts(studio, 0) == [5, 0, 5]);
    let straight = belly(studio, &studio.muscles()[0]);
    studio.apply(Placing::AddPoint(0, Curve::Middle));
    assert!(both_alike(studio) && counts(studio, 0) == [5; 3]);
    assert!(farthest(&belly(studio, &studio.muscles()[0]), &straight) < 1e-5, "as the bellies run without it");
    (0..20).for_each(|_| studio.apply(Placing::AddPoint(0, Curve::Origin)));
    (0..4).for_each(|_| studio.apply(Placing::RemovePoint(0, Curve::Insertion, 0)));
    assert_eq!(counts(studio, 1), [16, 5, 1]);
    studio.apply(Placing::AddPoint(1, Curve::Insertion));
    assert!(both_alike(studio) && counts(studio, 0) == [16, 5, 2]);
}

#[test]
fn the_other_side_is_made_or_made_equal() {
    let mut studio = with(|_| {});
    studio.apply(Look::Mirrored(false));
    studio.apply(Placing::Grip(0, Grip::Insertion, Vec3::new(0.03, 0.12, 0.02)));
    let weights = |studio: &Studio, m: u16| -> Vec<f32> {
        let of = &studio.document().musculature.weights[0];
        (0..of.len()).map(|v| of.of(v).filter(|(i, _)| *i == m).map(|(_, w)| w).sum()).collect()
    };
    let painted = weights(&studio, 1);
    assert!(unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]) > 0.01);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert!(unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]) < 1e-5);
    assert_eq!(studio.muscles().len(), 2);
    studio.apply(Look::Select(Some(1), false));
    studio.apply(Edit::Delete);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Placing::MirrorOver);
    assert_eq!(studio.muscles()[1].name, "biceps.r");
    assert!(unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]) < 1e-5);
    let now = weights(&studio, 1);
    // skin in the middle plane is painted for the left one alone, and so now for both
    let same = painted.iter().zip(&now).filter(|(a, b)| (*a - *b).abs() < 1e-4).count();
    assert!(same * 4 >= painted.len() * 3 - 1, "{same} of {} vertices", painted.len());
}

#[test]
fn names_joints_and_numbers_are_edited_in_the_inspector() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    click(&mut window, "biceps.l");
    let place = place_of(&window, 0, Grip::Insertion);
    click(&mut window, "Insertion joint");
    window.get_by_label("Find").focus();
    window.run_steps(1);
    window.get_by_label("Find").type_text("HAN");
    window.run_steps(2);
    assert!(window.query_by_label("upper").is_none(), "only what was looked for is shown");
    click(&mut window, "hand");
    assert_eq!(studio(&window).muscles()[0].insertion.joint, "hand");
    assert!(place_of(&window, 0, Grip::Insertion).distance(place) < 1e-6);
    window.get_by_label("Name").focus();
    window.run_steps(1);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    window.get_by_label("Name").type_text("flexor.l");
    window.run_steps(1);
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(studio(&window).muscles()[0].name, "flexor.l");
    assert_eq!(studio(&window).muscles()[1].name, "flexor.r");
    let at = window.get_by_label("Origin x").rect().center();
    let (before, revision) = (studio(&window).document().clone(), studio(&window).muscles()[0].origin.point.x);
    drag(&mut window, at, at + vec2(30.0, 0.0));
    let moved = studio(&window).muscles()[0].origin.point.x - revision;
    assert!(moved > 0.005, "{moved}");
    click(&mut window, "Undo");
    assert_eq!(studio(&window).document(), &before, "a drag is one step");
    click(&mut window, "Add via point");
    click(&mut window, "Remove via point 1");
    click(&mut window, "Duplicate");
    assert_eq!(studio(&window).muscles().len(), 4);
}

#[test]
fn points_are_told_and_taken_in_centimetres_of_the_body_though_joints_are_scaled() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on(folder.path(), &arm::written(&arm::in_centimetres()));
    click(&mut window, "Place");
    click(&mut window, "biceps.l");
    let before = place_of(&window, 0, Grip::Origin);
    let told = window.get_by_label("Origin x").accesskit_node().numeric_value().expect("a number");
    assert!((told - 2.5).abs() < 1e-4 && (before.x - 0.025).abs() < 1e-6, "{told} cm, {before} m");
    enter(&mut window, "Origin x", "3.5");
    assert!(place_of(&window, 0, Grip::Origin).distance(before + 0.01 * Vec3::X) < 1e-6, "a centimetre farther out");
    let (at, from) = (window.get_by_label("Insertion y").rect().center(), place_of(&window, 0, Grip::Insertion));
    drag(&mut window, at, at + vec2(30.0, 0.0));
    let moved = (place_of(&window, 0, Grip::Insertion) - from).y;
    assert!((0.005..0.03).contains(&moved), "{moved} m");
}

#[test]
fn looking_at_the_place_of_a_point_does_not_move_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Look::Select(Some(0), false));
    studio_now.apply(Placing::Grip(0, Grip::Origin, Vec3::new(0.025_123, 0.050_456, 0.000_789)));
    studio_now.apply(Look::Tool(Tool::Place));
    window.run_steps(20);
    let (before, steps) = (studio(&window).document().clone(), studio(&window).history.steps());
    for axis in ["Origin x", "Origin y", "Origin z"] {
        let at = window.get_by_label(axis).rect().center();
        click_at(&mut window, at, egui::PointerButton::Primary);
        window.run_steps(2);
        window.key_press(Key::Tab);
        window.run_steps(3);
    }
    assert_eq!((studio(&window).document(), studio(&window).history.steps()), (&before, steps));
}

/// The athlete, standing somewhere else.
fn moved(by: Affine3A) -> Studio {
    let athlete = athlete_with(3_700, |_| {}).unwrap();
    let (mut character, musculature) = (athlete.character, athlete.musculature);
    character.clips.clear();
    for joint in &mut character.skeleton.joints {
        joint.bind = by * joint.bind;
        if joint.parent.is_none() {
            let (scale, rotation, translation) = joint.bind.to_scale_rotation_translation();
            joint.rest = Transform { translation, rotation, scale };
        }
    }
    for mesh in &mut character.meshes {
        mesh.positions.iter_mut().for_each(|p| *p = by.transform_point3(*p));
        mesh.normals.iter_mut().for_each(|n| *n = by.transform_vector3(*n));
    }
    let (project, musculature) = Project::from_bytes("athlete.glb", &arm::written(&(character, musculature))).unwrap();
    Studio::new(project, musculature, None).unwrap()
}

fn named(studio: &Studio, name: &str) -> usize {
    studio.muscles().iter().position(|muscle| muscle.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// How far the bellies of twins are from being mirror images of a body that was moved, m.
fn unlike_by(studio: &Studio, by: Affine3A, stem: &str) -> f32 {
    let [left, right] =
        [".l", ".r"].map(|side| belly(studio, &studio.muscles()[named(studio, &format!("{stem}{side}"))]));
    let back = by.inverse();
    let image = |p: &Vec3| by.transform_point3(back.transform_point3(*p) * Vec3::new(-1.0, 1.0, 1.0));
    let images: Vec<Vec3> = right.iter().map(image).collect();
    let away = |p: &Vec3| images.iter().map(|image| image.distance(*p)).fold(f32::MAX, f32::min);
    left.iter().map(away).fold(0.0, f32::max)
}

#[test]
fn the_other_side_is_where_a_mirror_has_it_wherever_a_body_stands_and_looks() {
    let quarter = Affine3A::from_rotation_y(std::f32::consts::FRAC_PI_2);
    for by in [quarter, Affine3A::from_translation(Vec3::X), Affine3A::from_rotation_y(2.0)] {
        let mut studio = moved(by);
        let stem = studio.muscles()[0].name.strip_suffix(".l").expect("left muscles come first").to_owned();
        let m = named(&studio, &format!("{stem}.l"));
        let end = studio.muscles()[m].insertion.point + Vec3::new(0.02, -0.01, 0.015);
        studio.apply(Placing::Grip(m, Grip::Insertion, end));
        assert!(unlike_by(&studio, by, &stem) < 1e-3, "dragged, {by:?}: {}", unlike_by(&studio, by, &stem));
        studio.apply(Look::Mirrored(false));
        studio.apply(Placing::Grip(m, Grip::Insertion, end + Vec3::new(0.0, 0.02, 0.02)));
        assert!(unlike_by(&studio, by, &stem) > 0.005);
        studio.apply(Look::Choose([m].into()));
        studio.apply(Placing::MirrorOver);
        assert!(unlike_by(&studio, by, &stem) < 1e-4, "mirrored over, {by:?}: {}", unlike_by(&studio, by, &stem));
        studio.apply(Look::Mirrored(true));
        let skin = &studio.project.character.meshes[0];
        let spot = |place: Vec3| {
            let away = |corners: &[u32; 3]| {
                let middle = corners.iter().map(|&v| skin.positions[v as usize]).sum::<Vec3>() / 3.0;
                middle.distance(by.transform_point3(place))
            };
            let nearest = skin.triangles.iter().min_by(|a, b| away(a).total_cmp(&away(b))).unwrap();
            Spot { corners: nearest.map(|v| v as usize), shares: Vec3::splat(1.0 / 3.0) }
        };
        let spots = [spot(Vec3::new(0.1, 0.75, 0.1)), spot(Vec3::new(0.1, 0.4, 0.1))];
        studio.apply(Placing::Create(spots));
        assert!(studio.fault.is_none(), "{:?}", studio.fault);
        let made = *studio.chosen.first().unwrap();
        assert_eq!(studio.muscles()[made].name, "muscle_1.l", "by the side it lies on, {by:?}");
        assert!(unlike_by(&studio, by, "muscle_1") < 1e-4, "made, {by:?}: {}", unlike_by(&studio, by, "muscle_1"));
    }
}

#[test]
fn what_has_no_other_side_is_told_and_the_rest_is_mirrored_all_the_same() {
    let mut studio = with(|muscles| {
        let middle = Muscle { name: "middle".into(), ..muscles.muscles[0].clone() };
        muscles.muscles.push(middle);
        let of = &mut muscles.muscles[2];
        (of.origin.point.x, of.insertion.point.x) = (0.0, 0.0);
    });
    studio.apply(Look::Mirrored(false));
    studio.apply(Placing::Grip(0, Grip::Insertion, Vec3::new(0.03, 0.12, 0.02)));
    studio.apply(Look::Choose([0, 2].into()));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert!(unlike(&studio, [&studio.muscles()[0], &studio.muscles()[1]]) < 1e-5);
    assert!(studio.guessed.iter().any(|warning| warning.contains("middle")), "{:?}", studio.guessed);
    studio.apply(Look::Choose([2].into()));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.as_ref().is_some_and(|fault| fault.message.contains("no other side")), "alone it is refused");
}

#[test]
fn of_a_pair_that_is_chosen_either_side_may_be_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio_now = studio_mut(&mut window);
    studio_now.apply(Look::Mirrored(false));
    studio_now.apply(Placing::Grip(0, Grip::Insertion, Vec3::new(0.03, 0.12, 0.02)));
    studio_now.apply(Look::Tool(Tool::Place));
    let first = studio_now.muscles().to_vec();
    click(&mut window, "biceps");
    assert!(window.query_by_label("Mirror over").is_none());
    click(&mut window, "Right to left");
    assert_eq!(studio(&window).muscles()[1], first[1]);
    assert!(unlike(studio(&window), [&studio(&window).muscles()[0], &first[1]]) < 1e-5);
    click(&mut window, "Undo");
    click(&mut window, "Left to right");
    assert_eq!(studio(&window).muscles()[0], first[0]);
    assert!(unlike(studio(&window), [&first[0], &studio(&window).muscles()[1]]) < 1e-5);
}

#[test]
fn a_twin_that_is_made_is_named_wherever_its_model_is() {
    let mut studio = with(named_everywhere);
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Select(Some(1), false));
    studio.apply(Edit::Delete);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Placing::MirrorOver);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let mut layers = studio.document().musculature.layers.clone();
    assert_eq!(layers[0].muscles_mut().unwrap(), &["biceps.l", "biceps.r"]);
}

#[test]
fn with_the_last_keyed_muscle_its_clip_is_keyed_no_more() {
    let mut studio = with(named_everywhere);
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Delete);
    assert_eq!(studio.document().musculature.activation.curves, []);
}

#[test]
fn a_twin_keeps_its_carrier_where_the_new_one_has_no_twin() {
    let (mut character, musculature) = arm::arm();
    let mut hook = character.skeleton.joints[1].clone();
    hook.name = "hook".into();
    (hook.rest.translation.x, hook.bind.translation.x) = (0.2, 0.2);
    character.skeleton.joints.push(hook);
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::written(&(character, musculature))).unwrap();
    let mut studio = Studio::new(project, muscles, None).unwrap();
    studio.apply(Placing::Carrier(0, Some("lower".into())));
    studio.apply(Placing::Carrier(0, Some("hook".into())));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let carriers: Vec<_> = studio.muscles().iter().map(|muscle| muscle.carrier.as_deref()).collect();
    assert_eq!(carriers, [Some("hook"), Some("lower")]);
}

#[test]
fn a_pair_on_one_line_is_named_placed_and_painted_as_the_one_that_leads_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    click(&mut window, "biceps");
    assert_eq!(studio(&window).chosen.len(), 2);
    assert!(window.query_by_label("Name").is_some() && window.query_by_label("Origin x").is_some());
    assert_eq!(studio(&window).painted(), Some(Target::Muscle(0)));
    studio_mut(&mut window).apply(Look::Mirrored(false));
    window.run_steps(2);
    assert!(window.query_by_label("Name").is_none() && studio(&window).painted().is_none(), "each for itself");
}

#[test]
fn a_via_point_is_added_between_any_two_points_and_an_end_goes_to_the_skin() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    click(&mut window, "biceps.l");
    click(&mut window, "Add via point");
    let via = |window: &crate::window::Window| match &studio(window).muscles()[0].path {
        Path::Polyline { via, .. } => via.clone(),
        _ => panic!("a polyline"),
    };
    let first = via(&window);
    click(&mut window, "Add before via point 1");
    assert_eq!(via(&window)[1..], first[..], "the new one stands before it");
    click(&mut window, "Origin to the skin");
    for m in [0, 1] {
        let out = studio(&window).muscles()[m].origin.point.with_y(0.0).length();
        assert!((0.046..0.051).contains(&out), "{out} m from the axis of an arm of 5 cm, 8 corners");
    }
}

#[test]
fn what_was_looked_for_in_a_list_of_joints_is_forgotten_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    click(&mut window, "biceps.l");
    click(&mut window, "Insertion joint");
    window.get_by_label("Find").focus();
    window.run_steps(1);
    window.get_by_label("Find").type_text("HAN");
    window.run_steps(2);
    assert!(window.query_by_label("upper").is_none());
    let beside = crate::window::view(&window).left_bottom() + vec2(30.0, -30.0);
    click_at(&mut window, beside, egui::PointerButton::Primary);
    window.run_steps(2);
    click(&mut window, "Origin joint");
    assert!(window.query_by_label("upper").is_some(), "all of them are there");
}
