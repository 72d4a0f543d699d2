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
//! skin. Ours: influence fades over a tenth of the belly at either end, and a bent line is one whose points leave the
//! chord at right angles, so that u is one product.
//!
//! Sections are two cubics along the belly. A profile that is something else is fit by them, its sculpt included.

use super::contract::{Growth, cubics};
use super::cubics::Cubics;
use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set};
use super::rest::RestBelly;
use crate::musculature::{Along, Muscle};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Influence fades over this share of the belly at either end.
const FADE: f32 = 0.1;
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
    peak_at: f32,
    per_width: [f32; 2], // 1 / u_p and 1 / (1 − u_p)
    peak: f32,           // m
    ends: [f32; 2],      // m
    slopes: [f32; 2],    // m: slope times width, seen from the ends
    ellipse: f32,        // r_b / r_c
    peak_growth: f32,    // how far a metre of growth of the document's peak goes here
}

impl Sections {
    /// Of a muscle whose belly at rest is that.
    pub fn new(muscle: &Muscle, belly: &RestBelly, size: f32) -> Self {
        let own = cubics(&muscle.profile);
        let (fit, ellipse) = fitted(belly);
        let peak_growth = own.map_or(0.0, |own| if muscle.sculpt.is_some() { fit.peak / own.peak } else { size });
        Self {
            peak_at: fit.peak_at,
            per_width: [1.0 / fit.peak_at, 1.0 / (1.0 - fit.peak_at)],
            peak: fit.peak,
            ends: fit.ends,
            slopes: [fit.slopes[0] * fit.peak_at, -fit.slopes[1] * (1.0 - fit.peak_at)],
            ellipse,
            peak_growth,
        }
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
    section: Box<[Sections]>, // n_muscle
    along_b: bool,
}

/// What a layer of displacement is made from.
pub(crate) struct Parts<'a> {
    /// n_muscle.
    pub sections: Box<[Sections]>,
    /// n_muscle, in the bind pose.
    pub records: Box<[MuscleRecord]>,
    /// n_vertex, m, at bind.
    pub positions: &'a [Vec3],
}

