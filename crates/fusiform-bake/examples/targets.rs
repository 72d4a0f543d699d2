//! How many morph targets the athlete's clips need, and what bounds it:
//! `cargo run --release -p fusiform-bake --example targets -- 6000`.

#[path = "../tests/played/mod.rs"]
mod played;

use fusiform_bake::{FactorSettings, factor};
use std::time::Instant;

fn main() {
    let vertices = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(6000);
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
        let factors = factor(&residual, played.bind.len(), &settings, &ranges, |_| {}).expect("sound residuals");
        let zero = factors.targets.iter().filter(|t| **t == glam::Vec3::ZERO).count();
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
