//! Loft: one closed surface around the bellies of a sheet.
//!
//! ```text
//! station s   pₖ on each belly's curve, aₖ its tangent, in order along c: one that would pass its neighbour stays beside it
//!             dₖ half the way from the belly before to the one after
//!             nₖ = dₖ × aₖ, unit          wₖ = |dₖ × aₖ| across the fibres, at the first and the last π/4 r_c g_c e·c more
//!             e the way a round end goes: midway between that of the centres and c = a × n, as long as they agree
//! thickness   hₖ = r_b g_b g_c w₀ₖ / wₖ      r the section's half-axes, g its growth along b and c, w₀ as at rest
//! outline     top Σ Bₖ (pₖ + hₖ nₖ), round end, bottom Σ Bₖ (pₖ − hₖ nₖ), round end         B cubic B-spline across
//! along       (1 4 1)/6 of neighbouring stations: a cubic B-spline through the end rings
//! volume      all hₖ times V₀/V, what the surface encloses at rest and now
//! ```
//!
//! A belly that keeps its volume alone would not keep it in a sheet: its neighbours' attachments hold its width, so its
//! thickness takes up what the section gains, and what neighbours gain on it or leave to it. With g_b g_c = l₀/l every
//! strip hₖ wₖ l keeps its volume; a sheet that also bends gains or loses by that, which all its strips share.
//!
//! Every point is a foot on the curve through the bellies' centres and an offset from it, which the sculpt grid
//! multiplies. Sectors start from the middle of the top and go round by c, evenly at bind; a sector is the same share of
//! the outline ever after. Saam, Macey, Zhang: *Production
//! Friendly Character Skinning*, section V-B: "lofting is used to create one resulting muscle shape".

use super::frame;
use super::lanes::LANES;
use super::path::{Bezier, Lengths};
use super::rest::RestSection;
use super::sheet::MOST_BELLIES;
use glam::{Mat3, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_4, PI};

/// Bellies closer than this share of their half-width turn to the muscle's own up-vector: they have no plane of their own.
const BUNDLE: f32 = 0.25;
/// And count as this share of it wide: a fan's point has no width to divide by.
const NARROWEST: f32 = 0.02;
/// Neighbours keep this share of the distance along c that they have at rest.
const CLOSEST: f32 = 0.6;
/// How many times thicker or thinner a belly gets by what its neighbours leave it.
const MOST_SQUEEZE: f32 = 2.0;
/// Points around a ring at most.
const MOST_SECTORS: usize = 64;
/// Steps in which a round end is measured.
const CAP_STEPS: usize = 64;

/// One cross-section at rest: constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LoftRing {
    pub s: f32,
    pub half_axes: Vec2, // m, of one belly
    pub tangent: Vec3,   // unit, of the middle line at bind
    pub b: Vec3,         // unit, at right angles to it
}

/// Where on the outline a point sits: constants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sector {
    first: usize,     // belly
    weight: [f32; 4], // of it and the three after it; they sum to 1
    up: f32,          // 1 top, -1 bottom
    side: f32,        // 1 where an end is roundest
    end: usize,       // 0 or 1: the first belly's or the last one's
}

/// Constants of one sheet's surface.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoftTable {
    ring: Box<[LoftRing]>,
    rest_gap: Box<[f32]>,   // rings x bellies  m, along c from the belly before
    rest_width: Box<[f32]>, // rings x bellies  m: w₀
    sector: Box<[Sector]>,
    sculpt: Box<[f32]>, // rings x sectors, or none
    reversed: bool,     // whether the document lists the bellies against c
    bundle: f32,        // m: see `BUNDLE`
    narrowest: f32,     // m: see `NARROWEST`
    rest_volume: f32,   // m³: V₀
}

/// The bellies of a sheet as they run now.
#[derive(Clone, Copy)]
pub(crate) struct Strands<'a> {
    /// Their curves, without jiggle.
    pub curves: &'a [Bezier],
    /// How far their sections have grown along b and c.
    pub growth: &'a [Vec2],
    /// How far the spring is out, m.
    pub jiggle: Vec3,
    /// Rotation of the muscle's chord since bind.
    pub turn: &'a Mat3,
}

/// The bellies where a ring cuts them.
#[derive(Clone, Copy)]
struct Station {
    center: [Vec3; MOST_BELLIES],
    high: [Vec3; MOST_BELLIES], // hₖ nₖ
    aside: [Vec3; 2],           // to the farthest point of the round ends
}

