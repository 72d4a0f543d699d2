//! The list of muscles: search, choose, hide.

use crate::model::{Action, Look, Studio};
use egui::Ui;

/// What is typed into the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Muscles {
    search: String,
}

impl Muscles {
    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        let muscles = studio.muscles();
        ui.heading(format!("Muscles ({})", muscles.len()));
        ui.horizontal(|ui| {
            let label = ui.label("Search");
            ui.text_edit_singleline(&mut self.search).labelled_by(label.id);
        });
        ui.horizontal(|ui| {
            if ui.button("Solo").on_hover_text("Show only the chosen muscles").clicked() {
                actions.push(Look::Solo.into());
            }
            if ui.button("Show all").clicked() {
                actions.push(Look::Unhide.into());
            }
            let mut mirrored = studio.mirrored;
            let tip = "Do to the other side whatever is done to one";
            if ui.checkbox(&mut mirrored, "Mirror").on_hover_text(tip).changed() {
                actions.push(Look::Mirrored(mirrored).into());
            }
        });
        ui.separator();
        let wanted = self.search.to_lowercase();
        let found: Vec<usize> =
            (0..muscles.len()).filter(|&m| muscles[m].name.to_lowercase().contains(&wanted)).collect();
        if found.is_empty() {
            ui.weak(if muscles.is_empty() { "none yet: Rig gives it some" } else { "no muscle is called so" });
        }
        let height = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, found.len(), |ui, rows| {
            for &m in &found[rows] {
                ui.horizontal(|ui| Self::row(ui, studio, m, actions));
            }
        });
    }

    fn row(ui: &mut Ui, studio: &Studio, m: usize, actions: &mut Vec<Action>) {
        let name = &*studio.muscles()[m].name;
        let mut shown = !studio.hidden.contains(&m);
        let eye = ui.checkbox(&mut shown, "");
        let words = format!("Show {name}");
        eye.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, shown, &words));
        if eye.changed() {
            actions.push(Look::Hide(m, !shown).into());
        }
        if ui.selectable_label(studio.chosen.contains(&m), name).clicked() {
            let beside = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            actions.push(Look::Select(Some(m), beside).into());
        }
    }
}
