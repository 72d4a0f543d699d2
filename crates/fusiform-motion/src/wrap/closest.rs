//! The point of an ellipsoid nearest to a point.
//!
//! ```text
//! xᵢ = aᵢ² pᵢ / (t + aᵢ²)    where    g(t) = Σ (aᵢ pᵢ / (t + aᵢ²))² − 1 = 0,    t > −min aᵢ²
//! ```
//!
//! There g falls and is convex, so Newton's steps from a t with g ≥ 0 never overshoot. Eberly: *Distance from a Point to an
//! Ellipse, an Ellipsoid, or a Hyperellipsoid*, 2013.

use glam::DVec3;

/// Closer to a plane of symmetry than this, a point counts as on it (in radii): `OpenSim`'s bound.
const ON_PLANE: f64 = 2e-13;

/// More than convergence ever took.
const STEPS: usize = 100;

/// Nearest among the points that share the zero coordinates of `point`, as `OpenSim` has it: off its planes of symmetry
/// that is the nearest of all.
pub(super) fn on_ellipsoid(radii: DVec3, point: DVec3) -> DVec3 {
    let on_plane = |axis: &usize| point[*axis].abs() <= ON_PLANE;
    let other_radii = |axis: usize| radii.element_sum() - radii[axis];
    let flat = (0..3).filter(on_plane).min_by(|&i, &j| other_radii(i).total_cmp(&other_radii(j)));
    match flat {
        Some(axis) => on_ellipse(radii, axis, point),
        None => by_newton(radii, point, [0, 1, 2]),
    }
}

/// Nearest in the plane across an axis, in which the point lies.
pub(super) fn on_ellipse(radii: DVec3, axis: usize, point: DVec3) -> DVec3 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut nearest = point;
    match (point[i].abs() <= ON_PLANE, point[j].abs() <= ON_PLANE) {
        (false, false) => return by_newton(radii, point, [i, j, j]),
        (true, true) if radii[i] < radii[j] => nearest[i] = radii[i].copysign(point[i]),
        (true, true) => nearest[j] = radii[j].copysign(point[j]),
        (true, false) => on_axis(radii, [j, i], &mut nearest),
        (false, true) => on_axis(radii, [i, j], &mut nearest),
    }
    nearest
}

/// A point on the first axis: nearest is that axis' end, or, further in than the centre of the curve there, a point beside it.
fn on_axis(radii: DVec3, [own, other]: [usize; 2], nearest: &mut DVec3) {
    let (a, b, p) = (radii[own], radii[other], nearest[own]);
    if b >= a || p.abs() >= a - b * b / a {
        nearest[own] = a.copysign(p);
        return;
    }
    nearest[own] = a * a * p / (a * a - b * b);
    let share = nearest[own] / a;
    nearest[other] = b * (1.0 - share * share).abs().sqrt();
}

/// Along the named axes; naming one twice leaves it at once.
fn by_newton(radii: DVec3, point: DVec3, axes: [usize; 3]) -> DVec3 {
    let axes = if axes[1] == axes[2] { &axes[..2] } else { &axes[..] };
    let square = radii * radii;
    let start = |&i: &usize| radii[i] * (point[i].abs() - radii[i]);
    let mut t = axes.iter().map(start).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..STEPS {
        let (mut g, mut slope) = (-1.0, 0.0);
        for &i in axes {
            let part = (radii[i] * point[i] / (t + square[i])).powi(2);
            g += part;
            slope -= 2.0 * part / (t + square[i]);
        }
        let step = -g / slope;
        if !step.is_finite() || step <= 1e-15 * (1.0 + t.abs()) {
            break;
        }
        t += step;
    }
    let mut nearest = point;
    for &i in axes {
        nearest[i] = square[i] * point[i] / (t + square[i]);
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_point_of_the_surface_is_nearer(
            radii in prop::array::uniform3(0.3..2.0_f64), point in prop::array::uniform3(-2.0..2.0_f64),
            seen in prop::array::uniform3(-1.0..1.0_f64),
        ) {
            let (radii, point) = (DVec3::from(radii), DVec3::from(point));
            let nearest = on_ellipsoid(radii, point);
            prop_assert!(((nearest / radii).length() - 1.0).abs() < 1e-9);
            if let Some(direction) = DVec3::from(seen).try_normalize() {
                let other = direction * radii;
                prop_assert!(point.distance(nearest) <= point.distance(other) + 1e-9);
            }
        }
    }

    #[test]
    fn points_on_planes_and_axes_keep_their_zeros() {
        let radii = DVec3::new(2.0, 1.0, 0.5);
        assert_eq!(on_ellipsoid(radii, DVec3::new(3.0, 0.0, 0.0)), DVec3::new(2.0, 0.0, 0.0));
        assert_eq!(on_ellipse(radii, 0, DVec3::ZERO), DVec3::new(0.0, 0.0, 0.5));
        let beside = on_ellipse(radii, 2, DVec3::new(0.3, 0.0, 0.0));
        assert!((beside - DVec3::new(0.4, 0.96_f64.sqrt(), 0.0)).length() < 1e-12);
    }
}
