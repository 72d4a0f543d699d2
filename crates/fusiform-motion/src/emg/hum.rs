//! Mains hum: taken out where it is found, harmonics included.
//!
//! ```text
//! x(t) −= Σ_c h(t − c) (a_c cos 2πft + b_c sin 2πft)        h Hann, c every second; a, b the least squares under h
//! ```
//!
//! EMG has power at 50 and 60 Hz too, so hum is only what stands out from its neighbourhood, averaged over all windows
//! (Welch: *The use of fast Fourier transform for the estimation of power spectra*, 1967). Windows let the mains drift.

use std::f64::consts::{PI, TAU};

/// Seconds from one window to the next; they are twice as long, and blind to anything further than 1 Hz away.
const HOP: f64 = 1.0;

/// Hz away from a line: where its neighbourhood is measured; the line itself comes first.
const AWAY: [f64; 9] = [0.0, -5.5, -4.5, -3.5, -2.5, 2.5, 3.5, 4.5, 5.5];

/// The least a mains frequency can be, and the least its harmonics keep from half the rate, Hz.
const MARGIN: f64 = 6.0;

/// How many times the power of its neighbourhood a line must have. Noise alone reaches this once in thousands of recordings.
const STANDS_OUT: f64 = 6.0;

/// Take out every mains frequency and its harmonics.
pub(super) fn remove(signal: &mut [f64], rate: f64, mains: &[f64]) {
    let harmonics = |base: f64| (1..).map(move |k: u32| base * f64::from(k));
    let below = 0.5 * rate - MARGIN;
    let bases = mains.iter().copied().filter(|base| *base > MARGIN);
    let lines: Vec<f64> = bases.flat_map(|base| harmonics(base).take_while(|line| *line < below)).collect();
    for line in standing_out(signal, rate, &lines) {
        subtract(signal, rate, line);
    }
}

/// Those lines that have more power than their neighbourhood.
fn standing_out(signal: &[f64], rate: f64, lines: &[f64]) -> Vec<f64> {
    let mut powers = vec![[0.0; AWAY.len()]; lines.len()];
    let mut tapered = Vec::new();
    for window in Window::all(signal.len(), rate) {
        tapered.clear();
        window.walk(rate, 0.0, |i, weight, _, _| tapered.push(weight * signal[i]));
        for (line, powers) in lines.iter().zip(&mut powers) {
            add_powers(&tapered, AWAY.map(|away| TAU * (line + away) / rate), powers);
        }
    }
    let stands_out = |power: &[f64; AWAY.len()]| {
        let around = power[1..].iter().sum::<f64>() / (AWAY.len() - 1) as f64;
        power[0] > STANDS_OUT * around
    };
    lines.iter().zip(&powers).filter(|(_, power)| stands_out(power)).map(|(line, _)| *line).collect()
}

/// Add the power of a signal at frequencies, rad per sample, side by side.
///
/// ```text
/// sₙ = xₙ + 2 cos ω sₙ₋₁ − sₙ₋₂        |X|² = s² + s₋₁² − 2 cos ω s s₋₁
/// ```
///
/// Goertzel: *An algorithm for the evaluation of finite trigonometric series*, 1958.
fn add_powers<const N: usize>(signal: &[f64], frequencies: [f64; N], powers: &mut [f64; N]) {
    let turn = frequencies.map(|frequency| 2.0 * frequency.cos());
    let (mut now, mut before) = ([0.0; N], [0.0; N]);
    for x in signal {
        for k in 0..N {
            let next = x + turn[k] * now[k] - before[k];
            before[k] = now[k];
            now[k] = next;
        }
    }
    for k in 0..N {
        powers[k] += now[k] * now[k] + before[k] * before[k] - turn[k] * now[k] * before[k];
    }
}

fn subtract(signal: &mut [f64], rate: f64, line: f64) {
    let before = signal.to_vec();
    for window in Window::all(signal.len(), rate) {
        let [a, b] = window.fit(&before, rate, line);
        window.walk(rate, line, |i, weight, cosine, sine| signal[i] -= weight * (a * cosine + b * sine));
    }
}

