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
}

/// How eight posed rings, one of each belly, moved over the last frame, on the whole; world axes. How a path bends between
/// frames is a matter of rings: points of one differ in it by what their radius and its turning make, which is little.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RingMotion {
    /// Mean velocity over the frame, m/s.
    velocity: Lane3,
    /// Acceleration at the start of it, m/s².
    acceleration: Lane3,
}

/// What eight soft bellies remember between frames.
pub(crate) struct Memory<'a> {
    /// rings x sectors.
    pub particles: &'a mut [Particles],
    /// One for each ring.
    pub rings: &'a mut [RingMotion],
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
    now: Vec<Lane3>,                   // n_point  the posed points at the frame's end, likewise
    square: Vec<[[Lane; 2]; SPRINGS]>, // n_point  of the posed springs' lengths at the frame's start, and its gain; m²
    row: Vec<Row>,                     // n_point
    bend: Vec<Lane3>,                  // n_ring   a, the acceleration of the posed rings over the frame, m/s²
    /// n_ring: how far each ring is drawn from the posed one on the whole, m, model space.
    pub shift: Vec<Lane3>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    goal: Lane3,          // p at the present tick
    before: Lane3,        // the particle before springs pulled at it
    velocity: Lane3,      // d′
    goal_velocity: Lane3, // w, mean of the frame
}

impl Work {
    /// Room for the largest belly.
    pub fn new(points: usize) -> Self {
        Self {
            x: vec![Lane3::default(); points],
            row: vec![Row::default(); points],
            now: vec![Lane3::default(); points],
            square: vec![Default::default(); points],
            bend: vec![Lane3::default(); points],
            shift: vec![Lane3::default(); points],
        }
    }
}

for_each_instruction_set! {
    /// Carry eight soft bellies of `grid` rings x sectors over the frame, from the posed `points` to where they are drawn.
    swing = swing_in_lanes(
        tissue: &Tissue, grid: (usize, usize), beat: &Beat, motion: &Motion, memory: Memory,
        points: &mut [Lane3], work: &mut Work,
    )
}

#[inline(always)]
fn swing_in_lanes(
    tissue: &Tissue,
    grid: (usize, usize),
    beat: &Beat,
    motion: &Motion,
    memory: Memory,
    points: &mut [Lane3],
    work: &mut Work,
) {
    let Memory { particles, rings } = memory;
    for (now, point) in work.now.iter_mut().zip(&*points) {
        *now = turned(&motion.to_world, point);
    }
    if motion.settles.contains(&1.0) {
        settle(motion, &work.now, particles, rings);
    }
    if beat.dt > 0.0 {
        if beat.ticks > 0 {
            measure(grid, particles, work);
        }
        for ring in 0..grid.0 {
            begin(grid.1, ring, beat, motion, (particles, &mut rings[ring]), work);
        }
        for tick in 0..beat.ticks {
            advance(tissue, grid, beat, motion, tick, work);
            pull(tissue, grid, (beat.start + (tick + 1) as f32 * TICK) / beat.dt, work);
        }
        finish(grid, beat, particles, work);
    }
    draw(tissue, grid, beat, motion, Memory { particles, rings }, points, &mut work.shift);
}

/// One number for each lane: short loops of one quantity become a few vector instructions each.
#[inline(always)]
fn lanes(number: impl Fn(usize) -> f32) -> Lane {
    let mut lanes = Lane::default();
    for (l, lane) in lanes.iter_mut().enumerate() {
        *lane = number(l);
    }
    lanes
}

/// A matrix times the vector of each lane.
#[inline(always)]
fn turned(m: &Mat3, v: &Lane3) -> Lane3 {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    Lane3 {
        x: lanes(|l| a.x * v.x[l] + b.x * v.y[l] + c.x * v.z[l]),
        y: lanes(|l| a.y * v.x[l] + b.y * v.y[l] + c.y * v.z[l]),
        z: lanes(|l| a.z * v.x[l] + b.z * v.y[l] + c.z * v.z[l]),
    }
}

