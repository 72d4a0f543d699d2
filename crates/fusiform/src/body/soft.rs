//! Soft body: a particle on every belly vertex, held by its neighbours and by the belly that the pose wants.
//!
//! ```text
//! d″ + γ d′ + ω² d = g − R g₀ − p″ + Σ springs / m         d = x − p, from the posed belly's point p to the particle x
//! spring  E = k/2 (|xⱼ − xᵢ| − |pⱼ − pᵢ|)²                 between neighbours along, around and across the grid
//! ω² = goal / mass of the whole belly    m = mass / points   γ = 60 f   R the carrying joint's turn since bind
//! ```
//!
//! Saam, Zhang et al., section VII: springs to the nearest particles (along and around) and to the second nearest (across,
//! which is what carries a sideways wave). Rest lengths are those of the posed belly and gravity counts by what has changed
//! since bind (ours), so that at rest the sculpted belly is the equilibrium. Damping counts against the posed belly, so that
//! even motion does not lag.
//!
//! Time goes in ticks of [`TICK`]. In each, a particle follows the damped oscillator's own solution
//! ([`Forced`](super::spring::Forced)), which loses nothing of the swing whatever the step; then springs are projected once,
//! one after the other, with compliance 1/(k h²) (Macklin et al., *Small Steps in Physics Simulation*, 2019), which no
//! stiffness makes explode. Between frames p moves along a parabola known from the frames before, as in `spring`. What is
//! left of a frame after its last tick is drawn by velocity and acceleration, and comes first in the next frame.
//!
//! Displacements are in world axes and from p, so that a character far from the origin swings as finely as one at it.
//! Eight bellies of equal rings x sectors go through together, one in each lane.

use super::lanes::{LANES, Lane, Lane3, for_each_instruction_set};
use super::spring::{Forced, Oscillator};
use crate::musculature::{Dynamics, Physique};
use glam::{Mat3, Vec3};

/// Length of a tick, seconds.
pub const TICK: f32 = 1.0 / 240.0;
/// A frame never takes more ticks: of a longer one the last part counts, from rest.
const MOST_TICKS: u32 = 64;
/// A tick is due when so little of it is missing, seconds: sums of frame times round.
const SLACK: f32 = 1e-5;
/// Springs from each particle: around, along, and across both ways.
const SPRINGS: usize = 4;
/// Particles farther out than this many reaches have lost their belly.
const LOST: f32 = 1e3;

/// What eight soft bellies are made of; constants.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tissue {
    place: [Lane; 3],  // of displacement, velocity and force in the displacement after a tick
    rate: [Lane; 3],   // and in the velocity
    stiffness: Lane,   // ω², 1/s²; no more than a tick bears
    damping: Lane,     // γ, 1/s; likewise
    give: Lane,        // share of a spring's excess that each of two free particles takes up in a tick
    give_alone: Lane,  // and that one takes up whose neighbour is on a tendon
    pub gravity: Lane, // share of it
    reach: Lane,       // m
}

impl Tissue {
    /// Of eight bellies with `points` each, if they are soft.
    pub fn new(
        dynamics: [&Dynamics; LANES],
        physique: &Physique,
        points: usize,
        reach: impl Fn(usize) -> f32,
    ) -> Option<Self> {
        let mut tissue = Self::default();
        for (l, dynamics) in dynamics.into_iter().enumerate() {
            let &Dynamics::SoftBody { stiffness, goal, mass, damping, gravity, .. } = dynamics else { return None };
            let oscillator =
                Oscillator { stiffness: goal * physique.stiffness / mass, damping: 60.0 * damping * physique.damping };
            let forced = Forced::new(oscillator, TICK);
            for k in 0..3 {
                (tissue.place[k][l], tissue.rate[k][l]) = (forced.place[k], forced.rate[k]);
            }
            tissue.stiffness[l] = oscillator.stiffness.min(1.0 / (TICK * TICK));
            tissue.damping[l] = oscillator.damping.min(1.0 / TICK);
            // 1 / (1 + 1 + m/(k h²)) with the particle's mass m
            let pull = f64::from(stiffness * physique.stiffness) * f64::from(TICK) * f64::from(TICK) * points as f64;
            let give = |free: f64| (pull / (free * pull + f64::from(mass))) as f32;
            (tissue.give[l], tissue.give_alone[l]) = (give(2.0), give(1.0));
            (tissue.gravity[l], tissue.reach[l]) = (gravity, reach(l));
        }
        Some(tissue)
    }
}

