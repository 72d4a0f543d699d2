//! Dials and choices of muscles: turned on what is chosen, and on the other side as a mirror would.

use super::Seen;
use super::place::{keeping_curve, mirrored_value, put_value};
use super::shapes::{self, shapes_of};
use crate::model::{CHOICES, DIALS, Dial, Grip, Project, Twin, Twins};
use fusiform::{Muscle, Musculature};

/// Turn a dial, one of several where there are several.
pub fn dial(seen: Seen, (dial, at): (usize, usize), value: f32, muscles: &mut Musculature) {
    let Some(dial) = DIALS.get(dial) else { return };
    let dial = dial.on_body(seen.project.character.height());
    let (muscles, project) = (&mut muscles.muscles, seen.project);
    // shapes are known by their poses, which this may turn
    let which = |of: (usize, bool)| match dial.twin {
        Twin::Shape => Some((of, shapes::meant(project, muscles, of, at)?)),
        _ => Some((of, at)),
    };
    let twins = Twins::new(project, muscles);
    let led = |((m, is_twin), at): ((usize, bool), usize)| (m, twins.of(m).filter(|_| is_twin), at);
    let edited: Vec<_> = seen.edited(muscles).into_iter().filter_map(which).map(led).collect();
    for (m, leader, at) in edited {
        match (dial.twin, leader) {
            (Twin::Mirrored(grip), Some(leader)) => mirror(project, (dial, grip), [leader, m], muscles),
            _ => keeping_curve(&project.character.skeleton, &mut muscles[m], |muscle| dial.turn_nth(muscle, at, value)),
        }
    }
}

/// Give a muscle what that dial turned of its twin, as a mirror shows it.
fn mirror(project: &Project, (dial, grip): (Dial, Grip), [leader, m]: [usize; 2], muscles: &mut [Muscle]) {
    let value = || {
        let from = Some(&muscles[leader]).filter(|other| dial.of(other).is_some())?;
        mirrored_value(project, [from, &muscles[m]], grip, grip.value(from)?)
    };
    if let Some(value) = value() {
        put_value(&project.character.skeleton, &mut muscles[m], grip, value);
    }
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
