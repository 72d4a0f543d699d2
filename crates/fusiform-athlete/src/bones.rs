//! The humanoid template's bones, laid under the athlete's skin.

use crate::envelope::Envelope;
use crate::muscles::depth;
use crate::skin::Skin;
use fusiform::Skeleton;
use fusiform::musculature::Bone;
use fusiform_fit::{Roles, Template, Under, place_bones};

/// Skin and fat over bones, metres.
const FAT: f32 = 0.003;

/// The bones that show on the athlete.
pub(crate) fn lay(skeleton: &Skeleton, envelope: &Envelope, skin: &Skin) -> Vec<Bone> {
    let roles = Roles::find(skeleton).roles;
    let under =
        Under { hit: &|from, toward| depth(envelope, from, toward), depth: &|point| -skin.distance(point), fat: FAT };
    place_bones(&Template::humanoid(), skeleton, &roles, under).0
}