/// What eight particles, one of each belly, remember between frames; world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Particles {
    /// From the posed point at the end of the last frame to the particle after its last tick, m.
    pub off: Lane3,
    /// Of the particle then, m/s.
    pub velocity: Lane3,
    /// The posed point at the end of the last frame, m, from where the character stood.
    goal: Lane3,
    /// Its mean velocity over that frame, m/s.
    goal_velocity: Lane3,
    /// Its acceleration at the start of it, m/s².
    goal_acceleration: Lane3,
}

/// Which ticks fall into a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Beat {
    /// Length of the frame, seconds.
    pub dt: f32,
    /// How many ticks it takes.
    ticks: u32,
    /// When the first begins, seconds from the frame's start.
    start: f32,
    /// Whether time was left out before that.
    skips: bool,
    /// What is left of the frame after the last tick, seconds.
    pub left: f32,
}

impl Beat {
    /// Of a frame of `dt` seconds, when `left` seconds of earlier ones have not been ticked.
    pub fn new(left: f32, dt: f32) -> Self {
        let due = ((left + dt + SLACK) / TICK) as u32;
        let ticks = due.min(MOST_TICKS);
        let start = (due - ticks) as f32 * TICK - left;
        Self { dt, ticks, start, skips: due > ticks, left: left + dt - due as f32 * TICK }
    }
}

/// What eight soft bellies are told of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// The linear part of `world_from_model`.
    pub to_world: Mat3,
    /// Its inverse.
    pub to_model: Mat3,
    /// How far the character has moved since the last frame, m, world axes; nothing where the belly starts at rest.
    pub moved: Lane3,
    /// What gravity has changed since bind, m/s², world axes, in the world's units.
    pub gravity: Lane3,
    /// Lengths of the last frames, seconds.
    pub last_dt: Lane,
    /// 1 where the belly starts at rest, 0 elsewhere.
    pub settles: Lane,
}

/// Scratch of one group: what the ticks of a frame work on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    x: Vec<Lane3>,                     // n_point  the particles, m, world axes, from where the character stands
    row: Vec<Row>,                     // n_point
    length: Vec<[[Lane; 2]; SPRINGS]>, // n_point  of the springs, at the frame's start and what it gains over it
    /// n_ring: how far each ring is drawn from the posed one on the whole, m, model space.
    pub shift: Vec<Lane3>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    goal: Lane3,          // p at the present tick
    before: Lane3,        // the particle before springs pulled at it
    velocity: Lane3,      // d′
    goal_velocity: Lane3, // mean of the frame
    goal_acceleration: Lane3,
}

impl Work {
    /// Room for the largest belly.
    pub fn new(points: usize) -> Self {
        Self {
            x: vec![Lane3::default(); points],
            row: vec![Row::default(); points],
            length: vec![Default::default(); points],
            shift: vec![Lane3::default(); points],
        }
    }
}

for_each_instruction_set! {
    /// Carry eight soft bellies of `grid` rings x sectors over the frame, from the posed `points` to where they are drawn.
    swing = swing_in_lanes(
        tissue: &Tissue, grid: (usize, usize), beat: &Beat, motion: &Motion, particles: &mut [Particles],
        points: &mut [Lane3], work: &mut Work,
    )
}

