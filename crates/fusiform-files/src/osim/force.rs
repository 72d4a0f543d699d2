//! Muscles, of whatever class: how strong they are, and (in [`super::path`]) where they run.

use super::frame::Frames;
use super::xml::Element;
use super::{few, path};
use crate::FileError;
use fusiform_motion::model::{Model, Muscle};
use std::collections::BTreeMap;

/// Read all muscles; other forces are named.
pub(super) fn read(
    element: &Element,
    frames: &Frames,
    model: &Model,
    warnings: &mut Vec<String>,
) -> Result<Vec<Muscle>, FileError> {
    let mut muscles = Vec::new();
    let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for force in element.objects("ForceSet") {
        if !is_muscle(&force) {
            others.entry(force.kind()).or_default().push(force.name());
        } else if !force.flag("appliesForce", true)? || force.flag("isDisabled", false)? {
            warnings.push(format!("The muscle {:?} applies no force in the file and is left out.", force.name()));
        } else if let Some(geometry) = path::element(&force) {
            muscles.push(one(&force, &geometry, frames, model, warnings)?);
        } else {
            warnings.push(format!("The muscle {:?} has no GeometryPath and is left out.", force.name()));
        }
    }
    for (kind, names) in others {
        warnings.push(format!("{} forces of kind {kind} are not read: {}.", names.len(), few(&names)));
    }
    Ok(muscles)
}

fn is_muscle(force: &Element) -> bool {
    force.kind().contains("Muscle") || force.child("max_isometric_force").is_some()
}

fn one(
    force: &Element,
    geometry: &Element,
    frames: &Frames,
    model: &Model,
    warnings: &mut Vec<String>,
) -> Result<Muscle, FileError> {
    let (points, wraps) = path::read(geometry, frames, model, warnings)?;
    // OpenSim's own values, where a file leaves them out
    let max_force = force.number("max_isometric_force", 1000.0)?;
    let optimal_length = force.number("optimal_fiber_length", 0.1)?;
    let tendon_length = force.number("tendon_slack_length", 0.2)?;
    let pennation = match force.text("pennation_angle_at_optimal") {
        Some(_) => force.number("pennation_angle_at_optimal", 0.0)?,
        None => force.number("pennation_angle", 0.0)?,
    };
    if max_force < 0.0 || optimal_length <= 0.0 || tendon_length < 0.0 {
        let error = force.error("its greatest force or one of its lengths is not above zero");
        return Err(error.cure("give it a force, a fibre length and a tendon length above zero"));
    }
    let name = force.name().to_owned();
    Ok(Muscle { name, path: points, wraps, max_force, optimal_length, tendon_length, pennation })
}
