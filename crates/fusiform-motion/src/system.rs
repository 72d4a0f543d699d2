//! What runs: the bodies of a model in tree order, every joint a chain of turns and shifts, checked once.
//!
//! ```text
//! X_child = X_parent · F_parent · Π Rot(aᵢ, θᵢ) , Σ tⱼ dⱼ · F_child⁻¹         θ, d functions of coordinates
//! ∂p/∂q   = Σ over the axes between ground and p that depend on q:  f′ (a × (p − o)) turning, f′ a shifting
//! ```

use crate::function::{Function, Jet};
use crate::model::{Body, GROUND, Joint, Model};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::ops::Range;

/// Something about a model that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Names lead nowhere.
    #[error(
        "{what} \"{name}\" names the {kind} \"{missing}\", which the model does not have; add it, or mend the name"
    )]
    Missing {
        /// Who says so: "joint", "marker", "muscle".
        what: &'static str,
        /// Its name.
        name: String,
        /// What is missing: "body", "coordinate".
        kind: &'static str,
        /// The name that leads nowhere.
        missing: String,
    },
    /// Two of a kind have one name.
    #[error("two {kind} are called \"{name}\"; rename one of them")]
    Twice {
        /// "bodies", "coordinates".
        kind: &'static str,
        /// Their name.
        name: String,
    },
    /// A body hangs on no joint, on two, or on itself.
    #[error("body \"{0}\" is the child of {1} joints that lead to ground; it must be of exactly one")]
    Tree(String, usize),
    /// A number that is none.
    #[error("{what} \"{name}\" has {field} that is not a usable number; give it one")]
    Number {
        /// "body", "joint".
        what: &'static str,
        /// Its name.
        name: String,
        /// Which of its values.
        field: &'static str,
    },
    /// A muscle that cannot run.
    #[error("muscle \"{muscle}\" {why}")]
    Path {
        /// Its name.
        muscle: String,
        /// What is wrong, and what to do about it.
        why: &'static str,
    },
}

/// A model as it runs. Body 0 is ground; parents come before their children.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// m/s², in ground.
    pub gravity: DVec3,
    /// Names of bodies.
    pub names: Box<[String]>,
    /// What each body hangs on; ground hangs on itself.
    pub parent: Box<[usize]>,
    /// kg, m, kg m².
    pub mass: Box<[Mass]>,
    /// From the parent's frame to the joint's, and from there to the child's.
    frames: Box<[[DAffine3; 2]]>,
    /// Which axes move each body against its parent: turns, then shifts.
    axis_start: Box<[usize]>,
    axis: Box<[AxisRow]>,
    /// Names of coordinates.
    pub coordinates: Box<[String]>,
    /// What each of them is when nothing is known.
    pub default: Box<[f64]>,
    /// The least and the most of each.
    pub range: Box<[[f64; 2]]>,
    /// Whether each keeps to its range.
    pub clamped: Box<[bool]>,
    /// How coordinates follow others, in an order that can be computed.
    couplings: Box<[(usize, usize, Function)]>,
    /// Whether a coordinate may be chosen: neither locked nor coupled.
    pub free: Box<[bool]>,
}

/// A body's inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// kg.
    pub mass: f64,
    /// m, in the body's frame.
    pub center: DVec3,
    /// kg m², about the center, along the body's axes.
    pub inertia: DMat3,
}

impl Default for Mass {
    fn default() -> Self {
        Self { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO }
    }
}

/// One turn or shift.
#[derive(Clone, Debug, PartialEq)]
struct AxisRow {
    axis: DVec3,
    turns: bool,
    coordinate: Option<usize>,
    function: Function,
}

/// An axis as it lies now, in ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PosedAxis {
    /// Unit.
    pub axis: DVec3,
    /// A point on it, m.
    pub through: DVec3,
    /// Whether it turns; it shifts otherwise.
    pub turns: bool,
    /// The coordinate it depends on.
    pub coordinate: Option<usize>,
    /// How far, rad or m, and its derivatives after the coordinate.
    pub jet: Jet,
}

impl PosedAxis {
    /// How a point that hangs on it moves with its coordinate, m per unit.
    #[must_use]
    pub fn moves(&self, point: DVec3) -> DVec3 {
        self.jet.first * if self.turns { self.axis.cross(point - self.through) } else { self.axis }
    }
}

/// Where everything is at some coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// Coordinates with those that follow others filled in.
    pub q: Vec<f64>,
    /// n_body: from the body's frame to ground's.
    pub frames: Vec<DAffine3>,
    /// n_axis.
    pub axes: Vec<PosedAxis>,
}

