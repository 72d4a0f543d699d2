//! Where the picture is taken from.

use crate::{PictureError, surface::setting};
use glam::Vec3;
use std::{fmt, str::FromStr};

/// A direction to look from. Characters stand on +Y and face +Z; left is *their* left (+X).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum View {
    /// Facing the character.
    Front,
    /// From behind.
    Back,
    /// At the character's left side.
    Left,
    /// At the character's right side.
    Right,
    /// From the front, a little to the character's left and above.
    #[default]
    ThreeQuarter,
    /// From behind, a little to the character's left and above.
    ThreeQuarterBack,
    /// From above, the face towards the lower edge.
    Top,
    /// Any direction, in degrees.
    Angles {
        /// 0 is the front, 90 the character's left, 180 the back.
        azimuth: f32,
        /// 0 is level, 90 from above.
        elevation: f32,
    },
}

impl View {
    /// The names [`View::from_str`] knows, for help texts.
    pub const NAMES: [&'static str; 7] =
        ["front", "back", "left", "right", "three-quarter", "three-quarter-back", "top"];

    const NAMED: [Self; 7] =
        [Self::Front, Self::Back, Self::Left, Self::Right, Self::ThreeQuarter, Self::ThreeQuarterBack, Self::Top];

    /// Azimuth and elevation in degrees.
    #[must_use]
    pub fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 4.0),
            Self::Back => (180.0, 4.0),
            Self::Left => (90.0, 4.0),
            Self::Right => (-90.0, 4.0),
            Self::ThreeQuarter => (35.0, 10.0),
            Self::ThreeQuarterBack => (145.0, 10.0),
            Self::Top => (0.0, 90.0),
            Self::Angles { azimuth, elevation } => (azimuth, elevation),
        }
    }
}

impl FromStr for View {
    type Err = PictureError;

    fn from_str(text: &str) -> Result<Self, PictureError> {
        let name = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        if let Some(i) = Self::NAMES.iter().position(|known| *known == name) {
            return Ok(Self::NAMED[i]);
        }
        let number = |part: &str| part.trim().parse::<f32>().ok().filter(|v| v.is_finite());
        text.split_once(',')
            .and_then(|(azimuth, elevation)| {
                Some(Self::Angles { azimuth: number(azimuth)?, elevation: number(elevation)? })
            })
            .ok_or_else(|| PictureError::View { text: text.to_owned() })
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, Self::NAMED.iter().position(|known| known == self)) {
            (Self::Angles { azimuth, elevation }, _) => write!(f, "{azimuth},{elevation}"),
            (_, i) => f.write_str(Self::NAMES[i.unwrap_or_default()]),
        }
    }
}

/// How depth becomes size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// What is farther is smaller; the angle spans the longer side of the picture, in degrees.
    Perspective(f32),
    /// Parallel rays: equal lengths look equal everywhere.
    Parallel,
}

/// A camera that keeps a box in the picture, whatever the picture's shape.
///
/// Use one camera for all frames of an animation and the framing stays still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Lower corner of the box to keep in the picture.
    pub min: Vec3,
    /// Upper corner of the box to keep in the picture.
    pub max: Vec3,
    /// Where to look from.
    pub view: View,
    /// How depth becomes size.
    pub lens: Lens,
    /// Free border around the box, as a fraction of the picture's side.
    pub margin: f32,
}

impl Camera {
    /// A long lens (30 degrees) with a border of 5 %, around the box `min..max`.
    #[must_use]
    pub fn framing(min: Vec3, max: Vec3, view: View) -> Self {
        Self { min, max, view, lens: Lens::Perspective(30.0), margin: 0.05 }
    }

    /// Where a point lands in a picture of this size, in pixels from the upper left corner.
    /// `None` when it lies behind the camera.
    ///
    /// # Errors
    /// When the camera or the size cannot be used.
    pub fn project(&self, point: Vec3, width: u32, height: u32) -> Result<Option<[f32; 2]>, PictureError> {
        Ok(self.pinhole(width, height)?.project(point))
    }

    /// The camera with its place and opening settled for one picture size.
    pub(crate) fn pinhole(&self, width: u32, height: u32) -> Result<Pinhole, PictureError> {
        check_size(width, height)?;
        self.check()?;
        let (azimuth, elevation) = self.view.angles();
        let mut pinhole = Pinhole::facing(azimuth, elevation, width, height);
        pinhole.fit(self);
        Ok(pinhole)
    }

    fn check(&self) -> Result<(), PictureError> {
        let size = (self.max - self.min).length();
        let fits = self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all();
        if !(fits && size > 0.0 && size.is_finite()) {
            return Err(setting("the camera", "the size of the framed box", size, "above 0, with min below max"));
        }
        if let Lens::Perspective(degrees) = self.lens
            && !(1.0..=120.0).contains(&degrees)
        {
            return Err(setting("the camera", "the lens angle", degrees, "1 to 120 degrees"));
        }
        if !(0.0..=0.45).contains(&self.margin) {
            return Err(setting("the camera", "the margin", self.margin, "0 to 0.45"));
        }
        let (azimuth, elevation) = self.view.angles();
        if !(azimuth + elevation).is_finite() {
            return Err(setting("the camera", "the view angle", azimuth + elevation, "a finite number"));
        }
        Ok(())
    }
}

