//! The viewport: the character, and the mouse in it.

use super::{Over, Tools};
use crate::model::{Action, Studio};
use crate::view::{Camera, Extras, Geometry, Gpu, Scene, Sight};
use eframe::egui_wgpu::RenderState;
use egui::{PointerButton, Sense, TextureId, Ui};
use glam::{Vec2, Vec3};

/// Whose mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    /// Alt with left turns, with middle shifts, with right zooms; plain left turns too.
    #[default]
    Maya,
    /// Middle turns, with shift shifts, with ctrl zooms.
    Blender,
}

/// Camera, and what is shown beside the character.
pub struct Viewport {
    /// Where it is looked from.
    pub camera: Camera,
    /// What is drawn beside the character.
    pub extras: Extras,
    /// Whose mouse.
    pub mouse: Mouse,
    /// Where in the picture muscles end and plain skinning begins, 0 to 1; none shows muscles everywhere.
    pub split: Option<f32>,
    tools: Tools,
    sides: [Side; 2],                    // muscles, plain skinning
    drawn: Option<([u32; 2], [f32; 3])>, // size, background
}

/// What is kept of one side of the split.
#[derive(Default)]
struct Side {
    geometry: Geometry,
    gpu: Option<(Gpu, TextureId)>,
}

enum Drag {
    Orbit,
    Pan,
    Zoom,
}

impl Viewport {
    /// That frames all of a character.
    #[must_use]
    pub fn new(studio: &Studio) -> Self {
        let (low, high) = bounds(studio);
        Self {
            camera: Camera::framing(low, high),
            extras: Extras::default(),
            mouse: Mouse::default(),
            split: None,
            tools: Tools::default(),
            sides: Default::default(),
            drawn: None,
        }
    }

