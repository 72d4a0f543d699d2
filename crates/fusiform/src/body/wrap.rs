//! Wrap: skin hangs on the nearest point of every belly that weighs on it, and goes where the belly's surface takes it.
//!
//! ```text
//! bind   P₀ the belly's nearest point, n₀ its smooth normal, B = unit(v₀ − P₀), d = |v₀ − P₀|
//! frame  D = Q B                                          normal: Q the smallest rotation that takes n₀ to n
//!                                                         full: Q takes (n₀, t₀, n₀ × t₀) to (n, t, n × t), t along the face
//! v += W e,   e = (P + D d (1 − s)) − T (P₀ + B d (1 − s)) s shrink, T the vertex's own motion with its joints
//!      its part along D times 1 outward and times `sink` inward, the rest times `slide`
//! ```
//!
//! Saam, section VI-A; the lines printed there mix D and the position it makes. T is ours: for s = 0 it is the paper's, and
//! at bind the layer adds nothing for any s. `slide` and `sink` are ours too: both 1 is the paper's. Q B d without dividing twice, N the normal before it has unit length:
//!
//! ```text
//! a = n₀ · A    k = (a |N| + N · A) / (|N| + n₀ · N)      Q A = A − k n₀ + (2 a − k) N/|N|           A = B d (1 − s)
//! ```

use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set, quantise};
use super::rest::RestBelly;
use super::sewn::Seam;
use super::step::BLOCK;
use super::surface::{Record, SurfaceTable};
use crate::musculature::WrapFrame;
use glam::{Mat4, Vec3, Vec4};
use std::ops::Range;

/// A vertex never hangs on more bellies: on those that weigh most on it.
pub const MOST_MUSCLES: usize = 4;

/// Slots of a block of batches at most.
const MOST_SLOTS: usize = BLOCK * MOST_MUSCLES;

/// Closer to the belly, m, a vertex has no direction but the normal.
const TOUCHING: f32 = 1e-6;

/// Normals that oppose each other to within this have no smallest rotation between them.
const OPPOSITE: f32 = 1e-4;

/// Where eight vertices hang on one belly each: corners of a face, and how near each is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Slot {
    corner: [u32; LANES], // record of the first corner
    to: [[u8; LANES]; 2], // records from there to the others
    share: [Shares; 2],   // of the others; the first has the rest
    weight: Shares,       // W
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrapTable {
    start: Box<[u32]>, // n_batch + 1  rows of `slot`
    slot: Box<[Slot]>, // n_slot
    shrink: f32,
    frame: WrapFrame,
    slide: f32,
    sink: f32,
}

/// What the frame itself finds in the bind pose, so that rest is exact whatever it rounds: one row a slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WrapRest {
    arm: Box<[Lane3]>,     // B d (1 − s), m: model space, or along (n, t, n × t) with full frames
    normal: Box<[Lane3]>,  // n₀; none with full frames
    tangent: Box<[Lane3]>, // t₀; none with full frames
    shrunk: Box<[Lane3]>,  // P₀ + B d (1 − s), m; none without shrinking
}

/// A face of a belly, its corners as the layer counts them.
struct Face {
    points: [Vec3; 3],
    row: usize,
    to: [u8; 2],
    center: Vec3,
    radius: f32,
}

impl Face {
    fn all(rest: &RestBelly) -> Vec<Self> {
        let (rings, sectors) = (rest.rings.len(), rest.points.len() / rest.rings.len());
        let point = |ring: usize, sector: usize| rest.points[ring * sectors + sector % sectors];
        let mut faces = Vec::with_capacity(2 * (rings - 1) * sectors);
        for (i, j) in (0..rings - 1).flat_map(|i| (0..sectors).map(move |j| (i, j))) {
            let across = (sectors + 2) as u8;
            for (third, to) in [(point(i, j + 1), 1), (point(i + 1, j), across - 1)] {
                let points = [point(i, j), point(i + 1, j + 1), third];
                let center = (points[0] + points[1] + points[2]) / 3.0;
                let radius = points.iter().fold(0.0_f32, |r, p| r.max(p.distance(center)));
                faces.push(Self { points, row: i * (sectors + 1) + j, to: [across, to], center, radius });
            }
        }
        faces
    }

