//! A muscle's path as it runs: indices instead of names.

use super::{Node, On};
use crate::function::Function;
use crate::model::{Model, Muscle, PathPoint, PathWrap, Place, Side, Wrap, WrapMethod, WrapShape};
use crate::system::{ModelError, Posture, System, missing, number};
use glam::{DAffine3, DVec3};
use std::ops::RangeInclusive;

/// How far beyond its range a conditional point still counts, rad or m: `OpenSim`'s bound.
const RANGE_SLACK: f64 = 1e-5;

/// A muscle's points, and what they run over.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    pub(super) points: Box<[Point]>,
    pub(super) over: Box<[Over]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    body: usize,
    pub(super) station: Station,
}

/// Where on its body a point is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Station {
    Fixed(DVec3),
    Conditional { location: DVec3, coordinate: usize, range: [f64; 2] },
    Moving([(Option<usize>, Function); 3]),
}

/// A surface that a route runs over, between two of its points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Over {
    pub(super) surface: usize,
    pub(super) points: RangeInclusive<usize>,
    pub(super) method: WrapMethod,
}

/// A wrapping surface on its body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Surface {
    pub(super) body: usize,
    pub(super) frame: DAffine3,
    pub(super) shape: WrapShape,
    pub(super) side: Option<Side>,
    pub(super) active: bool,
}

impl Surface {
    pub(super) fn new(wrap: &Wrap, system: &System) -> Result<Self, ModelError> {
        let Wrap { name, frame, shape, side, active, .. } = wrap;
        let body = system.body(&wrap.body).ok_or_else(|| missing("wrap", name, "body", &wrap.body))?;
        let positive = |sizes: &[f64]| sizes.iter().all(|size| size.is_finite() && *size > 0.0);
        let usable = match *shape {
            WrapShape::Cylinder { radius, length } => positive(&[radius]) && length >= 0.0,
            WrapShape::Sphere { radius } => positive(&[radius]),
            WrapShape::Ellipsoid { radii } => positive(&radii.to_array()),
            WrapShape::Torus { inner, outer } => positive(&[inner, outer]),
        };
        if !usable {
            return Err(number("wrap", name, "a size"));
        }
        if !frame.is_finite() || (frame.matrix3.determinant() - 1.0).abs() > 1e-6 {
            return Err(number("wrap", name, "a frame"));
        }
        if side.is_some_and(|side| side.axis > 2) {
            return Err(number("wrap", name, "a side"));
        }
        Ok(Self { body, frame: *frame, shape: *shape, side: *side, active: *active })
    }
}

impl Route {
    pub(super) fn new(muscle: &Muscle, model: &Model, system: &System) -> Result<Self, ModelError> {
        let name = &muscle.name;
        if muscle.path.len() < 2 {
            let why = "has fewer than two path points; give it an origin and an insertion";
            return Err(ModelError::Path { muscle: name.clone(), why });
        }
        let points: Result<_, _> = muscle.path.iter().map(|point| Point::new(name, point, system)).collect();
        let over: Result<_, _> = muscle.wraps.iter().map(|wrap| Over::new(muscle, wrap, model)).collect();
        Ok(Self { points: points?, over: over? })
    }

    /// The points that count in a posture.
    pub(super) fn place_points(&self, posture: &Posture, out: &mut Vec<Node>) {
        for (index, point) in self.points.iter().enumerate() {
            if let Some(location) = point.location(&posture.q) {
                let place = posture.frames[point.body].transform_point3(location);
                out.push(Node { place, body: point.body, on: On::Point(index) });
            }
        }
    }
}

impl Point {
    fn new(muscle: &str, point: &PathPoint, system: &System) -> Result<Self, ModelError> {
        let find = |name: &str| system.coordinate(name).ok_or_else(|| missing("muscle", muscle, "coordinate", name));
        let body = system.body(&point.body).ok_or_else(|| missing("muscle", muscle, "body", &point.body))?;
        let station = match &point.place {
            Place::Fixed(location) | Place::Conditional { location, .. } if !location.is_finite() => {
                return Err(number("muscle", muscle, "a path point"));
            }
            Place::Fixed(location) => Station::Fixed(*location),
            Place::Conditional { location, coordinate, range } => {
                Station::Conditional { location: *location, coordinate: find(coordinate)?, range: *range }
            }
            Place::Moving([x, y, z]) => {
                let axis = |(coordinate, function): &(Option<String>, Function)| {
                    Ok((coordinate.as_deref().map(find).transpose()?, function.clone()))
                };
                Station::Moving([axis(x)?, axis(y)?, axis(z)?])
            }
        };
        Ok(Self { body, station })
    }

    /// On its body; none while the point does not count.
    fn location(&self, q: &[f64]) -> Option<DVec3> {
        match &self.station {
            Station::Fixed(location) => Some(*location),
            Station::Conditional { location, coordinate, range: [least, most] } => {
                let value = q[*coordinate];
                (value >= least - RANGE_SLACK && value <= most + RANGE_SLACK).then_some(*location)
            }
            Station::Moving(axes) => {
                let along = |k: usize| axes[k].1.at(axes[k].0.map_or(0.0, |c| q[c])).value;
                Some(DVec3::new(along(0), along(1), along(2)))
            }
        }
    }
}

impl Over {
    fn new(muscle: &Muscle, wrap: &PathWrap, model: &Model) -> Result<Self, ModelError> {
        let surface = model.wraps.iter().position(|w| w.name == wrap.wrap);
        let surface = surface.ok_or_else(|| missing("muscle", &muscle.name, "wrap", &wrap.wrap))?;
        let [first, last] = wrap.range;
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(muscle.path.len() - 1));
        if first > last || last >= muscle.path.len() {
            let why = "runs over a surface between path points that it does not have; mend the range";
            return Err(ModelError::Path { muscle: muscle.name.clone(), why });
        }
        Ok(Self { surface, points: first..=last, method: wrap.method })
    }
}
