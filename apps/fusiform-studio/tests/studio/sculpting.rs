//! Bellies are sculpted: in the view, on both sides, and seen in the skin.

use crate::arm;
use crate::painting::{athlete_at, places};
use crate::window::{Window, click, drag, drawn, look, on_arm, press, seen, studio, studio_mut, view};
use fusiform::Muscle;
use fusiform::body::rest_bellies;
use fusiform::musculature::{Attachment, Contraction, PoseShape};
use fusiform_files::gltf::{Gltf, Scene};
use fusiform_studio::app::Begin;
use fusiform_studio::model::kernels::{MOST, carve};
use fusiform_studio::model::{
    Action, Brush, CHOICES, Carve, Carving, Edit, Look, Play, Project, Show, Studio, Tool, belly, carving_hindrance,
    shape_seen,
};
use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use std::path::Path;

const SECTORS: usize = 8;

proptest! {
    #[test]
    fn factors_stay_legal_and_smoothing_never_overshoots(
        before in prop::collection::vec(0.0_f32..3.0, 5 * SECTORS),
        touched in prop::collection::vec((0_u32..50, -1.0_f32..2.0), 0..20),
        mode in 0_usize..4,
    ) {
        let mut factors = before.clone();
        carve(&mut factors, SECTORS, Carve::ALL[mode].0, &touched);
        prop_assert!(factors.iter().all(|f| (0.0..=MOST).contains(f)));
        let (low, high) = before.iter().fold((f32::MAX, f32::MIN), |(l, h), f| (l.min(*f), h.max(*f)));
        if Carve::ALL[mode].0 == Carve::Smooth {
            prop_assert!(factors.iter().all(|f| *f >= low - 1e-6 && *f <= high + 1e-6));
        }
        for (point, factor) in factors.iter().enumerate() {
            let left_alone = touched.iter().all(|(p, amount)| *p as usize != point || *amount <= 0.0);
            prop_assert!(!left_alone || *factor == before[point], "only what is touched changes");
        }
    }

    #[test]
    fn resetting_wholly_leads_to_the_profile(before in prop::collection::vec(0.0_f32..3.0, 3 * SECTORS)) {
        let mut factors = before;
        let all: Vec<(u32, f32)> = (0..factors.len() as u32).map(|point| (point, 1.0)).collect();
        carve(&mut factors, SECTORS, Carve::Reset, &all);
        prop_assert!(factors.iter().all(|f| *f == 1.0));
    }
}

fn sculpting(folder: &Path) -> Window {
    let mut window = on_arm(folder);
    let studio = studio_mut(&mut window);
    studio.apply(Look::Tool(Tool::Sculpt));
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Look::Brush(Brush { radius: 0.06, strength: 0.5, ..studio.brush }));
    window.run_steps(2);
    window
}

fn stroke(window: &mut Window) {
    let [from, to] = [0.15, 0.25].map(|y| seen(window, Vec3::new(0.025, y, 0.0)));
    drag(window, from, to);
}

#[test]
fn a_stroke_pulls_out_the_belly_and_its_twin_and_the_skin_and_undo_is_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = sculpting(folder.path());
    assert_eq!(studio(&window).show, Show::Both, "one sees what one sculpts");
    studio_mut(&mut window).apply(Play::Clip(Some(0)));
    studio_mut(&mut window).apply(Play::Seek(0.2));
    window.run_steps(2);
    let (first, skin) = (studio(&window).document().clone(), studio(&window).live.muscled().1.positions().to_vec());
    stroke(&mut window);
    let sculpted = studio(&window);
    let factors = |m: usize| sculpted.muscles()[m].sculpt.as_ref().expect("it is sculpted").factors.clone();
    let most = factors(0).into_iter().fold(0.0, f32::max);
    assert!(most > 1.2 && most <= 1.5, "by no more than the strength: {most}");
    assert!(factors(0).contains(&1.0), "what is turned away stays");
    let moved =
        sculpted.live.muscled().1.positions().iter().zip(&skin).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved > 1e-5, "the skin follows at once: {moved} m");
    // as in a mirror, though sectors run the other way round
    let bellies = rest_bellies(&sculpted.project.character.skeleton, sculpted.muscles()).unwrap();
    for point in &bellies[0].points {
        let image = point.with_x(-point.x);
        let apart = bellies[1].points.iter().map(|other| other.distance(image)).fold(f32::MAX, f32::min);
        assert!(apart < 1e-5, "{apart} m");
    }
    studio_mut(&mut window).apply(Action::Undo);
    assert_eq!(studio(&window).document(), &first);
    assert_eq!(studio(&window).history.undo_label(), None, "a stroke is one step");
}

