//! How the section answers length and activation.

use super::{Sculpt, Sigmoids};
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
    /// The thickest place answers, the ends stay (Ramos 2): for [`Profile::TwoCubics`](super::Profile::TwoCubics). Shortening
    /// thickens it so that the volume stays; activation makes it bulge toward the up-vector and narrow across.
    Cones {
        /// Whose volume stays.
        #[serde(default)]
        volume: Volume,
        /// kappa: how far full activation stretches the section at mid-belly, (1 + kappa) one way and 1/(1 + kappa) the other;
        /// 0 ..= 4.
        #[serde(default = "quarter")]
        isometric: f32,
    },
    /// Tension is the ratio of the section's axes, the volume stays whatever it is (Saam V-C, Scheepers 1997). The axis that
    /// grows is the one toward the up-vector, so that a tensed muscle stands out.
    TensionRatio {
        /// k: how many times the ratio grows from relaxed to fully tensed; 0.05 ..= 20.
        #[serde(default = "scheepers")]
        ratio: f32,
        /// t_u: how flat the muscle is by itself, 0 ..= 1: the stronger the creature, the lower.
        #[serde(default)]
        tension: f32,
        /// As printed: `tension` also changes the section at rest.
        #[serde(default)]
        paper: bool,
    },
    /// Every number of two sigmoids answers length and tension on a straight line (Murai eq. 2-3), as `fusiform identify`
    /// finds them: for [`Profile::Sigmoid`](super::Profile::Sigmoid), whose nine numbers at rest make 27 with these.
    ///
    /// ```text
    /// k = k at rest + by_length (l − l₀) + by_tension τ        l the belly's length, m, l₀ at rest; τ activation
    /// ```
    ///
    /// Whatever they give, a section stays between 0.2 and 3 times what it is at rest.
    Identified {
        /// Change for each metre that the belly is longer than at rest.
        by_length: Sigmoids,
        /// Change from relaxed to fully tense.
        by_tension: Sigmoids,
        /// f_max: the tension that counts as full, newtons, >= 0; 0 is unknown. The frame does not use it: it converts the
        /// paper's numbers, which are for newtons.
        #[serde(default)]
        strength: f32,
    },
}

impl Contraction {
    /// Ramos' contraction of a muscle that keeps its own volume.
    #[must_use]
    pub fn cones() -> Self {
        Self::Cones { volume: Volume::default(), isometric: quarter() }
    }

    /// Murai's contraction of a belly of that shape before anything is known of it: it keeps its volume as its length changes a
    /// little, and full tension makes it `isometric` times thicker.
    #[must_use]
    pub fn presumed(shape: &Sigmoids, rest_length: f32, isometric: f32) -> Self {
        // r ~ √(l₀/l), so dr/dl = −r/(2 l₀) at rest
        let by_length = shape.growing(-0.5 / rest_length.max(1e-6));
        Self::Identified { by_length, by_tension: shape.growing(isometric), strength: 0.0 }
    }

    /// Saam's contraction with Scheepers' constant.
    #[must_use]
    pub fn tension_ratio() -> Self {
        Self::TensionRatio { ratio: scheepers(), tension: 0.0, paper: false }
    }
}

/// Whose volume stays the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Volume {
    /// That of two truncated cones from the ends to the thickest place (Ramos 2): an estimate.
    Cones,
    /// That of the profile itself (ours).
    #[default]
    Exact,
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
fn scheepers() -> f32 {
    2.56
}
fn quarter() -> f32 {
    0.25
}

impl Default for Contraction {
    fn default() -> Self {
        Self::Bulge { bulge: one(), stretch_ratio: two(), isometric: quarter() }
    }
}
