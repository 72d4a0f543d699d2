//! The real-time integrator against the paper's, on a calf that lands or is hit.

use super::calf::{Calf, Run};
use super::*;
use glam::DVec3;
use std::f64::consts::TAU;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The posed calf is stopped from 3 m/s in 20 ms.
    Landing,
    /// The same from 1 m/s: by a fraction of the springs' lengths, where straight springs are those that follow their ends.
    Step,
    /// 0.3 N s against the belly.
    Push,
}

/// m/s, so many seconds after the hit: from rest to full speed is the same as from full speed to rest.
pub fn speed_of(hit: Hit, t: f32) -> f32 {
    let full = if hit == Hit::Step { 1.0 } else { 3.0 };
    full * (50.0 * t).clamp(0.0, 1.0)
}

/// How the skin over the belly moves after a hit, along it, m, every tick; and that over the bone.
fn jiggle(calf: &Calf, network: &Network, integrator: Integrator, hit: Hit, ticks: usize) -> [Vec<f64>; 2] {
    let mut run = Run::new(calf, network.clone(), Lengths::Posed, integrator);
    run.instructions = Instructions::best();
    let (mut signals, axis) = ([Vec::new(), Vec::new()], if hit == Hit::Push { Vec3::X } else { Vec3::Y });
    let impulse = Impulse { place: Vec3::new(-0.055, 0.2, 0.0), radius: 0.04, momentum: Vec3::X * 0.3 };
    for tick in 0..ticks {
        // from rest to 3 m/s is the same as from 3 m/s to rest
        let speed = if hit == Hit::Step { 1.0 } else { 3.0 };
        let gone = |t: f32| speed * if t < 0.02 { 25.0 * t * t } else { 0.01 + (t - 0.02) };
        let (t, landing) = (tick as f32 * TICK, hit != Hit::Push);
        let moved = if landing { Vec3::Y * (gone(t + TICK) - gone(t)) } else { Vec3::ZERO };
        run.frame(TICK, moved, if tick == 0 && !landing { std::slice::from_ref(&impulse) } else { &[] });
        for (signal, side) in signals.iter_mut().zip([-1.0, 1.0]) {
            let near = |p: &Vec3| side * p.x > 0.045 && (p.y - 0.2).abs() < 0.05;
            let offsets = run.skin_offsets();
            let there: Vec<f32> =
                (0..run.skin.len()).filter(|&i| near(&run.skin[i])).map(|i| offsets[i].dot(axis)).collect();
            signal.push(f64::from(there.iter().sum::<f32>() / there.len() as f32));
        }
    }
    signals
}

/// The first of [`jiggle`].
pub fn over_the_belly(calf: &Calf, network: &Network, integrator: Integrator, hit: Hit, ticks: usize) -> Vec<f64> {
    let [belly, _] = jiggle(calf, network, integrator, hit, ticks);
    belly
}

/// Peak in mm, strongest frequency in Hz, and decay time in ms: twice the mean time of what is left after 30 ms, by
/// energy, which for one mode is the time to 1/e.
pub fn measures(signal: &[f64]) -> [f64; 3] {
    let tick = f64::from(TICK);
    let peak = signal.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let power = |f: f64| {
        let wave = |(k, x): (usize, &f64)| {
            *x * DVec3::new((TAU * f * tick * k as f64).cos(), (TAU * f * tick * k as f64).sin(), 0.0)
        };
        signal.iter().enumerate().map(wave).sum::<DVec3>().length_squared()
    };
    let frequencies = (20..1100).map(|f| 0.1 * f64::from(f));
    let strongest = frequencies.max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap();
    let late = &signal[7..];
    let energy: f64 = late.iter().map(|x| x * x).sum();
    let moment: f64 = late.iter().enumerate().map(|(k, x)| x * x * k as f64 * tick).sum();
    [1e3 * peak, strongest, 2e3 * moment / energy]
}

/// A hundredth of Table 1's links, the nearest eight: a calf that jiggles by millimetres.
fn visible() -> Constants {
    Constants { link: 1e5, links: 8, ..Constants::default() }
}

fn compare(constants: &Constants, integrators: &[Integrator], ticks: usize) -> Vec<[f64; 3]> {
    compare_hits(constants, integrators, ticks, &[Hit::Landing, Hit::Push])
}

