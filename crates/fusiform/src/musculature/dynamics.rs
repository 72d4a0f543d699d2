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
    /// A particle on every belly vertex, springs between neighbours, and a spring from each to where the pose wants it
    /// (Saam VII): waves run through the belly, and a limb turned over sags. The ends stay on the tendons.
    SoftBody {
        /// Of each spring between neighbouring particles, N/m, >= 0: stiffer carries waves faster. The same on a finer
        /// grid, as in a sheet.
        #[serde(default = "neighbours")]
        stiffness: f32,
        /// Of all springs to the posed belly together, N/m, >= 0: with the mass it sets how fast the belly swings.
        #[serde(default = "goal")]
        goal: f32,
        /// Of the whole belly, kg, > 0.
        #[serde(default = "mass")]
        mass: f32,
        /// Share of the velocity against the posed belly lost in 1/60 s, 0 ..= 1.
        #[serde(default = "damping")]
        damping: f32,
        /// Share of gravity that the belly feels, 0 ..= 10. The sculpted belly already hangs as it does at bind, so only
        /// what turning the limb changes counts.
        #[serde(default = "one")]
        gravity: f32,
        /// Farthest a particle is ever drawn from where the pose wants it, as a share of the rest length, > 0.
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
/// 6.4 Hz, with the mass above.
fn goal() -> f32 {
    800.0
}
/// Waves of about three metres a second in a muscle of the default size: soft tissue.
fn neighbours() -> f32 {
    40.0
}
fn one() -> f32 {
    1.0
}

impl Dynamics {
    /// Saam's soft body, like flesh: about 6 Hz, gone after three or four swings.
    #[must_use]
    pub fn soft_body() -> Self {
        Self::SoftBody {
            stiffness: neighbours(),
            goal: goal(),
            mass: mass(),
            damping: damping(),
            gravity: one(),
            reach: reach(),
        }
    }
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
