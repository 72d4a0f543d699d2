mod calf;

use super::*;
use calf::{Calf, Run};

const XPBD: Integrator = Integrator::Xpbd { steps: 4 };

fn both(network: &Network) -> [Integrator; 2] {
    [XPBD, Integrator::Verlet { steps: verlet_steps_a_tick(network) }]
}

/// Far softer than Table 1, so that Verlet is quick.
fn soft() -> Constants {
    Constants { skin: 300.0, muscle: 1e3, goal: 30.0, link: 1e4, links: 6, ..Constants::default() }
}

#[test]
fn at_rest_it_is_exactly_at_rest() {
    let calf = Calf::small();
    for constants in [Constants::default(), soft()] {
        let network = calf.network(&constants);
        for (integrator, frames) in both(&network).into_iter().zip([1000, 20]) {
            for lengths in [Lengths::Posed, Lengths::Bind] {
                let mut run = Run::new(&calf, network.clone(), lengths, integrator);
                for i in 0..frames {
                    run.frame([1.0 / 60.0, 1.0 / 144.0, 0.05][i % 3], Vec3::ZERO, &[]);
                }
                assert!(run.skin_offsets().iter().all(|&off| off == Vec3::ZERO), "{integrator:?} {lengths:?}");
            }
        }
    }
}

#[test]
fn energy_never_grows_by_itself() {
    let calf = Calf::small();
    for constants in [Constants::default(), soft()] {
        let network = calf.network(&constants);
        for (integrator, ticks) in both(&network).into_iter().zip([240, 20]).skip(1) {
            let mut run = Run::new(&calf, network.clone(), Lengths::Posed, integrator);
            for (i, rate) in run.state.rate.iter_mut().enumerate().filter(|(i, _)| run.tissue.mass[*i] > 0.0) {
                let noise = |k: usize| ((i * 7919 + k * 104_729) % 1009) as f32 / 504.5 - 1.0;
                *rate = 0.3 * Vec4::new(noise(1), noise(2), noise(3), 0.0);
            }
            let first = run.energy();
            let mut last = first;
            for tick in 0..ticks {
                run.frame(TICK, Vec3::ZERO, &[]);
                let now = run.energy();
                assert!(now <= last + 1e-4 * first, "{integrator:?} tick {tick}: {last} J, then {now} J");
                last = now;
            }
            println!("{integrator:?}: {first:.3} J, after {ticks} ticks {last:.5} J");
        }
    }
}
