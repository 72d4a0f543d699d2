//! Caches: every vertex of one clip, and what is said of them.

use super::{Bake, millimetres, warnings_of};
use crate::failure::Failure;
use crate::source::Subject;
use crate::ui::{self, Ui};
use crate::{activation, output};
use fusiform_bake::{Cache, ClipError, FrameSettings, Frames, read_cache_back, solve_frames, write_cache};
use serde_json::json;
use std::time::Instant;

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
    pub(super) fn cache(&self, kind: Cache, subject: &Subject, clips: &[usize], ui: &Ui) -> Result<(), Failure> {
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
        let step = |done: f32| {
            bar.set_position((done * STEPS) as u64);
            Ok(())
        };
        let frames = solve_frames(&subject.character, &subject.musculature, clip, &settings, step)
            .map_err(|error| Failure::bake(&subject.file, &error))?;
        drop(bar);
        let metres = subject.origin.units.metres();
        let bytes = write_cache(kind, &subject.character, metres, settings.fps, &frames)
            .map_err(|error| Failure::io(&self.output, "the cache cannot be made", &error))?;
        let error =
            read_cache_back(kind, metres, &frames, &bytes).map_err(|error| Failure::bake(&subject.file, &error))?;
        output::write(&self.output, &bytes)?;
        self.report_cache(kind, subject, clip, &frames, &error, bytes.len(), start.elapsed().as_secs_f64(), ui)
    }

    #[allow(clippy::too_many_arguments)]
    fn report_cache(
        &self,
        kind: Cache,
        subject: &Subject,
        clip: usize,
        frames: &Frames,
        error: &ClipError,
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

/// What to say of a .pc2 that ends between frames.
fn late_end(kind: Cache, times: &[f32]) -> Option<String> {
    let late = kind.late_end(times)?;
    Some(format!("the clip ends between frames; in a .pc2 its end comes {:.1} ms late: use another --fps", 1e3 * late))
}
