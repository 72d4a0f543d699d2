//! Displace: the skin moves away from a muscle's line as far as the muscle has grown, and slides over it.
//!
//! ```text
//! u = (p − A)·x/|x|²     q = p − A − u x − 4u(1−u) n     ρ = |q|           A start of the belly, x to its end, n its bend
//! R = r_b r_c ρ / √((q·b r_c)² + (q·c r_b)²)                               r_b, r_c half-axes of the section at u
//! p′ = p + W (R_now − R_rest) q/ρ,  then out to R_now + fat if nearer, by W of the way;   or along b instead of q/ρ
//! ```
//!
//! Ramos, Larboulette: *Real-Time Anatomically Based Character Animation*, 2013, section 3. u is found anew in every
//! frame, so skin slides. `fat` of a vertex is at most what lies between it and the muscle at bind: rest is the artist's
//! skin. Ours: influence fades over the ends of the belly, and a bent line is one whose points leave the chord at right
//! angles, so that u is one product.
//!
//! Sections are two cubics along the belly. A profile that is something else is fit by them, its sculpt included.

use super::contract::{Growth, cubics};
use super::cubics::Cubics;
use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set};
use super::rest::RestBelly;
use crate::musculature::{Along, Muscle, Profile};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Influence fades where 4u(1−u) is below this: over the first and the last tenth of the belly.
const FADE: f32 = 0.36;
/// A vertex is never displaced by more muscles: by those that weigh most on it.
pub const MOST_MUSCLES: usize = 4;
/// Radii and distances below this, m, count as this: nothing is divided by less.
const THINNEST: f32 = 1e-6;

/// All that a frame says of one muscle to whoever deforms a skin by it: what a GPU is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct MuscleRecord {
    /// Where the belly begins, metres, model space.
    pub start: Vec3,
    /// From there to where it ends.
    pub chord: Vec3,
    /// How far its middle stands off the chord, at right angles to it.
    pub bend: Vec3,
    /// Unit, across the chord: the section's first axis. The second is chord x b.
    pub b: Vec3,
    /// What its sections have grown by.
    pub growth: Growth,
}

const _: () = assert!(size_of::<MuscleRecord>() <= 72, "Ramos' muscle is 72 bytes");

impl Default for MuscleRecord {
    fn default() -> Self {
        Self { start: Vec3::ZERO, chord: Vec3::X, bend: Vec3::ZERO, b: Vec3::Y, growth: Growth::NONE }
    }
}

/// The sections of one muscle at rest; constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sections {
    per_width: [f32; 2],  // 1 / u_p and 1 / (1 − u_p)
    peak: f32,            // m
    below: [[f32; 2]; 2], // m, of either side's cubic: see `radius`
    ellipse: f32,         // r_b / r_c
    peak_growth: f32,     // how far a metre of growth of the document's peak goes here
}

impl Sections {
    /// Of a muscle whose belly at rest is that.
    pub fn new(muscle: &Muscle, belly: &RestBelly, size: f32) -> Self {
        let own = cubics(&muscle.profile);
        let (fit, ellipse) = match (own, &muscle.profile, &muscle.sculpt) {
            (Some(own), Profile::TwoCubics { ellipse, .. }, None) => (own.times(size), *ellipse),
            _ => fitted(belly),
        };
        let slopes = [fit.slopes[0] * fit.peak_at, -fit.slopes[1] * (1.0 - fit.peak_at)];
        let below = |side: usize| [fit.ends[side] - fit.peak, 2.0 * (fit.ends[side] - fit.peak) + slopes[side]];
        Self {
            per_width: [1.0 / fit.peak_at, 1.0 / (1.0 - fit.peak_at)],
            peak: fit.peak,
            below: [below(0), below(1)],
            ellipse,
            peak_growth: own.map_or(0.0, |own| fit.peak / own.peak),
        }
    }
}

/// A muscle's line and sections in one frame, as the kernel reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Line {
    u: [f32; 4], // u of a point: x, y, z and 1
    x: [f32; 4], // m: along b
    y: [f32; 4], // m: along c
    b: [f32; 3],
    c: [f32; 3],
    bend: [f32; 2],  // m: along b and c
    grown: [f32; 2], // along b and c
    thicker: f32,    // m, at the peak
    squeeze: f32,
}

