//! Surface: the points of bellies and their normals, every frame, for what needs them: skin that wraps them, tissue and soft
//! bodies.
//!
//! ```text
//! p = center + b o_b + c o_c                       o the point's place in its section at rest; b, c as long as it has grown
//! n = (p around) × (p along)                       by central differences over the grid; smooth between belly vertices
//! ```
//!
//! Eight muscles of equal rings x sectors go through together, one in each lane, so that the neighbours of a point are
//! other rows of the same lanes. They leave as one record a point.

use super::belly::Section;
use super::lanes::{LANES, Lane, Lane3, for_each_instruction_set};
use super::muscles::MuscleTable;
use super::soft::Tissue;
use crate::musculature::{Dynamics, Layer, Musculature};
use glam::{Mat4, Vec2, Vec3, Vec4};

/// One belly point as skin that wraps it reads it: place and normal, three floats and a spare one each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Record(pub [f32; LANES]);

impl Record {
    /// Where it is, metres, model space.
    pub fn point(&self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }
}

/// Up to eight muscles of equal rings x sectors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// The muscle in each lane; past the last one the first again, which nobody reads.
    pub muscle: [u16; LANES],
    /// How many lanes have a muscle of their own.
    pub count: usize,
    /// Cross-sections.
    pub rings: usize,
    /// Points around each.
    pub sectors: usize,
    /// Row of its first point among those of all groups.
    pub first_row: usize,
    /// What its bellies are made of, if they are soft.
    pub tissue: Option<Box<Tissue>>,
    /// Row of its first particles among those of all soft groups.
    pub first_particle: usize,
    /// And of its first ring among theirs.
    pub first_ring: usize,
}

impl Group {
    pub fn n_point(&self) -> usize {
        self.rings * self.sectors
    }
}

/// Which bellies have a surface in the frame, and how their points lie in their sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SurfaceTable {
    pub group: Box<[Group]>,         // soft ones first
    pub offset: Box<[[Lane; 2]]>,    // n_row     m along b and along c, at rest
    pub first: Box<[Option<u32>]>,   // n_muscle  its first record
    pub soft: Box<[Option<u32>]>,    // n_muscle  its group, if it is soft
    pub needs_sections: Box<[bool]>, // n group of the muscle table
    pub wrapped: bool,               // whether skin reads normals
    pub shown: bool,                 // whether skin reads points
    pub n_record: usize,
    pub n_particle: usize,
    pub n_soft_ring: usize,
    pub most_points: usize,
}

/// Whether muscle `m` takes part in a layer that lists muscles by name.
pub(super) fn takes_part(names: &[String], musculature: &Musculature, m: usize) -> bool {
    names.is_empty() || names.contains(&musculature.muscles[m].name)
}

impl SurfaceTable {
    pub fn new(musculature: &Musculature, muscles: &MuscleTable) -> Self {
        let shows = |m: usize| {
            let by = |layer: &Layer| match layer {
                Layer::Wrap { muscles, .. } => takes_part(muscles, musculature, m),
                Layer::Tissue(tissue) => takes_part(&tissue.muscles, musculature, m),
                _ => false,
            };
            musculature.layers.iter().any(by)
        };
        let is_soft = |m: usize| matches!(musculature.muscles[m].dynamics, Dynamics::SoftBody { .. });
        let shape = |m: usize| (musculature.muscles[m].rings, musculature.muscles[m].sectors);
        let mut needed: Vec<usize> = (0..muscles.len()).filter(|&m| is_soft(m) || shows(m)).collect();
        needed.sort_by_key(|&m| (!is_soft(m), shape(m), m));
        let mut table = Self {
            first: vec![None; muscles.len()].into(),
            soft: vec![None; muscles.len()].into(),
            needs_sections: vec![false; muscles.group.len()].into(),
            wrapped: musculature.layers.iter().any(|layer| matches!(layer, Layer::Wrap { .. })),
            shown: musculature.layers.iter().any(|layer| matches!(layer, Layer::Wrap { .. } | Layer::Tissue(_))),
            ..Self::default()
        };
        let (mut groups, mut offsets) = (Vec::new(), Vec::new());
        for alike in needed.chunk_by(|&a, &b| (is_soft(a), shape(a)) == (is_soft(b), shape(b))) {
            for eight in alike.chunks(LANES) {
                table.add(eight, musculature, muscles, (&mut groups, &mut offsets));
            }
        }
        (table.group, table.offset) = (groups.into(), offsets.into());
        table
    }

