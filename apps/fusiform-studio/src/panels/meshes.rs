//! The list of meshes: which of them are shown, and worked on.

use super::muscles::eye;
use crate::model::{Action, Look, Studio};
use egui::{CollapsingHeader, Label, ScrollArea, Ui};

/// Lines that are seen at once, at most.
const LINES: f32 = 7.0;
/// Of every eye.
const TIP: &str = "In the picture or not. What is hidden is not painted, either, and no muscle is put on it; seams with what is \
                   shown stay whole. Alt-click shows this mesh alone, or all again";

/// Draw, of what has several; what is done goes into `actions`.
pub fn show(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let meshes = &studio.project.character.meshes;
    if meshes.len() < 2 {
        return;
    }
    egui::Panel::bottom("meshes").show(ui, |ui| {
        let header = CollapsingHeader::new(format!("Meshes ({})", meshes.len())).id_salt("meshes").default_open(true);
        header.show_unindented(ui, |ui| {
            let height = ui.spacing().interact_size.y;
            let most = LINES * (height + ui.spacing().item_spacing.y);
            let scroll = ScrollArea::vertical().max_height(most).min_scrolled_height(most).auto_shrink([false, true]);
            scroll.show_rows(ui, height, meshes.len(), |ui, rows| {
                for mesh in rows {
                    ui.push_id(mesh, |ui| line(ui, studio, mesh, actions));
                }
            });
        });
    });
}

fn line(ui: &mut Ui, studio: &Studio, mesh: usize, actions: &mut Vec<Action>) {
    let name = &studio.project.character.meshes[mesh].name;
    ui.horizontal(|ui| {
        let is_shown = !studio.hidden_meshes.contains(&mesh);
        if let Some(shows) = eye(ui, &format!("mesh {name}"), is_shown, TIP) {
            match ui.input(|input| input.modifiers.alt) {
                true => actions.extend(alone(studio, mesh)),
                false => actions.push(Look::HideMesh(mesh, !shows).into()),
            }
        }
        ui.add(Label::new(name).truncate().selectable(false));
    });
}

/// Show a mesh alone, or all where it is alone already.
fn alone(studio: &Studio, mesh: usize) -> impl Iterator<Item = Action> {
    let others = (0..studio.project.character.meshes.len()).filter(move |&other| other != mesh);
    let is_alone = others.clone().all(|other| studio.hidden_meshes.contains(&other));
    let hide = move |other| Look::HideMesh(other, !is_alone).into();
    others.map(hide).chain([Look::HideMesh(mesh, false).into()])
}
