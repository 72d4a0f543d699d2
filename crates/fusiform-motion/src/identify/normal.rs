//! Normal equations of the 27 numbers, gathered frame by frame from those of nine.
//!
//! In one frame only the nine numbers of its shape are seen, and each of them is `α Δl + β τ + γ`. So a frame's residuals, however
//! many, are added up in 9 × 9, and spread once by the outer product of (Δl, τ, 1) with itself.

use super::shape::N_SHAPE;

/// As many numbers as a muscle has: by length, by tension, at rest; nine each, in this order.
pub const N_LAW: usize = 3 * N_SHAPE;
/// The 27 in a row. At rest comes last: where it is given, the unknowns are the first 18.
pub(super) type Numbers = [f64; N_LAW];

/// Normal equations of one frame: of its shape (9), or of its shape and that at rest (18).
#[derive(Clone, Debug)]
pub(super) struct Local<const N: usize> {
    matrix: [[f64; N]; N], // the lower half counts
    gradient: [f64; N],
}

impl<const N: usize> Local<N> {
    pub const NONE: Self = Self { matrix: [[0.0; N]; N], gradient: [0.0; N] };

    /// A residual, its derivatives, and how much its square counts.
    #[inline]
    pub fn add(&mut self, by: &[f64; N], residual: f64, weight: f64) {
        for a in 0..N {
            let scaled = weight * by[a];
            self.gradient[a] += scaled * residual;
            for b in 0..=a {
                self.matrix[a][b] += scaled * by[b];
            }
        }
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        if a >= b { self.matrix[a][b] } else { self.matrix[b][a] }
    }
}

/// Normal equations of the unknowns.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    /// 18 where the shape at rest is given, otherwise 27.
    pub n: usize,
    /// n × n, of which the lower half counts.
    pub matrix: Vec<f64>,
    /// n.
    pub gradient: Vec<f64>,
}

impl Normal {
    pub fn new(n: usize) -> Self {
        Self { n, matrix: vec![0.0; n * n], gradient: vec![0.0; n] }
    }

    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.gradient.fill(0.0);
    }

    /// A frame: Δl, τ.
    pub fn spread<const N: usize>(&mut self, frame: [f64; 2], local: &Local<N>) {
        let (n, basis) = (self.n, [frame[0], frame[1], 1.0]);
        let slots = n / N_SHAPE;
        for i in 0..slots {
            for a in 0..N_SHAPE {
                let row = i * N_SHAPE + a;
                self.gradient[row] += basis[i] * local.gradient[a];
                for j in 0..=i {
                    let scale = basis[i] * basis[j];
                    let to = &mut self.matrix[row * n + j * N_SHAPE..][..N_SHAPE];
                    for b in 0..N_SHAPE {
                        to[b] += scale * local.get(a, b);
                    }
                }
            }
        }
        if N > N_SHAPE && slots == 3 {
            self.spread_rest(basis, local);
        }
    }

    /// What the shape at rest does by itself, not through the shape of the frame.
    fn spread_rest<const N: usize>(&mut self, basis: [f64; 3], local: &Local<N>) {
        let n = self.n;
        for a in 0..N_SHAPE {
            let row = 2 * N_SHAPE + a;
            self.gradient[row] += local.gradient[N_SHAPE + a];
            for b in 0..N_SHAPE {
                let cross = local.get(N_SHAPE + a, b);
                for j in 0..2 {
                    self.matrix[row * n + j * N_SHAPE + b] += basis[j] * cross;
                }
                let both = cross + local.get(N_SHAPE + b, a) + local.get(N_SHAPE + a, N_SHAPE + b);
                self.matrix[row * n + 2 * N_SHAPE + b] += both;
            }
        }
    }

    /// A residual that sees all frames.
    pub fn add(&mut self, by: &Numbers, residual: f64, weight: f64) {
        let n = self.n;
        for a in 0..n {
            let scaled = weight * by[a];
            self.gradient[a] += scaled * residual;
            let to = &mut self.matrix[a * n..a * n + a + 1];
            for b in 0..=a {
                to[b] += scaled * by[b];
            }
        }
    }

    /// A residual of one unknown.
    pub fn add_one(&mut self, unknown: usize, residual: f64, weight: f64) {
        if unknown < self.n {
            self.gradient[unknown] += weight * residual;
            self.matrix[unknown * self.n + unknown] += weight;
        }
    }
}
