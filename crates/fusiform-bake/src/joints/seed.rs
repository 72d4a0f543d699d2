//! Where helpers start: one after the other at the vertex of largest error, as splits in Linde, Buzo and Gray 1980,
//! *An algorithm for vector quantizer design*.
//!
//! Seen in bind space ([`unskin`]) the joints and helpers so far leave `r_fv`. A helper fits a rigid motion to the
//! neighbourhood of the vertex where most is left, every vertex takes of it the share in [0, 1] that helps it most, and
//! what is then left is what the next one starts from, at some distance.

use super::turns::procrustes;
use super::{Helpers, Sequence};
use crate::error::BakeError;
use crate::unskin::unskin;
use crate::watch::Heard;
use fusiform::SparseWeights;
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

/// Vertices a thread takes at a time.
const CHUNK: usize = 128;

/// Helpers as they start.
pub struct Seeds {
    pub parents: Vec<u16>,
    pub centres: Vec<Vec3>,
    pub own: Vec<Affine3A>, // n_fit_frame x n_helper
}

/// At most `n_helper` more helpers, fewer when nothing is left to be done.
pub fn seed(
    sequence: &Sequence,
    helpers: &Helpers,
    plain: &SparseWeights,
    frames: &[usize],
    n_helper: usize,
    heard: Heard,
) -> Result<Seeds, BakeError> {
    let (n_vertex, n_fit) = (sequence.bind.len(), frames.len());
    let mut left = vacant(sequence, helpers, frames)?;
    let (mut room, mut fresh) = (vec![1.0f32; n_vertex], vec![1.0f32; n_vertex]);
    let n_near = (n_vertex / (3 * n_helper.max(1)) + 8).min(n_vertex);
    let (mut parents, mut centres, mut motions) = (Vec::new(), Vec::new(), Vec::<Vec<Affine3A>>::new());
    while parents.len() < n_helper {
        heard()?;
        let energy = |left: &[Vec3]| left.iter().map(|r| r.length_squared()).sum::<f32>();
        let energies: Vec<f32> = left.par_chunks(n_fit.max(1)).map(energy).collect();
        let score = |v: usize| energies[v] * fresh[v];
        let worst = (0..n_vertex).reduce(|a, b| if score(b) > score(a) { b } else { a });
        let Some(seed) = worst.filter(|&v| score(v) > 0.0) else { break };
        let near = nearest(sequence.bind, seed, n_near);
        let motion: Vec<Affine3A> = (0..n_fit)
            .map(|f| {
                procrustes(near.iter().map(|&v| {
                    let from = sequence.bind[v];
                    (f64::from(energies[v]), from.as_dvec3(), (from + left[v * n_fit + f]).as_dvec3())
                }))
            })
            .collect();
        take(sequence.bind, &motion, &mut left, &mut room);
        let around = near.last().map_or(0.0, |&v| sequence.bind[v].distance_squared(sequence.bind[seed]));
        for (fresh, v) in fresh.iter_mut().zip(sequence.bind) {
            *fresh *= (v.distance_squared(sequence.bind[seed]) / (2.0 * around + f32::MIN_POSITIVE)).min(1.0);
        }
        parents.push(parent(plain, &near));
        centres.push(near.iter().map(|&v| sequence.bind[v]).sum::<Vec3>() / near.len() as f32);
        motions.push(motion);
    }
    let own = (0..n_fit).flat_map(|f| motions.iter().map(move |motion| motion[f])).collect();
    Ok(Seeds { parents, centres, own })
}

/// n_vertex x n_fit_frame: what joints and helpers so far leave in bind space.
fn vacant(sequence: &Sequence, helpers: &Helpers, frames: &[usize]) -> Result<Vec<Vec3>, BakeError> {
    let n_fit = frames.len();
    let mut left = vec![Vec3::ZERO; sequence.bind.len() * n_fit];
    let mut residual = vec![Vec3::ZERO; sequence.bind.len()];
    for (i, &frame) in frames.iter().enumerate() {
        let joints = helpers.all_joints(sequence, frame);
        unskin(sequence.bind, &helpers.weights, &joints, sequence.skin(frame), &mut residual)?;
        left.iter_mut().skip(i).step_by(n_fit).zip(&residual).for_each(|(left, r)| *left = *r);
    }
    Ok(left)
}

/// The `n` vertices nearest to `seed`, itself first.
fn nearest(bind: &[Vec3], seed: usize, n: usize) -> Vec<usize> {
    let mut order: Vec<(f32, usize)> = bind.iter().map(|v| v.distance_squared(bind[seed])).zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().take(n).map(|(_, v)| v).collect()
}

/// Every vertex takes the share of the motion that leaves it least, as far as its weights have room.
fn take(bind: &[Vec3], motion: &[Affine3A], left: &mut [Vec3], room: &mut [f32]) {
    let n_fit = motion.len();
    let chunks = left.par_chunks_mut(CHUNK * n_fit).zip(room.par_chunks_mut(CHUNK)).zip(bind.par_chunks(CHUNK));
    chunks.for_each(|((left, room), bind)| {
        for ((left, room), &v) in left.chunks_exact_mut(n_fit).zip(room).zip(bind) {
            let moved = motion.iter().map(|motion| motion.transform_point3(v) - v);
            let (mut along, mut square) = (0.0, 0.0);
            for (d, r) in moved.clone().zip(&*left) {
                along += d.dot(*r);
                square += d.length_squared();
            }
            let share = if square > 0.0 { (along / square).clamp(0.0, *room) } else { 0.0 };
            *room -= share;
            left.iter_mut().zip(moved).for_each(|(r, d)| *r -= d * share);
        }
    });
}

/// The joint that moves these vertices most.
fn parent(plain: &SparseWeights, near: &[usize]) -> u16 {
    let mut sums: Vec<(u16, f32)> = Vec::new();
    for (joint, weight) in near.iter().flat_map(|&v| plain.of(v)) {
        match sums.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => sums.push((joint, weight)),
        }
    }
    sums.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).map_or(0, |(joint, _)| joint)
}
