//! Polyline: straight pieces from origin over via points to insertion, a tendon at each end and the belly between.
//!
//! ```text
//! belly  from t_o to L − t_i along the path, L its length; tendons shrink in proportion below a floor under the belly
//! p(a) = mean of the path over a − h ..= a + h         p′(a) ~ path(a + h) − path(a − h)
//! p    + 2u(1−u) x                                      x how far the spring is out, u the share of the belly
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 3.2-3.3. The mean is
//! ours: it bends a belly round a via point over a ring's neighbourhood, where the path itself has a corner.

use super::contract::LENGTH_FLOOR;
use super::muscles::MuscleTable;
use crate::character::Skeleton;
use crate::musculature::{Muscle, Path};
use glam::{Affine3A, Vec3};

/// A corner is rounded over at least this share of the belly, however many rings there are.
const ROUNDING: f32 = 0.125;

/// Constants of the muscles that are polylines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PolylineTable {
    pub muscle: Box<[usize]>,    // n_line      which muscle it is
    pub start: Box<[u32]>,       // n_line + 1  rows of knots
    pub joint: Box<[u16]>,       // n_knot      origin, via points, insertion
    pub point: Box<[Vec3]>,      // n_knot      m, joint's space
    pub tendon: Box<[[f32; 2]]>, // n_line      m
    pub belly: Box<[f32]>,       // n_line      m, at rest, > 0
    pub rounding: Box<[f32]>,    // n_line      h, as a share of the belly
}

impl PolylineTable {
    pub fn new(skeleton: &Skeleton, muscles: &[Muscle], shortest: f32) -> Self {
        let (mut muscle, mut start, mut joint, mut point) = (Vec::new(), vec![0], Vec::new(), Vec::new());
        let (mut tendon, mut belly, mut rounding) = (Vec::new(), Vec::new(), Vec::new());
        for (m, of) in muscles.iter().enumerate() {
            let Some(rest) = RestLine::new(skeleton, of, shortest) else { continue };
            let Path::Polyline { via, .. } = &of.path else { continue };
            for knot in std::iter::once(&of.origin).chain(via).chain([&of.insertion]) {
                joint.push(skeleton.find(&knot.joint).unwrap_or(0) as u16);
                point.push(knot.point);
            }
            muscle.push(m);
            start.push(joint.len() as u32);
            tendon.push(rest.tendons);
            belly.push(rest.belly);
            rounding.push(rounding_of(of));
        }
        Self {
            muscle: muscle.into(),
            start: start.into(),
            joint: joint.into(),
            point: point.into(),
            tendon: tendon.into(),
            belly: belly.into(),
            rounding: rounding.into(),
        }
    }
}

/// h as a share of the belly: a ring's distance from the next.
fn rounding_of(muscle: &Muscle) -> f32 {
    (1.0 / f32::from(muscle.rings - 1)).max(ROUNDING)
}

/// A polyline at bind.
pub(crate) struct RestLine {
    knot: Vec<Vec3>,
    along: Vec<f32>,
    span: Span,
    tendons: [f32; 2],
    /// Length of the belly, m; never below `shortest`.
    pub belly: f32,
}

impl RestLine {
    /// Of a muscle that is one.
    pub fn new(skeleton: &Skeleton, muscle: &Muscle, shortest: f32) -> Option<Self> {
        let Path::Polyline { via, tendons } = &muscle.path else { return None };
        let bind = |name: &str| skeleton.find(name).map_or(Affine3A::IDENTITY, |j| skeleton.joints[j].bind);
        let knots = std::iter::once(&muscle.origin).chain(via).chain([&muscle.insertion]);
        let knot: Vec<Vec3> = knots.map(|knot| bind(&knot.joint).transform_point3(knot.point)).collect();
        let mut along = vec![0.0; knot.len()];
        let total = measure(&knot, &mut along);
        // here the floor can only be a share of the path
        let share = Span::new(total, *tendons, LENGTH_FLOOR * total, 0.0).share;
        let tendons = [tendons[0] * share, tendons[1] * share];
        let belly = (total - (tendons[0] + tendons[1])).max(shortest);
        let span = Span::new(total, tendons, LENGTH_FLOOR * belly, rounding_of(muscle));
        Some(Self { knot, along, span, tendons, belly })
    }

