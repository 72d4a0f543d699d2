//! Still: the view drawn beside the window, at any size, by the code that draws it in the window.

use super::{Camera, Extras, Geometry, Gpu, Picture};
use crate::model::{Fault, Studio};

/// How the view is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// From where.
    pub camera: Camera,
    /// What is drawn beside the character.
    pub extras: Extras,
    /// Where in the picture muscles end and plain skinning begins, 0 to 1; none shows muscles everywhere.
    pub split: Option<f32>,
    /// Behind everything, as a screen wants it.
    pub background: [f32; 3],
    /// Pixels across and down.
    pub size: [u32; 2],
}

/// A picture one can see through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearPicture {
    /// Its colours.
    pub picture: Picture,
    /// width x height: 0 where there is nothing, 255 where nothing is seen through.
    pub opacity: Vec<u8>,
}

/// Draws stills, one after the other.
pub struct Easel {
    device: wgpu::Device,
    queue: wgpu::Queue,
    sides: [(Geometry, Gpu); 2], // muscles, plain skinning
}

impl Easel {
    /// On the window's own device.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let side = || (Geometry::default(), Gpu::new(device));
        Self { sides: [side(), side()], device: device.clone(), queue: queue.clone() }
    }

    /// The session as it is.
    ///
    /// # Errors
    /// When the graphics adapter cannot draw so large a picture.
    pub fn draw(&mut self, studio: &mut Studio, sight: &Sight) -> Result<Picture, Fault> {
        let most = self.device.limits().max_texture_dimension_2d;
        let fault = |message: String| Fault {
            file: "picture".into(),
            message,
            cure: format!("use a size of at most {most} x {most}"),
        };
        let [width, height] = sight.size;
        if sight.size.iter().any(|&side| side == 0 || side > most) {
            return Err(fault(format!("{width} x {height} pixels cannot be drawn here")));
        }
        let Some(split) = sight.split else { return self.side(studio, sight, false).ok_or_else(|| fault(LOST.into())) };
        let drawn = [false, true].map(|plain| self.side(studio, sight, plain));
        let [Some(mut picture), Some(plain)] = drawn else { return Err(fault(LOST.into())) };
        let at = 3 * (split.clamp(0.0, 1.0) * width as f32).round() as usize;
        let rows =
            picture.pixels.chunks_exact_mut(3 * width as usize).zip(plain.pixels.chunks_exact(3 * width as usize));
        rows.for_each(|(row, plain)| row[at..].copy_from_slice(&plain[at..]));
        Ok(picture)
    }

    fn side(&mut self, studio: &mut Studio, sight: &Sight, plain: bool) -> Option<Picture> {
        if plain {
            studio.live.show_plain();
        }
        let (geometry, gpu) = &mut self.sides[usize::from(plain)];
        let scene = geometry.fill(studio, Extras { plain, ..sight.extras });
        gpu.draw((&self.device, &self.queue), (&sight.camera, sight.background), &scene, sight.size);
        gpu.read(&self.device, &self.queue)
    }

    /// The same without its background, found from two: what is the same before black and white is not seen through.
    ///
    /// # Errors
    /// As [`Easel::draw`].
    pub fn draw_clear(&mut self, studio: &mut Studio, sight: &Sight) -> Result<ClearPicture, Fault> {
        let mut before = |shade: f32| self.draw(studio, &Sight { background: [shade; 3], ..*sight });
        let (mut picture, white) = (before(0.0)?, before(1.0)?);
        let mut opacity = Vec::with_capacity(picture.pixels.len() / 3);
        for (pixel, white) in picture.pixels.chunks_exact_mut(3).zip(white.pixels.chunks_exact(3)) {
            let through = (0..3).map(|c| white[c].saturating_sub(pixel[c])).max().unwrap_or(0);
            let opaque = 255 - through;
            // before black a colour is dimmed by what is seen through
            let full = |c: u8| (255 * u32::from(c)).checked_div(u32::from(opaque)).unwrap_or(0).min(255) as u8;
            pixel.iter_mut().for_each(|c| *c = full(*c));
            opacity.push(opaque);
        }
        Ok(ClearPicture { picture, opacity })
    }
}

const LOST: &str = "the graphics adapter did not give the picture back";
