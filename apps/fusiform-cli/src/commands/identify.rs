//! `fusiform identify`: from markers on the skin, or from sculpted skins, to how each muscle's shape answers.

mod markers;
mod pictures;
mod report;
mod sculpted;

use crate::failure::Failure;
use crate::pose_skin::PoseSkin;
use crate::source::{Source, Subject};
use crate::ui::Ui;
use crate::{names, output};
use fusiform_drive::identify::{Distance, Errors, Found, FoundMuscle, How, IdentifyError, Seen, ToSurface, identify};
use fusiform_fit::{Wear, sort_meshes};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Muscles that are listed for people.
const LISTED: usize = 14;

/// Fit how muscles change shape to markers on the skin, and say by how many millimetres it is off
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The file's muscles are made by `rig --preset murai`; what tenses them during the clip by `drive`. Markers over the
whole body, recorded during that clip, then tell by how much every muscle swells as it shortens and as it tenses. Their
distance from the skin is printed with that and without, on what was fitted and on what was held out: the last quarter
of the recording, or another clip.

Examples:
  fusiform rig hero.glb -o muscles.glb --preset murai
  fusiform drive muscles.glb -o driven.glb --clip jump
  fusiform identify driven.glb -o hero.glb --clip jump --markers jump.c3d --report report
  fusiform identify driven.glb -o hero.glb --clip jump --markers jump.c3d --held-out walk --held-out-markers walk.c3d
  fusiform identify driven.glb -o printed.glb --clip jump --markers jump.c3d --as-printed
  fusiform identify driven.glb -o hero.glb --pose-skin curled.glb@curl:1.5 --pose-skin flexed.glb@flex:1

Markers are read from .trc, .c3d, and .csv with columns time, NAME.x, NAME.y, NAME.z. They stand where the clip has the
character: metres or millimetres, y up, or z up where the file says so."
)]
pub struct Identify {
    /// A .glb or .gltf file with muscles of the preset murai
    #[arg(value_name = "IN")]
    input: Source,
    /// File to write: .glb, or .gltf with everything embedded
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Clip during which the markers were recorded
    #[arg(long, value_name = "NAME", conflicts_with = "pose_skin")]
    clip: Option<String>,
    /// Markers on the skin over time (.trc, .c3d, .csv)
    #[arg(long, value_name = "FILE", conflicts_with = "pose_skin")]
    markers: Option<PathBuf>,
    /// Skin that was sculpted in a moment of a clip, its vertices in the character's order; may be repeated
    #[arg(long, value_name = "FILE@CLIP:TIME")]
    pose_skin: Vec<PoseSkin>,
    /// Clip that is not fitted but measured; of sculpted skins, those of this clip [default: the last quarter of the markers]
    #[arg(long, value_name = "NAME")]
    held_out: Option<String>,
    /// Markers that were recorded during --held-out
    #[arg(long, value_name = "FILE", requires = "held_out", conflicts_with = "pose_skin")]
    held_out_markers: Option<PathBuf>,
    /// How far above the skin the middle of a marker is, mm
    #[arg(
        long, value_name = "MM", default_value_t = 0.0, value_parser = millimetres, allow_negative_numbers = true,
        conflicts_with = "pose_skin"
    )]
    marker_radius: f64,
    /// Fit the formula as Murai et al. 2016 print it, each muscle alone to the markers nearest to it as if they lay on it: to compare
    /// with the paper, or to find thickness at rest, which is kept otherwise; skin is followed less closely
    #[arg(long, conflicts_with = "offsets")]
    as_printed: bool,
    /// Thickness of what lies between muscle and skin with --as-printed, mm
    #[arg(
        long, value_name = "MM", default_value_t = 0.0, value_parser = millimetres, allow_negative_numbers = true,
        requires = "as_printed"
    )]
    fat: f64,
    /// Let each marker always be off by something of its own: for a body that is not quite the person's
    #[arg(long, conflicts_with = "pose_skin")]
    offsets: bool,
    /// When in the clip the recording begins, seconds
    #[arg(
        long, value_name = "S", default_value_t = 0.0, value_parser = seconds, allow_negative_numbers = true,
        conflicts_with = "pose_skin"
    )]
    time_offset: f64,
    /// Folder for a report: tables, errors over time, and pictures of the body coloured by them
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// What is to be explained, and what it is called.
struct Given {
    /// The file that failures are about.
    file: String,
    training: Seen,
    held_out: Option<Seen>,
    /// Vertices that markers are, where that is known.
    vertices: Option<Vec<usize>>,
    /// What people call the two.
    names: [String; 2],
}

