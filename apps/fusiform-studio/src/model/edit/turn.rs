//! Dials and choices of muscles: turned on what is chosen, and on the other side as a mirror would.

use super::{Seen, twin};
use crate::model::{CHOICES, DIALS, Fault, Twin};
use fusiform::{Muscle, Musculature, Skeleton};
use fusiform_fit::{influence, keep_weights, sort_meshes};
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
    for (m, is_twin) in seen.edited(&muscles.muscles) {
        let joint = if is_twin { joint.and_then(|joint| mirrored_joint(skeleton, joint)) } else { joint };
        muscles.muscles[m].carrier = joint.map(ToOwned::to_owned);
    }
}

/// The joint nearest to the mirror image of another.
fn mirrored_joint<'a>(skeleton: &'a Skeleton, joint: &str) -> Option<&'a str> {
    let place = |joint: usize| Vec3::from(skeleton.joints[joint].bind.translation);
    let wanted = place(skeleton.find(joint)?) * Vec3::new(-1.0, 1.0, 1.0);
    let distance = |joint: &usize| place(*joint).distance_squared(wanted);
    let nearest = (0..skeleton.joints.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(&skeleton.joints[nearest].name)
}

/// Weights of the chosen muscles by their influence, or by the shape of the body; those of others stay.
pub fn weigh(seen: Seen, muscles: &mut Musculature) -> Result<(), Fault> {
    let character = &seen.project.character;
    let made = influence(character, &sort_meshes(character), &muscles.muscles)
        .map_err(|error| Fault::told(&seen.project.name, &error.to_string()))?;
    let mut others = muscles.clone();
    // a name that is not there is not kept
    seen.edited(&muscles.muscles).into_iter().for_each(|(m, _)| others.muscles[m].name = format!("\0{m}"));
    muscles.weights = made;
    keep_weights(&others, muscles);
    Ok(())
}
