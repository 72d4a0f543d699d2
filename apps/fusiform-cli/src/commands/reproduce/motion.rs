//! A clip without the corners that keys make: tissue would ring at every one of them.

use fusiform::{Character, Clip, Pose, Transform};
use glam::{Affine3A, Quat, Vec3};

/// A clip sampled at its keys' rate, with smooth curves between the samples.
pub struct Smooth<'a> {
    character: &'a Character,
    samples: Vec<Pose>,
    rate: f32,
}

impl<'a> Smooth<'a> {
    /// Of a clip whose keys come so often a second.
    pub fn new(character: &'a Character, clip: &Clip, rate: f32) -> Self {
        let n = (clip.duration() * rate + 0.5) as usize;
        let sample = |i: usize| {
            let mut pose = Pose::rest(&character.skeleton);
            clip.sample(i as f32 / rate, &mut pose);
            pose
        };
        Self { character, samples: (0..=n).map(sample).collect(), rate }
    }

    /// Seconds.
    pub fn duration(&self) -> f32 {
        (self.samples.len() - 1) as f32 / self.rate
    }

    /// `model_from_joint` of every joint: a cubic through the samples, whose slope at each is that between its neighbours.
    pub fn at(&self, time: f32, model_from_joint: &mut [Affine3A]) {
        let at = (time * self.rate).clamp(0.0, (self.samples.len() - 1) as f32);
        let (i, t) = (at as usize, at.fract());
        let row = |k: i64| &self.samples[(i as i64 + k).clamp(0, self.samples.len() as i64 - 1) as usize];
        let weights = [
            0.5 * (-t + 2.0 * t * t - t * t * t),
            0.5 * (2.0 - 5.0 * t * t + 3.0 * t * t * t),
            0.5 * (t + 4.0 * t * t - 3.0 * t * t * t),
            0.5 * (t * t * t - t * t),
        ];
        let joint = |j: usize| {
            let four = [-1, 0, 1, 2].map(|k| row(k).local[j]);
            let near = four[1].rotation;
            let mut sum = (Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            for (local, w) in four.iter().zip(weights) {
                let side = if local.rotation.dot(near) < 0.0 { -w } else { w };
                sum = (sum.0 + local.translation * w, sum.1 + local.rotation * side);
            }
            Transform { translation: sum.0, rotation: sum.1.normalize(), scale: four[1].scale }
        };
        let pose = Pose { local: (0..self.character.skeleton.joints.len()).map(joint).collect() };
        pose.to_model(&self.character.skeleton, model_from_joint);
    }
}
