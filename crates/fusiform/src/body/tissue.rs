//! Tissue: skin and muscles as masses on springs and dampers, jiggling about the posed character.
//!
//! ```text
//! mᵢ uᵢ″ = mᵢ (g − R g₀ − pᵢ″) − kᵢ uᵢ − cᵢ uᵢ′ + Σⱼ fᵢⱼ         u = x − p, from the posed point p to the particle x
//! fᵢⱼ = (k (|x_ij| − l) + c x̂_ij·u′_ij) x̂_ij                     x_ij = xⱼ − xᵢ
//! ```
//!
//! Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue
//! Dynamics*, 2016, section 3.3, eq. 10: particles are the skin and the *dynamic* bellies; each belly particle is held (k, c
//! without a neighbour) by the same vertex of the *quasi-static* belly, which the pose and the tension shape; skin is linked
//! to the bellies and bones below it ([`network`]). Where we differ:
//!
//! - Rest lengths l are by default those between the posed points ([`Lengths::Posed`]), and gravity counts by what has
//!   changed since bind, so that the tissue comes to rest exactly where the layers before posed it; [`Lengths::Bind`] keeps
//!   the lengths of the bind pose but for muscle to muscle, as the paper does.
//! - Dampers count against the posed motion (u′, not x′): even motion, or a limb that bends, is not held back.
//! - Skin without muscle or bone below it is held at its posed place as bellies are.
//!
//! Displacements u are in world axes. Since the stretch is computed from them and not from places,
//!
//! ```text
//! |P + e| − |P| = e·(2P + e) / (|P + e| + |P|)          P = pⱼ − pᵢ, e = uⱼ − uᵢ
//! ```
//!
//! it is exactly 0 at rest, and as fine far from the origin as at it. Time goes in ticks of `soft::TICK`; [`motion`] moves
//! the posed points between frames. What is left of a frame after its last tick is drawn by velocity and acceleration.

mod clock;
mod coarse;
mod grid;
mod implicit;
mod input;
mod motion;
mod network;
mod order;
mod rows;
mod verlet;

pub(crate) use input::{Frame, Impulse, Plane, Posed};
pub(crate) use network::{BellyGrid, Between, Constants, Geometry, Goal, Network, Spring};
pub(crate) use verlet::steps_a_tick as verlet_steps_a_tick;

use super::lanes::Instructions;
use super::soft::TICK;
use super::threads::Spread;
use clock::Clock;
use glam::Vec3;
use motion::{Curve, Track};
use order::Order;
use std::sync::Arc;

/// A particle farther out than this many reaches is lost, and put back where it is posed.
const LOST: f32 = 1e2;

/// The length of a spring that is as long as its posed points are apart.
const AS_POSED: f32 = -1.0;
/// Posed points that are farther apart than a spring is long by less than this, m, are where they were at bind: places a metre
/// or two from the origin are rounded so far.
const ROUNDING: f32 = 2e-6;

/// How much too far its posed ends are for a spring of that length, m.
#[inline(always)]
fn slack(posed: f32, length: f32) -> f32 {
    let excess = posed - length;
    let beyond = excess - excess.clamp(-ROUNDING, ROUNDING);
    if length < 0.0 { 0.0 } else { beyond }
}
/// A particle that is no farther out, and does not get farther in a tick, is at rest, m.
const STILL: f32 = 1e-10;

/// What springs hold their ends at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// The distance of the posed points at the moment.
    #[default]
    Posed,
    /// The distance at bind; but for muscle to muscle, which is as for `Posed`.
    Bind,
}

/// How the network is carried through time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integrator {
    /// The real-time one.
    Implicit {
        /// Sub-steps a tick.
        steps: u32,
        /// At most so many rounds each.
        rounds: u32,
    },
    /// The paper's.
    Verlet {
        /// Sub-steps a tick; [`verlet_steps_a_tick`] says how many it needs.
        steps: u32,
    },
}

impl Integrator {
    /// Within a tenth of Verlet's jiggle in peak, frequency and decay up to some 40 Hz ([`implicit`]).
    pub const PRECISE: Self = Self::Implicit { steps: 4, rounds: 12 };
    /// At a fifth of the price: landings of flesh that swings up to some 20 times a second within a tenth, a push within a
    /// fifth.
    pub const QUICK: Self = Self::Implicit { steps: 1, rounds: 9 };
}