impl System {
    /// Check a model and lay it out.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        let coordinate_names: Vec<String> = model.coordinates.iter().map(|c| c.name.clone()).collect();
        let body_names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
        unique("coordinates", coordinate_names.iter().map(String::as_str))?;
        unique("bodies", body_names.iter().copied().chain([GROUND]))?;
        for body in &model.bodies {
            check_mass(body)?;
        }
        let order = tree_order(model)?;
        let find = |joint: &Joint, name: &str| {
            let at = coordinate_names.iter().position(|c| c == name);
            at.ok_or_else(|| missing("joint", &joint.name, "coordinate", name))
        };
        let (mut names, mut parent, mut mass) = (vec![GROUND.to_owned()], vec![0], vec![Mass::default()]);
        let (mut frames, mut axis_start, mut axis) = (vec![[DAffine3::IDENTITY; 2]], vec![0, 0], Vec::new());
        for joint in order {
            let turning = joint.rotations.iter().map(|a| (a, true));
            for (of, turns) in turning.chain(joint.translations.iter().map(|a| (a, false))) {
                let coordinate = of.coordinate.as_ref().map(|name| find(joint, name)).transpose()?;
                let unit = of.axis.try_normalize().ok_or_else(|| number("joint", &joint.name, "an axis"))?;
                axis.push(AxisRow { axis: unit, turns, coordinate, function: of.function.clone() });
            }
            if joint.frames.iter().any(|f| !f.is_finite() || f.matrix3.determinant().abs() < 1e-9) {
                return Err(number("joint", &joint.name, "a frame"));
            }
            let body = model.bodies.iter().find(|b| b.name == joint.child);
            let of_body = body.map_or(Mass::default(), |b| Mass { mass: b.mass, center: b.center, inertia: b.inertia });
            let above = names.iter().position(|n| *n == joint.parent);
            parent.push(above.ok_or_else(|| missing("joint", &joint.name, "body", &joint.parent))?);
            names.push(joint.child.clone());
            mass.push(of_body);
            frames.push([joint.frames[0], joint.frames[1].inverse()]);
            axis_start.push(axis.len());
        }
        let couplings = couplings(model, &coordinate_names)?;
        let follows = |c: usize| couplings.iter().any(|(dependent, ..)| *dependent == c);
        let free = model.coordinates.iter().enumerate().map(|(c, of)| !of.locked && !follows(c)).collect();
        Ok(Self {
            gravity: model.gravity,
            names: names.into(),
            parent: parent.into(),
            mass: mass.into(),
            frames: frames.into(),
            axis_start: axis_start.into(),
            axis: axis.into(),
            coordinates: coordinate_names.into(),
            default: model.coordinates.iter().map(|c| c.default).collect(),
            range: model.coordinates.iter().map(|c| c.range).collect(),
            clamped: model.coordinates.iter().map(|c| c.clamped).collect(),
            couplings: couplings.into(),
            free,
        })
    }

    /// How many bodies, ground included.
    #[must_use]
    pub fn n_body(&self) -> usize {
        self.names.len()
    }

    /// How many coordinates.
    #[must_use]
    pub fn n_coordinate(&self) -> usize {
        self.coordinates.len()
    }

    /// Which body is called so.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// Which coordinate is called so.
    #[must_use]
    pub fn coordinate(&self, name: &str) -> Option<usize> {
        self.coordinates.iter().position(|n| n == name)
    }

    /// The axes that move a body against its parent: turns, then shifts.
    #[must_use]
    pub fn axes_of(&self, body: usize) -> Range<usize> {
        self.axis_start[body]..self.axis_start[body + 1]
    }

    /// Coordinates that follow others.
    #[must_use]
    pub fn couplings(&self) -> &[(usize, usize, Function)] {
        &self.couplings
    }

    /// Fill in the coordinates that follow others.
    pub fn couple(&self, q: &mut [f64]) {
        for (dependent, independent, function) in &self.couplings {
            q[*dependent] = function.at(q[*independent]).value;
        }
    }

    /// Put every body where the coordinates say.
    pub fn pose(&self, q: &[f64], out: &mut Posture) {
        out.q.clear();
        out.q.extend_from_slice(q);
        self.couple(&mut out.q);
        out.frames.resize(self.n_body(), DAffine3::IDENTITY);
        out.axes.resize(self.axis.len(), PosedAxis::default());
        for body in 1..self.n_body() {
            let [to_joint, to_child] = &self.frames[body];
            let mut here = out.frames[self.parent[body]] * *to_joint;
            let of_parent = here.matrix3;
            // shifts are along the parent's joint frame and come first in space: turns happen where they lead
            let range = self.axes_of(body);
            for i in range.clone().filter(|&i| !self.axis[i].turns) {
                let posed = self.posed(i, &out.q, of_parent, here.translation);
                here.translation += posed.axis * posed.jet.value;
                out.axes[i] = posed;
            }
            for i in range.filter(|&i| self.axis[i].turns) {
                let posed = self.posed(i, &out.q, here.matrix3, here.translation);
                here.matrix3 *= DMat3::from_quat(DQuat::from_axis_angle(self.axis[i].axis, posed.jet.value));
                out.axes[i] = posed;
            }
            out.frames[body] = here * *to_child;
        }
    }

    fn posed(&self, i: usize, q: &[f64], frame: DMat3, through: DVec3) -> PosedAxis {
        let AxisRow { axis, turns, coordinate, function } = &self.axis[i];
        let jet = function.at(coordinate.map_or(0.0, |c| q[c]));
        PosedAxis { axis: frame * *axis, through, turns: *turns, coordinate: *coordinate, jet }
    }

    /// The axes between a body and ground, from the body up.
    pub fn axes_above(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(body), |&b| (b != 0).then(|| self.parent[b])).flat_map(|b| self.axes_of(b))
    }

    /// How a point fixed on a body, in ground's frame now, moves with every coordinate: added to `columns`, times `scale`.
    /// Coordinates that follow others count as free here; [`System::gather`] folds them.
    pub fn add_point_jacobian(&self, posture: &Posture, body: usize, point: DVec3, scale: f64, columns: &mut [DVec3]) {
        for axis in self.axes_above(body).map(|i| &posture.axes[i]) {
            if let Some(c) = axis.coordinate {
                columns[c] += axis.moves(point) * scale;
            }
        }
    }

    /// Fold what hangs on coordinates that follow others into those that lead them.
    pub fn gather(&self, q: &[f64], of_coordinates: &mut [f64]) {
        for (dependent, independent, function) in self.couplings.iter().rev() {
            let share = of_coordinates[*dependent] * function.at(q[*independent]).first;
            of_coordinates[*independent] += share;
            of_coordinates[*dependent] = 0.0;
        }
    }
}

