//! Skin: joints move it, before any muscle does (Lee eq. 13).
//!
//! ```text
//! linear           v = Σ wᵢ Mᵢ Bᵢ⁻¹ v₀
//! dual quaternion  v = q v₀ q*  + t,   (q, t) from  Σ wᵢ q̂ᵢ / |Σ wᵢ qᵢ|
//! ```
//!
//! Dual quaternions: Kavan, Collins, Zara, O'Sullivan: *Skinning with Dual Quaternions*, I3D 2007; scale and shear are
//! blended linearly before (their section 4.2).

use super::attach::Rows;
use super::batch::WINDOW;
use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set, quantise};
use super::sewn::Seam;
use glam::{Mat3, Mat4, Quat, Vec3, Vec4};
use std::ops::Range;

/// Bind positions and joint weights, eight vertices at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SkinTable {
    pub in_order: Box<[bool]>,      // n_window  whether its vertices are in the caller's order
    pub place: Box<[[u16; LANES]]>, // n_batch   vertex in each lane, counted from its window's first
    pub bind: Box<[Lane3]>,         // n_batch      m, model space
    pub start: Box<[u32]>,          // n_batch + 1  rows of `joint` and `weight`
    pub joint: Box<[u16]>,          // n_entry
    pub weight: Box<[Shares]>,      // n_entry   0 where a vertex of the batch does not use the joint
}

impl SkinTable {
    /// Pack bind positions and weights (`weights` gives the influences of a vertex, joints ascending) in that order.
    pub fn new<'a>(order: &[u32], positions: &[Vec3], weights: impl Fn(u32) -> &'a [(u16, f32)]) -> Self {
        let place = order.chunks(LANES).map(|batch| std::array::from_fn(|l| (batch[l] as usize % WINDOW) as u16));
        let in_order = order.chunks(WINDOW).map(|window| window.is_sorted());
        let mut table = Self { in_order: in_order.collect(), place: place.collect(), ..Self::default() };
        let (mut bind, mut start, mut joint, mut weight) = (Vec::new(), vec![0], Vec::new(), Vec::new());
        let packed = |&v: &u32| quantise(&weights(v).iter().map(|w| w.1).collect::<Vec<_>>());
        for batch in order.chunks(LANES) {
            let packed: Vec<Vec<u16>> = batch.iter().map(packed).collect();
            let mut at = Lane3::default();
            let mut joints: Vec<u16> = batch.iter().flat_map(|&v| weights(v).iter().map(|&(j, _)| j)).collect();
            joints.sort_unstable();
            joints.dedup();
            for (lane, &v) in batch.iter().enumerate() {
                at.set(lane, positions[v as usize]);
            }
            for &j in &joints {
                let of = |v: u32, packed: &[u16]| weights(v).iter().position(|w| w.0 == j).map_or(0, |i| packed[i]);
                let mut lanes = Shares::default();
                lanes.iter_mut().zip(batch).zip(&packed).for_each(|((lane, &v), packed)| *lane = of(v, packed));
                weight.push(lanes);
            }
            joint.extend(joints);
            bind.push(at);
            start.push(joint.len() as u32);
        }
        (table.bind, table.start) = (bind.into(), start.into());
        (table.joint, table.weight) = (joint.into(), weight.into());
        table
    }

    /// This one, but for the windows that were made anew.
    pub fn patched(&self, made: &Self, seam: &Seam) -> Self {
        Self {
            in_order: seam.each_window(&self.in_order, &made.in_order),
            place: seam.batches(&self.place, &made.place),
            bind: seam.batches(&self.bind, &made.bind),
            start: seam.starts(&self.start, &made.start),
            joint: seam.rows((&self.start, &self.joint), (&made.start, &made.joint)),
            weight: seam.rows((&self.start, &self.weight), (&made.start, &made.weight)),
        }
    }

    #[inline(always)]
    fn entries(&self, batch: usize) -> (&[u16], &[Shares]) {
        let entries = self.start[batch] as usize..self.start[batch + 1] as usize;
        (&self.joint[entries.clone()], &self.weight[entries])
    }
}

/// A joint's matrix since bind, row by row, each element once for every lane: it is read by every batch that uses the
/// joint, and made once a frame.
pub type WideRows = [Lane; 12];

