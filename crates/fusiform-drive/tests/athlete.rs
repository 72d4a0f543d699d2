//! The athlete moves: the muscles that a person would name do the work.

use fusiform::Musculature;
use fusiform_athlete::Athlete;
use fusiform_drive::{Driven, Given, SPECIFIC_TENSION, drive};
use fusiform_fit::{Roles, Template, Wear};
use fusiform_motion::tension::Settings;
use fusiform_motion::trajectory::LowPass;
use std::sync::LazyLock;

static ATHLETE: LazyLock<Athlete> =
    LazyLock::new(|| fusiform_athlete::athlete_with(5000, |_| ()).expect("the athlete grows"));

fn driven(clip: &str) -> (Driven, &'static Musculature) {
    let Athlete { character, musculature } = &*ATHLETE;
    let (roles, template) = (Roles::find(&character.skeleton).roles, Template::humanoid());
    let given = Given {
        wear: &vec![Wear::Body; character.meshes.len()],
        roles: &roles,
        ranges: &template.ranges,
        mass: None,
        specific_tension: SPECIFIC_TENSION,
        rate: 60.0,
        low_pass: Some(LowPass::default()),
        pushes: None,
        emg: None,
        settings: Settings::default(),
    };
    let clip = character.clip(clip).expect("the athlete has that clip");
    (drive(character, musculature, clip, &given, |_| ()).expect("it can be driven"), musculature)
}

/// Peak activation of every muscle, the hardest worked first.
fn peaks(driven: &Driven, musculature: &Musculature) -> Vec<(String, f64)> {
    let n = musculature.muscles.len();
    let peak = |m: usize| driven.activations.chunks(n).map(|row| row[m]).fold(0.0, f64::max);
    let mut peaks: Vec<(String, f64)> =
        musculature.muscles.iter().enumerate().map(|(m, muscle)| (muscle.name.clone(), peak(m))).collect();
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    peaks
}

fn report(name: &str, driven: &Driven, musculature: &Musculature) {
    let mass: f64 = driven.masses.iter().sum();
    let most = driven.reserves.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
    let peak = driven.torques.iter().fold(0.0_f64, |most, t| most.max(t.abs()));
    println!(
        "{name}: {mass:.1} kg, {} motions, torque up to {peak:.0} N m, reserve up to {most:.1} N m, {:.0} N unexplained, \
         touching {:.0} %",
        driven.motions.len(),
        driven.unexplained,
        100.0 * driven.touching
    );
    for (j, mass) in driven.masses.iter().enumerate().filter(|(_, mass)| **mass > 0.05) {
        print!("{} {mass:.1}, ", ATHLETE.character.skeleton.joints[j].name);
    }
    println!();
    for (muscle, peak) in peaks(driven, musculature).iter().take(30) {
        print!("{muscle} {peak:.2}, ");
    }
    println!();
    let n = driven.motions.len();
    for (k, motion) in driven.motions.iter().enumerate() {
        let worst = |of: &[f64]| of.chunks(n).map(|row| row[k].abs()).fold(0.0, f64::max);
        println!(
            "  {:14} {:10} torque {:6.1} reserve {:6.1}",
            ATHLETE.character.skeleton.joints[motion.joint].name,
            motion.motion.to_string(),
            worst(&driven.torques),
            worst(&driven.reserves)
        );
    }
}

#[test]
fn a_curl_is_made_by_biceps_and_brachialis() {
    let (driven, musculature) = driven("curl");
    report("curl", &driven, musculature);
}

#[test]
fn a_squat_is_made_by_quadriceps_and_gluteus() {
    let (driven, musculature) = driven("squat");
    report("squat", &driven, musculature);
}
