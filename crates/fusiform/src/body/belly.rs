//! Belly: the rings of every muscle, from its curve and its section.
//!
//! In  ends and middle point of every curve, its chord's turn, the section's growth, the joints of the skin over it.
//! Out one [`RingPull`] per cross-section: all that layers know of a muscle. Pictures ask for [`Ring`]s and points.
//!
//! Eight muscles go through together, ring by ring.

use super::attach::{self, Rows};
use super::contract::Growth;
use super::frame;
use super::hold::{Carriers, HoldTable, JOINTS};
use super::lanes::{LANES, Lane, Lane3, for_each_instruction_set};
use super::muscles::{Group, MuscleTable, RingBlock};
use super::path::{Bezier, Lengths};
use super::polyline::Lines;
use super::sigmoid::Sections;
use glam::{Mat3, Vec2, Vec3};

/// What has happened to one cross-section since bind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ring {
    /// M′B′⁻¹: where the ring's frame has gone, row by row.
    pub since_bind: Rows,
    /// Growth of the section since rest along b, toward the up-vector, and along c, across: 0 is unchanged.
    pub swell: Vec2,
}

/// What the skin does with one cross-section.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct RingPull {
    /// Where skin goes that follows the ring, row by row.
    pub since_bind: Rows,
    /// Growth of the section since rest times its axis as the skin sees it: along b, toward the up-vector; in steps of
    /// the layers' offsets.
    pub swell_b: [f32; 3],
    /// And along c, across.
    pub swell_c: [f32; 3],
}

impl Ring {
    /// A point that was at `p` at bind, carried by the ring's frame.
    #[must_use]
    pub fn carry(&self, p: Vec3) -> Vec3 {
        attach::carry(&self.since_bind, p)
    }

    /// A direction at bind, turned with the ring's frame.
    #[must_use]
    pub fn turn(&self, v: Vec3) -> Vec3 {
        self.carry(v) - self.carry(Vec3::ZERO)
    }
}

/// The curves of eight muscles as they run now, and how far their sections have grown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Curves {
    /// P_org, metres, model space.
    pub origin: Lane3,
    /// P_mid − P_org.
    pub first: Lane3,
    /// P_ins − P_mid.
    pub second: Lane3,
    /// Columns of the chord's turn since bind.
    pub turn: [Lane3; 3],
    /// The up-vector as the origin joint carries it.
    pub up: Lane3,
    /// Growth of the sections along b and c, less one: 0 is unchanged.
    pub swell: [Lane; 2],
    /// How much thicker the peak is, m, and how far sections are squeezed: see [`Growth`].
    pub peak: Lane,
    /// κ τ.
    pub squeeze: Lane,
    /// P_mid − P_const: how far the spring is out, metres, model space.
    pub jiggle: Lane3,
    /// Those whose sections answer one by one.
    pub sections: [Option<Sections>; LANES],
    /// Columns of the turn of each belly's second half since bind, where it has a bone of its own.
    pub end_turn: [Lane3; 3],
}

/// Where the paths of eight muscles run now.
#[derive(Clone, Copy)]
pub(crate) struct Paths<'a> {
    /// Those that are curves; of all of them what is not the path's.
    pub curves: &'a Curves,
    /// Those that are polylines, of the whole body.
    pub lines: &'a Lines,
}

impl Curves {
    /// Put a muscle into that lane.
    pub fn set(&mut self, lane: usize, ends: (Vec3, Vec3, Vec3), turn: &Mat3, growth: &Growth) {
        let (origin, middle, insertion) = ends;
        self.origin.set(lane, origin);
        self.first.set(lane, middle - origin);
        self.second.set(lane, insertion - middle);
        self.turn[0].set(lane, turn.x_axis);
        self.turn[1].set(lane, turn.y_axis);
        self.turn[2].set(lane, turn.z_axis);
        (self.swell[0][lane], self.swell[1][lane]) = (growth.b - 1.0, growth.c - 1.0);
        (self.peak[lane], self.squeeze[lane]) = (growth.peak, growth.squeeze);
    }

