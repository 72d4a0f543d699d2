//! The chosen muscles: every number and choice they have, by group.

use super::activation::flex;
use super::{group, pose};
use crate::model::{
    Action, CHOICES, DIALS, Edit, GROUPS, Play, Studio, Target, Twin, keeps_to_its_side, leaders, other_side,
};
use crate::panels::rows::Hand;
use egui::Ui;
use fusiform::Muscle;
use fusiform::musculature::Contraction;

/// The group that is folded at first: numbers that are measured, not set by hand.
const FOLDED: &str = "Rates";

/// Draw; what is done goes into `actions`.
pub fn show(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    pose::show(hand, ui, studio, actions);
    let chosen: Vec<&Muscle> = studio.chosen.iter().map(|&m| &studio.muscles()[m]).collect();
    match *chosen {
        [] => {
            ui.heading("No muscle is chosen");
            ui.weak("Choose one, in the view or in the list, to shape it.");
        }
        [muscle] => {
            ui.heading(&*muscle.name);
            mirror(ui, studio);
            ui.weak(format!("{} to {}", muscle.origin.joint, muscle.insertion.joint));
            state(ui, studio);
        }
        _ => {
            ui.heading(format!("{} muscles", chosen.len()));
            ui.weak("A dot marks what differs between them; an edit makes it the same.");
        }
    }
    ui.add_space(4.0);
    let leading = leaders(&studio.project, studio.muscles(), &studio.chosen, studio.mirrored);
    let leading: Vec<&Muscle> = leading.into_iter().map(|m| &studio.muscles()[m]).collect();
    for name in GROUPS {
        let has_any = CHOICES.iter().any(|of| of.group == name && chosen.iter().any(|m| of.of(m).is_some()))
            || DIALS.iter().any(|of| of.group == name && chosen.iter().any(|m| of.of(m).is_some()));
        if has_any {
            group(ui, name, name != FOLDED, |ui| rows(hand, ui, (name, &chosen, &leading), actions));
        }
    }
    ui.separator();
    flex(hand, ui, studio, actions);
}

/// What the other side does not get, while it follows.
fn mirror(ui: &mut Ui, studio: &Studio) {
    let Some(&m) = studio.chosen.first().filter(|_| studio.mirrored) else { return };
    if other_side(&studio.project, studio.document(), Target::Muscle(m)).is_none() {
        let tip = "Mirror changes nothing else: no muscle is called as this one on the other side, or lies where its mirror \
                   image would";
        ui.colored_label(ui.visuals().warn_fg_color, "no other side").on_hover_text(tip);
    } else if let Some(why) = keeps_to_its_side(studio, m) {
        ui.colored_label(ui.visuals().warn_fg_color, why);
    }
}

fn state(ui: &mut Ui, studio: &Studio) {
    let Some(&m) = studio.chosen.first() else { return };
    let (body, state) = studio.live.muscled();
    let (rest, now) = (body.rest_lengths()[m], state.lengths()[m]);
    ui.weak(format!(
        "{:.1} cm, {:.0} % of rest; {:.0} % tense",
        100.0 * now,
        100.0 * now / rest,
        100.0 * state.activations()[m]
    ));
}

/// Of what a twin has the other way, the muscles that lead are shown: a pair that is mirrored does not differ.
fn rows(
    hand: &mut Hand,
    ui: &mut Ui,
    (name, chosen, leading): (&str, &[&Muscle], &[&Muscle]),
    actions: &mut Vec<Action>,
) {
    for (i, choice) in CHOICES.iter().enumerate().filter(|(_, choice)| choice.group == name) {
        let options: Vec<usize> = chosen.iter().filter_map(|muscle| choice.of(muscle)).collect();
        if let Some(option) = hand.choice(ui, choice, &options) {
            actions.push(Edit::Choose(i, option).into());
        }
    }
    for (i, dial) in DIALS.iter().enumerate().filter(|(_, dial)| dial.group == name) {
        let most = chosen.iter().map(|muscle| dial.count(muscle)).max().unwrap_or(0);
        for at in 0..most {
            let shown = if dial.twin == Twin::Same { chosen } else { leading };
            let values: Vec<f32> = shown.iter().filter_map(|muscle| dial.nth(muscle, at)).collect();
            if let Some((value, gesture)) = hand.number(ui, dial, &dial.name(at), &values) {
                let edit = if dial.many { Edit::Nth(i, at, value) } else { Edit::Dial(i, value) };
                actions.push(Action::Edit(edit, gesture));
            }
        }
    }
    if name == "Contraction" {
        shapes(ui, chosen, actions);
    }
}

/// Shapes sculpted in poses come and go, and the body goes to their poses.
fn shapes(ui: &mut Ui, chosen: &[&Muscle], actions: &mut Vec<Action>) {
    let count = |muscle: &&&Muscle| match &muscle.contraction {
        Contraction::PoseShapes { shapes, .. } => shapes.len(),
        _ => 0,
    };
    let most = chosen.iter().map(|muscle| count(&muscle)).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let tip = "One more sculpted shape, for the pose that is seen: as at bind until it is sculpted.";
        if ui.button("Add shape").on_hover_text(tip).clicked() {
            actions.push(Edit::AddShape.into());
        }
        let tip = "Joints that shapes are for, as they are at bind: there the shape at bind is sculpted.";
        if ui.button("Go to bind").on_hover_text(tip).clicked() {
            go_to(None, actions);
        }
        for at in 0..most {
            let tip = "Joints as they were when this shape was made: what is sculpted there is this shape.";
            if ui.button(format!("Go to pose {}", at + 1)).on_hover_text(tip).clicked() {
                go_to(Some(at), actions);
            }
            let tip = "The belly no longer has its sculpted shape in this pose.";
            if ui.button(format!("Remove shape {}", at + 1)).on_hover_text(tip).clicked() {
                actions.push(Edit::RemoveShape(at).into());
            }
        }
    });
}

/// A clip that goes on would leave the pose at once.
fn go_to(shape: Option<usize>, actions: &mut Vec<Action>) {
    actions.extend([Play::Run(false).into(), Edit::GoToShape(shape).into()]);
}
