//! Factors: exact where they can be, honest where they cannot, the same bits on any number of threads.

mod played;

use fusiform_bake::{BakeError, FactorSettings, Factors, factor};
use glam::Vec3;
use proptest::prelude::*;

/// Numbers in -1..1 that look random and are the same everywhere.
fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// n_frame x n_vertex of that rank, about a centimetre long, and so much noise; the first frame is at rest.
fn low_rank(n_frame: usize, n_vertex: usize, rank: usize, loud: f32, seed: u64) -> Vec<Vec3> {
    let mut next = noise(seed);
    let shapes: Vec<Vec<Vec3>> =
        (0..rank).map(|_| (0..n_vertex).map(|_| 0.01 * Vec3::new(next(), next(), next())).collect()).collect();
    let mut residual = vec![Vec3::ZERO; n_frame * n_vertex];
    for frame in residual.chunks_exact_mut(n_vertex).skip(1) {
        for shape in &shapes {
            let weight = next();
            frame.iter_mut().zip(shape).for_each(|(r, s)| *r += weight * *s);
        }
        frame.iter_mut().for_each(|r| *r += loud * Vec3::new(next(), next(), next()));
    }
    residual
}

fn settings(tolerance: f32) -> FactorSettings {
    FactorSettings { tolerance, ..FactorSettings::default() }
}

fn run(residual: &[Vec3], n_vertex: usize, settings: &FactorSettings) -> Factors {
    factor(residual, n_vertex, settings, &[], |_| Ok(())).expect("sound residuals")
}

/// Largest error, found without any of the crate's own code.
fn largest_error(residual: &[Vec3], n_vertex: usize, factors: &Factors) -> f64 {
    let n = factors.n_target;
    let error = |(i, r): (usize, &Vec3)| {
        let (frame, vertex) = (i / n_vertex, i % n_vertex);
        let sum = (0..n).fold(glam::DVec3::ZERO, |sum, k| {
            sum + factors.targets[k * n_vertex + vertex].as_dvec3() * f64::from(factors.weights[frame * n + k])
        });
        sum.distance(r.as_dvec3())
    };
    residual.iter().enumerate().map(error).fold(0.0, f64::max)
}

#[test]
fn data_of_low_rank_is_recovered_with_just_as_many_targets() {
    let residual = low_rank(40, 200, 5, 0.0, 1);
    let factors = run(&residual, 200, &settings(1e-5));
    assert_eq!(factors.n_target, 5);
    assert!(largest_error(&residual, 200, &factors) <= 1e-5);
    assert!(factors.weights[..5].iter().all(|&w| w == 0.0), "the frame at rest has weight 0 to the bit");
    assert!(factors.weights.iter().all(|w| w.abs() <= 1.0));
    assert!(factors.spectrum[5] < 1e-5 * factors.spectrum[0]);
}

#[test]
fn more_frames_than_coordinates_are_no_harder() {
    let residual = low_rank(100, 8, 3, 0.0, 2);
    let factors = run(&residual, 8, &settings(1e-5));
    assert_eq!(factors.n_target, 3);
    assert!(largest_error(&residual, 8, &factors) <= 1e-5);
}

#[test]
fn frames_at_rest_need_no_target() {
    let factors = run(&[Vec3::ZERO; 60], 20, &settings(1e-4));
    assert_eq!((factors.n_target, factors.max_error), (0, 0.0));
    let none = run(&[], 0, &settings(1e-4));
    assert_eq!(none.n_target, 0);
}

#[test]
fn many_vertices_that_hardly_move_need_no_target_and_one_motion_of_them_needs_one() {
    // more vertices than are tried at once while counting
    let (n_frame, n_vertex) = (4, 3000);
    let faint = low_rank(n_frame, n_vertex, 0, 1e-6, 3);
    assert_eq!(run(&faint, n_vertex, &settings(1e-3)).n_target, 0);
    let one = low_rank(n_frame, n_vertex, 1, 1e-6, 4);
    assert_eq!(run(&one, n_vertex, &settings(1e-3)).n_target, 1);
}

#[test]
fn one_frame_is_its_own_target() {
    let residual = low_rank(2, 50, 1, 0.0, 3).split_off(50);
    let factors = run(&residual, 50, &settings(1e-5));
    assert_eq!((factors.n_target, &factors.weights[..]), (1, &[1.0][..]));
    assert!(largest_error(&residual, 50, &factors) <= 1e-5);
}

