//! Bellies are sculpted: in the view, on both sides, and seen in the skin.

use crate::window::{Window, click, drag, drawn, look, on_arm, seen, studio, studio_mut};
use fusiform::body::rest_bellies;
use fusiform_studio::app::Begin;
use fusiform_studio::model::kernels::{MOST, carve};
use fusiform_studio::model::{Action, Brush, Carve, Look, Play, Project, Show, Tool};
use glam::Vec3;
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
    window.hover_at(at);
    window.run_steps(1);
    window.drag_at(at);
    window.run_steps(1);
    window.drop_at(at);
    window.run_steps(2);
    assert!(studio(&window).muscles().iter().all(|muscle| muscle.sculpt.is_none()));
    assert_eq!(studio(&window).chosen.len(), 1);
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
    drag(&mut window, from, to);
    look(&mut window, "sculpt_after");
}
