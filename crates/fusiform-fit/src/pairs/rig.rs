//! Rigging with pairs: from any skinned creature to its muscles.

use super::{Pairs, place_pairs};
use crate::middle;
use crate::regions::Regions;
use crate::rig::{STANDS_OUT, finish, leave_out};
use crate::seat::seat;
use crate::{Placed, Preset, RigError, Rigged, Stage, Surface, Wear, conform};
use fusiform::Character;
use rayon::prelude::*;

/// Give the character an opposed pair of muscles on every bone that carries flesh, conformed to its own skin.
///
/// `wear` says what each mesh is, `preset` whose muscles they are, `fat` how thick the fat is, metres; `stage` hears what is done.
///
/// # Errors
/// When there is no skin, no bone with flesh between two joints, or a bind matrix is singular.
pub fn rig_pairs(
    character: &Character,
    wear: &[Wear],
    preset: Preset,
    fat: f32,
    mut stage: impl FnMut(Stage),
) -> Result<Rigged, RigError> {
    stage(Stage::Surface);
    let mut centred = character.clone();
    if let Some(x) = middle::of_skin(character, wear) {
        middle::to_zero(&mut centred, x);
    }
    let (character, skeleton) = (&centred, &centred.skeleton);
    let body = character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::of_parts(body.map(|(mesh, _)| mesh)).ok_or(RigError::NoSkin)?;
    stage(Stage::Regions);
    let regions = Regions::new(character, wear);
    stage(Stage::Place);
    let Pairs { muscles, groups, toward } = place_pairs(character, &regions, &surface, preset);
    if muscles.is_empty() {
        return Err(RigError::NoFlesh);
    }
    stage(Stage::Seat);
    let (superficial, drawn) = (vec![true; muscles.len()], vec![false; muscles.len()]);
    let mut placed = Placed { muscles, groups, superficial, drawn, ..Placed::default() };
    let mut lacking: Vec<f32> =
        placed.muscles.par_iter_mut().map(|muscle| seat(skeleton, &surface, fat, false, muscle)).collect();
    // Where one muscle of a pair finds no room, its opponent would pull alone.
    lacking.chunks_exact_mut(2).for_each(|pair| pair.fill(pair[0].max(pair[1])));
    let most = fat + STANDS_OUT * character.height();
    let toward: Vec<_> = toward.into_iter().zip(&lacking).filter(|(_, lack)| **lack <= most).map(|(f, _)| f).collect();
    leave_out(&mut placed, &lacking, most);
    stage(Stage::Conform);
    conform(skeleton, &mut placed.muscles, &toward, &surface, fat)?;
    finish(character, wear, preset, fat, &surface, placed, toward, stage)
}
