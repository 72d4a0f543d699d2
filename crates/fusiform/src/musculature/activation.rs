//! What tenses muscles: a tension over the whole body, drivers, and curves keyed to clips.
//!
//! ```text
//! tau = clamp(input + curve of the clip + tension + sum of the drivers, 0, 1)
//! ```
//!
//! Tension and drivers run in every frame, whoever steps the body. Curves belong to clips, and a body does not know which
//! clip it is shown: who plays one samples them with [`Body::play`](crate::Body::play) and hands them in as
//! [`StepInput::activation`](crate::StepInput). With the default of all this every muscle is relaxed until told otherwise.

use super::Musculature;
use crate::character::{Character, Interpolation, Track};
use glam::Vec3;
use serde::{Deserialize, Serialize, Serializer};

/// What tenses muscles beside the input of a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Activation {
    /// Added to every muscle, 0 ..= 1.
    pub tension: f32,
    /// What tenses muscles as the body moves; those of one muscle are summed.
    pub drivers: Vec<Driver>,
    /// What an animator keyed, clip by clip.
    pub curves: Vec<ClipActivation>,
}

/// One thing that tenses muscles: a signal of the frame, through a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// Names of the muscles it tenses; empty is all of them.
    #[serde(default)]
    pub muscles: Vec<String>,
    /// What it listens to.
    pub signal: Signal,
    /// Points (signal, activation) of its curve, 2 ..= 64, signals strictly ascending, activations 0 ..= 1: straight lines
    /// between them, the outermost activations beyond them.
    #[serde(serialize_with = "short_points")]
    pub remap: Vec<[f32; 2]>,
}

/// What a driver listens to. Each is exactly 0 in the bind pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Signal {
    /// How far a joint has turned against its parent since bind, degrees.
    JointAngle {
        /// Name of the joint.
        joint: String,
        /// Unit, in the joint's space: the turn about it, -180 ..= 180, the right hand's way. Without it the whole angle of
        /// the rotation, 0 ..= 180.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        axis: Option<Vec3>,
    },
    /// How much shorter each muscle is than at rest, as a share of its rest length; negative is stretched.
    Shortening,
}

/// How hard muscles are told to contract in the course of one clip. A clip lasts as long as its joints move: keys after its
/// end are not played, because no other player of the file would know of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipActivation {
    /// Name of the clip. Curves of a clip that is not there are kept and do nothing.
    pub clip: String,
    /// One for each muscle that was keyed.
    pub tracks: Vec<MuscleTrack>,
}

/// The keys of one muscle in one clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuscleTrack {
    /// Name of the muscle. Keys of a muscle that is not there are kept and do nothing.
    pub muscle: String,
    /// Seconds, strictly ascending; 1 and more.
    #[serde(serialize_with = "short")]
    pub times: Vec<f32>,
    /// As many as times, 0 ..= 1; three times as many when cubic (in-tangent, value, out-tangent, tangents per second).
    #[serde(serialize_with = "short")]
    pub values: Vec<f32>,
    /// How values between keys are found; before the first key the first holds, after the last the last.
    #[serde(default)]
    pub interpolation: Interpolation,
}

/// The double with the fewest digits that reads back as this number: long curves stay small and readable as text.
fn shortest(x: f32) -> f64 {
    x.to_string().parse().unwrap_or(f64::from(x))
}

fn short<S: Serializer>(numbers: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|&x| shortest(x)))
}

fn short_points<S: Serializer>(points: &[[f32; 2]], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().map(|point| point.map(shortest)))
}

impl MuscleTrack {
    /// As it is sampled.
    #[must_use]
    pub fn track(&self) -> Track<f32> {
        Track { times: self.times.clone(), values: self.values.clone(), interpolation: self.interpolation }
    }
}

impl Activation {
    /// Whether nothing is tensed by it.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What of it does nothing on this character, in sentences for people.
    #[must_use]
    pub fn warnings(&self, character: &Character, musculature: &Musculature) -> Vec<String> {
        let mut warnings = Vec::new();
        for ClipActivation { clip: name, tracks } in &self.curves {
            match character.clip(name) {
                None => warnings.push(format!("activation is keyed for clip {name:?}, which is not there: it is kept")),
                Some(clip) => {
                    let last = tracks.iter().filter_map(|track| track.times.last()).fold(0.0_f32, |a, b| a.max(*b));
                    let end = clip.duration();
                    if last > end + 1e-3 {
                        let keys = format!("activation of clip {name:?} is keyed up to {last:.2} s");
                        warnings.push(format!("{keys}; the clip ends at {end:.2} s, and what follows is not played"));
                    }
                }
            }
            for track in tracks.iter().filter(|track| musculature.find(&track.muscle).is_none()) {
                let muscle = &track.muscle;
                warnings.push(format!(
                    "activation of clip {name:?} is keyed for muscle {muscle:?}, which is not there: it is kept"
                ));
            }
        }
        warnings
    }

    /// Forget what is said of muscles for which `keep` is false; returns the names of those.
    pub fn retain_muscles(&mut self, keep: impl Fn(&str) -> bool) -> Vec<String> {
        let mut gone = Vec::new();
        let mut stays = |name: &String| {
            let stays = keep(name);
            if !stays && !gone.contains(name) {
                gone.push(name.clone());
            }
            stays
        };
        self.drivers.retain_mut(|driver| {
            let all = driver.muscles.is_empty();
            driver.muscles.retain(&mut stays);
            all || !driver.muscles.is_empty()
        });
        self.curves.retain_mut(|clip| {
            let none = clip.tracks.is_empty();
            clip.tracks.retain(|track| stays(&track.muscle));
            none || !clip.tracks.is_empty()
        });
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driver(muscles: &[&str]) -> Driver {
        let muscles = muscles.iter().map(|&name| name.to_owned()).collect();
        Driver { muscles, signal: Signal::Shortening, remap: vec![[0.0, 0.0], [0.3, 1.0]] }
    }

    #[test]
    fn a_muscle_that_goes_takes_its_drivers_and_keys_along() {
        let track = |muscle: &str| MuscleTrack {
            muscle: muscle.into(),
            times: vec![0.0],
            values: vec![1.0],
            interpolation: Interpolation::Linear,
        };
        let clip = |name: &str, muscles: &[&str]| ClipActivation {
            clip: name.into(),
            tracks: muscles.iter().map(|&muscle| track(muscle)).collect(),
        };
        let mut activation = Activation {
            tension: 0.1,
            drivers: vec![driver(&["biceps", "triceps"]), driver(&["triceps"]), driver(&[])],
            curves: vec![clip("curl", &["biceps", "triceps"]), clip("push", &["triceps"])],
        };
        assert_eq!(activation.retain_muscles(|name| name != "triceps"), ["triceps"]);
        assert_eq!(activation.drivers, [driver(&["biceps"]), driver(&[])]);
        assert_eq!(activation.curves, [clip("curl", &["biceps"])]);
        assert_eq!(activation.tension, 0.1);
    }
}
