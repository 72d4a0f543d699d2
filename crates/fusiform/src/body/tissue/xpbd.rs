//! XPBD: scratch version.

use super::{Goal, Held, Plane, Spread, State, TICK, Tissue, Work};
use crate::body::lanes::Instructions;
use crate::body::spring::{Forced, Oscillator};
use glam::{Vec4, Vec4Swizzles};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    steps: u32,
    h: f32,
    forced: Box<[Forced]>, // n_slot
    inverse: Box<[f32]>,   // n_slot  1/kg
    give: Box<[[f32; 2]]>, // n_spring
}

#[derive(Clone, Debug)]
pub(super) struct Scratch {
    before: Vec<Vec4>,
    free: Vec<Vec4>,
    posed: Vec<Vec4>,
}

impl Scratch {
    pub fn new(n: usize) -> Self {
        Self { before: vec![Vec4::ZERO; n], free: vec![Vec4::ZERO; n], posed: vec![Vec4::ZERO; n] }
    }
}

impl Table {
    pub fn new(mass: &[f32], goal: &[Goal], springs: &[Held], steps: u32) -> Self {
        let h = TICK / steps as f32;
        let inverse: Box<[f32]> = mass.iter().map(|&m| if m > 0.0 { 1.0 / m } else { 0.0 }).collect();
        let forced = mass.iter().zip(goal).map(|(&m, goal)| {
            if m > 0.0 {
                Forced::new(Oscillator { stiffness: goal.stiffness / m, damping: goal.damping / m }, h)
            } else {
                Forced::default()
            }
        });
        let give = springs.iter().map(|s| {
            let (k, c, h) = (f64::from(s.stiffness), f64::from(s.damping), f64::from(h));
            let w: f64 = s.ends.iter().map(|&e| f64::from(inverse[e as usize])).sum();
            // -(C + g s)/((1+g) W + 1/(k h²)) in a form that k = 0 bears
            let bottom = (k * h * h + c * h) * w + 1.0;
            [(k * h * h / bottom) as f32, (c * h / bottom) as f32]
        });
        Self { steps, h, forced: forced.collect(), give: give.collect(), inverse }
    }

    pub fn tick(
        &self,
        _instructions: Instructions,
        _spread: Spread,
        from: f32,
        planes: &[Plane],
        tissue: &Tissue,
        state: &mut State,
        work: &mut Work,
    ) {
        let h = self.h;
        let Scratch { before, free, posed } = &mut work.xpbd;
        for step in 0..self.steps {
            let t = from + step as f32 * h;
            for i in 0..state.off.len() {
                posed[i] = work.curve[i].place(t + h).extend(0.0);
                before[i] = state.off[i];
                let Forced { place, rate } = self.forced[i];
                let (d, v) = (state.off[i], state.rate[i]);
                let f = (work.weight[i] - work.curve[i].acceleration(t + 0.5 * h)).extend(0.0);
                state.off[i] = d * place[0] + v * place[1] + f * place[2];
                state.rate[i] = d * rate[0] + v * rate[1] + f * rate[2];
                free[i] = state.off[i];
            }
            for (spring, give) in tissue.springs.iter().zip(&self.give) {
                let [a, b] = spring.ends.map(|e| e as usize);
                let (p, e) = ((posed[b] - posed[a]).xyz(), (state.off[b] - state.off[a]).xyz());
                let gain = e - (before[b] - before[a]).xyz();
                let (d, rest) = (p + e, p.length());
                let now = d.length();
                if now < 1e-9 {
                    continue;
                }
                let slack = if spring.length.is_nan() { 0.0 } else { rest - spring.length };
                let stretch = e.dot(2.0 * p + e) / (now + rest) + slack;
                let pull = d.extend(0.0) * ((give[0] * stretch + give[1] * gain.dot(d) / now) / now);
                state.off[a] += pull * self.inverse[a];
                state.off[b] -= pull * self.inverse[b];
            }
            for i in 0..state.off.len() {
                state.rate[i] += (state.off[i] - free[i]) * (1.0 / h);
            }
            if !planes.is_empty() {
                for &slot in &tissue.slot_of[..tissue.network.n_skin] {
                    let i = slot as usize;
                    let at = (work.curve[i].place(t + h), work.curve[i].velocity(t + h));
                    let (mut off, mut rate) = (state.off[i].xyz(), state.rate[i].xyz());
                    planes.iter().for_each(|plane| plane.stop(at, &mut off, &mut rate));
                    (state.off[i], state.rate[i]) = (off.extend(0.0), rate.extend(0.0));
                }
            }
        }
    }
}