#[inline(always)]
fn swing_in_lanes(
    tissue: &Tissue,
    grid: (usize, usize),
    beat: &Beat,
    motion: &Motion,
    particles: &mut [Particles],
    points: &mut [Lane3],
    work: &mut Work,
) {
    if motion.settles.contains(&1.0) {
        settle(motion, points, particles);
    }
    if beat.dt > 0.0 {
        begin(beat, motion, points, particles, work);
        if beat.ticks > 0 {
            measure(grid, motion, points, particles, work);
        }
        for tick in 0..beat.ticks {
            advance(tissue, grid, beat, motion, tick, work);
            pull(tissue, grid, (beat.start + (tick + 1) as f32 * TICK) / beat.dt, work);
        }
        finish(beat, motion, points, particles, work);
    }
    draw(tissue, grid, beat, motion, particles, points, &mut work.shift);
}

/// One vector for each lane, from a number of the lane each.
#[inline(always)]
fn each(vector: impl Fn(usize) -> [f32; 3]) -> Lane3 {
    let mut lanes = Lane3::default();
    for l in 0..LANES {
        [lanes.x[l], lanes.y[l], lanes.z[l]] = vector(l);
    }
    lanes
}

/// A matrix times the vector of each lane.
#[inline(always)]
fn turned(m: &Mat3, v: &Lane3) -> Lane3 {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    each(|l| {
        let (x, y, z) = (v.x[l], v.y[l], v.z[l]);
        [a.x * x + b.x * y + c.x * z, a.y * x + b.y * y + c.y * z, a.z * x + b.z * y + c.z * z]
    })
}

/// Put the bellies down at the posed ones that are to start at rest.
#[inline(always)]
fn settle(motion: &Motion, points: &[Lane3], particles: &mut [Particles]) {
    for (particle, point) in particles.iter_mut().zip(points) {
        let fresh = Particles { goal: turned(&motion.to_world, point), ..Particles::default() };
        for l in (0..LANES).filter(|&l| motion.settles[l] > 0.0) {
            particle.off.set(l, fresh.off.get(l));
            particle.velocity.set(l, fresh.velocity.get(l));
            particle.goal.set(l, fresh.goal.get(l));
            particle.goal_velocity.set(l, fresh.goal_velocity.get(l));
            particle.goal_acceleration.set(l, fresh.goal_acceleration.get(l));
        }
    }
}

/// How the posed points move over the frame, and the particles at the start of its first tick.
///
/// ```text
/// p(t) = p₀ + w t + a/2 t (t − dt)
/// ```
#[inline(always)]
fn begin(beat: &Beat, motion: &Motion, points: &[Lane3], particles: &mut [Particles], work: &mut Work) {
    let (dt, t) = (beat.dt, beat.start);
    let (per_second, bend) = (1.0 / dt, 0.5 * t * (t - dt));
    let both = motion.last_dt.map(|last| 1.0 / (dt + last));
    let m = &motion.moved;
    let rows = work.row.iter_mut().zip(&mut work.x);
    for ((particle, point), (row, x)) in particles.iter_mut().zip(points).zip(rows) {
        let now = turned(&motion.to_world, point);
        let old = &particle.goal;
        let start = each(|l| [old.x[l] - m.x[l], old.y[l] - m.y[l], old.z[l] - m.z[l]]);
        let one = |now: &Lane, start: &Lane, w0: &Lane, a0: &Lane| {
            let (mut w, mut at_start, mut a) = (Lane::default(), Lane::default(), Lane::default());
            for l in 0..LANES {
                w[l] = (now[l] - start[l]) * per_second;
                at_start[l] = (w[l] - w0[l]) * (2.0 * both[l]);
                a[l] = at_start[l] + (at_start[l] - a0[l]) * (dt * both[l]);
            }
            [w, at_start, a]
        };
        let (w0, a0) = (&particle.goal_velocity, &particle.goal_acceleration);
        let [wx, sx, ax] = one(&now.x, &start.x, &w0.x, &a0.x);
        let [wy, sy, ay] = one(&now.y, &start.y, &w0.y, &a0.y);
        let [wz, sz, az] = one(&now.z, &start.z, &w0.z, &a0.z);
        let (w, a) = (Lane3 { x: wx, y: wy, z: wz }, Lane3 { x: ax, y: ay, z: az });
        let at = each(|l| {
            [
                start.x[l] + (w.x[l] * t + a.x[l] * bend),
                start.y[l] + (w.y[l] * t + a.y[l] * bend),
                start.z[l] + (w.z[l] * t + a.z[l] * bend),
            ]
        });
        let (off, v, late) = (&particle.off, &particle.velocity, t - 0.5 * dt);
        (row.goal, row.goal_velocity, row.goal_acceleration) = (at, w, a);
        if beat.skips {
            (*x, row.velocity) = (at, Lane3::default());
        } else {
            *x = each(|l| [start.x[l] + off.x[l], start.y[l] + off.y[l], start.z[l] + off.z[l]]);
            row.velocity = each(|l| {
                [
                    v.x[l] - (w.x[l] + a.x[l] * late),
                    v.y[l] - (w.y[l] + a.y[l] * late),
                    v.z[l] - (w.z[l] + a.z[l] * late),
                ]
            });
        }
        row.before = *x;
        // the next frame knows this one; where it began stays in `goal` until its springs are measured
        (particle.goal_velocity, particle.goal_acceleration) = (w, Lane3 { x: sx, y: sy, z: sz });
    }
}

