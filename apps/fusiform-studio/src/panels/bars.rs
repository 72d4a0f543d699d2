//! Bars above everything: what has happened to files, and what can be done about it.

use super::Wish;
use crate::model::{Fault, OnDisk, Recovered, system};
use egui::{Align2, Area, Context, Frame, Id, Label, Order, RichText, Spinner, Ui};
use std::time::SystemTime;

/// More warnings than this are told when the mouse rests on them.
const MOST_WARNINGS: usize = 3;

/// What is wrong, each in a row of its own; none of what people have read.
pub fn faults(ui: &mut Ui, told: Vec<&mut Option<Fault>>) {
    if told.is_empty() {
        return;
    }
    egui::Panel::top("fault").show(ui, |ui| {
        for told in told {
            ui.horizontal_wrapped(|ui| {
                if let Some(fault) = told {
                    ui.colored_label(ui.visuals().error_fg_color, fault.to_string());
                }
                if ui.button("Dismiss").clicked() {
                    *told = None;
                }
            });
        }
    });
}

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
    // what was downloaded is kept, too: nobody says whether it came through
    let work = if system::HAS_FOLDERS { "Unsaved work" } else { "Work" };
    let words = format!("{work} on {name} from {}", ago(*when));
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

/// What had to be guessed, or was left alone: the first few, and the rest on hovering; whether people have read it.
pub fn warnings(ui: &mut Ui, told: &[String]) -> bool {
    if told.is_empty() {
        return false;
    }
    let (first, more) = told.split_at(told.len().min(MOST_WARNINGS));
    let shown = egui::Panel::top("warnings").show(ui, |ui| {
        for warning in first {
            let words = RichText::new(warning).color(ui.visuals().warn_fg_color);
            ui.add(Label::new(words).truncate());
        }
        let below = |ui: &mut Ui| {
            if !more.is_empty() {
                ui.weak(format!("and {} more", more.len())).on_hover_text(more.join("\n"));
            }
            ui.button("Dismiss").clicked()
        };
        ui.horizontal(below).inner
    });
    shown.inner
}

/// What is done beside the window, over everything else; whether people do not want it any more, where it `stops`.
pub fn under_way(context: &Context, words: &str, stops: bool) -> bool {
    let area = Area::new(Id::unique("under way")).order(Order::Foreground).anchor(Align2::CENTER_BOTTOM, [0.0, -70.0]);
    let shown = area.interactable(stops).show(context, |ui| {
        let inside = |ui: &mut Ui| {
            ui.add(Spinner::new());
            ui.label(words);
            stops && ui.button("Never mind").clicked()
        };
        Frame::popup(ui.style()).show(ui, |ui| ui.horizontal(inside).inner).inner
    });
    shown.inner
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

/// What becomes of files that are held over the window.
pub fn hovering(context: &Context) {
    if context.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let area = Area::new(Id::unique("hovering")).order(Order::Foreground);
    area.anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO).show(context, |ui| {
        Frame::popup(ui.style()).inner_margin(16.0).show(ui, |ui| {
            ui.heading("Drop it here");
            ui.label("A character is opened, a .bvh moves the one that is open, a .toml is a template for it.");
        });
    });
}
