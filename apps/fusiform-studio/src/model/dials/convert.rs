//! From one kind of muscle to another: what both kinds know is kept, so that the belly stays about as large.

use crate::model::grip::{at_bind, curve_through, hinge_at_bind};
use fusiform::body::{RestBelly, rest_bellies};
use fusiform::musculature::{Attachment, Contraction, Dynamics, Path, PoseShape, Profile, Sculpt, Sigmoids};
use fusiform::{Muscle, Skeleton};
use glam::{Quat, Vec3};
use std::collections::BTreeMap;

/// No belly is made thinner, m.
const THINNEST: f32 = 1e-4;
/// A line whose middle leaves its chord by more than this share of it is bent.
const BENT: f32 = 0.04;
/// How far apart the outer bellies of a new sheet lie, as a share of its width; the rest is half a belly on either side.
const SPREAD: f32 = 2.0 / 3.0;
/// How far the joint of a first sculpted shape is turned.
const FIRST_POSE: f32 = std::f32::consts::FRAC_PI_2;

/// The shapes sculpted in poses; none for other contractions.
pub fn pose_shapes(contraction: &mut Contraction) -> &mut [PoseShape] {
    if let Contraction::PoseShapes { shapes, .. } = contraction { shapes } else { &mut [] }
}

/// Half-axes at the thickest place, m: across the up-vector and toward it.
fn thickest(profile: &Profile) -> (f32, f32) {
    match *profile {
        Profile::Sine { size, aspect, .. } => (size, size * aspect),
        Profile::Ellipsoid { width, height } => (width, height),
        Profile::TwoCubics { peak, ellipse, .. } => (peak, peak * ellipse),
        Profile::Sigmoid { shape, flat } => {
            let long = shape.radius(0.5);
            let short = long * shape.flatness();
            if flat { (long, short) } else { (short, long) }
        }
        _ => (0.02, 0.02),
    }
}

/// A profile of that kind, as thick as that.
fn shaped(option: usize, (width, height): (f32, f32)) -> Profile {
    let (width, height) = (width.max(THINNEST), height.max(THINNEST));
    let aspect = sound(height / width);
    match option {
        0 => Profile::Sine { size: width, taper: 1.0, aspect },
        1 => Profile::Ellipsoid { width, height },
        2 => {
            let (ends, slopes) = ([0.1 * width; 2], [2.0 * width, -2.0 * width]);
            Profile::TwoCubics { peak_at: 0.5, peak: width, ends, slopes, ellipse: aspect }
        }
        _ => {
            let (long, short) = (width.max(height), width.min(height));
            Profile::Sigmoid { shape: Sigmoids::spindle(long, short / long), flat: width > height }
        }
    }
}

pub fn profile(muscle: &mut Muscle, option: usize) {
    muscle.profile = shaped(option, thickest(&muscle.profile));
    if matches!(muscle.contraction, Contraction::Identified { .. }) {
        muscle.contraction = Contraction::default(); // its rates are those of two sigmoids
    }
}

/// Make a profile so many times as wide; its height and all else that is known of it stay.
fn widen(profile: &mut Profile, times: f32) {
    let (width, height) = thickest(profile);
    match profile {
        Profile::Sine { size, aspect, .. } => (*size, *aspect) = (*size * times, sound(*aspect / times)),
        Profile::Ellipsoid { width, .. } => *width *= times,
        Profile::TwoCubics { peak, ends, slopes, ellipse, .. } => {
            *peak *= times;
            ends.iter_mut().chain(slopes).for_each(|radius| *radius *= times);
            *ellipse = sound(*ellipse / times);
        }
        Profile::Sigmoid { shape, flat } => {
            let width = width * times;
            let (long, short) = (width.max(height), width.min(height));
            let longer = long / shape.radius(0.5);
            let radii = |[k1, k2, k3, k4]: [f32; 4]| [k1, k2, k3 * longer, k4 * longer];
            let eccentricity = Sigmoids::spindle(long, short / long).eccentricity;
            let [origin, insertion] = [shape.origin, shape.insertion].map(radii);
            (*shape, *flat) = (Sigmoids { origin, insertion, eccentricity }, width > height);
        }
        _ => {}
    }
}

