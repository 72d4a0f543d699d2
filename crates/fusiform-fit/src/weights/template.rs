//! Influence templates: weights that a muscle says itself.
//!
//! ```text
//! even    W = 1 - smoothstep(inner, outer, rho)        rho metres from the belly's surface
//! belly   W = even x r(u) / max r                      r the belly's own radius along it
//! facing  W = even x facing(skin normal, way out of the belly)
//! ```
//!
//! Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 3, whose painted neighbourhood is a
//! function of (u, theta, rho). The falloff and the three templates are ours. They are cut, as all weights are, to the skin
//! that hangs on the muscle's own bones: a muscle of the arm does not move the ribs beside it.

use super::belly::{About, Belly};
use super::{LEAST, MAX_MUSCLES, settle};
use crate::smoothstep;
use fusiform::musculature::{Influence, InfluenceTemplate};
use glam::Vec3;

/// How much a point of the skin with that normal belongs to the belly, 0 ..= 1.
pub(super) fn weight(influence: &Influence, belly: &Belly, point: Vec3, normal: Vec3) -> f32 {
    let about = belly.about(point);
    let About { distance, thickness, .. } = about;
    let near = 1.0 - smoothstep(influence.inner, influence.outer, distance);
    match influence.template {
        InfluenceTemplate::Even => near,
        InfluenceTemplate::Belly => near * thickness,
        InfluenceTemplate::Facing => near * about.facing(normal),
    }
}

/// The few largest of a vertex' weights. What muscles say themselves stands as it is, divided by its sum where that exceeds
/// one (METHODS section 4); the others share what is left.
pub(super) fn settle_told(found: Vec<(u16, f32)>, told: &[bool]) -> Vec<(u16, f32)> {
    let (mut said, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(muscle, _)| told[usize::from(*muscle)]);
    if said.is_empty() {
        return settle(others);
    }
    said.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    said.truncate(MAX_MUSCLES);
    let sum: f32 = said.iter().map(|(_, weight)| weight).sum();
    said.iter_mut().for_each(|(_, weight)| *weight /= sum.max(1.0));
    let left = (1.0 - sum).max(0.0);
    let room = MAX_MUSCLES - said.len();
    said.extend(settle(others).into_iter().take(room).map(|(muscle, weight)| (muscle, weight * left)));
    said.retain(|(_, weight)| *weight > LEAST);
    said.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::body::{RestBelly, rest_bellies};
    use fusiform::musculature::{Attachment, Profile};
    use fusiform::{Muscle, Skeleton, Transform};

    /// A round muscle of 2 cm radius along x, from 0 to 40 cm.
    fn rest() -> RestBelly {
        let skeleton = Skeleton::from_rest(&[
            ("upper", None, Transform::IDENTITY),
            ("lower", Some(0), Transform::at(Vec3::X * 0.4)),
        ]);
        let end = |joint: &str| Attachment { joint: joint.into(), point: Vec3::ZERO };
        let profile = Profile::Sine { size: 0.02, taper: 1.0, aspect: 1.0 };
        let muscle = Muscle { origin: end("upper"), insertion: end("lower"), profile, ..Muscle::default() };
        rest_bellies(&skeleton, &[muscle]).unwrap().remove(0)
    }

    #[test]
    fn each_template_is_what_it_says() {
        let rest = rest();
        let of = |template, x: f32, away: f32, normal: Vec3| {
            let influence = Influence { template, inner: 0.01, outer: 0.03 };
            let belly = Belly::new(&rest, 1.0, Some(&influence));
            let radius = 0.02 * (std::f32::consts::PI * x / 0.4).sin();
            weight(&influence, &belly, Vec3::new(x, radius + away, 0.0), normal)
        };
        use InfluenceTemplate::{Belly as Thick, Even, Facing};
        for x in [0.05, 0.2, 0.3] {
            assert!((of(Even, x, 0.009, Vec3::Y) - 1.0).abs() < 1e-3, "whole within inner");
            assert!((of(Even, x, 0.02, Vec3::Y) - 0.5).abs() < 0.01, "half-way between");
            assert_eq!(of(Even, x, 0.031, Vec3::Y), 0.0, "nothing beyond outer");
            // rings are straight in between, so the thickness is the sine to a few hundredths
            let sine = (std::f32::consts::PI * x / 0.4).sin();
            assert!((of(Thick, x, 0.005, Vec3::Y) - sine).abs() < 0.03, "as thick as the belly");
            assert!(of(Facing, x, 0.005, Vec3::Y) > 0.999 && of(Facing, x, 0.005, Vec3::NEG_Y) == 0.0);
        }
        assert!(of(Thick, 0.0, 0.005, Vec3::Y) < 1e-6, "nothing at the ends");
        assert!(of(Even, 0.0, 0.005, Vec3::Y) > 0.999, "whole at the ends");
    }

    #[test]
    fn what_muscles_say_stands_and_the_others_share_the_rest() {
        let told = [true, false, true, false];
        assert_eq!(settle_told(vec![(0, 0.5)], &told), [(0, 0.5)]);
        let both = settle_told(vec![(0, 0.9), (2, 0.6)], &told);
        assert!((both[0].1 - 0.6).abs() < 1e-6 && (both[1].1 - 0.4).abs() < 1e-6, "{both:?}");
        let mixed = settle_told(vec![(0, 0.75), (1, 1.0), (3, 1.0)], &told);
        let sum: f32 = mixed.iter().map(|(_, weight)| weight).sum();
        assert!(mixed[0] == (0, 0.75) && mixed.len() == 3 && sum <= 1.0, "{mixed:?}");
        assert_eq!(settle_told(vec![(0, 1.0), (1, 1.0)], &told), [(0, 1.0)]);
        assert_eq!(settle_told(vec![(1, 0.7)], &told), settle(vec![(1, 0.7)]));
    }
}
