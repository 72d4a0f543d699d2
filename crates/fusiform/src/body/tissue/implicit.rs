//! Implicit: the integrator that runs in real time.
//!
//! ```text
//! u′ = (u − (4u₀ − u₋)/3)/h̃        u₀, u₋ one and two sub-steps of h before        h̃ = 2h/3
//! M (u′ − (4u₀′ − u₋′)/3)/h̃ = f(u, u′)
//! ```
//!
//! Second-order backward differences (Curtiss, Hirschfelder, 1952). The paper rejects implicit methods because they damp
//! the jiggle; that is the first-order one, which takes ω²h/2 of an amplitude each second. This takes (ωh)³ω/4 or so, nothing
//! at the frequencies that are seen, and stills what is too fast for the sub-step, which is what makes it stable.
//!
//! Springs are straightened once a sub-step (their directions are those at u₀), which leaves a linear equation A x = b. XPBD
//! would sweep it once, spring by spring. That finds the motion of neighbours against each other, but not how far a belly
//! goes that hundreds of springs hold, each stiffer than a sub-step sees through: with Table 1 it came out 35 times too soft.
//! Conjugate gradients find it in a few rounds, with
//!
//! - the way the particles go as the first direction: it is nearly the answer, since only what is slow is left moving;
//! - what precedes every round: each particle's own 3 x 3 block, and the body in cells that move as one ([`coarse`]).
//!
//! Every round lowers the energy of the step, so that any number of them is stable.

use super::coarse::Coarse;
use super::order::Order;
use super::rows::{self, Four, Near, PART, Part, Rows};
use super::{Goal, Held, Plane, State, TICK, Tissue, Work};
use crate::body::lanes::{Instructions, LANES, Lane};
use crate::body::threads::{Spread, for_each_chunk};
use glam::{Vec3, Vec4};

/// Rounds end when so little of the first one's measure is left.
const ENOUGH: f64 = 1e-6;
/// No spring is stiffer than so many times what inertia is over a sub-step: more would be lost in rounding.
const STIFFEST: f32 = 1e6;
/// Particles in a chunk of a thread's work.
const CHUNK: usize = PART * LANES;

/// Constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    steps: u32,
    rounds: u32,
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
    whole: Vec<Vec4>, // n_cell  what is left to balance, then how far each goes
}

impl Table {
    /// Of springs between slots, for `steps` sub-steps a tick of at most `rounds` rounds each.
    pub fn new(order: &Order, mass: &[f32], goal: &[Goal], springs: &[Held], (steps, rounds): (u32, u32)) -> Self {
        let n = order.n_padded;
        let h = effective_step(steps);
        let filled = |i: usize| mass[i] <= 0.0;
        let inertia: Box<[f32]> =
            (0..n).map(|i| if filled(i) { 1.0 } else { (mass[i] / (h * h)).max(1e-12) }).collect();
        let hold: Box<[[f32; 2]]> = (0..n)
            .map(|i| [goal[i].stiffness.max(0.0), goal[i].damping.max(0.0) / h].map(|k| k.min(STIFFEST * inertia[i])))
            .collect();
        let diagonal: Vec<f32> = (0..n).map(|i| inertia[i] + hold[i][0] + hold[i][1]).collect();
        let free = |e: u32| (e as usize) < n;
        let lightest =
            |s: &Held| s.ends.iter().filter(|&&e| free(e)).map(|&e| inertia[e as usize]).fold(f32::MAX, f32::min);
        let most = |s: &Held| STIFFEST * lightest(s);
        let own = diagonal.chunks_exact(LANES).map(|d| std::array::from_fn(|l| d[l])).collect();
        let both = |s: &Held| {
            let [a, b] = s.ends;
            if free(a) && free(b) { vec![(a, b), (b, a)] } else { Vec::new() }
        };
        let to_bone = |s: &Held| match s.ends {
            [a, b] if free(a) && !free(b) => vec![(a, b - n as u32)],
            [a, b] if free(b) && !free(a) => vec![(b, a - n as u32)],
            _ => Vec::new(),
        };
        let mut whole = vec![0.0; order.n_cell.max(1)];
        for i in (0..n).filter(|&i| !filled(i)) {
            whole[order.cell[i] as usize] += f64::from(diagonal[i]);
        }
        let third = |s: &Held| f64::from((s.stiffness + s.damping / h).min(most(s))) / 3.0;
        for s in springs {
            if let [(a, _)] = to_bone(s)[..] {
                whole[order.cell[a as usize] as usize] += third(s);
            }
        }
        let across = springs.iter().filter(|s| s.ends.iter().all(|&e| free(e)));
        let cell = |e: u32| order.cell[e as usize];
        let coarse = Coarse::new(whole, across.map(|s| (cell(s.ends[0]), cell(s.ends[1]), third(s))));
        Self {
            steps,
            rounds,
            own,
            rows: Rows::new(n / LANES, h, springs, most, both),
            bones: Rows::new(n / LANES, h, springs, most, to_bone),
            cell: order.cell.iter().map(|&c| coarse.row_of[c as usize]).collect(),
            inertia,
            hold,
            coarse,
        }
    }

