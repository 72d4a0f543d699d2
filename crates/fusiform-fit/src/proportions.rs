//! How far the skin lies from each bone on a lean, well-built adult: what placing falls back on where it finds no skin.
//!
//! Distances are fractions of a length that rigs agree on: a limb's own bone, the trunk for neck, head and shoulder
//! (whose bones rigs cut differently), the forearm for the hand, the lower leg for the foot.

use crate::{Role, template::Bone};

/// Distance to the skin at one place along a bone: front, own side, back, other side.
struct Station {
    t: f32,
    reach: [f32; 4],
}

const fn at(t: f32, front: f32, own_side: f32, back: f32, other_side: f32) -> Station {
    Station { t, reach: [front, own_side, back, other_side] }
}

/// From the crotch over waist and chest to the base of the neck.
const TORSO: [Station; 9] = [
    at(-0.10, 0.16, 0.29, 0.20, 0.29),
    at(0.00, 0.18, 0.30, 0.22, 0.30),
    at(0.15, 0.18, 0.28, 0.19, 0.28),
    at(0.25, 0.175, 0.26, 0.16, 0.26),
    at(0.38, 0.18, 0.24, 0.155, 0.24),
    at(0.60, 0.215, 0.275, 0.18, 0.275),
    at(0.75, 0.225, 0.31, 0.20, 0.31),
    at(0.90, 0.16, 0.33, 0.18, 0.33),
    at(1.00, 0.10, 0.16, 0.14, 0.16),
];
const NECK: [Station; 2] = [at(0.0, 0.10, 0.115, 0.125, 0.115), at(1.0, 0.10, 0.10, 0.11, 0.10)];
const HEAD: [Station; 2] = [at(0.0, 0.15, 0.125, 0.15, 0.125), at(1.0, 0.15, 0.12, 0.16, 0.12)];
/// Front, up, back, down: the bone runs sideways.
const SHOULDER: [Station; 3] =
    [at(0.0, 0.14, 0.08, 0.16, 0.16), at(0.6, 0.12, 0.085, 0.14, 0.16), at(1.0, 0.11, 0.105, 0.125, 0.13)];
const UPPER_ARM: [Station; 5] = [
    at(0.0, 0.21, 0.21, 0.22, 0.20),
    at(0.2, 0.20, 0.21, 0.20, 0.17),
    at(0.5, 0.18, 0.155, 0.18, 0.155),
    at(0.8, 0.16, 0.145, 0.155, 0.14),
    at(1.0, 0.145, 0.15, 0.14, 0.15),
];
const LOWER_ARM: [Station; 4] = [
    at(0.0, 0.155, 0.17, 0.155, 0.17),
    at(0.25, 0.175, 0.17, 0.165, 0.17),
    at(0.65, 0.13, 0.115, 0.13, 0.115),
    at(1.0, 0.105, 0.08, 0.105, 0.08),
];
const HAND: [Station; 2] = [at(0.0, 0.11, 0.075, 0.11, 0.075), at(1.0, 0.16, 0.06, 0.16, 0.06)];
const UPPER_LEG: [Station; 5] = [
    at(0.0, 0.215, 0.20, 0.25, 0.20),
    at(0.25, 0.22, 0.20, 0.22, 0.21),
    at(0.5, 0.205, 0.18, 0.19, 0.18),
    at(0.8, 0.165, 0.15, 0.15, 0.15),
    at(1.0, 0.135, 0.135, 0.14, 0.135),
];
const LOWER_LEG: [Station; 5] = [
    at(0.0, 0.13, 0.135, 0.14, 0.135),
    at(0.28, 0.115, 0.135, 0.165, 0.135),
    at(0.6, 0.095, 0.105, 0.125, 0.105),
    at(0.88, 0.08, 0.08, 0.095, 0.08),
    at(1.0, 0.09, 0.085, 0.115, 0.085),
];
/// Up, own side, down, other side: the bone points to the front.
const FOOT: [Station; 3] =
    [at(-0.3, 0.12, 0.08, 0.19, 0.08), at(0.3, 0.10, 0.10, 0.14, 0.09), at(1.0, 0.06, 0.12, 0.06, 0.12)];

/// The bone's stations.
fn stations(bone: Bone) -> &'static [Station] {
    match bone {
        Bone::Torso | Bone::Of(Role::Hips | Role::Spine | Role::Chest | Role::UpperChest) => &TORSO,
        Bone::Of(Role::Neck) => &NECK,
        Bone::Of(Role::Head) => &HEAD,
        Bone::Of(Role::Shoulder) => &SHOULDER,
        Bone::Of(Role::UpperArm) => &UPPER_ARM,
        Bone::Of(Role::LowerArm) => &LOWER_ARM,
        Bone::Of(Role::Hand | Role::Fingers | Role::Thumb) => &HAND,
        Bone::Of(Role::UpperLeg) => &UPPER_LEG,
        Bone::Of(Role::LowerLeg) => &LOWER_LEG,
        Bone::Of(Role::Foot | Role::Toes) => &FOOT,
    }
}

/// Distance from the bone's axis to the skin as a fraction of the bone's reference length, `angle` in radians from the
/// front: a quarter ellipse between each two neighbouring directions.
pub(crate) fn reach(bone: Bone, t: f32, angle: f32) -> f32 {
    let [front, own_side, back, other_side] = between(stations(bone), t);
    let (sin, cos) = angle.sin_cos();
    let along = if cos >= 0.0 { front } else { back };
    let across = if sin >= 0.0 { own_side } else { other_side };
    1.0 / (cos / along).hypot(sin / across)
}

/// Linear between stations; the first and the last hold beyond them.
fn between(stations: &[Station], t: f32) -> [f32; 4] {
    let after = stations.iter().position(|station| station.t > t).unwrap_or(stations.len() - 1).max(1);
    let (a, b) = (&stations[after - 1], &stations[after]);
    let share = ((t - a.t) / (b.t - a.t)).clamp(0.0, 1.0);
    std::array::from_fn(|i| a.reach[i] + (b.reach[i] - a.reach[i]) * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_station_is_met_in_all_four_directions() {
        let bone = Bone::Of(Role::LowerLeg);
        let found = [0.0, FRAC_PI_2, PI, -FRAC_PI_2].map(|angle| reach(bone, 0.28, angle));
        for (found, expected) in found.iter().zip([0.115, 0.135, 0.165, 0.135]) {
            assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn ends_hold_beyond_the_bone() {
        assert_eq!(reach(Bone::Torso, -9.0, 0.0), reach(Bone::Torso, -0.1, 0.0));
        assert_eq!(reach(Bone::Torso, 9.0, 0.0), reach(Bone::Torso, 1.0, 0.0));
    }
}
