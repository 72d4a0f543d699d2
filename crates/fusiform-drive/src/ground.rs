//! Ground: what pushes the body from below, told from its motion alone.
//!
//! ```text
//! sole points near the floor and slow ─> four edges of a friction cone each, and the way to the hip
//!   ─> least squares of shares that make up Σ m (a − g) and its moment; what they cannot make up is left over and said
//! ```
//!
//! Shares are those of [`fusiform_motion::tension`]: a push is a muscle that only pushes, as strong as it is in contact.
//! While both feet stand, nothing but effort tells how they share the load. People push along their legs; straight up, hips
//! of a walk would need four times the torque that plates measure.

use crate::rigid::{Rigid, RigidMotion};
use crate::torque::{Load, Push};
use fusiform::{Character, Skeleton};
use fusiform_fit::{Role, Roles, Side, Wear};
use fusiform_motion::tension::{Problem, Settings, Tension};
use glam::{DVec3, Vec3};

/// Of skin on rough ground.
const FRICTION: f64 = 0.8;
/// m, of a body of 1.7 m: skin this near to its lowest point is sole.
const SOLE: f32 = 0.025;
/// m: at and above this height over the floor, of a body of 1.7 m, a sole pushes all it can, and not at all.
const NEAR: [f64; 2] = [0.015, 0.05];
/// m/s: slower and faster than this it does the same.
const SLOW: [f64; 2] = [0.4, 1.2];
/// Edges of a friction cone, and the way along the leg.
const WAYS: usize = 5;
/// How many times as strong a push along the leg is as one along an edge.
const ALONG_LEG: f64 = 4.0;
/// One contact never carries more than so many times the body's weight.
const STRONGEST: f64 = 3.0;
/// N and N m: how much of a misfit is as bad as full effort.
const MISFIT: f64 = 2.0;
const HUMAN_HEIGHT: f32 = 1.7;

/// A point of a sole.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SolePoint {
    joint: usize,
    arm: DVec3, // m, from the joint, in the bind pose
    hip: Option<usize>,
}

/// The soles of a body and the floor under them.
pub struct Ground {
    points: Vec<SolePoint>,
    up: DVec3,
    floor: f64, // m along up
    size: f64,  // heights of humans
    tension: Tension,
    arms: Vec<f64>,
    strength: Vec<f64>,
}

/// What was found under the body in one frame.
pub struct Pushed {
    /// One for each point in contact.
    pub pushes: Vec<Push>,
    /// What no push explains: force, and moment about the body's centre.
    pub left: Load,
    /// Whether anything touches the floor.
    pub touches: bool,
}

impl Ground {
    /// Feet by their roles, or whatever is lowest in the bind pose; the floor is where they go lowest in the clip.
    #[must_use]
    pub fn new(character: &Character, wear: &[Wear], roles: &Roles, up: Vec3, motion: &RigidMotion) -> Option<Self> {
        let size = f64::from(character.height() / HUMAN_HEIGHT);
        let points = sole_points(character, wear, roles, up);
        let up = up.as_dvec3();
        let rows = WAYS * points.len();
        let tension = Tension::new(rows, 6, Settings::default()).ok()?;
        let mut ground = Self {
            points,
            up,
            floor: f64::NEG_INFINITY,
            size,
            tension,
            arms: vec![0.0; rows * 6],
            strength: vec![0.0; rows],
        };
        let lowest = |now: Vec<Rigid>| {
            ground.points.iter().map(|p| now[p.joint].point(p.arm).dot(up)).fold(f64::INFINITY, f64::min)
        };
        let mut heights: Vec<f64> = motion.times.iter().map(|&time| lowest(motion.at(time))).collect();
        heights.sort_by(f64::total_cmp);
        // a foot that sinks for a moment does not make the floor
        ground.floor = *heights.get(heights.len() / 20)?;
        Some(ground)
    }

