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
        let refused = |error: png::EncodingError| PictureError::Encode { format: "PNG", reason: error.to_string() };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(refused)?;
        writer.write_image_data(&self.pixels).map_err(refused)?;
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
