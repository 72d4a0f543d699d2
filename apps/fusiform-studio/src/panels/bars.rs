//! Bars above everything: what has happened to files, and what can be done about it.

use super::Wish;
use crate::model::{OnDisk, Recovered, system};
use egui::Ui;
use std::time::SystemTime;

/// What a crash left behind, one at a time.
pub fn left_behind(ui: &mut Ui, found: &[Recovered], wishes: &mut Vec<Wish>) {
    let Some(first) = found.first() else { return };
    egui::Panel::top("left behind").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            offer(ui, first, wishes);
            if ui.button("Later").on_hover_text("It is offered again at the next start").clicked() {
                wishes.push(Wish::Later);
            }
            if found.len() > 1 {
                ui.weak(format!("and {} more", found.len() - 1));
            }
        });
    });
}

/// One of them, with what can be done about it.
pub fn offer(ui: &mut Ui, recovered: &Recovered, wishes: &mut Vec<Wish>) {
    let Recovered { name, when, .. } = recovered;
    let words = format!("Unsaved work on {name} from {}", ago(*when));
    let label = ui.colored_label(ui.visuals().warn_fg_color, words);
    if let Some(path) = &recovered.path {
        label.on_hover_text(path.display().to_string());
    }
    let tip = "It becomes the open file, and is saved when you save it";
    if ui.button("Bring back").on_hover_text(tip).clicked() {
        wishes.push(Wish::BringBack(recovered.clone()));
    }
    if ui.button("Discard").clicked() {
        wishes.push(Wish::Discard(recovered.clone()));
    }
}

/// Someone else has been at the file.
pub fn on_disk(ui: &mut Ui, name: &str, state: OnDisk, wishes: &mut Vec<Wish>) {
    let (words, answer, wish, tip) = match state {
        OnDisk::Same => return,
        OnDisk::Changed => {
            let words = format!("{name} was changed by someone else since it was opened or saved.");
            (words, "Reload", Wish::Reload, "Read it again; what is not saved here is lost")
        }
        OnDisk::Gone => {
            let words = format!("{name} is no longer where it was.");
            (words, "Save it again", Wish::Save, "Write it to where it was")
        }
    };
    egui::Panel::top("on disk").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(ui.visuals().warn_fg_color, words);
            if ui.button(answer).on_hover_text(tip).clicked() {
                wishes.push(wish);
            }
            if ui.button("Keep mine").on_hover_text("The next save replaces what is there").clicked() {
                wishes.push(Wish::KeepMine);
            }
        });
    });
}

/// How long ago, as people say it.
#[must_use]
pub fn ago(when: SystemTime) -> String {
    let seconds = system::now().duration_since(when).unwrap_or_default().as_secs();
    let told = |n: u64, word: &str| format!("{n} {word}{} ago", if n == 1 { "" } else { "s" });
    match seconds {
        0..60 => "just now".into(),
        60..3_600 => told(seconds / 60, "minute"),
        3_600..86_400 => told(seconds / 3_600, "hour"),
        _ => told(seconds / 86_400, "day"),
    }
}
