//! The muscles of a body as they run: one array per property, row `i` is muscle `i`. No names, no serde.

use super::contract::Answer;
use super::frame;
use super::lanes::{LANES, Lane, Lane3};
use super::path::{Bezier, Lengths};
use super::spring::Oscillator;
use crate::character::Skeleton;
use crate::musculature::{Dynamics, FrameRule, Integrator, Muscle, Path, Physique, Profile, Spacing};
use glam::{Mat3, Vec2, Vec3};

/// Share of the height below which a length has no direction: well above rounding, far below anything seen.
const SHORTEST: f32 = 1e-5;

/// Share of the height below which a muscle's length no longer counts: a ratio of two such lengths is rounding.
const SHORTEST_LENGTH: f32 = 1e-3;

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
    pub held: Box<[f32]>,                  // n_muscle  0 ..= 1: how far the skin's joints hold the middle
    pub bind_middle: Box<[Vec3]>,          // n_muscle  m, model space at bind: half-way along the curve
    pub rest_length: Box<[f32]>,           // n_muscle  m, > 0
    pub shortest_length: f32,              // m: no muscle counts as shorter
    pub shortest: f32,                     // m: anything shorter has no direction
    pub rule: Box<[FrameRule]>,            // n_muscle
    pub answer: Box<[Answer]>,             // n_muscle  how the section answers length and activation
    pub spring: Box<[Option<Oscillator>]>, // n_muscle
    pub integrator: Box<[Integrator]>,     // n_muscle
    pub reach: Box<[f32]>,                 // n_muscle  m: farthest a spring is drawn out
    pub ring_start: Box<[u32]>,            // n_muscle + 1  rows of the ring output
    pub group: Box<[Group]>,               // n_group   eight muscles each
    pub block: Box<[RingBlock]>,           // n_block   ring i of the eight muscles of a group, group by group
    pub rest: Box<[RestBelly]>,            // n_muscle  the bellies at bind, for layers that are made from them
}

impl MuscleTable {
    pub fn len(&self) -> usize {
        self.rest_length.len()
    }

    pub fn n_ring(&self) -> usize {
        self.ring_start.last().map_or(0, |&n| n as usize)
    }

    /// Build the table; `muscles` have been checked against `skeleton`.
    pub fn new(skeleton: &Skeleton, muscles: &[Muscle], physique: &Physique, height: f32) -> Self {
        let rest: Vec<Rest> = muscles.iter().map(|m| Rest::new(skeleton, m, height)).collect();
        let joint = |name: &str| skeleton.find(name).unwrap_or(0) as u16;
        let ends = muscles.iter().scan(0, |sum, m| {
            *sum += u32::from(m.rings);
            Some(*sum)
        });
        let (group, block) = groups(muscles, &rest);
        Self {
            origin_joint: muscles.iter().map(|m| joint(&m.origin.joint)).collect(),
            insertion_joint: muscles.iter().map(|m| joint(&m.insertion.joint)).collect(),
            origin: muscles.iter().map(|m| m.origin.point).collect(),
            insertion: muscles.iter().map(|m| m.insertion.point).collect(),
            chord: rest.iter().map(|r| r.chord).collect(),
            chord_b: rest.iter().map(|r| r.chord_b).collect(),
            up: rest.iter().map(|r| r.up).collect(),
            offset: muscles.iter().map(|m| curve_dial(m).0).collect(),
            held: muscles.iter().map(held).collect(),
            bind_middle: rest.iter().map(|r| r.curve.point(0.5)).collect(),
            rest_length: rest.iter().map(|r| r.length).collect(),
            shortest: SHORTEST * height,
            shortest_length: SHORTEST_LENGTH * height,
            rule: muscles.iter().map(|m| m.frame).collect(),
            answer: muscles.iter().map(|m| Answer::new(&m.contraction, physique)).collect(),
            spring: muscles.iter().map(|m| spring(m, physique).map(|s| s.0)).collect(),
            integrator: muscles.iter().map(|m| spring(m, physique).map_or(Integrator::Exact, |s| s.1)).collect(),
            reach: muscles.iter().zip(&rest).map(|(m, rest)| reach(m) * rest.length).collect(),
            ring_start: std::iter::once(0).chain(ends).collect(),
            group: group.into(),
            block: block.into(),
            rest: muscles.iter().map(|m| rest_belly(skeleton, m, physique, height)).collect(),
        }
    }
}

/// Offset of the middle point and spacing of the rings.
fn curve_dial(muscle: &Muscle) -> (Vec3, Spacing) {
    match muscle.path {
        Path::Bezier { offset, spacing, .. } => (offset, spacing),
        Path::Polyline { .. } => (Vec3::ZERO, Spacing::ArcLength),
    }
}

fn held(muscle: &Muscle) -> f32 {
    match muscle.path {
        Path::Bezier { held, .. } => held,
        Path::Polyline { .. } => 0.0,
    }
}