fn compare_hits(constants: &Constants, integrators: &[Integrator], ticks: usize, hits: &[Hit]) -> Vec<[f64; 3]> {
    let calf = Calf::full();
    let network = calf.network(constants);
    let steps = verlet_steps_a_tick(&network);
    println!("{} springs, verlet takes {steps} sub-steps a tick", network.springs.len());
    let mut worst = vec![[0.0_f64; 3]; integrators.len()];
    for &hit in hits {
        let [fine, _] = jiggle(&calf, &network, Integrator::Verlet { steps }, hit, ticks);
        let fine = measures(&fine);
        println!("{hit:?}: verlet {:.3} mm, {:.1} Hz, {:.1} ms", fine[0], fine[1], fine[2]);
        for (integrator, worst) in integrators.iter().zip(&mut worst) {
            let ours = measures(&jiggle(&calf, &network, *integrator, hit, ticks)[0]);
            let ratio: [f64; 3] = std::array::from_fn(|i| ours[i] / fine[i]);
            println!("  {integrator:?}: {:.3} {:.3} {:.3}", ratio[0], ratio[1], ratio[2]);
            *worst = std::array::from_fn(|i| worst[i].max((ratio[i] - 1.0).abs()));
        }
    }
    worst
}

#[test]
fn a_landing_on_table_1_is_the_papers_within_a_tenth() {
    let worst = compare_hits(&Constants { links: 8, ..Constants::default() }, &[IMPLICIT], 36, &[Hit::Landing]);
    assert!(worst[0].iter().all(|&error| error < 0.1), "{worst:?}");
}

#[test]
fn the_jiggle_is_the_papers_within_a_tenth() {
    let worst = compare(&visible(), &[IMPLICIT], 60);
    assert!(worst[0].iter().all(|&error| error < 0.1), "{worst:?}");
}

/// As [`Tissue::lively`](crate::musculature::Tissue::lively).
pub fn lively() -> Constants {
    let lively = crate::musculature::Tissue::lively();
    let (skin, goal, links) = (lively.skin, lively.goal, usize::from(lively.links));
    // as heavy as a calf of the athlete, of so many of its 27,000 particles
    let mass = lively.mass * 1_882.0 / 27_000.0;
    Constants { skin, muscle: lively.belly, goal, link: lively.anchor, links, mass, ..Constants::default() }
}

#[test]
fn a_landing_of_lively_flesh_is_the_papers_within_a_tenth_even_when_it_is_quick() {
    let worst = compare_hits(&lively(), &[Integrator::QUICK, Integrator::PRECISE], 96, &[Hit::Step]);
    assert!(worst.iter().flatten().all(|&error| error < 0.1), "{worst:?}");
}

/// The table of README: `cargo test --release -p fusiform --lib -- --ignored --nocapture accuracy`.
#[test]
#[ignore = "minutes"]
fn accuracy_by_sub_steps_and_rounds() {
    let mut integrators = Vec::new();
    for (steps, rounds) in [(1, 7), (1, 9), (1, 12), (2, 7), (2, 9), (2, 12), (3, 9), (4, 9), (4, 12), (8, 20)] {
        integrators.push(Integrator::Implicit { steps, rounds });
    }
    compare(&lively(), &integrators, 96);
    compare(&visible(), &integrators, 60);
    compare(&Constants { link: 1e4, links: 8, ..Constants::default() }, &integrators, 60);
    compare(&Constants { link: 1e6, links: 8, ..Constants::default() }, &integrators, 36);
    integrators.push(Integrator::Implicit { steps: 16, rounds: 20 });
    compare(&Constants { links: 8, ..Constants::default() }, &integrators, 36);
}

/// Finer than any character needs: a push on Table 1 swings a hundred times a second.
const FINE: Integrator = Integrator::Implicit { steps: 16, rounds: 20 };

/// Peaks over belly and bone, mm.
fn peaks(calf: &Calf, constants: &Constants, hit: Hit) -> [f64; 2] {
    let signals = jiggle(calf, &calf.network(constants), FINE, hit, 24);
    signals.map(|signal| 1e3 * signal.iter().fold(0.0_f64, |m, x| m.max(x.abs())))
}

#[test]
fn skin_on_bone_jiggles_less_than_skin_on_muscle() {
    let calf = Calf::new((20, 18), (13, 12));
    for constants in [Constants::default(), visible()] {
        for hit in [Hit::Landing, Hit::Push] {
            let [belly, bone] = peaks(&calf, &constants, hit);
            println!("{hit:?}, links {:.0e}: {belly:.3} mm over the belly, {bone:.4} over the bone", constants.link);
            assert!(bone < 0.3 * belly);
        }
    }
}

#[test]
fn less_muscular_flesh_jiggles_more() {
    let ratio = |constants: &Constants, hit: Hit| {
        // as a document with that muscularity: thinner bellies, held more loosely
        let peak = |thick: f32| {
            let constants = Constants { goal: constants.goal * thick * thick, ..*constants };
            peaks(&Calf::arm((20, 18), (9, 8), thick), &constants, hit)[0]
        };
        let [full, thin] = [1.0, 0.75].map(peak);
        println!("{hit:?}, links {:.0e}: {full:.4} mm, at muscularity 0.75 {:.3} x", constants.link, thin / full);
        thin / full
    };
    assert!(ratio(&lively(), Hit::Landing) > 1.05);
    assert!(ratio(&Constants::default(), Hit::Landing) > 1.03);
    // a push is a matter of inertia more than of what holds the belly; and with less belly the skin has more of the mass
    ratio(&lively(), Hit::Push);
    ratio(&Constants::default(), Hit::Push);
}

