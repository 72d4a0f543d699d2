//! The athlete's joints: 28 of them, 1.80 m tall, in an A-pose.
//!
//! +Y up, facing +Z, the character's left is +X, soles at y = 0, metres.
//!
//! Every joint's frame follows its bone: local +Y runs along the bone, local +Z is the side that leads when the
//! bone swings *forward* (the body's front for trunk, arms and legs; the instep for feet; the palm for hands), and
//! local X completes the right-handed frame and is the hinge. So on both sides of the body a positive turn about x
//! - bends the trunk, the neck and the head forward,
//! - flexes the elbow, the wrist, the fingers and the thumb,
//! - flexes the hip, lifts the toes,
//! - and *extends* the knee: a knee flexes by a negative turn.
//!
//! The right side is the left one in a mirror. A local rotation (x, y, z, w) of a left joint is
//! (x, -y, -z, w) on its right twin.

use fusiform::{Skeleton, Transform};
use glam::{Affine3A, Mat3, Quat, Vec3};

/// One joint of the left half or the middle, as it is written down.
struct Bone {
    name: &'static str,
    parent: Option<&'static str>,
    /// Where the joint is, metres.
    head: Vec3,
    /// Where the bone points to, metres.
    tail: Vec3,
    /// Which way the bone's local z leans.
    front: Vec3,
}

/// Where the palm of the left hand looks in the A-pose.
pub(crate) const LEFT_PALM: Vec3 = Vec3::new(-0.69, -0.69, -0.22);

const FRONT: Vec3 = Vec3::Z;

/// The trunk from the pelvis up, then the left limbs from the body outwards: parents before children.
const BONES: [Bone; 17] = [
    bone("hips", None, [0.0, 0.965, -0.005], [0.0, 1.065, -0.01], FRONT),
    bone("spine", Some("hips"), [0.0, 1.065, -0.01], [0.0, 1.19, -0.015], FRONT),
    bone("chest", Some("spine"), [0.0, 1.19, -0.015], [0.0, 1.33, -0.03], FRONT),
    bone("upper_chest", Some("chest"), [0.0, 1.33, -0.03], [0.0, 1.505, -0.042], FRONT),
    bone("neck", Some("upper_chest"), [0.0, 1.505, -0.042], [0.0, 1.605, -0.008], FRONT),
    bone("head", Some("neck"), [0.0, 1.605, -0.008], [0.0, 1.8, 0.005], FRONT),
    bone("shoulder.l", Some("upper_chest"), [0.022, 1.455, 0.02], [0.198, 1.452, -0.03], FRONT),
    bone("upper_arm.l", Some("shoulder.l"), [0.198, 1.452, -0.03], [0.407, 1.243, -0.027], FRONT),
    bone("lower_arm.l", Some("upper_arm.l"), [0.407, 1.243, -0.027], [0.589, 1.053, 0.025], FRONT),
    bone("hand.l", Some("lower_arm.l"), [0.589, 1.053, 0.025], [0.652, 0.985, 0.048], LEFT_PALM),
    bone("fingers.l", Some("hand.l"), [0.652, 0.985, 0.048], [0.679, 0.952, 0.057], LEFT_PALM),
    bone("fingertips.l", Some("fingers.l"), [0.679, 0.952, 0.057], [0.707, 0.917, 0.066], LEFT_PALM),
    bone("thumb.l", Some("hand.l"), [0.607, 1.028, 0.055], [0.633, 0.98, 0.103], LEFT_PALM),
    bone("upper_leg.l", Some("hips"), [0.094, 0.94, 0.0], [0.113, 0.505, 0.008], FRONT),
    bone("lower_leg.l", Some("upper_leg.l"), [0.113, 0.505, 0.008], [0.13, 0.082, -0.022], FRONT),
    bone("foot.l", Some("lower_leg.l"), [0.13, 0.082, -0.022], [0.151, 0.022, 0.122], Vec3::Y),
    bone("toes.l", Some("foot.l"), [0.151, 0.022, 0.122], [0.162, 0.016, 0.192], Vec3::Y),
];

const fn bone(name: &'static str, parent: Option<&'static str>, head: [f32; 3], tail: [f32; 3], front: Vec3) -> Bone {
    Bone { name, parent, head: Vec3::from_array(head), tail: Vec3::from_array(tail), front }
}

/// How many joints the athlete has: the middle once, the left twice.
pub const JOINT_COUNT: usize = 28;

