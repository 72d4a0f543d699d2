//! Bones under the skin: every number of their shapes.

use crate::model::field::Field;
use fusiform::musculature::{Bone, BoneShape};
use glam::{EulerRot, Quat};

/// A part of one kind of shape.
macro_rules! bone {
    ($variant:path, $field:ident[$i:literal]) => {
        (
            |bone, _| if let $variant { $field, .. } = &bone.shape { Some($field[$i]) } else { None },
            |bone, _, value| {
                if let $variant { $field, .. } = &mut bone.shape {
                    $field[$i] = value;
                }
            },
        )
    };
    ($variant:path, $field:ident.$axis:ident) => {
        (
            |bone, _| if let $variant { $field, .. } = &bone.shape { Some($field.$axis) } else { None },
            |bone, _, value| {
                if let $variant { $field, .. } = &mut bone.shape {
                    $field.$axis = value;
                }
            },
        )
    };
}

/// One of the angles of an ellipsoid.
macro_rules! angle {
    ($i:literal) => {
        (|bone, _| Some(angles(bone)?[$i]), |bone, _, value| turn(bone, $i, value))
    };
}

/// By how many degrees an ellipsoid is turned about its own x, then its y, then its z.
fn angles(bone: &Bone) -> Option<[f32; 3]> {
    let BoneShape::Ellipsoid { turn, .. } = &bone.shape else { return None };
    let (x, y, z) = turn.normalize().to_euler(EulerRot::XYZ);
    Some([x, y, z].map(f32::to_degrees))
}

fn turn(bone: &mut Bone, which: usize, degrees: f32) {
    let Some(mut angles) = angles(bone) else { return };
    angles[which] = degrees;
    let [x, y, z] = angles.map(f32::to_radians);
    if let BoneShape::Ellipsoid { turn, .. } = &mut bone.shape {
        *turn = Quat::from_euler(EulerRot::XYZ, x, y, z);
    }
}

const RADIUS: &str = "How thick the bone is there: thicker bones push the skin over them further where it bends.";
const PLACE: &str = "Where the bone lies, from its joint along its axes: nearer the skin it shows sooner.";
const TURN: &str = "How the bone stands on its joint: turned about its own x, then its y, then its z. Flat bones turn their broad side.";
const HALF: &str = "Half the bone's extent along this axis of its own: larger bones push the skin further.";

/// Every number of a bone that has its lengths [in metres](crate::model::bone_in_metres).
pub const BONE_FIELDS: &[Field<Bone>] = &[
    Field::<Bone>::new(("", "First radius"), (0.001, 0.1, 0.01, "m"), bone!(BoneShape::Capsule, radii[0]), RADIUS),
    Field::<Bone>::new(("", "Last radius"), (0.001, 0.1, 0.01, "m"), bone!(BoneShape::Capsule, radii[1]), RADIUS),
    Field::<Bone>::new(("", "From x"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, from.x), PLACE),
    Field::<Bone>::new(("", "From y"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, from.y), PLACE),
    Field::<Bone>::new(("", "From z"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, from.z), PLACE),
    Field::<Bone>::new(("", "To x"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, to.x), PLACE),
    Field::<Bone>::new(("", "To y"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, to.y), PLACE),
    Field::<Bone>::new(("", "To z"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Capsule, to.z), PLACE),
    Field::<Bone>::new(("", "Half x"), (0.001, 0.2, 0.01, "m"), bone!(BoneShape::Ellipsoid, half_axes.x), HALF),
    Field::<Bone>::new(("", "Half y"), (0.001, 0.2, 0.01, "m"), bone!(BoneShape::Ellipsoid, half_axes.y), HALF),
    Field::<Bone>::new(("", "Half z"), (0.001, 0.2, 0.01, "m"), bone!(BoneShape::Ellipsoid, half_axes.z), HALF),
    Field::<Bone>::new(("", "Turn x"), (-180.0, 180.0, 0.0, "°"), angle!(0), TURN),
    Field::<Bone>::new(("", "Turn y"), (-90.0, 90.0, 0.0, "°"), angle!(1), TURN),
    Field::<Bone>::new(("", "Turn z"), (-180.0, 180.0, 0.0, "°"), angle!(2), TURN),
    Field::<Bone>::new(("", "Centre x"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Ellipsoid, center.x), PLACE),
    Field::<Bone>::new(("", "Centre y"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Ellipsoid, center.y), PLACE),
    Field::<Bone>::new(("", "Centre z"), (-1.0, 1.0, 0.0, "m"), bone!(BoneShape::Ellipsoid, center.z), PLACE),
];
