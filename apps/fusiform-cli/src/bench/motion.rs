//! From motion to tension: what a frame takes from markers to muscle forces, on one thread.

mod chain;
mod generated;
mod walk;

use super::frame_loop::{OtherWork, Variant, median, medians};
use crate::failure::Failure;
use crate::ui::Ui;
use chain::{Chain, STAGES};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use walk::Walk;

/// us: inverse kinematics has to take less.
const KINEMATICS_BAR: f64 = 500.0;
/// Frames a second: everything together has to make more.
const TOGETHER_BAR: f64 = 120.0;

/// All models that there are: a text for people, rows for programs.
pub fn table(data: Option<&Path>, frames: usize, ui: &Ui, rows: &mut Vec<Value>) -> Result<String, Failure> {
    let mut text = String::from("From motion to tension, 1 thread, medians of a frame\n");
    let walk = data.map(Walk::read).transpose()?;
    match &walk {
        Some(walk) => measure(walk.chain()?, frames, ui, (&mut text, rows)),
        None => text += "  gait2354 and gait2392 were not measured: name their folder with --data\n",
    }
    measure(generated::chain()?, frames, ui, (&mut text, rows));
    Ok(text)
}

/// One model, a line for every stage.
fn measure(mut chain: Chain, frames: usize, ui: &Ui, (text, rows): (&mut String, &mut Vec<Value>)) {
    let bar = ui.progress("Measuring motion to tension", frames);
    let mut stages: [Vec<f64>; STAGES.len()] = Default::default();
    let mut step = |frame| {
        let took = chain.step(frame);
        stages.iter_mut().zip(took).for_each(|(times, us)| times.push(us));
    };
    let mut variants: [Variant; 1] = [&mut step];
    let together = medians(frames, &mut OtherWork::new(), &mut variants, || bar.inc(1))[0];
    drop(bar);
    let (markers, coordinates, muscles) = chain.counts();
    let name = &chain.name;
    let _ = writeln!(text, "  {name}: {markers} markers, {coordinates} coordinates, {muscles} muscles");
    let mut line = |case: &str, us: f64, held: String, bar: Value| {
        let _ = writeln!(text, "    {case:22} {us:9.1} us{held}");
        let round = |x: f64| (x * 100.0).round() / 100.0;
        rows.push(json!({
            "table": "motion",
            "case": case,
            "model": name,
            "markers": markers,
            "coordinates": coordinates,
            "muscles": muscles,
            "threads": 1,
            "frame_us": round(us),
            "fps": round(1e6 / us),
            "bar": bar,
        }));
    };
    for (stage, times) in STAGES.into_iter().zip(&mut stages) {
        let us = median(times);
        if stage == STAGES[0] {
            let bar = json!({ "frame_us_below": KINEMATICS_BAR, "held": us < KINEMATICS_BAR });
            line(stage, us, held(us < KINEMATICS_BAR, &format!("below {KINEMATICS_BAR} us")), bar);
        } else {
            line(stage, us, String::new(), Value::Null);
        }
    }
    let fps = 1e6 / together;
    let bar = json!({ "fps_above": TOGETHER_BAR, "held": fps > TOGETHER_BAR });
    let told = format!(", {fps:.0} frames a second");
    line("together", together, told + &held(fps > TOGETHER_BAR, &format!("above {TOGETHER_BAR}")), bar);
    let (iterations, steps, reserve) = chain.effort();
    let _ = writeln!(
        text,
        "    {iterations:.1} iterations of inverse kinematics and {steps:.1} steps of tension a frame; muscles leave \
         {reserve:.1e} N m at most"
    );
}

fn held(is: bool, what: &str) -> String {
    format!(" ({}: {what})", if is { "bar held" } else { "BAR MISSED" })
}
