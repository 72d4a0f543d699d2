//! Bending: which way the joint at the end of a bone turns, and so where its flexors lie.
//!
//! ```text
//! r   how the next bone has turned against this one since bind, less its twist, over all clips
//! ω   the axis it turned about most: the largest eigenvector of Σ r rᵀ, with the sign of Σ r
//! n   = ω × along: the side that the next bone folds to
//! ```
//!
//! A body that never moves says it by how its bones are bent at rest; straight ones bend upward, upright ones to the front.

use crate::ellipsoid::axes_of;
use crate::segments::Segment;
use fusiform::{Character, Pose};
use glam::{Affine3A, DMat3, Quat, Vec3};

/// Moments looked at in each clip, and clips.
const MOMENTS: u8 = 24;
const CLIPS: usize = 24;
/// Root mean square of the turns, radians, below which a joint has not moved: 4 degrees.
const MOVED: f32 = 0.07;
/// Angle at rest, radians, below which two bones are straight: 8 degrees.
const STRAIGHT: f32 = 0.14;

/// The side that the joint at the end of each bone bends to: unit, at right angles to the bone, model space. `next` is the
/// direction of the bone beyond.
pub(crate) fn flexion(character: &Character, bones: &[(Segment, Vec3)]) -> Vec<Vec3> {
    let mut turned = vec![(DMat3::ZERO, Vec3::ZERO, 0_u32); bones.len()];
    let skeleton = &character.skeleton;
    let mut pose = Pose::rest(skeleton);
    let mut model = skeleton.bind_matrices();
    for clip in character.clips.iter().take(CLIPS) {
        for moment in 0..MOMENTS {
            pose.reset(skeleton);
            clip.sample(clip.duration() * f32::from(moment) / f32::from(MOMENTS), &mut pose);
            pose.to_model(skeleton, &mut model);
            for ((bone, _), (square, sum, n)) in bones.iter().zip(&mut turned) {
                let Some(child) = bone.child else { continue };
                let since = |joint: usize| rotation(&model[joint]) * rotation(&skeleton.joints[joint].bind).inverse();
                let turn = swing(bone.along(), since(bone.joint).inverse() * since(child));
                if turn.is_finite() {
                    let t = turn.as_dvec3();
                    *square += DMat3::from_cols(t * t.x, t * t.y, t * t.z);
                    (*sum, *n) = (*sum + turn, *n + 1);
                }
            }
        }
    }
    bones.iter().zip(turned).map(|((bone, next), turned)| side(bone.along(), *next, turned)).collect()
}

/// n of one bone.
fn side(along: Vec3, next: Vec3, (square, sum, n): (DMat3, Vec3, u32)) -> Vec3 {
    let bent = along.cross(next);
    let trace = square.x_axis.x + square.y_axis.y + square.z_axis.z;
    if n > 0 && (trace / f64::from(n)).sqrt() as f32 > MOVED {
        let energy = |axis: &glam::DVec3| axis.dot(square * *axis);
        let most = axes_of(square).into_iter().max_by(|a, b| energy(a).total_cmp(&energy(b)));
        let axis = most.map_or(Vec3::ZERO, |axis| axis.as_vec3());
        // How it is bent at rest counts as one more turn that it has always made.
        let sign = if axis.dot(sum / n as f32 + bent) < 0.0 { -1.0 } else { 1.0 };
        let n = (axis * sign).cross(along);
        if n.length() > 0.5 {
            return n.normalize();
        }
    }
    if bent.length() > STRAIGHT.sin() {
        return next.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
    }
    let up = if along.y.abs() < 0.7 { Vec3::Y } else { Vec3::Z };
    up.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector())
}

/// The smallest turn that takes the bone's direction where `turn` takes it, as an axis as long as its angle: no twist.
fn swing(along: Vec3, turn: Quat) -> Vec3 {
    let to = turn * along;
    let axis = along.cross(to);
    axis.normalize_or_zero() * axis.length().atan2(along.dot(to))
}

/// How a joint is turned, whatever its scale.
fn rotation(joint: &Affine3A) -> Quat {
    let (_, rotation, _) = joint.to_scale_rotation_translation();
    rotation
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::character::{Channel, Interpolation, Keys, Track};
    use fusiform::{Clip, Skeleton, Transform};

    fn arm(turns: &[Quat]) -> (Character, Segment) {
        let lower = Transform::at(Vec3::X);
        let skeleton = Skeleton::from_rest(&[("a", None, Transform::IDENTITY), ("b", Some(0), lower)]);
        let times = (0..turns.len()).map(|i| i as f32).collect();
        let track = Track { times, values: turns.to_vec(), interpolation: Interpolation::Linear };
        let clip = Clip { name: "c".into(), channels: vec![Channel { joint: 1, keys: Keys::Rotation(track) }] };
        let clips = if turns.is_empty() { Vec::new() } else { vec![clip] };
        let segment = Segment { joint: 0, child: Some(1), from: Vec3::ZERO, to: Vec3::X };
        (Character { skeleton, clips, ..Character::default() }, segment)
    }

    #[test]
    fn a_joint_flexes_to_the_side_its_clips_fold_it_to_and_twist_says_nothing() {
        let fold = Quat::from_rotation_y(-1.2) * Quat::from_rotation_x(2.0);
        let (character, bone) = arm(&[Quat::IDENTITY, fold, Quat::from_rotation_x(3.0)]);
        let n = flexion(&character, &[(bone, Vec3::X)])[0];
        assert!(n.dot(Vec3::Z) > 0.8, "{n}");
    }

    #[test]
    fn without_clips_it_flexes_the_way_it_is_bent_and_a_straight_one_upward() {
        let (character, bone) = arm(&[]);
        let bent = Vec3::new(0.8, 0.0, 0.6);
        let n = flexion(&character, &[(bone, bent), (bone, Vec3::X)]);
        assert!(n[0].distance(Vec3::Z) < 1e-6 && n[1].distance(Vec3::Y) < 1e-6);
    }
}