/// Height over width as a profile may have it.
fn sound(aspect: f32) -> f32 {
    aspect.clamp(0.01, 100.0)
}

/// The muscle as it lies in the bind pose, if it is sound.
fn at_rest(muscle: &Muscle, skeleton: &Skeleton) -> Option<RestBelly> {
    rest_bellies(skeleton, std::slice::from_ref(muscle)).ok()?.pop()
}

pub fn contraction(muscle: &mut Muscle, option: usize, skeleton: &Skeleton) {
    let isometric = match &muscle.contraction {
        Contraction::Bulge { isometric, .. }
        | Contraction::Tone { isometric, .. }
        | Contraction::PoseShapes { isometric, .. }
        | Contraction::Cones { isometric, .. } => *isometric,
        _ => 0.25,
    };
    let tone = match &muscle.contraction {
        Contraction::Tone { tone, .. } | Contraction::PoseShapes { tone, .. } => *tone,
        _ => 1.0,
    };
    muscle.contraction = match option {
        0 => Contraction::Bulge { bulge: tone, stretch_ratio: 2.0, isometric },
        1 => Contraction::Tone { tone, isometric },
        2 => Contraction::PoseShapes { shapes: vec![first_shape(muscle)], tone, isometric },
        3 => match Contraction::cones() {
            Contraction::Cones { volume, .. } => Contraction::Cones { volume, isometric: isometric.min(4.0) },
            other => other,
        },
        4 => Contraction::tension_ratio(),
        _ => return identified(muscle, isometric, skeleton),
    };
}

/// Two sigmoids on one line, which keep their volume until something is known of them.
fn identified(muscle: &mut Muscle, isometric: f32, skeleton: &Skeleton) {
    if matches!(muscle.path, Path::Sheet { .. }) {
        path(muscle, 1, skeleton);
    }
    if !matches!(muscle.profile, Profile::Sigmoid { .. }) {
        muscle.profile = shaped(3, thickest(&muscle.profile));
    }
    let length = at_rest(muscle, skeleton).map_or(0.3, |rest| rest.belly_length);
    if let Profile::Sigmoid { shape, .. } = &muscle.profile {
        muscle.contraction = Contraction::presumed(shape, length, isometric);
    }
}

/// Where the insertion's joint is bent by a right angle, the muscle looks as it does at bind, until it is sculpted. In the
/// window the pose that is seen takes the place of that one.
fn first_shape(muscle: &Muscle) -> PoseShape {
    let n = usize::from(muscle.rings) * usize::from(muscle.sectors);
    let sculpt = muscle.sculpt.clone().unwrap_or(Sculpt { factors: vec![1.0; n] });
    PoseShape { turns: BTreeMap::from([(muscle.insertion.joint.clone(), Quat::from_rotation_x(FIRST_POSE))]), sculpt }
}

pub fn dynamics(dynamics: &mut Dynamics, option: usize) {
    let before = dynamics.clone();
    *dynamics = match option {
        0 => Dynamics::None,
        1 => Dynamics::default(),
        _ => Dynamics::soft_body(),
    };
    match (before, dynamics) {
        (
            Dynamics::SoftBody { goal, mass: m, damping: d, reach: r, .. },
            Dynamics::Spring { stiffness, mass, damping, reach, .. },
        ) => (*stiffness, *mass, *damping, *reach) = (goal, m, d, r),
        (
            Dynamics::Spring { stiffness, mass: m, damping: d, reach: r, .. },
            Dynamics::SoftBody { goal, mass, damping, reach, .. },
        ) => (*goal, *mass, *damping, *reach) = (stiffness, m, d, r),
        _ => {}
    }
}

/// A muscle's two ends and the middle of its belly at bind, and the way across the chord and the up-vector there.
struct Lie {
    ends: [Vec3; 2],
    middle: Vec3,
    across: Vec3,
}

