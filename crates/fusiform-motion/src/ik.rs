//! Marker inverse kinematics: the coordinates that bring a model's markers nearest to where they were seen.
//!
//! ```text
//! least over q    Σ wᵢ |xᵢ(q) − x̂ᵢ|² / Σ wᵢ  +  Σ vⱼ (qⱼ − q̂ⱼ)²  +  κ |q − q₀|²       seen markers i, held coordinates j
//! (JᵀWJ + λD) δ = −Jᵀ W r                                                           λ falls after a step that helps
//! ```
//!
//! q₀ is the frame before: κ is far too small to be felt by what markers see, and keeps what they do not see where it was.
//! Weights mean what they mean to OpenSim, which also divides those of markers by their sum. Coordinates that follow others
//! count for their leaders, locked ones stay, clamped ones keep to their range.
//!
//! Levenberg: *A method for the solution of certain non-linear problems in least squares*, 1944, with Marquardt's D; cost and
//! tasks as in Lu, O'Connor: *Bone position estimation from skin marker co-ordinates using global optimisation with joint
//! constraints*, Journal of Biomechanics 32, 1999. Nothing is allocated after [`Ik::new`].

mod normal;
mod place;

use crate::dense;
use crate::model::Marker;
use crate::system::{ModelError, Posture, System};
use crate::table::Table;
use glam::DVec3;
use normal::Normal;
use place::Candidates;

/// κ, against squared metres per squared radian of about 10⁻⁴ or more that a marker gives.
const KEEP: f64 = 1e-8;
/// rad or m: steps below it are an answer.
const STEP: f64 = 1e-6;
/// rad: a tangent says nothing of what is farther; longer steps wind angles up.
const LONGEST_TURN: f64 = 1.0;
const MAX_ITERATIONS: usize = 60;
const LEAST_DAMPING: f64 = 1e-9;
const MOST_DAMPING: f64 = 1e8;

/// Room and tasks for a system's inverse kinematics.
#[derive(Clone, Debug)]
pub struct Ik {
    markers: Vec<Sight>,
    held: Vec<Hold>,
    normal: Normal,
    posture: Posture,
    residual: Vec<f64>, // n_marker: m, NaN where not seen
    begin: Vec<f64>,    // n_coordinate: q₀
    trial: Vec<f64>,    // n_coordinate
    damped: Vec<f64>,   // n_unknown × n_unknown
    step: Vec<f64>,     // n_unknown
    fixed: Vec<bool>,   // n_unknown: at its limit, or not to be moved now
    only_root: bool,
    candidates: Candidates,
}

/// A marker as it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sight {
    body: usize,
    location: DVec3,
    weight: f64,
}

/// A coordinate that should have a value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hold {
    coordinate: usize,
    value: f64,
    weight: f64,
}

/// How well a frame was explained.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// m: root mean square over markers that are seen and count; 0 without any.
    pub rms: f64,
    /// m: the farthest of them.
    pub worst: f64,
    /// How many they are.
    pub n_seen: usize,
    /// How many linear systems were solved.
    pub iterations: usize,
    /// Whether it ended because steps had become nothing.
    pub converged: bool,
    /// What was made least.
    pub cost: f64,
}

impl Ik {
    /// Room for a system and its markers, all of weight 1.
    pub fn new(system: &System, markers: &[Marker]) -> Result<Self, ModelError> {
        let sight = |marker: &Marker| {
            let body = system.body(&marker.body).ok_or_else(|| ModelError::Missing {
                what: "marker",
                name: marker.name.clone(),
                kind: "body",
                missing: marker.body.clone(),
            })?;
            Ok(Sight { body, location: marker.location, weight: 1.0 })
        };
        let normal = Normal::new(system);
        let (n, n_unknown) = (system.n_coordinate(), normal.unknowns.len());
        let mut posture = Posture::default();
        system.pose(&system.default, &mut posture);
        Ok(Self {
            markers: markers.iter().map(sight).collect::<Result<_, _>>()?,
            held: Vec::with_capacity(n),
            posture,
            residual: vec![f64::NAN; markers.len()],
            begin: vec![0.0; n],
            trial: vec![0.0; n],
            damped: vec![0.0; n_unknown * n_unknown],
            step: vec![0.0; n_unknown],
            fixed: vec![false; n_unknown],
            only_root: false,
            candidates: Candidates::new(system),
            normal,
        })
    }