#[test]
fn every_frame_rate_jiggles_alike() {
    let calf = Calf::small();
    let network = calf.network(&visible());
    // the skin over the belly every 1/30 s
    let seen = |fps: usize| {
        let mut run = Run::new(&calf, network.clone(), Lengths::Posed, IMPLICIT);
        // out and back by 30 cm in 0.7 s, as a limb does
        let gone = |t: f32| 0.3 * (t.min(0.7) / 0.7 * std::f32::consts::PI).sin().powi(4);
        let mut offsets = Vec::new();
        for i in 0..fps {
            let (t, dt) = (i as f32 / fps as f32, 1.0 / fps as f32);
            run.frame(dt, Vec3::Y * (gone(t + dt) - gone(t)), &[]);
            if (i + 1) % (fps / 30) == 0 {
                offsets.push(run.skin_offsets()[12 * 6 + 6].y);
            }
        }
        offsets
    };
    let fine = seen(240);
    let peak = fine.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
    for fps in [30, 60, 120, 150, 960] {
        let error = fine.iter().zip(seen(fps)).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs())) / peak;
        println!("{fps} fps: within {:.1} % of {:.2} mm, the peak at 240", 100.0 * error, 1e3 * peak);
        // thirty a second tell little of what swings thirty times a second
        assert!(error < if fps == 30 { 0.25 } else { 0.1 }, "{fps} fps: {error}");
    }
}

/// The same as `verlet`, in f64, for points that stand still.
fn verlet_in_f64(run: &mut Run, network: &Network, steps: u32, ticks: u32) -> Vec<DVec3> {
    let (n, h) = (network.n_free(), f64::from(TICK) / f64::from(steps));
    let slot = |i: usize| run.tissue.order.slot_of[i] as usize;
    let mut off: Vec<DVec3> = vec![DVec3::ZERO; network.at_bind.len()];
    let mut rate: Vec<DVec3> = (0..n).map(|i| run.state.particles[slot(i)].rate.as_dvec3()).collect();
    rate.resize(network.at_bind.len(), DVec3::ZERO);
    let accelerations = |off: &[DVec3], rate: &[DVec3]| {
        let held =
            |i: usize| off[i] * f64::from(network.goal[i].stiffness) + rate[i] * f64::from(network.goal[i].damping);
        let mut force: Vec<DVec3> = (0..n).map(|i| -held(i)).collect();
        force.resize(network.at_bind.len(), DVec3::ZERO);
        for s in &network.springs {
            let [a, b] = s.ends.map(|e| e as usize);
            let apart = network.at_bind[b].as_dvec3() - network.at_bind[a].as_dvec3();
            let d = apart + off[b] - off[a];
            let along = d.normalize();
            let pull = f64::from(s.stiffness) * (d.length() - apart.length())
                + f64::from(s.damping) * along.dot(rate[b] - rate[a]);
            force[a] += along * pull;
            force[b] -= along * pull;
        }
        force.truncate(n);
        force.iter().zip(&network.mass).map(|(f, &m)| *f / f64::from(m)).collect::<Vec<_>>()
    };
    let mut acceleration = accelerations(&off, &rate);
    for _ in 0..steps * ticks {
        for i in 0..n {
            rate[i] += acceleration[i] * (0.5 * h);
            off[i] += rate[i] * h;
        }
        acceleration = accelerations(&off, &rate);
        for i in 0..n {
            rate[i] += acceleration[i] * (0.5 * h);
        }
    }
    off
}

#[test]
fn verlet_in_f32_is_that_in_f64() {
    let calf = Calf::small();
    let network = calf.network(&soft());
    let (steps, ticks) = (verlet_steps_a_tick(&network), 24);
    let mut run = Run::new(&calf, network.clone(), Lengths::Posed, Integrator::Verlet { steps });
    stir(&mut run, 0.3);
    let expected = verlet_in_f64(&mut run, &network, steps, ticks);
    (0..ticks).for_each(|_| run.frame(TICK, Vec3::ZERO, &[]));
    let size = expected.iter().fold(0.0_f64, |m, o| m.max(o.length()));
    let error = (0..network.n_free()).fold(0.0_f64, |m, i| {
        let off = run.state.particles[run.tissue.order.slot_of[i] as usize].off;
        m.max((off.as_dvec3() - expected[i]).length())
    });
    println!("{:.4} mm of {:.3} mm", 1e3 * error, 1e3 * size);
    assert!(error < 5e-3 * size, "{error} of {size}");
}
