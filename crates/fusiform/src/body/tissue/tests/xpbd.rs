//! The loop everyone writes first, compliant springs one after the other, against the same reference: how many sub-steps it
//! takes to the accuracy of ours. `cargo test --release -p fusiform --lib -- --ignored --nocapture xpbd`.
//!
//! ```text
//! Δλ = −(C + γ Ċh) / ((1 + γ)(w₁ + w₂) + α)      C = |x₁₂| − l    α = 1/(k h²)    γ = c/(k h)
//! ```
//!
//! Macklin, Müller, Chentanez: *XPBD*, 2016, one sweep a sub-step: Macklin et al.: *Small steps in physics simulation*, 2019.

use super::accuracy::{Hit, lively, measures, over_the_belly, speed_of};
use super::calf::Calf;
use super::*;
use std::time::Instant;

struct Loop<'a> {
    network: &'a Network,
    place: Vec<Vec3>,
    before: Vec<Vec3>,
    rate: Vec<Vec3>,
    weight: Vec<f32>, // 1/kg; 0 for bones
}

impl<'a> Loop<'a> {
    fn new(network: &'a Network) -> Self {
        let mut weight: Vec<f32> = network.mass.iter().map(|m| 1.0 / m).collect();
        weight.resize(network.at_bind.len(), 0.0);
        let place = network.at_bind.to_vec();
        Self { network, before: place.clone(), rate: vec![Vec3::ZERO; place.len()], place, weight }
    }

    fn step(&mut self, h: f32, pull: Vec3) {
        let free = self.network.n_free();
        for i in 0..free {
            self.before[i] = self.place[i];
            self.place[i] += h * (self.rate[i] + h * pull);
        }
        for i in 0..free {
            let goal = self.network.goal[i];
            if goal.stiffness > 0.0 {
                let (soft, drag) = (1.0 / (goal.stiffness * h * h), goal.damping / (goal.stiffness * h));
                let gone = (self.place[i] - self.network.at_bind[i]) + drag * (self.place[i] - self.before[i]);
                self.place[i] -= gone * (self.weight[i] / ((1.0 + drag) * self.weight[i] + soft));
            }
        }
        for spring in &self.network.springs {
            let [a, b] = spring.ends.map(|e| e as usize);
            let (wa, wb) = (self.weight[a], self.weight[b]);
            let apart = self.place[b] - self.place[a];
            let length = apart.length();
            let along = apart / length.max(1e-9);
            let (soft, drag) = (1.0 / (spring.stiffness * h * h), spring.damping / (spring.stiffness * h));
            let moved = along.dot((self.place[b] - self.before[b]) - (self.place[a] - self.before[a]));
            let by = ((length - spring.length) + drag * moved) / ((1.0 + drag) * (wa + wb) + soft);
            self.place[a] += along * (by * wa);
            self.place[b] -= along * (by * wb);
        }
        for i in 0..free {
            self.rate[i] = (self.place[i] - self.before[i]) / h;
        }
    }
}

#[test]
#[ignore = "minutes"]
fn xpbd_by_sub_steps() {
    let (calf, hit, ticks) = (Calf::full(), Hit::Step, 96);
    let network = calf.network(&lively());
    let verlet = Integrator::Verlet { steps: verlet_steps_a_tick(&network) };
    let reference = measures(&over_the_belly(&calf, &network, verlet, hit, ticks));
    let ratio = |of: [f64; 3]| std::array::from_fn::<f64, 3, _>(|i| of[i] / reference[i]);
    let begin = Instant::now();
    let quick = ratio(measures(&over_the_belly(&calf, &network, Integrator::QUICK, hit, ticks)));
    println!("quick: {quick:.3?}, {:.2} ms a tick", 1e3 * begin.elapsed().as_secs_f64() / ticks as f64);
    for steps in [1, 4, 16, 32, 64, 128, 256] {
        let (h, mut run, mut signal) = (TICK / steps as f32, Loop::new(&network), Vec::new());
        let mut spent = 0.0;
        for tick in 0..ticks {
            let begin = Instant::now();
            for k in 0..steps {
                let t = tick as f32 * TICK + k as f32 * h;
                let pull = -Vec3::Y * ((speed_of(hit, t + h) - speed_of(hit, t)) / h);
                run.step(h, pull);
            }
            spent += begin.elapsed().as_secs_f64();
            let near = |p: &Vec3| -p.x > 0.045 && (p.y - 0.2).abs() < 0.05;
            let there: Vec<f32> = (0..network.n_skin)
                .filter(|&i| near(&network.at_bind[i]))
                .map(|i| run.place[i].y - network.at_bind[i].y)
                .collect();
            signal.push(f64::from(there.iter().sum::<f32>() / there.len() as f32));
        }
        println!("xpbd, {steps} a tick: {:.3?}, {:.2} ms a tick", ratio(measures(&signal)), 1e3 * spent / ticks as f64);
    }
}
