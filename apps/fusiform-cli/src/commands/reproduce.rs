//! `fusiform reproduce`: a paper's figures, made again.

mod arm;
mod leg;
mod motion;

use crate::commands::picture::find_clip;
use crate::failure::Failure;
use crate::output;
use crate::source::{Source, Subject};
use crate::ui::Ui;
use arm::CoContraction;
use fusiform::Musculature;
use fusiform::musculature::{Tissue, TissueIntegrator};
use fusiform_athlete::VERTICES;
use fusiform_fit::{FAT, Preset, Roles, Template, rig, sort_meshes};
use fusiform_picture::plot::{Line, Panel, Plot};
use leg::{Jiggle, Side, Trajectory};
use motion::Smooth;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Keys a second of the athlete's clips.
const KEYS: f32 = 60.0;
/// Moment of the double biceps, seconds.
const FLEXED: f32 = 1.15;
/// What counts as fast in the landing, Hz. The paper prints 100, above anything that its own curves show.
const FAST: f64 = 8.0;

/// Make a paper's figures again, as a page with plots and numbers
#[derive(Debug, clap::Args)]
#[command(after_help = "Writes DIR/murai.md and the plots it shows in DIR/murai.

Example:
  fusiform reproduce murai -o docs")]
pub struct Reproduce {
    /// Which paper
    #[arg(value_enum)]
    paper: Paper,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Vertices of the athlete's skin
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = vertices)]
    vertices: usize,
}

/// The papers whose figures can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Paper {
    /// Dynamic skin deformation by a musculoskeletal model and soft tissue (2016)
    Murai,
}

fn vertices(text: &str) -> Result<usize, String> {
    let wrong = || format!("the athlete has {} to {} vertices", VERTICES.start(), VERTICES.end());
    text.parse().ok().filter(|n| VERTICES.contains(n)).ok_or_else(wrong)
}

/// The landing: skin of calf and shin with and without dynamics, and of a body that is less muscular.
struct Landing {
    calf: [Trajectory; 2], // with, without
    thin: Trajectory,
    jiggles: Vec<(&'static str, Jiggle)>,
    size: (usize, usize),
}

impl Reproduce {
    /// Rig, play, measure, plot, write, say.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let Paper::Murai = self.paper;
        let start = Instant::now();
        let folder = self.output.join("murai");
        output::create_folder(&folder)?;
        let subject = rigged(&Source::Athlete(self.vertices).load(ui)?)?;
        let flex = Smooth::new(&subject.character, find_clip(&subject, "flex")?, KEYS);
        let arm = arm::co_contract(&subject, &flex, FLEXED)?;
        let landing = self.landing(&subject, ui)?;
        let plots =
            [("arm.svg", arm_plot(&arm)), ("landing.svg", landing_plot(&landing)), ("lean.svg", lean_plot(&landing))];
        for (name, plot) in &plots {
            output::write(&folder.join(name), plot.to_svg().as_bytes())?;
        }
        let page = self.page(&subject, &arm, &landing);
        output::write(&self.output.join("murai.md"), page.as_bytes())?;
        let jiggle = |(name, of): &(&str, Jiggle)| json!({ "where": name, "peak_mm": of.peak, "frequency_hz": of.frequency, "decay_s": of.decay });
        let files: Vec<String> = plots.iter().map(|(name, _)| format!("murai/{name}")).collect();
        let document = json!({
            "files": files,
            "girth_cm": arm.range(),
            "landing": landing.jiggles.iter().map(jiggle).collect::<Vec<Value>>(),
            "particles": landing.size.0,
            "springs": landing.size.1,
            "seconds": start.elapsed().as_secs_f64(),
        });
        let people = format!("{}\n", self.output.join("murai.md").display());
        ui.result(&document, Some(&people))
    }

    fn landing(&self, subject: &Subject, ui: &Ui) -> Result<Landing, Failure> {
        let motion = Smooth::new(&subject.character, find_clip(subject, "jump_landing")?, KEYS);
        let [calf, shin] = [leg::markers(subject, Side::Calf)?, leg::markers(subject, Side::Shin)?];
        let groups: [&[usize]; 2] = [&calf, &shin];
        let bar = ui.progress("Landing", 5 * leg::frames(&motion));
        let own = &subject.musculature;
        let lean = leg::with_tissue(own, |tissue| tissue.muscularity = 0.75);
        let follow = |musculature: &Musculature| leg::follow(subject, musculature, &motion, &groups, &bar);
        let [with, still, thin] = [follow(own)?, follow(&leg::without_tissue(own))?, follow(&lean)?];
        let mut jiggles = vec![
            ("calf", with[0].jiggle(&still[0])),
            ("shin", with[1].jiggle(&still[1])),
            ("calf, bellies 25 % thinner", thin[0].jiggle(&still[0])),
        ];
        let verlet = leg::with_tissue(own, |tissue| tissue.integrator = TissueIntegrator::Verlet);
        jiggles.push(("calf, velocity Verlet", follow(&verlet)?[0].jiggle(&still[0])));
        let printed = leg::with_tissue(own, |tissue| *tissue = Tissue::default());
        jiggles.push(("calf, Table 1 as printed", follow(&printed)?[0].jiggle(&still[0])));
        let body =
            fusiform::Body::bind(&subject.character, own).map_err(|error| Failure::bind(&subject.file, &error))?;
        let first = |trajectories: Vec<Trajectory>| trajectories.into_iter().next();
        let (Some(with), Some(still), Some(thin)) = (first(with), first(still), first(thin)) else {
            return Err(Failure::input(&subject.file, "it has no calf"));
        };
        Ok(Landing {
            calf: [with, still],
            thin,
            jiggles,
            size: body.tissue().map_or((0, 0), |of| (of.masses.len(), of.springs.len())),
        })
    }

