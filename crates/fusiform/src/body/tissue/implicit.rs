//! Implicit: the integrator that runs in real time.
//!
//! ```text
//! M u″(α_m) + C u′(α_f) + K u(α_f) = f                 x(α) = (1 − α) x₁ + α x₀, from the sub-step's start 0 to its end 1
//! u₁ = u₀ + h u₀′ + h² ((½ − β) u₀″ + β u₁″)           u₁′ = u₀′ + h ((1 − γ) u₀″ + γ u₁″)
//! α_m = (2ρ − 1)/(ρ + 1)    α_f = ρ/(ρ + 1)    β = (1 − α_m + α_f)²/4    γ = ½ − α_m + α_f
//! ```
//!
//! Chung, Hulbert: *A time integration algorithm for structural dynamics with improved numerical dissipation: the
//! generalized-α method*, 1993. The paper rejects implicit methods because they damp the jiggle; that is the first-order
//! one, which takes ω²h/2 of an amplitude each second. This is of second order, takes next to nothing at the frequencies that
//! are seen, and leaves ρ a sub-step of what is too fast for it, which is what makes it stable. The unknown is w = u(α_f):
//!
//! ```text
//! (m I + k + c/h̃) w = m I free + c/h̃ base + f          I = (1 − α_m)/(β h² (1 − α_f))    h̃ = β h/γ
//! ```
//!
//! Springs are straight (their directions are those of the posed points), which leaves a linear equation A x = b. XPBD
//! would sweep it once, spring by spring. That finds the motion of neighbours against each other, but not how far a belly
//! goes that hundreds of springs hold, each stiffer than a sub-step sees through: with Table 1 it came out 35 times too soft.
//! Conjugate gradients find it in a few rounds, with
//!
//! - the way the particles go as the first direction: it is nearly the answer, since only what is slow is left moving (with
//!   u″ in it, it is worse: that remembers what earlier rounds left over);
//! - what precedes every round: each particle's own 3 x 3 block, and the body in cells that move as one ([`coarse`]).
//!
//! Peak, frequency and decay time against Verlet, of a calf of 1,882 particles and 17,088 springs (eight links a skin vertex)
//! that lands at 3 m/s, and that is pushed; K_smb as in the first column, else Table 1 ("lively" is the preset, at 1 m/s):
//!
//! ```text
//! K_smb   jiggle          Verlet's steps   steps x rounds   landing              push
//! lively  7 mm, 16 Hz        122 a tick    1 x 9            0.96  0.98  1.03     0.86  0.96  0.88
//! 10⁴     15 mm, 18 Hz       164           1 x 9            0.94  0.98  1.01     0.82  0.94  0.34
//!                                          4 x 9            0.99  1.02  1.16     0.91  1.00  1.00
//! 10⁵     7 mm, 29 Hz        259           1 x 9            0.93  0.94  0.69     0.80  0.91  0.86
//!                                          4 x 9            1.00  1.00  1.02     1.05  0.99  1.01
//! 10⁶     2 mm, 78 Hz        696           4 x 12           1.01  1.03  1.05     0.89  0.96  1.07
//! 10⁷     0.6 mm, 110 Hz   2,091           4 x 12           0.91  1.00  1.07     0.43  1.00  0.25
//!                                          16 x 20          0.98  *     0.87     0.92  0.84  1.35
//! ```
//!
//! (* no one frequency stands out.) Decay at 15 mm and more is off because Verlet's springs turn with their ends. A push on
//! Table 1 to the letter moves 0.07 mm.

use super::coarse::Coarse;
use super::order::Order;
use super::rows::{self, Four, Near, PART, Part, Rows};
use super::{Goal, Held, Particle, Plane, State, TICK, Tissue, Work};
use crate::body::lanes::{Instructions, LANES, Lane};
use crate::body::threads::{Spread, for_each_chunk};
use glam::{Vec3, Vec4};

