//! Activity from EMG that was made up: noise whose strength is known, with everything a laboratory adds to it.

use fusiform_motion::emg::{Activity, EmgError, Recipe, Recording};
use fusiform_motion::table::Table;
use std::f64::consts::TAU;

const SECONDS: f64 = 8.0;

/// Noise of a normal distribution, the same every time (sum of uniform numbers, Marsaglia's xorshift).
fn noise(n: usize, mut seed: u64) -> Vec<f64> {
    let mut uniform = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
}

/// How hard the muscle works: two contractions between rests.
fn effort(time: f64) -> f64 {
    0.05 + 0.95 * (TAU * time / 4.0 - 0.3).sin().max(0.0).powi(2)
}

fn times(rate: f64) -> Vec<f64> {
    (0..(SECONDS * rate) as usize).map(|i| i as f64 / rate).collect()
}

fn recording(rate: f64, disturbance: impl Fn(f64) -> f64) -> Recording {
    let times = times(rate);
    let noise = noise(times.len(), 0x2545_F491_4F6C_DD1D);
    let samples = times.iter().zip(noise).map(|(&t, noise)| 1e-4 * effort(t) * noise + disturbance(t)).collect();
    Recording { rate, start: 0.0, names: vec!["biceps".to_owned()], samples: vec![samples] }
}

fn no_delay() -> Recipe {
    Recipe { delay: 0.0, ..Recipe::default() }
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let [mut ab, mut aa, mut bb] = [0.0; 3];
    for (a, b) in a.iter().zip(b) {
        ab += (a - mean_a) * (b - mean_b);
        aa += (a - mean_a).powi(2);
        bb += (b - mean_b).powi(2);
    }
    ab / (aa * bb).sqrt()
}

fn check_follows_effort(activity: &Activity, frames: &[f64], what: &str) {
    let wanted: Vec<f64> = frames.iter().map(|&t| effort(t)).collect();
    let alike = correlation(&activity.values, &wanted);
    assert!(alike > 0.97, "{what}: correlation {alike}");
    let most = activity.values.iter().copied().fold(0.0, f64::max);
    assert!((0.8..=1.0).contains(&most), "{what}: {most}");
    let at_rest: Vec<f64> =
        frames.iter().zip(&activity.values).filter(|(t, _)| effort(**t) < 0.06).map(|(_, a)| *a).collect();
    let resting = at_rest.iter().sum::<f64>() / at_rest.len() as f64;
    assert!(resting < 0.12, "{what}: {resting} at rest");
}

#[test]
fn activity_follows_effort_at_every_rate() {
    let frames = times(120.0);
    for rate in [500.0, 1000.0, 2000.0, 5000.0] {
        let activity = recording(rate, |_| 0.0).activity(&no_delay(), &frames).unwrap();
        check_follows_effort(&activity, &frames, &format!("{rate} Hz"));
    }
}

#[test]
fn hum_offset_and_sway_do_not_matter() {
    let frames = times(120.0);
    for (rate, mains) in [(500.0, 50.0), (1000.0, 50.0), (2000.0, 60.0)] {
        let disturbed = recording(rate, |t| {
            let hum = (TAU * mains * t).sin() + 0.3 * (TAU * 3.0 * mains * t + 1.0).sin();
            0.02 + 2e-4 * hum + 1e-3 * (TAU * 0.8 * t).sin()
        });
        let activity = disturbed.activity(&no_delay(), &frames).unwrap();
        check_follows_effort(&activity, &frames, &format!("{mains} Hz hum at {rate} Hz"));
    }
}

#[test]
fn rectifying_first_as_the_paper_does_still_follows_effort() {
    let frames = times(120.0);
    let recipe = Recipe { rectify_first: true, ..no_delay() };
    let activity = recording(2000.0, |_| 0.01).activity(&recipe, &frames).unwrap();
    check_follows_effort(&activity, &frames, "rectified first");
}

#[test]
fn force_comes_later_than_voltage_by_the_delay() {
    let frames = times(100.0);
    let recording = recording(1000.0, |_| 0.0);
    let at_once = recording.activity(&no_delay(), &frames).unwrap();
    let later = recording.activity(&Recipe { delay: 0.05, ..Recipe::default() }, &frames).unwrap();
    for (now, before) in later.values[5..].iter().zip(&at_once.values) {
        assert!((now - before).abs() < 1e-12);
    }
    assert_eq!(later.values[0], at_once.values[0]);
}

