//! What people changed stays as muscles are fitted again: by a turned plane, and by another fit of the whole body.

use crate::fitting::{arm, athlete, fitted};
use crate::window::{cut, fitted as wait};
use fusiform::Muscle;
use fusiform::character::Interpolation;
use fusiform::musculature::{BoneShape, Driver, Layer, MuscleTrack, Signal};
use fusiform_fit::Preset;
use fusiform_studio::model::{
    Anatomy, CHOICES, Carve, Carved, DIALS, Edit, Fit, Grip, Look, Part, Placing, Recipe, Studio,
};
use glam::{Quat, Vec3};

/// Turned by a dial of that heading and name.
fn turn(studio: &mut Studio, (group, label): (&str, &str), times: f32) {
    let dial = DIALS.iter().position(|dial| dial.group == group && dial.label == label).unwrap();
    let now = DIALS[dial].of(&studio.muscles()[0]).unwrap();
    studio.apply(Edit::Dial(dial, times * now));
    assert_eq!(DIALS[dial].of(&studio.muscles()[0]), Some(times * now), "{label}");
}

fn number(muscle: &Muscle, label: &str) -> f32 {
    DIALS.iter().find(|dial| dial.label == label).unwrap().of(muscle).unwrap()
}

#[test]
fn what_a_hand_changed_stays_when_the_plane_is_turned_a_little_and_comes_back_with_it() {
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Pratscher);
    let flesh = cut(&mut studio);
    let fitted_alone = studio.document().clone();
    studio.apply(Look::Select(Some(0), false));
    let sectors = usize::from(studio.muscles()[0].sectors);
    let point = (6 * sectors + 1) as u32;
    let carved = Carved { muscle: 0, shape: None, mode: Carve::Pull, passes: vec![vec![(point, 0.5)]] };
    studio.apply(Edit::Sculpt(carved));
    turn(&mut studio, ("Path", "Insertion tendon"), 1.3);
    let (ends, up) = (studio.muscles()[0].insertion.point, studio.muscles()[0].up.unwrap());
    studio.apply(Placing::Grip(0, Grip::Insertion, ends + Vec3::new(0.0, 0.0, 0.01)));
    studio.apply(Placing::Grip(0, Grip::Up, Quat::from_rotation_y(0.3) * up));
    let by_hand = studio.muscles()[0].clone();
    studio.apply(Edit::TurnPlane("upper".into(), Some(flesh.bones()[0].found + 0.5)));
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    let turned = studio.muscles()[0].clone();
    assert!(turned != by_hand, "it is fitted anew");
    let factor = |muscle: &Muscle| muscle.sculpt.as_ref().unwrap().factors[point as usize];
    assert!(factor(&by_hand) > factor(&fitted_alone.muscles()[0]) + 0.4);
    assert!((factor(&turned) / factor(&by_hand) - 1.0).abs() < 0.1, "{} {}", factor(&turned), factor(&by_hand));
    let tendon = |muscle: &Muscle| number(muscle, "Insertion tendon");
    assert!((tendon(&turned) / tendon(&by_hand) - 1.0).abs() < 0.02, "{} {}", tendon(&turned), tendon(&by_hand));
    assert!(turned.insertion.point.distance(by_hand.insertion.point) < 1e-3);
    // by as much as the plane was, and what corners of the skin make of it
    assert!(turned.up.unwrap().angle_between(by_hand.up.unwrap()) < 0.1);
    studio.apply(Edit::TurnPlane("upper".into(), None));
    let back = &studio.muscles()[0];
    assert!((factor(back) - factor(&by_hand)).abs() < 1e-4 && (tendon(back) - tendon(&by_hand)).abs() < 1e-5);
    assert!(back.insertion.point.distance(by_hand.insertion.point) < 1e-5);
    assert!(back.up.unwrap().distance(by_hand.up.unwrap()) < 1e-4);
    assert_eq!(studio.muscles()[1], fitted_alone.muscles()[1], "nobody changed the other");
}

#[test]
fn bends_kinds_and_a_sculpt_that_was_taken_away_stay_with_a_turned_plane() {
    let mut studio = arm();
    fitted(&mut studio, Anatomy::Pairs, Preset::Lee);
    cut(&mut studio);
    studio.apply(Look::Select(Some(0), false));
    turn(&mut studio, ("Path", "Held"), 0.5);
    let choice = |label: &str| CHOICES.iter().position(|of| of.label == label).unwrap();
    studio.apply(Edit::Choose(choice("Ring spacing"), 0));
    let bend = studio.muscles()[0].clone();
    let value = Grip::Bend.value(&bend).unwrap();
    studio.apply(Placing::Grip(0, Grip::Bend, value + Vec3::new(0.0, 0.01, 0.0)));
    let n = usize::from(bend.rings) * usize::from(bend.sectors);
    let passes = vec![(0..n as u32).map(|point| (point, 1.0)).collect()];
    studio.apply(Edit::Sculpt(Carved { muscle: 0, shape: None, mode: Carve::Reset, passes }));
    let by_hand = studio.muscles()[0].clone();
    assert!(by_hand.sculpt.is_none());
    studio.apply(Edit::TurnPlane("upper".into(), Some(studio.fit.flesh().unwrap().bones()[0].found + 0.5)));
    let turned = studio.muscles()[0].clone();
    assert!(turned.sculpt.is_none());
    assert_eq!(number(&turned, "Held"), number(&by_hand, "Held"));
    let spacing = CHOICES[choice("Ring spacing")];
    assert_eq!(spacing.of(&turned), spacing.of(&by_hand));
    let [now, then] = [&turned, &by_hand].map(|muscle| Grip::Bend.value(muscle).unwrap());
    assert!(now.distance(then) < 2e-3, "{now} {then}");
}