    /// What all sections of the belly in that lane grow by.
    fn growth(&self, lane: usize) -> Growth {
        let [b, c] = [self.swell[0][lane] + 1.0, self.swell[1][lane] + 1.0];
        Growth { b, c, peak: self.peak[lane], squeeze: self.squeeze[lane] }
    }

    /// Growth of one section of each belly along b and c, less one; with `ANY` some bellies may grow unevenly.
    #[inline(always)]
    fn swells<const ANY: bool>(&self, s: &Lane, rise: &Lane) -> [Lane; 2] {
        let mut swell = self.swell;
        if ANY {
            for l in 0..LANES {
                let grown = match &self.sections[l] {
                    Some(sections) => sections.growth(s[l], rise[l]),
                    None => self.growth(l).at(s[l], rise[l]),
                };
                (swell[0][l], swell[1][l]) = (grown.x - 1.0, grown.y - 1.0);
            }
        }
        swell
    }

    #[inline(always)]
    fn curve(&self, lane: usize) -> Bezier {
        Bezier { origin: self.origin.get(lane), first: self.first.get(lane), second: self.second.get(lane) }
    }

    #[inline(always)]
    fn carry(&self, lane: usize, v: Vec3) -> Vec3 {
        product_of(&self.turn, lane, v)
    }

    /// Directions of a ring at bind, one along the belly and one across, as the two halves' bones carry them at share `s`.
    fn carry_by_halves(&self, lane: usize, s: f32, tangent: Vec3, b: Vec3) -> (Vec3, Vec3) {
        let t = ((s - 0.5) / MIDDLE + 0.5).clamp(0.0, 1.0);
        let share = t * t * (3.0 - 2.0 * t);
        let blend = |v: Vec3| self.carry(lane, v) * (1.0 - share) + product_of(&self.end_turn, lane, v) * share;
        // bones that have turned right against each other say nothing: then the first half's
        let along = frame::unit_or(blend(tangent), 1e-3, self.carry(lane, tangent));
        let across = blend(b);
        let across = across - along * along.dot(across);
        let own = self.carry(lane, b);
        (along, frame::unit_or(across, 1e-3, frame::turn_onto(self.carry(lane, tangent), along, own)))
    }
}

/// Share of a belly over which the turns of its halves blend.
const MIDDLE: f32 = 0.2;

/// Columns of a matrix times a vector, in one lane.
#[inline(always)]
fn product_of(columns: &[Lane3; 3], lane: usize, v: Vec3) -> Vec3 {
    columns[0].get(lane) * v.x + columns[1].get(lane) * v.y + columns[2].get(lane) * v.z
}

/// One ring of each of eight muscles: where it is, its b axis, and how it has turned since bind (three rows).
struct Frames {
    b: Lane3,
    c: Lane3,
    bind_c: Lane3,
    u: Lane,
    center: Lane3,
    own: [Lane3; 3],
}

