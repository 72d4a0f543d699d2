//! One measured case, as it is reported.

use serde_json::{Value, json};

/// A line of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which table: `1`, `2`, `ratios`, `crowd` or `tissue`.
    pub table: &'static str,
    /// What was measured, for people.
    pub case: &'static str,
    /// Whose muscles.
    pub preset: &'static str,
    /// Muscles of 72 vertices each.
    pub muscles: usize,
    /// Skin vertices.
    pub vertices: usize,
    /// How many such characters.
    pub characters: usize,
    /// Threads of the pool.
    pub threads: usize,
    /// Median of a frame, microseconds.
    pub frame_us: f64,
    /// Our own plain linear blend in the same run, microseconds.
    pub plain_us: f64,
    /// The plain loop over glam in the same run, microseconds.
    pub glam_us: f64,
    /// What the paper has for it, frames a second.
    pub paper_fps: Option<f64>,
}

impl Row {
    /// Frames a second.
    pub fn fps(&self) -> f64 {
        1e6 / self.frame_us
    }

    /// The row of the `--json` document.
    pub fn json(&self) -> Value {
        let round = |x: f64, digits: i32| (x * 10_f64.powi(digits)).round() / 10_f64.powi(digits);
        json!({
            "table": self.table,
            "case": self.case,
            "muscles": self.muscles,
            "vertices": self.vertices,
            "characters": self.characters,
            "threads": self.threads,
            "preset": self.preset,
            "frame_us": round(self.frame_us, 2),
            "plain_us": round(self.plain_us, 2),
            "ratio": round(self.frame_us / self.plain_us, 3),
            "ratio_to_glam_loop": round(self.frame_us / self.glam_us, 3),
            "fps": round(self.fps(), 1),
            "paper_fps": self.paper_fps,
        })
    }
}
