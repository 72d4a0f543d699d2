//! `fusiform drive`: from a motion to the torques of joints, to the tensions of muscles, to activation curves in the file.

mod emg;
mod measured;
mod plots;

use crate::failure::Failure;
use crate::motion::Motion;
use crate::source::{Source, Subject};
use crate::ui::Ui;
use crate::{names, output};
use emg::Emg;
use fusiform::{Body, BodyState, Detail, StepInput};
use fusiform_drive::{DriveError, Driven, Given, Rigid, curves, drive, posed};
use fusiform_fit::{Found, Role, Roles, Side, Template, Wear, sort_meshes};
use fusiform_motion::trajectory::LowPass;
use measured::{Measured, Muscles, Weights};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Muscles that are listed for people.
const LISTED: usize = 14;
/// Share of the peak torque above which muscles that cannot make it are warned of.
const TOO_WEAK: f64 = 0.1;
/// Share of the weight above which a force that nothing explains is warned of.
const UNEXPLAINED: f64 = 0.1;

/// Find out which muscles make a motion, and write their activation into the file
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A motion moves the masses of the body; the ground pushes its feet; its joints need torques for that, and of all
ways in which its muscles could make them it takes the one of least effort. What is found is written as curves keyed to
the clip, so that picture and bake play it.

Examples:
  fusiform drive athlete -o squat.glb --clip squat --plots plots
  fusiform drive athlete -o curl.glb --clip curl --carry hand=8
  fusiform drive hero.glb -o walk.glb --motion walk.bvh
  fusiform drive hero.glb -o walk.glb --model subject.osim --markers walk.trc --forces walk_grf.mot --muscles own
  fusiform drive hero.glb -o legs.glb --clip walk --model gait2392.osim
  fusiform drive hero.glb -o held.glb --clip hold --emg arm.c3d --emg-map 'EMG1=biceps_brachii_long.l'

Plain language: masses are guessed from the skin's volume unless --mass is given, and where nobody measured what the
ground does, it is told from how the feet move. Both are printed."
)]
pub struct Drive {
    /// A .glb or .gltf file with muscles, `athlete`, or `athlete:VERTICES`
    #[arg(value_name = "IN")]
    input: Source,
    /// File to write: .glb, or .gltf with everything embedded
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Clip of the file to explain
    #[arg(long, value_name = "NAME", conflicts_with = "motion")]
    clip: Option<String>,
    /// Captured motion (.bvh) to put on the character and explain; it becomes a clip of the file
    #[arg(long, value_name = "FILE", conflicts_with = "markers")]
    motion: Option<PathBuf>,
    /// Markers (.trc, .c3d) or coordinates (.mot, .sto) of a person whom --model describes; they become a clip of the file
    #[arg(long, value_name = "FILE", requires = "model", conflicts_with = "clip")]
    markers: Option<PathBuf>,
    /// Set-up of OpenSim's inverse kinematics (.xml): how much each marker counts; those without a task do not
    #[arg(long, value_name = "FILE", requires = "markers")]
    setup: Option<PathBuf>,
    /// What force plates felt under that person (.mot, .sto); plates in a .c3d of markers are found without it
    #[arg(long, value_name = "FILE", requires = "markers")]
    forces: Option<PathBuf>,
    /// OpenSim model (.osim): its muscles are put into the character by the roles of its joints, and --markers are its own
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Whose muscles carry the motion where there is a --model
    #[arg(long, value_name = "WHOSE", value_enum, default_value_t = Muscles::Both, requires = "model")]
    muscles: Muscles,
    #[command(flatten)]
    emg: Emg,
    /// Mass of the whole body, kg [default: from the volume of its skin]
    #[arg(long, value_name = "KG", value_parser = kilograms, allow_negative_numbers = true)]
    mass: Option<f64>,
    /// Something heavy that a part carries, as in hand=10 for 10 kg in each hand, or the name of one joint; may be repeated
    #[arg(long, value_name = "PART=KG")]
    carry: Vec<String>,
    /// How strong muscles are
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Strength::Enough)]
    strength: Strength,
    /// Frames a second that are solved
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u16).range(10..=1000))]
    fps: u16,
    /// Faster motion than this, Hz, is taken for noise; 0 takes nothing for noise
    #[arg(long, value_name = "HZ", default_value_t = 6.0, value_parser = hertz, allow_negative_numbers = true)]
    cutoff: f64,
    /// Folder for plots of angles, torques, tensions and activations (.png and .svg) and for their numbers (.sto and .csv)
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// How strong muscles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Strength {
    /// As their sections or their model say; all of them twice, four times, ... as strong where they could not make the motion
    Enough,
    /// As their sections or their model say, whatever they leave
    Sections,
}

