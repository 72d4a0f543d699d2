//! Register: the muscles of a laboratory's model in a character, part by part.
//!
//! ```text
//! model at its default ─> path points, surfaces as points ─> frames of parts ─> joint spaces of the character
//!                                                   skin ─> drawn inside ─> bellies ─> conform ─> weights
//! V = F / σ · l₀        l_belly ≥ l₀, and no stouter than fibres that lie aslant would make it
//! ```
//!
//! A part of the model (a thigh) and the same part of the character each have a frame: where it begins, the way to the next
//! joint, and the way it faces. Points are carried from one to the other, scaled by the length of the part, so postures and
//! proportions may differ. Where tendons end the model does not say: of what the belly leaves, a third is at the origin.

mod flesh;
mod frames;

use crate::drive::SPECIFIC_TENSION;
use crate::laboratory::listed;
use crate::parts::Parts;
use flesh::{Corner, Flesh};
use frames::Frames;
use fusiform::{BindError, Character, Muscle, SparseWeights};
use fusiform_fit::{Preset, Roles, Side, Surface, Toward, Wear, conform, influence};
use fusiform_motion::model::{GROUND, Model};
use fusiform_motion::path::{PathState, Paths};
use fusiform_motion::system::{ModelError, Posture, System};

/// What names begin with, so that they never are those of a template's muscles.
pub const PREFIX: &str = "osim_";
/// m: steps along a surface.
const STEP: f64 = 0.02;
/// m: places nearer than this are one.
const ONE_PLACE: f32 = 1e-3;

/// A model's muscles in a character.
#[derive(Clone, Debug, Default)]
pub struct Registered {
    /// In the model's order; names are the model's after `osim_`, with `.l` and `.r` for sides.
    pub muscles: Vec<Muscle>,
    /// N, n_muscle: the model's own.
    pub strengths: Vec<f64>,
    /// m, n_muscle: how long the model's paths would be here, each as much longer as its parts are.
    pub lengths: Vec<f64>,
    /// Which skin they move, one for each mesh.
    pub weights: Vec<SparseWeights>,
    /// Muscles whose bodies have no joint here.
    pub left_out: Vec<String>,
    /// What was left out, moved or guessed.
    pub warnings: Vec<String>,
}

/// Why a model's muscles find no place in a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The model does not run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Nothing to register.
    #[error("the model has no muscles; choose one that has")]
    NoMuscles,
    /// No skin to lie in.
    #[error("the body has no triangle; export it with its faces, or name another mesh as the body")]
    NoSkin,
    /// Nobody knows which way it faces.
    #[error("which way the character faces is not clear; name its hips, thighs and head")]
    NoFacing,
    /// Nothing in common.
    #[error(
        "no muscle runs between parts that both have: the model's bodies are {bodies}, the character's roles {roles}"
    )]
    NothingInCommon {
        /// Of the model.
        bodies: String,
        /// Of the character.
        roles: String,
    },
    /// A muscle that is not sound.
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// Put a model's muscles into a character: `wear` says what each mesh is, `roles` which joint is which, `preset` what
/// muscles are made of, `fat` how thick skin and fat are over them, metres.
///
/// # Errors
/// When the model does not run or has no muscle with a place here, or the character has no skin.
pub fn register(
    model: &Model,
    character: &Character,
    wear: &[Wear],
    roles: &Roles,
    preset: Preset,
    fat: f32,
) -> Result<Registered, RegisterError> {
    let system = System::new(model)?;
    if model.muscles.is_empty() {
        return Err(RegisterError::NoMuscles);
    }
    let paths = Paths::new(model, &system)?;
    let (mut posture, mut state) = (Posture::default(), PathState::default());
    system.pose(&system.default, &mut posture);
    paths.pull(&system, &posture, &mut state);
    let parts = Parts::of(model, &system);
    let body = character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body).map(|(mesh, _)| mesh);
    let surface = Surface::of_parts(body).ok_or(RegisterError::NoSkin)?;
    let frames = Frames::new(&parts, &posture, &character.skeleton, roles).ok_or(RegisterError::NoFacing)?;
    let flesh = Flesh { skeleton: &character.skeleton, surface: &surface, preset, fat };

    let mut registered = Registered::default();
    let (mut line, mut drawn, mut lacking) = (Vec::new(), 0, Vec::new());
    for (m, muscle) in model.muscles.iter().enumerate() {
        line.clear();
        state.carried_line(m, STEP, &mut line);
        let carried: Option<Vec<Corner>> = line.iter().map(|&(body, place)| frames.carry(body, place)).collect();
        let Some(mut corners) = carried else {
            lacking.extend(line.iter().filter(|(body, _)| !frames.knows(*body)).map(|(body, _)| *body));
            registered.left_out.push(muscle.name.clone());
            continue;
        };
        corners.dedup_by(|a, b| a.place.distance(b.place) < ONE_PLACE);
        let scale = flesh::length(&corners) / state.length[m].max(1e-9) as f32;
        registered.lengths.push(f64::from(flesh::length(&corners)));
        drawn += flesh.draw_inside(&mut corners);
        let volume = muscle.max_force / SPECIFIC_TENSION * muscle.optimal_length * f64::from(scale);
        let fibre = muscle.optimal_length as f32 * scale;
        let name = name(&muscle.name, frames.side(line[line.len() - 1].0));
        registered.muscles.push(flesh.muscle(name, corners, fibre, volume as f32));
        registered.strengths.push(muscle.max_force);
    }
    if registered.muscles.is_empty() {
        let roles = roles.iter().map(|(role, side, _)| format!("{role}{}", side.map_or("", Side::suffix)));
        return Err(RegisterError::NothingInCommon {
            bodies: listed(system.names.iter().skip(1)),
            roles: listed(roles),
        });
    }
    if !registered.left_out.is_empty() {
        lacking.sort_unstable();
        lacking.dedup();
        let bodies = listed(lacking.iter().map(|&body| if body == 0 { GROUND } else { system.names[body].as_str() }));
        let muscles = registered.left_out.join(", ");
        registered.warnings.push(format!("no joint here for {bodies}: left out {muscles}"));
    }
    if drawn > 0 {
        registered.warnings.push(format!("{drawn} points of paths stood out of the skin: drawn inside"));
    }
    let deep = vec![Toward::Deep; registered.muscles.len()];
    conform(&character.skeleton, &mut registered.muscles, &deep, &surface, fat)?;
    registered.weights = influence(character, wear, &registered.muscles)?;
    Ok(registered)
}

/// `glut_med1_r` is `osim_glut_med1.r`; one without a side of its own has that of the limb it pulls.
fn name(name: &str, limb: Option<Side>) -> String {
    let own = [("_r", Side::Right), ("_l", Side::Left), (".r", Side::Right), (".l", Side::Left)];
    let own = own.into_iter().find_map(|(suffix, side)| Some((name.strip_suffix(suffix)?, Some(side))));
    let (stem, side) = own.unwrap_or((name, limb));
    format!("{PREFIX}{stem}{}", side.map_or("", Side::suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_side_of_the_muscle_or_of_its_limb() {
        assert_eq!(name("glut_med1_r", Some(Side::Right)), "osim_glut_med1.r");
        assert_eq!(name("ercspn_l", None), "osim_ercspn.l");
        assert_eq!(name("BIClong", Some(Side::Right)), "osim_BIClong.r");
        assert_eq!(name("rect_abd", None), "osim_rect_abd");
    }
}
