//! The document: bones, joints, markers and muscles by name, as an OpenSim file or a rig gives them.
//!
//! Every joint is the same thing: three rotations and three translations in turn, each a function of one coordinate. A pin,
//! a ball, a knee whose axis moves are cases of it (`OpenSim`'s `CustomJoint`). "ground" is the name of what never moves.

use crate::function::Function;
use glam::{DAffine3, DMat3, DVec3};

/// The name of the body that never moves; models do not list it.
pub const GROUND: &str = "ground";

/// A musculoskeletal model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// What it is called.
    pub name: String,
    /// m/s², in ground.
    pub gravity: DVec3,
    /// What moves, each the child of one joint.
    pub bodies: Vec<Body>,
    /// How bodies hang together; in any order.
    pub joints: Vec<Joint>,
    /// What the joints are functions of.
    pub coordinates: Vec<Coordinate>,
    /// Coordinates that follow another one.
    pub couplings: Vec<Coupling>,
    /// Points on bodies that are seen from outside.
    pub markers: Vec<Marker>,
    /// Surfaces that muscles run over.
    pub wraps: Vec<Wrap>,
    /// What pulls.
    pub muscles: Vec<Muscle>,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique among bodies.
    pub name: String,
    /// kg.
    pub mass: f64,
    /// m, in the body's frame.
    pub center: DVec3,
    /// kg m², about the center, along the body's axes.
    pub inertia: DMat3,
}

impl Default for Body {
    fn default() -> Self {
        // a matrix's own default is the identity: a kilogram a metre away, all around
        Self { name: String::new(), mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO }
    }
}

/// How a child moves against its parent: `parent · frames[0] · R₁R₂R₃, t · frames[1]⁻¹ = child`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Unique among joints.
    pub name: String,
    /// A body, or [`GROUND`].
    pub parent: String,
    /// A body.
    pub child: String,
    /// Where the joint sits on its parent and on its child, without scale.
    pub frames: [DAffine3; 2],
    /// Rotations one after the other, each about an axis that the ones before have turned.
    pub rotations: Vec<Axis>,
    /// Translations, along axes of the parent's joint frame.
    pub translations: Vec<Axis>,
}

/// One rotation or translation of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Unit.
    pub axis: DVec3,
    /// What it depends on; none for a constant.
    pub coordinate: Option<String>,
    /// Radians or metres.
    pub function: Function,
}

/// A generalised coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinate {
    /// Unique among coordinates.
    pub name: String,
    /// Whether it is an angle: radians, and degrees in files and plots.
    pub is_angle: bool,
    /// Where it is when nothing is known.
    pub default: f64,
    /// The least and the most.
    pub range: [f64; 2],
    /// Whether it keeps to its range; the range only describes it otherwise.
    pub clamped: bool,
    /// Whether it stays at its default.
    pub locked: bool,
}

/// A coordinate that is a function of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// The one that follows.
    pub dependent: String,
    /// The one it follows.
    pub independent: String,
    /// How.
    pub function: Function,
}

/// A point fixed on a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// Unique among markers.
    pub name: String,
    /// A body, or [`GROUND`].
    pub body: String,
    /// m, in the body's frame.
    pub location: DVec3,
}

/// A muscle: a path, and how strong it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Muscle {
    /// Unique among muscles.
    pub name: String,
    /// From origin to insertion, two at least.
    pub path: Vec<PathPoint>,
    /// What it runs over, in that order.
    pub wraps: Vec<PathWrap>,
    /// N: of its fibres at their optimal length.
    pub max_force: f64,
    /// m.
    pub optimal_length: f64,
    /// m.
    pub tendon_length: f64,
    /// Radians, between fibres and tendon, at the optimal length.
    pub pennation: f64,
}

/// A point of a muscle's path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPoint {
    /// Unique in its path.
    pub name: String,
    /// A body, or [`GROUND`].
    pub body: String,
    /// Where on it.
    pub place: Place,
}

/// Where on its body a path point is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// m, in the body's frame.
    Fixed(DVec3),
    /// There only while a coordinate is in a range.
    Conditional {
        /// m, in the body's frame.
        location: DVec3,
        /// Which.
        coordinate: String,
        /// Radians or metres, both ends included.
        range: [f64; 2],
    },
    /// Along each of the body's axes a function, m, of a coordinate of its own.
    Moving([(Option<String>, Function); 3]),
}

/// A surface that muscles run over.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    /// Unique among wraps.
    pub name: String,
    /// A body, or [`GROUND`].
    pub body: String,
    /// From the surface's axes to the body's, without scale.
    pub frame: DAffine3,
    /// What it is.
    pub shape: WrapShape,
    /// Which side of it paths keep to.
    pub side: Option<Side>,
    /// Whether paths take notice of it.
    pub active: bool,
}

/// Half of a wrapping surface: where the coordinate along an axis has that sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// 0, 1, 2.
    pub axis: usize,
    /// 1 or −1.
    pub sign: f64,
}

/// Surfaces, about the origin of their frame; metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrapShape {
    /// Along z.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        length: f64,
    },
    /// All around.
    Sphere {
        /// m.
        radius: f64,
    },
    /// Along the axes.
    Ellipsoid {
        /// m.
        radii: DVec3,
    },
    /// About z; paths run through its hole.
    Torus {
        /// m: of the tube (`OpenSim`'s `inner_radius`).
        inner: f64,
        /// m: of the circle along the tube's middle (`OpenSim`'s `outer_radius`).
        outer: f64,
    },
}

/// How a path runs over a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathWrap {
    /// Which.
    pub wrap: String,
    /// Only between these points of the path, counted from 0, both included; none is from the start, or to the end.
    pub range: [Option<usize>; 2],
    /// How the way over an ellipsoid is found.
    pub method: WrapMethod,
}

/// `OpenSim`'s three ways over an ellipsoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrapMethod {
    /// Whichever suits.
    #[default]
    Hybrid,
    /// Through the point of the surface nearest to the middle.
    Midpoint,
    /// In the plane of its axes.
    Axial,
}