/// Put the bellies down at the posed ones that are to start at rest.
#[inline(never)]
fn settle(motion: &Motion, now: &[Lane3], particles: &mut [Particles], rings: &mut [RingMotion]) {
    for l in (0..LANES).filter(|&l| motion.settles[l] > 0.0) {
        for (particle, now) in particles.iter_mut().zip(now) {
            particle.off.set(l, Vec3::ZERO);
            particle.velocity.set(l, Vec3::ZERO);
            particle.goal.set(l, now.get(l));
        }
        for ring in &mut *rings {
            ring.velocity.set(l, Vec3::ZERO);
            ring.acceleration.set(l, Vec3::ZERO);
        }
    }
}

/// How the posed points of one ring move over the frame, and its particles at the start of the first tick.
///
/// ```text
/// p(t) = p₀ + w t + a/2 t (t − dt)
/// ```
#[inline(always)]
fn begin(
    sectors: usize,
    ring: usize,
    beat: &Beat,
    motion: &Motion,
    (particles, last): (&[Particles], &mut RingMotion),
    work: &mut Work,
) {
    let (of, m) = (ring * sectors..(ring + 1) * sectors, &motion.moved);
    let (particles, now) = (&particles[of.clone()], &work.now[of.clone()]);
    let (per_second, mut mean) = (1.0 / beat.dt, Lane3::default());
    let rows = &mut work.row[of.clone()];
    for (row, (particle, now)) in rows.iter_mut().zip(particles.iter().zip(now)) {
        let (p, w, goal) = (&mut row.goal, &mut row.goal_velocity, &particle.goal);
        *p = Lane3 {
            x: lanes(|l| goal.x[l] - m.x[l]),
            y: lanes(|l| goal.y[l] - m.y[l]),
            z: lanes(|l| goal.z[l] - m.z[l]),
        };
        w.x = lanes(|l| (now.x[l] - p.x[l]) * per_second);
        w.y = lanes(|l| (now.y[l] - p.y[l]) * per_second);
        w.z = lanes(|l| (now.z[l] - p.z[l]) * per_second);
        mean.x = lanes(|l| mean.x[l] + w.x[l] * (1.0 / sectors as f32));
        mean.y = lanes(|l| mean.y[l] + w.y[l] * (1.0 / sectors as f32));
        mean.z = lanes(|l| mean.z[l] + w.z[l] * (1.0 / sectors as f32));
    }
    let both = lanes(|l| 1.0 / (beat.dt + motion.last_dt[l]));
    let (v0, a0) = (last.velocity, last.acceleration);
    let [ax, sx] = bend(beat.dt, &both, &mean.x, &v0.x, &a0.x);
    let [ay, sy] = bend(beat.dt, &both, &mean.y, &v0.y, &a0.y);
    let [az, sz] = bend(beat.dt, &both, &mean.z, &v0.z, &a0.z);
    *last = RingMotion { velocity: mean, acceleration: Lane3 { x: sx, y: sy, z: sz } };
    let a = Lane3 { x: ax, y: ay, z: az };
    work.bend[ring] = a;
    for ((row, x), particle) in rows.iter_mut().zip(&mut work.x[of]).zip(particles) {
        let Row { goal: p, velocity: v, goal_velocity: w, .. } = row;
        let (off, velocity) = (&particle.off, &particle.velocity);
        [x.x, p.x, v.x] = begin_axis(beat, [&p.x, &w.x, &a.x, &off.x, &velocity.x]);
        [x.y, p.y, v.y] = begin_axis(beat, [&p.y, &w.y, &a.y, &off.y, &velocity.y]);
        [x.z, p.z, v.z] = begin_axis(beat, [&p.z, &w.z, &a.z, &off.z, &velocity.z]);
        row.before = *x;
    }
}

/// a, and the acceleration at the frame's start, from two frames' mean velocities, as in `spring`.
#[inline(always)]
fn bend(dt: f32, both: &Lane, w: &Lane, last_w: &Lane, last_a: &Lane) -> [Lane; 2] {
    let at_start = lanes(|l| (w[l] - last_w[l]) * (2.0 * both[l]));
    [lanes(|l| at_start[l] + (at_start[l] - last_a[l]) * (dt * both[l])), at_start]
}

