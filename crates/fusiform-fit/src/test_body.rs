//! A body to test on: an athlete's skeleton in an A-pose and a skin of tapered tubes, all in closed form.

use fusiform::{Skeleton, Transform};
use glam::{Affine3A, Mat3A, Quat, Vec2, Vec3};

/// Joint, parent, place in model space; a name ending in `.l` has a mirror image.
const JOINTS: [(&str, &str, [f32; 3]); 17] = [
    ("hips", "", [0.0, 0.97, 0.0]),
    ("spine", "hips", [0.0, 1.06, -0.01]),
    ("chest", "spine", [0.0, 1.18, -0.015]),
    ("upper_chest", "chest", [0.0, 1.32, -0.015]),
    ("neck", "upper_chest", [0.0, 1.50, -0.02]),
    ("head", "neck", [0.0, 1.60, 0.0]),
    ("shoulder.l", "upper_chest", [0.03, 1.44, -0.015]),
    ("upper_arm.l", "shoulder.l", [0.18, 1.44, -0.02]),
    ("lower_arm.l", "upper_arm.l", [0.385, 1.235, -0.025]),
    ("hand.l", "lower_arm.l", [0.57, 1.05, 0.0]),
    ("fingers.l", "hand.l", [0.63, 0.985, 0.01]),
    ("upper_leg.l", "hips", [0.095, 0.92, 0.0]),
    ("lower_leg.l", "upper_leg.l", [0.105, 0.49, 0.005]),
    ("foot.l", "lower_leg.l", [0.11, 0.08, -0.02]),
    ("toes.l", "foot.l", [0.125, 0.02, 0.13]),
    ("toe_tip.l", "toes.l", [0.13, 0.015, 0.19]),
    ("head_top", "head", [0.0, 1.80, 0.0]),
];

/// The skeleton; every joint is turned a little differently, since rigs agree on no axes.
pub(crate) fn skeleton() -> Skeleton {
    let mut flat: Vec<(String, String, Vec3)> = Vec::new();
    for (name, parent, at) in JOINTS {
        flat.push((name.into(), parent.into(), at.into()));
        if name.ends_with(".l") {
            let at = Vec3::from(at) * Vec3::new(-1.0, 1.0, 1.0);
            flat.push((name.replace(".l", ".r"), parent.replace(".l", ".r"), at));
        }
    }
    let mut skeleton = Skeleton::default();
    for (i, (name, parent, at)) in flat.iter().enumerate() {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, i as f32, 0.3 * i as f32, 2.0 - i as f32);
        let bind = Affine3A { matrix3: Mat3A::from_quat(turn), translation: (*at).into() };
        let parent = skeleton.find(parent);
        let local = parent.map_or(bind, |parent| skeleton.joints[parent].bind.inverse() * bind);
        let (scale, rotation, translation) = local.to_scale_rotation_translation();
        let rest = Transform { translation, rotation, scale };
        skeleton.joints.push(fusiform::Joint { name: name.clone(), parent, rest, bind });
    }
    skeleton
}

/// A tube of the skin: from, to, and half-axes (sideways, front, back) at both ends.
type Tube = [[f32; 3]; 4];

const TUBES: [Tube; 14] = [
    [[0.0, 0.84, -0.01], [0.0, 0.95, -0.01], [0.15, 0.09, 0.11], [0.175, 0.10, 0.125]],
    [[0.0, 0.95, -0.01], [0.0, 1.13, -0.01], [0.175, 0.10, 0.125], [0.14, 0.105, 0.09]],
    [[0.0, 1.13, -0.01], [0.0, 1.30, -0.01], [0.14, 0.105, 0.09], [0.175, 0.13, 0.11]],
    [[0.0, 1.30, -0.01], [0.0, 1.46, -0.02], [0.175, 0.13, 0.11], [0.15, 0.08, 0.09]],
    [[0.0, 1.44, -0.02], [0.0, 1.56, -0.01], [0.10, 0.06, 0.08], [0.06, 0.055, 0.065]],
    [[0.0, 1.56, 0.0], [0.0, 1.78, 0.01], [0.065, 0.085, 0.09], [0.075, 0.09, 0.10]],
    [[0.0, 1.43, -0.015], [0.18, 1.43, -0.02], [0.075, 0.085, 0.09], [0.065, 0.065, 0.07]],
    [[0.17, 1.45, -0.02], [0.27, 1.35, -0.02], [0.065, 0.065, 0.068], [0.052, 0.058, 0.058]],
    [[0.27, 1.35, -0.02], [0.385, 1.235, -0.025], [0.052, 0.058, 0.058], [0.044, 0.044, 0.044]],
    [[0.385, 1.235, -0.025], [0.44, 1.18, -0.018], [0.044, 0.044, 0.044], [0.046, 0.046, 0.046]],
    [[0.44, 1.18, -0.018], [0.60, 1.01, 0.0], [0.046, 0.046, 0.046], [0.027, 0.03, 0.03]],
    [[0.09, 0.94, 0.0], [0.105, 0.49, 0.005], [0.09, 0.10, 0.11], [0.058, 0.06, 0.06]],
    [[0.105, 0.50, 0.005], [0.107, 0.36, 0.0], [0.058, 0.058, 0.062], [0.058, 0.052, 0.072]],
    [[0.107, 0.36, 0.0], [0.11, 0.06, -0.02], [0.058, 0.052, 0.072], [0.036, 0.04, 0.06]],
];
/// The foot, which runs to the front: half-axes sideways, up, down.
const FOOT: Tube = [[0.11, 0.06, -0.06], [0.13, 0.03, 0.15], [0.04, 0.05, 0.06], [0.05, 0.02, 0.03]];

/// Whether the point is inside the skin.
pub(crate) fn inside(point: Vec3) -> bool {
    let point = point.with_x(point.x.abs());
    TUBES.iter().any(|tube| in_tube(tube, Vec3::Z, point)) || in_tube(&FOOT, Vec3::Y, point)
}

fn in_tube([from, to, start, end]: &Tube, front: Vec3, point: Vec3) -> bool {
    let (from, to) = (Vec3::from(*from), Vec3::from(*to));
    let along = (to - from).normalize();
    let front = front.reject_from_normalized(along).normalize();
    let length = from.distance(to);
    let from_start = point - from;
    let reached = from_start.dot(along);
    let [side, ahead, behind] =
        Vec3::from(*start).lerp(Vec3::from(*end), (reached / length).clamp(0.0, 1.0)).to_array();
    let depth = from_start.dot(front);
    // Round ends, half as long as wide.
    let beyond = (reached - reached.clamp(0.0, length)) / (0.5 * side);
    let across = Vec2::new(from_start.dot(along.cross(front)) / side, depth / if depth > 0.0 { ahead } else { behind });
    across.length_squared() + beyond * beyond < 1.0
}

/// Distance from a point inside to where the ray first leaves the skin.
pub(crate) fn skin(from: Vec3, direction: Vec3) -> Option<f32> {
    if !inside(from) {
        return None;
    }
    (1..2000).map(|step| step as f32 * 5e-4).find(|&distance| !inside(from + direction * distance))
}
