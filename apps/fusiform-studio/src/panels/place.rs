//! A place to write to: its name, what is wrong with it, and whether what is there may be replaced.

use super::Chooser;
use crate::model::{Fault, Job, Kind, Studio, check_place, home, system};
use egui::{ProgressBar, TextEdit, Ui};
use std::path::{Path, PathBuf};

/// Where windows first open: in the view, beside the lists.
pub const CORNER: egui::Pos2 = egui::pos2(250.0, 100.0);

/// Where something is written.
#[derive(Debug)]
pub struct Place {
    kind: Kind,
    typed: String,
    exact: Option<PathBuf>, // what is typed, where nobody typed it: not every name is text
    is_suggested: bool,
    folder: PathBuf, // that names without one are in
    asks: Option<PathBuf>,
    agreed: Option<(PathBuf, bool)>, // to be replaced, and whether it is the open file
    chooser: Option<Chooser>,
}

impl Place {
    /// For files of that kind.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let (typed, folder) = (String::new(), PathBuf::new());
        Self { kind, typed, exact: None, is_suggested: false, folder, asks: None, agreed: None, chooser: None }
    }

    /// A first name beside the file that is open, or at home, where there is none yet.
    pub fn suggest(&mut self, studio: &Studio, ending: &str) {
        let beside = studio.project.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        self.folder = beside.or_else(home).unwrap_or_default();
        if !std::mem::replace(&mut self.is_suggested, true) {
            self.take(self.folder.join(format!("{}{ending}", studio.project.name)));
        }
    }

    fn take(&mut self, path: PathBuf) {
        self.typed = path.display().to_string();
        self.exact = Some(path);
    }

    /// The name as it is: beside the file that is open, or at home, where it says no folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.exact.clone().unwrap_or_else(|| self.folder.join(self.typed.trim()))
    }

    /// The field, and the chooser where it is open.
    pub fn field(&mut self, ui: &mut Ui, studio: &Studio, tip: &str) {
        ui.horizontal(|ui| {
            let label = ui.label("Write to").on_hover_text(tip);
            let field = TextEdit::singleline(&mut self.typed);
            if ui.add(field).labelled_by(label.id).on_hover_text(tip).changed() {
                (self.exact, self.asks, self.agreed) = (None, None, None);
            }
            // a browser asks by itself where a download goes
            if system::HAS_FOLDERS && ui.button("Choose…").on_hover_text("Look for a place").clicked() {
                self.chooser = Some(Chooser::save(self.kind, self.path()));
            }
        });
        if let Some(path) = Chooser::chosen(&mut self.chooser, ui.ctx()) {
            self.take(path);
            self.asks = None;
            // the chooser has asked about what is there already
            self.written(studio);
        }
    }

    /// Whether it can be written to now; where something would be lost, people are asked first.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn is_free(&mut self, studio: &Studio) -> Result<bool, Fault> {
        let path = self.path();
        check_place(&path, self.kind)?;
        // what was agreed to before the file was the open one was another question
        let is_open = is_same(studio.project.path.as_deref(), &path);
        if path.exists() && self.agreed.as_ref() != Some(&(path.clone(), is_open)) {
            // what was agreed to for another file counts no more
            (self.asks, self.agreed) = (Some(path), None);
            return Ok(false);
        }
        Ok(true)
    }

    /// The question, where there is one; whether it was answered with yes.
    pub fn ask(&mut self, ui: &mut Ui, studio: &Studio) -> bool {
        let Some(path) = self.asks.clone() else { return false };
        let is_open = is_same(studio.project.path.as_deref(), &path);
        let words = match is_open {
            true => "This is the rigged file that is open: its muscles would be gone from it.",
            false => "There is a file of that name already.",
        };
        ui.colored_label(ui.visuals().warn_fg_color, words);
        let mut yes = false;
        ui.horizontal(|ui| {
            yes = ui.button("Replace it").clicked();
            if ui.button("Keep it").clicked() || yes {
                self.asks = None;
            }
        });
        if yes {
            self.agreed = Some((path, is_open));
        }
        yes
    }

    /// What was just written may be written again without a question, unless it is the file that is open.
    pub fn written(&mut self, studio: &Studio) {
        let path = self.path();
        self.agreed = (!is_same(studio.project.path.as_deref(), &path)).then_some((path, false));
    }
}

fn is_same(open: Option<&Path>, path: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    open.is_some_and(|open| real(open) == real(path))
}

/// How far work has come, and how it is stopped; whether that was asked for.
pub fn progress<T>(ui: &mut Ui, job: &Job<T>, stopping: bool) -> bool {
    ui.horizontal(|ui| {
        let words = if stopping { "stopping".to_owned() } else { format!("{:.0} %", 100.0 * job.share()) };
        ui.add(ProgressBar::new(job.share()).desired_width(280.0).text(words));
        ui.add_enabled(!stopping, egui::Button::new("Cancel")).clicked()
    })
    .inner
}

/// Bytes as people read them.
#[must_use]
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 * 1e-3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 * 1e-6),
        _ => format!("{:.1} GB", n as f64 * 1e-9),
    }
}
