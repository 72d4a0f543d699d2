//! Seating: press a muscle's line into the flesh where it runs along the skin or stands out of it.
//!
//! A curve between two spots inside a body may still leave it: at the hollow of a knee, over a bent hip. Its control points
//! are pushed until every place along it lies deep enough for the belly there: three of a curve, and of a polyline the first
//! two hinges, between which the belly lies. One that is to lie right under the
//! skin is first drawn out to it by its middle: a sheet goes round the ribs, not through them.

use crate::Surface;
use fusiform::musculature::{Path, Profile};
use fusiform::{Muscle, Skeleton};
use glam::{Affine3A, Mat3, Vec3};

/// Places along the curve that are looked at.
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
    if matches!(muscle.path, Path::Polyline { .. }) {
        return seat_hinges(skeleton, surface, fat, &need, muscle);
    }
    let Some(mut line) = Line::of(skeleton, muscle) else { return 0.0 };
    let deepest = |u: f32| fat + thickness(&profile, u);
    for _ in 0..if drawn { DRAWS } else { 0 } {
        // no farther than the thickest part finds room for its whole thickness
        if surface.distance(line.point(0.5)) <= deepest(0.5) {
            break;
        }
        draw_out(surface, &deepest, line.up, &mut line.curve);
    }
    let (lacking, curve) = settled(surface, fat, &need, &bernstein, line.curve);
    line.curve = curve;
    line.lay(muscle);
    lacking
}

/// Half the belly's thickness at that share of its length, metres.
fn thickness(profile: &Profile, u: f32) -> f32 {
    match *profile {
        Profile::Sine { size, taper, aspect } => size * aspect * (std::f32::consts::PI * u).sin().max(0.0).powf(taper),
        Profile::Ellipsoid { height, .. } => height * (4.0 * u * (1.0 - u)).max(0.0).sqrt(),
        _ => 0.0,
    }
}

/// Shares of a quadratic Bezier's control points at u.
fn bernstein(u: f32) -> [f32; 3] {
    [(1.0 - u) * (1.0 - u), 2.0 * u * (1.0 - u), u * u]
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
    let straight = |u: f32| [1.0 - u, u];
    let (lacking, belly) = settled(surface, fat, need, &straight, [hinges[0], hinges[1]]);
    for i in 0..2 {
        hinges[i] = belly[i];
        via[i].point = binds[i].inverse().transform_point3(belly[i]);
    }
    hinges.push(ends[1]);
    let beyond = hinges[1..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    *tendons = [ends[0].distance(hinges[0]), beyond];
    lacking
}

/// A muscle's line in model space.
pub(crate) struct Line {
    /// Origin, middle control point, insertion.
    pub(crate) curve: [Vec3; 3],
    /// Out of the body; unit length.
    pub(crate) up: Vec3,
    /// Where origin's and insertion's joint are.
    joints: [Affine3A; 2],
}

impl Line {
    /// The muscle's line; nothing where its path is no curve or its joints are not there.
    pub(crate) fn of(skeleton: &Skeleton, muscle: &Muscle) -> Option<Self> {
        let Path::Bezier { offset, .. } = muscle.path else { return None };
        let bind = |name: &str| skeleton.find(name).map(|joint| skeleton.joints[joint].bind);
        let joints = [bind(&muscle.origin.joint)?, bind(&muscle.insertion.joint)?];
        let ends =
            [joints[0].transform_point3(muscle.origin.point), joints[1].transform_point3(muscle.insertion.point)];
        let up = muscle.up.map_or(Vec3::Y, |up| joints[0].transform_vector3(up).normalize_or(Vec3::Y));
        let middle = ends[0].midpoint(ends[1]) + chord_frame(ends, up) * offset;
        Some(Self { curve: [ends[0], middle, ends[1]], up, joints })
    }

    /// Its point at the parameter `u`.
    pub(crate) fn point(&self, u: f32) -> Vec3 {
        self.curve.iter().zip(bernstein(u)).map(|(&point, share)| point * share).sum()
    }

    /// Only the piece between two parameters.
    pub(crate) fn cut(&mut self, from: f32, to: f32) {
        let blossom = |s: f32, t: f32| {
            let [a, b, c] = self.curve;
            a * ((1.0 - s) * (1.0 - t)) + b * (s * (1.0 - t) + t * (1.0 - s)) + c * (s * t)
        };
        self.curve = [blossom(from, from), blossom(from, to), blossom(to, to)];
    }

    /// Lay the muscle along it.
    pub(crate) fn lay(&self, muscle: &mut Muscle) {
        let [origin, middle, insertion] = self.curve;
        muscle.origin.point = self.joints[0].inverse().transform_point3(origin);
        muscle.insertion.point = self.joints[1].inverse().transform_point3(insertion);
        if let Path::Bezier { offset, .. } = &mut muscle.path {
            let frame = chord_frame([origin, insertion], self.up);
            *offset = frame.transpose() * (middle - origin.midpoint(insertion));
        }
    }
}

/// One step: every place that lies deeper than it should, with the skin over it, draws the middle control point out.
fn draw_out(surface: &Surface, deepest: &impl Fn(f32) -> f32, up: Vec3, curve: &mut [Vec3; 3]) {
    let (mut pull, mut weight) = (Vec3::ZERO, 0.0);
    for i in 1..PLACES {
        let u = f32::from(i) / f32::from(PLACES);
        let basis = bernstein(u);
        let place = curve[0] * basis[0] + curve[1] * basis[1] + curve[2] * basis[2];
        let way = surface.nearest(place).point - place;
        let surplus = way.length() - deepest(u);
        if surplus > 0.0 && way.normalize_or_zero().dot(up) > OUTWARD && surface.contains(place) {
            pull += way.normalize_or_zero() * (surplus * basis[1]);
        }
        weight += basis[1] * basis[1];
    }
    curve[1] += pull / weight * 0.7;
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
pub(crate) fn chord_frame([from, to]: [Vec3; 2], up: Vec3) -> Mat3 {
    let x = (to - from).normalize_or(Vec3::X);
    let y = up.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}
