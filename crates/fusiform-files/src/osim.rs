//! OpenSim's model files: bodies, joints, muscles and their paths, of versions 2 to 4.
//!
//! ```text
//! bytes --read--> Osim { model: what runs, warnings: what the file holds besides }
//! ```
//!
//! Files up to version 3 keep joints inside bodies and name bodies; version 4 has a set of joints between frames and names
//! components by paths. Both become the same [`Model`]. What a read model refers to is there: it can be run.

mod body;
mod custom;
mod force;
mod frame;
mod function;
mod joint;
mod path;
pub mod setup;
#[cfg(test)]
mod tests;
mod wrap;
mod xml;

use crate::FileError;
use frame::{Frames, PARENT_FRAME};
use fusiform_motion::model::{Coupling, Marker, Model};
use fusiform_motion::path::Paths;
use fusiform_motion::system::System;
use glam::DVec3;
use xml::{Element, Xml};

/// Documents before this have another shape altogether; OpenSim itself reads none older.
const OLDEST: u32 = 10_800;

/// What most things are mended by.
const SAVE_AGAIN: &str = "open the model in OpenSim, mend it there, and save it again";

/// A model as a file tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Osim {
    /// What runs.
    pub model: Model,
    /// The document's version: 30000 is OpenSim 3, 40000 is OpenSim 4.
    pub version: u32,
    /// What the file holds and is not read, each one sentence.
    pub warnings: Vec<String>,
}

/// Read an OpenSim model file.
///
/// # Errors
/// When the text is no OpenSim model, a value is none, or a name leads nowhere; the error names line and element.
pub fn read(bytes: &[u8]) -> Result<Osim, FileError> {
    let text = xml::text(bytes)?;
    let xml = Xml::parse(text)?;
    let document = xml.root();
    let version = version(&document)?;
    let model = document.child("Model").ok_or_else(|| {
        document.error("there is no <Model> in it").cure("give a model file: setups and results of OpenSim are others")
    })?;
    let mut warnings = Vec::new();
    let model = read_model(&model, &mut warnings)?;
    Ok(Osim { model, version, warnings })
}

fn version(document: &Element) -> Result<u32, FileError> {
    if document.kind() != "OpenSimDocument" {
        let error = document.error(format!("the file begins with <{}>, not with <OpenSimDocument>", document.kind()));
        return Err(error.cure("give an OpenSim model (.osim), or open this one in OpenSim and save it again"));
    }
    let written = document.attribute("Version");
    let version = written.and_then(|text| text.trim().parse().ok());
    let version = version.ok_or_else(|| {
        document.error("its Version is not a number").cure("write Version=\"40000\" for a file of OpenSim 4")
    })?;
    if version < OLDEST {
        let error = document.error(format!("version {version} is older than any that can be read"));
        return Err(error.cure("open it in OpenSim 2 or 3 and save it again"));
    }
    Ok(version)
}

fn read_model(element: &Element, warnings: &mut Vec<String>) -> Result<Model, FileError> {
    let frames = Frames::read(element)?;
    let mut model = Model {
        name: element.name().to_owned(),
        gravity: element.vector("gravity", DVec3::new(0.0, -9.806_65, 0.0))?,
        bodies: body::read(element)?,
        ..Model::default()
    };
    joint::read(element, &frames, &mut model, warnings)?;
    model.couplings = couplings(element, &model, warnings)?;
    model.markers = markers(element, &frames)?;
    model.wraps = wrap::read(element, &frames, warnings)?;
    model.muscles = force::read(element, &frames, &model, warnings)?;
    name_what_is_left_out(element, warnings);
    let wrong = |error: &dyn std::fmt::Display| element.error(error.to_string()).cure(SAVE_AGAIN);
    let system = System::new(&model).map_err(|error| wrong(&error))?;
    Paths::new(&model, &system).map_err(|error| wrong(&error))?;
    Ok(model)
}

