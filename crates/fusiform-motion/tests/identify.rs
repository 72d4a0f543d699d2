//! Muscles are found again from the markers they moved: under noise, under lies, with too little to see, and with garbage.

#[path = "common/truth.rs"]
mod truth;

use fusiform_motion::identify::{
    LEAST_RADIUS, Law, MOST_ECCENTRICITY, PaperMuscle, Robust, Sample, Settings, Shape, SkinMuscle, Warning,
    measure_paper, measure_skin, paper, skin,
};
use glam::DVec3;
use proptest::prelude::*;
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
    let seen = length.iter().zip(tension).filter(|(l, t)| l.is_finite() && **l > 0.0 && t.is_finite());
    for (length, tension) in seen {
        let longer = length.clamp(0.05 * law.rest_length, 3.0 * law.rest_length) - law.rest_length;
        let tension = tension.clamp(0.0, 1.0);
        let now = |rest: f64, a: f64, b: f64| rest + a * longer + b * tension;
        let (by_length, by_tension) = (&law.by_length, &law.by_tension);
        let e = now(law.rest.eccentricity, by_length.eccentricity, by_tension.eccentricity);
        assert!((-2e-9..=MOST_ECCENTRICITY + 2e-9).contains(&e), "{e} {law:?}");
        for part in 0..2 {
            let k: [f64; 4] =
                std::array::from_fn(|n| now(law.rest.k[part][n], by_length.k[part][n], by_tension.k[part][n]));
            assert!(k.iter().all(|k| k.is_finite()) && k[1] >= -2e-9, "{k:?} {law:?}");
            for x in [0.0, 0.3, 1.0] {
                let radius = k[2] / (1.0 + (k[0] - k[1] * x).clamp(-30.0, 30.0).exp()) + k[3];
                assert!(radius >= LEAST_RADIUS - 2e-9, "{radius} {k:?} {law:?}");
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

#[test]
fn exact_markers_give_the_exact_surface_when_nothing_else_is_asked() {
    let settings = Settings { volume_weight: 0.0, tendon_weight: 0.0, prior: 1e-5, sweeps: 12, ..Settings::default() };
    for seed in 1..=6 {
        let random = &mut Random(seed * 0x00AB_CDEF);
        let under = [Under::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 200, random)];
        let Under { truth, motion, .. } = &under[0];
        let seen = moved(&under, 9, 0.0, random);
        let on_skin = skin(&problem(&[under[0].muscle()], 9, &seen), &settings).unwrap();
        let points = samples(truth, motion, 9, 0.0, random);
        let on = &paper(&[on_muscle(truth, motion, &points)], &settings).unwrap()[0];
        let errors = [on.law, on_skin.muscles[0].law].map(|law| 1e3 * surface_error(truth, &law, motion));
        println!("exact: {errors:.4?} mm, {} and {} steps", on.iterations, on_skin.muscles[0].iterations);
        assert!(errors.iter().all(|e| *e < 0.02));
    }
}

#[test]
fn markers_that_lie_do_not_spoil_it() {
    let random = &mut Random(77);
    let truth = law(random);
    let motion = Motion::new(truth.rest_length, 300, random);
    let mut seen = samples(&truth, &motion, 9, NOISE, random);
    // one in twenty is mistaken for another one, of another muscle
    for sample in seen.iter_mut().filter(|_| random.next() < 0.05) {
        sample.radius += 0.03;
    }
    let muscle = on_muscle(&truth, &motion, &seen);
    let error = |robust: Robust| {
        let found = &paper(&[muscle], &Settings { robust, ..Settings::default() }).unwrap()[0];
        println!(
            "on the muscle, {robust:?}: {:.3} mm, {:?}",
            1e3 * surface_error(&truth, &found.law, &motion),
            found.warnings
        );
        1e3 * surface_error(&truth, &found.law, &motion)
    };
    let [squares, huber, tukey] = [Robust::Squares, Robust::Huber, Robust::Tukey].map(error);
    assert!(tukey < 0.25 && huber < 0.5 && squares > 2.0 * tukey);

    let under = [Under::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 300, random)];
    let mut seen = moved(&under, 9, NOISE, random);
    let mut swapped = 0;
    for i in 0..seen.len() {
        if random.next() < 0.025 {
            // two markers four centimetres apart change names
            let (mate, apart) = (i / 9 * 9 + (i + 1) % 9, random.jitter(0.025));
            seen.swap(i, mate);
            seen[i] += apart;
            seen[mate] -= apart;
            swapped += 2;
        }
    }
    let muscles = [under[0].muscle()];
    let error = |robust: Robust| {
        let found = skin(&problem(&muscles, 9, &seen), &Settings { robust, ..Settings::default() }).unwrap();
        let error = 1e3 * surface_error(&under[0].truth, &found.muscles[0].law, &under[0].motion);
        println!("on the skin, {robust:?}: {error:.3} mm, {:?} of {swapped}", found.muscles[0].warnings);
        error
    };
    let [squares, tukey] = [Robust::Squares, Robust::Tukey].map(error);
    assert!(tukey < 0.25 && squares > 1.5 * tukey);
}

#[test]
fn muscles_that_share_markers_are_told_apart() {
    let random = &mut Random(4242);
    let all: Vec<usize> = (0..12).collect();
    let under = [Under::new(&all[..9], 300, random), Under::new(&all[3..], 300, random)];
    let seen = moved(&under, 12, NOISE, random);
    let muscles = under.each_ref().map(Under::muscle);
    let found = skin(&problem(&muscles, 12, &seen), &Settings::default()).unwrap();
    for (under, found) in under.iter().zip(&found.muscles) {
        let error = 1e3 * surface_error(&under.truth, &found.law, &under.motion);
        println!("shared: {error:.3} mm, {} steps, {:?}", found.iterations, found.warnings);
        assert!(error < 0.3);
    }
    println!("{} sweeps, {:?} from {:?}", found.sweeps, found.with, found.without);
    let once = skin(&problem(&muscles, 12, &seen), &Settings { sweeps: 1, ..Settings::default() }).unwrap();
    assert!(found.with.mean_mm < once.with.mean_mm && found.sweeps > 1);
}

#[test]
fn the_shape_at_rest_is_found_too_when_it_is_free() {
    let random = &mut Random(31);
    let under = [Under::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 300, random)];
    let seen = moved(&under, 9, NOISE, random);
    let mut muscle = under[0].muscle();
    muscle.rest.k[0][2] *= 1.1;
    let muscles = [muscle];
    let problem = problem(&muscles, 9, &seen);
    let fixed = skin(&problem, &Settings::default()).unwrap();
    let free = skin(&problem, &Settings { free_rest: true, ..Settings::default() }).unwrap();
    assert_eq!(fixed.muscles[0].law.rest, muscle.rest);
    assert_ne!(free.muscles[0].law.rest, muscle.rest);
    assert!(free.with.mean_mm <= fixed.with.mean_mm + 1e-3, "{:?} {:?}", free.with, fixed.with);
    assert_legal(&free.muscles[0].law, muscle.length, muscle.tension);
}

