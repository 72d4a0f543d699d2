//! `--emg`: what muscles were measured to do, over the frames of a motion.

use crate::failure::Failure;
use crate::source::Subject;
use crate::ui::Ui;
use fusiform_files::{c3d, csv};
use fusiform_motion::emg::{EmgError, Matched, Recipe, Recording, Unused, match_channels};
use std::path::{Path, PathBuf};

/// How many names a message lists.
const NAMED: usize = 12;

/// What was measured over muscles, and how it is taken.
#[derive(Debug, clap::Args)]
pub struct Emg {
    /// What the muscles were measured to do: channels of a .c3d, or columns of a .csv with a time column
    #[arg(long = "emg", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Which channel was measured over which muscle, where their names do not tell; may be repeated
    #[arg(long = "emg-map", value_name = "CHANNEL=MUSCLE", requires = "file")]
    map: Vec<String>,
    /// Side of channels whose names do not tell it
    #[arg(long = "emg-side", value_name = "SIDE", value_enum, requires = "file")]
    side: Option<Side>,
    /// What a channel's envelope reaches at full effort, in its own unit [default: its largest value]; may be repeated
    #[arg(long = "emg-max", value_name = "CHANNEL=VALUE", requires = "file")]
    maximum: Vec<String>,
    /// Rectify before the band-pass too, as Murai et al. do
    #[arg(long = "emg-rectify-first", requires = "file")]
    rectify_first: bool,
}

/// Of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    Left,
    Right,
}

/// A recording, and which of its channels speaks for which muscle.
pub struct Measured {
    file: String,
    recording: Recording,
    recipe: Recipe,
    channel_of: Vec<Option<usize>>,
    /// What was mended, and what is not used.
    pub warnings: Vec<String>,
}

/// The same at even times.
pub struct Sampled {
    rate: f64,
    rows: Vec<Vec<Option<f64>>>,
}

impl Emg {
    /// What there is. `on_its_clock`: whether the motion has the time of the laboratory, as markers do; a clip begins at 0,
    /// and so does what was recorded with it, whatever frame number the laboratory gave it.
    pub fn read(&self, subject: &Subject, on_its_clock: bool, ui: &Ui) -> Result<Option<Measured>, Failure> {
        let Some(path) = &self.file else { return Ok(None) };
        let file = path.display().to_string();
        let map = pairs(&self.map, "emg-map", "CHANNEL=MUSCLE")?;
        let recipe = Recipe { rectify_first: self.rectify_first, maximum: self.maximum()?, ..Recipe::default() };
        let (mut recording, mut warnings) = recording(path, &file, on_its_clock)?;
        let muscles: Vec<String> = subject.musculature.muscles.iter().map(|muscle| muscle.name.clone()).collect();
        let matched = self.matched(&recording.names, &muscles, &map).map_err(|error| Failure::told(&file, &error))?;
        let Matched { mut channel_of, unused } = matched;
        let unused = reasons(&unused, &recording.names);
        if channel_of.iter().all(Option::is_none) {
            return Err(Failure::input(file, format!("none of its channels speaks for a muscle: {unused}"))
                .cure("say which is which with --emg-map CHANNEL=MUSCLE, or which side all are on with --emg-side"));
        }
        for (m, channel) in channel_of.iter().enumerate() {
            channel.iter().for_each(|&c| ui.say(format!("  {} was measured by {:?}", muscles[m], recording.names[c])));
        }
        if !unused.is_empty() {
            warnings.push(format!("EMG channels that speak for no muscle: {unused}"));
        }
        // what others say, forces or gaps, is nothing to us
        let asked_for = |name: &String| recipe.maximum.iter().any(|(channel, _)| channel == name);
        let all = 0..recording.names.len();
        let kept: Vec<usize> =
            all.filter(|&c| channel_of.contains(&Some(c)) || asked_for(&recording.names[c])).collect();
        channel_of.iter_mut().flatten().for_each(|c| *c = kept.iter().position(|own| own == c).unwrap_or(*c));
        recording.samples = kept.iter().map(|&c| std::mem::take(&mut recording.samples[c])).collect();
        recording.names = kept.iter().map(|&c| std::mem::take(&mut recording.names[c])).collect();
        Ok(Some(Measured { file, recording, recipe, channel_of, warnings }))
    }

