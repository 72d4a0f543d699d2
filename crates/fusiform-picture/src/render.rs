//! From a scene to a picture: find what each pixel sees, light it once, then shade every sample.

use crate::{
    Camera, Picture, PictureError, Scene,
    camera::{Pinhole, check_size},
    color,
    light::{self, Around, Kind, Light, LightMap, Lights, Rays, Receiver},
    mesh::{Point, Stage},
    shade, surface,
};
use glam::Vec3;
use rayon::prelude::*;

/// Veils behind veils that are still drawn.
const MAX_VEILS: usize = 6;

/// How much work goes into a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel against jagged edges, 1 to 256.
    pub samples: u32,
    /// Rays per pixel for ambient occlusion; 0 leaves it out.
    pub ambient_rays: u32,
    /// Rays per pixel for the soft shadow; 0 leaves it out.
    pub shadow_rays: u32,
}

impl Quality {
    /// For animations and quick looks.
    #[must_use]
    pub const fn draft() -> Self {
        Self { samples: 4, ambient_rays: 6, shadow_rays: 4 }
    }

    /// For stills.
    #[must_use]
    pub const fn good() -> Self {
        Self { samples: 8, ambient_rays: 16, shadow_rays: 12 }
    }

    /// For print and close looks.
    #[must_use]
    pub const fn fine() -> Self {
        Self { samples: 16, ambient_rays: 64, shadow_rays: 48 }
    }
}

impl Default for Quality {
    fn default() -> Self {
        Self::good()
    }
}

/// Draws the scene. The same input gives the same bytes, whatever the number of threads.
///
/// # Errors
/// When a surface, the camera or the size cannot be used; the message names what and the cure.
pub fn render(
    scene: &Scene,
    camera: &Camera,
    width: u32,
    height: u32,
    quality: Quality,
) -> Result<Picture, PictureError> {
    check_size(width, height)?;
    surface::check(scene)?;
    if !(1..=256).contains(&quality.samples) {
        let samples = quality.samples as f32;
        return Err(surface::setting("the quality", "the number of samples", samples, "1 to 256"));
    }
    let pinhole = camera.pinhole(width, height)?;
    let stage = Stage::new(scene, camera);
    let pinhole = pinhole.scaled(stage.center, stage.scale);
    let rays = Rays { ambient: quality.ambient_rays, shadow: quality.shadow_rays };
    let painter = Painter::new(&stage, pinhole, rays, width as usize, height as usize);
    Ok(painter.paint(quality.samples))
}

/// All that shading a sample needs.
struct Painter<'a> {
    stage: &'a Stage,
    pinhole: Pinhole,
    lights: Lights,
    rays: Rays,
    size: [usize; 2],
    solid: LightMap,
    veil: Option<LightMap>,
}

/// What a ray meets first that hides all behind it.
enum Solid {
    Surface(Point),
    Ground(Vec3, f32),
    Nothing,
}