    /// Room for a sub-step.
    pub fn scratch(&self, n_bone: usize) -> Scratch {
        let n = self.inertia.len();
        Scratch {
            near: vec![Near::default(); n],
            // where a particle has no bone, its missing springs lead to the first
            bone: vec![Four::default(); n_bone.max(n)],
            p: vec![Four::default(); n],
            parts: self.rows.parts(),
            whole: vec![Vec4::ZERO; self.coarse.row_of.len()],
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
                    let base = (4.0 * particle.off - particle.off_before) * (1.0 / 3.0);
                    let drift = (8.0 * particle.rate - 2.0 * particle.rate_before) * (h / 9.0);
                    let pull = weight[at] - curve[at].acceleration(t) + kicked * particle.kick;
                    let (h, [k, c]) = (effective_step(self.steps), self.hold[at]);
                    let free = base + drift + pull * (h * h);
                    let off = particle.off;
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
                    *p = four(h * particle.rate);
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
            if !(measure > ENOUGH * first) {
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
        self.coarse.solve_measured(whole)
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
        let per_second = 1.0 / effective_step(self.steps);
        for_each_chunk(
            spread,
            &mut state.particles[..self.inertia.len()],
            CHUNK,
            || (),
            |(), chunk, particles| {
                for (i, particle) in particles.iter_mut().enumerate() {
                    let at = chunk * CHUNK + i;
                    let [x, y, z, _] = scratch.near[at].base.0;
                    let gain = scratch.parts[chunk].rows[i / LANES].gain.get(i % LANES);
                    let off = particle.off + gain;
                    (particle.off_before, particle.rate_before) = (particle.off, particle.rate);
                    (particle.off, particle.rate) = (off, (off - Vec3::new(x, y, z)) * per_second);
                }
            },
        );
    }
}

/// h̃ of so many sub-steps a tick, seconds.
fn effective_step(steps: u32) -> f32 {
    2.0 / 3.0 * TICK / steps as f32
}

fn four(v: Vec3) -> Four {
    Four([v.x, v.y, v.z, 0.0])
}

/// Skin is kept out of what is solid; its past goes with it, or the push would count as velocity.
fn stop(tissue: &Tissue, t: f32, planes: &[Plane], state: &mut State, work: &Work) {
    for &slot in &tissue.order.slot_of[..tissue.network.n_skin] {
        let (particle, curve) = (&mut state.particles[slot as usize], &work.curve[slot as usize]);
        let (off, rate) = (particle.off, particle.rate);
        let posed = (curve.place(t), curve.velocity(t));
        planes.iter().for_each(|plane| plane.stop(posed, &mut particle.off, &mut particle.rate));
        particle.off_before += particle.off - off;
        particle.rate_before += particle.rate - rate;
    }
}
