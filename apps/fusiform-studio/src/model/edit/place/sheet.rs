//! Curves of sheets: points added and taken away.

use super::points::{both, on_bone};
use crate::model::grip::at_bind;
use crate::model::{Curve, Done, Seen};
use fusiform::musculature::{Attachment, Path};
use fusiform::{Muscle, Musculature, Skeleton};
use glam::Vec3;

/// Points that a curve may have.
pub const MOST: usize = 16;

/// The points of one of a sheet's curves; none of other muscles.
fn points(muscle: &Muscle, curve: Curve) -> Option<&Vec<Attachment>> {
    let Path::Sheet { origin, middle, insertion, .. } = &muscle.path else { return None };
    Some(match curve {
        Curve::Origin => origin,
        Curve::Middle => middle,
        Curve::Insertion => insertion,
    })
}

fn points_mut(muscle: &mut Muscle, curve: Curve) -> Option<&mut Vec<Attachment>> {
    let Path::Sheet { origin, middle, insertion, .. } = &mut muscle.path else { return None };
    Some(match curve {
        Curve::Origin => origin,
        Curve::Middle => middle,
        Curve::Insertion => insertion,
    })
}

/// One more point, where the curve's neighbours are farthest apart; the first ones of a middle curve where bellies pass without
/// it. Where it goes on one side it goes on the other.
pub fn add(seen: Seen, m: usize, curve: Curve, muscles: &mut Musculature) -> Done {
    let skeleton = &seen.project.character.skeleton;
    let of =
        |m: usize, muscles: &Musculature| points(&muscles.muscles[m], curve).map(|of| (of.len(), widest(skeleton, of)));
    let Some((n, gap)) = muscles.muscles.get(m).and_then(|_| of(m, muscles)) else { return Done::default() };
    for (i, _) in both(seen, &muscles.muscles, m) {
        let Some((own_n, own_gap)) = of(i, muscles).filter(|(n, _)| *n < MOST) else { continue };
        let gap = if own_n == n { gap } else { own_gap };
        let muscle = &mut muscles.muscles[i];
        let (at, new) = match own_n {
            0 => (0, straight(skeleton, muscle)),
            1 => (1, beside(skeleton, muscle, curve).into_iter().collect()),
            _ => (gap + 1, between(skeleton, muscle, (curve, gap)).into_iter().collect()),
        };
        points_mut(muscle, curve).into_iter().for_each(|points| _ = points.splice(at..at, new.clone()));
    }
    Done::default()
}

/// Without a point of a curve; both ends keep one.
pub fn remove(seen: Seen, m: usize, (curve, k): (Curve, usize), muscles: &mut Musculature) -> Done {
    let least = usize::from(curve != Curve::Middle);
    for (i, _) in both(seen, &muscles.muscles, m) {
        let points = points_mut(&mut muscles.muscles[i], curve);
        if let Some(points) = points.filter(|points| k < points.len() && points.len() > least) {
            points.remove(k);
        }
    }
    Done::default()
}

/// The first of the two neighbours that are farthest apart at bind.
fn widest(skeleton: &Skeleton, points: &[Attachment]) -> usize {
    let place = |at: &Attachment| at_bind(skeleton, at).unwrap_or_default();
    let apart = |k: &usize| place(&points[*k]).distance(place(&points[k + 1]));
    let gaps = 0..points.len().saturating_sub(1);
    gaps.max_by(|a, b| apart(a).total_cmp(&apart(b)).then(b.cmp(a))).unwrap_or(0)
}

/// Carried by the joint of another, at a place at bind, m.
fn carried_as(skeleton: &Skeleton, other: &Attachment, place: Vec3) -> Option<Attachment> {
    let bind = skeleton.joints[skeleton.find(&other.joint)?].bind;
    Some(Attachment { joint: other.joint.clone(), point: bind.inverse().transform_point3(place) })
}

/// Half-way between a point and the next.
fn between(skeleton: &Skeleton, muscle: &Muscle, (curve, k): (Curve, usize)) -> Option<Attachment> {
    let points = points(muscle, curve)?;
    let [one, next] = [points.get(k)?, points.get(k + 1)?];
    carried_as(skeleton, one, at_bind(skeleton, one)?.midpoint(at_bind(skeleton, next)?))
}

/// Beside the only point, as wide as half of what lies opposite.
fn beside(skeleton: &Skeleton, muscle: &Muscle, curve: Curve) -> Option<Attachment> {
    let opposite = if curve == Curve::Insertion { Curve::Origin } else { Curve::Insertion };
    let (one, opposite) = (points(muscle, curve)?.first()?, points(muscle, opposite)?);
    let across = at_bind(skeleton, opposite.last()?)? - at_bind(skeleton, opposite.first()?)?;
    carried_as(skeleton, one, at_bind(skeleton, one)? + 0.5 * across)
}

/// Half-way between the two ends, as many as the longer curve has: bellies stay where they are.
fn straight(skeleton: &Skeleton, muscle: &Muscle) -> Vec<Attachment> {
    let [origin, insertion] = [Curve::Origin, Curve::Insertion].map(|curve| points(muscle, curve));
    let (Some(origin), Some(insertion)) = (origin, insertion) else { return Vec::new() };
    if origin.is_empty() || insertion.is_empty() {
        return Vec::new();
    }
    let n = origin.len().max(insertion.len());
    let on = |curve: &[Attachment], k: usize| {
        let along = k as f32 / (n - 1).max(1) as f32 * (curve.len() - 1) as f32;
        let first = (along as usize).min(curve.len() - 1);
        let next = (first + 1).min(curve.len() - 1);
        Some(at_bind(skeleton, &curve[first])?.lerp(at_bind(skeleton, &curve[next])?, along - first as f32))
    };
    let halfway = |k: usize| Some(on(origin, k)?.midpoint(on(insertion, k)?));
    (0..n).filter_map(halfway).map(|place| on_bone(skeleton, muscle, place)).collect()
}