    /// What pushes when the whole body takes that load.
    pub fn push(&mut self, now: &[Rigid], whole: &Load, center: DVec3, weight: f64) -> Option<Pushed> {
        let edges = self.cone();
        let mut touches = false;
        for (i, point) in self.points.iter().enumerate() {
            let at = now[point.joint].point(point.arm);
            let contact =
                self.contact(at.dot(self.up) - self.floor, now[point.joint].point_velocity(point.arm).length());
            touches |= contact > 0.05;
            let hip = point.hip.map_or(center, |hip| now[hip].place);
            for (k, way) in self.ways(edges, at, hip).iter().enumerate() {
                let row = WAYS * i + k;
                let strongest = if k < edges.len() { STRONGEST } else { ALONG_LEG * STRONGEST };
                self.strength[row] = strongest * weight * contact;
                let moment = (at - center).cross(*way);
                self.arms[row * 6..row * 6 + 3].copy_from_slice(&way.to_array());
                self.arms[row * 6 + 3..row * 6 + 6].copy_from_slice(&moment.to_array());
            }
        }
        let (force, moment) = (whole.force, whole.about(center));
        let wanted = [force.x, force.y, force.z, moment.x, moment.y, moment.z];
        let problem = Problem {
            moment_arms: &self.arms,
            strength: &self.strength,
            torque: &wanted,
            emg: &[],
            reserve_unit: &[MISFIT; 6],
        };
        let solved = self.tension.solve(&problem).ok()?;
        let mut pushes = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            let at = now[point.joint].point(point.arm);
            let row = |k: usize| WAYS * i + k;
            let way = |k: usize| DVec3::from_slice(&self.arms[row(k) * 6..]);
            let force: DVec3 = (0..WAYS).map(|k| way(k) * solved.force[row(k)]).sum();
            if force.length_squared() > 0.0 {
                pushes.push(Push { joint: point.joint, force, point: at, torque: DVec3::ZERO });
            }
        }
        let r = solved.reserve;
        let left = Load { force: DVec3::new(r[0], r[1], r[2]), moment: DVec3::new(r[3], r[4], r[5]) };
        Some(Pushed { pushes, left, touches })
    }

    /// Edges of the friction cone, unit.
    fn cone(&self) -> [DVec3; 4] {
        let (u, v) = self.up.any_orthonormal_pair();
        [u, -u, v, -v].map(|aside| (self.up + aside * FRICTION).normalize())
    }

    /// The ways in which a point can push, unit.
    fn ways(&self, [a, b, c, d]: [DVec3; 4], at: DVec3, hip: DVec3) -> [DVec3; WAYS] {
        let rise = (hip - at).dot(self.up);
        let aside = (hip - at).reject_from(self.up) / rise.max(f64::MIN_POSITIVE);
        let aside = if aside.is_finite() { aside.clamp_length_max(FRICTION) } else { DVec3::ZERO };
        [a, b, c, d, (self.up + aside).normalize()]
    }

    fn contact(&self, height: f64, speed: f64) -> f64 {
        falling(NEAR.map(|x| x * self.size), height) * falling(SLOW.map(|x| x * self.size.sqrt()), speed)
    }
}

/// 1 below the first, 0 above the second, smooth between.
fn falling([low, high]: [f64; 2], x: f64) -> f64 {
    let t = ((high - x) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The outermost points of every sole: the farthest in eight directions.
fn sole_points(character: &Character, wear: &[Wear], roles: &Roles, up: Vec3) -> Vec<SolePoint> {
    let (skeleton, thickness) = (&character.skeleton, SOLE * character.height() / HUMAN_HEIGHT);
    let foot = |&side: &Side| {
        let foot = roles.get(Role::Foot, side).or(roles.get(Role::Toes, side))?;
        Some((below(skeleton, foot), roles.get(Role::UpperLeg, side)))
    };
    let feet: Vec<(Vec<bool>, Option<usize>)> = Side::BOTH.iter().filter_map(foot).collect();
    let feet = if feet.is_empty() { vec![(vec![true; skeleton.joints.len()], None)] } else { feet };
    let mut found = Vec::new();
    let (u, v) = up.any_orthonormal_pair();
    for (foot, hip) in feet {
        let mut skin: Vec<(usize, Vec3)> = Vec::new();
        for (mesh, _) in character.meshes.iter().zip(wear).filter(|(_, wear)| **wear == Wear::Body) {
            for (i, &p) in mesh.positions.iter().enumerate() {
                let heaviest = mesh.weights.of(i).max_by(|a, b| a.1.total_cmp(&b.1));
                skin.extend(heaviest.map(|(joint, _)| (usize::from(joint), p)).filter(|(joint, _)| foot[*joint]));
            }
        }
        let lowest = skin.iter().map(|(_, p)| p.dot(up)).fold(f32::INFINITY, f32::min);
        skin.retain(|(_, p)| p.dot(up) < lowest + thickness);
        for k in 0..8 {
            let angle = k as f32 * std::f32::consts::FRAC_PI_4;
            let way = u * angle.cos() + v * angle.sin();
            let farthest = skin.iter().max_by(|a, b| a.1.dot(way).total_cmp(&b.1.dot(way)));
            if let Some(&(joint, p)) = farthest {
                let arm = (p - Vec3::from(skeleton.joints[joint].bind.translation)).as_dvec3();
                let point = SolePoint { joint, arm, hip };
                if !found.contains(&point) {
                    found.push(point);
                }
            }
        }
    }
    found
}

/// Whether each joint is that one or hangs on it.
#[must_use]
pub fn below(skeleton: &Skeleton, joint: usize) -> Vec<bool> {
    let mut is_below = vec![false; skeleton.joints.len()];
    for j in 0..is_below.len() {
        is_below[j] = j == joint || skeleton.joints[j].parent.is_some_and(|parent| is_below[parent]);
    }
    is_below
}
