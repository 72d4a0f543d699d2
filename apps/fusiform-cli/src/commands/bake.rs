//! `fusiform bake`: play clips through the solver and write files that any player knows.

mod cache;

use crate::activation::{self, Activation};
use crate::failure::Failure;
use crate::motion::Motion;
use crate::source::{Source, Subject};
use crate::surroundings::Around;
use crate::ui::{self, Ui};
use crate::{names, output};
use fusiform_bake::{
    BakeSettings, Baked, Cache, JointSettings, Rigged, bake_joints, bake_morphs, check_size, shortfall,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Play clips with muscles and write a file that plays in any engine
#[derive(Debug, clap::Args)]
#[command(after_help = "The error is measured on the file that was written, read back and played as any player would.

Examples:
  fusiform bake athlete -o athlete.glb
  fusiform bake athlete -o curl.glb --clip curl --tolerance 1
  fusiform bake athlete -o curl.pc2 --clip curl
  fusiform bake hero.glb -o walk.glb --motion walk.bvh
  fusiform bake hero_murai.glb -o struck.glb --clip idle --blow 'lower_leg.l@0.5=0,0,3' --ground
  fusiform bake hero.glb -o hero_joints.glb --as joints --helpers 48")]
pub struct Bake {
    /// A .glb or .gltf file with muscles, `athlete`, or `athlete:VERTICES`
    #[arg(value_name = "IN")]
    input: Source,
    /// File to write: .glb, or .gltf with everything embedded; or every vertex of one clip: .pc2, .mdd, .usda
    #[arg(short, long, value_name = "FILE", value_parser = baked_file)]
    output: PathBuf,
    /// Clip to bake; may be repeated, but for a cache, which holds one [default: all, or the motions]
    #[arg(long, value_name = "NAME")]
    clip: Vec<String>,
    /// Captured motion (.bvh) to put on the character and bake; may be repeated
    #[arg(long, value_name = "FILE")]
    motion: Vec<PathBuf>,
    /// What to bake muscles into
    #[arg(long = "as", value_name = "WHAT", value_enum, default_value_t = Kind::Morphs)]
    kind: Kind,
    /// Helper joints that --as joints adds
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    helpers: u16,
    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=240))]
    fps: u16,
    /// Largest error of any vertex in any frame, in millimetres [default: 0.5]
    #[arg(long, value_name = "MM", value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: Option<f32>,
    /// No more morph targets than this for a mesh, even if the error is then larger [default: 64]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    max_targets: Option<u16>,
    /// Whether clips loop: those that end as they began, all, or none
    #[arg(long = "loop", value_name = "WHICH", value_enum, default_value_t = Loop::Auto)]
    looped: Loop,
    /// How hard muscles contract, 0 to 1: for all, or for those that fit, as in 'biceps*=1'; may be repeated
    #[arg(long, value_name = "[GLOB=]X")]
    activation: Vec<Activation>,
    #[command(flatten)]
    around: Around,
}

/// What muscles are baked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Morph targets with animated weights: as exact as asked for
    Morphs,
    /// Helper joints, for engines with few morph slots: less exact, and the error is printed
    Joints,
}

/// Which clips loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Loop {
    /// Those that end in the pose they began in
    Auto,
    /// All
    Yes,
    /// None
    No,
}

impl Loop {
    fn told(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Yes => Some(true),
            Self::No => Some(false),
        }
    }
}

