//! Drive: how hard every muscle contracts in this frame.
//!
//! ```text
//! tau = clamp(input + tension + Σ remap(signal − signal at bind), 0, 1)
//!
//! joint angle   q = swing · twist,  2 atan2(q_xyz · axis, q_w)      q the joint's turn against its parent since bind
//!               2 atan2(|q_xyz|, |q_w|)                             without an axis
//! shortening    (l₀ − l)/l₀                                         l length, l₀ at rest
//! ```
//!
//! Ours; Ramos, Saam and Murai leave activation to whoever animates. What rounding makes of a signal in the bind pose is
//! taken off it, so that a driver that says nothing there says exactly nothing.

use super::muscles::MuscleTable;
use super::turned::{Turned, about, whole};
use super::{Body, BodyState};
use crate::character::{Skeleton, Track};
use crate::musculature::{Activation, Musculature, Signal};
use glam::{Mat3, Quat, Vec3};
use std::sync::Arc;

/// What tenses the muscles of a body; constants.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DriveTable {
    tension: f32,
    driver: Box<[Driver]>,
}

#[derive(Clone, Debug, PartialEq)]
struct Driver {
    listens: Listens,
    muscle: Box<[u16]>,
    remap: Box<[[f32; 2]]>,
    at_bind: Box<[f32]>, // one, or one for each of `muscle` where they differ: the signal in the bind pose
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Listens {
    Angle { joint: Turned, axis: Option<Vec3> },
    Shortening,
}

impl Listens {
    /// The signal for that muscle, in the unit of the document.
    fn signal(self, turn: &[Mat3], length: &[f32], rest_length: &[f32], muscle: usize) -> f32 {
        match self {
            Self::Angle { joint, axis } => {
                let turn = Quat::from_mat3(&joint.since_bind(turn));
                axis.map_or_else(|| whole(turn), |axis| about(axis, turn)).to_degrees()
            }
            Self::Shortening => (rest_length[muscle] - length[muscle]) / rest_length[muscle],
        }
    }

    /// Whether every muscle hears its own.
    fn is_each_muscles_own(self) -> bool {
        matches!(self, Self::Shortening)
    }
}

/// Straight lines between the points, the outermost values beyond them.
fn remapped(points: &[[f32; 2]], x: f32) -> f32 {
    let after = points.partition_point(|point| point[0] <= x).clamp(1, points.len() - 1);
    let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
    y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).clamp(0.0, 1.0)
}

impl DriveTable {
    /// Everything but what signals are at bind; the document has been checked.
    fn new(skeleton: &Skeleton, musculature: &Musculature) -> Self {
        let Activation { tension, drivers, .. } = &musculature.activation;
        let driver = |driver: &crate::musculature::Driver| {
            let muscles = &musculature.muscles;
            let named = |m: &usize| driver.muscles.is_empty() || driver.muscles.contains(&muscles[*m].name);
            let muscle: Box<[u16]> = (0..muscles.len()).filter(named).map(|m| m as u16).collect();
            let listens = match &driver.signal {
                Signal::JointAngle { joint, axis } => Listens::Angle {
                    joint: Turned::new(skeleton, joint),
                    axis: axis.map(|axis| axis.normalize_or(Vec3::X)),
                },
                Signal::Shortening => Listens::Shortening,
            };
            let at_bind = vec![0.0; if listens.is_each_muscles_own() { muscle.len() } else { 1 }].into();
            Driver { listens, muscle, remap: driver.remap.clone().into(), at_bind }
        };
        Self { tension: *tension, driver: drivers.iter().map(driver).collect() }
    }

    /// Take what signals are now for what they are at bind.
    fn record(&mut self, turn: &[Mat3], length: &[f32], rest_length: &[f32]) {
        for driver in &mut self.driver {
            for (at_bind, &m) in driver.at_bind.iter_mut().zip(&driver.muscle) {
                *at_bind = driver.listens.signal(turn, length, rest_length, usize::from(m));
            }
        }
    }

