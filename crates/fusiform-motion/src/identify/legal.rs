//! Laws whose shapes are legal on every frame: steps that leave them are brought back.
//!
//! ```text
//! |k₁| ≤ 30,   0 ≤ k₂ ≤ 60,   |k₃|, |k₄| ≤ 10 m,   0 ≤ ε ≤ 0.99
//! k(0), k(1) ≥ 0.1 mm                                     k is monotone in x, so its ends vouch for all of it
//! ```
//!
//! Beyond 30 a sigmoid is flat, and metres that cancel each other would be lost in the f32 of a frame: there markers have nothing
//! more to say.
//!
//! On each frame these are half-spaces of α and β: the numbers at once, the radii once k₁ and k₂ are known. The worst of the
//! frames is projected upon, again and again (Agmon, Motzkin, Schoenberg: relaxation for linear inequalities, Canad. J. Math. 6,
//! 1954). What is then left over, and what has no answer this way, is shrunk toward rest, which is legal.

use super::normal::Numbers;
use super::rules::Rules;
use super::shape::{ECCENTRICITY, LEAST_RADIUS, MOST_ECCENTRICITY, N_SHAPE, Nine, rise};

/// Of k₁ … k₄.
const LIMITS: [[f64; 2]; 4] = [[-30.0, 30.0], [0.0, 60.0], [-10.0, 10.0], [-10.0, 10.0]];
/// Projections before the rest is shrunk.
const TRIES: usize = 48;
/// Evaluation clamps what is this near.
const CLOSE: f64 = 1e-9;
const BY_LENGTH: usize = 0;
const BY_TENSION: usize = N_SHAPE;
const REST: usize = 2 * N_SHAPE;

/// A shape within its limits, itself if it already is.
pub(super) fn rest(shape: &mut Nine) {
    shape[ECCENTRICITY] = shape[ECCENTRICITY].clamp(0.0, MOST_ECCENTRICITY);
    for part in 0..2 {
        let k = &mut shape[4 * part..4 * part + 4];
        k.iter_mut().zip(LIMITS).for_each(|(k, [low, high])| *k = k.clamp(low, high));
        let least = [0.0, 1.0].map(|x| k[2] * rise(&[k[0], k[1], k[2], k[3]], x) + k[3]);
        k[3] += (LEAST_RADIUS - least[0].min(least[1])).max(0.0);
    }
}

/// The nearest law, or one near it, that is legal at rest and on all frames.
pub(super) fn project(numbers: &mut Numbers, rules: &Rules) {
    if !rules.rest_is_given() {
        let mut shape: Nine = std::array::from_fn(|n| numbers[REST + n]);
        rest(&mut shape);
        numbers[REST..].copy_from_slice(&shape);
    }
    within(numbers, rules, ECCENTRICITY, [0.0, MOST_ECCENTRICITY]);
    for part in 0..2 {
        (0..4).for_each(|n| within(numbers, rules, 4 * part + n, LIMITS[n]));
        thick(numbers, rules, part);
    }
}

/// One number between limits, on all frames.
fn within(numbers: &mut Numbers, rules: &Rules, n: usize, [low, high]: [f64; 2]) {
    let at_rest = numbers[REST + n];
    // what no frame tells must not run away: no more than from limit to limit over a usual change of length, or by all tension
    let most = high - low;
    numbers[BY_LENGTH + n] = numbers[BY_LENGTH + n].clamp(-most / rules.usual, most / rules.usual);
    numbers[BY_TENSION + n] = numbers[BY_TENSION + n].clamp(-most, most);
    for _ in 0..TRIES {
        let (a, b) = (numbers[BY_LENGTH + n], numbers[BY_TENSION + n]);
        let over = |[longer, tension]: [f64; 2]| {
            let value = at_rest + a * longer + b * tension;
            value - value.clamp(low, high)
        };
        let Some((frame, over)) = worst(rules, over) else { return };
        let [along, across] = [frame[0] / rules.usual, frame[1]];
        let step = over / (along * along + across * across).max(1e-12);
        numbers[BY_LENGTH + n] -= step * along / rules.usual;
        numbers[BY_TENSION + n] -= step * across;
    }
    let mut share = 1.0_f64;
    for (_, [longer, tension]) in rules.seen() {
        let change = numbers[BY_LENGTH + n] * longer + numbers[BY_TENSION + n] * tension;
        let room = if change > 0.0 { high - at_rest } else { low - at_rest };
        if change.abs() > room.abs() + CLOSE {
            share = share.min(room / change);
        }
    }
    numbers[BY_LENGTH + n] *= share;
    numbers[BY_TENSION + n] *= share;
}

/// The frame that is furthest over, and by how much; none if none is.
fn worst(rules: &Rules, over: impl Fn([f64; 2]) -> f64) -> Option<([f64; 2], f64)> {
    let mut most: Option<([f64; 2], f64)> = None;
    for (_, frame) in rules.seen() {
        let over = over(frame);
        if over.abs() > most.map_or(CLOSE, |(_, most)| most.abs()) {
            most = Some((frame, over));
        }
    }
    most
}

/// The thinner end of a part, on a frame: its rise, and by how much it is too thin.
fn thinnest(numbers: &Numbers, part: usize, frame: [f64; 2]) -> (f64, f64) {
    let k: [f64; 4] = std::array::from_fn(|i| {
        let n = 4 * part + i;
        numbers[REST + n] + numbers[BY_LENGTH + n] * frame[0] + numbers[BY_TENSION + n] * frame[1]
    });
    let [end, centre] = [0.0, 1.0].map(|x| rise(&k, x));
    let u = if k[2] < 0.0 { centre } else { end };
    (u, k[2] * u + k[3] - LEAST_RADIUS)
}

/// Both ends of a part thick enough, on all frames: by k₃ and k₄, and if that does not do, by all four.
fn thick(numbers: &mut Numbers, rules: &Rules, part: usize) {
    let (third, fourth) = (4 * part + 2, 4 * part + 3);
    for _ in 0..TRIES {
        let Some((frame, over)) = worst(rules, |frame| thinnest(numbers, part, frame).1.min(0.0)) else { return };
        let (u, _) = thinnest(numbers, part, frame);
        let [along, across] = [frame[0] / rules.usual, frame[1]];
        let step = over / ((along * along + across * across) * (u * u + 1.0)).max(1e-12);
        numbers[BY_LENGTH + third] -= step * u * along / rules.usual;
        numbers[BY_TENSION + third] -= step * u * across;
        numbers[BY_LENGTH + fourth] -= step * along / rules.usual;
        numbers[BY_TENSION + fourth] -= step * across;
    }
    for _ in 0..TRIES {
        if worst(rules, |frame| thinnest(numbers, part, frame).1.min(0.0)).is_none() {
            return;
        }
        for n in 4 * part..4 * part + 4 {
            numbers[BY_LENGTH + n] *= 0.5;
            numbers[BY_TENSION + n] *= 0.5;
        }
    }
    for n in 4 * part..4 * part + 4 {
        numbers[BY_LENGTH + n] = 0.0;
        numbers[BY_TENSION + n] = 0.0;
    }
}