impl Line {
    /// From what the frame says of the muscle.
    pub fn new(record: &MuscleRecord, section: &Sections) -> Self {
        let MuscleRecord { start, chord, bend, b, growth } = *record;
        let square = chord.length_squared().max(THINNEST * THINNEST);
        let (along, c) = (chord / square, chord.cross(b) / square.sqrt());
        let row = |axis: Vec3| [axis.x, axis.y, axis.z, -axis.dot(start)];
        Self {
            u: row(along),
            x: row(b),
            y: row(c),
            b: b.into(),
            c: c.into(),
            bend: [bend.dot(b), bend.dot(c)],
            grown: [growth.b, growth.c],
            thicker: growth.peak * section.peak_growth,
            squeeze: growth.squeeze,
        }
    }
}

impl RestBelly {
    /// The two cubics nearest to this belly's sections, its sculpt included.
    #[must_use]
    pub fn two_cubics(&self) -> Profile {
        let (Cubics { peak_at, peak, ends, slopes }, ellipse) = fitted(self);
        Profile::TwoCubics { peak_at, peak, ends, slopes, ellipse }
    }
}

/// The two cubics nearest to the sections of a belly along c, and how many times as far they reach along b.
fn fitted(belly: &RestBelly) -> (Cubics, f32) {
    let sectors = belly.points.len() / belly.rings.len();
    let reach = |(ring, points): (&super::RestSection, &[Vec3])| -> Vec2 {
        let sum: Vec2 = points
            .iter()
            .map(|p| *p - ring.center)
            .map(|from| Vec2::new(from.dot(ring.b), from.dot(ring.c)))
            .map(|at| at * at)
            .sum();
        // around an ellipse the mean square of a coordinate is half its half-axis squared
        let mean = 2.0 * sum / points.len() as f32;
        Vec2::new(mean.x.sqrt(), mean.y.sqrt())
    };
    let reaches: Vec<Vec2> = belly.rings.iter().zip(belly.points.chunks(sectors)).map(reach).collect();
    let (both, across) = reaches.iter().fold((0.0, 0.0), |sum, r| (sum.0 + r.x * r.y, sum.1 + r.y * r.y));
    let ellipse = if across > 0.0 { (both / across).clamp(0.01, 100.0) } else { 1.0 };
    let last = reaches.len() - 1;
    let share = |i: usize| i as f32 / last as f32;
    let thickest = (0..=last).max_by(|&a, &b| reaches[a].y.total_cmp(&reaches[b].y)).unwrap_or(last / 2);
    let mut cubics = Cubics {
        peak_at: share(thickest).clamp(0.05, 0.95),
        peak: reaches[thickest].y.max(THINNEST),
        ends: [reaches[0].y, reaches[last].y],
        slopes: [0.0; 2],
    };
    // each slope by least squares over the rings of its side
    for (side, unit) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        let bare = Cubics { slopes: [0.0; 2], ..cubics };
        let with = Cubics { slopes: unit, ends: [0.0; 2], ..cubics };
        let own = (0..=last).filter(|&i| (share(i) < cubics.peak_at) == (side == 0));
        let (dot, square) = own.fold((0.0, 0.0), |(dot, square), i| {
            let parts = bare.parts(share(i));
            let (missing, basis) = (reaches[i].y - bare.peak * parts.x - parts.y, with.parts(share(i)).y);
            (dot + missing * basis, square + basis * basis)
        });
        cubics.slopes[side] = if square > 0.0 { dot / square } else { 0.0 };
    }
    (cubics, ellipse)
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DisplaceTable {
    start: Box<[u32]>,        // n_batch + 1  rows of the entries
    muscle: Box<[u16]>,       // n_entry      ascending within a batch
    weight: Box<[Shares]>,    // n_entry      W, which sum to at most 1 at a vertex
    fat: Box<[[i16; LANES]]>, // n_entry      in steps
    fat_step: f32,            // m
    along_b: bool,
}

/// What a layer of displacement is made from.
pub(crate) struct Parts<'a> {
    /// n_muscle.
    pub sections: &'a [Sections],
    /// n_muscle, in the bind pose.
    pub records: Box<[MuscleRecord]>,
    /// n_vertex, m, at bind.
    pub positions: &'a [Vec3],
}

