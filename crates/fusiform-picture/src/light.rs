//! How much light reaches a point: soft key shadow and ambient occlusion.
//!
//! Rays are few per pixel and form one stratified set over each block of 4 × 4 pixels (interleaved
//! sampling: Keller, Heidrich, *Interleaved Sampling*, EGWR 2001). [`LightMap`] then blurs the
//! result with a tent exactly 4 + 4 pixels wide, which cancels that pattern, but not across edges.

use crate::mesh::{Point, Stage};
use glam::Vec3;
use rayon::prelude::*;

/// Occluders farther than this many scene radii do not darken.
const AMBIENT_REACH: f32 = 0.45;
/// Tangent of the half angle under which the key light appears.
const KEY_SPREAD: f32 = 0.20;
/// Rays start this far off the surface, in scene radii.
const LIFT: f32 = 2e-4;
/// Share of the light a veil takes away.
const VEIL_SHADE: f32 = 0.45;

/// Directions towards the lights; they follow the camera around, but not up and down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lights {
    pub key: Vec3,
    pub fill: Vec3,
    pub rim: Vec3,
    tangent: Vec3,
    bitangent: Vec3,
}

impl Lights {
    /// `right` is the level direction to the right of the picture.
    pub fn new(right: Vec3) -> Self {
        let toward = right.cross(Vec3::Y);
        let from = |x: f32, y: f32, z: f32| (right * x + Vec3::Y * y + toward * z).normalize();
        let key = from(-0.9, 1.05, 0.62);
        let tangent = key.any_orthonormal_vector();
        Self { key, fill: from(0.85, 0.25, 0.55), rim: from(0.55, 0.55, -0.9), tangent, bitangent: key.cross(tangent) }
    }
}

/// Unblocked fractions at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Light {
    pub ambient: f32,
    pub key: f32,
}

impl Light {
    pub const FULL: Self = Self { ambient: 1.0, key: 1.0 };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Opaque,
    Veil,
    Ground,
}

/// A place whose light is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiver {
    pub position: Vec3,
    pub normal: Vec3,
    /// Width of a pixel there.
    pub pixel: f32,
    pub kind: Kind,
}

impl Receiver {
    pub fn on(point: &Point, pixel: f32, kind: Kind) -> Self {
        Self { position: point.lifted, normal: point.normal, pixel, kind }
    }

    /// 0 where the light of `other` says nothing about this place, up to 1 where it is the same.
    fn likeness(&self, other: &Self) -> f32 {
        let turn = self.normal.dot(other.normal);
        if turn < 0.6 || self.kind != other.kind {
            return 0.0;
        }
        let offset = (other.position - self.position).dot(self.normal).abs();
        let off_plane = (1.0 - offset / (6.0 * self.pixel)).max(0.0);
        turn * turn * turn * turn * off_plane
    }
}

/// Rays per place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rays {
    pub ambient: u32,
    pub shadow: u32,
}

/// Traces the light of one place; `cell` (0..16) picks the part of the stratified set.
pub(crate) fn gather(stage: &Stage, lights: &Lights, at: &Receiver, cell: u32, rays: Rays) -> Light {
    let origin = at.position + at.normal * LIFT;
    Light {
        ambient: ambient(stage, at, origin, cell, rays.ambient),
        key: key(stage, lights, at, origin, cell, rays.shadow),
    }
}

/// No occluder can reach this place: the scene lies in the unit sphere.
pub(crate) fn in_the_open(lights: &Lights, place: Vec3) -> bool {
    beyond_ambient(place) && beyond_key(lights, place)
}

fn beyond_ambient(place: Vec3) -> bool {
    place.length() > 1.0 + AMBIENT_REACH
}

/// The cone of key rays passes beside the scene's sphere.
fn beyond_key(lights: &Lights, place: Vec3) -> bool {
    let along = -place.dot(lights.key);
    let beside = (place.length_squared() - along * along).max(0.0).sqrt();
    along < -1.0 || beside > 1.0 + KEY_SPREAD * (along + 1.0)
}

fn ambient(stage: &Stage, at: &Receiver, origin: Vec3, cell: u32, n: u32) -> f32 {
    if n == 0 || beyond_ambient(origin) {
        return 1.0;
    }
    let tangent = at.normal.any_orthonormal_vector();
    let bitangent = at.normal.cross(tangent);
    let mut open = 0.0;
    for i in 0..n {
        let [u, v] = stratified(i, n, cell);
        let [x, y] = disc(u, v);
        let direction = tangent * x + bitangent * y + at.normal * (1.0 - u).max(0.0).sqrt();
        // rays of all lengths: far occluders darken less, without a distance to weigh
        let reach = AMBIENT_REACH * radical_inverse(3, i * 16 + cell + 1);
        open += open_fraction(stage, at.kind, origin, direction, reach);
    }
    open / n as f32
}

fn key(stage: &Stage, lights: &Lights, at: &Receiver, origin: Vec3, cell: u32, n: u32) -> f32 {
    // turned away: unlit whatever is in between
    if n == 0 || at.normal.dot(lights.key) <= 0.0 || beyond_key(lights, origin) {
        return 1.0;
    }
    let mut open = 0.0;
    for i in 0..n {
        let [u, v] = stratified(i, n, cell);
        let [x, y] = disc(u, v).map(|c| c * KEY_SPREAD);
        let direction = (lights.key + lights.tangent * x + lights.bitangent * y).normalize();
        open += open_fraction(stage, at.kind, origin, direction, crate::bvh::FAR);
    }
    open / n as f32
}