fn spring(muscle: &Muscle, physique: &Physique) -> Option<(Oscillator, Integrator)> {
    match muscle.dynamics {
        Dynamics::None => None,
        Dynamics::Spring { stiffness, mass, damping, integrator, .. } => {
            let oscillator = Oscillator {
                stiffness: stiffness * physique.stiffness / mass,
                damping: 60.0 * damping * physique.damping,
            };
            Some((oscillator, integrator))
        }
    }
}

fn reach(muscle: &Muscle) -> f32 {
    match muscle.dynamics {
        Dynamics::None => 1.0,
        Dynamics::Spring { reach, .. } => reach,
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
        Profile::Ellipsoid { width, height } => {
            let x = 2.0 * s - 1.0;
            Vec2::new(height, width) * (1.0 - x * x).max(0.0).sqrt()
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
        let chord = frame::unit_or(insertion - origin, SHORTEST * height, axes.x_axis);
        let up = up_vector(muscle.up.map(|up| axes * up), chord, axes);
        let chord_b = frame::at_bind(chord, up, (chord, chord.any_orthonormal_vector()));
        let (offset, spacing) = curve_dial(muscle);
        let chord_frame = Mat3::from_cols(chord, chord_b, chord.cross(chord_b));
        let curve = Bezier::new(origin, (origin + insertion) * 0.5 + chord_frame * offset, insertion);
        let lengths = Lengths::new(|_| curve);
        let even = f32::from(u8::from(spacing == Spacing::ArcLength));
        let ring = |i: usize| {
            let s = share(i, muscle);
            let u = lengths.parameters(&[s; LANES], &[even; LANES])[0];
            let tangent = frame::unit_or(curve.tangent(u), SHORTEST * height, chord);
            RestRing { s, u, tangent, b: frame::at_bind(tangent, up, (chord, chord_b)) }
        };
        let rings = (0..usize::from(muscle.rings)).map(ring).collect();
        let length = (insertion - origin).length().max(SHORTEST_LENGTH * height);
        Self { chord, chord_b, up, length, curve, rings }
    }
}

/// Constants of eight muscles whose rings are solved together; lanes past the last muscle have no ring.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    pub first_block: u32,
    pub most_rings: u32,
    pub rings: [u32; LANES],
    pub first_ring: [u32; LANES], // rows of the ring output
    pub even: Lane,               // 1 where rings are spaced by arc length
    pub lee: Lane,                // 1 where the paper's frame is wished
    pub any_even: bool,
    pub any_lee: bool,
    pub slide: Lane, // shares of its motion that the skin takes part in
    pub sink: Lane,
    pub turn: Lane,
}

/// One ring of each of eight muscles, in the bind pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RingBlock {
    pub s: Lane,        // share of the belly's length
    pub tangent: Lane3, // unit, model space
    pub b: Lane3,       // unit, at right angles to it
    pub center: Lane3,  // m, model space
}

fn groups(muscles: &[Muscle], rest: &[Rest]) -> (Vec<Group>, Vec<RingBlock>) {
    let (mut groups, mut blocks, mut next_ring) = (Vec::new(), Vec::new(), 0);
    for (muscles, rest) in muscles.chunks(LANES).zip(rest.chunks(LANES)) {
        let most_rings = rest.iter().map(|r| r.rings.len()).max().unwrap_or(0);
        let first_block = blocks.len();
        blocks.resize(first_block + most_rings, RingBlock::default());
        let mut group = Group { first_block: first_block as u32, most_rings: most_rings as u32, ..Group::default() };
        for (lane, (muscle, rest)) in muscles.iter().zip(rest).enumerate() {
            (group.rings[lane], group.first_ring[lane]) = (rest.rings.len() as u32, next_ring);
            next_ring += rest.rings.len() as u32;
            group.even[lane] = f32::from(u8::from(curve_dial(muscle).1 == Spacing::ArcLength));
            let follow = muscle.follow;
            (group.slide[lane], group.sink[lane], group.turn[lane]) = (follow.slide, follow.sink, follow.turn);
            group.lee[lane] = f32::from(u8::from(muscle.frame == FrameRule::Lee));
            for (ring, block) in rest.rings.iter().zip(&mut blocks[first_block..]) {
                block.s[lane] = ring.s;
                block.tangent.set(lane, ring.tangent);
                block.b.set(lane, ring.b);
                block.center.set(lane, rest.curve.point(ring.u));
            }
        }
        (group.any_even, group.any_lee) = (group.even.contains(&1.0), group.lee.contains(&1.0));
        groups.push(group);
    }
    (groups, blocks)
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
    let places = skeleton.joints.iter().map(|joint| Vec3::from(joint.bind.translation));
    let (low, high) = places.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    let height = Some((high - low).max_element()).filter(|&h| h > 0.0).unwrap_or(1.0);
    Ok(muscles.iter().map(|m| rest_belly(skeleton, m, &Physique::ATHLETE, height)).collect())
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
