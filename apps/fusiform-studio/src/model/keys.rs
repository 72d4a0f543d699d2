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
    let mut running = running(track);
    let there = track.times.iter().position(|t| (t - time).abs() < APART);
    let i = there.unwrap_or_else(|| track.times.partition_point(|t| *t < time));
    if there.is_none() {
        let (numbers, _) = layout(track);
        track.times.insert(i, time);
        running.insert(i, true);
        track.values.splice(numbers * i..numbers * i, vec![0.0; numbers]);
    }
    set_value(track, i, value);
    run_on(track, &running);
    i
}

fn set_value(track: &mut MuscleTrack, i: usize, value: f32) {
    let (numbers, place) = layout(track);
    track.values[numbers * i + place] = value.clamp(0.0, 1.0);
}

/// Move a key between its neighbours, within a clip that lasts `end` seconds. Between two that are too near to each other it
/// keeps its time.
pub fn move_key(track: &mut MuscleTrack, i: usize, time: f32, value: f32, end: f32) {
    if i >= track.times.len() || !time.is_finite() || !value.is_finite() {
        return;
    }
    let running = running(track);
    let low = i.checked_sub(1).map_or(0.0, |before| track.times[before] + APART);
    let high = track.times.get(i + 1).map_or(end.max(track.times[i]), |after| after - APART);
    if low <= high {
        track.times[i] = time.clamp(low, high);
    }
    set_value(track, i, value);
    run_on(track, &running);
}

/// Without a key.
pub fn remove_key(track: &mut MuscleTrack, i: usize) {
    let (numbers, _) = layout(track);
    if i < track.times.len() {
        let mut running = running(track);
        running.remove(i);
        track.times.remove(i);
        track.values.drain(numbers * i..numbers * (i + 1));
        run_on(track, &running);
    }
}

/// What a curve may change by when keys go that say nothing new.
const ALIKE: f32 = 0.01;
/// A flat stretch keeps a key now and then, or every other one would be held against all of it.
const LONGEST: usize = 500;
/// A key that goes changes the curve as far as so many of its neighbours on either side: tangents of cubics follow them.
const REACH: usize = 2;

/// Without keys that the others' curve passes anyway, within a hundredth, at and between all there were; the first and the last
/// stay.
#[must_use]
pub fn simplified(track: &MuscleTrack) -> MuscleTrack {
    let (before, mut after) = (track.track(), track.clone());
    let between = track.times.windows(2).map(|pair| pair[0].midpoint(pair[1]));
    let mut times: Vec<f32> = track.times.iter().copied().chain(between).collect();
    times.sort_by(f32::total_cmp);
    let mut i = 1;
    while i + 1 < after.times.len() {
        let mut fewer = after.clone();
        remove_key(&mut fewer, i);
        let from = after.times[i.saturating_sub(REACH)];
        let to = after.times[(i + REACH).min(after.times.len() - 1)];
        let touched = &times[times.partition_point(|t| *t < from)..times.partition_point(|t| *t <= to)];
        let curve = fewer.track();
        let is_alike = |time: &f32| match (before.at(*time), curve.at(*time)) {
            (Some(was), Some(is)) => (was - is).abs() <= ALIKE,
            _ => false,
        };
        if touched.len() < LONGEST && touched.iter().all(is_alike) {
            after = fewer;
        } else {
            i += 1;
        }
    }
    after
}

/// The same keys, with other curves between them; those of a cubic run toward their neighbours.
pub fn interpolate(track: &mut MuscleTrack, interpolation: Interpolation) {
    let values: Vec<f32> = (0..track.times.len()).filter_map(|i| key(track, i)).map(|(_, value)| value).collect();
    track.interpolation = interpolation;
    track.values = match interpolation {
        Interpolation::Cubic => values.iter().flat_map(|value| [0.0, *value, 0.0]).collect(),
        _ => values,
    };
    run_on(track, &vec![true; track.times.len()]);
}

/// How steeply a cubic runs through a key by itself: toward its neighbours, level at the ends.
fn slope(track: &MuscleTrack, i: usize) -> f32 {
    let around = i.checked_sub(1).and_then(|before| key(track, before)).zip(key(track, i + 1));
    around.filter(|(a, b)| b.0 > a.0).map_or(0.0, |(a, b)| (b.1 - a.1) / (b.0 - a.0))
}

