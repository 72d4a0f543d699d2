//! Caches: every vertex of one clip, for players that know no morph targets, and as the measure of those that do.
//!
//! Vertices come in the order of the glTF file: nodes that show a skinned mesh by their number, a mesh's primitives one
//! after the other. Positions are in model space, where the skin is drawn, in the file's own units.

use super::{Bake, millimetres, warnings_of};
use crate::failure::Failure;
use crate::source::Subject;
use crate::ui::{self, Ui};
use crate::{activation, output};
use fusiform_bake::{FrameSettings, Frames, solve_frames};
use fusiform_files::usda::{Animation, MeshFaces};
use fusiform_files::{mdd, pc2, usda};
use glam::Vec3;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// The formats that hold every vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pc2,
    Mdd,
    Usda,
}

impl Kind {
    /// What the name of a file asks for, if it is one of these.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pc2" => Some(Self::Pc2),
            "mdd" => Some(Self::Mdd),
            "usda" => Some(Self::Usda),
            _ => None,
        }
    }
}

/// Largest and root mean square error of a file that was read again, metres.
struct ReadBack {
    max: f32,
    rms: f32,
}

impl Bake {
    /// What decides on morph targets decides nothing here.
    pub(super) fn refuse_targets(&self) -> Result<(), Failure> {
        let option = match (self.tolerance, self.max_targets) {
            (Some(_), _) => "--tolerance",
            (_, Some(_)) => "--max-targets",
            _ => return Ok(()),
        };
        let message = format!("{option} has no meaning for {}: a cache holds every vertex", self.output.display());
        Err(Failure::call(message).cure(format!("leave {option} away, or write a .glb")))
    }

    /// Play, write, read back, say.
    pub(super) fn cache(&self, kind: Kind, subject: &Subject, clips: &[usize], ui: &Ui) -> Result<(), Failure> {
        let &[clip] = clips else { return Err(several(subject, clips)) };
        let start = Instant::now();
        let settings = FrameSettings {
            fps: f32::from(self.fps),
            looped: self.looped.told(),
            activation: activation::levels(&self.activation, subject)?,
            surroundings: self.around.surroundings(subject)?,
        };
        const STEPS: f32 = 1000.0;
        let bar = ui.progress("Baking", STEPS as usize);
        let step = |done: f32| bar.set_position((done * STEPS) as u64);
        let frames = solve_frames(&subject.character, &subject.musculature, clip, &settings, step)
            .map_err(|error| Failure::bake(&subject.file, &error))?;
        drop(bar);
        let bytes = self.bytes(kind, subject, &frames)?;
        let error = read_back(kind, subject, &frames, &bytes)?;
        output::write(&self.output, &bytes)?;
        self.report_cache(kind, subject, clip, &frames, &error, bytes.len(), start.elapsed().as_secs_f64(), ui)
    }

    fn bytes(&self, kind: Kind, subject: &Subject, frames: &Frames) -> Result<Vec<u8>, Failure> {
        let metres_per_unit = subject.origin.units.metres();
        let positions = in_file_units(&frames.positions, metres_per_unit);
        let Frames { times, n_vertex, normals, .. } = frames;
        let mut bytes = Vec::new();
        let written = match kind {
            Kind::Pc2 => pc2::write(&mut bytes, *n_vertex, &positions),
            Kind::Mdd => mdd::write(&mut bytes, times, *n_vertex, &positions),
            Kind::Usda => {
                let meshes = subject.character.meshes.iter().map(|mesh| MeshFaces {
                    name: &mesh.name,
                    n_vertex: mesh.positions.len(),
                    triangles: &mesh.triangles,
                });
                let animation = Animation {
                    name: &subject.character.name,
                    metres_per_unit,
                    fps: f32::from(self.fps),
                    times,
                    meshes: meshes.collect(),
                    positions: &positions,
                    normals,
                };
                usda::write(&mut bytes, &animation)
            }
        };
        written.map_err(|error| Failure::io(&self.output, "the cache cannot be made", &error))?;
        Ok(bytes)
    }

