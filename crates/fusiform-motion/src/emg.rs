//! EMG: how active muscles were, from the voltages measured over them.
//!
//! ```text
//! voltage ─ mean, mains hum ─> band-pass ─> |x| ─> low-pass ─> / maximum ─> at the motion's frames, later by the delay
//! ```
//!
//! Filters are Butterworth and run both ways, so that they delay nothing. Murai et al. (*Dynamic Skin Deformation Simulation
//! Using Musculoskeletal Model and Soft Tissue Dynamics*, section 4) rectify before the band-pass, 10 to 1000 Hz, and stop
//! there; they report that the skin jitters with what noise is left. [`Recipe::rectify_first`] does the same, then rectifies
//! once more, since a band-pass leaves nothing but swings about 0, and smooths like the default.

mod hum;
mod names;

pub use names::{Matched, Unused, match_channels};

use crate::filter::{Filter, FilterError, both_ways};
use crate::table::Table;

/// Order of every filter; run both ways it acts as twice that.
const ORDER: usize = 2;

/// The band ends at this part of the sampling rate at most: at one half there is nothing left to filter.
const HIGHEST_OF_RATE: f64 = 0.45;

/// Of any unit: what electrodes never measure, and sums of squares overflow with.
const TOO_LARGE: f64 = 1e100;

/// Seconds that a sample may stand beside where an even clock has it: a frame of a camera.
const LATE: f64 = 0.02;

/// Seconds a signal is mirrored at both ends, before filters: many times what the slowest of them remembers.
const MIRROR: f64 = 0.5;

/// What was measured: channels that share their clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Samples a second.
    pub rate: f64,
    /// Seconds, on the motion's clock, of the first sample.
    pub start: f64,
    /// n_channel.
    pub names: Vec<String>,
    /// n_channel of as many samples each; volts or any other unit.
    pub samples: Vec<Vec<f64>>,
}

/// How voltages become activity.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Hz: what EMG lies between; the upper end is lowered to 0.45 of the rate.
    pub band: [f64; 2],
    /// Hz: the envelope follows changes up to this.
    pub envelope: f64,
    /// Rectify before the band-pass too, as the paper does.
    pub rectify_first: bool,
    /// Hz: mains whose hum is taken out, harmonics included, where it is found.
    pub mains: Vec<f64>,
    /// Seconds between a muscle's voltage and its force. The default is what Cavanagh and Komi measured on elbow flexors, 50
    /// to 56 ms (*Electromechanical delay in human skeletal muscle under concentric and eccentric contractions*, Eur. J.
    /// Appl. Physiol. 42, 1979).
    pub delay: f64,
    /// Envelopes of maximal voluntary contractions, by channel, in the recording's unit. Others count against their own
    /// maximum, so that every muscle is thought to have worked as hard as it can at least once.
    pub maximum: Vec<(String, f64)>,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            band: [10.0, 1000.0],
            envelope: 6.0,
            rectify_first: false,
            mains: vec![50.0, 60.0],
            delay: 0.05,
            maximum: Vec::new(),
        }
    }
}

/// A recording that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmgError {
    /// The motion goes on where the recording does not.
    #[error(
        "the EMG lasts {:.2} s, from {:.2} to {:.2} s, which does not cover the motion of {:.2} s, from {:.2} to {:.2} s; \
         cut the motion, or mend the time the EMG starts at",
        emg[1] - emg[0], emg[0], emg[1], motion[1] - motion[0], motion[0], motion[1]
    )]
    Short {
        /// Seconds: first and last sample.
        emg: [f64; 2],
        /// Seconds: first and last frame.
        motion: [f64; 2],
    },
    /// A name of a channel that was not recorded.
    #[error("there is no EMG channel \"{name}\"; name one of {}", listed(there))]
    Channel {
        /// The name that leads nowhere.
        name: String,
        /// Those there are.
        there: Vec<String>,
    },
    /// A name of a muscle that the model does not have.
    #[error("there is no muscle \"{name}\" for EMG channel \"{channel}\"; name one of {}", listed(there))]
    Muscle {
        /// The name that leads nowhere.
        name: String,
        /// Whose it should be.
        channel: String,
        /// Those there are.
        there: Vec<String>,
    },
    /// A sample that is not a number, or one that nobody measured.
    #[error("EMG channel \"{channel}\" has no usable number at {time:.3} s; cut or fill the gap")]
    Gap {
        /// Whose.
        channel: String,
        /// Seconds on the motion's clock.
        time: f64,
    },
    /// Channels of different lengths, or none for a name.
    #[error("EMG channel \"{channel}\" has {found} samples where the others have {wanted}; give every channel as many")]
    Uneven {
        /// Whose.
        channel: String,
        /// How many.
        found: usize,
        /// How many the first one has.
        wanted: usize,
    },
    /// A maximum that nothing can be measured against.
    #[error(
        "the maximum {value} of EMG channel \"{channel}\" is not above 0; give what the envelope reaches at full effort"
    )]
    Maximum {
        /// Whose.
        channel: String,
        /// What was given.
        value: f64,
    },
    /// A delay, a start or a frame's time that is not a number.
    #[error("the {0} is not a finite number; give it in seconds")]
    Time(&'static str),
    /// Nothing was recorded.
    #[error("the EMG has no samples; choose a recording that has")]
    Empty,
    /// Times that no clock ticks.
    #[error("the EMG is not sampled evenly: after {from:.3} s comes {to:.3} s; fill gaps, or resample it")]
    Jumps {
        /// Seconds: the sample before the longest pause.
        from: f64,
        /// Seconds: the one after it.
        to: f64,
    },
    /// A rate that has no room for the band.
    #[error(
        "the EMG has {rate:.1} samples a second, too few to see {band} Hz; record it faster, or give its times in seconds"
    )]
    Slow {
        /// Samples a second.
        rate: f64,
        /// Hz: where the band begins.
        band: f64,
    },
    /// A band that is none.
    #[error("EMG cannot be filtered: {0}")]
    Filter(#[from] FilterError),
}

