//! How the skin follows: joints first, then layers of muscle.

use super::Tissue;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// How joints move the skin before any muscle does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// Linear blend (Lee eq. 13): what engines do.
    #[default]
    Linear,
    /// Dual quaternions: keeps volume where a joint twists.
    DualQuaternion,
}

/// One thing muscles do to the skin; layers run in order, each from what the one before left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Layer {
    /// Smooth skinning to the nearest belly vertices (Lee eq. 14-15).
    Blend {
        /// N_m: how many belly vertices a skin vertex follows, 1 ..= 16.
        #[serde(default = "nearest")]
        nearest: u8,
    },
    /// Ellipsoids that push and drag the skin around them (Pratscher 4.2-4.3), one after the other in the order of the
    /// muscles. E is a muscle's ellipsoid at rest, carried by its bone; E2 is the ellipsoid as it is now. Radii are counted in
    /// the ellipsoid's own space, where its surface is at 1.
    Shells {
        /// Names of the muscles that take part; empty is all of them.
        #[serde(default)]
        muscles: Vec<String>,
        /// d: where influence ends, 1 + d; 0.0001 ..= 10.
        #[serde(default = "one")]
        drop_off: f32,
        /// s: where points are drawn to, 1 + (1 - s) d; 0 ..= 1.
        #[serde(default = "half")]
        stickiness: f32,
        /// h: up to where that has its full strength, 1 + h d; 0 ..= 0.999.
        #[serde(default = "half")]
        hardness: f32,
        /// w: strength of the whole layer, times every vertex' own weight; 0 ..= 1.
        #[serde(default = "one")]
        weight: f32,
        /// How points come back from the ellipsoid's space.
        #[serde(default)]
        mode: ShellMode,
    },
    /// The skin moves away from a muscle's line as far as the muscle has grown under it, and slides over it (Ramos 3).
    Displace {
        /// Names of the muscles that take part; empty is all of them.
        #[serde(default)]
        muscles: Vec<String>,
        /// How near the skin may come to the muscle, metres, >= 0; nearer at bind stays as near.
        #[serde(default = "fat")]
        fat: f32,
        /// Which way it moves.
        #[serde(default)]
        along: Along,
    },
    /// Every vertex hangs on the nearest point of each belly that weighs on it, and goes where the belly's surface takes it
    /// (Saam VI-A).
    Wrap {
        /// Names of the muscles that take part; empty is all of them.
        #[serde(default)]
        muscles: Vec<String>,
        /// s: how much of its distance from the belly the skin gives up for the belly's motion, 0 ..= 1. At 0 it keeps all
        /// of it, at 1 it moves as the point of the belly under it does.
        #[serde(default)]
        shrink: f32,
        /// What of the surface turns the skin over it.
        #[serde(default)]
        frame: WrapFrame,
        /// How much of a belly's sliding along the limb the skin takes part in, 0 ..= 1; 1 is the paper's. Ours: on a whole
        /// body skin that takes part in everything tears between neighbours.
        #[serde(default = "one")]
        slide: f32,
        /// How much of a belly's sinking into the limb, 0 ..= 1; 1 is the paper's. What goes outward it always follows.
        #[serde(default = "one")]
        sink: f32,
    },
    /// Bones push the skin that lies over them (Saam VI-B): a vertex is pushed out of a bone until it is as far from it as
    /// it was at bind, or as the fat over it is thick. Always from where the layers before left it, so that bones slide under
    /// the skin.
    Slide {
        /// Names of the bones that take part; empty is all of them.
        #[serde(default)]
        bones: Vec<String>,
        /// Farthest a vertex is ever pushed, metres; 0 ..= 10.
        #[serde(default = "farthest")]
        max: f32,
        /// How near a bone a vertex must lie at bind to feel it, metres; 0.0001 ..= 1. From half of it on the push fades
        /// out, so that there is no crease.
        #[serde(default = "reach")]
        reach: f32,
        /// Thickness of skin and fat over bones, metres; 0 ..= 1. Skin that was farther from a bone lets it come as near.
        #[serde(default = "bone_fat")]
        fat: f32,
    },
    /// Skin and bellies get mass and hang together by springs and dampers (Murai 3.3): they jiggle, sag and give way. The
    /// last layer, and the only one of its kind.
    Tissue(Tissue),
}

