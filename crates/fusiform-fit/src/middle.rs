//! The middle plane: where left and right of a body meet, wherever it stands.
//!
//! Placing, mirroring and weighing take x = 0 for it, so a body that stands aside is moved there in thought. Muscles hang on
//! joints: what is found there holds for the body as it came.

use crate::{Role, Roles, Side, Wear};
use fusiform::{Character, Skeleton};
use glam::Vec3;

/// A body within this share of its height of x = 0 was made to stand there; a skeleton may be a little askew.
const MEANT: f32 = 0.005;

/// x of the plane between hips or shoulders; none where roles do not tell it.
pub(crate) fn of_joints(skeleton: &Skeleton, roles: &Roles) -> Option<f32> {
    let x = |role, side| {
        let joint = skeleton.joints.get(roles.get(role, side)?)?;
        Some(joint.bind.translation.x).filter(|x| x.is_finite())
    };
    let pair = |role| Some(0.5 * (x(role, Side::Left)? + x(role, Side::Right)?));
    pair(Role::UpperLeg).or_else(|| pair(Role::UpperArm)).or_else(|| x(Role::Hips, Side::Left))
}

/// x of the middle of the body's skin, by area; for a creature whose joints tell nothing.
pub(crate) fn of_skin(character: &Character, wear: &[Wear]) -> Option<f32> {
    let (mut sum, mut whole) = (0.0_f64, 0.0_f64);
    for (mesh, _) in character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body) {
        for rows in &mesh.triangles {
            let [Some(&a), Some(&b), Some(&c)] = rows.map(|row| mesh.positions.get(row as usize)) else { continue };
            let area = f64::from((b - a).cross(c - a).length());
            sum += area * f64::from(a.x + b.x + c.x) / 3.0;
            whole += area;
        }
    }
    Some((sum / whole) as f32).filter(|x| x.is_finite())
}

/// Move the body so that its middle plane, now at `x`, is x = 0.
pub(crate) fn to_zero(character: &mut Character, x: f32) {
    if x.abs() <= MEANT * character.height() {
        return;
    }
    let aside = Vec3::X * x;
    character.skeleton.joints.iter_mut().for_each(|joint| joint.bind.translation -= glam::Vec3A::from(aside));
    let meshes = character.meshes.iter_mut();
    meshes.flat_map(|mesh| &mut mesh.positions).for_each(|p| *p -= aside);
}