/// A network ready to run; constants, shared by all characters of a kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tissue {
    /// What it was made from.
    pub network: Network,
    order: Order,
    mass: Box<[f32]>,     // n_slot   kg; 0 for bones
    joint: Box<[u16]>,    // n_slot   u16::MAX for bones
    springs: Box<[Held]>, // between slots
    goal: Box<[Goal]>,    // n_slot
    solver: Solver,
    reach: f32, // m
}

/// A spring between slots.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    ends: [u32; 2],
    stiffness: f32,
    damping: f32,
    /// m; [`AS_POSED`] where it is that of the posed points.
    length: f32,
}

#[derive(Clone, Debug, PartialEq)]
enum Solver {
    Implicit(Box<implicit::Table>),
    Verlet { steps: u32 },
}

/// What one particle remembers between frames; world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    off: Vec3,  // u, m
    rate: Vec3, // u′, m/s
    gain: Vec3, // u″ as the integrator carries it on, m/s²
    lag: Vec3,  // mean gain of u′ over the last tick, m/s²
    kick: Vec3, // what impulses add to u′ at the next tick, m/s
}

impl Particle {
    fn is_still(&self) -> bool {
        let is_small = |v: Vec3, most: f32| v.abs().max_element() < most;
        is_small(self.off, STILL)
            && is_small(self.rate, STILL / TICK)
            && is_small(self.gain, STILL / (TICK * TICK))
            && self.kick == Vec3::ZERO
    }
}

/// What the tissue of one character remembers between frames; one row a slot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    particles: Vec<Particle>,
    track: Vec<Track>,   // of the posed points
    slot_of: Arc<[u32]>, // n_point  where each is kept: skin, bellies, bones
    n_skin: usize,
    n_free: usize,       // skin and bellies
    new_bones: bool,     // nothing is known yet of how bones moved
    kicked: bool,        // whether any particle waits for an impulse
    left: f32,           // not ticked yet, s
    waiting: f32,        // since the posed points were last taken down, s
    waiting_moved: Vec3, // how far the character went in that time, m
    last_dt: f32,        // s
    started: bool,
}

/// Scratch of a frame; nothing in it outlives one.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    curve: Vec<Curve>, // n_slot
    weight: Vec<Vec3>, // n_slot  g − R g₀, m/s²
    implicit: implicit::Scratch,
    verlet: verlet::Scratch,
}

impl Tissue {
    /// Ready to run; drawn displacements never pass `reach`, m.
    pub fn new(network: Network, lengths: Lengths, integrator: Integrator, reach: f32) -> Self {
        let order = Order::new(&network, network.offset);
        let (slot_of, n) = (&order.slot_of, order.n_padded + network.bones.len());
        let (mut mass, mut joint, mut goal) = (vec![0.0; n], vec![u16::MAX; n], vec![Goal::default(); n]);
        for i in 0..network.n_free() {
            let slot = slot_of[i] as usize;
            (mass[slot], joint[slot], goal[slot]) = (network.mass[i], network.joint[i], network.goal[i]);
        }
        let held = |spring: &Spring| {
            let ends = spring.ends.map(|e| slot_of[e as usize]);
            let posed = lengths == Lengths::Posed || spring.between == Between::Muscle;
            // as the kernels find it, to the bit: the bind pose is at rest
            let between = network.at_bind[spring.ends[1] as usize] - network.at_bind[spring.ends[0] as usize];
            let length = if posed { AS_POSED } else { between.length() };
            Held { ends, stiffness: spring.stiffness, damping: spring.damping, length }
        };
        let mut springs: Box<[Held]> = network.springs.iter().map(held).collect();
        springs.sort_by_key(|s| (s.ends[0].min(s.ends[1]), s.ends[0].max(s.ends[1])));
        let solver = match integrator {
            Integrator::Implicit { steps, rounds } => {
                let table = implicit::Table::new(&order, &mass, &goal, &springs, (steps.max(1), rounds));
                Solver::Implicit(Box::new(table))
            }
            Integrator::Verlet { steps } => Solver::Verlet { steps: steps.max(1) },
        };
        Self {
            network,
            order,
            mass: mass.into(),
            joint: joint.into(),
            springs,
            goal: goal.into(),
            solver,
            reach: reach.max(1e-6),
        }
    }

