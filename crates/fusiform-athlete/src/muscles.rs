//! The humanoid template's muscles, laid into the athlete's flesh.

use crate::AthleteError;
use crate::envelope::Envelope;
use crate::skin::TENDON;
use fusiform::body::rest_bellies;
use fusiform::musculature::Path;
use fusiform::{Muscle, Skeleton};
use fusiform_fit::{Placed, Roles, Template, place};
use glam::Vec3;

/// Longest way from a bone to the skin that is looked at, metres.
const MAX_DEPTH: f32 = 0.35;
/// Steps along a ray before it is bisected, metres.
const STEP: f32 = 0.004;
/// Bisections: from a step to well below a tenth of a millimetre.
const BISECTIONS: usize = 8;

/// A tendon may stand out of the flesh this far, metres.
const SEAT_HEIGHT: f32 = 0.003;
/// A tendon is to lie this much deeper than a belly, metres.
const TENDON_ROOM: f32 = 0.006;
/// Share of its way to the ankle that a muscle's end keeps in one step, and how many steps there are.
const SEAT_PULL: f32 = 0.8;
const SEAT_STEPS: usize = 12;
/// How far the middle of a muscle's line, or a place it runs over, is moved in one step, metres.
const SEAT_STEP: f32 = 0.003;

/// The muscles of the athlete, and what the template could not do here.
pub(crate) fn lay(skeleton: &Skeleton, envelope: &Envelope) -> Result<Placed, AthleteError> {
    let roles = Roles::find(skeleton).roles;
    let mut placed = place(&Template::humanoid(), skeleton, &roles, &|from, toward| depth(envelope, from, toward))?;
    for muscle in &mut placed.muscles {
        seat(skeleton, envelope, muscle)?;
    }
    Ok(placed)
}

/// Press a muscle into the flesh where it stands out like a bowstring.
///
/// One that ends on the foot is held down at the ankle, as the bands about a real ankle do; any other has the
/// middle of its line moved, or one of the places it runs over.
fn seat(skeleton: &Skeleton, envelope: &Envelope, muscle: &mut Muscle) -> Result<(), AthleteError> {
    let height = |muscle: &Muscle| -> Result<f32, AthleteError> {
        let belly = &rest_bellies(skeleton, std::slice::from_ref(muscle))?[0];
        let heights = belly.points.iter().enumerate().map(|(i, &p)| {
            // tendons lie deeper than bellies
            let thickness = belly.rings[i / usize::from(muscle.sectors)].half_axes.max_element();
            envelope.distance(p) + if thickness < TENDON { TENDON_ROOM } else { 0.0 }
        });
        Ok(heights.fold(f32::MIN, f32::max))
    };
    let mut highest = height(muscle)?;
    for _ in 0..SEAT_STEPS {
        if highest < SEAT_HEIGHT {
            break;
        }
        let mut better = None;
        for candidate in lower(muscle) {
            let there = height(&candidate)?;
            if there < highest {
                (highest, better) = (there, Some(candidate));
            }
        }
        let Some(candidate) = better else { break };
        *muscle = candidate;
    }
    Ok(())
}

/// The same muscle, a step away in every direction it may be moved.
fn lower(muscle: &Muscle) -> Vec<Muscle> {
    let mut moved = muscle.clone();
    if muscle.insertion.joint.starts_with("foot") {
        moved.insertion.point *= SEAT_PULL;
        return vec![moved];
    }
    let steps = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|step| step * SEAT_STEP);
    let at = |path: Path| Muscle { path, ..muscle.clone() };
    match &muscle.path {
        &Path::Bezier { offset, spacing, held } => {
            steps.into_iter().map(|step| at(Path::Bezier { offset: offset + step, spacing, held })).collect()
        }
        Path::Polyline { via, tendons } => {
            let moved = |k: usize, step: Vec3| {
                let mut via = via.clone();
                via[k].point += step;
                at(Path::Polyline { via, tendons: *tendons })
            };
            (0..via.len()).flat_map(|k| steps.map(|step| moved(k, step))).collect()
        }
        _ => Vec::new(),
    }
}

/// Way from a point on a bone to the surface of the part of the body it runs in.
///
/// Only of that part: from the upper arm inward the skin would otherwise be the far side of the chest.
pub(crate) fn depth(envelope: &Envelope, from: Vec3, toward: Vec3) -> Option<f32> {
    let left = |p: Vec3| Vec3::new(p.x.abs(), p.y, p.z);
    let distances = envelope.parts(left(from));
    let part = (0..distances.len()).min_by(|&a, &b| distances[a].total_cmp(&distances[b]))?;
    let outside = |way: f32| envelope.parts(left(from + toward * way))[part] > 0.0;
    if outside(0.0) {
        return None;
    }
    let steps = (MAX_DEPTH / STEP) as usize;
    let first = (1..=steps).find(|&i| outside(i as f32 * STEP))? as f32 * STEP;
    let (mut inner, mut outer) = (first - STEP, first);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (inner + outer);
        if outside(middle) { outer = middle } else { inner = middle }
    }
    Some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::Skin;

    #[test]
    fn every_belly_lies_under_the_skin() {
        let (skeleton, envelope) = (crate::skeleton(), Envelope::new());
        let muscles = lay(&skeleton, &envelope).unwrap().muscles;
        let skin = Skin::new(&envelope, &skeleton, &muscles).unwrap();
        for (muscle, belly) in muscles.iter().zip(rest_bellies(&skeleton, &muscles).unwrap()) {
            let highest = belly.points.iter().map(|&p| skin.distance(p)).fold(f32::MIN, f32::max);
            assert!(highest < 0.0, "{} stands {highest} m out of the skin", muscle.name);
        }
    }

    #[test]
    fn the_template_finds_all_its_bones() {
        assert!(lay(&crate::skeleton(), &Envelope::new()).unwrap().left_out.is_empty());
    }
}
