//! The humanoid template's muscles, laid into the athlete's flesh.

use crate::envelope::Envelope;
use crate::AthleteError;
use fusiform::body::rest_bellies;
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
const SEAT_HEIGHT: f32 = 0.002;
/// Share of its way to the ankle that a muscle's end keeps in one step, and how many steps there are.
const SEAT_PULL: f32 = 0.8;
const SEAT_STEPS: usize = 12;

/// The muscles of the athlete, and what the template could not do here.
pub(crate) fn lay(skeleton: &Skeleton, envelope: &Envelope) -> Result<Placed, AthleteError> {
    let roles = Roles::from_names(skeleton);
    let mut placed = place(&Template::humanoid(), skeleton, &roles, &|from, toward| depth(envelope, from, toward))?;
    for muscle in &mut placed.muscles {
        seat(skeleton, envelope, muscle)?;
    }
    Ok(placed)
}

/// Hold a muscle that ends on the foot down at the ankle, as the bands about a real ankle do: its straight
/// tendon would otherwise stand out of the flesh like a bowstring.
fn seat(skeleton: &Skeleton, envelope: &Envelope, muscle: &mut Muscle) -> Result<(), AthleteError> {
    if !muscle.insertion.joint.starts_with("foot") {
        return Ok(());
    }
    for _ in 0..SEAT_STEPS {
        let belly = &rest_bellies(skeleton, std::slice::from_ref(muscle))?[0];
        let highest = belly.points.iter().map(|&p| envelope.distance(p)).fold(f32::MIN, f32::max);
        if highest < SEAT_HEIGHT {
            break;
        }
        muscle.insertion.point *= SEAT_PULL;
    }
    Ok(())
}

/// Way from a point on a bone to the surface of the part of the body it runs in.
///
/// Only of that part: from the upper arm inward the skin would otherwise be the far side of the chest.
fn depth(envelope: &Envelope, from: Vec3, toward: Vec3) -> Option<f32> {
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
