//! Laws of the muscle forces, over random bodies: they are optimal, they balance, and no other forces do it with less.

use fusiform_motion::tension::{Problem, Settings, Solved, Tension};
use proptest::prelude::*;

/// Numbers that look random (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A frame that owns its numbers.
#[derive(Clone, Debug)]
struct Frame {
    n_dof: usize,
    arms: Vec<f64>,
    strength: Vec<f64>,
    torque: Vec<f64>,
    emg: Vec<Option<f64>>,
    unit: Vec<f64>,
}

impl Frame {
    /// A frame whose torque muscles can make, with something to spare, times `demand`.
    fn random(n_muscle: usize, n_dof: usize, demand: f64, with_emg: bool, seed: u64) -> Self {
        let mut random = Random(seed | 1);
        (0..10).for_each(|_| _ = random.next());
        let mut arms = vec![0.0; n_muscle * n_dof];
        for arm in &mut arms {
            *arm = if random.next() < 0.4 { random.between(-0.08, 0.08) } else { 0.0 };
        }
        let strength: Vec<f64> =
            (0..n_muscle).map(|_| if random.next() < 0.05 { 0.0 } else { random.between(50.0, 3000.0) }).collect();
        let mut torque = vec![0.0; n_dof];
        for i in 0..n_muscle {
            let force = strength[i] * random.between(0.05, 0.95);
            (0..n_dof).for_each(|j| torque[j] += demand * force * arms[i * n_dof + j]);
        }
        let emg = (0..n_muscle).map(|_| (with_emg && random.next() < 0.4).then(|| random.next())).collect();
        let unit = (0..n_dof).map(|_| random.between(0.5, 20.0)).collect();
        Self { n_dof, arms, strength, torque, emg, unit }
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            moment_arms: &self.arms,
            strength: &self.strength,
            torque: &self.torque,
            emg: &self.emg,
            reserve_unit: &self.unit,
        }
    }

    fn solver(&self, settings: Settings) -> Tension {
        Tension::new(self.strength.len(), self.n_dof, settings).expect("the settings of these tests make sense")
    }

    fn full(&self, muscle: usize) -> Vec<f64> {
        let arms = &self.arms[muscle * self.n_dof..(muscle + 1) * self.n_dof];
        arms.iter().map(|arm| arm * self.strength[muscle]).collect()
    }

    /// What the forces of these activations leave to the reserves.
    fn reserve(&self, activation: &[f64]) -> Vec<f64> {
        let mut reserve = self.torque.clone();
        for (i, a) in activation.iter().enumerate() {
            reserve.iter_mut().zip(self.full(i)).for_each(|(reserve, full)| *reserve -= a * full);
        }
        reserve
    }

    fn cost(&self, activation: &[f64], settings: &Settings) -> f64 {
        let of_emg = |(a, e): (&f64, &Option<f64>)| e.map_or(0.0, |e| settings.emg_weight * (a - e).powi(2));
        let effort: f64 = activation.iter().map(|a| a * a).sum();
        let deviation: f64 = activation.iter().zip(&self.emg).map(of_emg).sum();
        let of_reserve =
            |(j, s): (usize, f64)| settings.reserve_price / self.unit[j] * (s.abs() + 0.5 * s * s / self.all(j));
        effort + deviation + self.reserve(activation).into_iter().enumerate().map(of_reserve).sum::<f64>()
    }

    /// N m that act on a coordinate, or could.
    fn all(&self, dof: usize) -> f64 {
        self.unit[dof] + self.torque[dof].abs() + (0..self.strength.len()).map(|i| self.full(i)[dof].abs()).sum::<f64>()
    }
}

