//! What is in a laboratory's file: a model of bones and muscles, markers, force plates, channels, columns over time.

use crate::failure::Failure;
use crate::ui::Ui;
use fusiform_files::{c3d, csv, osim, sto, trc};
use fusiform_motion::capture::Capture;
use fusiform_motion::model::Model;
use fusiform_motion::table::Table;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Model,
    Tracks,
    Capture,
    Columns,
    Commas,
}

impl Kind {
    /// By the ending of its name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_string_lossy().to_lowercase().as_str() {
            "osim" => Some(Self::Model),
            "trc" => Some(Self::Tracks),
            "c3d" => Some(Self::Capture),
            "mot" | "sto" => Some(Self::Columns),
            "csv" => Some(Self::Commas),
            _ => None,
        }
    }
}

/// Read it, look at it, say it.
pub fn inspect(kind: Kind, path: &Path, ui: &Ui) -> Result<(), Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, "the file cannot be read", &error))?;
    let file = path.display().to_string();
    let said = match kind {
        Kind::Model => osim::read(&bytes).map(|read| (model(&read.model), read.warnings)),
        Kind::Tracks => trc::read(&bytes).map(|read| (capture(&read.capture), read.warnings)),
        Kind::Capture => c3d::read(&bytes).map(|read| (capture(&read.capture), read.warnings)),
        Kind::Columns => sto::read(&bytes).map(|read| (table(&read.table), read.warnings)),
        Kind::Commas => csv::read(&bytes, None).map(|read| (table(&read.table), read.warnings)),
    };
    let ((mut document, mut text), warnings) = said.map_err(|error| Failure::file(&file, &error))?;
    warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n"));
    document["file"] = json!(file);
    document["warnings"] = json!(warnings);
    ui.result(&document, Some(&format!("{file}: {text}")))
}

fn model(model: &Model) -> (Value, String) {
    let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
    let mut text = format!("a model of {mass:.1} kg called {:?}\n", model.name);
    for (what, n) in [
        ("bodies", model.bodies.len()),
        ("joints", model.joints.len()),
        ("coordinates", model.coordinates.len()),
        ("markers", model.markers.len()),
        ("wrapping surfaces", model.wraps.len()),
        ("muscles", model.muscles.len()),
    ] {
        let _ = writeln!(text, "  {n:4} {what}");
    }
    for muscle in &model.muscles {
        let _ = writeln!(text, "  {:<24} {:7.0} N, {} points", muscle.name, muscle.max_force, muscle.path.len());
    }
    let muscles = model.muscles.iter().map(|muscle| {
        json!({
            "name": muscle.name, "max_force_n": muscle.max_force, "optimal_length_m": muscle.optimal_length,
            "points": muscle.path.len(), "wraps": muscle.wraps.len(),
        })
    });
    let document = json!({
        "mass_kg": mass,
        "bodies": model.bodies.iter().map(|body| json!({ "name": body.name, "mass_kg": body.mass })).collect::<Value>(),
        "coordinates": model.coordinates.iter().map(|of| of.name.clone()).collect::<Value>(),
        "markers": model.markers.iter().map(|marker| marker.name.clone()).collect::<Value>(),
        "muscles": muscles.collect::<Value>(),
    });
    (document, text)
}

fn capture(capture: &Capture) -> (Value, String) {
    let (frames, n) = (capture.times.len(), capture.markers.len());
    let seconds = frames as f64 / capture.rate.max(f64::MIN_POSITIVE);
    let seen =
        |m: usize| (0..frames).filter(|&i| capture.frame(i)[m].is_finite()).count() as f64 / frames.max(1) as f64;
    let analog = &capture.analog;
    let mut text = format!("{n} markers, {frames} frames at {} Hz, {seconds:.2} s\n", capture.rate);
    for (m, name) in capture.markers.iter().enumerate() {
        let _ = writeln!(text, "  {name:<24} seen in {:3.0} % of them", 100.0 * seen(m));
    }
    if !analog.names.is_empty() {
        let _ = writeln!(text, "  {} channels at {} Hz: {}", analog.names.len(), analog.rate, analog.names.join(", "));
    }
    for plate in &capture.plates {
        let most = plate.force.iter().fold(0.0_f64, |most, force| most.max(force.length()));
        let _ = writeln!(text, "  force plate {} of kind {}: up to {most:.0} N", plate.number, plate.kind);
    }
    let markers = capture.markers.iter().enumerate().map(|(m, name)| json!({ "name": name, "seen": seen(m) }));
    let document = json!({
        "frames": frames,
        "rate_hz": capture.rate,
        "markers": markers.collect::<Value>(),
        "channels": analog.names,
        "channel_rate_hz": analog.rate,
        "plates": capture.plates.iter().map(|plate| json!({ "number": plate.number, "kind": plate.kind })).collect::<Value>(),
    });
    (document, text)
}

fn table(table: &Table) -> (Value, String) {
    let ends = [table.times.first(), table.times.last()].map(|time| time.copied().unwrap_or(0.0));
    let (rows, n) = (table.times.len(), table.names.len());
    let mut text = format!("{n} columns, {rows} rows from {:.3} to {:.3} s\n", ends[0], ends[1]);
    let column = |c: usize| table.values.iter().skip(c).step_by(n.max(1)).filter(|value| value.is_finite());
    let reach = |c: usize| column(c).fold([f64::MAX, f64::MIN], |[low, high], &v| [low.min(v), high.max(v)]);
    for (c, name) in table.names.iter().enumerate() {
        let [low, high] = reach(c);
        let _ = writeln!(text, "  {name:<32} {low:12.4} .. {high:.4}");
    }
    let columns = table.names.iter().enumerate().map(|(c, name)| json!({ "name": name, "range": reach(c) }));
    (json!({ "rows": rows, "seconds": ends, "columns": columns.collect::<Value>() }), text)
}
