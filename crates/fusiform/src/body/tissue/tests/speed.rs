//! How fast it is, against the plain loop everyone writes first: `cargo test --release -p fusiform --lib -- --ignored
//! --nocapture speed`.

use super::*;
use glam::Vec4;
use std::time::Instant;

/// A body of that many skin vertices around `bellies` of 9 x 8: a bundle of tubes, each around a bone and its bellies.
fn body(
    limbs: usize,
    (rings, sectors): (usize, usize),
    bellies: usize,
    constants: &Constants,
) -> (Network, [Vec<Vec3>; 3]) {
    let around = |k: usize, n: usize| {
        let angle = std::f32::consts::TAU * k as f32 / n as f32;
        Vec3::new(angle.cos(), 0.0, angle.sin())
    };
    let (mut skin, mut normals, mut triangles, mut points, mut bones) = (vec![], vec![], vec![], vec![], vec![]);
    for limb in 0..limbs {
        let (middle, first) = (Vec3::X * (0.3 * limb as f32), skin.len());
        for (ring, sector) in (0..rings).flat_map(|r| (0..sectors).map(move |s| (r, s))) {
            skin.push(middle + 0.07 * around(sector, sectors) + Vec3::Y * (0.8 * ring as f32 / rings as f32));
            normals.push(around(sector, sectors));
            if ring + 1 < rings {
                let at = |r: usize, s: usize| (first + r * sectors + s % sectors) as u32;
                let (p, q) = (at(ring, sector), at(ring, sector + 1));
                let (r, s) = (at(ring + 1, sector), at(ring + 1, sector + 1));
                triangles.extend([[p, q, s], [p, s, r]]);
            }
        }
        let each = bellies / limbs;
        for belly in 0..each {
            let centre =
                middle + 0.04 * around(belly % 6, 6) + Vec3::Y * (0.05 + 0.5 * (belly / 6) as f32 * 6.0 / each as f32);
            for k in 0..72 {
                let along = (k / 8) as f32 / 8.0;
                let radius = 0.02 * (4.0 * along * (1.0 - along)).sqrt();
                points.push(centre + radius * around(k % 8, 8) + Vec3::Y * (0.25 * along));
            }
        }
        for k in 0..320 {
            bones.push(middle + 0.012 * around(k % 8, 8) + Vec3::Y * (0.8 * (k / 8) as f32 / 40.0));
        }
    }
    let grids: Vec<BellyGrid> =
        points.chunks(72).map(|points| BellyGrid { rings: 9, sectors: 8, points, full: points, joint: 0 }).collect();
    let joints = vec![0; skin.len()];
    let geometry = Geometry {
        skin: &skin,
        normals: &normals,
        triangles: &triangles,
        joints: &joints,
        bellies: &grids,
        bones: &bones,
    };
    let begin = Instant::now();
    let network = Network::new(&geometry, constants);
    println!("built in {:.0} ms", 1e3 * begin.elapsed().as_secs_f64());
    let used = network.bones.iter().map(|&b| bones[b as usize]).collect();
    (network, [skin, points, used])
}

/// One sweep of XPBD over all springs, one after the other: what the bar is measured with.
fn plain_sweep(springs: &[Held], compliance: &[f32], place: &mut [Vec4], rest: &[f32]) {
    for ((spring, &compliance), &rest) in springs.iter().zip(compliance).zip(rest) {
        let [a, b] = spring.ends.map(|e| e as usize);
        let (p, q) = (place[a], place[b]);
        let d = (q - p).truncate();
        let length = d.length();
        let pull = (length - rest) / ((p.w + q.w + compliance) * length.max(1e-9));
        place[a] = p + (d * (pull * p.w)).extend(0.0);
        place[b] = q - (d * (pull * q.w)).extend(0.0);
    }
}

/// Seconds, the best of so many: others work on the machine, too.
fn best(mut run: impl FnMut(), times: usize) -> f64 {
    let seconds = (0..times).map(|_| {
        let begin = Instant::now();
        run();
        begin.elapsed().as_secs_f64()
    });
    seconds.fold(f64::MAX, f64::min)
}

