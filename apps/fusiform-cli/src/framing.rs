//! Where the camera stands, so that the character fills the picture in every frame.

use fusiform_picture::{Camera, View};
use glam::Vec3;

/// Collects what has to be in the picture, seen from one side.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    view: View,
    /// Level, to the right of the picture.
    right: Vec3,
    low: Vec3,
    high: Vec3,
    across: [f32; 2],
}

impl Framing {
    /// Nothing yet.
    pub fn new(view: View) -> Self {
        let azimuth = view.angles().0.to_radians();
        Self {
            view,
            right: Vec3::new(azimuth.cos(), 0.0, -azimuth.sin()),
            low: Vec3::INFINITY,
            high: Vec3::NEG_INFINITY,
            across: [f32::INFINITY, f32::NEG_INFINITY],
        }
    }

    /// Keep these points in the picture.
    pub fn add(&mut self, points: &[Vec3]) {
        for &p in points {
            (self.low, self.high) = (self.low.min(p), self.high.max(p));
            let at = p.dot(self.right);
            self.across = [self.across[0].min(at), self.across[1].max(at)];
        }
    }

    /// Keep the floor in the picture.
    pub fn ground(&mut self, height: f32) {
        self.low.y = self.low.y.min(height);
    }

    /// Pixels across and down of a picture as large as a square of that side, in the shape of what is framed.
    pub fn size(&self, side: u32) -> [u32; 2] {
        let shape = ((self.across[1] - self.across[0]) / (self.high.y - self.low.y).max(1e-6)).clamp(0.4, 1.8);
        // a little wider than the body, for the shadow beside it; even, as video encoders like it
        let root = (shape * 1.1).sqrt();
        [side as f32 * root, side as f32 / root].map(|length| (length * 0.5).round().max(1.0) as u32 * 2)
    }

    /// A camera around all of it.
    ///
    /// A box seen from a corner looks wider than what is in it: it is drawn in and moved sideways until it looks as
    /// wide as its content.
    pub fn camera(&self) -> Camera {
        let (mut low, mut high) = (self.low, self.high);
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let box_half = half.dot(self.right.abs());
        let (left, right) = (self.across[0], self.across[1]);
        if box_half > 0.0 {
            let factor = ((right - left) * 0.5 / box_half).min(1.0);
            let middle = middle + self.right * ((left + right) * 0.5 - middle.dot(self.right));
            let inner = Vec3::new(half.x * factor, half.y, half.z * factor);
            (low, high) = (middle - inner, middle + inner);
        }
        Camera { margin: 0.04, ..Camera::framing(low, high, self.view) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_in_the_picture_and_fills_it() {
        let points: Vec<Vec3> =
            (0..60).map(|i| Vec3::new((i as f32 * 0.1).cos() * 0.3, i as f32 * 0.03, (i as f32 * 0.1).sin() * 0.3)).collect();
        for view in [View::Front, View::ThreeQuarter, View::Left] {
            let mut framing = Framing::new(view);
            framing.add(&points);
            let at: Vec<[f32; 2]> =
                points.iter().map(|p| framing.camera().project(*p, 400, 600).unwrap().unwrap()).collect();
            assert!(at.iter().all(|[x, y]| (0.0..400.0).contains(x) && (0.0..600.0).contains(y)), "{view}");
            let top = at.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
            assert!(top < 90.0, "{view} {top}");
        }
    }
}
