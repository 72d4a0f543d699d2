//! Where the ground is, and whether it moves.

use super::Sole;
use crate::rnea::couple_rates;
use crate::spatial::Twist;
use crate::system::{Posture, System};
use crate::trajectory::Trajectory;
use glam::DVec3;

/// Where the ground is, and what counts as resting on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Unit.
    pub up: DVec3,
    /// m, along `up`.
    pub height: f64,
    /// m/s: of a treadmill's belt; zero for a floor.
    pub velocity: DVec3,
    /// m above the ground: a corner rests below the first, not above the second, and by degrees between.
    pub near: [f64; 2],
    /// m/s: the same for its speed against the ground.
    pub slow: [f64; 2],
    /// The most that can be pushed along the ground, against what is pushed into it.
    pub friction: f64,
}

impl Default for Ground {
    fn default() -> Self {
        Self { up: DVec3::Y, height: 0.0, velocity: DVec3::ZERO, near: [0.03, 0.07], slow: [0.4, 1.0], friction: 0.8 }
    }
}

impl Ground {
    /// The ground that a motion walks on: as high as its lowest corners mostly are, as fast as they mostly go, which tells a
    /// treadmill from a floor. Up is against gravity.
    #[must_use]
    pub fn under(system: &System, trajectory: &Trajectory, soles: &[Sole], times: &[f64]) -> Self {
        let up = (-system.gravity).try_normalize().unwrap_or(DVec3::Y);
        let n = system.n_coordinate();
        let (mut q, mut speed, mut unused) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut posture = Posture::default();
        let (mut heights, mut velocities) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
        for &time in times {
            trajectory.at(time, [&mut q, &mut speed, &mut unused]);
            system.pose(&q, &mut posture);
            couple_rates(system, &posture.q, &mut speed, &mut unused);
            let corners = soles.iter().flat_map(|sole| sole.corners.map(|corner| (sole.body, corner)));
            let places = corners.map(|(body, corner)| (body, posture.frames[body].transform_point3(corner)));
            let Some((body, lowest)) = places.min_by(|a, b| a.1.dot(up).total_cmp(&b.1.dot(up))) else { continue };
            let velocity = velocity(system, &posture, body, &speed).at(lowest).reject_from_normalized(up);
            heights.push(lowest.dot(up));
            for (of_axis, v) in velocities.iter_mut().zip(velocity.to_array()) {
                of_axis.push(v);
            }
        }
        let velocity = DVec3::from_array(velocities.map(|mut of_axis| median(&mut of_axis)));
        Self { up, height: median(&mut heights), velocity, ..Self::default() }
    }
}

fn velocity(system: &System, posture: &Posture, body: usize, speed: &[f64]) -> Twist {
    let mut total = Twist::default();
    for axis in system.axes_above(body).map(|i| &posture.axes[i]) {
        if let Some(c) = axis.coordinate {
            total += Twist::along(axis) * (axis.jet.first * speed[c]);
        }
    }
    total
}

/// Zero of none.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