/// The Karush-Kuhn-Tucker conditions, each scaled to about 1: bounds, stationarity with the right sign at bounds, reserves
/// that are 0 below their price, and balance.
fn check_optimal(frame: &Frame, settings: &Settings, solved: &Solved) {
    assert!(solved.settled, "{} steps", solved.steps);
    for (i, &a) in solved.activation.iter().enumerate() {
        assert!(a >= settings.least_activation && a <= 1.0);
        let pull: f64 = frame.full(i).iter().zip(solved.multiplier).map(|(full, l)| full * l).sum();
        let tracked = frame.emg[i].map_or(0.0, |e| 2.0 * settings.emg_weight * (a - e));
        let slope = 2.0 * a + tracked - pull;
        let terms: f64 = frame.full(i).iter().zip(solved.multiplier).map(|(full, l)| (full * l).abs()).sum();
        let size = 1.0 + terms + settings.emg_weight;
        let (at_least, at_most) = (a == settings.least_activation, a == 1.0);
        assert!(at_least || slope < 1e-8 * size, "muscle {i}: slope {slope} at {a}");
        assert!(at_most || slope > -1e-8 * size, "muscle {i}: slope {slope} at {a}");
    }
    for (j, &reserve) in solved.reserve.iter().enumerate() {
        let (unit, multiplier) = (frame.unit[j], solved.multiplier[j]);
        let beyond = (multiplier.abs() * unit / settings.reserve_price - 1.0).max(0.0);
        let wanted = frame.all(j) * beyond * multiplier.signum();
        assert!((reserve - wanted).abs() < 1e-8 * frame.all(j), "reserve {j}: {reserve}, not {wanted}");
    }
    for (told, measured) in solved.reserve.iter().zip(frame.reserve(solved.activation)) {
        assert!((told - measured).abs() < 1e-9 * (1.0 + measured.abs()), "{told} is not {measured}");
    }
}

/// The least cost by brute force: every choice of bound or none for every muscle, and of sign for every reserve, is a
/// linear system for λ; whatever it says, clamped, is a candidate.
fn least_cost(frame: &Frame, settings: &Settings) -> f64 {
    let (n, m) = (frame.strength.len(), frame.n_dof);
    let weight = |i: usize| frame.emg[i].map_or(0.0, |_| settings.emg_weight);
    let wish = |i: usize| weight(i) * frame.emg[i].unwrap_or(0.0);
    let mut least = f64::INFINITY;
    for choice in 0..3_usize.pow((n + m) as u32) {
        let pick = |k: usize| choice / 3_usize.pow(k as u32) % 3;
        let (mut matrix, mut right) = (vec![vec![0.0; m]; m], frame.torque.clone());
        for i in 0..n {
            let full = frame.full(i);
            let fixed = match pick(i) {
                0 => settings.least_activation,
                1 => 1.0,
                _ => wish(i) / (1.0 + weight(i)),
            };
            for j in 0..m {
                right[j] -= full[j] * fixed;
                let bend = if pick(i) == 2 { 0.5 / (1.0 + weight(i)) } else { 0.0 };
                (0..m).for_each(|k| matrix[j][k] += bend * full[j] * full[k]);
            }
        }
        for j in (0..m).filter(|&j| pick(n + j) != 2) {
            let sign = pick(n + j) as f64 * 2.0 - 1.0;
            matrix[j][j] += frame.all(j) * frame.unit[j] / settings.reserve_price;
            right[j] += frame.all(j) * sign;
        }
        let Some(multiplier) = eliminate(matrix, right) else { continue };
        let activation: Vec<f64> = (0..n)
            .map(|i| {
                let pull: f64 = frame.full(i).iter().zip(&multiplier).map(|(full, l)| full * l).sum();
                ((wish(i) + 0.5 * pull) / (1.0 + weight(i))).clamp(settings.least_activation, 1.0)
            })
            .collect();
        least = least.min(frame.cost(&activation, settings));
    }
    least
}

/// Gauss, with pivots.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let m = right.len();
    for column in 0..m {
        let pivot = (column..m).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in (0..m).filter(|&row| row != column) {
            let times = matrix[row][column] / matrix[column][column];
            (0..m).for_each(|k| matrix[row][k] -= times * matrix[column][k]);
            right[row] -= times * right[column];
        }
    }
    Some((0..m).map(|j| right[j] / matrix[j][j]).collect())
}

