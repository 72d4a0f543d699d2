//! `fusiform demo`: the whole thing on the built-in athlete.

mod presets;

use super::bake::millimetres;
use super::picture::{find_clip, spread};
use crate::draw::{Look, Panel, Set, Size};
use crate::failure::Failure;
use crate::output;
use crate::play::Player;
use crate::scene::Show;
use crate::source::{ATHLETE_VERTICES, Source, Subject};
use crate::ui::{self, Ui, grouped};
use fusiform_athlete::VERTICES;
use fusiform_bake::{BakeSettings, Baked, BakedClip, Rigged, Surroundings, bake_morphs};
use fusiform_picture::{PAGE, Picture, Quality, View, grid, stack};
use indicatif::ProgressBar;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Frames per second of the animation.
const GIF_FPS: f32 = 25.0;
/// Frames per second of everything else.
const FPS: f32 = 60.0;
/// Moments on a contact sheet.
const SHEET: usize = 5;

/// Show the whole thing on the built-in athlete: pictures, an animation, a bake, timings
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  fusiform demo
  fusiform demo -o pictures --json
  fusiform demo --compare-presets -o presets")]
pub struct Demo {
    /// Folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "fusiform-demo")]
    output: PathBuf,
    /// Play the same curl, squat and landing with plain skinning and every preset, side by side and in numbers, instead
    #[arg(long)]
    compare_presets: bool,
    /// Vertices of the athlete's skin
    #[arg(long, value_name = "N", default_value_t = ATHLETE_VERTICES, value_parser = vertices, allow_negative_numbers = true)]
    vertices: usize,
    /// Size of the pictures in percent: smaller is faster
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(5..=400))]
    size: u32,
}

/// What every part of the demo is made of.
struct Stage<'a> {
    subject: &'a Subject,
    percent: u32,
    bar: ProgressBar,
}

impl Stage<'_> {
    fn pixels(&self, side: u32) -> u32 {
        (side * self.percent / 100).max(16)
    }
}

/// A part of a clip.
type Seconds = std::ops::RangeInclusive<f32>;

/// A file of the demo: its name and how it is made.
type Part = (&'static str, fn(&Stage) -> Result<Vec<u8>, Failure>);

const PARTS: [Part; 5] =
    [("rest.png", rest), ("anatomy.png", anatomy), ("flex.png", flex), ("land.png", land), ("landing.gif", landing)];

impl Demo {
    /// Grow the athlete, draw it, time it.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        let start = Instant::now();
        output::create_folder(&self.output)?;
        if self.compare_presets {
            return self.compare(start, ui);
        }
        for name in PARTS.map(|(name, _)| name).into_iter().chain([BAKE]) {
            output::check(&self.output.join(name))?;
        }
        let subject = Source::Athlete(self.vertices).load(ui)?;
        let frame_us = median_frame(&subject)?;
        let gif_frames = GIF_FPS * (LANDING_SECONDS.end() - LANDING_SECONDS.start());
        let bar = ui.progress("Drawing", 8 + 6 * SHEET + gif_frames as usize);
        let stage = Stage { subject: &subject, percent: self.size, bar };
        let mut files = Vec::new();
        for (name, make) in PARTS {
            let path = self.output.join(name);
            let bytes = make(&stage)?;
            output::write(&path, &bytes)?;
            stage.bar.suspend(|| ui.say(format!("{}  {}", path.display(), ui::bytes(bytes.len() as u64))));
            files.push(path);
        }
        stage.bar.finish_and_clear();
        let path = self.output.join(BAKE);
        let baked = bake(&subject)?;
        output::write(&path, &baked.bytes)?;
        let BakedClip { targets, error, .. } = baked.clips[0];
        ui.say(format!(
            "{}  {}: {BAKED} in {targets} morph targets, error at most {:.3} mm, rms {:.3} mm",
            path.display(),
            ui::bytes(baked.bytes.len() as u64),
            1e3 * error.max,
            1e3 * error.rms,
        ));
        files.push(path);
        self.report(&subject, &files, &baked.clips[0], frame_us, start.elapsed().as_secs_f64(), ui)
    }

    fn compare(&self, start: Instant, ui: &Ui) -> Result<(), Failure> {
        let files = [PRESETS_PICTURE, PRESETS_PAGE].map(|name| self.output.join(name));
        files.iter().try_for_each(|file| output::check(file))?;
        let subject = Source::Athlete(self.vertices).load(ui)?;
        let bar = ui.progress("Drawing", presets::PICTURES);
        let page = presets::compare(&subject, (620 * self.size / 100).max(16), PRESETS_PICTURE, &bar)?;
        bar.finish_and_clear();
        output::write(&files[0], &page.picture.png()?)?;
        output::write(&files[1], page.html.as_bytes())?;
        let seconds = start.elapsed().as_secs_f64();
        let people = format!("{seconds:.1} s in all; open {}\n", files[1].display());
        let document = json!({
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "presets": page.rows,
            "vertices": subject.character.vertex_count(),
            "seconds": seconds,
        });
        ui.result(&document, Some(&people))
    }

    fn report(
        &self,
        subject: &Subject,
        files: &[PathBuf],
        baked: &BakedClip,
        frame_us: f64,
        seconds: f64,
        ui: &Ui,
    ) -> Result<(), Failure> {
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
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "frame_us": frame_us,
            "bake": {
                "clip": BAKED, "targets": baked.targets,
                "max_error_mm": millimetres(baked.error.max), "rms_error_mm": millimetres(baked.error.rms),
            },
            "vertices": vertices,
            "muscles": muscles,
            "joints": joints,
            "threads": threads,
            "seconds": seconds,
        });
        ui.result(&document, None)
    }
}

