//! The muscles of a body as they run: one array per property, row `i` is muscle `i`. No names, no serde.

use super::contract::Answer;
use super::displace::Sections;
use super::ellipsoid::RestEllipsoid;
use super::lanes::{LANES, Lane, Lane3};
use super::polyline::PolylineTable;
use super::rest::{Rest, RestBelly, SHORTEST, SHORTEST_LENGTH, half_axes, rest_belly, rise};
use super::shapes::Shapes;
use super::sheet::SheetTable;
use super::spring::Oscillator;
use crate::character::Skeleton;
use crate::musculature::{Attachment, Contraction, Dynamics, FrameRule, Integrator, Muscle, Path, Physique, Profile};
use glam::Vec3;

/// Constants of every muscle of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MuscleTable {
    pub origin_joint: Box<[u16]>,          // n_muscle
    pub insertion_joint: Box<[u16]>,       // n_muscle
    pub half_joint: Box<[[u16; 2]]>, // n_muscle  whose turn each half of the belly takes, where it has one of its own
    pub origin: Box<[Vec3]>,         // n_muscle  m, origin joint's space
    pub insertion: Box<[Vec3]>,      // n_muscle  m, insertion joint's space
    pub chord: Box<[Vec3]>,          // n_muscle  unit, model space at bind
    pub chord_b: Box<[Vec3]>,        // n_muscle  unit, at right angles to it
    pub up: Box<[Vec3]>,             // n_muscle  unit, model space at bind
    pub offset: Box<[Vec3]>,         // n_muscle  m, chord frame
    pub held: Box<[f32]>,            // n_muscle  0 ..= 1: how far the skin's joints hold the middle
    pub bind_middle: Box<[Vec3]>,    // n_muscle  m, model space at bind: half-way along the curve
    pub rest_length: Box<[f32]>,     // n_muscle  m, > 0
    pub rest_belly: Box<[f32]>,      // n_muscle  m, > 0: without tendons
    pub shortest_length: f32,        // m: no muscle counts as shorter
    pub shortest: f32,               // m: anything shorter has no direction
    pub rule: Box<[FrameRule]>,      // n_muscle
    pub answer: Box<[Answer]>,       // n_muscle  how the section answers length and activation
    pub spring: Box<[Option<Oscillator>]>, // n_muscle
    pub integrator: Box<[Integrator]>, // n_muscle
    pub reach: Box<[f32]>,           // n_muscle  m: farthest a spring is drawn out
    pub ring_start: Box<[u32]>,      // n_muscle + 1  rows of the ring output
    pub group: Box<[Group]>,         // n_group   eight muscles each
    pub block: Box<[RingBlock]>,     // n_block   ring i of the eight muscles of a group, group by group
    pub rest: Box<[RestBelly]>,      // n_muscle  the bellies at bind, for layers that are made from them
    pub ellipsoid: Box<[RestEllipsoid]>, // n_muscle
    pub polyline: PolylineTable,     // those muscles that are polylines
    pub sheet: SheetTable,           // those muscles that are sheets
    pub section: Box<[Sections]>,    // n_muscle  for skin that is displaced
    pub middle_rise: Box<[f32]>,     // n_muscle  what a thicker peak adds at mid-belly, as a share of it per metre
    pub shapes: Box<[Shapes]>,       // those muscles that have pose shapes
    pub shapes_of: Box<[Option<u32>]>, // n_muscle  row of `shapes`
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
        let mut rest: Vec<Rest> = muscles.iter().map(|m| Rest::new(skeleton, m, physique, height)).collect();
        let joint = |name: &str| skeleton.find(name).unwrap_or(0) as u16;
        let ends = muscles.iter().scan(0, |sum, m| {
            *sum += u32::from(m.rings);
            Some(*sum)
        });
        let (group, block) = groups(muscles, &rest);
        let shapes = pose_shapes(skeleton, muscles);
        let bellies: Box<[RestBelly]> = muscles.iter().map(|m| rest_belly(skeleton, m, physique, height)).collect();
        let section = |(m, belly): (&Muscle, &RestBelly)| Sections::new(m, belly, physique.size);
        let lofted = rest.iter_mut().enumerate().filter_map(|(m, rest)| Some((m, rest.sheet.take()?)));
        // bellies side by side have no peak of their own
        let even = |m: usize| Answer::new(&muscles[m].contraction, &Profile::default(), physique);
        let lofted = lofted.map(|(m, of)| (m, even(m), of.sheet, of.loft));
        let sheet = SheetTable::new(muscles.len(), lofted);
        let row_of = |m: usize| shapes.iter().position(|of| of.muscle == m).map(|row| row as u32);
        Self {
            origin_joint: muscles.iter().map(|m| joint(&m.origin.joint)).collect(),
            insertion_joint: muscles.iter().map(|m| joint(&m.insertion.joint)).collect(),
            half_joint: muscles.iter().zip(&bellies).map(|(m, belly)| half_joints(skeleton, m, belly)).collect(),
            origin: muscles.iter().map(|m| m.origin.point).collect(),
            insertion: muscles.iter().map(|m| m.insertion.point).collect(),
            chord: rest.iter().map(|r| r.chord).collect(),
            chord_b: rest.iter().map(|r| r.chord_b).collect(),
            up: rest.iter().map(|r| r.up).collect(),
            offset: rest.iter().map(|r| r.offset).collect(),
            held: muscles.iter().map(held).collect(),
            bind_middle: rest.iter().map(|r| r.middle).collect(),
            rest_length: rest.iter().map(|r| r.length).collect(),
            rest_belly: rest.iter().map(|r| r.belly).collect(),
            shortest: SHORTEST * height,
            shortest_length: SHORTEST_LENGTH * height,
            rule: muscles.iter().map(|m| m.frame).collect(),
            sheet,
            answer: muscles.iter().map(|m| Answer::new(&m.contraction, &m.profile, physique)).collect(),
            spring: muscles.iter().map(|m| spring(m, physique).map(|s| s.0)).collect(),
            integrator: muscles.iter().map(|m| spring(m, physique).map_or(Integrator::Exact, |s| s.1)).collect(),
            reach: muscles.iter().zip(&rest).map(|(m, rest)| reach(m) * rest.length).collect(),
            ring_start: std::iter::once(0).chain(ends).collect(),
            group: group.into(),
            block: block.into(),
            section: muscles.iter().zip(&bellies).map(section).collect(),
            rest: bellies,
            ellipsoid: rest.iter().map(|r| r.ellipsoid).collect(),
            middle_rise: muscles.iter().map(|m| rise(&m.profile, 0.5)).collect(),
            polyline: PolylineTable::new(skeleton, muscles, SHORTEST_LENGTH * height),
            shapes_of: (0..muscles.len()).map(row_of).collect(),
            shapes,
        }
    }

    /// How many shapes all muscles have together.
    pub fn n_shape(&self) -> usize {
        self.shapes.last().map_or(0, |last| last.first + last.len())
    }
}