    /// How much a marker counts; 0 for not at all. Markers are numbered as [`Ik::new`] got them.
    pub fn weigh(&mut self, marker: usize, weight: f64) {
        self.markers[marker].weight = if weight > 0.0 { weight } else { 0.0 };
    }

    /// Ask that a coordinate be near a value, by a weight against that of all markers together; again to change either.
    pub fn hold(&mut self, coordinate: usize, value: f64, weight: f64) {
        self.held.retain(|hold| hold.coordinate != coordinate);
        self.held.push(Hold { coordinate, value, weight });
    }

    /// m, from each marker to where it was seen in the last frame solved; NaN for those that were not.
    #[must_use]
    pub fn residuals(&self) -> &[f64] {
        &self.residual
    }

    /// Where everything is in the last frame solved.
    #[must_use]
    pub fn posture(&self) -> &Posture {
        &self.posture
    }

    /// From the coordinates of the frame before to those of this one. A target that is not finite was not seen.
    pub fn solve(&mut self, system: &System, targets: &[DVec3], q: &mut [f64]) -> Solved {
        self.only_root = false;
        self.begin.copy_from_slice(q);
        let (cost, iterations, converged) = self.descend(system, targets, q, MAX_ITERATIONS);
        self.describe(system, targets, q, cost, iterations, converged)
    }

    /// Frame after frame: rows of coordinates at times, and how well each was explained. `targets` has a row of markers for
    /// every time. The first frame that sees anything is placed, and so is one after frames that saw nothing.
    pub fn track(&mut self, system: &System, times: &[f64], targets: &[DVec3]) -> (Table, Vec<Solved>) {
        let mut q = system.default.to_vec();
        let (mut values, mut solved) = (Vec::with_capacity(times.len() * q.len()), Vec::with_capacity(times.len()));
        for frame in targets.chunks_exact(self.markers.len().max(1)).take(times.len()) {
            let lost = solved.last().is_none_or(|before: &Solved| before.n_seen == 0);
            solved.push(if lost { self.place(system, frame, &mut q) } else { self.solve(system, frame, &mut q) });
            values.extend_from_slice(&q);
        }
        (Table { names: system.coordinates.to_vec(), times: times[..solved.len()].to_vec(), values }, solved)
    }

    fn describe(
        &mut self,
        system: &System,
        targets: &[DVec3],
        q: &mut [f64],
        cost: f64,
        iterations: usize,
        converged: bool,
    ) -> Solved {
        system.pose(q, &mut self.posture);
        q.copy_from_slice(&self.posture.q);
        let mut solved = Solved { cost, iterations, converged, ..Solved::default() };
        for (i, (sight, residual)) in self.markers.iter().zip(&mut self.residual).enumerate() {
            let found = self.posture.frames[sight.body].transform_point3(sight.location);
            *residual = targets.get(i).map_or(f64::NAN, |target| target.distance(found));
            if residual.is_finite() && sight.weight > 0.0 {
                solved.rms += *residual * *residual;
                solved.worst = solved.worst.max(*residual);
                solved.n_seen += 1;
            }
        }
        solved.rms = (solved.rms / solved.n_seen.max(1) as f64).sqrt();
        solved
    }

    /// Levenberg and Marquardt: cost, iterations, and whether steps ended.
    fn descend(&mut self, system: &System, targets: &[DVec3], q: &mut [f64], most: usize) -> (f64, usize, bool) {
        let mut damping = LEAST_DAMPING;
        self.keep_in_range(system, q);
        system.pose(q, &mut self.posture);
        let mut cost = self.cost(targets, q);
        for iteration in 0..most {
            self.linearise(system, targets, q);
            let (better, longest) = loop {
                self.try_step(system, q, damping);
                let longest = self.trial.iter().zip(&*q).fold(0.0_f64, |most, (t, q)| most.max((t - q).abs()));
                system.pose(&self.trial, &mut self.posture);
                let better = self.cost(targets, &self.trial);
                if better <= cost || longest < STEP || damping > MOST_DAMPING {
                    break (better, longest);
                }
                damping = damping.max(1e-6) * 10.0;
            };
            if better <= cost {
                q.copy_from_slice(&self.trial);
                cost = better;
            }
            if longest < STEP || damping > MOST_DAMPING {
                return (cost, iteration + 1, longest < STEP);
            }
            damping = (damping * 0.1).max(LEAST_DAMPING);
        }
        (cost, most, false)
    }

