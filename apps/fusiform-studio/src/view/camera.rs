//! Camera: turns around what is looked at, as in Maya and Blender.

use glam::{Mat4, Vec2, Vec3};

/// Angle of view along the shorter side of the picture: what is framed is seen whole in a narrow one, too.
const FIELD: f32 = 0.6;
/// Never straight up or down: the horizon would flip.
const STEEPEST: f32 = 1.55;

/// An eye on a sphere around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What it looks at, m.
    pub target: Vec3,
    /// Around the vertical, radians; 0 looks from the front (+Z).
    pub yaw: f32,
    /// Above the horizon, radians.
    pub pitch: f32,
    /// From the target, m.
    pub distance: f32,
}

impl Camera {
    /// All of a box, from three quarters.
    #[must_use]
    pub fn framing(low: Vec3, high: Vec3) -> Self {
        let mut camera = Self { target: Vec3::ZERO, yaw: 0.6, pitch: 0.15, distance: 1.0 };
        camera.frame(low, high);
        camera
    }

    /// Look at all of a box from where it looks now.
    pub fn frame(&mut self, low: Vec3, high: Vec3) {
        let radius = (0.5 * (high - low).length()).clamp(0.01, 1e4);
        if low.is_finite() && high.is_finite() {
            self.target = 0.5 * (low + high);
            self.distance = 1.05 * radius / (0.5 * FIELD).sin();
        }
    }

    /// Turn to where it is looked from, radians: around the vertical, and above the horizon.
    pub fn look_from(&mut self, yaw: f32, pitch: f32) {
        (self.yaw, self.pitch) = (yaw, pitch.clamp(-STEEPEST, STEEPEST));
    }

    /// From the target to the eye, length 1.
    #[must_use]
    pub fn back(&self) -> Vec3 {
        let (sin, cos) = self.pitch.sin_cos();
        Vec3::new(cos * self.yaw.sin(), sin, cos * self.yaw.cos())
    }

    /// Where the eye is.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.distance * self.back()
    }

    /// To the right in the picture, and up.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 2] {
        let right = Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        [right, self.back().cross(right)]
    }

    /// Turn by a drag, in shares of the picture's height.
    pub fn orbit(&mut self, drag: Vec2) {
        self.yaw = (self.yaw - 4.0 * drag.x) % std::f32::consts::TAU;
        self.pitch = (self.pitch + 4.0 * drag.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Shift by a drag, likewise: what is looked at follows the mouse.
    pub fn pan(&mut self, drag: Vec2, aspect: f32) {
        let size = 2.0 * self.distance * half_height(aspect);
        let [right, up] = self.axes();
        self.target += size * (drag.y * up - drag.x * right);
    }

    /// Nearer for positive steps.
    pub fn zoom(&mut self, steps: f32) {
        self.distance = (self.distance * (-0.15 * steps.clamp(-20.0, 20.0)).exp()).clamp(0.02, 1e4);
    }

    /// Likewise, about a point, which stays where it is seen.
    pub fn zoom_about(&mut self, steps: f32, point: Vec3) {
        let before = self.distance;
        self.zoom(steps);
        self.target = point + (self.target - point) * (self.distance / before);
    }

    /// From model space to the picture's.
    #[must_use]
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let near = (0.02 * self.distance).max(1e-3);
        let field = 2.0 * half_height(aspect).atan();
        let projection =
            glam::camera::rh::proj::directx::perspective(field, aspect.max(1e-3), near, 50.0 * self.distance);
        projection * glam::camera::rh::view::look_at_mat4(self.eye(), self.target, Vec3::Y)
    }

    /// Eye and direction through a place in the picture, from (0, 0) top left to (1, 1) bottom right.
    #[must_use]
    pub fn ray(&self, at: Vec2, aspect: f32) -> (Vec3, Vec3) {
        let half = half_height(aspect);
        let [right, up] = self.axes();
        let (x, y) = ((2.0 * at.x - 1.0) * half * aspect, (1.0 - 2.0 * at.y) * half);
        (self.eye(), (x * right + y * up - self.back()).normalize())
    }

    /// Where in the picture a point is, likewise; none behind the eye.
    #[must_use]
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let clip = self.matrix(aspect) * point.extend(1.0);
        (clip.w > 0.0).then(|| Vec2::new(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w))
    }
}

/// Half the height of the picture, one metre before the eye.
fn half_height(aspect: f32) -> f32 {
    (0.5 * FIELD).tan() / aspect.clamp(0.05, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_framed_is_seen_whole_in_a_narrow_picture_too() {
        let corners = [Vec3::new(-0.9, 0.0, 0.0), Vec3::new(0.9, 1.8, 0.0)];
        let mut camera = Camera::framing(corners[0], corners[1]);
        camera.look_from(0.0, 0.0);
        for aspect in [0.3, 0.5, 1.0, 2.0] {
            for corner in corners {
                let at = camera.project(corner, aspect).unwrap();
                assert!(at.min_element() > 0.0 && at.max_element() < 1.0, "{aspect}: {at}");
            }
        }
    }

    #[test]
    fn a_ray_through_where_a_point_is_seen_meets_the_point() {
        let mut camera = Camera::framing(Vec3::new(-0.5, 0.0, -0.2), Vec3::new(0.5, 1.8, 0.2));
        camera.orbit(Vec2::new(0.3, -0.1));
        camera.pan(Vec2::new(0.1, 0.2), 1.6);
        camera.zoom(2.0);
        camera.zoom_about(-1.0, Vec3::new(0.3, 0.9, 0.1));
        let point = Vec3::new(0.2, 1.1, 0.05);
        let at = camera.project(point, 1.6).unwrap();
        let (eye, direction) = camera.ray(at, 1.6);
        let along = (point - eye).dot(direction);
        assert!((eye + along * direction).distance(point) < 1e-4);
    }

    #[test]
    fn what_is_panned_follows_the_mouse() {
        let mut camera = Camera::framing(Vec3::splat(-1.0), Vec3::splat(1.0));
        let before = camera.project(Vec3::ZERO, 1.0).unwrap();
        camera.pan(Vec2::new(0.1, -0.05), 1.0);
        let after = camera.project(Vec3::ZERO, 1.0).unwrap();
        assert!((after - before - Vec2::new(0.1, -0.05)).length() < 1e-3, "{before} {after}");
    }

    #[test]
    fn what_it_zooms_about_stays_where_it_is_seen() {
        let mut camera = Camera::framing(Vec3::splat(-1.0), Vec3::splat(1.0));
        let point = Vec3::new(0.4, -0.3, 0.6);
        let (before, far) = (camera.project(point, 1.5).unwrap(), camera.eye().distance(point));
        for steps in [3.0, -7.0, 30.0, -1e3] {
            camera.zoom_about(steps, point);
            let after = camera.project(point, 1.5).unwrap();
            assert!((after - before).length() < 1e-3, "{steps}: {before} {after}");
            assert!((camera.eye().distance(point) < far) == (steps == 3.0 || steps == 30.0), "{steps}");
        }
    }

    #[test]
    fn no_drag_turns_it_over() {
        let mut camera = Camera::framing(Vec3::ZERO, Vec3::ONE);
        for _ in 0..100 {
            camera.orbit(Vec2::new(0.3, 0.4));
            camera.zoom(-7.0);
        }
        assert!(camera.matrix(1.0).is_finite() && camera.pitch < 1.56);
    }
}