    /// Where a skin particle is drawn, from its posed place, m, world axes.
    pub fn skin_offset(&self, state: &State, i: usize) -> Vec3 {
        self.drawn(state, self.order.slot_of[i] as usize)
    }

    /// Where a belly point is drawn, likewise; counted over all bellies.
    pub fn belly_offset(&self, state: &State, point: usize) -> Vec3 {
        let particle = self.network.n_skin + self.network.particle_of[point] as usize;
        self.drawn(state, self.order.slot_of[particle] as usize)
    }

    /// By velocity and acceleration over what is left of the frame, and never farther than the reach.
    #[inline]
    fn drawn(&self, state: &State, slot: usize) -> Vec3 {
        let (left, particle) = (state.left.max(0.0), &state.particles[slot]);
        let off = particle.off + left * (particle.rate + (0.5 * left) * particle.lag);
        let ratio = off.length_squared() / (self.reach * self.reach);
        off * (1.0 / (1.0 + ratio).sqrt())
    }

    /// Carry the tissue over a frame.
    pub fn step(&self, state: &mut State, frame: &Frame, work: &mut Work, instructions: Instructions, spread: Spread) {
        let dt = frame.dt.clamp(0.0, 1.0);
        if frame.settles || !state.started {
            // what was put down has not moved yet
            return self.settle(state, frame, dt);
        }
        state.waiting_moved += frame.moved;
        self.kick(state, frame);
        let clock = Clock::new(state.left, dt);
        let (start, length) = (clock.start + state.waiting, state.waiting + dt);
        (state.left, state.waiting) = (clock.left, length);
        if clock.ticks == 0 {
            return;
        }
        self.begin(state, frame, length, work);
        if clock.skips {
            state.particles.iter_mut().for_each(|p| *p = Particle { kick: p.kick, ..Particle::default() });
        }
        for tick in 0..clock.ticks {
            let from = start + tick as f32 * TICK;
            if tick + 1 == clock.ticks {
                state.particles.iter_mut().for_each(|p| p.lag = p.rate);
            }
            let kicks = std::mem::take(&mut state.kicked);
            match &self.solver {
                Solver::Implicit(table) => {
                    table.tick((instructions, spread), from, kicks, frame.planes, self, state, work);
                }
                Solver::Verlet { steps } => verlet::tick(self, *steps, from, kicks, frame.planes, state, work),
            }
            if kicks {
                state.particles.iter_mut().for_each(|p| p.kick = Vec3::ZERO);
            }
        }
        self.finish(state);
    }

    /// Put everything down at its posed place.
    fn settle(&self, state: &mut State, frame: &Frame, dt: f32) {
        state.particles.fill(Particle::default());
        self.each_posed(&frame.posed, |slot, place| state.track[slot] = Track::at(place));
        (state.left, state.waiting, state.waiting_moved) = (0.0, 0.0, Vec3::ZERO);
        (state.last_dt, state.started, state.kicked, state.new_bones) = (dt, true, false, false);
    }

    fn each_posed(&self, posed: &Posed, mut put: impl FnMut(usize, Vec3)) {
        let bellies = self.network.point_of.iter().map(|&p| posed.bellies[p as usize]);
        let places = posed.skin.iter().copied().chain(bellies).chain(posed.bones.iter().copied());
        for (&slot, place) in self.order.slot_of.iter().zip(places) {
            put(slot as usize, place);
        }
    }

    /// Impulses wait for the next tick.
    fn kick(&self, state: &mut State, frame: &Frame) {
        let n_skin = self.network.n_skin;
        let posed = |i: usize| frame.posed.skin[i];
        for impulse in frame.impulses {
            let slots = &self.order.slot_of;
            let place = |i: usize| posed(i) + state.particles[slots[i] as usize].off;
            let Some(velocity) = impulse.velocity(&self.network.mass[..n_skin], place) else { continue };
            for (i, &slot) in slots[..n_skin].iter().enumerate() {
                let particle = &mut state.particles[slot as usize];
                let share = impulse.share(posed(i) + particle.off);
                particle.kick += (velocity * f64::from(share)).as_vec3();
            }
            state.kicked = true;
        }
    }

