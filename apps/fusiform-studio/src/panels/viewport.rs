//! The viewport: the character, and the mouse in it.

use super::{Over, Tools, legend, marks};
use crate::model::{Action, Studio};
use crate::view::{Camera, Extras, Geometry, Gpu, Reading, Scene, Sight, ends_of};
use eframe::egui_wgpu::RenderState;
use egui::emath::GuiRounding as _;
use egui::{Event, MouseWheelUnit, PointerButton, Sense, TextureId, Ui};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Whose mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Go on with how another session was looked at, and with its place on the graphics adapter.
    pub fn take_over(&mut self, before: Self) {
        (self.extras, self.mouse, self.split) = (before.extras, before.mouse, before.split);
        for (side, before) in self.sides.iter_mut().zip(before.sides) {
            side.gpu = before.gpu;
        }
    }

    /// Give back what it holds on the graphics adapter.
    pub fn free(self, state: &RenderState) {
        let mut renderer = state.renderer.write();
        self.sides.into_iter().filter_map(|side| side.gpu).for_each(|(_, id)| renderer.free_texture(&id));
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
        if let Some(joint) = studio.joint.filter(|_| points.is_empty()) {
            points = ends_of(studio, joint);
        }
        let (low, high) = if points.is_empty() { bounds(studio) } else { extent(&points) };
        self.camera.frame(low, high);
    }

    /// Let go of what is dragged: what it began with is no longer there.
    pub fn let_go(&mut self) {
        self.tools.let_go();
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, state: Option<&RenderState>, studio: &mut Studio, actions: &mut Vec<Action>) {
        let (rect, response) =
            ui.allocate_exact_size(ui.available_size().max(egui::vec2(16.0, 16.0)), Sense::click_and_drag());
        // a pixel of the picture is one of the window, at sizes like 1.25, too
        let rect = rect.round_to_pixels(ui.pixels_per_point());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "View of the character"));
        let line = self.divide(ui, rect);
        if line.is_some() {
            studio.live.show_plain();
        }
        match state {
            Some(state) => self.paint(ui, state, studio, rect),
            None => {
                let (font, color) = (egui::FontId::default(), ui.visuals().text_color());
                ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "no graphics adapter", font, color);
            }
        }
        line.into_iter().for_each(|x| marks::split(ui, rect, x));
        let camera = self.camera;
        let over = Over { rect, camera: &camera, response: &response, line, bones: self.extras.bones };
        marks::chosen(ui, over, studio);
        legend::show(ui, over, studio);
        let taken = self.tools.show(ui, over, studio, actions);
        self.navigate(ui, over, studio, taken);
    }

    fn paint(&mut self, ui: &Ui, state: &RenderState, studio: &Studio, rect: egui::Rect) {
        let scale = ui.pixels_per_point();
        let size = [rect.width(), rect.height()].map(|points| (points * scale).round() as u32);
        let dark = ui.visuals().dark_mode;
        let background = if dark { [0.19, 0.195, 0.21] } else { [0.83, 0.835, 0.85] };
        self.drawn = Some((size, background));
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let middle = self.split.unwrap_or(1.0).clamp(0.0, 1.0);
        let pixels = size[0].max(1) as f32;
        for (side, plain) in self.sides.iter_mut().zip([false, true]) {
            if plain && self.split.is_none() {
                continue;
            }
            let scene = side.geometry.fill(studio, Extras { plain, ..self.extras });
            let id = draw(&mut side.gpu, state, (&self.camera, background), &scene, size);
            let (from, to) = if plain { (middle, 1.0) } else { (0.0, middle) };
            let part = |of: egui::Rect| {
                let x = |share: f32| of.left() + (share * pixels).round() / pixels * of.width();
                egui::Rect::from_min_max(egui::pos2(x(from), of.top()), egui::pos2(x(to), of.bottom()))
            };
            ui.painter().image(id, part(rect), part(whole), egui::Color32::WHITE);
        }
    }

    /// Where in the window the line between muscles and plain skinning is, points from its left; it can be dragged.
    fn divide(&mut self, ui: &Ui, rect: egui::Rect) -> Option<f32> {
        let split = self.split.as_mut()?;
        let x = rect.left() + *split * rect.width();
        let grip = egui::Rect::from_x_y_ranges(x - 5.0..=x + 5.0, rect.y_range());
        let response = ui.interact(grip, ui.scope_id().with("split"), Sense::drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Slider, true, "Split between muscles and plain skinning")
        });
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            *split = ((at.x - rect.left()) / rect.width().max(1.0)).clamp(0.02, 0.98);
        }
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        Some(rect.left() + *split * rect.width())
    }

    fn navigate(&mut self, ui: &Ui, over: Over, studio: &Studio, taken: bool) {
        let Over { rect, response, .. } = over;
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
        let share = |points: egui::Vec2| Vec2::new(points.x, points.y) / rect.height().max(1.0);
        let moved = share(response.drag_delta());
        match drag {
            Some(Drag::Orbit) => self.camera.orbit(moved),
            Some(Drag::Pan) => self.camera.pan(moved, rect.aspect_ratio()),
            Some(Drag::Zoom) => self.camera.zoom(20.0 * (moved.x - moved.y)),
            None => {}
        }
        if response.hovered() {
            let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let steps = scrolled / 50.0 + pinched.ln() / 0.15;
            if steps != 0.0 {
                let under = over.mouse().and_then(|at| over.place(studio, at));
                self.camera.zoom_about(steps, under.unwrap_or(self.camera.target));
            }
            self.camera.pan(share(ui.input(shifted)), rect.aspect_ratio());
        }
    }

    /// How it was last looked at; none where nothing was drawn. Without the mark of who is editing.
    #[must_use]
    pub fn sight(&self) -> Option<Sight> {
        let (size, background) = self.drawn?;
        let Self { camera, split, .. } = *self;
        let extras = Extras { marked_bone: None, ..self.extras };
        Some(Sight { camera, extras, split, background, size })
    }

    /// The picture as it was last drawn, on its way back.
    #[must_use]
    pub fn picture(&self, state: &RenderState) -> Option<Reading> {
        self.sides[0].gpu.as_ref()?.0.read(&state.device, &state.queue)
    }
}

/// How far two fingers with shift went over a trackpad, points. Not as scrolling goes, which is sideways only with shift.
fn shifted(input: &egui::InputState) -> egui::Vec2 {
    let by = |event: &Event| match event {
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, modifiers, .. }
            if modifiers.shift && !modifiers.command =>
        {
            *delta
        }
        _ => egui::Vec2::ZERO,
    };
    input.events.iter().map(by).fold(egui::Vec2::ZERO, |sum, by| sum + by)
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
