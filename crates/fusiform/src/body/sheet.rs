//! Sheets: several bellies side by side, each on its own line from a curve of origins to a curve of insertions.
//!
//! ```text
//! belly k of n   v = k / (n − 1)         O(v), M(v), I(v) on the curves, equal shares of their points
//! its line       quadratic Bezier over O, 2M − (O + I)/2, I: it passes M half-way; straight without a middle curve.
//!                Its middle control point stays between O and I, as near to the chord as at rest or a little farther, and
//!                on the side of it that it is on at rest, as O's joint carries that: what a belly bends round is a bone
//! its belly      that line without its tendons: again a quadratic Bezier; they shrink as those of a polyline do
//! middle line    the same from the muscle's own origin over M(1/2) to its own insertion
//! ```
//!
//! Saam, Macey, Zhang: *Production Friendly Character Skinning*: multi-belly muscles are "multiple fusiform muscles with the same parameters", controlled by curves
//! that are linked to bones (section V-B). The middle curve is ours. [`loft`](super::loft) makes one surface of them.

use super::contract::{Answer, LENGTH_FLOOR};
use super::lanes::{LANES, Lane};
use super::loft::LoftTable;
use super::muscles::MuscleTable;
use super::path::{Bezier, Lengths};
use super::polyline::Span;
use crate::character::Skeleton;
use crate::musculature::{Attachment, Muscle, Path};
use glam::{Affine3A, Vec2, Vec3};

/// The most bellies a sheet has, and the most points its curves have.
pub const MOST_BELLIES: usize = 16;

/// How much more than at rest a line bends, and how much any line may: distance of its control point over its chord. Beyond
/// that a belly would turn back on itself.
const MORE_BEND: f32 = 1.3;
const ANY_BEND: f32 = 0.4;
/// Share of the chord that the control point stays away from its ends.
const FROM_ENDS: f32 = 0.15;
/// A line that bends less than this at rest may bend either way.
const STRAIGHT: f32 = 0.02;

/// A place on a curve of attachments: between two of them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    joint: [u16; 2],
    point: [Vec3; 2], // m, joint's space
    share: f32,       // of the second
}

impl Spot {
    fn only(skeleton: &Skeleton, attachment: &Attachment) -> Self {
        Self::on(skeleton, std::slice::from_ref(attachment), 0.0)
    }

    /// At share `v` of the curve's points.
    fn on(skeleton: &Skeleton, curve: &[Attachment], v: f32) -> Self {
        let last = curve.len() - 1;
        let at = v * last as f32;
        let first = (at as usize).min(last.saturating_sub(1));
        let pair = [first, (first + 1).min(last)];
        let joint = pair.map(|i| skeleton.find(&curve[i].joint).unwrap_or(0) as u16);
        Self { joint, point: pair.map(|i| curve[i].point), share: at - first as f32 }
    }

    fn place(&self, pose: &[Affine3A]) -> Vec3 {
        let [p, q] = [0, 1].map(|i| pose[usize::from(self.joint[i])].transform_point3(self.point[i]));
        p + (q - p) * self.share
    }
}

/// One belly's line: constants.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Strand {
    origin: Spot,
    middle: Option<Spot>,
    insertion: Spot,
    tendons: [f32; 2], // m
    belly: f32,        // m, at rest, > 0
    bend: f32,         // the most: distance of the control point from the chord over the chord
    out: Vec3,         // unit, origin joint's space: which way it bends at rest; zero where it is straight
}

impl Strand {
    /// The whole line, tendons and all.
    fn line(&self, pose: &[Affine3A]) -> Bezier {
        let (from, to) = (self.origin.place(pose), self.insertion.place(pose));
        let chord = to - from;
        let Some(middle) = self.middle else { return Bezier::new(from, from + chord * 0.5, to) };
        let control = middle.place(pose) * 2.0 - (from + to) * 0.5 - from;
        let along = control.dot(chord) / chord.length_squared().max(1e-20);
        let mut aside = control - chord * along;
        let out = pose[usize::from(self.origin.joint[0])].transform_vector3(self.out);
        let out = out - chord * (out.dot(chord) / chord.length_squared().max(1e-20));
        let inward = aside.dot(out).min(0.0) / out.length_squared().max(1e-6);
        aside -= out * inward;
        let most = self.bend * chord.length();
        let aside = aside * (most / aside.length().max(most).max(1e-20));
        Bezier::new(from, from + chord * along.clamp(FROM_ENDS, 1.0 - FROM_ENDS) + aside, to)
    }
}

