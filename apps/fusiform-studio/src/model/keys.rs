//! Keys: one muscle's activation over a clip, edited key by key.

use fusiform::character::Interpolation;
use fusiform::musculature::{ClipActivation, MuscleTrack};

/// Keys of one muscle are at least that far apart, s.
pub const APART: f32 = 1e-3;

/// A muscle that has no keys yet.
#[must_use]
pub fn no_keys(muscle: &str) -> MuscleTrack {
    let interpolation = Interpolation::default();
    MuscleTrack { muscle: muscle.into(), times: Vec::new(), values: Vec::new(), interpolation }
}

/// The keys of a muscle in the clip of that name, if it has any.
#[must_use]
pub fn keys_of<'a>(curves: &'a [ClipActivation], clip: &str, muscle: &str) -> Option<&'a MuscleTrack> {
    curves.iter().find(|of| of.clip == clip)?.tracks.iter().find(|track| track.muscle == muscle)
}

/// How many numbers a key has, and which of them is its value.
fn layout(track: &MuscleTrack) -> (usize, usize) {
    if track.interpolation == Interpolation::Cubic { (3, 1) } else { (1, 0) }
}

/// Time and value of a key.
#[must_use]
pub fn key(track: &MuscleTrack, i: usize) -> Option<(f32, f32)> {
    let (numbers, value) = layout(track);
    Some((*track.times.get(i)?, *track.values.get(numbers * i + value)?))
}

/// One more key, or another value for the one that is there; which it is.
pub fn add_key(track: &mut MuscleTrack, time: f32, value: f32) -> usize {
    let time = time.max(0.0);
    if let Some(i) = track.times.iter().position(|t| (t - time).abs() < APART) {
        set_value(track, i, value);
        return i;
    }
    let (numbers, _) = layout(track);
    let i = track.times.partition_point(|t| *t < time);
    track.times.insert(i, time);
    // a new key of a cubic is level
    let fresh = [[0.0, value, 0.0], [value, 0.0, 0.0]][usize::from(numbers == 1)];
    track.values.splice(numbers * i..numbers * i, fresh.into_iter().take(numbers));
    set_value(track, i, value);
    i
}

fn set_value(track: &mut MuscleTrack, i: usize, value: f32) {
    let (numbers, place) = layout(track);
    track.values[numbers * i + place] = value.clamp(0.0, 1.0);
}

/// Move a key between its neighbours, within a clip that lasts `end` seconds.
pub fn move_key(track: &mut MuscleTrack, i: usize, time: f32, value: f32, end: f32) {
    if i >= track.times.len() || !time.is_finite() || !value.is_finite() {
        return;
    }
    let low = i.checked_sub(1).map_or(0.0, |before| track.times[before] + APART);
    let high = track.times.get(i + 1).map_or(end.max(track.times[i]), |after| after - APART);
    track.times[i] = time.min(high).max(low);
    set_value(track, i, value);
}

/// Without a key.
pub fn remove_key(track: &mut MuscleTrack, i: usize) {
    let (numbers, _) = layout(track);
    if i < track.times.len() {
        track.times.remove(i);
        track.values.drain(numbers * i..numbers * (i + 1));
    }
}

/// The same keys, with other curves between them; those of a cubic run toward their neighbours.
pub fn interpolate(track: &mut MuscleTrack, interpolation: Interpolation) {
    let values: Vec<f32> = (0..track.times.len()).filter_map(|i| key(track, i)).map(|(_, value)| value).collect();
    let slope = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(values.len() - 1));
        let seconds = track.times[b] - track.times[a];
        if i == a || i == b || seconds <= 0.0 { 0.0 } else { (values[b] - values[a]) / seconds }
    };
    track.values = match interpolation {
        Interpolation::Cubic => (0..values.len()).flat_map(|i| [slope(i), values[i], slope(i)]).collect(),
        _ => values,
    };
    track.interpolation = interpolation;
}
