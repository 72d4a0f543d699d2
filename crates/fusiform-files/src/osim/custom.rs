//! `CustomJoint`: three rotations and three translations, each along an axis of its own and a function of a coordinate.

use super::function;
use super::xml::Element;
use crate::FileError;
use fusiform_motion::function::Function;
use fusiform_motion::model::Axis;
use glam::DVec3;

/// Rotations and translations.
pub(super) fn axes(
    joint: &Element,
    coordinates: &[Element],
    warnings: &mut Vec<String>,
) -> Result<(Vec<Axis>, Vec<Axis>), FileError> {
    let (mut rotations, mut translations) = (Vec::new(), Vec::new());
    let listed = joint.child("SpatialTransform").into_iter().flat_map(Element::children);
    for (i, element) in listed.filter(|child| child.kind() == "TransformAxis").enumerate() {
        let axis = one(&element, i, coordinates, warnings)?;
        let shifts = element.name().starts_with("translation") || (element.name().is_empty() && i >= 3);
        if shifts { translations.push(axis) } else { rotations.push(axis) }
    }
    Ok((rotations, translations))
}

fn one(element: &Element, i: usize, coordinates: &[Element], warnings: &mut Vec<String>) -> Result<Axis, FileError> {
    let names: Vec<&str> = element.text("coordinates").unwrap_or_default().split_whitespace().collect();
    if let Some(unknown) = names.iter().find(|name| coordinates.iter().all(|c| c.name() != **name)) {
        let error = element.error(format!("it depends on {unknown:?}, which is no coordinate of its joint"));
        return Err(error.cure("name one of the joint's coordinates"));
    }
    if names.len() > 1 {
        let error = element.error("it depends on several coordinates at once");
        return Err(error.cure("let each axis depend on one coordinate"));
    }
    let axis = element.vector("axis", [DVec3::X, DVec3::Y, DVec3::Z][i % 3])?;
    if axis.try_normalize().is_none() {
        return Err(element.error("its <axis> has no direction").cure("write an axis of length 1, as in 0 0 1"));
    }
    // the function itself, or one within <function>
    let within = element.child("function").and_then(|of| of.children().next());
    let function = match element.children().find(function::is_one).or(within) {
        Some(of) => function::read(&of, warnings)?,
        None if names.is_empty() => Function::Constant(0.0),
        None => Function::IDENTITY,
    };
    Ok(Axis { axis, coordinate: names.first().map(|name| (*name).to_owned()), function })
}
