//! Slide: bones push the skin over them, and so slide under it.
//!
//! ```text
//! aᵢ = clamp(cᵢ − dᵢ(p), 0, max)          dᵢ signed distance to bone i,  cᵢ the same at rest, at most `fat`
//! p′ = p + Σ wᵢ aᵢ nᵢ / max(1, Σ wᵢ aᵢ / max aᵢ)           nᵢ way out of bone i,  wᵢ 1 near it, 0 at its reach
//! ```
//!
//! Saam, Macey, Zhang: *Production Friendly Character Skinning*, section VI-B: every vertex is pushed out along the normal of
//! the nearest triangle of the bone, always from the undeformed state and by a limited way. The clearance cᵢ
//! is ours: with it rest is the artist's skin even where that skin cuts the bone, and a bone that comes near from afar is
//! covered by as much fat as others are. So is the divisor: bones that push the same way do not add
//! up, one that does not push takes nothing away, and nothing is ever pushed farther than the most any bone asks for.

use super::LayerTable;
use super::attach::{Rows, rows_of};
use super::bones::Surface;
use super::error::BindError;
use super::field::Field;
use super::lanes::{LANES, Lane, Lane3, Shares, WHOLE, for_each_instruction_set};
use super::sewn::Seam;
use crate::character::{Mesh, Skeleton};
use crate::musculature::{Bone, Layer, Musculature};
use glam::{Affine3A, Mat3, Vec3};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A vertex never feels more bones: those nearest to it.
pub const MOST_BONES: usize = 4;

/// Ways out that differ by more about a place (the middle of a bone) say nothing together: the push fades.
const CLEAR_WAY: f32 = 0.5;

/// Skin that faces along the way out by this much (cosine) lies over the bone; that faces against it, beyond it.
const OVER: f32 = 0.4;

/// The clearance of a vertex that lies beyond a bone's field: it is never pushed.
const NEVER: f32 = f32::MIN;

/// Where a bone is in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoneFrame {
    cells: Rows,   // model space to the cells of its field
    out: [f32; 9], // the field's axes to model space, row by row, without the joint's scale
    scale: f32,    // the joint's scale since bind; 0 where it has none and nothing is pushed
}

impl BoneFrame {
    /// Of a bone whose joint's matrix since bind is this.
    pub fn new(field: &Field, since_bind: &Affine3A) -> Self {
        let m = Mat3::from(since_bind.matrix3);
        let inverse = since_bind.inverse();
        let largest = m.to_cols_array().iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let volume = m.determinant().abs();
        // a joint squashed flat has no inside to come out of
        if !(inverse.is_finite() && volume > 1e-6 * largest * largest * largest) {
            return Self::default();
        }
        let scale = libm::cbrtf(volume);
        let out = (m * field.axes * (1.0 / scale)).transpose().to_cols_array();
        Self { cells: rows_of(&(field.cells_from_bind * inverse)), out, scale }
    }
}

/// A bone that takes part in a layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub joint: u16,
    pub field: Arc<Field>,
}

/// The layer's constants, eight vertices at a time, in the order of the skin table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SlideTable {
    start: Box<[u32]>,     // n_batch + 1  rows of `part` and `weight`
    part: Box<[u16]>,      // n_entry      ascending within a batch
    weight: Box<[Shares]>, // n_entry      wᵢ
    pub parts: Box<[Part]>,
    pub first: usize, // row of its first part among those of all layers
    max: f32,         // m
    fat: f32,         // m
}

impl SlideTable {
    /// The table of a layer; `felt` gives the parts that a vertex feels, ascending, and how much.
    pub fn new<'a>(
        order: &[u32],
        felt: impl Fn(u32) -> &'a [(u16, f32)],
        parts: Vec<Part>,
        first: usize,
        [max, fat]: [f32; 2],
    ) -> Self {
        let (mut start, mut part, mut weight) = (vec![0], Vec::new(), Vec::new());
        for batch in order.chunks(LANES) {
            let mut parts: Vec<u16> = batch.iter().flat_map(|&v| felt(v).iter().map(|w| w.0)).collect();
            parts.sort_unstable();
            parts.dedup();
            let share = |p: u16, v: u32| felt(v).iter().find(|w| w.0 == p).map_or(0.0, |w| w.1);
            let lanes = |&p: &u16| std::array::from_fn(|l| (share(p, batch[l]) * f32::from(WHOLE)).round() as u16);
            weight.extend(parts.iter().map(lanes));
            part.extend(parts);
            start.push(part.len() as u32);
        }
        Self { start: start.into(), part: part.into(), weight: weight.into(), parts: parts.into(), first, max, fat }
    }

    /// This one, but for the windows that were made anew.
    pub fn patched(&self, made: &Self, seam: &Seam) -> Self {
        Self {
            start: seam.starts(&self.start, &made.start),
            part: seam.rows((&self.start, &self.part), (&made.start, &made.part)),
            weight: seam.rows((&self.start, &self.weight), (&made.start, &made.weight)),
            ..made.clone()
        }
    }

    pub fn n_entry(&self) -> usize {
        self.part.len()
    }

    /// Where its bones are, given M B⁻¹ of every joint.
    pub fn carry(&self, since_bind: impl Fn(usize) -> Affine3A, frames: &mut [BoneFrame]) {
        for (part, frame) in self.parts.iter().zip(&mut frames[self.first..]) {
            *frame = BoneFrame::new(&part.field, &since_bind(usize::from(part.joint)));
        }
    }

    #[inline(always)]
    fn entries(&self, batch: usize) -> Range<usize> {
        self.start[batch] as usize..self.start[batch + 1] as usize
    }
}

