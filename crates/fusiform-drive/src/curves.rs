//! Curves: activations frame by frame as few keys of the document.

use crate::drive::Driven;
use fusiform::Musculature;
use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, MuscleTrack};

/// Keys are left out where straight lines between the others come this near.
const TOLERANCE: f32 = 0.005;
/// A muscle that never does more is not keyed.
const IDLE: f32 = 0.01;

/// The keys of every muscle that does something. `already` is what tenses a muscle in a frame without them, n_time x n_muscle:
/// keys add to it.
#[must_use]
pub fn curves(clip: &str, musculature: &Musculature, driven: &Driven, already: &[f32]) -> ClipActivation {
    let n = musculature.muscles.len();
    let times: Vec<f32> = driven.times.iter().map(|&time| time as f32).collect();
    let track = |(m, muscle): (usize, &fusiform::Muscle)| {
        let wanted = |i: usize| {
            let there = already.get(i * n + m).copied().unwrap_or(0.0);
            (driven.activations[i * n + m] as f32 - there).clamp(0.0, 1.0)
        };
        let values: Vec<f32> = (0..times.len()).map(wanted).collect();
        if values.iter().all(|&value| value < IDLE) {
            return None;
        }
        let kept = kept(&times, &values);
        Some(MuscleTrack {
            muscle: muscle.name.clone(),
            times: kept.iter().map(|&i| times[i]).collect(),
            values: kept.iter().map(|&i| values[i]).collect(),
            interpolation: Interpolation::Linear,
        })
    };
    ClipActivation { clip: clip.to_owned(), tracks: musculature.muscles.iter().enumerate().filter_map(track).collect() }
}

/// Rows that stay: the farthest from the line between two that stay, until none is far (Ramer, Douglas, Peucker).
fn kept(times: &[f32], values: &[f32]) -> Vec<usize> {
    let last = times.len().saturating_sub(1);
    let (mut stays, mut open) = (vec![0], vec![(0, last)]);
    while let Some((from, to)) = open.pop() {
        let off = |i: usize| {
            let share = (times[i] - times[from]) / (times[to] - times[from]).max(f32::MIN_POSITIVE);
            (values[from] + (values[to] - values[from]) * share - values[i]).abs()
        };
        let farthest = (from + 1..to).max_by(|&a, &b| off(a).total_cmp(&off(b)));
        match farthest.filter(|&i| off(i) > TOLERANCE) {
            Some(i) => open.extend([(i, to), (from, i)]),
            None => stays.push(to),
        }
    }
    stays.dedup();
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_the_frames_and_are_few() {
        let times: Vec<f32> = (0..200).map(|i| i as f32 * 0.01).collect();
        let values: Vec<f32> = times.iter().map(|t| if *t < 1.0 { 0.0 } else { (t - 1.0) * 0.8 }).collect();
        let rows = kept(&times, &values);
        assert_eq!(rows, [0, 100, 199]);
        assert_eq!(kept(&times[..1], &values[..1]), [0]);
    }
}
