//! The inspector: every number of what is chosen, and of the whole body.

mod activation;
mod body;
mod layers;
mod muscle;
mod names;
mod pose;

use super::attachments::Attachments;
use super::rows::Hand;
use crate::model::{Action, Studio, Tool};
use egui::Ui;

/// What the inspector shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Muscle,
    Body,
    Skin,
    Activation,
}

const TABS: [(Tab, &str, &str); 4] = [
    (Tab::Muscle, "Muscle", "Every number of the chosen muscles"),
    (Tab::Body, "Body", "Build, skinning and bones of the whole body"),
    (Tab::Skin, "Skin", "Layers: what muscles and bones do to the skin, in order"),
    (Tab::Activation, "Activation", "What tenses muscles"),
];

/// Which tab is open, and the drag that goes on.
#[derive(Clone, Debug, Default)]
pub struct Inspector {
    tab: Tab,
    hand: Hand,
    attachments: Attachments,
    /// The bone whose numbers are at hand.
    bone: Option<usize>,
}

impl Inspector {
    /// The bone under the skin whose numbers are at hand, if one's are.
    #[must_use]
    pub fn bone(&self) -> Option<usize> {
        self.bone
    }

    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        ui.add_space(4.0);
        let mut next = self.tab;
        ui.horizontal(|ui| {
            for (tab, name, tip) in TABS {
                let response = ui.selectable_label(self.tab == tab, name);
                let words = format!("{name} tab");
                let chosen = self.tab == tab;
                response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, &words));
                if response.on_hover_text(tip).clicked() {
                    next = tab;
                }
            }
        });
        ui.separator();
        self.hand.height = studio.project.character.height();
        let bone = self.bone.take();
        let scroll = egui::ScrollArea::vertical().id_salt(TABS[self.tab as usize].1).auto_shrink(false);
        scroll.show(ui, |ui| match self.tab {
            Tab::Muscle => {
                // who places muscles wants their points at hand, who shapes them their numbers
                let places = matches!(studio.tool, Tool::Create | Tool::Place);
                if places {
                    self.attachments.show(ui, studio, actions);
                }
                muscle::show(&mut self.hand, ui, studio, actions);
                if !places {
                    self.attachments.show(ui, studio, actions);
                }
            }
            Tab::Body => self.bone = body::show(&mut self.hand, ui, studio, bone, actions),
            Tab::Skin => layers::show(&mut self.hand, ui, studio, actions),
            Tab::Activation => activation::show(&mut self.hand, ui, studio, actions),
        });
        // what is typed here counts before another tab is shown
        self.tab = next;
    }
}

/// A group of rows that folds; `open` at first.
fn group<R>(ui: &mut Ui, name: &str, open: bool, rows: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    let header = egui::CollapsingHeader::new(egui::RichText::new(name).strong()).id_salt(name).default_open(open);
    let body = header.show_unindented(ui, rows).body_returned;
    ui.add_space(2.0);
    body
}