impl Lie {
    fn of(muscle: &Muscle, skeleton: &Skeleton) -> Self {
        let ends = [&muscle.origin, &muscle.insertion].map(|end| place(skeleton, end));
        let straight = ends[0].midpoint(ends[1]);
        let middle = at_rest(muscle, skeleton).and_then(|rest| rest.rings.get(rest.rings.len() / 2).copied());
        let along = (ends[1] - ends[0]).try_normalize().unwrap_or(Vec3::X);
        let up = middle.map_or(Vec3::Y, |ring| ring.b).reject_from_normalized(along);
        let up = up.try_normalize().unwrap_or(along.any_orthonormal_vector());
        let middle = hinge_at_bind(skeleton, muscle).or(middle.map(|ring| ring.center)).unwrap_or(straight);
        Self { ends, middle, across: along.cross(up) }
    }

    /// From the chord's midpoint to the belly's middle.
    fn bend(&self) -> Vec3 {
        self.middle - self.ends[0].midpoint(self.ends[1])
    }

    fn is_bent(&self) -> bool {
        self.bend().length() > BENT * self.ends[0].distance(self.ends[1])
    }
}

fn place(skeleton: &Skeleton, end: &Attachment) -> Vec3 {
    at_bind(skeleton, end).unwrap_or(end.point)
}

/// A point of model space, carried by the joint of another.
fn beside(skeleton: &Skeleton, end: &Attachment, point: Vec3) -> Attachment {
    let bind = skeleton.find(&end.joint).map(|joint| skeleton.joints[joint].bind);
    let point = bind.map_or(point, |bind| bind.inverse().transform_point3(point));
    Attachment { joint: end.joint.clone(), point }
}

/// How wide a sheet is on the whole over one of its bellies.
fn breadth(muscle: &Muscle, skeleton: &Skeleton) -> f32 {
    let Path::Sheet { origin, insertion, .. } = &muscle.path else { return 1.0 };
    let span = |curve: &[Attachment]| -> f32 {
        curve.windows(2).map(|pair| place(skeleton, &pair[0]).distance(place(skeleton, &pair[1]))).sum()
    };
    let width = thickest(&muscle.profile).0.max(THINNEST);
    1.0 + 0.25 * (span(origin) + span(insertion)) / width
}

pub fn path(muscle: &mut Muscle, option: usize, skeleton: &Skeleton) {
    let lie = Lie::of(muscle, skeleton);
    let width = thickest(&muscle.profile).0.max(THINNEST);
    let tendons = match &muscle.path {
        Path::Polyline { tendons, .. } | Path::Sheet { tendons, .. } => *tendons,
        _ => [0.0; 2],
    };
    // bellies of a sheet share its width
    if matches!(muscle.path, Path::Sheet { .. }) {
        let times = breadth(muscle, skeleton);
        widen(&mut muscle.profile, times);
    }
    let via = beside(skeleton, &muscle.origin, lie.middle);
    match option {
        0 => {
            let curve = curve_through(skeleton, muscle, lie.middle);
            curve.into_iter().for_each(|curve| muscle.path = curve);
        }
        1 => {
            let via = if lie.is_bent() { vec![via] } else { Vec::new() };
            muscle.path = Path::Polyline { via, tendons };
        }
        _ => {
            let half = SPREAD * width * lie.across;
            let curve = |end: &Attachment, point: Vec3| {
                vec![beside(skeleton, end, point - half), beside(skeleton, end, point + half)]
            };
            let (origin, insertion) = (curve(&muscle.origin, lie.ends[0]), curve(&muscle.insertion, lie.ends[1]));
            let middle = if lie.is_bent() { curve(&muscle.origin, lie.middle) } else { Vec::new() };
            muscle.path = Path::Sheet { origin, middle, insertion, bellies: 3, tendons };
            widen(&mut muscle.profile, 1.0 - SPREAD);
            if matches!(muscle.contraction, Contraction::Identified { .. }) {
                muscle.contraction = Contraction::default(); // it is for one line
            }
        }
    }
}
