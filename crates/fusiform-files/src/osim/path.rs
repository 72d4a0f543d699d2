//! The path of a muscle: its points, and the surfaces it runs over.

use super::frame::{Frames, PARENT_FRAME};
use super::xml::Element;
use super::{SAVE_AGAIN, coordinate_named, function};
use crate::FileError;
use fusiform_motion::function::Function;
use fusiform_motion::model::{Model, PathPoint, PathWrap, Place, WrapMethod};
use glam::{DAffine3, DVec3};

/// The element that describes it.
pub(super) fn element<'a>(force: &Element<'a>) -> Option<Element<'a>> {
    let within = force.child("path").and_then(|path| path.child("GeometryPath"));
    force.child("GeometryPath").or(within)
}

pub(super) fn read(
    geometry: &Element,
    frames: &Frames,
    model: &Model,
    warnings: &mut Vec<String>,
) -> Result<(Vec<PathPoint>, Vec<PathWrap>), FileError> {
    let listed = geometry.objects("PathPointSet").chain(geometry.objects("MusclePointSet"));
    let points: Vec<PathPoint> =
        listed.map(|element| point(&element, frames, model, warnings)).collect::<Result<_, _>>()?;
    let listed = geometry.objects("PathWrapSet").chain(geometry.objects("MuscleWrapSet"));
    let wraps = listed.map(|element| wrap(&element, points.len(), model)).collect::<Result<_, _>>()?;
    if points.len() < 2 {
        return Err(geometry.error("it has fewer than two points").cure("give it an origin and an insertion"));
    }
    Ok((points, wraps))
}

fn point(
    element: &Element,
    frames: &Frames,
    model: &Model,
    warnings: &mut Vec<String>,
) -> Result<PathPoint, FileError> {
    let frame = frames.of(element, &PARENT_FRAME)?;
    let location = |default| Ok(frame.place.transform_point3(element.vector("location", default)?));
    let place = match element.kind() {
        "PathPoint" | "MusclePoint" => Place::Fixed(location(DVec3::ZERO)?),
        "ConditionalPathPoint" | "MuscleViaPoint" => Place::Conditional {
            location: location(DVec3::ZERO)?,
            coordinate: coordinate_named(element, tag(element, "socket_coordinate", "coordinate"), model)?,
            range: element.pair("range")?.ok_or_else(|| {
                element.error("it has no <range>: nothing says when it counts").cure("write two numbers there")
            })?,
        },
        "MovingPathPoint" | "MovingMusclePoint" => moving(element, &frame.place, model, warnings)?,
        kind => {
            let error = element.error(format!("a path cannot have a {kind} here"));
            return Err(error.cure("use PathPoint, ConditionalPathPoint or MovingPathPoint"));
        }
    };
    Ok(PathPoint { name: element.name().to_owned(), body: frame.body.clone(), place })
}

/// The tag that version 4 uses, or the one before.
fn tag<'t>(element: &Element, new: &'t str, old: &'t str) -> &'t str {
    if element.child(new).is_some() { new } else { old }
}

fn moving(element: &Element, place: &DAffine3, model: &Model, warnings: &mut Vec<String>) -> Result<Place, FileError> {
    if !place.abs_diff_eq(DAffine3::IDENTITY, 1e-9) {
        let error = element.error("it moves along the axes of a frame that is not its body's");
        return Err(error.cure("name the body itself as its parent"));
    }
    let mut axis = |socket: &str, old: &str, location: &str| -> Result<(Option<String>, Function), FileError> {
        let function = element.child(location).and_then(|of| of.children().next());
        let function = function.map(|of| function::read(&of, warnings)).transpose()?;
        let function = function.unwrap_or(Function::Constant(0.0));
        if matches!(function, Function::Constant(_)) {
            return Ok((None, function));
        }
        Ok((Some(coordinate_named(element, tag(element, socket, old), model)?), function))
    };
    Ok(Place::Moving([
        axis("socket_x_coordinate", "x_coordinate", "x_location")?,
        axis("socket_y_coordinate", "y_coordinate", "y_location")?,
        axis("socket_z_coordinate", "z_coordinate", "z_location")?,
    ]))
}

fn wrap(element: &Element, n_point: usize, model: &Model) -> Result<PathWrap, FileError> {
    let written = element.text("wrap_object").unwrap_or_default();
    let name = written.rsplit('/').next().unwrap_or_default();
    if model.wraps.iter().all(|wrap| wrap.name != name) {
        let error = element.error(format!("the path runs over {written:?}, and no body has such a wrap object"));
        return Err(error.cure("name a wrap object of the model, or take the PathWrap out"));
    }
    let method = match element.text("method").unwrap_or("hybrid").to_ascii_lowercase().as_str() {
        "midpoint" => WrapMethod::Midpoint,
        "axial" => WrapMethod::Axial,
        "hybrid" | "unassigned" => WrapMethod::Hybrid,
        other => {
            let error = element.error(format!("its <method> is {other:?}"));
            return Err(error.cure("write hybrid, midpoint or axial"));
        }
    };
    Ok(PathWrap { wrap: name.to_owned(), range: range(element, n_point)?, method })
}

/// Files count points from 1; what is less is the first, or the last.
fn range(element: &Element, n_point: usize) -> Result<[Option<usize>; 2], FileError> {
    let range = element.pair("range")?.unwrap_or([-1.0; 2]);
    let index = |number: f64| (number >= 1.0).then(|| number as usize - 1);
    let [first, last] = range.map(index);
    if last.unwrap_or(n_point.saturating_sub(1)) >= n_point || first.unwrap_or(0) > last.unwrap_or(n_point) {
        let error = element.error(format!("its <range> names points that the path of {n_point} does not have"));
        return Err(error.cure(SAVE_AGAIN));
    }
    Ok([first, last])
}