fn settings() -> impl Strategy<Value = Settings> {
    (prop_oneof![Just(0.0), 0.0..0.05], 0.0..50.0, prop_oneof![Just(100.0), 1.0..1e4]).prop_map(
        |(least_activation, emg_weight, reserve_price)| Settings { least_activation, emg_weight, reserve_price },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn forces_are_optimal(
        (n_muscle, n_dof) in (1_usize..80, 1_usize..20), demand in -3.0..3.0_f64, with_emg: bool, seed: u64, settings in settings(),
    ) {
        let frame = Frame::random(n_muscle, n_dof, demand, with_emg, seed);
        let mut tension = frame.solver(settings);
        check_optimal(&frame, &settings, &tension.solve(&frame.problem()).unwrap());
    }

    #[test]
    fn forces_are_optimal_for_bodies_that_make_it_hard(
        (n_muscle, n_dof) in (2_usize..80, 1_usize..20), demand in -5.0..5.0_f64, hardships: [bool; 4], seed: u64,
    ) {
        let mut frame = Frame::random(n_muscle, n_dof, demand, true, seed);
        let [twins, flat, weak, strained] = hardships;
        if twins {
            frame.arms.copy_within(..n_muscle / 2 * n_dof, (n_muscle - n_muscle / 2) * n_dof);
        }
        if flat {
            frame.arms.iter_mut().step_by(n_dof).for_each(|arm| *arm *= 1e-7);
        }
        if weak {
            frame.unit.fill(1e-3);
        }
        if strained {
            frame.torque.iter_mut().for_each(|torque| *torque *= 1e4);
        }
        let mut tension = frame.solver(Settings::default());
        check_optimal(&frame, &Settings::default(), &tension.solve(&frame.problem()).unwrap());
    }

    #[test]
    fn nothing_is_left_to_reserves_where_muscles_can(
        n_dof in 1_usize..30, demand in 0.0..1.0_f64, with_emg: bool, seed: u64,
    ) {
        let frame = Frame::random(6 * n_dof + 4, n_dof, demand, with_emg, seed);
        let mut tension = frame.solver(Settings::default());
        let solved = tension.solve(&frame.problem()).unwrap();
        prop_assert!(solved.reserve.iter().all(|reserve| reserve.abs() < 1e-6), "{:?}", solved.reserve);
    }

    #[test]
    fn the_frame_before_does_not_matter(seed: u64, with_emg: bool, demands in prop::array::uniform2(-2.0..2.0_f64)) {
        let before = Frame::random(40, 9, demands[0], with_emg, seed ^ 0xABCD);
        let frame = Frame::random(40, 9, demands[1], with_emg, seed);
        let mut cold = frame.solver(Settings::default());
        let cold = cold.solve(&frame.problem()).unwrap();
        let mut warm = frame.solver(Settings::default());
        warm.solve(&before.problem()).unwrap();
        let warm = warm.solve(&frame.problem()).unwrap();
        for (cold, warm) in cold.activation.iter().zip(warm.activation) {
            prop_assert!((cold - warm).abs() < 1e-7, "{} {}", cold, warm);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_choice_of_bounds_costs_less(
        (n_muscle, n_dof) in (1_usize..6, 1_usize..3), demand in -2.0..2.0_f64, with_emg: bool, seed: u64,
    ) {
        let frame = Frame::random(n_muscle, n_dof, demand, with_emg, seed);
        let settings = Settings { reserve_price: 5.0, ..Settings::default() };
        let mut tension = frame.solver(settings);
        let found = frame.cost(tension.solve(&frame.problem()).unwrap().activation, &settings);
        let least = least_cost(&frame, &settings);
        prop_assert!((found - least).abs() < 1e-8 * (1.0 + least), "{} against {}", found, least);
    }
}

#[test]
fn a_smooth_motion_has_smooth_forces_and_needs_few_steps() {
    let frame = Frame::random(92, 23, 1.0, false, 7);
    let mut tension = frame.solver(Settings::default());
    let mut before: Option<Vec<f64>> = None;
    for k in 0..240 {
        let mut now = frame.clone();
        now.torque.iter_mut().for_each(|torque| *torque *= 0.6 + 0.4 * (k as f64 / 60.0).sin());
        let solved = tension.solve(&now.problem()).unwrap();
        assert!(solved.settled && solved.steps < 20, "{} steps in frame {k}", solved.steps);
        if let Some(before) = &before {
            let jump = solved.activation.iter().zip(before).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()));
            assert!(jump < 0.05, "{jump} in frame {k}");
        }
        before = Some(solved.activation.to_vec());
    }
}

#[test]
fn antagonists_pull_against_each_other_when_both_are_measured() {
    let mut frame = Frame {
        n_dof: 1,
        arms: vec![0.04, -0.04],
        strength: vec![800.0, 800.0],
        torque: vec![0.0],
        emg: vec![None, None],
        unit: vec![1.0],
    };
    let mut tension = frame.solver(Settings::default());
    assert_eq!(tension.solve(&frame.problem()).unwrap().force, [0.0, 0.0]);
    frame.emg = vec![Some(0.5), Some(0.5)];
    let solved = tension.solve(&frame.problem()).unwrap();
    let wanted = 10.0 / 11.0 * 0.5 * 800.0; // w/(1 + w) e f_max
    assert!(solved.force.iter().all(|force| (force - wanted).abs() < 1e-9), "{solved:?}");
    assert!(solved.reserve[0].abs() < 1e-12);
}
