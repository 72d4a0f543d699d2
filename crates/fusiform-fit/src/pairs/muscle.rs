//! One muscle of a pair: where it holds on, and its choice on the four dials.

use super::Fleshy;
use crate::place::spring;
use crate::preset::{sigmoid, two_cubics};
use crate::segments::Segment;
use crate::span::HELD;
use crate::template::Defaults;
use crate::{Preset, Surface};
use fusiform::musculature::{Attachment, Contraction, Dynamics, Path, Profile, Spacing};
use fusiform::{Muscle, Skeleton};
use glam::{Mat3, Quat, Vec3};

/// How far beyond the joint a muscle is inserted, as a share of the next bone; never more than this share of its own.
const BEYOND: f32 = 0.2;
const AT_MOST: f32 = 0.25;
/// How far off the joint its tendon runs, as a share of the way to the skin there, or of the belly's half-height where a joint
/// lies at the skin.
const LEVER: f32 = 0.5;

/// The ellipsoid of a muscle, model space, in the bind pose.
pub(super) struct Belly {
    /// Of its long axis.
    pub ends: [Vec3; 2],
    /// Unit, out of the body.
    pub up: Vec3,
    /// Half-axis toward `up`, metres.
    pub height: f32,
    /// Half-axis across both.
    pub width: f32,
}

impl Belly {
    /// The smaller of its half-axes across.
    pub fn thinnest(&self) -> f32 {
        self.height.min(self.width)
    }
}

/// Where a muscle's tendons hold on, model space, in the bind pose.
pub(super) struct Holds {
    origin: Vec3,
    insertion: Vec3,
    /// Where the tendon is led over the joint, as over a knee-cap, carried by the bone. A flexor has none: its joint folds
    /// away from under it.
    over: Option<Vec3>,
    joints: [usize; 2],
}

impl Holds {
    /// Of the muscle on that side of the bone.
    pub fn new(
        own: &Fleshy,
        (normal, led_over): (Vec3, bool),
        belly: &Belly,
        surface: &Surface,
        model: Preset,
    ) -> Self {
        let Fleshy { bone, next, .. } = own;
        let off = (belly.ends[0] - bone.from).reject_from(bone.along());
        let reach = surface.hit(bone.to, normal).unwrap_or(belly.height);
        let lever = (LEVER * reach).max(LEVER * belly.height).min(AT_MOST * bone.length());
        let out = Quat::from_rotation_arc(bone.along(), next.along()) * normal;
        // A chord cannot be led over a joint: it ends at the knee-cap itself.
        let is_short = led_over && model == Preset::Lee;
        let beyond = (BEYOND * next.length()).min(AT_MOST * bone.length()).max(0.5 * lever);
        let beyond = if is_short { 0.0 } else { beyond };
        Self {
            origin: bone.from + off * LEVER,
            insertion: bone.to + next.along() * beyond + out * lever,
            over: led_over.then(|| bone.to + (normal + out).normalize_or(normal) * lever),
            joints: [own.origin, next.joint],
        }
    }
}

/// The muscle as its author would edit it.
pub(super) fn muscle(
    skeleton: &Skeleton,
    name: String,
    bone: &Segment,
    holds: &Holds,
    belly: &Belly,
    model: Preset,
) -> Muscle {
    let own = &skeleton.joints[bone.joint];
    let attach = |joint: usize, point: Vec3| Attachment {
        joint: skeleton.joints[joint].name.clone(),
        point: skeleton.joints[joint].bind.inverse().transform_point3(point),
    };
    let Belly { width, height, .. } = *belly;
    let hinges = belly.ends.iter().chain(&holds.over).map(|&point| attach(bone.joint, point)).collect();
    // Seating measures the tendons.
    let line = Path::Polyline { via: hinges, tendons: [0.0; 2] };
    let (path, profile, contraction, dynamics) = match model {
        Preset::Pratscher => (
            line,
            Profile::Ellipsoid { width, height },
            Contraction::Tone { tone: 1.0, isometric: 0.25 },
            Dynamics::None,
        ),
        Preset::Ramos => (line, two_cubics(width, height), Contraction::cones(), Dynamics::None),
        Preset::Murai => {
            let (profile, contraction) = sigmoid(width, height, Defaults::default().isometric);
            (line, profile, contraction, Dynamics::None)
        }
        Preset::Saam => {
            (line, Profile::Ellipsoid { width, height }, Contraction::tension_ratio(), Dynamics::soft_body())
        }
        Preset::Lee => {
            let values = Defaults { aspect: height / width, ..Defaults::default() };
            let length = holds.origin.distance(holds.insertion);
            let contraction = Contraction::Bulge {
                bulge: values.bulge,
                stretch_ratio: values.stretch_ratio,
                isometric: values.isometric,
            };
            (
                Path::Bezier { offset: bow(holds, belly), spacing: Spacing::Parameter, held: HELD },
                Profile::Sine { size: width, taper: values.taper, aspect: values.aspect },
                contraction,
                spring(&values, width, length),
            )
        }
    };
    Muscle {
        name,
        origin: attach(holds.joints[0], holds.origin),
        insertion: attach(holds.joints[1], holds.insertion),
        up: Some(skeleton.joints[holds.joints[0]].bind.inverse().transform_vector3(belly.up).normalize_or(Vec3::Y)),
        path,
        profile,
        contraction,
        dynamics,
        rings: 13,
        sectors: 12,
        carrier: Some(own.name.clone()),
        ..Muscle::default()
    }
}

/// Middle control point, in the chord's frame, of a curve that passes through the ellipsoid's centre.
fn bow(holds: &Holds, belly: &Belly) -> Vec3 {
    let along = (holds.insertion - holds.origin).normalize_or(Vec3::X);
    let up = belly.up.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
    let out = belly.ends[0].midpoint(belly.ends[1]) - holds.origin.midpoint(holds.insertion);
    let offset = 2.0 * (Mat3::from_cols(along, up, along.cross(up)).transpose() * out);
    // The middle control point stays between the ends, or rings would change their order.
    let most = 0.4 * holds.origin.distance(holds.insertion);
    offset.with_x(offset.x.clamp(-most, most))
}