#[test]
fn pressing_evening_out_and_going_back_to_the_profile() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = sculpting(folder.path());
    studio_mut(&mut window).apply(Look::Mirrored(false));
    click(&mut window, "Press in");
    stroke(&mut window);
    let lowest = |window: &Window| {
        let sculpt = studio(window).muscles()[0].sculpt.clone();
        sculpt.map_or(1.0, |sculpt| sculpt.factors.into_iter().fold(f32::MAX, f32::min))
    };
    let pressed = lowest(&window);
    assert!((0.5..0.9).contains(&pressed), "{pressed}");
    assert!(studio(&window).muscles()[1].sculpt.is_none(), "the other side stays");
    click(&mut window, "Even out");
    stroke(&mut window);
    assert!(lowest(&window) > pressed);
    click(&mut window, "Back to profile");
    let brush = Brush {
        radius: 0.18,
        strength: 1.0,
        falloff: fusiform_studio::model::Falloff::Constant,
        ..studio(&window).brush
    };
    studio_mut(&mut window).apply(Look::Brush(brush));
    stroke(&mut window);
    assert!(
        studio(&window).muscles()[0].sculpt.is_none(),
        "nothing is left of it: {:?}",
        studio(&window).muscles()[0].sculpt
    );
    click(&mut window, "File");
    click(&mut window, "Save");
    let (_, muscles) = Project::open(&folder.path().join("arm.glb")).unwrap();
    assert_eq!(muscles, studio(&window).document().musculature);
}

#[test]
fn a_muscle_that_is_not_chosen_is_chosen_by_a_click_and_not_sculpted() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = sculpting(folder.path());
    studio_mut(&mut window).apply(Look::Select(None, false));
    let at = seen(&window, Vec3::new(0.025, 0.2, 0.0));
    press(&mut window, at);
    assert!(studio(&window).muscles().iter().all(|muscle| muscle.sculpt.is_none()));
    assert_eq!(studio(&window).chosen.len(), 1);
}

/// In a pose, with shapes that begin with it.
fn in_a_pose() -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
    let mut studio = Studio::new(project, muscles, None).unwrap();
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Play::Clip(Some(0)));
    studio.apply(Play::Seek(0.25));
    let kind = CHOICES.iter().position(|choice| choice.label == "Kind of contraction").unwrap();
    studio.apply(Edit::Choose(kind, 2));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    studio
}

fn shapes(studio: &Studio, m: usize) -> Vec<PoseShape> {
    let Contraction::PoseShapes { shapes, .. } = &studio.muscles()[m].contraction else { return Vec::new() };
    shapes.clone()
}

#[test]
fn what_is_sculpted_in_the_pose_of_a_shape_is_that_shape() {
    let mut studio = in_a_pose();
    let seen = |studio: &Studio| shape_seen(&studio.project.character.skeleton, &studio.live, &studio.muscles()[0]);
    assert_eq!(seen(&studio), Some(0), "it begins with the pose that is seen");
    let (before, (places, ..)) = (shapes(&studio, 0), belly(&studio, 0));
    studio.apply(Look::Brush(Brush { radius: 0.06, strength: 0.5, ..studio.brush }));
    let mut carving = Carving::begin(&studio, 0, Carve::Pull).unwrap();
    carving.dab(&studio, places[4 * SECTORS]);
    studio.apply(carving.take().unwrap());
    assert!(studio.muscles()[0].sculpt.is_none(), "the shape at bind stays");
    assert_eq!(shapes(&studio, 0)[0].turns, before[0].turns);
    for m in [0, 1] {
        let most = shapes(&studio, m)[0].sculpt.factors.iter().copied().fold(0.0, f32::max);
        assert!(most > 1.2, "muscle {m}: {most}");
    }
    let moved = belly(&studio, 0).0.iter().zip(&places).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved > 1e-3, "it is seen: {moved} m");
    studio.apply(Play::Seek(0.1));
    assert_eq!(seen(&studio), None);
}

