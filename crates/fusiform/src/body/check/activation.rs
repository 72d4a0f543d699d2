//! What tenses muscles: drivers of joints and muscles that are there, curves that go forward.

use super::{BindError, finite_or, in_range, most_similar};
use crate::character::{Interpolation, Skeleton};
use crate::musculature::{Driver, MuscleTrack, Musculature, Signal};

/// Most points of a remap.
const MOST_POINTS: f32 = 64.0;

/// Check tension, drivers and curves; muscles have been checked.
pub(super) fn activation(musculature: &Musculature, skeleton: &Skeleton) -> Result<(), BindError> {
    let of = &musculature.activation;
    in_range(of.tension, 0.0, 1.0, "0 ..= 1", || "the tension of the activation".into())?;
    for (i, one) in of.drivers.iter().enumerate() {
        driver(i, one, musculature, skeleton)?;
    }
    for curves in &of.curves {
        for one in &curves.tracks {
            track(&curves.clip, one)?;
        }
    }
    Ok(())
}

fn driver(i: usize, driver: &Driver, musculature: &Musculature, skeleton: &Skeleton) -> Result<(), BindError> {
    let element = || format!("driver {i} of the activation");
    if let Some(name) = driver.muscles.iter().find(|name| musculature.find(name).is_none()) {
        let similar = most_similar(name, musculature.muscles.iter().map(|m| m.name.as_str()));
        return Err(BindError::UnknownName { element: element(), what: "muscle", name: name.clone(), similar });
    }
    if let Signal::JointAngle { joint, axis } = &driver.signal {
        if skeleton.find(joint).is_none() {
            let similar = most_similar(joint, skeleton.joints.iter().map(|j| j.name.as_str()));
            return Err(BindError::UnknownName { element: element(), what: "joint", name: joint.clone(), similar });
        }
        let length = axis.map_or(1.0, |axis| axis.length());
        in_range(length, 0.9, 1.1, "0.9 ..= 1.1", || format!("the length of the axis of driver {i}"))?;
    }
    let points = driver.remap.len() as f32;
    in_range(points, 2.0, MOST_POINTS, "2 ..= 64", || format!("the number of points of the remap of driver {i}"))?;
    let signals: Vec<f32> = driver.remap.iter().map(|point| point[0]).collect();
    ascending(&signals, || format!("the remap of driver {i} of the activation"))?;
    let mut levels = driver.remap.iter().map(|point| point[1]);
    levels.try_for_each(|level| in_range(level, 0.0, 1.0, "0 ..= 1", || format!("an activation of driver {i}")))
}

fn track(clip: &str, track: &MuscleTrack) -> Result<(), BindError> {
    let MuscleTrack { muscle, times, values, interpolation } = track;
    let element = || format!("the activation curve of muscle {muscle:?} in clip {clip:?}");
    let cubic = *interpolation == Interpolation::Cubic;
    let wanted = if cubic { 3 * times.len() } else { times.len() };
    super::count(values.len(), wanted.max(1), element)?;
    ascending(times, element)?;
    for (i, &value) in values.iter().enumerate() {
        if cubic && i % 3 != 1 {
            finite_or(value.is_finite(), || format!("a tangent of {}", element()))?;
        } else {
            in_range(value, 0.0, 1.0, "0 ..= 1", || format!("a value of {}", element()))?;
        }
    }
    Ok(())
}

/// Numbers that are finite and grow from one to the next.
fn ascending(numbers: &[f32], element: impl Fn() -> String) -> Result<(), BindError> {
    finite_or(numbers.iter().all(|x| x.is_finite()), || format!("a key of {}", element()))?;
    match numbers.windows(2).find(|pair| pair[1] <= pair[0]) {
        Some(pair) => Err(BindError::Backwards { element: element(), before: pair[0], after: pair[1] }),
        None => Ok(()),
    }
}