#[test]
fn muscles_that_lie_over_each_other_and_work_together_explain_the_skin_together() {
    let random = &mut Random(4343);
    let markers: Vec<usize> = (0..9).collect();
    let mut under = [Under::new(&markers, 300, random), Under::new(&markers, 300, random)];
    // the same directions, nearly the same tension: which of them moved the skin cannot be told, that it moved can
    under[1].along_b = under[0].along_b.iter().map(|b| *b * 0.7 + random.jitter(1e-4)).collect();
    under[1].along_c = under[0].along_c.iter().map(|c| *c * 0.7 + random.jitter(1e-4)).collect();
    let tension = &under[0].motion.tension;
    under[1].motion.tension = tension.iter().map(|t| (0.9 * t + 0.05 * random.next()).clamp(0.0, 1.0)).collect();
    let seen = moved(&under, 9, NOISE, random);
    let muscles = under.each_ref().map(Under::muscle);
    let found = skin(&problem(&muscles, 9, &seen), &Settings::default()).unwrap();
    let clean = moved(&under, 9, 0.0, random);
    let laws = [0, 1].map(|m| found.muscles[m].law);
    let [with, without] = measure_skin(&problem(&muscles, 9, &clean), &laws).unwrap();
    let errors = [0, 1].map(|m| 1e3 * surface_error(&under[m].truth, &laws[m], &under[m].motion));
    println!(
        "over each other: skin {:.3} mm of {:.3}, surfaces {errors:.3?} mm, {} sweeps",
        with.mean_mm, without.mean_mm, found.sweeps
    );
    assert!(with.mean_mm < 0.15 * without.mean_mm && errors.iter().all(|e| *e < 1.5));
}