/// Every joint's rows, widened.
pub fn widen(rows: &[Rows], wide: &mut [WideRows]) {
    for (wide, rows) in wide.iter_mut().zip(rows) {
        *wide = rows.map(|element| [element; LANES]);
    }
}

for_each_instruction_set! {
    /// Linear blend of those batches, which are at `bind`.
    linear = linear_in_lanes(
        table: &SkinTable, batches: Range<usize>, bind: &[Lane3], joint: &[WideRows], skin: &mut [Lane3],
    )
}

#[inline(always)]
fn linear_in_lanes(table: &SkinTable, batches: Range<usize>, bind: &[Lane3], joint: &[WideRows], skin: &mut [Lane3]) {
    let unit = 1.0 / f32::from(WHOLE);
    for ((batch, bind), skin) in batches.zip(bind).zip(skin) {
        let Lane3 { x, y, z } = *bind;
        let (joints, weights) = table.entries(batch);
        let mut sum = Lane3::default();
        for (&j, w) in joints.iter().zip(weights) {
            let m = &joint[usize::from(j)];
            for l in 0..LANES {
                let w = f32::from(w[l]);
                sum.x[l] += w * (m[0][l] * x[l] + m[1][l] * y[l] + m[2][l] * z[l] + m[3][l]);
                sum.y[l] += w * (m[4][l] * x[l] + m[5][l] * y[l] + m[6][l] * z[l] + m[7][l]);
                sum.z[l] += w * (m[8][l] * x[l] + m[9][l] * y[l] + m[10][l] * z[l] + m[11][l]);
            }
        }
        for l in 0..LANES {
            skin.x[l] = sum.x[l] * unit;
            skin.y[l] = sum.y[l] * unit;
            skin.z[l] = sum.z[l] * unit;
        }
    }
}

/// A joint's motion since bind as a unit dual quaternion, and the stretch it applies first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    real: Quat,
    dual: Quat,
    stretch: Mat3,
}

impl Default for DualQuat {
    fn default() -> Self {
        Self { real: Quat::IDENTITY, dual: Quat::from_vec4(Vec4::ZERO), stretch: Mat3::IDENTITY }
    }
}

impl DualQuat {
    /// Of a joint's matrix since bind and the rotation in it.
    pub fn new(m: &Rows, turn: &Mat3) -> Self {
        let linear = Mat3::from_cols_array(&[m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]]);
        let real = Quat::from_mat3(turn).normalize();
        let dual = Quat::from_xyzw(m[3], m[7], m[11], 0.0) * real * 0.5;
        Self { real, dual, stretch: turn.transpose() * linear }
    }
}

for_each_instruction_set! {
    /// Dual-quaternion blend of those batches, which are at `bind`.
    dual_quaternion = dual_in_lanes(
        table: &SkinTable, batches: Range<usize>, bind: &[Lane3], joint: &[DualQuat], skin: &mut [Lane3],
    )
}

#[inline(always)]
fn dual_in_lanes(table: &SkinTable, batches: Range<usize>, bind: &[Lane3], joint: &[DualQuat], skin: &mut [Lane3]) {
    let unit = 1.0 / f32::from(WHOLE);
    for ((batch, v), skin) in batches.zip(bind).zip(skin) {
        let (joints, weights) = table.entries(batch);
        let (mut real, mut dual, mut at) = ([Lane::default(); 4], [Lane::default(); 4], Lane3::default());
        for (&j, w) in joints.iter().zip(weights) {
            let DualQuat { real: r, dual: d, stretch } = joint[usize::from(j)];
            let (r, d) = (r.to_array(), d.to_array());
            for l in 0..LANES {
                // of the two quaternions for one rotation, the one on the side of what is already summed
                let side = real[0][l] * r[0] + real[1][l] * r[1] + real[2][l] * r[2] + real[3][l] * r[3];
                let w = f32::from(w[l]) * unit;
                let w_signed = if side < 0.0 { -w } else { w };
                for k in 0..4 {
                    real[k][l] += w_signed * r[k];
                    dual[k][l] += w_signed * d[k];
                }
                let stretched = stretch * v.get(l) * w;
                at.x[l] += stretched.x;
                at.y[l] += stretched.y;
                at.z[l] += stretched.z;
            }
        }
        for l in 0..LANES {
            skin.set(l, transform(real.map(|k| k[l]), dual.map(|k| k[l]), at.get(l)));
        }
    }
}

