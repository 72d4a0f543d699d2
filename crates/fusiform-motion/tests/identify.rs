//! Muscles are found again from the markers they moved: under noise, under lies, with too little to see, and with garbage.

#[path = "common/truth.rs"]
mod truth;

use fusiform_motion::identify::{
    Identified, LEAST_RADIUS, Law, MOST_ECCENTRICITY, PaperMuscle, Robust, Sample, Settings, SkinMuscle, Warning,
    measure_paper, measure_skin, paper, skin,
};
use glam::DVec3;
use truth::{Motion, Random, Under, law, moved, problem, samples, surface_error};

const NOISE: f64 = 1e-3;

fn on_muscle<'a>(truth: &Law, motion: &'a Motion, samples: &'a [Sample]) -> PaperMuscle<'a> {
    PaperMuscle {
        rest_length: truth.rest_length,
        start: None,
        length: &motion.length,
        tension: &motion.tension,
        belly_length: &[],
        samples,
    }
}

/// On every frame, without any help from evaluation.
fn assert_legal(law: &Law, length: &[f64], tension: &[f64]) {
    let numbers = law.to_paper(1.0);
    for (length, tension) in length.iter().zip(tension).filter(|(l, t)| l.is_finite() && **l > 0.0 && t.is_finite()) {
        let length = length.clamp(0.05 * law.rest_length, 3.0 * law.rest_length);
        let k = numbers.map(|[a, b, c]| a * length + b * tension.clamp(0.0, 1.0) + c);
        assert!(k.iter().all(|k| k.is_finite()), "{k:?}");
        let room = 1e-7 * (1.0 + numbers.iter().flatten().fold(0.0_f64, |most, n| most.max(n.abs() * 1e-6)));
        assert!(k[8] >= -room && k[8] <= MOST_ECCENTRICITY + room, "{k:?}");
        for part in k[..8].chunks_exact(4) {
            assert!(part[1] >= -room, "{k:?}");
            for x in [0.0, 0.3, 1.0] {
                let radius = part[2] / (1.0 + (part[0] - part[1] * x).clamp(-30.0, 30.0).exp()) + part[3];
                assert!(radius >= LEAST_RADIUS - room, "{radius} {k:?}");
            }
        }
    }
}

#[test]
fn surfaces_are_found_from_markers_on_the_muscle() {
    let (mut worst, mut sum) = (0.0_f64, 0.0);
    for seed in 1..=12 {
        let random = &mut Random(seed * 0x9E37_79B9);
        let truth = law(random);
        let [motion, other] = [300, 200].map(|n| Motion::new(truth.rest_length, n, random));
        let seen = samples(&truth, &motion, 9, NOISE, random);
        let found = &paper(&[on_muscle(&truth, &motion, &seen)], &Settings::default()).unwrap()[0];
        let [error, elsewhere] = [&motion, &other].map(|motion| 1e3 * surface_error(&truth, &found.law, motion));
        println!(
            "seed {seed:2}: surface {error:.3} mm, held out {elsewhere:.3} mm; markers {:.2} ± {:.2} mm, still {:.2} ± {:.2}; \
             volume ± {:.1} %; {} steps {:?}",
            found.with.mean_mm,
            found.with.sd_mm,
            found.without.mean_mm,
            found.without.sd_mm,
            100.0 * found.volume_spread,
            found.iterations,
            found.warnings
        );
        assert_legal(&found.law, &motion.length, &motion.tension);
        assert!(found.with.mean_mm < found.without.mean_mm);
        (worst, sum) = (worst.max(error).max(elsewhere), sum + error);
        let others = samples(&truth, &other, 9, NOISE, random);
        let [with, without] = measure_paper(&on_muscle(&truth, &other, &others), &found.law, 0.0);
        assert!(with.mean_mm < without.mean_mm && with.mean_mm < 1.2);
    }
    println!("mean {:.3} mm, worst {worst:.3} mm", sum / 12.0);
    assert!(sum / 12.0 < 0.25 && worst < 0.6);
}

#[test]
fn surfaces_are_found_from_markers_on_the_skin() {
    let (mut worst, mut sum) = (0.0_f64, 0.0);
    for seed in 1..=12 {
        let random = &mut Random(seed * 0x0051_7CC1_B727);
        let markers: Vec<usize> = (0..9).collect();
        let under = [Under::new(&markers, 300, random)];
        let seen = moved(&under, 9, NOISE, random);
        let found = skin(&problem(&[under[0].muscle()], 9, &seen), &Settings::default()).unwrap();
        let other = [under[0].again(random)];
        let law = found.muscles[0].law;
        let [error, elsewhere] = [&under, &other].map(|u| 1e3 * surface_error(&u[0].truth, &law, &u[0].motion));
        let others = moved(&other, 9, 0.0, random);
        let [with, without] = measure_skin(&problem(&[other[0].muscle()], 9, &others), &[law]).unwrap();
        println!(
            "seed {seed:2}: surface {error:.3} mm, held out {elsewhere:.3} mm; skin held out, without noise: {:.3} mm, still {:.3}; \
             {} steps, {} sweeps {:?}",
            with.mean_mm, without.mean_mm, found.muscles[0].iterations, found.sweeps, found.muscles[0].warnings
        );
        assert_legal(&law, &under[0].motion.length, &under[0].motion.tension);
        assert_eq!(law.rest, under[0].truth.rest);
        assert!(with.mean_mm < 0.25 * without.mean_mm);
        (worst, sum) = (worst.max(error).max(elsewhere), sum + error);
    }
    println!("mean {:.3} mm, worst {worst:.3} mm", sum / 12.0);
    assert!(sum / 12.0 < 0.25 && worst < 0.6);
}
