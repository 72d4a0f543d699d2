//! A list of names that a layer or a driver is for: all there are, or some.

use crate::panels::rows::{row, title};
use egui::Ui;

/// The list as it was changed; empty stands for all of `known`. `chosen` are those a button takes, where there is one, and `tip`
/// says what the list is for.
pub fn show(
    ui: &mut Ui,
    (what, tip): (&str, &str),
    names: &[String],
    (known, chosen): (&[&str], Option<&[&str]>),
) -> Option<Vec<String>> {
    let mut changed = None;
    row(ui, what, |ui| {
        title(ui, what, tip, false);
        let text = if names.is_empty() {
            format!("all {}", known.len())
        } else {
            format!("{} of {}", names.len(), known.len())
        };
        ui.label(text);
        if ui.add_enabled(!names.is_empty(), egui::Button::new("All").small()).clicked() {
            changed = Some(Vec::new());
        }
        if let Some(chosen) = chosen {
            let take = ui.add_enabled(!chosen.is_empty(), egui::Button::new("Chosen").small());
            if take.on_hover_text("Only those that are chosen in the list of muscles").clicked() {
                changed = Some(chosen.iter().map(|&name| name.to_owned()).collect());
            }
        }
        ui.menu_button("+", |ui| {
            egui::ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
                for name in known.iter().filter(|name| !names.iter().any(|of| of == *name)) {
                    if ui.button(*name).clicked() {
                        changed = Some(names.iter().cloned().chain([(*name).to_owned()]).collect());
                        ui.close();
                    }
                }
            });
        })
        .response
        .on_hover_text("Only those in the list, and this one");
    });
    if names.is_empty() {
        return changed;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for name in names {
            let last = names.len() == 1; // a list without a name would stand for all
            let response = ui.add_enabled(!last, egui::Button::new(format!("{name} ×")).small());
            if response.on_hover_text("Leave it out").clicked() {
                changed = Some(names.iter().filter(|of| *of != name).cloned().collect());
            }
        }
    });
    changed
}