#[test]
fn more_targets_than_frames_are_not_made() {
    let residual = low_rank(6, 50, 5, 0.01, 4);
    let factors = run(&residual, 50, &FactorSettings { tolerance: 1e-6, max_targets: 500, sweeps: 5 });
    assert!(factors.n_target <= 5, "{} targets for five frames that move", factors.n_target);
    assert!(factors.max_error <= 1e-6, "{}", factors.max_error);
}

#[test]
fn too_few_targets_give_the_best_there_is_and_say_so() {
    let residual = low_rank(60, 100, 12, 0.0, 5);
    let factors = run(&residual, 100, &FactorSettings { tolerance: 1e-4, max_targets: 4, sweeps: 10 });
    assert_eq!(factors.n_target, 4);
    assert!(factors.max_error > 1e-4);
    let measured = largest_error(&residual, 100, &factors);
    assert!((measured - f64::from(factors.max_error)).abs() < 1e-7, "{measured} {}", factors.max_error);
}

#[test]
fn what_is_not_finite_or_not_there_is_refused() {
    let mut residual = low_rank(5, 10, 2, 0.0, 6);
    let outside = factor(&residual, 10, &settings(1e-3), &[0..2, 2..9], |_| Ok(()));
    assert!(matches!(outside, Err(BakeError::ClipRange { clip: 1, end: 9, .. })), "{outside:?}");
    let tolerance = factor(&residual, 10, &settings(f32::NAN), &[], |_| Ok(()));
    assert!(matches!(tolerance, Err(BakeError::Setting { .. })), "{tolerance:?}");
    let ragged = factor(&residual, 7, &settings(1e-3), &[], |_| Ok(()));
    assert!(matches!(ragged, Err(BakeError::Length { .. })), "{ragged:?}");
    residual[23].y = f32::NAN;
    let nan = factor(&residual, 10, &settings(1e-3), &[], |_| Ok(()));
    assert!(matches!(nan, Err(BakeError::NotFinite { frame: 2, vertex: 3, .. })), "{nan:?}");
}

#[test]
fn the_athlete_is_baked_within_the_tolerance_with_fewer_targets_than_least_squares_takes() {
    let played = played::play(3_700, 4, 4);
    let (residual, damped) = played.residual();
    assert_eq!(damped, 0, "no blend of the athlete's is nearly flat");
    let clips: Vec<_> = played.clips.iter().map(|(_, frames)| frames.clone()).collect();
    let n_vertex = played.bind.len();
    let mut heard = Vec::new();
    let told = |done| {
        heard.push(done);
        Ok(())
    };
    let factors = factor(&residual, n_vertex, &settings(1e-3), &clips, told).expect("sound");
    assert!(largest_error(&residual, n_vertex, &factors) <= 1e-3);
    let (found, least_squares) = (factors.n_target, factors.least_squares);
    assert!(4 * found <= 3 * least_squares, "{found} instead of {least_squares}");
    assert!(factors.at_least <= found);
    let worst = factors.clips.iter().map(|clip| clip.max_error).fold(0.0, f32::max);
    assert_eq!(worst, factors.max_error);
    assert!(heard.is_sorted() && heard.last() == Some(&1.0), "{heard:?}");
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let residual = low_rank(70, 900, 10, 0.001, 7);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| run(&residual, 900, &settings(1.5e-3)))
    };
    let (one, two) = (on(1), on(2));
    assert!(one.n_target > 0 && one.n_target < one.least_squares, "the polish has its part in it");
    assert_eq!(one, two);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_tolerance_is_kept_whatever_the_residuals(
        n_frame in 1usize..30, n_vertex in 1usize..40, rank in 0usize..6, loud in 0.0f32..0.003,
        tolerance in 1e-4f32..5e-3, seed in any::<u64>(),
    ) {
        let residual = low_rank(n_frame, n_vertex, rank, loud, seed);
        let factors = run(&residual, n_vertex, &FactorSettings { tolerance, max_targets: 200, sweeps: 20 });
        prop_assert!(largest_error(&residual, n_vertex, &factors) <= f64::from(tolerance) * 1.0001);
        prop_assert!(factors.n_target <= factors.least_squares && factors.n_target >= factors.at_least);
    }
}
