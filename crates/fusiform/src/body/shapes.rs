//! Shapes: bellies sculpted in several poses, and what they are in between.
//!
//! ```text
//! d² = Σ |R_a − R_b|²_F / 2  over the joints named             how far two poses are apart
//! w  = A⁻¹ (d₀ … dₙ, 1)      A = | Φ  1 |   Φᵢⱼ = dᵢⱼ           weights of the n + 1 shapes; they sum to 1 everywhere
//!                                | 1ᵀ 0 |
//! one joint, one axis:  the two neighbouring angles, linearly
//! ```
//!
//! Pratscher, Coleman, Laszlo, Singh: *Outside-In Anatomy Based Character Rigging*, 2005, section 4.1, after Lewis, Cordner,
//! Fong: *Pose Space Deformation*, 2000. The constant row is ours: far from every sample a belly is still a mean of them.

use super::belly::RingPull;
use super::frame;
use super::rest::RestBelly;
use super::star::{self, CELLS};
use super::turned::{Turned, about};
use crate::character::Skeleton;
use crate::musculature::PoseShape;
use glam::{Mat3, Quat, Vec2, Vec3};
use std::collections::BTreeSet;

/// Poses that are closer, radians, count as the same: half a degree.
const SAME_POSE: f32 = 0.01;

/// Shapes of one muscle, the bind pose's first; constants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shapes {
    pub muscle: usize,
    pub first: usize,     // row of its first weight among all muscles'
    joint: Box<[Turned]>, // n_joint  whose turns tell poses apart
    between: Between,
    amiss: Box<[f32]>, // n_shape            what rounding makes of the weights at bind, less what they are
    factor: Box<[f32]>, // n_shape x n_point  the sculpt grids
    growth: Box<[Vec2]>, // n_shape x n_ring   section along b and c over the bind shape's
    bulges: Box<[f32]>, // n_shape x CELLS    radius beyond the bind shape's, in the ellipsoid's space
}

#[derive(Clone, Debug, PartialEq)]
enum Between {
    /// All shapes turn one joint about one axis.
    Angles { axis: Vec3, angle: Box<[f32]>, shape: Box<[usize]> },
    /// `pose` is n_shape x n_joint, `inverse` the first n_shape rows of A⁻¹.
    Scattered { pose: Box<[Mat3]>, inverse: Box<[f32]> },
}

/// Names of all joints that any shape turns.
fn joints(shapes: &[PoseShape]) -> Vec<&str> {
    let names: BTreeSet<&str> = shapes.iter().flat_map(|shape| shape.turns.keys().map(String::as_str)).collect();
    names.into_iter().collect()
}

/// The turns of every pose, the bind pose first.
fn poses<'a>(shapes: &'a [PoseShape], joints: &'a [&str]) -> impl Iterator<Item = Vec<Quat>> + 'a {
    let turn = |shape: &PoseShape, joint: &str| shape.turns.get(joint).map_or(Quat::IDENTITY, |q| q.normalize());
    let sculpted = shapes.iter().map(move |shape| joints.iter().map(|joint| turn(shape, joint)).collect());
    std::iter::once(vec![Quat::IDENTITY; joints.len()]).chain(sculpted)
}

fn apart(a: &[Mat3], b: &[Mat3]) -> f32 {
    let sum: f32 = a.iter().zip(b).map(|(a, b)| square(*a - *b)).sum();
    (0.5 * sum).sqrt()
}

/// |m|²_F.
fn square(m: Mat3) -> f32 {
    m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()
}

