//! Surfaces that muscles run over, in the set of each body.

use super::frame::{Frames, placed};
use super::xml::Element;
use crate::FileError;
use fusiform_motion::model::{Side, Wrap, WrapShape};
use glam::DVec3;

pub(super) fn read(model: &Element, frames: &Frames, warnings: &mut Vec<String>) -> Result<Vec<Wrap>, FileError> {
    let mut wraps: Vec<Wrap> = Vec::new();
    for set in model.descendants().filter(|element| element.kind() == "WrapObjectSet") {
        let Some(owner) = set.ancestors().next() else { continue };
        for object in set.child("objects").into_iter().flat_map(Element::children) {
            let wrap = one(&object, &owner, frames)?;
            if wraps.iter().any(|other| other.name == wrap.name) {
                let name = &wrap.name;
                warnings.push(format!("Two wrap objects are called {name:?}; muscles run over the first."));
                continue;
            }
            wraps.push(wrap);
        }
    }
    Ok(wraps)
}

fn one(element: &Element, owner: &Element, frames: &Frames) -> Result<Wrap, FileError> {
    let on = frames.at(owner);
    let on = on.ok_or_else(|| {
        element.error("it lies in nothing that muscles could run over").cure("put its set into a body or frame")
    })?;
    Ok(Wrap {
        name: element.name().to_owned(),
        body: on.body.clone(),
        frame: on.place * placed(element, "translation", "xyz_body_rotation")?,
        shape: shape(element)?,
        side: side(element)?,
        active: element.flag("active", true)?,
    })
}

fn shape(element: &Element) -> Result<WrapShape, FileError> {
    let size = |tag: &str| match element.number(tag, 0.0)? {
        size if size > 0.0 => Ok(size),
        size => Err(element.error(format!("its <{tag}> is {size}")).cure("give it a size above zero")),
    };
    match element.kind() {
        "WrapCylinder" => Ok(WrapShape::Cylinder { radius: size("radius")?, length: size("length")? }),
        "WrapSphere" => Ok(WrapShape::Sphere { radius: size("radius")? }),
        "WrapTorus" => Ok(WrapShape::Torus { inner: size("inner_radius")?, outer: size("outer_radius")? }),
        "WrapEllipsoid" => match element.vector("dimensions", DVec3::ZERO)? {
            radii if radii.min_element() > 0.0 => Ok(WrapShape::Ellipsoid { radii }),
            _ => Err(element.error("its <dimensions> are not all above zero").cure("give it three radii")),
        },
        kind => {
            let error = element.error(format!("muscles cannot run over a {kind} here"));
            Err(error.cure("use WrapCylinder, WrapSphere, WrapEllipsoid or WrapTorus"))
        }
    }
}

fn side(element: &Element) -> Result<Option<Side>, FileError> {
    let written = element.text("quadrant").unwrap_or("all").to_ascii_lowercase();
    if written == "all" || written == "unassigned" {
        return Ok(None);
    }
    let (sign, axis) = match written.strip_prefix('-') {
        Some(axis) => (-1.0, axis),
        None => (1.0, written.strip_prefix('+').unwrap_or(&written)),
    };
    match ["x", "y", "z"].iter().position(|name| *name == axis) {
        Some(axis) => Ok(Some(Side { axis, sign })),
        None => {
            let error = element.error(format!("its <quadrant> is {written:?}"));
            Err(error.cure("write all, x, -x, y, -y, z or -z"))
        }
    }
}
