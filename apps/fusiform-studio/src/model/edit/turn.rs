//! Dials and choices of muscles: turned on what is chosen, and on the other side as a mirror would.

use super::place::twin_joint;
use super::{Seen, twin};
use crate::model::{CHOICES, DIALS, Fault, Twin};
use fusiform::{Muscle, Musculature, Skeleton};
use fusiform_fit::{join_weights, sort_meshes};
use glam::Vec3;

/// Turn a dial, one of several where there are several.
pub fn dial(seen: Seen, (dial, at): (usize, usize), value: f32, muscles: &mut Musculature) {
    let Some(dial) = DIALS.get(dial) else { return };
    let muscles = &mut muscles.muscles;
    for (m, is_twin) in seen.edited(muscles) {
        match (is_twin, dial.twin) {
            (true, Twin::Mirrored) => mirror_up(&seen.project.character.skeleton, m, muscles),
            (true, Twin::Opposite) => dial.turn_nth(&mut muscles[m], at, -value),
            _ => dial.turn_nth(&mut muscles[m], at, value),
        }
    }
}

/// The other side's up-vector, as a mirror shows it.
fn mirror_up(skeleton: &Skeleton, m: usize, muscles: &mut [Muscle]) {
    let Some(other) = twin(muscles, m) else { return };
    let turn = |muscle: &Muscle| {
        let joint = skeleton.find(&muscle.origin.joint)?;
        Some(skeleton.joints[joint].bind.to_scale_rotation_translation().1)
    };
    if let (Some(up), Some(from), Some(to)) = (muscles[other].up, turn(&muscles[other]), turn(&muscles[m])) {
        muscles[m].up = Some(to.inverse() * (from * up * Vec3::new(-1.0, 1.0, 1.0)));
    }
}

/// Take an option of a choice.
pub fn choose(seen: Seen, choice: usize, option: usize, muscles: &mut Musculature) {
    let Some(choice) = CHOICES.get(choice) else { return };
    for (m, _) in seen.edited(&muscles.muscles) {
        choice.take(&mut muscles.muscles[m], option, &seen.project.character.skeleton);
    }
}

/// Let a joint carry the ellipsoid, on the other side the joint that mirrors it.
pub fn carrier(seen: Seen, joint: Option<&str>, muscles: &mut Musculature) {
    let skeleton = &seen.project.character.skeleton;
    let mirrored = |joint: &str| {
        let twin = twin_joint(skeleton, skeleton.find(joint)?)?;
        Some(skeleton.joints[twin].name.clone())
    };
    for (m, is_twin) in seen.edited(&muscles.muscles) {
        let own = if is_twin { joint.and_then(mirrored) } else { joint.map(ToOwned::to_owned) };
        muscles.muscles[m].carrier = own;
    }
}

/// Weights of the chosen muscles by their influence, or by the shape of the body; those of others stay where there is room.
pub fn weigh(seen: Seen, muscles: &mut Musculature) -> Result<(), Fault> {
    let character = &seen.project.character;
    let chosen: Vec<usize> = seen.edited(&muscles.muscles).into_iter().map(|(m, _)| m).collect();
    let joined = join_weights(character, &sort_meshes(character), muscles, &chosen);
    joined.map_err(|error| Fault::told(&seen.project.name, &error.to_string()))
}