/// Sets whose objects change nothing that is computed here.
const LEFT_OUT: [(&str, &str); 4] = [
    ("ContactGeometrySet", "contact geometries are"),
    ("ControllerSet", "controllers are"),
    ("ProbeSet", "probes are"),
    ("ComponentSet", "components beside bodies, joints and forces are"),
];

fn name_what_is_left_out(model: &Element, warnings: &mut Vec<String>) {
    let is_frame = |object: &Element| object.kind() == "PhysicalOffsetFrame";
    let mut say = |names: Vec<&str>, what: &str| {
        if !names.is_empty() {
            warnings.push(format!("{} {what} not read: {}.", names.len(), few(&names)));
        }
    };
    for (set, what) in LEFT_OUT {
        say(model.objects(set).filter(|object| !is_frame(object)).map(|object| object.name()).collect(), what);
    }
    let loose = model.child("components").into_iter().flat_map(Element::children);
    say(loose.filter(|object| !is_frame(object)).map(|object| object.name()).collect(), "loose components are");
    if let Some(unit) = model.text("length_units").filter(|unit| !unit.to_ascii_lowercase().starts_with("met")) {
        warnings.push(format!("Lengths are said to be in {unit:?}; they are read as metres, as OpenSim does."));
    }
}

/// The first few of many names.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let rest = names.len().saturating_sub(SHOWN);
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

fn couplings(element: &Element, model: &Model, warnings: &mut Vec<String>) -> Result<Vec<Coupling>, FileError> {
    let mut couplings = Vec::new();
    for constraint in element.objects("ConstraintSet") {
        let enforced = constraint.flag("isEnforced", true)? && !constraint.flag("isDisabled", false)?;
        if constraint.kind() != "CoordinateCouplerConstraint" {
            if enforced {
                let (kind, name) = (constraint.kind(), constraint.name());
                warnings.push(format!("The constraint {name:?} is a {kind}, which is not read: motions may break it."));
            }
            continue;
        }
        if !enforced {
            continue;
        }
        let named = |tag: &str| coordinate_named(&constraint, tag, model);
        let leaders = constraint.text("independent_coordinate_names").unwrap_or_default();
        if leaders.split_whitespace().count() != 1 {
            let error = constraint.error("it makes a coordinate follow several others, or none");
            return Err(error.cure("let it follow one coordinate"));
        }
        let of = constraint.child("coupled_coordinates_function");
        let of = of.and_then(|of| of.children().next());
        let of = of.ok_or_else(|| constraint.error("it has no <coupled_coordinates_function>").cure(SAVE_AGAIN))?;
        let function = function::scaled(function::read(&of, warnings)?, constraint.number("scale_factor", 1.0)?);
        let (dependent, independent) = (named("dependent_coordinate_name")?, named("independent_coordinate_names")?);
        couplings.push(Coupling { dependent, independent, function });
    }
    Ok(couplings)
}

/// The coordinate that an element names, by its name or by the path of a component.
fn coordinate_named(element: &Element, tag: &str, model: &Model) -> Result<String, FileError> {
    let written = element.text(tag).unwrap_or_default();
    let name = written.rsplit('/').next().unwrap_or_default();
    if model.coordinates.iter().any(|coordinate| coordinate.name == name) {
        return Ok(name.to_owned());
    }
    let error = element.error(format!("its <{tag}> is {written:?}, and no joint has such a coordinate"));
    Err(error.cure("name a coordinate of the model, or take the element out"))
}

fn markers(element: &Element, frames: &Frames) -> Result<Vec<Marker>, FileError> {
    let read = |marker: Element| {
        let frame = frames.of(&marker, &PARENT_FRAME)?;
        let location = frame.place.transform_point3(marker.vector("location", DVec3::ZERO)?);
        Ok(Marker { name: marker.name().to_owned(), body: frame.body.clone(), location })
    };
    element.objects("MarkerSet").filter(|object| object.kind() == "Marker").map(read).collect()
}
