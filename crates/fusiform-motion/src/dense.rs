//! Small dense systems: the Cholesky factor of a symmetric matrix, in place.

/// Factor a symmetric positive definite matrix, n × n row by row, whose lower half is read and overwritten.
///
/// ```text
/// A = L Lᵀ       false if A is not positive definite: a pivot is not above zero, or not a number
/// ```
#[must_use]
pub fn factor(n: usize, a: &mut [f64]) -> bool {
    for row in 0..n {
        let (above, below) = a.split_at_mut(row * n);
        let this = &mut below[..n];
        for column in 0..row {
            let upper = &above[column * n..column * n + n];
            let sum: f64 = this[..column].iter().zip(&upper[..column]).map(|(x, y)| x * y).sum();
            this[column] = (this[column] - sum) / upper[column];
        }
        let pivot = this[row] - this[..row].iter().map(|x| x * x).sum::<f64>();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        this[row] = pivot.sqrt();
    }
    true
}

/// Solve `L Lᵀ x = b` with what [`factor`] left; b becomes x.
pub fn substitute(n: usize, factor: &[f64], b: &mut [f64]) {
    for row in 0..n {
        let of_row = &factor[row * n..row * n + n];
        let sum: f64 = of_row[..row].iter().zip(&b[..row]).map(|(l, x)| l * x).sum();
        b[row] = (b[row] - sum) / of_row[row];
    }
    for row in (0..n).rev() {
        b[row] /= factor[row * n + row];
        let (x, of_row) = (b[row], &factor[row * n..row * n + row]);
        for (b, l) in b[..row].iter_mut().zip(of_row) {
            *b -= l * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves_the_system(n in 1_usize..12, raw in prop::collection::vec(-1.0..1.0_f64, 12 * 12 + 12)) {
            let root = |i: usize, j: usize| raw[i * 12 + j];
            let matrix = |i: usize, j: usize| {
                (0..n).map(|k| root(i, k) * root(j, k)).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
            };
            let mut a: Vec<f64> = (0..n * n).map(|k| matrix(k / n, k % n)).collect();
            let right = &raw[144..144 + n];
            let mut x = right.to_vec();
            prop_assert!(factor(n, &mut a));
            substitute(n, &a, &mut x);
            for i in 0..n {
                let found: f64 = (0..n).map(|j| matrix(i, j) * x[j]).sum();
                prop_assert!((found - right[i]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        assert!(!factor(2, &mut [1.0, 2.0, 2.0, 1.0]));
        assert!(!factor(1, &mut [f64::NAN]));
        assert!(!factor(1, &mut [0.0]));
    }
}
