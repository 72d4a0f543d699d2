//! Over: the view as tools see it, and the mouse over it.

use crate::model::Studio;
use crate::view::{Camera, Screen, SkinHit, muscle_at, skin_at};
use egui::{PointerButton, Pos2, Rect, Response, Ui};
use fusiform::BodyState;
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
    /// Where in the window muscles end and plain skinning begins, points from its left; none shows muscles everywhere.
    pub line: Option<f32>,
    /// Whether bones are shown.
    pub bones: bool,
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

    /// Where the left button clicked in this frame; none with alt, which is how a turn of the camera begins.
    #[must_use]
    pub fn clicked(&self, ui: &Ui) -> Option<Pos2> {
        let is_meant = self.response.clicked() && !ui.input(|input| input.modifiers.alt);
        is_meant.then(|| self.response.interact_pointer_pos()).flatten()
    }

    fn is_plain(&self, at: Pos2) -> bool {
        self.line.is_some_and(|line| at.x > line)
    }

    /// The body as it is shown at a place in the window.
    #[must_use]
    pub fn body<'s>(&self, studio: &'s Studio, at: Pos2) -> &'s BodyState {
        if self.is_plain(at) { studio.live.plain() } else { studio.live.muscled().1 }
    }

    /// The skin under a place in the window.
    #[must_use]
    pub fn skin(&self, studio: &Studio, at: Pos2) -> Option<SkinHit> {
        skin_at(studio, self.body(studio, at), self.ray(at))
    }

    /// The skin under any number of places in the window.
    pub fn skins<'s>(&'s self, studio: &'s Studio) -> impl Fn(Pos2) -> Option<SkinHit> + 's {
        let states = [studio.live.muscled().1, studio.live.plain()];
        let screens = states.map(|state| Screen::new(studio, state, self.camera, self.rect.aspect_ratio()));
        move |at| {
            let share = (at - self.rect.min) / self.rect.size();
            screens[usize::from(self.is_plain(at))].skin(Vec2::new(share.x, share.y))
        }
    }

    /// The muscle under a place in the window, and where on it; none where muscles are not shown.
    #[must_use]
    pub fn muscle(&self, studio: &Studio, at: Pos2) -> Option<(usize, Vec3)> {
        if self.is_plain(at) { None } else { muscle_at(studio, self.ray(at)) }
    }

    /// What is shown of the character under a place in the window: where that is, m, model space.
    #[must_use]
    pub fn place(&self, studio: &Studio, at: Pos2) -> Option<Vec3> {
        match studio.show.has_skin() || self.is_plain(at) {
            true => self.skin(studio, at).map(|hit| hit.place),
            false => self.muscle(studio, at).map(|(_, place)| place),
        }
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