/// A belly where a ring cuts it, before its thickness is known.
#[derive(Clone, Copy, Default)]
struct Slice {
    center: Vec3,
    a: Vec3,
    n: Vec3,
    aside: Vec3, // e: the way its round end goes, toward c; at right angles to n
    width: f32,  // m: w
}

impl LoftTable {
    /// Of bellies that run like that at bind.
    pub fn new(rest: Strands, ring: Vec<LoftRing>, sectors: usize, sculpt: &[f32], shortest: f32) -> Self {
        let widest = ring.iter().fold(0.0_f32, |widest, ring| widest.max(ring.half_axes.y));
        let mut table = Self {
            rest_gap: Box::default(),
            rest_width: Box::default(),
            sector: Box::default(),
            sculpt: sculpt.into(),
            reversed: false,
            bundle: (BUNDLE * widest).max(shortest),
            narrowest: (NARROWEST * widest).max(shortest),
            rest_volume: 0.0,
            ring: ring.into(),
        };
        let (half, n) = (table.ring.len() / 2, rest.curves.len());
        let middle = table.ring[half];
        let mut slices = [Slice::default(); MOST_BELLIES];
        let c = Stations::new(&table, rest).centers(&middle, &mut slices);
        table.reversed = (slices[n - 1].center - slices[0].center).dot(c) < 0.0;
        let stations = Stations::new(&table, rest);
        let mut gap = Vec::with_capacity(table.ring.len() * n);
        for ring in &*table.ring {
            let c = stations.centers(ring, &mut slices);
            gap.extend((0..n).map(|k| (slices[k].center - slices[k.saturating_sub(1)].center).dot(c).max(0.0)));
        }
        table.rest_gap = gap.into();
        let stations = Stations::new(&table, rest);
        let mut width = Vec::with_capacity(table.ring.len() * n);
        for i in 0..table.ring.len() {
            stations.slices(i, &mut slices);
            width.extend(slices[..n].iter().map(|slice| slice.width));
        }
        stations.slices(half, &mut slices);
        let centers = slices.map(|slice| slice.center);
        let sector = layout(&centers[..n], middle.half_axes, sectors);
        (table.rest_width, table.sector) = (width.into(), sector.into());
        table.rest_volume = table.volume(&Stations::new(&table, rest));
        table
    }

    /// The sheet's cross-sections, drawn to their neighbours along it.
    fn each_ring(&self, stations: &Stations, mut put: impl FnMut(usize, &Station)) {
        let (last, n) = (self.ring.len() - 1, stations.strands.curves.len());
        let (mut before, mut now) = (stations.at(0), stations.at(0));
        for i in 0..=last {
            let after = stations.at((i + 1).min(last));
            put(i, &if i == 0 || i == last { now } else { smoothed(&before, &now, &after, n) });
            (before, now) = (now, after);
        }
    }

    /// What the surface encloses, m³: the sum over its squares, each as two triangles seen from a point of the sheet.
    fn volume(&self, stations: &Stations) -> f32 {
        let n = self.sector.len();
        let (mut behind, mut here) = ([Vec3::ZERO; MOST_SECTORS], [Vec3::ZERO; MOST_SECTORS]);
        let (mut six_volumes, mut from) = (0.0, None);
        self.each_ring(stations, |i, ring| {
            let seen_from = *from.get_or_insert(ring.center[0]);
            for (j, sector) in self.sector.iter().enumerate() {
                let (foot, offset) = sector.place(ring);
                here[j] = foot + offset * self.sculpt(i * n + j) - seen_from;
            }
            let mut last = n - 1;
            for j in 0..n {
                let (a, b, c, d) = (behind[last], here[last], here[j], behind[j]);
                six_volumes += a.cross(c).dot(b - d) * f32::from(u8::from(i > 0));
                last = j;
            }
            behind = here;
        });
        six_volumes.abs() / 6.0
    }

    /// V₀/V, within reason; a tangle that encloses nothing at rest has no volume to keep.
    fn thicker(&self, stations: &Stations) -> f32 {
        if self.rest_volume <= self.narrowest.powi(3) {
            return 1.0;
        }
        let least = self.rest_volume / MOST_SQUEEZE;
        self.rest_volume / self.volume(stations).clamp(least, self.rest_volume * MOST_SQUEEZE)
    }

