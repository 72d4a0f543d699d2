//! Motions: keys over time, as glTF defines them (step, linear, cubic spline).

use crate::Pose;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A named motion: one channel per moved property of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Unique in the character.
    pub name: String,
    /// What it moves.
    pub channels: Vec<Channel>,
}

/// The keys of one property of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Index into the skeleton.
    pub joint: usize,
    /// Which property, and its keys.
    pub keys: Keys,
}

/// Which property of a joint the keys move.
#[derive(Clone, Debug, PartialEq)]
pub enum Keys {
    /// Metres, in the parent's space.
    Translation(Track<Vec3>),
    /// Unit quaternions.
    Rotation(Track<Quat>),
    /// Factors.
    Scale(Track<Vec3>),
}

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// The key before holds.
    Step,
    /// Straight lines; shortest arcs for rotations.
    #[default]
    Linear,
    /// Cubic Hermite; three values a key: in-tangent, value, out-tangent (per second).
    Cubic,
}

/// Keys of one property: times ascending in seconds, one value each (three when cubic).
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// Seconds, strictly ascending.
    pub times: Vec<f32>,
    /// As many as times, or three times as many when cubic.
    pub values: Vec<T>,
    /// How values between keys are found.
    pub interpolation: Interpolation,
}

impl Clip {
    /// Time of the last key, seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.channels.iter().filter_map(|channel| channel.keys.times().last().copied()).fold(0.0, f32::max)
    }

    /// Write the moved properties at that time into `pose`; the others keep what they have.
    /// Before the first key the first holds, after the last the last.
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        for channel in &self.channels {
            let Some(local) = pose.local.get_mut(channel.joint) else { continue };
            match &channel.keys {
                Keys::Translation(track) => local.translation = sampled(track, time).unwrap_or(local.translation),
                Keys::Rotation(track) => local.rotation = sampled(track, time).unwrap_or(local.rotation),
                Keys::Scale(track) => local.scale = sampled(track, time).unwrap_or(local.scale),
            }
        }
    }
}

impl Track<f32> {
    /// The value at that time: the first key's before it, the last key's after it, nothing without a key.
    #[must_use]
    pub fn at(&self, time: f32) -> Option<f32> {
        sampled(self, time)
    }
}

impl Keys {
    /// Key times, seconds.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        match self {
            Self::Translation(track) | Self::Scale(track) => &track.times,
            Self::Rotation(track) => &track.times,
        }
    }
}

/// What a track can hold: values that mix.
trait Key: Copy {
    fn lerp(a: Self, b: Self, t: f32) -> Self;
    fn hermite(a: Self, out: Self, b: Self, into: Self, t: f32, seconds: f32) -> Self;
}

/// Weights of the cubic Hermite basis: start, start slope, end, end slope.
fn hermite_basis(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2]
}

impl Key for Vec3 {
    fn lerp(a: Self, b: Self, t: f32) -> Self {
        a + (b - a) * t
    }
    fn hermite(a: Self, out: Self, b: Self, into: Self, t: f32, seconds: f32) -> Self {
        let [h0, h1, h2, h3] = hermite_basis(t);
        a * h0 + out * (h1 * seconds) + b * h2 + into * (h3 * seconds)
    }
}

impl Key for f32 {
    fn lerp(a: Self, b: Self, t: f32) -> Self {
        a + (b - a) * t
    }
    fn hermite(a: Self, out: Self, b: Self, into: Self, t: f32, seconds: f32) -> Self {
        let [h0, h1, h2, h3] = hermite_basis(t);
        a * h0 + out * (h1 * seconds) + b * h2 + into * (h3 * seconds)
    }
}

impl Key for Quat {
    /// Shortest-arc slerp; sin and acos from `libm`, so that every platform samples the same pose.
    fn lerp(a: Self, b: Self, t: f32) -> Self {
        let mut cosine = a.dot(b);
        let b = if cosine < 0.0 { -b } else { b };
        cosine = cosine.abs();
        if cosine > 0.9995 {
            return (a * (1.0 - t) + b * t).normalize();
        }
        let angle = libm::acosf(cosine);
        let (from, to) = (libm::sinf((1.0 - t) * angle), libm::sinf(t * angle));
        ((a * from + b * to) * (1.0 / libm::sinf(angle))).normalize()
    }
    fn hermite(a: Self, out: Self, b: Self, into: Self, t: f32, seconds: f32) -> Self {
        let [h0, h1, h2, h3] = hermite_basis(t);
        let turn = a * h0 + out * (h1 * seconds) + b * h2 + into * (h3 * seconds);
        // a curve through zero, or one that leaves all bounds, has no direction there: the key before holds
        let length = turn.length();
        if length.is_normal() { turn / length } else { a }
    }
}

/// The value at that time: the first key's before it, the last key's after it, nothing without a key.
fn sampled<T: Key>(track: &Track<T>, time: f32) -> Option<T> {
    let stride = if track.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let n = track.times.len().min(track.values.len() / stride);
    let at = |key: usize| track.values[key * stride + stride / 2];
    let after = track.times[..n].partition_point(|&t| t <= time);
    if n == 0 || after == 0 || after == n {
        return (n > 0).then(|| at(after.min(n - 1)));
    }
    let before = after - 1;
    let seconds = track.times[after] - track.times[before];
    let t = if seconds > 0.0 { (time - track.times[before]) / seconds } else { 0.0 };
    Some(match track.interpolation {
        Interpolation::Step => at(before),
        Interpolation::Linear => T::lerp(at(before), at(after), t),
        Interpolation::Cubic => {
            T::hermite(at(before), track.values[before * 3 + 2], at(after), track.values[after * 3], t, seconds)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, values: Vec<Vec3>) -> Track<Vec3> {
        Track { times: vec![1.0, 2.0], values, interpolation }
    }

    fn x(track: &Track<Vec3>, time: f32) -> f32 {
        sampled(track, time).unwrap().x
    }

    #[test]
    fn keys_hold_before_the_first_and_after_the_last() {
        let track = track(Interpolation::Linear, vec![Vec3::ZERO, Vec3::ONE]);
        assert_eq!([0.0, 1.0, 1.25, 2.0, 3.0].map(|t| x(&track, t)), [0.0, 0.0, 0.25, 1.0, 1.0]);
    }

    #[test]
    fn a_step_jumps_at_its_key() {
        let track = track(Interpolation::Step, vec![Vec3::ZERO, Vec3::ONE]);
        assert_eq!([1.99, 2.0].map(|t| x(&track, t)), [0.0, 1.0]);
    }

    #[test]
    fn a_cubic_with_the_slope_of_its_chord_is_that_chord() {
        let one = Vec3::ONE;
        let track = track(Interpolation::Cubic, vec![one, Vec3::ZERO, one, one, one, one]);
        assert!((x(&track, 1.3) - 0.3).abs() < 1e-6);
    }

    #[test]
    fn a_rotation_takes_the_shorter_way() {
        let quarter = Quat::from_rotation_y(1.5);
        let half = <Quat as Key>::lerp(Quat::IDENTITY, -quarter, 0.5);
        assert!(half.angle_between(Quat::from_rotation_y(0.75)) < 1e-3);
    }

    #[test]
    fn a_track_without_keys_says_nothing() {
        let empty = Track { times: vec![], values: vec![], interpolation: Interpolation::Cubic };
        assert_eq!(sampled(&empty, 0.5), None::<Vec3>);
    }
}
