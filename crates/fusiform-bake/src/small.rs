//! Linear systems of a few unknowns, on the stack of plain slices.

/// Solve `h x = b` for every row of `b`, in place, by Cholesky; `h` is symmetric, `n * n`, its lower half is used and
/// overwritten. False when `h` is not positive definite; `b` is then not to be used.
pub fn solve_positive(h: &mut [f64], n: usize, b: &mut [f64]) -> bool {
    for j in 0..n {
        for i in j..n {
            let (row_i, row_j) = (&h[i * n..i * n + j], &h[j * n..j * n + j]);
            let dot: f64 = row_i.iter().zip(row_j).map(|(a, b)| a * b).sum();
            let rest = h[i * n + j] - dot;
            if i > j {
                h[i * n + j] = rest / h[j * n + j];
            } else if rest > 0.0 {
                h[j * n + j] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    for x in b.chunks_exact_mut(n) {
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| h[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / h[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| h[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / h[i * n + i];
        }
    }
    true
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
    }
}