fn keys(muscle: &str) -> MuscleTrack {
    let (times, values) = (vec![0.0, 0.5], vec![0.0, 1.0]);
    MuscleTrack { muscle: muscle.into(), times, values, interpolation: Interpolation::Linear }
}

#[test]
fn what_is_keyed_and_how_skin_follows_outlive_another_fit() {
    let mut studio = arm();
    studio.apply(Edit::Part(Part::Keys("bend".into(), vec![keys("biceps.l")])));
    fitted(&mut studio, Anatomy::Pairs, Preset::Lee);
    assert!(studio.document().musculature.activation.curves.is_empty());
    let told = studio.guessed.join("; ");
    assert!(told.contains("what tensed biceps.l, biceps.r went with those muscles"), "{told}");
    assert!(studio.fit.report.as_ref().unwrap().warnings.iter().any(|told| told.contains("biceps.l")));
    let remap = vec![[0.0, 0.0], [90.0, 1.0]];
    let signal = Signal::JointAngle { joint: "lower".into(), axis: None };
    let driver = Driver { muscles: vec!["upper.flexor".into()], signal, remap };
    let changes = [
        Part::Keys("bend".into(), vec![keys("upper.flexor"), keys("upper.extensor")]),
        Part::Tension(0.1),
        Part::AddDriver(driver),
        Part::Layers(vec![Layer::Blend { nearest: 2 }, Layer::displace()]),
    ];
    changes.into_iter().for_each(|part| studio.apply(Edit::Part(part)));
    let before = studio.document().musculature.clone();
    assert_eq!(before.activation.curves[0].tracks.len(), 2);
    studio.guessed.clear();
    studio.apply(Fit::Recipe(Recipe { fat: Some(0.003), ..studio.fit.recipe.clone() }));
    fitted(&mut studio, Anatomy::Pairs, Preset::Lee);
    let after = &studio.document().musculature;
    assert!(after.muscles != before.muscles, "they are fitted anew");
    assert_eq!((&after.activation, &after.layers), (&before.activation, &before.layers));
    assert!(studio.guessed.is_empty(), "{:?}", studio.guessed);
    fitted(&mut studio, Anatomy::Pairs, Preset::Ramos);
    assert_eq!(studio.document().musculature.layers, Preset::Ramos.layers());
    let told = studio.guessed.join("; ");
    assert!(told.contains("those of ramos take their place"), "{told}");
}

#[test]
fn bones_and_drivers_of_a_template_stay_as_they_were_changed_where_the_body_is_fitted_in_the_same_way() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Humanoid, Preset::Saam);
    let made = studio.document().musculature.clone();
    let mut driver = made.activation.drivers[0].clone();
    driver.remap[0][1] = 0.5;
    studio.apply(Look::Mirrored(false));
    studio.apply(Edit::Part(Part::RemoveDriver(1)));
    studio.apply(Edit::Part(Part::Driver(0, driver)));
    let mut changed = made.bones[1].clone();
    match &mut changed.shape {
        BoneShape::Capsule { radii, .. } => radii[0] *= 1.5,
        BoneShape::Ellipsoid { half_axes, .. } => *half_axes *= 1.5,
        other => panic!("{other:?}"),
    }
    studio.apply(Edit::Part(Part::Bone(1, changed)));
    let before = studio.document().musculature.clone();
    assert!(before.bones != made.bones && before.activation != made.activation);
    fitted(&mut studio, Anatomy::Humanoid, Preset::Saam);
    let after = studio.document().musculature.clone();
    assert_eq!((&after.bones, &after.activation), (&before.bones, &before.activation));
    studio.apply(Fit::Recipe(Recipe { fat: Some(0.01), ..studio.fit.recipe.clone() }));
    fitted(&mut studio, Anatomy::Humanoid, Preset::Saam);
    let after = studio.document().musculature.clone();
    assert!(after.bones[1] != before.bones[1], "under thicker fat bones lie elsewhere");
    assert_eq!(after.activation, before.activation);
}

#[test]
fn a_body_without_the_bones_of_a_template_keeps_the_muscles_it_has() {
    let mut studio = arm();
    let before = studio.document().clone();
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::Humanoid, ..Recipe::default() }));
    studio.apply(Fit::Run);
    wait(&mut studio);
    let fault = studio.fault.take().expect("a fault").to_string();
    assert!(
        fault.contains("no muscle of humanoid can be placed") && fault.contains("choose the template pairs"),
        "{fault}"
    );
    assert_eq!(studio.document(), &before);
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::File("".into()), ..Recipe::default() }));
    studio.apply(Fit::Run);
    wait(&mut studio);
    let fault = studio.fault.take().expect("a fault").to_string();
    assert!(fault.contains("no file is named"), "{fault}");
}
