//! Bodies: names, masses, inertias.

use super::xml::Element;
use crate::FileError;
use fusiform_motion::model::{Body, GROUND};
use glam::{DMat3, DVec3};

pub(super) fn read(model: &Element) -> Result<Vec<Body>, FileError> {
    let bodies = model.objects("BodySet").filter(|body| body.name() != GROUND);
    bodies.map(|body| one(&body)).collect()
}

fn one(element: &Element) -> Result<Body, FileError> {
    if element.name().is_empty() {
        return Err(element
            .error("it has no name")
            .cure("write <Body name=\"…\">: joints and muscles call it by that"));
    }
    Ok(Body {
        name: element.name().to_owned(),
        mass: element.number("mass", 0.0)?,
        center: element.vector("mass_center", DVec3::ZERO)?,
        inertia: inertia(element)?,
    })
}

/// Version 4 lists xx, yy, zz, xy, xz, yz; files before give each an element of its own.
fn inertia(element: &Element) -> Result<DMat3, FileError> {
    let [xx, yy, zz, xy, xz, yz] = match element.six("inertia")? {
        Some(six) => six,
        None => {
            let mut six = [0.0; 6];
            for (value, axes) in six.iter_mut().zip(["xx", "yy", "zz", "xy", "xz", "yz"]) {
                *value = element.number(&format!("inertia_{axes}"), 0.0)?;
            }
            six
        }
    };
    Ok(DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)))
}
