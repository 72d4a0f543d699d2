//! Rate: how many frames a second a clip was made at, as its keys tell.

use fusiform::Clip;

/// As most clips are made.
pub const USUAL: f32 = 30.0;
/// Rates that programs write, frames a second.
const RATES: [f32; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
/// A rate is one of them within this share: television's 29.97 is 30.
const NEAR: f32 = 0.002;
/// Keys lie evenly when each is where it would be within this share of a frame.
const EVEN: f32 = 0.05;

/// Frames a second at which the keys of a clip lie, where they lie evenly; what is usual where they do not.
pub fn rate(clip: &Clip) -> f32 {
    let times = clip.channels.iter().map(|channel| channel.keys.times()).max_by_key(|times| times.len());
    times.and_then(even).unwrap_or(USUAL)
}

fn even(times: &[f32]) -> Option<f32> {
    let (first, last) = (*times.first()?, *times.last()?);
    // two keys are even whatever they are
    let frames = Some(times.len() - 1).filter(|frames| *frames > 1)? as f32;
    let found = frames / (last - first);
    let at = |k: usize| first + k as f32 / found;
    let is_even = times.iter().enumerate().all(|(k, time)| (time - at(k)).abs() * found < EVEN);
    RATES.into_iter().find(|rate| (found / rate - 1.0).abs() < NEAR).filter(|_| is_even)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::character::{Channel, Interpolation, Keys, Track};
    use glam::Quat;

    fn clip(times: Vec<f32>) -> Clip {
        let values = vec![Quat::IDENTITY; times.len()];
        let keys = Keys::Rotation(Track { times, values, interpolation: Interpolation::Linear });
        Clip { name: "clip".into(), channels: vec![Channel { joint: 0, keys }] }
    }

    #[test]
    fn a_clip_has_the_rate_that_its_keys_lie_at_and_others_the_usual_one() {
        for wanted in RATES {
            let times = |n: u32, fps: f32| (0..n).map(|k| k as f32 / fps).collect::<Vec<_>>();
            for n in [3, 90, 20_000] {
                assert_eq!(rate(&clip(times(n, wanted))), wanted, "{n} keys");
            }
            let mut uneven = times(90, wanted);
            uneven[40] += 0.4 / wanted;
            assert_eq!(rate(&clip(uneven)), USUAL);
        }
        for none in [vec![], vec![0.0], vec![0.0, 1.0 / 24.0], vec![0.0, 0.5, 1.0], vec![0.5; 3]] {
            assert_eq!(rate(&clip(none)), USUAL);
        }
    }
}
