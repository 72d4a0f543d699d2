//! Placing: where muscles are, what carries them, and what they are called.

mod create;
mod names;
mod points;
mod sheet;
mod spot;
mod twins;

use super::{Done, Seen};
use crate::model::{Curve, Document, Fault, Grip};
use glam::Vec3;

pub(super) use points::{keeping_curve, mirrored_value, put_value};
pub use sheet::MOST as MOST_POINTS;
pub use spot::Spot;
use twins::Model;
pub(super) use twins::{mirrored_signal, mirrored_turns};

/// A change to where muscles are, or to what they are called.
#[derive(Clone, Debug, PartialEq)]
pub enum Placing {
    /// A new muscle from one place under the skin to another.
    Create([Spot; 2]),
    /// Move a part of a muscle: to this value, as [`Grip::value`] has it.
    Grip(usize, Grip, Vec3),
    /// Move an end to the skin that is nearest to it at bind.
    ToSkin(usize, Grip),
    /// Hang a point on the joint of that name; it stays where it is at bind.
    Joint(usize, Grip, String),
    /// Let the joint of that name carry a muscle's ellipsoid; none leaves it to the origin's.
    Carrier(usize, Option<String>),
    /// One more via point, after so many of those there are. A curve becomes a polyline through its middle.
    AddVia(usize, usize),
    /// One less. A polyline without tendons that has no more of them becomes a curve through the last.
    RemoveVia(usize, usize),
    /// One more point on a curve of a sheet, in its widest gap.
    AddPoint(usize, Curve),
    /// One less.
    RemovePoint(usize, Curve, usize),
    /// Another name.
    Rename(usize, String),
    /// A copy of every chosen muscle, which leaves the skin as it is.
    Duplicate,
    /// Make the other side of every chosen muscle its mirror image.
    MirrorOver,
    /// Make the right one of every chosen pair the mirror image of the left one.
    LeftToRight,
    /// Make the left one of every chosen pair the mirror image of the right one.
    RightToLeft,
    /// Weigh the chosen muscles on the skin that lies over them now.
    Weigh,
}

impl From<Placing> for super::Edit {
    fn from(placing: Placing) -> Self {
        Self::Place(placing)
    }
}

impl From<Placing> for crate::model::Action {
    fn from(placing: Placing) -> Self {
        super::Edit::Place(placing).into()
    }
}

impl Placing {
    /// What undo calls it.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            Self::Create(_) => "New muscle",
            Self::Grip(_, Grip::Origin, _) => "Move origin",
            Self::Grip(_, Grip::Insertion, _) => "Move insertion",
            Self::Grip(_, Grip::Via(_), _) => "Move via point",
            Self::Grip(_, Grip::Sheet(..), _) => "Move sheet",
            Self::Grip(_, Grip::Bend, _) => "Bend",
            Self::Grip(_, Grip::Up, _) => "Turn up-vector",
            Self::ToSkin(..) => "To the skin",
            Self::Joint(..) => "Joint",
            Self::Carrier(..) => "Carrier",
            Self::AddVia(..) => "Add via point",
            Self::RemoveVia(..) => "Remove via point",
            Self::AddPoint(..) => "Add point",
            Self::RemovePoint(..) => "Remove point",
            Self::Rename(..) => "Rename",
            Self::Duplicate => "Duplicate",
            Self::MirrorOver => "Mirror over",
            Self::LeftToRight => "Left to right",
            Self::RightToLeft => "Right to left",
            Self::Weigh => "Find skin",
        }
    }

    pub(super) fn make(&self, seen: Seen, document: &mut Document) -> Result<Done, Fault> {
        let muscles = &mut document.musculature;
        match self {
            Self::Create(spots) => create::create(seen, spots, document),
            Self::Grip(m, grip, value) => Ok(points::put(seen, *m, *grip, *value, muscles)),
            Self::ToSkin(m, grip) => points::to_skin(seen, *m, *grip, muscles),
            Self::Joint(m, grip, joint) => points::hang(seen, *m, *grip, joint, muscles),
            Self::Carrier(m, joint) => points::carry(seen, *m, joint.as_deref(), muscles),
            Self::AddVia(m, after) => Ok(points::add_via(seen, *m, *after, muscles)),
            Self::RemoveVia(m, k) => Ok(points::remove_via(seen, *m, *k, muscles)),
            Self::AddPoint(m, curve) => Ok(sheet::add(seen, *m, *curve, muscles)),
            Self::RemovePoint(m, curve, k) => Ok(sheet::remove(seen, *m, (*curve, *k), muscles)),
            Self::Rename(m, name) => names::rename(seen, *m, name, muscles),
            Self::Duplicate => Ok(names::duplicate(seen, muscles)),
            Self::MirrorOver => twins::mirror_over(seen, Model::Chosen, muscles),
            Self::LeftToRight => twins::mirror_over(seen, Model::Left, muscles),
            Self::RightToLeft => twins::mirror_over(seen, Model::Right, muscles),
            Self::Weigh => create::weigh(seen, muscles),
        }
    }
}
