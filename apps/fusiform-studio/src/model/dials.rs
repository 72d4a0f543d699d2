//! Dials: every number and choice of a document that the inspector turns, by topic.

mod activation;
mod bone;
mod contraction;
mod convert;
mod dynamics;
mod layer;
mod path;
mod shape;
mod skin;
mod tissue;

use super::field::{Choice, Field};
use fusiform::Muscle;
use fusiform::musculature::{Layer, Physique};
use std::sync::LazyLock;

pub use activation::{DRIVER_CHOICES, DRIVER_FIELDS};
pub use bone::BONE_FIELDS;
pub use skin::PHYSIQUE_FIELDS;

/// A number of a muscle. A muscle has it or not, by its kind of path, profile, contraction and dynamics.
pub type Dial = Field<Muscle>;

/// Every dial of a muscle, in the order of the inspector.
pub static DIALS: LazyLock<Vec<Dial>> = LazyLock::new(|| {
    [shape::DIALS, path::DIALS, contraction::DIALS, contraction::RATES, dynamics::DIALS, skin::DIALS].concat()
});

/// Every choice of a muscle: those of its four dials convert what it has, so that its belly stays about as large.
pub static CHOICES: LazyLock<Vec<Choice<Muscle>>> =
    LazyLock::new(|| [shape::CHOICES, path::CHOICES, contraction::CHOICES, dynamics::CHOICES, skin::CHOICES].concat());

/// Every number of a layer.
pub static LAYER_FIELDS: LazyLock<Vec<Field<Layer>>> = LazyLock::new(|| [layer::FIELDS, tissue::FIELDS].concat());

/// Every choice of a layer.
pub static LAYER_CHOICES: LazyLock<Vec<Choice<Layer>>> = LazyLock::new(|| [layer::CHOICES, tissue::CHOICES].concat());

/// Headings of a muscle's dials, in the order of the inspector.
pub const GROUPS: [&str; 7] = [SHAPE, PATH, CONTRACTION, RATES_GROUP, JIGGLE, SKIN, GRID];

const SHAPE: &str = "Shape";
const PATH: &str = "Path";
const CONTRACTION: &str = "Contraction";
const JIGGLE: &str = "Jiggle";
const SKIN: &str = "Skin over it";
const RATES_GROUP: &str = "Rates";
const GRID: &str = "Rings";

/// Numbers of the physique have no heading of their own.
pub type PhysiqueField = Field<Physique>;

/// A number inside one or several variants of one of the muscle's choices, or one of two such numbers.
macro_rules! of {
    ($choice:ident, $($variant:path)|+, $field:ident) => {
        (
            |muscle, _| match &muscle.$choice {
                $($variant { $field, .. })|+ => Some(*$field),
                _ => None,
            },
            |muscle, _, value| {
                if let $($variant { $field, .. })|+ = &mut muscle.$choice {
                    *$field = value;
                }
            },
        )
    };
    ($choice:ident, $($variant:path)|+, $field:ident[$i:literal]) => {
        (
            |muscle, _| match &muscle.$choice {
                $($variant { $field, .. })|+ => Some($field[$i]),
                _ => None,
            },
            |muscle, _, value| {
                if let $($variant { $field, .. })|+ = &mut muscle.$choice {
                    $field[$i] = value;
                }
            },
        )
    };
    ($choice:ident, $variant:path, $field:ident.$part:ident) => {
        (
            |muscle, _| match &muscle.$choice {
                $variant { $field, .. } => Some($field.$part),
                _ => None,
            },
            |muscle, _, value| {
                if let $variant { $field, .. } = &mut muscle.$choice {
                    $field.$part = value;
                }
            },
        )
    };
    ($choice:ident, $variant:path, $field:ident.$part:ident[$i:literal]) => {
        (
            |muscle, _| match &muscle.$choice {
                $variant { $field, .. } => Some($field.$part[$i]),
                _ => None,
            },
            |muscle, _, value| {
                if let $variant { $field, .. } = &mut muscle.$choice {
                    $field.$part[$i] = value;
                }
            },
        )
    };
}
use of;
