//! How the section answers length and activation.

use super::Sculpt;
use glam::Quat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Volume preservation as far as the body is fit (Pratscher 4.1): the section grows by 1 + tone (s - 1),
    /// s = sqrt(belly at rest / belly).
    Tone {
        /// 0 ..= 1: 1 keeps the volume, 0 the section.
        #[serde(default = "one")]
        tone: f32,
        /// Growth of the section at full activation without a change of length; >= 0.
        #[serde(default = "quarter")]
        isometric: f32,
    },
    /// Shapes sculpted in several poses and interpolated between them (Pratscher 4.1); [`Contraction::Tone`] works on top.
    /// The bind pose is a sample too: its shape is [`Muscle::sculpt`](super::Muscle::sculpt).
    PoseShapes {
        /// The samples beside the bind pose, 1 ..= 64. Where all of them turn one joint about one axis, neighbouring angles
        /// are interpolated linearly, and the outermost shapes stay beyond them; all else is scattered data.
        shapes: Vec<PoseShape>,
        /// 0 ..= 1: 1 keeps the volume, 0 the section.
        #[serde(default)]
        tone: f32,
        /// Growth of the section at full activation without a change of length; >= 0.
        #[serde(default = "quarter")]
        isometric: f32,
    },
}

/// What a belly looks like in one pose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseShape {
    /// How joints are turned in it, by name: rotation now = rotation at bind x this, both relative to the parent. Joints
    /// that only other samples name are as at bind.
    pub turns: BTreeMap<String, Quat>,
    /// The factors on the profile in that pose, as in [`Muscle::sculpt`](super::Muscle::sculpt).
    pub sculpt: Sculpt,
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
