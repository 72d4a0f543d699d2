//! Muscles whose numbers are known, and the markers they would move.

use fusiform_motion::identify::{Law, Sample, Shape, SkinMuscle, SkinProblem, part_of};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Numbers that look random and are the same every time (Marsaglia's xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.next().max(1e-300).ln()).sqrt() * (TAU * self.next()).cos()
    }

    pub fn jitter(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.normal(), self.normal(), self.normal()) * size
    }
}

/// A muscle that thickens as it shortens and, in the middle, as it tenses; its ends are tendons of a centimetre.
pub fn law(random: &mut Random) -> Law {
    let (rest_length, widest) = (random.between(0.2, 0.4), random.between(0.025, 0.045));
    let mut law = Law { rest_length, ..Law::default() };
    for part in 0..2 {
        let (k1, k2) = (random.between(2.0, 3.5), random.between(5.0, 8.0));
        let rise = |x: f64| 1.0 / (1.0 + (k1 - k2 * x).exp());
        let k3 = (widest - 0.01) / (rise(1.0) - rise(0.0));
        law.rest.k[part] = [k1, k2, k3, 0.01 - k3 * rise(0.0)];
        let (a, b) = (-random.between(0.8, 1.2) * k3 / rest_length, random.between(0.05, 0.2) * k3);
        let fuller = random.between(0.0, 0.8);
        law.by_length.k[part] = [0.0, random.between(-1.0, 1.0), a, -a * rise(0.0)];
        law.by_tension.k[part] = [0.0, fuller, b, -b * rise(0.0)];
    }
    // both parts meet at all times
    for slope in [&mut law.by_length, &mut law.by_tension] {
        slope.k[1][2] = slope.k[0][2] * law.rest.k[1][2] / law.rest.k[0][2];
        let [k1, ..] = law.rest.k[1];
        slope.k[1][3] = -slope.k[1][2] / (1.0 + k1.exp());
    }
    law.rest.eccentricity = random.between(0.4, 0.7);
    law.by_length.eccentricity = random.between(-0.5, 0.5);
    law.by_tension.eccentricity = random.between(-0.15, 0.15);
    law
}

/// Lengths and tensions of a motion.
#[derive(Clone, Debug)]
pub struct Motion {
    pub length: Vec<f64>,
    pub tension: Vec<f64>,
}

impl Motion {
    pub fn new(rest_length: f64, n_frame: usize, random: &mut Random) -> Self {
        let waves: [f64; 4] = std::array::from_fn(|_| random.between(0.0, TAU));
        let rates: [f64; 4] = std::array::from_fn(|_| random.between(1.0, 5.0));
        let wave = |i: usize, t: f64| (TAU * rates[i] * t + waves[i]).sin();
        let at = |t: usize| t as f64 / n_frame as f64;
        Self {
            length: (0..n_frame).map(|t| rest_length * (1.0 + 0.12 * wave(0, at(t)) + 0.06 * wave(1, at(t)))).collect(),
            tension: (0..n_frame).map(|t| (0.4 + 0.4 * wave(2, at(t)) + 0.2 * wave(3, at(t))).max(0.0)).collect(),
        }
    }
}

/// Markers that lie on a muscle.
pub fn samples(law: &Law, motion: &Motion, n_marker: usize, noise: f64, random: &mut Random) -> Vec<Sample> {
    let places: Vec<[f64; 2]> = (0..n_marker)
        .map(|i| [(i as f64 + random.between(0.2, 0.8)) / n_marker as f64, random.between(-PI, PI)])
        .collect();
    let mut samples = Vec::new();
    for frame in 0..motion.length.len() {
        let shape = law.at(motion.length[frame], motion.tension[frame]);
        for [share, phi] in &places {
            // skin slides a little
            let (part, x) = part_of((share + 0.02 * random.normal()).clamp(0.0, 1.0));
            let radius = shape.polar_radius(part, x, *phi) + noise * random.normal();
            samples.push(Sample { frame, part, x, phi: *phi, radius });
        }
    }
    samples
}

/// m: mean distance of two laws' surfaces over a motion, along b, along c and between.
pub fn surface_error(truth: &Law, found: &Law, motion: &Motion) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for (length, tension) in motion.length.iter().zip(&motion.tension) {
        let shapes: [Shape; 2] = [truth, found].map(|law| law.at(*length, *tension));
        for i in 0..=20 {
            let (part, x) = part_of(f64::from(i) / 20.0);
            for phi in [0.0, 0.4, 0.8, 1.2, PI / 2.0] {
                let [a, b] = shapes.map(|shape| shape.polar_radius(part, x, phi));
                (sum, n) = (sum + (a - b).abs(), n + 1.0);
            }
        }
    }
    sum / n
}

