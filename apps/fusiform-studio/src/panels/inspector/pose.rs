//! The joint that is turned by hand: its angles, and how it gets back.

use crate::model::{ANGLES, Action, Edit, Studio, Tool, angles, turn_from};
use crate::panels::keys::{self, Command};
use crate::panels::rows::{Hand, look_alike};
use egui::{DragValue, Label, Ui};

/// Of a degree.
const DECIMALS: usize = 1;

/// Draw, while joints are turned; what is done goes into `actions`.
pub fn show(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let Some(joint) = studio.joint.filter(|_| studio.tool == Tool::Pose) else { return };
    ui.horizontal(|ui| {
        let tip = "Turn it back to where the clip, or the bind pose, has it; other joints stay as they are";
        let tip = keys::tip(ui, tip, Command::ResetJoint);
        if ui.button("Reset joint").on_hover_text(tip).clicked() {
            actions.push(Edit::Unturn(Some(joint)).into());
        }
        ui.add(Label::new(&*studio.project.character.skeleton.joints[joint].name).truncate());
    });
    fields(hand, ui, (studio, joint), actions);
    ui.separator();
}

/// Twist, bend and side.
fn fields(hand: &mut Hand, ui: &mut Ui, (studio, joint): (&Studio, usize), actions: &mut Vec<Action>) {
    let skeleton = &studio.project.character.skeleton;
    let Some(now) = angles(skeleton, &studio.live, joint) else { return };
    ui.horizontal(|ui| {
        for (i, (name, axis)) in ANGLES.into_iter().enumerate() {
            let mut wanted = now;
            let label = ui.label(name);
            let drag = DragValue::new(&mut wanted[i]).range(-180.0..=180.0).clamp_existing_to_range(false).speed(0.5);
            let drag = drag.fixed_decimals(DECIMALS).update_while_editing(false).suffix("°");
            let mirror = if studio.mirrored { "; the other side follows as in a mirror" } else { "" };
            let tip = format!("How far it is turned since bind {axis}, -180 to 180°{mirror}");
            let response = ui.add(drag).labelled_by(label.id).on_hover_text(tip);
            let gesture = hand.of(&response);
            let is_new = gesture.is_some() || !look_alike(wanted[i], now[i], DECIMALS);
            if response.changed() && is_new {
                actions.push(Action::Edit(Edit::TurnTo(joint, turn_from(skeleton, joint, wanted)), gesture));
            }
        }
    });
}