    pub fn line(&self) -> Line<'_> {
        Line { knot: &self.knot, along: &self.along, span: self.span, jiggle: Vec3::ZERO }
    }
}

/// Where on its path a belly lies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub start: f32,  // m from the origin
    pub length: f32, // m
    rounding: f32,   // m: h
    pub share: f32,  // of their rest length that the tendons have
}

impl Span {
    pub fn new(total: f32, tendons: [f32; 2], floor: f32, rounding: f32) -> Self {
        let (wanted, room) = (tendons[0] + tendons[1], (total - floor).max(0.0));
        let share = if wanted > room { room / wanted } else { 1.0 };
        let length = (total - wanted * share).max(0.0);
        Self { start: tendons[0] * share, length, rounding: rounding * length, share }
    }
}

/// The polylines of a body as they run now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    knot: Vec<Vec3>, // n_knot  m, model space
    along: Vec<f32>, // n_knot  m from the origin
    span: Vec<Span>, // n_line
}

impl Lines {
    /// Room for all of them.
    pub fn new(table: &PolylineTable) -> Self {
        let (n, lines) = (table.joint.len(), table.muscle.len());
        Self { knot: vec![Vec3::ZERO; n], along: vec![0.0; n], span: vec![Span::default(); lines] }
    }

    /// Pull them into the pose: whole length and belly of every such muscle, and where its belly's middle hangs.
    pub fn pull(
        &mut self,
        muscles: &MuscleTable,
        pose: &[Affine3A],
        length: &mut [f32],
        belly: &mut [f32],
        anchor: &mut [Vec3],
    ) {
        let table = &muscles.polyline;
        for (knot, (joint, point)) in self.knot.iter_mut().zip(table.joint.iter().zip(&table.point)) {
            *knot = pose[usize::from(*joint)].transform_point3(*point);
        }
        for (i, &m) in table.muscle.iter().enumerate() {
            let knots = table.start[i] as usize..table.start[i + 1] as usize;
            let total = measure(&self.knot[knots.clone()], &mut self.along[knots]);
            self.span[i] = Span::new(total, table.tendon[i], LENGTH_FLOOR * table.belly[i], table.rounding[i]);
            length[m] = total.max(muscles.shortest_length);
            belly[m] = self.span[i].length.max(muscles.shortest_length);
            anchor[m] = self.line(table, i, Vec3::ZERO).place(0.5).0;
        }
    }

    /// Line `i`, with its spring that far out.
    pub fn line(&self, table: &PolylineTable, i: usize, jiggle: Vec3) -> Line<'_> {
        let knots = table.start[i] as usize..table.start[i + 1] as usize;
        Line { knot: &self.knot[knots.clone()], along: &self.along[knots], span: self.span[i], jiggle }
    }
}

/// Distances of the knots from the first along the path; the last is its length.
fn measure(knot: &[Vec3], along: &mut [f32]) -> f32 {
    let mut total = 0.0;
    for i in 0..knot.len() {
        total += if i > 0 { knot[i].distance(knot[i - 1]) } else { 0.0 };
        along[i] = total;
    }
    total
}

/// One polyline and the belly on it.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    knot: &'a [Vec3],
    along: &'a [f32],
    span: Span,
    jiggle: Vec3,
}

