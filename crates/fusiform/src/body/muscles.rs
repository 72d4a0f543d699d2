//! The muscles of a body as they run: one array per property, row `i` is muscle `i`. No names, no `Option`, no serde.

use super::contract::Bulge;
use super::frame;
use super::lanes::{LANES, Lane, Lane3};
use super::path::{Bezier, parameter_at};
use super::spring::Oscillator;
use crate::character::Skeleton;
use crate::musculature::{Contraction, Dynamics, FrameRule, Integrator, Muscle, Path, Physique, Profile, Spacing};
use glam::{Mat3, Vec2, Vec3};

/// Constants of every muscle of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MuscleTable {
    pub origin_joint: Box<[u16]>,          // n_muscle
    pub insertion_joint: Box<[u16]>,       // n_muscle
    pub origin: Box<[Vec3]>,               // n_muscle  m, origin joint's space
    pub insertion: Box<[Vec3]>,            // n_muscle  m, insertion joint's space
    pub chord: Box<[Vec3]>,                // n_muscle  unit, model space at bind
    pub chord_b: Box<[Vec3]>,              // n_muscle  unit, at right angles to it
    pub up: Box<[Vec3]>,                   // n_muscle  unit, model space at bind
    pub offset: Box<[Vec3]>,               // n_muscle  m, chord frame
    pub rest_length: Box<[f32]>,           // n_muscle  m, > 0
    pub rule: Box<[FrameRule]>,            // n_muscle
    pub spacing: Box<[Spacing]>,           // n_muscle
    pub bulge: Box<[Bulge]>,               // n_muscle
    pub spring: Box<[Option<Oscillator>]>, // n_muscle
    pub integrator: Box<[Integrator]>,     // n_muscle
    pub ring_start: Box<[u32]>,            // n_muscle + 1  rows of the ring output
    pub block_start: Box<[u32]>,           // n_muscle + 1  rows of `s`, `tangent`, `b`
    pub s: Box<[Lane]>,                    // n_block  share of the belly's length; the last ring repeats
    pub tangent: Box<[Lane3]>,             // n_block  unit, model space at bind
    pub b: Box<[Lane3]>,                   // n_block  unit, at right angles to it
    pub point_start: Box<[u32]>,           // n_muscle + 1  rows of the belly points
    pub point_offset: Box<[Vec2]>,         // n_point  m, along b and c of its ring, at rest
    pub rest: Box<[RestBelly]>,            // n_muscle  the bellies at bind, for layers that are made from them
}

impl MuscleTable {
    pub fn len(&self) -> usize {
        self.rest_length.len()
    }

    pub fn n_ring(&self) -> usize {
        self.ring_start.last().map_or(0, |&n| n as usize)
    }

    pub fn n_point(&self) -> usize {
        self.point_start.last().map_or(0, |&n| n as usize)
    }

    /// Build the table; `muscles` have been checked against `skeleton`.
    pub fn new(skeleton: &Skeleton, muscles: &[Muscle], physique: &Physique, height: f32) -> Self {
        let rest: Vec<Rest> = muscles.iter().map(|m| Rest::new(skeleton, m, height)).collect();
        let joint = |name: &str| skeleton.find(name).unwrap_or(0) as u16;
        let starts = |count: fn(&Muscle) -> usize| {
            let ends = muscles.iter().scan(0, move |sum, m| {
                *sum += count(m) as u32;
                Some(*sum)
            });
            std::iter::once(0).chain(ends).collect::<Box<[u32]>>()
        };
        let blocks: Vec<_> = rest.iter().flat_map(Rest::blocks).collect();
        Self {
            origin_joint: muscles.iter().map(|m| joint(&m.origin.joint)).collect(),
            insertion_joint: muscles.iter().map(|m| joint(&m.insertion.joint)).collect(),
            origin: muscles.iter().map(|m| m.origin.point).collect(),
            insertion: muscles.iter().map(|m| m.insertion.point).collect(),
            chord: rest.iter().map(|r| r.chord).collect(),
            chord_b: rest.iter().map(|r| r.chord_b).collect(),
            up: rest.iter().map(|r| r.up).collect(),
            offset: muscles.iter().map(|m| path(m).0).collect(),
            rest_length: rest.iter().map(|r| r.length).collect(),
            rule: muscles.iter().map(|m| m.frame).collect(),
            spacing: muscles.iter().map(|m| path(m).1).collect(),
            bulge: muscles.iter().map(|m| bulge(m, physique)).collect(),
            spring: muscles.iter().map(|m| spring(m, physique).map(|s| s.0)).collect(),
            integrator: muscles.iter().map(|m| spring(m, physique).map_or(Integrator::Exact, |s| s.1)).collect(),
            ring_start: starts(|m| usize::from(m.rings)),
            block_start: starts(|m| usize::from(m.rings).div_ceil(LANES)),
            s: blocks.iter().map(|b| b.0).collect(),
            tangent: blocks.iter().map(|b| b.1).collect(),
            b: blocks.iter().map(|b| b.2).collect(),
            point_start: starts(|m| usize::from(m.rings) * usize::from(m.sectors)),
            point_offset: muscles.iter().flat_map(|m| point_offsets(m, physique)).collect(),
            rest: muscles.iter().map(|m| rest_belly(skeleton, m, physique, height)).collect(),
        }
    }
}

