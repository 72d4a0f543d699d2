//! Dials and choices of muscles: turned on what is chosen, and on the other side as a mirror would.

use super::{Seen, twin};
use crate::model::{CHOICES, DIALS, Twin};
use fusiform::{Muscle, Musculature, Skeleton};
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
