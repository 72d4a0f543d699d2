//! The athlete moves: the muscles that a person would name do the work.

use fusiform::Musculature;
use fusiform_athlete::Athlete;
use fusiform_drive::{Driven, Given, drive};
use fusiform_fit::{Motion, Roles, Template, Wear};
use std::collections::HashMap;
use std::sync::LazyLock;

static ATHLETE: LazyLock<Athlete> =
    LazyLock::new(|| fusiform_athlete::athlete_with(5000, |_| ()).expect("the athlete grows"));

const HAND_WEIGHT: f64 = 8.0; // kg

fn joint(name: &str) -> usize {
    ATHLETE.character.skeleton.find(name).expect("the athlete has that joint")
}

/// What was measured, by time.
type Emg<'a> = &'a (dyn Fn(f64) -> Vec<Option<f64>> + Sync);

fn driven(clip: &str, carried: &[(usize, f64)], emg: Option<Emg>) -> (Driven, &'static Musculature) {
    let Athlete { character, musculature } = &*ATHLETE;
    let (roles, template) = (Roles::find(&character.skeleton).roles, Template::humanoid());
    let wear = vec![Wear::Body; character.meshes.len()];
    let given = Given { carried, emg, ..Given::new(&wear, &roles, &template.ranges) };
    let clip = character.clip(clip).expect("the athlete has that clip");
    (drive(character, musculature, clip, &given, |_| ()).expect("it can be driven"), musculature)
}

/// Peak activation of every muscle on the left.
fn peaks(driven: &Driven, musculature: &Musculature) -> HashMap<String, f64> {
    let n = musculature.muscles.len();
    let peak = |m: usize| driven.activations.chunks(n).map(|row| row[m]).fold(0.0, f64::max);
    let left = musculature.muscles.iter().enumerate().filter(|(_, muscle)| muscle.name.ends_with(".l"));
    left.map(|(m, muscle)| (muscle.name.trim_end_matches(".l").to_owned(), peak(m))).collect()
}

fn worst(of: &[f64]) -> f64 {
    of.iter().fold(0.0, |most, x| most.max(x.abs()))
}

fn report(name: &str, driven: &Driven, peaks: &HashMap<String, f64>) {
    let mut hardest: Vec<_> = peaks.iter().collect();
    hardest.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    let list: Vec<String> = hardest.iter().take(8).map(|(muscle, peak)| format!("{muscle} {peak:.2}")).collect();
    let (torque, reserve) = (worst(&driven.torques), worst(&driven.reserves));
    println!("{name}: torques up to {torque:.0} N m, reserves up to {reserve:.1} N m; {}", list.join(", "));
}

#[test]
fn the_body_weighs_what_a_man_of_its_size_does_and_its_parts_what_tables_say() {
    let (driven, _) = driven("curl", &[], None);
    let mass: f64 = driven.masses.iter().sum();
    assert!((70.0..110.0).contains(&mass), "{mass} kg");
    let height = ATHLETE.character.height();
    println!("{mass:.1} kg at {height:.2} m");
    // shares of the whole, de Leva: Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, 1996, men
    for (part, share) in
        [("upper_leg.l", 0.142), ("lower_leg.l", 0.043), ("upper_arm.l", 0.027), ("lower_arm.l", 0.016)]
    {
        let own = driven.masses[joint(part)] / mass;
        println!("{part}: {:.1} % of the body, {:.1} % in the table", 100.0 * own, 100.0 * share);
        assert!((0.5..2.0).contains(&(own / share)), "{part} is {own} of the body");
    }
}

