//! Belly: the rings of every muscle, from its curve and its section.
//!
//! In  ends and middle point of every curve, the origin joint's turn, the section's growth.
//! Out one [`Ring`] per cross-section: all that layers, pictures and exports know of a muscle.
//!
//! Eight rings of one muscle go through together, so its constants are loaded once.

use super::frame;
use super::lanes::{LANES, Lane3, for_each_instruction_set};
use super::muscles::MuscleTable;
use super::path::{Bezier, parameter_at};
use crate::musculature::{FrameRule, Spacing};
use glam::{Mat3, Vec3};

/// One cross-section of a belly as it is now: a cache line each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Ring {
    /// Unit tangent, from origin to insertion.
    pub a: [f32; 3],
    /// Unit, toward the up-vector.
    pub b: [f32; 3],
    /// a x b.
    pub c: [f32; 3],
    /// Metres, model space.
    pub center: [f32; 3],
    /// Growth of the section along b and c since rest: 0 is unchanged.
    pub swell: [f32; 2],
}

for_each_instruction_set! {
    /// The rings of muscle `m`, its curve running over `curve` and its section grown by `swell`.
    rings = rings_in_lanes(muscles: &MuscleTable, m: usize, curve: &Bezier, turn: &Mat3, swell: f32, rings: &mut [Ring])
}

#[inline(always)]
fn rings_in_lanes(muscles: &MuscleTable, m: usize, curve: &Bezier, turn: &Mat3, swell: f32, rings: &mut [Ring]) {
    let lengths = curve.lengths();
    let even = muscles.spacing[m] == Spacing::ArcLength;
    let up = *turn * muscles.up[m];
    let shortest = 1e-6 * muscles.rest_length[m];
    let blocks = muscles.block_start[m] as usize..muscles.block_start[m + 1] as usize;
    for (block, rings) in blocks.zip(rings.chunks_mut(LANES)) {
        let (s, tangent, b) = (&muscles.s[block], &muscles.tangent[block], &muscles.b[block]);
        let mut u = *s;
        if even {
            u = u.map(|s| parameter_at(&lengths, s));
        }
        let (mut a_now, mut b_now, mut center) = (Lane3::default(), Lane3::default(), Lane3::default());
        for lane in 0..LANES {
            let carried = *turn * tangent.get(lane);
            let a = frame::unit_or(curve.tangent(u[lane]), shortest, carried);
            a_now.set(lane, a);
            b_now.set(lane, frame::turn_onto(carried, a, *turn * b.get(lane)));
            center.set(lane, curve.point(u[lane]));
        }
        if muscles.rule[m] == FrameRule::Lee {
            for lane in 0..LANES {
                b_now.set(lane, frame::lee(a_now.get(lane), up, b_now.get(lane)));
            }
        }
        for (lane, ring) in rings.iter_mut().enumerate() {
            let (a, b) = (a_now.get(lane), b_now.get(lane));
            let (c, center) = (a.cross(b), center.get(lane));
            *ring = Ring { a: a.into(), b: b.into(), c: c.into(), center: center.into(), swell: [swell; 2] };
        }
    }
}

/// The belly's points in model space, ring by ring, metres; `points` has rings x sectors rows.
pub fn points(muscles: &MuscleTable, m: usize, rings: &[Ring], points: &mut [Vec3]) {
    let rows = muscles.point_start[m] as usize..muscles.point_start[m + 1] as usize;
    let sectors = rows.len() / rings.len();
    for (i, (point, offset)) in points.iter_mut().zip(&muscles.point_offset[rows]).enumerate() {
        let ring = &rings[i / sectors];
        let (b, c) = (Vec3::from(ring.b), Vec3::from(ring.c));
        let (along_b, along_c) = (offset.x * (1.0 + ring.swell[0]), offset.y * (1.0 + ring.swell[1]));
        *point = Vec3::from(ring.center) + b * along_b + c * along_c;
    }
}

/// Triangles of a belly of that many rings and sectors, counter-clockwise from outside; the ends are points.
#[must_use]
pub fn triangles(rings: usize, sectors: usize) -> Vec<[u32; 3]> {
    let at = |ring: usize, sector: usize| (ring * sectors + sector % sectors) as u32;
    let mut triangles = Vec::with_capacity(2 * (rings - 1) * sectors);
    for ring in 0..rings - 1 {
        for sector in 0..sectors {
            let (p, q) = (at(ring, sector), at(ring, sector + 1));
            let (r, s) = (at(ring + 1, sector), at(ring + 1, sector + 1));
            triangles.push([p, q, s]);
            triangles.push([p, s, r]);
        }
    }
    triangles
}
