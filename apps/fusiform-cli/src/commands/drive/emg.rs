//! `--emg`: what muscles were measured to do, over the frames of a motion.

use crate::failure::Failure;
use crate::source::Subject;
use crate::ui::Ui;
use fusiform_files::{c3d, csv};
use fusiform_motion::emg::{EmgError, Recipe, Recording, match_channels};
use std::path::Path;

/// A recording, and which of its channels speaks for which muscle.
pub struct Measured {
    file: String,
    recording: Recording,
    channel_of: Vec<Option<usize>>,
}

/// The same at even times.
pub struct Sampled {
    rate: f64,
    rows: Vec<Vec<Option<f64>>>,
}

impl Measured {
    /// Read a .c3d or a .csv; `map` has channels and muscles as in CHANNEL=MUSCLE.
    pub fn read(path: &Path, map: &[String], subject: &Subject, ui: &Ui) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let map = map.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
        let recording = recording(path, &file)?;
        let muscles: Vec<String> = subject.musculature.muscles.iter().map(|muscle| muscle.name.clone()).collect();
        let matched = match_channels(&recording.names, &muscles, &map).map_err(|error| told(&file, &error))?;
        if matched.channel_of.iter().all(Option::is_none) {
            let channels = recording.names.join(", ");
            return Err(Failure::input(file, format!("none of its channels is named after a muscle: {channels}"))
                .cure("say which is which with --emg-map CHANNEL=MUSCLE"));
        }
        for (m, channel) in matched.channel_of.iter().enumerate() {
            channel.iter().for_each(|&c| ui.say(format!("  {} was measured by {:?}", muscles[m], recording.names[c])));
        }
        Ok(Self { file, recording, channel_of: matched.channel_of })
    }

    /// Over a motion of so many seconds.
    pub fn over(self, duration: f64, rate: f64) -> Result<Sampled, Failure> {
        let n = (duration * rate).round() as usize + 1;
        let times: Vec<f64> = (0..n).map(|i| i as f64 / rate).collect();
        let activity = self.recording.activity(&Recipe::default(), &times).map_err(|error| told(&self.file, &error))?;
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

fn told(file: &str, error: &EmgError) -> Failure {
    Failure::told(file, error)
}

fn pair(text: &str) -> Result<(String, String), Failure> {
    let spelled = || Failure::call(format!("--emg-map {text:?} is no channel and muscle")).cure("write CHANNEL=MUSCLE");
    let (channel, muscle) = text.rsplit_once('=').ok_or_else(spelled)?;
    Ok((channel.to_owned(), muscle.to_owned()))
}

fn recording(path: &Path, file: &str) -> Result<Recording, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, "the EMG cannot be read", &error))?;
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending == "c3d" {
        let capture = c3d::read(&bytes).map_err(|error| Failure::file(file, &error))?.capture;
        let samples = (0..capture.analog.names.len()).map(|c| capture.analog.channel(c).collect()).collect();
        // the motion begins with the recording, whatever frame number the laboratory gave it
        return Ok(Recording { rate: capture.analog.rate, start: 0.0, names: capture.analog.names.clone(), samples });
    }
    if ending != "csv" {
        return Err(Failure::input(file, "EMG is read from .c3d and .csv files").cure("convert it to one of them"));
    }
    let table = csv::read(&bytes, None).map_err(|error| Failure::file(file, &error))?.table;
    let (first, last) = (table.times.first().copied().unwrap_or(0.0), table.times.last().copied().unwrap_or(0.0));
    let n = table.names.len();
    let rate = (table.times.len().saturating_sub(1)) as f64 / (last - first).max(f64::MIN_POSITIVE);
    let column = |c: usize| table.values.iter().skip(c).step_by(n.max(1)).copied().collect();
    Ok(Recording { rate, start: first, names: table.names.clone(), samples: (0..n).map(column).collect() })
}
