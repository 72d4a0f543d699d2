//! Inverse dynamics: the generalised forces that a motion needs, by the recursive Newton-Euler algorithm.
//!
//! ```text
//! outward   V = V_parent + Σ sᵢ θ̇ᵢ               A = A_parent + Σ sᵢ θ̈ᵢ + V₍ᵢ₎ × sᵢ θ̇ᵢ        A_ground = −g
//!           θ̇ = f′(q) q̇                           θ̈ = f′(q) q̈ + f″(q) q̇²
//! at each   F = m a_c  through c,                 N = I α + ω × I ω                            less what pulls from outside
//! inward    F_parent += F                         τ_q = Σ f′ sᵢ · F
//! ```
//!
//! s is an axis as a unit motion, V₍ᵢ₎ the velocity of what carries it: every turn and shift of a joint counts as a joint of
//! its own without mass. Luh, Walker, Paul: *On-line computational scheme for mechanical manipulators*, 1980; in this form
//! Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 5.3. One pass over bodies and axes; nothing is allocated.

use crate::spatial::{Effort, Twist};
use crate::system::{Posture, System};
use glam::{DMat3, DVec3};

/// A load from outside, in ground's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Which body it acts on.
    pub body: usize,
    /// N.
    pub force: DVec3,
    /// m: where the force acts.
    pub point: DVec3,
    /// N m, besides the force's own.
    pub torque: DVec3,
}

/// Room for one system's inverse dynamics.
#[derive(Clone, Debug, PartialEq)]
pub struct Rnea {
    speed: Vec<f64>,          // n_coordinate
    acceleration: Vec<f64>,   // n_coordinate
    of_body: Vec<BodyMotion>, // n_body
    effort: Vec<Effort>,      // n_body: on it and all it carries
}

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct BodyMotion {
    velocity: Twist,
    acceleration: Twist,
}

impl Rnea {
    /// Room for a system.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Self {
            speed: vec![0.0; system.n_coordinate()],
            acceleration: vec![0.0; system.n_coordinate()],
            of_body: vec![BodyMotion::default(); system.n_body()],
            effort: vec![Effort::default(); system.n_body()],
        }
    }

    /// The generalised forces, N m or N, that move a posture at given speeds and accelerations, one per coordinate. Those of
    /// coordinates that follow others are ignored and found; their share goes to those that lead.
    pub fn solve(
        &mut self,
        system: &System,
        posture: &Posture,
        [speed, acceleration]: [&[f64]; 2],
        wrenches: &[Wrench],
        out: &mut [f64],
    ) {
        self.speed.copy_from_slice(speed);
        self.acceleration.copy_from_slice(acceleration);
        couple_rates(system, &posture.q, &mut self.speed, &mut self.acceleration);
        self.outward(system, posture);
        for Wrench { body, force, point, torque } in wrenches {
            self.effort[*body] += -Effort::through(*point, *force, *torque);
        }
        self.inward(system, posture, out);
        system.gather(&posture.q, out);
    }

    /// What moves the whole: the load on ground's joints, about ground's origin, that [`Rnea::solve`] found. With every load
    /// from outside given it would be nothing but errors.
    #[must_use]
    pub fn total(&self) -> Effort {
        self.effort[0]
    }

    /// The velocity of a body that [`Rnea::solve`] found.
    #[must_use]
    pub fn velocity(&self, body: usize) -> Twist {
        self.of_body[body].velocity
    }

    fn outward(&mut self, system: &System, posture: &Posture) {
        self.of_body[0].acceleration.linear = -system.gravity;
        self.effort[0] = Effort::default();
        for body in 1..system.n_body() {
            let mut motion = self.of_body[system.parent[body]];
            let axes = &posture.axes[system.axes_of(body)];
            // turns happen where shifts lead, so shifts carry turns
            for axis in axes.iter().filter(|a| !a.turns).chain(axes.iter().filter(|a| a.turns)) {
                let Some(c) = axis.coordinate else { continue };
                let unit = Twist::along(axis);
                let rate = axis.jet.first * self.speed[c];
                let gain = axis.jet.first * self.acceleration[c] + axis.jet.second * self.speed[c] * self.speed[c];
                motion.acceleration += unit * gain + motion.velocity.carries(&unit) * rate;
                motion.velocity += unit * rate;
            }
            self.of_body[body] = motion;
            self.effort[body] = needed(system, posture, body, &motion);
        }
    }

    fn inward(&mut self, system: &System, posture: &Posture, out: &mut [f64]) {
        out.fill(0.0);
        for body in (1..system.n_body()).rev() {
            let effort = self.effort[body];
            for axis in &posture.axes[system.axes_of(body)] {
                if let Some(c) = axis.coordinate {
                    out[c] += axis.jet.first * Twist::along(axis).power(&effort);
                }
            }
            self.effort[system.parent[body]] += effort;
        }
    }
}

/// Newton and Euler: what moves one body so.
fn needed(system: &System, posture: &Posture, body: usize, motion: &BodyMotion) -> Effort {
    let (mass, frame) = (&system.mass[body], &posture.frames[body]);
    if mass.mass == 0.0 && mass.inertia == DMat3::ZERO {
        return Effort::default();
    }
    let (turning, center) = (motion.velocity.angular, frame.transform_point3(mass.center));
    // the twist's acceleration is of what passes the origin now; the center itself also swings
    let swing = turning.cross(motion.velocity.at(center));
    let force = mass.mass * (motion.acceleration.at(center) + swing);
    let inertia = |v: DVec3| frame.matrix3 * (mass.inertia * (frame.matrix3.transpose() * v));
    let torque = inertia(motion.acceleration.angular) + turning.cross(inertia(turning));
    Effort::through(center, force, torque)
}

/// Speeds and accelerations of coordinates that follow others.
///
/// ```text
/// q_d = f(q),   q̇_d = f′ q̇,   q̈_d = f′ q̈ + f″ q̇²
/// ```
pub fn couple_rates(system: &System, q: &[f64], speed: &mut [f64], acceleration: &mut [f64]) {
    for (dependent, independent, function) in system.couplings() {
        let jet = function.at(q[*independent]);
        let rate = speed[*independent];
        speed[*dependent] = jet.first * rate;
        acceleration[*dependent] = jet.first * acceleration[*independent] + jet.second * rate * rate;
    }
}