/// Which way a muscle that has grown moves the skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// Away from the muscle's line.
    #[default]
    Radius,
    /// Toward the muscle's up-vector.
    Up,
}

/// What of a belly's surface turns the skin that wraps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapFrame {
    /// Its normal alone, by the smallest rotation (the paper's).
    #[default]
    Normal,
    /// Its normal and a tangent, so that the skin follows twist too (ours).
    Full,
}

/// How points come back from the space of an ellipsoid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum ShellMode {
    /// Through E: points are only drawn to the sticky shell (Pratscher 4.2.1).
    Basic {
        /// As printed: points that lie off the sticky shell at rest are drawn to it even there. The one setting of this
        /// library that changes the artist's skin at rest.
        #[serde(default)]
        paper: bool,
    },
    /// Through E2 inside the ellipsoid, through E beyond the drop-off, between them in between (Pratscher 4.3).
    Stretch {
        /// l: above 1 the skin slides over the muscle, below it clings; 0.05 ..= 20.
        #[serde(default = "one")]
        slippage: f32,
    },
    /// Stretch along a curve from the centre of E to that of E2 (Pratscher 4.3.1).
    Trajectory {
        /// As in stretch.
        #[serde(default = "one")]
        slippage: f32,
        /// How far the curve leaves the straight line at even steps between its ends, in lengths of that line, in the space
        /// of the bone that carries the muscle; at most 16.
        #[serde(default)]
        offsets: Vec<Vec3>,
    },
    /// Stretch whose sticky shell swells with the belly's own sculpted shape (Pratscher 4.3.2). It differs from stretch for
    /// muscles with [`Contraction::PoseShapes`](super::Contraction::PoseShapes).
    Star {
        /// As in stretch.
        #[serde(default = "one")]
        slippage: f32,
    },
}

impl Default for ShellMode {
    fn default() -> Self {
        Self::Stretch { slippage: one() }
    }
}

fn fat() -> f32 {
    0.004
}
fn nearest() -> u8 {
    4
}
fn one() -> f32 {
    1.0
}
fn half() -> f32 {
    0.5
}
fn farthest() -> f32 {
    0.015
}
fn reach() -> f32 {
    0.02
}
fn bone_fat() -> f32 {
    0.006
}

impl Layer {
    /// Names of the muscles that take part, empty for all of them; none for layers that take all there are.
    pub fn muscles_mut(&mut self) -> Option<&mut Vec<String>> {
        match self {
            Self::Displace { muscles, .. } | Self::Shells { muscles, .. } | Self::Wrap { muscles, .. } => Some(muscles),
            Self::Tissue(tissue) => Some(&mut tissue.muscles),
            Self::Blend { .. } | Self::Slide { .. } => None,
        }
    }

    /// Lee's layer with his own count.
    #[must_use]
    pub fn blend() -> Self {
        Self::Blend { nearest: nearest() }
    }

    /// Ramos' layer: every muscle moves the skin away from its line.
    #[must_use]
    pub fn displace() -> Self {
        Self::Displace { muscles: Vec::new(), fat: fat(), along: Along::default() }
    }

    /// Pratscher's layer: every muscle stretches the skin around it.
    #[must_use]
    pub fn shells() -> Self {
        Self::Shells {
            muscles: Vec::new(),
            drop_off: one(),
            stickiness: half(),
            hardness: half(),
            weight: one(),
            mode: ShellMode::default(),
        }
    }

    /// Saam's layer: every muscle carries the skin over it.
    #[must_use]
    pub fn wrap() -> Self {
        Self::Wrap { muscles: Vec::new(), shrink: 0.0, frame: WrapFrame::default(), slide: one(), sink: one() }
    }

    /// Murai's layer, with the constants of his Table 1.
    #[must_use]
    pub fn tissue() -> Self {
        Self::Tissue(Tissue::default())
    }

    /// Saam's layer: every bone pushes the skin over it.
    #[must_use]
    pub fn slide() -> Self {
        Self::Slide { bones: Vec::new(), max: farthest(), reach: reach(), fat: bone_fat() }
    }
}

/// How faces share their normals with vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormalWeighting {
    /// By area: cheapest, and kind to even meshes.
    #[default]
    Area,
    /// By the angle of the face's corner: independent of how a polygon was cut into triangles.
    Angle,
}