/// Two poses that are the same: 0 is the bind pose, i + 1 shape i.
pub(super) fn same_pose(shapes: &[PoseShape]) -> Option<(usize, usize)> {
    let joints = joints(shapes);
    let poses: Vec<Vec<Mat3>> = matrices(shapes, &joints);
    let pairs = (0..poses.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.into_iter().find(|&(a, b)| apart(&poses[a], &poses[b]) < SAME_POSE)
}

fn matrices(shapes: &[PoseShape], joints: &[&str]) -> Vec<Vec<Mat3>> {
    poses(shapes, joints).map(|pose| pose.into_iter().map(Mat3::from_quat).collect()).collect()
}

impl Between {
    fn new(shapes: &[PoseShape], joints: &[&str]) -> Self {
        let turns: Vec<Vec<Quat>> = poses(shapes, joints).collect();
        if let Some(axis) = one_axis(&turns) {
            let mut sorted: Vec<(f32, usize)> =
                turns.iter().enumerate().map(|(shape, turn)| (about(axis, turn[0]), shape)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (angle, shape) = sorted.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
            return Self::Angles { axis, angle: angle.into(), shape: shape.into() };
        }
        let poses = matrices(shapes, joints);
        let n = poses.len();
        let entry = |i: usize, j: usize| match (i == n, j == n) {
            (true, true) => 0.0,
            (false, false) => f64::from(apart(&poses[i], &poses[j])),
            _ => 1.0,
        };
        let inverse = inverse(n + 1, entry);
        let rows = inverse[..n * (n + 1)].iter().map(|&x| x as f32).collect();
        Self::Scattered { pose: poses.concat().into(), inverse: rows }
    }
}

/// The axis about which all of them turn their one joint, if there is one.
fn one_axis(turns: &[Vec<Quat>]) -> Option<Vec3> {
    let furthest = |a: Vec3, b: Vec3| if b.length_squared() > a.length_squared() { b } else { a };
    let parts = || turns.iter().flatten().map(|turn| turn.xyz());
    let axis = parts().fold(Vec3::ZERO, furthest).try_normalize()?;
    let along = |part: Vec3| part.cross(axis).length() < 0.01 * part.length().max(1e-3);
    (turns[0].len() == 1 && parts().all(along)).then_some(axis)
}

/// Gauss-Jordan with the largest pivot, row by row.
fn inverse(n: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).chain((0..n).map(|j| f64::from(u8::from(i == j)))).collect())
        .collect();
    for column in 0..n {
        let largest = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, largest.unwrap_or(column));
        let scale = 1.0 / rows[column][column];
        rows[column].iter_mut().for_each(|x| *x *= scale);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    rows.into_iter().flat_map(|row| row[n..].to_vec()).collect()
}

impl Shapes {
    /// Of muscle `muscle`, whose bind grid and profile (over its middle, ring by ring) are those.
    pub fn new(
        skeleton: &Skeleton,
        (muscle, first): (usize, usize),
        shapes: &[PoseShape],
        bind: &[f32],
        ring_radius: &[f32],
    ) -> Self {
        let joints = joints(shapes);
        let grids: Vec<&[f32]> =
            std::iter::once(bind).chain(shapes.iter().map(|shape| &*shape.sculpt.factors)).collect();
        let sectors = bind.len() / ring_radius.len();
        let growth = grids.iter().flat_map(|grid| {
            grid.chunks(sectors).zip(bind.chunks(sectors)).map(|(now, bind)| section_growth(now, bind))
        });
        let at_bind = star::radii(ring_radius, bind);
        let bulges = grids.iter().flat_map(|grid| {
            let now = star::radii(ring_radius, grid);
            now.into_iter().zip(&at_bind).map(|(now, bind)| now - bind).collect::<Vec<_>>()
        });
        let mut shapes = Self {
            muscle,
            first,
            joint: joints.iter().map(|name| Turned::new(skeleton, name)).collect(),
            between: Between::new(shapes, &joints),
            amiss: vec![0.0; grids.len()].into(),
            growth: growth.collect(),
            bulges: bulges.collect(),
            factor: grids.concat().into(),
        };
        // as `attach` has it in the bind pose
        let turn = |joint: &crate::Joint| frame::turn_of(&(joint.bind * joint.bind.inverse())).into();
        let turns: Vec<Mat3> = skeleton.joints.iter().map(turn).collect();
        let mut amiss = shapes.amiss.clone();
        shapes.weights(&turns, &mut amiss);
        amiss[0] -= 1.0;
        shapes.amiss = amiss;
        shapes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bulges.len() / CELLS
    }

