mod accuracy;
mod calf;
mod speed;
mod xpbd;

use super::*;
use calf::{Calf, Run};
use proptest::prelude::*;

const IMPLICIT: Integrator = Integrator::PRECISE;

fn verlet(network: &Network) -> Integrator {
    Integrator::Verlet { steps: verlet_steps_a_tick(network) }
}

/// Far softer than Table 1, so that Verlet is quick.
fn soft() -> Constants {
    Constants { skin: 300.0, muscle: 1e3, goal: 30.0, link: 1e4, links: 6, ..Constants::default() }
}

/// Every particle sets off its own way.
fn stir(run: &mut Run, speed: f32) {
    for (i, particle) in run.state.particles.iter_mut().enumerate().filter(|(i, _)| run.tissue.mass[*i] > 0.0) {
        let noise = |k: usize| ((i * 7919 + k * 104_729) % 1009) as f32 / 504.5 - 1.0;
        particle.rate = speed * Vec3::new(noise(1), noise(2), noise(3));
    }
}

fn bits(offsets: &[Vec3]) -> Vec<u32> {
    offsets.iter().flat_map(|o| o.to_array()).map(f32::to_bits).collect()
}

#[test]
fn at_rest_it_is_exactly_at_rest() {
    let calf = Calf::small();
    for constants in [Constants::default(), soft()] {
        let network = calf.network(&constants);
        for (integrator, frames) in [(IMPLICIT, 1000), (verlet(&network), 20)] {
            for lengths in [Lengths::Posed, Lengths::Bind] {
                let mut run = Run::new(&calf, network.clone(), lengths, integrator);
                for i in 0..frames {
                    run.frame([1.0 / 60.0, 1.0 / 144.0, 0.05][i % 3], Vec3::ZERO, &[]);
                }
                assert!(run.skin_offsets().iter().all(|&off| off == Vec3::ZERO), "{integrator:?} {lengths:?}");
            }
        }
    }
    // softened so far that Verlet takes few sub-steps: as long as the other
    let network = calf.network(&Constants { link: 100.0, skin: 10.0, muscle: 10.0, ..soft() });
    let mut run = Run::new(&calf, network.clone(), Lengths::Bind, verlet(&network));
    (0..1000).for_each(|_| run.frame(1.0 / 60.0, Vec3::ZERO, &[]));
    assert!(run.skin_offsets().iter().all(|&off| off == Vec3::ZERO));
}

#[test]
fn what_was_stirred_comes_to_rest_for_good() {
    let calf = Calf::small();
    let mut run = Run::new(&calf, calf.network(&soft()), Lengths::Posed, IMPLICIT);
    stir(&mut run, 0.3);
    (0..1200).for_each(|_| run.frame(1.0 / 60.0, Vec3::ZERO, &[]));
    assert!(run.state.particles.iter().all(|p| *p == Particle::default()));
}