impl DisplaceTable {
    /// The table of a layer; `weights` gives the muscles of a vertex, ascending, and W.
    pub fn new<'a>(
        order: &[u32],
        (fat, along): (f32, Along),
        weights: impl Fn(u32) -> &'a [(u16, f32)],
        parts: Parts,
    ) -> Self {
        let (mut start, mut muscle, mut weight, mut room) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut muscles: Vec<u16> = batch.iter().flat_map(|&v| weights(v).iter().map(|w| w.0)).collect();
            muscles.sort_unstable();
            muscles.dedup();
            for &m in &muscles {
                let share = |v: u32| weights(v).iter().find(|w| w.0 == m).map_or(0.0, |w| w.1);
                // rounded down, so that shares that sum to one stay below it
                weight.push(std::array::from_fn(|l| (share(batch[l]) * f32::from(WHOLE)) as u16));
                let section = &parts.sections[usize::from(m)];
                let line = Line::new(&parts.records[usize::from(m)], section);
                let seen = look(section, &line, &Lane3::each(|l| parts.positions[batch[l] as usize]));
                room.push(each(|l| (seen.radius[l] * (1.0 - seen.rest[l])).min(fat)));
            }
            muscle.extend(muscles);
            start.push(muscle.len() as u32);
        }
        let farthest = room.iter().flatten().fold(THINNEST, |most, free| most.max(free.abs()));
        let fat_step = farthest / f32::from(i16::MAX);
        // rounded down, so that nothing is pushed at rest
        let packed = |free: &Lane| free.map(|free| (free / fat_step).floor() as i16);
        Self {
            start: start.into(),
            muscle: muscle.into(),
            weight: weight.into(),
            fat: room.iter().map(packed).collect(),
            fat_step,
            along_b: along == Along::Up,
        }
    }

    #[inline(always)]
    fn entries(&self, batch: usize) -> Range<usize> {
        self.start[batch] as usize..self.start[batch + 1] as usize
    }
}

for_each_instruction_set! {
    /// Displace those batches of skin.
    apply = apply_in_lanes(
        table: &DisplaceTable, sections: &[Sections], batches: Range<usize>, lines: &[Line], skin: &mut [Lane3],
    )
}

#[inline(always)]
fn apply_in_lanes(
    table: &DisplaceTable,
    sections: &[Sections],
    batches: Range<usize>,
    lines: &[Line],
    skin: &mut [Lane3],
) {
    for (batch, skin) in batches.zip(skin) {
        let (from, entries) = (*skin, table.entries(batch));
        let (muscles, weights) = (&table.muscle[entries.clone()], &table.weight[entries.clone()]);
        for ((&m, weight), fat) in muscles.iter().zip(weights).zip(&table.fat[entries]) {
            let line = &lines[usize::from(m)];
            let seen = look(&sections[usize::from(m)], line, &from);
            let weight = each(|l| f32::from(weight[l]) * seen.fade[l]);
            let fat = each(|l| f32::from(fat[l]) * table.fat_step);
            if table.along_b {
                displace_along(line, &seen, &weight, &fat, skin);
            } else {
                displace_out(line, &seen, &weight, &fat, skin);
            }
        }
    }
}

/// One number for each lane: short loops of one quantity become a few vector instructions each.
#[inline(always)]
fn each(number: impl Fn(usize) -> f32) -> Lane {
    let mut lanes = Lane::default();
    for (l, lane) in lanes.iter_mut().enumerate() {
        *lane = number(l);
    }
    lanes
}

/// The same through memory: two quantities that are computed alike would be woven into each other's registers by the
/// compiler, which takes a third longer.
#[inline(always)]
fn apart(lane: Lane) -> Lane {
    std::hint::black_box(lane)
}

#[inline(always)]
fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// Far below any square of a length or area that matters, far above the smallest number.
#[inline(always)]
fn not_nothing(square: f32) -> f32 {
    if square > 1e-30 { square } else { 1e-30 }
}

/// Where eight vertices are as one muscle sees them.
struct Seen {
    x: Lane,      // m: q along b
    y: Lane,      // m: q along c
    radius: Lane, // m: ρ
    rest: Lane,   // R at rest over ρ
    now: Lane,    // R now over ρ
    fade: Lane,   // 0 beyond the ends, one share of a weight between them
}