/// Rows of the particles at both ends of the springs that start at ring `i`, sector `j`; none where the grid ends.
#[inline(always)]
fn springs((rings, sectors): (usize, usize), i: usize, j: usize) -> [Option<(usize, usize)>; SPRINGS] {
    let next = if j + 1 == sectors { 0 } else { j + 1 };
    let row = |ring: usize, sector: usize| ring * sectors + sector;
    let (here, beside) = (row(i, j), row(i, next));
    let free = i > 0 && i + 1 < rings;
    let ahead = i + 1 < rings;
    [
        free.then_some((here, beside)),
        ahead.then(|| (here, row(i + 1, j))),
        ahead.then(|| (here, row(i + 1, next))),
        ahead.then(|| (beside, row(i + 1, j))),
    ]
}

/// Lengths of the posed belly's springs at the frame's start, and what they gain over it.
#[inline(always)]
fn measure(grid: (usize, usize), motion: &Motion, points: &[Lane3], particles: &[Particles], work: &mut Work) {
    let distance = |a: &Lane3, b: &Lane3| {
        let mut length = Lane::default();
        for l in 0..LANES {
            let (x, y, z) = (b.x[l] - a.x[l], b.y[l] - a.y[l], b.z[l] - a.z[l]);
            length[l] = (x * x + y * y + z * z).sqrt();
        }
        length
    };
    let to_world = &motion.to_world;
    for i in 0..grid.0 {
        for j in 0..grid.1 {
            let lengths = &mut work.length[i * grid.1 + j];
            for (ends, length) in springs(grid, i, j).into_iter().zip(lengths) {
                let Some((a, b)) = ends else { continue };
                length[0] = distance(&particles[a].goal, &particles[b].goal);
                let now = distance(&turned(to_world, &points[a]), &turned(to_world, &points[b]));
                for l in 0..LANES {
                    length[1][l] = now[l] - length[0][l];
                }
            }
        }
    }
}

/// One tick of every particle on its own: the springs' last pull becomes velocity, then the oscillator's own solution.
#[inline(always)]
fn advance(
    tissue: &Tissue,
    (rings, sectors): (usize, usize),
    beat: &Beat,
    motion: &Motion,
    tick: u32,
    work: &mut Work,
) {
    let bend = 0.5 * TICK * (2.0 * (beat.start + tick as f32 * TICK) + TICK - beat.dt);
    let (place, rate) = (&tissue.place, &tissue.rate);
    for (k, (row, x)) in work.row.iter_mut().zip(&mut work.x).enumerate().take(rings * sectors) {
        let on_tendon = k < sectors || k >= (rings - 1) * sectors;
        let one = |x: &mut Lane, p: &mut Lane, v: &mut Lane, before: &mut Lane, w: &Lane, a: &Lane, g: &Lane| {
            for l in 0..LANES {
                let d = x[l] - p[l];
                let v0 = v[l] + (x[l] - before[l]) * (1.0 / TICK);
                let force = g[l] - a[l];
                p[l] += w[l] * TICK + a[l] * bend;
                let swung = (place[0][l] * d + place[1][l] * v0) + place[2][l] * force;
                x[l] = p[l] + if on_tendon { 0.0 } else { swung };
                before[l] = x[l];
                v[l] = (rate[0][l] * d + rate[1][l] * v0) + rate[2][l] * force;
            }
        };
        let Row { goal: p, before, velocity: v, goal_velocity: w, goal_acceleration: a } = row;
        one(&mut x.x, &mut p.x, &mut v.x, &mut before.x, &w.x, &a.x, &motion.gravity.x);
        one(&mut x.y, &mut p.y, &mut v.y, &mut before.y, &w.y, &a.y, &motion.gravity.y);
        one(&mut x.z, &mut p.z, &mut v.z, &mut before.z, &w.z, &a.z, &motion.gravity.z);
    }
}

