//! What goes out beside the rigged file: a bake, a picture, a GIF.

use super::Viewport;
use super::bake::Bake;
use super::gif::Gif;
use super::picture::PictureOf;
use crate::model::{Action, Studio};
use eframe::egui_wgpu::RenderState;
use egui::Ui;

/// The windows that write something.
#[derive(Default)]
pub struct Out {
    bake: Bake,
    picture: PictureOf,
    gif: Gif,
}

impl Out {
    /// The menu that opens them.
    pub fn menu(&mut self, ui: &mut Ui) {
        ui.menu_button("Out", |ui| {
            let entries: [(&str, &str, &mut bool); 3] = [
                ("Bake…", "Play clips with muscles and write a file that plays in any engine", &mut self.bake.open),
                ("Picture…", "A PNG of the view as it is", &mut self.picture.open),
                ("GIF…", "The playing clip once through, as the view shows it", &mut self.gif.open),
            ];
            for (name, tip, open) in entries {
                if ui.button(name).on_hover_text(tip).clicked() {
                    *open = true;
                    ui.close();
                }
            }
        });
    }

    /// Whether something is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.bake.is_busy() || self.picture.is_busy() || self.gif.is_busy()
    }

    /// Those that are open; what is done in them goes into `actions`.
    pub fn show(
        &mut self,
        ui: &Ui,
        state: Option<&RenderState>,
        (studio, viewport): (&mut Studio, &Viewport),
        actions: &mut Vec<Action>,
    ) {
        self.bake.show(ui.ctx(), studio, actions);
        self.picture.show(ui.ctx(), state, studio, viewport);
        self.gif.show(ui.ctx(), state, studio, viewport);
    }
}