#[test]
fn between_poses_nothing_is_sculpted_and_a_pose_is_gone_back_to() {
    let mut studio = in_a_pose();
    let seen = |studio: &Studio| shape_seen(&studio.project.character.skeleton, &studio.live, &studio.muscles()[0]);
    let sculpted = |studio: &Studio| Carving::begin(studio, 0, Carve::Pull).is_some();
    studio.apply(Play::Seek(0.1));
    assert!(!sculpted(&studio), "that would go into the shape at bind, unseen");
    assert!(carving_hindrance(&studio, 0).is_some_and(|why| why.contains("none of its shapes")));
    let before = studio.live.model_from_joint().to_vec();
    studio.apply(Edit::GoToShape(Some(0)));
    assert!(sculpted(&studio) && seen(&studio) == Some(0), "whatever the clip has there");
    let (step, turned) = (studio.history.steps(), studio.document().turned.clone());
    studio.apply(Edit::GoToShape(Some(0)));
    studio.apply(Edit::GoToShape(Some(7)));
    assert_eq!((studio.history.steps(), studio.document().turned.clone()), (step, turned), "it is there already");
    studio.apply(Edit::Turn(1, glam::Quat::from_rotation_x(0.4)));
    assert!(!sculpted(&studio));
    studio.apply(Edit::GoToShape(None));
    assert!(sculpted(&studio) && seen(&studio).is_none(), "as at bind");
    (0..3).for_each(|_| studio.apply(Action::Undo));
    assert_eq!(studio.live.model_from_joint(), before);
}

#[test]
fn a_shape_goes_from_both_sides_only_where_both_have_it() {
    let mut studio = in_a_pose();
    studio.apply(Look::Mirrored(false));
    studio.apply(Look::Select(Some(1), false));
    studio.apply(Play::Seek(0.4));
    studio.apply(Edit::AddShape);
    studio.apply(Edit::RemoveShape(0));
    assert_eq!((shapes(&studio, 0).len(), shapes(&studio, 1).len()), (1, 1));
    studio.apply(Look::Mirrored(true));
    studio.apply(Edit::RemoveShape(0));
    assert_eq!((shapes(&studio, 0).len(), shapes(&studio, 1).len()), (1, 0), "the other side has another");
    let mut studio = in_a_pose();
    studio.apply(Edit::RemoveShape(0));
    assert_eq!((shapes(&studio, 0).len(), shapes(&studio, 1).len()), (0, 0));
}

#[test]
fn a_belly_of_a_body_that_stands_anywhere_is_sculpted_with_its_twin() {
    for place in places() {
        let mut studio = athlete_at(place);
        let named = |name: &str| studio.muscles().iter().position(|muscle| muscle.name == name).unwrap();
        let [left, right] = ["biceps_brachii_long.l", "biceps_brachii_long.r"].map(named);
        let at = belly(&studio, left).0[5 * usize::from(studio.muscles()[left].sectors) + 1];
        studio.apply(Look::Brush(Brush { radius: 0.03, strength: 1.0, ..studio.brush }));
        let before = apart(&studio, place, [left, right]);
        let mut carving = Carving::begin(&studio, left, Carve::Pull).unwrap();
        carving.dab(&studio, at);
        let first = studio.muscles().to_vec();
        studio.apply(carving.take().unwrap());
        assert!([left, right].iter().all(|&m| studio.muscles()[m] != first[m]), "both are sculpted");
        let after = apart(&studio, place, [left, right]);
        assert!(after < before + 1e-4, "{before} m before, {after} m after, at {place:?}");
    }
}