    /// Look at what is chosen, or at everything.
    pub fn frame(&mut self, studio: &Studio) {
        let (body, state) = studio.live.muscled();
        let mut points = Vec::new();
        for &m in &studio.chosen {
            let first = points.len();
            points.resize(first + body.belly_size(m), Vec3::ZERO);
            state.belly_points(body, m, &mut points[first..]);
        }
        let (low, high) = if points.is_empty() { bounds(studio) } else { extent(&points) };
        self.camera.frame(low, high);
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>, studio: &mut Studio, actions: &mut Vec<Action>) {
        let (rect, response) =
            ui.allocate_exact_size(ui.available_size().max(egui::vec2(16.0, 16.0)), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "View of the character"));
        match state {
            Some(state) => self.paint(ui, state, studio, rect),
            None => {
                let (font, color) = (egui::FontId::default(), ui.visuals().text_color());
                ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "no graphics adapter", font, color);
            }
        }
        let over = Over { rect, camera: &self.camera, response: &response };
        let taken = self.tools.show(ui, over, studio, actions);
        self.navigate(ui, &response, rect, taken);
    }

    fn paint(&mut self, ui: &Ui, state: &RenderState, studio: &mut Studio, rect: egui::Rect) {
        let scale = ui.pixels_per_point();
        let size = [rect.width(), rect.height()].map(|points| (points * scale).round() as u32);
        let dark = ui.visuals().dark_mode;
        let background = if dark { [0.19, 0.195, 0.21] } else { [0.83, 0.835, 0.85] };
        self.drawn = Some((size, background));
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let middle = self.split.unwrap_or(1.0).clamp(0.0, 1.0);
        for (side, plain) in self.sides.iter_mut().zip([false, true]) {
            if plain && self.split.is_none() {
                continue;
            }
            if plain {
                studio.live.show_plain();
            }
            let scene = side.geometry.fill(studio, Extras { plain, ..self.extras });
            let id = draw(&mut side.gpu, state, (&self.camera, background), &scene, size);
            let (from, to) = if plain { (middle, 1.0) } else { (0.0, middle) };
            let part = |of: egui::Rect| {
                let x = |share: f32| of.left() + share * of.width();
                egui::Rect::from_min_max(egui::pos2(x(from), of.top()), egui::pos2(x(to), of.bottom()))
            };
            ui.painter().image(id, part(rect), part(whole), egui::Color32::WHITE);
        }
        if self.split.is_some() {
            self.divide(ui, rect);
        }
    }

    /// The line between muscles and plain skinning, which can be dragged.
    fn divide(&mut self, ui: &Ui, rect: egui::Rect) {
        let Some(split) = &mut self.split else { return };
        let x = rect.left() + *split * rect.width();
        let grip = egui::Rect::from_x_y_ranges(x - 5.0..=x + 5.0, rect.y_range());
        let response = ui.interact(grip, ui.scope_id().with("split"), Sense::drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Slider, true, "Split between muscles and plain skinning")
        });
        if response.dragged() {
            *split = (*split + response.drag_delta().x / rect.width().max(1.0)).clamp(0.02, 0.98);
        }
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        ui.painter().vline(x, rect.y_range(), egui::Stroke::new(2.0, ui.visuals().text_color()));
        let write = |at: egui::Pos2, align, text: &str| {
            ui.painter().text(at, align, text, egui::FontId::default(), ui.visuals().text_color());
        };
        write(egui::pos2(x - 8.0, rect.top() + 6.0), egui::Align2::RIGHT_TOP, "muscles");
        write(egui::pos2(x + 8.0, rect.top() + 6.0), egui::Align2::LEFT_TOP, "plain skinning");
    }

    fn navigate(&mut self, ui: &Ui, response: &egui::Response, rect: egui::Rect, taken: bool) {
        let modifiers = ui.input(|input| input.modifiers);
        let by = |button| response.dragged_by(button);
        let drag = match self.mouse {
            Mouse::Maya if by(PointerButton::Middle) => Some(Drag::Pan),
            Mouse::Maya if by(PointerButton::Secondary) => Some(Drag::Zoom),
            Mouse::Maya if by(PointerButton::Primary) && !taken => Some(Drag::Orbit),
            Mouse::Blender if by(PointerButton::Middle) && modifiers.shift => Some(Drag::Pan),
            Mouse::Blender if by(PointerButton::Middle) && modifiers.ctrl => Some(Drag::Zoom),
            Mouse::Blender if by(PointerButton::Middle) => Some(Drag::Orbit),
            _ => None,
        };
        let moved = response.drag_delta() / rect.height().max(1.0);
        let moved = Vec2::new(moved.x, moved.y);
        match drag {
            Some(Drag::Orbit) => self.camera.orbit(moved),
            Some(Drag::Pan) => self.camera.pan(moved),
            Some(Drag::Zoom) => self.camera.zoom(20.0 * (moved.x - moved.y)),
            None => {}
        }
        if response.hovered() {
            let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            self.camera.zoom(scrolled / 50.0 + pinched.ln() / 0.15);
        }
    }

    /// How it was last looked at; none where nothing was drawn.
    #[must_use]
    pub fn sight(&self) -> Option<Sight> {
        let (size, background) = self.drawn?;
        let Self { camera, extras, split, .. } = *self;
        Some(Sight { camera, extras, split, background, size })
    }

    /// The picture as it was last drawn.
    #[must_use]
    pub fn picture(&self, state: &RenderState) -> Option<crate::view::Picture> {
        self.sides[0].gpu.as_ref()?.0.read(&state.device, &state.queue)
    }
}

fn draw(
    gpu: &mut Option<(Gpu, TextureId)>,
    state: &RenderState,
    look: (&Camera, [f32; 3]),
    scene: &Scene,
    size: [u32; 2],
) -> TextureId {
    let device = &state.device;
    let filter = wgpu::FilterMode::Linear;
    match gpu {
        Some((gpu, id)) => {
            let (view, is_new) = gpu.draw((device, &state.queue), look, scene, size);
            if is_new {
                state.renderer.write().update_egui_texture_from_wgpu_texture(device, view, filter, *id);
            }
            *id
        }
        None => {
            let mut made = Gpu::new(device);
            let (view, _) = made.draw((device, &state.queue), look, scene, size);
            let id = state.renderer.write().register_native_texture(device, view, filter);
            *gpu = Some((made, id));
            id
        }
    }
}

fn bounds(studio: &Studio) -> (Vec3, Vec3) {
    extent(studio.live.muscled().1.positions())
}

fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)), |(low, high), &p| (low.min(p), high.max(p)))
}