    /// Which channel speaks for which muscle; those that do not say which side they are on are on the one given.
    fn matched(&self, channels: &[String], muscles: &[String], map: &[(String, String)]) -> Result<Matched, EmgError> {
        let matched = match_channels(channels, muscles, map)?;
        let Some(side) = self.side else { return Ok(matched) };
        let mut names = channels.to_vec();
        for &(c, _) in matched.unused.iter().filter(|(_, why)| *why == Unused::BothSides) {
            names[c] += if side == Side::Left { " left" } else { " right" };
        }
        match_channels(&names, muscles, map)
    }

    fn maximum(&self) -> Result<Vec<(String, f64)>, Failure> {
        const SPELLED: &str = "CHANNEL=VALUE";
        let number = |(channel, text): (String, String)| match text.trim().parse() {
            Ok(value) => Ok((channel, value)),
            Err(_) => Err(misspelled(&format!("{channel}={text}"), "emg-max", SPELLED)),
        };
        pairs(&self.maximum, "emg-max", SPELLED)?.into_iter().map(number).collect()
    }
}

impl Measured {
    /// Over a motion that begins at that time of the recording's clock and lasts so many seconds.
    pub fn over(self, start: f64, duration: f64, rate: f64) -> Result<Sampled, Failure> {
        let n = (duration * rate).round() as usize + 1;
        let times: Vec<f64> = (0..n).map(|i| start + i as f64 / rate).collect();
        let activity = self.recording.activity(&self.recipe, &times);
        let activity = activity.map_err(|error| Failure::told(self.file.clone(), &error))?;
        let row = |frame: usize| {
            let mut row = vec![None; self.channel_of.len()];
            activity.of_muscles(frame, &self.channel_of, &mut row);
            row
        };
        Ok(Sampled { rate, rows: (0..n).map(row).collect() })
    }
}

impl Sampled {
    /// n_muscle.
    pub fn at(&self, time: f64) -> Vec<Option<f64>> {
        let frame = (time * self.rate).round() as usize;
        self.rows.get(frame.min(self.rows.len().saturating_sub(1))).cloned().unwrap_or_default()
    }
}

fn misspelled(text: &str, option: &str, spelled: &str) -> Failure {
    Failure::call(format!("--{option} {text:?} is no {spelled}")).cure(format!("write {spelled}"))
}

fn pairs(texts: &[String], option: &str, spelled: &str) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| {
        let (left, right) = text.rsplit_once('=').ok_or_else(|| misspelled(text, option, spelled))?;
        Ok((left.to_owned(), right.to_owned()))
    };
    texts.iter().map(pair).collect()
}

/// Channels that are not used, by the reason why.
fn reasons(unused: &[(usize, Unused)], names: &[String]) -> String {
    let of = |reason: Unused| {
        let own: Vec<String> =
            unused.iter().filter(|(_, why)| *why == reason).map(|&(c, _)| format!("{:?}", names[c])).collect();
        let more = own.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = own[..own.len().min(NAMED)].join(", ");
        (!own.is_empty()).then(|| format!("{shown}{more} ({reason})"))
    };
    let each = [Unused::Unknown, Unused::BothSides, Unused::Taken].into_iter().filter_map(of);
    each.collect::<Vec<_>>().join(", ")
}

/// The recording, and what was mended in it.
fn recording(path: &Path, file: &str, on_its_clock: bool) -> Result<(Recording, Vec<String>), Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::io(path, "the EMG cannot be read", &error).cure("check the path; EMG is in .c3d and .csv files")
    })?;
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending == "c3d" {
        let read = c3d::read(&bytes).map_err(|error| Failure::file(file, &error))?;
        let (analog, first) = (&read.capture.analog, read.capture.analog_time(0));
        let samples = (0..analog.names.len()).map(|c| analog.channel(c).collect()).collect();
        let start = if on_its_clock { first } else { 0.0 };
        return Ok((Recording { rate: analog.rate, start, names: analog.names.clone(), samples }, read.warnings));
    }
    if ending != "csv" {
        return Err(Failure::input(file, "EMG is read from .c3d and .csv files").cure("convert it to one of them"));
    }
    let read = csv::read(&bytes, None).map_err(|error| Failure::file(file, &error))?;
    let recording = Recording::from_table(&read.table).map_err(|error| Failure::told(file, &error))?;
    Ok((recording, read.warnings))
}
