//! Where the camera stands, so that the character fills the picture in every frame.

use fusiform_picture::{Camera, PictureError, View};
use glam::{Quat, Vec3};

/// Free border, as a share of the picture's side.
const MARGIN: f32 = 0.05;
/// Rounds of looking and moving; each leaves a small part of what was wrong.
const ROUNDS: usize = 6;

/// Collects what has to be in the picture, seen from one side.
#[derive(Clone, Debug)]
pub struct Framing {
    view: View,
    right: Vec3,
    up: Vec3,
    /// The outermost points in many directions, of every moment.
    points: Vec<Vec3>,
}

impl Framing {
    /// Nothing yet.
    pub fn new(view: View) -> Self {
        let (azimuth, elevation) = view.angles();
        let turn = Quat::from_rotation_y(azimuth.to_radians()) * Quat::from_rotation_x(-elevation.to_radians());
        Self { view, right: turn * Vec3::X, up: turn * Vec3::Y, points: Vec::new() }
    }

    /// Keep these points in the picture.
    pub fn add(&mut self, points: &[Vec3]) {
        let outermost =
            |direction: Vec3| points.iter().copied().max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
        let toward = self.right.cross(self.up);
        for i in 0..16_u8 {
            let (sin, cos) = (f32::from(i) * std::f32::consts::TAU / 16.0).sin_cos();
            // leaning to the viewer: what is nearer looks farther out
            let direction = self.right * cos + self.up * sin + toward * 0.2;
            self.points.extend(outermost(direction));
        }
    }

    /// Keep the shadow of what was added in the picture: the floor under it, at that height.
    pub fn ground(&mut self, height: f32) {
        let floor = |p: &Vec3| Vec3::new(p.x, height, p.z);
        let low = self.points.iter().copied().min_by(|a, b| a.y.total_cmp(&b.y));
        self.points.extend(low.as_ref().map(floor));
    }

    /// Width over height of what is framed.
    ///
    /// # Errors
    /// When the points cannot be framed at all.
    pub fn shape(&self) -> Result<f32, PictureError> {
        let [low, high] = self.seen(&self.camera([512, 512])?, [512, 512])?;
        let inner = [high[0] - low[0], high[1] - low[1]].map(|side| side.max(1.0));
        Ok((inner[0] / inner[1]).clamp(0.5, 1.8))
    }

    /// A camera that has all of it in a picture of this size, and as large as can be.
    ///
    /// # Errors
    /// When the points cannot be framed at all.
    pub fn camera(&self, size: [u32; 2]) -> Result<Camera, PictureError> {
        let bounds = |p: Option<&Vec3>| p.copied().unwrap_or_default();
        let first = bounds(self.points.first());
        let (low, high) = self.points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)));
        let mut camera = Camera { margin: 0.0, ..Camera::framing(low, high, self.view) };
        for _ in 0..ROUNDS {
            camera = self.closer(&camera, size)?;
        }
        Ok(camera)
    }

    /// The camera moved so that what it sees now would fill the picture.
    fn closer(&self, camera: &Camera, size: [u32; 2]) -> Result<Camera, PictureError> {
        let [low, high] = self.seen(camera, size)?;
        let side = size.map(|side| side as f32);
        let fill = |i: usize| (high[i] - low[i]) / (side[i] * (1.0 - 2.0 * MARGIN));
        let zoom = fill(0).max(fill(1)).clamp(0.05, 20.0);
        let middle = (camera.min + camera.max) * 0.5;
        let half = (camera.max - camera.min) * 0.5 * zoom;
        let off = |i: usize| (low[i] + high[i] - side[i]) * 0.5;
        let (x, y) = (self.pixel(camera, size, middle, self.right)?, self.pixel(camera, size, middle, self.up)?);
        let middle = middle + self.right * (off(0) * x) - self.up * (off(1) * y);
        Ok(Camera { min: middle - half, max: middle + half, ..*camera })
    }

    /// Metres per pixel at a point, in a direction across the picture.
    fn pixel(&self, camera: &Camera, size: [u32; 2], at: Vec3, direction: Vec3) -> Result<f32, PictureError> {
        let step = (camera.max - camera.min).length() * 0.01;
        let project = |p: Vec3| camera.project(p, size[0], size[1]);
        let (Some(a), Some(b)) = (project(at)?, project(at + direction * step)?) else { return Ok(0.0) };
        let pixels = (b[0] - a[0]).hypot(b[1] - a[1]);
        Ok(if pixels > 0.0 { step / pixels } else { 0.0 })
    }

    /// Smallest and largest pixel that any point falls on.
    fn seen(&self, camera: &Camera, size: [u32; 2]) -> Result<[[f32; 2]; 2], PictureError> {
        let mut seen = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
        for &point in &self.points {
            let Some(at) = camera.project(point, size[0], size[1])? else { continue };
            for i in 0..2 {
                seen[0][i] = seen[0][i].min(at[i]);
                seen[1][i] = seen[1][i].max(at[i]);
            }
        }
        Ok(if seen[0][0].is_finite() { seen } else { [[0.0; 2], size.map(|side| side as f32)] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3A;

    #[test]
    fn what_was_added_is_in_the_picture_and_fills_it() {
        let turn = Affine3A::from_rotation_y(0.4);
        let points: Vec<Vec3> = (0..200)
            .map(|i| i as f32 * 0.1)
            .map(|t| turn.transform_point3(Vec3::new(t.cos() * 0.3, t * 0.09, t.sin() * 0.5)))
            .collect();
        for view in [View::Front, View::ThreeQuarter, View::Left, View::Top] {
            let mut framing = Framing::new(view);
            framing.add(&points);
            let camera = framing.camera([400, 600]).unwrap();
            let at: Vec<[f32; 2]> = points.iter().map(|p| camera.project(*p, 400, 600).unwrap().unwrap()).collect();
            assert!(at.iter().all(|[x, y]| (0.0..400.0).contains(x) && (0.0..600.0).contains(y)), "{view}");
            let span = |i: usize, side: f32| {
                let low = at.iter().map(|p| p[i]).fold(f32::INFINITY, f32::min);
                (at.iter().map(|p| p[i]).fold(0.0, f32::max) - low) / side
            };
            assert!(span(0, 400.0).max(span(1, 600.0)) > 0.85, "{view}");
        }
    }
}