impl Line<'_> {
    /// Length of the whole path, m.
    pub fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// The point at share `u` of the belly, and a tangent of any length there.
    pub fn place(&self, u: f32) -> (Vec3, Vec3) {
        let (total, Span { start, length, rounding, .. }) = (self.length(), self.span);
        let a = (start + u * length).clamp(0.0, total);
        let (low, high) = ((a - rounding).max(0.0), (a + rounding).min(total));
        // as far to one side as to the other, so that points of a straight path stay where they are
        let even = rounding.min(a).min(total - a);
        let steepness = 2.0 * (1.0 - 2.0 * u) * ((high - low) / length.max(1e-20));
        let tangent = self.at(high) - self.at(low) + self.jiggle * steepness;
        (self.mean(a, even) + self.jiggle * (2.0 * u * (1.0 - u)), tangent)
    }

    /// The path's own point, that far from the origin.
    fn at(&self, a: f32) -> Vec3 {
        let piece = self.along[1..self.along.len() - 1].partition_point(|&end| end <= a);
        self.on_piece(piece, a)
    }

    fn on_piece(&self, piece: usize, a: f32) -> Vec3 {
        let (p, q) = (self.knot[piece], self.knot[piece + 1]);
        let (from, to) = (self.along[piece], self.along[piece + 1]);
        p + (q - p) * ((a - from) / (to - from).max(1e-20)).clamp(0.0, 1.0)
    }

    /// Mean of the path over `a` − h ..= `a` + h: piece by piece, each its middle times how much of it lies inside.
    fn mean(&self, a: f32, h: f32) -> Vec3 {
        let (mut sum, mut width) = (Vec3::ZERO, 0.0);
        for piece in 0..self.knot.len() - 1 {
            let (low, high) = (self.along[piece].max(a - h), self.along[piece + 1].min(a + h));
            if high > low {
                sum += self.on_piece(piece, 0.5 * (low + high)) * (high - low);
                width += high - low;
            }
        }
        if width > 0.0 { sum / width } else { self.at(a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'a>(knot: &'a [Vec3], along: &'a mut [f32], tendons: [f32; 2]) -> Line<'a> {
        let total = measure(knot, along);
        Line { knot, along, span: Span::new(total, tendons, 0.05, 0.125), jiggle: Vec3::ZERO }
    }

    #[test]
    fn a_belly_lies_between_its_tendons() {
        let knot = [Vec3::ZERO, Vec3::X * 0.3, Vec3::X];
        let mut along = [0.0; 3];
        let line = line(&knot, &mut along, [0.2, 0.1]);
        for (u, x) in [(0.0, 0.2), (0.5, 0.55), (1.0, 0.9)] {
            assert!((line.place(u).0 - Vec3::X * x).length() < 1e-6);
            assert!(line.place(u).1.normalize().distance(Vec3::X) < 1e-6);
        }
    }

    #[test]
    fn tendons_shrink_together_where_there_is_no_room_for_the_belly() {
        let span = Span::new(1.0, [0.9, 0.3], 0.04, 0.1);
        assert!((span.start - 0.72).abs() < 1e-6 && (span.length - 0.04).abs() < 1e-6);
        let none = Span::new(0.0, [0.9, 0.3], 0.04, 0.1);
        assert_eq!((none.start, none.length), (0.0, 0.0));
    }

    #[test]
    fn a_belly_bends_round_a_via_point_without_a_kink() {
        let knot = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y];
        let mut along = [0.0; 3];
        let line = line(&knot, &mut along, [0.1, 0.1]);
        let turn = |i: i32| line.place(i as f32 / 1000.0).1.normalize();
        let sharpest = (0..1000).map(|i| turn(i).angle_between(turn(i + 1))).fold(0.0_f32, f32::max);
        // a right angle over a quarter of the belly is 0.36 degrees a step on average
        assert!(sharpest < 0.02, "{sharpest} radians in a thousandth of the belly");
        let step = |i: i32| line.place(i as f32 / 1000.0).0.distance(line.place((i + 1) as f32 / 1000.0).0);
        assert!((0..1000).all(|i| step(i) > 0.5 * 0.0018 && step(i) < 1.01 * 0.0018), "no two rings fall together");
    }

    #[test]
    fn a_spring_moves_the_middle_and_leaves_the_ends() {
        let knot = [Vec3::ZERO, Vec3::X];
        let mut along = [0.0; 2];
        let line = Line { jiggle: Vec3::Y * 0.1, ..line(&knot, &mut along, [0.0, 0.0]) };
        assert_eq!(line.place(0.0).0, Vec3::ZERO);
        assert!((line.place(0.5).0.y - 0.05).abs() < 1e-6);
        assert!(line.place(0.25).1.y > 0.0 && line.place(0.75).1.y < 0.0);
    }
}
