//! Weights of morph targets over time.

use super::accessor::Source;
use super::schema::{Animation, Target};
use crate::FileError;
use fusiform::character::Interpolation;

/// Keys of all weights of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightTrack {
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// n_key x n_target; three times that when cubic: in-tangents, values, out-tangents of each key.
    pub weights: Vec<f32>,
    /// How values between keys are found.
    pub interpolation: Interpolation,
}

impl WeightTrack {
    /// Straight lines between these keys.
    #[must_use]
    pub fn linear(times: Vec<f32>, weights: Vec<f32>) -> Self {
        Self { times, weights, interpolation: Interpolation::Linear }
    }

    pub(crate) fn read(
        source: &Source,
        animation: &Animation,
        channel: usize,
        n_target: usize,
    ) -> Result<Self, FileError> {
        let place = || format!("channel {channel} of clip {:?}", animation.name.as_deref().unwrap_or_default());
        let sampler = animation.samplers.get(animation.channels[channel].sampler);
        let sampler = sampler.ok_or_else(|| FileError::new(place(), "it uses a sampler that is not there"))?;
        let interpolation = match sampler.interpolation.as_deref() {
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            _ => Interpolation::Linear,
        };
        let times = source.floats(sampler.input, &[1])?.values;
        let weights = source.floats(sampler.output, &[1])?.values;
        let track = Self { times, weights, interpolation };
        if track.weights.len() != track.times.len() * track.rows_a_key() * n_target || !track.times.is_sorted() {
            return Err(FileError::new(place(), format!("its keys are not of {n_target} weights each")));
        }
        Ok(track)
    }

    fn rows_a_key(&self) -> usize {
        if self.interpolation == Interpolation::Cubic { 3 } else { 1 }
    }

    fn n_target(&self) -> usize {
        self.weights.len() / (self.times.len() * self.rows_a_key()).max(1)
    }

    pub(crate) fn interpolation_name(&self) -> &'static str {
        match self.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::Cubic => "CUBICSPLINE",
        }
    }

    /// All weights at that time; the first key's before it, the last key's after it. Zeros without a key.
    pub fn sample(&self, time: f32, weights: &mut [f32]) {
        let n = self.n_target();
        weights.fill(0.0);
        let row = |key: usize, part: usize| &self.weights[(key * self.rows_a_key() + part) * n..][..n];
        let value = self.rows_a_key() / 2;
        let after = self.times.partition_point(|&t| t <= time);
        let Some(last) = self.times.len().checked_sub(1) else { return };
        if after == 0 || after > last {
            weights.iter_mut().zip(row(after.min(last), value)).for_each(|(weight, &key)| *weight = key);
            return;
        }
        let before = after - 1;
        let seconds = self.times[after] - self.times[before];
        let t = if seconds > 0.0 { (time - self.times[before]) / seconds } else { 0.0 };
        for (i, weight) in weights.iter_mut().enumerate().take(n) {
            let (a, b) = (row(before, value)[i], row(after, value)[i]);
            *weight = match self.interpolation {
                Interpolation::Step => a,
                Interpolation::Linear => a + (b - a) * t,
                Interpolation::Cubic => {
                    let (out, into) = (row(before, 2)[i] * seconds, row(after, 0)[i] * seconds);
                    let (t2, t3) = (t * t, t * t * t);
                    a * (2.0 * t3 - 3.0 * t2 + 1.0)
                        + out * (t3 - 2.0 * t2 + t)
                        + b * (3.0 * t2 - 2.0 * t3)
                        + into * (t3 - t2)
                }
            };
        }
    }

    /// The same keys after weights that stay at rest.
    pub(crate) fn beside_rest(&self, rest: &[f32]) -> Self {
        let n = self.n_target();
        let mut weights = Vec::with_capacity(self.times.len() * (rest.len() + n));
        for key in self.weights.chunks(n.max(1)) {
            weights.extend_from_slice(rest);
            weights.extend_from_slice(key);
        }
        Self { weights, ..self.clone() }
    }

    /// These weights, and after them `more` of another track, or that many at rest.
    ///
    /// With another track beside them both are sampled at the keys of both, and lines drawn between.
    pub(crate) fn beside(&self, other: Option<&Self>, more: usize) -> Self {
        let n = self.n_target();
        let Some(other) = other else {
            let mut weights = Vec::with_capacity(self.weights.len() / n.max(1) * (n + more));
            for row in self.weights.chunks(n.max(1)) {
                weights.extend_from_slice(row);
                weights.resize(weights.len() + more, 0.0);
            }
            return Self { weights, ..self.clone() };
        };
        let mut times: Vec<f32> = self.times.iter().chain(&other.times).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let mut weights = vec![0.0; times.len() * (n + more)];
        for (&time, row) in times.iter().zip(weights.chunks_mut(n + more)) {
            let (own, others) = row.split_at_mut(n);
            self.sample(time, own);
            other.sample(time, others);
        }
        Self::linear(times, weights)
    }
}

/// The channel of a clip that animates the weights of that node, and its keys.
pub(crate) fn weight_track(
    source: &Source,
    clip: usize,
    node: usize,
    n_target: usize,
) -> Result<Option<(usize, WeightTrack)>, FileError> {
    let animation = &source.root.animations[clip];
    let moves = |target: &Target| target.node == Some(node) && target.path == "weights";
    let Some(channel) = animation.channels.iter().position(|channel| moves(&channel.target)) else { return Ok(None) };
    Ok(Some((channel, WeightTrack::read(source, animation, channel, n_target)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tracks_side_by_side_have_the_keys_of_both() {
        let ours = WeightTrack::linear(vec![0.0, 2.0], vec![0.0, 1.0]);
        let theirs = WeightTrack::linear(vec![0.0, 1.0], vec![4.0, 5.0]);
        let both = theirs.beside(Some(&ours), 1);
        assert_eq!(both.times, [0.0, 1.0, 2.0]);
        assert_eq!(both.weights, [4.0, 0.0, 5.0, 0.5, 5.0, 1.0]);
    }

    #[test]
    fn a_track_beside_rest_keeps_its_keys() {
        let ours = WeightTrack::linear(vec![0.0, 1.0], vec![1.0, 2.0]);
        assert_eq!(ours.beside_rest(&[0.5, 0.0]).weights, [0.5, 0.0, 1.0, 0.5, 0.0, 2.0]);
        assert_eq!(ours.beside(None, 1).weights, [1.0, 0.0, 2.0, 0.0]);
    }

    #[test]
    fn a_cubic_track_passes_through_its_keys() {
        let track = WeightTrack {
            times: vec![0.0, 1.0],
            weights: vec![0.0, 3.0, 0.0, 0.0, 5.0, 0.0],
            interpolation: Interpolation::Cubic,
        };
        let at = |time: f32| {
            let mut weight = [0.0];
            track.sample(time, &mut weight);
            weight[0]
        };
        assert_eq!([at(0.0), at(0.5), at(1.0)], [3.0, 4.0, 5.0]);
    }
}
