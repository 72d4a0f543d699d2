//! Metres: numbers that are kept in the space of a joint, which files may scale, as they measure on the body.

use fusiform::Skeleton;
use fusiform::musculature::{Bone, BoneShape};
use glam::Vec3;

/// How long a step of one along each axis of a joint is on the body at bind, m; a metre where there is no such joint.
#[must_use]
pub fn metres(skeleton: &Skeleton, joint: &str) -> Vec3 {
    let Some(joint) = skeleton.find(joint) else { return Vec3::ONE };
    let axes = skeleton.joints[joint].bind.matrix3;
    Vec3::new(axes.x_axis.length(), axes.y_axis.length(), axes.z_axis.length())
}

/// The same whichever way a step goes: of a ball that becomes an ellipsoid, the ball of equal volume.
fn mean_metres(skeleton: &Skeleton, joint: &str) -> f32 {
    let joint = skeleton.find(joint).map(|joint| &skeleton.joints[joint]);
    joint.map_or(1.0, |joint| joint.bind.matrix3.determinant().abs().cbrt())
}

/// A bone with its places and radii in metres of the body.
#[must_use]
pub fn bone_in_metres(skeleton: &Skeleton, bone: &Bone) -> Bone {
    let mut shown = bone.clone();
    numbers(skeleton, &mut shown).into_iter().for_each(|(number, metres)| *number *= metres);
    shown
}

/// The bone as the document keeps it, after some of the numbers that were shown in metres were turned. Others stay as they
/// are, to the bit: its twin follows what changes.
#[must_use]
pub fn bone_from_metres(skeleton: &Skeleton, bone: &Bone, [mut shown, mut turned]: [Bone; 2]) -> Bone {
    let mut kept = bone.clone();
    let [was, is] = [&mut shown, &mut turned].map(|bone| numbers(skeleton, bone));
    for (((number, metres), (was, _)), (is, _)) in numbers(skeleton, &mut kept).into_iter().zip(was).zip(is) {
        if is != was {
            *number = *is / metres;
        }
    }
    if let [BoneShape::Ellipsoid { turn: was, .. }, BoneShape::Ellipsoid { turn: is, .. }] =
        [&shown.shape, &turned.shape]
        && let BoneShape::Ellipsoid { turn, .. } = &mut kept.shape
        && is != was
    {
        *turn = *is;
    }
    kept
}

/// Every length of a bone, and how many metres one of it is.
fn numbers<'a>(skeleton: &Skeleton, bone: &'a mut Bone) -> Vec<(&'a mut f32, f32)> {
    let (along, mean) = (metres(skeleton, &bone.joint), mean_metres(skeleton, &bone.joint));
    let place = |at: &'a mut Vec3| [(&mut at.x, along.x), (&mut at.y, along.y), (&mut at.z, along.z)];
    match &mut bone.shape {
        BoneShape::Capsule { from, to, radii } => {
            let radii = radii.iter_mut().map(|radius| (radius, mean));
            place(from).into_iter().chain(place(to)).chain(radii).collect()
        }
        BoneShape::Ellipsoid { center, half_axes, .. } => {
            let halves = [&mut half_axes.x, &mut half_axes.y, &mut half_axes.z].map(|half| (half, mean));
            place(center).into_iter().chain(halves).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusiform::Transform;
    use glam::Quat;

    fn scaled(scale: Vec3) -> Skeleton {
        let rest = Transform { scale, rotation: Quat::from_rotation_y(0.8), translation: Vec3::ONE };
        Skeleton::from_rest(&[("hips", None, rest)])
    }

    #[test]
    fn a_step_along_an_axis_measures_what_it_does_on_the_body() {
        let scale = Vec3::new(0.01, -0.02, 0.05);
        let skeleton = scaled(scale);
        let bind = skeleton.joints[0].bind;
        for (axis, metres) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(metres(&skeleton, "hips").to_array()) {
            assert!((bind.transform_vector3(axis).length() - metres).abs() < 1e-7, "{axis} is {metres} m");
        }
        assert_eq!(metres(&skeleton, "nobody"), Vec3::ONE);
    }

    #[test]
    fn a_bone_that_is_turned_in_metres_changes_only_where_it_was_turned() {
        let skeleton = scaled(Vec3::splat(0.013));
        let shape = BoneShape::Capsule { from: Vec3::splat(1.7), to: Vec3::new(3.1, 0.3, 20.7), radii: [0.7, 1.1] };
        let bone = Bone { name: "pelvis".into(), joint: "hips".into(), shape };
        let shown = bone_in_metres(&skeleton, &bone);
        let mut turned = shown.clone();
        let BoneShape::Capsule { to, radii, .. } = &mut turned.shape else { panic!() };
        assert!((to.z - 0.013 * 20.7).abs() < 1e-6 && (radii[1] - 0.013 * 1.1).abs() < 1e-6, "{to} {radii:?}");
        (to.z, radii[1]) = (0.26, 0.013);
        let BoneShape::Capsule { from, to, radii } = bone_from_metres(&skeleton, &bone, [shown, turned]).shape else {
            panic!()
        };
        assert_eq!((from, to.truncate(), radii[0]), (Vec3::splat(1.7), glam::Vec2::new(3.1, 0.3), 0.7));
        assert!((to.z - 20.0).abs() < 1e-4 && (radii[1] - 1.0).abs() < 1e-5, "{to} {radii:?}");
    }
}
