//! Butterworth filters, without delay when run both ways.
//!
//! ```text
//! |H(f)|² = 1 / (1 + w²ᴺ)                     low-pass    w = tan(πf/r) / tan(πc/r)
//!                                             high-pass   its inverse
//!                                             band-pass   (t² − t₁t₂) / (t (t₂ − t₁)),  t = tan(πf/r)
//! ```
//!
//! f frequency, c cut-off, r rate, N order; tan is the bilinear transform, made exact at the cut-offs. Filters are chains of
//! second-order sections: a single polynomial of order 8 at 10 Hz of 2000 would lose its digits.
//!
//! Butterworth: *On the theory of filter amplifiers*, 1930. Sections by Oppenheim and Schafer: *Discrete-Time Signal Processing*,
//! chapter 7. OpenSim's `lowpassIIR` is order 3 run both ways, without [`both_ways`]' correction.

use std::f64::consts::{PI, SQRT_2};

/// Highest order of a filter, before a band doubles it.
pub const MAX_ORDER: usize = 8;

/// A filter as a chain of second-order sections.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    sections: Vec<Section>,
}

/// `y = (b₀ + b₁z⁻¹ + b₂z⁻²) / (1 + a₁z⁻¹ + a₂z⁻²) x`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

/// A cut-off or an order that no filter has.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FilterError {
    /// Too low or too high.
    #[error("a cut-off of {cutoff} Hz does not lie between 0 and half the rate, {rate} Hz; choose one that does")]
    Cutoff {
        /// Hz.
        cutoff: f64,
        /// Samples per second.
        rate: f64,
    },
    /// A band whose ends are swapped, or one.
    #[error("a band from {0} to {1} Hz is empty; give the lower cut-off first")]
    Band(f64, f64),
    /// None, or too many.
    #[error("a filter of order {0} cannot be made; choose 1 to {MAX_ORDER}")]
    Order(usize),
}

/// Complex numbers, as far as poles need them.
#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn over(self, other: Self) -> Self {
        let size = other.0 * other.0 + other.1 * other.1;
        let Self(re, im) = self.times(Self(other.0, -other.1));
        Self(re / size, im / size)
    }

    fn root(self) -> Self {
        let size = self.0.hypot(self.1);
        Self(((size + self.0) / 2.0).max(0.0).sqrt(), ((size - self.0) / 2.0).max(0.0).sqrt().copysign(self.1))
    }

    /// From the plane of continuous time to that of samples: `(1 + s) / (1 − s)`.
    fn bilinear(self) -> Self {
        Self(1.0 + self.0, self.1).over(Self(1.0 - self.0, -self.1))
    }
}

/// The cut-off that makes a low-pass, run both ways, halve the power at `cutoff` rather than quarter it.
///
/// ```text
/// tan(πc′/r) = tan(πc/r) / (√2 − 1)^(1/2N)       since |H|⁴ = ½  where  w²ᴺ = √2 − 1
/// ```
///
/// Winter: *Biomechanics and Motor Control of Human Movement*, section 3.4.4.2 (there without the tangents).
#[must_use]
pub fn both_ways(order: usize, cutoff: f64, rate: f64) -> f64 {
    let shrink = (SQRT_2 - 1.0).powf(0.5 / order.max(1) as f64);
    ((PI * cutoff / rate).tan() / shrink).atan() * rate / PI
}

/// Poles of the low-pass of cut-off 1 in the upper half plane, and on the real axis for odd orders.
fn poles(order: usize) -> impl Iterator<Item = Complex> {
    (0..order.div_ceil(2)).map(move |k| {
        let angle = PI * (2 * k + 1) as f64 / (2 * order) as f64;
        let real = 2 * k + 1 == order;
        Complex(-angle.sin(), if real { 0.0 } else { angle.cos() })
    })
}

fn warped(cutoff: f64, rate: f64) -> Result<f64, FilterError> {
    let inside = cutoff > 0.0 && cutoff < 0.5 * rate && rate.is_finite();
    inside.then(|| (PI * cutoff / rate).tan()).ok_or(FilterError::Cutoff { cutoff, rate })
}

fn check(order: usize) -> Result<(), FilterError> {
    if (1..=MAX_ORDER).contains(&order) { Ok(()) } else { Err(FilterError::Order(order)) }
}

impl Section {
    /// Poles at z and its conjugate, or at two real places, and zeros as given; gain 1 at `unit` (1, −1 or on the circle).
    fn new(zeros: [f64; 3], poles: [Complex; 2], unit: Complex) -> Self {
        let a = [-(poles[0].0 + poles[1].0), poles[0].times(poles[1]).0];
        let raw = Self { b: zeros, a };
        let gain = raw.response(unit);
        Self { b: zeros.map(|b| b / gain), a }
    }

    /// One real pole.
    fn single(zeros: [f64; 3], pole: f64, unit: Complex) -> Self {
        Self::new(zeros, [Complex(pole, 0.0), Complex(0.0, 0.0)], unit)
    }

