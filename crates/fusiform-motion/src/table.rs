//! Columns of numbers over time: coordinates, forces, activations.

/// Named columns, one row per time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// n_column.
    pub names: Vec<String>,
    /// n_row: s, ascending.
    pub times: Vec<f64>,
    /// n_row × n_column, row by row.
    pub values: Vec<f64>,
}

impl Table {
    /// Which column is called so.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// The values at one of the times, by its index.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        let n_column = self.names.len();
        &self.values[i * n_column..(i + 1) * n_column]
    }

    /// The values at any time: straight between rows, those of the first and the last row beyond them; zeros without rows.
    pub fn at(&self, time: f64, out: &mut [f64]) {
        let Some(last) = self.times.len().checked_sub(1) else {
            out.fill(0.0);
            return;
        };
        let after = self.times.partition_point(|&t| t <= time).min(last);
        let before = after.saturating_sub(1);
        let span = self.times[after] - self.times[before];
        let share = if span > 0.0 { ((time - self.times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
        for (out, (a, b)) in out.iter_mut().zip(self.row(before).iter().zip(self.row(after))) {
            *out = a + share * (b - a);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            names: vec!["a".into(), "b".into()],
            times: vec![1.0, 2.0, 4.0],
            values: vec![0., 1., 10., 3., 20., 7.],
        }
    }

    #[test]
    fn values_are_straight_between_rows_and_stay_beyond_them() {
        let mut out = [0.0; 2];
        for (time, wanted) in
            [(0.0, [0.0, 1.0]), (1.5, [5.0, 2.0]), (2.0, [10.0, 3.0]), (3.0, [15.0, 5.0]), (9.0, [20.0, 7.0])]
        {
            table().at(time, &mut out);
            assert_eq!(out, wanted, "at {time} s");
        }
    }

    #[test]
    fn columns_are_found_by_name_and_an_empty_table_is_zero() {
        assert_eq!((table().column("b"), table().column("c")), (Some(1), None));
        let mut out = [1.0];
        Table::default().at(0.0, &mut out);
        assert_eq!(out, [0.0]);
    }
}