/// Up to eight lines without their tendons: the belly's curve, its length and that of the whole line, m.
fn bellies(strands: &[Strand], lines: &[Bezier], mut out: impl FnMut(usize, Bezier, f32, f32)) {
    let of = |lane: usize| lines[lane.min(lines.len() - 1)];
    let lengths = Lengths::new(of);
    let (mut start, mut end): (Lane, Lane) = ([0.0; LANES], [1.0; LANES]);
    let mut spans = [Span::default(); LANES];
    for (l, strand) in strands.iter().enumerate() {
        let total = lengths.metres(l);
        spans[l] = Span::new(total, strand.tendons, LENGTH_FLOOR * strand.belly, 0.0);
        start[l] = (spans[l].start / total.max(1e-20)).min(1.0);
        end[l] = ((spans[l].start + spans[l].length) / total.max(1e-20)).clamp(start[l], 1.0);
    }
    let [start, end] = [start, end].map(|s| lengths.parameters(&s, &[1.0; LANES]));
    for (l, strand) in strands.iter().enumerate() {
        let whole = strand.tendons == [0.0; 2];
        let curve = if whole { lines[l] } else { lines[l].cut(start[l], end[l]) };
        out(l, curve, spans[l].length, lengths.metres(l));
    }
}

/// A sheet at bind.
pub(crate) struct RestSheet {
    strands: Vec<Strand>, // the bellies, and the middle line
    curves: Vec<Bezier>,
    /// Length of the middle line, m.
    pub length: f32,
}

impl RestSheet {
    /// Of a muscle that is one.
    pub fn new(skeleton: &Skeleton, muscle: &Muscle, shortest: f32) -> Option<Self> {
        let Path::Sheet { origin, middle, insertion, bellies: n, tendons } = &muscle.path else { return None };
        let over = |v: f32| (!middle.is_empty()).then(|| Spot::on(skeleton, middle, v));
        let strand = |origin, middle, insertion| Strand {
            origin,
            middle,
            insertion,
            tendons: *tendons,
            belly: 0.0,
            bend: f32::MAX,
            out: Vec3::ZERO,
        };
        let belly = |k: u8| {
            let v = if *n > 1 { f32::from(k) / f32::from(n - 1) } else { 0.5 };
            strand(Spot::on(skeleton, origin, v), over(v), Spot::on(skeleton, insertion, v))
        };
        let ends = [&muscle.origin, &muscle.insertion].map(|end| Spot::only(skeleton, end));
        let mut strands: Vec<Strand> = (0..*n).map(belly).chain([strand(ends[0], over(0.5), ends[1])]).collect();
        let bind = skeleton.bind_matrices();
        for strand in &mut strands {
            let line = strand.line(&bind);
            let chord = line.insertion() - line.origin;
            let aside = line.first - chord * (line.first.dot(chord) / chord.length_squared().max(1e-20));
            if aside.length() > STRAIGHT * chord.length() {
                let joint = &bind[usize::from(strand.origin.joint[0])];
                strand.out = joint.inverse().transform_vector3(aside).normalize_or_zero();
            }
            strand.bend = (MORE_BEND * aside.length() / chord.length().max(shortest)).max(ANY_BEND);
        }
        let lines: Vec<Bezier> = strands.iter().map(|strand| strand.line(&bind)).collect();
        let (mut curves, mut length) = (Vec::new(), 0.0);
        for (strands, lines) in strands.chunks_mut(LANES).zip(lines.chunks(LANES)) {
            let totals = Lengths::new(|l| lines[l.min(lines.len() - 1)]);
            for (l, strand) in strands.iter_mut().enumerate() {
                let total = totals.metres(l);
                length = total; // the last is the middle line's
                // here the floor under a belly can only be a share of its line
                let share = Span::new(total, strand.tendons, LENGTH_FLOOR * total, 0.0).share;
                strand.tendons = strand.tendons.map(|tendon| tendon * share);
                strand.belly = (total - (strand.tendons[0] + strand.tendons[1])).max(shortest);
            }
            bellies(strands, lines, |_, curve, _, _| curves.push(curve));
        }
        Some(Self { strands, curves, length: length.max(shortest) })
    }

    /// The curves of the bellies.
    pub fn bellies(&self) -> &[Bezier] {
        &self.curves[..self.curves.len() - 1]
    }

    /// The curve of the middle line's belly.
    pub fn middle(&self) -> Bezier {
        self.curves[self.curves.len() - 1]
    }

    /// Length of the middle line's belly, m.
    pub fn belly(&self) -> f32 {
        self.strands[self.strands.len() - 1].belly
    }
}

