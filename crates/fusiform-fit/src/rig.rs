//! Rigging: from a skinned character to its muscles.
//!
//! ```text
//! meshes ─> surface ─> place ─> seat ─> conform ─> weights ─> check
//! ```

use crate::dress::Wear;
use crate::even::even;
use crate::middle;
use crate::mirror::mirror;
use crate::preset::{Preset, ease, presume, take_in_sculpts};
use crate::seat::seat;
use crate::{
    Facing, FitError, Inside, LeftOut, Placed, Roles, Surface, Template, TemplateError, Toward, Under, bone_capsules,
    conform, drivers, gather_sheets, influence, place, place_bones,
};
use fusiform::body::BindError;
use fusiform::{Character, Musculature};
use glam::Affine3A;
use rayon::prelude::*;

/// Thickness of skin and fat over a superficial muscle, as a share of the height: 4 mm on a lean adult.
pub const FAT: f32 = 0.0024;

/// A muscle whose line cannot be brought below the skin stands out of it; beyond this share of the height it is left out.
pub(crate) const STANDS_OUT: f32 = 0.0005;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A tree over the body's triangles.
    Surface,
    /// Which bone each point of the skin belongs to; for pairs.
    Regions,
    /// The muscles, on their bones.
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
    pub const ALL: [Self; 7] =
        [Self::Surface, Self::Regions, Self::Place, Self::Seat, Self::Conform, Self::Weights, Self::Check];

    /// As reports write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Regions => "regions",
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
    /// Which way each muscle grows toward the skin.
    pub toward: Vec<Toward>,
    /// Muscles whose bones this skeleton lacks.
    pub left_out: Vec<LeftOut>,
    /// How the bellies lie in the skin.
    pub inside: Inside,
    /// Thickness of the fat, metres.
    pub fat: f32,
    /// What had to be guessed.
    pub warnings: Vec<String>,
}

/// Nobody wants the muscles any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was stopped before it was done; start it again")]
pub struct Stopped;

/// Why a character cannot be rigged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// No triangle of the body.
    #[error("the body has no triangle; export it with its faces, or name another mesh as the body")]
    NoSkin,
    /// No bone that a pair could lie on.
    #[error(
        "no bone between two joints carries flesh enough for a muscle; check that the skin has joint weights, or name its mesh with --body"
    )]
    NoFlesh,
    /// Two places that are one.
    #[error("origin and insertion are at the same place; choose two that are apart")]
    NoSpan,
    /// What was measured cannot be used as a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Placing failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// Whoever heard of a stage wanted no more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A muscle or the skeleton is not sound.
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// Give the character the template's muscles, conformed to its own skin.
///
/// `wear` says what each mesh is, `preset` whose muscles they are, `fat` how thick the fat is, metres; `stage` hears what is
/// done next, and says whether to go on. The body may stand, lie and face as it likes.
///
/// # Errors
/// When there is no skin, roles do not belong to the skeleton, or a bind matrix is singular; when it was stopped.
pub fn rig(
    character: &Character,
    wear: &[Wear],
    roles: &Roles,
    template: &Template,
    preset: Preset,
    fat: f32,
    mut stage: impl FnMut(Stage) -> Result<(), Stopped>,
) -> Result<Rigged, RigError> {
    stage(Stage::Surface)?;
    let (character, roles, warnings) = upright(character, roles);
    let (character, skeleton) = (&character, &character.skeleton);
    let body = character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body);
    let surface = Surface::of_parts(body.map(|(mesh, _)| mesh)).ok_or(RigError::NoSkin)?;
    stage(Stage::Place)?;
    let mut placed = place(template, skeleton, &roles, &|from, way| surface.hit(from, way))?;
    placed.warnings.splice(0..0, warnings);
    stage(Stage::Seat)?;
    let seat_all = |placed: &mut Placed, draw: bool| -> Vec<f32> {
        let muscles = placed.muscles.par_iter_mut().zip(&placed.drawn);
        muscles.map(|(muscle, &drawn)| seat(skeleton, &surface, fat, drawn && draw, muscle)).collect()
    };
    seat_all(&mut placed, true);
    mirror(skeleton, character.height(), &mut placed.muscles);
    // twins that were brought together may have come too near the skin again
    let lacking = seat_all(&mut placed, false);
    leave_out(&mut placed, &lacking, fat + STANDS_OUT * character.height());
    stage(Stage::Conform)?;
    if preset.has_sheets() {
        gather_sheets(template, skeleton, &mut placed);
    }
    placed.muscles.iter_mut().for_each(|muscle| preset.turn_dials(skeleton, muscle));
    preset.listen(template, &mut placed.muscles);
    let toward: Vec<Toward> =
        placed.superficial.iter().map(|&top| if top { Toward::Outward } else { Toward::Deep }).collect();
    conform(skeleton, &mut placed.muscles, &toward, &surface, fat)?;
    if preset.takes_in_sculpts() {
        take_in_sculpts(skeleton, &mut placed.muscles)?;
        conform(skeleton, &mut placed.muscles, &toward, &surface, fat)?;
    }
    let under = Under { hit: &|from, way| surface.hit(from, way), depth: &|point| surface.depth(point), fat };
    let (bones, no_joint) = place_bones(template, skeleton, &roles, under);
    if !no_joint.is_empty() {
        let names: Vec<&str> = no_joint.iter().map(|bone| bone.muscle.as_str()).collect();
        placed.warnings.push(format!("no joint carries the bones {}: left out", names.join(", ")));
    }
    let (drivers, unheard) = drivers(&template.drivers, skeleton, &roles, &placed.muscles);
    placed.warnings.extend(unheard);
    let mut rigged = finish(character, wear, preset, fat, &surface, placed, toward, stage)?;
    rigged.musculature.activation.drivers = drivers;
    rigged.musculature.bones.retain(|bone| bones.iter().all(|placed| placed.name != bone.name));
    rigged.musculature.bones.extend(bones);
    if preset == Preset::Pratscher {
        ease(&mut rigged.musculature, skeleton, &roles);
    }
    Ok(rigged)
}

