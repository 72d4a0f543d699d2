//! Seating: press a muscle's line into the flesh where it runs along the skin or stands out of it.
//!
//! A line between two spots inside a body may still leave it: at the hollow of a knee, over a bent hip. Its points are pushed
//! until every place along it lies deep enough for the belly there: three of a curve, the corners of a polyline, and of one
//! with tendons the first two hinges, between which the belly lies. One that is to lie right under the skin is first drawn out
//! to it: a curve by its middle, a polyline by all it runs over. A sheet goes round the ribs, not through them.

use crate::Surface;
use crate::line::{Line, corner_shares, thickness};
use fusiform::musculature::{Path, Profile};
use fusiform::{Muscle, Skeleton};
use glam::{Affine3A, Vec3};

/// Places along the line that are looked at.
const PLACES: u8 = 15;
const STEPS: usize = 40;
/// Steps in which a superficial line is drawn out.
const DRAWS: usize = 12;
/// Cosine between the way to the nearest skin and the way out of the body, from which on a line is drawn there.
const OUTWARD: f32 = 0.3;
/// Share of the belly's half-thickness that must find room between its line and the fat.
const ROOM: f32 = 0.5;
/// Good enough, as a share of the fat's thickness.
const ENOUGH: f32 = 0.05;
/// A line is drawn this much deeper than asked, as a share of the fat, so that it arrives in few steps.
const SPARE: f32 = 0.15;

/// Press the muscle in, and first draw it out to the skin if it may be; returns how far its line still lacks depth, metres.
pub(crate) fn seat(skeleton: &Skeleton, surface: &Surface, fat: f32, drawn: bool, muscle: &mut Muscle) -> f32 {
    let profile = muscle.profile.clone();
    let need = |u: f32| fat * (1.0 + SPARE) + ROOM * thickness(&profile, u);
    if matches!((&muscle.path, &profile), (Path::Polyline { .. }, Profile::Ellipsoid { .. })) {
        return seat_hinges(skeleton, surface, fat, &need, muscle);
    }
    let Some(mut line) = Line::of(skeleton, muscle) else { return 0.0 };
    let deepest = |u: f32| fat + thickness(&profile, u);
    if drawn && line.is_curve() {
        draw_middle_out(surface, &deepest, &mut line);
    } else if drawn {
        draw_corners_out(surface, &deepest, &mut line.points);
    }
    let was = line.clone();
    let (lacking, points) = settled(surface, fat, &need, &|u| was.shares(u), line.points);
    line.points = points;
    line.lay(muscle);
    lacking
}

/// Draw a curve's middle out until its thickest part finds room for its whole thickness, and no farther.
fn draw_middle_out(surface: &Surface, deepest: &impl Fn(f32) -> f32, line: &mut Line) {
    for _ in 0..DRAWS {
        if surface.distance(line.point(0.5)) <= deepest(0.5) {
            break;
        }
        draw_out(surface, deepest, line);
    }
}

/// Bring what a polyline runs over to where the belly touches the fat; its ends stay.
fn draw_corners_out(surface: &Surface, deepest: &impl Fn(f32) -> f32, points: &mut [Vec3]) {
    for _ in 0..DRAWS {
        let shares = corner_shares(points);
        for k in 1..points.len() - 1 {
            let way = surface.nearest(points[k]).point - points[k];
            let inside = if surface.contains(points[k]) { 1.0 } else { -1.0 };
            points[k] += way.normalize_or_zero() * (way.length() - inside * deepest(shares[k]));
        }
    }
}

