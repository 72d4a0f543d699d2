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
mod grid;
mod input;
mod motion;
mod network;
mod verlet;
mod xpbd;

pub(crate) use input::{Frame, Impulse, Plane, Posed};
pub(crate) use network::{BellyGrid, Between, Constants, Geometry, Goal, Network, Spring};
pub(crate) use verlet::steps_a_tick as verlet_steps_a_tick;

use super::lanes::Instructions;
use super::soft::TICK;
use super::threads::Spread;
use clock::Clock;
use glam::{Vec3, Vec4, Vec4Swizzles};
use motion::{Curve, Track};

/// A particle farther out than this many reaches is lost, and put back where it is posed.
const LOST: f32 = 1e2;

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
    Xpbd {
        /// Sub-steps a tick.
        steps: u32,
    },
    /// The paper's.
    Verlet {
        /// Sub-steps a tick; [`verlet_steps_a_tick`] says how many it needs.
        steps: u32,
    },
}

/// A network ready to run; constants, shared by all characters of a kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tissue {
    /// What it was made from.
    pub network: Network,
    slot_of: Box<[u32]>, // n_point  where each point is kept: points near one another are near in memory
    mass: Box<[f32]>,    // n_slot   kg; 0 for bones
    joint: Box<[u16]>,   // n_slot   u16::MAX for bones
    springs: Box<[Held]>, // between slots
    goal: Box<[Goal]>,   // n_slot
    solver: Solver,
    reach: f32, // m
}

/// A spring between slots.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    ends: [u32; 2],
    stiffness: f32,
    damping: f32,
    /// m; NaN where it is that of the posed points.
    length: f32,
}

#[derive(Clone, Debug, PartialEq)]
enum Solver {
    Xpbd(xpbd::Table),
    Verlet { steps: u32 },
}

/// What the tissue of one character remembers between frames; world axes, one row a slot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    off: Vec<Vec4>,      // u, m
    rate: Vec<Vec4>,     // u′, m/s
    lag: Vec<Vec4>,      // its mean gain over the last tick, m/s²
    track: Vec<Track>,   // of the posed points
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
    force: Vec<Vec4>,  // n_slot  verlet
    posed: Vec<Vec4>,  // n_slot  verlet
    xpbd: xpbd::Scratch,
}

impl Tissue {
    /// Ready to run; drawn displacements never pass `reach`, m.
    pub fn new(network: Network, lengths: Lengths, integrator: Integrator, reach: f32) -> Self {
        let slot_of = slots(&network.at_bind);
        let n = network.n_point();
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
            let length = if posed { f32::NAN } else { between.length() };
            Held { ends, stiffness: spring.stiffness, damping: spring.damping, length }
        };
        let mut springs: Box<[Held]> = network.springs.iter().map(held).collect();
        springs.sort_by_key(|s| (s.ends[0].min(s.ends[1]), s.ends[0].max(s.ends[1])));
        let solver = match integrator {
            Integrator::Xpbd { steps } => Solver::Xpbd(xpbd::Table::new(&mass, &goal, &springs, steps.max(1))),
            Integrator::Verlet { steps } => Solver::Verlet { steps: steps.max(1) },
        };
        Self {
            network,
            slot_of,
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
        self.drawn(state, self.slot_of[i] as usize)
    }

    /// Where a belly point is drawn, likewise; counted over all bellies.
    pub fn belly_offset(&self, state: &State, point: usize) -> Vec3 {
        let particle = self.network.n_skin + self.network.particle_of[point] as usize;
        self.drawn(state, self.slot_of[particle] as usize)
    }

    /// By velocity and acceleration over what is left of the frame, and never farther than the reach.
    #[inline]
    fn drawn(&self, state: &State, slot: usize) -> Vec3 {
        let left = state.left.max(0.0);
        let off = state.off[slot] + left * (state.rate[slot] + (0.5 * left) * state.lag[slot]);
        let ratio = off.xyz().length_squared() / (self.reach * self.reach);
        off.xyz() * (1.0 / (1.0 + ratio).sqrt())
    }

    /// Carry the tissue over a frame.
    pub fn step(&self, state: &mut State, frame: &Frame, work: &mut Work, instructions: Instructions, spread: Spread) {
        let dt = frame.dt.clamp(0.0, 1.0);
        if frame.settles || !state.started {
            self.settle(state, frame, dt);
        } else {
            state.waiting_moved += frame.moved;
        }
        self.kick(state, frame);
        let clock = Clock::new(state.left, dt);
        let (start, length) = (clock.start + state.waiting, state.waiting + dt);
        (state.left, state.waiting) = (clock.left, length);
        if clock.ticks == 0 {
            return;
        }
        self.begin(state, frame, length, work);
        if clock.skips {
            state.off.fill(Vec4::ZERO);
            state.rate.fill(Vec4::ZERO);
        }
        for tick in 0..clock.ticks {
            let from = start + tick as f32 * TICK;
            let last = tick + 1 == clock.ticks;
            if last {
                state.lag.copy_from_slice(&state.rate);
            }
            match &self.solver {
                Solver::Xpbd(table) => table.tick(instructions, spread, from, frame.planes, self, state, work),
                Solver::Verlet { steps } => verlet::tick(self, *steps, from, frame.planes, state, work),
            }
        }
        self.finish(state);
    }

