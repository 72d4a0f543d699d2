//! `fusiform picture`: look at a character.

use crate::activation::{self, Activation};
use crate::draw::{Look, Panel, Set, Size};
use crate::failure::Failure;
use crate::measure::Comparison;
use crate::play::Player;
use crate::scene::Show;
use crate::source::{Source, Subject};
use crate::surroundings::Around;
use crate::ui::{self, Ui};
use crate::{names, output};
use fusiform::{Clip, Detail, Physique};
use fusiform_picture::{MAX_SIDE, Quality, View};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Moments on a contact sheet.
const SHEET: usize = 8;
/// Browsers slow down an animation of more frames per second.
const GIF_FPS: u16 = 50;

/// Look at a character: a still, a contact sheet or an animation
#[derive(Debug, clap::Args)]
#[command(after_help = "Without --time a still shows the clip's moment of greatest difference from plain skinning.

Examples:
  fusiform picture athlete -o athlete.png --show both --view three-quarter-back
  fusiform picture athlete -o flex.png --clip flex --compare
  fusiform picture athlete -o squat.png --clip squat --sheet
  fusiform picture athlete -o landing.gif --clip jump_landing --show both --physique jelly
  fusiform picture athlete -o biceps.png --show weights --muscle 'biceps*'")]
pub struct Picture {
    /// A .glb or .gltf file, `athlete`, or `athlete:VERTICES`
    #[arg(value_name = "IN")]
    input: Source,
    /// Picture to write: .png, or .gif to animate the clip
    #[arg(short, long, value_name = "FILE", value_parser = picture_file)]
    output: PathBuf,
    /// Clip to play; without it the character rests
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// Moment of the clip, in seconds; the clip is played up to it
    #[arg(long, value_name = "S", requires = "clip", conflicts_with = "sheet", allow_negative_numbers = true)]
    time: Option<f32>,
    /// What to show
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Show::Skin)]
    show: Show,
    /// Where to look from: front, back, left, right, three-quarter, three-quarter-back, top, or degrees as in 35,10
    #[arg(long, value_name = "VIEW", default_value = "three-quarter", allow_hyphen_values = true)]
    view: View,
    /// Pixels of the picture, or of each panel of several [default: what suits the motion]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Plain skinning beside muscles beside their difference, and the difference in numbers
    #[arg(long)]
    compare: bool,
    /// Contact sheet over the whole clip
    #[arg(long, requires = "clip")]
    sheet: bool,
    /// How the body is built: athlete, brute, gaunt or jelly
    #[arg(long, value_name = "NAME", value_parser = physique)]
    physique: Option<Physique>,
    /// How hard muscles contract, 0 to 1: for all, or for those that fit, as in 'biceps*=1'; may be repeated
    #[arg(long, value_name = "[GLOB=]X")]
    activation: Vec<Activation>,
    /// Muscles whose weights to show
    #[arg(long, value_name = "GLOB", default_value = "*")]
    muscle: String,
    /// Frames per second to play, and to show in a GIF [default: 60; in a GIF 25, and 50 at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    fps: Option<u16>,
    #[command(flatten)]
    around: Around,
}

impl Picture {
    /// Play, draw, write, say.
    pub fn run(mut self, ui: &Ui) -> Result<(), Failure> {
        let animated = self.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"));
        self.check(animated)?;
        output::check(&self.output)?;
        let mut subject = self.input.load(ui)?;
        subject.musculature.physique = self.physique.take().unwrap_or(subject.musculature.physique);
        let clip = self.clip.as_deref().map(|name| find_clip(&subject, name)).transpose()?;
        self.check_time(&subject, clip)?;
        let fps = f32::from(self.fps.unwrap_or(if animated { 25 } else { 60 }));
        let levels = activation::levels(&self.activation, &subject)?;
        let surroundings = self.around.surroundings(&subject)?;
        let mut player = Player::among(&subject, clip, levels, fps, surroundings)?;
        let look = self.look(&subject, animated)?;
        let moment = self.time.unwrap_or_else(|| if clip.is_some() { player.peak().0 } else { 0.0 });
        let bytes = self.draw(&look, &mut player, moment, animated, ui)?;
        output::write(&self.output, &bytes)?;
        self.report(&mut player, moment, bytes.len(), ui)
    }

    /// What clap cannot see: the kind of file and the clip together.
    fn check(&self, animated: bool) -> Result<(), Failure> {
        let wrong = |what: &str| Failure::call(format!("a GIF animates a clip: {what}")).at("-o");
        match animated {
            true if self.clip.is_none() => Err(wrong("--clip is missing").cure("add --clip NAME, or write a .png")),
            true if self.time.is_some() => {
                Err(wrong("--time has no meaning").cure("leave out --time, or write a .png"))
            }
            true if self.fps.is_some_and(|fps| fps > GIF_FPS) => {
                Err(wrong(&format!("it shows at most {GIF_FPS} frames a second")).cure("use a lower --fps"))
            }
            true if self.sheet => Err(wrong("--sheet has no meaning").cure("leave out --sheet, or write a .png")),
            _ => Ok(()),
        }
    }

