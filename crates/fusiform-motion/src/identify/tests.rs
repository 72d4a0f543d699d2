//! Derivatives, against differences; and a law that is legal stays so.

use super::descend::{self, Data, Fit};
use super::normal::{Local, N_LAW, Normal, Numbers};
use super::paper::Samples;
use super::robust::{Loss, Robust};
use super::rules::{Course, Rules};
use super::skin::Followers;
use super::*;
use glam::DVec3;

/// Numbers that look random (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
    }
}

const N_FRAME: usize = 7;

/// Frames, and a law that is legal on them and far from where it would like to be.
struct Case {
    length: Vec<f64>,
    tension: Vec<f64>,
    numbers: Numbers,
    random: Random,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let length = (0..N_FRAME).map(|_| random.between(0.24, 0.34)).collect();
        let tension = (0..N_FRAME).map(|_| random.between(0.0, 1.0)).collect();
        let rest = [2.5, 6.0, 0.03, 0.006, 3.0, 7.0, 0.025, 0.008, 0.6];
        let size = [1.0, 2.0, 0.03, 0.02, 1.0, 2.0, 0.03, 0.02, 0.8];
        let numbers = std::array::from_fn(|i| match i / 9 {
            0 => 2.0 * size[i % 9] * random.between(-1.0, 1.0),
            1 => 0.1 * size[i % 9] * random.between(-1.0, 1.0),
            _ => rest[i % 9] * random.between(0.9, 1.1),
        });
        Self { length, tension, numbers, random }
    }

    fn rules(&self, given: bool, settings: &Settings) -> Rules {
        let course = Course { rest_length: 0.3, length: &self.length, tension: &self.tension, belly_length: &[] };
        let rest = std::array::from_fn(|n| self.numbers[18 + n]);
        Rules::new(&course, &rest, given, settings)
    }

    fn samples(&mut self) -> Vec<Sample> {
        let random = &mut self.random;
        let sample = |i: usize| Sample {
            frame: i % N_FRAME,
            part: i / N_FRAME % 2,
            x: random.between(0.0, 1.0),
            phi: random.between(-3.0, 3.0),
            radius: random.between(0.0, 0.05),
        };
        (0..6 * N_FRAME).map(sample).collect()
    }
}

/// ½ dZ by differences, against the gradient.
fn check_gradient<const N: usize>(data: &mut impl Data<N>, rules: &Rules, loss: &Loss, numbers: &Numbers, what: &str) {
    let mut normal = Normal::new(rules.n_unknown);
    descend::linearise(data, rules, loss, numbers, &mut normal);
    let unit = |i: usize| [1.0, 2.0, 0.03, 0.01, 1.0, 2.0, 0.03, 0.01, 0.5][i % 9] * [1.0, 1.0, 1.0][i / 9];
    let largest = (0..rules.n_unknown).fold(0.0_f64, |most, i| most.max((normal.gradient[i] * unit(i)).abs()));
    for i in 0..rules.n_unknown {
        let mut at = |step: f64| {
            let mut moved = *numbers;
            moved[i] += step;
            descend::cost(data, rules, loss, &moved)
        };
        // five points: the error of three is not below a millionth at any step that rounding allows
        let h = 2e-4 * unit(i);
        let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (24.0 * h);
        let error = (slope - normal.gradient[i]).abs();
        let allowed = 1e-6 * normal.gradient[i].abs().max(1e-4 * largest / unit(i));
        assert!(error < allowed, "{what}: number {i}: {slope} by differences, {} found", normal.gradient[i]);
    }
}

/// JᵀJ by differences of residuals that are never negative, against the matrix.
fn check_matrix<const N: usize>(data: &mut impl Data<N>, rules: &Rules, numbers: &Numbers) {
    let mut normal = Normal::new(rules.n_unknown);
    for (t, frame) in rules.seen() {
        let mut local = Local::<N>::NONE;
        data.linearise(t, &Rules::shape(numbers, frame), &numbers[18..], &Loss::SQUARES, &mut local);
        normal.spread(frame, &local);
    }
    let n = rules.n_unknown;
    let slopes: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut at = |step: f64| {
                let mut moved = *numbers;
                moved[i] += step;
                descend::sizes(data, rules, &moved)
            };
            let (more, less) = (at(1e-6), at(-1e-6));
            more.iter().zip(&less).map(|(more, less)| (more - less) / 2e-6).collect()
        })
        .collect();
    for a in 0..n {
        for b in 0..=a {
            let wanted: f64 = slopes[a].iter().zip(&slopes[b]).map(|(a, b)| a * b).sum();
            let scale: f64 = [a, b].map(|i| slopes[i].iter().map(|s| s * s).sum::<f64>().sqrt()).iter().product();
            let found = normal.matrix[a * n + b];
            assert!((found - wanted).abs() < 1e-6 * scale.max(1e-9), "{a} {b}: {wanted} by differences, {found}");
        }
    }
}

