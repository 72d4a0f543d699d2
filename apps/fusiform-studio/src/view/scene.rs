//! Scene: what one picture is made of, as the GPU takes it.
//!
//! Nothing is copied on the way: places and normals are the session's own, what seldom changes is stamped, so that it is
//! sent again only when it is another.

use bytemuck::{Pod, Zeroable};
use fusiform::body::Section;
use glam::{Vec2, Vec3};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells whether something is still what was sent: no two are alike, in no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp(u64);

impl Stamp {
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What is sent only when its stamp is another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamped<'a, T> {
    pub of: &'a [T],
    pub stamp: Stamp,
}

/// How a surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Triangles one does not see through.
    Solid,
    /// Triangles one sees through.
    Clear,
    /// Lines without light.
    Lines,
    /// Triangles before everything else.
    Front,
    /// Triangles before everything else that one sees through.
    FrontClear,
}

/// A corner that lies in a cross-section: where in its own, and where its neighbours do, so that it knows how it faces.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Corner {
    /// m, along the section's b and c.
    pub place: Vec2,
    /// From its left neighbour to its right one.
    pub around: Vec2,
    /// Of the one before it along the belly, and of the one after it.
    pub before: Vec2,
    pub after: Vec2,
    /// Sections of these four.
    pub sections: [u32; 4],
}

/// Where corners are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Corners<'a> {
    /// Told one by one.
    Placed {
        /// m, model space.
        places: &'a [Vec3],
        /// Of unit length; 0 where there is no light.
        normals: &'a [Vec3],
        /// Of those that stay; others are sent with every picture.
        stays: Option<Stamp>,
    },
    /// In cross-sections, and only these are sent with every picture; of what is solid.
    Lofted { corners: Stamped<'a, Corner>, sections: &'a [Section] },
}

impl Corners<'_> {
    /// Whether they are in cross-sections.
    pub fn are_lofted(&self) -> bool {
        matches!(self, Self::Lofted { .. })
    }

    /// Of what stays.
    pub fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Placed { stays, .. } => *stays,
            Self::Lofted { corners, .. } => Some(corners.stamp),
        }
    }
}

/// Corners and what they make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface<'a> {
    pub look: Look,
    pub corners: Corners<'a>,
    /// Linear, opacity last.
    pub colors: Stamped<'a, [f32; 4]>,
    /// Three for a triangle, two for a line.
    pub indices: Stamped<'a, u32>,
    /// Two for an edge that is drawn over the surface.
    pub edges: Option<Stamped<'a, u32>>,
}

/// Which surface, and which of the GPU's buffers are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Grid,
    /// Those that are made of their cross-sections.
    Muscles,
    /// And those that are more: sheets, soft ones, what was sculpted in poses.
    OtherMuscles,
    Skin,
    Bones,
    /// Those that skin slides over.
    UnderSkin,
}

impl Slot {
    pub const COUNT: usize = 6;
}

/// What one picture is made of: the session's skin, and what a [`Geometry`](super::Geometry) keeps beside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene<'a> {
    surfaces: [Option<Surface<'a>>; Slot::COUNT],
    moment: u64,
}

/// Tells whether a scene looks as another did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Likeness {
    moment: u64,
    surfaces: [Option<Stamps>; Slot::COUNT],
}

/// Of one surface.
#[derive(Clone, Debug, PartialEq)]
struct Stamps {
    look: Look,
    corners: Option<Stamp>,
    colors: Stamp,
    indices: Stamp,
    edges: Option<Stamp>,
}

impl<'a> Scene<'a> {
    /// Of what the session shows at that [moment](crate::model::Live::moment).
    pub(super) fn at(moment: u64) -> Self {
        Self { surfaces: Default::default(), moment }
    }

    /// What it looks like.
    pub(super) fn likeness(&self) -> Likeness {
        let of = |surface: &Surface| Stamps {
            look: surface.look,
            corners: surface.corners.stamp(),
            colors: surface.colors.stamp,
            indices: surface.indices.stamp,
            edges: surface.edges.map(|edges| edges.stamp),
        };
        Likeness { moment: self.moment, surfaces: self.surfaces.each_ref().map(|surface| surface.as_ref().map(of)) }
    }

    pub(super) fn put(&mut self, slot: Slot, surface: Surface<'a>) {
        self.surfaces[slot as usize] = Some(surface).filter(|surface| !surface.indices.of.is_empty());
    }

    pub(super) fn surfaces(&self) -> &[Option<Surface<'a>>; Slot::COUNT] {
        &self.surfaces
    }
}
