//! The File menu, and what can be wished for of files.

use super::keys::{self, Command};
use crate::model::{Recent, Recovered, system};
use egui::Ui;
use std::path::{Path, PathBuf};

/// What is wished for of files; whether it can be, and what is asked before, the window knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Begin with the built-in character.
    Athlete,
    /// Choose a character and open it.
    Open,
    /// Open that one.
    OpenFile(PathBuf),
    /// Choose a template of muscles, for the character that is opened next.
    Template,
    /// No template after all.
    NoTemplate,
    /// Strike that one from the list of recent files.
    Strike(PathBuf),
    /// Choose a motion and put it on the character.
    AddMotion,
    /// Save where it came from.
    Save,
    /// Choose a place and save there.
    SaveAs,
    /// Read the file again.
    Reload,
    /// Keep what is here, whatever someone else wrote.
    KeepMine,
    /// Close the file.
    Close,
    /// Close the window.
    Quit,
    /// Go on with what a crash left behind.
    BringBack(Recovered),
    /// Throw away what a crash left behind.
    Discard(Recovered),
    /// Say nothing more of what a crash left behind, until the next start.
    Later,
}

impl Wish {
    /// What a key means for files.
    #[must_use]
    pub fn of(command: Command) -> Option<Self> {
        match command {
            Command::Open => Some(Self::Open),
            Command::Save => Some(Self::Save),
            Command::SaveAs => Some(Self::SaveAs),
            Command::Quit => Some(Self::Quit),
            _ => None,
        }
    }

    /// Whether it means something when nothing is open.
    #[must_use]
    pub fn needs_no_file(&self) -> bool {
        !matches!(self, Self::Save | Self::SaveAs | Self::AddMotion | Self::Reload | Self::KeepMine | Self::Close)
    }
}

/// The menu; `is_open` when there is a file.
pub fn show(ui: &mut Ui, recent: &Recent, is_open: bool, wishes: &mut Vec<Wish>) {
    ui.menu_button("File", |ui| {
        if ui.button("New from the athlete").clicked() {
            wishes.push(Wish::Athlete);
            ui.close();
        }
        entry(ui, "Open", Command::Open, true, wishes);
        if system::HAS_FOLDERS {
            ui.menu_button("Open recent", |ui| {
                if recent.paths().is_empty() {
                    ui.weak("nothing yet");
                }
                list(ui, recent, wishes);
            });
        }
        let motion = ui.add_enabled(is_open, egui::Button::new("Add motion"));
        if motion.on_hover_text("A captured motion, from a .bvh file").clicked() {
            wishes.push(Wish::AddMotion);
            ui.close();
        }
        ui.separator();
        entry(ui, "Save", Command::Save, is_open, wishes);
        if Command::SaveAs.is_here() {
            entry(ui, "Save as", Command::SaveAs, is_open, wishes);
        }
        if ui.add_enabled(is_open, egui::Button::new("Close file")).clicked() {
            wishes.push(Wish::Close);
            ui.close();
        }
        if Command::Quit.is_here() {
            ui.separator();
            entry(ui, "Quit", Command::Quit, true, wishes);
        }
    });
}

fn entry(ui: &mut Ui, words: &str, command: Command, is_there: bool, wishes: &mut Vec<Wish>) {
    if keys::entry(ui, words, command, is_there) {
        wishes.extend(Wish::of(command));
    }
}

/// Files that were opened or saved lately; those that are gone are grey, and can be struck from the list.
pub fn list(ui: &mut Ui, recent: &Recent, wishes: &mut Vec<Wish>) {
    for path in recent.paths() {
        let (name, is_there) = (name_of(path), path.is_file());
        ui.horizontal(|ui| {
            let button = ui.add_enabled(is_there, egui::Button::new(&*name));
            let tip = path.display().to_string();
            let button = button.on_hover_text(&tip).on_disabled_hover_text(format!("{tip} is no longer there"));
            if button.clicked() {
                wishes.push(Wish::OpenFile(path.clone()));
                ui.close();
            }
            if !is_there && ui.small_button("Strike").on_hover_text("Take it from this list").clicked() {
                wishes.push(Wish::Strike(path.clone()));
            }
        });
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