fn open_fraction(stage: &Stage, kind: Kind, origin: Vec3, direction: Vec3, reach: f32) -> f32 {
    if stage.opaque.bvh.blocked(origin, direction, reach) {
        0.0
    } else if kind != Kind::Opaque && stage.veils.bvh.blocked(origin, direction, reach) {
        1.0 - VEIL_SHADE
    } else {
        1.0
    }
}

/// Point `i` of `n` in the unit square: `n` stripes, each filled evenly by the 16 cells together.
fn stratified(i: u32, n: u32, cell: u32) -> [f32; 2] {
    let n = n as f32;
    let u = (i as f32 + (cell as f32 + 0.5) / 16.0) / n;
    let v = radical_inverse(2, i) + radical_inverse(2, cell);
    [u, v.fract()]
}

/// Unit square to unit disc, equal areas to equal areas; `u` is the squared radius.
fn disc(u: f32, v: f32) -> [f32; 2] {
    let (sin, cos) = libm::sincosf(v * std::f32::consts::TAU);
    let radius = u.sqrt();
    [radius * cos, radius * sin]
}

/// Digits of `i` mirrored at the point: an evenly spread sequence in 0..1 (van der Corput).
fn radical_inverse(base: u32, mut i: u32) -> f32 {
    let (mut value, mut digit) = (0.0, 1.0);
    while i > 0 {
        digit /= base as f32;
        value += (i % base) as f32 * digit;
        i /= base;
    }
    value
}

/// Cell of a pixel in its 4 × 4 block, in Bayer order, so that neighbours differ most.
pub(crate) fn cell(x: usize, y: usize) -> u32 {
    const ORDER: [u8; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    u32::from(ORDER[(y & 3) * 4 + (x & 3)])
}

/// What the pixels around one have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    Alike,
    Mixed,
}

/// Light of one layer of the picture, one entry per pixel.
#[derive(Debug)]
pub(crate) struct LightMap {
    width: usize,
    receivers: Vec<Option<Receiver>>,
    light: Vec<Light>,
}

impl LightMap {
    /// Traces the light of every receiver, then smooths it.
    pub fn new(stage: &Stage, lights: &Lights, rays: Rays, width: usize, receivers: Vec<Option<Receiver>>) -> Self {
        let mut light = vec![Light::FULL; receivers.len()];
        light.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, light) in row.iter_mut().enumerate() {
                if let Some(at) = &receivers[y * width + x] {
                    *light = gather(stage, lights, at, cell(x, y), rays);
                }
            }
        });
        let mut map = Self { width, receivers, light };
        map.light = map.smoothed();
        map
    }

    /// What the 3 × 3 pixels around one saw.
    pub fn around(&self, x: usize, y: usize) -> Around {
        let at = &self.receivers[y * self.width + x];
        let n_row = self.receivers.len() / self.width;
        for row in y.saturating_sub(1)..=(y + 1).min(n_row - 1) {
            for column in x.saturating_sub(1)..=(x + 1).min(self.width - 1) {
                match (at, &self.receivers[row * self.width + column]) {
                    (None, None) => {}
                    (Some(a), Some(b)) if a.likeness(b) > 0.75 => {}
                    _ => return Around::Mixed,
                }
            }
        }
        if at.is_some() { Around::Alike } else { Around::Nothing }
    }

    fn smoothed(&self) -> Vec<Light> {
        let mut smooth = self.light.clone();
        smooth.par_chunks_mut(self.width).enumerate().for_each(|(y, row)| {
            for (x, light) in row.iter_mut().enumerate() {
                if let Some(at) = &self.receivers[y * self.width + x] {
                    let tent = |dx: f32, dy: f32| (4.0 - dx.abs()) * (4.0 - dy.abs());
                    *light = self.average(at, x, y, 3, tent).unwrap_or(*light);
                }
            }
        });
        smooth
    }

    /// Light for a place seen in pixel `(x, y)` at the given offset from the pixel's centre, from
    /// the pixels around; `None` when none of them saw a place like it.
    pub fn look_up(&self, at: &Receiver, x: usize, y: usize, offset: [f32; 2]) -> Option<Light> {
        let tent = |dx: f32, dy: f32| (1.5 - (dx - offset[0]).abs()).max(0.0) * (1.5 - (dy - offset[1]).abs()).max(0.0);
        self.average(at, x, y, 1, tent)
    }

    fn average(
        &self,
        at: &Receiver,
        x: usize,
        y: usize,
        radius: usize,
        weigh: impl Fn(f32, f32) -> f32,
    ) -> Option<Light> {
        let n_row = self.receivers.len() / self.width;
        let (mut ambient, mut key, mut total) = (0.0, 0.0, 0.0);
        for row in y.saturating_sub(radius)..=(y + radius).min(n_row - 1) {
            for column in x.saturating_sub(radius)..=(x + radius).min(self.width - 1) {
                let i = row * self.width + column;
                let Some(other) = &self.receivers[i] else { continue };
                let weight = weigh(column as f32 - x as f32, row as f32 - y as f32) * at.likeness(other);
                ambient += self.light[i].ambient * weight;
                key += self.light[i].key * weight;
                total += weight;
            }
        }
        (total > 0.02).then(|| Light { ambient: ambient / total, key: key / total })
    }
}