/// ρ: what a sub-step leaves of motion that is far too fast for it.
const FASTEST: f32 = 0.5;
/// Rounds end when so little of the first one's measure is left.
const ENOUGH: f64 = 1e-6;
/// No spring is stiffer than so many times what inertia is over a sub-step: more would be lost in rounding.
const STIFFEST: f32 = 1e6;
/// Particles in a chunk of a thread's work.
const CHUNK: usize = PART * LANES;

/// One sub-step: what the motion at its end is made of, and where in it forces balance.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scheme {
    h: f32,       // s
    ahead: f32,   // 1 − α_f: how far into the sub-step forces balance
    beta: f32,    // β
    gamma: f32,   // γ
    inertia: f32, // of a kilogram at that place, 1/s²
    rate: f32,    // velocity for each metre gone by then, 1/s
}

impl Scheme {
    fn new(steps: u32) -> Self {
        let h = TICK / steps as f32;
        let (mass_at, force_at) = ((2.0 * FASTEST - 1.0) / (FASTEST + 1.0), FASTEST / (FASTEST + 1.0));
        let spread = 1.0 - mass_at + force_at;
        let (beta, gamma) = (0.25 * spread * spread, spread - 0.5);
        let ahead = 1.0 - force_at;
        Self { h, ahead, beta, gamma, inertia: (1.0 - mass_at) / (beta * h * h * ahead), rate: gamma / (beta * h) }
    }

    /// Where a particle would be with no force on it, and with no velocity, when forces balance.
    fn free_and_base(&self, particle: &Particle) -> (Vec3, Vec3) {
        let &Self { h, ahead, beta, gamma, inertia, rate } = self;
        let Particle { off, rate: v, gain: a, .. } = *particle;
        let free = off + ahead * h * (v + (0.5 * h) * a) - a * (1.0 / inertia);
        let kept = v + ahead * ((h * (1.0 - gamma)) * a - (gamma / beta) * (v + (h * (0.5 - beta)) * a));
        (free, off - kept * (1.0 / rate))
    }

    /// To the end of the sub-step, from how far the particle was gone when forces balanced.
    fn carry(&self, particle: &mut Particle, gone: Vec3) {
        let &Self { h, ahead, beta, gamma, .. } = self;
        let (v, a) = (particle.rate, particle.gain);
        let gone = gone * (1.0 / ahead);
        let gain = (gone - h * v - (h * h * (0.5 - beta)) * a) * (1.0 / (beta * h * h));
        particle.off += gone;
        particle.rate = v + h * ((1.0 - gamma) * a + gamma * gain);
        particle.gain = gain;
    }
}

/// Constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    steps: u32,
    rounds: u32,
    scheme: Scheme,
    inertia: Box<[f32]>,   // n_padded  m/h̃², N/m
    hold: Box<[[f32; 2]]>, // n_padded  k and c/h̃ of goals, N/m
    own: Box<[Lane]>,      // n_row  all three together
    rows: Rows,
    bones: Rows,
    cell: Box<[u32]>, // n_padded  row of its cell in the coarse matrix
    coarse: Coarse,
}

/// What a sub-step works on.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    near: Vec<Near>,  // n_padded
    bone: Vec<Four>,  // n_bone  posed
    p: Vec<Four>,     // n_padded  where a round goes
    parts: Vec<Part>, // of PART rows each
    whole: Vec<Vec4>, // n_cell + 1  what is left to balance, then how far each goes; what is in no cell does not
}

/// Springs as the equation sees them: damping over the sub-step, and none too stiff for rounding.
struct Bounded<'a> {
    springs: &'a [Held],
    inertia: &'a [f32],
    h: f32,
}