impl Identify {
    /// Read, fit, write, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        let mut subject = self.input.load_for(&self.output, ui)?;
        let wear = sort_meshes(&subject.character);
        let given = if self.pose_skin.is_empty() {
            self.recorded(&mut subject)?
        } else {
            sculpted::given(&self.pose_skin, self.held_out.as_deref(), &subject, &wear)?
        };
        let found = self.solve(&subject, &given, &wear, ui)?;
        subject.warnings.extend(found.warnings.iter().cloned());
        subject.gltf.set_musculature(&subject.origin, &found.musculature);
        let bytes = subject.bytes_for(&self.output)?;
        // everything is made before anything is written
        let files =
            self.report.as_ref().map(|_| report::files(&subject, &given.names, &self.kernel(), &found)).transpose()?;
        output::write(&self.output, &bytes)?;
        if let (Some(folder), Some(files)) = (&self.report, files) {
            output::create_folder(folder)?;
            files.iter().try_for_each(|(name, bytes)| output::write(&folder.join(name), bytes))?;
        }
        self.say(&subject, &given.names, &found, start.elapsed().as_secs_f64(), ui)
    }

    /// Markers of a recording, and what is held out.
    fn recorded(&self, subject: &mut Subject) -> Result<Given, Failure> {
        let Some(path) = &self.markers else {
            return Err(Failure::call("there is nothing to fit muscles to")
                .cure("give --markers FILE and the --clip they were recorded in, or --pose-skin FILE@CLIP:TIME"));
        };
        let clip = self.clip(subject)?;
        let name = subject.character.clips[clip].name.clone();
        let all = seen(path, subject, clip, self.time_offset)?;
        let (training, held_out, held_name) = match (&self.held_out, &self.held_out_markers) {
            (Some(wanted), Some(markers)) => {
                let other = find(subject, wanted)?;
                let held_out = seen(markers, subject, other, 0.0)?;
                if held_out.positions.iter().all(|p| !p.is_finite()) {
                    let nothing = format!("none of its markers is seen while clip {wanted:?} lasts");
                    return Err(Failure::input(markers.display().to_string(), nothing)
                        .at("--held-out-markers")
                        .cure("check the times of the recording, or leave out --held-out"));
                }
                (all, Some(held_out), wanted.clone())
            }
            (Some(wanted), None) if *wanted != name => {
                find(subject, wanted)?;
                return Err(Failure::call(format!("nobody says where the markers were during {wanted:?}"))
                    .at("--held-out")
                    .cure("give their recording with --held-out-markers"));
            }
            _ => {
                let (training, held_out) = all.split();
                (training, held_out, format!("{name}, its last quarter"))
            }
        };
        let names = [name, held_name];
        Ok(Given { file: path.display().to_string(), training, held_out, vertices: None, names })
    }

    /// The clip of the markers.
    fn clip(&self, subject: &Subject) -> Result<usize, Failure> {
        let all: Vec<&str> = subject.character.clips.iter().map(|clip| clip.name.as_str()).collect();
        match (&self.clip, all.len()) {
            (Some(wanted), _) => find(subject, wanted),
            (None, 1) => Ok(0),
            (None, 0) => Err(Failure::input(&subject.file, "it has no clip in which markers could have been recorded")
                .cure("put the motion of the recording on it, as `fusiform drive --motion` does")),
            (None, _) => Err(Failure::call("in which clip were the markers recorded?")
                .cure(format!("use --clip with one of {}", all.join(", ")))),
        }
    }

    fn solve(&self, subject: &Subject, given: &Given, wear: &[Wear], ui: &Ui) -> Result<Found, Failure> {
        const STEPS: f32 = 100.0;
        let bar = ui.progress("Identifying", STEPS as usize);
        let mut how = if self.as_printed { How::as_printed(wear) } else { How::new(wear) };
        how.marker_radius = 1e-3 * self.marker_radius;
        how.vertices = given.vertices.as_deref();
        how.offsets = self.offsets;
        how.settings.fat = 1e-3 * self.fat;
        let progress = |done: f32| bar.set_position((done * STEPS) as u64);
        let held_out = given.held_out.as_ref();
        identify(&subject.character, &subject.musculature, &given.training, held_out, &how, progress)
            .map_err(|error| failure(&error, subject, &given.file))
    }

    /// What was fitted, in a sentence.
    fn kernel(&self) -> String {
        match self.as_printed {
            true => {
                format!("as printed: markers lie on muscles, under {} mm of fat; thickness at rest was found", self.fat)
            }
            false => "by the skin that follows muscles; thickness at rest was kept (--as-printed finds it)".into(),
        }
    }

    fn say(&self, subject: &Subject, names: &[String; 2], found: &Found, seconds: f64, ui: &Ui) -> Result<(), Failure> {
        let name = |m: usize| &*subject.musculature.muscles[m].name;
        let mean = |distance: &Distance| (distance.sightings > 0).then_some(distance.mean_mm);
        let muscle = |of: &FoundMuscle| {
            let [with, without] = &of.training;
            let held_out = of.held_out.as_ref().and_then(|[with, _]| mean(with));
            json!({
                "name": name(of.muscle),
                "mean_mm": mean(with),
                "sd_mm": mean(with).map(|_| with.sd_mm),
                "without_mm": mean(without),
                "held_out_mm": held_out,
                "markers": of.markers.len(),
                "volume_spread": of.volume_spread,
                "surface": of.surface.as_ref().map(surface),
            })
        };
        let document = json!({
            "file": self.output.display().to_string(),
            "kernel": if self.as_printed { "as printed" } else { "skin" },
            "muscles": found.muscles.iter().map(muscle).collect::<Vec<Value>>(),
            "markers": found.sites.iter().flatten().count(),
            "training": overall(&names[0], &found.training),
            "held_out": found.held_out.as_ref().map(|errors| overall(&names[1], errors)),
            "surface": found.surface().as_ref().map(surface),
            "seconds": seconds,
            "warnings": subject.warnings,
        });
        let mut text = format!(
            "{}: {} muscles from {} markers in {} frames, {seconds:.1} s\n{}\n\n{}",
            self.output.display(),
            found.muscles.len(),
            found.sites.iter().flatten().count(),
            found.training.moments.len(),
            self.kernel(),
            report::table(names, found),
        );
        let mut muscles: Vec<_> = found.muscles.iter().filter(|of| of.training[0].sightings > 0).collect();
        let gained = |of: &FoundMuscle| of.training[1].mean_mm - of.training[0].mean_mm;
        muscles.sort_by(|a, b| gained(b).total_cmp(&gained(a)));
        let _ = writeln!(text, "\nwhat it explains most of, mm           with  without");
        for of in muscles.iter().take(LISTED) {
            let [with, without] = &of.training;
            let _ = writeln!(text, "  {:<34} {:>6.2} {:>8.2}", name(of.muscle), with.mean_mm, without.mean_mm);
        }
        subject.warnings.iter().for_each(|warning| ui.say(format!("warning: {warning}")));
        ui.result(&document, Some(&text))
    }
}

