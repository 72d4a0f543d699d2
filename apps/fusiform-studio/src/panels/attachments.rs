//! Attachments: what a muscle is called, which joints carry it, and where its points are.

use super::rows::{Hand, capital, look_alike};
use crate::model::{Action, Curve, Edit, Grip, MOST_POINTS, Placing, Studio, Tool, Twins, metres};
use egui::{CollapsingHeader, ComboBox, DragValue, PopupCloseBehavior, Ui};
use fusiform::musculature::{Attachment, Path};

/// Of a place in centimetres.
const DECIMALS: usize = 2;

/// What is typed, and the drag that goes on.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    name: Option<(usize, String)>,
    search: String,
    /// The list of joints that is open, by its label.
    open: Option<String>,
    hand: Hand,
    tool: Tool,
}

impl Attachments {
    /// Draw; what is done goes into `actions`.
    pub fn show(&mut self, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
        if studio.chosen.is_empty() {
            return;
        }
        // who takes up the tool wants to see the numbers
        let opens = studio.tool == Tool::Place && self.tool != Tool::Place;
        self.tool = studio.tool;
        CollapsingHeader::new("Attachments").open(opens.then_some(true)).show(ui, |ui| {
            if let Some(m) = studio.leader() {
                self.rename(ui, studio, m, actions);
                self.points(ui, studio, m, actions);
                self.via(ui, studio, m, actions);
                curves(ui, studio, m, actions);
            }
            buttons(ui, studio, actions);
        });
    }

    fn rename(&mut self, ui: &mut Ui, studio: &Studio, m: usize, actions: &mut Vec<Action>) {
        let is = &studio.muscles()[m].name;
        let mut typed = self.name.take().filter(|(of, _)| *of == m).map_or_else(|| is.clone(), |(_, typed)| typed);
        ui.horizontal(|ui| {
            let label = ui.label("Name");
            let field = ui.text_edit_singleline(&mut typed).labelled_by(label.id).on_hover_text(
                "Unique; a left muscle ends in .l, its twin in .r. Layers, drivers and keys that name it follow.",
            );
            if field.has_focus() {
                self.name = Some((m, typed.clone()));
            } else if field.lost_focus()
                && typed.trim() != is
                && !ui.input(|input| input.key_pressed(egui::Key::Escape))
            {
                actions.push(Placing::Rename(m, typed.clone()).into());
            }
        });
    }

    /// The joint and the place of every point.
    fn points(&mut self, ui: &mut Ui, studio: &Studio, m: usize, actions: &mut Vec<Action>) {
        let muscle = &studio.muscles()[m];
        for grip in Grip::all(muscle) {
            let Some(at) = grip.attachment(muscle) else { continue };
            let name = capital(&grip.name());
            let tip =
                "The joint that carries it: the point stays where it is, and moves with another bone from now on.";
            ui.push_id(grip, |ui| {
                if let Some(joint) = self.joint(ui, studio, &format!("{name} joint"), &at.joint, tip) {
                    actions.push(Placing::Joint(m, grip, joint).into());
                }
                self.numbers(ui, studio, (m, grip), (&name, at), actions);
                let tip = "Move it to the nearest skin: where the body is thick, ends lie far below it.";
                if matches!(grip, Grip::Origin | Grip::Insertion)
                    && ui.small_button(format!("{name} to the skin")).on_hover_text(tip).clicked()
                {
                    actions.push(Placing::ToSkin(m, grip).into());
                }
            });
        }
        let is = muscle.carrier.as_deref().unwrap_or("as the origin");
        let tip = "The joint that carries the belly at rest, for skin that is drawn along by shells.";
        if let Some(joint) = self.joint(ui, studio, "Carrier", is, tip) {
            actions.push(Placing::Carrier(m, Some(joint)).into());
        }
        if muscle.carrier.is_some() && ui.small_button("Carrier as the origin").clicked() {
            actions.push(Placing::Carrier(m, None).into());
        }
    }

    /// A joint to choose, by what is typed; the one that was chosen.
    fn joint(&mut self, ui: &mut Ui, studio: &Studio, label: &str, is: &str, tip: &str) -> Option<String> {
        let mut chosen = None;
        let combo = ComboBox::from_label(label).selected_text(is).width(150.0).height(260.0);
        let shown = combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show_ui(ui, |ui| {
            if self.open.as_deref() != Some(label) {
                // what was looked for in another list, or the last time, is not what is wanted now
                self.search.clear();
                self.open = Some(label.to_owned());
            }
            ui.horizontal(|ui| {
                let label = ui.label("Find");
                let field = egui::TextEdit::singleline(&mut self.search).desired_width(110.0);
                let field = ui.add(field).labelled_by(label.id);
                if ui.memory(|memory| memory.focused().is_none()) {
                    field.request_focus(); // who opens the list may type at once
                }
            });
            let wanted = self.search.to_lowercase();
            let joints = studio.project.character.skeleton.joints.iter().map(|joint| &*joint.name);
            for joint in joints.filter(|joint| joint.to_lowercase().contains(&wanted)) {
                if ui.selectable_label(joint == is, joint).clicked() {
                    chosen = Some(joint.to_owned()).filter(|joint| joint != is);
                    ui.close();
                }
            }
        });
        if shown.inner.is_none() && self.open.as_deref() == Some(label) {
            self.open = None;
        }
        shown.response.on_hover_text(tip);
        chosen
    }