/// What any way of rigging ends with: bellies that swell but once, which skin the muscles move, and how they lie in it.
#[expect(clippy::too_many_arguments, reason = "all that was found on the way")]
pub(crate) fn finish(
    character: &Character,
    wear: &[Wear],
    preset: Preset,
    fat: f32,
    surface: &Surface,
    mut placed: Placed,
    toward: Vec<Toward>,
    mut stage: impl FnMut(Stage) -> Result<(), Stopped>,
) -> Result<Rigged, RigError> {
    even(&character.skeleton, &mut placed.muscles)?;
    presume(&character.skeleton, &mut placed.muscles)?;
    stage(Stage::Weights)?;
    let weights = influence(character, wear, &placed.muscles)?;
    stage(Stage::Check)?;
    let inside = Inside::measure(&character.skeleton, &placed.muscles, surface)?;
    let Placed { muscles, groups, left_out, warnings, .. } = placed;
    // skin that no muscle lies under hangs on the bones alone
    let bones = if preset.has_tissue() { bone_capsules(character) } else { Vec::new() };
    let musculature = Musculature { muscles, bones, layers: preset.layers(), weights, ..Musculature::default() };
    Ok(Rigged { musculature, groups, toward, left_out, inside, fat, warnings })
}

/// The body as templates know it: standing along +Y, facing +Z, its left at +X, its middle plane at x = 0; without clips.
/// Muscles hang on joints, so what is found there holds for the body as it came.
pub(crate) fn upright(character: &Character, roles: &Roles) -> (Character, Roles, Vec<String>) {
    let mut upright = Character { clips: Vec::new(), ..character.clone() };
    let (roles, warnings) = match Facing::find(&character.skeleton, roles) {
        None => (roles.clone(), vec!["which way the body faces is not clear: +Z is taken for its front".into()]),
        Some(facing) => {
            let turn = facing.canonical_from_model();
            for joint in &mut upright.skeleton.joints {
                joint.bind = Affine3A::from_quat(turn) * joint.bind;
            }
            for mesh in &mut upright.meshes {
                mesh.positions.iter_mut().chain(&mut mesh.normals).for_each(|v| *v = turn * *v);
            }
            (if facing.mirrored { roles.mirrored() } else { roles.clone() }, facing.warnings)
        }
    };
    if let Some(x) = middle::of_joints(&upright.skeleton, &roles) {
        middle::to_zero(&mut upright, x);
    }
    (upright, roles, warnings)
}

/// Leave out the muscles that find no room under this skin, and say so.
pub(crate) fn leave_out(placed: &mut Placed, lacking: &[f32], most: f32) {
    let fits: Vec<bool> = lacking.iter().map(|lack| *lack <= most).collect();
    let names = placed.muscles.iter().zip(&fits).filter(|(_, fits)| !**fits).map(|(muscle, _)| muscle.name.as_str());
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    placed.warnings.push(format!("no room under the skin for {}: left out", names.join(", ")));
    placed.keep(&fits);
}