    /// The surface's points, ring by ring: `put(point, foot, offset)`.
    pub fn each_point(&self, strands: Strands, mut put: impl FnMut(usize, Vec3, Vec3)) {
        let stations = Stations::new(self, strands);
        let thicker = self.thicker(&stations);
        self.each_ring(&stations, |i, ring| {
            let mut ring = *ring;
            ring.high.iter_mut().for_each(|high| *high *= thicker);
            for (j, sector) in self.sector.iter().enumerate() {
                let (foot, offset) = sector.place(&ring);
                put(i * self.sector.len() + j, foot, offset);
            }
        });
    }

    /// The surface's points, ring by ring; `factor` is what multiplies each point's offset.
    pub fn points(&self, strands: Strands, factor: impl Fn(usize) -> f32, points: &mut [Vec3]) {
        self.each_point(strands, |i, foot, offset| points[i] = foot + offset * factor(i));
    }

    /// What the sculpt grid says of a point.
    pub fn sculpt(&self, point: usize) -> f32 {
        self.sculpt.get(point).copied().unwrap_or(1.0)
    }

    /// The cross-sections of every belly, and how wide the sheet is at each ring between the first belly and the last, m.
    pub fn sections(&self, strands: Strands) -> (Vec<Vec<RestSection>>, Vec<f32>) {
        let stations = Stations::new(self, strands);
        let n = strands.curves.len();
        let (mut bellies, mut widths) = (vec![Vec::new(); n], Vec::new());
        for (i, ring) in self.ring.iter().enumerate() {
            let mut slices = [Slice::default(); MOST_BELLIES];
            stations.slices(i, &mut slices);
            for (belly, Slice { center, a, n, .. }) in bellies.iter_mut().zip(slices) {
                belly.push(RestSection { center, a, b: n, c: a.cross(n), half_axes: ring.half_axes });
            }
            widths.push(slices[..n].windows(2).map(|pair| pair[0].center.distance(pair[1].center)).sum());
        }
        (bellies, widths)
    }
}

/// What is needed to cut the bellies at any ring.
struct Stations<'a> {
    table: &'a LoftTable,
    strands: Strands<'a>,
    lengths: [Lengths; MOST_BELLIES / LANES],
}

impl<'a> Stations<'a> {
    fn new(table: &'a LoftTable, strands: Strands<'a>) -> Self {
        let last = strands.curves.len() - 1;
        let of = |k: usize| with_jiggle(&strands.curves[k.min(last)], strands.jiggle);
        let low = Lengths::new(of);
        let lengths = [low, if last < LANES { low } else { Lengths::new(|l| of(LANES + l)) }];
        Self { table, strands, lengths }
    }

    /// Where that ring cuts the bellies, and their tangents; returns c there.
    fn centers(&self, ring: &LoftRing, slices: &mut [Slice; MOST_BELLIES]) -> Vec3 {
        let Strands { curves, jiggle, turn, .. } = self.strands;
        let n = curves.len();
        let carried = *turn * ring.tangent;
        let mut along = Vec3::ZERO;
        for (half, lengths) in self.lengths.iter().enumerate().take(n.div_ceil(LANES)) {
            let u = lengths.parameters(&[ring.s; LANES], &[1.0; LANES]);
            for k in half * LANES..n.min((half + 1) * LANES) {
                let curve = with_jiggle(&curves[k], jiggle);
                let u = u[k - half * LANES];
                let a = frame::unit_or(curve.tangent(u), self.table.narrowest * 1e-2, carried);
                slices[self.place(k)] = Slice { center: curve.point(u), a, ..Slice::default() };
                along += a;
            }
        }
        let a = frame::unit_or(along, 1e-3, carried);
        a.cross(frame::turn_onto(carried, a, *turn * ring.b))
    }

