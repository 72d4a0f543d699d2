//! Joints and their coordinates: every kind becomes rotations and translations along axes.

use super::SAVE_AGAIN;
use super::custom;
use super::frame::{Frame, Frames, placed};
use super::xml::Element;
use crate::FileError;
use fusiform_motion::function::Function;
use fusiform_motion::model::{Axis, Coordinate, Joint, Model};
use glam::DVec3;

/// Read all joints, and their coordinates, into a model.
pub(super) fn read(
    model: &Element,
    frames: &Frames,
    into: &mut Model,
    warnings: &mut Vec<String>,
) -> Result<(), FileError> {
    for joint in model.objects("JointSet") {
        let parent = frames.of(&joint, &["socket_parent_frame", "socket_parent_frame_connectee_name"])?.clone();
        let child = frames.of(&joint, &["socket_child_frame", "socket_child_frame_connectee_name"])?.clone();
        one(&joint, [parent, child], into, warnings)?;
    }
    for body in model.objects("BodySet") {
        let Some(joint) = body.child("Joint").and_then(|joint| joint.children().next()) else { continue };
        if joint.flag("reverse", false)? {
            let error = joint.error("it is reversed: the child stands where the parent should");
            return Err(error.cure("save the model with OpenSim 4, which turns such joints around"));
        }
        let on = frames.of(&joint, &["parent_body"])?;
        let place = on.place * placed(&joint, "location_in_parent", "orientation_in_parent")?;
        let parent = Frame { body: on.body.clone(), place };
        let child = Frame { body: body.name().to_owned(), place: placed(&joint, "location", "orientation")? };
        one(&joint, [parent, child], into, warnings)?;
    }
    Ok(())
}

/// What moves along with coordinates: how many, and the axes they turn about or shift along, in order.
struct Kind {
    turns: &'static [(usize, DVec3)],
    shifts: &'static [(usize, DVec3)],
}

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// What each of OpenSim's simple joints does; its balls turn about x, y and z, too.
fn kind(name: &str) -> Option<Kind> {
    let kind = |turns, shifts| Some(Kind { turns, shifts });
    match name {
        "WeldJoint" => kind(&[], &[]),
        "PinJoint" => kind(&[(0, Z)], &[]),
        "SliderJoint" => kind(&[], &[(0, X)]),
        "UniversalJoint" => kind(&[(0, X), (1, Y)], &[]),
        "BallJoint" | "GimbalJoint" => kind(&[(0, X), (1, Y), (2, Z)], &[]),
        "PlanarJoint" => kind(&[(0, Z)], &[(1, X), (2, Y)]),
        "FreeJoint" => kind(&[(0, X), (1, Y), (2, Z)], &[(3, X), (4, Y), (5, Z)]),
        _ => None,
    }
}

fn one(
    element: &Element,
    [parent, child]: [Frame; 2],
    into: &mut Model,
    warnings: &mut Vec<String>,
) -> Result<(), FileError> {
    let listed: Vec<Element> = coordinates_of(element).collect();
    let mut joint = Joint {
        name: element.name().to_owned(),
        parent: parent.body,
        child: child.body,
        frames: [parent.place, child.place],
        ..Joint::default()
    };
    if element.kind() == "CustomJoint" {
        (joint.rotations, joint.translations) = custom::axes(element, &listed, warnings)?;
        for coordinate in &listed {
            let turns = |axis: &Axis| axis.coordinate.as_deref() == Some(coordinate.name());
            let is_angle = joint.rotations.iter().any(turns);
            into.coordinates.push(read_coordinate(coordinate, is_angle, warnings)?);
        }
    } else {
        let Some(kind) = kind(element.kind()) else {
            let known = "make it a CustomJoint, or one of Weld, Pin, Slider, Universal, Ball, Gimbal, Planar, Free";
            return Err(element.error(format!("a {} cannot be read", element.kind())).cure(known));
        };
        let own = simple_coordinates(element, &kind, &listed, warnings)?;
        let axis = |(of, axis): &(usize, DVec3)| Axis {
            axis: *axis,
            coordinate: Some(own[*of].name.clone()),
            function: Function::IDENTITY,
        };
        joint.rotations = kind.turns.iter().map(axis).collect();
        joint.translations = kind.shifts.iter().map(axis).collect();
        into.coordinates.extend(own);
    }
    into.joints.push(joint);
    Ok(())
}

/// As many as the kind has; those that are not listed get the names that OpenSim gives them.
fn simple_coordinates(
    joint: &Element,
    kind: &Kind,
    listed: &[Element],
    warnings: &mut Vec<String>,
) -> Result<Vec<Coordinate>, FileError> {
    let n = kind.turns.len() + kind.shifts.len();
    if listed.len() > n {
        let error = joint.error(format!("a {} has {n} coordinates, and {} are listed", joint.kind(), listed.len()));
        return Err(error.cure(SAVE_AGAIN));
    }
    let one = |i: usize| {
        let is_angle = kind.turns.iter().any(|(of, _)| *of == i);
        match listed.get(i) {
            Some(coordinate) => read_coordinate(coordinate, is_angle, warnings),
            None => Ok(named(format!("{}_coord_{i}", joint.name()), is_angle)),
        }
    };
    (0..n).map(one).collect()
}

/// Version 4 lists them in `<coordinates>`, files before in a set.
fn coordinates_of<'a>(joint: &Element<'a>) -> impl Iterator<Item = Element<'a>> {
    let listed = joint.child("coordinates").into_iter().flat_map(Element::children);
    listed.chain(joint.objects("CoordinateSet")).filter(|child| child.kind() == "Coordinate")
}

/// A coordinate that the file does not describe.
fn named(name: String, is_angle: bool) -> Coordinate {
    Coordinate { name, is_angle, default: 0.0, range: UNBOUNDED, locked: false, clamped: false }
}

const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

fn read_coordinate(element: &Element, is_angle: bool, warnings: &mut Vec<String>) -> Result<Coordinate, FileError> {
    if element.name().is_empty() {
        return Err(element.error("it has no name").cure("write <Coordinate name=\"…\">"));
    }
    if element.flag("prescribed", false)? {
        let name = element.name();
        warnings.push(format!("The coordinate {name:?} is prescribed by a function of time, which is not read."));
    }
    let is_angle = match element.text("motion_type") {
        Some("rotational") => true,
        Some("translational") => false,
        _ => is_angle,
    };
    let range = element.pair("range")?.unwrap_or(UNBOUNDED);
    if range[0] > range[1] {
        return Err(element.error("its <range> ends before it begins").cure("write the lesser number first"));
    }
    Ok(Coordinate {
        default: element.number("default_value", 0.0)?,
        range,
        locked: element.flag("locked", false)?,
        clamped: element.flag("clamped", false)?,
        ..named(element.name().to_owned(), is_angle)
    })
}
