//! The line a muscle follows from origin to insertion.

use super::Attachment;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// First dial: the action line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Path {
    /// Quadratic Bezier over origin, a middle point that a spring may hold, and insertion (Lee 3.1).
    Bezier {
        /// Middle control point from the chord's midpoint, metres, in the chord's frame:
        /// x along the chord, y toward the up-vector, z across both.
        #[serde(default)]
        offset: Vec3,
        /// Where along the curve the rings sit.
        #[serde(default)]
        spacing: Spacing,
        /// How far the joints of the skin over the belly's middle hold it where they carry it, 0 ..= 1. At 0 the chord alone
        /// places it (Lee); a chord between two moving bones cuts corners, and the belly with it leaves the body. Ours.
        #[serde(default)]
        held: f32,
    },
    /// Straight pieces from origin over via points to insertion, with a tendon at each end (Pratscher 3.2, Murai 3.2). The
    /// tendons keep their length; the belly between them takes up every change. Bellies bend round a via point, they do not
    /// break there.
    Polyline {
        /// Hinges between origin and insertion, in order, each carried by its own joint; at most 16.
        #[serde(default)]
        via: Vec<Attachment>,
        /// Lengths of the tendons at origin and insertion, metres. Where the path leaves the belly less than a twentieth of
        /// what it has at rest, they shrink in proportion.
        #[serde(default)]
        tendons: [f32; 2],
    },
    /// Several bellies side by side from a curve of origins to a curve of insertions, lofted to one closed surface (Saam V-B):
    /// pectoralis, latissimus, trapezius. The muscle's own origin and insertion are the ends of its middle line, where its
    /// frame, its length and the rings that layers follow hang; its profile is that of one belly.
    Sheet {
        /// Where the bellies begin, in order across the sheet, each point carried by its own joint: 1 ..= 16. A single point
        /// is where all of them meet, as in a fan; only one of the two curves may be that.
        origin: Vec<Attachment>,
        /// Where they pass half-way, bent round what lies below them: 0 ..= 16; without it they run straight. Ours: the paper
        /// leaves it to the rig.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        middle: Vec<Attachment>,
        /// Where they end: 1 ..= 16.
        insertion: Vec<Attachment>,
        /// How many bellies there are, 1 ..= 16: the first joins the first points of the curves, the last the last, the others
        /// equal shares of the points between.
        #[serde(default = "three")]
        bellies: u8,
        /// Lengths of the tendons at origin and insertion of every belly, metres; as in a polyline.
        #[serde(default)]
        tendons: [f32; 2],
    },
}

fn three() -> u8 {
    3
}

impl Default for Path {
    fn default() -> Self {
        Self::Bezier { offset: Vec3::ZERO, spacing: Spacing::default(), held: 0.0 }
    }
}

/// Where along a curve the rings sit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Equal distances along the curve (ours).
    #[default]
    ArcLength,
    /// Equal steps of the curve's parameter (the paper's).
    Parameter,
}