/// Press in the two hinges between which a polyline's belly lies; tendons take up what that changes.
fn seat_hinges(
    skeleton: &Skeleton,
    surface: &Surface,
    fat: f32,
    need: &impl Fn(f32) -> f32,
    muscle: &mut Muscle,
) -> f32 {
    let bind = |name: &str| skeleton.find(name).map(|joint| skeleton.joints[joint].bind);
    let (Some(from), Some(to)) = (bind(&muscle.origin.joint), bind(&muscle.insertion.joint)) else { return 0.0 };
    let ends = [from.transform_point3(muscle.origin.point), to.transform_point3(muscle.insertion.point)];
    let Path::Polyline { via, tendons } = &mut muscle.path else { return 0.0 };
    let binds: Option<Vec<Affine3A>> = via.iter().map(|hinge| bind(&hinge.joint)).collect();
    let Some(binds) = binds.filter(|binds| binds.len() >= 2) else { return 0.0 };
    let mut hinges: Vec<Vec3> = via.iter().zip(&binds).map(|(via, bind)| bind.transform_point3(via.point)).collect();
    let straight = |u: f32| vec![1.0 - u, u];
    let (lacking, belly) = settled(surface, fat, need, &straight, hinges[..2].to_vec());
    for i in 0..2 {
        hinges[i] = belly[i];
        via[i].point = binds[i].inverse().transform_point3(belly[i]);
    }
    hinges.push(ends[1]);
    let beyond = hinges[1..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    *tendons = [ends[0].distance(hinges[0]), beyond];
    lacking
}

/// One step: every place that lies deeper than it should, with the skin over it, draws the middle control point out.
fn draw_out(surface: &Surface, deepest: &impl Fn(f32) -> f32, line: &mut Line) {
    let (mut pull, mut weight) = (Vec3::ZERO, 0.0);
    for i in 1..PLACES {
        let u = f32::from(i) / f32::from(PLACES);
        let (place, share) = (line.point(u), line.shares(u)[1]);
        let way = surface.nearest(place).point - place;
        let surplus = way.length() - deepest(u);
        if surplus > 0.0 && way.normalize_or_zero().dot(line.up) > OUTWARD && surface.contains(place) {
            pull += way.normalize_or_zero() * (surplus * share);
        }
        weight += share * share;
    }
    line.points[1] += pull / weight * 0.7;
}

/// The points moved until their line lies deep enough, and how far it still lacks depth, metres. `shares` says how much of
/// each point is in a place of the line.
fn settled(
    surface: &Surface,
    fat: f32,
    need: &impl Fn(f32) -> f32,
    shares: &impl Fn(f32) -> Vec<f32>,
    mut points: Vec<Vec3>,
) -> (f32, Vec<Vec3>) {
    let mut best = (f32::INFINITY, points.clone());
    for _ in 0..STEPS {
        let lacking = press(surface, need, shares, &mut points, &mut best);
        if lacking <= ENOUGH * fat {
            break;
        }
    }
    ((best.0 - fat * SPARE).max(0.0), best.1)
}

/// One step: every place that lacks depth pushes the points by its share in them. Keeps the best line so far.
fn press(
    surface: &Surface,
    need: &impl Fn(f32) -> f32,
    shares: &impl Fn(f32) -> Vec<f32>,
    points: &mut [Vec3],
    best: &mut (f32, Vec<Vec3>),
) -> f32 {
    let n = points.len();
    let (mut push, mut weight, mut worst) = (vec![Vec3::ZERO; n], vec![0.0; n], 0.0_f32);
    for i in 0..=PLACES {
        let u = f32::from(i) / f32::from(PLACES);
        let shares = shares(u);
        let place = points.iter().zip(&shares).map(|(&point, &share)| point * share).sum::<Vec3>();
        let away = place - surface.nearest(place).point;
        let inside = if surface.contains(place) { 1.0 } else { -1.0 };
        let lack = need(u) - inside * away.length();
        if lack <= 0.0 {
            continue;
        }
        worst = worst.max(lack);
        let inward = away.normalize_or_zero() * inside;
        for (k, share) in shares.into_iter().enumerate() {
            push[k] += inward * (lack * share);
            weight[k] += share * share;
        }
    }
    if worst < best.0 {
        *best = (worst, points.to_vec());
    }
    for (point, (push, weight)) in points.iter_mut().zip(push.into_iter().zip(weight)) {
        *point += push / f32::max(weight, 0.3) * 0.7;
    }
    worst
}