    /// The activation of every muscle, from its lengths and the joints' turns; `input` has one for each muscle, or none.
    pub fn activate(
        &self,
        muscles: &MuscleTable,
        turn: &[Mat3],
        length: &[f32],
        input: &[f32],
        activation: &mut [f32],
    ) {
        assert!(input.is_empty() || input.len() == muscles.len(), "activation needs one entry for each muscle");
        if input.is_empty() {
            activation.fill(self.tension);
        } else {
            for (now, &wished) in activation.iter_mut().zip(input) {
                *now = self.tension + if wished.is_nan() { 0.0 } else { wished.clamp(0.0, 1.0) };
            }
        }
        for driver in &self.driver {
            let signal = |m: usize| driver.listens.signal(turn, length, &muscles.rest_length, m);
            if driver.listens.is_each_muscles_own() {
                for (&m, at_bind) in driver.muscle.iter().zip(&driver.at_bind) {
                    activation[usize::from(m)] += remapped(&driver.remap, signal(usize::from(m)) - at_bind);
                }
            } else {
                let level = remapped(&driver.remap, signal(0) - driver.at_bind[0]);
                driver.muscle.iter().for_each(|&m| activation[usize::from(m)] += level);
            }
        }
        activation.iter_mut().for_each(|now| *now = now.clamp(0.0, 1.0));
    }
}

/// How hard muscles contract in the course of a clip: its keyed curves over constant levels. Made once, sampled every frame
/// without allocating.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedActivation {
    constant: Vec<f32>,
    curve: Vec<(usize, Track<f32>)>,
    level: Vec<f32>,
}

impl PlayedActivation {
    /// The level of every muscle at that time, ready for [`StepInput::activation`](crate::StepInput); none at all where
    /// nothing is said of any.
    pub fn at(&mut self, time: f32) -> &[f32] {
        self.level.copy_from_slice(&self.constant);
        for (muscle, track) in &self.curve {
            let level = self.level[*muscle] + track.at(time).unwrap_or(0.0);
            self.level[*muscle] = level.clamp(0.0, 1.0);
        }
        &self.level
    }

    /// What [`PlayedActivation::at`] found last.
    #[must_use]
    pub fn levels(&self) -> &[f32] {
        &self.level
    }
}

impl Body {
    /// What the document's curves say of a clip of that name, on top of constant levels: one for each muscle, or none.
    ///
    /// # Panics
    /// When there are levels, but not one for each muscle.
    #[must_use]
    pub fn play(&self, clip: Option<&str>, constant: &[f32]) -> PlayedActivation {
        let of_clip = self.musculature.activation.curves.iter().filter(|curves| Some(&*curves.clip) == clip);
        let tracks = of_clip.flat_map(|curves| &curves.tracks);
        let curve: Vec<_> =
            tracks.filter_map(|track| Some((self.musculature.find(&track.muscle)?, track.track()))).collect();
        let mut constant = constant.to_vec();
        if constant.is_empty() && !curve.is_empty() {
            constant.resize(self.n_muscle(), 0.0);
        }
        assert!(constant.is_empty() || constant.len() == self.n_muscle(), "activation needs one entry for each muscle");
        PlayedActivation { level: constant.clone(), constant, curve }
    }

    /// Make what drives the muscles anew. Everything else that is measured at bind comes before it: a body is bound relaxed.
    pub(super) fn bind_drive(&mut self, skeleton: &Skeleton, musculature: &Musculature) {
        let mut drive = DriveTable::new(skeleton, musculature);
        if !drive.driver.is_empty() {
            let state = BodyState::new(self);
            drive.record(&state.turn, &state.length, &self.muscles.rest_length);
        }
        self.drive = Arc::new(drive);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remap_is_straight_between_its_points_and_level_beyond_them() {
        let points = [[-10.0, 0.2], [0.0, 0.0], [100.0, 1.0]];
        let x = [-500.0, -10.0, -5.0, 0.0, 25.0, 100.0, 180.0];
        assert_eq!(x.map(|x| remapped(&points, x)), [0.2, 0.2, 0.1, 0.0, 0.25, 1.0, 1.0]);
    }

    #[test]
    fn whatever_the_swing_the_twist_about_an_axis_is_found() {
        for degrees in [-170.0_f32, -30.0, 0.0, 12.0, 150.0] {
            let twist = Quat::from_rotation_x(degrees.to_radians());
            for swing in [Quat::IDENTITY, Quat::from_rotation_y(1.0), Quat::from_rotation_z(-1.4)] {
                assert!((about(Vec3::X, swing * twist).to_degrees() - degrees).abs() < 1e-3, "{degrees}");
            }
            assert!((whole(twist).to_degrees() - degrees.abs()).abs() < 1e-3, "{degrees}");
        }
    }
}