    /// |H| at a place of the unit circle, given z⁻¹.
    fn response(&self, back: Complex) -> f64 {
        let at = |c: [f64; 3]| {
            let square = back.times(back);
            (c[0] + c[1] * back.0 + c[2] * square.0).hypot(c[1] * back.1 + c[2] * square.1)
        };
        at(self.b) / at([1.0, self.a[0], self.a[1]])
    }
}

impl Filter {
    /// What is slower than the cut-off, Hz, of samples at a rate, Hz.
    pub fn low_pass(order: usize, cutoff: f64, rate: f64) -> Result<Self, FilterError> {
        check(order)?;
        let edge = warped(cutoff, rate)?;
        let one = Complex(1.0, 0.0);
        let section = |p: Complex| {
            let z = Complex(p.0 * edge, p.1 * edge).bilinear();
            if p.1 == 0.0 {
                Section::single([1.0, 1.0, 0.0], z.0, one)
            } else {
                Section::new([1.0, 2.0, 1.0], [z, Complex(z.0, -z.1)], one)
            }
        };
        Ok(Self { sections: poles(order).map(section).collect() })
    }

    /// What is faster than the cut-off.
    pub fn high_pass(order: usize, cutoff: f64, rate: f64) -> Result<Self, FilterError> {
        check(order)?;
        let edge = warped(cutoff, rate)?;
        let fastest = Complex(-1.0, 0.0);
        let section = |p: Complex| {
            let z = Complex(edge, 0.0).over(p).bilinear();
            if p.1 == 0.0 {
                Section::single([1.0, -1.0, 0.0], z.0, fastest)
            } else {
                Section::new([1.0, -2.0, 1.0], [z, Complex(z.0, -z.1)], fastest)
            }
        };
        Ok(Self { sections: poles(order).map(section).collect() })
    }

    /// What lies between two cut-offs: the order is that of either side.
    pub fn band_pass(order: usize, cutoffs: [f64; 2], rate: f64) -> Result<Self, FilterError> {
        check(order)?;
        let [low, high] = [warped(cutoffs[0], rate)?, warped(cutoffs[1], rate)?];
        if low >= high {
            return Err(FilterError::Band(cutoffs[0], cutoffs[1]));
        }
        // the middle of the band, where every section passes all, as z⁻¹
        let middle = -2.0 * (low * high).sqrt().atan();
        let unit = Complex(middle.cos(), middle.sin());
        let mut sections = Vec::new();
        for p in poles(order) {
            // s² − p (t₂ − t₁) s + t₁t₂ = 0: every pole of the low-pass becomes two
            let half = Complex(p.0 * (high - low) / 2.0, p.1 * (high - low) / 2.0);
            let square = half.times(half);
            let root = Complex(square.0 - low * high, square.1).root();
            let two = [Complex(half.0 + root.0, half.1 + root.1), Complex(half.0 - root.0, half.1 - root.1)];
            let two = two.map(Complex::bilinear);
            if p.1 == 0.0 {
                sections.push(Section::new([1.0, 0.0, -1.0], two, unit));
            } else {
                sections.extend(two.map(|z| Section::new([1.0, 0.0, -1.0], [z, Complex(z.0, -z.1)], unit)));
            }
        }
        Ok(Self { sections })
    }

    /// How much of a frequency, Hz, one pass leaves.
    #[must_use]
    pub fn gain(&self, frequency: f64, rate: f64) -> f64 {
        let angle = -2.0 * PI * frequency / rate;
        let back = Complex(angle.cos(), angle.sin());
        self.sections.iter().map(|section| section.response(back)).product()
    }

    /// Filter in place, as if the first sample had been there forever.
    pub fn forward<'a>(&self, samples: impl Iterator<Item = &'a mut f64>) {
        let mut state = [[0.0; 2]; MAX_ORDER];
        let mut begun = false;
        for sample in samples {
            if !begun {
                self.settle(*sample, &mut state);
                begun = true;
            }
            for (Section { b, a }, s) in self.sections.iter().zip(&mut state) {
                let x = *sample;
                let y = b[0] * x + s[0];
                *s = [b[1] * x - a[0] * y + s[1], b[2] * x - a[1] * y];
                *sample = y;
            }
        }
    }

    fn settle(&self, sample: f64, state: &mut [[f64; 2]; MAX_ORDER]) {
        let mut x = sample;
        for (Section { b, a }, s) in self.sections.iter().zip(state) {
            let y = x * (b[0] + b[1] + b[2]) / (1.0 + a[0] + a[1]);
            *s = [y - b[0] * x, b[2] * x - a[1] * y];
            x = y;
        }
    }

    /// Filter in place, once forward and once backward: no delay, the gain squared. Before that the signal is continued by
    /// `pad` samples at either end (see [`pad`]); `scratch` is overwritten.
    pub fn zero_phase(&self, signal: &mut [f64], padding: usize, scratch: &mut Vec<f64>) {
        let padding = padding.min(signal.len().saturating_sub(1));
        pad(signal, padding, scratch);
        self.forward(scratch.iter_mut());
        self.forward(scratch.iter_mut().rev());
        signal.copy_from_slice(&scratch[padding..padding + signal.len()]);
    }
}

