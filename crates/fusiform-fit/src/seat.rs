//! Seating: press a muscle's line into the flesh where it runs along the skin or stands out of it.
//!
//! A curve between two spots inside a body may still leave it: at the hollow of a knee, over a bent hip. Its control points
//! are pushed until every place along it lies deep enough for the belly there: three of a curve, and of a polyline the first
//! two hinges, between which the belly lies.

use crate::Surface;
use fusiform::musculature::{Path, Profile};
use fusiform::{Muscle, Skeleton};
use glam::{Affine3A, Mat3, Vec3};

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
    let bind = |name: &str| skeleton.find(name).map(|joint| skeleton.joints[joint].bind);
    let (Some(from), Some(to)) = (bind(&muscle.origin.joint), bind(&muscle.insertion.joint)) else { return 0.0 };
    let thickness = |profile: &Profile, u: f32| match *profile {
        Profile::Sine { size, taper, aspect } => size * aspect * (std::f32::consts::PI * u).sin().max(0.0).powf(taper),
        Profile::Ellipsoid { height, .. } => height * (4.0 * u * (1.0 - u)).max(0.0).sqrt(),
        _ => 0.0,
    };
    let need = |u: f32| fat * (1.0 + SPARE) + ROOM * thickness(&muscle.profile, u);
    let ends = [from.transform_point3(muscle.origin.point), to.transform_point3(muscle.insertion.point)];
    match &mut muscle.path {
        Path::Bezier { offset, .. } => {
            let up = muscle.up.map_or(Vec3::Y, |up| from.transform_vector3(up));
            let middle = ends[0].midpoint(ends[1]) + chord_frame(ends, up) * *offset;
            let bernstein = |u: f32| [(1.0 - u) * (1.0 - u), 2.0 * u * (1.0 - u), u * u];
            let (lacking, [origin, middle, insertion]) =
                settled(surface, fat, &need, &bernstein, [ends[0], middle, ends[1]]);
            *offset = chord_frame([origin, insertion], up).transpose() * (middle - origin.midpoint(insertion));
            muscle.origin.point = from.inverse().transform_point3(origin);
            muscle.insertion.point = to.inverse().transform_point3(insertion);
            lacking
        }
        Path::Polyline { via, tendons } => {
            let binds: Option<Vec<Affine3A>> = via.iter().map(|hinge| bind(&hinge.joint)).collect();
            let Some(binds) = binds.filter(|binds| binds.len() >= 2) else { return 0.0 };
            let mut hinges: Vec<Vec3> =
                via.iter().zip(&binds).map(|(via, bind)| bind.transform_point3(via.point)).collect();
            let straight = |u: f32| [1.0 - u, u];
            let (lacking, belly) = settled(surface, fat, &need, &straight, [hinges[0], hinges[1]]);
            for i in 0..2 {
                hinges[i] = belly[i];
                via[i].point = binds[i].inverse().transform_point3(belly[i]);
            }
            hinges.push(ends[1]);
            let beyond = hinges[1..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            *tendons = [ends[0].distance(hinges[0]), beyond];
            lacking
        }
        _ => 0.0,
    }
}

/// The control points moved until their line lies deep enough, and how far it still lacks depth, metres.
fn settled<const N: usize>(
    surface: &Surface,
    fat: f32,
    need: &impl Fn(f32) -> f32,
    basis: &impl Fn(f32) -> [f32; N],
    mut points: [Vec3; N],
) -> (f32, [Vec3; N]) {
    let mut best = (f32::INFINITY, points);
    for _ in 0..STEPS {
        let lacking = press(surface, need, basis, &mut points, &mut best);
        if lacking <= ENOUGH * fat {
            break;
        }
    }
    ((best.0 - fat * SPARE).max(0.0), best.1)
}

/// One step: every place that lacks depth pushes the control points by its share in them. Keeps the best line so far.
fn press<const N: usize>(
    surface: &Surface,
    need: &impl Fn(f32) -> f32,
    basis: &impl Fn(f32) -> [f32; N],
    points: &mut [Vec3; N],
    best: &mut (f32, [Vec3; N]),
) -> f32 {
    let (mut push, mut weight, mut worst) = ([Vec3::ZERO; N], [0.0; N], 0.0_f32);
    for i in 0..=PLACES {
        let u = f32::from(i) / f32::from(PLACES);
        let basis = basis(u);
        let place = (0..N).map(|k| points[k] * basis[k]).sum::<Vec3>();
        let away = place - surface.nearest(place).point;
        let inside = if surface.contains(place) { 1.0 } else { -1.0 };
        let lack = need(u) - inside * away.length();
        if lack <= 0.0 {
            continue;
        }
        worst = worst.max(lack);
        let inward = away.normalize_or_zero() * inside;
        for k in 0..N {
            push[k] += inward * (lack * basis[k]);
            weight[k] += basis[k] * basis[k];
        }
    }
    if worst < best.0 {
        *best = (worst, *points);
    }
    for k in 0..N {
        points[k] += push[k] / f32::max(weight[k], 0.3) * 0.7;
    }
    worst
}

/// Columns: along the chord, toward the up-vector, across both.
fn chord_frame([from, to]: [Vec3; 2], up: Vec3) -> Mat3 {
    let x = (to - from).normalize_or(Vec3::X);
    let y = up.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}
