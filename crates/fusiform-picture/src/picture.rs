//! A finished picture, and how it becomes a PNG.

use crate::{PictureError, camera::check_size};

/// 8-bit sRGB pixels, row by row from the upper left corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `3 × width × height` bytes: red, green, blue.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// A picture of one colour (8-bit sRGB).
    #[must_use]
    pub fn filled(width: u32, height: u32, color: [u8; 3]) -> Self {
        Self { width, height, pixels: color.repeat(width as usize * height as usize) }
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// When the picture has no pixels, or its buffer does not match its size.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        self.check()?;
        self.encoded(png::ColorType::Rgb, &self.pixels)
    }

    /// The same as a PNG one can see through: `opacity` has a byte for every pixel, 0 where there is nothing.
    ///
    /// # Errors
    /// As [`Picture::png`], and when there are fewer bytes or more.
    pub fn png_with_opacity(&self, opacity: &[u8]) -> Result<Vec<u8>, PictureError> {
        self.check()?;
        if 3 * opacity.len() != self.pixels.len() {
            return Err(PictureError::Buffer { width: self.width, height: self.height, bytes: 3 * opacity.len() });
        }
        let pixels = self.pixels.chunks_exact(3).zip(opacity);
        let pixels: Vec<u8> = pixels.flat_map(|(rgb, &a)| [rgb[0], rgb[1], rgb[2], a]).collect();
        self.encoded(png::ColorType::Rgba, &pixels)
    }

    fn encoded(&self, color: png::ColorType, pixels: &[u8]) -> Result<Vec<u8>, PictureError> {
        let refused = |error: png::EncodingError| PictureError::Encode { format: "PNG", reason: error.to_string() };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(refused)?;
        writer.write_image_data(pixels).map_err(refused)?;
        writer.finish().map_err(refused)?;
        Ok(bytes)
    }

    pub(crate) fn check(&self) -> Result<(), PictureError> {
        check_size(self.width, self.height)?;
        if self.pixels.len() == self.width as usize * self.height as usize * 3 {
            return Ok(());
        }
        Err(PictureError::Buffer { width: self.width, height: self.height, bytes: self.pixels.len() })
    }
}
