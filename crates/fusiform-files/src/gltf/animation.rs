//! Clips: the channels of an animation that move joints. Others stay in the file and are not looked at.

use super::accessor::{Rows, Source};
use super::nodes::unique_names;
use super::schema::{Animation, Channel};
use crate::FileError;
use fusiform::Clip;
use fusiform::character::{Channel as JointChannel, Interpolation, Keys, Track};
use glam::{Quat, Vec3};
use std::collections::HashMap;

/// Seconds; every frame of a clip is played.
const LATEST: f32 = 1e6;

/// Translations, scales and tangents beyond this leave single precision when joints are put on joints.
const LARGEST: f32 = 1e9;

/// All animations as clips, one for one and in order.
pub(crate) fn clips(
    source: &Source,
    joint_of_node: &HashMap<usize, usize>,
    metres_per_unit: f32,
) -> Result<Vec<Clip>, FileError> {
    let animations = &source.root.animations;
    let names = unique_names(animations.iter().map(|animation| animation.name.as_deref()), "clip");
    let mut clips = Vec::with_capacity(animations.len());
    for (animation, name) in animations.iter().zip(names) {
        let mut clip = Clip { name, channels: Vec::new() };
        for (i, channel) in animation.channels.iter().enumerate() {
            let Some(&joint) = channel.target.node.and_then(|node| joint_of_node.get(&node)) else { continue };
            let place = format!("channel {i} of clip {:?}", clip.name);
            if let Some(keys) = keys(source, animation, channel, &place, metres_per_unit)? {
                clip.channels.push(JointChannel { joint, keys });
            }
        }
        clips.push(clip);
    }
    Ok(clips)
}

fn keys(
    source: &Source,
    animation: &Animation,
    channel: &Channel,
    place: &str,
    metres_per_unit: f32,
) -> Result<Option<Keys>, FileError> {
    let path = channel.target.path.as_str();
    if !["translation", "rotation", "scale"].contains(&path) {
        return Ok(None);
    }
    let sampler = animation.samplers.get(channel.sampler).ok_or_else(|| {
        FileError::new(
            place,
            format!("it uses sampler {}, but there are {}", channel.sampler, animation.samplers.len()),
        )
    })?;
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        Some(other) => return Err(FileError::new(place, format!("interpolation {other:?} is unknown"))),
    };
    let times = source.floats(sampler.input, &[1])?.values;
    if !times.is_sorted() {
        return Err(FileError::new(place, "its times do not ascend"));
    }
    if let Some(late) = times.last().filter(|&&last| last > LATEST) {
        return Err(FileError::new(place, format!("its last key is at {late} s, after more than eleven days")));
    }
    let width = if path == "rotation" { 4 } else { 3 };
    let rows = source.floats(sampler.output, &[width])?;
    let wanted = times.len() * if interpolation == Interpolation::Cubic { 3 } else { 1 };
    if rows.values.len() / rows.width != wanted {
        let message = format!("it has {} values where {wanted} are needed", rows.values.len() / rows.width);
        return Err(FileError::new(place, message));
    }
    if let Some(at) = rows.values.iter().position(|value| value.abs() > LARGEST) {
        return Err(FileError::new(place, format!("value {} is {}", at / rows.width, rows.values[at])));
    }
    Ok(Some(match path {
        "translation" => Keys::Translation(vectors(times, &rows, interpolation, metres_per_unit)),
        "scale" => Keys::Scale(vectors(times, &rows, interpolation, 1.0)),
        _ => Keys::Rotation(Track { times, values: turns(&rows, interpolation), interpolation }),
    }))
}

fn vectors(times: Vec<f32>, rows: &Rows, interpolation: Interpolation, factor: f32) -> Track<Vec3> {
    let values = rows.values.chunks_exact(3).map(|row| Vec3::from_slice(row) * factor).collect();
    Track { times, values, interpolation }
}

/// Unit quaternions; tangents of cubic keys are no rotations and keep their length.
fn turns(rows: &Rows, interpolation: Interpolation) -> Vec<Quat> {
    let cubic = interpolation == Interpolation::Cubic;
    let turn = |(i, row): (usize, &[f32])| {
        let turn = Quat::from_slice(row);
        let is_value = !cubic || i % 3 == 1;
        // in double precision no length of single ones is infinite
        let exact = turn.as_dquat();
        match exact.length() {
            length if is_value && length > 1e-6 => (exact / length).as_quat(),
            _ if is_value => Quat::IDENTITY,
            _ => turn,
        }
    };
    rows.values.chunks_exact(4).enumerate().map(turn).collect()
}
