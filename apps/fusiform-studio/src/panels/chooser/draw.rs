//! What of the chooser is seen and touched.

use super::super::place::bytes;
use super::{Choice, Chooser, name_id, recent};
use crate::model::{Fault, home};
use egui::{Button, Context, Key, Ui, vec2};

/// How wide recent folders are beside the list, points.
const PLACES: f32 = 160.0;

impl Chooser {
    /// Where it is, and ways from there.
    pub(super) fn bar(&mut self, ui: &mut Ui, context: &Context) {
        ui.horizontal(|ui| {
            if ui.button("Up").on_hover_text("To the folder above (Alt+Up)").clicked() {
                self.go_up();
            }
            if let Some(home) = home()
                && ui.button("Home").clicked()
            {
                self.go(&home);
            }
            if ui.button("New folder").clicked() {
                self.new_folder = Some("new folder".into());
            }
            let words = format!("Not only {}", self.kind.told());
            ui.checkbox(&mut self.all, "All files").on_hover_text(words);
            ui.checkbox(&mut self.hidden, "Hidden").on_hover_text("Names that begin with a dot");
        });
        let path = self.folder.as_ref().map(|folder| folder.path.display().to_string()).unwrap_or_default();
        ui.add(egui::Label::new(egui::RichText::new(path).strong()).truncate());
        self.ask_new_folder(ui, context);
    }

    fn ask_new_folder(&mut self, ui: &mut Ui, context: &Context) {
        let (Some(name), Some(folder)) = (&mut self.new_folder, &self.folder) else { return };
        let (mut makes, mut keeps) = (false, true);
        ui.horizontal(|ui| {
            let label = ui.label("Name of the new folder");
            let edit = ui.text_edit_singleline(name).labelled_by(label.id);
            makes = edit.lost_focus() && context.input(|input| input.key_pressed(Key::Enter));
            makes |= ui.button("Make").clicked();
            keeps = !ui.button("Not now").clicked();
        });
        let path = folder.resolve(name);
        if makes {
            match std::fs::create_dir(&path) {
                Ok(()) => {
                    self.go(&path);
                    keeps = false;
                }
                Err(error) => self.fault = Some(Fault::unwritable(&path, &error)),
            }
        }
        if !keeps {
            self.new_folder = None;
        }
    }

    /// Folders beside what is in the one that is shown, as high as that, whatever is in them.
    pub(super) fn body(&mut self, ui: &mut Ui, context: &Context, height: f32) -> Option<Choice> {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), egui::Sense::hover());
        let (left, right) = rect.split_left_right_at_x(rect.left() + PLACES.min(0.4 * rect.width()));
        let (line, stroke) = (right.left() + 4.0, ui.visuals().widgets.noninteractive.bg_stroke);
        ui.painter().vline(line, rect.y_range(), stroke);
        let within = |rect: egui::Rect| egui::UiBuilder::new().max_rect(rect);
        ui.scope_builder(within(left), |ui| self.places(ui, context));
        ui.scope_builder(within(right.with_min_x(line + 8.0)), |ui| self.list(ui)).inner
    }

    /// Folders that were chosen from lately.
    fn places(&mut self, ui: &mut Ui, context: &Context) {
        ui.weak("Recent folders");
        egui::ScrollArea::vertical().id_salt("places").auto_shrink(false).show(ui, |ui| {
            for folder in recent(context).iter() {
                let here = self.folder.as_ref().is_some_and(|of| of.path == *folder);
                let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
                let button = Button::selectable(here, &*name).truncate();
                let response = ui.add(button).on_hover_text(folder.display().to_string());
                let words = format!("Go to {}", folder.display());
                response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, here, &words));
                if response.clicked() {
                    self.go(folder);
                }
            }
        });
    }

    /// What is in the folder.
    fn list(&mut self, ui: &mut Ui) -> Option<Choice> {
        let (rows, height) = (self.rows(), ui.available_height());
        if rows.is_empty() {
            let nothing = if self.wanted.is_empty() { "nothing here to choose" } else { "nothing is called so" };
            ui.weak(nothing);
        }
        let (row, gap) = (ui.text_style_height(&egui::TextStyle::Body) + 4.0, ui.spacing().item_spacing.y);
        let mut area = egui::ScrollArea::vertical().id_salt("entries").auto_shrink(false);
        if std::mem::take(&mut self.wants_sight) {
            let at = rows.iter().position(|row| Some(*row) == self.marked).unwrap_or(0) as f32;
            area = area.vertical_scroll_offset((at * (row + gap) - 0.4 * height).max(0.0));
        }
        let mut choice = None;
        area.show_rows(ui, row, rows.len(), |ui, seen| {
            for &at in &rows[seen] {
                choice = choice.take().or(self.row(ui, at, row));
            }
        });
        choice
    }

    fn row(&mut self, ui: &mut Ui, at: usize, height: f32) -> Option<Choice> {
        let entry = self.folder.as_ref()?.entries.get(at)?;
        let marked = self.marked == Some(at);
        let words = if entry.is_folder { format!("{}/", entry.label) } else { entry.label.clone() };
        let text = if entry.is_folder { egui::RichText::new(&words).strong() } else { words.clone().into() };
        let size = if entry.is_folder { String::new() } else { bytes(entry.length) };
        let button = Button::selectable(marked, text).shortcut_text(size).truncate();
        let response = ui.add(button.min_size(vec2(ui.available_width(), height)));
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, marked, &words));
        if response.clicked() {
            self.mark(at);
            self.wants_focus = true;
        }
        if response.double_clicked() { self.take() } else { None }
    }

    /// The name, what is wrong, and the ways out.
    pub(super) fn name(&mut self, ui: &mut Ui) -> Option<Choice> {
        if let Some(fault) = &self.fault {
            ui.colored_label(ui.visuals().error_fg_color, fault.to_string());
        }
        if self.replaces.is_some() {
            return self.ask_to_replace(ui);
        }
        let mut choice = None;
        ui.horizontal(|ui| {
            let label = ui.label("Name or path");
            let width = ui.available_width() - 130.0;
            let edit = egui::TextEdit::singleline(&mut self.typed).id(name_id()).desired_width(width);
            let edit = ui.add(edit).labelled_by(label.id);
            if std::mem::take(&mut self.wants_focus) && self.new_folder.is_none() {
                edit.request_focus();
            }
            if edit.changed() {
                self.search();
                // the first that is found is what return takes
                self.marked = self.rows().first().copied().filter(|_| !self.wanted.is_empty());
                self.wants_sight = true;
            }
            if ui.button(if self.saves { "Save here" } else { "Choose" }).clicked() {
                choice = self.take();
            }
            if ui.button("Cancel").clicked() {
                choice = Some(Choice::Cancelled);
            }
        });
        choice
    }

    fn ask_to_replace(&mut self, ui: &mut Ui) -> Option<Choice> {
        let path = self.replaces.clone()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ui.label(format!("{name} is already there. Replaced, it is gone."));
        let mut choice = None;
        ui.horizontal(|ui| {
            if ui.button("Replace it").clicked() {
                choice = Some(Choice::Path(path.clone()));
            }
            if ui.button("Keep it").clicked() {
                (self.replaces, self.wants_focus) = (None, true);
            }
        });
        choice
    }
}
