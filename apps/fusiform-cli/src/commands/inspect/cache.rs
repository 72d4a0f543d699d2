//! What is in a cache: how many points and frames, how fast, and how far they reach.

use super::Kind;
use crate::failure::Failure;
use crate::ui::{Ui, grouped};
use fusiform_files::{FileError, mdd, pc2, usda};
use glam::Vec3;
use serde_json::{Value, json};
use std::path::Path;

/// A cache, whatever its format. What a format does not tell is nothing here.
struct Cache {
    format: &'static str,
    vertices: usize,
    frames: usize,
    fps: Option<f64>,
    seconds: Option<f64>,
    metres_per_unit: Option<f64>,
    meshes: Vec<(String, usize)>,
    /// Lowest and highest corner of all points in all frames, the file's units.
    extent: Option<[Vec3; 2]>,
    warnings: Vec<String>,
}

/// Read it, look at it, say it.
pub fn inspect(kind: Kind, path: &Path, ui: &Ui) -> Result<(), Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::io(path, "the cache cannot be read", &error)
            .cure("check the path; caches are .pc2, .mdd or .usda files")
    })?;
    let file = path.display().to_string();
    let read = match kind {
        Kind::Pc2 => pc2::read(&bytes).map(Cache::of_pc2),
        Kind::Mdd => mdd::read(&bytes).map(Cache::of_mdd),
        Kind::Usda => text(&bytes).and_then(usda::read).map(Cache::of_usda),
    };
    let cache = read.map_err(|error| Failure::file(&file, &error))?;
    ui.result(&cache.json(&file), Some(&cache.text(&file)))
}

fn text(bytes: &[u8]) -> Result<&str, FileError> {
    std::str::from_utf8(bytes).map_err(|error| FileError {
        place: format!("byte {}", error.valid_up_to()),
        message: "it is not text".into(),
        cure: "give a .usda that `fusiform bake` wrote; binary USD is read by other programs".into(),
    })
}

impl Cache {
    fn new(format: &'static str, vertices: usize, positions: &[Vec3]) -> Self {
        let frames = positions.len() / vertices.max(1);
        let box_of = |first: &Vec3| positions.iter().fold([*first; 2], |[low, high], p| [low.min(*p), high.max(*p)]);
        let warnings = if frames == 0 { vec!["there are no frames".into()] } else { Vec::new() };
        Self {
            format,
            vertices,
            frames,
            fps: None,
            seconds: None,
            metres_per_unit: None,
            meshes: Vec::new(),
            extent: positions.first().map(box_of),
            warnings,
        }
    }

    fn of_pc2(file: pc2::Pc2) -> Self {
        Self::new(".pc2", file.n_vertex, &file.positions)
    }

    /// The rate is that of the first two frames: the last may come early.
    fn of_mdd(file: mdd::Mdd) -> Self {
        let mut cache = Self::new(".mdd", file.n_vertex, &file.positions);
        if !file.times.is_sorted_by(|a, b| a < b) {
            cache.warnings.push("its times do not ascend".into());
            return cache;
        }
        if let [first, second, ..] = file.times[..] {
            cache.fps = Some(1.0 / (f64::from(second) - f64::from(first)));
        }
        cache.seconds = file.times.first().zip(file.times.last()).map(|(first, last)| f64::from(last - first));
        cache
    }

    fn of_usda(file: usda::Usda) -> Self {
        let vertices = file.meshes.iter().map(|(_, vertices)| vertices).sum();
        let last = file.codes.last();
        Self {
            fps: Some(file.fps),
            seconds: last.map(|last| last / file.fps),
            metres_per_unit: Some(file.metres_per_unit),
            meshes: file.meshes,
            ..Self::new(".usda", vertices, &file.positions)
        }
    }

    fn json(&self, file: &str) -> Value {
        let corner = |k: usize| self.extent.map(|corners| corners[k].to_array());
        let mesh = |(name, vertices): &(String, usize)| json!({ "name": name, "vertices": vertices });
        json!({
            "file": file,
            "format": self.format,
            "vertices": self.vertices,
            "frames": self.frames,
            "fps": self.fps.map(thousandths),
            "seconds": self.seconds.map(thousandths),
            "units": self.metres_per_unit.map(|metres| format!("{metres} m")),
            "low": corner(0),
            "high": corner(1),
            "meshes": self.meshes.iter().map(mesh).collect::<Vec<Value>>(),
            "warnings": self.warnings,
        })
    }

    fn text(&self, file: &str) -> String {
        let rate = match (self.fps, self.seconds) {
            (Some(fps), Some(seconds)) => format!("{} frames a second, {seconds:.2} s", thousandths(fps)),
            _ => format!("how fast is not told in a {}", self.format),
        };
        let mut text = format!(
            "{file}: a cache of {} vertices, {} frames; {rate}\n",
            grouped(self.vertices),
            grouped(self.frames)
        );
        for (name, vertices) in &self.meshes {
            text += &format!("  mesh {name}: {} vertices\n", grouped(*vertices));
        }
        if let Some([low, high]) = self.extent {
            let unit =
                self.metres_per_unit.map_or_else(|| "as its file counts".into(), |metres| format!("in {metres} m"));
            text += &format!(
                "  all frames lie in x {:.4} to {:.4}, y {:.4} to {:.4}, z {:.4} to {:.4}, {unit}\n",
                low.x, high.x, low.y, high.y, low.z, high.z
            );
        }
        self.warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n"));
        text
    }
}

/// Rates and times as people write them: what rounding to f32 has moved is moved back.
fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