    /// The bellies where ring `i` cuts them, in order along c.
    fn slices(&self, i: usize, slices: &mut [Slice; MOST_BELLIES]) {
        let Strands { curves, growth, turn, .. } = self.strands;
        let (n, ring) = (curves.len(), &self.table.ring[i]);
        let c = self.centers(ring, slices);
        in_order(&mut slices[..n], &self.table.rest_gap[i * n..(i + 1) * n], c);
        let (carried, carried_b) = (*turn * ring.tangent, *turn * ring.b);
        for k in 0..n {
            let (before, after) = (slices[k.saturating_sub(1)].center, slices[(k + 1).min(n - 1)].center);
            let half_way = (after - before) * 0.5;
            let ends = usize::from(k == 0) + usize::from(k + 1 == n);
            let slice = &mut slices[k];
            let across = half_way.cross(slice.a);
            // at an end the next belly alone says which way the sheet lies
            let plane = if ends == 1 { across * 2.0 } else { across };
            let own = frame::turn_onto(carried, slice.a, carried_b);
            // a plane that looks the other way is a fold, not a plane
            let agree = (plane.dot(own) / plane.length().max(1e-20)).clamp(0.0, 1.0);
            let plane = plane * (agree * (2.0 - agree));
            let pull = self.table.bundle * self.table.bundle / (plane.length() + self.table.bundle);
            slice.n = frame::unit_or(plane + own * pull, self.table.bundle * 1e-3, own);
            // a round end goes midway between the way the centres go and across the fibres, less far where these differ
            let c = slice.a.cross(slice.n);
            let centers = frame::unit_or(half_way - slice.n * slice.n.dot(half_way), self.table.bundle, c);
            slice.aside = frame::unit_or(centers + c, 0.5, c) * centers.dot(c).max(0.0);
            let cap = FRAC_PI_4 * ring.half_axes.y * growth[self.place(k)].y * slice.aside.dot(c);
            slice.width = across.length() + ends as f32 * cap;
        }
    }

    /// Where belly `k` of the document stands along c, and the other way round.
    fn place(&self, k: usize) -> usize {
        if self.table.reversed { self.strands.curves.len() - 1 - k } else { k }
    }

    fn at(&self, i: usize) -> Station {
        let (ring, n) = (&self.table.ring[i], self.strands.curves.len());
        let mut slices = [Slice::default(); MOST_BELLIES];
        self.slices(i, &mut slices);
        let mut station =
            Station { center: [Vec3::ZERO; MOST_BELLIES], high: [Vec3::ZERO; MOST_BELLIES], aside: [Vec3::ZERO; 2] };
        for k in 0..n {
            let (slice, growth) = (&slices[k], self.strands.growth[self.place(k)]);
            let (rest, floor) = (self.table.rest_width[i * n + k], self.table.narrowest);
            let squeeze = ((rest + floor) / (slice.width + floor)).clamp(1.0 / MOST_SQUEEZE, MOST_SQUEEZE);
            station.center[k] = slice.center;
            station.high[k] = slice.n * (ring.half_axes.x * growth.x * growth.y * squeeze);
        }
        for (end, k) in [0, n - 1].into_iter().enumerate() {
            let reach = ring.half_axes.y * self.strands.growth[self.place(k)].y;
            station.aside[end] = slices[k].aside * if end == 0 { -reach } else { reach };
        }
        station
    }
}

/// Move bellies along `c` until each keeps its least distance from the one before, as little as can be: those that would
/// pass each other share the mean of where they would be (isotonic regression, by pooling adjacent violators).
fn in_order(slices: &mut [Slice], rest_gap: &[f32], c: Vec3) {
    // blocks of bellies that stand at their least distances: where the first stands, and how many there are
    let mut blocks = [(0.0_f32, 0_usize); MOST_BELLIES];
    let mut least = [0.0_f32; MOST_BELLIES];
    let (mut n_block, mut sum) = (0, 0.0);
    for (k, slice) in slices.iter().enumerate() {
        sum += CLOSEST * if k > 0 { rest_gap[k] } else { 0.0 };
        least[k] = sum;
        let mut block = (slice.center.dot(c) - sum, 1);
        while n_block > 0 && blocks[n_block - 1].0 > block.0 {
            let before = blocks[n_block - 1];
            let total = before.1 + block.1;
            block = ((before.0 * before.1 as f32 + block.0 * block.1 as f32) / total as f32, total);
            n_block -= 1;
        }
        blocks[n_block] = block;
        n_block += 1;
    }
    let mut k = 0;
    for &(at, count) in &blocks[..n_block] {
        for _ in 0..count {
            // bellies in order stay exactly where they are
            if count > 1 {
                let center = slices[k].center;
                slices[k].center = center + c * (at + least[k] - center.dot(c));
            }
            k += 1;
        }
    }
}

fn with_jiggle(curve: &Bezier, jiggle: Vec3) -> Bezier {
    Bezier { origin: curve.origin, first: curve.first + jiggle, second: curve.second - jiggle }
}

/// A station drawn to its neighbours along the sheet.
fn smoothed(before: &Station, now: &Station, after: &Station, n: usize) -> Station {
    let mix = |a: Vec3, b: Vec3, c: Vec3| (a + b * 4.0 + c) * (1.0 / 6.0);
    let mut out = *now;
    for k in 0..n {
        out.center[k] = mix(before.center[k], now.center[k], after.center[k]);
        out.high[k] = mix(before.high[k], now.high[k], after.high[k]);
    }
    for end in 0..2 {
        out.aside[end] = mix(before.aside[end], now.aside[end], after.aside[end]);
    }
    out
}