/// Ring `block` of the eight muscles of a group; with `LINES` some of them may be polylines.
#[inline(always)]
fn frames<const LINES: bool>(
    muscles: &MuscleTable,
    group: &Group,
    block: usize,
    paths: Paths,
    lengths: Option<&Lengths>,
) -> Frames {
    let curves = paths.curves;
    let RingBlock { s, tangent, b: bind_b, .. } = &muscles.block[block];
    // one short loop a quantity: each becomes a few vector instructions
    let u = lengths.map_or(*s, |lengths| lengths.parameters(s, &group.even));
    let on_lines = if LINES { places_on_lines(muscles, group, paths, s) } else { Default::default() };
    let is_line = |l: usize| LINES && group.line[l].is_some();
    let along = |l: usize| if is_line(l) { on_lines[1].get(l) } else { curves.curve(l).tangent(u[l]) };
    let mut carried = Lane3::each(|l| curves.carry(l, tangent.get(l)));
    let mut carried_b = Lane3::each(|l| curves.carry(l, bind_b.get(l)));
    if group.any_halves {
        for l in (0..LANES).filter(|&l| group.halves[l]) {
            let (along, across) = curves.carry_by_halves(l, s[l], tangent.get(l), bind_b.get(l));
            carried.set(l, along);
            carried_b.set(l, across);
        }
    }
    let a = Lane3::each(|l| frame::unit_or(along(l), muscles.shortest, carried.get(l)));
    let mut b = Lane3::each(|l| frame::turn_onto(carried.get(l), a.get(l), carried_b.get(l)));
    if group.any_lee {
        b = Lane3::each(|l| {
            let lee = frame::lee(a.get(l), curves.up.get(l), b.get(l));
            if group.lee[l] > 0.0 { lee } else { b.get(l) }
        });
    }
    let c = Lane3::each(|l| a.get(l).cross(b.get(l)));
    let bind_c = Lane3::each(|l| tangent.get(l).cross(bind_b.get(l)));
    // T = a a₀ᵀ + b b₀ᵀ + c c₀ᵀ
    let row = |a: &Lane, b: &Lane, c: &Lane| {
        Lane3::each(|l| tangent.get(l) * a[l] + bind_b.get(l) * b[l] + bind_c.get(l) * c[l])
    };
    let own = [row(&a.x, &b.x, &c.x), row(&a.y, &b.y, &c.y), row(&a.z, &b.z, &c.z)];
    let center = Lane3::each(|l| if is_line(l) { on_lines[0].get(l) } else { curves.curve(l).point(u[l]) });
    Frames { b, c, bind_c, u, center, own }
}

/// Centres and tangents of the rings of those of the eight muscles that are polylines.
fn places_on_lines(muscles: &MuscleTable, group: &Group, Paths { curves, lines }: Paths, s: &Lane) -> [Lane3; 2] {
    let mut places = [Lane3::default(); 2];
    for (l, line) in group.line.iter().enumerate() {
        if let Some(line) = line {
            let (point, tangent) = lines.line(&muscles.polyline, *line as usize, curves.jiggle.get(l)).place(s[l]);
            places[0].set(l, point);
            places[1].set(l, tangent);
        }
    }
    places
}

/// One cross-section as it is now: what belly surfaces are made from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Section {
    /// Metres, model space.
    pub center: Vec3,
    /// Toward the up-vector, as long as the section has grown since rest.
    pub b: Vec3,
    /// Across, likewise.
    pub c: Vec3,
}

for_each_instruction_set! {
    /// The cross-sections of the eight muscles of a group, as they are now.
    sections = sections_in_lanes(muscles: &MuscleTable, group: usize, paths: Paths, sections: &mut [Section])
}

#[inline(always)]
fn sections_in_lanes(muscles: &MuscleTable, group: usize, paths: Paths, sections: &mut [Section]) {
    if muscles.group[group].any_line || muscles.group[group].any_uneven {
        sections_of::<true>(muscles, group, paths, sections);
    } else {
        sections_of::<false>(muscles, group, paths, sections);
    }
}

#[inline(always)]
fn sections_of<const ANY: bool>(muscles: &MuscleTable, group: usize, paths: Paths, sections: &mut [Section]) {
    let (group, curves) = (&muscles.group[group], paths.curves);
    let lengths = group.any_even.then(|| Lengths::new(|l| curves.curve(l)));
    for (block, i) in (group.first_block as usize..).zip(0..group.most_rings) {
        let Frames { b, c, center, .. } = frames::<ANY>(muscles, group, block, paths, lengths.as_ref());
        let RingBlock { s, rise, .. } = &muscles.block[block];
        let swell = curves.swells::<ANY>(s, rise);
        for l in 0..LANES {
            if i < group.rings[l] {
                sections[(group.first_ring[l] + i) as usize] =
                    section_of(&center, [&b, &c], [swell[0][l], swell[1][l]], l);
            }
        }
    }
}

