//! Spanning: a muscle between two places that somebody pointed at on the skin.
//!
//! ```text
//! places on the skin ─> ends, pressed in toward their bones ─> size, by the flesh half-way ─> seat ─> conform ─> even
//! ```

use crate::dress::Wear;
use crate::even::even;
use crate::place::spring;
use crate::seat::seat;
use crate::segments::{Segment, Segments};
use crate::template::Defaults;
use crate::weights::{merged, of};
use crate::{RigError, Surface, Toward, conform};
use fusiform::musculature::{Attachment, Contraction, Path, Profile, Spacing};
use fusiform::{Character, Mesh, Muscle, Skeleton};
use glam::Vec3;

/// How far below the skin an end lies, as a share of the way to the bone.
const PRESSED: f32 = 0.4;
/// Radius of the belly, as a share of the flesh between skin and bone half-way; and the least and most of the muscle's length.
const FLESH: f32 = 0.4;
const THICK: [f32; 2] = [0.04, 0.2];
/// Places nearer to each other than this share of the height span nothing.
const NEAREST: f32 = 0.01;
/// A new curve is held this much by the skin's joints at its middle, as the humanoid's muscles are.
pub const HELD: f32 = 0.7;

/// A place on the skin in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Index of the joint that carries it.
    pub joint: usize,
    /// Metres, model space.
    pub place: Vec3,
}

/// Where a muscle lies between two places.
struct Lie {
    ends: [Vec3; 2],
    /// Unit, out of the limb, at right angles to the chord.
    up: Vec3,
    /// Radius, m.
    size: f32,
    /// The joint whose bone its middle is nearest to.
    carrier: Option<usize>,
}

/// A muscle from one place to the other, conformed to the skin over it; it has no name and weighs on nothing yet.
///
/// # Errors
/// When the body has no triangle, the places are one, or the skeleton is not sound.
pub fn span(character: &Character, wear: &[Wear], holds: [Hold; 2], fat: f32) -> Result<Muscle, RigError> {
    let skeleton = &character.skeleton;
    let body: Vec<&Mesh> = of(character, wear, Wear::Body).collect();
    let surface = Surface::of_parts(body.iter().copied()).ok_or(RigError::NoSkin)?;
    let known = holds.iter().all(|hold| hold.joint < skeleton.joints.len() && hold.place.is_finite());
    if !known || holds[0].place.distance(holds[1].place) < NEAREST * character.height() {
        return Err(RigError::NoSpan);
    }
    let bones = Segments::new(skeleton, &merged(&body), character.height()).list;
    let Lie { ends, up, size, carrier } = lie(skeleton, &bones, &surface, holds);
    let values = Defaults { rings: 13, sectors: 12, held: HELD, ..Defaults::default() };
    let attach = |joint: usize, point: Vec3| {
        let joint = &skeleton.joints[joint];
        Attachment { joint: joint.name.clone(), point: joint.bind.inverse().transform_point3(point) }
    };
    let from_model = skeleton.joints[holds[0].joint].bind.inverse();
    let mut muscle = Muscle {
        origin: attach(holds[0].joint, ends[0]),
        insertion: attach(holds[1].joint, ends[1]),
        path: Path::Bezier { offset: Vec3::ZERO, spacing: Spacing::default(), held: values.held },
        profile: Profile::Sine { size, taper: values.taper, aspect: values.aspect },
        contraction: Contraction::Bulge {
            bulge: values.bulge,
            stretch_ratio: values.stretch_ratio,
            isometric: values.isometric,
        },
        dynamics: spring(&values, size, ends[0].distance(ends[1])),
        up: Some(from_model.transform_vector3(up).normalize_or(Vec3::Y)),
        rings: values.rings,
        sectors: values.sectors,
        carrier: carrier.map(|joint| skeleton.joints[joint].name.clone()),
        ..Muscle::default()
    };
    seat(skeleton, &surface, fat, true, &mut muscle);
    let muscles = std::slice::from_mut(&mut muscle);
    conform(skeleton, muscles, &[Toward::Outward], &surface, fat)?;
    even(skeleton, muscles)?;
    Ok(muscle)
}

fn lie(skeleton: &Skeleton, bones: &[Segment], surface: &Surface, holds: [Hold; 2]) -> Lie {
    let feet = holds.map(|hold| {
        let own = bones.iter().filter(|bone| bone.joint == hold.joint).map(|bone| bone.nearest(hold.place));
        let at_joint = Vec3::from(skeleton.joints[hold.joint].bind.translation);
        own.min_by(|a, b| nearer(hold.place, *a, *b)).unwrap_or(at_joint)
    });
    let ends = [0, 1].map(|i| holds[i].place.lerp(feet[i], PRESSED));
    let (middle, along) = (ends[0].midpoint(ends[1]), (ends[1] - ends[0]).normalize_or(Vec3::Y));
    let bone = bones.iter().min_by(|a, b| nearer(middle, a.nearest(middle), b.nearest(middle)));
    let to_bone = bone.map_or(0.0, |bone| bone.nearest(middle).distance(middle));
    let to_skin = surface.depth(middle).max(0.0);
    let length = ends[0].distance(ends[1]).max(f32::MIN_POSITIVE);
    let out = [holds[0].place - feet[0], holds[1].place - feet[1], surface.nearest(middle).point - middle];
    let out: Vec3 = out.into_iter().map(Vec3::normalize_or_zero).sum();
    Lie {
        ends,
        up: out.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector()),
        size: (FLESH * (to_skin + to_bone)).clamp(THICK[0] * length, THICK[1] * length),
        carrier: bone.map(|bone| bone.joint),
    }
}

fn nearer(to: Vec3, a: Vec3, b: Vec3) -> std::cmp::Ordering {
    a.distance_squared(to).total_cmp(&b.distance_squared(to))
}