    /// The face nearest to a point, and how near each of its corners is.
    fn nearest(faces: &[Self], at: Vec3) -> Option<(&Self, [f32; 3])> {
        let mut best: Option<(f32, &Self, [f32; 3])> = None;
        for face in faces {
            let nearest = best.map_or(f32::INFINITY, |best| best.0);
            if (face.center.distance(at) - face.radius).max(0.0) > nearest {
                continue;
            }
            let shares = nearest_shares(&face.points, at);
            let on = face.points.iter().zip(shares).map(|(p, s)| *p * s).sum::<Vec3>();
            if on.distance(at) < nearest {
                best = Some((on.distance(at), face, shares));
            }
        }
        best.map(|(_, face, shares)| (face, shares))
    }
}

/// Barycentric coordinates of the point of a triangle nearest to `at` (Ericson, *Real-Time Collision Detection*, 5.1.5).
fn nearest_shares(&[a, b, c]: &[Vec3; 3], at: Vec3) -> [f32; 3] {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(at - a), ac.dot(at - a));
    let (d3, d4) = (ab.dot(at - b), ac.dot(at - b));
    let (d5, d6) = (ab.dot(at - c), ac.dot(at - c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let ratio = |part: f32, whole: f32| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    if d1 <= 0.0 && d2 <= 0.0 {
        [1.0, 0.0, 0.0]
    } else if d3 >= 0.0 && d4 <= d3 {
        [0.0, 1.0, 0.0]
    } else if d6 >= 0.0 && d5 <= d6 {
        [0.0, 0.0, 1.0]
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = ratio(d1, d1 - d3);
        [1.0 - t, t, 0.0]
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = ratio(d2, d2 - d6);
        [1.0 - t, 0.0, t]
    } else if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
        [0.0, 1.0 - t, t]
    } else {
        let (v, w) = (ratio(vb, va + vb + vc), ratio(vc, va + vb + vc));
        [(1.0 - v - w).max(0.0), v, w]
    }
}

impl WrapTable {
    /// `weights` gives the muscles that a vertex, at `positions[v]`, hangs on, and W.
    pub fn new<'a>(
        order: &[u32],
        (shrink, frame, [slide, sink]): (f32, WrapFrame, [f32; 2]),
        positions: &[Vec3],
        weights: impl Fn(u32) -> &'a [(u16, f32)],
        (bellies, surfaces): (&[RestBelly], &SurfaceTable),
    ) -> Self {
        let mut faces: Vec<Option<Vec<Face>>> = bellies.iter().map(|_| None).collect();
        let (mut start, mut slots) = (vec![0], Vec::new());
        for batch in order.chunks(LANES) {
            let first = slots.len();
            let most = batch.iter().map(|&v| weights(v).len()).max().unwrap_or(0);
            slots.resize(first + most, Slot::default());
            for (lane, &v) in batch.iter().enumerate() {
                let of = weights(v);
                let packed = quantise(&of.iter().map(|w| w.1).collect::<Vec<_>>());
                for (slot, (&(m, _), weight)) in slots[first..].iter_mut().zip(of.iter().zip(packed)) {
                    let m = usize::from(m);
                    let faces = faces[m].get_or_insert_with(|| Face::all(&bellies[m]));
                    let Some((face, shares)) = Face::nearest(faces, positions[v as usize]) else { continue };
                    let shares = quantise(&shares);
                    slot.corner[lane] = surfaces.first[m].unwrap_or(0) + face.row as u32;
                    (slot.to[0][lane], slot.to[1][lane]) = (face.to[0], face.to[1]);
                    (slot.share[0][lane], slot.share[1][lane]) = (shares[1], shares[2]);
                    slot.weight[lane] = weight;
                }
            }
            start.push(slots.len() as u32);
        }
        Self { start: start.into(), slot: slots.into(), shrink, frame, slide, sink }
    }

    /// This one, but for the windows that were made anew.
    pub fn patched(&self, made: &Self, seam: &Seam) -> Self {
        Self {
            start: seam.starts(&self.start, &made.start),
            slot: seam.rows((&self.start, &self.slot), (&made.start, &made.slot)),
            ..made.clone()
        }
    }

    /// Whether vertices give up some of their distance.
    pub fn shrinks(&self) -> bool {
        self.shrink > 0.0
    }

    #[inline(always)]
    pub fn slots(&self, batch: usize) -> Range<usize> {
        self.start[batch] as usize..self.start[batch + 1] as usize
    }
}

impl WrapRest {
    /// Room for what a table finds at rest.
    pub fn new(table: &WrapTable) -> Self {
        let rows = |yes: bool| vec![Lane3::default(); if yes { table.slot.len() } else { 0 }].into();
        let turns = table.frame == WrapFrame::Normal;
        Self { arm: rows(true), normal: rows(turns), tangent: rows(turns), shrunk: rows(table.shrinks()) }
    }

