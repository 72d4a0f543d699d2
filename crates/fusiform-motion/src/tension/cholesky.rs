//! Cholesky factorisation of a small dense matrix, in place: A = L Lᵀ, lower triangle, row-major.

/// Factor the lower triangle of `matrix` (n x n); the upper one is not looked at. A pivot that is not positive is replaced
/// by the least of `floor` (n), so that the factor always exists; what it solves then is a nearby system.
pub(super) fn factor(matrix: &mut [f64], floor: &[f64]) {
    let n = floor.len();
    for row in 0..n {
        let (above, from_row) = matrix.split_at_mut(row * n);
        for column in 0..row {
            let other = &above[column * n..column * n + column + 1];
            let sum = from_row[column] - dot(&from_row[..column], &other[..column]);
            from_row[column] = sum / other[column];
        }
        let pivot = from_row[row] - dot(&from_row[..row], &from_row[..row]);
        from_row[row] = pivot.max(floor[row]).sqrt();
    }
}

/// Solve L Lᵀ x = b; `x` holds b before and x after.
pub(super) fn solve(factor: &[f64], x: &mut [f64]) {
    let n = x.len();
    for row in 0..n {
        let sum = x[row] - dot(&factor[row * n..row * n + row], &x[..row]);
        x[row] = sum / factor[row * n + row];
    }
    for row in (0..n).rev() {
        x[row] /= factor[row * n + row];
        let (before, at) = x.split_at_mut(row);
        for (x, l) in before.iter_mut().zip(&factor[row * n..row * n + row]) {
            *x -= l * at[0];
        }
    }
}

/// a·b in four running sums, so that it vectorises.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
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

    #[test]
    fn the_factor_solves_the_system() {
        let matrix = [4.0, 0.0, 0.0, 1.0, 3.0, 0.0, -0.5, 0.25, 2.0];
        let full = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]];
        let wanted = [1.0, -2.0, 3.0];
        let mut x = full.map(|row| dot(&row, &wanted));
        let mut lower = matrix;
        factor(&mut lower, &[1e-12; 3]);
        solve(&lower, &mut x);
        assert!(x.iter().zip(wanted).all(|(x, w)| (x - w).abs() < 1e-12), "{x:?}");
    }

    #[test]
    fn a_singular_matrix_still_has_a_factor() {
        let mut lower = [1.0, 0.0, 1.0, 1.0];
        factor(&mut lower, &[1e-12; 2]);
        assert!(lower.iter().all(|l| l.is_finite()) && lower[3] > 0.0);
    }
}
