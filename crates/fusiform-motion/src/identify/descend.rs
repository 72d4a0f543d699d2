//! Levenberg and Marquardt over the 27 numbers (18 where the shape at rest is given), from a legal law to a legal law.
//!
//! Marquardt: *An Algorithm for Least-Squares Estimation of Nonlinear Parameters*, SIAM J. Appl. Math. 11, 1963. A step that leaves
//! the legal is brought back before it is judged; one that does not lower the cost is not taken. Ends always: after so many
//! iterations, when the cost has stopped falling, or when damping has grown past all sense.

use super::normal::{Local, Normal, Numbers};
use super::robust::{Loss, Robust};
use super::rules::Rules;
use super::shape::Nine;
use super::{Settings, legal};
use crate::dense;

/// Twice in a row no better than by this share: enough.
const STALL: f64 = 1e-5;
const LEAST_DAMPING: f64 = 1e-9;
const FIRST_DAMPING: f64 = 1e-4;
const MOST_DAMPING: f64 = 1e9;

/// Residuals of markers, frame by frame; N is 9, or 18 where they see the shape at rest as well.
pub(super) trait Data<const N: usize> {
    /// Components of a residual: 1 or 3.
    const COMPONENTS: usize;

    /// Sizes of the residuals of a frame, in a fixed order.
    fn sizes(&mut self, frame: usize, shape: &Nine, rest: &[f64], each: impl FnMut(f64));

    /// Derivatives of every residual of a frame.
    fn linearise(&mut self, frame: usize, shape: &Nine, rest: &[f64], loss: &Loss, local: &mut Local<N>);
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Descent {
    cost: f64,
    iterations: usize,
    settled: bool,
}

/// Z at a law.
pub(super) fn cost<const N: usize>(data: &mut impl Data<N>, rules: &Rules, loss: &Loss, numbers: &Numbers) -> f64 {
    let mut sum = 0.0;
    for (t, frame) in rules.seen() {
        data.sizes(t, &Rules::shape(numbers, frame), &numbers[18..], |size| sum += loss.cost(size));
    }
    sum + rules.cost(numbers)
}

/// Normal equations at a law.
pub(super) fn linearise<const N: usize>(
    data: &mut impl Data<N>,
    rules: &Rules,
    loss: &Loss,
    numbers: &Numbers,
    normal: &mut Normal,
) {
    normal.clear();
    for (t, frame) in rules.seen() {
        let mut local = Local::NONE;
        data.linearise(t, &Rules::shape(numbers, frame), &numbers[18..], loss, &mut local);
        normal.spread(frame, &local);
    }
    rules.linearise(numbers, normal);
}

/// All residual sizes at a law.
pub(super) fn sizes<const N: usize>(data: &mut impl Data<N>, rules: &Rules, numbers: &Numbers) -> Vec<f64> {
    let mut sizes = Vec::new();
    for (t, frame) in rules.seen() {
        data.sizes(t, &Rules::shape(numbers, frame), &numbers[18..], |size| sizes.push(size));
    }
    sizes
}

/// A law between descents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub numbers: Numbers,
    pub loss: Loss,
    pub iterations: usize,
    pub settled: bool,
    /// The share of its cost that the last descent took away.
    pub gain: f64,
}

impl Fit {
    /// The prior's law, made legal.
    pub fn start(rules: &Rules) -> Self {
        let mut numbers = rules.start();
        legal::project(&mut numbers, rules);
        Self { numbers, loss: Loss::SQUARES, iterations: 0, settled: false, gain: 1.0 }
    }

    /// One more descent, with what is usual measured anew. The first is by Huber: Tukey finds its way only from nearby.
    pub fn improve<const N: usize, D: Data<N>>(&mut self, data: &mut D, rules: &Rules, settings: &Settings) {
        let first = self.iterations == 0 && settings.robust == Robust::Tukey;
        let kind = if first { Robust::Huber } else { settings.robust };
        let mut found = sizes(data, rules, &self.numbers);
        self.loss = Loss::of(kind, &mut found, D::COMPONENTS, settings.noise);
        let before = cost(data, rules, &self.loss, &self.numbers);
        let descent = descend(data, rules, &self.loss, &mut self.numbers, settings.iterations);
        self.iterations += descent.iterations;
        self.settled = descent.settled;
        self.gain = if before > 0.0 { 1.0 - descent.cost / before } else { 0.0 };
    }
}

/// From `numbers`, legal, to better ones.
fn descend<const N: usize>(
    data: &mut impl Data<N>,
    rules: &Rules,
    loss: &Loss,
    numbers: &mut Numbers,
    most: usize,
) -> Descent {
    let n = rules.n_unknown;
    let (mut normal, mut damped, mut step) = (Normal::new(n), vec![0.0; n * n], vec![0.0; n]);
    let mut best = cost(data, rules, loss, numbers);
    let (mut damping, mut stalls) = (FIRST_DAMPING, 0);
    for iteration in 0..most {
        linearise(data, rules, loss, numbers, &mut normal);
        let fell = loop {
            let mut trial = *numbers;
            if solve(&normal, damping, &mut damped, &mut step) {
                trial.iter_mut().zip(&step).for_each(|(number, step)| *number -= step);
                legal::project(&mut trial, rules);
                let found = cost(data, rules, loss, &trial);
                if found <= best && trial.iter().all(|number| number.is_finite()) {
                    let fell = best - found;
                    (*numbers, best) = (trial, found);
                    break fell;
                }
            }
            damping *= 10.0;
            if damping > MOST_DAMPING {
                return Descent { cost: best, iterations: iteration + 1, settled: true };
            }
        };
        damping = (damping * 0.1).max(LEAST_DAMPING);
        stalls = if fell <= STALL * best { stalls + 1 } else { 0 };
        if stalls == 2 || best == 0.0 {
            return Descent { cost: best, iterations: iteration + 1, settled: true };
        }
    }
    Descent { cost: best, iterations: most, settled: false }
}

/// (H + λ diag H) step = gradient. False if there is no such step.
fn solve(normal: &Normal, damping: f64, damped: &mut [f64], step: &mut [f64]) -> bool {
    let n = normal.n;
    damped.copy_from_slice(&normal.matrix);
    for i in 0..n {
        // an unknown on which nothing depends stays where it is
        damped[i * n + i] = damped[i * n + i] * (1.0 + damping) + f64::MIN_POSITIVE;
    }
    step.copy_from_slice(&normal.gradient);
    dense::factor(n, damped) && {
        dense::substitute(n, damped, step);
        step.iter().all(|s| s.is_finite())
    }
}
