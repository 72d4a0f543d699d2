//! `fusiform demo`: the whole thing on the built-in athlete.

use super::picture::{find_clip, spread};
use crate::draw::{Look, Panel, Set, Size};
use crate::failure::Failure;
use crate::output;
use crate::play::Player;
use crate::scene::Show;
use crate::source::{ATHLETE_VERTICES, Source, Subject};
use crate::ui::{self, Ui, grouped};
use fusiform_picture::{Picture, Quality, View, grid};
use indicatif::ProgressBar;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Frames per second of the animation.
const GIF_FPS: f32 = 25.0;
/// Frames per second of everything else.
const FPS: f32 = 60.0;
/// Moments on a contact sheet.
const SHEET: usize = 6;

/// Show the whole thing on the built-in athlete: pictures, an animation, timings
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform demo
  fusiform demo -o pictures --json")]
pub struct Demo {
    /// Folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "fusiform-demo")]
    output: PathBuf,
    /// Vertices of the athlete's skin
    #[arg(long, value_name = "N", default_value_t = ATHLETE_VERTICES)]
    vertices: usize,
}

/// A file of the demo: its name and how it is made.
type Part = (&'static str, fn(&Subject, &ProgressBar) -> Result<Vec<u8>, Failure>);

const PARTS: [Part; 5] =
    [("rest.png", rest), ("anatomy.png", anatomy), ("flex.png", flex), ("land.png", land), ("landing.gif", landing)];

impl Demo {
    /// Grow the athlete, draw it, time it.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        output::create_folder(&self.output)?;
        let subject = Source::Athlete(self.vertices).load(ui)?;
        let frame_us = median_frame(&subject)?;
        let bar = ui.progress("Drawing", 8 + 6 * SHEET + (GIF_FPS * find_clip(&subject, LANDING)?.duration()) as usize);
        let mut files = Vec::new();
        for (name, make) in PARTS {
            let path = self.output.join(name);
            let bytes = make(&subject, &bar)?;
            output::write(&path, &bytes)?;
            bar.suspend(|| ui.say(format!("{}  {}", path.display(), ui::bytes(bytes.len() as u64))));
            files.push(path);
        }
        bar.finish_and_clear();
        self.report(&subject, &files, frame_us, start.elapsed().as_secs_f64(), ui)
    }

    fn report(&self, subject: &Subject, files: &[PathBuf], frame_us: f64, seconds: f64, ui: &Ui) -> Result<(), Failure> {
        let (vertices, muscles) = (subject.character.vertex_count(), subject.musculature.muscles.len());
        let joints = subject.character.skeleton.joints.len();
        let threads = rayon::current_num_threads();
        ui.say(format!(
            "{} vertices, {muscles} muscles, {joints} joints: {frame_us:.0} us a frame on {threads} threads\n\
             {seconds:.1} s in all; open {} first",
            grouped(vertices),
            files.first().map_or(Path::new(""), PathBuf::as_path).display(),
        ));
        let document = json!({
            "files": files,
            "frame_us": frame_us,
            "vertices": vertices,
            "muscles": muscles,
            "joints": joints,
            "threads": threads,
            "seconds": seconds,
        });
        ui.result(&document, None)
    }
}

const LANDING: &str = "jump_landing";

/// Median wall time of a frame over the busiest clip, microseconds.
fn median_frame(subject: &Subject) -> Result<f64, Failure> {
    let mut player = Player::new(subject, Some(find_clip(subject, "combo")?), Vec::new(), FPS)?;
    let mut times = player.frame_times();
    times.sort_unstable();
    Ok(times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6))
}

fn look(panels: Vec<Panel>, view: View, side: u32, quality: Quality) -> Look {
    Look { panels, muscles: Vec::new(), view, size: Size::About(side), quality }
}

/// The rest pose from several sides, each panel named.
fn around(subject: &Subject, shots: &[(Show, View, &str)], bar: &ProgressBar) -> Result<Picture, Failure> {
    let mut player = Player::new(subject, None, Vec::new(), FPS)?;
    let mut panels = Vec::new();
    for &(show, view, name) in shots {
        let look = look(vec![Panel::Muscled(show)], view, 620, Quality::good());
        panels.push(Set::survey(&look, &mut player, &[0.0]).strip(&player)?.label(name)?);
        bar.inc(1);
    }
    Ok(grid(&panels, panels.len())?)
}

fn rest(subject: &Subject, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let views = [View::Front, View::Left, View::Back, View::ThreeQuarter];
    let names = ["front", "left", "back", "three-quarter"];
    let shots: Vec<_> = views.into_iter().zip(names).map(|(view, name)| (Show::Skin, view, name)).collect();
    Ok(around(subject, &shots, bar)?.png()?)
}

fn anatomy(subject: &Subject, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let shots = [
        (Show::Muscles, View::Front, "muscles"),
        (Show::Muscles, View::Back, "muscles from behind"),
        (Show::Both, View::ThreeQuarter, "under the skin"),
        (Show::Both, View::ThreeQuarterBack, "under the skin from behind"),
    ];
    Ok(around(subject, &shots, bar)?.png()?)
}

/// Plain skinning, muscles and their difference over a clip.
fn compared(subject: &Subject, clip: &str, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let clip = find_clip(subject, clip)?;
    let mut player = Player::new(subject, Some(clip), Vec::new(), FPS)?;
    let panels = vec![Panel::Plain, Panel::Muscled(Show::Skin), Panel::Difference];
    let look = look(panels, View::ThreeQuarter, 300, Quality::good());
    let times = spread(player.duration(), SHEET);
    let sheet = Set::survey(&look, &mut player, &times).sheet(&mut player, &times, || bar.inc(1))?;
    Ok(sheet.title(&format!("athlete: {}", clip.name))?.png()?)
}

fn flex(subject: &Subject, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    compared(subject, "flex", bar)
}

fn land(subject: &Subject, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    compared(subject, LANDING, bar)
}

fn landing(subject: &Subject, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let mut player = Player::new(subject, Some(find_clip(subject, LANDING)?), Vec::new(), GIF_FPS)?;
    let panels = vec![Panel::Muscled(Show::Skin), Panel::Muscled(Show::Both)];
    let look = look(panels, View::ThreeQuarter, 340, Quality::draft());
    let times = player.frames();
    Set::survey(&look, &mut player, &times).animation(&mut player, &times, GIF_FPS, || bar.inc(1))
}