/// What is known of the character beside its file.
struct Known<'a> {
    wear: &'a [Wear],
    found: &'a Found,
    strengths: Option<&'a [f64]>,
    measured: Option<&'a Measured>,
}

impl Drive {
    /// Read, solve, write, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        let mut subject = self.input.load_for(&self.output, ui)?;
        let found = Roles::find(&subject.character.skeleton);
        subject.warnings.extend(found.warnings.iter().cloned());
        let wear = sort_meshes(&subject.character);
        let model = self.model.as_ref().map(|path| measured::model(path, &mut subject.warnings)).transpose()?;
        let measured = match (&self.markers, &self.model, &model) {
            (Some(path), Some(model_path), Some(model)) => {
                let weights = Weights::read(self.setup.as_deref())?;
                Some(Measured::put_on((path, &weights), (model_path, model), &mut subject, &found.roles, ui)?)
            }
            _ => None,
        };
        let clip = measured.as_ref().map_or_else(|| self.clip(&mut subject), |measured| Ok(measured.clip))?;
        let added = |model| measured::add_muscles(model, self.muscles, &mut subject, (&wear, &found.roles), ui);
        let strengths = model.as_ref().map(added).transpose()?.flatten();
        let body = Known { wear: &wear, found: &found, strengths: strengths.as_deref(), measured: measured.as_ref() };
        let driven = self.solve(&mut subject, clip, &body, ui)?;
        let name = subject.character.clips[clip].name.clone();
        let already = already(&subject, clip, &driven)?;
        let keyed = curves(&name, &subject.musculature, &driven, &already);
        subject.musculature.activation.curves.retain(|curves| curves.clip != name);
        subject.musculature.activation.curves.push(keyed);
        subject.gltf.set_musculature(&subject.origin, &subject.musculature);
        output::write(&self.output, &subject.bytes_for(&self.output)?)?;
        if let Some(folder) = &self.plots {
            plots::write(folder, &subject, &name, &driven)?;
        }
        self.report(&subject, &driven, measured.as_ref(), start.elapsed().as_secs_f64(), ui)
    }

    /// The clip to explain; a captured motion becomes one.
    fn clip(&self, subject: &mut Subject) -> Result<usize, Failure> {
        if let Some(path) = &self.motion {
            return Motion::read(path)?.put_on(subject, path);
        }
        let all: Vec<&str> = subject.character.clips.iter().map(|clip| clip.name.as_str()).collect();
        match (&self.clip, all.len()) {
            (Some(wanted), _) => {
                let found = all.iter().position(|name| name == wanted);
                found.ok_or_else(|| names::unknown(&subject.file, "clip", wanted, &all))
            }
            (None, 1) => Ok(0),
            (None, 0) => {
                Err(Failure::input(&subject.file, "it has no clip to explain").cure("give it a captured --motion"))
            }
            (None, _) => Err(Failure::call("which clip is to be explained?")
                .cure(format!("use --clip with one of {}", all.join(", ")))),
        }
    }

    fn solve(&self, subject: &mut Subject, clip: usize, body: &Known, ui: &Ui) -> Result<Driven, Failure> {
        let (template, roles) = (Template::humanoid(), &body.found.roles);
        let lasts = f64::from(subject.character.clips[clip].duration());
        let emg = self.emg.read(subject, body.measured.is_some(), ui)?;
        let emg = emg.map(|mut of| {
            subject.warnings.append(&mut of.warnings);
            of.over(body.measured.map_or(0.0, Measured::start), lasts, f64::from(self.fps))
        });
        let emg = emg.transpose()?;
        let emg_at = |time: f64| emg.as_ref().map_or(Vec::new(), |of| of.at(time));
        let mass = self.mass.or_else(|| body.measured.and_then(Measured::mass));
        let pushes =
            body.measured.map(|of| of.pushes(self.forces.as_deref(), roles, mass.unwrap_or(1.0))).transpose()?;
        let pushes = pushes.flatten();
        if let Some(pushes) = pushes.as_ref().filter(|pushes| !pushes.cover(lasts)) {
            let [from, to] = pushes.span().map(|time| time.clamp(0.0, lasts));
            subject.warnings.push(format!(
                "forces were measured from {from:.2} to {to:.2} s of the {lasts:.2} s: at other times they are told from how the feet move"
            ));
        }
        let push = |time: f64, now: &[Rigid]| pushes.as_ref().and_then(|pushes| pushes.at(time, now));
        let carried = self.carried(subject, roles)?;
        let Subject { character, musculature, file, .. } = &*subject;
        let clip = &character.clips[clip];
        let given = Given {
            mass,
            carried: &carried,
            strengths: body.strengths,
            rate: f64::from(self.fps),
            low_pass: (self.cutoff > 0.0).then(|| LowPass { cutoff: self.cutoff, ..LowPass::default() }),
            pushes: pushes.is_some().then_some(&push),
            emg: emg.is_some().then_some(&emg_at),
            stronger: self.strength == Strength::Enough,
            ..Given::new(body.wear, roles, &template.ranges)
        };
        const STEPS: f32 = 100.0;
        let bar = ui.progress("Explaining", STEPS as usize);
        let progress = |done: f32| bar.set_position((done * STEPS) as u64);
        drive(character, musculature, clip, &given, progress).map_err(|error| match error {
            DriveError::Bind(error) => Failure::bind(file, &error),
            error => Failure::told(file.clone(), &error),
        })
    }

    /// Joints that carry something, and how many kg.
    fn carried(&self, subject: &Subject, roles: &Roles) -> Result<Vec<(usize, f64)>, Failure> {
        let mut carried = Vec::new();
        for text in &self.carry {
            let spelled =
                || Failure::call(format!("--carry {text:?} is no part and a mass")).cure("write it as in hand=10");
            let (part, mass) = text.rsplit_once('=').ok_or_else(spelled)?;
            let mass = kilograms(mass).map_err(|_| spelled())?;
            let role = Role::ALL.into_iter().find(|role| role.name() == part);
            let sides = role.into_iter().flat_map(|role| Side::BOTH.map(|side| roles.get(role, side)));
            let mut joints: Vec<usize> = sides.flatten().collect();
            joints.extend(subject.character.skeleton.find(part));
            joints.sort_unstable();
            joints.dedup();
            if joints.is_empty() {
                let joints: Vec<&str> = subject.character.skeleton.joints.iter().map(|joint| &*joint.name).collect();
                return Err(names::unknown(&subject.file, "joint", part, &joints));
            }
            carried.extend(joints.into_iter().map(|joint| (joint, mass)));
        }
        Ok(carried)
    }

    fn report(
        &self,
        subject: &Subject,
        driven: &Driven,
        measured: Option<&Measured>,
        seconds: f64,
        ui: &Ui,
    ) -> Result<(), Failure> {
        let n = subject.musculature.muscles.len();
        let peak = |m: usize| driven.activations.chunks(n).map(|row| row[m]).fold(0.0, f64::max);
        let mut peaks: Vec<(&str, f64)> =
            subject.musculature.muscles.iter().enumerate().map(|(m, muscle)| (&*muscle.name, peak(m))).collect();
        let felt = self.forces.is_some() || measured.is_some_and(Measured::has_plates);
        let warnings = self.warnings(subject, driven, felt);
        let (torque, residual) = (worst(&driven.torques), worst(&driven.reserves));
        let mass: f64 = driven.masses.iter().sum();
        let joints = subject.character.skeleton.joints.iter().zip(&driven.masses).filter(|(_, mass)| **mass > 0.0);
        let document = json!({
            "file": self.output.display().to_string(),
            "frames": driven.times.len(),
            "muscles": n,
            "peak_activation": peaks.iter().map(|(name, peak)| ((*name).to_owned(), json!(peak))).collect::<Map<_, _>>(),
            "peak_torque_nm": torque,
            "residual_nm": residual,
            "stronger": driven.stronger,
            "mass_kg": mass,
            "segments_kg": joints.map(|(joint, mass)| (joint.name.clone(), json!(mass))).collect::<Map<String, Value>>(),
            "markers": measured.map_or(Value::Null, Measured::residuals),
            "touching": driven.touching,
            "unexplained_n": driven.unexplained,
            "seconds": seconds,
            "warnings": warnings,
        });
        peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
        let carries = !self.carry.is_empty();
        let mut text = format!(
            "{}: {} frames in {seconds:.2} s; {mass:.1} kg{}; the floor is touched in {:.0} % of them\n\
             {}\n\
             torques up to {torque:.0} N m, of which muscles leave {residual:.1} N m; the hardest worked:\n",
            self.output.display(),
            driven.times.len(),
            match (self.mass, &self.markers) {
                _ if carries => " with what it carries",
                (Some(_), _) => "",
                (None, Some(_)) => " as its model",
                (None, None) => " by the volume of its skin",
            },
            100.0 * driven.touching,
            heaviest(subject, driven)
        );
        for (name, peak) in peaks.iter().take(LISTED) {
            let _ = writeln!(text, "  {name:<34} {:>4.0} %", 100.0 * peak);
        }
        warnings.iter().for_each(|warning| ui.say(format!("warning: {warning}")));
        ui.result(&document, Some(&text))
    }

    fn warnings(&self, subject: &Subject, driven: &Driven, felt: bool) -> Vec<String> {
        let mut warnings = subject.warnings.clone();
        let mass: f64 = driven.masses.iter().sum();
        if self.mass.is_none() && self.markers.is_none() {
            let with = if self.carry.is_empty() { "" } else { ", with what it carries" };
            warnings.push(format!(
                "nobody said what the body weighs: {mass:.1} kg by the volume of its skin{with}; --mass tells"
            ));
        }
        if !felt {
            warnings.push("nobody measured what the ground does: it is told from how the feet move".into());
        }
        if driven.stronger > 1.0 {
            let times = driven.stronger;
            warnings.push(format!(
                "muscles are taken for {times:.0} times as strong as they are, or they could not make it"
            ));
        }
        let n = driven.motions.len();
        for (k, motion) in driven.motions.iter().enumerate() {
            let most = |of: &[f64]| of.chunks(n).map(|row| row[k].abs()).fold(0.0, f64::max);
            let (torque, left) = (most(&driven.torques), most(&driven.reserves));
            if left > TOO_WEAK * torque.max(20.0) {
                let joint = &subject.character.skeleton.joints[motion.joint].name;
                let what = format!("{joint} needs up to {torque:.0} N m of {}", motion.motion);
                warnings.push(format!("{what}, and its muscles miss it by up to {left:.0} N m"));
            }
        }
        if driven.unexplained > UNEXPLAINED * 9.81 * mass {
            let force = driven.unexplained;
            warnings.push(format!("{force:.0} N (rms) that move the body are explained by nothing under its feet"));
        }
        warnings
    }
}