#[inline(always)]
fn section_of(center: &Lane3, [b, c]: [&Lane3; 2], swell: [f32; 2], l: usize) -> Section {
    Section { center: center.get(l), b: b.get(l) * (1.0 + swell[0]), c: c.get(l) * (1.0 + swell[1]) }
}

/// The rings of muscle `m`, whose curve is in that lane; for looking at, not for the frame.
pub fn rings_of(muscles: &MuscleTable, m: usize, paths: Paths) -> impl Iterator<Item = Ring> {
    let curves = paths.curves;
    let (group, lane) = (&muscles.group[m / LANES], m % LANES);
    let lengths = group.any_even.then(|| Lengths::new(|l| curves.curve(l)));
    (0..group.rings[lane]).map(move |i| {
        let block = (group.first_block + i) as usize;
        let frames = frames::<true>(muscles, group, block, paths, lengths.as_ref());
        let t = translation(&frames.own, &muscles.block[block].center, &frames.center);
        let RingBlock { s, rise, .. } = &muscles.block[block];
        let [b, c] = curves.swells::<true>(s, rise);
        Ring { since_bind: rows(&frames.own, &t, lane), swell: Vec2::new(b[lane], c[lane]) }
    })
}

for_each_instruction_set! {
    /// What the skin does with the rings of the eight muscles of a group; `step` is the layers' step of offsets. The sections it
    /// is made from are kept where there is room for them.
    pulls = pulls_of_curves(
        muscles: &MuscleTable, hold: &HoldTable, group: usize, paths: Paths, carriers: &Carriers, step: f32,
        out: (&mut [RingPull], &mut [Section]),
    )
}

for_each_instruction_set! {
    /// The same where some of the eight are polylines or grow unevenly: apart, because it is slower for curves.
    pulls_of_any_kind = pulls_of_any(
        muscles: &MuscleTable, hold: &HoldTable, group: usize, paths: Paths, carriers: &Carriers, step: f32,
        out: (&mut [RingPull], &mut [Section]),
    )
}

#[inline(always)]
fn pulls_of_curves(
    muscles: &MuscleTable,
    hold: &HoldTable,
    group: usize,
    paths: Paths,
    carriers: &Carriers,
    step: f32,
    out: (&mut [RingPull], &mut [Section]),
) {
    pulls_in_lanes::<false>(muscles, hold, group, paths, carriers, step, out);
}

#[inline(always)]
fn pulls_of_any(
    muscles: &MuscleTable,
    hold: &HoldTable,
    group: usize,
    paths: Paths,
    carriers: &Carriers,
    step: f32,
    out: (&mut [RingPull], &mut [Section]),
) {
    pulls_in_lanes::<true>(muscles, hold, group, paths, carriers, step, out);
}

