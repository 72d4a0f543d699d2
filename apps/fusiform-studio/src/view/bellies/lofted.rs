//! Lofted: bellies that are made of their cross-sections. What lies in these stays, so that of a belly that moves only they
//! are sent.

use super::Belly;
use crate::view::scene::{Corner, Corners, Stamp, Stamped};
use fusiform::body::Section;
use fusiform::{Body, BodyState};
use glam::Vec2;

/// What is kept of them.
#[derive(Debug, Default)]
pub(super) struct Lofted {
    corners: Vec<Corner>,
    laid: Option<(Laid, Stamp)>,
    sections: Vec<Section>,
}

/// Which body, and which of its muscles.
type Laid = (u64, Stamp);

impl Lofted {
    /// Where they are now.
    pub fn pose(&mut self, (body, state): (&Body, &BodyState), wanted: Laid, shown: &[Belly]) -> Corners<'_> {
        let stamp = self.lay(body, wanted, shown);
        self.sections.resize(body.n_section(), Section::default());
        state.sections(body, &mut self.sections);
        Corners::Lofted { corners: Stamped { of: &self.corners, stamp }, sections: &self.sections }
    }

    /// Corners, as they are or anew.
    fn lay(&mut self, body: &Body, wanted: Laid, shown: &[Belly]) -> Stamp {
        if let Some((laid, stamp)) = self.laid
            && laid == wanted
        {
            return stamp;
        }
        let mut corners = Vec::with_capacity(self.corners.len());
        for belly in shown {
            let places: Vec<Vec2> = body.points_in_sections(belly.muscle).collect();
            corners_of(&places, belly.sectors.into(), body.first_section(belly.muscle) as u32, &mut corners);
        }
        // most edits leave them where they lie
        let before = self.laid.map(|(_, stamp)| stamp).filter(|_| self.corners == corners);
        let stamp = before.unwrap_or_else(Stamp::new);
        (self.corners, self.laid) = (corners, Some((wanted, stamp)));
        stamp
    }
}

/// Corners of one belly, ring by ring. Its ends, which may be points, have nothing around them and take their neighbours'.
fn corners_of(places: &[Vec2], sectors: usize, first: u32, corners: &mut Vec<Corner>) {
    let last = (places.len() / sectors).saturating_sub(1);
    for i in 0..=last {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
        let around = i.max(1).min(last.saturating_sub(1));
        let at = |ring: usize, j: usize| places[ring * sectors + j % sectors];
        corners.extend((0..sectors).map(|j| Corner {
            place: at(i, j),
            around: at(around, j + 1) - at(around, j + sectors - 1),
            before: at(before, j),
            after: at(after, j),
            sections: [i, before, after, around].map(|ring| first + ring as u32),
        }));
    }
}