    /// How posed points move over the frame, and what gravity pulls.
    fn begin(&self, state: &mut State, frame: &Frame, length: f32, work: &mut Work) {
        let (moved, last_dt) = (state.waiting_moved, state.last_dt);
        let (track, new_bones) = (&mut state.track, std::mem::take(&mut state.new_bones));
        self.each_posed(&frame.posed, |slot, place| {
            if new_bones && slot >= self.order.n_padded {
                track[slot] = Track::carried(place, moved / length.max(f32::MIN_POSITIVE));
            }
            work.curve[slot] = track[slot].advance(place, moved, length, last_dt);
        });
        for (weight, &joint) in work.weight.iter_mut().zip(&self.joint) {
            *weight = frame.gravity.get(joint as usize).copied().unwrap_or_default();
        }
        (state.last_dt, state.waiting, state.waiting_moved) = (length, 0.0, Vec3::ZERO);
    }

    /// Of the last tick: how velocities changed. Particles that are lost are put back, and those that hardly move are
    /// stilled, before their numbers become so small that processors are slow with them.
    fn finish(&self, state: &mut State) {
        let bound = (LOST * self.reach) * (LOST * self.reach);
        for particle in &mut state.particles {
            particle.lag = (particle.rate - particle.lag) * (1.0 / TICK);
            let sound = particle.off.length_squared() < bound
                && particle.rate.is_finite()
                && particle.gain.is_finite()
                && particle.lag.is_finite();
            if !sound || particle.is_still() {
                *particle = Particle::default();
            }
        }
    }
}

impl State {
    /// Before the first frame.
    pub fn new(tissue: &Tissue) -> Self {
        let network = &tissue.network;
        Self {
            particles: vec![Particle::default(); tissue.mass.len()],
            track: vec![Track::default(); tissue.mass.len()],
            slot_of: tissue.order.slot_of.clone(),
            n_skin: network.n_skin,
            n_free: network.n_free(),
            new_bones: false,
            kicked: false,
            left: 0.0,
            waiting: 0.0,
            waiting_moved: Vec3::ZERO,
            last_dt: 0.0,
            started: false,
        }
    }

    /// Become the other, which is of the same tissue; allocates nothing.
    pub fn restore(&mut self, other: &Self) {
        self.particles.copy_from_slice(&other.particles);
        self.track.copy_from_slice(&other.track);
        self.new_bones = other.new_bones;
        self.keep_time_of(other);
    }

    /// Go on as the other, of an edited body, whose points may be kept in other places; whether there are as many that move.
    pub fn adopt(&mut self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.slot_of, &other.slot_of) {
            self.restore(other); // the edit left the tissue alone
            return true;
        }
        if self.n_skin != other.n_skin || self.n_free != other.n_free {
            return false;
        }
        for (&to, &from) in self.slot_of.iter().zip(&*other.slot_of).take(self.n_free) {
            self.particles[to as usize] = other.particles[from as usize];
            self.track[to as usize] = other.track[from as usize];
        }
        // of bones a belly that has grown may have swallowed some
        self.new_bones = true;
        self.keep_time_of(other);
        true
    }

    fn keep_time_of(&mut self, other: &Self) {
        (self.kicked, self.left, self.waiting) = (other.kicked, other.left, other.waiting);
        (self.waiting_moved, self.last_dt, self.started) = (other.waiting_moved, other.last_dt, other.started);
    }
}

impl Work {
    /// Room for a frame.
    pub fn new(tissue: &Tissue) -> Self {
        let n = tissue.mass.len();
        let (implicit, verlet) = match &tissue.solver {
            Solver::Implicit(table) => (table.scratch(tissue.network.bones.len()), verlet::Scratch::new(0)),
            Solver::Verlet { .. } => (implicit::Scratch::default(), verlet::Scratch::new(n)),
        };
        Self { curve: vec![Curve::default(); n], weight: vec![Vec3::ZERO; n], implicit, verlet }
    }
}

#[cfg(test)]
mod tests;
