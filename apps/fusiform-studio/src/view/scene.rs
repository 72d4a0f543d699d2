//! Scene: what one picture is made of, as the GPU takes it.
//!
//! Nothing is copied on the way: places and normals are the session's own, what seldom changes is stamped, so that it is
//! sent again only when it is another.

use glam::Vec3;
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
}

/// Corners and what they make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface<'a> {
    pub look: Look,
    /// m, model space.
    pub places: &'a [Vec3],
    /// Of unit length; 0 where there is no light.
    pub normals: &'a [Vec3],
    /// Of places and normals that stay; those of others are sent with every picture.
    pub stays: Option<Stamp>,
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
    Muscles,
    Skin,
    Bones,
}

impl Slot {
    pub const COUNT: usize = 4;
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
    places: Option<Stamp>,
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
            places: surface.stays,
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