/// Through which keys a cubic runs by itself; others have tangents that somebody set, which stay.
fn running(track: &MuscleTrack) -> Vec<bool> {
    let runs = |i: usize| {
        let tangents = track.values.get(3 * i).zip(track.values.get(3 * i + 2));
        tangents.is_some_and(|(a, b)| [*a, *b] == [slope(track, i); 2])
    };
    (0..track.times.len()).map(|i| track.interpolation == Interpolation::Cubic && runs(i)).collect()
}

/// Let a cubic run on through those keys.
fn run_on(track: &mut MuscleTrack, running: &[bool]) {
    if track.interpolation != Interpolation::Cubic {
        return;
    }
    for i in (0..track.times.len()).filter(|&i| running.get(i) == Some(&true)) {
        let slope = slope(track, i);
        (track.values[3 * i], track.values[3 * i + 2]) = (slope, slope);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_runs_toward_its_neighbours_whatever_is_done_to_them() {
        let mut track = no_keys("biceps");
        for (time, value) in [(0.0, 0.0), (1.0, 0.2), (2.0, 1.0)] {
            add_key(&mut track, time, value);
        }
        interpolate(&mut track, Interpolation::Cubic);
        let slope = |track: &MuscleTrack, i: usize| (track.values[3 * i], track.values[3 * i + 2]);
        assert_eq!(slope(&track, 1), (0.5, 0.5));
        move_key(&mut track, 2, 2.0, 0.6, 4.0);
        assert_eq!(slope(&track, 1), (0.3, 0.3));
        add_key(&mut track, 3.0, 0.8);
        assert_eq!(slope(&track, 2), (0.3, 0.3), "an end no more");
        remove_key(&mut track, 1);
        assert!((slope(&track, 1).0 - 0.8 / 3.0).abs() < 1e-6, "{:?}", track.values);
        let mut anew = track.clone();
        interpolate(&mut anew, Interpolation::Cubic);
        assert_eq!(track, anew);
    }

    #[test]
    fn tangents_that_somebody_set_stay_whatever_is_done_to_the_keys() {
        let mut track = no_keys("biceps");
        for (time, value) in [(0.0, 0.0), (1.0, 0.2), (2.0, 1.0), (3.0, 0.5)] {
            add_key(&mut track, time, value);
        }
        interpolate(&mut track, Interpolation::Cubic);
        (track.values[3], track.values[5]) = (-0.25, 2.0);
        let of = |track: &MuscleTrack, i: usize| [track.values[3 * i], track.values[3 * i + 2]];
        move_key(&mut track, 1, 1.1, 0.3, 3.0);
        assert_eq!(of(&track, 1), [-0.25, 2.0]);
        move_key(&mut track, 2, 2.0, 0.8, 3.0);
        add_key(&mut track, 1.5, 0.4);
        assert_eq!(of(&track, 1), [-0.25, 2.0], "its neighbours may go");
        remove_key(&mut track, 0);
        assert_eq!(of(&track, 0), [-0.25, 2.0]);
        assert_eq!(of(&track, 1), [(0.8 - 0.3) / (2.0 - 1.1); 2], "others run toward their neighbours");
    }

    #[test]
    fn keys_that_a_curve_passes_anyway_are_dropped_and_others_stay() {
        for kind in [Interpolation::Linear, Interpolation::Step, Interpolation::Cubic] {
            let mut track = no_keys("biceps");
            interpolate(&mut track, kind);
            let bent = |k: i32| if k < 20 { 0.02 * k as f32 } else { 0.4 };
            (0..60).for_each(|k| _ = add_key(&mut track, 0.1 * k as f32, bent(k)));
            let simple = simplified(&track);
            let (was, is) = (track.track(), simple.track());
            let most = if kind == Interpolation::Linear { 4 } else { 30 };
            assert!((3..most).contains(&simple.times.len()), "{kind:?}: {:?}", simple.times);
            assert_eq!([simple.times.first(), simple.times.last()], [track.times.first(), track.times.last()]);
            for time in &track.times {
                let apart = (was.at(*time).unwrap() - is.at(*time).unwrap()).abs();
                assert!(apart <= ALIKE, "{kind:?} at {time} s: {apart}");
            }
        }
        assert_eq!(simplified(&no_keys("biceps")), no_keys("biceps"));
    }

    #[test]
    fn a_key_between_two_that_are_too_near_keeps_its_time() {
        let mut track = no_keys("biceps");
        (track.times, track.values) = (vec![0.0, 0.0004, 0.0008], vec![0.0; 3]);
        move_key(&mut track, 1, 1.0, 0.5, 1.0);
        assert_eq!(track.times, [0.0, 0.0004, 0.0008]);
        assert_eq!(key(&track, 1), Some((0.0004, 0.5)));
    }
}
