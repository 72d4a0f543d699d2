//! Weights that stay between 0 and 1, because players clamp: Blender 5.0 keeps sliders at 0 to 1, and its importer widens
//! that only to what the first key of a clip asks for.
//!
//! ```text
//! Σ_k w_k T_k = Σ_k w'_k (s_k T_k) + Σ_k l_k T_k      w'_k = (w_k − l_k) / s_k,  l_k = min(0, least w_k),  s_k = max(1, span)
//! ```
//!
//! The last sum is one more target, whose weight is 1 as long as a baked clip plays: the same motion, and the rest pose is
//! untouched when none does.

use crate::factor::Factors;
use glam::Vec3;

/// Make a part's weights one-sided, and its targets and their normals accordingly. Nothing changes where they are already.
pub fn one_way(factors: &mut Factors, normals: &mut Vec<Vec3>) {
    let n = factors.n_target;
    if factors.weights.iter().all(|&w| w >= 0.0) {
        return;
    }
    let (mut low, mut high) = (vec![0.0_f32; n], vec![0.0_f32; n]);
    for row in factors.weights.chunks_exact(n) {
        for k in 0..n {
            (low[k], high[k]) = (low[k].min(row[k]), high[k].max(row[k]));
        }
    }
    let scale: Vec<f32> = low.iter().zip(&high).map(|(low, high)| (high - low).max(1.0)).collect();
    for rows in [&mut factors.targets, normals] {
        shift(rows, &low, &scale);
    }
    let shifted = |row: &[f32]| {
        let weights: Vec<f32> = (0..n).map(|k| ((row[k] - low[k]) / scale[k]).clamp(0.0, 1.0)).collect();
        weights.into_iter().chain([1.0])
    };
    factors.weights = factors.weights.chunks_exact(n).flat_map(shifted).collect();
    factors.n_target = n + 1;
    factors.clips.iter_mut().for_each(|clip| clip.targets += 1);
}

/// Append what the targets do at their least weights, and stretch them.
fn shift(targets: &mut Vec<Vec3>, low: &[f32], scale: &[f32]) {
    let n_vertex = targets.len() / low.len();
    if n_vertex == 0 {
        return;
    }
    let mut constant = vec![Vec3::ZERO; n_vertex];
    for (k, target) in targets.chunks_exact_mut(n_vertex).enumerate() {
        constant.iter_mut().zip(&*target).for_each(|(sum, delta)| *sum += *delta * low[k]);
        target.iter_mut().for_each(|delta| *delta *= scale[k]);
    }
    targets.extend(constant);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FactorSettings, factor};

    /// Three vertices pushed and pulled by two shapes over eight frames.
    fn two_sided() -> (Factors, Vec<Vec3>) {
        let shapes = [[Vec3::X, Vec3::Y, Vec3::ZERO], [Vec3::Z, Vec3::ZERO, -Vec3::Y]];
        let level = |frame: usize| [(0.8 * frame as f32).sin(), (1.7 * frame as f32).cos()];
        let at = |frame: usize, v: usize| 0.02 * (level(frame)[0] * shapes[0][v] + level(frame)[1] * shapes[1][v]);
        let residual: Vec<Vec3> = (0..8).flat_map(|frame| (0..3).map(move |v| at(frame, v))).collect();
        let settings = FactorSettings { tolerance: 1e-4, ..FactorSettings::default() };
        (factor(&residual, 3, &settings, &[], |_| Ok(())).unwrap(), residual)
    }

    fn shown(factors: &Factors, frame: usize, v: usize) -> Vec3 {
        let row = &factors.weights[frame * factors.n_target..][..factors.n_target];
        row.iter().enumerate().map(|(k, &w)| w * factors.targets[k * 3 + v]).sum()
    }

    #[test]
    fn weights_come_to_lie_between_0_and_1_and_the_motion_stays() {
        let (before, residual) = two_sided();
        assert!(before.weights.iter().any(|&w| w < -0.5), "the case must need it");
        let (mut after, mut normals) = (before.clone(), before.targets.clone());
        one_way(&mut after, &mut normals);
        assert_eq!(after.n_target, before.n_target + 1);
        assert_eq!(normals, after.targets);
        assert!(after.weights.iter().all(|w| (0.0..=1.0).contains(w)));
        for frame in 0..8 {
            for v in 0..3 {
                assert!(shown(&after, frame, v).abs_diff_eq(shown(&before, frame, v), 1e-7));
                assert!(shown(&after, frame, v).distance(residual[frame * 3 + v]) <= 1.001e-4);
            }
        }
        let again = after.clone();
        one_way(&mut after, &mut normals);
        assert_eq!(after, again, "one-sided weights stay as they are");
    }
}