impl Bounded<'_> {
    fn is_free(&self, end: u32) -> bool {
        (end as usize) < self.inertia.len()
    }

    fn constants(&self, spring: u32) -> rows::Constants {
        let Held { ends, stiffness, damping, length } = self.springs[spring as usize];
        let free = ends.iter().filter(|&&e| self.is_free(e));
        let lightest = free.map(|&e| self.inertia[e as usize]).fold(f32::MAX, f32::min);
        let (k, c) = (stiffness.max(0.0), damping.max(0.0) / self.h);
        let held = (STIFFEST * lightest / (k + c).max(1e-30)).min(1.0);
        rows::Constants { stiffness: k * held, drag: c * held, length }
    }

    /// Slot, other slot and spring, from both ends.
    fn between_particles(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let ends = self.springs.iter().enumerate().map(|(i, s)| (s.ends[0], s.ends[1], i as u32));
        let free = ends.filter(|&(a, b, _)| self.is_free(a) && self.is_free(b));
        free.flat_map(|(a, b, i)| [(a, b, i), (b, a, i)])
    }

    /// Slot, bone and spring.
    fn to_bones(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let ends = self.springs.iter().enumerate().map(|(i, s)| (s.ends[0], s.ends[1], i as u32));
        let turned = ends.map(|(a, b, i)| if self.is_free(a) { (a, b, i) } else { (b, a, i) });
        let held = turned.filter(|&(a, b, _)| self.is_free(a) && !self.is_free(b));
        held.map(|(a, b, i)| (a, b - self.inertia.len() as u32, i))
    }

    /// The body in cells, `own` on the diagonal of its particles.
    fn coarse(&self, order: &Order, own: &[f32]) -> Coarse {
        let mut whole = vec![0.0; order.n_cell];
        let cell = |slot: u32| order.cell[slot as usize];
        let third = |spring: u32| {
            let constants = self.constants(spring);
            f64::from(constants.stiffness + constants.drag) / 3.0
        };
        for (&cell, &own) in order.cell.iter().zip(own).filter(|(cell, _)| (**cell as usize) < order.n_cell) {
            whole[cell as usize] += f64::from(own);
        }
        for (slot, _, spring) in self.to_bones() {
            whole[cell(slot) as usize] += third(spring);
        }
        let across = self.between_particles().filter(|(a, b, _)| a < b);
        Coarse::new(whole, across.map(|(a, b, spring)| (cell(a), cell(b), third(spring))))
    }
}

impl Table {
    /// Of springs between slots, for `steps` sub-steps a tick of at most `rounds` rounds each.
    pub fn new(order: &Order, mass: &[f32], goal: &[Goal], springs: &[Held], (steps, rounds): (u32, u32)) -> Self {
        let (n, scheme) = (order.n_padded, Scheme::new(steps));
        let h = 1.0 / scheme.rate;
        // what only fills the last row has nothing to balance; its inertia is anything but 0
        let inertia = |&m: &f32| if m > 0.0 { (m * scheme.inertia).max(1e-12) } else { 1.0 };
        let inertia: Box<[f32]> = mass[..n].iter().map(inertia).collect();
        let bounded = |k: f32, inertia: f32| k.clamp(0.0, STIFFEST * inertia);
        let hold = |(goal, &m): (&Goal, &f32)| [bounded(goal.stiffness, m), bounded(goal.damping / h, m)];
        let hold: Box<[[f32; 2]]> = goal[..n].iter().zip(&inertia).map(hold).collect();
        let own: Vec<f32> = inertia.iter().zip(&hold).map(|(m, [k, c])| m + k + c).collect();
        let springs = Bounded { springs, inertia: &inertia, h };
        let coarse = springs.coarse(order, &own);
        Self {
            steps,
            rounds,
            scheme,
            rows: Rows::new(n / LANES, springs.between_particles(), |spring| springs.constants(spring)),
            bones: Rows::new(n / LANES, springs.to_bones(), |spring| springs.constants(spring)),
            own: own.chunks_exact(LANES).map(|own| std::array::from_fn(|l| own[l])).collect(),
            cell: order.cell.iter().map(|&c| coarse.row_of.get(c as usize).copied().unwrap_or(c)).collect(),
            coarse,
            hold,
            inertia,
        }
    }

