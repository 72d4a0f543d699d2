//! The first frame: nothing is known of where the character is and which way it faces.
//!
//! The root alone is fitted from every quarter turn of its angles, then everything from the best of these fits.

use super::{Ik, MAX_ITERATIONS, Solved};
use crate::system::{Posture, System};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Fits of the root that everything is solved from.
const N_KEPT: usize = 4;
/// Enough for a rigid fit to be told from another.
const ROOT_ITERATIONS: usize = 20;
/// Fits whose costs are this near are the same place, written in other angles.
const SAME: f64 = 1e-3;
/// m²: and so are fits that are both perfect.
const PERFECT: f64 = 1e-7;

/// What hangs on ground, and the best fits of it so far.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    root: Vec<bool>,     // n_coordinate: moves a body that hangs on ground
    turns: Vec<usize>,   // those among them that turn it, three at most
    cost: [f64; N_KEPT], // ascending
    q: [Vec<f64>; N_KEPT],
    home: Vec<f64>,  // n_coordinate: where to be when there is a choice
    try_q: Vec<f64>, // n_coordinate
}

fn same(cost: f64, other: f64) -> bool {
    (other - cost).abs() <= SAME * cost + PERFECT
}

impl Candidates {
    pub fn new(system: &System) -> Self {
        let mut posture = Posture::default();
        system.pose(&system.default, &mut posture);
        let (mut root, mut turns) = (vec![false; system.n_coordinate()], Vec::new());
        for body in (1..system.n_body()).filter(|&b| system.parent[b] == 0) {
            for axis in &posture.axes[system.axes_of(body)] {
                let Some(c) = axis.coordinate.filter(|&c| system.free[c]) else { continue };
                root[c] = true;
                if axis.turns && !turns.contains(&c) && turns.len() < 3 {
                    turns.push(c);
                }
            }
        }
        let q = || vec![0.0; system.n_coordinate()];
        Self { root, turns, cost: [f64::INFINITY; N_KEPT], q: std::array::from_fn(|_| q()), home: q(), try_q: q() }
    }

    pub fn is_root(&self, coordinate: usize) -> bool {
        self.root[coordinate]
    }

    fn away(&self, q: &[f64]) -> f64 {
        self.turns.iter().map(|&c| (q[c] - self.home[c]).powi(2)).sum()
    }

    /// Keep `try_q` if it is among the best; of two ways to write one place, that nearer home.
    fn offer(&mut self, cost: f64) {
        if let Some(same) = self.cost.iter().position(|&other| same(cost, other)) {
            if self.away(&self.try_q) < self.away(&self.q[same]) {
                self.q[same].copy_from_slice(&self.try_q);
            }
            return;
        }
        let at = self.cost.partition_point(|&other| other < cost);
        if at < N_KEPT {
            self.cost[at..].rotate_right(1);
            self.q[at..].rotate_right(1);
            self.cost[at] = cost;
            self.q[at].copy_from_slice(&self.try_q);
        }
    }
}

impl Ik {
    /// Solve a frame before which none is known: from `q`, wherever the character is and whichever way it faces.
    pub fn place(&mut self, system: &System, targets: &[DVec3], q: &mut [f64]) -> Solved {
        self.begin.copy_from_slice(q);
        self.candidates.home.copy_from_slice(q);
        self.candidates.cost = [f64::INFINITY; N_KEPT];
        self.only_root = true;
        for start in 0..4_usize.pow(self.candidates.turns.len() as u32) {
            let mut trial = std::mem::take(&mut self.candidates.try_q);
            trial.copy_from_slice(q);
            for (k, &c) in self.candidates.turns.iter().enumerate() {
                trial[c] += [0.0, 1.0, -1.0, 2.0][start >> (2 * k) & 3] * FRAC_PI_2;
            }
            let (cost, ..) = self.descend(system, targets, &mut trial, ROOT_ITERATIONS);
            self.candidates.try_q = trial;
            self.candidates.offer(cost);
        }
        self.only_root = false;
        self.best(system, targets, q)
    }

    fn best(&mut self, system: &System, targets: &[DVec3], q: &mut [f64]) -> Solved {
        let mut best: Option<(f64, usize)> = None;
        for k in 0..N_KEPT {
            if self.candidates.cost[k].is_finite() {
                let mut trial = std::mem::take(&mut self.candidates.q[k]);
                self.begin.copy_from_slice(&trial);
                let (cost, iterations, _) = self.descend(system, targets, &mut trial, 2 * MAX_ITERATIONS);
                let nearer = self.candidates.away(&trial) < self.candidates.away(q);
                if best.is_none_or(|(least, _)| cost < least && !same(cost, least) || same(cost, least) && nearer) {
                    best = Some((cost, iterations));
                    q.copy_from_slice(&trial);
                }
                self.candidates.q[k] = trial;
            }
        }
        self.unwind(system, targets, q);
        // once more from there, since κ still pulled toward where the fit of the root had begun
        self.begin.copy_from_slice(q);
        let (cost, more, converged) = self.descend(system, targets, q, MAX_ITERATIONS);
        let iterations = best.map_or(0, |(_, iterations)| iterations) + more;
        self.describe(system, targets, q, cost, iterations, converged)
    }

    /// Take whole turns off the root's angles, where that changes nothing.
    fn unwind(&mut self, system: &System, targets: &[DVec3], q: &mut [f64]) {
        self.begin.copy_from_slice(q);
        system.pose(q, &mut self.posture);
        let cost = self.cost(targets, q);
        for k in 0..self.candidates.turns.len() {
            let c = self.candidates.turns[k];
            let (was, home) = (q[c], self.candidates.home[c]);
            q[c] -= TAU * ((was - home) / TAU).round();
            self.begin[c] = q[c];
            system.pose(q, &mut self.posture);
            if (self.cost(targets, q) - cost).abs() > 1e-9 * (1.0 + cost) {
                q[c] = was;
                self.begin[c] = was;
            }
        }
    }
}
