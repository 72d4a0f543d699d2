//! Ellipsoids: the one that says best where a patch of skin lies.
//!
//! ```text
//! μ = Σ A p / Σ A     Σ = Σ A (p − μ)(p − μ)ᵀ / Σ A     axes its eigenvectors, half-lengths √λ
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.2; weighted by area A, so
//! that a finely meshed patch counts no more than a coarse one.

use glam::{DMat3, DVec3, Vec3};

/// Sweeps of Jacobi's rotations; a symmetric 3 x 3 matrix needs four or five.
const SWEEPS: usize = 12;

/// Where points lie: their mean, and how far they spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub mean: Vec3,
    covariance: DMat3,
}

impl Spread {
    /// Of points and their weights; nothing where these add up to nothing.
    pub fn new(points: impl Iterator<Item = (Vec3, f32)> + Clone) -> Option<Self> {
        let (sum, weight) = points.clone().fold((DVec3::ZERO, 0.0), |(sum, total), (p, weight)| {
            (sum + p.as_dvec3() * f64::from(weight), total + f64::from(weight))
        });
        if weight <= 0.0 {
            return None;
        }
        let mean = sum / weight;
        let mut covariance = DMat3::ZERO;
        for (p, own) in points {
            let out = p.as_dvec3() - mean;
            let square = DMat3::from_cols(out * out.x, out * out.y, out * out.z);
            covariance += square * (f64::from(own) / weight);
        }
        Some(Self { mean: mean.as_vec3(), covariance })
    }

    /// √λ in that direction, metres; the direction has unit length.
    pub fn deviation(&self, direction: Vec3) -> f32 {
        let direction = direction.as_dvec3();
        direction.dot(self.covariance * direction).max(0.0).sqrt() as f32
    }

    /// Its axes, in no order.
    pub fn axes(&self) -> [Vec3; 3] {
        axes_of(self.covariance).map(DVec3::as_vec3)
    }
}

/// Unit eigenvectors of a symmetric matrix, by Jacobi's rotations.
pub(crate) fn axes_of(mut a: DMat3) -> [DVec3; 3] {
    let mut v = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = a.col(q)[p];
            let size = a.x_axis.x.abs() + a.y_axis.y.abs() + a.z_axis.z.abs();
            if off.abs() <= 1e-15 * size {
                continue;
            }
            let theta = (a.col(q)[q] - a.col(p)[p]) / (2.0 * off);
            let t = if theta == 0.0 { 1.0 } else { theta.signum() / (theta.abs() + theta.hypot(1.0)) };
            let (cos, sin) = (1.0 / t.hypot(1.0), t / t.hypot(1.0));
            let mut turn = DMat3::IDENTITY;
            (turn.col_mut(p)[p], turn.col_mut(q)[q]) = (cos, cos);
            (turn.col_mut(q)[p], turn.col_mut(p)[q]) = (sin, -sin);
            a = turn.transpose() * a * turn;
            v *= turn;
        }
    }
    [v.x_axis, v.y_axis, v.z_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{EulerRot, Quat};

    #[test]
    fn a_turned_cloud_gives_back_its_axes_and_their_lengths() {
        let turn = Quat::from_euler(EulerRot::XYZ, 0.4, -1.1, 2.0);
        let half = Vec3::new(0.5, 0.2, 0.05);
        let corner = |i: u8| Vec3::new(f32::from(i & 1), f32::from(i >> 1 & 1), f32::from(i >> 2)) * 2.0 - 1.0;
        let points = (0..8).map(|i| (turn * (corner(i) * half) + Vec3::new(1.0, 2.0, 3.0), 0.25));
        let spread = Spread::new(points).unwrap();
        assert!(spread.mean.distance(Vec3::new(1.0, 2.0, 3.0)) < 1e-5);
        let axes = spread.axes();
        for (wanted, length) in [(Vec3::X, 0.5), (Vec3::Y, 0.2), (Vec3::Z, 0.05)] {
            let found = axes.iter().find(|axis| axis.dot(turn * wanted).abs() > 0.99999).unwrap();
            assert!((spread.deviation(*found) - length).abs() < 1e-5);
        }
    }

    #[test]
    fn nothing_spreads_nowhere_and_a_point_has_no_size() {
        assert_eq!(Spread::new([(Vec3::X, 0.0)].into_iter()), None);
        let point = Spread::new([(Vec3::X, 1.0)].into_iter()).unwrap();
        assert!(point.axes().iter().all(|axis| point.deviation(*axis) == 0.0));
    }
}
