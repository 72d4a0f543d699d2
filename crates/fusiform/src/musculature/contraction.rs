//! How the section answers length and activation.

use serde::{Deserialize, Serialize};

/// Third dial: what happens to the belly as the muscle shortens, stretches or tenses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Contraction {
    /// Volume preservation, exaggerated until it can be seen (Lee eq. 5-8).
    Bulge {
        /// B >= 0: 0 is plain volume preservation.
        #[serde(default = "one")]
        bulge: f32,
        /// R > 0: how much less a stretch thins the belly than an equal shortening swells it.
        #[serde(default = "two")]
        stretch_ratio: f32,
        /// Growth of the section at full activation without a change of length (Lee 3.3); >= 0.
        #[serde(default = "quarter")]
        isometric: f32,
    },
}

fn one() -> f32 {
    1.0
}
fn two() -> f32 {
    2.0
}
fn quarter() -> f32 {
    0.25
}

impl Default for Contraction {
    fn default() -> Self {
        Self::Bulge { bulge: one(), stretch_ratio: two(), isometric: quarter() }
    }
}