/// The particle, the posed point and d′ at the start of the first tick, on one axis.
#[inline(always)]
fn begin_axis(beat: &Beat, [start, w, a, off, velocity]: [&Lane; 5]) -> [Lane; 3] {
    let (t, late) = (beat.start, beat.start - 0.5 * beat.dt);
    let bend = 0.5 * t * (t - beat.dt);
    let p = lanes(|l| start[l] + (w[l] * t + a[l] * bend));
    if beat.skips {
        return [p, p, Lane::default()];
    }
    [lanes(|l| start[l] + off[l]), p, lanes(|l| velocity[l] - (w[l] + a[l] * late))]
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

/// Squared lengths of the posed belly's springs at the frame's start, and what they gain over it.
#[inline(always)]
fn measure(grid: (usize, usize), particles: &[Particles], work: &mut Work) {
    for i in 0..grid.0 {
        for j in 0..grid.1 {
            let squares = &mut work.square[i * grid.1 + j];
            for (ends, square) in springs(grid, i, j).into_iter().zip(squares) {
                let Some((a, b)) = ends else { continue };
                let start = apart(&particles[a].goal, &particles[b].goal);
                let now = apart(&work.now[a], &work.now[b]);
                *square = [start, lanes(|l| now[l] - start[l])];
            }
        }
    }
}

/// The square of the distance.
#[inline(always)]
fn apart(a: &Lane3, b: &Lane3) -> Lane {
    let d = Lane3 { x: lanes(|l| b.x[l] - a.x[l]), y: lanes(|l| b.y[l] - a.y[l]), z: lanes(|l| b.z[l] - a.z[l]) };
    lanes(|l| d.x[l] * d.x[l] + d.y[l] * d.y[l] + d.z[l] * d.z[l])
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
    let rows = work.row.chunks_exact_mut(sectors).zip(work.x.chunks_exact_mut(sectors));
    for (ring, ((rows, xs), a)) in rows.zip(&work.bend).enumerate().take(rings) {
        let (g, on_tendon) = (&motion.gravity, ring == 0 || ring + 1 == rings);
        for (row, x) in rows.iter_mut().zip(xs) {
            let Row { goal: p, before, velocity: v, goal_velocity: w } = row;
            let d =
                Lane3 { x: lanes(|l| x.x[l] - p.x[l]), y: lanes(|l| x.y[l] - p.y[l]), z: lanes(|l| x.z[l] - p.z[l]) };
            p.x = lanes(|l| p.x[l] + (w.x[l] * TICK + a.x[l] * bend));
            p.y = lanes(|l| p.y[l] + (w.y[l] * TICK + a.y[l] * bend));
            p.z = lanes(|l| p.z[l] + (w.z[l] * TICK + a.z[l] * bend));
            if on_tendon {
                (*x, *before, *v) = (*p, *p, Lane3::default());
                continue;
            }
            [x.x, v.x] = advance_axis(tissue, [&d.x, &x.x, &p.x, &v.x, &before.x, &a.x, &g.x]);
            [x.y, v.y] = advance_axis(tissue, [&d.y, &x.y, &p.y, &v.y, &before.y, &a.y, &g.y]);
            [x.z, v.z] = advance_axis(tissue, [&d.z, &x.z, &p.z, &v.z, &before.z, &a.z, &g.z]);
            *before = *x;
        }
    }
}

/// The particle and d′ after the tick, on one axis: `d` is from before it, the posed point `p` from after it.
#[inline(always)]
fn advance_axis(tissue: &Tissue, [d, x, p, v, before, a, g]: [&Lane; 7]) -> [Lane; 2] {
    let (place, rate) = (&tissue.place, &tissue.rate);
    let v = lanes(|l| v[l] + (x[l] - before[l]) * (1.0 / TICK));
    let force = lanes(|l| g[l] - a[l]);
    let x = lanes(|l| p[l] + ((place[0][l] * d[l] + place[1][l] * v[l]) + place[2][l] * force[l]));
    [x, lanes(|l| (rate[0][l] * d[l] + rate[1][l] * v[l]) + rate[2][l] * force[l])]
}

/// Every spring pulls once; of the frame `share` has passed. Springs of one kind do not wait for each other, but for
/// neighbours around a ring, of which every other goes first.
#[inline(always)]
fn pull(tissue: &Tissue, (rings, sectors): (usize, usize), share: f32, work: &mut Work) {
    let Work { x, square, .. } = work;
    let none = &[0.0; LANES];
    for i in 0..rings - 1 {
        let next = |j: usize| if j + 1 == sectors { 0 } else { j + 1 };
        let (near, far) = x[i * sectors..(i + 2) * sectors].split_at_mut(sectors);
        let square = &square[i * sectors..(i + 1) * sectors];
        let rest = |j: usize, k: usize| (&square[j][k], share);
        if i > 0 {
            for j in (0..sectors).step_by(2).chain((1..sectors).step_by(2)) {
                let (mut a, mut b) = (near[j], near[next(j)]);
                spring(&mut a, &mut b, rest(j, 0), (&tissue.give, &tissue.give));
                (near[j], near[next(j)]) = (a, b);
            }
        }
        let give = match (i == 0, i + 2 == rings) {
            (true, _) => (none, &tissue.give_alone),
            (_, true) => (&tissue.give_alone, none),
            _ => (&tissue.give, &tissue.give),
        };
        for j in 0..sectors {
            spring(&mut near[j], &mut far[j], rest(j, 1), give);
        }
        for j in 0..sectors {
            spring(&mut near[j], &mut far[next(j)], rest(j, 2), give);
        }
        for j in 0..sectors {
            spring(&mut near[next(j)], &mut far[j], rest(j, 3), give);
        }
    }
}

/// One spring of eight bellies, r its rest length: of d it takes up the excess (|d| − r)/|d|, to first order, in a form
/// that needs no root and stays within 1.
///
/// ```text
/// (|d|² − r²) / (|d|² + r²)
/// ```
#[inline(always)]
fn spring(a: &mut Lane3, b: &mut Lane3, (square, share): (&[Lane; 2], f32), give: (&Lane, &Lane)) {
    let d = Lane3 { x: lanes(|l| b.x[l] - a.x[l]), y: lanes(|l| b.y[l] - a.y[l]), z: lanes(|l| b.z[l] - a.z[l]) };
    let now = lanes(|l| d.x[l] * d.x[l] + d.y[l] * d.y[l] + d.z[l] * d.z[l]);
    let rest = lanes(|l| square[0][l] + square[1][l] * share);
    let excess = lanes(|l| (now[l] - rest[l]) / (now[l] + rest[l] + 1e-24));
    let (pull, push) = (lanes(|l| excess[l] * give.0[l]), lanes(|l| excess[l] * give.1[l]));
    a.x = lanes(|l| a.x[l] + d.x[l] * pull[l]);
    a.y = lanes(|l| a.y[l] + d.y[l] * pull[l]);
    a.z = lanes(|l| a.z[l] + d.z[l] * pull[l]);
    b.x = lanes(|l| b.x[l] - d.x[l] * push[l]);
    b.y = lanes(|l| b.y[l] - d.y[l] * push[l]);
    b.z = lanes(|l| b.z[l] - d.z[l] * push[l]);
}

/// From the last tick back to what is remembered between frames.
#[inline(always)]
fn finish((rings, sectors): (usize, usize), beat: &Beat, particles: &mut [Particles], work: &Work) {
    let late = beat.start + beat.ticks as f32 * TICK - 0.5 * beat.dt;
    let rows = work.row.iter().zip(&work.x).zip(&work.now);
    for (k, (particle, ((row, x), now))) in particles.iter_mut().zip(rows).enumerate().take(rings * sectors) {
        let (Row { before, velocity: v, goal_velocity: w, .. }, a) = (row, &work.bend[k / sectors]);
        let (off, velocity) = (&mut particle.off, &mut particle.velocity);
        [off.x, velocity.x] = finish_axis(late, [&x.x, &now.x, &v.x, &before.x, &w.x, &a.x]);
        [off.y, velocity.y] = finish_axis(late, [&x.y, &now.y, &v.y, &before.y, &w.y, &a.y]);
        [off.z, velocity.z] = finish_axis(late, [&x.z, &now.z, &v.z, &before.z, &w.z, &a.z]);
        particle.goal = *now;
    }
}

#[inline(always)]
fn finish_axis(late: f32, [x, now, v, before, w, a]: [&Lane; 6]) -> [Lane; 2] {
    let velocity = lanes(|l| v[l] + (x[l] - before[l]) * (1.0 / TICK) + (w[l] + a[l] * late));
    [lanes(|l| x[l] - now[l]), velocity]
}

/// Draw the particles: by velocity and acceleration over what is left of the frame, and never farther than their reach.
#[inline(always)]
fn draw(
    tissue: &Tissue,
    (rings, sectors): (usize, usize),
    beat: &Beat,
    motion: &Motion,
    memory: Memory,
    points: &mut [Lane3],
    shift: &mut [Lane3],
) {
    let Memory { particles, rings: moved } = memory;
    let (mut out, per_sector) = (Lane::default(), 1.0 / sectors as f32);
    shift[..rings].fill(Lane3::default());
    for (ring, shift) in shift.iter_mut().enumerate().take(rings - 1).skip(1) {
        let of = ring * sectors..(ring + 1) * sectors;
        for (particle, point) in particles[of.clone()].iter().zip(&mut points[of]) {
            let drawn = drawn(tissue, beat.left, motion, (particle, &moved[ring].velocity), &mut out);
            point.x = lanes(|l| point.x[l] + drawn.x[l]);
            point.y = lanes(|l| point.y[l] + drawn.y[l]);
            point.z = lanes(|l| point.z[l] + drawn.z[l]);
            shift.x = lanes(|l| shift.x[l] + drawn.x[l] * per_sector);
            shift.y = lanes(|l| shift.y[l] + drawn.y[l] * per_sector);
            shift.z = lanes(|l| shift.z[l] + drawn.z[l] * per_sector);
        }
    }
    for l in (0..LANES).filter(|&l| out[l].is_nan() || out[l] > LOST * LOST) {
        for (k, particle) in particles.iter_mut().enumerate() {
            particle.off.set(l, Vec3::ZERO);
            particle.velocity.set(l, moved[k / sectors].velocity.get(l));
        }
    }
}

/// From the posed point to where eight particles are drawn, m, model space; adds to `out` how far out they are.
#[inline(always)]
fn drawn(tissue: &Tissue, left: f32, motion: &Motion, (particle, w): (&Particles, &Lane3), out: &mut Lane) -> Lane3 {
    let (Particles { off, velocity: v, .. }, g) = (particle, &motion.gravity);
    let world = Lane3 {
        x: drawn_axis(tissue, left, [&off.x, &v.x, &w.x, &g.x]),
        y: drawn_axis(tissue, left, [&off.y, &v.y, &w.y, &g.y]),
        z: drawn_axis(tissue, left, [&off.z, &v.z, &w.z, &g.z]),
    };
    let model = turned(&motion.to_model, &world);
    let square = lanes(|l| model.x[l] * model.x[l] + model.y[l] * model.y[l] + model.z[l] * model.z[l]);
    let ratio = lanes(|l| square[l] / (tissue.reach[l] * tissue.reach[l]));
    *out = lanes(|l| out[l] + ratio[l]);
    let hold = lanes(|l| 1.0 / (1.0 + ratio[l]).sqrt());
    // what is beyond all numbers is not drawn
    let sound = |l: usize, drawn: f32| if ratio[l] < f32::MAX { drawn } else { 0.0 };
    Lane3 {
        x: lanes(|l| sound(l, model.x[l] * hold[l])),
        y: lanes(|l| sound(l, model.y[l] * hold[l])),
        z: lanes(|l| sound(l, model.z[l] * hold[l])),
    }
}

#[inline(always)]
fn drawn_axis(tissue: &Tissue, left: f32, [off, v, w, g]: [&Lane; 4]) -> Lane {
    let back = lanes(|l| tissue.stiffness[l] * (off[l] + left * w[l]) + tissue.damping[l] * (v[l] - w[l]));
    lanes(|l| off[l] + left * (v[l] + (g[l] - back[l]) * (0.5 * left)))
}

#[cfg(test)]
mod tests;
