//! Linear systems of a few unknowns, on the stack of plain slices.

/// Solve `h x = b` for every row of `b`, in place, by Cholesky; `h` is symmetric, `n * n`, its lower half is used and
/// overwritten. False when `h` is not positive definite; `b` is then not to be used.
pub fn solve_positive(h: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    // each column, once done, is taken off the columns to its right, row by row: long runs that vector units take
    let mut column = vec![0.0; n];
    for j in 0..n {
        let pivot = h[j * n + j];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let root = pivot.sqrt();
        h[j * n + j] = root;
        for i in j + 1..n {
            h[i * n + j] /= root;
            column[i] = h[i * n + j];
        }
        for i in j + 1..n {
            let factor = column[i];
            h[i * n + j + 1..=i * n + i].iter_mut().zip(&column[j + 1..]).for_each(|(h, c)| *h -= factor * c);
        }
    }
    for x in b.chunks_exact_mut(n.max(1)) {
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| h[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / h[i * n + i];
        }
        for i in (0..n).rev() {
            x[i] /= h[i * n + i];
            let (above, rest) = x.split_at_mut(i);
            above.iter_mut().zip(&h[i * n..]).for_each(|(above, h)| *above -= h * rest[0]);
        }
    }
    true
}

/// `W (W^T W)^-1` for rows of `n` weights: what takes data to the targets of least squared error. A trace on the diagonal
/// keeps targets small where two of them say the same.
pub fn onto<'a>(rows: impl Iterator<Item = &'a [f32]> + Clone, n: usize) -> Vec<f32> {
    let mut products = vec![0.0_f64; n * n];
    for row in rows.clone() {
        for i in 0..n {
            (0..=i).for_each(|j| products[i * n + j] += f64::from(row[i]) * f64::from(row[j]));
        }
    }
    let trace: f64 = (0..n).map(|i| products[i * n + i]).sum();
    (0..n).for_each(|i| products[i * n + i] += 1e-6 * trace / n as f64 + f64::MIN_POSITIVE);
    if n == 0 {
        return Vec::new();
    }
    let mut onto: Vec<f64> = rows.flatten().map(|&w| f64::from(w)).collect();
    if !solve_positive(&mut products, n, &mut onto) {
        onto.fill(0.0);
    }
    onto.into_iter().map(|value| value as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::solve_positive;

    #[test]
    fn a_positive_system_is_solved_and_another_refused() {
        let full = [4.0, 2.0, 0.5, 2.0, 5.0, 1.0, 0.5, 1.0, 3.0];
        let x = [1.0, -2.0, 0.5];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|k| full[i * 3 + k] * x[k]).sum()).collect();
        assert!(solve_positive(&mut full.clone(), 3, &mut b));
        assert!(b.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-12), "{b:?}");
        assert!(!solve_positive(&mut [1.0, 2.0, 2.0, 1.0], 2, &mut [0.0, 0.0]));
        assert!(solve_positive(&mut [], 0, &mut []));
    }
}
