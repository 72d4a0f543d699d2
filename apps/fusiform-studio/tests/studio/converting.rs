//! Muscles that become another kind: what both kinds know stays.

use crate::arm;
use crate::dialing::{arm_studio, leaves_of};
use fusiform::Muscle;
use fusiform::body::rest_bellies;
use fusiform::musculature::{Path, Profile, Sculpt, Sigmoids};
use fusiform_studio::model::{Action, CHOICES, DIALS, Edit, Grip, Look, Placing, Project, Studio};
use glam::Vec3;
use serde_json::Value;

/// Dented all over.
pub fn sculpted(muscle: &Muscle) -> Muscle {
    let n = usize::from(muscle.rings) * usize::from(muscle.sectors);
    let factors = (0..n).map(|i| 1.0 + 0.02 * (i % 11) as f32).collect();
    Muscle { sculpt: Some(Sculpt { factors }), ..muscle.clone() }
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

fn choose(studio: &mut Studio, label: &str, option: usize) {
    let choice = CHOICES.iter().position(|choice| choice.label == label).unwrap();
    studio.apply(Edit::Choose(choice, option));
    assert!(studio.fault.is_none(), "{label} {option}: {:?}", studio.fault);
}

/// Shapes of every kind that are not as a new one is.
fn shapes() -> [Profile; 5] {
    let shape = Sigmoids {
        origin: [1.5, 5.0, 0.018, 0.001],
        insertion: [3.0, 8.0, 0.02, 0.002],
        ..Sigmoids::spindle(0.02, 0.8)
    };
    [
        Profile::Sine { size: 0.015, taper: 2.5, aspect: 0.7 },
        Profile::Ellipsoid { width: 0.015, height: 0.01 },
        Profile::TwoCubics { peak_at: 0.3, peak: 0.015, ends: [0.004, 0.006], slopes: [0.02, -0.05], ellipse: 1.4 },
        Profile::Sigmoid { shape, flat: true },
        Profile::Sigmoid { shape, flat: false },
    ]
}

fn numbers(profile: &Profile) -> Vec<f64> {
    leaves_of(profile).values().filter_map(Value::as_f64).collect()
}

#[test]
fn a_sheet_has_the_profile_of_the_line_it_was_and_gives_it_back() {
    for profile in shapes() {
        let (project, mut muscles) = Project::from_bytes("arm.glb", &arm::glb()).unwrap();
        muscles.muscles.iter_mut().for_each(|muscle| muscle.profile = profile.clone());
        let mut studio = Studio::new(project, muscles, None).unwrap();
        studio.apply(Look::Select(Some(0), false));
        choose(&mut studio, "Kind of path", 2);
        match (&profile, &studio.muscles()[0].profile) {
            (Profile::Sine { taper: was, .. }, Profile::Sine { taper, .. }) => assert_eq!(was, taper),
            (Profile::TwoCubics { peak_at: was, .. }, Profile::TwoCubics { peak_at, .. }) => assert_eq!(was, peak_at),
            (Profile::Sigmoid { shape: was, .. }, Profile::Sigmoid { shape, .. }) => {
                assert_eq!((&was.origin[..2], &was.insertion[..2]), (&shape.origin[..2], &shape.insertion[..2]));
            }
            (Profile::Ellipsoid { height: was, .. }, Profile::Ellipsoid { height, .. }) => assert_eq!(was, height),
            (was, is) => panic!("{was:?} and {is:?}"),
        }
        choose(&mut studio, "Kind of path", 1);
        let now = &studio.muscles()[0].profile;
        let apart = numbers(&profile).into_iter().zip(numbers(now)).map(|(was, is)| (was - is).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-5, "{profile:?}\n{now:?}");
    }
}

#[test]
fn a_line_becomes_the_same_curve_whichever_way_it_does() {
    let begin = || {
        let mut studio = arm_studio();
        studio.apply(Look::Select(Some(0), false));
        studio.apply(Placing::Grip(0, Grip::Up, Vec3::new(0.5, 0.1, 0.9)));
        studio.apply(Placing::Grip(0, Grip::Bend, Vec3::new(0.01, 0.02, 0.03)));
        studio.apply(Placing::AddVia(0, 0));
        studio
    };
    let curve = |studio: &Studio, m: usize| match studio.muscles()[m].path {
        Path::Bezier { offset, held, spacing } => (offset, held, spacing),
        _ => panic!("a curve"),
    };
    let [mut by_point, mut by_kind] = [begin(), begin()];
    by_point.apply(Placing::RemoveVia(0, 0));
    choose(&mut by_kind, "Kind of path", 0);
    for m in [0, 1] {
        let ((a, held, spacing), (b, other_held, other_spacing)) = (curve(&by_point, m), curve(&by_kind, m));
        assert_eq!((held, spacing), (other_held, other_spacing));
        assert!(a.distance(b) < 1e-5, "{a} and {b}");
    }
    assert!(curve(&by_point, 0).0.distance(Vec3::new(0.01, 0.02, 0.03)) < 1e-5);
    // what would turn the order of rings round is held between the ends
    let mut studio = begin();
    studio.apply(Placing::Grip(0, Grip::Via(0), Vec3::new(0.03, 0.39, 0.0)));
    choose(&mut studio, "Kind of path", 0);
    let chord = studio.live.muscled().0.rest_lengths()[0];
    assert!(curve(&studio, 0).0.x <= 0.4 * chord + 1e-6, "{} over {chord}", curve(&studio, 0).0);
}

#[test]
fn another_grid_keeps_what_was_sculpted() {
    let mut studio = arm_studio();
    studio.apply(Look::Select(Some(0), false));
    let mut document = studio.document().musculature.muscles[0].clone();
    let factors = (0..72).map(|i| 1.0 + 0.1 * (i / 8) as f32).collect();
    document.sculpt = Some(Sculpt { factors });
    let rings = DIALS.iter().find(|dial| dial.label == "Rings").unwrap();
    let sectors = DIALS.iter().find(|dial| dial.label == "Sectors").unwrap();
    rings.turn(&mut document, 17.0);
    sectors.turn(&mut document, 12.0);
    let factors = &document.sculpt.as_ref().unwrap().factors;
    assert_eq!(factors.len(), 17 * 12);
    assert!((factors[8 * 12 + 5] - 1.4).abs() < 1e-5 && (factors[16 * 12] - 1.8).abs() < 1e-5);
}
