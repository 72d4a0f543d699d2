//! Radius along the belly, at rest.

use serde::{Deserialize, Serialize};

/// Second dial: how thick the muscle is from origin (s = 0) to insertion (s = 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Profile {
    /// r = S sin(pi s)^T (Lee eq. 4).
    Sine {
        /// S: radius at mid-belly, metres.
        size: f32,
        /// T > 0: 1 is a plain sine, larger draws the ends out into tendons.
        #[serde(default = "one")]
        taper: f32,
        /// Height of the section (toward the up-vector) over its width; 1 is round. Ours: the paper sculpts instead.
        #[serde(default = "one")]
        aspect: f32,
    },
    /// r = sqrt(1 - (2s - 1)^2): an ellipsoid as long as the belly (Pratscher 3.2, Saam V-C).
    Ellipsoid {
        /// Half-axis across the up-vector, metres.
        width: f32,
        /// Half-axis toward the up-vector, metres.
        height: f32,
    },
}

fn one() -> f32 {
    1.0
}

impl Default for Profile {
    fn default() -> Self {
        Self::Sine { size: 0.02, taper: 1.0, aspect: 1.0 }
    }
}