impl<'a> Painter<'a> {
    fn new(stage: &'a Stage, pinhole: Pinhole, rays: Rays, width: usize, height: usize) -> Self {
        let lights = Lights::new(pinhole.right);
        let seen = |find: &(dyn Fn(Vec3, Vec3) -> Option<Receiver> + Sync)| {
            let mut seen = vec![None; width * height];
            seen.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
                for (x, seen) in row.iter_mut().enumerate() {
                    let (origin, direction) = pinhole.ray(x as f32 + 0.5, y as f32 + 0.5);
                    *seen = find(origin, direction);
                }
            });
            LightMap::new(stage, &lights, rays, width, seen)
        };
        let solid_map = seen(&|o, d| solid_receiver(&solid(stage, &lights, o, d), &pinhole));
        let first_veil = |o, d| {
            let limit = reach(&solid(stage, &lights, o, d));
            let hit = stage.veils.bvh.nearest(o, d, limit)?;
            let pixel = pinhole.pixel_size(hit.distance);
            Some(Receiver::on(&stage.veils.point(&hit, d), pixel, Kind::Veil))
        };
        let veil = (!stage.veils.is_empty()).then(|| seen(&first_veil));
        Self { stage, pinhole, lights, rays, size: [width, height], solid: solid_map, veil }
    }

    fn paint(&self, n_sample: u32) -> Picture {
        let [width, height] = self.size;
        let mut pixels = vec![0; width * height * 3];
        pixels.par_chunks_mut(width * 3).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let color = self.pixel(x, y, n_sample);
                pixel.copy_from_slice(&color::to_bytes(color, x, y));
            }
        });
        Picture { width: width as u32, height: height as u32, pixels }
    }

    /// Mean colour of a pixel. Two samples that agree are enough where nothing ends nearby.
    fn pixel(&self, x: usize, y: usize, n_sample: u32) -> Vec3 {
        let solid = self.solid.around(x, y);
        let veil = self.veil.as_ref().map_or(Around::Nothing, |map| map.around(x, y));
        if solid == Around::Nothing && veil == Around::Nothing {
            return self.backdrop(y as f32 + 0.5);
        }
        let sample = |i| self.sample(x, y, sub_pixel(i, n_sample));
        if n_sample > 2 && solid != Around::Mixed && veil != Around::Mixed {
            let (a, b) = (sample(0), sample(n_sample / 2));
            if (a - b).abs().max_element() < 0.02 {
                return (a + b) * 0.5;
            }
        }
        (0..n_sample).map(sample).sum::<Vec3>() / n_sample as f32
    }

    fn backdrop(&self, y: f32) -> Vec3 {
        shade::backdrop(y / self.size[1] as f32)
    }

    /// Colour through one point of a pixel, at an offset from its centre.
    fn sample(&self, x: usize, y: usize, offset: [f32; 2]) -> Vec3 {
        let (px, py) = (x as f32 + 0.5 + offset[0], y as f32 + 0.5 + offset[1]);
        let (origin, direction) = self.pinhole.ray(px, py);
        let solid = solid(self.stage, &self.lights, origin, direction);
        let light =
            |map: &LightMap, at: &Receiver| map.look_up(at, x, y, offset).unwrap_or_else(|| self.light_alone(at, x, y));
        let mut behind = self.backdrop(py);
        let lit = solid_receiver(&solid, &self.pinhole).map(|at| light(&self.solid, &at));
        match (&solid, lit) {
            (Solid::Surface(point), Some(lit)) => {
                behind = shade::surface(point, lit, direction, &self.lights);
            }
            (Solid::Ground(..), Some(lit)) => behind = shade::ground(behind, lit),
            _ => {}
        }
        let Some(map) = &self.veil else { return behind };
        self.veiled(behind, origin, direction, reach(&solid), |at| light(map, at))
    }

    /// Lays the veils in front of `limit` over a colour, the farthest first.
    fn veiled(
        &self,
        mut color: Vec3,
        origin: Vec3,
        direction: Vec3,
        limit: f32,
        light: impl Fn(&Receiver) -> Light,
    ) -> Vec3 {
        let mut layers: [Option<Point>; MAX_VEILS] = [None; MAX_VEILS];
        let mut start = 0.0;
        for layer in &mut layers {
            let from = origin + direction * start;
            let Some(mut hit) = self.stage.veils.bvh.nearest(from, direction, limit - start) else {
                break;
            };
            hit.distance += start;
            start = hit.distance + 1e-4;
            *layer = Some(self.stage.veils.point(&hit, direction));
        }
        for (i, point) in layers.iter().enumerate().rev() {
            let Some(point) = point else { continue };
            // the far wall of a closed veil would only cloud what is inside it
            if point.inside && i > 0 {
                continue;
            }
            let at = Receiver::on(point, self.pinhole.pixel_size(point.distance), Kind::Veil);
            let lit = if i == 0 { light(&at) } else { Light { ambient: 0.8, key: 1.0 } };
            let shaded = shade::surface(point, lit, direction, &self.lights);
            color = color.lerp(shaded, shade::veil_cover(point, direction));
        }
        color
    }

    /// Light for a place no pixel centre saw, such as a thin edge.
    fn light_alone(&self, at: &Receiver, x: usize, y: usize) -> Light {
        let rays = Rays { ambient: self.rays.ambient * 3, shadow: self.rays.shadow * 3 };
        light::gather(self.stage, &self.lights, at, light::cell(x, y), rays)
    }
}

fn solid(stage: &Stage, lights: &Lights, origin: Vec3, direction: Vec3) -> Solid {
    let floor = stage.ground.and_then(|height| {
        let distance = (height - origin.y) / direction.y;
        (direction.y < 0.0 && distance > 0.0 && distance < 1e4).then_some(distance)
    });
    let limit = floor.unwrap_or(crate::bvh::FAR);
    match (stage.opaque.bvh.nearest(origin, direction, limit), floor) {
        (Some(hit), _) => Solid::Surface(stage.opaque.point(&hit, direction)),
        (None, Some(distance)) => {
            let place = origin + direction * distance;
            if light::in_the_open(lights, place) { Solid::Nothing } else { Solid::Ground(place, distance) }
        }
        (None, None) => Solid::Nothing,
    }
}

fn reach(solid: &Solid) -> f32 {
    match solid {
        Solid::Surface(point) => point.distance,
        Solid::Ground(_, distance) => *distance,
        Solid::Nothing => crate::bvh::FAR,
    }
}

fn solid_receiver(solid: &Solid, pinhole: &Pinhole) -> Option<Receiver> {
    match solid {
        Solid::Surface(point) => Some(Receiver::on(point, pinhole.pixel_size(point.distance), Kind::Opaque)),
        Solid::Ground(position, distance) => Some(Receiver {
            position: *position,
            normal: Vec3::Y,
            pixel: pinhole.pixel_size(*distance),
            kind: Kind::Ground,
        }),
        Solid::Nothing => None,
    }
}

/// Offset of sample `i` of `n` from the pixel's centre: one in every row and column of an n × n grid.
fn sub_pixel(i: u32, n: u32) -> [f32; 2] {
    // steps of the golden ratio put neighbours in distant rows
    let across = (i as f32 + 0.5) / n as f32;
    let down = (i as f32 * 0.618_034 + 0.5 / n as f32).fract();
    [across - 0.5, down - 0.5]
}