/// Constants of the muscles that are sheets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SheetTable {
    pub of: Box<[Option<u32>]>, // n_muscle     which sheet it is
    muscle: Box<[usize]>,       // n_sheet      which muscle it is
    start: Box<[u32]>,          // n_sheet + 1  rows of strands: its bellies, then its middle line
    strand: Box<[Strand]>,      // n_strand
    answer: Box<[Answer]>,      // n_sheet
    pub loft: Box<[LoftTable]>, // n_sheet
}

impl SheetTable {
    /// From the muscles that are sheets, with what each is at bind and its surface's constants.
    pub fn new(n_muscle: usize, sheets: impl Iterator<Item = (usize, Answer, RestSheet, LoftTable)>) -> Self {
        let (mut of, mut muscle, mut start) = (vec![None; n_muscle], Vec::new(), vec![0]);
        let (mut strand, mut answers, mut lofts) = (Vec::new(), Vec::new(), Vec::new());
        for (m, answer, rest, loft) in sheets {
            of[m] = Some(muscle.len() as u32);
            muscle.push(m);
            strand.extend(rest.strands);
            start.push(strand.len() as u32);
            answers.push(answer);
            lofts.push(loft);
        }
        Self {
            of: of.into(),
            muscle: muscle.into(),
            start: start.into(),
            strand: strand.into(),
            answer: answers.into(),
            loft: lofts.into(),
        }
    }
}

/// The sheets of a body as they run now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheets {
    line: Vec<Bezier>,  // n_strand  with its tendons
    curve: Vec<Bezier>, // n_strand  the belly's, without jiggle
    belly: Vec<f32>,    // n_strand  m
    length: Vec<f32>,   // n_strand  m, of the whole line
    growth: Vec<Vec2>,  // n_strand  of the section since rest, along b and c
}

impl Sheets {
    /// Room for all of them.
    pub fn new(table: &SheetTable) -> Self {
        let (n, none) = (table.strand.len(), Bezier::new(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO));
        Self {
            line: vec![none; n],
            curve: vec![none; n],
            belly: vec![0.0; n],
            length: vec![0.0; n],
            growth: vec![Vec2::ONE; n],
        }
    }

    /// Pull them into the pose: whole length and belly of every middle line, and where its control point hangs.
    pub fn pull(
        &mut self,
        muscles: &MuscleTable,
        pose: &[Affine3A],
        length: &mut [f32],
        belly: &mut [f32],
        anchor: &mut [Vec3],
    ) {
        let table = &muscles.sheet;
        for (line, strand) in self.line.iter_mut().zip(&table.strand) {
            *line = strand.line(pose);
        }
        // eight at a time, whichever sheet they are of
        let chunks = table.strand.chunks(LANES).zip(self.line.chunks(LANES));
        let outs = self.curve.chunks_mut(LANES).zip(self.belly.chunks_mut(LANES)).zip(self.length.chunks_mut(LANES));
        for ((strands, lines), ((curve, belly), whole)) in chunks.zip(outs) {
            bellies(strands, lines, |l, of, length, total| {
                (curve[l], belly[l], whole[l]) = (of, length.max(muscles.shortest_length), total);
            });
        }
        for (i, &m) in table.muscle.iter().enumerate() {
            let middle = table.start[i + 1] as usize - 1;
            length[m] = self.length[middle].max(muscles.shortest_length);
            belly[m] = self.belly[middle];
            anchor[m] = self.curve[middle].middle();
        }
    }

    /// How far the section of every belly has grown.
    pub fn contract(&mut self, table: &SheetTable, activation: &[f32]) {
        for (i, &m) in table.muscle.iter().enumerate() {
            for row in table.start[i] as usize..table.start[i + 1] as usize {
                self.growth[row] = growth(&table.answer[i], table.strand[row].belly, self.belly[row], activation[m]);
            }
        }
    }

    /// The middle line's belly of sheet `i`, without jiggle.
    pub fn middle(&self, table: &SheetTable, i: usize) -> &Bezier {
        &self.curve[table.start[i + 1] as usize - 1]
    }

    /// The curves of the bellies of sheet `i`, without jiggle, and how far their sections have grown.
    pub fn bellies(&self, table: &SheetTable, i: usize) -> (&[Bezier], &[Vec2]) {
        let rows = table.start[i] as usize..table.start[i + 1] as usize - 1;
        (&self.curve[rows.clone()], &self.growth[rows])
    }
}

/// Growth of a belly's section since rest, along b and c.
fn growth(answer: &Answer, rest: f32, length: f32, activation: f32) -> Vec2 {
    answer.growth(rest, length, activation).at(0.5, 0.0)
}
