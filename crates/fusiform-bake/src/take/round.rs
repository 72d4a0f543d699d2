//! Whether a clip comes round, and where the body is then.

use fusiform::character::Keys;
use fusiform::{Clip, Pose, Skeleton, Transform};
use glam::{Affine3A, Vec3};

/// Whether a clip ends in the pose it began in, but for where the body stands.
#[must_use]
pub fn comes_round(skeleton: &Skeleton, clip: &Clip) -> bool {
    let mut poses = [0.0, clip.duration()].map(|time| pose_at(skeleton, clip, time));
    let roots: Vec<usize> = (0..skeleton.joints.len()).filter(|&j| skeleton.joints[j].parent.is_none()).collect();
    for pose in &mut poses {
        roots.iter().for_each(|&root| pose.local[root].translation = Vec3::ZERO);
    }
    let [first, last] = poses;
    let near = |(a, b): (&Transform, &Transform)| {
        // a degree, and a thousandth of the scale of limbs
        a.rotation.dot(b.rotation).abs() > 0.99996
            && a.translation.abs_diff_eq(b.translation, 1e-3)
            && a.scale.abs_diff_eq(b.scale, 1e-3)
    };
    clip.duration() > 0.0 && first.local.iter().zip(&last.local).all(near)
}

/// How far the body goes from the start of a clip to that moment, s: where the world has to go so that the next lap begins
/// where this one ended.
#[must_use]
pub fn lap(skeleton: &Skeleton, clip: &Clip, end: f32) -> Affine3A {
    let moves = clip.channels.iter().filter(|channel| matches!(channel.keys, Keys::Translation(_)));
    let Some(root) = moves.map(|channel| channel.joint).min() else { return Affine3A::IDENTITY };
    let at = |time: f32| {
        let mut model_from_joint = skeleton.bind_matrices();
        pose_at(skeleton, clip, time).to_model(skeleton, &mut model_from_joint);
        model_from_joint[root]
    };
    let away = at(end) * at(0.0).inverse();
    // a clip that comes back to its place to within rounding does not walk away
    if away.abs_diff_eq(Affine3A::IDENTITY, 1e-4) { Affine3A::IDENTITY } else { away }
}

fn pose_at(skeleton: &Skeleton, clip: &Clip, time: f32) -> Pose {
    let mut pose = Pose::rest(skeleton);
    clip.sample(time, &mut pose);
    pose
}
