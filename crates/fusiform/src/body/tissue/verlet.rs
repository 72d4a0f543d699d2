//! Verlet: the paper's integrator, the reference for the one that runs in real time.
//!
//! ```text
//! v½ = v + h/2 a      u ← u + h v½      a = f(u, v½)/m      v = v½ + h/2 a
//! ```
//!
//! Swope, Andersen, Berens, Wilson: *A computer simulation method for the calculation of equilibrium constants...*, 1982,
//! the paper's choice because it takes nothing from the jiggle. Dampers see the velocity of half a step before, so that
//! no equation has to be solved; for ω² and γ, the largest of M⁻¹K and M⁻¹C, this is stable while
//!
//! ```text
//! ω² h² + 2 γ h < 4       or       h < 2 / (γ/2 + √(γ²/4 + ω²))
//! ```

use super::{Network, Plane, State, TICK, Tissue, Work, slack};
use glam::Vec3;

/// Share of the longest stable step that is taken.
const MARGIN: f64 = 0.9;

/// How many sub-steps a tick needs: ω² and γ are no larger than the largest row sums (Gershgorin), rows being weighted by
/// masses, M^-½ K M^-½.
pub(crate) fn steps_a_tick(network: &Network) -> u32 {
    let n = network.n_free();
    let mass = |i: usize| f64::from(network.mass[i]).max(1e-12);
    let row = |i: usize| {
        let goal = network.goal[i];
        [f64::from(goal.stiffness) / mass(i), f64::from(goal.damping) / mass(i)]
    };
    let mut rows: Vec<[f64; 2]> = (0..n).map(row).collect();
    for spring in &network.springs {
        let [a, b] = spring.ends.map(|e| e as usize);
        for (this, other) in [(a, b), (b, a)].into_iter().filter(|&(this, _)| this < n) {
            let across = if other < n { 1.0 / (mass(this) * mass(other)).sqrt() } else { 0.0 };
            let weight = 1.0 / mass(this) + across;
            rows[this][0] += f64::from(spring.stiffness) * weight;
            rows[this][1] += f64::from(spring.damping) * weight;
        }
    }
    let rate = |[w2, gamma]: [f64; 2]| 0.5 * gamma + (0.25 * gamma * gamma + w2).sqrt();
    let fastest = rows.into_iter().map(rate).fold(0.0, f64::max);
    (f64::from(TICK) * fastest / (2.0 * MARGIN)).ceil().clamp(1.0, f64::from(u32::MAX)) as u32
}

/// What a sub-step works on; one row a slot.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    acceleration: Vec<Vec3>,
    posed: Vec<Vec3>,
}

impl Scratch {
    pub fn new(n: usize) -> Self {
        Self { acceleration: vec![Vec3::ZERO; n], posed: vec![Vec3::ZERO; n] }
    }
}

/// One tick of `steps` sub-steps, from `from` seconds after the frame's start; `kicks` where impulses wait.
pub(super) fn tick(
    tissue: &Tissue,
    steps: u32,
    from: f32,
    kicks: bool,
    planes: &[Plane],
    state: &mut State,
    work: &mut Work,
) {
    let h = TICK / steps as f32;
    if kicks {
        state.particles.iter_mut().for_each(|p| p.rate += p.kick);
    }
    accelerate(tissue, from, state, work);
    for step in 0..steps {
        let t = from + (step + 1) as f32 * h;
        for (particle, acceleration) in state.particles.iter_mut().zip(&work.verlet.acceleration) {
            particle.rate += (0.5 * h) * *acceleration;
            particle.off += h * particle.rate;
        }
        accelerate(tissue, t, state, work);
        for (particle, acceleration) in state.particles.iter_mut().zip(&work.verlet.acceleration) {
            particle.rate += (0.5 * h) * *acceleration;
        }
        if !planes.is_empty() {
            stop(tissue, t, planes, state, work);
        }
    }
}

/// Skin is kept out of what is solid.
fn stop(tissue: &Tissue, t: f32, planes: &[Plane], state: &mut State, work: &Work) {
    for &slot in &tissue.order.slot_of[..tissue.network.n_skin] {
        let (particle, curve) = (&mut state.particles[slot as usize], &work.curve[slot as usize]);
        let posed = (curve.place(t), curve.velocity(t));
        planes.iter().for_each(|plane| plane.stop(posed, &mut particle.off, &mut particle.rate));
    }
}

/// Accelerations of all particles at time `t`; 0 for bones.
fn accelerate(tissue: &Tissue, t: f32, state: &State, work: &mut Work) {
    let Work { curve, weight, verlet: Scratch { acceleration, posed }, .. } = work;
    for (slot, force) in acceleration.iter_mut().enumerate() {
        posed[slot] = curve[slot].place(t);
        let (goal, particle) = (&tissue.goal[slot], &state.particles[slot]);
        let held = particle.off * goal.stiffness + particle.rate * goal.damping;
        *force = (weight[slot] - curve[slot].acceleration(t)) * tissue.mass[slot] - held;
    }
    for spring in &tissue.springs {
        let [a, b] = spring.ends.map(|e| e as usize);
        let (from, to) = (&state.particles[a], &state.particles[b]);
        let constants = [spring.stiffness, spring.damping, spring.length];
        let force = pull(posed[b] - posed[a], to.off - from.off, to.rate - from.rate, constants);
        acceleration[a] += force;
        acceleration[b] -= force;
    }
    for (acceleration, &mass) in acceleration.iter_mut().zip(&tissue.mass) {
        *acceleration = if mass > 0.0 { *acceleration / mass } else { Vec3::ZERO };
    }
}

/// Eq. 10: what pulls the first end to the second.
#[inline(always)]
fn pull(p: Vec3, e: Vec3, rate: Vec3, [stiffness, damping, length]: [f32; 3]) -> Vec3 {
    let (d, posed_length) = (p + e, p.length());
    let now = d.length();
    if now < 1e-9 {
        return Vec3::ZERO;
    }
    let slack = slack(posed_length, length);
    let stretch = e.dot(2.0 * p + e) / (now + posed_length) + slack;
    d * ((stiffness * stretch + damping * rate.dot(d) / now) / now)
}
