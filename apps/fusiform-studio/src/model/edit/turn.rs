//! Dials and choices of muscles: turned on what is chosen, and on the other side as a mirror would.

use super::Seen;
use super::place::{keeping_curve, mirrored_value};
use super::shapes::{self, shapes_of};
use crate::model::{CHOICES, DIALS, Grip, Project, Twin, twin};
use fusiform::{Muscle, Musculature};
use glam::Vec3;

/// Turn a dial, one of several where there are several.
pub fn dial(seen: Seen, (dial, at): (usize, usize), value: f32, muscles: &mut Musculature) {
    let Some(dial) = DIALS.get(dial) else { return };
    let dial = dial.on_body(seen.project.character.height());
    let (muscles, skeleton) = (&mut muscles.muscles, &seen.project.character.skeleton);
    for (m, is_twin) in seen.edited(muscles) {
        let value = if is_twin && dial.twin == Twin::Opposite { -value } else { value };
        let mirrored = (is_twin && dial.twin == Twin::Mirrored).then(|| mirrored_up(seen.project, m, muscles));
        keeping_curve(skeleton, &mut muscles[m], |muscle| match mirrored {
            Some(up) => muscle.up = up.or(muscle.up),
            None => dial.turn_nth(muscle, at, value),
        });
    }
}

/// The other side's up-vector, as a mirror shows it.
fn mirrored_up(project: &Project, m: usize, muscles: &[Muscle]) -> Option<Vec3> {
    let other = &muscles[twin(muscles, m)?];
    mirrored_value(project, [other, &muscles[m]], Grip::Up, other.up?)
}

/// Take an option of a choice.
pub fn choose(seen: Seen, choice: usize, option: usize, muscles: &mut Musculature) {
    let Some(choice) = CHOICES.get(choice) else { return };
    let muscles = &mut muscles.muscles;
    for (m, is_twin) in seen.edited(muscles) {
        let had_shapes = !shapes_of(&muscles[m]).is_empty();
        let skeleton = &seen.project.character.skeleton;
        keeping_curve(skeleton, &mut muscles[m], |muscle| choice.take(muscle, option, skeleton));
        if !had_shapes {
            shapes::begin(seen, muscles, (m, is_twin));
        }
    }
}