#[inline(always)]
fn pulls_in_lanes<const ANY: bool>(
    muscles: &MuscleTable,
    hold: &HoldTable,
    group: usize,
    paths: Paths,
    carriers: &Carriers,
    step: f32,
    (pulls, sections): (&mut [RingPull], &mut [Section]),
) {
    let (group, curves) = (&muscles.group[group], paths.curves);
    let lengths = group.any_even.then(|| Lengths::new(|l| curves.curve(l)));
    for (block, i) in (group.first_block as usize..).zip(0..group.most_rings) {
        let Frames { b, c, bind_c, u, center: now, own } =
            frames::<ANY>(muscles, group, block, paths, lengths.as_ref());
        let RingBlock { b: bind_b, center, s, rise, .. } = &muscles.block[block];
        let [grown_b, grown_c] = curves.swells::<ANY>(s, rise);
        // what of the ring's motion the skin takes part in: see `hold`
        let [hx, hy, hz, ht] = held(carriers, &hold.weight[block]);
        let by_joints = [hx, hy, hz];
        let mix =
            |k: usize| Lane3::each(|l| by_joints[k].get(l) + (own[k].get(l) - by_joints[k].get(l)) * group.turn[l]);
        let skin = [mix(0), mix(1), mix(2)];
        let base = Lane3::each(|l| ht.get(l) + product(&by_joints, l, center.get(l)));
        let out = Lane3::each(|l| frame::unit_or(product(&by_joints, l, bind_b.get(l)), 1e-3, b.get(l)));
        let place = Lane3::each(|l| {
            let jiggle = curves.jiggle.get(l) * (2.0 * u[l] * (1.0 - u[l]));
            let (d, slide) = (now.get(l) - jiggle - base.get(l), group.slide[l]);
            let outward = out.get(l).dot(d);
            let more = outward.max(0.0) * (1.0 - slide) + outward.min(0.0) * (group.sink[l] - slide);
            base.get(l) + d * slide + out.get(l) * more + jiggle
        });
        let t = translation(&skin, center, &place);
        let swell_b = Lane3::each(|l| product(&skin, l, bind_b.get(l)) * (grown_b[l] * step));
        let swell_c = Lane3::each(|l| product(&skin, l, bind_c.get(l)) * (grown_c[l] * step));
        for l in 0..LANES {
            if i < group.rings[l] {
                let pull = &mut pulls[(group.first_ring[l] + i) as usize];
                pull.since_bind = rows(&skin, &t, l);
                (pull.swell_b, pull.swell_c) = (swell_b.get(l).into(), swell_c.get(l).into());
                if let Some(section) = sections.get_mut((group.first_ring[l] + i) as usize) {
                    *section = section_of(&now, [&b, &c], [grown_b[l], grown_c[l]], l);
                }
            }
        }
    }
}

/// What the joints of the skin over the rings do: three rows and a translation.
#[inline(always)]
fn held(carriers: &Carriers, weight: &[Lane; JOINTS]) -> [Lane3; 4] {
    let mut sum = [Lane::default(); 12];
    for (m, w) in carriers.iter().zip(weight) {
        for (sum, m) in sum.iter_mut().zip(m) {
            for l in 0..LANES {
                sum[l] += w[l] * m[l];
            }
        }
    }
    let [a, b, c, d, e, f, g, h, i, j, k, m] = sum;
    let row = |x, y, z| Lane3 { x, y, z };
    [row(a, b, c), row(e, f, g), row(i, j, k), row(d, h, m)]
}

/// A matrix of three rows times a vector, in one lane.
#[inline(always)]
fn product(rows: &[Lane3; 3], lane: usize, p: Vec3) -> Vec3 {
    Vec3::new(rows[0].get(lane).dot(p), rows[1].get(lane).dot(p), rows[2].get(lane).dot(p))
}

/// The translation with which those rows take `from` to `to`.
#[inline(always)]
fn translation(rows: &[Lane3; 3], from: &Lane3, to: &Lane3) -> Lane3 {
    Lane3::each(|l| to.get(l) - product(rows, l, from.get(l)))
}

#[inline(always)]
fn rows(m: &[Lane3; 3], t: &Lane3, l: usize) -> Rows {
    let (x, y, z) = (m[0].get(l), m[1].get(l), m[2].get(l));
    [x.x, x.y, x.z, t.x[l], y.x, y.y, y.z, t.y[l], z.x, z.y, z.z, t.z[l]]
}

for_each_instruction_set! {
    /// Points of bellies in model space, ring by ring, metres: of those of the eight muscles of a group that have room for
    /// rings x sectors rows.
    points = points_in_lanes(muscles: &MuscleTable, group: usize, paths: Paths, rooms: &mut [Option<&mut [Vec3]>; LANES])
}

#[inline(always)]
fn points_in_lanes(muscles: &MuscleTable, group: usize, paths: Paths, rooms: &mut [Option<&mut [Vec3]>; LANES]) {
    if muscles.group[group].any_line || muscles.group[group].any_uneven {
        points_of::<true>(muscles, group, paths, rooms);
    } else {
        points_of::<false>(muscles, group, paths, rooms);
    }
}

