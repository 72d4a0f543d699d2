//! Radius along the belly, at rest.

use super::Sigmoids;
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
    /// Two cubics that meet at the thickest place without a kink (Ramos 2). With the two tendons of
    /// [`Path::Polyline`](super::Path::Polyline) its six numbers are the eight of the paper. Between 0 and 1 where a cubic
    /// would go below nothing, the radius is 0.
    TwoCubics {
        /// Where along the belly it is thickest, 0.05 ..= 0.95.
        #[serde(default = "half")]
        peak_at: f32,
        /// Radius there, metres, > 0.
        peak: f32,
        /// Radii at origin and insertion, metres, 0 ..= peak.
        #[serde(default)]
        ends: [f32; 2],
        /// How fast the radius changes there, metres for the whole length of the belly; falling slopes at the insertion are
        /// negative.
        #[serde(default)]
        slopes: [f32; 2],
        /// Height of the section (toward the up-vector) over its width; 1 is round.
        #[serde(default = "one")]
        ellipse: f32,
    },
    /// Two sigmoids that rise from the ends and meet at the middle (Murai 3.2).
    Sigmoid {
        /// At rest: radii above 0 everywhere, k₂ >= 0, eccentricity 0 ..= 0.99.
        shape: Sigmoids,
        /// Whether the section is longer across than toward the up-vector. Ours: an eccentricity has no direction.
        #[serde(default)]
        flat: bool,
    },
}

fn one() -> f32 {
    1.0
}
fn half() -> f32 {
    0.5
}

impl Default for Profile {
    fn default() -> Self {
        Self::Sine { size: 0.02, taper: 1.0, aspect: 1.0 }
    }
}