/// A signal continued at both ends by itself, turned about the end point: value and slope go on.
///
/// ```text
/// x₋ᵢ = 2x₀ − xᵢ
/// ```
///
/// At most as many samples as the signal has but one.
pub fn pad(signal: &[f64], padding: usize, out: &mut Vec<f64>) {
    out.clear();
    let Some(last) = signal.len().checked_sub(1) else { return };
    let padding = padding.min(last);
    out.extend((1..=padding).rev().map(|i| 2.0 * signal[0] - signal[i]));
    out.extend_from_slice(signal);
    out.extend((1..=padding).map(|i| 2.0 * signal[last] - signal[last - i]));
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 1000.0;

    fn close(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() < within, "{found} is not {wanted}");
    }

    #[test]
    fn every_order_halves_the_power_at_its_cut_off() {
        for order in 1..=MAX_ORDER {
            close(Filter::low_pass(order, 6.0, RATE).unwrap().gain(6.0, RATE), 0.5_f64.sqrt(), 1e-9);
            close(Filter::high_pass(order, 30.0, RATE).unwrap().gain(30.0, RATE), 0.5_f64.sqrt(), 1e-9);
            let band = Filter::band_pass(order, [10.0, 450.0], RATE).unwrap();
            close(band.gain(10.0, RATE), 0.5_f64.sqrt(), 1e-9);
            close(band.gain(450.0, RATE), 0.5_f64.sqrt(), 1e-9);
        }
    }

    #[test]
    fn gains_follow_butterworth_at_every_frequency() {
        let t = |f: f64| (PI * f / RATE).tan();
        for order in 1..=MAX_ORDER {
            let (low, high) =
                (Filter::low_pass(order, 50.0, RATE).unwrap(), Filter::high_pass(order, 50.0, RATE).unwrap());
            let band = Filter::band_pass(order, [40.0, 90.0], RATE).unwrap();
            for f in [5.0, 30.0, 60.0, 200.0, 400.0] {
                let of = |w: f64| 1.0 / (1.0 + w.powi(2 * order as i32)).sqrt();
                close(low.gain(f, RATE), of(t(f) / t(50.0)), 1e-9);
                close(high.gain(f, RATE), of(t(50.0) / t(f)), 1e-9);
                close(band.gain(f, RATE), of((t(f) * t(f) - t(40.0) * t(90.0)) / (t(f) * (t(90.0) - t(40.0)))), 1e-9);
            }
        }
    }

    #[test]
    fn a_straight_line_passes_a_low_pass_unchanged() {
        let line: Vec<f64> = (0..200).map(|i| 0.3 + 0.01 * f64::from(i)).collect();
        let mut filtered = line.clone();
        Filter::low_pass(4, 60.0, RATE).unwrap().zero_phase(&mut filtered, 100, &mut Vec::new());
        for (found, wanted) in filtered.into_iter().zip(line) {
            close(found, wanted, 1e-6);
        }
    }

    #[test]
    fn both_ways_there_is_no_delay_and_the_corrected_cut_off_halves_the_power() {
        let cutoff = both_ways(3, 20.0, RATE);
        let filter = Filter::low_pass(3, cutoff, RATE).unwrap();
        close(filter.gain(20.0, RATE).powi(2), 0.5_f64.sqrt(), 1e-9);
        let wave = |i: usize| (2.0 * PI * 20.0 * i as f64 / RATE).sin();
        let mut filtered: Vec<f64> = (0..1000).map(wave).collect();
        filter.zero_phase(&mut filtered, 500, &mut Vec::new());
        for (i, found) in filtered.into_iter().enumerate().skip(200).take(600) {
            close(found, 0.5_f64.sqrt() * wave(i), 1e-4);
        }
    }

    #[test]
    fn a_constant_passes_low_and_nothing_of_it_passes_a_band() {
        let mut low = [2.0; 50];
        let mut band = low;
        Filter::low_pass(3, 6.0, RATE).unwrap().zero_phase(&mut low, 25, &mut Vec::new());
        Filter::band_pass(2, [10.0, 200.0], RATE).unwrap().zero_phase(&mut band, 25, &mut Vec::new());
        assert!(low.iter().all(|v| (v - 2.0).abs() < 1e-9));
        assert!(band.iter().all(|v| v.abs() < 1e-9));
    }

    #[test]
    fn impossible_filters_say_so_and_short_signals_are_no_trouble() {
        assert!(matches!(Filter::low_pass(2, 500.0, RATE), Err(FilterError::Cutoff { .. })));
        assert_eq!(Filter::band_pass(2, [90.0, 40.0], RATE), Err(FilterError::Band(90.0, 40.0)));
        assert_eq!(Filter::high_pass(0, 5.0, RATE), Err(FilterError::Order(0)));
        assert_eq!(Filter::high_pass(9, 5.0, RATE), Err(FilterError::Order(9)));
        let filter = Filter::low_pass(8, 5.0, RATE).unwrap();
        filter.zero_phase(&mut [], 10, &mut Vec::new());
        let mut one = [3.0];
        filter.zero_phase(&mut one, 10, &mut Vec::new());
        close(one[0], 3.0, 1e-9);
    }
}