#[test]
#[ignore = "a bench"]
fn speed_against_a_plain_loop() {
    for links in [8, usize::MAX] {
        let constants = Constants { links, ..Constants::default() };
        let (network, [skin, bellies, bones]) = body(6, (48, 35), 300, &constants);
        let springs = network.springs.len();
        println!(
            "links {links}: {} skin, {} belly, {} bone points; springs: {} skin, {} muscle, {} to muscle, {} to bone",
            network.n_skin,
            network.n_muscle,
            network.bones.len(),
            network.count(Between::Skin),
            network.count(Between::Muscle),
            network.count(Between::SkinAndMuscle),
            network.count(Between::SkinAndBone)
        );
        let (steps, rounds) = (1, 9);
        let tissue = Tissue::new(network, Lengths::Posed, Integrator::Implicit { steps, rounds }, 0.1);
        println!("{} cells", tissue.order.n_cell);
        let h = TICK / 4.0;
        let mut places = vec![Vec4::ZERO; tissue.mass.len()];
        for (i, &slot) in tissue.order.slot_of.iter().enumerate() {
            let w = if i < tissue.network.n_free() { 1.0 / tissue.mass[slot as usize] } else { 0.0 };
            places[slot as usize] = tissue.network.at_bind[i].extend(w);
        }
        let compliance: Vec<f32> = tissue.springs.iter().map(|s| 1.0 / (s.stiffness * h * h)).collect();
        let rest: Vec<f32> = tissue
            .springs
            .iter()
            .map(|s| {
                let [a, b] = s.ends.map(|e| places[e as usize].truncate());
                1.01 * a.distance(b)
            })
            .collect();
        let sorted = best(|| plain_sweep(&tissue.springs, &compliance, &mut places, &rest), 51);
        // neighbours in a list wait for each other; far apart they do not
        let stride = |k: usize| (k * 7919) % springs;
        let held: Vec<Held> = (0..springs).map(|k| tissue.springs[stride(k)]).collect();
        let strided = |list: &[f32]| (0..springs).map(|k| list[stride(k)]).collect::<Vec<f32>>();
        let (compliance, rest) = (strided(&compliance), strided(&rest));
        let apart = best(|| plain_sweep(&held, &compliance, &mut places, &rest), 51);
        let sweep = sorted.min(apart);
        println!(
            "plain sweep: {:.2} ns a spring in order of memory, {:.2} ns far apart",
            1e9 * sorted / springs as f64,
            1e9 * apart / springs as f64
        );

        for instructions in Instructions::available() {
            let (mut state, mut work) = (State::new(&tissue), Work::new(&tissue));
            let mut moved = Vec3::ZERO;
            let mut frame = |ticks: f32| {
                moved = Vec3::Y * 0.01 - moved;
                let frame = Frame {
                    dt: ticks * TICK,
                    moved,
                    settles: false,
                    posed: Posed { skin: &skin, bellies: &bellies, bones: &bones },
                    gravity: &[],
                    impulses: &[],
                    planes: &[],
                };
                tissue.step(&mut state, &frame, &mut work, instructions, Spread::OneThread);
            };
            (0..4).for_each(|_| frame(1.0));
            let tick = best(|| frame(1.0), 31);
            let rounds_a_tick = f64::from(steps * (rounds + 1));
            println!(
                "{instructions:?}: tick {:.2} ms; {:.2} ns a spring and round, all counted in: {:.2} x the plain sweep",
                1e3 * tick,
                1e9 * tick / (springs as f64 * rounds_a_tick),
                tick / (rounds_a_tick * sweep)
            );
            let Solver::Implicit(table) = &tissue.solver else { return };
            let each = best(|| table.bench_round(instructions, &mut work), 51);
            println!(
                "  a product alone: {:.3} ms, {:.2} ns a spring: {:.2} x",
                1e3 * each,
                1e9 * each / springs as f64,
                each / sweep
            );
        }
    }
}

#[test]
#[ignore = "a bench"]
fn speed_of_building() {
    body(6, (400, 42), 300, &Constants::default());
    body(6, (400, 42), 300, &Constants { links: 8, ..Constants::default() });
}
