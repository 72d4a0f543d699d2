//! Murai's tissue: a frame of a whole body, and a plain loop over the same springs in the same run.

use super::frame_loop::{OtherWork, Variant, line, medians};
use super::glam_loop::GlamLoop;
use super::row::Row;
use super::subject::{Flesh, Subject};
use crate::failure::Failure;
use crate::ui::{Ui, grouped};
use fusiform::body::TissueNetwork;
use fusiform::musculature::{Dynamics, Layer, Tissue};
use fusiform::{BodyState, Detail, StepInput};
use glam::Vec3;
use std::fmt::Write as _;

/// As many as the paper identifies.
const MUSCLES: usize = 300;
/// Vertices of the skin; the second is the one that counts.
const VERTICES: [usize; 3] = [5_000, 10_000, 20_000];
const STILL: Flesh =
    Flesh { muscles: MUSCLES, layers: || vec![Layer::blend()], change: |muscle| muscle.dynamics = Dynamics::None };
const LIVELY: Flesh = Flesh { layers: || vec![Layer::blend(), Layer::Tissue(Tissue::lively())], ..STILL };
const TABLE_1: Flesh = Flesh { layers: || vec![Layer::blend(), Layer::tissue()], ..STILL };

/// What is measured, with its sub-steps in a frame of 1/60 s: four ticks of one, or of four.
const CASES: [(Flesh, &str, f64); 2] =
    [(LIVELY, "lively, quick, 8 links a vertex", 4.0), (TABLE_1, "Table 1, implicit, all links", 16.0)];

/// A sweep over all springs as the plainest program of compliant springs does it: one after the other, places and weights in
/// arrays of their own.
struct PlainLoop {
    places: Vec<Vec3>,
    inverse: Vec<f32>,
    springs: Vec<([u32; 2], f32, f32)>, // ends, compliance over the step squared, length
}

impl PlainLoop {
    fn new(network: &TissueNetwork) -> Self {
        let h = 1.0 / 480.0;
        let mut inverse: Vec<f32> = network.masses.iter().map(|mass| 1.0 / mass.max(1e-9)).collect();
        inverse.resize(network.places.len(), 0.0);
        let spring = |of: &fusiform::body::TissueSpring| (of.ends, 1.0 / (of.stiffness.max(1e-9) * h * h), of.length);
        Self { places: network.places.clone(), inverse, springs: network.springs.iter().map(spring).collect() }
    }

    fn sweep(&mut self) {
        for &([a, b], compliance, length) in &self.springs {
            let (a, b) = (a as usize, b as usize);
            let (from, to) = (self.places[a], self.places[b]);
            let (wa, wb) = (self.inverse[a], self.inverse[b]);
            let apart = to - from;
            let now = apart.length();
            if now > 1e-9 {
                let pull = apart * ((now - length) / (now * (wa + wb + compliance)));
                self.places[a] = from + pull * wa;
                self.places[b] = to - pull * wb;
            }
        }
    }
}

/// Frames of bodies with tissue on each pool of threads, and what a spring costs.
pub fn table(pools: &[rayon::ThreadPool], frames: usize, ui: &Ui, rows: &mut Vec<Row>) -> Result<String, Failure> {
    let mut text = format!(
        "Murai's tissue: {MUSCLES} muscles x 72 vertices; frames of 1/60 s, 4 sub-steps each (lively) or 16 (Table 1)\n"
    );
    let mut points = Vec::new();
    for vertices in VERTICES {
        let subject = Subject::new(vertices, ui)?;
        let still = subject.body(&STILL)?;
        for (flesh, case, sub_steps) in CASES {
            let body = subject.body(&flesh)?;
            let Some(network) = body.tissue() else { continue };
            let n_spring = network.springs.len();
            let _ = writeln!(
                text,
                "  {} vertices, {case}: {} particles, {} springs, {} with nothing below",
                grouped(subject.character.vertex_count()),
                grouped(network.masses.len()),
                grouped(n_spring),
                grouped(network.lone)
            );
            for pool in pools {
                let (mut state, mut plain_state) = (BodyState::new(&body), BodyState::new(&still));
                let (mut glam, mut plain) = (GlamLoop::new(&subject.character), PlainLoop::new(&network));
                let pose = |frame: usize| &subject.poses[frame % subject.poses.len()];
                let step = |body: &fusiform::Body, state: &mut BodyState, frame: usize| {
                    let mut input = StepInput::new(pose(frame), 1.0 / 60.0);
                    input.detail = Detail::ALL;
                    body.step(state, &input);
                };
                let mut variants: [Variant; 4] = [
                    &mut |frame| glam.run(pose(frame)),
                    &mut |frame| step(&still, &mut plain_state, frame),
                    &mut |frame| step(&body, &mut state, frame),
                    &mut |_| plain.sweep(),
                ];
                let bar = ui.progress("Measuring", frames);
                let times = pool.install(|| medians(frames, &mut OtherWork::new(), &mut variants, || bar.inc(1)));
                let [glam_us, plain_us, frame_us, sweep_us] = [times[0], times[1], times[2], times[3]];
                let each = (frame_us - plain_us) * 1e3 / (sub_steps * n_spring as f64);
                let sweep = sweep_us * 1e3 / n_spring as f64;
                let _ = writeln!(
                    text,
                    "    {} thread(s)  {:8.2} ms, {:5.1} frames a second; {each:5.2} ns a spring and sub-step, plain loop {sweep:4.2}, ratio {:4.2}",
                    pool.current_num_threads(),
                    frame_us * 1e-3,
                    1e6 / frame_us,
                    each / sweep
                );
                if pool.current_num_threads() == 1 {
                    points.push((sub_steps * n_spring as f64, frame_us));
                }
                rows.push(Row {
                    table: "tissue",
                    case,
                    preset: "murai",
                    muscles: MUSCLES,
                    vertices: subject.character.vertex_count(),
                    characters: 1,
                    threads: pool.current_num_threads(),
                    frame_us,
                    plain_us,
                    glam_us,
                    paper_fps: None,
                });
            }
        }
    }
    let (fixed, slope, fit) = line(&points);
    let _ = writeln!(
        text,
        "  one thread, all cases: {:.1} ns a spring and sub-step + {:.1} ms, straight to {:.1} %",
        slope * 1e3,
        fixed * 1e-3,
        fit * 100.0
    );
    Ok(text)
}