/// The bones of every layer of slide and their surroundings, nothing for other layers; those of `old`, the same layers with
/// the same bones, are shared.
///
/// # Errors
/// When a bone is too thin for its extent.
pub(crate) fn parts(
    skeleton: &Skeleton,
    musculature: &Musculature,
    old: Option<(&Musculature, &[LayerTable])>,
) -> Result<Vec<Vec<Part>>, BindError> {
    let mut known: Vec<(&Bone, u32, &Part)> = Vec::new();
    for (layer, table) in old.iter().flat_map(|(musculature, tables)| musculature.layers.iter().zip(*tables)) {
        let (Layer::Slide { bones, reach, .. }, LayerTable::Slide(table)) = (layer, table) else { continue };
        let taking = old.iter().flat_map(|(musculature, _)| taking_part(musculature, bones));
        known.extend(taking.zip(&table.parts).map(|(bone, part)| (bone, reach.to_bits(), part)));
    }
    let of_layer = |layer: &Layer| {
        let Layer::Slide { bones, reach, .. } = layer else { return Ok(Vec::new()) };
        let part = |bone: &Bone| {
            if let Some((.., part)) = known.iter().find(|(b, r, _)| *r == reach.to_bits() && *b == bone) {
                return Ok((*part).clone());
            }
            let field = Field::new(&bone.name, &Surface::new(bone, skeleton)?, *reach)?;
            let joint = skeleton.find(&bone.joint).unwrap_or(0) as u16;
            Ok(Part { joint, field: Arc::new(field) })
        };
        taking_part(musculature, bones).map(part).collect()
    };
    musculature.layers.iter().map(of_layer).collect()
}

fn taking_part<'a>(musculature: &'a Musculature, names: &[String]) -> impl Iterator<Item = &'a Bone> {
    musculature.bones.iter().filter(move |bone| names.is_empty() || names.contains(&bone.name))
}

/// Which way every vertex of all meshes faces at bind, the same for all that lie in one place: a seam must not open.
pub(crate) fn facing(meshes: &[Mesh]) -> Vec<Vec3> {
    let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut sums: HashMap<[u32; 3], Vec3> = HashMap::new();
    for mesh in meshes {
        for t in &mesh.triangles {
            let normal = super::bones::normal(&mesh.positions, t);
            t.iter().for_each(|&v| *sums.entry(key(mesh.positions[v as usize])).or_default() += normal);
        }
    }
    let places = meshes.iter().flat_map(|mesh| &mesh.positions);
    places.map(|p| sums.get(&key(*p)).map_or(Vec3::ZERO, |n| n.normalize_or_zero())).collect()
}

/// The parts that a vertex with normal `facing` (or none) feels at bind, ascending, and how much.
pub(crate) fn felt(parts: &[Part], at: Vec3, facing: Vec3, reach: f32) -> Vec<(u16, f32)> {
    let strength = |part: &Part| {
        let cells = part.field.cells_from_bind.transform_point3(at);
        let [distance, x, y, z] = part.field.at(cells.x, cells.y, cells.z)?;
        let out = (part.field.axes * Vec3::new(x, y, z)).normalize_or_zero();
        let over = if facing == Vec3::ZERO { 1.0 } else { smooth(out.dot(facing) / OVER) };
        Some(over * smooth(2.0 - 2.0 * distance.abs() / reach)).filter(|&w| w > 0.0)
    };
    let parts = parts.iter().enumerate();
    let mut felt: Vec<(u16, f32)> = parts.filter_map(|(i, part)| Some((i as u16, strength(part)?))).collect();
    felt.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    felt.truncate(MOST_BONES);
    felt.sort_by_key(|w| w.0);
    felt
}

/// 0 below 0, 1 above 1, smooth between.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

for_each_instruction_set! {
    /// Push the vertices of those batches; `rest` is the clearance of every entry.
    apply = apply_in_lanes(
        table: &SlideTable, rest: &[Lane], batches: Range<usize>, frames: &[BoneFrame], skin: &mut [Lane3],
    )
}