    /// What every shape weighs, with the joints turned so since bind.
    pub fn weights(&self, turn: &[Mat3], weights: &mut [f32]) {
        match &self.between {
            Between::Angles { axis, angle, shape } => {
                let now = about(*axis, Quat::from_mat3(&self.joint[0].since_bind(turn)));
                weights.fill(0.0);
                let after = angle.partition_point(|&angle| angle <= now).clamp(1, angle.len() - 1);
                let (low, high) = (angle[after - 1], angle[after]);
                let share = ((now - low) / (high - low)).clamp(0.0, 1.0);
                (weights[shape[after - 1]], weights[shape[after]]) = (1.0 - share, share);
            }
            Between::Scattered { pose, inverse } => {
                let (row, n_joint) = (weights.len() + 1, self.joint.len());
                for (weight, inverse) in weights.iter_mut().zip(inverse.chunks(row)) {
                    *weight = inverse[row - 1];
                }
                for (k, pose) in pose.chunks(n_joint).enumerate() {
                    let square = |(joint, then): (&Turned, &Mat3)| square(joint.since_bind(turn) - *then);
                    let apart = (0.5 * self.joint.iter().zip(pose).map(square).sum::<f32>()).sqrt();
                    for (weight, inverse) in weights.iter_mut().zip(inverse.chunks(row)) {
                        *weight += inverse[k] * apart;
                    }
                }
            }
        }
        weights.iter_mut().zip(&self.amiss).for_each(|(weight, amiss)| *weight -= amiss);
    }

    /// The factor on the profile at one belly point.
    pub fn factor(&self, weights: &[f32], point: usize) -> f32 {
        let n_point = self.factor.len() / weights.len();
        let sum: f32 = weights.iter().zip(self.factor.chunks(n_point)).map(|(w, grid)| w * grid[point]).sum();
        sum.max(0.0)
    }

    /// Let the rings that the skin follows swell with the shape too, along b and along c: the part of it that an ellipse
    /// can show. `grown` is what the contraction makes of the section, `step` the layers' step of offsets.
    pub fn swell(&self, weights: &[f32], rest: &RestBelly, grown: Vec2, step: f32, pulls: &mut [RingPull]) {
        let n_ring = rest.rings.len();
        for (i, (pull, rest)) in pulls.iter_mut().zip(&rest.rings).enumerate() {
            let growth: Vec2 = weights.iter().zip(self.growth.chunks(n_ring)).map(|(w, of)| of[i] * *w).sum();
            let swell = (growth.max(Vec2::ZERO) * grown - Vec2::ONE) * step;
            let m = &pull.since_bind;
            let turn = |v: Vec3| {
                let row = |k: usize| m[k] * v.x + m[k + 1] * v.y + m[k + 2] * v.z;
                Vec3::new(row(0), row(4), row(8))
            };
            (pull.swell_b, pull.swell_c) = ((turn(rest.b) * swell.x).into(), (turn(rest.c) * swell.y).into());
        }
    }

    /// How far the belly now stands out beyond its bind shape in every direction, in its ellipsoid's space.
    pub fn bulges(&self, weights: &[f32], cells: &mut [f32]) {
        cells.fill(0.0);
        for (w, of) in weights.iter().zip(self.bulges.chunks(CELLS)) {
            cells.iter_mut().zip(of).for_each(|(cell, bulge)| *cell += w * bulge);
        }
    }
}

/// How a section has grown along b and c: the least squares over its points, which are at even angles from b.
fn section_growth(now: &[f32], bind: &[f32]) -> Vec2 {
    let (mut product, mut square) = (Vec2::ZERO, Vec2::ZERO);
    for (i, (now, at_bind)) in now.iter().zip(bind).enumerate() {
        let angle = std::f32::consts::TAU * i as f32 / bind.len() as f32;
        let along = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        product += along * along * (now * at_bind);
        square += along * along * (at_bind * at_bind);
    }
    let ratio = |product: f32, square: f32| if square > 1e-12 { product / square } else { 1.0 };
    Vec2::new(ratio(product.x, square.x), ratio(product.y, square.y))
}
