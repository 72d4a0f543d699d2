//! Small dense systems: the Cholesky factor of a symmetric matrix, in place.

/// Factor a symmetric positive definite matrix, n × n row by row, whose lower half is read and overwritten.
///
/// ```text
/// A = L Lᵀ       false if A is not positive definite: a pivot is not above zero, or not a number
/// ```
#[must_use]
pub fn factor(n: usize, a: &mut [f64]) -> bool {
    eliminate(n, a, |_, pivot| (pivot > 0.0 && pivot.is_finite()).then_some(pivot))
}

/// The same; a pivot below the least of `floor` (n) is replaced by it, so that the factor always exists: what it solves then is
/// a nearby system.
pub fn factor_above(a: &mut [f64], floor: &[f64]) {
    eliminate(floor.len(), a, |row, pivot| Some(pivot.max(floor[row])));
}

/// Row by row; `pivot` says what a row's pivot is to be, or that there is none.
fn eliminate(n: usize, a: &mut [f64], pivot: impl Fn(usize, f64) -> Option<f64>) -> bool {
    for row in 0..n {
        let (above, below) = a.split_at_mut(row * n);
        let this = &mut below[..n];
        for column in 0..row {
            let upper = &above[column * n..column * n + n];
            this[column] = (this[column] - dot(&this[..column], &upper[..column])) / upper[column];
        }
        let Some(square) = pivot(row, this[row] - dot(&this[..row], &this[..row])) else { return false };
        this[row] = square.sqrt();
    }
    true
}

/// Solve `L Lᵀ x = b` with what [`factor`] left; b becomes x.
pub fn substitute(n: usize, factor: &[f64], b: &mut [f64]) {
    for row in 0..n {
        let of_row = &factor[row * n..row * n + n];
        b[row] = (b[row] - dot(&of_row[..row], &b[..row])) / of_row[row];
    }
    for row in (0..n).rev() {
        b[row] /= factor[row * n + row];
        let (x, of_row) = (b[row], &factor[row * n..row * n + row]);
        for (b, l) in b[..row].iter_mut().zip(of_row) {
            *b -= l * x;
        }
    }
}

/// a·b in four running sums, so that it vectorises.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut lanes, n) = ([0.0; 4], a.len().min(b.len()));
    let (a, b) = (&a[..n], &b[..n]);
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a4.zip(b4) {
        for lane in 0..4 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
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

    #[test]
    fn pivots_are_kept_above_a_floor() {
        let mut singular = [1.0, 0.0, 1.0, 1.0];
        factor_above(&mut singular, &[1e-6; 2]);
        let mut x = [1.0, 1.0];
        substitute(2, &singular, &mut x);
        assert!(x.iter().all(|x| x.is_finite()) && (x[0] + x[1] - 1.0).abs() < 1e-5);
        assert!(!factor(2, &mut [1.0, 0.0, 1.0, 1.0]));
    }
}