/// Every spring pulls once; `share` of the frame has passed. Springs of one kind do not wait for each other, but for
/// neighbours around a ring, of which every other goes first.
#[inline(always)]
fn pull(tissue: &Tissue, (rings, sectors): (usize, usize), share: f32, work: &mut Work) {
    let Work { x, length, .. } = work;
    let none = &[0.0; LANES];
    for i in 0..rings - 1 {
        let next = |j: usize| if j + 1 == sectors { 0 } else { j + 1 };
        let (near, far) = x[i * sectors..(i + 2) * sectors].split_at_mut(sectors);
        let length = &length[i * sectors..(i + 1) * sectors];
        if i > 0 {
            for j in (0..sectors).step_by(2).chain((1..sectors).step_by(2)) {
                let (mut a, mut b) = (near[j], near[next(j)]);
                spring(&mut a, &mut b, &length[j][0], share, (&tissue.give, &tissue.give));
                (near[j], near[next(j)]) = (a, b);
            }
        }
        let give = match (i == 0, i + 2 == rings) {
            (true, _) => (none, &tissue.give_alone),
            (_, true) => (&tissue.give_alone, none),
            _ => (&tissue.give, &tissue.give),
        };
        for j in 0..sectors {
            spring(&mut near[j], &mut far[j], &length[j][1], share, give);
        }
        for j in 0..sectors {
            spring(&mut near[j], &mut far[next(j)], &length[j][2], share, give);
        }
        for j in 0..sectors {
            spring(&mut near[next(j)], &mut far[j], &length[j][3], share, give);
        }
    }
}

#[inline(always)]
fn spring(a: &mut Lane3, b: &mut Lane3, length: &[Lane; 2], share: f32, give: (&Lane, &Lane)) {
    let d = each(|l| [b.x[l] - a.x[l], b.y[l] - a.y[l], b.z[l] - a.z[l]]);
    let mut excess = Lane::default();
    for l in 0..LANES {
        let now = (d.x[l] * d.x[l] + d.y[l] * d.y[l] + d.z[l] * d.z[l]).sqrt();
        let rest = length[0][l] + length[1][l] * share;
        excess[l] = (now - rest) / if now > 1e-12 { now } else { 1e-12 };
    }
    for l in 0..LANES {
        let (pull, push) = (excess[l] * give.0[l], excess[l] * give.1[l]);
        a.x[l] += d.x[l] * pull;
        a.y[l] += d.y[l] * pull;
        a.z[l] += d.z[l] * pull;
        b.x[l] -= d.x[l] * push;
        b.y[l] -= d.y[l] * push;
        b.z[l] -= d.z[l] * push;
    }
}