    /// Room for a sub-step.
    pub fn scratch(&self, n_bone: usize) -> Scratch {
        let n = self.inertia.len();
        Scratch {
            near: vec![Near::default(); n],
            bone: vec![Four::default(); n_bone],
            p: vec![Four::default(); n],
            parts: self.rows.parts(),
            whole: vec![Vec4::ZERO; self.coarse.row_of.len() + 1],
        }
    }

    /// One tick, from `from` seconds after the frame's start; `kicks` where impulses wait.
    #[allow(clippy::too_many_arguments)]
    pub fn tick(
        &self,
        (instructions, spread): (Instructions, Spread),
        from: f32,
        kicks: bool,
        planes: &[Plane],
        tissue: &Tissue,
        state: &mut State,
        work: &mut Work,
    ) {
        let h = TICK / self.steps as f32;
        for step in 0..self.steps {
            let t = from + (step + 1) as f32 * h;
            self.predict(spread, (t, h, kicks && step == 0), state, work);
            self.solve((instructions, spread), &mut work.implicit);
            self.finish(spread, state, &work.implicit);
            if !planes.is_empty() {
                stop(tissue, t, planes, state, work);
            }
        }
    }

    /// Where particles would go alone, and what pulls them there.
    fn predict(&self, spread: Spread, (t, h, kicks): (f32, f32, bool), state: &State, work: &mut Work) {
        let (curve, weight) = (&work.curve, &work.weight);
        let Scratch { near, bone, p, .. } = &mut work.implicit;
        let kicked = if kicks { 1.0 / h } else { 0.0 };
        for_each_chunk(
            spread,
            near,
            CHUNK,
            || (),
            |(), chunk, near| {
                let first = chunk * CHUNK;
                for (i, near) in near.iter_mut().enumerate() {
                    let at = first + i;
                    let particle = &state.particles[at];
                    let (free, base) = self.scheme.free_and_base(particle);
                    // the mean over the sub-step: no change of the posed velocity is lost where frames meet
                    let pull = weight[at] - curve[at].acceleration(t - 0.5 * h) + kicked * particle.kick;
                    let free = free + pull * (1.0 / self.scheme.inertia);
                    let (off, [k, c]) = (particle.off, self.hold[at]);
                    near.posed = four(curve[at].place(t));
                    near.off = four(off);
                    near.base = four(base);
                    near.force = four((free - off) * self.inertia[at] - k * off - c * (off - base));
                }
            },
        );
        let n = self.inertia.len();
        for (bone, curve) in bone.iter_mut().zip(&curve[n..]) {
            *bone = four(curve.place(t));
        }
        for_each_chunk(
            spread,
            p,
            CHUNK,
            || (),
            |(), chunk, p| {
                for (p, particle) in p.iter_mut().zip(&state.particles[chunk * CHUNK..]) {
                    *p = four(self.scheme.ahead * h * particle.rate);
                }
            },
        );
    }