    #[allow(clippy::too_many_arguments)]
    fn report_cache(
        &self,
        kind: Kind,
        subject: &Subject,
        clip: usize,
        frames: &Frames,
        error: &ReadBack,
        n_byte: usize,
        seconds: f64,
        ui: &Ui,
    ) -> Result<(), Failure> {
        let clip = &subject.character.clips[clip];
        let n_frame = frames.times.len();
        let played = f64::from(clip.duration()) / seconds;
        let mut warnings = warnings_of(subject);
        warnings.extend(late_end(kind, &frames.times));
        ui.say(format!("{}  {}, {} vertices", self.output.display(), ui::bytes(n_byte as u64), frames.n_vertex));
        ui.say(format!(
            "  {}{}: {n_frame} frames, error at most {:.3} mm, rms {:.3} mm, between frames {:.3} mm",
            clip.name,
            if frames.looped { " (loops)" } else { "" },
            1e3 * error.max,
            1e3 * error.rms,
            1e3 * frames.between,
        ));
        ui.say(format!("{seconds:.2} s, {played:.0} times real time"));
        warnings.iter().for_each(|warning| ui.say(format!("warning: {warning}")));
        let document = json!({
            "file": self.output.display().to_string(),
            "clips": [{
                "name": clip.name, "frames": n_frame, "targets": 0, "loops": frames.looped,
                "max_error_mm": millimetres(error.max), "rms_error_mm": millimetres(error.rms),
                "between_frames_mm": millimetres(frames.between),
            }],
            "targets": 0,
            "bytes": n_byte,
            "raw_bytes": size_of_val(frames.positions.as_slice()),
            "seconds": seconds,
            "realtime_factor": played,
            "warnings": warnings,
        });
        ui.result(&document, None)
    }
}

fn several(subject: &Subject, clips: &[usize]) -> Failure {
    let names: Vec<&str> = clips.iter().map(|&clip| subject.character.clips[clip].name.as_str()).collect();
    Failure::call(format!("a cache holds one clip, and these are {}: {}", names.len(), names.join(", ")))
        .cure(format!("choose one, as in --clip {}", names[0]))
}

/// A .pc2 has one sample a frame: a clip that ends between frames seems to end on the next.
fn late_end(kind: Kind, times: &[f32]) -> Option<String> {
    let [.., before, last] = *times else { return None };
    let frame = times[1] - times[0];
    let late = frame - (last - before);
    (kind == Kind::Pc2 && late > 0.01 * frame).then(|| {
        format!("the clip ends between frames; in a .pc2 its end comes {:.1} ms late: use another --fps", 1e3 * late)
    })
}

fn in_file_units(positions: &[Vec3], metres_per_unit: f64) -> Vec<Vec3> {
    positions.iter().map(|p| (p.as_dvec3() / metres_per_unit).as_vec3()).collect()
}

/// What the bytes say again, against what the solver said.
fn read_back(kind: Kind, subject: &Subject, frames: &Frames, bytes: &[u8]) -> Result<ReadBack, Failure> {
    let failure = |error| Failure::file(&subject.file, &error);
    let read = match kind {
        Kind::Pc2 => pc2::read(bytes).map_err(failure)?.positions,
        Kind::Mdd => mdd::read(bytes).map_err(failure)?.positions,
        Kind::Usda => usda::read(&String::from_utf8_lossy(bytes)).map_err(failure)?.positions,
    };
    if read.len() != frames.positions.len() {
        let message = format!("{} of {} positions came back", read.len(), frames.positions.len());
        return Err(Failure::input(&subject.file, message).cure("this is a fault of fusiform, please report it"));
    }
    let metres = subject.origin.units.metres();
    let off = |(read, solved): (&Vec3, &Vec3)| (read.as_dvec3() * metres).distance_squared(solved.as_dvec3());
    let squares = read.iter().zip(&frames.positions).map(off);
    let (max, sum) = squares.fold((0.0_f64, 0.0), |(max, sum), square| (max.max(square), sum + square));
    Ok(ReadBack { max: max.sqrt() as f32, rms: (sum / read.len().max(1) as f64).sqrt() as f32 })
}
