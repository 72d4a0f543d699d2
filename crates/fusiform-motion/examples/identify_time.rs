//! Time it takes to identify a body's surface muscles, 300 of them over 300 frames, as in Murai et al. 2016:
//! `cargo run --release -p fusiform-motion --example identify_time`.

#[allow(dead_code, reason = "shared with the tests")]
#[path = "../tests/common/truth.rs"]
mod truth;

use fusiform_motion::identify::{PaperMuscle, Sample, Settings, SkinMuscle, paper, skin};
use std::time::Instant;
use truth::{Motion, Random, Under, moved, problem, samples, surface_error};

const FRAMES: usize = 300;
const NOISE: f64 = 1e-3;

fn main() {
    let random = &mut Random(0x9E37_79B9_7F4A_7C15);
    // six markers of its own, and three that are also the next one's
    let under: Vec<Under> =
        (0..300).map(|m| Under::new(&(6 * m..6 * m + 9).collect::<Vec<_>>(), FRAMES, random)).collect();
    let n_marker = 6 * under.len() + 3;
    let seen = moved(&under, n_marker, NOISE, random);
    let muscles: Vec<SkinMuscle<'_>> = under.iter().map(Under::muscle).collect();
    let problem = problem(&muscles, n_marker, &seen);
    for (name, settings) in
        [("on skin", Settings::default()), ("on skin, rest free", Settings { free_rest: true, ..Settings::default() })]
    {
        let start = Instant::now();
        let Ok(found) = skin(&problem, &settings) else { return };
        let time = start.elapsed().as_secs_f64();
        let steps: usize = found.muscles.iter().map(|m| m.iterations).sum();
        let errors = under.iter().zip(&found.muscles).map(|(u, f)| surface_error(&u.truth, &f.law, &u.motion));
        let error = 1e3 * errors.sum::<f64>() / 300.0;
        println!(
            "{name}: {time:.2} s, {:.1} steps a muscle, {} sweeps; surface off by {error:.3} mm, markers {:.2} ± {:.2} mm, \
             still {:.2} ± {:.2}",
            steps as f64 / 300.0,
            found.sweeps,
            found.with.mean_mm,
            found.with.sd_mm,
            found.without.mean_mm,
            found.without.sd_mm
        );
    }
    let points: Vec<Vec<Sample>> = under.iter().map(|u| samples(&u.truth, &u.motion, 9, NOISE, random)).collect();
    let muscles: Vec<PaperMuscle<'_>> = under.iter().zip(&points).map(|(u, samples)| on_muscle(u, samples)).collect();
    let start = Instant::now();
    let Ok(found) = paper(&muscles, &Settings::default()) else { return };
    let time = start.elapsed().as_secs_f64();
    let steps: usize = found.iter().map(|m| m.iterations).sum();
    let other: Vec<Motion> = under.iter().map(|u| Motion::new(u.truth.rest_length, 100, random)).collect();
    let errors = under.iter().zip(&found).zip(&other).map(|((u, f), motion)| surface_error(&u.truth, &f.law, motion));
    println!(
        "on muscles: {time:.2} s, {:.1} steps a muscle; surface off by {:.3} mm in another motion",
        steps as f64 / 300.0,
        1e3 * errors.sum::<f64>() / 300.0
    );
}

fn on_muscle<'a>(under: &'a Under, samples: &'a [Sample]) -> PaperMuscle<'a> {
    PaperMuscle {
        rest_length: under.truth.rest_length,
        start: None,
        length: &under.motion.length,
        tension: &under.motion.tension,
        belly_length: &[],
        samples,
    }
}