    fn page(&self, subject: &Subject, arm: &CoContraction, landing: &Landing) -> String {
        let [low, high] = arm.range();
        let (particles, springs) = landing.size;
        let peak = |name: &str| landing.jiggles.iter().find(|row| row.0 == name).map_or(f64::NAN, |row| row.1.peak);
        let (calf, shin, thin) = (peak("calf"), peak("shin"), peak("calf, bellies 25 % thinner"));
        let rows: String = landing
            .jiggles
            .iter()
            .map(|(name, j)| format!("| {name} | {:.2} | {:.1} | {:.2} |\n", j.peak, j.frequency, j.decay))
            .collect();
        format!(
            "# Murai et al. 2016, figures made again\n\n\
             Written by `fusiform reproduce murai -o docs`: the athlete with {} vertices and {} muscles, rigged with `--preset \
             murai`; tissue of {particles} particles and {springs} springs, {} kg.\n\
             Nobody measured the athlete: these pages show that what the paper describes happens here too, not that it is \
             right to the millimetre. Numbers from real markers come from `fusiform identify`.\n\n\
             ## Figure 4: an arm held still, biceps and triceps pulling\n\n\
             The double biceps pose of `flex`, held. Activation rises and falls twice; no joint moves. The girth of the left \
             upper arm goes from {low:.2} to {high:.2} cm.\n\n![activation and girth over time](murai/arm.svg)\n\n\
             ## Figure 6: a landing, seen from the shank\n\n\
             The mean of 16 points on the calf in `jump_landing`, at {} samples a second; with tissue, and without (muscles \
             alone). The last panel is what of y is faster than {FAST} Hz (the paper prints a cut-off of 100 Hz, above \
             anything its own curve shows).\n\n![trajectories of the calf](murai/landing.svg)\n\n\
             | | peak, mm | frequency, Hz | decay, s |\n|---|---|---|---|\n{rows}\n\
             Peak: farthest from where the same skin is without tissue. Decay: from the peak until less than 1/e of it comes \
             back. Over the shin's bone the skin swings {:.2} times as far as over the calf. With the constants of Table 1 as \
             they are printed, skin ties bellies to bones and hardly swings; the preset has softer ones.\n\n\
             ## A body that is less muscular\n\n\
             Bellies 25 % thinner leave thicker, softer tissue: the calf swings {:.2} times as far.\n\n\
             ![the calf of both bodies](murai/lean.svg)\n",
            subject.character.vertex_count(),
            subject.musculature.muscles.len(),
            tissue_mass(subject),
            leg::RATE,
            shin / calf,
            thin / calf,
        )
    }
}

fn tissue_mass(subject: &Subject) -> f32 {
    let mass = |layer: &fusiform::musculature::Layer| match layer {
        fusiform::musculature::Layer::Tissue(tissue) => Some(tissue.mass),
        _ => None,
    };
    subject.musculature.layers.iter().find_map(mass).unwrap_or(0.0)
}

fn rigged(subject: &Subject) -> Result<Subject, Failure> {
    let character = &subject.character;
    let (roles, fat) = (Roles::find(&character.skeleton).roles, FAT * character.height());
    let rigged = rig(character, &sort_meshes(character), &roles, &Template::humanoid(), Preset::Murai, fat, |_| Ok(()))
        .map_err(|error| Failure::told(subject.file.clone(), &error))?;
    Ok(Subject { musculature: rigged.musculature, ..subject.clone() })
}

fn line(name: &str, points: Vec<[f64; 2]>) -> Line {
    Line { name: name.into(), points }
}

fn panel(title: &str, unit: &str, lines: Vec<Line>) -> Panel {
    Panel { title: title.into(), unit: unit.into(), lines }
}

fn arm_plot(arm: &CoContraction) -> Plot {
    let [biceps, triceps] = &arm.activation;
    Plot {
        title: "Co-contraction".into(),
        panels: vec![
            panel("Activation", "", vec![line("biceps", biceps.clone()), line("triceps", triceps.clone())]),
            panel("Girth of the upper arm", "cm", vec![line("", arm.girth.clone())]),
        ],
    }
}

fn landing_plot(landing: &Landing) -> Plot {
    let [with, without] = &landing.calf;
    let both =
        |of: &dyn Fn(&Trajectory) -> Vec<[f64; 2]>| vec![line("with tissue", of(with)), line("without", of(without))];
    let axes = ["x, to the left", "y, along the shank", "z, to the front"];
    let mut panels: Vec<Panel> =
        axes.iter().enumerate().map(|(k, name)| panel(name, "mm", both(&|of| of.line(k)))).collect();
    panels.push(panel("y, high-passed", "mm", both(&|of| of.high_passed(1, FAST))));
    Plot { title: "Calf in the shank's frame".into(), panels }
}

fn lean_plot(landing: &Landing) -> Plot {
    let lines = |axis: usize| {
        vec![
            line("as it is", landing.calf[0].high_passed(axis, FAST)),
            line("less muscular", landing.thin.high_passed(axis, FAST)),
        ]
    };
    let panels = vec![panel("y, high-passed", "mm", lines(1)), panel("z, high-passed", "mm", lines(2))];
    Plot { title: "Bellies 25 % thinner".into(), panels }
}
