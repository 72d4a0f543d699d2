//! A frame loop: between two calls a game does other work and loses its caches; so does this one.

use std::time::Instant;

/// Memory the other work touches: more than the nearest caches hold.
const OTHER_BYTES: usize = 8 << 20;

/// The rest of a game's frame: about two milliseconds of scalar work over eight megabytes.
pub struct OtherWork {
    memory: Vec<u32>,
    seed: u32,
}

impl OtherWork {
    /// Room for it.
    pub fn new() -> Self {
        Self { memory: vec![1; OTHER_BYTES / size_of::<u32>()], seed: 1 }
    }

    fn run(&mut self) {
        for word in &mut self.memory {
            self.seed = self.seed.wrapping_mul(1_664_525).wrapping_add(*word);
            *word = self.seed;
        }
        std::hint::black_box(&self.memory);
    }
}

/// One thing to be measured: called with the number of the frame.
pub type Variant<'a> = &'a mut (dyn FnMut(usize) + Send);

/// Median time of each variant in microseconds over `calls` frames, the variants taking turns within each frame.
pub fn medians(
    calls: usize,
    other: &mut OtherWork,
    variants: &mut [Variant],
    mut frame_done: impl FnMut(),
) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(calls); variants.len()];
    for frame in 0..calls {
        for (variant, times) in variants.iter_mut().zip(&mut times) {
            other.run();
            let start = Instant::now();
            variant(frame);
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        frame_done();
    }
    times.iter_mut().map(|times| median(times)).collect()
}

/// The middle one; 0 of none.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// The straight line through points, y = intercept + slope x, and the share of variance it explains.
pub fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (xx, xy) = (sum(&|p| (p.0 - mx).powi(2)), sum(&|p| (p.0 - mx) * (p.1 - my)));
    let yy = sum(&|p| (p.1 - my).powi(2));
    let slope = xy / xx;
    (my - slope * mx, slope, xy * xy / (xx * yy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_take_turns_and_the_median_is_the_middle_one() {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let times = medians(3, &mut OtherWork::new(), &mut [&mut |f| a.push(f), &mut |f| b.push(f)], || {});
        assert_eq!((a, b, times.len()), (vec![0, 1, 2], vec![0, 1, 2], 2));
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn a_line_through_points_on_a_line_is_that_line() {
        let (intercept, slope, fit) = line(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]);
        assert!((intercept - 3.0).abs() < 1e-9 && (slope - 2.0).abs() < 1e-9 && (fit - 1.0).abs() < 1e-9);
    }
}