#[test]
fn a_curl_with_weights_is_made_by_biceps_and_brachialis() {
    let carried = [(joint("hand.l"), HAND_WEIGHT), (joint("hand.r"), HAND_WEIGHT)];
    let (driven, musculature) = driven("curl", &carried, None);
    let peaks = peaks(&driven, musculature);
    report("curl", &driven, &peaks);
    let flexors = ["biceps_brachii_long", "biceps_brachii_short", "brachialis"];
    let extensors = ["triceps_brachii_long", "triceps_brachii_lateral", "triceps_brachii_medial"];
    let most = |names: &[&str]| names.iter().map(|name| peaks[*name]).fold(0.0, f64::max);
    let least = flexors.iter().map(|name| peaks[*name]).fold(1.0, f64::min);
    assert!(least > 2.0 * most(&extensors), "{least} against {}", most(&extensors));
    let elbow = driven.motions.iter().position(|m| m.joint == joint("lower_arm.l") && m.motion == Motion::Flexion);
    let elbow = elbow.expect("elbows bend");
    let torque = driven.torques.chunks(driven.motions.len()).map(|row| row[elbow]).fold(0.0, f64::max);
    // the weight on a forearm of some 0.28 m, and the forearm itself
    assert!((20.0..40.0).contains(&torque), "{torque} N m");
}

#[test]
fn a_squat_is_made_by_quadriceps_and_gluteus() {
    let (driven, musculature) = driven("squat", &[], None);
    let peaks = peaks(&driven, musculature);
    report("squat", &driven, &peaks);
    for leader in ["vastus_lateralis", "vastus_medialis", "gluteus_maximus_upper"] {
        let rank = peaks.values().filter(|peak| **peak > peaks[leader]).count();
        assert!(rank < 8 && peaks[leader] > 0.25, "{leader} is number {rank} with {}", peaks[leader]);
    }
    for idle in ["biceps_brachii_long", "semimembranosus", "adductor_longus"] {
        assert!(peaks[idle] < 0.2, "{idle} does {}", peaks[idle]);
    }
    assert!(worst(&driven.reserves) < 0.1 * worst(&driven.torques));
    let mass: f64 = driven.masses.iter().sum();
    let mean = driven.ground_force.iter().sum::<f64>() / driven.ground_force.len() as f64;
    assert!((mean / (9.81 * mass) - 1.0).abs() < 0.05, "the floor carries {mean} N of {mass} kg");
    assert!(driven.touching > 0.99 && driven.unexplained < 0.02 * 9.81 * mass, "{} N", driven.unexplained);
}

#[test]
fn in_the_air_nothing_pushes() {
    let (driven, _) = driven("jump_landing", &[], None);
    let mass: f64 = driven.masses.iter().sum();
    let lifts = &driven.ground_force;
    println!(
        "jump: {:.0} % of the time on the floor, up to {:.1} times the weight, {:.0} N unexplained",
        100.0 * driven.touching,
        worst(lifts) / (9.81 * mass),
        driven.unexplained
    );
    assert!(lifts.iter().any(|lift| *lift < 0.02 * 9.81 * mass) && worst(lifts) > 1.5 * 9.81 * mass);
}

#[test]
fn measured_antagonists_pull_against_each_other_and_nothing_moves() {
    let names = ["biceps_brachii_long.l", "triceps_brachii_long.l"];
    let of = |name: &str| names.contains(&name).then_some(0.6);
    let emg: Vec<Option<f64>> = ATHLETE.musculature.muscles.iter().map(|muscle| of(&muscle.name)).collect();
    let measured = |_: f64| emg.clone();
    let (without, musculature) = driven("curl", &[], None);
    let (with, _) = driven("curl", &[], Some(&measured));
    let (alone, both) = (peaks(&without, musculature), peaks(&with, musculature));
    for name in ["biceps_brachii_long", "triceps_brachii_long"] {
        println!("{name}: {:.2} alone, {:.2} with EMG", alone[name], both[name]);
        assert!(both[name] > 0.4 && alone[name] < 0.3);
    }
    assert_eq!(without.angles, with.angles);
    assert_eq!(without.torques, with.torques);
    assert!(worst(&with.reserves) < worst(&without.reserves) + 1.0);
}