#[test]
fn a_muscle_that_works_one_frame_in_ten_is_no_liar() {
    let random = &mut Random(55);
    let mut under = [Under::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 300, random)];
    let Under { truth, motion, .. } = &mut under[0];
    truth.by_tension.k.iter_mut().for_each(|k| (2..4).for_each(|n| k[n] *= 3.0));
    for t in 0..300 {
        let works = t % 60 >= 54;
        motion.tension[t] = if works { 1.0 } else { 0.0 };
        motion.length[t] = truth.rest_length * if works { 0.8 } else { 1.0 };
    }
    for noise in [0.0, NOISE] {
        let seen = moved(&under, 9, noise, random);
        let muscles = [under[0].muscle()];
        let found = skin(&problem(&muscles, 9, &seen), &Settings::default()).unwrap();
        let [with, without] =
            measure_skin(&problem(&muscles, 9, &moved(&under, 9, 0.0, random)), &[found.muscles[0].law]).unwrap();
        println!(
            "one in ten, noise {noise}: {:.3} mm of {:.3}, {:?}",
            with.mean_mm, without.mean_mm, found.muscles[0].warnings
        );
        assert!(with.mean_mm < 0.15 * without.mean_mm);
    }
}

#[test]
fn a_section_that_is_round_at_rest_may_still_flatten() {
    let random = &mut Random(66);
    let mut under = [Under::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 300, random)];
    under[0].truth.rest.eccentricity = 0.0;
    under[0].truth.by_length.eccentricity = 0.0;
    under[0].truth.by_tension.eccentricity = 0.6;
    let seen = moved(&under, 9, NOISE, random);
    let found = skin(&problem(&[under[0].muscle()], 9, &seen), &Settings::default()).unwrap();
    let law = found.muscles[0].law;
    println!("round: by tension {:.3}, by length {:.3}", law.by_tension.eccentricity, law.by_length.eccentricity);
    assert!((law.by_tension.eccentricity - 0.6).abs() < 0.1);
    assert_legal(&law, &under[0].motion.length, &under[0].motion.tension);
}

#[test]
fn fewer_frames_than_numbers_leave_a_sensible_muscle() {
    for n_frame in [0, 1, 2, 5, 20] {
        let random = &mut Random(500 + n_frame as u64);
        let truth = law(random);
        let (motion, other) =
            (Motion::new(truth.rest_length, n_frame, random), Motion::new(truth.rest_length, 100, random));
        let seen = samples(&truth, &motion, 9, NOISE, random);
        let found = &paper(&[on_muscle(&truth, &motion, &seen)], &Settings::default()).unwrap()[0];
        let markers: Vec<usize> = (0..9).collect();
        let under = [Under::new(&markers, n_frame, random)];
        let shifts = moved(&under, 9, NOISE, random);
        let on_skin = skin(&problem(&[under[0].muscle()], 9, &shifts), &Settings::default()).unwrap();
        let laws = [found.law, on_skin.muscles[0].law];
        let wide = [(&truth, &other), (&under[0].truth, &Motion::new(under[0].truth.rest_length, 100, random))];
        let errors = [0, 1].map(|i| 1e3 * surface_error(wide[i].0, &laws[i], wide[i].1));
        println!(
            "{n_frame:2} frames: held out {:.2} mm on the muscle, {:.2} mm on the skin; {:?}",
            errors[0], errors[1], found.warnings
        );
        assert_legal(&found.law, &motion.length, &motion.tension);
        assert_legal(&laws[1], &under[0].motion.length, &under[0].motion.tension);
        // the shape at rest is known, so even nothing seen is not far off; without it, something must be seen
        assert!(errors[1] < 3.0 && (n_frame < 5 || errors[0] < 3.0));
        let wanted = if n_frame == 0 { Warning::NoMarkerNear } else { Warning::TooFewFrames { frames: n_frame } };
        assert!(found.warnings.contains(&wanted) && on_skin.muscles[0].warnings.contains(&wanted));
    }
}