/// Mirror image about the plane x = 0.
#[must_use]
pub(crate) fn mirror(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

/// Frame whose y is `along` and whose z leans to `front`.
#[must_use]
pub(crate) fn bone_frame(along: Vec3, front: Vec3) -> Mat3 {
    let y = along.normalize();
    let x = y.cross(front).normalize();
    Mat3::from_cols(x, y, x.cross(y))
}

/// Name of the twin on the other side; the middle is its own twin.
#[must_use]
pub(crate) fn twin(name: &str) -> String {
    match name.strip_suffix(".l") {
        Some(stem) => format!("{stem}.r"),
        None => name.strip_suffix(".r").map_or_else(|| name.to_owned(), |stem| format!("{stem}.l")),
    }
}

/// The athlete's skeleton; its bind pose is its rest pose.
#[must_use]
pub fn skeleton() -> Skeleton {
    let mut joints: Vec<(String, Option<usize>, Transform)> = Vec::with_capacity(JOINT_COUNT);
    let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(JOINT_COUNT);
    for right in [false, true] {
        for bone in BONES.iter().filter(|bone| !right || bone.name.ends_with(".l")) {
            let side = |p: Vec3| if right { mirror(p) } else { p };
            let named = |name: &str| if right { twin(name) } else { name.to_owned() };
            let rotation = Quat::from_mat3(&bone_frame(side(bone.tail - bone.head), side(bone.front)));
            let model = Affine3A::from_rotation_translation(rotation, side(bone.head));
            let parent = bone.parent.map(named).and_then(|name| joints.iter().position(|joint| joint.0 == name));
            let local = parent.map_or(model, |p| model_from_joint[p].inverse() * model);
            let (_, rotation, translation) = local.to_scale_rotation_translation();
            let rest = Transform { translation, rotation: rotation.normalize(), scale: Vec3::ONE };
            joints.push((named(bone.name), parent, rest));
            model_from_joint.push(model);
        }
    }
    let rows: Vec<_> = joints.iter().map(|(name, parent, rest)| (name.as_str(), *parent, *rest)).collect();
    Skeleton::from_rest(&rows)
}

/// Both ends of every bone in the bind pose, in the order of the skeleton's joints.
#[must_use]
pub(crate) fn segments() -> Vec<(Vec3, Vec3)> {
    let left = BONES.iter().map(|bone| (bone.head, bone.tail));
    let right = BONES.iter().filter(|bone| bone.name.ends_with(".l"));
    left.chain(right.map(|bone| (mirror(bone.head), mirror(bone.tail)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_28_joints_parents_before_children() {
        let skeleton = skeleton();
        assert_eq!(skeleton.joints.len(), JOINT_COUNT);
        assert!(skeleton.joints.iter().enumerate().all(|(i, joint)| joint.parent.is_none_or(|p| p < i)));
        assert_eq!(skeleton.joints.iter().filter(|joint| joint.parent.is_none()).count(), 1);
    }

    #[test]
    fn every_joint_sits_at_its_bones_head_and_looks_along_it() {
        let skeleton = skeleton();
        for (joint, (head, tail)) in skeleton.joints.iter().zip(segments()) {
            assert!((Vec3::from(joint.bind.translation) - head).length() < 1e-5, "{}", joint.name);
            let along = Vec3::from(joint.bind.matrix3.y_axis);
            assert!(along.dot((tail - head).normalize()) > 0.99999, "{}", joint.name);
        }
    }

    #[test]
    fn right_joints_mirror_left_ones() {
        let skeleton = skeleton();
        for joint in skeleton.joints.iter().filter(|joint| joint.name.ends_with(".l")) {
            let right = &skeleton.joints[skeleton.find(&twin(&joint.name)).unwrap()];
            assert!((mirror(joint.bind.translation.into()) - Vec3::from(right.bind.translation)).length() < 1e-5);
            let (l, r) = (joint.rest.rotation, right.rest.rotation);
            if skeleton.joints[joint.parent.unwrap()].name.ends_with(".l") {
                assert!(Quat::from_xyzw(l.x, -l.y, -l.z, l.w).dot(r).abs() > 0.99999, "{}", joint.name);
            }
        }
    }

    #[test]
    fn a_positive_turn_about_x_flexes_both_elbows_forward() {
        let skeleton = skeleton();
        for name in ["lower_arm.l", "lower_arm.r"] {
            let bind = skeleton.joints[skeleton.find(name).unwrap()].bind;
            let bent = bind * Affine3A::from_rotation_x(1.0);
            assert!(bent.matrix3.y_axis.z > bind.matrix3.y_axis.z + 0.5);
        }
    }
}
