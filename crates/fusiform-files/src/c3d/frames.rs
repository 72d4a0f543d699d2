//! Where frames lie and what is in them: the header, the parameters, and the size of the file, weighed against each other.

use super::number::Machine;
use super::parameter::Parameters;
use super::{BLOCK, COPY_AGAIN, error};
use crate::FileError;

/// The most frames that sixteen bits can tell.
const SHORT: usize = 65535;
/// The most that is believed of the next sixteen: 67 million frames.
const HIGH: usize = 1023;

/// What a frame is made of, and where the first one lies.
pub(super) struct Layout {
    /// Byte of the first frame.
    pub(super) start: usize,
    pub(super) frames: usize,
    pub(super) points: usize,
    pub(super) channels: usize,
    /// Analog samples of a channel in a frame.
    pub(super) subframes: usize,
    /// Numbers of all analog channels and samples in a frame.
    pub(super) analog: usize,
    /// Points are floats, or integers to be multiplied.
    pub(super) floats: bool,
    /// What integer points are multiplied by.
    pub(super) scale: f64,
    /// Frames a second.
    pub(super) rate: f64,
    /// Counted from 1.
    pub(super) first_frame: usize,
}

impl Layout {
    /// Bytes of one number.
    pub(super) fn number_bytes(&self) -> usize {
        if self.floats { 4 } else { 2 }
    }

    /// Bytes of all points of a frame: three coordinates and a word about them.
    pub(super) fn point_bytes(&self) -> usize {
        4 * self.points * self.number_bytes()
    }

    pub(super) fn frame_bytes(&self) -> usize {
        self.point_bytes() + self.analog * self.number_bytes()
    }
}

/// Everything of the header that is needed, under the names of the guide's words.
struct Header {
    points: usize,
    analog: usize,
    first: usize,
    last: usize,
    scale: f64,
    data_start: usize,
    subframes: usize,
    rate: f64,
}

fn header(bytes: &[u8], machine: Machine) -> Header {
    // Words are counted from 1, and have two bytes.
    let word = |i: usize| machine.count_at(bytes, 2 * (i - 1));
    let float = |i: usize| machine.float_at(bytes, 2 * (i - 1));
    Header {
        points: word(2),
        analog: word(3),
        first: word(4),
        last: word(5),
        scale: float(7),
        data_start: word(9),
        subframes: word(10),
        rate: float(11),
    }
}

/// Weighs header against parameters.
pub(super) fn layout(
    bytes: &[u8],
    machine: Machine,
    parameters: &Parameters,
    warnings: &mut Vec<String>,
) -> Result<Layout, FileError> {
    let header = header(bytes, machine);
    let positive = |value: &f64| value.is_finite() && *value != 0.0;
    let number = |group, name| parameters.numbers(group, name).first().copied().filter(positive);
    let points = parameters.count("POINT", "USED").unwrap_or(header.points);
    if points != header.points {
        warnings.push(format!("POINT:USED is {points}, the header says {}: the first is used", header.points));
    }
    let rate = number("POINT", "RATE").filter(|rate| *rate > 0.0);
    let rate = rate.or(Some(header.rate).filter(|rate| rate.is_finite() && *rate > 0.0));
    let rate = rate.ok_or_else(|| {
        error("POINT:RATE", "how many frames there are in a second is not said")
            .cure("set POINT:RATE with a C3D editor")
    })?;
    let scale = number("POINT", "SCALE").unwrap_or(header.scale);
    if !scale.is_finite() {
        return Err(error("POINT:SCALE", "the scale of points is no number"));
    }
    let (channels, subframes) = channels(&header, parameters, rate, warnings);
    let mut layout = Layout {
        start: start(bytes, &header, parameters)?,
        frames: 0,
        points,
        channels,
        subframes,
        analog: header.analog,
        floats: scale < 0.0,
        scale: scale.abs(),
        rate,
        first_frame: first_frame(&header, parameters),
    };
    if layout.frame_bytes() == 0 {
        return Err(error("the header", "the file holds neither points nor analog channels"));
    }
    let there = (bytes.len() - layout.start) / layout.frame_bytes();
    layout.frames = count(&header, parameters, there, warnings);
    if layout.frames == 0 {
        return Err(error("the frames", "the file ends before the first of them is whole"));
    }
    Ok(layout)
}

