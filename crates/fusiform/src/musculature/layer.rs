//! How the skin follows: joints first, then layers of muscle.

use serde::{Deserialize, Serialize};

/// How joints move the skin before any muscle does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// Linear blend (Lee eq. 13): what engines do.
    #[default]
    Linear,
    /// Dual quaternions: keeps volume where a joint twists.
    DualQuaternion,
}

/// One thing muscles do to the skin; layers run in order, each from what the one before left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Layer {
    /// Smooth skinning to the nearest belly vertices (Lee eq. 14-15).
    Blend {
        /// N_m: how many belly vertices a skin vertex follows, 1 ..= 16.
        #[serde(default = "nearest")]
        nearest: u8,
    },
}

fn nearest() -> u8 {
    4
}

impl Layer {
    /// Lee's layer with his own count.
    #[must_use]
    pub fn blend() -> Self {
        Self::Blend { nearest: nearest() }
    }
}

/// How faces share their normals with vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormalWeighting {
    /// By area: cheapest, and kind to even meshes.
    #[default]
    Area,
    /// By the angle of the face's corner: independent of how a polygon was cut into triangles.
    Angle,
}
