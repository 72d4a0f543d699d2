//! How a muscle lags behind its bones and jiggles.

use serde::{Deserialize, Serialize};

/// Fourth dial: what moves the belly beside the pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Dynamics {
    /// The belly follows the pose at once.
    None,
    /// One spring between the curve's middle point and where the pose wants it (Lee eq. 9-12).
    Spring {
        /// k_s >= 0, N/m.
        #[serde(default = "stiffness")]
        stiffness: f32,
        /// m > 0, kg.
        #[serde(default = "mass")]
        mass: f32,
        /// f in 0 ..= 1: share of the velocity lost in 1/60 s.
        #[serde(default = "damping")]
        damping: f32,
        /// How it is integrated.
        #[serde(default)]
        integrator: Integrator,
        /// Farthest the middle point is ever drawn from where the pose wants it, as a share of the rest length, > 0: flesh
        /// is held by its skin. It gives way softly. Ours; Lee's spring has no end, and a fast kick tears it out.
        #[serde(default = "reach")]
        reach: f32,
    },
}

/// Muscle on a well-built body: about 5 Hz, gone after three or four swings.
fn stiffness() -> f32 {
    500.0
}
fn mass() -> f32 {
    0.5
}
fn damping() -> f32 {
    0.2
}
fn reach() -> f32 {
    0.08
}

impl Default for Dynamics {
    fn default() -> Self {
        Self::Spring {
            stiffness: stiffness(),
            mass: mass(),
            damping: damping(),
            integrator: Integrator::default(),
            reach: reach(),
        }
    }
}

/// How the spring is carried from one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// The damped oscillator's own solution, its anchor moving in a straight line over the frame (ours).
    #[default]
    Exact,
    /// The paper's damped Verlet (Lee eq. 12), in sub-steps of at most 1/60 s.
    Verlet,
}
