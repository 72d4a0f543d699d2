//! How many morph targets the athlete's clips need, and what bounds it:
//! `cargo run --release -p fusiform-bake --example targets -- 6000`. With `apart` after it: what each clip needs alone,
//! what remains without springs and with all joint influences exported, and the best floor found among parts of the data.

#[path = "../tests/played/mod.rs"]
mod played;

use fusiform::musculature::Dynamics;
use fusiform_athlete::athlete;
use fusiform_bake::{FactorSettings, Factors, factor};
use glam::Vec3;
use std::time::Instant;

fn main() {
    let vertices = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(6000);
    if std::env::args().nth(2).as_deref() == Some("apart") {
        return take_apart(vertices);
    }
    let start = Instant::now();
    let played = played::play(vertices, 4, 1);
    println!("{} vertices, {} frames, played in {:.1?}", played.bind.len(), played.n_frame(), start.elapsed());
    let start = Instant::now();
    let (residual, damped) = played.residual();
    let largest = residual.iter().map(|r| r.length()).fold(0.0, f32::max);
    println!("unskinned in {:.1?}, {damped} vertex-frames damped, largest {:.1} mm", start.elapsed(), 1e3 * largest);
    let ranges: Vec<_> = played.clips.iter().map(|(_, frames)| frames.clone()).collect();
    for (tolerance, sweeps) in [(1e-3, 0), (1e-3, 60), (0.5e-3, 0), (0.5e-3, 60)] {
        let settings = FactorSettings { tolerance, max_targets: 128, sweeps };
        let start = Instant::now();
        let factors = factor(&residual, played.bind.len(), &settings, &ranges, |_| Ok(())).expect("sound residuals");
        let zero = factors.targets.iter().filter(|t| **t == Vec3::ZERO).count();
        println!(
            "{:.1} mm, {sweeps:2} sweeps: {} targets (least squares {}, no fewer than {}), max {:.3} mm, rms {:.4} mm, {:.0} % of entries zero, {:.2?}",
            1e3 * tolerance,
            factors.n_target,
            factors.least_squares,
            factors.at_least,
            1e3 * factors.max_error,
            1e3 * factors.rms_error,
            100.0 * zero as f32 / factors.targets.len() as f32,
            start.elapsed(),
        );
        if sweeps == 0 {
            continue;
        }
        for ((name, frames), clip) in played.clips.iter().zip(&factors.clips) {
            println!(
                "  {name}: {} frames, {} targets, max {:.3} mm, rms {:.4} mm",
                frames.len(),
                clip.targets,
                1e3 * clip.max_error,
                1e3 * clip.rms_error
            );
        }
        let root = (residual.len() as f64).sqrt();
        let spectrum: Vec<String> =
            factors.spectrum.iter().step_by(4).take(20).map(|s| format!("{:.4}", 1e3 * s / root)).collect();
        println!("  every fourth singular value as rms over all vertices, mm: {}", spectrum.join(" "));
    }
}

fn take_apart(vertices: usize) {
    let with_springs = athlete(vertices).expect("a legal count");
    let mut without = athlete(vertices).expect("a legal count");
    without.musculature.muscles.iter_mut().for_each(|muscle| muscle.dynamics = Dynamics::None);
    for (what, athlete, influences) in
        [("as it is", &with_springs, 4), ("without springs", &without, 4), ("all influences", &with_springs, 8)]
    {
        let played = played::play_of(athlete, influences, 1);
        let (residual, n) = (played.residual().0, played.bind.len());
        for (name, frames) in &played.clips {
            let rows = &residual[frames.start * n..frames.end * n];
            let count = |tolerance| targets(rows, n, tolerance, 60).n_target;
            println!("{what}, {name} alone: {} at 1 mm, {} at 0.5 mm", count(1e-3), count(0.5e-3));
        }
        let together = targets(&residual, n, 1e-3, 60);
        println!("{what}, all together at 1 mm: {}", together.n_target);
        println!("  no fewer than {}", floor(&residual, n, 1e-3));
    }
}

fn targets(residual: &[Vec3], n_vertex: usize, tolerance: f32, sweeps: usize) -> Factors {
    let settings = FactorSettings { tolerance, max_targets: 128, sweeps };
    factor(residual, n_vertex, &settings, &[], |_| Ok(())).expect("sound residuals")
}

/// What no factors can do with fewer of: part of the data needs no more than all of it, and where residuals are largest
/// the mean of squares says most.
fn floor(residual: &[Vec3], n_vertex: usize, tolerance: f32) -> usize {
    let mut square = vec![0.0f32; n_vertex];
    for row in residual.chunks_exact(n_vertex) {
        square.iter_mut().zip(row).for_each(|(sum, r)| *sum += r.length_squared());
    }
    let mut order: Vec<usize> = (0..n_vertex).collect();
    order.sort_by(|&a, &b| square[b].total_cmp(&square[a]));
    let of_part = |share: usize| {
        let part = &order[..n_vertex / share];
        let rows: Vec<Vec3> = residual.chunks_exact(n_vertex).flat_map(|row| part.iter().map(|&v| row[v])).collect();
        targets(&rows, part.len(), tolerance, 0).at_least
    };
    [1, 2, 4, 8, 16, 32].map(of_part).into_iter().max().unwrap_or(0)
}
