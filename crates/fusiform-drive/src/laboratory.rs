//! Laboratory: a measured person's motion as a skeleton and a clip that any character can follow.
//!
//! ```text
//! markers ─> markers_to_coordinates ─> coordinates over time ─> laboratory ─> skeleton, roles, clip ─> fusiform_fit::retarget
//! ```
//!
//! One joint for every body of the model, where the body hangs on the one before; the rest pose is the model's default one. A
//! foot of several bodies is one part: its last body turns it, and stands where the first does, at the ankle.

use crate::parts::Parts;
use fusiform::character::{Channel, Interpolation, Keys, Track};
use fusiform::{Clip, Joint, Skeleton, Transform};
use fusiform_fit::Roles;
use fusiform_motion::model::Model;
use fusiform_motion::system::{ModelError, Posture, System};
use fusiform_motion::table::Table;
use glam::{DAffine3, DMat3, DQuat, Quat, Vec3};

/// m: a joint that wanders less on the one before stays where it is.
const STAYS: f32 = 1e-5;
/// How many names a message lists.
const NAMED: usize = 12;

/// A measured person: y is up, metres, facing as the model does.
#[derive(Clone, Debug, PartialEq)]
pub struct Laboratory {
    /// One joint for every body of the model.
    pub skeleton: Skeleton,
    /// Which of them is which part of the body.
    pub roles: Roles,
    /// How they move, from time 0 on.
    pub clip: Clip,
    /// s: the measurement's time at the clip's beginning.
    pub start: f64,
    /// kg, of the model.
    pub mass: f64,
    /// What was guessed.
    pub warnings: Vec<String>,
}

/// Why a measurement cannot be put on a skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaboratoryError {
    /// The model does not run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No row, or no column that the model knows.
    #[error(
        "its columns are {columns}, and none of them is a coordinate of the model; name columns after {coordinates}"
    )]
    NoCoordinate {
        /// Those of the model.
        coordinates: String,
        /// Those of the table.
        columns: String,
    },
    /// No body that is a part of a person.
    #[error("none of the model's bodies ({0}) has a name that tells which part of a person it is; name them as bones")]
    NoPart(String),
    /// Nothing goes on.
    #[error("it has a single moment, at {0} s, and no motion; choose a recording that lasts")]
    NoTime(f64),
    /// A number that is none.
    #[error("the motion has no usable number for {column:?} at {seconds} s; fill the gap or cut it off")]
    NotFinite {
        /// Which column.
        column: String,
        /// When.
        seconds: f64,
    },
}

/// A skeleton and a clip of a model that moves by those coordinates, radians and metres. Coordinates without a column stay at
/// their default, and a warning names them.
///
/// # Errors
/// When the model does not run, none of its bodies is known, no column is one of its coordinates, it lasts
/// no time, or a number is missing.
pub fn laboratory(model: &Model, coordinates: &Table, name: &str) -> Result<Laboratory, LaboratoryError> {
    let system = System::new(model)?;
    let parts = Parts::of(model, &system);
    if parts.iter().next().is_none() {
        return Err(LaboratoryError::NoPart(listed(system.names.iter().skip(1))));
    }
    let columns: Vec<Option<usize>> =
        system.coordinates.iter().map(|of| coordinates.names.iter().position(|name| short(name) == of)).collect();
    if columns.iter().all(Option::is_none) || coordinates.times.is_empty() {
        return Err(LaboratoryError::NoCoordinate {
            coordinates: listed(system.coordinates.iter()),
            columns: listed(coordinates.names.iter()),
        });
    }
    let mut warnings = Vec::new();
    let unmoved = || (0..columns.len()).filter(|&c| columns[c].is_none() && system.free[c]);
    if unmoved().next().is_some() {
        let names = listed(unmoved().map(|c| &system.coordinates[c]));
        warnings.push(format!("the motion says nothing of {names}: left where the model has them"));
    }

    let joints = Joints::new(&system, parts);
    let mut posture = Posture::default();
    system.pose(&system.default, &mut posture);
    let skeleton = joints.skeleton(&posture);
    let start = coordinates.times[0];
    if coordinates.times[coordinates.times.len() - 1] <= start {
        return Err(LaboratoryError::NoTime(start));
    }
    let times: Vec<f32> = coordinates.times.iter().map(|time| (time - start) as f32).collect();
    let mut frames: Vec<Vec<Transform>> = Vec::with_capacity(times.len());
    let mut q = system.default.to_vec();
    for (i, &seconds) in coordinates.times.iter().enumerate() {
        for (c, column) in columns.iter().enumerate().filter_map(|(c, column)| Some((c, (*column)?))) {
            q[c] = coordinates.row(i)[column];
            if !q[c].is_finite() {
                return Err(LaboratoryError::NotFinite { column: coordinates.names[column].clone(), seconds });
            }
        }
        system.pose(&q, &mut posture);
        frames.push(joints.local(&posture));
    }
    Ok(Laboratory {
        roles: joints.roles(),
        clip: clip(name, &skeleton, &times, &frames),
        skeleton,
        start,
        mass: model.bodies.iter().map(|body| body.mass).sum(),
        warnings,
    })
}

