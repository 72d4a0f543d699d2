//! The document: muscles as their author edits them. Names, not indices; every field has a default and a meaning.
//!
//! One muscle = path x profile x contraction x dynamics; each paper's muscle is one choice on these four dials,
//! and a user may mix. What runs is [`Body`](crate::Body), made from this by [`Body::bind`](crate::Body::bind).

mod activation;
mod bone;
mod contraction;
mod dynamics;
mod influence;
mod layer;
mod level;
mod muscle;
mod path;
mod physique;
mod profile;
mod sigmoid;
mod tissue;

pub use activation::{Activation, ClipActivation, Driver, MuscleTrack, Signal};
pub use bone::{Bone, BoneShape};
pub use contraction::{Contraction, PoseShape, Volume};
pub use dynamics::{Dynamics, Integrator};
pub use influence::{Influence, InfluenceTemplate};
pub use layer::{Along, Base, Layer, NormalWeighting, ShellMode, WrapFrame};
pub use level::Level;
pub use muscle::{Attachment, Follow, FrameRule, Muscle, Sculpt};
pub use path::{Path, Spacing};
pub use physique::Physique;
pub use profile::Profile;
pub(crate) use sigmoid::MOST_ECCENTRIC;
pub use sigmoid::Sigmoids;
pub use tissue::{Tissue, TissueIntegrator, TissueRest};

use crate::SparseWeights;

/// All muscles of a character, how they reach its skin, and how strongly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Musculature {
    /// The muscles; weights refer to them by their place in this list.
    pub muscles: Vec<Muscle>,
    /// Bones that layers of slide push out of the skin; a document may have bones that no layer uses.
    pub bones: Vec<Bone>,
    /// How joints move the skin, before any muscle does.
    pub base: Base,
    /// What muscles then do to it, in order.
    pub layers: Vec<Layer>,
    /// How much each muscle weighs on each vertex (W): one entry per mesh of the character, or none at all.
    pub weights: Vec<SparseWeights>,
    /// Multipliers over the whole body.
    pub physique: Physique,
    /// How faces share their normals with vertices.
    pub normals: NormalWeighting,
    /// What tenses muscles beside the input of a frame.
    pub activation: Activation,
}

impl Musculature {
    /// No muscle, no layer: plain skinning, with the same solver.
    #[must_use]
    pub fn plain() -> Self {
        Self::default()
    }

    /// Index of the muscle of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.muscles.iter().position(|muscle| muscle.name == name)
    }
}