/// Markers of a file during a clip.
fn seen(path: &Path, subject: &mut Subject, clip: usize, offset: f64) -> Result<Seen, Failure> {
    let capture = markers::read(path, &mut subject.warnings)?;
    let seen = Seen::during(&subject.character, clip, &capture, offset);
    let outside = capture.times.len() - seen.moments.len();
    if outside > 0 && !seen.moments.is_empty() {
        let name = &subject.character.clips[clip].name;
        subject.warnings.push(format!("{outside} frames of {} are outside clip {name:?}: left out", path.display()));
    }
    Ok(seen)
}

/// The clip of that name.
fn find(subject: &Subject, wanted: &str) -> Result<usize, Failure> {
    let all: Vec<&str> = subject.character.clips.iter().map(|clip| clip.name.as_str()).collect();
    let found = all.iter().position(|name| *name == wanted);
    found.ok_or_else(|| names::unknown(&subject.file, "clip", wanted, &all))
}

/// Of which file a failure tells.
fn failure(error: &IdentifyError, subject: &Subject, given: &str) -> Failure {
    match error {
        IdentifyError::Bind(error) => Failure::bind(&subject.file, error),
        IdentifyError::Nothing | IdentifyError::Elsewhere { .. } => Failure::told(given, error),
        error => Failure::told(subject.file.clone(), error),
    }
}

/// What a motion gives, for programs.
fn overall(name: &str, errors: &Errors) -> Value {
    let all = errors.all();
    let ([with, without], sightings) = (all.map(distance), all[0].sightings);
    json!({ "motion": name, "frames": errors.moments.len(), "sightings": sightings, "with": with, "without": without })
}

/// From markers to the muscles they lie on, for programs.
fn surface(of: &ToSurface) -> Value {
    let both = |[with, without]: [Distance; 2]| json!({ "with": distance(with), "without": distance(without) });
    json!({ "training": both(of.training), "held_out": of.held_out.map(both) })
}

fn distance(of: Distance) -> Value {
    let seen = |mm: f64| (of.sightings > 0).then_some(mm);
    json!({ "mean_mm": seen(of.mean_mm), "sd_mm": seen(of.sd_mm) })
}

fn millimetres(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(radius) if (0.0..=100.0).contains(&radius) => Ok(radius),
        _ => Err("a marker's radius is 0 to 100 mm".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(offset) if offset.abs() <= 1e5 => Ok(offset),
        _ => Err("an offset is a number of seconds".into()),
    }
}