    fn check_time(&self, subject: &Subject, clip: Option<&Clip>) -> Result<(), Failure> {
        let (Some(time), Some(clip)) = (self.time, clip) else { return Ok(()) };
        let seconds = clip.duration();
        if (0.0..=seconds).contains(&time) {
            return Ok(());
        }
        Err(Failure::input(&subject.file, format!("the clip has no moment {time} s; it lasts {seconds:.2} s"))
            .at(format!("clip {:?}", clip.name))
            .cure(format!("choose --time from 0 to {seconds:.2}")))
    }

    fn look(&self, subject: &Subject, animated: bool) -> Result<Look, Failure> {
        let side = match (self.sheet, self.compare, animated) {
            (false, false, false) => 900,
            (false, true, false) => 640,
            (false, false, true) => 440,
            (false, true, true) => 330,
            (true, false, _) => 340,
            (true, true, _) => 260,
        };
        let panels = match self.compare {
            true => vec![Panel::Plain, Panel::Muscled(self.show), Panel::Difference],
            false => vec![Panel::Muscled(self.show)],
        };
        Ok(Look {
            panels,
            muscles: activation::muscles_named(&self.muscle, subject)?,
            view: self.view,
            size: self.size.map_or(Size::About(side), |[width, height]| Size::Exactly(width, height)),
            quality: if animated { Quality::draft() } else { Quality::good() },
        })
    }

    fn draw(&self, look: &Look, player: &mut Player, moment: f32, animated: bool, ui: &Ui) -> Result<Vec<u8>, Failure> {
        if animated {
            let (times, fps) = (player.frames(), player.fps());
            let set = Set::survey(look, player, &times)?;
            let bar = ui.progress("Drawing", times.len());
            return set.animation(player, &times, fps, || bar.inc(1));
        }
        if self.sheet {
            let times = spread(&(0.0..=player.duration()), SHEET);
            let set = Set::survey(look, player, &times)?;
            let bar = ui.progress("Drawing", times.len() * look.panels.len());
            let sheet = set.sheet(player, &times, || bar.inc(1))?;
            return Ok(sheet.title(&self.title(player))?.png()?);
        }
        let strip = Set::survey(look, player, &[moment])?.strip(player)?;
        let titled = if look.panels.len() > 1 { strip.title(&self.moment_title(player, moment))? } else { strip };
        Ok(titled.png()?)
    }

    fn title(&self, player: &Player) -> String {
        let name = &player.character().name;
        let clip = |clip: &String| format!("{name}: {}", clip.replace('_', " "));
        self.clip.as_ref().map_or_else(|| format!("{name} at rest"), clip)
    }

    fn moment_title(&self, player: &Player, moment: f32) -> String {
        let title = self.title(player);
        if self.clip.is_some() { format!("{title} at {moment:.2} s") } else { title }
    }

    fn report(&self, player: &mut Player, moment: f32, n_byte: usize, ui: &Ui) -> Result<(), Failure> {
        ui.say(format!("{}  {}", self.output.display(), ui::bytes(n_byte as u64)));
        let mut document = Map::new();
        document.insert("files".into(), json!([self.output.display().to_string()]));
        document.insert("time".into(), json!(self.clip.as_ref().map(|_| moment)));
        if self.compare {
            player.seek(moment, Detail::default());
            let comparison = Comparison::new(player);
            ui.say(words(&comparison, &self.moment_title(player, moment)));
            document.extend(comparison.json());
        }
        ui.result(&Value::Object(document), None)
    }
}

/// A comparison for people.
fn words(comparison: &Comparison, title: &str) -> String {
    let percent = comparison.volume_change.map(|change| format!("{:+.1} %", 100.0 * change));
    let mut text = format!(
        "{title}: the skin is up to {:.1} mm from plain skinning, {:.2} mm on average\n\
         volume since bind {} plain, {} with muscles; flipped triangles {} plain, {} with muscles",
        comparison.max_mm, comparison.mean_mm, percent[0], percent[1], comparison.flipped[0], comparison.flipped[1],
    );
    if let Some((name, [plain, muscled])) = comparison.most_grown() {
        text += &format!("\ngirth that grew most: {name}, {plain:.1} cm plain, {muscled:.1} cm with muscles");
    }
    text
}

/// Evenly spread moments, first and last included.
pub fn spread(seconds: &RangeInclusive<f32>, n: usize) -> Vec<f32> {
    let share = |i: usize| i as f32 / (n - 1).max(1) as f32;
    (0..n).map(|i| seconds.start() + (seconds.end() - seconds.start()) * share(i)).collect()
}

/// The clip of that name, or what there is.
pub fn find_clip<'a>(subject: &'a Subject, name: &str) -> Result<&'a Clip, Failure> {
    let clips: Vec<&str> = subject.character.clips.iter().map(|clip| clip.name.as_str()).collect();
    subject.character.clip(name).ok_or_else(|| names::unknown(&subject.file, "clip", name, &clips))
}

fn picture_file(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("png" | "gif") => Ok(path.to_owned()),
        _ => Err("a picture is a .png or a .gif".into()),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.trim().parse::<u32>().ok().filter(|side| (16..=MAX_SIDE).contains(side));
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| format!("write width and height in pixels, such as 800x1000, each from 16 to {MAX_SIDE}"))
}

fn physique(name: &str) -> Result<Physique, String> {
    Physique::named(name).ok_or_else(|| format!("there are: {}", Physique::NAMES.join(", ")))
}
