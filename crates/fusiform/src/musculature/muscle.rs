//! One muscle: where it holds on, and its choice on each of the four dials.

use super::{Contraction, Dynamics, Influence, Path, Profile};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A muscle as its author edits it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Muscle {
    /// Unique in the document; left and right twins end in `.l` and `.r`.
    pub name: String,
    /// Where it begins, usually on the bone that moves less.
    pub origin: Attachment,
    /// Where it ends, usually on the bone it moves.
    pub insertion: Attachment,
    /// The line it follows between them.
    pub path: Path,
    /// How thick it is along that line, at rest.
    pub profile: Profile,
    /// How its section answers a change of length, and activation.
    pub contraction: Contraction,
    /// How it lags and jiggles.
    pub dynamics: Dynamics,
    /// How its rings keep from twisting.
    pub frame: FrameRule,
    /// Direction the rings' first axis leans to, in the origin joint's space; the joint's y-axis when absent.
    pub up: Option<Vec3>,
    /// Cross-sections along the belly, ends included: 3 ..= 64.
    pub rings: u16,
    /// Points around each cross-section: 3 ..= 64.
    pub sectors: u16,
    /// Hand-made or measured shape, on top of the profile.
    pub sculpt: Option<Sculpt>,
    /// How much of the belly's motion the skin over it takes part in.
    pub follow: Follow,
    /// Name of the joint that carries its ellipsoid at rest (a in Pratscher 3.2); the origin's when absent.
    pub carrier: Option<String>,
    /// Which skin it moves, where that is not painted or found by the shape of the body.
    pub influence: Option<Influence>,
}

impl Default for Muscle {
    /// 72 vertices, as in Lee's tests: nine rings of eight.
    fn default() -> Self {
        Self {
            name: String::new(),
            origin: Attachment::default(),
            insertion: Attachment::default(),
            path: Path::default(),
            profile: Profile::default(),
            contraction: Contraction::default(),
            dynamics: Dynamics::default(),
            frame: FrameRule::default(),
            up: None,
            rings: 9,
            sectors: 8,
            sculpt: None,
            follow: Follow::default(),
            carrier: None,
            influence: None,
        }
    }
}

/// How much of the belly's motion the skin over it takes part in, beside swelling, jiggle and what goes outward, which
/// it always follows. Each 0 ..= 1: 0 leaves the skin to its joints, 1 is Lee's layer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Follow {
    /// Of sliding along and around the limb: muscles glide under skin.
    pub slide: f32,
    /// Of sinking into the limb: a straight muscle cuts the corner of a bent joint, flesh does not.
    pub sink: f32,
    /// Of turning against the limb: a muscle carried by another bone than the skin over it would wring it.
    pub turn: f32,
}

impl Follow {
    /// The skin takes part in everything.
    pub const LEE: Self = Self { slide: 1.0, sink: 1.0, turn: 1.0 };
}

impl Default for Follow {
    fn default() -> Self {
        Self { slide: 0.1, sink: 0.1, turn: 0.1 }
    }
}

/// A point that a joint carries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Attachment {
    /// Name of the joint.
    pub joint: String,
    /// In the joint's space: metres, where files give the joint no scale.
    pub point: Vec3,
}

/// How the frame of a ring is found from its tangent (Lee eq. 1-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameRule {
    /// The bind frame, carried by the origin joint and turned by the smallest rotation onto the tangent (ours).
    #[default]
    Carried,
    /// The paper's two cross products every frame; may twist where the tangent passes the up-vector.
    Lee,
    /// Each half of the belly carried by a bone of its own, blended over the middle fifth (Murai 3.2): by the joint of
    /// whichever of its path's points is nearest to the half's middle at bind.
    Halves,
}

/// Factors on the profile, one per belly vertex, ring by ring (Lee's editable offsets o_ij over r_i).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sculpt {
    /// rings x sectors, >= 0, ring by ring from the origin; 1 leaves the profile as it is.
    pub factors: Vec<f32>,
}
