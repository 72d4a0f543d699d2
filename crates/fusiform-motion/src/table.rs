//! Named columns of numbers over time: angles, forces, activations, as they are measured, computed and written.

/// Numbers over time, a column for every name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// One for every column, time left out.
    pub names: Vec<String>,
    /// s, never descending.
    pub times: Vec<f64>,
    /// n_time x n_name, row after row.
    pub values: Vec<f64>,
}

impl Table {
    /// The column of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// All numbers of one time.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        let n = self.names.len();
        &self.values[i * n..(i + 1) * n]
    }

    /// All numbers at any time: on the straight line between two rows, and those of the first or last row outside.
    ///
    /// Without rows everything is 0. A number missing on one side (NaN) is missing between, too, but not on the row itself.
    ///
    /// # Panics
    /// When `out` is not as long as there are names.
    pub fn at(&self, time: f64, out: &mut [f64]) {
        assert_eq!(out.len(), self.names.len(), "one number for every name");
        let after = self.times.partition_point(|&t| t <= time);
        let (Some(&last), true) = (self.times.last(), !out.is_empty()) else { return out.fill(0.0) };
        let before = after.saturating_sub(1);
        out.copy_from_slice(self.row(before));
        if after == 0 || time >= last || time <= self.times[before] {
            return;
        }
        let share = (time - self.times[before]) / (self.times[after] - self.times[before]);
        for (value, next) in out.iter_mut().zip(self.row(after)) {
            *value += share * (next - *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ramp() -> Table {
        Table {
            names: vec!["knee".into(), "hip".into()],
            times: vec![1.0, 2.0, 4.0],
            values: vec![10.0, 0.0, 20.0, -1.0, 40.0, f64::NAN],
        }
    }

    fn at(time: f64) -> [f64; 2] {
        let mut out = [7.0; 2];
        ramp().at(time, &mut out);
        out
    }

    #[test]
    fn columns_are_found_by_name() {
        assert_eq!(ramp().column("hip"), Some(1));
        assert_eq!(ramp().column("Hip"), None);
        assert_eq!(ramp().row(1), [20.0, -1.0]);
    }

    #[test]
    fn between_rows_lies_a_straight_line_and_outside_the_ends_stand() {
        assert_eq!(at(1.25), [12.5, -0.25]);
        assert_eq!(at(2.0), [20.0, -1.0]);
        assert_eq!(at(-5.0), [10.0, 0.0]);
        assert_eq!(at(9.0)[0], 40.0);
        assert_eq!(at(3.0)[0], 30.0);
    }

    #[test]
    fn what_is_missing_on_one_row_is_missing_up_to_the_next_one_that_is_whole() {
        assert!(at(3.0)[1].is_nan());
        assert!(at(4.0)[1].is_nan());
        assert_eq!(at(2.0)[1], -1.0);
    }

    #[test]
    fn without_rows_everything_is_zero() {
        let mut out = [7.0];
        Table { names: vec!["knee".into()], ..Table::default() }.at(1.0, &mut out);
        assert_eq!(out, [0.0]);
    }

    proptest! {
        #[test]
        fn any_time_gives_a_number_between_its_neighbours(
            mut times in proptest::collection::vec(-5.0..5.0_f64, 1..9),
            time in -9.0..9.0_f64,
        ) {
            times.sort_by(f64::total_cmp);
            let values: Vec<f64> = times.iter().map(|t| t * t).collect();
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
            let table = Table { names: vec!["square".into()], times, values };
            let mut out = [f64::NAN];
            table.at(time, &mut out);
            prop_assert!(low - 1e-12 <= out[0] && out[0] <= high + 1e-12);
        }
    }
}