fn path(muscle: &Muscle) -> (Vec3, Spacing) {
    match muscle.path {
        Path::Bezier { offset, spacing } => (offset, spacing),
    }
}

fn bulge(muscle: &Muscle, physique: &Physique) -> Bulge {
    match muscle.contraction {
        Contraction::Bulge { bulge, stretch_ratio, isometric } => {
            Bulge { bulge: bulge * physique.bulge, stretch: 1.0 / stretch_ratio, isometric }
        }
    }
}

fn spring(muscle: &Muscle, physique: &Physique) -> Option<(Oscillator, Integrator)> {
    match muscle.dynamics {
        Dynamics::None => None,
        Dynamics::Spring { stiffness, mass, damping, integrator } => {
            let oscillator = Oscillator {
                stiffness: stiffness * physique.stiffness / mass,
                damping: 60.0 * damping * physique.damping,
            };
            Some((oscillator, integrator))
        }
    }
}

/// Half-axes of the section at share `s` of the belly: along b (toward the up-vector) and along c.
fn half_axes(profile: &Profile, s: f32) -> Vec2 {
    match *profile {
        // eq. 4: r = S sin(π s)^T, end rings exactly zero
        Profile::Sine { size, taper, aspect } => {
            let ends = s <= 0.0 || s >= 1.0;
            let sine = if ends { 0.0 } else { libm::sinf(std::f32::consts::PI * s).max(0.0) };
            let radius = size * libm::powf(sine, taper);
            Vec2::new(radius * aspect, radius)
        }
    }
}

fn share(ring: usize, muscle: &Muscle) -> f32 {
    ring as f32 / f32::from(muscle.rings - 1)
}

/// Offsets of all belly points from their ring's centre, along its b and c, at rest.
fn point_offsets(muscle: &Muscle, physique: &Physique) -> Vec<Vec2> {
    let (rings, sectors) = (usize::from(muscle.rings), usize::from(muscle.sectors));
    let point = |i: usize| {
        let axes = half_axes(&muscle.profile, share(i / sectors, muscle)) * physique.size;
        let angle = std::f32::consts::TAU * (i % sectors) as f32 / sectors as f32;
        let factor = muscle.sculpt.as_ref().map_or(1.0, |sculpt| sculpt.factors[i]);
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * axes * factor
    };
    (0..rings * sectors).map(point).collect()
}

/// A muscle in the bind pose.
struct Rest {
    chord: Vec3,
    chord_b: Vec3,
    up: Vec3,
    length: f32,
    curve: Bezier,
    rings: Vec<RestRing>,
}

struct RestRing {
    s: f32,
    u: f32,
    tangent: Vec3,
    b: Vec3,
}