/// A Hann window, cut where the signal ends; all of them add up to 1.
struct Window {
    center: f64,
    hop: f64,
    first: usize,
    end: usize,
}

impl Window {
    fn all(n: usize, rate: f64) -> impl Iterator<Item = Self> {
        let hop = (HOP * rate).max(1.0);
        let last = (n as f64 / hop).ceil() as usize;
        (0..=last).map(move |k| {
            let center = k as f64 * hop;
            let end = ((center + hop).ceil() as usize).min(n);
            Self { center, hop, first: ((center - hop).max(0.0) as usize).min(end), end }
        })
    }

    /// Visit every sample with its weight, and the cosine and sine of a line there.
    fn walk(&self, rate: f64, line: f64, mut visit: impl FnMut(usize, f64, f64, f64)) {
        let turn = |angle: f64| [angle.cos(), angle.sin()];
        let (mut hann, hann_step) = (turn(PI * (self.first as f64 - self.center) / self.hop), turn(PI / self.hop));
        let (mut wave, wave_step) = (turn(TAU * line * self.first as f64 / rate), turn(TAU * line / rate));
        for i in self.first..self.end {
            visit(i, 0.5 + 0.5 * hann[0], wave[0], wave[1]);
            hann = turned(hann, hann_step);
            wave = turned(wave, wave_step);
        }
    }

    /// a and b of a line, by weighted least squares.
    fn fit(&self, signal: &[f64], rate: f64, line: f64) -> [f64; 2] {
        let [mut cc, mut cs, mut ss, mut cx, mut sx] = [0.0; 5];
        self.walk(rate, line, |i, weight, cosine, sine| {
            let (c, s) = (weight * cosine, weight * sine);
            cc += c * cosine;
            cs += c * sine;
            ss += s * sine;
            cx += c * signal[i];
            sx += s * signal[i];
        });
        let determinant = cc * ss - cs * cs;
        // a sliver of a window at the end cannot tell cosine from sine
        if determinant <= 1e-6 * cc * ss || !determinant.is_finite() {
            return [0.0; 2];
        }
        [(ss * cx - cs * sx) / determinant, (cc * sx - cs * cx) / determinant]
    }
}

/// The product of two complex numbers.
fn turned([re, im]: [f64; 2], [c, s]: [f64; 2]) -> [f64; 2] {
    [re * c - im * s, re * s + im * c]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize, rate: f64, line: f64) -> Vec<f64> {
        (0..n).map(|i| 3.0 * (TAU * line * i as f64 / rate + 0.4).sin()).collect()
    }

    #[test]
    fn hum_and_its_harmonics_go() {
        for line in [50.0, 150.0, 60.0, 180.0] {
            let mut signal = wave(5300, 1000.0, line);
            remove(&mut signal, 1000.0, &[50.0, 60.0]);
            assert!(signal.iter().all(|v| v.abs() < 1e-6), "{line} Hz");
        }
    }

    #[test]
    fn other_frequencies_stay() {
        for line in [20.0, 44.0, 75.0, 110.0] {
            let before = wave(5300, 1000.0, line);
            let mut signal = before.clone();
            remove(&mut signal, 1000.0, &[50.0, 60.0]);
            let most = signal.iter().zip(&before).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()));
            assert!(most < 0.1, "{line} Hz changed by {most}");
        }
    }

    #[test]
    fn mains_that_drift_still_go() {
        let mut signal = wave(10_000, 1000.0, 50.08);
        remove(&mut signal, 1000.0, &[50.0]);
        let left = (signal.iter().map(|v| v * v).sum::<f64>() / 1e4).sqrt();
        assert!(left < 0.1 * 3.0, "{left}");
    }

    #[test]
    fn signals_of_any_length_are_no_trouble() {
        for n in [0, 1, 2, 17, 999, 1000, 1001] {
            let mut signal = wave(n, 1000.0, 31.0);
            remove(&mut signal, 1000.0, &[50.0, 0.0]);
            assert!(signal.iter().all(|v| v.is_finite()), "{n}");
        }
    }
}
