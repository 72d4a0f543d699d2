//! Strength: what a muscle can pull with at the length it has now.
//!
//! ```text
//! l  = √( (L − l_t)² + (l₀ sin α₀)² )        fibre length, m: L of the whole path, l_t of the tendon, which does not stretch
//! cos α = (L − l_t) / l                      fibres keep their thickness l₀ sin α₀ across the tendon (Zajac 1989)
//! fl = exp( −(l/l₀ − 1)² / γ )               γ = 0.45
//! strength = f_max · max(fl cos α, least)
//! ```
//!
//! Thelen: *Adjustment of Muscle Mechanics Model Parameters to Simulate Dynamic Contractions in Older Adults*, J. Biomech.
//! Eng. 125, 2003. Left out: what fibres lose by their speed, and what they pull with when stretched and not active. The floor is ours: models place optimal lengths roughly, and a muscle that could not pull at
//! all would leave its joint to the reserves.

use crate::model::Muscle;

/// γ: how wide the curve of force against length is.
pub const SHAPE: f64 = 0.45;

/// No muscle is weaker than this part of its largest force.
pub const LEAST_SHARE: f64 = 0.1;

/// The part of its largest force that a fibre makes at a length given in optimal lengths.
///
/// ```
/// assert_eq!(fusiform_motion::strength::active_force_length(1.0), 1.0);
/// ```
#[must_use]
pub fn active_force_length(length: f64) -> f64 {
    (-(length - 1.0).powi(2) / SHAPE).exp()
}

/// What a muscle can pull with, N, when its path is `path_length` metres long. Without an optimal length there is no curve,
/// and it is the largest force.
#[must_use]
pub fn strength(muscle: &Muscle, path_length: f64) -> f64 {
    let optimal = muscle.optimal_length;
    let known = optimal > 0.0 && muscle.tendon_length.is_finite() && muscle.pennation.is_finite();
    if !known {
        return muscle.max_force;
    }
    let along = (path_length - muscle.tendon_length).max(0.0); // shorter than its tendon, it is slack
    let fibre = along.hypot(optimal * muscle.pennation.sin());
    let cosine = if fibre > 0.0 { along / fibre } else { 0.0 };
    muscle.max_force * (active_force_length(fibre / optimal) * cosine).max(LEAST_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn muscle(pennation: f64) -> Muscle {
        Muscle { max_force: 1000.0, optimal_length: 0.1, tendon_length: 0.2, pennation, ..Muscle::default() }
    }

    #[test]
    fn a_muscle_is_strongest_at_its_optimal_length() {
        let best = strength(&muscle(0.0), 0.3);
        assert!((best - 1000.0).abs() < 1e-9);
        assert!(strength(&muscle(0.0), 0.28) < best && strength(&muscle(0.0), 0.32) < best);
    }

    #[test]
    fn pennate_fibres_pull_along_the_tendon_by_their_cosine() {
        let angle = 0.4_f64;
        let pulls = strength(&muscle(angle), 0.2 + 0.1 * angle.cos());
        assert!((pulls - 1000.0 * angle.cos()).abs() < 1e-9);
    }

    #[test]
    fn half_a_length_off_costs_what_the_paper_draws() {
        assert!((active_force_length(1.5) - (-0.25_f64 / 0.45).exp()).abs() < 1e-15);
        assert!((active_force_length(0.5) - active_force_length(1.5)).abs() < 1e-15);
    }

    #[test]
    fn no_length_leaves_a_muscle_without_strength() {
        for path in [0.0, 0.1, 0.2, 0.9, 5.0] {
            assert!(strength(&muscle(0.3), path) >= 100.0, "{path}");
            assert!(strength(&muscle(0.0), path) >= 100.0, "{path}");
        }
    }

    #[test]
    fn a_muscle_of_unknown_fibres_keeps_its_largest_force() {
        let plain = Muscle { max_force: 300.0, ..Muscle::default() };
        assert_eq!(strength(&plain, 0.3), 300.0);
    }
}