/// Names, as many as one reads.
fn listed(names: &[String]) -> String {
    const MOST: usize = 40;
    let mut text = names.iter().take(MOST).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text += &format!(" and {} more", names.len() - MOST);
    }
    if names.is_empty() { "none".to_owned() } else { text }
}

/// How active every channel was in every frame of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// n_channel.
    pub names: Vec<String>,
    /// n_frame x n_channel, 0 or more; 1 is the maximum.
    pub values: Vec<f64>,
}

impl Activity {
    /// What one frame says of every muscle, given which channel speaks for it ([`Matched::channel_of`]).
    pub fn of_muscles(&self, frame: usize, channel_of: &[Option<usize>], emg: &mut [Option<f64>]) {
        let row = &self.values[frame * self.names.len()..(frame + 1) * self.names.len()];
        for (emg, channel) in emg.iter_mut().zip(channel_of) {
            *emg = channel.and_then(|c| row.get(c).copied());
        }
    }
}

impl Recording {
    /// Of columns over time, which must be sampled evenly: filters count samples, not seconds.
    pub fn from_table(table: &Table) -> Result<Self, EmgError> {
        let (Some(&start), Some(&end)) = (table.times.first(), table.times.last()) else { return Err(EmgError::Empty) };
        let (n, n_channel) = (table.times.len(), table.names.len());
        let rate = (n - 1) as f64 / (end - start).max(f64::MIN_POSITIVE);
        let mut steps: Vec<f64> = table.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.sort_by(f64::total_cmp);
        // of most samples, since a pause makes the mean as long as it likes
        let slack = LATE.max(2.0 * steps.get(steps.len() / 2).copied().unwrap_or(0.0));
        if table.times.iter().enumerate().any(|(i, time)| (time - start - i as f64 / rate).abs() > slack) {
            let pause = table.times.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
            let [from, to] = pause.map_or([start, end], |pause| [pause[0], pause[1]]);
            return Err(EmgError::Jumps { from, to });
        }
        let column = |c: usize| (0..n).map(|i| table.row(i)[c]).collect();
        Ok(Self { rate, start, names: table.names.clone(), samples: (0..n_channel).map(column).collect() })
    }

    /// Which channel is called so.
    pub fn channel(&self, name: &str) -> Result<usize, EmgError> {
        let found = self.names.iter().position(|n| n == name);
        found.ok_or_else(|| EmgError::Channel { name: name.to_owned(), there: self.names.clone() })
    }

    /// Activity of every channel at the times of a motion's frames, seconds, ascending.
    pub fn activity(&self, recipe: &Recipe, times: &[f64]) -> Result<Activity, EmgError> {
        self.check(recipe)?;
        self.check_covers(times)?;
        let n_channel = self.names.len();
        let mut values = vec![0.0; times.len() * n_channel];
        for (c, (name, samples)) in self.names.iter().zip(&self.samples).enumerate() {
            let envelope = envelope(samples, self.rate, recipe)?;
            let given = recipe.maximum.iter().find(|(channel, _)| channel == name).map(|(_, maximum)| *maximum);
            let maximum = given.unwrap_or_else(|| envelope.iter().copied().fold(0.0, f64::max));
            // a channel that is dead says that its muscle rests
            let scale = if maximum > 0.0 { 1.0 / maximum } else { 0.0 };
            for (frame, time) in times.iter().enumerate() {
                let at = (time - recipe.delay - self.start) * self.rate;
                values[frame * n_channel + c] = scale * between_samples(&envelope, at);
            }
        }
        Ok(Activity { names: self.names.clone(), values })
    }