#[test]
fn a_maximum_that_was_measured_is_what_1_means() {
    let frames = times(100.0);
    let recording = recording(1000.0, |_| 0.0);
    let own = recording.activity(&no_delay(), &frames).unwrap();
    let maximum = vec![("biceps".to_owned(), 2e-4)];
    let given = recording.activity(&Recipe { maximum, ..no_delay() }, &frames).unwrap();
    // |x| of normal noise of strength σ is √(2/π) σ in the mean
    let most = given.values.iter().copied().fold(0.0, f64::max);
    assert!((most - 0.5 * 0.8).abs() < 0.15, "{most}");
    assert!((correlation(&own.values, &given.values) - 1.0).abs() < 1e-9);
}

#[test]
fn a_dead_channel_says_that_its_muscle_rests() {
    let dead = Recording { samples: vec![vec![0.3; 4000]], ..recording(1000.0, |_| 0.0) };
    let activity = dead.activity(&Recipe::default(), &[0.0, 1.0, 2.0]).unwrap();
    assert!(activity.values.iter().all(|value| value.abs() < 1e-9), "{:?}", activity.values);
}

#[test]
fn a_recording_shorter_than_the_motion_says_so() {
    let recording = recording(1000.0, |_| 0.0);
    let long: Vec<f64> = (0..=1000).map(|i| i as f64 / 100.0).collect();
    let error = recording.activity(&Recipe::default(), &long).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the EMG lasts 8.00 s, from 0.00 to 8.00 s, which does not cover the motion of 10.00 s, from 0.00 to 10.00 s; \
         cut the motion, or mend the time the EMG starts at"
    );
    // one frame less than the motion is as long as it gets
    let frames: Vec<f64> = (0..=800).map(|i| i as f64 / 100.0).collect();
    assert!(recording.activity(&Recipe::default(), &frames).is_ok());
    let late = Recording { start: 1.0, ..recording };
    assert!(matches!(late.activity(&Recipe::default(), &frames), Err(EmgError::Short { .. })));
}

#[test]
fn what_cannot_be_used_is_named() {
    let good = recording(1000.0, |_| 0.0);
    let say = |recording: &Recording, recipe: &Recipe| recording.activity(recipe, &[0.0]).unwrap_err().to_string();
    let mut gap = good.clone();
    gap.samples[0][1500] = f64::NAN;
    assert_eq!(say(&gap, &no_delay()), "EMG channel \"biceps\" has no usable number at 1.500 s; cut or fill the gap");
    let renamed = Recipe { maximum: vec![("triceps".to_owned(), 1.0)], ..no_delay() };
    assert_eq!(say(&good, &renamed), "there is no EMG channel \"triceps\"; name one of \"biceps\"");
    let nothing = Recipe { maximum: vec![("biceps".to_owned(), 0.0)], ..no_delay() };
    assert!(say(&good, &nothing).starts_with("the maximum 0 of EMG channel \"biceps\" is not above 0; "));
    let mut uneven = good.clone();
    uneven.names.push("triceps".to_owned());
    uneven.samples.push(vec![0.0; 3]);
    let said = say(&uneven, &no_delay());
    assert!(said.starts_with("EMG channel \"triceps\" has 3 samples where the others have 8000; "), "{said}");
    let slow = Recording { rate: 15.0, ..good.clone() };
    assert!(say(&slow, &no_delay()).starts_with("the EMG has 15.0 samples a second"), "{}", say(&slow, &no_delay()));
    let empty = Recording { samples: vec![Vec::new()], ..good };
    assert!(say(&empty, &no_delay()).starts_with("the EMG has no samples; "));
}

#[test]
fn columns_become_channels_if_they_are_sampled_evenly() {
    let table = |times: Vec<f64>| {
        let values = times.iter().flat_map(|time| [*time, -time]).collect();
        Table { names: vec!["biceps".into(), "triceps".into()], times, values }
    };
    // times as text are rounded
    let even: Vec<f64> = (0..3000).map(|i| 7.0 + (f64::from(i) / 1.5).round() * 1e-3).collect();
    let recording = Recording::from_table(&table(even.clone())).unwrap();
    assert!((recording.rate - 1500.0).abs() < 1.0 && recording.start == 7.0, "{}", recording.rate);
    assert_eq!((recording.samples[1].len(), recording.samples[1][10]), (3000, -even[10]));
    let gap: Vec<f64> = even.iter().copied().filter(|time| !(7.5..8.5).contains(time)).collect();
    let error = Recording::from_table(&table(gap)).unwrap_err();
    assert!(
        matches!(error, EmgError::Jumps { from, to } if from < 7.5 && to > 8.49)
            && error.to_string().contains("; fill gaps"),
        "{error}"
    );
    assert_eq!(Recording::from_table(&table(Vec::new())), Err(EmgError::Empty));
}