/// From the last tick back to what is remembered between frames.
#[inline(always)]
fn finish(beat: &Beat, motion: &Motion, points: &[Lane3], particles: &mut [Particles], work: &Work) {
    let late = beat.start + beat.ticks as f32 * TICK - 0.5 * beat.dt;
    for ((particle, point), (row, x)) in particles.iter_mut().zip(points).zip(work.row.iter().zip(&work.x)) {
        let now = turned(&motion.to_world, point);
        let one = |x: &Lane, now: &Lane, v: &Lane, before: &Lane, w: &Lane, a: &Lane| {
            let (mut off, mut velocity) = (Lane::default(), Lane::default());
            for l in 0..LANES {
                off[l] = x[l] - now[l];
                velocity[l] = v[l] + (x[l] - before[l]) * (1.0 / TICK) + (w[l] + a[l] * late);
            }
            (off, velocity)
        };
        let (w, a) = (&row.goal_velocity, &row.goal_acceleration);
        let (px, vx) = one(&x.x, &now.x, &row.velocity.x, &row.before.x, &w.x, &a.x);
        let (py, vy) = one(&x.y, &now.y, &row.velocity.y, &row.before.y, &w.y, &a.y);
        let (pz, vz) = one(&x.z, &now.z, &row.velocity.z, &row.before.z, &w.z, &a.z);
        (particle.off, particle.velocity) = (Lane3 { x: px, y: py, z: pz }, Lane3 { x: vx, y: vy, z: vz });
        particle.goal = now;
    }
}

/// Draw the particles: by velocity and acceleration over what is left of the frame, and never farther than their reach.
#[inline(always)]
fn draw(
    tissue: &Tissue,
    (rings, sectors): (usize, usize),
    beat: &Beat,
    motion: &Motion,
    particles: &mut [Particles],
    points: &mut [Lane3],
    shift: &mut [Lane3],
) {
    let mut out = Lane::default();
    shift[..rings].fill(Lane3::default());
    for (ring, shift) in shift.iter_mut().enumerate().take(rings - 1).skip(1) {
        let of = ring * sectors..(ring + 1) * sectors;
        for (particle, point) in particles[of.clone()].iter().zip(&mut points[of]) {
            let drawn = drawn(tissue, beat.left, motion, particle, &mut out);
            for l in 0..LANES {
                point.x[l] += drawn.x[l];
                point.y[l] += drawn.y[l];
                point.z[l] += drawn.z[l];
                shift.x[l] += drawn.x[l] / sectors as f32;
                shift.y[l] += drawn.y[l] / sectors as f32;
                shift.z[l] += drawn.z[l] / sectors as f32;
            }
        }
    }
    for l in (0..LANES).filter(|&l| !(out[l] < LOST * LOST)) {
        for particle in particles.iter_mut() {
            particle.off.set(l, Vec3::ZERO);
            particle.velocity.set(l, particle.goal_velocity.get(l));
        }
    }
}

/// From the posed point to where eight particles are drawn, m, model space; adds to `out` how far out they are.
#[inline(always)]
fn drawn(tissue: &Tissue, left: f32, motion: &Motion, particle: &Particles, out: &mut Lane) -> Lane3 {
    let one = |off: &Lane, v: &Lane, w: &Lane, g: &Lane| {
        let mut out = Lane::default();
        for l in 0..LANES {
            let back = tissue.stiffness[l] * (off[l] + left * w[l]) + tissue.damping[l] * (v[l] - w[l]);
            out[l] = off[l] + left * (v[l] + (g[l] - back) * (0.5 * left));
        }
        out
    };
    let (Particles { off, velocity: v, goal_velocity: w, .. }, g) = (particle, &motion.gravity);
    let (x, y, z) = (one(&off.x, &v.x, &w.x, &g.x), one(&off.y, &v.y, &w.y, &g.y), one(&off.z, &v.z, &w.z, &g.z));
    let mut model = turned(&motion.to_model, &Lane3 { x, y, z });
    for l in 0..LANES {
        let square = model.x[l] * model.x[l] + model.y[l] * model.y[l] + model.z[l] * model.z[l];
        let ratio = square / (tissue.reach[l] * tissue.reach[l]);
        out[l] += ratio;
        // what is beyond all numbers is not drawn
        let sound = ratio < f32::MAX;
        let hold = 1.0 / (1.0 + if sound { ratio } else { 0.0 }).sqrt();
        model.x[l] = if sound { model.x[l] * hold } else { 0.0 };
        model.y[l] = if sound { model.y[l] * hold } else { 0.0 };
        model.z[l] = if sound { model.z[l] * hold } else { 0.0 };
    }
    model
}