/// The masses that were assumed, the heaviest first.
fn heaviest(subject: &Subject, driven: &Driven) -> String {
    let joints = subject.character.skeleton.joints.iter().zip(&driven.masses);
    let mut masses: Vec<(&str, f64)> = joints.map(|(joint, mass)| (&*joint.name, *mass)).collect();
    masses.sort_by(|a, b| b.1.total_cmp(&a.1));
    let listed: Vec<String> = masses.iter().take(LISTED).map(|(name, mass)| format!("{name} {mass:.1}")).collect();
    format!("of which, kg: {}", listed.join(", "))
}

/// What tenses muscles in the course of the clip already, n_time x n_muscle: drivers and tension, not curves.
fn already(subject: &Subject, clip: usize, driven: &Driven) -> Result<Vec<f32>, Failure> {
    let mut musculature = subject.musculature.clone();
    musculature.activation.curves.clear();
    if musculature.activation.is_default() {
        return Ok(Vec::new());
    }
    let body = Body::bind(&subject.character, &musculature).map_err(|error| Failure::bind(&subject.file, &error))?;
    let (mut state, mut rows) = (BodyState::new(&body), Vec::new());
    for &time in &driven.times {
        let pose = posed(&subject.character.skeleton, &subject.character.clips[clip], time as f32);
        let mut input = StepInput::new(&pose, 0.0);
        input.detail = Detail::MUSCLES;
        body.step(&mut state, &input);
        rows.extend_from_slice(state.activations());
    }
    Ok(rows)
}

fn worst(of: &[f64]) -> f64 {
    of.iter().fold(0.0, |most, x| most.max(x.abs()))
}

fn kilograms(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mass) if mass > 0.0 && mass <= 1e6 => Ok(mass),
        _ => Err("a mass is above 0 and at most 1000000 kg".into()),
    }
}

fn hertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cutoff) if (0.0..=1000.0).contains(&cutoff) => Ok(cutoff),
        _ => Err("a cut-off is 0 to 1000 Hz".into()),
    }
}