/// A point moved by a blended, not yet normalised dual quaternion.
#[inline(always)]
fn transform(real: [f32; 4], dual: [f32; 4], p: Vec3) -> Vec3 {
    let [x, y, z, w] = real;
    let scale = 1.0 / (x * x + y * y + z * z + w * w).max(1e-20);
    let (r, d) = (Vec3::new(x, y, z), Vec3::new(dual[0], dual[1], dual[2]));
    let turned = r.cross(r.cross(p) + p * w);
    let moved = d * w - r * dual[3] + r.cross(d);
    p + (turned + moved) * (2.0 * scale)
}

for_each_instruction_set! {
    /// Write solved batches whose vertices are in the caller's order.
    write = write_in_lanes(skin: &[Lane3], vertices: &mut [Vec3])
}

#[inline(always)]
fn write_in_lanes(skin: &[Lane3], vertices: &mut [Vec3]) {
    for (skin, vertices) in skin.iter().zip(vertices.chunks_mut(LANES)) {
        match vertices.as_chunks_mut() {
            ([low, high], []) => {
                pack(four(skin, 0), low);
                pack(four(skin, 4), high);
            }
            _ => vertices.iter_mut().enumerate().for_each(|(lane, vertex)| *vertex = skin.get(lane)),
        }
    }
}

/// The vertices of a window on their way out: four floats each, in the caller's order, the last one of no meaning.
pub type Seats = [Vec4; WINDOW];

for_each_instruction_set! {
    /// Seat the vertices of solved batches.
    seat = seat_in_lanes(place: &[[u16; LANES]], skin: &[Lane3], seats: &mut Seats)
}

/// Scattered writes go to the seats, which stay in the nearest cache; the caller's memory is then written from one end
/// to the other.
#[inline(always)]
fn seat_in_lanes(place: &[[u16; LANES]], skin: &[Lane3], seats: &mut Seats) {
    for (place, skin) in place.iter().zip(skin) {
        for half in [0, 4] {
            for (place, vertex) in place[half..].iter().zip(four(skin, half)) {
                seats[usize::from(*place) % WINDOW] = vertex;
            }
        }
    }
}

for_each_instruction_set! {
    /// Write what is seated.
    unseat = unseat_as_it_is(seats: &Seats, vertices: &mut [Vec3])
}

#[inline(always)]
fn unseat_as_it_is(seats: &Seats, vertices: &mut [Vec3]) {
    unseat_by_four(seats, vertices, |four| four);
}

/// Write what `finish` makes of the seats, four at a time.
#[inline(always)]
pub fn unseat_by_four(seats: &Seats, vertices: &mut [Vec3], finish: impl Fn([Vec4; 4]) -> [Vec4; 4]) {
    let (fours, rest) = vertices.as_chunks_mut();
    let seats = seats.as_chunks().0;
    if let Some(&seated) = seats.get(fours.len()) {
        rest.iter_mut().zip(finish(seated)).for_each(|(vertex, seat)| *vertex = seat.truncate());
    }
    fours.iter_mut().zip(seats).for_each(|(four, &seated)| pack(finish(seated), four));
}

/// Four vertices from lane `first` on.
#[inline(always)]
fn four(skin: &Lane3, first: usize) -> [Vec4; 4] {
    let lanes = |lane: &Lane| Vec4::from_slice(&lane[first..first + 4]);
    let vertices = Mat4::from_cols(lanes(&skin.x), lanes(&skin.y), lanes(&skin.z), Vec4::ZERO).transpose();
    [vertices.x_axis, vertices.y_axis, vertices.z_axis, vertices.w_axis]
}

/// Four times three floats in three writes.
#[inline(always)]
fn pack([a, b, c, d]: [Vec4; 4], vertices: &mut [Vec3; 4]) {
    let packed = [Vec4::new(a.x, a.y, a.z, b.x), Vec4::new(b.y, b.z, c.x, c.y), Vec4::new(c.z, d.x, d.y, d.z)];
    bytemuck::cast_slice_mut::<Vec3, f32>(vertices).copy_from_slice(bytemuck::cast_slice(&packed));
}