#[inline(always)]
fn points_of<const ANY: bool>(
    muscles: &MuscleTable,
    index: usize,
    paths: Paths,
    rooms: &mut [Option<&mut [Vec3]>; LANES],
) {
    let (group, curves) = (&muscles.group[index], paths.curves);
    let lengths = group.any_even.then(|| Lengths::new(|l| curves.curve(l)));
    for (block, i) in (group.first_block as usize..).zip(0..group.most_rings) {
        let frames = frames::<ANY>(muscles, group, block, paths, lengths.as_ref());
        let RingBlock { s, rise, center, .. } = &muscles.block[block];
        let t = translation(&frames.own, center, &frames.center);
        let [swell_b, swell_c] = curves.swells::<ANY>(s, rise);
        for (l, room) in rooms.iter_mut().enumerate() {
            let Some(room) = room.as_mut().filter(|_| i < group.rings[l]) else { continue };
            let rest = &muscles.rest[index * LANES + l];
            let (bind, sectors) = (&rest.rings[i as usize], rest.points.len() / rest.rings.len());
            let since_bind = rows(&frames.own, &t, l);
            let at = i as usize * sectors..(i as usize + 1) * sectors;
            for (point, &at) in room[at.clone()].iter_mut().zip(&rest.points[at]) {
                let from_center = at - bind.center;
                let along_b = bind.b * (bind.b.dot(from_center) * swell_b[l]);
                let along_c = bind.c * (bind.c.dot(from_center) * swell_c[l]);
                *point = attach::carry(&since_bind, at + along_b + along_c);
            }
        }
    }
}

/// The points of one belly with the sections of pose shapes: `factor` is what the profile is multiplied with at each point.
pub fn shaped_points(
    muscles: &MuscleTable,
    m: usize,
    paths: Paths,
    factor: impl Fn(usize) -> f32,
    points: &mut [Vec3],
) {
    let rest = &muscles.rest[m];
    let sectors = rest.points.len() / rest.rings.len();
    for (i, (ring, bind)) in rings_of(muscles, m, paths).zip(&rest.rings).enumerate() {
        for j in 0..sectors {
            let angle = std::f32::consts::TAU * j as f32 / sectors as f32;
            let around = Vec2::new(libm::cosf(angle), libm::sinf(angle)) * bind.half_axes;
            let offset = around * (Vec2::ONE + ring.swell) * factor(i * sectors + j);
            points[i * sectors + j] = ring.carry(bind.center) + ring.turn(bind.b * offset.x + bind.c * offset.y);
        }
    }
}

/// Triangles of a belly of that many rings and sectors, counter-clockwise from outside. The last at either end close it;
/// they have no area where it ends in a point.
#[must_use]
pub fn triangles(rings: usize, sectors: usize) -> Vec<[u32; 3]> {
    let at = |ring: usize, sector: usize| (ring * sectors + sector % sectors) as u32;
    let mut triangles = Vec::with_capacity(2 * (rings - 1) * sectors + 2 * (sectors - 2));
    for ring in 0..rings - 1 {
        for sector in 0..sectors {
            let (p, q) = (at(ring, sector), at(ring, sector + 1));
            let (r, s) = (at(ring + 1, sector), at(ring + 1, sector + 1));
            triangles.push([p, q, s]);
            triangles.push([p, s, r]);
        }
    }
    // a ladder across the section from its side, not a fan: the end of a sheet may be thin and bent
    let rung = |k: usize| sectors / 4 + if k.is_multiple_of(2) { sectors - k / 2 } else { k.div_ceil(2) };
    for k in 0..sectors - 2 {
        let [p, q] = if k.is_multiple_of(2) { [rung(k), rung(k + 1)] } else { [rung(k + 1), rung(k)] };
        triangles.push([at(0, q), at(0, p), at(0, rung(k + 2))]);
        triangles.push([at(rings - 1, p), at(rings - 1, q), at(rings - 1, rung(k + 2))]);
    }
    triangles
}