    /// A x = b by conjugate gradients; x into the parts' gains.
    fn solve(&self, (instructions, spread): (Instructions, Spread), scratch: &mut Scratch) {
        let Scratch { near, bone, p, parts, whole } = scratch;
        for_each_chunk(
            spread,
            parts,
            1,
            || (),
            |(), i, part| {
                rows::straighten(instructions, &self.rows, &self.bones, i * PART, &self.own, near, bone, &mut part[0]);
            },
        );
        let (mut before, mut first) = (0.0, 0.0);
        for round in 0..=self.rounds {
            for_each_chunk(
                spread,
                parts,
                1,
                || (),
                |(), i, part| {
                    rows::multiply(instructions, &self.rows, i * PART, p, &mut part[0]);
                },
            );
            let [curved, sloped] = [0, 1].map(|k| parts.iter().map(|part| part.sums[k]).sum::<f64>());
            let by = if curved > 0.0 { (sloped / curved) as f32 } else { 0.0 };
            let by = if by.is_finite() { by } else { 0.0 };
            for_each_chunk(
                spread,
                parts,
                1,
                || (),
                |(), i, part| {
                    rows::advance(instructions, i * PART, by, p, &mut part[0]);
                },
            );
            if round == self.rounds {
                break;
            }
            let measure = parts.iter().map(|part| part.sums[0]).sum::<f64>() + self.move_cells(parts, whole);
            if round == 0 {
                first = measure;
            }
            if measure <= ENOUGH * first || !measure.is_finite() {
                break;
            }
            // the first round went the way of the particles; directions are conjugate from the second on
            let keep = if round == 0 { 0.0 } else { (measure / before) as f32 };
            before = measure;
            let (parts, whole) = (&*parts, &*whole);
            for_each_chunk(spread, p, CHUNK, || (), |(), chunk, p| self.turn(keep, &parts[chunk], chunk, whole, p));
        }
    }

    /// A p once, as a round does.
    #[cfg(test)]
    pub fn bench_round(&self, instructions: Instructions, work: &mut Work) {
        let Scratch { p, parts, .. } = &mut work.implicit;
        for (i, part) in parts.iter_mut().enumerate() {
            rows::multiply(instructions, &self.rows, i * PART, p, part);
        }
    }

    /// How far each cell would go as one; rest·step of that.
    fn move_cells(&self, parts: &[Part], whole: &mut [Vec4]) -> f64 {
        whole.fill(Vec4::ZERO);
        let rows = parts.iter().flat_map(|part| &part.rows);
        for (row, cell) in rows.zip(self.cell.chunks_exact(LANES)) {
            for l in 0..LANES {
                whole[cell[l] as usize] += row.rest.get(l).extend(0.0);
            }
        }
        // what only fills the last row has nothing to balance: 0 stays behind the cells
        self.coarse.solve_measured(&mut whole[..self.coarse.row_of.len()])
    }

    /// Where the next round goes.
    fn turn(&self, keep: f32, part: &Part, chunk: usize, whole: &[Vec4], p: &mut [Four]) {
        let cells = &self.cell[chunk * CHUNK..];
        for (i, (row, p)) in part.rows.iter().zip(p.chunks_exact_mut(LANES)).enumerate() {
            for (l, p) in p.iter_mut().enumerate() {
                let far = whole[cells[i * LANES + l] as usize];
                let [x, y, z, _] = p.0;
                p.0 = [
                    row.step.x[l] + far.x + keep * x,
                    row.step.y[l] + far.y + keep * y,
                    row.step.z[l] + far.z + keep * z,
                    0.0,
                ];
            }
        }
    }

    /// Take over what was found.
    fn finish(&self, spread: Spread, state: &mut State, scratch: &Scratch) {
        for_each_chunk(
            spread,
            &mut state.particles[..self.inertia.len()],
            CHUNK,
            || (),
            |(), chunk, particles| {
                for (i, particle) in particles.iter_mut().enumerate() {
                    let gone = scratch.parts[chunk].rows[i / LANES].gain.get(i % LANES);
                    self.scheme.carry(particle, gone);
                }
            },
        );
    }
}

fn four(v: Vec3) -> Four {
    Four([v.x, v.y, v.z, 0.0])
}

/// Skin is kept out of what is solid; what drove it there ends with it.
fn stop(tissue: &Tissue, t: f32, planes: &[Plane], state: &mut State, work: &Work) {
    for &slot in &tissue.order.slot_of[..tissue.network.n_skin] {
        let (particle, curve) = (&mut state.particles[slot as usize], &work.curve[slot as usize]);
        let (posed, off) = ((curve.place(t), curve.velocity(t)), particle.off);
        planes.iter().for_each(|plane| plane.stop(posed, &mut particle.off, &mut particle.rate));
        if particle.off != off {
            particle.gain = Vec3::ZERO;
        }
    }
}