pub(crate) fn missing(what: &'static str, name: &str, kind: &'static str, missing: &str) -> ModelError {
    ModelError::Missing { what, name: name.to_owned(), kind, missing: missing.to_owned() }
}

pub(crate) fn number(what: &'static str, name: &str, field: &'static str) -> ModelError {
    ModelError::Number { what, name: name.to_owned(), field }
}

fn unique<'a>(kind: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), ModelError> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ModelError::Twice { kind, name: name.to_owned() });
        }
    }
    Ok(())
}

fn check_mass(body: &Body) -> Result<(), ModelError> {
    let field = match body {
        b if !(b.mass.is_finite() && b.mass >= 0.0) => "a mass",
        b if !b.center.is_finite() => "a center of mass",
        b if !b.inertia.is_finite() => "an inertia",
        _ => return Ok(()),
    };
    Err(number("body", &body.name, field))
}

/// Joints from ground outward.
fn tree_order(model: &Model) -> Result<Vec<&Joint>, ModelError> {
    for joint in &model.joints {
        for name in [&joint.parent, &joint.child] {
            if name != GROUND && !model.bodies.iter().any(|b| b.name == *name) {
                return Err(missing("joint", &joint.name, "body", name));
            }
        }
    }
    let (mut reached, mut order) = (vec![GROUND], Vec::new());
    let mut next = 0;
    while next < reached.len() {
        let parent = reached[next];
        for joint in model.joints.iter().filter(|joint| joint.parent == parent) {
            if reached.contains(&joint.child.as_str()) {
                let joints = model.joints.iter().filter(|j| j.child == joint.child).count();
                return Err(ModelError::Tree(joint.child.clone(), joints));
            }
            reached.push(&joint.child);
            order.push(joint);
        }
        next += 1;
    }
    match model.bodies.iter().find(|b| !reached.contains(&b.name.as_str())) {
        Some(body) => Err(ModelError::Tree(body.name.clone(), 0)),
        None => Ok(order),
    }
}

/// Couplings in an order in which each finds its leader known.
fn couplings(model: &Model, names: &[String]) -> Result<Vec<(usize, usize, Function)>, ModelError> {
    let find =
        |name: &str| names.iter().position(|n| n == name).ok_or_else(|| missing("coupling", name, "coordinate", name));
    let mut rows = Vec::new();
    for coupling in &model.couplings {
        rows.push((find(&coupling.dependent)?, find(&coupling.independent)?, coupling.function.clone()));
    }
    let mut ordered: Vec<(usize, usize, Function)> = Vec::new();
    while !rows.is_empty() {
        let ready = rows.iter().position(|row| rows.iter().all(|other| other.0 != row.1));
        let Some(ready) = ready else {
            let name = model.coordinates[rows[0].0].name.clone();
            return Err(ModelError::Number { what: "coupling", name, field: "a circle of followers" });
        };
        ordered.push(rows.remove(ready));
    }
    Ok(ordered)
}
