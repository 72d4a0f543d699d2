//! Time a frame of muscle forces takes, over ten seconds of smooth torques at 120 frames a second:
//! `cargo run --release -p fusiform-motion --example tension_time`.

use fusiform_motion::tension::{Problem, Settings, Tension};
use std::time::Instant;

const FRAMES: usize = 1200;

/// Numbers that look random and are the same every time (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Muscles of a body: each moves a run of neighbouring coordinates, 2 to 8 cm from their axes, and pulls 100 to 2000 N.
struct Body {
    n_dof: usize,
    arms: Vec<f64>,
    strength: Vec<f64>,
    effort: Vec<[f64; 3]>, // most, turns a second, phase
}

impl Body {
    fn new(n_muscle: usize, n_dof: usize, widest: usize, random: &mut Random) -> Self {
        let mut arms = vec![0.0; n_muscle * n_dof];
        for i in 0..n_muscle {
            let width = 1 + (random.next() * widest as f64) as usize;
            let first = (random.next() * (n_dof - width + 1) as f64) as usize;
            for j in first..first + width {
                arms[i * n_dof + j] = random.between(0.02, 0.08) * if random.next() < 0.5 { -1.0 } else { 1.0 };
            }
        }
        let strength = (0..n_muscle).map(|_| random.between(100.0, 2000.0)).collect();
        let effort =
            (0..n_muscle).map(|_| [random.next(), random.between(0.3, 2.0), random.between(0.0, 6.3)]).collect();
        Self { n_dof, arms, strength, effort }
    }

    /// Torques that some smooth activations make, times `demand`: beyond 1 muscles may not be able to.
    fn torque(&self, time: f64, demand: f64, torque: &mut [f64]) {
        torque.fill(0.0);
        for (i, [most, turns, phase]) in self.effort.iter().enumerate() {
            let activation = most * (0.5 + 0.5 * (std::f64::consts::TAU * turns * time + phase).sin());
            for j in 0..self.n_dof {
                torque[j] += demand * activation * self.strength[i] * self.arms[i * self.n_dof + j];
            }
        }
    }
}

fn main() {
    println!("muscles  dofs  row    demand   µs: median    mean    steps   most   largest reserve");
    for (n_muscle, n_dof, widest) in [(92, 23, 6), (300, 44, 6), (300, 44, 44)] {
        for demand in [0.5, 1.0, 3.0] {
            let random = &mut Random(0x9E37_79B9_7F4A_7C15);
            let body = Body::new(n_muscle, n_dof, widest, random);
            run(&body, widest, demand);
        }
    }
}

fn run(body: &Body, widest: usize, demand: f64) {
    let n_muscle = body.strength.len();
    let Ok(mut tension) = Tension::new(n_muscle, body.n_dof, Settings::default()) else { return };
    let (mut torque, mut arms) = (vec![0.0; body.n_dof], body.arms.clone());
    let (mut times, mut steps, mut most_steps, mut reserve) = (Vec::with_capacity(FRAMES), 0, 0, 0.0_f64);
    for frame in 0..FRAMES {
        let time = frame as f64 / 120.0;
        body.torque(time, demand, &mut torque);
        // arms that move, as they do in a body
        for (arm, at_rest) in arms.iter_mut().zip(&body.arms) {
            *arm = at_rest * (1.0 + 0.02 * (5.0 * time).sin());
        }
        let problem =
            Problem { moment_arms: &arms, strength: &body.strength, torque: &torque, emg: &[], reserve_unit: &[] };
        let start = Instant::now();
        let solved = match tension.solve(&problem) {
            Ok(solved) => solved,
            Err(error) => return println!("{error}"),
        };
        times.push(start.elapsed().as_secs_f64() * 1e6);
        if !solved.settled {
            println!("frame {frame} did not settle");
        }
        (steps, most_steps) = (steps + solved.steps, most_steps.max(solved.steps));
        reserve = solved.reserve.iter().fold(reserve, |most, r| most.max(r.abs()));
    }
    times.sort_by(f64::total_cmp);
    let (median, mean) = (times[FRAMES / 2], times.iter().sum::<f64>() / FRAMES as f64);
    let steps = steps as f64 / FRAMES as f64;
    println!(
        "{n_muscle:7} {:5} {widest:4} {demand:9.1} {median:12.1} {mean:7.1} {steps:8.1} {most_steps:6} {reserve:13.3e} N m",
        body.n_dof
    );
}
