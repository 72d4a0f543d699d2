//! The second half: rows of numbers.

use super::BvhError;
use super::statements::{Statement, Statements};

/// The rows as they are.
pub(super) struct Motion {
    pub(super) frame_time: f32,
    pub(super) values: Vec<f32>,
    pub(super) warnings: Vec<String>,
}

/// Read what follows the word MOTION. Every number takes two bytes of text at least, so the rows grow to at most four
/// times the file; what the file announces is never believed.
pub(super) fn read(statements: &mut Statements, channels: usize) -> Result<Motion, BvhError> {
    let frames = statements.require("Frames:")?;
    let announced =
        frames.after("Frames").ok_or_else(|| frames.unexpected("Frames:"))?.count("the number of frames")?;
    let frame_time = frame_time(statements.require("Frame Time:")?)?;
    let first_row = statements.line();
    let mut values = Vec::new();
    for statement in statements {
        for word in statement.words() {
            values.push(statement.number(word)?);
        }
    }
    let (found, left_over) = match channels {
        0 => (0, values.len()),
        _ => (values.len() / channels, values.len() % channels),
    };
    if found == 0 && announced > 0 {
        return Err(BvhError::NoFrame { line: first_row, announced, channels });
    }
    let mut warnings = Vec::new();
    if found != announced {
        warnings.push(format!("{announced} frames are announced and {found} are there: those are used"));
    }
    if left_over > 0 {
        warnings.push(format!("the last {left_over} numbers are no whole frame of {channels}: left out"));
    }
    values.truncate(found * channels);
    Ok(Motion { frame_time, values, warnings })
}

/// Seconds between frames, as `Frame Time: x` or `FrameTime: x`.
fn frame_time(statement: Statement) -> Result<f32, BvhError> {
    let spaced = statement.after("Frame").and_then(|rest| rest.after("Time"));
    let time = spaced.or_else(|| statement.after("FrameTime")).ok_or_else(|| statement.unexpected("Frame Time:"))?;
    let word = time.words().next().ok_or_else(|| time.unexpected("the frame time"))?;
    let seconds = time.number(word)?;
    if seconds > 0.0 {
        Ok(seconds)
    } else {
        Err(BvhError::FrameTime { line: time.line, found: time.text().into_owned() })
    }
}