    fn keep_in_range(&self, system: &System, q: &mut [f64]) {
        for &c in self.normal.unknowns.iter().filter(|&&c| system.clamped[c]) {
            let [low, high] = system.range[c];
            q[c] = q[c].max(low).min(high);
        }
    }

    fn cost(&self, targets: &[DVec3], q: &[f64]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (sight, target) in self.markers.iter().zip(targets).filter(|(s, t)| s.weight > 0.0 && t.is_finite()) {
            let found = self.posture.frames[sight.body].transform_point3(sight.location);
            sum += sight.weight * target.distance_squared(found);
            weights += sight.weight;
        }
        let markers = if weights > 0.0 { sum / weights } else { 0.0 };
        let held: f64 = self.held.iter().map(|h| h.weight * (self.posture.q[h.coordinate] - h.value).powi(2)).sum();
        let kept: f64 = q.iter().zip(&self.begin).map(|(q, begin)| (q - begin).powi(2)).sum();
        markers + held + KEEP * kept
    }

    /// Normal equations about `self.posture`, and who may not move.
    fn linearise(&mut self, system: &System, targets: &[DVec3], q: &[f64]) {
        self.normal.clear(system, &self.posture);
        let seen = |(sight, target): &(&Sight, &DVec3)| sight.weight > 0.0 && target.is_finite();
        let weights: f64 = self.markers.iter().zip(targets).filter(seen).map(|(sight, _)| sight.weight).sum();
        for (sight, target) in self.markers.iter().zip(targets).filter(seen) {
            let found = self.posture.frames[sight.body].transform_point3(sight.location);
            self.normal.add_point(sight.body, found, found - *target, sight.weight / weights);
        }
        self.normal.assemble(system);
        for hold in &self.held {
            let error = self.posture.q[hold.coordinate] - hold.value;
            self.normal.add_coordinate(hold.coordinate, error, hold.weight);
        }
        for u in 0..self.normal.unknowns.len() {
            let c = self.normal.unknowns[u];
            self.normal.add_unknown(u, q[c] - self.begin[c], KEEP);
            let [low, high] = system.range[c];
            let pushed = self.normal.gradient[u];
            let at_limit = system.clamped[c] && ((q[c] <= low && pushed > 0.0) || (q[c] >= high && pushed < 0.0));
            self.fixed[u] = at_limit || (self.only_root && !self.candidates.is_root(c));
        }
    }

    /// `self.trial` from q and the damped normal equations; q itself if they cannot be solved.
    fn try_step(&mut self, system: &System, q: &[f64], damping: f64) {
        let n = self.normal.unknowns.len();
        self.damped.copy_from_slice(&self.normal.matrix);
        for u in 0..n {
            self.damped[u * n + u] *= 1.0 + damping;
            self.step[u] = -self.normal.gradient[u];
            if self.fixed[u] {
                self.damped[u * n..u * n + u].fill(0.0);
                self.damped.iter_mut().skip((u + 1) * n + u).step_by(n).for_each(|below| *below = 0.0);
                (self.damped[u * n + u], self.step[u]) = (1.0, 0.0);
            }
        }
        self.trial.copy_from_slice(q);
        if dense::factor(n, &mut self.damped) {
            dense::substitute(n, &self.damped, &mut self.step);
            let turned = self.step.iter().zip(&self.normal.turns).filter(|(_, turns)| **turns);
            let most = turned.fold(0.0_f64, |most, (step, _)| most.max(step.abs()));
            let share = (LONGEST_TURN / most).min(1.0);
            for (&c, step) in self.normal.unknowns.iter().zip(&self.step).filter(|(_, step)| step.is_finite()) {
                self.trial[c] += share * step;
            }
            let mut trial = std::mem::take(&mut self.trial);
            self.keep_in_range(system, &mut trial);
            self.trial = trial;
        }
    }
}
