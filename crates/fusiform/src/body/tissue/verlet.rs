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

use super::{Network, Plane, State, TICK, Tissue, Work};
use glam::{Vec3, Vec4, Vec4Swizzles};

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

/// One tick of `steps` sub-steps, from `from` seconds after the frame's start.
pub(super) fn tick(tissue: &Tissue, steps: u32, from: f32, planes: &[Plane], state: &mut State, work: &mut Work) {
    let h = TICK / steps as f32;
    accelerate(tissue, from, state, work);
    for step in 0..steps {
        let t = from + (step + 1) as f32 * h;
        for ((rate, off), force) in state.rate.iter_mut().zip(&mut state.off).zip(&work.force) {
            *rate += (0.5 * h) * *force;
            *off += h * *rate;
        }
        accelerate(tissue, t, state, work);
        for (rate, force) in state.rate.iter_mut().zip(&work.force) {
            *rate += (0.5 * h) * *force;
        }
        if !planes.is_empty() {
            stop(tissue, t, planes, state, work);
        }
    }
}

/// Skin is kept out of what is solid.
fn stop(tissue: &Tissue, t: f32, planes: &[Plane], state: &mut State, work: &Work) {
    for &slot in &tissue.slot_of[..tissue.network.n_skin] {
        let slot = slot as usize;
        let curve = &work.curve[slot];
        let posed = (curve.place(t), curve.velocity(t));
        let (mut off, mut rate) = (state.off[slot].xyz(), state.rate[slot].xyz());
        planes.iter().for_each(|plane| plane.stop(posed, &mut off, &mut rate));
        (state.off[slot], state.rate[slot]) = (off.extend(0.0), rate.extend(0.0));
    }
}

/// Accelerations of all particles at time `t`, into `work.force`; 0 for bones.
fn accelerate(tissue: &Tissue, t: f32, state: &State, work: &mut Work) {
    let Work { curve, weight, force, posed, .. } = work;
    for (posed, curve) in posed.iter_mut().zip(&*curve) {
        *posed = curve.place(t).extend(0.0);
    }
    for (slot, force) in force.iter_mut().enumerate() {
        let goal = &tissue.goal[slot];
        let held = state.off[slot] * goal.stiffness + state.rate[slot] * goal.damping;
        *force = (weight[slot] - curve[slot].acceleration(t)).extend(0.0) * tissue.mass[slot] - held;
    }
    for spring in &tissue.springs {
        let [a, b] = spring.ends.map(|e| e as usize);
        let (p, e) = ((posed[b] - posed[a]).xyz(), (state.off[b] - state.off[a]).xyz());
        let rate = (state.rate[b] - state.rate[a]).xyz();
        let f = pull(p, e, rate, [spring.stiffness, spring.damping, spring.length]);
        force[a] += f.extend(0.0);
        force[b] -= f.extend(0.0);
    }
    for (force, &mass) in force.iter_mut().zip(&tissue.mass) {
        *force = if mass > 0.0 { *force / mass } else { Vec4::ZERO };
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
    let slack = if length.is_nan() { 0.0 } else { posed_length - length };
    let stretch = e.dot(2.0 * p + e) / (now + posed_length) + slack;
    d * ((stiffness * stretch + damping * rate.dot(d) / now) / now)
}