/// Byte of the first frame.
fn start(bytes: &[u8], header: &Header, parameters: &Parameters) -> Result<usize, FileError> {
    let mut blocks = [Some(header.data_start), parameters.count("POINT", "DATA_START")].into_iter().flatten();
    let block = blocks.find(|block| *block >= 2).unwrap_or(0);
    let start = block.checked_sub(1).map(|block| block * BLOCK).filter(|start| *start < bytes.len());
    start.ok_or_else(|| {
        error("the frames", format!("they should begin at block {block}, which is not there")).cure(COPY_AGAIN)
    })
}

/// How many analog channels there are, and how many samples of each in a frame.
fn channels(header: &Header, parameters: &Parameters, rate: f64, warnings: &mut Vec<String>) -> (usize, usize) {
    if header.analog == 0 {
        return (0, 0);
    }
    let fits = |channels: &usize| *channels > 0 && header.analog.is_multiple_of(*channels);
    let used = parameters.count("ANALOG", "USED");
    if let Some(used) = used.filter(fits) {
        return (used, header.analog / used);
    }
    // Without a count the rates tell, and without those the header's own word 10.
    let by_rate = parameters.numbers("ANALOG", "RATE").first().map(|own| (own / rate).round() as usize);
    let subframes = [Some(header.subframes), by_rate].into_iter().flatten().find(fits).unwrap_or(1);
    let channels = header.analog / subframes;
    warnings.push(format!(
        "ANALOG:USED is {}, but a frame holds {} numbers: read as {channels} channels",
        used.map_or_else(|| "missing".into(), |used| used.to_string()),
        header.analog
    ));
    (channels, subframes)
}

/// Two integers as one of 32 bits, as TRIAL writes frame numbers.
fn long(parameters: &Parameters, group: &str, name: &str) -> Option<usize> {
    match parameters.counts(group, name)[..] {
        [low, high, ..] => Some((low as usize).min(SHORT) + (SHORT + 1) * (high as usize).min(HIGH)),
        [one] => Some((one as usize).min(SHORT)),
        [] => None,
    }
}

fn first_frame(header: &Header, parameters: &Parameters) -> usize {
    long(parameters, "TRIAL", "ACTUAL_START_FIELD").filter(|first| *first > 0).unwrap_or(header.first).max(1)
}

/// How many frames there are. Programs that cut a recording forget one place or another, and sixteen bits end at 65535; so
/// where two counts differ, the largest that the file has room for is meant.
fn count(header: &Header, parameters: &Parameters, there: usize, warnings: &mut Vec<String>) -> usize {
    let short = (header.last + 1).saturating_sub(header.first);
    let parameter = parameters.count("POINT", "FRAMES");
    let trial = long(parameters, "TRIAL", "ACTUAL_END_FIELD")
        .map(|end| (end + 1).saturating_sub(long(parameters, "TRIAL", "ACTUAL_START_FIELD").unwrap_or(1)));
    let agreed = parameter == Some(short) && header.last < SHORT && short <= there;
    if agreed && short > 0 {
        return short;
    }
    let long = parameters.count("POINT", "LONG_FRAMES");
    let claims = [Some(short), parameter, trial, long].into_iter().flatten().filter(|claim| *claim > 0);
    let fitting = claims.clone().filter(|claim| *claim <= there).max();
    let at_the_limit = header.last >= SHORT && trial.is_none() && long.is_none();
    let frames = fitting.filter(|_| !at_the_limit).unwrap_or(there);
    let largest = claims.max().unwrap_or(0);
    if largest != frames {
        warnings.push(format!("{largest} frames are announced, and there is room for {there}: {frames} are read"));
    }
    frames
}