impl Rest {
    fn new(skeleton: &Skeleton, muscle: &Muscle, height: f32) -> Self {
        let bind = |name: &str| skeleton.find(name).map_or(glam::Affine3A::IDENTITY, |j| skeleton.joints[j].bind);
        let origin_bind = bind(&muscle.origin.joint);
        let origin = origin_bind.transform_point3(muscle.origin.point);
        let insertion = bind(&muscle.insertion.joint).transform_point3(muscle.insertion.point);
        let axes = Mat3::from(frame::turn_of(&origin_bind));
        let chord = frame::unit_or(insertion - origin, 1e-6 * height, axes.x_axis);
        let up = up_vector(muscle.up.map(|up| axes * up), chord, axes);
        let chord_b = frame::at_bind(chord, up, (chord, chord.any_orthonormal_vector()));
        let (offset, spacing) = path(muscle);
        let chord_frame = Mat3::from_cols(chord, chord_b, chord.cross(chord_b));
        let curve = Bezier::new(origin, (origin + insertion) * 0.5 + chord_frame * offset, insertion);
        let lengths = curve.lengths();
        let ring = |i: usize| {
            let s = share(i, muscle);
            let u = if spacing == Spacing::ArcLength { parameter_at(&lengths, s) } else { s };
            let tangent = frame::unit_or(curve.tangent(u), 1e-6 * height, chord);
            RestRing { s, u, tangent, b: frame::at_bind(tangent, up, (chord, chord_b)) }
        };
        let rings = (0..usize::from(muscle.rings)).map(ring).collect();
        let length = (insertion - origin).length().max(1e-6 * height);
        Self { chord, chord_b, up, length, curve, rings }
    }

    /// Rings in blocks of eight; the last ring fills what is left of the last block.
    fn blocks(&self) -> impl Iterator<Item = (Lane, Lane3, Lane3)> + '_ {
        (0..self.rings.len().div_ceil(LANES)).map(|block| {
            let mut out = (Lane::default(), Lane3::default(), Lane3::default());
            for lane in 0..LANES {
                let ring = &self.rings[(block * LANES + lane).min(self.rings.len() - 1)];
                out.0[lane] = ring.s;
                out.1.set(lane, ring.tangent);
                out.2.set(lane, ring.b);
            }
            out
        })
    }
}

/// The wished up-vector, or the joint's y-axis; where it runs along the chord, the joint axis that does so least.
fn up_vector(wished: Option<Vec3>, chord: Vec3, axes: Mat3) -> Vec3 {
    let up = wished.unwrap_or(axes.y_axis).normalize_or(axes.y_axis);
    if chord.cross(up).length() >= 0.3 {
        return up;
    }
    let across = |axis: &Vec3| chord.cross(*axis).length();
    [axes.x_axis, axes.z_axis]
        .into_iter()
        .fold(axes.y_axis, |best, axis| if across(&axis) > across(&best) { axis } else { best })
}

/// The belly of one muscle in the bind pose: what fitting, growing a skin and pictures need before there is a body.
#[derive(Clone, Debug, PartialEq)]
pub struct RestBelly {
    /// One per ring, from origin to insertion.
    pub rings: Vec<RestSection>,
    /// rings x sectors, metres, model space, ring by ring.
    pub points: Vec<Vec3>,
    /// Straight distance from origin to insertion, metres.
    pub length: f32,
}

/// One cross-section of a belly in the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestSection {
    /// Metres, model space.
    pub center: Vec3,
    /// Unit tangent, from origin to insertion.
    pub a: Vec3,
    /// Unit, toward the up-vector.
    pub b: Vec3,
    /// a x b.
    pub c: Vec3,
    /// Half-axes along b and c, metres.
    pub half_axes: Vec2,
}

/// The bellies of muscles in the bind pose of a skeleton, physique `athlete`.
///
/// # Errors
/// When the skeleton or a muscle is not sound; the error names it and its cure.
pub fn rest_bellies(skeleton: &Skeleton, muscles: &[Muscle]) -> Result<Vec<RestBelly>, super::BindError> {
    super::check::skeleton(skeleton)?;
    super::check::muscles(muscles, skeleton)?;
    Ok(muscles.iter().map(|m| rest_belly(skeleton, m, &Physique::ATHLETE, 1.0)).collect())
}

fn rest_belly(skeleton: &Skeleton, muscle: &Muscle, physique: &Physique, height: f32) -> RestBelly {
    let rest = Rest::new(skeleton, muscle, height);
    let section = |ring: &RestRing| RestSection {
        center: rest.curve.point(ring.u),
        a: ring.tangent,
        b: ring.b,
        c: ring.tangent.cross(ring.b),
        half_axes: half_axes(&muscle.profile, ring.s) * physique.size,
    };
    let rings: Vec<RestSection> = rest.rings.iter().map(section).collect();
    let offsets = point_offsets(muscle, physique);
    let place = |(i, offset): (usize, &Vec2)| {
        let ring = rings[i / usize::from(muscle.sectors)];
        ring.center + ring.b * offset.x + ring.c * offset.y
    };
    let points = offsets.iter().enumerate().map(place).collect();
    RestBelly { rings, points, length: rest.length }
}
