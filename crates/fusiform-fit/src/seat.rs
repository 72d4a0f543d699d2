//! Seating: press a muscle's line into the flesh where it runs along the skin or stands out of it.
//!
//! A curve between two spots inside a body may still leave it: at the hollow of a knee, over a bent hip. Its three control
//! points are pushed until every place along it lies deep enough for the belly there.

use crate::Surface;
use fusiform::musculature::{Path, Profile};
use fusiform::{Muscle, Skeleton};
use glam::{Mat3, Vec3};

/// Places along the curve that are looked at.
const PLACES: u8 = 15;
const STEPS: usize = 40;
/// Share of the belly's half-thickness that must find room between its line and the fat.
const ROOM: f32 = 0.5;
/// Good enough, as a share of the fat's thickness.
const ENOUGH: f32 = 0.05;
/// A line is drawn this much deeper than asked, as a share of the fat, so that it arrives in few steps.
const SPARE: f32 = 0.15;

/// Press the muscle in; returns how far its line still lacks depth, metres.
pub(crate) fn seat(skeleton: &Skeleton, surface: &Surface, fat: f32, muscle: &mut Muscle) -> f32 {
    let joints = [&muscle.origin.joint, &muscle.insertion.joint].map(|name| skeleton.find(name));
    let ([Some(from), Some(to)], Path::Bezier { offset, spacing, held }) = (joints, muscle.path.clone()) else {
        return 0.0;
    };
    let [from, to] = [from, to].map(|joint| skeleton.joints[joint].bind);
    let ends = [from.transform_point3(muscle.origin.point), to.transform_point3(muscle.insertion.point)];
    let up = muscle.up.map_or(Vec3::Y, |up| from.transform_vector3(up));
    let middle = ends[0].midpoint(ends[1]) + chord_frame(ends, up) * offset;
    let mut curve = [ends[0], middle, ends[1]];
    let thickness = |u: f32| match muscle.profile {
        Profile::Sine { size, taper, aspect } => size * aspect * (std::f32::consts::PI * u).sin().max(0.0).powf(taper),
        _ => 0.0,
    };
    let need = |u: f32| fat * (1.0 + SPARE) + ROOM * thickness(u);
    let mut best = (f32::INFINITY, curve);
    for _ in 0..STEPS {
        let lacking = press(surface, &need, &mut curve, &mut best);
        if lacking <= ENOUGH * fat {
            break;
        }
    }
    let (lacking, [origin, middle, insertion]) = best;
    muscle.origin.point = from.inverse().transform_point3(origin);
    muscle.insertion.point = to.inverse().transform_point3(insertion);
    let offset = chord_frame([origin, insertion], up).transpose() * (middle - origin.midpoint(insertion));
    muscle.path = Path::Bezier { offset, spacing, held };
    (lacking - fat * SPARE).max(0.0)
}

/// One step: every place that lacks depth pushes the control points by its share in them. Keeps the best curve so far.
fn press(
    surface: &Surface,
    need: &impl Fn(f32) -> f32,
    curve: &mut [Vec3; 3],
    best: &mut (f32, [Vec3; 3]),
) -> f32 {
    let (mut push, mut weight, mut worst) = ([Vec3::ZERO; 3], [0.0; 3], 0.0_f32);
    for i in 0..=PLACES {
        let u = f32::from(i) / f32::from(PLACES);
        let basis = [(1.0 - u) * (1.0 - u), 2.0 * u * (1.0 - u), u * u];
        let place = curve[0] * basis[0] + curve[1] * basis[1] + curve[2] * basis[2];
        let away = place - surface.nearest(place).point;
        let inside = if surface.contains(place) { 1.0 } else { -1.0 };
        let lack = need(u) - inside * away.length();
        if lack <= 0.0 {
            continue;
        }
        worst = worst.max(lack);
        let inward = away.normalize_or_zero() * inside;
        for k in 0..3 {
            push[k] += inward * (lack * basis[k]);
            weight[k] += basis[k] * basis[k];
        }
    }
    if worst < best.0 {
        *best = (worst, *curve);
    }
    for k in 0..3 {
        curve[k] += push[k] / f32::max(weight[k], 0.3) * 0.7;
    }
    worst
}

/// Columns: along the chord, toward the up-vector, across both.
fn chord_frame([from, to]: [Vec3; 2], up: Vec3) -> Mat3 {
    let x = (to - from).normalize_or(Vec3::X);
    let y = up.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}