#[test]
fn a_motion_that_never_tenses_or_never_bends_says_so_and_stays_sensible() {
    for (still, slack) in [(true, true), (true, false), (false, true)] {
        let random = &mut Random(900);
        let truth = law(random);
        let mut motion = Motion::new(truth.rest_length, 300, random);
        if still {
            motion.length.fill(truth.rest_length);
        }
        if slack {
            motion.tension.fill(0.0);
        }
        let seen = samples(&truth, &motion, 9, NOISE, random);
        let found = &paper(&[on_muscle(&truth, &motion, &seen)], &Settings::default()).unwrap()[0];
        assert_eq!(found.warnings.contains(&Warning::LengthNeverChanges), still);
        assert_eq!(found.warnings.contains(&Warning::TensionNeverChanges), slack);
        assert!(surface_error(&truth, &found.law, &motion) < 0.25e-3);
        assert_legal(&found.law, &motion.length, &motion.tension);
        // what was not seen is the prior's: thicker when shorter, thicker when tense
        let widest = |length: f64, tension: f64| found.law.at(length * truth.rest_length, tension).semi_axes(0.5)[0];
        println!(
            "still {still}, slack {slack}: {:.4} {:.4} {:.4} m",
            widest(1.0, 0.0),
            widest(0.8, 0.0),
            widest(1.0, 1.0)
        );
        assert!(widest(0.8, 0.0) > 1.03 * widest(1.0, 0.0) && widest(1.0, 1.0) > widest(1.0, 0.0));
        assert!(widest(0.8, 0.0) < 1.5 * widest(1.0, 0.0) && widest(1.0, 1.0) < 1.5 * widest(1.0, 0.0));
    }
}

/// Muscles in a row along a limb, nine markers each, the next beginning so many further on.
fn row(n: usize, apart: usize, n_frame: usize, random: &mut Random) -> (Vec<Under>, usize) {
    let markers = |m: usize| (apart * m..apart * m + 9).collect::<Vec<_>>();
    ((0..n).map(|m| Under::new(&markers(m), n_frame, random)).collect(), apart * n + 9)
}

#[test]
fn markers_that_follow_four_muscles_each_are_shared_out() {
    let random = &mut Random(1234);
    let (under, n_marker) = row(24, 2, 300, random);
    let seen = moved(&under, n_marker, NOISE, random);
    let muscles: Vec<SkinMuscle<'_>> = under.iter().map(Under::muscle).collect();
    let found = skin(&problem(&muscles, n_marker, &seen), &Settings::default()).unwrap();
    let errors: Vec<f64> = under
        .iter()
        .zip(&found.muscles)
        .map(|(under, found)| 1e3 * surface_error(&under.truth, &found.law, &under.motion))
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let worst = errors.iter().copied().fold(0.0, f64::max);
    println!(
        "four each: {mean:.3} mm, worst {worst:.3} mm, {} sweeps, {:?} of {:?}",
        found.sweeps, found.with, found.without
    );
    assert!(mean < 0.3 && worst < 0.6);
}

#[test]
fn threads_change_no_bit() {
    let random = &mut Random(6);
    let (under, n_marker) = row(7, 6, 60, random);
    let seen = moved(&under, n_marker, NOISE, random);
    let muscles: Vec<SkinMuscle<'_>> = under.iter().map(Under::muscle).collect();
    let points: Vec<Vec<Sample>> = under.iter().map(|u| samples(&u.truth, &u.motion, 9, NOISE, random)).collect();
    let on: Vec<PaperMuscle<'_>> = under.iter().zip(&points).map(|(u, s)| on_muscle(&u.truth, &u.motion, s)).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let on_skin = skin(&problem(&muscles, n_marker, &seen), &Settings::default()).unwrap();
            (on_skin, paper(&on, &Settings::default()).unwrap())
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), one);
    }
}