/// How far at most a point of the first belly is from the image of a point of the second, m; at the origin left is x.
fn apart(studio: &Studio, place: Affine3A, [one, other]: [usize; 2]) -> f32 {
    let bellies = rest_bellies(&studio.project.character.skeleton, studio.muscles()).unwrap();
    let home = |p: &Vec3| place.inverse().transform_point3(*p);
    let images: Vec<Vec3> = bellies[other].points.iter().map(|p| home(p) * Vec3::new(-1.0, 1.0, 1.0)).collect();
    let nearest = |p: Vec3| images.iter().map(|image| image.distance(p)).fold(f32::MAX, f32::min);
    bellies[one].points.iter().map(|p| nearest(home(p))).fold(0.0, f32::max)
}

#[test]
fn a_belly_in_the_middle_is_mirrored_onto_itself_while_the_other_side_follows() {
    let Scene { character, musculature, .. } =
        Scene::read(&Gltf::read(&arm::glb(), |_| Err(String::new())).unwrap()).unwrap();
    let mut musculature = musculature.unwrap();
    let end = |joint: &str, y: f32| Attachment { joint: joint.into(), point: Vec3::new(0.0, y, 0.01) };
    let (origin, insertion) = (end("upper", 0.05), end("lower", 0.08));
    musculature.muscles.push(Muscle { name: "middle".into(), origin, insertion, ..Muscle::default() });
    let glb = arm::written(&(character, musculature));
    for mirrored in [true, false] {
        let (project, muscles) = Project::from_bytes("arm.glb", &glb).unwrap();
        let mut studio = Studio::new(project, muscles, None).unwrap();
        studio.apply(Look::Mirrored(mirrored));
        studio.apply(Look::Brush(Brush { radius: 0.03, strength: 0.5, ..studio.brush }));
        let (places, ..) = belly(&studio, 2);
        let side = |p: &Vec3| p.x - (p.y - 0.2).abs();
        let at = places.iter().copied().max_by(|a, b| side(a).total_cmp(&side(b))).unwrap();
        let mut carving = Carving::begin(&studio, 2, Carve::Pull).unwrap();
        carving.dab(&studio, at);
        carving.dab(&studio, at); // strokes across the middle are not counted twice
        studio.apply(carving.take().unwrap());
        let sculpt = studio.muscles()[2].sculpt.clone().expect("it is sculpted").factors;
        assert!(sculpt.iter().all(|factor| *factor <= 1.5) && sculpt.iter().any(|factor| *factor > 1.3), "{sculpt:?}");
        let apart = apart(&studio, Affine3A::IDENTITY, [2, 2]);
        assert_eq!(apart < 1e-5, mirrored, "{apart} m");
    }
}

#[test]
fn a_sculpted_belly_is_seen_through_the_skin() {
    let Some(mut window) = drawn(Begin::Athlete(Some(6_000)), "sculpting the athlete") else { return };
    let m = studio(&window).muscles().iter().position(|muscle| muscle.name.contains("biceps")).expect("a biceps");
    let studio = studio_mut(&mut window);
    studio.apply(Look::Tool(Tool::Sculpt));
    studio.apply(Look::Select(Some(m), false));
    studio.apply(Look::Brush(Brush { radius: 0.05, strength: 1.0, ..studio.brush }));
    let bellies = rest_bellies(&studio.project.character.skeleton, studio.muscles()).unwrap();
    let [a, b] = [0.4, 0.6].map(|t| bellies[m].rings[(t * bellies[m].rings.len() as f32) as usize].center);
    let session = window.state_mut().session_mut().unwrap();
    session.viewport.frame(&session.studio);
    window.run_steps(2);
    let [from, to] = [a, b].map(|p| seen(&window, p));
    window.hover_at(from);
    window.run_steps(2);
    look(&mut window, "sculpt_before");
    let before = picture_of(&mut window);
    drag(&mut window, from, to);
    look(&mut window, "sculpt_after");
    let after = picture_of(&mut window);
    let differ = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert!(differ > 100, "the thicker belly is seen: {differ} pixels differ");
}

/// The view without the mouse over it, pixel by pixel.
fn picture_of(window: &mut Window) -> Vec<[u8; 4]> {
    window.remove_cursor();
    window.run_steps(2);
    let (view, picture) = (view(window), window.render().expect("a window with pictures"));
    let [left, right, top, bottom] = [view.left(), view.right(), view.top(), view.bottom()].map(|at| at as u32);
    (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))).map(|(x, y)| picture.get_pixel(x, y).0).collect()
}
