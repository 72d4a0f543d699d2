//! Pictures put together: side by side, contact sheets, captions, titles, legends.

use crate::{Picture, PictureError, color, font};

/// Colour of the page under composed pictures, 8-bit sRGB.
pub const PAGE: [u8; 3] = [247, 247, 248];
/// Colour of text on it.
pub const INK: [u8; 3] = [48, 51, 58];
/// Free pixels between composed pictures.
const GUTTER: u32 = 6;

impl Picture {
    /// The picture with a caption under it.
    ///
    /// # Errors
    /// When the picture is broken or would become too large.
    pub fn label(&self, text: &str) -> Result<Self, PictureError> {
        stack(&[self.clone(), caption(text, self.width, text_size(self.width))])
    }

    /// The picture with a larger line of text over it.
    ///
    /// # Errors
    /// When the picture is broken or would become too large.
    pub fn title(&self, text: &str) -> Result<Self, PictureError> {
        stack(&[caption(text, self.width, text_size(self.width) * 1.3), self.clone()])
    }

    /// Copies another picture into this one; what falls outside is left out.
    fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize * 3;
        let rows = other.height.min(self.height.saturating_sub(y));
        for row in 0..rows {
            let from = (row * other.width) as usize * 3;
            let to = ((y + row) * self.width + x) as usize * 3;
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[from..from + columns]);
        }
    }
}

/// Pictures in a row, their upper edges level.
///
/// # Errors
/// When there is none, one is broken, or the whole would be too large.
pub fn beside(pictures: &[Picture]) -> Result<Picture, PictureError> {
    grid(pictures, pictures.len())
}

/// Pictures in a column without gaps, centred on each other; joins legends and captions to pictures.
///
/// # Errors
/// When there is none, one is broken, or the whole would be too large.
pub fn stack(pictures: &[Picture]) -> Result<Picture, PictureError> {
    arrange(pictures, 1, 0, "a stack")
}

/// Contact sheet: pictures row by row in equal cells. Call [`Picture::label`] on each first for captions.
///
/// # Errors
/// When there is none, one is broken, or the whole would be too large.
pub fn grid(pictures: &[Picture], columns: usize) -> Result<Picture, PictureError> {
    arrange(pictures, columns, GUTTER, "a contact sheet")
}

fn arrange(pictures: &[Picture], columns: usize, gutter: u32, what: &'static str) -> Result<Picture, PictureError> {
    if pictures.is_empty() {
        return Err(PictureError::NoPictures { what });
    }
    pictures.iter().try_for_each(Picture::check)?;
    let columns = columns.clamp(1, pictures.len());
    let side = |of: fn(&Picture) -> u32, list: &mut dyn Iterator<Item = &Picture>| list.map(of).max().unwrap_or(0);
    let widths: Vec<u32> =
        (0..columns).map(|c| side(|p| p.width, &mut pictures.iter().skip(c).step_by(columns))).collect();
    let heights: Vec<u32> = pictures.chunks(columns).map(|row| side(|p| p.height, &mut row.iter())).collect();
    let total = |sides: &[u32]| {
        let sum = sides.iter().fold(0_u32, |sum, side| sum.saturating_add(*side));
        sum.saturating_add(gutter.saturating_mul(sides.len() as u32 - 1))
    };
    let (width, height) = (total(&widths), total(&heights));
    crate::camera::check_size(width, height)?;
    let mut sheet = Picture::filled(width, height, PAGE);
    let mut y = 0;
    for (row, row_height) in pictures.chunks(columns).zip(&heights) {
        let mut x = 0;
        for (picture, column_width) in row.iter().zip(&widths) {
            sheet.paste(picture, x + (column_width - picture.width) / 2, y);
            x += column_width + gutter;
        }
        y += row_height + gutter;
    }
    Ok(sheet)
}

/// A colour bar with the values at its ends, to [`stack`] under a picture drawn with the same map.
///
/// `map` takes 0..1 to linear RGB, such as [`color::heat`].
#[must_use]
pub fn legend(width: u32, map: fn(f32) -> [f32; 3], min: f32, max: f32, unit: &str) -> Picture {
    let size = text_size(width);
    let (height, bar) = ((size * 2.2) as u32, (size * 0.6) as u32);
    let mut strip = Picture::filled(width, height, PAGE);
    let margin = (width / 20).min(24);
    let inner = width.saturating_sub(2 * margin).max(1);
    for x in 0..inner.min(width) {
        let rgb = color::bytes_from_linear(map((x as f32 + 0.5) / inner as f32));
        strip.paste(&Picture::filled(1, bar, rgb), margin + x, (size * 0.35) as u32);
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let (low, high) = (number(min), format!("{}{unit}", number(max)));
    let middle = number((min + max) * 0.5);
    let y = size * 1.1;
    let end = (width - margin.min(width)) as f32;
    strip.write_text(&low, margin as f32, y, size, INK);
    strip.write_text(&high, end - font::width(&high, size), y, size, INK);
    let wanted = font::width(&low, size) + font::width(&high, size) + 2.0 * font::width(&middle, size);
    if wanted < inner as f32 {
        strip.write_text(&middle, (width as f32 - font::width(&middle, size)) * 0.5, y, size, INK);
    }
    strip
}

/// A strip of page with a centred line of text, smaller or shortened where it would not fit.
fn caption(text: &str, width: u32, size: f32) -> Picture {
    let room = width as f32 * 0.96;
    let needed = font::width(text, size);
    let fitted = if needed > room { (size * room / needed).max(11.0) } else { size };
    let mut shown = text.to_owned();
    while font::width(&shown, fitted) > room && shown.chars().count() > 3 {
        let keep = shown.chars().count() - 4;
        shown = shown.chars().take(keep).chain("...".chars()).collect();
    }
    let mut strip = Picture::filled(width, (size * 1.4) as u32, PAGE);
    let x = (width as f32 - font::width(&shown, fitted)) * 0.5;
    strip.write_text(&shown, x.max(0.0), (size * 1.4 - fitted) * 0.5, fitted, INK);
    strip
}

/// Height of a line of text that suits a picture of this width.
fn text_size(width: u32) -> f32 {
    (width as f32 / 24.0).clamp(15.0, 40.0)
}

/// At most three digits that matter, without trailing zeros.
fn number(value: f32) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 || v == 0.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        v if v >= 0.01 => 3,
        _ => return format!("{value:.1e}"),
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
