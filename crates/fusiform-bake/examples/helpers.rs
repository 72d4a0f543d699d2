//! What helper joints make of the athlete's clips: `cargo run --release -p fusiform-bake --example helpers -- 6000 4`.

#[path = "../tests/played/mod.rs"]
mod played;

use fusiform_bake::{JointSettings, Sequence, decompose};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|n| n.parse().ok());
    let (vertices, max_influences) = (arguments.next().unwrap_or(6000), arguments.next().unwrap_or(4));
    let played = played::play(vertices, 8, 1);
    println!("{} vertices, {} frames, {max_influences} influences", played.bind.len(), played.n_frame());
    let sequence = Sequence {
        bind: &played.bind,
        weights: &played.weights,
        n_joint: played.n_joint,
        since_bind: &played.since_bind,
        solved: &played.solved,
    };
    for helpers in [16, 32, 64] {
        let start = Instant::now();
        let settings = JointSettings { helpers, max_influences, ..JointSettings::default() };
        let found = decompose(&sequence, &settings, |_| Ok(())).expect("a sound sequence");
        println!("{helpers} helpers in {:.1?}", start.elapsed());
        for (sweep, error) in found.errors.iter().enumerate() {
            println!("  {sweep:2}: max {:.2} mm, rms {:.3} mm", 1e3 * error.max, 1e3 * error.rms);
        }
    }
}