    /// Put everything down at its posed place.
    fn settle(&self, state: &mut State, frame: &Frame, dt: f32) {
        state.off.fill(Vec4::ZERO);
        state.rate.fill(Vec4::ZERO);
        state.lag.fill(Vec4::ZERO);
        self.each_posed(&frame.posed, |slot, place| state.track[slot] = Track::at(place));
        (state.left, state.waiting, state.waiting_moved) = (0.0, 0.0, Vec3::ZERO);
        (state.last_dt, state.started) = (dt, true);
    }

    fn each_posed(&self, posed: &Posed, mut put: impl FnMut(usize, Vec3)) {
        let bellies = self.network.point_of.iter().map(|&p| posed.bellies[p as usize]);
        let places = posed.skin.iter().copied().chain(bellies).chain(posed.bones.iter().copied());
        for (&slot, place) in self.slot_of.iter().zip(places) {
            put(slot as usize, place);
        }
    }

    /// Impulses, all at the frame's start.
    fn kick(&self, state: &mut State, frame: &Frame) {
        let n_skin = self.network.n_skin;
        for impulse in frame.impulses {
            let slot = |i: usize| self.slot_of[i] as usize;
            let off = &state.off;
            let place = |i: usize| frame.posed.skin[i] + off[slot(i)].xyz();
            let rate = &mut state.rate;
            impulse.give(&self.network.mass[..n_skin], place, |i, v| rate[slot(i)] += v.extend(0.0));
        }
    }

    /// How posed points move over the frame, and what gravity pulls.
    fn begin(&self, state: &mut State, frame: &Frame, length: f32, work: &mut Work) {
        let (moved, last_dt) = (state.waiting_moved, state.last_dt);
        let track = &mut state.track;
        self.each_posed(&frame.posed, |slot, place| {
            work.curve[slot] = track[slot].advance(place, moved, length, last_dt);
        });
        for (weight, &joint) in work.weight.iter_mut().zip(&self.joint) {
            *weight = frame.gravity.get(joint as usize).copied().unwrap_or_default();
        }
        (state.last_dt, state.waiting, state.waiting_moved) = (length, 0.0, Vec3::ZERO);
    }

    /// Of the last tick: how velocities changed; and particles that are lost are put back.
    fn finish(&self, state: &mut State) {
        let bound = (LOST * self.reach) * (LOST * self.reach);
        for ((off, rate), lag) in state.off.iter_mut().zip(&mut state.rate).zip(&mut state.lag) {
            *lag = (*rate - *lag) * (1.0 / TICK);
            let sound = off.length_squared() < bound && rate.is_finite() && lag.is_finite();
            if !sound {
                (*off, *rate, *lag) = (Vec4::ZERO, Vec4::ZERO, Vec4::ZERO);
            }
        }
    }
}

impl State {
    /// Before the first frame.
    pub fn new(tissue: &Tissue) -> Self {
        let n = tissue.network.n_point();
        Self {
            off: vec![Vec4::ZERO; n],
            rate: vec![Vec4::ZERO; n],
            lag: vec![Vec4::ZERO; n],
            track: vec![Track::default(); n],
            left: 0.0,
            waiting: 0.0,
            waiting_moved: Vec3::ZERO,
            last_dt: 0.0,
            started: false,
        }
    }
}

impl Work {
    /// Room for a frame.
    pub fn new(tissue: &Tissue) -> Self {
        let n = tissue.network.n_point();
        Self {
            curve: vec![Curve::default(); n],
            weight: vec![Vec3::ZERO; n],
            force: vec![Vec4::ZERO; n],
            posed: vec![Vec4::ZERO; n],
            xpbd: xpbd::Scratch::new(n),
        }
    }
}

/// Slot of every point: along a curve that fills space, so that neighbours share cache lines.
fn slots(points: &[Vec3]) -> Box<[u32]> {
    let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let span = (points.iter().copied().reduce(Vec3::max).unwrap_or_default() - low).max_element().max(1e-9);
    let spread = |x: f32| (0..10).fold(0_u32, |bits, b| bits | (((x * 1023.0) as u32 >> b) & 1) << (3 * b));
    let code = |p: Vec3| {
        let q = (p - low) / span;
        spread(q.x) | spread(q.y) << 1 | spread(q.z) << 2
    };
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_cached_key(|&i| (code(points[i as usize]), i));
    let mut slot_of = vec![0; points.len()];
    for (slot, &i) in order.iter().enumerate() {
        slot_of[i as usize] = slot as u32;
    }
    slot_of.into()
}

#[cfg(test)]
mod tests;
