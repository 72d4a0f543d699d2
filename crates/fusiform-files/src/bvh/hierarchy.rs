//! The first half: joints within joints. Read with a stack of open blocks, so depth costs no recursion.

use super::statements::{Statement, Statements, quoted};
use super::{BvhChannel, BvhError, BvhJoint};

/// The joints, and how many numbers a frame must have.
pub(super) struct Hierarchy {
    pub(super) joints: Vec<BvhJoint>,
    pub(super) channels: usize,
}

/// A block whose closing brace has not come yet.
enum Open {
    Joint { index: usize, has_offset: bool },
    EndSite { of: usize },
}

const IN_JOINT: &str = "OFFSET, CHANNELS, JOINT, End Site or }";

/// Read up to and with the word MOTION.
pub(super) fn read(statements: &mut Statements) -> Result<Hierarchy, BvhError> {
    let first = statements.require("HIERARCHY")?;
    first.after("HIERARCHY").ok_or_else(|| first.unexpected("HIERARCHY"))?;
    let mut joints: Vec<BvhJoint> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    loop {
        let wanted = if open.is_empty() { "ROOT or MOTION" } else { IN_JOINT };
        let statement = statements.require(wanted)?;
        match open.last_mut() {
            None if statement.after("MOTION").is_some() && !joints.is_empty() => break,
            None => {
                let name = statement.after("ROOT").ok_or_else(|| statement.unexpected("ROOT"))?;
                open.push(begin(name, None, &mut joints, statements)?);
            }
            Some(&mut Open::Joint { index, has_offset: false }) if statement.is(b'}') => {
                let joint = joints[index].name.clone();
                return Err(BvhError::NoOffset { line: statement.line, joint });
            }
            Some(_) if statement.is(b'}') => {
                open.pop();
            }
            Some(Open::EndSite { of }) => {
                let offset = statement.after("OFFSET").ok_or_else(|| statement.unexpected("OFFSET or }"))?;
                joints[*of].end_site = Some(three(offset)?);
            }
            Some(Open::Joint { index, has_offset }) => {
                let index = *index;
                if let Some(offset) = statement.after("OFFSET") {
                    joints[index].offset = three(offset)?;
                    *has_offset = true;
                } else if let Some(list) = statement.after("CHANNELS") {
                    joints[index].channels = channels(list, &joints[index].name)?;
                } else if let Some(name) = statement.after("JOINT") {
                    open.push(begin(name, Some(index), &mut joints, statements)?);
                } else if statement.after("End").is_some() {
                    brace(statements)?;
                    open.push(Open::EndSite { of: index });
                } else {
                    return Err(statement.unexpected(IN_JOINT));
                }
            }
        }
    }
    let channels = joints.iter().map(|joint| joint.channels.len()).sum();
    Ok(Hierarchy { joints, channels })
}

/// A new joint, its brace open.
fn begin(
    name: Statement,
    parent: Option<usize>,
    joints: &mut Vec<BvhJoint>,
    statements: &mut Statements,
) -> Result<Open, BvhError> {
    brace(statements)?;
    joints.push(BvhJoint { name: name.text().into_owned(), parent, ..BvhJoint::default() });
    Ok(Open::Joint { index: joints.len() - 1, has_offset: false })
}

fn brace(statements: &mut Statements) -> Result<(), BvhError> {
    let statement = statements.require("{")?;
    if statement.is(b'{') { Ok(()) } else { Err(statement.unexpected("{")) }
}

fn three(offset: Statement) -> Result<[f32; 3], BvhError> {
    let mut words = offset.words();
    let mut xyz = [0.0; 3];
    for value in &mut xyz {
        *value = offset.number(words.next().ok_or_else(|| offset.unexpected("three numbers"))?)?;
    }
    if words.next().is_none() { Ok(xyz) } else { Err(offset.unexpected("three numbers")) }
}

fn channels(list: Statement, joint: &str) -> Result<Vec<BvhChannel>, BvhError> {
    let announced = list.count("the number of channels")?;
    let mut channels = Vec::new();
    for word in list.words().skip(1) {
        channels.push(channel(word).ok_or_else(|| BvhError::UnknownChannel {
            line: list.line,
            joint: joint.to_owned(),
            found: quoted(word),
        })?);
    }
    let named = channels.len();
    if named == announced {
        Ok(channels)
    } else {
        Err(BvhError::ChannelCount { line: list.line, joint: joint.to_owned(), announced, named })
    }
}

fn channel(word: &[u8]) -> Option<BvhChannel> {
    let (&letter, kind) = word.split_first()?;
    let axis = letter.to_ascii_lowercase().checked_sub(b'x').filter(|axis| *axis < 3)?;
    match kind.to_ascii_lowercase().as_slice() {
        b"position" | b"translation" => Some(BvhChannel::Position(axis)),
        b"rotation" => Some(BvhChannel::Rotation(axis)),
        _ => None,
    }
}
