//! Lines over time as biomechanics prints them: panels under each other on one time axis, legends beside them.
//!
//! ```text
//! Plot --layout--> marks (strokes and texts, in pixels) --svg--> text
//!                                                        --raster--> Picture --> PNG
//! ```
//!
//! ```
//! use fusiform_picture::plot::{Line, Panel, Plot};
//!
//! let knee = Line { name: "knee".into(), points: (0..50).map(|i| [0.02 * f64::from(i), f64::from(i % 9)]).collect() };
//! let angles = Panel { title: "Angles".into(), unit: "deg".into(), lines: vec![knee] };
//! let plot = Plot { title: "Walking".into(), panels: vec![angles] };
//! assert!(plot.to_svg().starts_with("<svg"));
//! assert!(plot.to_png(800, 300)?.starts_with(b"\x89PNG"));
//! # Ok::<(), fusiform_picture::PictureError>(())
//! ```

mod axis;
mod layout;
mod raster;
mod svg;
#[cfg(test)]
mod tests;

use crate::{Picture, PictureError};

/// Width of an SVG, pixels.
const WIDTH: u32 = 960;
/// Height of one panel of it.
const PANEL_HEIGHT: u32 = 230;

/// Panels over one time axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Over all panels; empty for none.
    pub title: String,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// Lines that share a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What is shown, such as Angles.
    pub title: String,
    /// In which unit, such as deg; empty for none.
    pub unit: String,
    /// In the order of the legend.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// For the legend; empty for none.
    pub name: String,
    /// Time in seconds and value, times ascending; the line breaks where one is NaN.
    pub points: Vec<[f64; 2]>,
}

impl Plot {
    /// As an SVG of its natural size: text that stays text, for pages and papers.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let height = PANEL_HEIGHT * (self.panels.len().clamp(1, 60) as u32) + 60;
        svg::write(&layout::marks(self, WIDTH as f32, height as f32), WIDTH, height)
    }

    /// As a picture of that size, to be joined to others.
    ///
    /// # Errors
    /// When it would have no pixels, or too many.
    pub fn picture(&self, width: u32, height: u32) -> Result<Picture, PictureError> {
        crate::camera::check_size(width, height)?;
        Ok(raster::draw(&layout::marks(self, width as f32, height as f32), width, height))
    }

    /// As a PNG of that size.
    ///
    /// # Errors
    /// When it would have no pixels, or too many.
    pub fn to_png(&self, width: u32, height: u32) -> Result<Vec<u8>, PictureError> {
        self.picture(width, height)?.png()
    }
}
