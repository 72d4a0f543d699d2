//! Influence templates: which skin a muscle moves, said once instead of painted.

use serde::{Deserialize, Serialize};

/// How much a muscle weighs on the skin about it, by where a vertex lies about its belly in the bind pose (Ramos 3). What
/// makes weights from it is `rig`; a body runs on the weights alone, painted or made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Influence {
    /// What else it depends on beside the distance.
    pub template: InfluenceTemplate,
    /// Metres from the belly's surface up to which the weight is whole, >= 0.
    pub inner: f32,
    /// Metres from the belly's surface where it ends, more than `inner`; smooth in between.
    pub outer: f32,
}

impl Default for Influence {
    /// Skin and fat of a lean adult, and as far again as a hand is wide.
    fn default() -> Self {
        Self { template: InfluenceTemplate::default(), inner: 0.005, outer: 0.05 }
    }
}

/// What an influence depends on beside the distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InfluenceTemplate {
    /// The belly's own thickness: whole over the middle, nothing over its ends.
    #[default]
    Belly,
    /// Nothing else: the same from end to end, all around.
    Even,
    /// Which way the skin looks: only where it faces away from the belly.
    Facing,
}

impl InfluenceTemplate {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Belly, Self::Even, Self::Facing];

    /// As documents write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Belly => "belly",
            Self::Even => "even",
            Self::Facing => "facing",
        }
    }
}