    fn add(
        &mut self,
        eight: &[usize],
        musculature: &Musculature,
        muscles: &MuscleTable,
        (groups, offsets): (&mut Vec<Group>, &mut Vec<[Lane; 2]>),
    ) {
        let lane = |l: usize| eight.get(l).copied().unwrap_or(eight[0]);
        let of = &musculature.muscles[eight[0]];
        let (rings, sectors) = (usize::from(of.rings), usize::from(of.sectors));
        let dynamics: [_; LANES] = std::array::from_fn(|l| &musculature.muscles[lane(l)].dynamics);
        let tissue = Tissue::new(dynamics, &musculature.physique, rings * sectors, |l| muscles.reach[lane(l)]);
        let first_row = offsets.len();
        for i in 0..rings * sectors {
            let place: [Vec2; LANES] = std::array::from_fn(|l| {
                let (belly, ring) = (&muscles.rest[lane(l)], &muscles.rest[lane(l)].rings[i / sectors]);
                let from = belly.points[i] - ring.center;
                Vec2::new(from.dot(ring.b), from.dot(ring.c))
            });
            offsets.push([place.map(|p| p.x), place.map(|p| p.y)]);
        }
        for &m in eight {
            self.first[m] = Some(self.n_record as u32);
            // one column more than sectors, a copy of the first: triangles across it are like all others
            self.n_record += rings * (sectors + 1);
            self.needs_sections[m / LANES] = true;
            self.soft[m] = tissue.is_some().then_some(groups.len() as u32);
        }
        self.most_points = self.most_points.max(rings * sectors);
        let muscle = std::array::from_fn(|l| lane(l) as u16);
        let (first_particle, first_ring) = (self.n_particle, self.n_soft_ring);
        if tissue.is_some() {
            self.n_particle += rings * sectors;
            self.n_soft_ring += rings;
        }
        groups.push(Group {
            muscle,
            count: eight.len(),
            rings,
            sectors,
            first_row,
            tissue: tissue.map(Box::new),
            first_particle,
            first_ring,
        });
    }

    /// Whether records of one table lie where those of the other do.
    pub fn same_layout(&self, other: &Self) -> bool {
        self.first == other.first
    }

    pub fn has_soft(&self) -> bool {
        self.n_particle > 0
    }
}

/// The sections of one ring of the eight muscles of a group: centre, b and c.
#[inline(always)]
fn load(muscles: &MuscleTable, group: &Group, ring: usize, sections: &[Section]) -> [Lane3; 3] {
    let mut lanes = [Lane3::default(); 3];
    for l in 0..LANES {
        let section = &sections[muscles.ring_start[usize::from(group.muscle[l])] as usize + ring];
        lanes[0].set(l, section.center);
        lanes[1].set(l, section.b);
        lanes[2].set(l, section.c);
    }
    lanes
}

for_each_instruction_set! {
    /// The points of the eight bellies of a group where the pose has them.
    points = points_in_lanes(
        muscles: &MuscleTable, group: &Group, offset: &[[Lane; 2]], sections: &[Section], points: &mut [Lane3],
    )
}

#[inline(always)]
fn points_in_lanes(
    muscles: &MuscleTable,
    group: &Group,
    offset: &[[Lane; 2]],
    sections: &[Section],
    points: &mut [Lane3],
) {
    let rows = points.chunks_exact_mut(group.sectors).zip(offset.chunks_exact(group.sectors));
    for (ring, (points, offset)) in rows.enumerate() {
        let [center, b, c] = load(muscles, group, ring, sections);
        for (point, [ob, oc]) in points.iter_mut().zip(offset) {
            for l in 0..LANES {
                point.x[l] = center.x[l] + (b.x[l] * ob[l] + c.x[l] * oc[l]);
                point.y[l] = center.y[l] + (b.y[l] * ob[l] + c.y[l] * oc[l]);
                point.z[l] = center.z[l] + (b.z[l] * ob[l] + c.z[l] * oc[l]);
            }
        }
    }
}