impl DisplaceTable {
    /// The table of a layer; `weights[v]` are the muscles of vertex v, ascending, and W.
    pub fn new(order: &[u32], fat: f32, along: Along, weights: &[Vec<(u16, f32)>], parts: Parts) -> Self {
        let (mut start, mut muscle, mut weight, mut room) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut muscles: Vec<u16> = batch.iter().flat_map(|&v| weights[v as usize].iter().map(|w| w.0)).collect();
            muscles.sort_unstable();
            muscles.dedup();
            for &m in &muscles {
                let share = |v: u32| weights[v as usize].iter().find(|w| w.0 == m).map_or(0.0, |w| w.1);
                // rounded down, so that shares that sum to one stay below it
                weight.push(std::array::from_fn(|l| (share(batch[l]) * f32::from(WHOLE)) as u16));
                let (section, record) = (&parts.sections[usize::from(m)], &parts.records[usize::from(m)]);
                let at = Lane3::each(|l| parts.positions[batch[l] as usize]);
                let seen = look(section, record, &at);
                let free: Lane = each(|l| (seen.radius[l] * (1.0 - seen.rest[l])).min(fat));
                room.push(free);
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
            section: parts.sections,
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
    apply = apply_in_lanes(table: &DisplaceTable, batches: Range<usize>, records: &[MuscleRecord], skin: &mut [Lane3])
}

#[inline(always)]
fn apply_in_lanes(table: &DisplaceTable, batches: Range<usize>, records: &[MuscleRecord], skin: &mut [Lane3]) {
    for (batch, skin) in batches.zip(skin) {
        let from = *skin;
        for entry in table.entries(batch) {
            let m = usize::from(table.muscle[entry]);
            let seen = look(&table.section[m], &records[m], &from);
            let weight = each(|l| f32::from(table.weight[entry][l]) * (1.0 / f32::from(WHOLE)) * seen.fade[l]);
            let fat = each(|l| f32::from(table.fat[entry][l]) * table.fat_step);
            if table.along_b {
                displace_along(&records[m].b, &seen, &weight, &fat, skin);
            } else {
                displace_out(&seen, &weight, &fat, skin);
            }
        }
    }
}

/// One number for each lane.
#[inline(always)]
fn each(number: impl Fn(usize) -> f32) -> Lane {
    std::array::from_fn(number)
}

/// Where eight vertices are as one muscle sees them.
struct Seen {
    q: Lane3,     // m: from the line, across the chord
    radius: Lane, // m: ρ
    rest: Lane,   // R at rest over ρ
    now: Lane,    // R now over ρ
    fade: Lane,   // 0 beyond the ends, 1 between them
}

#[inline(always)]
fn look(section: &Sections, record: &MuscleRecord, p: &Lane3) -> Seen {
    let MuscleRecord { start, chord, bend, b, growth } = *record;
    let square = chord.length_squared().max(THINNEST * THINNEST);
    let along = chord * (1.0 / square);
    let c = chord.cross(b) * (1.0 / square.sqrt());
    let w = Lane3 { x: each(|l| p.x[l] - start.x), y: each(|l| p.y[l] - start.y), z: each(|l| p.z[l] - start.z) };
    let u = each(|l| w.x[l] * along.x + w.y[l] * along.y + w.z[l] * along.z);
    let arch = each(|l| 4.0 * u[l] * (1.0 - u[l]));
    let arch = each(|l| if arch[l] > 0.0 { arch[l] } else { 0.0 });
    let q = Lane3 {
        x: each(|l| w.x[l] - u[l] * chord.x - arch[l] * bend.x),
        y: each(|l| w.y[l] - u[l] * chord.y - arch[l] * bend.y),
        z: each(|l| w.z[l] - u[l] * chord.z - arch[l] * bend.z),
    };
    let (x, y) =
        (each(|l| q.x[l] * b.x + q.y[l] * b.y + q.z[l] * b.z), each(|l| q.x[l] * c.x + q.y[l] * c.y + q.z[l] * c.z));
    // the two cubics, seen from whichever end is on this side of the peak
    let first = |l: usize| u[l] < section.peak_at;
    let t = each(|l| if first(l) { u[l] * section.per_width[0] } else { (1.0 - u[l]) * section.per_width[1] });
    let t = each(|l| if t[l] > 0.0 { t[l] } else { 0.0 });
    let rise = each(|l| t[l] * t[l] * (3.0 - 2.0 * t[l]));
    let end = each(|l| if first(l) { section.ends[0] } else { section.ends[1] });
    let slope = each(|l| if first(l) { section.slopes[0] } else { section.slopes[1] });
    let tail = each(|l| end[l] * (1.0 - rise[l]) + slope[l] * (t[l] * ((1.0 - t[l]) * (1.0 - t[l]))));
    let radius = each(|l| section.peak * rise[l] + tail[l]);
    let radius = each(|l| if radius[l] > 0.0 { radius[l] } else { 0.0 });
    let thicker = each(|l| growth.peak * section.peak_growth * rise[l]);
    let squeeze = each(|l| 1.0 + growth.squeeze * arch[l]);
    let positive = |r: f32| if r > 0.0 { r } else { 0.0 };
    let now_b = each(|l| positive(growth.b * radius[l] + thicker[l]) * squeeze[l] * section.ellipse);
    let now_c = each(|l| positive(growth.c * radius[l] + thicker[l]) / squeeze[l]);
    let rest_b = each(|l| radius[l] * section.ellipse);
    let at_end = each(|l| if u[l] < 1.0 - u[l] { u[l] } else { 1.0 - u[l] });
    let fade = each(|l| at_end[l] * (1.0 / FADE));
    let fade = each(|l| if fade[l] > 0.0 { fade[l] } else { 0.0 });
    let fade = each(|l| if fade[l] < 1.0 { fade[l] } else { 1.0 });
    let distance = each(|l| x[l] * x[l] + y[l] * y[l]);
    Seen {
        q,
        radius: each(|l| distance[l].sqrt()),
        rest: polar(&x, &y, &rest_b, &radius),
        now: polar(&x, &y, &now_b, &now_c),
        fade: each(|l| fade[l] * fade[l] * (3.0 - 2.0 * fade[l])),
    }
}

/// Radius of an ellipse toward (x, y), as a share of how far that is.
#[inline(always)]
fn polar(x: &Lane, y: &Lane, b: &Lane, c: &Lane) -> Lane {
    let (xc, yb) = (each(|l| x[l] * c[l]), each(|l| y[l] * b[l]));
    let length = each(|l| (xc[l] * xc[l] + yb[l] * yb[l]).sqrt());
    each(|l| b[l] * c[l] / if length[l] > THINNEST * THINNEST { length[l] } else { THINNEST * THINNEST })
}

/// Away from the line.
#[inline(always)]
fn displace_out(seen: &Seen, weight: &Lane, fat: &Lane, skin: &mut Lane3) {
    let Seen { q, radius, rest, now, .. } = seen;
    let off_line = |l: usize| radius[l] > THINNEST;
    let grown = each(|l| weight[l] * (now[l] - rest[l]));
    let safe = each(|l| if off_line(l) { radius[l] } else { 1.0 });
    let missing = each(|l| now[l] + fat[l] / safe[l] - (1.0 + grown[l]));
    let pushed = each(|l| grown[l] + weight[l] * if missing[l] > 0.0 { missing[l] } else { 0.0 });
    let way = each(|l| if off_line(l) { pushed[l] } else { 0.0 });
    skin.x = each(|l| skin.x[l] + way[l] * q.x[l]);
    skin.y = each(|l| skin.y[l] + way[l] * q.y[l]);
    skin.z = each(|l| skin.z[l] + way[l] * q.z[l]);
}

/// Along the section's first axis.
#[inline(always)]
fn displace_along(b: &Vec3, seen: &Seen, weight: &Lane, fat: &Lane, skin: &mut Lane3) {
    let Seen { radius, rest, now, .. } = seen;
    let grown = each(|l| weight[l] * (now[l] - rest[l]) * radius[l]);
    let missing = each(|l| now[l] * radius[l] + fat[l] - (radius[l] + grown[l]));
    let pushed = each(|l| grown[l] + weight[l] * if missing[l] > 0.0 { missing[l] } else { 0.0 });
    let way = each(|l| if radius[l] > THINNEST { pushed[l] } else { 0.0 });
    skin.x = each(|l| skin.x[l] + way[l] * b.x);
    skin.y = each(|l| skin.y[l] + way[l] * b.y);
    skin.z = each(|l| skin.z[l] + way[l] * b.z);
}