pub(crate) fn check_size(width: u32, height: u32) -> Result<(), PictureError> {
    let range = 1..=crate::error::MAX_SIDE;
    if range.contains(&width) && range.contains(&height) {
        return Ok(());
    }
    Err(PictureError::Size { width, height })
}

/// A camera settled for one picture: place, directions, and the slope of its border rays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pinhole {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    /// Into the picture.
    pub forward: Vec3,
    /// Perspective: tangent of the half angle across. Parallel: half width.
    half: [f32; 2],
    parallel: bool,
    size: [f32; 2],
}

impl Pinhole {
    fn facing(azimuth: f32, elevation: f32, width: u32, height: u32) -> Self {
        let (a, e) = (f64::from(azimuth).to_radians(), f64::from(elevation).to_radians());
        let (sa, ca) = (libm::sin(a) as f32, libm::cos(a) as f32);
        let (se, ce) = (libm::sin(e) as f32, libm::cos(e) as f32);
        Self {
            eye: Vec3::ZERO,
            right: Vec3::new(ca, 0.0, -sa),
            up: Vec3::new(-sa * se, ce, -ca * se),
            forward: -Vec3::new(sa * ce, se, ca * ce),
            half: [1.0; 2],
            parallel: false,
            size: [width as f32, height as f32],
        }
    }

    /// Moves the eye to the nearest place from which all corners of the box are in the picture.
    ///
    /// With a corner at `(x, y, z)` in camera axes and the slope `t` of the border ray, the eye at
    /// distance `D` and shift `s` sees it when `±(x − s) ≤ t (D + z)`; the tightest pair of corners
    /// gives `D` and `s` in closed form, for each picture axis alone.
    fn fit(&mut self, camera: &Camera) {
        let center = (camera.min + camera.max) * 0.5;
        let half_box = (camera.max - camera.min) * 0.5;
        let radius = half_box.length();
        let longer = self.size[0].max(self.size[1]);
        let slope = match camera.lens {
            Lens::Perspective(degrees) => libm::tan(f64::from(degrees).to_radians() * 0.5) as f32,
            Lens::Parallel => 0.0,
        };
        let inner = 1.0 - 2.0 * camera.margin;
        let (mut distance, mut shift) = (0.0_f32, [0.0_f32; 2]);
        let mut reach = [0.0_f32; 2];
        for axis in 0..2 {
            let direction = [self.right, self.up][axis];
            let t = slope * self.size[axis] / longer * inner;
            let (mut plus, mut minus) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
            for corner in 0..8_u32 {
                let sign = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let q = half_box * Vec3::new(sign(0), sign(1), sign(2));
                let (x, z) = (q.dot(direction), q.dot(self.forward));
                plus = plus.max(x - t * z);
                minus = minus.max(-x - t * z);
            }
            reach[axis] = (plus + minus) * 0.5;
            shift[axis] = (plus - minus) * 0.5;
            if t > 0.0 {
                distance = distance.max(reach[axis] / t);
            }
        }
        self.parallel = matches!(camera.lens, Lens::Parallel);
        if self.parallel {
            let scale = (0..2).map(|i| reach[i] / self.size[i]).fold(0.0, f32::max) / inner;
            self.half = self.size.map(|side| (side * scale).max(radius * 1e-6));
            distance = radius * 4.0;
        } else {
            self.half = self.size.map(|side| slope * side / longer);
            // a flat box seen edge-on must not put the eye inside it
            distance = distance.max(radius * 1.02);
        }
        self.eye = center + self.right * shift[0] + self.up * shift[1] - self.forward * distance;
    }

    /// Origin and unit direction of the ray through a point of the picture, in pixels.
    #[inline]
    pub fn ray(&self, x: f32, y: f32) -> (Vec3, Vec3) {
        let u = (2.0 * x / self.size[0] - 1.0) * self.half[0];
        let v = (1.0 - 2.0 * y / self.size[1]) * self.half[1];
        let across = self.right * u + self.up * v;
        if self.parallel { (self.eye + across, self.forward) } else { (self.eye, (self.forward + across).normalize()) }
    }

    /// Width of one pixel at a distance along the ray.
    #[inline]
    pub fn pixel_size(&self, distance: f32) -> f32 {
        let at = if self.parallel { 1.0 } else { distance };
        2.0 * self.half[0] / self.size[0] * at
    }

    pub fn project(&self, point: Vec3) -> Option<[f32; 2]> {
        let q = point - self.eye;
        let depth = if self.parallel { 1.0 } else { q.dot(self.forward) };
        (depth > 0.0).then(|| {
            let u = q.dot(self.right) / (depth * self.half[0]);
            let v = q.dot(self.up) / (depth * self.half[1]);
            [(u + 1.0) * 0.5 * self.size[0], (1.0 - v) * 0.5 * self.size[1]]
        })
    }

    /// The same camera in coordinates `(p − center) / scale`.
    pub fn scaled(mut self, center: Vec3, scale: f32) -> Self {
        self.eye = (self.eye - center) / scale;
        if self.parallel {
            self.half = self.half.map(|half| half / scale);
        }
        self
    }
}