    fn check(&self, recipe: &Recipe) -> Result<(), EmgError> {
        let rows = self.samples.iter().map(Vec::len).chain(std::iter::repeat(0));
        let wanted = self.samples.first().map_or(0, Vec::len);
        if wanted == 0 {
            return Err(EmgError::Empty);
        }
        if HIGHEST_OF_RATE * self.rate <= recipe.band[0] {
            return Err(EmgError::Slow { rate: self.rate, band: recipe.band[0] });
        }
        for (channel, found) in self.names.iter().zip(rows) {
            if found != wanted {
                return Err(EmgError::Uneven { channel: channel.clone(), found, wanted });
            }
        }
        for (channel, samples) in self.names.iter().zip(&self.samples) {
            if let Some(at) = samples.iter().position(|v| v.is_nan() || v.abs() > TOO_LARGE) {
                return Err(EmgError::Gap { channel: channel.clone(), time: self.start + at as f64 / self.rate });
            }
        }
        for (channel, value) in &recipe.maximum {
            self.channel(channel)?;
            if !(value.is_finite() && *value > 0.0) {
                return Err(EmgError::Maximum { channel: channel.clone(), value: *value });
            }
        }
        match (recipe.delay.is_finite(), self.start.is_finite()) {
            (false, _) => Err(EmgError::Time("delay of EMG")),
            (_, false) => Err(EmgError::Time("start of EMG")),
            _ => Ok(()),
        }
    }

    /// A recording may end a frame early, since its last sample is that long before the end of the last frame. The delay does
    /// not count: before the first sample, activity is that of the first.
    fn check_covers(&self, times: &[f64]) -> Result<(), EmgError> {
        if times.iter().any(|time| !time.is_finite()) {
            return Err(EmgError::Time("time of a frame"));
        }
        let (Some(&first), Some(&last), Some(samples)) = (times.first(), times.last(), self.samples.first()) else {
            return Ok(());
        };
        let end = self.start + (samples.len() as f64 - 1.0) / self.rate;
        let frame = if times.len() > 1 { (last - first) / (times.len() - 1) as f64 } else { 0.0 };
        let slack = 1.001 * frame.max(1.0 / self.rate);
        if first < self.start - slack || last > end + slack {
            return Err(EmgError::Short { emg: [self.start, end], motion: [first, last] });
        }
        Ok(())
    }
}

/// The envelope of a channel's voltage, in its unit, not yet measured against any maximum.
pub fn envelope(samples: &[f64], rate: f64, recipe: &Recipe) -> Result<Vec<f64>, EmgError> {
    let upper = recipe.band[1].min(HIGHEST_OF_RATE * rate);
    let band = Filter::band_pass(ORDER, [recipe.band[0], upper], rate)?;
    let smooth = Filter::low_pass(ORDER, both_ways(ORDER, recipe.envelope, rate), rate)?;
    let mut signal = samples.to_vec();
    let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
    signal.iter_mut().for_each(|v| *v -= mean);
    hum::remove(&mut signal, rate, &recipe.mains);
    if recipe.rectify_first {
        signal.iter_mut().for_each(|v| *v = v.abs());
    }
    // ends are mirrored, not turned about their last sample: that sample is noise, and would shift all that continues it
    let mut longer = mirrored(&signal, (MIRROR * rate) as usize);
    let mut scratch = Vec::new();
    band.zero_phase(&mut longer, 0, &mut scratch);
    longer.iter_mut().for_each(|v| *v = v.abs());
    smooth.zero_phase(&mut longer, 0, &mut scratch);
    let before = (longer.len() - signal.len()) / 2;
    Ok(longer[before..before + signal.len()].iter().map(|v| v.max(0.0)).collect())
}

fn mirrored(signal: &[f64], ends: usize) -> Vec<f64> {
    let ends = ends.min(signal.len().saturating_sub(1));
    let before = signal.iter().skip(1).take(ends).rev();
    let after = signal.iter().rev().skip(1).take(ends);
    before.chain(signal).chain(after).copied().collect()
}

/// The value at a place between samples; the ends go on.
fn between_samples(samples: &[f64], at: f64) -> f64 {
    let at = at.clamp(0.0, (samples.len() - 1) as f64);
    let (i, t) = (at as usize, at.fract());
    samples[i] + t * (samples[(i + 1).min(samples.len() - 1)] - samples[i])
}
