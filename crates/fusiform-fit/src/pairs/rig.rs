//! Rigging with pairs: from any skinned creature to its muscles.

use super::Flesh;
use crate::{Preset, RigError, Rigged, Stage, Stopped, Wear};
use fusiform::Character;

/// Give the character an opposed pair of muscles on every bone that carries flesh, conformed to its own skin.
///
/// `wear` says what each mesh is, `preset` whose muscles they are, `fat` how thick the fat is, metres; `stage` hears what is
/// done next, and says whether to go on.
///
/// # Errors
/// When there is no skin, no bone with flesh between two joints, or a bind matrix is singular; when it was stopped.
pub fn rig_pairs(
    character: &Character,
    wear: &[Wear],
    preset: Preset,
    fat: f32,
    mut stage: impl FnMut(Stage) -> Result<(), Stopped>,
) -> Result<Rigged, RigError> {
    Flesh::heard(character, wear, &mut stage)?.rig(|_| None, preset, fat, stage)
}