#[inline(always)]
fn apply_in_lanes(table: &SlideTable, rest: &[Lane], batches: Range<usize>, frames: &[BoneFrame], skin: &mut [Lane3]) {
    let frames = &frames[table.first..];
    for (batch, skin) in batches.zip(skin) {
        let entries = table.entries(batch);
        if entries.is_empty() {
            continue;
        }
        let mut push = Push::default();
        for entry in entries {
            let part = usize::from(table.part[entry]);
            let (frame, field) = (&frames[part], &*table.parts[part].field);
            push.add(frame, field, &table.weight[entry], &rest[entry], table.max, &cells_of(frame, skin));
        }
        if push.any {
            push.take(table.max, skin);
        }
    }
}

/// Clearances of those batches: what `apply` would see in the pose that bones and skin are in, to the bit.
pub(crate) fn record(
    table: &SlideTable,
    batches: Range<usize>,
    frames: &[BoneFrame],
    skin: &[Lane3],
    rest: &mut [Lane],
) {
    for (batch, skin) in batches.zip(skin) {
        for entry in table.entries(batch) {
            let part = usize::from(table.part[entry]);
            let cells = cells_of(&frames[table.first + part], skin);
            for l in 0..LANES {
                let node = table.parts[part].field.at(cells.x[l], cells.y[l], cells.z[l]);
                rest[entry][l] = node.map_or(NEVER, |node| node[0].min(table.fat));
            }
        }
    }
}

/// Where vertices are in the cells of a bone's field.
#[inline(always)]
fn cells_of(frame: &BoneFrame, p: &Lane3) -> Lane3 {
    let m = &frame.cells;
    let mut cells = Lane3::default();
    for l in 0..LANES {
        cells.x[l] = (m[0] * p.x[l] + m[1] * p.y[l]) + (m[2] * p.z[l] + m[3]);
        cells.y[l] = (m[4] * p.x[l] + m[5] * p.y[l]) + (m[6] * p.z[l] + m[7]);
        cells.z[l] = (m[8] * p.x[l] + m[9] * p.y[l]) + (m[10] * p.z[l] + m[11]);
    }
    cells
}

/// The lanes that have a share, a bit each: walking bits surprises the processor less than asking every lane.
#[inline(always)]
fn feeling(shares: &Shares) -> u32 {
    (0..LANES).fold(0, |bits, l| bits | u32::from(shares[l] != 0) << l)
}

/// What all bones together do to eight vertices.
#[derive(Default)]
struct Push {
    any: bool,
    way: Lane3, // Σ wᵢ aᵢ nᵢ
    sum: Lane,  // Σ wᵢ aᵢ
    most: Lane, // max aᵢ
}

impl Push {
    /// One bone more.
    #[inline(always)]
    fn add(&mut self, frame: &BoneFrame, field: &Field, shares: &Shares, rest: &Lane, max: f32, cells: &Lane3) {
        let mut feeling = feeling(shares);
        while feeling != 0 {
            let l = feeling.trailing_zeros() as usize % LANES;
            feeling &= feeling - 1;
            let Some([distance, x, y, z]) = field.at(cells.x[l], cells.y[l], cells.z[l]) else { continue };
            let gap = (rest[l] - distance) * frame.scale;
            if gap > 0.0 {
                self.any = true;
                let amount = if gap < max { gap } else { max };
                let clear = (x * x + y * y + z * z).sqrt();
                let unit = 1.0 / if clear > CLEAR_WAY { clear } else { CLEAR_WAY };
                let pushed = f32::from(shares[l]) * (1.0 / f32::from(WHOLE)) * amount;
                let (m, k) = (&frame.out, pushed * unit);
                self.way.x[l] += k * (m[0] * x + m[1] * y + m[2] * z);
                self.way.y[l] += k * (m[3] * x + m[4] * y + m[5] * z);
                self.way.z[l] += k * (m[6] * x + m[7] * y + m[8] * z);
                self.sum[l] += pushed;
                self.most[l] = if amount > self.most[l] { amount } else { self.most[l] };
            }
        }
    }

    /// Let the skin go there. A joint that is stretched more one way than another lengthens ways out: `max` holds even so.
    #[inline(always)]
    fn take(&self, max: f32, p: &mut Lane3) {
        let way = &self.way;
        for l in 0..LANES {
            let shared = if self.sum[l] > self.most[l] { self.most[l] / self.sum[l] } else { 1.0 };
            let length = shared * (way.x[l] * way.x[l] + way.y[l] * way.y[l] + way.z[l] * way.z[l]).sqrt();
            let k = if length > max { shared * (max / length) } else { shared };
            p.x[l] += k * way.x[l];
            p.y[l] += k * way.y[l];
            p.z[l] += k * way.z[l];
        }
    }
}
