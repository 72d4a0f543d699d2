//! Over: the view as tools see it, and the mouse over it.

use crate::model::Studio;
use crate::view::{Camera, SkinHit, muscle_at, skin_at};
use egui::{PointerButton, Pos2, Rect, Response, Ui};
use glam::{Vec2, Vec3};

/// The view in this frame.
#[derive(Clone, Copy)]
pub struct Over<'a> {
    /// Where it is in the window.
    pub rect: Rect,
    /// Where it is looked from.
    pub camera: &'a Camera,
    /// What the mouse does in it.
    pub response: &'a Response,
}

impl Over<'_> {
    /// Where in the window a point is seen; none behind the eye.
    #[must_use]
    pub fn at(&self, point: Vec3) -> Option<Pos2> {
        let at = self.camera.project(point, self.rect.aspect_ratio())?;
        Some(self.rect.lerp_inside(egui::vec2(at.x, at.y)))
    }

    /// Eye and direction through a place in the window.
    #[must_use]
    pub fn ray(&self, at: Pos2) -> (Vec3, Vec3) {
        let at = (at - self.rect.min) / self.rect.size();
        self.camera.ray(Vec2::new(at.x, at.y), self.rect.aspect_ratio())
    }

    /// Where the mouse is, while it is over the view or dragging from it.
    #[must_use]
    pub fn mouse(&self) -> Option<Pos2> {
        self.response.interact_pointer_pos().or(self.response.hover_pos())
    }

    /// Where the left button went down, in the frame in which a drag begins; none with alt, which turns the camera.
    #[must_use]
    pub fn taken(&self, ui: &Ui) -> Option<Pos2> {
        let begins = self.response.drag_started_by(PointerButton::Primary) && !ui.input(|input| input.modifiers.alt);
        begins.then(|| ui.input(|input| input.pointer.press_origin())).flatten()
    }

    /// The skin under a place in the window.
    #[must_use]
    pub fn skin(&self, studio: &Studio, at: Pos2) -> Option<SkinHit> {
        let (eye, direction) = self.ray(at);
        skin_at(studio, eye, direction)
    }

    /// The muscle under a place in the window, and where on it.
    #[must_use]
    pub fn muscle(&self, studio: &Studio, at: Pos2) -> Option<(usize, Vec3)> {
        let (eye, direction) = self.ray(at);
        muscle_at(studio, eye, direction)
    }

    /// Where a ray through a place in the window meets the plane through a point, as the picture lies: what is dragged in
    /// the picture goes there.
    #[must_use]
    pub fn beside(&self, point: Vec3, at: Pos2) -> Vec3 {
        let (eye, direction) = self.ray(at);
        let back = self.camera.back();
        eye + direction * ((point - eye).dot(back) / direction.dot(back))
    }
}
