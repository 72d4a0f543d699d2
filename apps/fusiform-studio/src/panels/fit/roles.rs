//! Which joint is what: as it is found, and as a person says.

use crate::model::{Action, Fit, Studio, every_role, written_role};
use egui::{ComboBox, Ui};
use fusiform_fit::{Evidence, How};

/// Draw; what is done goes into `actions`.
pub fn show(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let found = studio.fit.recipe.roles(&studio.fit.found);
    let (known, all) = (found.roles.iter().count(), every_role().count());
    ui.collapsing(format!("Roles of joints: {known} of {all}"), |ui| {
        ui.weak("Templates place muscles by these; pairs need none of them.");
        if !studio.fit.recipe.given.is_empty() && ui.button("As found").clicked() {
            let mut recipe = studio.fit.recipe.clone();
            recipe.given.clear();
            actions.push(Fit::Recipe(recipe).into());
        }
        let joints = &studio.project.character.skeleton.joints;
        egui::Grid::new("roles").num_columns(3).striped(true).show(ui, |ui| {
            for (role, side) in every_role() {
                let (name, joint) = (written_role(role, side), found.roles.get(role, side));
                let mut chosen = joint;
                let selected = joint.map_or("none", |joint| &*joints[joint].name);
                ComboBox::from_label(&*name).selected_text(selected).width(140.0).show_ui(ui, |ui| {
                    ui.selectable_value(&mut chosen, None, "none");
                    for (joint, of) in joints.iter().enumerate() {
                        ui.selectable_value(&mut chosen, Some(joint), &*of.name);
                    }
                });
                let said = studio.fit.recipe.given.contains_key(&(role, role.is_sided().then_some(side)));
                let none = if said { "as you say" } else { "" };
                ui.weak(found.evidence(role, side).map_or(none.into(), sure));
                ui.end_row();
                if chosen != joint {
                    let mut recipe = studio.fit.recipe.clone();
                    // a joint plays one role: what was said of it before is taken back
                    recipe.given.retain(|_, other| other.is_none() || *other != chosen);
                    recipe.given.insert((role, role.is_sided().then_some(side)), chosen);
                    actions.push(Fit::Recipe(recipe).into());
                }
            }
        });
    });
}

/// How sure it is, and what told it.
fn sure(Evidence { confidence, how }: Evidence) -> String {
    let by = match how {
        How::Named => "by name",
        How::Counted => "by its place in a row",
        How::Structure => "by shape",
        How::Given => "as you say",
    };
    format!("{:.0} %, {by}", 100.0 * confidence)
}