impl Bake {
    /// Play, factor, write, read back, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let kind = Cache::of(&self.output);
        if kind.is_some() {
            self.refuse_targets()?;
        }
        let mut subject = self.input.load_for(&self.output, ui)?;
        let motions = self.put_on_motions(&mut subject)?;
        let clips = self.clips(&subject, motions)?;
        check_size(&subject.character, &subject.musculature, &clips, f32::from(self.fps))
            .map_err(|error| Failure::bake(&subject.file, &error))?;
        match kind {
            Some(kind) => self.cache(kind, &subject, &clips, ui),
            None => self.gltf(&subject, &clips, ui),
        }
    }

    fn gltf(&self, subject: &Subject, clips: &[usize], ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        let settings = BakeSettings {
            fps: f32::from(self.fps),
            tolerance: self.tolerance() * 1e-3,
            max_targets: usize::from(self.max_targets()),
            looped: self.looped.told(),
            activation: activation::levels(&self.activation, subject)?,
            surroundings: self.around.surroundings(subject)?,
        };
        let rigged = Rigged {
            gltf: &subject.gltf,
            origin: &subject.origin,
            character: &subject.character,
            musculature: &subject.musculature,
        };
        const STEPS: f32 = 1000.0;
        let bar = ui.progress("Baking", STEPS as usize);
        let progress = |done: f32| {
            bar.set_position((done * STEPS) as u64);
            Ok(())
        };
        let baked = match self.kind {
            Kind::Morphs => bake_morphs(rigged, clips, &settings, progress),
            Kind::Joints => {
                let joints = JointSettings { helpers: usize::from(self.helpers), ..JointSettings::default() };
                bake_joints(rigged, clips, &settings, &joints, progress)
            }
        };
        let baked = baked.map_err(|error| Failure::bake(&subject.file, &error))?;
        drop(bar);
        let bytes = if output::is_text(&self.output) { baked.gltf.to_gltf() } else { baked.bytes.clone() };
        output::write(&self.output, &bytes)?;
        self.report(subject, &baked, bytes.len() as u64, start.elapsed().as_secs_f64(), ui)
    }

    fn tolerance(&self) -> f32 {
        self.tolerance.unwrap_or(0.5)
    }

    fn max_targets(&self) -> u16 {
        self.max_targets.unwrap_or(64)
    }

    /// Captured motions as further clips.
    fn put_on_motions(&self, subject: &mut Subject) -> Result<Vec<usize>, Failure> {
        self.motion.iter().map(|path| Motion::read(path)?.put_on(subject, path)).collect()
    }

    fn clips(&self, subject: &Subject, motions: Vec<usize>) -> Result<Vec<usize>, Failure> {
        let all: Vec<&str> = subject.character.clips.iter().map(|clip| clip.name.as_str()).collect();
        if all.is_empty() {
            return Err(
                Failure::input(&subject.file, "it has no clip to bake").cure("give it one, or a captured --motion")
            );
        }
        if self.clip.is_empty() {
            return Ok(if motions.is_empty() { (0..all.len()).collect() } else { motions });
        }
        let mut clips = motions;
        for wanted in &self.clip {
            let found: Vec<usize> = (0..all.len()).filter(|&clip| names::fits(wanted, all[clip])).collect();
            if found.is_empty() {
                return Err(names::unknown(&subject.file, "clip", wanted, &all));
            }
            clips.extend(found);
        }
        clips.sort_unstable();
        clips.dedup();
        Ok(clips)
    }

    fn report(&self, subject: &Subject, baked: &Baked, n_byte: u64, seconds: f64, ui: &Ui) -> Result<(), Failure> {
        let name = |clip: usize| &subject.character.clips[clip].name;
        let played: f64 = baked.clips.iter().map(|clip| f64::from(subject.character.clips[clip.clip].duration())).sum();
        let warnings = self.warnings(subject, baked);
        let (size, raw) = (ui::bytes(n_byte), ui::bytes(baked.raw_bytes));
        ui.say(format!("{}  {size}; a cache of every vertex and frame would take {raw}", self.output.display()));
        for clip in &baked.clips {
            let error = clip.error;
            ui.say(format!(
                "  {}{}: {} frames, {} {}, error at most {:.3} mm, rms {:.3} mm, between frames {:.3} mm",
                name(clip.clip),
                if clip.looped { " (loops)" } else { "" },
                clip.frames,
                clip.targets,
                self.kind.word(),
                1e3 * error.max,
                1e3 * error.rms,
                1e3 * error.between,
            ));
        }
        let targets: usize = baked.targets.iter().sum();
        ui.say(format!(
            "{targets} {} in all, {seconds:.2} s, {:.0} times real time",
            self.kind.word(),
            played / seconds
        ));
        warnings.iter().for_each(|warning| ui.say(format!("warning: {warning}")));
        let clips = baked.clips.iter().map(|clip| {
            json!({
                "name": name(clip.clip), "frames": clip.frames, "targets": clip.targets, "loops": clip.looped,
                "max_error_mm": millimetres(clip.error.max), "rms_error_mm": millimetres(clip.error.rms),
                "between_frames_mm": millimetres(clip.error.between),
            })
        });
        let document = json!({
            "file": self.output.display().to_string(),
            "clips": clips.collect::<Vec<Value>>(),
            "targets": targets,
            "bytes": n_byte,
            "raw_bytes": baked.raw_bytes,
            "seconds": seconds,
            "realtime_factor": played / seconds,
            "warnings": warnings,
        });
        ui.result(&document, None)
    }

    fn warnings(&self, subject: &Subject, baked: &Baked) -> Vec<String> {
        let mut warnings = warnings_of(subject);
        warnings.extend(baked.warnings.iter().cloned());
        let short = shortfall(&baked.clips, 1e-3 * self.tolerance());
        if let Some(worst) = short.error {
            let cure = match self.kind {
                Kind::Morphs => {
                    format!("allow more than {} --max-targets, or a larger --tolerance", self.max_targets())
                }
                Kind::Joints => format!("allow more than {} --helpers, or bake --as morphs", self.helpers),
            };
            warnings.push(format!("the error is {:.2} mm, more than {} mm: {cure}", 1e3 * worst, self.tolerance()));
        }
        if let Some(between) = short.between {
            warnings.push(format!(
                "between frames the error is up to {:.2} mm, where players draw straight lines: use a higher --fps",
                1e3 * between,
            ));
        }
        warnings
    }
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Morphs => "targets",
            Self::Joints => "helper joints",
        }
    }
}

/// What the user should know of the character, however it is baked.
fn warnings_of(subject: &Subject) -> Vec<String> {
    let mut warnings = subject.warnings.clone();
    if subject.musculature.muscles.is_empty() {
        warnings.push("there are no muscles: what was baked is plain skinning".into());
    }
    warnings
}

/// Rounded to what a report shows.
pub fn millimetres(metres: f32) -> f64 {
    (f64::from(metres) * 1e7).round() / 1e4
}

fn tolerance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(millimetres) if (0.001..=1000.0).contains(&millimetres) => Ok(millimetres),
        _ => Err("write millimetres from 0.001 to 1000".into()),
    }
}

fn baked_file(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    let is_gltf = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("glb")) || output::is_text(path);
    match is_gltf || Cache::of(path).is_some() {
        true => Ok(path.to_owned()),
        false => Err("a bake is a .glb or .gltf, or a cache: .pc2, .mdd or .usda".into()),
    }
}
