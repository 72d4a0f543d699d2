//! Normals of morph targets: with the weights already found, the displacements that bring the baked normals nearest to
//! the solved ones.
//!
//! ```text
//! minimise  Σ_f | n_fv − Σ_k W_fk N_kv |²      (WᵀW) N = Wᵀ n
//! n_fv = A⁻¹ m_fv / |A⁻¹ m_fv| − m_v           m_fv the solved normal, m_v at bind, A the blended joints
//! ```
//!
//! Players turn normals with the same blend as positions, so it is taken off again here, and renormalise afterwards.

use crate::error::BakeError;
use crate::factor::Factors;
use crate::parts::PartSkin;
use crate::small::solve_positive;
use crate::take::Take;
use crate::unskin::unskin;
use fusiform::{Body, BodyState, Detail};
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

/// Frames that are added up together, and vertices a thread takes at a time: what stays in its cache.
const FRAMES: usize = 16;
const VERTICES: usize = 256;

/// Sums over frames for one part.
struct Sums {
    n_target: usize,
    bind: Vec<Vec3>, // n_vertex  normals at bind
    rows: Vec<Vec3>, // up to FRAMES x n_vertex  waiting to be added
    first: usize,    // frame of the first of them
    sums: Vec<f32>,  // 3 n_vertex x n_target  Wᵀ n
}

/// n_target x n_vertex normal displacements of each part; none for parts without targets.
pub fn normal_targets(
    body: &Body,
    skins: &[PartSkin],
    takes: &mut [Take],
    factors: &[Factors],
) -> Result<Vec<Vec<Vec3>>, BakeError> {
    let at_bind = BodyState::new(body);
    let mut parts: Vec<Sums> = skins.iter().zip(factors).map(|(skin, f)| Sums::new(skin, f, &at_bind)).collect();
    let mut frame = 0;
    for take in takes {
        take.rewind();
        for _ in 0..take.times().len() {
            take.advance(Detail::default());
            let turns: Vec<Affine3A> =
                take.since_bind().iter().map(|m| Affine3A::from_mat3(m.matrix3.into())).collect();
            for ((part, skin), factors) in parts.iter_mut().zip(skins).zip(factors).filter(|(_, f)| f.n_target > 0) {
                part.push(frame, skin, &turns, &take.state().normals()[skin.vertices.clone()])?;
                if part.rows.len() == FRAMES * skin.bind.len() {
                    part.add(&factors.weights);
                }
            }
            frame += 1;
        }
    }
    let targets = parts.into_iter().zip(factors).map(|(mut part, factors)| {
        part.add(&factors.weights);
        part.solve(&factors.weights)
    });
    Ok(targets.collect())
}

impl Sums {
    fn new(skin: &PartSkin, factors: &Factors, at_bind: &BodyState) -> Self {
        let n_target = factors.n_target;
        let bind = at_bind.normals()[skin.vertices.clone()].to_vec();
        Self { n_target, sums: vec![0.0; 3 * bind.len() * n_target], bind, rows: Vec::new(), first: 0 }
    }

    fn push(&mut self, frame: usize, skin: &PartSkin, turns: &[Affine3A], normals: &[Vec3]) -> Result<(), BakeError> {
        let n = self.bind.len();
        if self.rows.is_empty() {
            self.first = frame;
        }
        let start = self.rows.len();
        self.rows.resize(start + n, Vec3::ZERO);
        let row = &mut self.rows[start..];
        // at the origin the blend is its linear part alone: what comes back is A⁻¹ m
        unskin(&vec![Vec3::ZERO; n], &skin.weights, turns, normals, row)?;
        row.iter_mut().zip(&self.bind).for_each(|(row, bind)| *row = row.normalize_or(*bind) - *bind);
        Ok(())
    }

    /// Wᵀ n of the frames that wait.
    fn add(&mut self, weights: &[f32]) {
        let (n, n_target, first) = (self.bind.len(), self.n_target, self.first);
        let n_frame = self.rows.len() / n.max(1);
        let rows = &self.rows;
        self.sums.par_chunks_mut(3 * VERTICES * n_target.max(1)).enumerate().for_each(|(chunk, sums)| {
            for i in 0..n_frame {
                let of_frame = &weights[(first + i) * n_target..(first + i + 1) * n_target];
                let row = &rows[i * n + chunk * VERTICES..];
                for (vertex, sums) in row.iter().zip(sums.chunks_exact_mut(3 * n_target)) {
                    for (value, sums) in vertex.to_array().into_iter().zip(sums.chunks_exact_mut(n_target)) {
                        sums.iter_mut().zip(of_frame).for_each(|(sum, weight)| *sum += weight * value);
                    }
                }
            }
        });
        self.rows.clear();
    }

    fn solve(self, weights: &[f32]) -> Vec<Vec3> {
        let (n, k) = (self.bind.len(), self.n_target);
        if k == 0 {
            return Vec::new();
        }
        let mut products = vec![0.0_f64; k * k];
        for row in weights.chunks_exact(k) {
            for i in 0..k {
                for j in 0..=i {
                    products[i * k + j] += f64::from(row[i]) * f64::from(row[j]);
                }
            }
        }
        let trace: f64 = (0..k).map(|i| products[i * k + i]).sum();
        (0..k).for_each(|i| products[i * k + i] += 1e-6 * trace / k as f64 + f64::MIN_POSITIVE);
        let mut sums: Vec<f64> = self.sums.iter().map(|&sum| f64::from(sum)).collect();
        if !solve_positive(&mut products, k, &mut sums) {
            return vec![Vec3::ZERO; k * n];
        }
        let at = |target: usize, vertex: usize, axis: usize| sums[(3 * vertex + axis) * k + target] as f32;
        let vector = |i: usize| Vec3::from_array([0, 1, 2].map(|axis| at(i / n, i % n, axis)));
        (0..k * n).map(vector).collect()
    }
}