/// A muscle under skin, with all its arrays.
#[derive(Clone, Debug)]
pub struct Under {
    pub truth: Law,
    pub motion: Motion,
    pub share: Vec<f64>,
    pub markers: Vec<usize>,
    pub start: Vec<usize>,
    pub ring: Vec<usize>,
    pub along_b: Vec<DVec3>,
    pub along_c: Vec<DVec3>,
}

impl Under {
    /// Over which the markers lie, each following three rings, as skin follows a muscle that is some way below.
    pub fn new(markers: &[usize], n_frame: usize, random: &mut Random) -> Self {
        let truth = law(random);
        let motion = Motion::new(truth.rest_length, n_frame, random);
        let mut under = Self {
            truth,
            motion,
            share: (0..12).map(|i| f64::from(i) / 11.0).collect(),
            markers: markers.to_vec(),
            start: vec![0],
            ring: Vec::new(),
            along_b: Vec::new(),
            along_c: Vec::new(),
        };
        let mut arms = Vec::new();
        for i in 0..markers.len() {
            let share = (i as f64 + random.between(0.2, 0.8)) / markers.len() as f64;
            let (first, phi) = (((share * 11.0) as usize).clamp(1, 10) - 1, random.between(-2.0, 2.0));
            let weights: [f64; 3] = std::array::from_fn(|_| random.between(0.1, 0.5));
            for (i, weight) in weights.iter().enumerate() {
                under.ring.push(first + i);
                let [b, c] = truth.rest.semi_axes(under.share[first + i]);
                arms.push([DVec3::Y * (b * weight * phi.cos()), DVec3::Z * (c * weight * phi.sin())]);
            }
            under.start.push(under.ring.len());
        }
        for t in 0..n_frame {
            let turn = DQuat::from_rotation_x(1.5 * (t as f64 * 0.02).sin()) * DQuat::from_rotation_z(0.01 * t as f64);
            under.along_b.extend(arms.iter().map(|[b, _]| turn * *b));
            under.along_c.extend(arms.iter().map(|[_, c]| turn * *c));
        }
        under
    }

    /// The same muscle and markers in another motion.
    pub fn again(&self, random: &mut Random) -> Self {
        Self { motion: Motion::new(self.truth.rest_length, self.motion.length.len(), random), ..self.clone() }
    }

    pub fn muscle(&self) -> SkinMuscle<'_> {
        SkinMuscle {
            rest_length: self.truth.rest_length,
            rest: self.truth.rest,
            length: &self.motion.length,
            tension: &self.motion.tension,
            belly_length: &[],
            ring_share: &self.share,
            markers: &self.markers,
            start: &self.start,
            ring: &self.ring,
            along_b: &self.along_b,
            along_c: &self.along_c,
        }
    }
}

/// n_frame x n_marker: what muscles move markers by, with noise.
pub fn moved(muscles: &[Under], n_marker: usize, noise: f64, random: &mut Random) -> Vec<DVec3> {
    let n_frame = muscles.first().map_or(0, |m| m.motion.length.len());
    let mut moved: Vec<DVec3> = (0..n_frame * n_marker).map(|_| random.jitter(noise)).collect();
    for under in muscles {
        let n_follow = under.ring.len();
        for t in 0..n_frame {
            let (length, tension) = (under.motion.length[t], under.motion.tension[t]);
            for (j, marker) in under.markers.iter().enumerate() {
                for i in under.start[j]..under.start[j + 1] {
                    let [b, c] = under.truth.growth(length, tension, under.share[under.ring[i]]);
                    moved[t * n_marker + marker] +=
                        under.along_b[t * n_follow + i] * (b - 1.0) + under.along_c[t * n_follow + i] * (c - 1.0);
                }
            }
        }
    }
    moved
}

/// Muscles and what their markers moved by.
pub fn problem<'a>(muscles: &'a [SkinMuscle<'a>], n_marker: usize, moved: &'a [DVec3]) -> SkinProblem<'a> {
    SkinProblem { n_frame: moved.len() / n_marker.max(1), n_marker, moved, muscles }
}