    /// The place of a point, cm on the body; the document has it in the joint's own units.
    fn numbers(
        &mut self,
        ui: &mut Ui,
        studio: &Studio,
        (m, grip): (usize, Grip),
        (name, at): (&str, &Attachment),
        actions: &mut Vec<Action>,
    ) {
        let tip =
            "From the joint along its axes, cm. Where a muscle holds on says how far it shortens, and swells the skin.";
        let centimetres = 100.0 * metres(&studio.project.character.skeleton, &at.joint);
        ui.horizontal(|ui| {
            for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let mut number = centimetres[i] * at.point[i];
                let before = number;
                let drag = DragValue::new(&mut number).speed(0.05).max_decimals(DECIMALS).suffix(" cm");
                let drag = drag.prefix(format!("{axis} ")).update_while_editing(false);
                let response = ui.add(drag).accessible_name(format!("{name} {axis}")).on_hover_text(tip);
                let gesture = self.hand.of(&response);
                if response.changed() && (gesture.is_some() || !look_alike(number, before, DECIMALS)) {
                    let mut moved = at.point;
                    moved[i] = number / centimetres[i];
                    actions.push(Action::Edit(Edit::Place(Placing::Grip(m, grip, moved)), gesture));
                }
            }
        });
    }

    fn via(&self, ui: &mut Ui, studio: &Studio, m: usize, actions: &mut Vec<Action>) {
        let n = match &studio.muscles()[m].path {
            Path::Bezier { .. } => 0,
            Path::Polyline { via, .. } => via.len(),
            _ => return,
        };
        ui.horizontal_wrapped(|ui| {
            let tip = "A hinge the muscle runs over, between the last one and the insertion: a curve becomes a line through its middle.";
            if ui.button("Add via point").on_hover_text(tip).clicked() {
                actions.push(Placing::AddVia(m, n).into());
            }
            for k in 0..n {
                let tip = "A line without tendons becomes a curve again with its last via point.";
                if ui.small_button(format!("Remove via point {}", k + 1)).on_hover_text(tip).clicked() {
                    actions.push(Placing::RemoveVia(m, k).into());
                }
                let tip = "One more hinge, half-way to the point before this one.";
                if ui.small_button(format!("Add before via point {}", k + 1)).on_hover_text(tip).clicked() {
                    actions.push(Placing::AddVia(m, k).into());
                }
            }
        });
    }
}

/// Points of a sheet's curves come and go.
fn curves(ui: &mut Ui, studio: &Studio, m: usize, actions: &mut Vec<Action>) {
    let Path::Sheet { origin, middle, insertion, .. } = &studio.muscles()[m].path else { return };
    let all = [
        (Curve::Origin, "origin curve", origin, 1),
        (Curve::Middle, "middle curve", middle, 0),
        (Curve::Insertion, "insertion curve", insertion, 1),
    ];
    for (curve, name, points, least) in all {
        ui.horizontal_wrapped(|ui| {
            let tip = "One more point half-way between the two that are farthest apart, up to 16. A middle curve begins with \
                       points where the bellies pass without it.";
            let add = ui.add_enabled(points.len() < MOST_POINTS, egui::Button::new(format!("Add to {name}")));
            if add.on_hover_text(tip).clicked() {
                actions.push(Placing::AddPoint(m, curve).into());
            }
            for k in 0..points.len() {
                let remove = egui::Button::new(format!("Remove {name} {}", k + 1)).small();
                let remove = ui.add_enabled(points.len() > least, remove);
                if remove.on_hover_text("Bellies begin, pass or end at those that are left").clicked() {
                    actions.push(Placing::RemovePoint(m, curve, k).into());
                }
            }
        });
    }
}

fn buttons(ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let duplicate: Button = (
        "Duplicate",
        Placing::Duplicate.into(),
        "A copy under another name, in the same place. It moves no skin until it finds some, or is painted some.",
    );
    let rest: [Button; 2] = [
        (
            "Find its skin",
            Placing::Weigh.into(),
            "Weigh it anew on the skin that lies over it now; other muscles give way only where there is no room.",
        ),
        ("Delete", Edit::Delete.into(), "Delete it, and all that names it."),
    ];
    ui.horizontal_wrapped(|ui| {
        for (name, action, tip) in [duplicate].into_iter().chain(mirroring(studio)).chain(rest) {
            if ui.button(name).on_hover_text(tip).clicked() {
                actions.push(action);
            }
        }
    });
}

/// What it says, what it does, and that in more words.
pub type Button = (&'static str, Action, &'static str);

/// Ways to make the other side equal: of a pair that is chosen either side may be the model.
pub fn mirroring(studio: &Studio) -> Vec<Button> {
    let (muscles, chosen) = (studio.muscles(), &studio.chosen);
    let twins = Twins::new(&studio.project, muscles);
    if chosen.iter().any(|&m| twins.of(m).is_some_and(|other| chosen.contains(&other))) {
        let left = "Make the right side the mirror image of the left one, with its weights.";
        let right = "Make the left side the mirror image of the right one, with its weights.";
        return vec![
            ("Left to right", Placing::LeftToRight.into(), left),
            ("Right to left", Placing::RightToLeft.into(), right),
        ];
    }
    let tip = "Make the other side the mirror image of this one, with its weights; a muscle that has no twin gets one.";
    vec![("Mirror over", Placing::MirrorOver.into(), tip)]
}
