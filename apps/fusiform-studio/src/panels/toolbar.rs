//! The toolbar: menus, tools, and what the view shows.

use super::fit::kind_of;
use super::keys::{self, Command};
use super::{Mouse, Viewport};
use crate::model::{Action, Fit, Look, Recipe, Show, Studio, Tool};
use egui::Ui;
use fusiform_fit::Preset;

/// Menus; what is chosen in them goes into `actions` and `commands`.
pub fn menus(
    ui: &mut Ui,
    (studio, viewport): (&Studio, &mut Viewport),
    actions: &mut Vec<Action>,
    commands: &mut Vec<Command>,
) {
    ui.menu_button("Edit", |ui| edit(ui, studio, commands));
    ui.menu_button("Rig", |ui| rig(ui, studio, actions));
    ui.menu_button("View", |ui| view(ui, viewport, commands));
    ui.menu_button("Help", |ui| {
        if keys::entry(ui, "Keyboard shortcuts", Command::Help, true) {
            commands.push(Command::Help);
        }
    });
}

fn edit(ui: &mut Ui, studio: &Studio, commands: &mut Vec<Command>) {
    let named = |word: &str, label: Option<&str>| label.map_or(word.to_owned(), |label| format!("{word}: {label}"));
    let (undo, redo) = (studio.history.undo_label(), studio.history.redo_label());
    let any = !studio.muscles().is_empty();
    let is_any_chosen = !studio.chosen.is_empty();
    let entries: [(String, Command, bool); 8] = [
        (named("Undo", undo), Command::Undo, undo.is_some()),
        (named("Redo", redo), Command::Redo, redo.is_some()),
        ("Choose every muscle".into(), Command::SelectAll, any),
        ("Choose nothing".into(), Command::SelectNone, is_any_chosen || studio.joint.is_some()),
        ("Delete the chosen".into(), Command::Delete, is_any_chosen),
        ("Hide the chosen".into(), Command::Hide, !studio.chosen.is_subset(&studio.hidden)),
        ("Show only the chosen".into(), Command::Solo, is_any_chosen),
        ("Show all muscles".into(), Command::Unhide, !studio.hidden.is_empty()),
    ];
    for (words, command, is_there) in entries {
        if keys::entry(ui, &words, command, is_there) {
            commands.push(command);
        }
    }
}

fn rig(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let tip = "Template, roles of joints, fat, planes between opposed muscles, and how it came out";
    if ui.button("Fit…").on_hover_text(tip).clicked() {
        actions.push(Fit::Show(true).into());
        ui.close();
    }
    ui.label("Muscles after");
    for preset in Preset::ALL {
        let tip = format!("{} It takes the place of the muscles there are.", kind_of(preset));
        if ui.button(preset.name()).on_hover_text(tip).clicked() {
            let recipe = Recipe { preset, ..studio.fit.recipe.clone() };
            actions.extend([Fit::Recipe(recipe).into(), Fit::Show(true).into(), Fit::Run.into()]);
            ui.close();
        }
    }
}

fn view(ui: &mut Ui, viewport: &mut Viewport, commands: &mut Vec<Command>) {
    let looks = [
        ("Frame what is chosen", Command::Frame),
        ("From the front", Command::Front),
        ("From the side", Command::Side),
        ("From above", Command::Top),
        ("From behind", Command::Behind),
        ("From the other side", Command::OtherSide),
        ("From below", Command::Below),
    ];
    for (words, command) in looks {
        if keys::entry(ui, words, command, true) {
            commands.push(command);
        }
    }
    ui.separator();
    ui.checkbox(&mut viewport.extras.grid, "Ground grid");
    let extras = [
        ("Bones", Command::Bones, viewport.extras.bones),
        ("Wireframe", Command::Wireframe, viewport.extras.wireframe),
        ("Split", Command::Split, viewport.split.is_some()),
    ];
    for (words, command, on) in extras {
        if keys::tick(ui, words, command, on) {
            commands.push(command);
        }
    }
    ui.separator();
    ui.label("Mouse");
    ui.radio_value(&mut viewport.mouse, Mouse::Maya, "as in Maya");
    ui.radio_value(&mut viewport.mouse, Mouse::Blender, "as in Blender");
    ui.separator();
    ui.label("Colours");
    let mut theme = ui.ctx().options(|options| options.theme_preference);
    for (of, words) in [
        (egui::ThemePreference::System, "as the system"),
        (egui::ThemePreference::Dark, "dark"),
        (egui::ThemePreference::Light, "light"),
    ] {
        if ui.radio_value(&mut theme, of, words).changed() {
            ui.ctx().set_theme(theme);
        }
    }
    ui.separator();
    ui.label("Size of everything");
    let now = ui.ctx().zoom_factor();
    for (zoom, words) in [(1.0, "1 x"), (1.25, "1.25 x"), (1.5, "1.5 x"), (2.0, "2 x")] {
        if ui.radio(now == zoom, words).clicked() {
            ui.ctx().set_zoom_factor(zoom);
        }
    }
}

/// Tools, and what the view shows.
pub fn tools(
    ui: &mut Ui,
    (studio, viewport): (&Studio, &Viewport),
    actions: &mut Vec<Action>,
    commands: &mut Vec<Command>,
) {
    for (tool, name, tip) in Tool::ALL {
        let tip = keys::tip(ui, tip, Command::Tool(tool));
        if ui.selectable_label(studio.tool == tool, name).on_hover_text(tip).clicked() {
            actions.push(Look::Tool(tool).into());
        }
    }
    ui.separator();
    for (i, (show, name, tip)) in Show::ALL.into_iter().enumerate() {
        let tip = keys::tip(ui, tip, Command::Show(i));
        if ui.selectable_label(studio.show == show, name).on_hover_text(tip).clicked() {
            actions.push(Look::Show(show).into());
        }
    }
    ui.separator();
    if ui.selectable_label(viewport.split.is_some(), "Split").on_hover_text(keys::about(ui, Command::Split)).clicked() {
        commands.push(Command::Split);
    }
    if ui.button("Frame").on_hover_text(keys::about(ui, Command::Frame)).clicked() {
        commands.push(Command::Frame);
    }
}