fn pose_shapes(skeleton: &Skeleton, muscles: &[Muscle]) -> Box<[Shapes]> {
    let (mut all, mut first): (Vec<Shapes>, usize) = (Vec::new(), 0);
    for (m, muscle) in muscles.iter().enumerate() {
        let Contraction::PoseShapes { shapes, .. } = &muscle.contraction else { continue };
        let plain = vec![1.0; usize::from(muscle.rings) * usize::from(muscle.sectors)];
        let bind = muscle.sculpt.as_ref().map_or(&plain, |sculpt| &sculpt.factors);
        let radius = |ring: u16| {
            let thickest = |s: f32| half_axes(muscle, s).max_element();
            thickest(f32::from(ring) / f32::from(muscle.rings - 1)) / thickest(0.5).max(f32::MIN_POSITIVE)
        };
        let ring_radius: Vec<f32> = (0..muscle.rings).map(radius).collect();
        let of = Shapes::new(skeleton, (m, first), shapes, bind, &ring_radius);
        first += of.len();
        all.push(of);
    }
    all.into()
}

/// The joints that carry those points of a muscle's path that are nearest to the middles of its belly's halves at bind.
fn half_joints(skeleton: &Skeleton, muscle: &Muscle, belly: &RestBelly) -> [u16; 2] {
    let via: &[Attachment] = if let Path::Polyline { via, .. } = &muscle.path { via } else { &[] };
    let knots = || std::iter::once(&muscle.origin).chain(via).chain([&muscle.insertion]);
    let last = belly.rings.len() - 1;
    [last / 4, last - last / 4].map(|ring| {
        let middle = belly.rings[ring].center;
        let away = |knot: &&Attachment| {
            let joint = skeleton.find(&knot.joint).unwrap_or(0);
            skeleton.joints[joint].bind.transform_point3(knot.point).distance(middle)
        };
        let nearest = knots().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.and_then(|knot| skeleton.find(&knot.joint)).unwrap_or(0) as u16
    })
}

