//! What colour a lit point has: clay, flesh, veil, ground and the backdrop behind them.

use crate::{
    light::{Light, Lights},
    mesh::Point,
};
use glam::Vec3;

const KEY: Vec3 = Vec3::new(1.86, 1.75, 1.61);
const FILL: Vec3 = Vec3::new(0.23, 0.26, 0.31);
const RIM: Vec3 = Vec3::new(0.40, 0.43, 0.48);
const SKY: Vec3 = Vec3::new(0.40, 0.43, 0.47);
const FLOOR: Vec3 = Vec3::new(0.21, 0.19, 0.175);
/// Backdrop at the upper and lower edge, linear.
const BACKDROP: [Vec3; 2] = [Vec3::new(0.84, 0.85, 0.865), Vec3::new(0.60, 0.605, 0.615)];

/// Colour of a surface point towards the viewer, linear RGB, tone-mapped to 0..1.
pub(crate) fn surface(point: &Point, light: Light, direction: Vec3, lights: &Lights) -> Vec3 {
    let (n, v) = (point.normal, -direction);
    let albedo = point.color.clamp(Vec3::ZERO, Vec3::ONE) * if point.inside { 0.55 } else { 1.0 };
    let mut light = light;
    if point.inside {
        light.ambient = 0.4 + 0.6 * light.ambient;
    }
    let open = interreflected(light.ambient, albedo);
    // crevices keep some of the key light out too: the lamp is large
    light.key *= 0.65 + 0.35 * light.ambient;
    let facing = n.dot(v).clamp(0.0, 1.0);
    let sky = FLOOR.lerp(SKY, smoothstep(0.5 + 0.5 * n.y));
    let lambert = |l: Vec3| n.dot(l).max(0.0);
    let diffuse = KEY * (lambert(lights.key) * light.key)
        + open * (sky + FILL * lambert(lights.fill) + RIM * lambert(lights.rim));
    let gloss = point.material.gloss;
    let roughness = 0.62 - 0.30 * gloss;
    let fresnel = 0.04 + 0.96 * power5(1.0 - facing);
    let mirrored = direction - n * (2.0 * n.dot(direction));
    let sky_mirror = FLOOR.lerp(SKY * 1.5, smoothstep(0.5 + 0.5 * mirrored.y));
    let shine = KEY * (light.key * highlight(n, v, lights.key, roughness))
        + FILL * (light.ambient * highlight(n, v, lights.fill, roughness))
        + RIM * (light.ambient * highlight(n, v, lights.rim, roughness))
        + sky_mirror * (light.ambient * light.ambient * fresnel * (0.12 + 0.33 * gloss));
    tone(albedo * diffuse + shine * (0.30 + 0.70 * gloss))
}

/// How much of what lies behind a veil it hides: more where the surface turns away.
pub(crate) fn veil_cover(point: &Point, direction: Vec3) -> f32 {
    let edge = 1.0 - point.normal.dot(direction).abs().clamp(0.0, 1.0);
    let opacity = point.material.opacity;
    opacity + (1.0 - opacity) * 0.85 * edge * edge * edge.sqrt()
}

/// Backdrop at a height of the picture, 0 at the top and 1 at the bottom.
pub(crate) fn backdrop(height: f32) -> Vec3 {
    BACKDROP[0].lerp(BACKDROP[1], smoothstep(height))
}

/// The floor is the backdrop, darkened where light is missing.
pub(crate) fn ground(behind: Vec3, light: Light) -> Vec3 {
    let contact = interreflected(light.ambient, Vec3::splat(0.35));
    let key = 0.62 + 0.38 * light.key;
    behind * contact * key
}

/// Light bounces between near surfaces: bright ones darken less, and in their own colour.
///
/// Jimenez et al.: *Practical Realtime Strategies for Accurate Indirect Occlusion*, 2016, eq. 17.
fn interreflected(open: f32, albedo: Vec3) -> Vec3 {
    let a = 2.0404 * albedo - 0.3324;
    let b = -4.7951 * albedo + 0.6417;
    let c = 2.7552 * albedo + 0.6903;
    (((open * a + b) * open + c) * open).max(Vec3::splat(open))
}

/// Highlight of a rough surface (GGX with its usual cheap visibility term), times the cosine.
fn highlight(n: Vec3, v: Vec3, l: Vec3, roughness: f32) -> f32 {
    let cosine = n.dot(l);
    let Some(half) = (v + l).try_normalize().filter(|_| cosine > 0.0) else {
        return 0.0;
    };
    let a2 = roughness * roughness * roughness * roughness;
    let nh = n.dot(half).max(0.0);
    let lh = l.dot(half).max(0.0);
    let d = nh * nh * (a2 - 1.0) + 1.0;
    let fresnel = 0.04 + 0.96 * power5(1.0 - lh);
    let spread = a2 / (std::f32::consts::PI * d * d);
    // 1 / (lh² (roughness + ½)) is the visibility of the GGX term for mobile: Karis 2014
    cosine * fresnel * spread / (lh * lh * (roughness * 4.0 + 2.0)).max(0.25)
}

/// Linear up to the knee, then a soft shoulder towards white.
fn tone(color: Vec3) -> Vec3 {
    const KNEE: f32 = 0.55;
    let curve = |x: f32| {
        if x <= KNEE { x } else { KNEE + (1.0 - KNEE) * (1.0 - libm::expf((KNEE - x) / (1.0 - KNEE))) }
    };
    Vec3::new(curve(color.x), curve(color.y), curve(color.z))
}

fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn power5(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * x * x
}