#[test]
fn what_cannot_be_worked_with_is_refused_by_name() {
    let random = &mut Random(8);
    let under = Under::new(&[0, 1], 4, random);
    let seen = vec![DVec3::ZERO; 8];
    let refused =
        |muscle: SkinMuscle<'_>| skin(&problem(&[muscle], 2, &seen), &Settings::default()).unwrap_err().to_string();
    let good = under.muscle();
    assert_eq!(
        refused(SkinMuscle { tension: &under.motion.tension[1..], ..good }),
        "muscle 0: tension has 3 entries where 4 are needed"
    );
    assert_eq!(refused(SkinMuscle { rest_length: 0.0, ..good }), "muscle 0: the length at rest must be above 0");
    assert_eq!(refused(SkinMuscle { markers: &[0, 7], ..good }), "muscle 0: a marker must be one of the problem's");
    assert_eq!(refused(SkinMuscle { markers: &[1, 1], ..good }), "muscle 0: a marker must be named once");
    let settings = Settings { prior: f64::NAN, ..Settings::default() };
    assert_eq!(
        skin(&problem(&[good], 2, &seen), &settings).unwrap_err().to_string(),
        "the weight of the prior must be a finite number, 0 or more"
    );
    assert!(skin(&problem(&[], 2, &seen), &Settings::default()).unwrap().muscles.is_empty());
}

/// Any number, now and then one that is none.
fn wild(random: &mut Random, size: f64) -> f64 {
    match (random.next() * 24.0) as usize {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 0.0,
        3 => 1e30 * random.between(-1.0, 1.0),
        4 => 1e-30,
        _ => size * random.between(-1.0, 1.0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn garbage_ends_in_legal_numbers(seed in 1_u64.., n_frame in 0_usize..24, size in -4.0..3.0_f64, free in any::<bool>()) {
        let random = &mut Random(seed);
        (0..10).for_each(|_| _ = random.next());
        let size = 10.0_f64.powf(size);
        let rest_length = random.between(0.01, 1.0);
        let length: Vec<f64> = (0..n_frame).map(|_| rest_length + wild(random, size.min(1.0))).collect();
        let tension: Vec<f64> = (0..n_frame).map(|_| wild(random, 2.0)).collect();
        let mut shape = Shape::default();
        shape.k.as_flattened_mut().iter_mut().for_each(|k| *k = random.between(-1.0, 1.0) * size * 10.0);
        shape.eccentricity = random.between(-2.0, 2.0);
        let settings = Settings {
            free_rest: free,
            prior: if random.next() < 0.3 { 0.0 } else { 1.0 },
            relative_volume: random.next() < 0.5,
            ..Settings::default()
        };
        let garbage: Vec<Sample> = (0..5 * n_frame)
            .map(|_| Sample {
                frame: (random.next() * 30.0) as usize,
                part: (random.next() * 2.2) as usize,
                x: wild(random, 1.0).abs(),
                phi: wild(random, 4.0),
                radius: wild(random, size),
            })
            .collect();
        let muscle = PaperMuscle {
            rest_length, start: free.then_some(shape), length: &length, tension: &tension, belly_length: &[], samples: &garbage,
        };
        let found = &paper(&[muscle], &settings).unwrap()[0];
        assert_legal(&found.law, &length, &tension);
        prop_assert!(found.iterations <= 3 * settings.iterations);

        let mut vectors = |n: usize| -> Vec<DVec3> {
            (0..n).map(|_| DVec3::new(wild(random, size), wild(random, size), wild(random, size))).collect()
        };
        let (b, c, seen) = (vectors(6 * n_frame), vectors(6 * n_frame), vectors(4 * n_frame));
        let muscle = SkinMuscle {
            rest_length, rest: shape, length: &length, tension: &tension, belly_length: &[],
            ring_share: &[0.1, 0.5, 0.9], markers: &[0, 2, 3], start: &[0, 2, 3, 6], ring: &[0, 1, 1, 0, 1, 2],
            along_b: &b, along_c: &c,
        };
        let problem = fusiform_motion::identify::SkinProblem { n_frame, n_marker: 4, moved: &seen, muscles: &[muscle, muscle] };
        let found = skin(&problem, &settings).unwrap();
        for found in &found.muscles {
            assert_legal(&found.law, &length, &tension);
            prop_assert!(found.with.mean_mm.is_finite() && found.volume_spread.is_finite());
        }
    }
}
