//! The humanoid template's bones, laid under the athlete's skin.

use crate::envelope::Envelope;
use crate::muscles::depth;
use fusiform::Character;
use fusiform::musculature::Bone;
use fusiform_fit::{Roles, Surface, Template, Under, place_bones};

/// Skin and fat over bones, metres.
const FAT: f32 = 0.003;

/// The bones that show on the athlete. The grown mesh says how deep they lie: the field it was grown from is no distance
/// far inside.
pub(crate) fn lay(character: &Character, envelope: &Envelope) -> Vec<Bone> {
    let Some(skin) = Surface::new(&character.meshes) else { return Vec::new() };
    let skeleton = &character.skeleton;
    let roles = Roles::find(skeleton).roles;
    let under =
        Under { hit: &|from, toward| depth(envelope, from, toward), depth: &|point| skin.depth(point), fat: FAT };
    place_bones(&Template::humanoid(), skeleton, &roles, under).0
}
