//! Muscles are hung on other joints, led over via points, named, copied and mirrored.

use crate::placing::{belly, bend, farthest, place_of, settle, skin, unlike, with};
use crate::window::{click, drag, on_arm, studio};
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, Driver, Layer, MuscleTrack, Path, Signal};
use fusiform::{Muscle, Musculature};
use fusiform_studio::model::{Action, Edit, Grip, Look, Placing, Play, Studio};
use glam::Vec3;

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
