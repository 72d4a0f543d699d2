//! The start: what there is to begin with.

use super::{Wish, bars, file_menu};
use crate::model::{Recent, Recovered};
use egui::Ui;

/// Draw; what is wished for goes into `wishes`.
pub fn show(ui: &mut Ui, recent: &Recent, left_behind: &[Recovered], wishes: &mut Vec<Wish>) {
    ui.vertical_centered(|ui| {
        ui.add_space(0.15 * ui.available_height());
        ui.heading("fusiform studio");
        ui.label("Muscles for any rigged character.");
        ui.add_space(16.0);
        if ui.button("Open the athlete").clicked() {
            wishes.push(Wish::Athlete);
        }
        if ui.button("Open a file").clicked() {
            wishes.push(Wish::Open);
        }
        ui.label("or drop a .glb on this window");
        ui.add_space(16.0);
        for recovered in left_behind {
            // as wide as it is, in the middle
            ui.horizontal(|ui| {
                ui.add_space((0.5 * ui.available_width() - 220.0).max(0.0));
                bars::offer(ui, recovered, wishes);
            });
        }
        if !recent.paths().is_empty() {
            ui.add_space(16.0);
            ui.weak("Recent files");
            ui.scope(|ui| {
                let width = ui.available_width();
                ui.horizontal(|ui| {
                    ui.add_space((0.5 * width - 100.0).max(0.0));
                    ui.vertical(|ui| file_menu::list(ui, recent, wishes));
                });
            });
        }
    });
}
