//! Which numbers stand at an axis.

/// A range of numbers and the round ones among them.
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    /// With what is written beside each.
    pub(super) ticks: Vec<(f64, String)>,
}

/// Steps that people count in, times a power of ten.
const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];

/// Values that are nearer to 0 than this share of their size get a 0 at the axis.
const ZERO_IS_NEAR: f64 = 0.5;

impl Axis {
    /// Times: from the first to the last.
    pub(super) fn of_times(values: impl Iterator<Item = f64>, wanted: usize) -> Self {
        let [low, high] = range(values);
        Self::over(low, high, step(low, high, wanted))
    }

    /// Values: from a round number to a round number, with a little room.
    pub(super) fn of_values(values: impl Iterator<Item = f64>, wanted: usize) -> Self {
        let [mut low, mut high] = range(values);
        if low > 0.0 && low < ZERO_IS_NEAR * high {
            low = 0.0;
        } else if high < 0.0 && high > ZERO_IS_NEAR * low {
            high = 0.0;
        }
        let step = step(low, high, wanted);
        Self::over((low / step).floor() * step, (high / step).ceil() * step, step)
    }

    fn over(low: f64, high: f64, step: f64) -> Self {
        // Whole numbers times the step, so that errors do not add up; a hair more than the range, against rounding.
        let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
        let n = ((last - first).max(0.0) as usize).min(200);
        let ticks = (0..=n).map(|i| (first + i as f64) * step).map(|tick| (tick, number(tick, step))).collect();
        Self { low, high, ticks }
    }

    /// Where a value lies between the ends, 0 to 1.
    pub(super) fn share(&self, value: f64) -> f32 {
        ((value - self.low) / (self.high - self.low)) as f32
    }
}

/// Smallest and largest finite value, a little apart even if they are one.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    // Beyond this, differences would be infinite.
    let sane = values.filter(|value| value.abs() < 1e150);
    let [low, high] = sane.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    if low > high {
        return [0.0, 1.0];
    }
    let least = (low.abs().max(high.abs()) * 1e-9).max(1e-12);
    if high - low > least { [low, high] } else { [low - 0.5 * least.max(1.0), high + 0.5 * least.max(1.0)] }
}

/// The smallest round step that gives no more than so many ticks.
fn step(low: f64, high: f64, wanted: usize) -> f64 {
    let rough = (high - low) / wanted.max(1) as f64;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    STEPS.into_iter().map(|step| step * power).find(|step| *step >= rough * 0.999).unwrap_or(rough)
}

/// As many decimals as the step has.
fn number(value: f64, step: f64) -> String {
    let size = value.abs().max(step);
    if !(1e-4..1e6).contains(&size) && value != 0.0 {
        return format!("{value:.1e}");
    }
    let decimals = (-libm::log10(step).floor()).clamp(0.0, 8.0) as usize;
    let text = format!("{:.decimals$}", value + 0.0);
    // -0 is 0
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { text.replace('-', "") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&Axis::of_values([-12.0, 61.0].into_iter(), 5)), ["-20", "0", "20", "40", "60", "80"]);
        assert_eq!(labels(&Axis::of_values([0.11, 0.93].into_iter(), 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(&Axis::of_times([0.4, 1.6].into_iter(), 6)),
            ["0.4", "0.6", "0.8", "1.0", "1.2", "1.4", "1.6"]
        );
        assert_eq!(labels(&Axis::of_times([0.43, 1.21].into_iter(), 5)), ["0.6", "0.8", "1.0", "1.2"]);
    }

    #[test]
    fn a_level_line_and_no_line_have_an_axis() {
        for values in [vec![], vec![7.0], vec![1e12, 1e12], vec![f64::NAN, f64::INFINITY], vec![1e-30, 2e-30]] {
            let axis = Axis::of_values(values.iter().copied(), 5);
            assert!(axis.low < axis.high && !axis.ticks.is_empty(), "{values:?}");
            assert!(axis.ticks.len() < 12, "{values:?}: {:?}", labels(&axis));
        }
    }
}