#[inline(always)]
fn look(section: &Sections, line: &Line, p: &Lane3) -> Seen {
    let row = |r: &[f32; 4]| each(|l| r[0] * p.x[l] + r[1] * p.y[l] + (r[2] * p.z[l] + r[3]));
    let (u, x, y) = (row(&line.u), row(&line.x), row(&line.y));
    let arch = each(|l| positive(4.0 * u[l] * (1.0 - u[l])));
    let (x, y) = (apart(each(|l| x[l] - arch[l] * line.bend[0])), apart(each(|l| y[l] - arch[l] * line.bend[1])));
    let (radius, rise) = radius(section, &u);
    let thicker = each(|l| line.thicker * rise[l]);
    let b = each(|l| section.ellipse * positive(line.grown[0] * radius[l] + thicker[l]));
    let c = each(|l| positive(line.grown[1] * radius[l] + thicker[l]));
    let squeeze = each(|l| 1.0 + line.squeeze * arch[l]);
    let (xx, yy) = (each(|l| x[l] * x[l]), each(|l| y[l] * y[l]));
    let across = section.ellipse * section.ellipse;
    let fade = each(|l| arch[l] * (1.0 / FADE / WHOLE as f32));
    let distance = each(|l| (xx[l] + yy[l]).sqrt());
    let toward = each(|l| not_nothing(xx[l] + across * yy[l]).sqrt());
    Seen {
        x,
        y,
        radius: distance,
        rest: each(|l| section.ellipse * radius[l] / toward[l]),
        now: polar(&x, &y, &b, &c, &squeeze),
        fade: each(|l| if fade[l] < 1.0 / WHOLE as f32 { fade[l] } else { 1.0 / WHOLE as f32 }),
    }
}

/// Radius of the section along c at rest, and how far the cubic has risen to its peak there:
/// r = r_p + (1−t)² ((r_e − r_p)(1 + 2t) + d t), t from that side's end to the peak.
#[inline(always)]
fn radius(section: &Sections, u: &Lane) -> (Lane, Lane) {
    let (near, far) =
        (apart(each(|l| u[l] * section.per_width[0])), apart(each(|l| (1.0 - u[l]) * section.per_width[1])));
    // below its peak each side is nearer to its own end
    let [first, second] = section.below;
    let constant = each(|l| if near[l] < far[l] { first[0] } else { second[0] });
    let linear = each(|l| if near[l] < far[l] { first[1] } else { second[1] });
    let t = each(|l| if near[l] < far[l] { near[l] } else { far[l] });
    let t = each(|l| positive(if t[l] < 1.0 { t[l] } else { 1.0 }));
    let left = each(|l| (1.0 - t[l]) * (1.0 - t[l]));
    let radius = each(|l| positive(section.peak + left[l] * (constant[l] + linear[l] * t[l])));
    (radius, each(|l| 1.0 - left[l] * (1.0 + 2.0 * t[l])))
}

/// Radius toward (x, y) of an ellipse of half-axes b s and c / s, as a share of how far that is.
#[inline(always)]
fn polar(x: &Lane, y: &Lane, b: &Lane, c: &Lane, squeeze: &Lane) -> Lane {
    let bs = each(|l| b[l] * squeeze[l]);
    let (xc, yb) = (each(|l| x[l] * c[l]), each(|l| y[l] * (bs[l] * squeeze[l])));
    let square = each(|l| xc[l] * xc[l] + yb[l] * yb[l]);
    each(|l| bs[l] * c[l] / not_nothing(square[l]).sqrt())
}

/// How far skin goes, as a share of its distance from the line.
#[inline(always)]
fn share(seen: &Seen, weight: &Lane, fat: &Lane) -> Lane {
    let Seen { radius, rest, now, .. } = seen;
    let grown = each(|l| weight[l] * (now[l] - rest[l]));
    let missing = each(|l| positive(now[l] + fat[l] / radius[l] - 1.0 - grown[l]));
    each(|l| if radius[l] > THINNEST { grown[l] + weight[l] * missing[l] } else { 0.0 })
}

/// Away from the line.
#[inline(always)]
fn displace_out(line: &Line, seen: &Seen, weight: &Lane, fat: &Lane, skin: &mut Lane3) {
    let way = share(seen, weight, fat);
    let (x, y) = (apart(each(|l| way[l] * seen.x[l])), apart(each(|l| way[l] * seen.y[l])));
    skin.x = each(|l| skin.x[l] + (x[l] * line.b[0] + y[l] * line.c[0]));
    skin.y = each(|l| skin.y[l] + (x[l] * line.b[1] + y[l] * line.c[1]));
    skin.z = each(|l| skin.z[l] + (x[l] * line.b[2] + y[l] * line.c[2]));
}

/// Along the section's first axis.
#[inline(always)]
fn displace_along(line: &Line, seen: &Seen, weight: &Lane, fat: &Lane, skin: &mut Lane3) {
    let way = share(seen, weight, fat);
    let way = each(|l| way[l] * seen.radius[l]);
    skin.x = each(|l| skin.x[l] + way[l] * line.b[0]);
    skin.y = each(|l| skin.y[l] + way[l] * line.b[1]);
    skin.z = each(|l| skin.z[l] + way[l] * line.b[2]);
}