    /// Where a vertex would hang that had given up its distance, at bind.
    pub fn shrunk(&self, slot: usize) -> &Lane3 {
        &self.shrunk[slot]
    }
}

/// What the slots of a block of batches find on their bellies. It goes through memory twice, vertex by vertex and then in
/// lanes: all is gathered before anything waits for it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    foot: [Record; MOST_SLOTS * LANES],
    edge: [Record; MOST_SLOTS * LANES],
    feet: [Feet; MOST_SLOTS],
}

/// Eight points of bellies: where they are, their normals, not of unit length, and, with full frames, an edge of their face.
#[derive(Clone, Copy, Debug, Default)]
struct Feet {
    point: Lane3,
    normal: Lane3,
    edge: Lane3,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            foot: [Record::default(); MOST_SLOTS * LANES],
            edge: [Record::default(); MOST_SLOTS * LANES],
            feet: [Feet::default(); MOST_SLOTS],
        }
    }
}

/// Records that a face may reach from its first corner on; so many spare ones follow the last.
pub const REACH: usize = 256;

#[inline(always)]
fn gather<const EDGE: bool>(slots: &[Slot], records: &[Record], found: &mut Found) {
    let unit = 1.0 / f32::from(WHOLE);
    let rows = found.foot.chunks_exact_mut(LANES).zip(found.edge.chunks_exact_mut(LANES));
    for (slot, (foot, edge)) in slots.iter().zip(rows) {
        let (v, w) = (each(|l| f32::from(slot.share[0][l]) * unit), each(|l| f32::from(slot.share[1][l]) * unit));
        for l in 0..LANES {
            let corner = slot.corner[l] as usize;
            let Some(near) = records.get(corner..corner + REACH).and_then(<[_]>::first_chunk::<REACH>) else {
                continue;
            };
            let (a, b) = (&near[0].0, &near[usize::from(slot.to[0][l])].0);
            let c = &near[usize::from(slot.to[1][l])].0;
            foot[l].0 = each(|k| a[k] + ((b[k] - a[k]) * v[l] + (c[k] - a[k]) * w[l]));
            if EDGE {
                edge[l].0 = each(|k| b[k] - a[k]);
            }
        }
    }
    for (i, feet) in found.feet.iter_mut().enumerate().take(slots.len()) {
        let of = i * LANES..(i + 1) * LANES;
        (feet.point, feet.normal) = (columns(&found.foot[of.clone()], 0), columns(&found.foot[of.clone()], 4));
        if EDGE {
            feet.edge = columns(&found.edge[of], 0);
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

/// Three columns from `first` on.
#[inline(always)]
fn columns(rows: &[Record], first: usize) -> Lane3 {
    let mut lanes = Lane3::default();
    for half in [0, 4] {
        let row = |l: usize| Vec4::from_slice(&rows[half + l].0[first..first + 4]);
        let columns = Mat4::from_cols(row(0), row(1), row(2), row(3)).transpose();
        columns.x_axis.write_to_slice(&mut lanes.x[half..]);
        columns.y_axis.write_to_slice(&mut lanes.y[half..]);
        columns.z_axis.write_to_slice(&mut lanes.z[half..]);
    }
    lanes
}

#[inline(always)]
fn dot(a: &Lane3, b: &Lane3) -> Lane {
    each(|l| a.x[l] * b.x[l] + a.y[l] * b.y[l] + a.z[l] * b.z[l])
}

/// Q A by the normal alone; and whether any of the eight has normals that oppose each other.
#[inline(always)]
fn turned_by_normal(arm: &Lane3, bind: &Lane3, now: &Lane3) -> (Lane3, bool) {
    let (square, a, across, along) = (dot(now, now), dot(bind, arm), dot(now, arm), dot(bind, now));
    let length = each(|l| if square[l] > 1e-30 { square[l] } else { 1e-30 }.sqrt());
    let sum = each(|l| length[l] + along[l]);
    let floor = each(|l| OPPOSITE * length[l]);
    let mut opposite = false;
    for l in 0..LANES {
        opposite |= sum[l] <= floor[l];
    }
    let sum = each(|l| if sum[l] > floor[l] { sum[l] } else { floor[l] });
    let inverse = each(|l| 1.0 / (length[l] * sum[l]));
    let k = each(|l| (a[l] * length[l] + across[l]) * (length[l] * inverse[l]));
    let by_now = each(|l| (2.0 * a[l] - k[l]) * (sum[l] * inverse[l]));
    let turned = Lane3 {
        x: each(|l| (arm.x[l] - k[l] * bind.x[l]) + by_now[l] * now.x[l]),
        y: each(|l| (arm.y[l] - k[l] * bind.y[l]) + by_now[l] * now.y[l]),
        z: each(|l| (arm.z[l] - k[l] * bind.z[l]) + by_now[l] * now.z[l]),
    };
    (turned, opposite)
}

/// Where normals oppose each other: half a turn about the bind tangent.
#[inline(never)]
fn half_turn(bind: &Lane3, now: &Lane3, arm: &Lane3, tangent: &Lane3, turned: &mut Lane3) {
    for l in 0..LANES {
        let (arm, axis, now) = (arm.get(l), tangent.get(l), now.get(l));
        if now.length() + bind.get(l).dot(now) <= OPPOSITE * now.length() {
            turned.set(l, axis * (2.0 * axis.dot(arm)) - arm);
        }
    }
}

/// The unit normal n and the unit tangent t at right angles to it.
#[inline(always)]
fn frame(feet: &Feet) -> [Lane3; 2] {
    let square = dot(&feet.normal, &feet.normal);
    let n = Lane3::each(|l| feet.normal.get(l) * (1.0 / square[l].max(1e-30).sqrt()));
    let along = dot(&n, &feet.edge);
    let across = Lane3::each(|l| feet.edge.get(l) - n.get(l) * along[l]);
    let (square, edge) = (dot(&across, &across), dot(&feet.edge, &feet.edge));
    let t = Lane3::each(|l| {
        // an edge that runs along the normal, or has no length, tells nothing
        let told = square[l] > 1e-4 * edge[l] && square[l] > 1e-30;
        if told { across.get(l) * (1.0 / square[l].sqrt()) } else { n.get(l).any_orthonormal_vector() }
    });
    // once more: what is left of an edge that runs nearly along the normal is mostly rounding
    let along = dot(&n, &t);
    [n, Lane3::each(|l| t.get(l) - n.get(l) * along[l])]
}

for_each_instruction_set! {
    /// Let those batches of skin follow the bellies. `from` is where their joints alone would carry them: a row for each
    /// batch, or for each slot of the one batch where vertices give up some of their distance.
    apply = apply_in_lanes(
        table: &WrapTable, rest: &WrapRest, batches: Range<usize>, records: &[Record], from: &[Lane3],
        found: &mut Found, skin: &mut [Lane3],
    )
}

#[inline(always)]
fn apply_in_lanes(
    table: &WrapTable,
    rest: &WrapRest,
    batches: Range<usize>,
    records: &[Record],
    from: &[Lane3],
    found: &mut Found,
    skin: &mut [Lane3],
) {
    match table.frame {
        WrapFrame::Normal => follow::<false>(table, rest, batches, records, from, found, skin),
        WrapFrame::Full => follow::<true>(table, rest, batches, records, from, found, skin),
    }
}

#[inline(always)]
fn follow<const FULL: bool>(
    table: &WrapTable,
    rest: &WrapRest,
    batches: Range<usize>,
    records: &[Record],
    from: &[Lane3],
    found: &mut Found,
    skin: &mut [Lane3],
) {
    let unit = 1.0 / f32::from(WHOLE);
    let first = table.start[batches.start] as usize;
    gather::<FULL>(&table.slot[first..table.start[batches.end] as usize], records, found);
    for (k, (batch, skin)) in batches.zip(skin).enumerate() {
        let slots = table.slots(batch);
        let mut sum = *skin;
        for (i, (slot, row)) in table.slot[slots.clone()].iter().zip(slots).enumerate() {
            let feet = &found.feet[row - first];
            let arm = &rest.arm[row];
            let arm = if FULL {
                let [n, t] = frame(feet);
                Lane3::each(|l| {
                    let (n, t) = (n.get(l), t.get(l));
                    n * arm.x[l] + t * arm.y[l] + n.cross(t) * arm.z[l]
                })
            } else {
                let bind = &rest.normal[row];
                let (mut turned, opposite) = turned_by_normal(arm, bind, &feet.normal);
                if opposite {
                    half_turn(bind, &feet.normal, arm, &rest.tangent[row], &mut turned);
                }
                turned
            };
            let from = &from[if table.shrink > 0.0 { i } else { k }];
            let w = each(|l| f32::from(slot.weight[l]) * unit);
            let p = &feet.point;
            let way = Lane3 {
                x: each(|l| (p.x[l] - from.x[l]) + arm.x[l]),
                y: each(|l| (p.y[l] - from.y[l]) + arm.y[l]),
                z: each(|l| (p.z[l] - from.z[l]) + arm.z[l]),
            };
            let way = if table.slide == 1.0 && table.sink == 1.0 { way } else { eased(table, &way, &feet.normal) };
            sum.x = each(|l| sum.x[l] + w[l] * way.x[l]);
            sum.y = each(|l| sum.y[l] + w[l] * way.y[l]);
            sum.z = each(|l| sum.z[l] + w[l] * way.z[l]);
        }
        *skin = sum;
    }
}

/// A way to go, of which the skin takes part in all that leads outward, and in shares of the rest.
#[inline(always)]
fn eased(table: &WrapTable, way: &Lane3, normal: &Lane3) -> Lane3 {
    let (along, square) = (dot(way, normal), dot(normal, normal));
    let out = each(|l| along[l] / if square[l] > 1e-12 { square[l] } else { 1e-12 });
    let share = [1.0 - table.slide, table.sink - table.slide];
    let more = each(|l| out[l] * if out[l] > 0.0 { share[0] } else { share[1] });
    Lane3 {
        x: each(|l| table.slide * way.x[l] + more[l] * normal.x[l]),
        y: each(|l| table.slide * way.y[l] + more[l] * normal.y[l]),
        z: each(|l| table.slide * way.z[l] + more[l] * normal.z[l]),
    }
}

/// What a batch finds in the bind pose, where its joints carry it to `at`.
pub(crate) fn record(
    table: &WrapTable,
    batch: usize,
    records: &[Record],
    at: &Lane3,
    found: &mut Found,
    rest: &mut WrapRest,
) {
    gather::<true>(&table.slot[table.slots(batch)], records, found);
    for (i, row) in table.slots(batch).enumerate() {
        let feet = &found.feet[i];
        let [n, t] = frame(feet);
        for l in 0..LANES {
            let (n, t) = (n.get(l), t.get(l));
            let off = at.get(l) - feet.point.get(l);
            let off = if off.length() < TOUCHING { n * off.length() } else { off };
            let arm = off * (1.0 - table.shrink);
            match table.frame {
                WrapFrame::Full => rest.arm[row].set(l, Vec3::new(arm.dot(n), arm.dot(t), arm.dot(n.cross(t)))),
                WrapFrame::Normal => {
                    rest.arm[row].set(l, arm);
                    rest.normal[row].set(l, n);
                    rest.tangent[row].set(l, t);
                }
            }
            if table.shrinks() {
                rest.shrunk[row].set(l, feet.point.get(l) + arm);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn no_point_of_a_triangle_is_nearer_than_the_nearest(
            corners in [vector(), vector(), vector()], at in vector(), v in 0.0_f32..1.0, w in 0.0_f32..1.0,
        ) {
            let shares = nearest_shares(&corners, at);
            let on = |shares: [f32; 3]| corners.iter().zip(shares).map(|(p, s)| *p * s).sum::<Vec3>();
            prop_assert!(shares.iter().all(|s| *s >= 0.0) && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let (v, w) = if v + w > 1.0 { (1.0 - v, 1.0 - w) } else { (v, w) };
            prop_assert!(on(shares).distance(at) <= on([1.0 - v - w, v, w]).distance(at) + 1e-4);
        }

        #[test]
        fn arms_turn_by_the_smallest_rotation_between_normals(arm in vector(), from in vector(), to in vector()) {
            prop_assume!(from.length() > 0.1 && to.length() > 0.1);
            let bind = from.normalize();
            prop_assume!(bind.dot(to.normalize()) > -0.99);
            let (turned, opposite) =
                turned_by_normal(&Lane3::each(|_| arm), &Lane3::each(|_| bind), &Lane3::each(|_| to));
            let wanted = Quat::from_rotation_arc(bind, to.normalize()) * arm;
            prop_assert!(!opposite && turned.get(2).distance(wanted) < 1e-4, "{} for {wanted}", turned.get(2));
        }
    }

    #[test]
    fn opposite_normals_make_half_a_turn_about_the_bind_tangent() {
        let lanes = |v: Vec3| Lane3::each(|_| v);
        let (arm, bind, now) = (lanes(Vec3::new(0.1, 0.2, 0.3)), lanes(Vec3::Y), lanes(Vec3::NEG_Y * 0.7));
        let (mut turned, opposite) = turned_by_normal(&arm, &bind, &now);
        assert!(opposite);
        half_turn(&bind, &now, &arm, &lanes(Vec3::X), &mut turned);
        assert!(turned.get(5).distance(Vec3::new(0.1, -0.2, -0.3)) < 1e-6);
    }
}