fn vertices(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| VERTICES.contains(count));
    count.ok_or_else(|| format!("write a number from {} to {}", VERTICES.start(), VERTICES.end()))
}

/// The comparison of presets: its picture and its page.
const PRESETS_PICTURE: &str = "presets.png";
const PRESETS_PAGE: &str = "presets.html";

/// The clip that is baked, and its file.
const BAKED: &str = "flex";
const BAKE: &str = "flex.glb";

fn bake(subject: &Subject) -> Result<Baked, Failure> {
    let clip = subject.character.clips.iter().position(|clip| clip.name == BAKED).unwrap_or(0);
    let Subject { gltf, origin, character, musculature, .. } = subject;
    let settings = BakeSettings {
        fps: 30.0,
        tolerance: 0.5e-3,
        max_targets: 64,
        looped: None,
        activation: Vec::new(),
        surroundings: Surroundings::default(),
    };
    let baked = bake_morphs(Rigged { gltf, origin, character, musculature }, &[clip], &settings, |_| Ok(()));
    baked.map_err(|error| Failure::bake(&subject.file, &error))
}

const LANDING: &str = "jump_landing";
/// From the top of the jump until everything is quiet again.
const LANDING_SECONDS: Seconds = 1.0..=2.4;
/// Arms up and down again.
const FLEX_SECONDS: Seconds = 0.4..=2.6;

/// Median wall time of a frame over the busiest clip, microseconds.
fn median_frame(subject: &Subject) -> Result<f64, Failure> {
    let mut player = Player::new(subject, Some(find_clip(subject, "combo")?), Vec::new(), FPS)?;
    let mut times = player.frame_times();
    times.sort_unstable();
    Ok(times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6))
}

fn look(panels: Vec<Panel>, view: View, size: Size, quality: Quality) -> Look {
    Look { panels, muscles: Vec::new(), view, size, quality }
}

/// The rest pose from several sides, each panel named.
fn around(stage: &Stage, shots: &[(Show, View, &str)]) -> Result<Picture, Failure> {
    let mut player = Player::new(stage.subject, None, Vec::new(), FPS)?;
    let mut panels = Vec::new();
    for &(show, view, name) in shots {
        let look = look(vec![Panel::Muscled(show)], view, Size::High(stage.pixels(760)), Quality::good());
        let picture = Set::survey(&look, &mut player, &[0.0])?.strip(&player)?;
        let caption = caption(name, picture.width, stage.pixels(560))?;
        panels.push(stack(&[picture, caption])?);
        stage.bar.inc(1);
    }
    Ok(grid(&panels, panels.len())?)
}

/// A caption in letters that suit a picture of width `reference`, for pictures of several widths in one row.
fn caption(text: &str, width: u32, reference: u32) -> Result<Picture, Failure> {
    let wide = Picture::filled(width.max(reference), 1, PAGE).label(text)?;
    let left = (wide.width - width) / 2;
    let rows = wide.pixels.chunks_exact(wide.width as usize * 3);
    let pixels = rows.flat_map(|row| &row[left as usize * 3..(left + width) as usize * 3]).copied().collect();
    Ok(Picture { width, height: wide.height, pixels })
}

fn rest(stage: &Stage) -> Result<Vec<u8>, Failure> {
    let views = [View::Front, View::Left, View::Back, View::ThreeQuarter];
    let names = ["front", "left", "back", "three-quarter"];
    let shots: Vec<_> = views.into_iter().zip(names).map(|(view, name)| (Show::Skin, view, name)).collect();
    Ok(around(stage, &shots)?.png()?)
}

fn anatomy(stage: &Stage) -> Result<Vec<u8>, Failure> {
    let shots = [
        (Show::Muscles, View::Front, "muscles"),
        (Show::Muscles, View::Back, "muscles from behind"),
        (Show::Both, View::ThreeQuarter, "under the skin"),
        (Show::Both, View::ThreeQuarterBack, "under the skin from behind"),
    ];
    Ok(around(stage, &shots)?.png()?)
}

/// Plain skinning, muscles and their difference over a clip.
fn compared(stage: &Stage, clip: &str, seconds: Seconds, view: View) -> Result<Vec<u8>, Failure> {
    let clip = find_clip(stage.subject, clip)?;
    let mut player = Player::new(stage.subject, Some(clip), Vec::new(), FPS)?;
    let panels = vec![Panel::Plain, Panel::Muscled(Show::Skin), Panel::Difference];
    let look = look(panels, view, Size::About(stage.pixels(320)), Quality::good());
    let times = spread(&seconds, SHEET);
    let sheet = Set::survey(&look, &mut player, &times)?.sheet(&mut player, &times, || stage.bar.inc(1))?;
    Ok(sheet.title(&format!("athlete: {}", clip.name.replace('_', " ")))?.png()?)
}

fn flex(stage: &Stage) -> Result<Vec<u8>, Failure> {
    compared(stage, "flex", FLEX_SECONDS, View::Front)
}

fn land(stage: &Stage) -> Result<Vec<u8>, Failure> {
    compared(stage, LANDING, LANDING_SECONDS, View::ThreeQuarter)
}

fn landing(stage: &Stage) -> Result<Vec<u8>, Failure> {
    let mut player = Player::new(stage.subject, Some(find_clip(stage.subject, LANDING)?), Vec::new(), GIF_FPS)?;
    let panels = vec![Panel::Muscled(Show::Skin), Panel::Muscled(Show::Tension)];
    let look = look(panels, View::ThreeQuarter, Size::About(stage.pixels(300)), Quality::draft());
    let times: Vec<f32> = player.frames().into_iter().filter(|time| LANDING_SECONDS.contains(time)).collect();
    Set::survey(&look, &mut player, &times)?.animation(&mut player, &times, GIF_FPS, || stage.bar.inc(1))
}