impl Sector {
    /// Where belly number `at` is, with the shares of a cubic B-spline that passes the first and the last.
    fn across(at: f32, n: usize, up: f32, side: f32, end: usize) -> Self {
        let j = (at as usize).min(n.saturating_sub(2));
        let t = at - j as f32;
        let (u, t2, t3) = (1.0 - t, t * t, t * t * t);
        let basis = [u * u * u / 6.0, (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0, (3.0 * (t + t2 - t3) + 1.0) / 6.0, t3 / 6.0];
        let first = j.saturating_sub(1).min(n.saturating_sub(4));
        let mut weight = [0.0; 4];
        let mut add = |k: isize, share: f32| weight[k as usize - first] += share;
        for (i, share) in basis.into_iter().enumerate() {
            let (k, last) = (j as isize + i as isize - 1, n as isize - 1);
            // beyond its ends a curve goes on straight
            match k {
                _ if last == 0 => add(0, share),
                -1 => [(0, 2.0), (1, -1.0)].into_iter().for_each(|(k, times)| add(k, times * share)),
                _ if k > last => {
                    [(last, 2.0), (last - 1, -1.0)].into_iter().for_each(|(k, times)| add(k, times * share))
                }
                _ => add(k, share),
            }
        }
        Self { first, weight, up, side, end }
    }

    /// Its foot on the curve through the bellies' centres, and its offset from it.
    fn place(&self, station: &Station) -> (Vec3, Vec3) {
        let (mut foot, mut high) = (Vec3::ZERO, Vec3::ZERO);
        for (i, &weight) in self.weight.iter().enumerate() {
            // rows past the last belly have no weight and are zero
            let k = (self.first + i).min(MOST_BELLIES - 1);
            foot += station.center[k] * weight;
            high += station.high[k] * weight;
        }
        (foot, high * self.up + station.aside[self.end] * self.side)
    }
}

/// Sectors evenly around an outline: from the middle of its top by the last belly and the bottom to the first.
fn layout(centers: &[Vec3], half_axes: Vec2, sectors: usize) -> Vec<Sector> {
    let n = centers.len();
    let mut along = vec![0.0; n];
    for k in 1..n {
        along[k] = along[k - 1] + centers[k].distance(centers[k - 1]);
    }
    let width = along[n - 1];
    let at = |x: f32| {
        let k = along[1..].partition_point(|&end| end < x).min(n.saturating_sub(2));
        let step = if n > 1 { along[k + 1] - along[k] } else { 0.0 };
        k as f32 + if step > 0.0 { ((x - along[k]) / step).clamp(0.0, 1.0) } else { 0.0 }
    };
    let mut around = [0.0; CAP_STEPS + 1];
    let cap_point = |i: usize| {
        let angle = PI * i as f32 / CAP_STEPS as f32;
        half_axes * Vec2::new(libm::cosf(angle), libm::sinf(angle))
    };
    for i in 1..=CAP_STEPS {
        around[i] = around[i - 1] + cap_point(i).distance(cap_point(i - 1));
    }
    let cap = around[CAP_STEPS];
    let angle = |x: f32| {
        let i = around[1..].partition_point(|&end| end < x).min(CAP_STEPS - 1);
        let step = (around[i + 1] - around[i]).max(f32::MIN_POSITIVE);
        PI * (i as f32 + ((x - around[i]) / step).clamp(0.0, 1.0)) / CAP_STEPS as f32
    };
    let round = |x: f32, end: usize| {
        let angle = angle(x);
        let belly = if end == 0 { 0.0 } else { (n - 1) as f32 };
        Sector::across(belly, n, libm::cosf(angle), libm::sinf(angle), end)
    };
    let sector = |j: usize| {
        let x = (2.0 * (width + cap)) * j as f32 / sectors as f32 - 0.5 * width;
        match x {
            _ if x < 0.0 => Sector::across(at(width + x), n, 1.0, 0.0, 0),
            _ if x < cap => round(x, 1),
            _ if x < cap + width => Sector::across(at(cap + width - x), n, -1.0, 0.0, 0),
            _ if x < cap + width + cap => round(cap + width + cap - x, 0),
            _ => Sector::across(at(x - (cap + width + cap)), n, 1.0, 0.0, 0),
        }
    };
    (0..sectors).map(sector).collect()
}
