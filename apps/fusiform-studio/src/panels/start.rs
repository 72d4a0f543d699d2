//! The start: what there is to begin with.

use super::keys::{self, Command};
use super::{Wish, bars, file_menu};
use crate::model::{Anatomy, Recent, Recovered, system};
use egui::Ui;

/// Draw; what is wished for goes into `wishes`. `template` is what the next character is fitted with.
pub fn show(
    ui: &mut Ui,
    recent: &Recent,
    left_behind: &[Recovered],
    template: Option<&Anatomy>,
    wishes: &mut Vec<Wish>,
) {
    let height = ui.available_height();
    let page = |ui: &mut Ui| {
        ui.add_space(0.15 * height);
        ui.heading("fusiform studio");
        ui.label("Muscles for any rigged character.");
        ui.add_space(16.0);
        if ui.button("Open the athlete").clicked() {
            wishes.push(Wish::Athlete);
        }
        if ui.button("Open a file").clicked() {
            wishes.push(Wish::Open);
        }
        if system::takes_drops() {
            ui.label("or drop a .glb on this window");
        }
        ui.add_space(8.0);
        match template {
            Some(Anatomy::File(path)) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                ui.label(format!("The character you open now is given the muscles of {name}."));
                if ui.button("No template").clicked() {
                    wishes.push(Wish::NoTemplate);
                }
            }
            _ => {
                let tip = "Muscles by role of joint, as the studio's Fit or `fusiform template extract` saves them; without one \
                           a character keeps its muscles, or is given those it is found to have";
                if ui.button("Begin with a template").on_hover_text(tip).clicked() {
                    wishes.push(Wish::Template);
                }
            }
        }
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
    };
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| ui.vertical_centered(page));
}

/// Its menus, and the list of keys where that is shown.
pub fn menus(ui: &mut Ui, recent: &Recent, help: &mut bool, wishes: &mut Vec<Wish>) {
    egui::MenuBar::new().ui(ui, |ui| {
        file_menu::show(ui, recent, false, wishes);
        ui.menu_button("Help", |ui| *help |= keys::entry(ui, "Keyboard shortcuts", Command::Help, true));
    });
    keys::list(ui, help);
}
