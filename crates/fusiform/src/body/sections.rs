//! Sections: bellies as a GPU makes them. What moves is a few hundred cross-sections, what lies in them stays.
//!
//! ```text
//! p = center + b o_b + c o_c                       o the point's place in its section at rest; b, c as long as it has grown
//! ```

use super::belly::{self, Paths, Section};
use super::{Body, BodyState};
use glam::Vec2;

impl Body {
    /// How many cross-sections all muscles have.
    #[must_use]
    pub fn n_section(&self) -> usize {
        self.muscles.n_ring()
    }

    /// Which row of [`BodyState::sections`] is the first of muscle `m`.
    #[must_use]
    pub fn first_section(&self, m: usize) -> usize {
        self.muscles.ring_start[m] as usize
    }

    /// Whether cross-sections say all of how the belly of muscle `m` looks: not of sheets, nor of what is sculpted in poses,
    /// soft, or held by tissue.
    #[must_use]
    pub fn has_sections_only(&self, m: usize) -> bool {
        let muscles = &*self.muscles;
        let is_in_tissue = self.flesh.as_ref().is_some_and(|table| table.has_belly(m));
        let is_its_own = self.surfaces.soft[m].is_some() || muscles.sheet.of[m].is_some();
        !is_in_tissue && !is_its_own && muscles.shapes_of[m].is_none()
    }

    /// Where the points of muscle `m` lie in their cross-sections at rest, along b and along c, metres, ring by ring.
    pub fn points_in_sections(&self, m: usize) -> impl Iterator<Item = Vec2> {
        let rest = &self.muscles.rest[m];
        let rings = rest.rings.iter().zip(rest.points.chunks(rest.points.len() / rest.rings.len()));
        rings.flat_map(|(ring, points)| {
            points.iter().map(|point| Vec2::new(ring.b.dot(point - ring.center), ring.c.dot(point - ring.center)))
        })
    }
}

impl BodyState {
    /// From the next step on keep the cross-sections that skin is made to follow: where bellies are seen in every frame,
    /// [`BodyState::sections`] has no work left.
    pub fn keep_sections(&mut self, body: &Body) {
        self.sections = Some(vec![Section::default(); body.n_section()]);
    }

    /// The cross-sections of all muscles as they are now, ring by ring: of those that
    /// [have nothing else](Body::has_sections_only) every belly point. Allocates nothing.
    ///
    /// # Panics
    /// When there is less room than [`Body::n_section`] rows.
    pub fn sections(&self, body: &Body, sections: &mut [Section]) {
        if let Some(kept) = self.sections.as_ref().filter(|_| body.follows_rings()) {
            sections[..kept.len()].copy_from_slice(kept);
            return;
        }
        for group in 0..body.muscles.group.len() {
            let paths = Paths { curves: &self.curves[group], lines: &self.lines };
            belly::sections(body.instructions, &body.muscles, group, paths, sections);
        }
    }
}
