//! Still: the view drawn beside the window, at any size, by the code that draws it in the window.

use super::gpu::refusal;
use super::{Camera, Extras, Geometry, Gpu, Picture, Reading};
use crate::model::{Fault, Studio, system};

/// Bytes of the graphics adapter's memory that one picture may take: software ones take it from everybody else's.
const MOST_BYTES: f64 = 1.6e9;
/// Bytes a pixel takes there: four samples of colour and depth, the picture, and what is read back of it twice.
const PIXEL_BYTES: f64 = 44.0;

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

    /// Draw the session as it is.
    ///
    /// # Errors
    /// When the graphics adapter cannot draw so large a picture, or has no memory for it.
    pub fn draw(&mut self, studio: &mut Studio, sight: &Sight) -> Result<Exposure, Fault> {
        self.check_size(sight)?;
        let reading = self.side(studio, sight, false)?;
        let plain = match sight.split {
            Some(split) => Some((split.clamp(0.0, 1.0), self.side(studio, sight, true)?)),
            None => None,
        };
        Ok(Exposure { reading, plain })
    }

    fn check_size(&self, sight: &Sight) -> Result<(), Fault> {
        let most = self.device.limits().max_texture_dimension_2d;
        let [width, height] = sight.size;
        let sides = if sight.split.is_some() { 2.0 } else { 1.0 };
        let pixels = MOST_BYTES / (PIXEL_BYTES * sides);
        let cure = if sight.size.iter().any(|&side| side == 0 || side > most) {
            format!("use a size of at most {most} x {most}")
        } else if f64::from(width) * f64::from(height) > pixels {
            format!("use at most {:.0} million pixels", 1e-6 * pixels)
        } else {
            return Ok(());
        };
        let message = format!("{width} x {height} pixels cannot be drawn here");
        Err(Fault { file: "picture".into(), message, cure })
    }

    fn side(&mut self, studio: &mut Studio, sight: &Sight, plain: bool) -> Result<Option<Reading>, Fault> {
        if plain {
            studio.live.show_plain();
        }
        let (geometry, gpu) = &mut self.sides[usize::from(plain)];
        let scene = geometry.fill(studio, Extras { plain, ..sight.extras });
        let drawn = system::drawn(&self.device, || {
            gpu.draw((&self.device, &self.queue), (&sight.camera, sight.background), &scene, sight.size);
            gpu.read(&self.device, &self.queue)
        });
        drawn.map_err(|error| refusal("picture", &error))
    }

    /// The same without its background, found from two: what is the same before black and white is not seen through.
    ///
    /// # Errors
    /// As [`Easel::draw`].
    pub fn draw_clear(&mut self, studio: &mut Studio, sight: &Sight) -> Result<ClearExposure, Fault> {
        let mut before = |shade: f32| self.draw(studio, &Sight { background: [shade; 3], ..*sight });
        Ok(ClearExposure { black: before(0.0)?, white: before(1.0)? })
    }
}

/// A picture that was drawn.
pub struct Exposure {
    reading: Option<Reading>,
    plain: Option<(f32, Option<Reading>)>, // from where in the picture on
}

impl Exposure {
    /// The picture itself, when the GPU has got so far.
    ///
    /// # Errors
    /// When the graphics adapter was lost on the way.
    pub async fn develop(self) -> Result<Picture, Fault> {
        let mut picture = developed(self.reading).await?;
        if let Some((split, plain)) = self.plain {
            let (width, plain) = (picture.width as usize, developed(plain).await?);
            let at = 3 * (split * width as f32).round() as usize;
            let rows = picture.pixels.chunks_exact_mut(3 * width).zip(plain.pixels.chunks_exact(3 * width));
            rows.for_each(|(row, plain)| row[at..].copy_from_slice(&plain[at..]));
        }
        Ok(picture)
    }
}

async fn developed(reading: Option<Reading>) -> Result<Picture, Fault> {
    let picture = match reading {
        Some(reading) => reading.picture().await,
        None => None,
    };
    picture.ok_or_else(|| Fault {
        file: "picture".into(),
        message: "the graphics adapter did not give the picture back".into(),
        cure: "try again, or a smaller size".into(),
    })
}

/// A picture that was drawn before black and before white.
pub struct ClearExposure {
    black: Exposure,
    white: Exposure,
}

impl ClearExposure {
    /// The picture itself, when the GPU has got so far.
    ///
    /// # Errors
    /// As [`Exposure::develop`].
    pub async fn develop(self) -> Result<ClearPicture, Fault> {
        let (mut picture, white) = (self.black.develop().await?, self.white.develop().await?);
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