for_each_instruction_set! {
    /// Places and normals of the eight bellies of a group as records; `shortest` is what counts as no width.
    records = records_in_lanes(
        muscles: &MuscleTable, group: &Group, first: &[Option<u32>], sections: &[Section], points: &[Lane3],
        shortest: f32, records: &mut [Record],
    )
}

#[inline(always)]
fn records_in_lanes(
    muscles: &MuscleTable,
    group: &Group,
    first: &[Option<u32>],
    sections: &[Section],
    points: &[Lane3],
    shortest: f32,
    records: &mut [Record],
) {
    let (rings, sectors) = (group.rings, group.sectors);
    let first: [usize; LANES] = group.muscle.map(|m| first[usize::from(m)].unwrap_or(0) as usize);
    let turn = Vec2::new(
        libm::cosf(std::f32::consts::TAU / sectors as f32),
        libm::sinf(std::f32::consts::TAU / sectors as f32),
    );
    for i in 0..rings {
        let [_, b, c] = load(muscles, group, i, sections);
        let (before, after) = (i.saturating_sub(1), (i + 1).min(rings - 1));
        let mut angle = Vec2::X;
        for j in 0..sectors {
            let row = |ring: usize, sector: usize| &points[ring * sectors + sector % sectors];
            let (left, right) = (row(i, j + sectors - 1), row(i, j + 1));
            let out = if i == 0 || i + 1 == rings { end(&b, &c, i == 0) } else { outward(&b, &c, angle) };
            let n = normal(left, right, row(before, j), row(after, j), &out, shortest);
            write(row(i, j), &n, &first, group.count, i * (sectors + 1) + j, records);
            angle = angle.rotate(turn);
        }
        for first in &first[..group.count] {
            let row = first + i * (sectors + 1);
            records[row + sectors] = records[row];
        }
    }
}

/// Away from the middle of a section.
#[inline(always)]
fn outward(b: &Lane3, c: &Lane3, angle: Vec2) -> Lane3 {
    Lane3::each(|l| b.get(l) * angle.x + c.get(l) * angle.y)
}

/// Out of the end of a belly, along it.
#[inline(always)]
fn end(b: &Lane3, c: &Lane3, is_origin: bool) -> Lane3 {
    let side = if is_origin { -1.0 } else { 1.0 };
    Lane3::each(|l| b.get(l).cross(c.get(l)) * side)
}

/// The unit normal from the neighbours of a point; where they give none, `out`. In between it is a mixture, so that a
/// belly that thins to nothing loses its normals smoothly.
#[inline(always)]
fn normal(left: &Lane3, right: &Lane3, before: &Lane3, after: &Lane3, out: &Lane3, shortest: f32) -> Lane3 {
    let around = Lane3::each(|l| right.get(l) - left.get(l));
    let along = Lane3::each(|l| after.get(l) - before.get(l));
    let mut floor = Lane::default();
    for l in 0..LANES {
        floor[l] = shortest * ((along.x[l].abs() + along.y[l].abs()) + (along.z[l].abs() + shortest));
    }
    let n = Lane3::each(|l| around.get(l).cross(along.get(l)) + out.get(l) * floor[l]);
    let mut scale = Lane::default();
    for l in 0..LANES {
        let square = n.x[l] * n.x[l] + n.y[l] * n.y[l] + n.z[l] * n.z[l];
        scale[l] = 1.0 / if square > 1e-36 { square } else { 1e-36 }.sqrt();
    }
    Lane3::each(|l| n.get(l) * scale[l])
}

/// Eight records, one of each muscle.
#[inline(always)]
fn write(p: &Lane3, n: &Lane3, first: &[usize; LANES], count: usize, row: usize, records: &mut [Record]) {
    let four = |v: &Lane3, l: usize| {
        let lanes = |lane: &Lane| Vec4::from_slice(&lane[l..l + 4]);
        let rows = Mat4::from_cols(lanes(&v.x), lanes(&v.y), lanes(&v.z), Vec4::ZERO).transpose();
        [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis]
    };
    for half in [0, 4] {
        for (l, (p, n)) in four(p, half).into_iter().zip(four(n, half)).enumerate() {
            if half + l < count {
                let record = &mut records[first[half + l] + row].0;
                p.write_to_slice(&mut record[..4]);
                n.write_to_slice(&mut record[4..]);
            }
        }
    }
}