#[test]
fn energy_never_grows_by_itself() {
    let calf = Calf::small();
    for constants in [Constants::default(), soft(), Constants { damping: 0.0, ..soft() }] {
        let network = calf.network(&constants);
        let few = Integrator::Implicit { steps: 1, rounds: 1 };
        for (integrator, ticks) in [(IMPLICIT, 240), (few, 240), (verlet(&network), 20)] {
            let mut run = Run::new(&calf, network.clone(), Lengths::Posed, integrator);
            stir(&mut run, 0.3);
            let first = run.energy();
            let mut last = first;
            for tick in 0..ticks {
                run.frame(TICK, Vec3::ZERO, &[]);
                let now = run.energy();
                // without dampers Verlet's energy swings about the true one, as it should
                let swing = if matches!(integrator, Integrator::Verlet { .. }) && constants.damping == 0.0 {
                    0.1
                } else {
                    1e-3
                };
                assert!(now <= last + swing * first, "{integrator:?} tick {tick}: {last} J, then {now} J of {first}");
                last = now;
            }
            println!("{integrator:?}: {first:.3} J, after {ticks} ticks {last:.5} J");
        }
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_with_any_instructions() {
    let calf = Calf::full();
    let network = calf.network(&Constants { links: 8, ..Constants::default() });
    let once = |instructions: Instructions, threads: usize| {
        let mut run = Run::new(&calf, network.clone(), Lengths::Posed, IMPLICIT);
        (run.instructions, run.spread) = (instructions, Spread::Pool);
        let hit = Impulse { place: Vec3::new(-0.055, 0.2, 0.0), radius: 0.05, momentum: Vec3::X };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            run.frame(1.0 / 60.0, Vec3::Y * 0.01, &[hit]);
            (0..3).for_each(|_| run.frame(1.0 / 60.0, Vec3::Y * 0.02, &[]));
        });
        bits(&run.skin_offsets())
    };
    let expected = once(Instructions::BASELINE, 1);
    assert!(expected.iter().any(|&b| b != 0));
    for instructions in Instructions::available() {
        for threads in [1, 2, 3] {
            assert!(once(instructions, threads) == expected, "{instructions:?}, {threads} threads");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn it_stays_finite_whatever_happens(
        powers in prop::collection::vec(-12.0_f32..25.0, 6),
        dts in prop::collection::vec(1e-6_f32..1.0, 4),
        speed in 0.0_f32..100.0,
        steps in 1_u32..5,
        is_verlet in any::<bool>(),
        is_bind in any::<bool>(),
    ) {
        let power = |i: usize| 10.0_f32.powf(powers[i]);
        let constants = Constants {
            skin: power(0), muscle: power(1), goal: power(2), link: power(3), damping: power(4), ..Constants::default()
        };
        let calf = Calf::small();
        let mut network = calf.network(&constants);
        network.mass.iter_mut().for_each(|m| *m *= power(5));
        let integrator = if is_verlet { Integrator::Verlet { steps } } else { Integrator::Implicit { steps, rounds: 4 } };
        let lengths = if is_bind { Lengths::Bind } else { Lengths::Posed };
        let mut run = Run::new(&calf, network, lengths, integrator);
        run.gravity = vec![Vec3::new(0.0, 19.6, 0.0)];
        run.planes = vec![Plane { normal: Vec3::Y, offset: 0.02 }];
        for (i, &dt) in dts.iter().enumerate() {
            run.skin.iter_mut().for_each(|p| *p = Vec3::new(-p.z, p.y * 1.01, p.x));
            let hit = Impulse { place: Vec3::ZERO, radius: 0.1, momentum: Vec3::splat(speed) };
            run.frame(dt, Vec3::X * speed * dt, if i == 1 { std::slice::from_ref(&hit) } else { &[] });
            let offsets = run.skin_offsets();
            prop_assert!(offsets.iter().all(|o| o.is_finite() && o.length() <= 0.1001), "frame {i}");
        }
    }
}

#[test]
fn half_the_push_is_half_the_jiggle() {
    let calf = Calf::small();
    for integrator in [IMPLICIT, verlet(&calf.network(&soft()))] {
        let pushed = |momentum: f32| {
            let mut run = Run::new(&calf, calf.network(&soft()), Lengths::Posed, integrator);
            let hit = Impulse { place: Vec3::new(-0.055, 0.2, 0.0), radius: 0.05, momentum: Vec3::X * momentum };
            run.frame(TICK, Vec3::ZERO, &[hit]);
            (0..6).for_each(|_| run.frame(TICK, Vec3::ZERO, &[]));
            run.skin_offsets()
        };
        let (whole, half) = (pushed(1e-4), pushed(0.5e-4));
        let size = whole.iter().fold(0.0_f32, |m, o| m.max(o.length()));
        let error = whole.iter().zip(&half).fold(0.0_f32, |m, (a, b)| m.max((*a - 2.0 * *b).length()));
        assert!(size > 1e-7 && error < 0.02 * size, "{integrator:?}: {error} of {size}");
    }
}

#[test]
fn an_impulse_arrives_whole() {
    let calf = Calf::small();
    let loose = Constants { skin: 0.0, muscle: 0.0, goal: 0.0, link: 0.0, ..Constants::default() };
    for integrator in [IMPLICIT, Integrator::Verlet { steps: 1 }] {
        let mut run = Run::new(&calf, calf.network(&loose), Lengths::Posed, integrator);
        let hit = Impulse { place: Vec3::new(-0.055, 0.2, 0.0), radius: 0.08, momentum: Vec3::new(0.3, -0.2, 0.1) };
        run.frame(0.001, Vec3::ZERO, &[hit]);
        run.frame(0.02, Vec3::ZERO, &[]);
        let particles = run.state.particles.iter().zip(&run.tissue.mass);
        let momentum: Vec3 = particles.map(|(p, &m)| m * p.rate).sum();
        assert!((momentum - hit.momentum).length() < 1e-5, "{integrator:?}: {momentum}");
    }
}

#[test]
fn even_motion_does_not_lag_and_time_can_stand_still() {
    let calf = Calf::small();
    let mut run = Run::new(&calf, calf.network(&soft()), Lengths::Posed, IMPLICIT);
    for _ in 0..240 {
        run.frame(1.0 / 60.0, Vec3::X * 0.05, &[]);
    }
    let still = run.skin_offsets();
    assert!(still.iter().all(|o| o.length() < 1e-4), "three metres a second");
    stir(&mut run, 0.5);
    run.frame(1.0 / 60.0, Vec3::X * 0.05, &[]);
    let moving = run.skin_offsets();
    run.frame(0.0, Vec3::ZERO, &[]);
    assert!(run.skin_offsets() == moving && moving != still);
}

#[test]
fn skin_does_not_sink_into_a_plane() {
    let calf = Calf::small();
    let network = calf.network(&soft());
    for integrator in [IMPLICIT, verlet(&network)] {
        let mut run = Run::new(&calf, network.clone(), Lengths::Posed, integrator);
        run.planes = vec![Plane { normal: Vec3::X, offset: -0.05 }];
        for _ in 0..8 {
            run.frame(1.0 / 60.0, Vec3::ZERO, &[]);
            let placed = run.skin.iter().zip(run.skin_offsets()).map(|(p, o)| p.x + o.x);
            let deepest = placed.fold(f32::MAX, f32::min);
            // what is drawn is held a little within its reach
            assert!(deepest > -0.0501, "{integrator:?}: {deepest}");
        }
    }
}

#[test]
fn skin_with_nothing_below_is_held_at_its_place_and_counted() {
    let calf = Calf::small();
    let network = calf.network(&Constants { farthest: 0.012, ..soft() });
    assert!(network.lone > 0 && network.lone < network.n_skin, "{}", network.lone);
    let held = (0..network.n_skin).filter(|&i| network.goal[i].stiffness > 0.0).count();
    assert_eq!(held, network.lone);
    assert_eq!(calf.network(&soft()).lone, 0);
}

#[test]
fn fewer_links_are_together_as_stiff_as_all() {
    let calf = Calf::small();
    let stiffness = |links: usize| {
        let network = calf.network(&Constants { links, ..Constants::default() });
        let links = network.springs.iter().filter(|s| !matches!(s.between, Between::Skin | Between::Muscle));
        (links.clone().count(), links.map(|s| f64::from(s.stiffness)).sum::<f64>())
    };
    let (all, few) = (stiffness(usize::MAX), stiffness(4));
    assert!(few.0 < all.0 && (few.1 / all.1 - 1.0).abs() < 1e-5, "{all:?} {few:?}");
}

#[test]
fn masses_sum_to_the_whole_and_none_is_next_to_nothing() {
    let network = Calf::full().network(&Constants::default());
    let sum: f64 = network.mass.iter().map(|&m| f64::from(m)).sum();
    let least = network.mass.iter().copied().fold(f32::MAX, f32::min);
    assert!((sum / (0.004 * 1920.0) - 1.0).abs() < 1e-5 && least > 0.0004, "{sum} kg, {least} kg");
}
