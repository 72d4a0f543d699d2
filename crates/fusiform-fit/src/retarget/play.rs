//! The source's motion, frame by frame, in its model space.

use super::anatomy::turns;
use super::{ENOUGH_FPS, RetargetError, Rig};
use fusiform::{Clip, Pose, Skeleton};
use glam::{Affine3A, Quat, Vec3};

/// Almost an hour at 60 frames a second; every frame of every joint is held at once.
const MOST_FRAMES: f32 = 2e5;

/// Frames times joints: an hour of sixty joints at 60 frames a second, and a gigabyte.
const MOST_PLACES: f32 = 1.4e7;

/// A first step this large (radians) and so many times the second is a jump out of a calibration pose.
const JUMP: f32 = 0.35;
const JUMP_RATIO: f32 = 8.0;

/// When the source is looked at.
pub(super) struct Times {
    pub(super) fps: f32,
    pub(super) seconds: Vec<f32>,
    pub(super) warning: Option<String>,
}

/// Every joint in every frame.
pub(super) struct Played {
    /// n_frame * n_joint, in model space.
    turns: Vec<Quat>,
    /// n_frame * n_joint `model_from_joint`.
    matrices: Vec<Affine3A>,
    joints: usize,
}

/// Evenly spaced from the first frame that belongs to the motion to the last.
pub(super) fn sample_times(source: &Rig, clip: &Clip, fps: Option<f32>) -> Result<Times, RetargetError> {
    let keys = clip.channels.iter().map(|channel| channel.keys.times()).max_by_key(|times| times.len());
    let keys = keys.unwrap_or_default();
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else {
        return Err(RetargetError::NoKeys { clip: clip.name.clone() });
    };
    let own = if last > first { (keys.len() - 1) as f32 / (last - first) } else { ENOUGH_FPS };
    let fps = fps.unwrap_or(own.min(ENOUGH_FPS));
    let (start, warning) = match calibration(source, clip, keys) {
        Some(start) => (start, Some("the first frame is a calibration pose: left out".to_owned())),
        None => (first.min(0.0), None),
    };
    let seconds = clip.duration() - start;
    let frames = seconds * fps;
    let places = frames * source.skeleton.joints.len() as f32;
    if !(fps > 0.0 && fps <= 1000.0 && frames < MOST_FRAMES && places < MOST_PLACES) {
        return Err(RetargetError::Rate { fps, seconds });
    }
    // A last frame that rounding puts a hair beyond the end is still the last frame.
    let count = (frames + 1e-2).floor() as usize + 1;
    Ok(Times { fps, seconds: (0..count).map(|frame| start + frame as f32 / fps).collect(), warning })
}

/// When the motion begins, if its first frame is a pose that was put before it.
fn calibration(source: &Rig, clip: &Clip, keys: &[f32]) -> Option<f32> {
    let [first, second, third] = *keys.first_chunk()?;
    let pose = |time| {
        let mut pose = Pose::rest(source.skeleton);
        clip.sample(time, &mut pose);
        pose
    };
    // The angle between two rotations is 2 acos |dot|; for the small ones here 2 sqrt(2 (1 - |dot|)) is close and monotone.
    let step = |a: &Pose, b: &Pose| {
        let angle = |(a, b): (&fusiform::Transform, &fusiform::Transform)| {
            2.0 * (2.0 * (1.0 - a.rotation.dot(b.rotation).abs()).max(0.0)).sqrt()
        };
        a.local.iter().zip(&b.local).map(angle).fold(0.0, f32::max)
    };
    let (a, b, c) = (pose(first), pose(second), pose(third));
    let out = step(&a, &b);
    (out > JUMP && out > JUMP_RATIO * step(&b, &c)).then_some(second)
}

impl Played {
    pub(super) fn new(skeleton: &Skeleton, clip: &Clip, seconds: &[f32]) -> Result<Self, RetargetError> {
        let joints = skeleton.joints.len();
        let mut played = Self { turns: Vec::new(), matrices: Vec::new(), joints };
        let mut pose = Pose::rest(skeleton);
        for &time in seconds {
            pose.reset(skeleton);
            clip.sample(time, &mut pose);
            let matrices = pose.model_matrices(skeleton);
            let turns = turns(skeleton, &pose);
            if !matrices.iter().all(Affine3A::is_finite) || !turns.iter().all(|turn| turn.is_finite()) {
                return Err(RetargetError::NotFinite { clip: clip.name.clone(), seconds: time });
            }
            played.turns.extend(turns);
            played.matrices.extend(matrices);
        }
        Ok(played)
    }

    pub(super) fn frames(&self) -> usize {
        self.turns.len() / self.joints.max(1)
    }

    /// n_joint turns in model space.
    pub(super) fn turns(&self, frame: usize) -> &[Quat] {
        &self.turns[frame * self.joints..][..self.joints]
    }

    /// Where the joint is in model space.
    pub(super) fn place(&self, frame: usize, joint: usize) -> Vec3 {
        self.matrices[frame * self.joints + joint].translation.into()
    }

    /// n_joint `model_from_joint`.
    pub(super) fn matrices(&self, frame: usize) -> &[Affine3A] {
        &self.matrices[frame * self.joints..][..self.joints]
    }
}