#[test]
fn derivatives_of_markers_on_the_muscle_are_those_of_differences() {
    for seed in 1..6 {
        let mut case = Case::new(seed * 7919);
        let rules = case.rules(false, &Settings::default());
        let samples = case.samples();
        let mut data = Samples::new(&samples, &rules.frames, 0.002);
        for kind in [Robust::Squares, Robust::Huber, Robust::Tukey] {
            let loss = Loss::of(kind, &mut descend::sizes(&mut data, &rules, &case.numbers), 1, 1e-3);
            check_gradient(&mut data, &rules, &loss, &case.numbers, "on the muscle");
        }
        let paper = Settings { relative_volume: false, volume_weight: 1e6, ..Settings::default() };
        check_gradient(&mut data, &case.rules(false, &paper), &Loss::SQUARES, &case.numbers, "volume as printed");
        let inside: Vec<Sample> = samples.iter().map(|s| Sample { radius: 0.0, ..*s }).collect();
        let mut data = Samples::new(&inside, &rules.frames, 0.0);
        check_matrix::<9>(&mut data, &rules, &case.numbers);
    }
}

#[test]
fn derivatives_of_markers_on_the_skin_are_those_of_differences() {
    let (share, markers) = ([0.05, 0.2, 0.4, 0.5, 0.55, 0.8, 0.95], [0, 1, 2, 3]);
    let (start, ring) = ([0, 2, 5, 8, 11], [0, 1, 1, 2, 3, 3, 4, 5, 4, 5, 6]);
    for seed in 1..6 {
        let mut case = Case::new(seed * 104_729);
        for straight in [false, true] {
            let random = &mut case.random;
            let mut vectors = |n: usize| -> Vec<DVec3> {
                let mut one = || random.between(-0.02, 0.03);
                (0..n).map(|_| if straight { DVec3::X * one() } else { DVec3::new(one(), one(), one()) }).collect()
            };
            let (b, c, wanted) = (vectors(11 * N_FRAME), vectors(11 * N_FRAME), vectors(4 * N_FRAME));
            let muscle = SkinMuscle {
                rest_length: 0.3,
                rest: Shape::from_nine(&std::array::from_fn(|n| case.numbers[18 + n])),
                length: &case.length,
                tension: &case.tension,
                belly_length: &[],
                ring_share: &share,
                markers: &markers,
                start: &start,
                ring: &ring,
                along_b: &b,
                along_c: &c,
            };
            let fixed = case.rules(true, &Settings::default());
            let free = case.rules(true, &Settings { free_rest: true, ..Settings::default() });
            assert_eq!((fixed.n_unknown, free.n_unknown), (18, N_LAW));
            if straight {
                let away = vec![-DVec3::X; 4 * N_FRAME];
                let mut data = Followers::new(&muscle, &away);
                check_matrix::<9>(&mut data, &fixed, &case.numbers);
                check_matrix::<18>(&mut data, &free, &case.numbers);
                continue;
            }
            let mut data = Followers::new(&muscle, &wanted);
            for kind in [Robust::Squares, Robust::Huber, Robust::Tukey] {
                let found = &mut descend::sizes::<9>(&mut data, &fixed, &case.numbers);
                let loss = Loss::of(kind, found, 3, 1e-3);
                check_gradient::<9>(&mut data, &fixed, &loss, &case.numbers, "on the skin");
                check_gradient::<18>(&mut data, &free, &loss, &case.numbers, "on the skin, rest free");
            }
        }
    }
}

#[test]
fn without_markers_the_prior_keeps_volume_and_ends() {
    let case = Case::new(99);
    let rules = case.rules(true, &Settings::default());
    let mut fit = Fit::start(&rules);
    let mut data = Samples::new(&[], &rules.frames, 0.0);
    fit.improve(&mut data, &rules, &Settings { swell: 0.0, ..Settings::default() });
    assert!(rules.volume_spread(&fit.numbers) < 0.05, "{}", rules.volume_spread(&fit.numbers));
    let law = law_of(&fit.numbers, 0.3);
    assert!((law.growth(0.25, 0.0, 0.0)[0] - 1.0).abs() < 0.01 && law.growth(0.25, 0.0, 0.5)[0] > 1.05);
}