/// The same table with degrees turned to radians in the columns that are angles of the model; for files that are in degrees.
#[must_use]
pub fn in_radians(model: &Model, table: &Table) -> Table {
    let is_angle = |name: &String| model.coordinates.iter().any(|of| of.is_angle && of.name == short(name));
    let factors: Vec<f64> =
        table.names.iter().map(|name| if is_angle(name) { std::f64::consts::PI / 180.0 } else { 1.0 }).collect();
    let mut table = table.clone();
    for row in table.values.chunks_mut(factors.len().max(1)) {
        row.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor);
    }
    table
}

/// Of a column's name what OpenSim calls the coordinate: `/jointset/knee_r/knee_angle_r/value` is `knee_angle_r`.
pub(crate) fn short(name: &str) -> &str {
    let name = name.strip_suffix("/value").unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name)
}

/// Names for a message; the first of them where there are many.
pub(crate) fn listed<S: AsRef<str>>(names: impl Iterator<Item = S>) -> String {
    let names: Vec<S> = names.collect();
    let shown: Vec<&str> = names.iter().take(NAMED).map(AsRef::as_ref).collect();
    match names.len() {
        0 => "none".to_owned(),
        n if n > NAMED => format!("{} and {} more", shown.join(", "), n - NAMED),
        _ => shown.join(", "),
    }
}

/// A model's bodies as joints; ground is none of them.
struct Joints<'a> {
    system: &'a System,
    parts: Parts,
    stands: Vec<usize>, // n_body: the body whose joint says where it stands
}

impl<'a> Joints<'a> {
    fn new(system: &'a System, parts: Parts) -> Self {
        let mut stands: Vec<usize> = (0..system.n_body()).collect();
        for part in parts.iter() {
            if let (Some(first), Some(last)) = (parts.first(part), parts.last(part)) {
                stands[last] = first;
            }
        }
        Self { system, parts, stands }
    }

    fn parent(&self, body: usize) -> Option<usize> {
        self.system.parent[body].checked_sub(1)
    }

    /// Joints against the ones before.
    fn local(&self, posture: &Posture) -> Vec<Transform> {
        let place = |body: usize| DAffine3 {
            matrix3: if body == 0 { DMat3::IDENTITY } else { posture.frames[body].matrix3 },
            translation: self.parts.joint_place(posture, self.stands[body]),
        };
        let local = |body: usize| {
            let parent = self.system.parent[body];
            let above = if parent == 0 { DAffine3::IDENTITY } else { place(parent) };
            let local = above.inverse() * place(body);
            let turn = DQuat::from_mat3(&local.matrix3).normalize();
            Transform { rotation: turn.as_quat().normalize(), ..Transform::at(local.translation.as_vec3()) }
        };
        (1..self.system.n_body()).map(local).collect()
    }

    fn skeleton(&self, posture: &Posture) -> Skeleton {
        let mut skeleton = Skeleton::default();
        for (rest, body) in self.local(posture).into_iter().zip(1..) {
            let parent = self.parent(body);
            let bind = parent.map_or(rest.matrix(), |parent: usize| skeleton.joints[parent].bind * rest.matrix());
            skeleton.joints.push(Joint { name: self.system.names[body].clone(), parent, rest, bind });
        }
        skeleton
    }

    fn roles(&self) -> Roles {
        let mut roles = Roles::default();
        for (role, side) in self.parts.iter() {
            if let Some(body) = self.parts.last((role, side)) {
                roles.set(role, side, body - 1);
            }
        }
        roles
    }
}

/// Keys of every joint: its turns, and its places where they change.
fn clip(name: &str, skeleton: &Skeleton, times: &[f32], frames: &[Vec<Transform>]) -> Clip {
    let mut channels = Vec::new();
    let times = || times.to_vec();
    for (joint, of) in skeleton.joints.iter().enumerate() {
        let mut before = of.rest.rotation;
        let nearer = |frame: &Vec<Transform>| -> Quat {
            let turn = frame[joint].rotation;
            before = if before.dot(turn) < 0.0 { -turn } else { turn };
            before
        };
        let values = frames.iter().map(nearer).collect();
        let track = Track { times: times(), values, interpolation: Interpolation::Linear };
        channels.push(Channel { joint, keys: Keys::Rotation(track) });
        let values: Vec<Vec3> = frames.iter().map(|frame| frame[joint].translation).collect();
        if values.iter().any(|place| place.distance(of.rest.translation) > STAYS) {
            let track = Track { times: times(), values, interpolation: Interpolation::Linear };
            channels.push(Channel { joint, keys: Keys::Translation(track) });
        }
    }
    Clip { name: name.to_owned(), channels }
}