fn held(muscle: &Muscle) -> f32 {
    match muscle.path {
        Path::Bezier { held, .. } => held,
        Path::Polyline { .. } | Path::Sheet { .. } => 0.0,
    }
}

fn spring(muscle: &Muscle, physique: &Physique) -> Option<(Oscillator, Integrator)> {
    match muscle.dynamics {
        Dynamics::None | Dynamics::SoftBody { .. } => None,
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
        Dynamics::Spring { reach, .. } | Dynamics::SoftBody { reach, .. } => reach,
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
    pub line: [Option<u32>; LANES], // row of the polylines
    pub any_line: bool,
    pub any_uneven: bool,      // whether sections grow by more than one factor along the belly
    pub halves: [bool; LANES], // whether each half of a belly has a bone of its own
    pub any_halves: bool,
    pub slide: Lane, // shares of its motion that the skin takes part in
    pub sink: Lane,
    pub turn: Lane,
}

/// One ring of each of eight muscles, in the bind pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RingBlock {
    pub s: Lane,        // share of the belly's length
    pub rise: Lane, // what a thicker peak adds to the section there, as a share of it per metre; of sigmoids their radius
    pub tangent: Lane3, // unit, model space
    pub b: Lane3,   // unit, at right angles to it
    pub center: Lane3, // m, model space
}

fn groups(muscles: &[Muscle], rest: &[Rest]) -> (Vec<Group>, Vec<RingBlock>) {
    let (mut groups, mut blocks, mut next_ring, mut next_line) = (Vec::new(), Vec::new(), 0, 0);
    for (muscles, rest) in muscles.chunks(LANES).zip(rest.chunks(LANES)) {
        let most_rings = rest.iter().map(|r| r.rings.len()).max().unwrap_or(0);
        let first_block = blocks.len();
        blocks.resize(first_block + most_rings, RingBlock::default());
        let mut group = Group { first_block: first_block as u32, most_rings: most_rings as u32, ..Group::default() };
        for (lane, (muscle, rest)) in muscles.iter().zip(rest).enumerate() {
            (group.rings[lane], group.first_ring[lane]) = (rest.rings.len() as u32, next_ring);
            next_ring += rest.rings.len() as u32;
            group.even[lane] = f32::from(u8::from(rest.even));
            if let Path::Polyline { .. } = muscle.path {
                (group.line[lane], group.any_line) = (Some(next_line), true);
                next_line += 1;
            }
            group.any_uneven |= matches!(muscle.profile, Profile::TwoCubics { .. })
                || matches!(muscle.contraction, Contraction::Identified { .. });
            group.halves[lane] = muscle.frame == FrameRule::Halves;
            group.any_halves |= group.halves[lane];
            let follow = muscle.follow;
            (group.slide[lane], group.sink[lane], group.turn[lane]) = (follow.slide, follow.sink, follow.turn);
            group.lee[lane] = f32::from(u8::from(muscle.frame == FrameRule::Lee));
            for (ring, block) in rest.rings.iter().zip(&mut blocks[first_block..]) {
                block.s[lane] = ring.s;
                block.rise[lane] = rise(&muscle.profile, ring.s);
                block.tangent.set(lane, ring.tangent);
                block.b.set(lane, ring.b);
                block.center.set(lane, ring.center);
            }
        }
        (group.any_even, group.any_lee) = (group.even.contains(&1.0), group.lee.contains(&1.0));
        groups.push(group);
    }
    (groups, blocks)
}
