//! Rigging: from a skinned character to its muscles.
//!
//! ```text
//! meshes ─> surface ─> place ─> seat ─> conform ─> weights ─> check
//! ```

use crate::dress::Wear;
use crate::seat::seat;
use crate::{Facing, FitError, Inside, LeftOut, Placed, Roles, Surface, Template, conform, influence, place};
use fusiform::body::BindError;
use fusiform::musculature::Layer;
use fusiform::{Character, Musculature};
use glam::Affine3A;
use rayon::prelude::*;

/// Thickness of skin and fat over a superficial muscle, as a share of the height: 4 mm on a lean adult.
pub const FAT: f32 = 0.0024;

/// A muscle whose line cannot be brought below the skin stands out of it; beyond this share of the height it is left out.
const STANDS_OUT: f32 = 0.0005;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A tree over the body's triangles.
    Surface,
    /// The template's muscles, on their bones.
    Place,
    /// Their lines, pressed into the flesh.
    Seat,
    /// Their bellies, shaped to the skin.
    Conform,
    /// Which skin each moves.
    Weights,
    /// How many belly vertices are inside the skin.
    Check,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 6] =
        [Self::Surface, Self::Place, Self::Seat, Self::Conform, Self::Weights, Self::Check];

    /// As reports write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Place => "place",
            Self::Seat => "seat",
            Self::Conform => "conform",
            Self::Weights => "weights",
            Self::Check => "check",
        }
    }
}

/// A character's muscles, and how they came out.
#[derive(Clone, Debug)]
pub struct Rigged {
    /// Muscles, layers, weights.
    pub musculature: Musculature,
    /// The region each muscle belongs to.
    pub groups: Vec<String>,
    /// Whether each muscle lies right under the skin's fat.
    pub superficial: Vec<bool>,
    /// Muscles whose bones this skeleton lacks.
    pub left_out: Vec<LeftOut>,
    /// How the bellies lie in the skin.
    pub inside: Inside,
    /// Thickness of the fat, metres.
    pub fat: f32,
    /// What had to be guessed.
    pub warnings: Vec<String>,
}

/// Why a character cannot be rigged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// No triangle of the body.
    #[error("the body has no triangle; export it with its faces, or name another mesh as the body")]
    NoSkin,
    /// Placing failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A muscle or the skeleton is not sound.
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// Give the character the template's muscles, conformed to its own skin.
///
/// `wear` says what each mesh is, `fat` how thick the fat is, metres; `stage` hears what is done. The body may stand, lie
/// and face as it likes.
///
/// # Errors
/// When there is no skin, roles do not belong to the skeleton, or a bind matrix is singular.
pub fn rig(
    character: &Character,
    wear: &[Wear],
    roles: &Roles,
    template: &Template,
    fat: f32,
    mut stage: impl FnMut(Stage),
) -> Result<Rigged, RigError> {
    stage(Stage::Surface);
    let (character, roles, warnings) = upright(character, roles);
    let (character, skeleton) = (&character, &character.skeleton);
    let body = character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::new(body.map(|(mesh, _)| mesh)).ok_or(RigError::NoSkin)?;
    stage(Stage::Place);
    let mut placed = place(template, skeleton, &roles, &|from, way| surface.hit(from, way))?;
    placed.warnings.splice(0..0, warnings);
    stage(Stage::Seat);
    let lacking: Vec<f32> =
        placed.muscles.par_iter_mut().map(|muscle| seat(skeleton, &surface, fat, muscle)).collect();
    leave_out(&mut placed, &lacking, fat + STANDS_OUT * character.height());
    stage(Stage::Conform);
    conform(skeleton, &mut placed.muscles, &placed.superficial, &surface, fat)?;
    stage(Stage::Weights);
    let weights = influence(character, wear, &placed.muscles)?;
    stage(Stage::Check);
    let inside = Inside::measure(skeleton, &placed.muscles, &surface)?;
    let Placed { muscles, groups, superficial, left_out, warnings } = placed;
    let musculature = Musculature { muscles, layers: vec![Layer::blend()], weights, ..Musculature::default() };
    Ok(Rigged { musculature, groups, superficial, left_out, inside, fat, warnings })
}

/// The body as templates know it: standing along +Y, facing +Z, its left at +X; without clips. Muscles hang on joints, so
/// what is found there holds for the body as it came.
fn upright(character: &Character, roles: &Roles) -> (Character, Roles, Vec<String>) {
    let mut upright = Character { clips: Vec::new(), ..character.clone() };
    let Some(facing) = Facing::find(&character.skeleton, roles) else {
        return (upright, roles.clone(), vec!["which way the body faces is not clear: +Z is taken for its front".into()]);
    };
    let turn = facing.canonical_from_model();
    for joint in &mut upright.skeleton.joints {
        joint.bind = Affine3A::from_quat(turn) * joint.bind;
    }
    for mesh in &mut upright.meshes {
        mesh.positions.iter_mut().chain(&mut mesh.normals).for_each(|v| *v = turn * *v);
    }
    let roles = if facing.mirrored { roles.mirrored() } else { roles.clone() };
    (upright, roles, facing.warnings)
}

/// Leave out the muscles that find no room under this skin, and say so.
fn leave_out(placed: &mut Placed, lacking: &[f32], most: f32) {
    let fits: Vec<bool> = lacking.iter().map(|lack| *lack <= most).collect();
    let names = placed.muscles.iter().zip(&fits).filter(|(_, fits)| !**fits).map(|(muscle, _)| muscle.name.as_str());
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    placed.warnings.push(format!("no room under the skin for {}: left out", names.join(", ")));
    let keep = |i: &mut usize| std::mem::replace(i, *i + 1);
    let (mut a, mut b, mut c) = (0, 0, 0);
    placed.muscles.retain(|_| fits[keep(&mut a)]);
    placed.groups.retain(|_| fits[keep(&mut b)]);
    placed.superficial.retain(|_| fits[keep(&mut c)]);
}
